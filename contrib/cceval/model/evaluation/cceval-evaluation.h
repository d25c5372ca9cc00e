/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_EVALUATION_H
#define CCEVAL_EVALUATION_H

#include "cceval-request.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class CcevalMethod;
class CcevalTraffic;
struct CcevalTrial;

/**
 * @ingroup cceval
 * @brief Evaluates one algorithm: runs trials until its metrics are known.
 */
class CcevalEvaluation
{
  public:
    /**
     * @param label of the algorithm
     * @param traffic of the trials
     * @param network configuration of the network
     * @param request options
     * @throws DcnError for an invalid request
     */
    CcevalEvaluation(const std::string& label,
                     const CcevalTraffic& traffic,
                     Ptr<const DcnNetworkConfig> network,
                     const CcevalRequest& request);

    /**
     * @param label of the algorithm
     * @param topology the network
     * @param spec traffic of the trials
     * @param network configuration of the network
     * @param request options
     * @throws DcnError for an invalid request
     */
    CcevalEvaluation(const std::string& label,
                     Ptr<const DcnTopology> topology,
                     const DcnWorkloadSpec& spec,
                     Ptr<const DcnNetworkConfig> network,
                     const CcevalRequest& request);

    /**
     * @brief Evaluate a simulation of the program's own: its trials are calls of a function.
     * @param label of the algorithm
     * @param simulation runs a trial
     * @param seed of the evaluation, at most CCEVAL_MAX_BASE; trial i has the seed CcevalSeed
     * @param request options; the method must be model-free. The estimator names the simulation:
     * stored trials are used again under the same name only
     * @throws DcnError for an invalid request
     */
    CcevalEvaluation(const std::string& label,
                     const CcevalSimulation& simulation,
                     uint64_t seed,
                     const CcevalRequest& request);
    ~CcevalEvaluation();
    CcevalEvaluation(const CcevalEvaluation&) = delete;
    CcevalEvaluation& operator=(const CcevalEvaluation&) = delete;

    /**
     * @param method name of a method
     * @param option control, controlTraces, proposal or tuner
     * @return true if the option has an effect on the method
     */
    static bool HasOption(const std::string& method, const std::string& option);

    /**
     * @brief Run trials until all metrics are known, or the budget is spent.
     * @param observer called at each interim analysis; may be null
     * @return a result per metric
     * @throws DcnError that names a trial without a flow in the size class of a metric
     */
    std::vector<CcevalResult> Run(const CcevalObserver& observer = nullptr);

    /** @return the plain trials so far that did not fail, in the order of their numbers. */
    const std::vector<CcevalTrial>& GetTrials() const;

    /**
     * @brief Write the plain trials: run, seed, flows, phases, cost and a column per metric.
     * @param csv output, a line per trial
     * @param header true to write the names of the columns first
     */
    void WriteTrials(std::ostream& csv, bool header) const;

  private:
    CcevalRequest m_request;                //!< see the constructor
    std::unique_ptr<CcevalMethod> m_method; //!< method of the request
};

} // namespace ns3

#endif /* CCEVAL_EVALUATION_H */
