/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-violin.h"

#include "../statistics/cceval-moments.h"

#include "ns3/assert.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-statistics.h"
#include "ns3/gnuplot.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace ns3
{

std::vector<std::pair<double, double>>
CcevalDensity(std::vector<double> values, std::size_t points)
{
    NS_ASSERT_MSG(!values.empty() && points >= 2, "density of nothing");
    std::sort(values.begin(), values.end());
    CcevalMoments moments;
    for (const double value : values)
    {
        moments.Add(value);
    }
    const auto n = static_cast<double>(values.size());
    const double quartiles = (DcnQuantile(values, 0.75) - DcnQuantile(values, 0.25)) / 1.34;
    double spread = moments.GetDeviation();
    spread = quartiles > 0 ? std::min(spread, quartiles) : spread;
    const double largest = std::max(std::abs(values.front()), std::abs(values.back()));
    const double width = std::max({0.9 * spread * std::pow(n, -0.2), 1e-6 * largest, 1e-300});
    const double low = values.front() - 3 * width;
    const double high = values.back() + 3 * width;
    std::vector<std::pair<double, double>> density;
    for (std::size_t i = 0; i < points; ++i)
    {
        const double x =
            low + (high - low) * static_cast<double>(i) / static_cast<double>(points - 1);
        double sum = 0;
        for (const double value : values)
        {
            const double z = (x - value) / width;
            sum += std::exp(-z * z / 2);
        }
        density.emplace_back(x, sum / (n * width * std::sqrt(2 * M_PI)));
    }
    return density;
}

CcevalViolinPlot::CcevalViolinPlot(const std::string& title,
                                   const std::string& quantity,
                                   double least)
    : m_title(title),
      m_quantity(quantity),
      m_least(least)
{
}

void
CcevalViolinPlot::Add(const std::string& name,
                      const std::vector<double>& values,
                      const CcevalInterval& interval)
{
    auto density = CcevalDensity(values);
    // the kernels of values near the smallest possible one reach below it
    const auto first = std::find_if(density.begin(), density.end(), [this](const auto& point) {
        return point.first >= m_least;
    });
    if (first != density.begin() && first != density.end())
    {
        *std::prev(first) = {m_least, first->second};
        density.erase(density.begin(), std::prev(first));
    }
    m_violins.push_back({name, density, interval});
}

bool
CcevalViolinPlot::Write(const std::string& base) const
{
    constexpr double HALF = 0.4; // largest half-width of a violin; the next one is 1 away
    Gnuplot plot = DcnMakePlot(m_title, "", m_quantity);
    std::ostringstream extra;
    extra << "set style fill solid 0.4 noborder\nset grid ytics\nunset key\nset xrange [-0.6:"
          << static_cast<double>(m_violins.size()) - 0.4 << "]\nset xtics (";
    for (std::size_t i = 0; i < m_violins.size(); ++i)
    {
        extra << (i ? ", " : "") << '"' << DcnPlotText(m_violins[i].name) << "\" " << i;
    }
    extra << ")\n";
    // ns-3's Gnuplot has no filled curves: they are given as plain commands
    for (std::size_t i = 0; i < m_violins.size(); ++i)
    {
        const auto& density = m_violins[i].density;
        double most = 0;
        for (const auto& [x, height] : density)
        {
            most = std::max(most, height);
        }
        const auto at = static_cast<double>(i);
        extra << "set object " << i + 1 << " polygon from ";
        for (const auto& [x, height] : density)
        {
            extra << at - HALF * height / most << ',' << x << " to ";
        }
        for (auto point = density.rbegin(); point != density.rend(); ++point)
        {
            extra << at + HALF * point->second / most << ',' << point->first << " to ";
        }
        extra << at - HALF * density.front().second / most << ',' << density.front().first
              << " fc rgb \"#4477aa\"\n";
    }
    plot.SetExtra(extra.str());
    Gnuplot2dDataset means = DcnMakeCurve("mean", Gnuplot2dDataset::POINTS);
    means.SetExtra("lc rgb \"black\" pt 7");
    // not symmetric about the mean
    Gnuplot2dDataset marks = DcnMakeCurve("interval", Gnuplot2dDataset::POINTS);
    marks.SetErrorBars(Gnuplot2dDataset::Y);
    marks.SetExtra("lc rgb \"black\" pt 0 lw 2");
    Gnuplot2dDataset range = DcnMakeCurve("range", Gnuplot2dDataset::DOTS);
    for (std::size_t i = 0; i < m_violins.size(); ++i)
    {
        const auto at = static_cast<double>(i);
        const auto& violin = m_violins[i];
        means.Add(at, violin.interval.estimate);
        marks.Add(at,
                  (violin.interval.low + violin.interval.high) / 2,
                  violin.interval.GetHalfWidth());
        range.Add(at, violin.density.front().first); // gnuplot ignores objects in the range
        range.Add(at, violin.density.back().first);
    }
    plot.AddDataset(range);
    plot.AddDataset(marks);
    plot.AddDataset(means);
    return DcnWritePlot(plot, base);
}

} // namespace ns3
