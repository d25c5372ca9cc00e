/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief The effect of link failures: Parsimon, incrementally, against the packet engine.
 *
 * Fails one link between switches after the other, as in appendix B of the Parsimon paper, and
 * prints for each the 99th percentile of the slowdown, its error, the processor times of the
 * incremental answer and of a complete run, and whether both are identical. Flows without a failed
 * link keep their path, in Parsimon and in packets. Written: failures.csv, failures.png.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-change.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-statistics.h"
#include "ns3/parsimon-what-if.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param scenario the flows
 * @param fctNs their completion times
 * @return 99th percentile of the slowdown
 */
double
P99(const DcnScenario& scenario, const std::vector<int64_t>& fctNs)
{
    std::vector<double> slowdowns;
    for (std::size_t f = 0; f < fctNs.size(); ++f)
    {
        if (fctNs[f] > 0)
        {
            slowdowns.push_back(static_cast<double>(fctNs[f]) /
                                static_cast<double>(scenario.GetIdealFct(f).GetTotalNs()));
        }
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    return DcnQuantile(slowdowns, 0.99);
}

/**
 * @param scenario the flows
 * @return completion times in the packet engine
 */
std::vector<int64_t>
RunPackets(Ptr<const DcnScenario> scenario)
{
    auto fctNs = DcnEstimator::CreateByName("packet")->Estimate(scenario).fctNs;
    Simulator::Destroy();
    return fctNs;
}

/// The rows of the answer.
class Table
{
  public:
    /**
     * @param path of failures.csv
     * @param packets whether packets are run, too
     */
    Table(const std::string& path, bool packets)
        : m_csv(path),
          m_hasPackets(packets),
          m_plot("p99 slowdown after the failure of one link", "p99 slowdown")
    {
        m_csv.Stream() << "link,truth_p99,parsimon_p99,error,links_simulated,incremental_cpu_s,"
                          "rebuild_cpu_s,identical\n";
        std::printf("failed link      truth  parsimon    error simulated   cpu [s]   rebuild "
                    "identical\n");
    }

    /**
     * @brief Write and print a row.
     * @param name of the failed link
     * @param run the answer
     * @param cpu processor time of the answer [s]
     * @param fullCpu processor time of a run from nothing [s]
     * @param isSame whether both have the same completion times
     */
    void Add(const std::string& name,
             const ParsimonRun& run,
             double cpu,
             double fullCpu,
             bool isSame)
    {
        const double reference =
            m_hasPackets ? P99(*run.GetScenario(), RunPackets(run.GetScenario())) : NAN;
        const double value = P99(*run.GetScenario(), run.GetFctNs());
        const double error = value / reference - 1;
        const uint32_t simulated = run.GetNSimulated();
        m_csv.Stream() << name << ',' << reference << ',' << value << ',' << error << ','
                       << simulated << ',' << cpu << ',' << fullCpu << ',' << isSame << '\n';
        if (m_hasPackets)
        {
            std::printf("%-12s %9.3f %9.3f %+7.1f%%", name.c_str(), reference, value, 100 * error);
            m_plot.Add(name, "packet", reference);
            m_plot.Add(name, "parsimon", value);
        }
        else
        {
            std::printf("%-12s %9s %9.3f %8s", name.c_str(), "-", value, "-");
        }
        std::printf(" %9u %9.3f %9.3f %9s\n", simulated, cpu, fullCpu, isSame ? "yes" : "NO");
        std::fflush(stdout);
    }

    /// Finish the file; plot the rows.
    void Write(const std::string& base)
    {
        m_csv.Commit();
        if (m_hasPackets)
        {
            m_plot.Write(base);
        }
    }

  private:
    DcnFileWriter m_csv; //!< failures.csv
    bool m_hasPackets;   //!< whether packets are run
    DcnBarPlot m_plot;   //!< p99 by link and method
};

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("Single link failures: Parsimon, incrementally, against the packet engine.");
    DcnScenarioOptions options;
    options.AddTo(cmd);
    uint32_t trials = 10;
    uint64_t choice = 1;
    bool packets = true;
    std::string out = "results";
    cmd.AddValue("trials", "Number of links that fail, one at a time", trials);
    cmd.AddValue("choice", "Seed of the choice of links", choice);
    cmd.AddValue("packets", "Also run the packet engine", packets);
    DcnAddText(cmd, "out", "Folder for the results", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-parsimon-failures", [&]() {
        if (trials == 0)
        {
            DcnFail("--trials must be at least 1, but it is 0");
        }
        Ptr<const DcnScenario> scenario = options.Create();
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        const auto links = DcnDrawCables(scenario->GetTopology(), trials, choice);
        ParsimonOptions method;
        method.nThreads = 1; // for comparable processor times
        Table table(out + "/failures.csv", packets);
        double incremental = 0;
        double rebuild = 0;
        const DcnStopwatch baseWatch;
        ParsimonWhatIf whatIf(scenario, method);
        const double base = baseWatch.Get().cpuSeconds;
        table.Add("none", whatIf.GetBase(), base, base, true);
        bool allSame = true;
        for (uint32_t link : links)
        {
            const DcnStopwatch watch;
            const auto run = whatIf.Ask(DcnScenarioChange().FailLink(link));
            const double cpu = watch.Get().cpuSeconds;
            const DcnStopwatch fullWatch;
            const ParsimonRun full(run->GetScenario(), method);
            const double fullCpu = fullWatch.Get().cpuSeconds;
            const bool isSame = full.GetFctNs() == run->GetFctNs();
            allSame = allSame && isSame;
            incremental += cpu;
            rebuild += fullCpu;
            table.Add(scenario->GetTopology().DescribeLink(link), *run, cpu, fullCpu, isSame);
        }
        std::printf("incremental runs cost 1/%.1f of runs from nothing\n", rebuild / incremental);
        table.Write(out + "/failures");
        if (!allSame)
        {
            DcnFail("an incremental run differs from one from nothing");
        }
        return 0;
    });
}
