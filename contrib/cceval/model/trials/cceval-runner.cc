/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-runner.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-query.h"
#include "ns3/dcn-input-check.h"
#include "ns3/dcn-parallel.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalRunner");

namespace
{

constexpr double CHUNK_SECONDS = 0.5; //!< a process that runs for less time is not worth its start

} // namespace

CcevalSimulator
CcevalEstimatorSimulator(const CcevalTraffic& traffic,
                         Ptr<const DcnNetworkConfig> network,
                         const std::string& estimator)
{
    DcnCheckInputFiles({estimator});
    return [&traffic, network, estimator](const CcevalTrace& trace) {
        CcevalOutcome outcome;
        auto method = DcnEstimator::CreateByName(estimator);
        const auto scenario = traffic.MakeScenario(trace, network);
        const DcnEstimate estimate = method->Estimate(scenario);
        Simulator::Destroy();
        outcome.fctNs = estimate.fctNs;
        outcome.wallSeconds = estimate.wallSeconds;
        outcome.cpuSeconds = estimate.cpuSeconds;
        outcome.answeredBy = DcnCsvText(estimate.answeredBy);
        // a method that has the time of every flow is evaluated by these, as where it is a control
        const bool hasTimes = estimate.GetNFinished() == estimate.fctNs.size();
        if (!hasTimes && !estimate.samples.empty())
        {
            const DcnSampleIdeals ideals(*scenario);
            for (const auto& sample : estimate.samples)
            {
                outcome.samples.push_back(
                    {sample.slowdown, sample.sizeBytes, sample.weight, ideals.Get(sample)});
            }
        }
        if (!estimate.IsComplete())
        {
            outcome.failure = estimate.DescribeCompletion();
        }
        return outcome;
    };
}

CcevalSimulator
CcevalOwnSimulator(const CcevalSimulation& simulation)
{
    return [simulation](const CcevalTrace& trace) {
        CcevalOutcome outcome;
        const std::clock_t start = std::clock();
        const auto begin = std::chrono::steady_clock::now();
        try
        {
            RngSeedManager::SetRun(trace.seed);
            const CcevalOwnTrial trial = simulation(trace.seed);
            if (!trial.scenario || trial.fctNs.size() != trial.scenario->GetFlows().size())
            {
                DcnFail("the simulation has returned ",
                        trial.fctNs.size(),
                        " completion times of ",
                        trial.scenario ? trial.scenario->GetFlows().size() : 0,
                        " flows");
            }
            outcome.flows = trial.scenario->GetFlows();
            outcome.fctNs = trial.fctNs;
            for (std::size_t flow = 0; flow < outcome.flows.size(); ++flow)
            {
                outcome.idealNs.push_back(trial.scenario->GetIdealFct(flow).GetTotalNs());
            }
            const auto nUnfinished =
                std::count(trial.fctNs.begin(), trial.fctNs.end(), DcnEstimate::UNFINISHED);
            if (nUnfinished > 0)
            {
                outcome.failure = std::to_string(nUnfinished) + " of " +
                                  std::to_string(trial.fctNs.size()) + " flows did not finish";
            }
        }
        catch (const DcnError& error)
        {
            outcome.failure = error.what();
        }
        outcome.cpuSeconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        outcome.wallSeconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return outcome;
    };
}

CcevalRunner::CcevalRunner(const CcevalTraceSource& traces,
                           const CcevalSimulator& simulator,
                           CcevalStore store,
                           uint32_t jobs,
                           uint64_t first,
                           Processes processes)
    : m_traces(traces),
      m_simulator(simulator),
      m_store(std::move(store)),
      m_jobs(jobs),
      m_first(first),
      m_processes(processes)
{
    if (jobs == 0)
    {
        DcnFail("the number of jobs must be at least 1, but it is 0");
    }
}

void
CcevalRunner::Run(uint64_t n, const std::function<void(uint64_t)>& onTrial)
{
    RunMissing(m_first, n, 1, onTrial);
}

void
CcevalRunner::RunShare(uint64_t n, uint64_t rank, uint64_t size)
{
    RunMissing(m_first + rank, n - std::min(n, rank), size, nullptr);
}

void
CcevalRunner::RunMissing(uint64_t first,
                         uint64_t n,
                         uint64_t step,
                         const std::function<void(uint64_t)>& onTrial)
{
    std::vector<uint64_t> runs;
    for (uint64_t run = first; run < first + n; run += step)
    {
        if (!m_store.Find(run))
        {
            runs.push_back(run);
        }
    }
    if (!runs.empty())
    {
        NS_LOG_INFO(runs.size() << " of " << n << " trials from " << first << " on are run");
        Compute(runs, onTrial);
    }
}

std::string
CcevalRunner::Answer(uint64_t run) const
{
    const CcevalTrace trace = m_traces(run);
    try
    {
        return CcevalStore::Write(m_simulator(trace));
    }
    catch (const DcnError& error)
    {
        // no outcome of the trial: as a rule each trial would have it
        DcnFail("trial ", run, " (seed ", trace.seed, ") cannot be run: ", error.what());
    }
}

void
CcevalRunner::Compute(const std::vector<uint64_t>& runs,
                      const std::function<void(uint64_t)>& onTrial)
{
    // Trials go to processes in chunks, whose size follows from the time of finished trials. Chunks
    // change who computes what and when, but no result.
    std::size_t next = 0;
    const std::clock_t start = std::clock();
    while (m_processes == Processes::CHEAP && next < runs.size() &&
           static_cast<double>(std::clock() - start) < CHUNK_SECONDS * CLOCKS_PER_SEC)
    {
        m_store.Add({{runs[next], Answer(runs[next])}});
        ++next;
        if (onTrial)
        {
            onTrial(m_store.GetN());
        }
    }
    while (next < runs.size())
    {
        double seconds = 0;
        uint64_t known = 0;
        for (uint64_t run = m_first; run < m_first + m_store.GetN() && known < 10; ++run)
        {
            if (const CcevalOutcome* outcome = m_store.Find(run))
            {
                // the smaller of both: on a busy machine elapsed time exceeds the cost of a trial
                seconds += std::min(outcome->cpuSeconds, outcome->wallSeconds);
                ++known;
            }
        }
        const std::size_t left = runs.size() - next;
        std::size_t chunk = 1;
        std::size_t batch = m_jobs; // first trials, which show the time of a trial
        if (known > 0)
        {
            const double each = std::max(seconds / static_cast<double>(known), 20e-6);
            chunk = std::clamp<std::size_t>(static_cast<std::size_t>(CHUNK_SECONDS / each),
                                            1,
                                            (left + m_jobs - 1) / m_jobs);
            batch = left;
        }
        if (m_processes == Processes::OWN)
        {
            chunk = 1;
        }
        batch = std::min(batch, left);
        const std::size_t nChunks = (batch + chunk - 1) / chunk;
        const std::size_t first = next;
        auto begin = [&](uint64_t task) { return first + task * chunk; };
        auto end = [&](uint64_t task) { return std::min(begin(task) + chunk, first + batch); };
        // the lines of a task are stored as soon as it ends, so that an interruption loses little
        DcnTakeFromProcesses(
            nChunks,
            m_jobs,
            [&](uint64_t task) {
                std::string lines;
                for (std::size_t i = begin(task); i < end(task); ++i)
                {
                    lines += Answer(runs[i]) + '\n';
                }
                return lines;
            },
            [&](uint64_t task, std::string&& lines) {
                std::vector<CcevalStore::Line> answers;
                std::istringstream stream(lines);
                std::string line;
                for (std::size_t i = begin(task); std::getline(stream, line); ++i)
                {
                    answers.emplace_back(runs[i], std::move(line));
                }
                m_store.Add(answers);
                if (onTrial)
                {
                    onTrial(m_store.GetN());
                }
            });
        next += batch;
    }
}

uint64_t
CcevalRunner::GetFirst() const
{
    return m_first;
}

const CcevalOutcome&
CcevalRunner::Get(uint64_t run) const
{
    const CcevalOutcome* outcome = m_store.Find(run);
    NS_ASSERT_MSG(outcome, "trial " << run << " was not run");
    return *outcome;
}

CcevalTrace
CcevalRunner::GetTrace(uint64_t run) const
{
    return m_traces(run);
}

double
CcevalRunner::GetCpuSeconds(uint64_t n) const
{
    double seconds = 0;
    for (uint64_t run = m_first; run < m_first + n; ++run)
    {
        seconds += Get(run).cpuSeconds;
    }
    return seconds;
}

std::string
CcevalDescribeFailure(uint64_t run, uint64_t seed, const std::string& failure)
{
    std::ostringstream text;
    text << "trial " << run << " (seed " << seed << ") failed: " << failure;
    return text.str();
}

std::map<std::string, std::string>
CcevalDescribeTrials(const CcevalTraffic& traffic,
                     const DcnNetworkConfig& network,
                     const std::string& estimator)
{
    std::map<std::string, std::string> keys{{"traffic", traffic.Describe()},
                                            {"estimator", estimator}};
    std::string& text = keys["network"];
    for (const auto& [key, value] : network.GetKeys())
    {
        text += (text.empty() ? "" : " ") + key + "=" + value;
    }
    const std::string digest = DcnEstimator::CreateByName(estimator)->GetDigest();
    if (!digest.empty())
    {
        keys["digest"] = digest;
    }
    return keys;
}

} // namespace ns3
