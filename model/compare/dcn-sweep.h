/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SWEEP_H
#define DCN_SWEEP_H

#include "ns3/dcn-fct-table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief The answers of several scenarios in one table, and plots of them.
 *
 * Scenarios differ by keys, such as the congestion control and the load. Scenarios that differ by
 * the key "seed" alone are repetitions: the table of people and the plots show their median, and
 * the smallest and the largest value.
 */
class DcnSweep
{
  public:
    /// What tells a scenario from the others.
    struct Key
    {
        std::string name;  //!< such as "load"
        std::string value; //!< such as "0.3"
        double number;     //!< place of the value on an axis; NaN if it is a word
        std::string unit;  //!< of the number; empty: none
    };

    /**
     * @brief Add a scenario.
     * @param keys the same names for all scenarios
     * @param folder of the scenario, relative to the folder of the table
     * @param summary its answers (DcnFctTable::ReadSummary)
     * @param distributions its slowdowns (DcnFctTable::ReadDistributions)
     */
    void Add(const std::vector<Key>& keys,
             const std::string& folder,
             std::vector<DcnFctTable::SummaryRow> summary,
             std::vector<DcnFctTable::Distribution> distributions);

    /** @return number of scenarios. */
    std::size_t GetN() const;

    /**
     * @brief Write scenarios.csv: a column for each key, then folder, method, metric, size_class,
     * value, truth, relative_error and answered_by, as in summary.csv; and scenarios.txt: the table
     * of MakeText.
     * @param folder an existing folder
     */
    void Write(const std::string& folder) const;

    /**
     * @return a table for people: a line for each method and combination of keys but the seed, with
     * the p99 slowdown of all flows, its error and the processor time
     */
    std::string MakeText() const;

    /**
     * @brief Plot the p99 slowdown by size class, over the key that has the most numbers, or over
     * all combinations where keys are words: p99-by-size; and for each method the share of flows
     * above a slowdown by size class, a curve for each combination: slowdown-by-size-METHOD.
     * @param folder an existing folder
     * @param title of the pictures
     * @return names of the pictures in the folder; none without gnuplot
     */
    std::vector<std::string> Plot(const std::string& folder, const std::string& title) const;

    /** @return sentences on pictures that Plot leaves out. */
    std::vector<std::string> DescribeLeftOut() const;

  private:
    /// A scenario.
    struct Scenario
    {
        std::vector<Key> keys;                                //!< see Add
        std::string folder;                                   //!< see Add
        std::vector<DcnFctTable::SummaryRow> summary;         //!< see Add
        std::vector<DcnFctTable::Distribution> distributions; //!< see Add
    };

    /// Scenarios that differ by the seed alone.
    struct Group
    {
        std::vector<Key> keys;                  //!< without the seed
        std::vector<const Scenario*> scenarios; //!< at least one

        /** @return the values of the keys but one, joined by blanks. */
        std::string Describe(const std::string& but = "") const;
    };

    /// Smallest value, median and largest value.
    struct Range
    {
        double low;    //!< smallest value
        double middle; //!< median
        double high;   //!< largest value
        std::size_t n; //!< number of values; 0: the others are NaN
    };

    /// A curve of the p99: a method and all keys but that of the abscissa.
    struct Curve
    {
        std::string name;                             //!< in the legend
        std::size_t colour;                           //!< see DcnGetPlotColour
        std::size_t symbol;                           //!< of the method
        std::vector<std::pair<double, Range>> points; //!< abscissa and p99
    };

    /// @return the range of some values
    static Range GetRange(std::vector<double> values);
    /// @return the scenarios by combination of keys, in the order of Add
    std::vector<Group> GetGroups() const;
    /// @return names of the methods, in the order of their answers
    std::vector<std::string> GetMethods() const;
    /// @return values of a metric over the seeds of a group
    static std::vector<double> GetValues(const Group& group,
                                         const std::string& method,
                                         const std::string& metric,
                                         const std::string& sizeClass,
                                         double DcnFctTable::SummaryRow::*member);
    /// @return name of the key that is the abscissa; empty: all combinations side by side
    std::string FindAxis() const;
    /// @return curves of the p99 of a size class
    std::vector<Curve> MakeCurves(const std::string& axis, const std::string& sizeClass) const;
    /// @return the panel of a size class
    Gnuplot MakePanel(const std::string& axis,
                      const std::string& sizeClass,
                      const std::vector<Curve>& curves) const;
    /// @return shares of flows above a slowdown of a method and a size class, by combination
    DcnCdfPlot MakeDistributions(const std::string& method, const std::string& sizeClass) const;

    std::vector<Scenario> m_scenarios; //!< in the order of Add
};

} // namespace ns3

#endif /* DCN_SWEEP_H */
