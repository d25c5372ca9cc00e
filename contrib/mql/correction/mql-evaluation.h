/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_EVALUATION_H
#define MQL_EVALUATION_H

#include "mql-correction.h"
#include "ns3/mql-network.h"
#include "ns3/mql-truth-recorder.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief How the model is made of a simulated configuration.
 */
struct MqlCaseOptions
{
    MqlOptions model;        //!< formulas
    /// Rates and C2 of the flows: false: as configured; true: as measured in the simulation at the
    /// source, without the simulation's deviation from what it draws.
    bool measured{false};
};

/**
 * @ingroup mql
 * @brief A simulated configuration next to the model of it.
 */
class MqlCase
{
  public:
    /// What was simulated of a flow at a queue.
    struct Visit
    {
        double packets{0}; //!< packets
        double waitNs{0};  //!< mean waiting [ns]
    };

    /**
     * @param path folder of a configuration, as MqlWriteTruth makes
     * @param options how the model is made
     * @throws DcnError if files do not fit together, or the model cannot be solved
     */
    MqlCase(const std::string& path, const MqlCaseOptions& options);

    /**
     * @param traffic what was simulated
     * @param truth the outcome
     * @param options how the model is made
     */
    MqlCase(std::unique_ptr<MqlTruthTraffic> traffic,
            MqlTruthResult truth,
            const MqlCaseOptions& options);

    /**
     * @brief The flows of a configuration as the model takes them.
     * @param traffic flows; with acknowledgements, flow n + i acknowledges flow i
     * @param truth where rates and C2 are taken from; null: as configured
     * @return the flows
     */
    static std::vector<MqlFlow> MakeFlows(const MqlTruthTraffic& traffic,
                                          const MqlTruthResult* truth);

    /**
     * @brief The network of a configuration.
     * @param traffic paths
     * @param flows as MakeFlows makes
     * @return the network
     */
    static MqlNetwork MakeNetwork(const MqlTruthTraffic& traffic, std::vector<MqlFlow> flows);

    /**
     * @param flow flow of the model
     * @param hops its hops (MqlSolution::GetHops)
     * @param visits set to what was simulated at each of the hops
     */
    void GetVisits(std::size_t flow,
                   const std::vector<MqlHop>& hops,
                   std::vector<Visit>& visits) const;

    /** @return the configuration. */
    const MqlTruthConfig& GetConfig() const;
    /** @return what was simulated. */
    const MqlTruthTraffic& GetTraffic() const;
    /** @return the outcome. */
    const MqlTruthResult& GetTruth() const;
    /** @return the model. */
    const MqlNetwork& GetNetwork() const;
    /** @return its solution. */
    const MqlSolution& GetSolution() const;

    /**
     * @param corrected the model with or without correction
     * @param flow index of a data flow
     * @return latency there and back, or one way without acknowledgements
     */
    MqlFlowLatency GetRoundTrip(const MqlCorrectedSolution& corrected, std::size_t flow) const;

  private:
    std::unique_ptr<MqlTruthTraffic> m_traffic; //!< what was simulated
    MqlTruthResult m_truth;                     //!< the outcome
    std::unique_ptr<MqlNetwork> m_network;      //!< the model
    MqlSolution m_solution;                     //!< its solution
};

/**
 * @ingroup mql
 * @brief How far an estimate of round trips is from the simulation, over a configuration's flows.
 */
struct MqlScore
{
    uint64_t flows{0};     //!< flows with at least MqlScore::MIN_PACKETS round trips
    double mape{0};        //!< mean over flows of |estimate - truth| / truth of mean round trips
    double waitMape{0};    //!< the same of their waiting part, over the mean waiting of all flows
    double w1Mean{0};      //!< Wasserstein distance of the flows' mean round trips over their mean
    double w1P99{0};       //!< the same of the flows' 99th percentiles
    double w1P99Range{0};  //!< the same over the range of the truth's percentiles, not their mean
    double p99Mape{0};     //!< mean over flows of the relative error of their 99th percentiles
    double p99OfMeans{0};  //!< relative error of the 99th percentile of the flows' mean round trips
    double p99Pooled{0};   //!< relative error of the 99th percentile over all packets; 0: no truth
    double noise{0};       //!< mape that the truth's own standard errors make on average

    static constexpr uint64_t MIN_PACKETS = 50; //!< flows with fewer are left out
};

/**
 * @ingroup mql
 * @brief Compare an estimate with the simulation.
 *
 * The Wasserstein-1 distance of two samples of n values is the mean of |x_(i) - y_(i)| over the
 * sorted values; it is divided by the mean of the truth, as DeepQueueNet's evaluation does. For
 * normal errors of the truth of standard deviation s, the mean of |error| is s sqrt(2 / pi): noise.
 *
 * The dissertation does not say what its distance of 99th percentiles is of; w1P99 is what
 * DeepQueueNet's means, the others are what else it may mean.
 *
 * @param one simulation and model
 * @param correction null: the model alone
 * @return the errors
 */
MqlScore MqlEvaluate(const MqlCase& one, const MqlCorrection* correction);

/**
 * @ingroup mql
 * @brief Compare two simulations that differ in the seed alone: how far apart these are.
 * @param truth what counts as the truth
 * @param other the other one
 * @return the errors of the other one
 * @throws DcnError if their flows are not the same
 */
MqlScore MqlCompareTruths(const MqlCase& truth, const MqlCase& other);

} // namespace ns3

#endif /* MQL_EVALUATION_H */
