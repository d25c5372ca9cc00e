/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_TILTED_TRIALS_H
#define CCEVAL_TILTED_TRIALS_H

#include "cceval-importance.h"
#include "cceval-metric.h"
#include "cceval-runner.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Trials drawn from a proposal, run on demand and only once.
 */
class CcevalTiltedTrials
{
  public:
    /// Options of the trials.
    struct Options
    {
        CcevalMetric metric;                    //!< gives R of each flow
        CcevalStage stage{CcevalStage::TILTED}; //!< their purpose
        std::string estimator;                  //!< answers them
        uint64_t first{0};                      //!< number of the first trial
        CcevalProposal proposal;                //!< distribution of the normal scores of the sizes
        /// Flows that start after the first R above it are drawn from the original distribution;
        /// infinity: no switching (CcevalSwitchNs).
        double threshold{std::numeric_limits<double>::infinity()};
        bool cheap{false}; //!< see CcevalRunner
    };

    /**
     * @param traffic of the trials; must outlive this
     * @param network configuration of the network
     * @param options see Options
     * @param store stores the answers
     * @param farm runs the trials
     */
    CcevalTiltedTrials(const CcevalTraffic& traffic,
                       Ptr<const DcnNetworkConfig> network,
                       const Options& options,
                       CcevalStore store,
                       const DcnTaskFarm& farm);

    CcevalTiltedTrials(const CcevalTiltedTrials&) = delete;
    CcevalTiltedTrials& operator=(const CcevalTiltedTrials&) = delete;

    /**
     * @brief Get the first trials; run the missing ones.
     * @param n number of trials
     * @param label of the progress
     * @return the trials that did not fail
     */
    std::vector<CcevalTiltedTrial> Get(uint64_t n, const std::string& label);

    /**
     * @brief Get plain trials that were run already, in the same form.
     * @param runner has run the first n trials of the same traffic and estimator
     * @param n number of trials
     * @return the trials that did not fail
     */
    std::vector<CcevalTiltedTrial> GetFrom(const CcevalRunner& runner, uint64_t n);

    /**
     * @param n number of trials, at most the number of the largest Get
     * @return processor time of the first n [s]
     */
    double GetCpuSeconds(uint64_t n) const;

    /** @return sentences about the failed trials of the last Get. */
    const std::vector<std::string>& GetFailures() const;

  private:
    CcevalTiltedTrial Complete(const CcevalTrace& trace, const CcevalOutcome& outcome) const;
    CcevalTrace Redraw(const CcevalTrace& trace, const CcevalOutcome& outcome) const;
    CcevalOutcome Simulate(const CcevalTrace& trace) const;

    const CcevalTraffic& m_traffic;        //!< see the constructor
    Ptr<const DcnNetworkConfig> m_network; //!< see the constructor
    Options m_options;                     //!< see the constructor
    CcevalSimulator m_simulator;           //!< answers the trials
    CcevalRunner m_runner;                 //!< runs the trials
    std::vector<std::string> m_failures;   //!< see GetFailures
};

} // namespace ns3

#endif /* CCEVAL_TILTED_TRIALS_H */
