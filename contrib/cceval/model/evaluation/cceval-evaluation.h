/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_EVALUATION_H
#define CCEVAL_EVALUATION_H

#include "cceval-controls.h"

#include "ns3/cceval-forecast.h"
#include "ns3/cceval-importance.h"
#include "ns3/cceval-plan.h"
#include "ns3/cceval-runner.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief What an evaluation is asked for.
 */
struct CcevalRequest
{
    std::vector<CcevalMetric> metrics; //!< what is to be known, at least one
    CcevalStoppingRule rule{CcevalStoppingRule::Kind::GUARDED, 0.05, 0.95}; //!< when it is known
    std::string method{"model-free"};  //!< model-free, importance or control-variate
    CcevalTrim trim{CcevalTrim::NONE}; //!< which flows count
    uint64_t maxTrials{10000};         //!< no more trials than this (importance: tilted ones)
    double budgetSeconds{0}; //!< no more processor time for all metrics than this [s], failed
                             //!< trials and those found in the store included; 0: no limit
    uint64_t trials{0};                //!< exactly that many trials; 0: as the rule says
    uint64_t repetition{0};            //!< with trials: which of many independent evaluations
    uint32_t jobs{1};                  //!< processes at a time
    std::string estimator{"packet"};   //!< what answers the trials
    std::string control{
        "flowsim"}; //!< estimators of control variates, joined by '+'; tunes proposals
    uint64_t controlTraces{10000};   //!< traces that tell the means of the controls
    std::string proposal{"mixture"}; //!< mixture, tilt or published
    std::string tuner{
        "control"};     //!< control (the cheap estimator) or method (the estimator itself)
    std::string folder; //!< of the stores; empty: nothing is kept
};

/**
 * @ingroup cceval
 * @brief What is known of one metric of one algorithm.
 */
struct CcevalResult
{
    std::string algorithm;     //!< its label
    std::string metric;        //!< as written
    std::string method;        //!< what was asked to compute the interval
    std::string answeredBy;    //!< method that did, where that is another one; else empty
    uint64_t trials{0};        //!< trials used
    uint64_t failed{0};        //!< trials kept out
    uint64_t others{0};        //!< trials used that the estimator left to another method
    std::string othersBy;      //!< names of such methods, joined by '+'; empty: there are none
    CcevalInterval interval;   //!< of the metric
    bool converged{false};     //!< known to the margin
    bool assured{true};        //!< see CcevalDiagnosis
    std::string note;          //!< what the reader should know
    CcevalForecast forecast;   //!< trials needed, as told now
    uint64_t planned{0};       //!< trials planned for a pooled quantile; 0: none are (CcevalPlan)
    double cpuSeconds{0};      //!< processor time of the trials used [s]
    double extraCpuSeconds{0}; //!< processor time of controls and tuning [s]
    double gain{1};            //!< variance of plain sampling over that of the method, same trials
    double cpuGain{1};         //!< the same for the same processor time
    double flowsPerTrial{0};   //!< mean number of flows
    std::array<double, 3> phases{}; //!< mean shares of the flows, in the order of CcevalPhase
    std::vector<double> values;     //!< by plain trial; empty for pooled metrics
    std::vector<CcevalCycle> tails; //!< of pooled metrics, by plain trial: the flows of the tail
    std::vector<uint64_t> runs;     //!< numbers of these trials
};

class CcevalTiltedTrials;

/**
 * @ingroup cceval
 * @brief Evaluates one algorithm: runs trials until the metrics are known.
 */
class CcevalEvaluation
{
  public:
    static constexpr uint64_t PILOT_TRIALS =
        100; //!< plain trials beside tilted ones (m_or of the paper)

    static constexpr uint64_t BATCH = 40; //!< trials in a batch of the published interval (K)

    static constexpr uint64_t FORECAST_TRIALS =
        CcevalPlan::FIRST_TRIALS; //!< plain trials after which the number needed is told first

    /// What is known of a trial.
    struct Trial
    {
        uint64_t run;                    //!< its number
        uint64_t seed;                   //!< its seed
        std::size_t flows;               //!< its flows
        double cpuSeconds;               //!< its cost
        std::array<double, 3> phases;    //!< shares of the flows
        std::vector<double> values;      //!< by metric, those that are not pooled
        std::vector<CcevalCycle> cycles; //!< by metric, those that are pooled
        CcevalControls::Row controls;    //!< with control variates
        std::string answeredBy;          //!< see DcnEstimate
    };

    /**
     * @param label of the algorithm
     * @param traffic of the trials
     * @param network configuration of the network
     * @param request what is asked for
     * @throws DcnError for a request that cannot be met
     */
    CcevalEvaluation(const std::string& label,
                     const CcevalTraffic& traffic,
                     Ptr<const DcnNetworkConfig> network,
                     const CcevalRequest& request);

    CcevalEvaluation(const CcevalEvaluation&) = delete;
    CcevalEvaluation& operator=(const CcevalEvaluation&) = delete;

    /**
     * @brief Run trials until all metrics are known, or the budget is spent.
     * @param onLook called with what is known of a metric whenever that is looked at; may be null
     * @return a result per metric
     * @throws DcnError that says which trial has no flow in a size class
     */
    std::vector<CcevalResult> Run(const std::function<void(const CcevalResult&)>& onLook = nullptr);

    /**
     * @brief Run this process's share of a fixed number of trials and evaluate nothing.
     * @param rank number of this process
     * @param size number of processes
     */
    void RunShare(uint64_t rank, uint64_t size);

    /** @return the trials so far that did not fail, in the order of their numbers. */
    const std::vector<Trial>& GetTrials() const;

    /**
     * @brief Write the trials: run, seed, flows, phases, cost and a column per metric.
     * @param csv where to; a line per trial
     * @param header true to write the names of the columns first
     */
    void WriteTrials(std::ostream& csv, bool header) const;

  private:
    CcevalStore OpenStore(CcevalStage stage,
                          const std::string& estimator,
                          const std::string& store,
                          const std::string& proposal) const;
    Trial Examine(uint64_t run) const;
    void Extend(uint64_t n);
    double GetMeanFlows() const;
    std::array<double, 3> GetPhaseShares() const;
    bool SpentBudget() const;
    bool IsLast(uint64_t n) const; // whatever n trials tell
    uint64_t GetNextLook(uint64_t n) const;
    CcevalResult Evaluate(std::size_t metric, CcevalPlan& plan, bool isLast) const;
    void CheckImportance() const; // that the request can be met
    void UsePublishedSizes();
    void EvaluateByValues(std::size_t metric, CcevalResult& result) const;
    void EvaluatePooled(std::size_t metric,
                        CcevalPlan& plan,
                        bool isLast,
                        CcevalResult& result) const;
    CcevalResult EvaluateByImportance(std::size_t metric,
                                      const std::function<void(const CcevalResult&)>& onLook);
    CcevalResult EvaluatePlain(std::size_t metric,
                               uint64_t tilted,
                               const std::function<void(const CcevalResult&)>& onLook);
    std::unique_ptr<CcevalTiltedTrials> MakeTilted(const CcevalMetric& metric,
                                                   CcevalStage stage,
                                                   const std::string& estimator,
                                                   uint64_t first,
                                                   const CcevalProposal& proposal,
                                                   const std::string& store,
                                                   double threshold) const;
    void CheckControls(uint64_t controls, CcevalResult& result) const;
    void AddFailures(const std::vector<std::string>& failures, CcevalResult& result) const;
    // counts and says the trials used that the estimator left to others: answeredBy of each trial
    void AddOthers(const std::vector<std::string>& answeredBy, CcevalResult& result) const;

    std::string m_label;                          //!< see the constructor
    CcevalTraffic m_traffic;                      //!< of the trials
    Ptr<const DcnNetworkConfig> m_network;        //!< see the constructor
    CcevalRequest m_request;                      //!< see the constructor
    std::vector<std::string> m_controlEstimators; //!< of the request
    std::unique_ptr<CcevalRunner> m_runner;       //!< of the trials
    std::vector<Trial> m_trials;                  //!< those that did not fail
    uint64_t m_first{0};                          //!< number of the first trial
    uint64_t m_examined{0};                       //!< trials looked at
    std::vector<std::string> m_failures;          //!< sentences
    std::unique_ptr<CcevalControls> m_controls;   //!< of methods that need them
    double m_controlSeconds{0};                   //!< processor time of controls [s]
    double m_spentSeconds{0};                     //!< of tuning and tilted trials, all metrics [s]
};

} // namespace ns3

#endif /* CCEVAL_EVALUATION_H */
