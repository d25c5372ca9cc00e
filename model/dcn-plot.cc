/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-plot.h"

#include "dcn-csv.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{

namespace
{

/**
 * Run gnuplot on a script, without a shell, so that no character of a path is special.
 * @param script path of the script
 * @return true if it ran and was content
 */
bool
RunGnuplot(const std::string& script)
{
    std::string program = "gnuplot";
    std::string argument = script;
    char* arguments[] = {program.data(), argument.data(), nullptr};
    pid_t child;
    if (posix_spawnp(&child, "gnuplot", nullptr, nullptr, arguments, environ) != 0)
    {
        return false;
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

bool
DcnWritePlot(Gnuplot& plot, const std::string& base)
{
    const std::string script = base + ".plt";
    std::filesystem::remove(base + ".png"); // a picture of an earlier run would be a lie
    {
        DcnFileWriter file(script);
        plot.GenerateOutput(file.Stream());
        file.Commit();
    }
    if (RunGnuplot(script))
    {
        return true;
    }
    std::cerr << "gnuplot (Debian package gnuplot-nox) cannot be run: " << base
              << ".png is left out, " << script << " is its script" << std::endl;
    return false;
}

DcnCdfPlot::DcnCdfPlot(const std::string& title, const std::string& quantity)
    : m_title(title),
      m_quantity(quantity)
{
}

void
DcnCdfPlot::Add(const std::string& name, std::vector<double> values)
{
    if (values.empty())
    {
        return;
    }
    std::sort(values.begin(), values.end());
    Gnuplot2dDataset curve(name);
    curve.SetStyle(Gnuplot2dDataset::LINES);
    curve.SetExtra(" lw 2");
    const std::size_t n = values.size();
    // a curve needs no more points than the picture has pixels; the tail keeps all of its own
    const std::size_t step = std::max<std::size_t>(1, n / 2000);
    for (std::size_t i = 0; i < n; i += (n - i > 2000 ? step : 1))
    {
        curve.Add(values[i], 1 - static_cast<double>(i) / static_cast<double>(n));
    }
    m_curves.push_back(curve);
}

bool
DcnCdfPlot::Write(const std::string& base) const
{
    Gnuplot plot(base + ".png", m_title);
    plot.SetTerminal("png size 900,600 enhanced");
    plot.SetLegend(m_quantity, "share of flows above");
    plot.AppendExtra("set logscale xy");
    plot.AppendExtra("set grid");
    plot.AppendExtra("set key top right");
    plot.AppendExtra("set yrange [0.0005:1]");
    plot.AppendExtra("set ytics (\"p0\" 1, \"p50\" 0.5, \"p90\" 0.1, \"p99\" 0.01, \"p99.9\" 0.001)");
    for (const auto& curve : m_curves)
    {
        plot.AddDataset(curve);
    }
    return DcnWritePlot(plot, base);
}

} // namespace ns3
