/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-plot.h"

#include "dcn-csv.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <numeric>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr double LEAST_SHARE = 0.0005; // of flows, at the lower end of distribution functions

/// Colours of curves that stay distinct for colour-blind readers and on white paper.
const char* const COLOURS[] =
    {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#999999"};

/**
 * Run gnuplot on a script, without a shell, so that no character of its path is special. Texts in
 * the script are those of DcnPlotText.
 * @param script path of the script, in whose folder gnuplot runs
 * @return true if it ran and was content
 */
bool
RunGnuplot(const std::filesystem::path& script)
{
    std::string program = "gnuplot";
    std::string argument = script.filename();
    char* arguments[] = {program.data(), argument.data(), nullptr};
    const std::string folder = script.has_parent_path() ? script.parent_path().string() : ".";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    pid_t child;
    const int error = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    return error == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/**
 * Labels at equal steps, for values so near to each other that 1, 2 and 5 times powers of ten would
 * be one or two labels. The step is 1, 2 or 5 times a power of ten.
 * @param lowest value to be shown, > 0
 * @param highest value to be shown, some times the lowest at most
 * @param axis x or y
 * @return gnuplot's commands for range and labels of the axis
 */
std::string
NarrowAxis(double lowest, double highest, char axis)
{
    static constexpr double MOST = 6;      // steps of the axis
    static constexpr double LEAST = 0.05;  // length of the axis over its lowest value
    static constexpr double MARGIN = 0.02; // of a step: a value so little outside is on the border
    const double length = std::max(highest - lowest, LEAST * lowest);
    double step = std::pow(10.0, std::floor(std::log10(length / MOST)));
    for (const double factor : {2.0, 2.5, 2.0}) // to 2, 5 and 10
    {
        step *= length / step > MOST ? factor : 1;
    }
    const double first = std::floor(lowest / step + MARGIN);
    const double last = std::max(first + 1, std::ceil(highest / step - MARGIN));
    // an axis of logarithms cannot begin at 0
    const double begin = first > 0 ? first * step : lowest;
    std::ostringstream commands;
    commands << "set " << axis << "range [" << begin << ':' << last * step << "]\nset " << axis
             << "tics (";
    for (double i = std::max(first, 1.0); i <= last; ++i)
    {
        commands << (i > std::max(first, 1.0) ? ", \"" : "\"") << i * step << "\" " << i * step;
    }
    commands << ')';
    return commands.str();
}

/**
 * Write a plot or panels as DcnWritePlot does.
 * @param plots one, or the panels
 * @param title of several panels
 * @param base path without suffix
 * @return true if there is a picture
 */
bool
WritePictures(std::vector<Gnuplot> plots, const std::string& title, const std::string& base)
{
    const bool isOne = plots.size() == 1;
    std::ostringstream style;
    if (!isOne)
    {
        style << "set multiplot layout " << (plots.size() + 1) / 2 << ",2 title \""
              << DcnPlotText(title) << "\"\n";
    }
    for (std::size_t i = 0; i < std::size(COLOURS); ++i)
    {
        style << "set linetype " << i + 1 << " lc rgb \"" << COLOURS[i] << "\" lw 2\n";
    }
    style << "set linetype cycle " << std::size(COLOURS);
    plots.front().AppendExtra(style.str());
    const std::size_t rows = (plots.size() + 1) / 2;
    const std::string height = std::to_string(std::max<std::size_t>(900, 300 * rows));
    const std::string name = DcnPlotText(std::filesystem::path(base).filename());
    auto write = [&](const std::string& terminal, const std::string& script) {
        GnuplotCollection all(name + "." + terminal);
        all.SetTerminal(terminal + (isOne ? " size 900,600" : " size 1200," + height) +
                        " noenhanced");
        for (Gnuplot& plot : plots)
        {
            plot.SetTerminal(""); // that of the picture
            plot.SetOutputFilename("");
            all.AddPlot(plot);
        }
        std::filesystem::remove(base + "." + terminal); // it may show an earlier run
        DcnFileWriter file(script);
        all.GenerateOutput(file.Stream());
        file.Commit();
        if (RunGnuplot(script))
        {
            return true;
        }
        std::filesystem::remove(base + "." + terminal); // gnuplot may have begun it
        return false;
    };
    // the script of a plot has its data, so that another terminal needs another script
    write("svg", base + ".svg.plt");
    std::filesystem::remove(base + ".svg.plt");
    if (write("png", base + ".plt"))
    {
        return true;
    }
    std::cerr << "gnuplot (Debian package gnuplot-nox) is not there, or refuses the script: "
              << base << ".png is left out, " << base << ".plt is its script" << std::endl;
    return false;
}

} // namespace

std::string
DcnPlotText(const std::string& text)
{
    std::string safe;
    for (const char each : text)
    {
        const auto code = static_cast<unsigned char>(each);
        if (each == '"' || each == '\\' || each == '`')
        {
            // gnuplot looks for backticks before it reads numbers of characters
            char number[8];
            std::snprintf(number, sizeof(number), "\\%03o", code);
            safe += number;
            continue;
        }
        safe += code < ' ' || code == 0x7f ? ' ' : each;
    }
    return safe;
}

Gnuplot
DcnMakePlot(const std::string& title, const std::string& abscissa, const std::string& ordinate)
{
    Gnuplot plot("", DcnPlotText(title));
    plot.SetLegend(DcnPlotText(abscissa), DcnPlotText(ordinate));
    return plot;
}

Gnuplot2dDataset
DcnMakeCurve(const std::string& name, Gnuplot2dDataset::Style style)
{
    Gnuplot2dDataset curve(DcnPlotText(name));
    curve.SetStyle(style);
    return curve;
}

// Gnuplot ends a logarithmic axis at powers of ten and labels nothing else, which leaves half the
// picture empty for slowdowns from 1 to 9. Less than NARROW apart, values have labels at equal
// steps (NarrowAxis).
std::string
DcnLogAxis(double lowest, double highest, char axis)
{
    static constexpr double STEPS[] = {1, 2, 5};
    static constexpr double MARGIN = 1.02; // a value so little outside may lie on the border
    static constexpr double NARROW = 6;
    if (highest < NARROW * lowest)
    {
        return NarrowAxis(lowest, highest, axis);
    }
    std::vector<double> ticks;
    for (int exponent = static_cast<int>(std::floor(std::log10(lowest))) - 1;
         ticks.empty() || ticks.back() * MARGIN < highest;
         ++exponent)
    {
        for (const double step : STEPS)
        {
            const double tick = step * std::pow(10.0, exponent);
            if (tick <= lowest * MARGIN)
            {
                ticks.clear(); // the axis starts at the last of these
            }
            if (ticks.empty() || ticks.back() * MARGIN < highest)
            {
                ticks.push_back(tick);
            }
        }
    }
    std::ostringstream commands;
    const double end = std::min(ticks.back(), highest * 1.1);
    commands << "set " << axis << "range [" << ticks.front() << ':' << end << "]\nset " << axis
             << "tics (";
    for (std::size_t i = 0; i < ticks.size(); ++i)
    {
        // labels of more than some four decades would overlap
        const double decades = std::log10(ticks[i]);
        const bool isLabelled =
            ticks.size() <= 15 || std::abs(decades - std::round(decades)) < 1e-9;
        commands << (i ? ", \"" : "\"");
        if (isLabelled)
        {
            commands << ticks[i];
        }
        commands << "\" " << ticks[i];
    }
    commands << ')';
    return commands.str();
}

std::string
DcnGetPlotColour(std::size_t curve)
{
    return COLOURS[curve % std::size(COLOURS)];
}

void
DcnAddArea(Gnuplot& plot,
           std::size_t number,
           const std::vector<std::pair<double, double>>& border,
           std::size_t curve)
{
    std::ostringstream command;
    command << "set object " << number << " polygon from ";
    for (const auto& [x, y] : border)
    {
        command << x << ',' << y << " to ";
    }
    command << border.front().first << ',' << border.front().second << " behind fc rgb \""
            << DcnGetPlotColour(curve) << "\" fs transparent solid 0.25 noborder";
    plot.AppendExtra(command.str());
    // areas cover each other in pictures without transparency, and borders do not
    Gnuplot2dDataset line = DcnMakeCurve("");
    line.SetExtra(" lw 0.5 lc rgb \"" + DcnGetPlotColour(curve) + "\" notitle");
    for (const auto& [x, y] : border)
    {
        line.Add(x, y);
    }
    line.Add(border.front().first, border.front().second);
    plot.AddDataset(line);
}

bool
DcnWritePlot(const Gnuplot& plot, const std::string& base)
{
    return WritePictures({plot}, "", base);
}

bool
DcnWritePanels(const std::string& title,
               const std::vector<Gnuplot>& panels,
               const std::string& base)
{
    return WritePictures(panels, title, base);
}

DcnCdfPlot::DcnCdfPlot(const std::string& title, const std::string& quantity)
    : m_title(title),
      m_quantity(quantity)
{
}

void
DcnCdfPlot::Add(const std::string& name, std::vector<double> values)
{
    std::vector<std::pair<double, double>> weighted;
    weighted.reserve(values.size());
    for (double value : values)
    {
        weighted.emplace_back(value, 1);
    }
    AddWeighted(name, std::move(weighted));
}

void
DcnCdfPlot::AddWeighted(const std::string& name,
                        std::vector<std::pair<double, double>> values,
                        bool isTruth)
{
    if (values.empty())
    {
        return;
    }
    std::sort(values.begin(), values.end());
    m_lowest = std::min(m_lowest, values.front().first);
    double total = 0;
    for (const auto& [value, weight] : values)
    {
        total += weight;
    }
    Gnuplot2dDataset curve = DcnMakeCurve(name);
    const std::string colour = DcnGetPlotColour(m_curves.size());
    curve.SetExtra(isTruth ? " lw 5 lc rgb \"black\"" : " lw 2 lc rgb \"" + colour + '"');
    Gnuplot2dDataset thin = DcnMakeCurve("");
    thin.SetExtra(" lw 1 lc rgb \"" + colour + "\" notitle");
    const std::size_t n = values.size();
    // a curve needs no more points than the picture has pixels; the tail keeps all of its own
    const std::size_t step = std::max<std::size_t>(1, n / 2000);
    double below = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        if (1 - below / total >= LEAST_SHARE)
        {
            m_highest = std::max(m_highest, values[i].first); // the rest is below the picture
        }
        if (i == next)
        {
            curve.Add(values[i].first, 1 - below / total);
            thin.Add(values[i].first, 1 - below / total);
            next += n - i > 2000 ? step : 1;
        }
        below += values[i].second;
    }
    (isTruth ? m_truths : m_curves).push_back(curve);
    if (!isTruth)
    {
        m_thin.push_back(thin);
    }
}

void
DcnCdfPlot::AddRange(const std::string& name, const std::vector<Range>& ranges)
{
    Gnuplot2dDataset curve = DcnMakeCurve(name);
    curve.SetExtra(" lw 2 lc rgb \"" + DcnGetPlotColour(m_curves.size()) + '"');
    std::vector<std::pair<double, double>> border;
    for (const Range& range : ranges)
    {
        if (range.share < LEAST_SHARE)
        {
            continue;
        }
        m_lowest = std::min(m_lowest, range.low);
        m_highest = std::max(m_highest, range.high);
        curve.Add(range.middle, range.share);
        border.emplace_back(range.low, range.share);
    }
    for (std::size_t i = border.size(); i-- > 0;)
    {
        border.emplace_back(ranges[i].high, border[i].second);
    }
    if (border.empty())
    {
        return;
    }
    m_areas.emplace_back(m_curves.size(), std::move(border));
    m_curves.push_back(curve);
}

bool
DcnCdfPlot::IsEmpty() const
{
    return m_curves.empty() && m_truths.empty();
}

Gnuplot
DcnCdfPlot::Make() const
{
    Gnuplot plot = DcnMakePlot(m_title, m_quantity, "share of flows above");
    plot.AppendExtra("set logscale xyy2");
    plot.AppendExtra("set grid");
    plot.AppendExtra("set key outside top center horizontal");
    if (m_lowest > 0 && m_curves.size() + m_truths.size() > 0)
    {
        plot.AppendExtra(DcnLogAxis(m_lowest, m_highest));
    }
    plot.AppendExtra("set yrange [" + std::to_string(LEAST_SHARE) + ":1]");
    plot.AppendExtra("set ytics nomirror (\"100 %%\" 1, \"50 %%\" 0.5, \"10 %%\" 0.1, "
                     "\"1 %%\" 0.01, \"0.1 %%\" 0.001)"); // labels are formats to gnuplot
    plot.AppendExtra("set y2range [" + std::to_string(LEAST_SHARE) + ":1]");
    plot.AppendExtra("set y2tics (\"p50\" 0.5, \"p90\" 0.1, \"p99\" 0.01, \"p99.9\" 0.001)");
    for (std::size_t i = 0; i < m_areas.size(); ++i)
    {
        DcnAddArea(plot, i + 1, m_areas[i].second, m_areas[i].first);
    }
    for (const auto& curves : {m_curves, m_truths})
    {
        for (const auto& curve : curves)
        {
            plot.AddDataset(curve);
        }
    }
    // a method that agrees with the ground truth would be covered by it
    for (const auto& thin : m_thin)
    {
        if (!m_truths.empty())
        {
            plot.AddDataset(thin);
        }
    }
    return plot;
}

bool
DcnCdfPlot::Write(const std::string& base) const
{
    return DcnWritePlot(Make(), base);
}

DcnBarPlot::DcnBarPlot(const std::string& title, const std::string& quantity)
    : m_title(title),
      m_quantity(quantity)
{
}

void
DcnBarPlot::Add(const std::string& category, const std::string& series, double value)
{
    auto find = [](std::vector<std::string>& names, const std::string& name) {
        const auto found = std::find(names.begin(), names.end(), name);
        const auto position = static_cast<std::size_t>(found - names.begin());
        if (found == names.end())
        {
            names.push_back(name);
        }
        return position;
    };
    m_bars.push_back({find(m_categories, category), find(m_series, series), value});
}

void
DcnBarPlot::SetStacked()
{
    m_isStacked = true;
}

bool
DcnBarPlot::Write(const std::string& base) const
{
    static constexpr double SHARE = 0.8; // of a category's place that its bars take
    if (m_bars.empty())
    {
        return false;
    }
    auto colour = [this](std::size_t series) {
        return m_series[series] == "packet" ? "black" : COLOURS[series % std::size(COLOURS)];
    };
    const auto nCategories = static_cast<double>(m_categories.size());
    const auto nSeries = static_cast<double>(m_series.size());
    // names that do not fit side by side are slanted
    static constexpr std::size_t MOST = 8;     // categories
    static constexpr std::size_t LONGEST = 70; // characters of all names
    const std::size_t letters =
        std::accumulate(m_categories.begin(),
                        m_categories.end(),
                        std::size_t{0},
                        [](std::size_t sum, const std::string& name) { return sum + name.size(); });
    const bool isCrowded = m_categories.size() > MOST || letters > LONGEST;
    Gnuplot plot = DcnMakePlot(m_title, "", m_quantity);
    std::ostringstream extra;
    extra << "set grid y\nset key outside top center horizontal\nset xrange [-0.6:"
          << nCategories - 0.4 << "]\nset xtics " << (isCrowded ? "rotate by -45 " : "");
    for (std::size_t i = 0; i < m_categories.size(); ++i)
    {
        extra << (i ? ", \"" : "(\"");
        for (const char each : DcnPlotText(m_categories[i]))
        {
            extra << (each == '%' ? "%%" : std::string(1, each)); // % begins a format of gnuplot
        }
        extra << "\" " << i;
    }
    extra << ")\n";
    // ns-3's Gnuplot has no boxes: they are given as plain commands
    double highest = 0;
    std::vector<Bar> bars = m_bars;
    if (m_isStacked)
    {
        std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) {
            return a.series < b.series;
        });
    }
    std::vector<double> tops(m_categories.size(), 0); // of the bars so far
    const double width = m_isStacked ? SHARE / 2 : SHARE / nSeries;
    for (std::size_t i = 0; i < bars.size(); ++i)
    {
        const Bar& bar = bars[i];
        const double left =
            static_cast<double>(bar.category) +
            (m_isStacked ? -width / 2 : static_cast<double>(bar.series) * width - SHARE / 2);
        const double bottom = m_isStacked ? tops[bar.category] : 0;
        tops[bar.category] = bottom + bar.value;
        extra << "set object " << i + 1 << " rect from " << left << ',' << bottom << " to "
              << left + (m_isStacked ? width : 0.95 * width) << ',' << tops[bar.category]
              << " fc rgb \"" << colour(bar.series) << "\" fs solid noborder\n";
        highest = std::max(highest, tops[bar.category]);
    }
    extra << "set yrange [0:" << (highest > 0 ? 1.1 * highest : 1) << ']';
    plot.AppendExtra(extra.str());
    for (std::size_t series = 0; series < m_series.size(); ++series)
    {
        Gnuplot2dDataset legend = DcnMakeCurve(m_series[series]);
        legend.SetExtra(std::string(" lw 10 lc rgb \"") + colour(series) + '"');
        legend.Add(-9, 0); // outside of the picture
        plot.AddDataset(legend);
    }
    return DcnWritePlot(plot, base);
}

} // namespace ns3
