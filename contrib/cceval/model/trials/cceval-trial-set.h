/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_TRIAL_SET_H
#define CCEVAL_TRIAL_SET_H

#include "../statistics/cceval-pooled-quantile.h"
#include "cceval-metric.h"
#include "cceval-runner.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Record of a plain trial that did not fail.
 */
struct CcevalTrial
{
    uint64_t run;                    //!< its number
    uint64_t seed;                   //!< its seed
    std::size_t flows;               //!< number of its flows
    double cpuSeconds;               //!< its processor time [s]
    std::array<double, 3> phases;    //!< shares of the flows, in the order of CcevalPhase
    std::vector<double> values;      //!< by metric; NaN for pooled ones
    std::vector<CcevalCycle> cycles; //!< by metric; empty if not pooled
    std::string answeredBy;          //!< see DcnEstimate
};

/**
 * @ingroup cceval
 * @brief The plain trials of an algorithm, run on demand, and their metrics.
 */
class CcevalTrialSet
{
  public:
    /// The algorithm and its metrics.
    struct Options
    {
        std::string label;                   //!< of the algorithm
        uint64_t seed;                       //!< of the evaluation
        CcevalSimulation simulation;         //!< runs the trials; null: the estimator does
        Ptr<const DcnNetworkConfig> network; //!< configuration of the network
        std::vector<CcevalMetric> metrics;   //!< evaluated in each trial
        CcevalTrim trim{CcevalTrim::NONE};   //!< flows included
        std::string estimator;               //!< answers the trials, unless simulation does
        DcnTaskFarm farm;                    //!< runs the trials
        uint64_t first{0};                   //!< number of the first trial
    };

    /**
     * @param traffic of the trials, which must outlive this; null: options.simulation has its own
     * @param options the algorithm and its metrics
     * @param store stores the answers
     */
    CcevalTrialSet(const CcevalTraffic* traffic, const Options& options, CcevalStore store);

    /**
     * @brief Run trials, and evaluate the new ones.
     * @param n number of trials in total
     * @throws DcnError if a metric is not defined in one of them
     */
    void Extend(uint64_t n);

    /** @return the trials that did not fail, in the order of their numbers. */
    const std::vector<CcevalTrial>& Get() const;
    /** @return number of trials that were run, failed ones included. */
    uint64_t GetNRun() const;
    /** @return a sentence for each trial that failed. */
    const std::vector<std::string>& GetFailures() const;
    /** @return mean number of flows of a trial. */
    double GetMeanFlows() const;
    /** @return mean shares of the flows, in the order of CcevalPhase. */
    std::array<double, 3> GetPhaseShares() const;
    /** @return processor time of all trials that were run [s]. */
    double GetCpuSeconds() const;
    /** @return runs the trials. */
    CcevalRunner& GetRunner();
    /** @copydoc GetRunner */
    const CcevalRunner& GetRunner() const;

    /**
     * @brief Write the trials: run, seed, flows, phases, cost and a column per metric.
     * @param csv output, a line per trial
     * @param header true to write the names of the columns first
     */
    void Write(std::ostream& csv, bool header) const;

  private:
    CcevalTrial Examine(uint64_t run) const;

    const CcevalTraffic* m_traffic;      //!< see the constructor
    Options m_options;                   //!< see the constructor
    CcevalRunner m_runner;               //!< runs the trials
    std::vector<CcevalTrial> m_trials;   //!< see Get
    uint64_t m_nRun{0};                  //!< see GetNRun
    std::vector<std::string> m_failures; //!< see GetFailures
};

} // namespace ns3

#endif /* CCEVAL_TRIAL_SET_H */
