/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-runner.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-query.h"
#include "ns3/dcn-input-check.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
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
                           const DcnTaskFarm& farm,
                           uint64_t first,
                           Processes processes)
    : m_traces(traces),
      m_simulator(simulator),
      m_store(std::move(store)),
      m_farm(farm),
      m_first(first),
      m_processes(processes)
{
}

void
CcevalRunner::Run(uint64_t n, const std::function<void(uint64_t)>& onTrial)
{
    std::vector<uint64_t> runs;
    for (uint64_t run = m_first; run < m_first + n; ++run)
    {
        if (!m_store.Find(run))
        {
            runs.push_back(run);
        }
    }
    const bool hasRanks = m_farm.GetNRanks() > 1; // then the root alone knows which are missing
    if (!runs.empty() || hasRanks)
    {
        NS_LOG_INFO(runs.size() << " of " << n << " trials from " << m_first << " on are run");
        Compute(runs, onTrial);
    }
    if (hasRanks)
    {
        Share(n);
    }
}

void
CcevalRunner::Share(uint64_t n)
{
    std::vector<std::string> lines;
    for (uint64_t i = m_nShared; i < n && m_farm.IsRoot(); ++i)
    {
        lines.push_back(CcevalStore::Write(Get(m_first + i)));
    }
    lines = DcnTaskFarm::Unpack(m_farm.Share(DcnTaskFarm::Pack(lines)));
    for (std::size_t i = 0; i < lines.size() && !m_farm.IsRoot(); ++i)
    {
        m_store.Add({{m_first + m_nShared + i, lines[i]}});
    }
    m_nShared = std::max(m_nShared, n);
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

std::size_t
CcevalRunner::ChooseChunk(std::size_t left) const
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
    if (known == 0 || m_processes == Processes::OWN)
    {
        return 1; // the first trials show the time of a trial
    }
    const double each = std::max(seconds / static_cast<double>(known), 20e-6);
    const std::size_t places = std::size_t(m_farm.GetJobs()) * m_farm.GetNRanks();
    return std::clamp<std::size_t>(static_cast<std::size_t>(CHUNK_SECONDS / each),
                                   1,
                                   (left + places - 1) / places);
}

void
CcevalRunner::Compute(const std::vector<uint64_t>& runs,
                      const std::function<void(uint64_t)>& onTrial)
{
    // Trials go to processes in chunks, whose size follows from the time of finished trials. Chunks
    // change who computes what and when, but no result.
    std::size_t next = 0;
    const std::clock_t start = std::clock();
    while (m_processes == Processes::CHEAP && m_farm.IsRoot() && next < runs.size() &&
           static_cast<double>(std::clock() - start) < CHUNK_SECONDS * CLOCKS_PER_SEC)
    {
        m_store.Add({{runs[next], Answer(runs[next])}});
        ++next;
        if (onTrial)
        {
            onTrial(m_store.GetN());
        }
    }
    if (next == runs.size() && m_farm.GetNRanks() == 1)
    {
        return;
    }
    std::vector<std::size_t> begins; // of the chunks, by task
    m_farm.Run(
        m_store.GetConfiguration(),
        [&]() -> std::optional<std::string> {
            if (next == runs.size())
            {
                return std::nullopt;
            }
            begins.push_back(next);
            const std::size_t end = next + ChooseChunk(runs.size() - next);
            std::ostringstream chunk;
            for (; next < end; ++next)
            {
                chunk << runs[next] << ' ';
            }
            return chunk.str();
        },
        [&](const std::string& task, const DcnTaskFarm::Reply& reply) {
            std::istringstream chunk(task);
            std::vector<std::string> lines;
            for (uint64_t run = 0; chunk >> run;)
            {
                lines.push_back(Answer(run));
            }
            reply(DcnTaskFarm::Pack(lines));
        },
        // the lines of a task are stored as soon as it ends, so that an interruption loses little
        [&](uint64_t task, std::string&& bytes) {
            std::vector<CcevalStore::Line> answers;
            for (std::string& line : DcnTaskFarm::Unpack(bytes))
            {
                answers.emplace_back(runs[begins[task] + answers.size()], std::move(line));
            }
            m_store.Add(answers);
            if (onTrial)
            {
                onTrial(m_store.GetN());
            }
        });
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
