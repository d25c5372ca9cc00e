/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-validation-runner.h"

#include "dcn-validation-table.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-input-check.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-result-store.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <tuple>
#include <unistd.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnValidationRunner");

namespace
{

const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< missing number
const std::string ROWS = "rows";                              //!< kind of key: rows of an answer
const std::string TIMES = "fct_ns"; //!< kind of key: completion times of the truth

/// A metric of DcnFctTable and its numbers in a row; null: the row has no such number.
struct Cell
{
    std::string metric;              //!< name
    double DcnValidationRow::*value; //!< of the method
    double DcnValidationRow::*truth; //!< of the truth
    double DcnValidationRow::*error; //!< relative
};

const Cell CELLS[] = {
    {"p50_slowdown", &DcnValidationRow::p50, &DcnValidationRow::truthP50, nullptr},
    {"p90_slowdown", &DcnValidationRow::p90, &DcnValidationRow::truthP90, nullptr},
    {"p99_slowdown",
     &DcnValidationRow::p99,
     &DcnValidationRow::truthP99,
     &DcnValidationRow::p99Error},
    {"mean_slowdown", nullptr, nullptr, &DcnValidationRow::meanError},
    {"mean_abs_flow_error", &DcnValidationRow::meanFlowError, nullptr, nullptr},
    {"p90_abs_flow_error", &DcnValidationRow::p90FlowError, nullptr, nullptr},
};

/**
 * @param drawn what was drawn
 * @param suite name of the suite
 * @param scenario the scenario
 * @param load its load
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
    row.topology = drawn.topology;
    row.hostGbps = drawn.hostGbps;
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
    row.timelyLowNs = timely ? network.GetOwn("timely_low_ns") : NONE;
    row.timelyHighNs = timely ? network.GetOwn("timely_high_ns") : NONE;
    row.hpccEta = hpcc ? network.GetOwn("hpcc_eta") : NONE;
    row.hpccIncreaseBps = hpcc ? network.GetOwn("hpcc_additive_increase_bps") : NONE;
    row.nFlows = static_cast<double>(scenario.GetFlows().size());
    row.maxLoad = load.maxLoad;
    row.maxWireLoad = load.maxWireLoad;
    row.topLoad = load.topLoad;
    return row;
}

} // namespace

/// A scenario, and what the store has of it.
struct DcnValidationRunner::Task
{
    Task() = default;

    /** @param bytes made by Write */
    explicit Task(const std::string& bytes)
    {
        const std::vector<std::string> parts = DcnTaskFarm::Unpack(bytes);
        index = std::stoull(parts.at(0));
        store = parts.at(1);
        truthRows = parts.at(2);
        truthTimes = parts.at(3);
        for (std::size_t i = 4; i < parts.size(); ++i)
        {
            methods.push_back(std::stoull(parts[i]));
        }
    }

    /** @return all of it as bytes. */
    std::string Write() const
    {
        std::vector<std::string> parts{std::to_string(index), store, truthRows, truthTimes};
        for (const std::size_t method : methods)
        {
            parts.push_back(std::to_string(method));
        }
        return DcnTaskFarm::Pack(parts);
    }

    /** @return number of answers to compute. */
    std::size_t GetNMissing() const
    {
        return methods.size() + (truthRows.empty() ? 1 : 0);
    }

    uint64_t index{0};                //!< number of the scenario
    std::string store;                //!< path of the store, for sentences
    std::string truthRows;            //!< rows of the truth; empty: it has to be run
    std::string truthTimes;           //!< its completion times
    std::vector<std::size_t> methods; //!< positions of the methods that have to be run
};

DcnValidationRunner::DcnValidationRunner(const DcnScenarioSuite& suite, const Options& options)
    : m_suite(suite),
      m_options(options),
      m_methods(options.methods),
      m_nMethods(options.methods.size())
{
    if (m_options.truthSeeds == 0)
    {
        DcnFail("the truth must be run with at least 1 seed, but it is 0");
    }
    if (m_options.first >= m_options.last)
    {
        DcnFail("there is no scenario from number ",
                m_options.first,
                " to before ",
                m_options.last);
    }
    std::vector<std::string> seen{m_options.truth};
    DcnEstimator::CreateByName(m_options.truth);
    for (const auto& method : m_options.methods)
    {
        if (std::find(seen.begin(), seen.end(), method) != seen.end())
        {
            DcnFail("the method \"",
                    method,
                    "\" is named twice (the truth is ",
                    m_options.truth,
                    ")");
        }
        seen.push_back(method);
        DcnEstimator::CreateByName(method); // throws now, not after an hour
    }
    DcnCheckInputFiles(seen);
    for (uint32_t seed = 2; seed <= m_options.truthSeeds; ++seed)
    {
        m_methods.push_back(m_options.truth + " (seed " + std::to_string(seed) + ")");
    }
    if (m_methods.empty())
    {
        DcnFail("there is no method to compare with ", m_options.truth);
    }
    // a retrained model and a changed packet engine have results of their own; rows of a method
    // have the numbers of the truth, too
    const std::string truth = DcnEstimator::CreateByName(m_options.truth)->GetDigest();
    for (const auto& method : seen)
    {
        const std::string digest = DcnEstimator::CreateByName(method)->GetDigest();
        m_digests[method] =
            truth.empty() && digest.empty() ? "" : " " + DcnHashText(truth + ' ' + digest);
    }
    for (const auto& method : m_methods)
    {
        m_digests.emplace(method,
                          m_digests.at(m_options.truth)); // digest for repetitions of the truth
    }
    if (m_options.farm.IsRoot())
    {
        OpenStore();
    }
}

DcnValidationRunner::~DcnValidationRunner() = default;

std::string
DcnValidationRunner::GetKey(const std::string& kind,
                            uint64_t index,
                            const std::string& method) const
{
    char number[24];
    std::snprintf(number, sizeof(number), " %07llu ", static_cast<unsigned long long>(index));
    return kind + number + method + m_digests.at(method);
}

const std::vector<DcnValidationRow>&
DcnValidationRunner::GetRows() const
{
    return m_rows;
}

void
DcnValidationRunner::OpenStore()
{
    const std::string old = m_options.folder + "/options.csv";
    if (std::filesystem::exists(old))
    {
        DcnFail(old,
                ": this folder holds results of dcn 0.1, which are no longer read: take another "
                "folder");
    }
    DcnMakeFolder(m_options.folder);
    m_store = std::make_unique<DcnResultStore>(m_options.folder + "/results.db", Describe());
}

DcnResultStore::Experiment
DcnValidationRunner::Describe() const
{
    DcnResultStore::Experiment experiment{{"truth", m_options.truth}};
    for (const auto& [key, value] : m_suite.GetOptions())
    {
        experiment[key] = value;
    }
    return experiment;
}

std::string
DcnValidationRunner::MakeRows(const DcnSuiteScenario& drawn,
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
    common.nUnfinished = estimate.samples.empty()
                             ? static_cast<double>(estimate.fctNs.size() - estimate.GetNFinished())
                             : 0;
    common.wallSeconds = estimate.wallSeconds;
    common.cpuSeconds = estimate.cpuSeconds;
    common.truthWallSeconds = truth.wallSeconds;
    common.truthCpuSeconds = truth.cpuSeconds;
    common.jobs = estimate.jobs;
    common.answeredBy = estimate.answeredBy;
    common.provenance = estimate.provenance;
    for (const Cell& cell : CELLS)
    {
        for (double DcnValidationRow::*number : {cell.value, cell.truth, cell.error})
        {
            if (number)
            {
                common.*number = NONE;
            }
        }
    }
    std::vector<DcnValidationRow> rows;
    for (const DcnSizeClass& sizeClass : DcnValidationRow::GetSizeClasses())
    {
        DcnValidationRow row = common;
        row.sizeClass = sizeClass.name;
        row.nClass = static_cast<double>(std::count_if(scenario->GetFlows().begin(),
                                                       scenario->GetFlows().end(),
                                                       [&](const DcnFlow& flow) {
                                                           return sizeClass.Contains(
                                                               static_cast<double>(flow.sizeBytes));
                                                       }));
        rows.push_back(row);
    }
    // rows of the answer: the truth is first in the table and may have the same name
    for (const auto& found : table.GetSummaryOf(1, DcnValidationRow::GetSizeClasses()))
    {
        for (DcnValidationRow& row : rows)
        {
            for (const Cell& cell : CELLS)
            {
                if (row.sizeClass != found.sizeClass || cell.metric != found.metric)
                {
                    continue;
                }
                auto set = [&row](double DcnValidationRow::*number, double value) {
                    if (number)
                    {
                        row.*number = value;
                    }
                };
                set(cell.value, found.value);
                set(cell.truth, found.truth);
                set(cell.error, found.relativeError);
            }
        }
    }
    for (DcnValidationRow& row : rows)
    {
        if (const auto limits =
                estimate.GetP99Limits(row.sizeClass, row.p99, static_cast<uint64_t>(row.nClass)))
        {
            std::tie(row.p99Lower, row.p99Upper) = *limits;
        }
    }
    std::ostringstream text;
    DcnValidationRow::Write(text, rows);
    return text.str();
}

DcnEstimate
DcnValidationRunner::GetTruth(const Task& task,
                              const DcnSuiteScenario& drawn,
                              Ptr<const DcnScenario> scenario,
                              const DcnSuiteLoad& load,
                              const DcnTaskFarm::Reply& reply) const
{
    if (task.truthRows.empty())
    {
        DcnEstimate truth = DcnEstimator::CreateByName(m_options.truth)->Estimate(scenario);
        truth.isGroundTruth = true; // the user says so
        Simulator::Destroy();
        const auto* bytes = reinterpret_cast<const char*>(truth.fctNs.data());
        reply(DcnTaskFarm::Pack({GetKey(ROWS, drawn.index, m_options.truth),
                                 MakeRows(drawn, scenario, load, truth, truth),
                                 GetKey(TIMES, drawn.index, m_options.truth),
                                 std::string(bytes, truth.fctNs.size() * sizeof(int64_t))}));
        return truth;
    }
    const DcnValidationRow row = DcnValidationRow::Read(task.truthRows, task.store).front();
    DcnEstimate truth;
    truth.method = m_options.truth;
    truth.isGroundTruth = true;
    truth.wallSeconds = row.wallSeconds;
    truth.cpuSeconds = row.cpuSeconds;
    truth.jobs = static_cast<uint32_t>(row.jobs);
    truth.answeredBy = row.answeredBy;
    truth.provenance = row.provenance;
    truth.fctNs.resize(scenario->GetFlows().size());
    if (task.truthTimes.size() != truth.fctNs.size() * sizeof(int64_t))
    {
        DcnFail(task.store,
                ": scenario ",
                drawn.index,
                " has ",
                task.truthTimes.size() / sizeof(int64_t),
                " completion times, but ",
                truth.fctNs.size(),
                " flows");
    }
    std::memcpy(truth.fctNs.data(), task.truthTimes.data(), task.truthTimes.size());
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
DcnValidationRunner::RunScenario(const Task& task, const DcnTaskFarm::Reply& reply) const
{
    DcnProgress::Silence();
    const DcnSuiteScenario drawn = m_suite.Draw(task.index);
    DcnSuiteLoad load;
    Ptr<const DcnScenario> scenario = m_suite.Create(drawn, load);
    const DcnEstimate truth = GetTruth(task, drawn, scenario, load, reply);
    for (const std::size_t m : task.methods)
    {
        try
        {
            DcnEstimate estimate =
                m < m_nMethods
                    ? DcnEstimator::CreateByName(m_methods[m])->Estimate(scenario)
                    : EstimateRepetition(scenario, static_cast<uint32_t>(m - m_nMethods) + 2);
            Simulator::Destroy();
            estimate.method = m_methods[m];
            reply(DcnTaskFarm::Pack({GetKey(ROWS, task.index, m_methods[m]),
                                     MakeRows(drawn, scenario, load, truth, estimate)}));
            NS_LOG_INFO("scenario " << task.index << ", " << m_methods[m] << ": "
                                    << estimate.cpuSeconds << " s");
        }
        catch (const DcnError& error)
        {
            DcnFail("scenario ", task.index, ", ", m_methods[m], ": ", error.what());
        }
    }
}

DcnValidationRunner::Task
DcnValidationRunner::FindMissing(uint64_t index) const
{
    Task task;
    task.index = index;
    task.store = m_store->GetPath();
    task.truthRows = m_store->Find(GetKey(ROWS, index, m_options.truth)).value_or("");
    task.truthTimes = m_store->Find(GetKey(TIMES, index, m_options.truth)).value_or("");
    for (std::size_t m = 0; m < m_methods.size(); ++m)
    {
        if (!m_store->Has(GetKey(ROWS, index, m_methods[m])))
        {
            task.methods.push_back(m);
        }
    }
    return task;
}

DcnValidationRunner::Report
DcnValidationRunner::Run()
{
    const bool isRoot = m_options.farm.IsRoot();
    Report report;
    std::vector<std::string> tasks;
    std::vector<std::pair<uint64_t, std::size_t>> left; // by task: scenario, and missing answers
    for (uint64_t i = m_options.first; i < m_options.last && isRoot; ++i)
    {
        const Task task = FindMissing(i);
        const std::size_t missing = task.GetNMissing();
        report.computed += missing;
        report.kept += m_methods.size() + 1 - missing;
        if (missing > 0)
        {
            tasks.push_back(task.Write());
            left.emplace_back(i, missing);
        }
    }
    DcnResultStore::Experiment experiment = Describe();
    for (std::size_t m = 0; m < m_methods.size(); ++m)
    {
        experiment["method " + std::to_string(m)] = m_methods[m] + m_digests.at(m_methods[m]);
    }
    uint64_t steps = 0;
    uint64_t done = 0;
    {
        DcnProgress progress("validate", report.computed, "answers");
        m_options.farm.Run(
            experiment,
            tasks,
            [this](const std::string& task, const DcnTaskFarm::Reply& reply) {
                RunScenario(Task(task), reply);
            },
            [&](uint64_t task, std::string&& bytes) {
                const std::vector<std::string> parts = DcnTaskFarm::Unpack(bytes);
                std::vector<DcnResultStore::Row> rows;
                for (std::size_t i = 0; i < parts.size(); i += 2)
                {
                    rows.emplace_back(parts[i], parts[i + 1]);
                }
                m_store->Add(rows);
                progress.Update(++steps);
                done += --left[task].second == 0 ? 1 : 0;
                if (left[task].second == 0 && !isatty(STDERR_FILENO) && tasks.size() > 2)
                {
                    std::cerr << "scenario " << left[task].first << " done, " << done << " of "
                              << tasks.size() << std::endl;
                }
            });
    }
    std::vector<std::string> texts;
    for (uint64_t i = m_options.first; i < m_options.last && isRoot; ++i)
    {
        for (const auto& method : m_methods)
        {
            texts.push_back(m_store->Find(GetKey(ROWS, i, method)).value_or(""));
        }
    }
    m_rows.clear();
    for (const auto& text : DcnTaskFarm::Unpack(m_options.farm.Share(DcnTaskFarm::Pack(texts))))
    {
        const auto rows = DcnValidationRow::Read(text, m_options.folder + "/results.db");
        m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    }
    return report;
}

bool
DcnValidationRunner::Write() const
{
    const DcnValidationSummary summary(m_rows);
    DcnFileWriter all(m_options.folder + "/validate.csv");
    DcnFileWriter few(m_options.folder + "/validate-summary.csv");
    DcnValidationRow::Write(all.Stream(), m_rows);
    summary.Write(few.Stream());
    all.Commit();
    few.Commit();
    return summary.Plot(m_options.folder + "/p99-error");
}

void
DcnValidationRunner::Print(std::ostream& out) const
{
    DcnValidationSummary(m_rows).Print(out);
}

void
DcnValidationRunner::PrintScenarios(std::ostream& out) const
{
    char text[96];
    out << "\nerror of the p99 slowdown in percent: <10KB / 10KB-1MB / >1MB\n";
    for (const auto& method : m_methods)
    {
        for (const DcnValidationRow& row : m_rows)
        {
            if (row.method != method || row.sizeClass != "all")
            {
                continue;
            }
            std::snprintf(text,
                          sizeof(text),
                          " load %.2f  %-7s",
                          row.load,
                          row.congestionControl.c_str());
            out << std::left << std::setw(20) << method << std::right << text;
            for (const char* sizeClass : {"<10KB", "10KB-1MB", ">1MB"})
            {
                for (const DcnValidationRow& other : m_rows)
                {
                    if (other.method == method && other.scenario == row.scenario &&
                        other.sizeClass == sizeClass)
                    {
                        std::snprintf(text, sizeof(text), " %+8.1f", 100 * other.p99Error);
                        // no such flow, or another method answered
                        out << (std::isnan(other.p99Error) ? "        -" : text);
                    }
                }
            }
            out << '\n';
        }
    }
}

} // namespace ns3
