/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FORECAST_H
#define DCN_FORECAST_H

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief What a scenario makes to do, from its flows and paths alone: one pass, no simulation.
 *
 * A packet-hop is a data packet over a link: a flow of s bytes has ceil(s / M) packets. Losses and
 * probes add to them, which is not forecast.
 *
 * Flows in progress: with the payload and headers of its flows, a link is busy for the share
 * r = bits / (R t), t the time from the first start to the last one and the longest ideal completion
 * time after it. A link that serves all flows at once (processor sharing) has r / (1 - r) of them on
 * average, and at most half of its flows, as where all start at once. The overlap of a flow is the
 * sum over its links.
 */
struct DcnWork
{
    /**
     * @param scenario flows and paths
     */
    explicit DcnWork(const DcnScenario& scenario);

    /** @return the entries by name, for run.json. */
    std::vector<std::pair<std::string, double>> List() const;

    std::string congestionControl; //!< in force
    double flows{0};               //!< number
    double hosts{0};               //!< that send or receive
    double links{0};               //!< directed links that flows cross
    double packets{0};             //!< data packets
    double flowHops{0};            //!< flows times links
    double packetHops{0};          //!< data packets times links
    double sharedFlowHops{0};   //!< flows times links that leave a switch and have other flows, too
    double sharedPacketHops{0}; //!< data packets times these links
    double overlap{0};          //!< sum over flows: flows in progress that they meet
    double topLoad{0};          //!< r of the busiest link
    double fastestGbps{0};      //!< fastest NIC that sends [Gb/s]
};

/**
 * @ingroup dcn
 * @brief Before a run: what each method will cost, and how far it was off on networks of this kind.
 *
 * A method knows its cost rule (DcnEstimator::ForecastSeconds). Its errors are measured: the table
 * data/methods/accuracy.csv has the mean |error of the p99 slowdown| by method, as it is selected,
 * and by regime. test/scripts/expected-errors.py writes it from tables of dcn-validate. Seconds are
 * processor seconds; rules were measured by dcn-bench on the reference machine, and divided by the
 * speed of this one: by MeasureSpeed, or as stated.
 */
class DcnForecast
{
  public:
    /// What is expected of a method.
    struct Row
    {
        std::string method;   //!< its label
        bool isTruth{false};  //!< its error is none
        double seconds{-1};   //!< processor time [s]; negative: no rule
        double error{-1};     //!< mean |error of the p99 slowdown|; negative: not measured
        uint64_t n{0};        //!< scenarios of that mean
    };

    /// Rows of the table of errors: by regime and label of a method, mean error and scenarios.
    using Accuracy =
        std::map<std::pair<std::string, std::string>, std::pair<double, uint64_t>>;

    /**
     * @param scenario flows and paths
     * @param speed of this machine relative to the reference machine
     */
    explicit DcnForecast(const DcnScenario& scenario, double speed = 1);

    /** @return what there is to do. */
    const DcnWork& GetWork() const;

    /**
     * @brief Regimes are named after the suites that measure them; the first that applies counts.
     *
     * - degenerate: fewer than 100 flows, or a link that is busy for 97 % of the time or more;
     * - small: at most 32 hosts;
     * - fast: NICs of 100 Gb/s or more;
     * - anywhere: all others.
     *
     * @return the name of the regime
     */
    std::string GetRegime() const;

    /**
     * @param method a method
     * @return what is expected of it
     */
    Row Ask(const DcnEstimator& method) const;

    /**
     * @brief Forecast the methods of a run.
     * @param methods the methods
     * @return a line of the scenario, one of each method, and one for each estimator that costs at
     * least as much as the cheapest truth among them
     */
    std::vector<std::string> Describe(const std::vector<Ptr<DcnEstimator>>& methods) const;

    /**
     * @param methods the methods of a run
     * @return regime, work and what is expected of each method, as a JSON object for run.json
     */
    std::string MakeJson(const std::vector<Ptr<DcnEstimator>>& methods) const;

    /**
     * @brief Take the most accurate methods whose costs together are within a budget.
     *
     * A truth comes before all others, then methods by their error, then those without; among
     * equal ones the cheaper. Each is taken that still fits.
     *
     * @param methods the methods
     * @param budgetSeconds processor seconds
     * @return of each method whether it is taken
     * @throws DcnError if a method has no cost rule, or none fits
     */
    std::vector<bool> Fit(const std::vector<Ptr<DcnEstimator>>& methods,
                          double budgetSeconds) const;

    /** @return the table of errors. */
    static const Accuracy& GetAccuracy();

    /** @return path of the table of errors. */
    static std::string GetAccuracyFile();

    /**
     * @brief Time a fixed small scenario with a truth that is built, in a process of its own; once
     * per process.
     * @return speed of this machine, as its load is now, relative to the reference machine; 1 without
     * a truth
     */
    static double MeasureSpeed();

  private:
    DcnWork m_work; //!< see GetWork
    double m_speed; //!< of this machine
};

} // namespace ns3

#endif /* DCN_FORECAST_H */
