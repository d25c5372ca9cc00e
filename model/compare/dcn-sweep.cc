/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-sweep.h"

#include "ns3/dcn-csv.h"
#include "ns3/log.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnSweep");

namespace
{

const std::string SEED = "seed";       //!< the key of repetitions
constexpr std::size_t MOST_CURVES = 7; //!< of shares of flows in a panel: colours differ
constexpr double BAR = 0.03;           //!< half the width of a range where keys are words
constexpr double WIDE = 30;            //!< numbers so far apart have a logarithmic axis
constexpr int SYMBOLS[] = {7, 5, 9, 11, 13, 4, 6, 8}; //!< gnuplot's, by method

/// @return a text that is a part of a file's name
std::string
MakeFileName(const std::string& text)
{
    std::string name;
    for (const char c : text)
    {
        name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' ? c : '-';
    }
    return name;
}

/// @return a number of a table; "-" for none
std::string
Show(const char* format, double number)
{
    char text[40];
    std::snprintf(text, sizeof(text), format, number);
    return std::isnan(number) ? "-" : text;
}

/// @return rows as columns that are as wide as their widest cell, the first ones to the left
std::string
AlignColumns(const std::vector<std::vector<std::string>>& rows, std::size_t nLeft)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const auto& row : rows)
    {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            const std::string blanks(widths[i] - row[i].size(), ' ');
            line += (i > 0 ? "  " : "") + (i < nLeft ? row[i] + blanks : blanks + row[i]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

} // namespace

void
DcnSweep::Add(const std::vector<Key>& keys,
              const std::string& folder,
              std::vector<DcnFctTable::SummaryRow> summary,
              std::vector<DcnFctTable::Distribution> distributions)
{
    m_scenarios.push_back({keys, folder, std::move(summary), std::move(distributions)});
    NS_LOG_INFO(folder << " is scenario " << m_scenarios.size());
}

std::size_t
DcnSweep::GetN() const
{
    return m_scenarios.size();
}

DcnSweep::Range
DcnSweep::GetRange(std::vector<double> values)
{
    if (values.empty())
    {
        const double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none, none, 0};
    }
    std::sort(values.begin(), values.end());
    return {values.front(), DcnQuantile(values, 0.5), values.back(), values.size()};
}

std::string
DcnSweep::Group::Describe(const std::string& but) const
{
    std::string text;
    for (const Key& key : keys)
    {
        if (key.name != but)
        {
            // a bare number says nothing
            const bool isNumber = !std::isnan(key.number);
            text += (text.empty() ? "" : " ") + (isNumber ? key.name + " " : "") + key.value;
        }
    }
    return text;
}

std::vector<DcnSweep::Group>
DcnSweep::GetGroups() const
{
    std::vector<Group> groups;
    for (const Scenario& scenario : m_scenarios)
    {
        std::vector<Key> keys;
        std::copy_if(scenario.keys.begin(),
                     scenario.keys.end(),
                     std::back_inserter(keys),
                     [](const Key& key) { return key.name != SEED; });
        const auto group = std::find_if(groups.begin(), groups.end(), [&keys](const Group& each) {
            return std::equal(keys.begin(),
                              keys.end(),
                              each.keys.begin(),
                              each.keys.end(),
                              [](const Key& a, const Key& b) { return a.value == b.value; });
        });
        if (group == groups.end())
        {
            groups.push_back({keys, {&scenario}});
            continue;
        }
        group->scenarios.push_back(&scenario);
    }
    return groups;
}

std::vector<std::string>
DcnSweep::GetMethods() const
{
    std::vector<std::string> methods;
    for (const Scenario& scenario : m_scenarios)
    {
        for (const auto& row : scenario.summary)
        {
            if (std::find(methods.begin(), methods.end(), row.method) == methods.end())
            {
                methods.push_back(row.method);
            }
        }
    }
    return methods;
}

std::vector<double>
DcnSweep::GetValues(const Group& group,
                    const std::string& method,
                    const std::string& metric,
                    const std::string& sizeClass,
                    double DcnFctTable::SummaryRow::*member)
{
    std::vector<double> values;
    for (const Scenario* scenario : group.scenarios)
    {
        for (const auto& row : scenario->summary)
        {
            if (row.method == method && row.metric == metric && row.sizeClass == sizeClass &&
                !std::isnan(row.*member))
            {
                values.push_back(row.*member);
            }
        }
    }
    return values;
}

void
DcnSweep::Write(const std::string& folder) const
{
    DcnFileWriter csv(folder + "/scenarios.csv");
    csv.Stream().precision(9);
    for (const Key& key : m_scenarios.front().keys)
    {
        csv.Stream() << key.name << ',';
    }
    csv.Stream() << "folder,method,metric,size_class,value,truth,relative_error,answered_by\n";
    for (const Scenario& scenario : m_scenarios)
    {
        for (const auto& row : scenario.summary)
        {
            for (const Key& key : scenario.keys)
            {
                csv.Stream() << DcnCsvText(key.value) << ',';
            }
            csv.Stream() << scenario.folder << ',' << row.method << ',' << row.metric << ','
                         << row.sizeClass << ',' << row.value << ',' << row.truth << ','
                         << row.relativeError << ',' << row.answeredBy << '\n';
        }
    }
    DcnFileWriter text(folder + "/scenarios.txt");
    text.Stream() << MakeText();
    csv.Commit();
    text.Commit();
}

std::string
DcnSweep::MakeText() const
{
    std::vector<std::string> head;
    const auto groups = GetGroups();
    for (const Key& key : groups.front().keys)
    {
        head.push_back(key.name);
    }
    const std::size_t nLeft = head.size() + 1;
    for (const char* title : {"method",
                              "seeds",
                              "p99 slowdown",
                              "smallest",
                              "largest",
                              "p99 error",
                              "largest |error|",
                              "mean |error| of flows",
                              "cpu [s]"})
    {
        head.emplace_back(title);
    }
    std::vector<std::vector<std::string>> rows{head};
    for (const Group& group : groups)
    {
        for (const std::string& method : GetMethods())
        {
            auto ask = [&](const char* metric, double DcnFctTable::SummaryRow::*member) {
                return GetValues(group, method, metric, "all", member);
            };
            const Range p99 = GetRange(ask("p99_slowdown", &DcnFctTable::SummaryRow::value));
            const auto errors = ask("p99_slowdown", &DcnFctTable::SummaryRow::relativeError);
            const auto seconds = ask("cpu_s", &DcnFctTable::SummaryRow::value);
            if (p99.n == 0)
            {
                continue;
            }
            const Range error = GetRange(errors);
            double sum = 0;
            for (const double each : seconds)
            {
                sum += each;
            }
            std::vector<std::string> row;
            for (const Key& key : group.keys)
            {
                row.push_back(key.value);
            }
            row.insert(
                row.end(),
                {method,
                 std::to_string(p99.n),
                 Show("%.3f", p99.middle),
                 Show("%.3f", p99.low),
                 Show("%.3f", p99.high),
                 Show("%+.1f %%", 100 * error.middle),
                 Show("%.1f %%", 100 * std::max(std::abs(error.low), std::abs(error.high))),
                 Show("%.1f %%",
                      100 * GetRange(ask("mean_abs_flow_error", &DcnFctTable::SummaryRow::value))
                                .middle),
                 Show("%.3f", sum)});
            rows.push_back(std::move(row));
        }
    }
    return AlignColumns(rows, nLeft);
}

std::string
DcnSweep::FindAxis() const
{
    std::string axis;
    std::size_t most = 1;
    for (std::size_t i = 0; i < m_scenarios.front().keys.size(); ++i)
    {
        std::set<double> numbers;
        bool isAxis = m_scenarios.front().keys[i].name != SEED;
        for (const Scenario& scenario : m_scenarios)
        {
            isAxis = isAxis && !std::isnan(scenario.keys[i].number);
            numbers.insert(scenario.keys[i].number);
        }
        if (isAxis && numbers.size() > most)
        {
            axis = m_scenarios.front().keys[i].name;
            most = numbers.size();
        }
    }
    return axis;
}

std::vector<DcnSweep::Curve>
DcnSweep::MakeCurves(const std::string& axis, const std::string& sizeClass) const
{
    const auto groups = GetGroups();
    const auto methods = GetMethods();
    std::vector<std::string> others; // combinations of the keys but the abscissa
    std::vector<Curve> curves;
    for (std::size_t m = 0; m < methods.size(); ++m)
    {
        for (std::size_t g = 0; g < groups.size(); ++g)
        {
            const std::string other = axis.empty() ? "" : groups[g].Describe(axis);
            auto position = std::find(others.begin(), others.end(), other);
            position = position == others.end() ? others.insert(others.end(), other) : position;
            double x = static_cast<double>(g);
            for (const Key& key : groups[g].keys)
            {
                x = key.name == axis ? key.number : x;
            }
            const Range p99 = GetRange(GetValues(groups[g],
                                                 methods[m],
                                                 "p99_slowdown",
                                                 sizeClass,
                                                 &DcnFctTable::SummaryRow::value));
            const std::string name = other + (other.empty() ? "" : ", ") + methods[m];
            auto curve = std::find_if(curves.begin(), curves.end(), [&name](const Curve& each) {
                return each.name == name;
            });
            if (p99.n > 0 && curve == curves.end())
            {
                const auto colour = static_cast<std::size_t>(position - others.begin());
                curves.push_back({name, colour, m, {}});
                curve = curves.end() - 1;
            }
            if (p99.n > 0)
            {
                curve->points.emplace_back(x, p99);
            }
        }
    }
    for (Curve& curve : curves)
    {
        std::sort(curve.points.begin(), curve.points.end(), [](const auto& a, const auto& b) {
            return a.first < b.first;
        });
        // colours tell the combinations apart, and symbols the methods; else colours the methods
        curve.colour = others.size() > 1 ? curve.colour : curve.symbol;
    }
    return curves;
}

Gnuplot
DcnSweep::MakePanel(const std::string& axis,
                    const std::string& sizeClass,
                    const std::vector<Curve>& curves) const
{
    std::string label = axis;
    for (const Key& key : m_scenarios.front().keys)
    {
        label += key.name == axis && !key.unit.empty() ? " [" + key.unit + "]" : "";
    }
    Gnuplot plot = DcnMakePlot(sizeClass == "all" ? "all flows" : "flows of " + sizeClass,
                               label,
                               "p99 slowdown");
    double lowest = std::numeric_limits<double>::infinity();
    double highest = 0;
    double first = std::numeric_limits<double>::infinity();
    double last = 0;
    std::size_t nAreas = 0;
    const double step = 3 * BAR; // between the methods of a combination
    for (const Curve& curve : curves)
    {
        Gnuplot2dDataset line =
            DcnMakeCurve(curve.name,
                         axis.empty() ? Gnuplot2dDataset::POINTS : Gnuplot2dDataset::LINES_POINTS);
        line.SetExtra(" lw 2 ps 1.2 pt " + std::to_string(SYMBOLS[curve.symbol % 8]) +
                      " lc rgb \"" + DcnGetPlotColour(curve.colour) + '"');
        std::vector<std::pair<double, double>> border;
        for (const auto& [place, p99] : curve.points)
        {
            const double x =
                axis.empty() ? place + step * static_cast<double>(curve.symbol) : place;
            line.Add(x, p99.middle);
            lowest = std::min(lowest, p99.low);
            highest = std::max(highest, p99.high);
            first = std::min(first, x);
            last = std::max(last, x);
            border.emplace_back(x, p99.low);
            if (axis.empty() && p99.n > 1)
            {
                DcnAddArea(plot,
                           ++nAreas,
                           {{x - BAR, p99.low},
                            {x + BAR, p99.low},
                            {x + BAR, p99.high},
                            {x - BAR, p99.high}},
                           curve.colour);
            }
        }
        for (std::size_t i = curve.points.size(); i-- > 0;)
        {
            border.emplace_back(curve.points[i].first, curve.points[i].second.high);
        }
        if (!axis.empty() && curve.points.size() > 1)
        {
            DcnAddArea(plot, ++nAreas, border, curve.colour);
        }
        plot.AddDataset(line);
    }
    plot.AppendExtra("set grid\nset key outside top center horizontal\nset logscale y");
    plot.AppendExtra(DcnLogAxis(lowest, highest, 'y'));
    if (!axis.empty())
    {
        const bool isWide = first > 0 && last > WIDE * first;
        const double margin = 0.05 * (last - first);
        std::ostringstream range;
        range << "set xrange [" << (isWide ? first / 1.2 : first - margin) << ':'
              << (isWide ? last * 1.2 : last + margin) << "]" << (isWide ? "\nset logscale x" : "");
        plot.AppendExtra(range.str());
        return plot;
    }
    std::string labels = "set xrange [-0.5:" + std::to_string(last + 0.5) + "]\nset xtics (";
    const auto groups = GetGroups();
    for (std::size_t i = 0; i < groups.size(); ++i)
    {
        labels +=
            (i > 0 ? ", \"" : "\"") + DcnPlotText(groups[i].Describe()) + "\" " + std::to_string(i);
    }
    plot.AppendExtra(labels + ")");
    return plot;
}

DcnCdfPlot
DcnSweep::MakeDistributions(const std::string& method, const std::string& sizeClass) const
{
    DcnCdfPlot plot("flows of " + sizeClass, "slowdown (FCT / ideal FCT)");
    for (const Group& group : GetGroups())
    {
        std::vector<const DcnFctTable::Distribution*> each; // by seed
        for (const Scenario* scenario : group.scenarios)
        {
            for (const auto& distribution : scenario->distributions)
            {
                if (distribution.method == method && distribution.sizeClass == sizeClass)
                {
                    each.push_back(&distribution);
                }
            }
        }
        std::vector<DcnCdfPlot::Range> ranges;
        // a share counts where all seeds have it
        for (std::size_t i = 0; !each.empty() && i < each.front()->points.size(); ++i)
        {
            std::vector<double> values;
            for (const auto* distribution : each)
            {
                if (i < distribution->points.size())
                {
                    values.push_back(distribution->points[i].second);
                }
            }
            if (values.size() == each.size())
            {
                const Range range = GetRange(values);
                ranges.push_back(
                    {each.front()->points[i].first, range.low, range.middle, range.high});
            }
        }
        const std::string name = group.Describe();
        plot.AddRange(name.empty() ? method : name, ranges);
    }
    return plot;
}

std::vector<std::string>
DcnSweep::Plot(const std::string& folder, const std::string& title) const
{
    std::vector<std::string> pictures;
    auto write = [&](const std::string& heading,
                     const std::vector<Gnuplot>& panels,
                     const std::string& name) {
        const bool isWritten =
            panels.size() == 1
                ? DcnWritePlot(panels.front(), folder + "/" + name)
                : !panels.empty() && DcnWritePanels(heading, panels, folder + "/" + name);
        if (isWritten)
        {
            pictures.push_back(name + ".png");
            pictures.push_back(name + ".svg");
        }
    };
    const std::string axis = FindAxis();
    std::vector<Gnuplot> panels;
    for (std::size_t i = 1; i < DcnSizeClasses().size(); ++i)
    {
        const std::string& sizeClass = DcnSizeClasses()[i].name;
        const auto curves = MakeCurves(axis, sizeClass);
        if (!curves.empty())
        {
            panels.push_back(MakePanel(axis, sizeClass, curves));
        }
    }
    write(title, panels, "p99-by-size");
    for (const std::string& method : GetMethods())
    {
        panels.clear();
        for (std::size_t i = 1; i < DcnSizeClasses().size(); ++i)
        {
            const auto plot = MakeDistributions(method, DcnSizeClasses()[i].name);
            if (!plot.IsEmpty() && GetGroups().size() <= MOST_CURVES)
            {
                panels.push_back(plot.Make());
            }
        }
        write(method + ": " + title, panels, "slowdown-by-size-" + MakeFileName(method));
    }
    return pictures;
}

std::vector<std::string>
DcnSweep::DescribeLeftOut() const
{
    const std::size_t n = GetGroups().size();
    if (n <= MOST_CURVES)
    {
        return {};
    }
    return {"left out: pictures of slowdowns by method, whose " + std::to_string(n) +
            " curves nobody could tell apart: give at most " + std::to_string(MOST_CURVES) +
            " combinations"};
}

} // namespace ns3
