/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_REQUEST_H
#define CCEVAL_REQUEST_H

#include "ns3/cceval-forecast.h"
#include "ns3/cceval-interval.h"
#include "ns3/cceval-simulation.h"
#include "ns3/dcn-task-farm.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

struct CcevalCycle;

/**
 * @ingroup cceval
 * @brief Options of an evaluation, set by the user.
 */
struct CcevalRequest
{
    std::vector<std::string> metrics; //!< estimated quantities (CcevalMetric), at least one
    std::string rule{"guarded"};      //!< stopping rule: guarded or published
    double margin{0.05};              //!< relative half-width aimed at, between 0 and 1
    double level{0.95};               //!< confidence level, between 0 and 1
    std::string method{"model-free"}; //!< model-free, importance or control-variate
    std::string trim{"none"};         //!< flows omitted: none, warm-up or phases
    uint64_t maxTrials{10000};        //!< largest number of trials (importance: of tilted trials)
    double budgetSeconds{0};          //!< largest processor time of all metrics [s],
                                      //!< failed and stored trials included; 0: no limit
    uint64_t trials{0};               //!< fixed number of trials; 0: by the rule
    uint64_t repetition{0};           //!< with trials: number among independent evaluations
    DcnTaskFarm farm;                 //!< runs the trials; its root alone has the folder of stores
    std::string estimator{"packet"};  //!< answers the trials; of a CcevalSimulation: its name
    std::string control{"flowsim"};   //!< estimators of control variates, joined by '+'; the
                                      //!< first one tunes proposals
    uint64_t controlTraces{10000};    //!< traces for the means of the controls
    std::string proposal{"mixture"};  //!< mixture, tilt or published
    std::string tuner{"control"};     //!< control (the cheap estimator) or method (the estimator)
    std::string folder;               //!< folder of the stores; empty: nothing is stored
};

/**
 * @ingroup cceval
 * @brief Estimate of one metric of one algorithm.
 */
struct CcevalResult
{
    std::string algorithm;     //!< its label
    std::string metric;        //!< as written
    std::string method;        //!< method of the request
    std::string answeredBy;    //!< method that computed the interval, if not method
    uint64_t trials{0};        //!< trials used
    uint64_t failed{0};        //!< trials excluded
    uint64_t others{0};        //!< trials used that another method answered
    std::string othersBy;      //!< names of such methods, joined by '+'; empty: none
    CcevalInterval interval;   //!< of the metric
    bool converged{false};     //!< the rule is met
    bool assured{true};        //!< see CcevalDiagnosis
    std::string note;          //!< warnings for the reader
    CcevalForecast forecast;   //!< trials needed, as forecast now
    uint64_t planned{0};       //!< trials planned for a pooled quantile (CcevalPlan); 0: none
    double cpuSeconds{0};      //!< processor time of the trials used [s]
    double extraCpuSeconds{0}; //!< processor time of controls and tuning [s]
    double gain{1};            //!< variance of plain sampling over that of the method, for equal
    //!< numbers of trials
    double cpuGain{1};              //!< ratio of these variances for equal processor time
    double flowsPerTrial{0};        //!< mean number of flows
    std::array<double, 3> phases{}; //!< mean shares of the flows, in the order of CcevalPhase
    std::vector<double> values;     //!< by plain trial; empty for pooled metrics
    /// Pooled metrics: the flows of the tail, by plain trial. Null for other metrics.
    std::shared_ptr<const std::vector<CcevalCycle>> tails;
    std::vector<uint64_t> runs;   //!< numbers of the plain trials
    std::set<uint64_t> otherRuns; //!< subset of runs that another method answered
};

/// @ingroup cceval
/// @brief Called with the result of a metric at each interim analysis.
using CcevalObserver = std::function<void(const CcevalResult&)>;

} // namespace ns3

#endif /* CCEVAL_REQUEST_H */
