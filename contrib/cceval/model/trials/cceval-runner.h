/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_RUNNER_H
#define CCEVAL_RUNNER_H

#include "cceval-store.h"
#include "cceval-traffic.h"

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup cceval
/// @brief Says what happens to the flows of a trial.
using CcevalSimulator = std::function<CcevalOutcome(const CcevalTrace&)>;

/**
 * @ingroup cceval
 * @brief A simulator that is an estimator of the project.
 *
 * A flow that does not finish, or anything that the estimator refuses, is a failure of the trial:
 * to leave out the flows alone would hide the worst of them.
 *
 * @param traffic makes the scenarios; must outlive the simulator
 * @param network the configuration
 * @param estimator name for DcnEstimator::CreateByName
 * @return the simulator
 * @throws DcnError if there is no such estimator
 */
CcevalSimulator CcevalEstimatorSimulator(const CcevalTraffic& traffic,
                                         Ptr<const DcnNetworkConfig> network,
                                         const std::string& estimator);

/**
 * @ingroup cceval
 * @brief Draws where the traffic of a trial comes from, by the number of the trial.
 */
using CcevalTraceSource = std::function<CcevalTrace(uint64_t)>;

/**
 * @ingroup cceval
 * @brief Runs trials in processes and keeps their answers in a store.
 *
 * Trials are numbered; the answer to a number depends on nothing but the configuration, whatever
 * the number of processes, and one that is in the store is not computed again.
 */
class CcevalRunner
{
  public:
    /**
     * @param traces draws the traffic of a trial
     * @param simulator answers it
     * @param store keeps the answers
     * @param jobs processes at a time, at least 1
     * @param first number of the first trial
     * @param cheap run trials in this process while they are few and short: a process of their own
     * takes longer than ten of a cheap method
     */
    CcevalRunner(const CcevalTraceSource& traces,
                 const CcevalSimulator& simulator,
                 CcevalStore store,
                 uint32_t jobs,
                 uint64_t first = 0,
                 bool cheap = false);

    /**
     * @brief Make sure that the answers to the first trials are there.
     * @param n number of trials
     * @param onTrial called as trials are done, with the number of those that are there; may be
     * null
     * @throws DcnError if the store cannot be written
     */
    void Run(uint64_t n, const std::function<void(uint64_t)>& onTrial = nullptr);

    /**
     * @brief Run the share of a process among those of mpirun: of the first n trials those at the
     * places rank, rank + size, ...
     * @param n number of trials of all processes together
     * @param rank number of this process
     * @param size number of processes
     */
    void RunShare(uint64_t n, uint64_t rank, uint64_t size);

    /** @return number of the first trial. */
    uint64_t GetFirst() const;

    /**
     * @param run number of a trial that was run
     * @return its answer
     */
    const CcevalOutcome& Get(uint64_t run) const;

    /**
     * @param run number of a trial
     * @return its traffic
     */
    CcevalTrace GetTrace(uint64_t run) const;

    /**
     * @param n number of trials
     * @return processor time of the first n [s]
     */
    double GetCpuSeconds(uint64_t n) const;

  private:
    void RunMissing(uint64_t first,
                    uint64_t n,
                    uint64_t step,
                    const std::function<void(uint64_t)>& onTrial);
    void Compute(const std::vector<uint64_t>& runs, const std::function<void(uint64_t)>& onTrial);
    std::string Answer(uint64_t run) const;

    CcevalTraceSource m_traces;  //!< see the constructor
    CcevalSimulator m_simulator; //!< see the constructor
    CcevalStore m_store;         //!< see the constructor
    uint32_t m_jobs;             //!< see the constructor
    uint64_t m_first;            //!< see the constructor
    bool m_cheap;                //!< see the constructor
};

/**
 * @ingroup cceval
 * @param run number of a trial
 * @param seed of the trial
 * @param failure why there is no answer
 * @return a sentence
 */
std::string CcevalDescribeFailure(uint64_t run, uint64_t seed, const std::string& failure);

/**
 * @ingroup cceval
 * @brief Describes the experiment of trials, for CcevalStore. For methods with learned models it
 * has a digest of their files, which may be trained again under the same names.
 * @param traffic the traffic
 * @param network the configuration of the network
 * @param estimator name of the estimator
 * @return keys and values
 */
std::map<std::string, std::string> CcevalDescribeTrials(const CcevalTraffic& traffic,
                                                        const DcnNetworkConfig& network,
                                                        const std::string& estimator);

} // namespace ns3

#endif /* CCEVAL_RUNNER_H */
