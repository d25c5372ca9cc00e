/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-compare.h"

#include "ns3/cceval-interval.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <sstream>

namespace ns3
{

const std::string PAPER_NOISE = "noise floor";
const std::string PAPER_COST = "core s per million flows";

namespace
{

constexpr double LEVEL = 0.95; //!< of intervals
constexpr double P99 = 0.99;   //!< quantile that is compared

using Weighted = std::vector<std::pair<double, double>>; //!< values with weights

/// @return a quantile of unsorted values; NaN without values
double
TakeQuantile(std::vector<double>& values, double p)
{
    if (values.empty())
    {
        return PaperMeasured::NONE;
    }
    std::sort(values.begin(), values.end());
    return DcnQuantile(values, p);
}

/// Slowdowns of one class: of the truth and of a method, flow by flow.
struct Pairs
{
    std::vector<double> truth;  //!< by flow of the class
    std::vector<double> method; //!< by flow of the class

    /// Returns an interval of a statistic of both: blocks of flows are drawn.
    std::pair<double, double> Bootstrap(
        const std::function<double(const std::vector<double>&, const std::vector<double>&)>&
            statistic) const
    {
        const std::size_t n = truth.size();
        const std::size_t blocks = std::min(PaperComparison::BLOCKS, n);
        if (blocks < 2)
        {
            return {PaperMeasured::NONE, PaperMeasured::NONE};
        }
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1); // the same blocks for all methods
        std::vector<double> found;
        for (std::size_t draw = 0; draw < PaperComparison::DRAWS; ++draw)
        {
            std::vector<double> a;
            std::vector<double> b;
            for (std::size_t i = 0; i < blocks; ++i)
            {
                const std::size_t block = random->GetInteger(0, static_cast<uint32_t>(blocks) - 1);
                for (std::size_t k = block * n / blocks; k < (block + 1) * n / blocks; ++k)
                {
                    a.push_back(truth[k]);
                    b.push_back(method[k]);
                }
            }
            found.push_back(statistic(a, b));
        }
        std::sort(found.begin(), found.end());
        return {DcnQuantile(found, (1 - LEVEL) / 2), DcnQuantile(found, (1 + LEVEL) / 2)};
    }
};

/// @return the error of a quantile of a method
double
GetError(std::vector<double> truth, std::vector<double> method, double p)
{
    return TakeQuantile(method, p) / TakeQuantile(truth, p) - 1;
}

/// @return |t / s - 1| by flow
std::vector<double>
GetFlowErrors(const std::vector<double>& truth, const std::vector<double>& method)
{
    std::vector<double> errors;
    for (std::size_t i = 0; i < truth.size(); ++i)
    {
        errors.push_back(std::abs(method[i] / truth[i] - 1));
    }
    return errors;
}

/// @return slowdowns at the levels of a curve
std::vector<double>
MakeCurve(Weighted values)
{
    std::sort(values.begin(), values.end());
    std::vector<double> curve;
    for (const auto& [level, weight] : PaperGetLevels())
    {
        curve.push_back(DcnWeightedQuantile(values, level));
    }
    return curve;
}

/// Answers of all methods, and their comparison by class.
class Comparison
{
  public:
    Comparison(Ptr<const DcnScenario> scenario, const PaperComparison& what)
        : m_scenario(scenario),
          m_what(what)
    {
        if (m_what.classes.empty())
        {
            m_what.classes = PaperComparison::Of(DcnSizeClasses());
        }
        for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
        {
            m_idealNs.push_back(static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()));
        }
    }

    /// Runs all methods.
    PaperNumbers Run()
    {
        for (const std::string& method : m_what.methods)
        {
            DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(m_scenario);
            Simulator::Destroy();
            Add(method, estimate);
            if (m_slowdowns.size() == 1 && m_what.isRepeated)
            {
                AddNoise(method);
            }
        }
        return std::move(m_numbers);
    }

  private:
    /// Adds the truth on a repetition; the flows are matched by their ids.
    void AddNoise(const std::string& method)
    {
        Ptr<const DcnScenario> again = DcnScenarioSuite::Repeat(m_scenario, 2);
        DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(again);
        Simulator::Destroy();
        std::vector<int64_t> fctNs(estimate.fctNs.size(), DcnEstimate::UNFINISHED);
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            fctNs[again->GetFlows()[i].id] = estimate.fctNs[i]; // ids are indices here
        }
        estimate.fctNs = fctNs;
        Add(PAPER_NOISE, estimate);
    }

    /// Adds an answer.
    void Add(const std::string& method, const DcnEstimate& estimate)
    {
        m_numbers[method + "|cost"] = {estimate.cpuSeconds, estimate.wallSeconds};
        std::vector<double> slowdowns(m_idealNs.size(), PaperMeasured::NONE);
        for (std::size_t i = 0; i < m_idealNs.size(); ++i)
        {
            if (estimate.fctNs[i] > 0)
            {
                slowdowns[i] = static_cast<double>(estimate.fctNs[i]) / m_idealNs[i];
            }
        }
        m_slowdowns.push_back(slowdowns);
        for (const PaperComparison::Class& each : m_what.classes)
        {
            CompareFlows(method, each);
            if (!estimate.samples.empty())
            {
                CompareSamples(method, each, estimate); // p99 and curve are those of the samples
            }
        }
    }

    /// @return whether a flow is in a class
    bool IsIn(const PaperComparison::Class& each, std::size_t flow) const
    {
        return each.sizes.Contains(static_cast<double>(m_scenario->GetFlows()[flow].sizeBytes)) &&
               (!each.contains || each.contains(*m_scenario, flow));
    }

    /// Compares the latest answer with the truth in a class, flow by flow.
    void CompareFlows(const std::string& method, const PaperComparison::Class& each)
    {
        Pairs pairs;
        Weighted all;
        for (std::size_t i = 0; i < m_idealNs.size(); ++i)
        {
            const double truth = m_slowdowns.front()[i];
            const double value = m_slowdowns.back()[i];
            if (IsIn(each, i) && !std::isnan(value))
            {
                all.emplace_back(value, 1);
                if (!std::isnan(truth))
                {
                    pairs.truth.push_back(truth);
                    pairs.method.push_back(value);
                }
            }
        }
        if (pairs.truth.empty())
        {
            return;
        }
        const std::string key = method + "|" + each.name + "|";
        m_numbers[key + "curve"] = MakeCurve(all);
        std::vector<double> copy = pairs.method;
        m_numbers[key + "p99"] = {TakeQuantile(copy, P99)};
        if (m_slowdowns.size() == 1)
        {
            m_numbers[each.name + "|n"] = {static_cast<double>(all.size())};
            m_truthP99[each.name] = m_numbers[key + "p99"].front();
            return;
        }
        auto set = [&](const std::string& name, auto statistic) {
            const auto [low, high] = pairs.Bootstrap(statistic);
            m_numbers[key + name] = {statistic(pairs.truth, pairs.method), low, high};
        };
        using Values = std::vector<double>;
        set("error", [](const Values& a, const Values& b) { return GetError(a, b, P99); });
        set("p50 error", [](const Values& a, const Values& b) { return GetError(a, b, 0.5); });
        set("flow", [](const Values& a, const Values& b) { return DcnMean(GetFlowErrors(a, b)); });
        set("flow p90", [](const Values& a, const Values& b) {
            Values errors = GetFlowErrors(a, b);
            return TakeQuantile(errors, 0.9);
        });
    }

    /// Compares samples with the truth in a class.
    void CompareSamples(const std::string& method,
                        const PaperComparison::Class& each,
                        const DcnEstimate& estimate)
    {
        if (each.contains || m_truthP99.count(each.name) == 0)
        {
            return; // samples have no flows
        }
        Weighted values;
        for (const DcnEstimate::Sample& sample : estimate.samples)
        {
            if (each.sizes.Contains(static_cast<double>(sample.sizeBytes)))
            {
                values.emplace_back(sample.slowdown, sample.weight);
            }
        }
        if (values.empty())
        {
            return;
        }
        std::sort(values.begin(), values.end());
        const std::string key = method + "|" + each.name + "|";
        const double truth = m_truthP99.at(each.name);
        const double p99 = DcnWeightedQuantile(values, P99);
        PaperMeasured limits;
        for (const auto& [name, quantile] : estimate.limits)
        {
            if (name == each.name && quantile.HasLimits())
            {
                limits = {0, quantile.lower / truth - 1, quantile.upper / truth - 1};
            }
        }
        m_numbers[key + "p99"] = {p99};
        m_numbers[key + "error"] = {p99 / truth - 1, limits.low, limits.high};
        m_numbers[key + "curve"] = MakeCurve(values);
    }

    Ptr<const DcnScenario> m_scenario;            //!< the flows
    PaperComparison m_what;                       //!< methods and classes
    std::vector<double> m_idealNs;                //!< by flow
    std::vector<std::vector<double>> m_slowdowns; //!< by method and flow
    std::map<std::string, double> m_truthP99;     //!< by class
    PaperNumbers m_numbers;                       //!< result
};

/// @return the numbers that are known
std::vector<double>
DropUnknown(const std::vector<double>& values)
{
    std::vector<double> known;
    std::copy_if(values.begin(), values.end(), std::back_inserter(known), [](double value) {
        return !std::isnan(value);
    });
    return known;
}

} // namespace

std::vector<PaperComparison::Class>
PaperComparison::Of(const std::vector<DcnSizeClass>& classes)
{
    std::vector<Class> result;
    for (const DcnSizeClass& each : classes)
    {
        result.push_back({each.name, nullptr, each});
    }
    return result;
}

PaperNumbers
PaperCompare(Ptr<const DcnScenario> scenario, const PaperComparison& what)
{
    return Comparison(scenario, what).Run();
}

PaperTask
PaperMakeTask(const std::string& recipe, const PaperComparison& what, const std::string& key)
{
    return {recipe + "|" + key + (what.isRepeated ? "|again" : ""), what.methods, [recipe, what]() {
                return PaperCompare(DcnScenarioRecipe(recipe).Create(), what);
            }};
}

const std::vector<std::pair<double, double>>&
PaperGetLevels()
{
    static const auto levels = []() {
        std::vector<std::pair<double, double>> all;
        auto add = [&all](double low, double high, double step) {
            for (double level = low + step / 2; level < high; level += step)
            {
                all.emplace_back(level, step);
            }
        };
        add(0, 0.9, 0.01);
        add(0.9, 0.99, 0.001);
        add(0.99, 1, 0.0001);
        return all;
    }();
    return levels;
}

PaperPicture
PaperPlotCurves(const std::string& name,
                const std::string& caption,
                const PaperNumbers& numbers,
                const std::vector<std::pair<std::string, std::string>>& methods,
                const std::vector<std::string>& classes)
{
    std::vector<Gnuplot> panels;
    for (const std::string& each : classes)
    {
        DcnCdfPlot plot(each, "slowdown (FCT / ideal FCT)");
        for (std::size_t m = 0; m < methods.size(); ++m)
        {
            const auto curve = numbers.find(methods[m].first + "|" + each + "|curve");
            if (curve == numbers.end())
            {
                continue;
            }
            Weighted values;
            for (std::size_t i = 0; i < curve->second.size(); ++i)
            {
                values.emplace_back(curve->second[i], PaperGetLevels()[i].second);
            }
            plot.AddWeighted(methods[m].second, values, m == 0);
        }
        if (!plot.IsEmpty())
        {
            panels.push_back(plot.Make());
        }
    }
    return PaperMakePanels(name, caption, panels);
}

Gnuplot
PaperMakeLines(const std::string& title,
               const std::string& abscissa,
               const std::string& ordinate,
               const PaperSeries& series,
               const std::string& extra)
{
    Gnuplot plot = DcnMakePlot(title, abscissa, ordinate);
    plot.AppendExtra("set grid\nset key outside top center horizontal\nset autoscale\n"
                     "unset logscale\nset xtics autofreq\nset ytics autofreq");
    if (abscissa.empty())
    {
        plot.AppendExtra("unset xlabel"); // that of the panel before
    }
    if (!extra.empty())
    {
        plot.AppendExtra(extra);
    }
    for (const auto& [name, points] : series)
    {
        Gnuplot2dDataset curve = DcnMakeCurve(name, Gnuplot2dDataset::LINES_POINTS);
        if (name == "packet" || name == "simulation") // the truth
        {
            curve.SetExtra(" lc rgb \"black\" lw 3");
        }
        for (const auto& [x, y] : points)
        {
            if (std::isfinite(x) && std::isfinite(y))
            {
                curve.Add(x, y);
            }
        }
        plot.AddDataset(curve);
    }
    return plot;
}

PaperPicture
PaperMakePanels(const std::string& name, const std::string& caption, std::vector<Gnuplot> panels)
{
    return {name, caption, [caption, panels](const std::string& base) {
                return !panels.empty() && DcnWritePanels(caption, panels, base);
            }};
}

Gnuplot
PaperMakeCdf(const std::string& title,
             const std::string& quantity,
             const std::vector<std::pair<std::string, std::vector<double>>>& samples)
{
    PaperSeries series;
    for (const auto& [name, values] : samples)
    {
        std::vector<double> sorted = DropUnknown(values);
        std::sort(sorted.begin(), sorted.end());
        series.push_back({name, {}});
        for (std::size_t i = 0; i < sorted.size(); ++i)
        {
            series.back().second.emplace_back(sorted[i],
                                              static_cast<double>(i + 1) /
                                                  static_cast<double>(sorted.size()));
        }
    }
    return PaperMakeLines(title, quantity, "share below", series, "set yrange [0:1]");
}

PaperPicture
PaperPlotBars(const std::string& name,
              const std::string& caption,
              const std::string& quantity,
              std::vector<PaperBar> bars)
{
    return {name, caption, [caption, quantity, bars](const std::string& base) {
                DcnBarPlot plot(caption, quantity);
                for (const PaperBar& bar : bars)
                {
                    if (std::isfinite(bar.value))
                    {
                        plot.Add(bar.category, bar.series, bar.value);
                    }
                }
                return plot.Write(base);
            }};
}

Gnuplot
PaperMakeStrips(
    const std::string& title,
    const std::string& ordinate,
    const std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>>& groups)
{
    std::vector<std::string> categories;
    std::vector<std::string> names;
    auto place = [](std::vector<std::string>& all, const std::string& name) {
        const auto found = std::find(all.begin(), all.end(), name);
        const auto position = static_cast<double>(found - all.begin());
        if (found == all.end())
        {
            all.push_back(name);
        }
        return position;
    };
    for (const auto& [name, values] : groups)
    {
        place(categories, name.first);
        place(names, name.second);
    }
    PaperSeries medians;
    Gnuplot plot;
    std::ostringstream extra;
    extra << "set xrange [-0.6:" << static_cast<double>(categories.size()) - 0.4 << "]\nset xtics ";
    for (std::size_t i = 0; i < categories.size(); ++i)
    {
        extra << (i ? ", \"" : "(\"") << DcnPlotText(categories[i]) << "\" " << i;
    }
    extra << ')';
    plot = PaperMakeLines(title, "", ordinate, {}, extra.str());
    for (const std::string& name : names)
    {
        Gnuplot2dDataset points = DcnMakeCurve(name, Gnuplot2dDataset::POINTS);
        Gnuplot2dDataset bars = DcnMakeCurve("");
        const std::string colour = std::to_string(static_cast<int>(place(names, name)) + 1);
        points.SetExtra(" lc " + colour);
        bars.SetExtra(" lc " + colour + " lw 4 notitle");
        const double width = 0.7 / static_cast<double>(names.size());
        for (const auto& [which, values] : groups)
        {
            std::vector<double> known = DropUnknown(values);
            if (which.second != name || known.empty())
            {
                continue;
            }
            const double x = place(categories, which.first) - 0.35 +
                             width * (place(names, name) + 0.5);
            for (const double value : known)
            {
                points.Add(x, value);
            }
            const double median = TakeQuantile(known, 0.5);
            bars.Add(x - 0.4 * width, median);
            bars.Add(x + 0.4 * width, median);
            bars.AddEmptyLine();
        }
        plot.AddDataset(points);
        plot.AddDataset(bars);
    }
    return plot;
}

PaperMeasured
PaperMean(const std::vector<double>& values)
{
    const std::vector<double> known = DropUnknown(values);
    if (known.empty())
    {
        return {};
    }
    if (known.size() < 2)
    {
        return {known.front()};
    }
    const CcevalInterval interval = CcevalMeanInterval(known, LEVEL);
    return {interval.estimate, interval.low, interval.high};
}

PaperMeasured
PaperQuantile(std::vector<double> values, double p)
{
    values = DropUnknown(values);
    if (values.empty())
    {
        return {};
    }
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    const double spread = CcevalNormalQuantile((1 + LEVEL) / 2) * std::sqrt(n * p * (1 - p));
    auto at = [&](double rank) {
        return values[static_cast<std::size_t>(std::clamp(rank, 0.0, n - 1))];
    };
    return {DcnQuantile(values, p),
            at(std::floor(n * p - spread)),
            at(std::ceil(n * p + spread))};
}

PaperMeasured
PaperAbsolute(const PaperMeasured& error)
{
    const double low = std::min(std::abs(error.low), std::abs(error.high));
    const bool hasZero = error.low < 0 && error.high > 0;
    return {std::abs(error.value),
            hasZero ? 0 : low,
            std::max(std::abs(error.low), std::abs(error.high))};
}

PaperMeasured
PaperCost(const PaperNumbers& numbers, const std::string& method)
{
    return {1e6 * PaperGet(numbers, method + "|cost") / PaperGet(numbers, "all|n")};
}

PaperMeasured
PaperLargest(const std::vector<double>& values)
{
    const std::vector<double> known = DropUnknown(values);
    return known.empty() ? PaperMeasured()
                         : PaperMeasured{*std::max_element(known.begin(), known.end()),
                                         PaperMeasured::NONE,
                                         PaperMeasured::NONE,
                                         known.size()};
}

PaperMeasured
PaperShare(uint64_t hits, uint64_t n)
{
    if (n == 0)
    {
        return {};
    }
    const double z = CcevalNormalQuantile((1 + LEVEL) / 2);
    const auto count = static_cast<double>(n);
    const double share = static_cast<double>(hits) / count;
    const double centre = (share + z * z / (2 * count)) / (1 + z * z / count);
    const double half = z / (1 + z * z / count) *
                        std::sqrt(share * (1 - share) / count + z * z / (4 * count * count));
    return {100 * share, 100 * (centre - half), 100 * (centre + half)};
}

} // namespace ns3
