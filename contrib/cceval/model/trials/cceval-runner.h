/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_RUNNER_H
#define CCEVAL_RUNNER_H

#include "cceval-store.h"
#include "cceval-traffic.h"

#include "ns3/cceval-simulation.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-task-farm.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup cceval
/// @brief Simulates or estimates the flows of a trial.
using CcevalSimulator = std::function<CcevalOutcome(const CcevalTrace&)>;

/**
 * @ingroup cceval
 * @brief Make a simulator of trials from an estimator (DcnEstimator).
 *
 * A flow that does not finish is a failure of the trial: to omit the flow alone would bias the
 * tail. An error of the estimator (DcnError), such as an attribute without effect, ends the run.
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
 * @brief Make a simulator of trials from a function that has flows of its own.
 *
 * Of the trace only the seed is used. A flow that does not finish is a failure of the trial.
 *
 * @param simulation the function
 * @return the simulator, to be called once in a process
 */
CcevalSimulator CcevalOwnSimulator(const CcevalSimulation& simulation);

/**
 * @ingroup cceval
 * @brief Draws the traffic of a trial by its number.
 */
using CcevalTraceSource = std::function<CcevalTrace(uint64_t)>;

/**
 * @ingroup cceval
 * @brief Runs trials in processes and stores their answers.
 *
 * Trials are numbered. The answer to a number depends only on the configuration, not on the number
 * of processes; stored answers are not computed again.
 */
class CcevalRunner
{
  public:
    /// Which trials share a process.
    enum class Processes : uint8_t
    {
        SHARED, //!< many run in one, one after the other
        CHEAP,  //!< few short ones run in this process: another takes longer than ten of them
        OWN     //!< none: each finds ns-3 as this process has left it
    };

    /**
     * @param traces draws the traffic of a trial
     * @param simulator answers it
     * @param store stores the answers; at ranks other than the farm's root one in memory
     * @param farm runs the trials
     * @param first number of the first trial
     * @param processes see Processes
     */
    CcevalRunner(const CcevalTraceSource& traces,
                 const CcevalSimulator& simulator,
                 CcevalStore store,
                 const DcnTaskFarm& farm,
                 uint64_t first = 0,
                 Processes processes = Processes::SHARED);

    /**
     * @brief Run those of the first trials that are not stored; all ranks get all answers.
     * @param n number of trials
     * @param onTrial called as trials end, with the number of available answers; may be null
     * @throws DcnError if the store cannot be written, or the simulator refuses a trial
     */
    void Run(uint64_t n, const std::function<void(uint64_t)>& onTrial = nullptr);

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
    /// Returns how many of the trials that are left one process is to run.
    std::size_t ChooseChunk(std::size_t left) const;
    void Compute(const std::vector<uint64_t>& runs, const std::function<void(uint64_t)>& onTrial);
    /// Gives the answers of the first n trials to all ranks.
    void Share(uint64_t n);
    std::string Answer(uint64_t run) const;

    CcevalTraceSource m_traces;  //!< see the constructor
    CcevalSimulator m_simulator; //!< see the constructor
    CcevalStore m_store;         //!< see the constructor
    DcnTaskFarm m_farm;          //!< see the constructor
    uint64_t m_first;            //!< see the constructor
    Processes m_processes;       //!< see the constructor
    uint64_t m_nShared{0};       //!< first trials whose answers all ranks have
};

/**
 * @ingroup cceval
 * @param run number of a trial
 * @param seed of the trial
 * @param failure reason
 * @return a sentence
 */
std::string CcevalDescribeFailure(uint64_t run, uint64_t seed, const std::string& failure);

/**
 * @ingroup cceval
 * @brief Describe the experiment of trials, for CcevalStore, with the digest of the method
 * (DcnEstimator::GetDigest): models of one name change by training, the packet engine by its code.
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
