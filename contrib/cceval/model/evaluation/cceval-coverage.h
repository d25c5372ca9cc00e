/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_COVERAGE_H
#define CCEVAL_COVERAGE_H

#include "ns3/cceval-pooled-quantile.h"
#include "ns3/cceval-stopping-rule.h"

#include "ns3/dcn-random.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/// @ingroup cceval
/// @brief Gives the result of one more independent trial.
using CcevalSource = std::function<double()>;

/// @ingroup cceval
/// @brief Gives what the flows of one more independent trial took.
using CcevalCycleSource = std::function<CcevalCycle()>;

/**
 * @ingroup cceval
 * @brief What came of many evaluations of the same thing, each of which stopped by itself.
 */
struct CcevalCoverage
{
    uint64_t evaluations{0};      //!< number of evaluations
    double covered{0};            //!< share whose interval contains the true value
    double tooHigh{0};            //!< share whose interval is above it as a whole
    double tooLow{0};             //!< share whose interval is below it as a whole
    double diagnosed{0};          //!< share that said "coverage not assured"
    double meanTrials{0};         //!< mean number of trials
    double inBand{0};             //!< share whose number of trials is in the band told by the pilot
    double medianPilotError{0};   //!< median of |forecast by the pilot / trials - 1|
    double medianRefinedError{0}; //!< the same told from a third of the trials
    double inLaterBand{0};        //!< share in the band told at the first look of the rule
    double medianKnownError{0};   //!< median of |median of all these stops / trials - 1|
    double medianEffective{0};    //!< effective trials of the tail at the stop; 0 of means
};

/**
 * @ingroup cceval
 * @brief Measure how often the intervals of a stopping rule cover, on data of known mean.
 * @param rule the rule
 * @param source the data
 * @param truth their mean
 * @param evaluations number of evaluations, at least 1
 * @param pilot trials after which the band is told, at least CcevalForecast::MIN_TRIALS
 * @return what was measured
 */
CcevalCoverage CcevalMeasureCoverage(const CcevalStoppingRule& rule,
                                     const CcevalSource& source,
                                     double truth,
                                     uint64_t evaluations,
                                     uint64_t pilot = 20);

/**
 * @ingroup cceval
 * @brief The same for a pooled quantile, on data whose quantile is known.
 *
 * An evaluation tells the number of trials and stops as CcevalPlan says, which is what
 * CcevalEvaluation does. That of the pilot is told after pilot trials, the refined one is the last
 * that is told with a third of the trials at the stop or fewer (the pilot's if there is none).
 *
 * @param rule when to look, margin and level
 * @param p probability in (0, 1)
 * @param source the data; values may be left out far below those whose odds are 4 times those of
 * the quantile, which is the lowest that forecasts ask for
 * @param truth the quantile
 * @param evaluations number of evaluations, at least 1
 * @param pilot trials after which the band is told, at least CcevalForecast::MIN_TRIALS
 * @return what was measured
 */
CcevalCoverage CcevalMeasurePooledCoverage(const CcevalStoppingRule& rule,
                                           double p,
                                           const CcevalCycleSource& source,
                                           double truth,
                                           uint64_t evaluations,
                                           uint64_t pilot = 20);

/**
 * @ingroup cceval
 * @param mean of the values
 * @param deviation of the values
 * @param seed of the values
 * @return a source of normal values
 */
CcevalSource CcevalNormalSource(double mean, double deviation, uint64_t seed);

/**
 * @ingroup cceval
 * @param sigma shape; mu is 0, so that the mean is exp(sigma^2 / 2)
 * @param seed of the values
 * @return a source of log-normal values
 */
CcevalSource CcevalLogNormalSource(double sigma, uint64_t seed);

/**
 * @ingroup cceval
 * @brief Trials of a queue with Poisson arrivals, exponential service of mean 1 and one server.
 *
 * Waiting times follow Lindley's recursion W_(n+1) = max(0, W_n + S_n - A_n); a sojourn is W + S.
 */
class CcevalQueueSource
{
  public:
    /**
     * @param load arrivals per mean service time, between 0 and 1
     * @param customers per trial, at least 1
     * @param stationary false: the queue is empty at first; true: it is in equilibrium, where a
     * sojourn is exponential with mean 1 / (1 - load)
     * @param seed of the draws
     */
    CcevalQueueSource(double load, uint32_t customers, bool stationary, uint64_t seed);

    /** @return the sojourn times of one more trial, in order of arrival. */
    std::vector<double> Draw();

    /**
     * @param least sojourn times that are not larger are left out
     * @return those of one more trial, as a cycle
     */
    CcevalCycle DrawCycle(double least = 0);

    /**
     * @param rank 1 for the smallest
     * @return the sojourn time of that rank of one more trial
     */
    double DrawRanked(uint32_t rank);

  private:
    double m_load;                                //!< arrivals per mean service time
    uint32_t m_customers;                         //!< per trial
    bool m_stationary;                            //!< see the constructor
    Ptr<ExponentialRandomVariable> m_exponential; //!< mean 1
    Ptr<UniformRandomVariable> m_uniform;         //!< whether the first customer waits
};

} // namespace ns3

#endif /* CCEVAL_COVERAGE_H */
