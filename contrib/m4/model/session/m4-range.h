/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_RANGE_H
#define M4_RANGE_H

#include "m4-features.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-trained-ranges.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Everything by which flows and networks can be unlike those of the training
 * (DcnTrainedRanges): what the static M4Features tell, as ratios, with the rates and round-trip
 * times that they are relative to; and the parameters of the configuration that they do not tell of
 * (DcnUntoldSettings), rates among them as ratios to the sender's. The tolerance is 5 %.
 */
struct M4Conditions : DcnTrainedRanges::Conditions
{
    /** @return what the values are. */
    static const DcnTrainedRanges::Quantities& GetQuantities();

    /**
     * @brief Learn from the flows of a scenario.
     * @param scenario what is trained on
     * @param ranges of GetQuantities
     */
    static void Add(const DcnScenario& scenario, DcnTrainedRanges& ranges);
};

/**
 * @ingroup m4
 * @brief The part of M4Conditions that is the same for all flows of a network.
 */
class M4Settings
{
  public:
    /**
     * @param network the configuration, which must outlive this
     */
    explicit M4Settings(const DcnNetworkParameters& network);

    /** @return what the model is not told of, but for rates; the rest is absent. */
    M4Conditions Describe() const;

    /**
     * @brief What the model is told of a flow, and the rates that it is not told of, which are
     * relative to the sender's; the rest is absent.
     * @param sizeBytes payload of the flow
     * @param nLinks of its path
     * @param flow what M4FlowModel knows of it
     * @return values for DcnTrainedRanges
     */
    M4Conditions Describe(uint64_t sizeBytes,
                          std::size_t nLinks,
                          const M4FlowConstants& flow) const;

  private:
    const DcnNetworkParameters& m_network; //!< the configuration
    std::vector<double> m_untold;          //!< DcnUntoldSettings::GetValues
};

/**
 * @ingroup m4
 * @brief Compares what is simulated with what the model has seen, and warns on standard error as
 * soon as a quantity is outside, once for each.
 */
class M4RangeMonitor
{
  public:
    /**
     * @brief Warn of parameters that the model is not told of; of rates in Look.
     * @param model the model; one that was not trained has no ranges, and nothing is ever said
     * @param network what is simulated, which must outlive this
     * @throws DcnError if the model was not trained on its congestion control
     */
    M4RangeMonitor(const DcnModelFile& model, const DcnNetworkParameters& network);

    /**
     * @brief Warn of what is new about a flow.
     * @param sizeBytes its payload
     * @param nLinks of its path
     * @param flow what M4FlowModel knows of it
     */
    void Look(uint64_t sizeBytes, std::size_t nLinks, const M4FlowConstants& flow);

    /** @return what was said, without "m4: " and without how far off the answer may be. */
    const std::vector<std::string>& GetWarnings() const;

  private:
    /// Warns of what is outside and was not warned of.
    void Check(M4Conditions conditions);

    const M4Settings m_settings;           //!< of what is simulated
    DcnTrainedRanges m_ranges;             //!< of the model
    std::vector<std::size_t> m_said;       //!< quantities that were warned of
    std::vector<std::string> m_warnings;   //!< see GetWarnings
};

} // namespace ns3

#endif /* M4_RANGE_H */
