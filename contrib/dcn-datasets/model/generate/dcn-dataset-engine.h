/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_ENGINE_H
#define DCN_DATASET_ENGINE_H

#include "dcn-dataset-recipe.h"

#include "ns3/dcn-collector.h"
#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Simulates the scenarios of data sets, in the ns-3 simulator of this process.
 *
 * There is one subclass for each kind of simulation, "packet" and others; a static Registration in
 * its source makes it known by its name.
 */
class DcnDatasetEngine
{
  public:
    /// Makes a subclass; the parameter is that of Create.
    using Factory = std::unique_ptr<DcnDatasetEngine> (*)(const std::string& name);

    static const char* const DEFAULT; //!< "packet"

    /// A static object of this type makes a subclass known.
    struct Registration
    {
        /**
         * @param name of the engine, without attributes
         * @param factory makes engines of that name
         */
        Registration(const std::string& name, Factory factory);
    };

    /**
     * @param name e.g. "packet" or "tcp:Transport=ns3::TcpCubic"; attributes as those of the method
     * (DcnEstimator::CreateByName)
     * @return an engine
     * @throws DcnError if no loaded module has such an engine, or it has no such attributes
     */
    static std::unique_ptr<DcnDatasetEngine> Create(const std::string& name);

    virtual ~DcnDatasetEngine() = default;
    DcnDatasetEngine(const DcnDatasetEngine&) = delete;
    DcnDatasetEngine& operator=(const DcnDatasetEngine&) = delete;

    /** @return the name that Create was called with. */
    const std::string& GetName() const
    {
        return m_name;
    }

    /** @return 16 hexadecimal digits that engines of equal behaviour share. */
    virtual std::string GetDigest() const = 0;

    /**
     * @brief Refuse rules that the engine cannot follow.
     * @param recipe the rules
     * @throws DcnError that names the rule
     */
    virtual void Check(const DcnDatasetRecipe& recipe) const = 0;

    /**
     * @brief Simulate a scenario; the caller calls Simulator::Destroy.
     * @param scenario the scenario
     * @param seed of random draws
     * @param collector watches all flows, with the attributes that it has
     * @return cost: data packets times links crossed
     * @throws DcnError if the engine refuses the scenario
     */
    virtual uint64_t Simulate(Ptr<const DcnScenario> scenario,
                              uint64_t seed,
                              Ptr<DcnCollector> collector) const = 0;

  protected:
    /**
     * @param name see GetName
     */
    explicit DcnDatasetEngine(const std::string& name);

  private:
    std::string m_name; //!< see GetName
};

} // namespace ns3

#endif /* DCN_DATASET_ENGINE_H */
