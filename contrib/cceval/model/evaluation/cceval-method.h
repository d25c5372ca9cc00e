/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_METHOD_H
#define CCEVAL_METHOD_H

#include "../statistics/cceval-plan.h"
#include "../statistics/cceval-rehearsal.h"
#include "../trials/cceval-trial-set.h"
#include "cceval-request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief A method of evaluation: computes estimates with intervals from trials.
 *
 * All methods run plain trials and evaluate them (Evaluate): plain sampling in an interim analysis,
 * control variates with a regression, importance sampling as its pilot and as its fallback.
 * Subclasses decide when to stop, and run further trials.
 */
class CcevalMethod
{
  public:
    static constexpr uint64_t FIRST_FORECAST =
        CcevalPlan::FIRST_TRIALS; //!< plain trials before the first forecast

    /// Input of the method.
    struct Setting
    {
        std::string label;                    //!< of the algorithm
        std::optional<CcevalTraffic> traffic; //!< of the trials; none: simulation has its own
        uint64_t seed;                        //!< of the evaluation
        Ptr<const DcnNetworkConfig> network;  //!< configuration of the network; null: as traffic
        CcevalRequest request;                //!< options
        CcevalSimulation simulation;          //!< runs the trials; null: the estimator does
    };

    virtual ~CcevalMethod() = default;
    CcevalMethod(const CcevalMethod&) = delete;
    CcevalMethod& operator=(const CcevalMethod&) = delete;

    /**
     * @brief Run trials until all metrics are known, or the budget is spent.
     * @param observer called at each interim analysis
     * @return a result per metric
     */
    virtual std::vector<CcevalResult> Run(const CcevalObserver& observer) = 0;

    /** @return the plain trials. */
    CcevalTrialSet& GetTrials();

  protected:
    /**
     * @param setting algorithm, traffic and options
     * @param first number of the first plain trial
     */
    CcevalMethod(const Setting& setting, uint64_t first);

    /**
     * @param text names joined by '+'
     * @return the names
     * @throws DcnError for an empty list or an unknown estimator
     */
    static std::vector<std::string> ParseEstimators(const std::string& text);

    /**
     * @param stage of the trials
     * @param estimator that answers them
     * @param name of the store
     * @param proposal of the trials
     * @return the store; in memory only if the request has no folder, or name is empty
     */
    CcevalStore OpenStore(CcevalStage stage,
                          const std::string& estimator,
                          const std::string& name,
                          const std::string& proposal) const;

    /**
     * @brief Evaluate the plain trials run so far.
     * @param metric position of a metric
     * @param plan of the metric
     * @param isLast no more trials follow
     * @return the estimate; without ends if fewer than two trials did not fail
     */
    CcevalResult Evaluate(std::size_t metric, CcevalPlan& plan, bool isLast) const;

    /// Evaluates a metric of at least two trials.
    virtual void EvaluateValues(std::size_t metric, CcevalResult& result) const;
    /// Evaluates a pooled metric of at least two trials.
    virtual void EvaluatePooled(std::size_t metric,
                                CcevalPlan& plan,
                                bool isLast,
                                CcevalResult& result) const;

    /**
     * @brief Take the values of a metric from the trials, and diagnose them.
     * @param metric position of a metric of trials
     * @param stops true: use only as many trials as the rule needs, since trials come in batches
     * @param result set to values, runs, cost and diagnosis; converged if the rule is met
     * @return moments of the values
     */
    CcevalMoments TakeValues(std::size_t metric, bool stops, CcevalResult& result) const;

    /**
     * @brief Say whether intervals of a metric cover, by what is known before the trials.
     *
     * The tail that a metric can have comes from the sizes of flows, which are known: a completion
     * time is about in proportion to a size where it is long, and queues to the bytes of a trial.
     * So the rule is rehearsed on the metric's statistic of the sizes of trials in place of
     * completion times, and on the bytes of trials; slowdowns, only on these. The worse one counts.
     * @param metric position of a metric of trials
     * @param nTrials that the interval rests on
     * @param result set to assured, with a reason where it is not
     */
    void Assure(std::size_t metric, uint64_t nTrials, CcevalResult& result) const;

    /// Makes the rehearsals of all metrics.
    void Rehearse() const;

    /**
     * @param metric position of a pooled metric
     * @param result set to runs and tails
     * @return its quantile, from all trials
     * @throws DcnError if no trial has a flow of the size class
     */
    CcevalPooledQuantile TakePooled(std::size_t metric, CcevalResult& result) const;

    /**
     * @param pooled a quantile
     * @param plan of its metric
     * @param isLast no more trials follow
     * @param result set to interval, forecast and diagnosis
     */
    void AnalysePooled(const CcevalPooledQuantile& pooled,
                       CcevalPlan& plan,
                       bool isLast,
                       CcevalResult& result) const;

    /** @return true if no trials follow the first n at any result. */
    bool IsLast(uint64_t n) const;
    /** @return number of trials of the next interim analysis after that of n. */
    uint64_t GetNextAnalysis(uint64_t n) const;
    /** @return processor time within the budget beside that of plain trials [s]. */
    virtual double GetOtherSeconds() const;

    /// Adds a sentence to a note.
    static void AddNote(const std::string& sentence, CcevalResult& result);
    /// Counts and names the failures.
    static void AddFailures(const std::vector<std::string>& failures, CcevalResult& result);
    /// Counts the trials used that another method answered, by answeredBy of each trial.
    void AddOthers(const std::vector<std::string>& answeredBy, CcevalResult& result) const;

    std::string m_label;                    //!< see the constructor
    std::optional<CcevalTraffic> m_traffic; //!< see the constructor
    uint64_t m_seed;                        //!< see the constructor
    Ptr<const DcnNetworkConfig> m_network;  //!< see the constructor
    CcevalRequest m_request;                //!< see the constructor
    CcevalStoppingRule m_rule;              //!< of the request
    std::vector<CcevalMetric> m_metrics;    //!< of the request
    CcevalTrialSet m_trials;                //!< the plain trials
    /// Rehearsals by metric, and on the tail of what; empty before the first one is needed.
    mutable std::vector<std::pair<CcevalRehearsal, std::string>> m_rehearsals;
    double m_extraSeconds{0};               //!< processor time of controls and tuning [s]
};

} // namespace ns3

#endif /* CCEVAL_METHOD_H */
