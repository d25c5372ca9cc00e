/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_COMPARE_H
#define PAPER_COMPARE_H

#include "paper-run.h"

#include "ns3/dcn-scenario.h"
#include "ns3/dcn-statistics.h"
#include "ns3/gnuplot.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @brief What to compare methods on.
 *
 * Problem. A scenario has flows i with slowdowns s_i of the truth and t_i of a method. A class of
 * flows has the p99 of both, and the error t_99 / s_99 - 1. Its interval: flows follow each other,
 * so they are cut into BLOCKS blocks of equal numbers by start, blocks are drawn with replacement
 * (truth and method together), and the interval lies between the 2.5th and the 97.5th percentile of
 * the error over DRAWS draws. Where a method answers with samples, its own limits
 * (DcnEstimate::limits) over the truth's p99 are the interval.
 */
struct PaperComparison
{
    static constexpr std::size_t BLOCKS = 20; //!< of flows
    static constexpr std::size_t DRAWS = 200; //!< of the bootstrap

    /// A class of flows.
    struct Class
    {
        std::string name;                                          //!< in names of numbers
        std::function<bool(const DcnScenario&, std::size_t)> contains; //!< of a flow; null: all
        DcnSizeClass sizes{"", 0, 1e18};                           //!< sizes, also of samples
    };

    std::vector<std::string> methods; //!< the truth first
    std::vector<Class> classes;       //!< empty: all flows and those of DcnSizeClasses
    bool isRepeated{true};            //!< the truth on a repetition, as method "noise floor"

    /**
     * @param classes size classes
     * @return the classes by size alone
     */
    static std::vector<Class> Of(const std::vector<DcnSizeClass>& classes);
};

/// Name of the truth on a repetition (DcnScenarioSuite::Repeat) among the methods.
extern const std::string PAPER_NOISE;

/**
 * @brief Run methods on a scenario.
 * @param scenario the flows
 * @param what methods and classes
 * @return by method M and class C: "M|C|p99" (value), "M|C|error" (value, low, high: of the p99),
 * "M|C|p50 error", "M|C|curve" (slowdowns at the levels of PaperGetLevels), "M|C|flow" and "M|C|flow
 * p90" (mean and 90th percentile over flows of the absolute error of the slowdown, value, low,
 * high), "C|n" (flows); by method "M|cost" (processor and elapsed time [s]); none where a class has
 * no flows
 */
PaperNumbers PaperCompare(Ptr<const DcnScenario> scenario, const PaperComparison& what);

/**
 * @brief The task of PaperCompare on a recipe.
 * @param recipe keys and values of a DcnScenarioRecipe
 * @param what methods and classes
 * @param key part of the key that names the classes
 * @return the task
 */
PaperTask PaperMakeTask(const std::string& recipe,
                        const PaperComparison& what,
                        const std::string& key = "");

/** @return levels of the quantiles of a curve, denser in the tail, with their weights. */
const std::vector<std::pair<double, double>>& PaperGetLevels();

/**
 * @brief Distribution functions by class, as in the figures of the papers.
 * @param name of the picture
 * @param caption of the picture
 * @param numbers of PaperCompare
 * @param methods and their names in the legend; the first is the truth
 * @param classes names of the classes, a panel each
 * @return the picture
 */
PaperPicture PaperPlotCurves(const std::string& name,
                             const std::string& caption,
                             const PaperNumbers& numbers,
                             const std::vector<std::pair<std::string, std::string>>& methods,
                             const std::vector<std::string>& classes);

/// Values of a plot: name in the legend, abscissa and ordinate.
using PaperSeries = std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>>;

/**
 * @brief Lines with points.
 * @param title of the plot
 * @param abscissa its name
 * @param ordinate its name
 * @param series the lines
 * @param extra commands of gnuplot
 * @return the plot
 */
Gnuplot PaperMakeLines(const std::string& title,
                       const std::string& abscissa,
                       const std::string& ordinate,
                       const PaperSeries& series,
                       const std::string& extra = "");

/**
 * @param name of the picture
 * @param caption of the picture
 * @param panels plots
 * @return a picture of panels
 */
PaperPicture PaperMakePanels(const std::string& name,
                             const std::string& caption,
                             std::vector<Gnuplot> panels);

/**
 * @brief Empirical distribution functions.
 * @param title of the plot
 * @param quantity name of the abscissa
 * @param samples name and values of each
 * @return the plot: share of values below the abscissa
 */
Gnuplot PaperMakeCdf(const std::string& title,
                     const std::string& quantity,
                     const std::vector<std::pair<std::string, std::vector<double>>>& samples);

/// A bar: category, series and height.
struct PaperBar
{
    std::string category; //!< below the bar
    std::string series;   //!< in the legend
    double value;         //!< at least 0; NaN: none
};

/**
 * @param name of the picture
 * @param caption of the picture
 * @param quantity of the bars
 * @param bars the bars
 * @return a picture of bars
 */
PaperPicture PaperPlotBars(const std::string& name,
                           const std::string& caption,
                           const std::string& quantity,
                           std::vector<PaperBar> bars);

/**
 * @brief Values of single scenarios by category, with their median, as box plots show them.
 * @param title of the plot
 * @param ordinate its name
 * @param groups category, series and values
 * @return the plot
 */
Gnuplot PaperMakeStrips(
    const std::string& title,
    const std::string& ordinate,
    const std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>>& groups);

/**
 * @param values independent values, NaN are left out
 * @return their mean with its 95 % interval (Student's t)
 */
PaperMeasured PaperMean(const std::vector<double>& values);

/**
 * @param values independent values, NaN are left out
 * @param p level of a quantile
 * @return the quantile with the interval between the order statistics whose ranks are binomial
 * quantiles of 2.5 and 97.5 %
 */
PaperMeasured PaperQuantile(std::vector<double> values, double p);

/**
 * @param error a signed error with its interval
 * @return its absolute value; the interval is that of the absolute values of the error's
 */
PaperMeasured PaperAbsolute(const PaperMeasured& error);

/**
 * @param numbers of PaperCompare on all flows
 * @param method name of a method
 * @return processor time of a million flows [s]
 */
PaperMeasured PaperCost(const PaperNumbers& numbers, const std::string& method);

/// Unit of PaperCost.
extern const std::string PAPER_COST;

/**
 * @param values independent values, NaN are left out
 * @return the largest with the number of values; without an interval
 */
PaperMeasured PaperLargest(const std::vector<double>& values);

/**
 * @param hits number of successes
 * @param n number of values
 * @return their share in percent with Wilson's interval
 */
PaperMeasured PaperShare(uint64_t hits, uint64_t n);

} // namespace ns3

#endif /* PAPER_COMPARE_H */
