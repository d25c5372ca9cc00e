/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-validation-runner.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-progress.h"
#include "ns3/hash.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <limits>
#include <unistd.h>

namespace ns3
{

namespace
{

const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< a cell without a number
const std::string FORMAT = "2"; //!< of the folder; 1 did not say which method answered

/**
 * @param drawn what was drawn
 * @param suite name of the suite
 * @param scenario the scenario
 * @param load what it brings
 * @return the part of a row that does not depend on the method
 */
DcnValidationRow
DescribeScenario(const DcnSuiteScenario& drawn,
                 const std::string& suite,
                 const DcnScenario& scenario,
                 const DcnSuiteLoad& load)
{
    DcnValidationRow row;
    row.suite = suite;
    row.scenario = static_cast<double>(drawn.index);
    row.seed = static_cast<double>(drawn.seed);
    row.oversubscription = drawn.oversubscription;
    row.matrix = drawn.matrix;
    row.sizes = drawn.sizes;
    row.sigma = drawn.sigma;
    row.load = drawn.load;
    const DcnNetworkParameters& network = scenario.GetNetwork();
    row.congestionControl = network.congestionControl;
    row.windowBytes = static_cast<double>(network.windowBytes);
    row.bufferBytes = static_cast<double>(network.bufferBytes);
    row.pfc = network.pfc ? 1 : 0;
    const bool marks = row.congestionControl == "dctcp" || row.congestionControl == "dcqcn";
    const bool timely = row.congestionControl == "timely";
    const bool hpcc = row.congestionControl == "hpcc";
    row.ecnKminBytes = marks ? static_cast<double>(network.ecnKminBytes) : NONE;
    row.ecnKmaxBytes = marks ? static_cast<double>(network.ecnKmaxBytes) : NONE;
    row.timelyLowNs = timely ? static_cast<double>(network.timelyLow.GetNanoSeconds()) : NONE;
    row.timelyHighNs = timely ? static_cast<double>(network.timelyHigh.GetNanoSeconds()) : NONE;
    row.hpccEta = hpcc ? network.hpccEta : NONE;
    row.hpccIncreaseBps =
        hpcc ? static_cast<double>(network.hpccAdditiveIncrease.GetBitRate()) : NONE;
    row.nFlows = static_cast<double>(scenario.GetFlows().size());
    row.maxLoad = load.maxLoad;
    row.maxWireLoad = load.maxWireLoad;
    row.topLoad = load.topLoad;
    return row;
}

} // namespace

DcnValidationRunner::DcnValidationRunner(const DcnScenarioSuite& suite, const Options& options)
    : m_suite(suite),
      m_options(options),
      m_methods(options.methods),
      m_nMethods(options.methods.size())
{
    if (m_options.jobs == 0)
    {
        DcnFail("the number of processes must be at least 1, but it is 0");
    }
    if (m_options.truthSeeds == 0)
    {
        DcnFail("the truth must be run with at least 1 seed, but it is 0");
    }
    if (m_options.first >= m_options.last)
    {
        DcnFail("there is no scenario from number ", m_options.first, " to before ",
                m_options.last);
    }
    std::vector<std::string> seen{m_options.truth};
    DcnEstimator::CreateByName(m_options.truth);
    for (const auto& method : m_options.methods)
    {
        if (std::find(seen.begin(), seen.end(), method) != seen.end())
        {
            DcnFail("the method \"", method, "\" is named twice (the truth is ", m_options.truth,
                    ")");
        }
        seen.push_back(method);
        DcnEstimator::CreateByName(method); // a bad name is an error now, not after an hour
    }
    for (uint32_t seed = 2; seed <= m_options.truthSeeds; ++seed)
    {
        m_methods.push_back(m_options.truth + " (seed " + std::to_string(seed) + ")");
    }
    if (m_methods.empty())
    {
        DcnFail("there is no method to compare with ", m_options.truth);
    }
    CheckFolder();
}

const std::vector<std::string>&
DcnValidationRunner::GetMethods() const
{
    return m_methods;
}

std::string
DcnValidationRunner::GetFile(uint64_t index, const std::string& method) const
{
    std::string name = method;
    for (char& c : name)
    {
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
    }
    char number[16];
    std::snprintf(number, sizeof(number), "%05u", static_cast<unsigned>(index));
    char hash[16];
    // names that differ in other characters, and long ones, still have files of their own
    std::snprintf(hash, sizeof(hash), "%08x", Hash32(method));
    return m_options.folder + "/results/" + number + "-" + name.substr(0, 100) + "-" + hash +
           ".csv";
}

std::string
DcnValidationRunner::GetTruthFile(uint64_t index) const
{
    char name[32];
    std::snprintf(name, sizeof(name), "%05u-truth-fct.csv", static_cast<unsigned>(index));
    return m_options.folder + "/results/" + name;
}

bool
DcnValidationRunner::HasResult(uint64_t index, const std::string& method) const
{
    return std::filesystem::exists(GetFile(index, method));
}

void
DcnValidationRunner::CheckFolder() const
{
    auto options = m_suite.GetOptions();
    options.emplace_back("truth", m_options.truth);
    options.emplace_back("format_version", FORMAT);
    const std::string file = m_options.folder + "/options.csv";
    if (!std::filesystem::exists(file))
    {
        DcnMakeFolder(m_options.folder);
        DcnMakeFolder(m_options.folder + "/results");
        DcnFileWriter writer(file);
        writer.Stream() << "key,value\n";
        for (const auto& [key, value] : options)
        {
            writer.Stream() << key << ',' << value << '\n';
        }
        writer.Commit();
        return;
    }
    DcnMakeFolder(m_options.folder + "/results");
    DcnCsvReader reader(file, {"key", "value"});
    for (const auto& [key, value] : options)
    {
        if (!reader.FetchRow() || reader.GetText(0) != key)
        {
            DcnFail(file, ": it has no \"", key, "\" where this version expects one");
        }
        if (key == "format_version" && reader.GetText(1) != value)
        {
            DcnFail(m_options.folder,
                    " holds results of format ",
                    reader.GetText(1),
                    ", but this version reads and writes format ",
                    value,
                    ", in which results say how they were made: take another folder");
        }
        if (reader.GetText(1) != value)
        {
            DcnFail(m_options.folder, " holds results with ", key, " ", reader.GetText(1),
                    ", but ", value, " is asked for: take another folder");
        }
    }
}

void
DcnValidationRunner::Write(const DcnSuiteScenario& drawn,
                           Ptr<const DcnScenario> scenario,
                           const DcnSuiteLoad& load,
                           const DcnEstimate& truth,
                           const DcnEstimate& estimate) const
{
    DcnFctTable table(scenario);
    table.Add(truth);
    table.Add(estimate);
    DcnValidationRow common =
        DescribeScenario(drawn, m_suite.GetOptions()[0].second, *scenario, load);
    common.method = estimate.method;
    common.nUnfinished =
        estimate.samples.empty()
            ? static_cast<double>(estimate.fctNs.size() - estimate.GetNFinished())
            : 0;
    common.wallSeconds = estimate.wallSeconds;
    common.cpuSeconds = estimate.cpuSeconds;
    common.truthWallSeconds = truth.wallSeconds;
    common.truthCpuSeconds = truth.cpuSeconds;
    common.jobs = estimate.jobs;
    common.answeredBy = estimate.answeredBy;
    common.provenance = estimate.provenance;
    for (double* number : {&common.p50, &common.p90, &common.p99, &common.truthP50,
                           &common.truthP90, &common.truthP99, &common.p99Error,
                           &common.meanError, &common.meanFlowError, &common.p90FlowError})
    {
        *number = NONE;
    }
    std::vector<DcnValidationRow> rows;
    for (const DcnSizeClass& sizeClass : DcnValidationRow::GetSizeClasses())
    {
        DcnValidationRow row = common;
        row.sizeClass = sizeClass.name;
        row.nClass = static_cast<double>(
            std::count_if(scenario->GetFlows().begin(),
                          scenario->GetFlows().end(),
                          [&](const DcnFlow& flow) {
                              return sizeClass.Contains(static_cast<double>(flow.sizeBytes));
                          }));
        rows.push_back(row);
    }
    // the answer's; the truth is the first in the table, and may have the same name
    for (const auto& cell : table.GetSummaryOf(1, DcnValidationRow::GetSizeClasses()))
    {
        for (DcnValidationRow& row : rows)
        {
            if (row.sizeClass != cell.sizeClass)
            {
                continue;
            }
            const std::string& metric = cell.metric;
            if (metric == "p50_slowdown")
            {
                row.p50 = cell.value;
                row.truthP50 = cell.truth;
            }
            else if (metric == "p90_slowdown")
            {
                row.p90 = cell.value;
                row.truthP90 = cell.truth;
            }
            else if (metric == "p99_slowdown")
            {
                row.p99 = cell.value;
                row.truthP99 = cell.truth;
                row.p99Error = cell.relativeError;
            }
            else if (metric == "mean_slowdown")
            {
                row.meanError = cell.relativeError;
            }
            else if (metric == "mean_abs_flow_error")
            {
                row.meanFlowError = cell.value;
            }
            else if (metric == "p90_abs_flow_error")
            {
                row.p90FlowError = cell.value;
            }
        }
    }
    DcnFileWriter writer(GetFile(drawn.index, estimate.method));
    DcnValidationRow::Write(writer.Stream(), rows);
    writer.Commit();
}

DcnEstimate
DcnValidationRunner::GetTruth(const DcnSuiteScenario& drawn,
                              Ptr<const DcnScenario> scenario,
                              const DcnSuiteLoad& load,
                              const DcnTaskStep& step) const
{
    const std::string file = GetTruthFile(drawn.index);
    if (!HasResult(drawn.index, m_options.truth))
    {
        DcnEstimate truth = DcnEstimator::CreateByName(m_options.truth)->Estimate(scenario);
        Simulator::Destroy();
        DcnFileWriter writer(file);
        writer.Stream() << "fct_ns\n";
        for (int64_t fct : truth.fctNs)
        {
            writer.Stream() << fct << '\n';
        }
        writer.Commit();
        Write(drawn, scenario, load, truth, truth); // last: it says that the truth is complete
        step();
        return truth;
    }
    DcnEstimate truth;
    truth.method = m_options.truth;
    const auto rows = DcnValidationRow::Read(GetFile(drawn.index, m_options.truth));
    if (rows.empty())
    {
        DcnFail(GetFile(drawn.index, m_options.truth), ": the file has no rows");
    }
    truth.wallSeconds = rows.front().wallSeconds;
    truth.cpuSeconds = rows.front().cpuSeconds;
    truth.jobs = static_cast<uint32_t>(rows.front().jobs);
    truth.answeredBy = rows.front().answeredBy;
    truth.provenance = rows.front().provenance;
    DcnCsvReader reader(file, {"fct_ns"});
    while (reader.FetchRow())
    {
        truth.fctNs.push_back(reader.GetInt(0));
    }
    if (truth.fctNs.size() != scenario->GetFlows().size())
    {
        DcnFail(file, ": there are ", truth.fctNs.size(),
                " completion times, but the scenario has ", scenario->GetFlows().size(), " flows");
    }
    return truth;
}

DcnEstimate
DcnValidationRunner::EstimateRepetition(Ptr<const DcnScenario> scenario, uint32_t repetition) const
{
    Ptr<const DcnScenario> repeated = DcnScenarioSuite::Repeat(scenario, repetition);
    DcnEstimate estimate = DcnEstimator::CreateByName(m_options.truth)->Estimate(repeated);
    std::vector<int64_t> fctNs(estimate.fctNs.size());
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        fctNs[repeated->GetFlows()[i].id] = estimate.fctNs[i];
    }
    estimate.fctNs = std::move(fctNs);
    return estimate;
}

void
DcnValidationRunner::RunScenario(uint64_t index, const DcnTaskStep& step) const
{
    DcnProgress::Silence();
    const DcnSuiteScenario drawn = m_suite.Draw(index);
    DcnSuiteLoad load;
    Ptr<const DcnScenario> scenario = m_suite.Create(drawn, load);
    const DcnEstimate truth = GetTruth(drawn, scenario, load, step);
    for (std::size_t m = 0; m < m_methods.size(); ++m)
    {
        if (HasResult(index, m_methods[m]))
        {
            continue;
        }
        try
        {
            DcnEstimate estimate =
                m < m_nMethods
                    ? DcnEstimator::CreateByName(m_methods[m])->Estimate(scenario)
                    : EstimateRepetition(scenario, static_cast<uint32_t>(m - m_nMethods) + 2);
            Simulator::Destroy();
            estimate.method = m_methods[m];
            Write(drawn, scenario, load, truth, estimate);
        }
        catch (const DcnError& error)
        {
            DcnFail("scenario ", index, ", ", m_methods[m], ": ", error.what());
        }
        step();
    }
}

std::vector<DcnValidationRow>
DcnValidationRunner::ReadRows() const
{
    std::vector<DcnValidationRow> rows;
    for (uint64_t i = m_options.first; i < m_options.last; ++i)
    {
        for (const auto& method : m_methods)
        {
            if (HasResult(i, method))
            {
                const auto some = DcnValidationRow::Read(GetFile(i, method));
                rows.insert(rows.end(), some.begin(), some.end());
            }
        }
    }
    return rows;
}

DcnValidationRunner::Report
DcnValidationRunner::Run()
{
    Report report;
    std::vector<uint64_t> tasks;
    uint64_t others = 0;
    for (uint64_t i = m_options.first; i < m_options.last; ++i)
    {
        uint64_t missing = HasResult(i, m_options.truth) ? 0 : 1;
        for (const auto& method : m_methods)
        {
            missing += HasResult(i, method) ? 0 : 1;
        }
        report.kept += m_methods.size() + 1 - missing;
        if (i % m_options.rank.size != m_options.rank.rank)
        {
            others += missing;
            continue;
        }
        report.computed += missing;
        if (missing > 0)
        {
            tasks.push_back(i);
        }
    }
    uint64_t steps = 0;
    uint64_t done = 0;
    {
        DcnProgress progress("validate", report.computed, "answers");
        DcnRunInProcesses(
            tasks,
            m_options.jobs,
            [this](uint64_t index, const DcnTaskStep& step) { RunScenario(index, step); },
            [&]() { progress.Update(++steps); },
            [&](uint64_t index) {
                ++done;
                if (!isatty(STDERR_FILENO) && tasks.size() > 2)
                {
                    std::cerr << "scenario " << index << " done, " << done << " of " << tasks.size()
                              << std::endl;
                }
            });
    }
    report.rows = ReadRows();
    if (others > 0)
    {
        const uint64_t rowsPerAnswer = DcnValidationRow::GetSizeClasses().size();
        report.missing = (m_options.last - m_options.first) * m_methods.size() -
                         report.rows.size() / rowsPerAnswer;
    }
    return report;
}

} // namespace ns3
