/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_TRAFFIC_H
#define CCEVAL_TRAFFIC_H

#include "ns3/dcn-scenario.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/dcn-traffic-matrix.h"
#include "ns3/dcn-workload.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

struct CcevalProposal;

/**
 * @ingroup cceval
 * @brief Purpose of the random traffic of a trial; each purpose has its own seeds.
 */
enum class CcevalStage : uint8_t
{
    TRIALS = 0,   //!< the trials of an evaluation
    CONTROLS = 1, //!< cheap traces that give the means of control variates
    TUNING = 2,   //!< cycles that tune a proposal
    TILTED = 3    //!< cycles drawn from a proposal
};

/**
 * @ingroup cceval
 * @brief The seed of everything random in a trial: base * 2^22 + stage * 2^20 + run.
 * @param base seed of the evaluation, at most CCEVAL_MAX_BASE
 * @param stage purpose of the traffic
 * @param run number of the trial, less than CCEVAL_MAX_RUNS
 * @return the seed; different for different arguments
 * @throws DcnError if base or run is too large
 */
uint64_t CcevalSeed(uint64_t base, CcevalStage stage, uint64_t run);

constexpr uint64_t CCEVAL_MAX_BASE = 1023;              //!< largest seed of an evaluation
constexpr uint64_t CCEVAL_MAX_RUNS = uint64_t(1) << 20; //!< largest number of trials with seeds

/**
 * @ingroup cceval
 * @brief The random traffic of one trial.
 */
struct CcevalTrace
{
    uint64_t seed{0};               //!< of everything random in the trial
    std::vector<DcnFlow> flows;     //!< ordered by (start, id), ids 0, 1, 2, ...
    DcnPathTable paths;             //!< by flow
    std::vector<double> scores;     //!< normal score of each size
    std::vector<double> logFactors; //!< logarithm of each flow's factor of the likelihood ratio

    /** @return logarithm of the likelihood ratio of all flows. */
    double GetLogLikelihood() const;
};

/**
 * @ingroup cceval
 * @brief Draws the traffic of trials: independent, identically distributed, by seed.
 *
 * Flows start in [0, duration), or have a fixed number. The mean gap is calibrated once, so that
 * all trials have the same distribution. Sizes come from normal scores (CcevalProposal), so that a
 * proposal changes only the sizes drawn from it. Traffic depends on the seed alone: all algorithms
 * in a comparison have the same traffic.
 */
class CcevalTraffic
{
  public:
    /// Turns a normal score into a size [bytes].
    using SizeOfScore = std::function<uint64_t(double)>;

    /**
     * @param topology the network
     * @param spec workload to draw; its seed shapes the matrix and calibrates the load
     * @throws DcnError for a bad value
     */
    CcevalTraffic(Ptr<const DcnTopology> topology, const DcnWorkloadSpec& spec);

    /**
     * @brief Draw sizes from another distribution, such as a fitted one, at the same mean gap.
     * @param sizes the distribution
     * @param name name of the distribution, for Describe
     */
    void SetSizes(const SizeOfScore& sizes, const std::string& name);

    /**
     * @brief Draw a trial.
     * @param seed of the trial
     * @return the traffic
     */
    CcevalTrace Draw(uint64_t seed) const;

    /**
     * @brief Draw a trial from a proposal.
     * @param seed of the trial
     * @param proposal distribution of the normal scores of the sizes
     * @param switchNs flows that start at this time or later are drawn from the original
     * distribution [ns]
     * @return the traffic
     */
    CcevalTrace Draw(uint64_t seed,
                     const CcevalProposal& proposal,
                     int64_t switchNs = INT64_MAX) const;

    /**
     * @brief Draw only the sizes of a trial, which takes less time.
     * @param seed of the trial
     * @return sizes of the flows of Draw(seed), in order [bytes]
     */
    std::vector<uint64_t> DrawSizes(uint64_t seed) const;

    /**
     * @brief Make the scenario of a trial.
     * @param trace its traffic
     * @param network the configuration
     * @return the scenario, whose flow indices are those of the trace
     */
    Ptr<const DcnScenario> MakeScenario(const CcevalTrace& trace,
                                        Ptr<const DcnNetworkConfig> network) const;

    /** @return mean time between two flows [ns]. */
    double GetMeanGapNs() const;
    /** @return the workload. */
    const DcnWorkloadSpec& GetSpec() const;

    /**
     * @return expected number of flows of a trial: 1 + duration / mean gap with Poisson arrivals
     * (the first flow starts at 0), the number of flows if that is fixed; 0 if it is not known
     */
    double GetExpectedFlows() const;

    /**
     * @return one line that differs for different traffic; it ends in a digest of the links and of
     * the first trial, since files may change under their names
     */
    std::string Describe() const;

  private:
    Ptr<const DcnTopology> m_topology; //!< the network
    DcnWorkloadSpec m_spec;            //!< the workload
    Ptr<DcnSizeDistribution> m_sizes;  //!< sizes of the workload
    Ptr<DcnTrafficMatrix> m_matrix;    //!< restarted for every trial
    SizeOfScore m_sizeOfScore;         //!< see SetSizes; null: m_sizes
    std::string m_sizesName;           //!< see SetSizes
    double m_meanGapNs;                //!< mean time between two flows [ns]
};

} // namespace ns3

#endif /* CCEVAL_TRAFFIC_H */
