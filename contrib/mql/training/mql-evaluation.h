/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_EVALUATION_H
#define MQL_EVALUATION_H

#include "ns3/mql-solution.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class MqlCorrectedSolution;
class MqlCorrection;
class MqlTruthTraffic;
class MqlTruthConfig;
struct MqlTruthResult;

/**
 * @ingroup mql
 * @brief A configuration: its simulation and the model of it.
 *
 * @code
 * MqlCase one("k=8,load=0.5"); // flows and paths
 * one.Simulate();
 * one.Solve();
 * MqlScore score = MqlEvaluate(one, nullptr);
 * @endcode
 */
class MqlCase
{
  public:
    /// Simulated packets of a flow at a queue.
    struct Visit
    {
        double packets{0}; //!< packets
        double waitNs{0};  //!< mean waiting [ns]
    };

    /**
     * @brief Flows and paths of a configuration.
     * @param configuration text of a MqlTruthConfig, "key=value,..." (doc/schema.rst)
     * @throws DcnError as MqlTruthConfig::Parse
     */
    explicit MqlCase(const std::string& configuration);

    /**
     * @brief A configuration with its simulation.
     * @param path folder of the configuration, from dcn-mql-truth
     * @throws DcnError if files do not fit together
     */
    static MqlCase Read(const std::string& path);

    MqlCase(MqlCase&& other) noexcept;
    ~MqlCase();

    /** @brief Simulate the configuration. */
    void Simulate();

    /** @param truth result of a simulation, instead of Simulate */
    void SetTruth(MqlTruthResult truth);

    /**
     * @brief Make the model and solve it.
     * @param options formulas
     * @throws DcnError if the model cannot be solved
     */
    void Solve(const MqlOptions& options = MqlOptions());

    /**
     * @param flow flow of the model; with acknowledgements, flow n + i acknowledges flow i
     * @param hops its hops (MqlSolution::GetHops)
     * @param visits set to the simulated packets at each of the hops
     */
    void GetVisits(std::size_t flow,
                   const std::vector<MqlHop>& hops,
                   std::vector<Visit>& visits) const;

    /** @return the configuration. */
    const MqlTruthConfig& GetConfig() const;

    /** @return the result of the simulation. */
    const MqlTruthResult& GetTruth() const
    {
        return *m_truth;
    }

    /** @return the model. */
    const MqlNetwork& GetNetwork() const
    {
        return *m_network;
    }

    /** @return flows of the model: data flows first, then acknowledgements. */
    const std::vector<MqlFlow>& GetFlows() const;

    /** @return its solution. */
    const MqlSolution& GetSolution() const
    {
        return m_solution;
    }

    /** @return processor time of the simulation [s]. */
    double GetCpuSeconds() const;
    /** @return packets times queues of the simulation, warm-up included. */
    uint64_t GetPacketHops() const;

    /**
     * @param corrected the model with or without correction
     * @param flow index of a data flow
     * @return latency there and back, or one way without acknowledgements
     */
    MqlFlowLatency GetRoundTrip(const MqlCorrectedSolution& corrected, std::size_t flow) const;

    /**
     * @param correction null: no correction
     * @return by data flow: GetRoundTrip
     */
    std::vector<MqlFlowLatency> GetRoundTrips(const MqlCorrection* correction) const;

    /**
     * @return by data flow: mean of its simulated round trips [s]; NaN for flows with fewer than
     * MqlScore::MIN_PACKETS
     */
    std::vector<double> GetTrueRoundTrips() const;

    /**
     * @param correction null: no correction
     * @param roundTrips of all data flows
     * @return by data flow: 99th percentile of its round trips [s]
     */
    std::vector<double> GetP99s(const MqlCorrection* correction,
                                const std::vector<MqlFlowLatency>& roundTrips) const;

  private:
    std::unique_ptr<MqlTruthTraffic> m_traffic; //!< flows and paths
    std::unique_ptr<MqlTruthResult> m_truth;    //!< result of the simulation
    std::unique_ptr<MqlNetwork> m_network;      //!< the model
    MqlSolution m_solution;                     //!< its solution
};

/**
 * @ingroup mql
 * @brief Errors of an estimate of round trips against the simulation, over a configuration's flows.
 */
struct MqlScore
{
    uint64_t flows{0};  //!< flows with at least MqlScore::MIN_PACKETS round trips
    double mape{0};     //!< mean over flows of |estimate - truth| / truth of mean round trips
    double waitMape{0}; //!< mean over flows of |estimate - truth| over the mean waiting
    double w1Mean{0};   //!< Wasserstein distance of the flows' mean round trips over their mean
    double w1P99{0};    //!< w1Mean of the flows' 99th percentiles
    double p99Mape{0};  //!< mean over flows of the relative error of their 99th percentiles
    double noise{0};    //!< expected mape due to the simulation's own standard errors

    static constexpr uint64_t MIN_PACKETS = 50; //!< flows with fewer are omitted
};

/**
 * @ingroup mql
 * @brief Compare an estimate with the simulation.
 *
 * The Wasserstein-1 distance of two samples of n values is the mean of |x_(i) - y_(i)| over the
 * sorted values; it is divided by the mean of the truth, as in DeepQueueNet's evaluation. For
 * normal errors of the truth with standard deviation s, the mean of |error| is s sqrt(2 / pi): the
 * noise.
 *
 * @param one simulation and model
 * @param correction null: no correction
 * @return the errors
 */
MqlScore MqlEvaluate(const MqlCase& one, const MqlCorrection* correction);

/**
 * @ingroup mql
 * @return the shipped correction; null if it is missing
 */
std::shared_ptr<const MqlCorrection> MqlLoadShippedCorrection();

} // namespace ns3

#endif /* MQL_EVALUATION_H */
