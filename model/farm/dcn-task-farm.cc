/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-task-farm.h"

#include "dcn-mpi.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-progress.h"
#include "ns3/log.h"

#include <chrono>
#include <cstring>
#include <iostream>
#include <map>
#include <thread>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTaskFarm");

namespace
{

constexpr int POLL_MS = 2;    //!< how often a rank looks for messages; a task takes far longer
constexpr int SHOW_MS = 1000; //!< how often the progress of a task is shown that takes longer

// Messages of ranks: the first part is the kind.
const std::string HELLO = "hello";   //!< to the root: jobs and experiment of the sender
const std::string TASK = "task";     //!< to a rank: number and task
const std::string REPLY = "reply";   //!< to the root: number of a task, and its bytes
const std::string END = "end";       //!< to the root: number of a task, and why it failed
const std::string NO_MORE = "close"; //!< to a rank: there are no more tasks
const std::string SHARE = "share";   //!< to a rank: bytes of the root

/// Waits for a message without keeping a core busy.
DcnMpi::Message
WaitForMessage()
{
    for (;;)
    {
        if (auto message = DcnMpi::Receive())
        {
            return *std::move(message);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(POLL_MS));
    }
}

/// @return the experiment with what each has to agree on
DcnResultStore::Experiment
AddRelease(DcnResultStore::Experiment experiment)
{
    experiment["release of dcn"] = DCN_RELEASE;
    return experiment;
}

/// @return the pairs as parts
std::vector<std::string>
ToParts(const DcnResultStore::Experiment& experiment)
{
    std::vector<std::string> parts;
    for (const auto& [key, value] : experiment)
    {
        parts.push_back(key);
        parts.push_back(value);
    }
    return parts;
}

/**
 * Refuse a rank of another experiment.
 * @param rank its number
 * @param mine of the root, with the release
 * @param parts of the rank, see ToParts
 */
void
Compare(uint32_t rank,
        const DcnResultStore::Experiment& mine,
        const std::vector<std::string>& parts)
{
    DcnResultStore::Experiment other;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
    {
        other[parts[i]] = parts[i + 1];
    }
    auto get = [](const DcnResultStore::Experiment& experiment, const std::string& key) {
        const auto found = experiment.find(key);
        return found == experiment.end() ? "not there" : "\"" + found->second + "\"";
    };
    DcnResultStore::Experiment keys = mine;
    keys.insert(other.begin(), other.end());
    for (const auto& pair : keys)
    {
        const std::string& key = pair.first;
        if (get(mine, key) != get(other, key))
        {
            DcnFail("the ranks of mpirun differ: ",
                    key,
                    " is ",
                    get(other, key),
                    " at rank ",
                    rank,
                    ", but ",
                    get(mine, key),
                    " at rank 0; give all ranks the same program, options and files");
        }
    }
}

} // namespace

/// One call of Run: the tasks under way on this rank and, at the root, on all.
class DcnTaskFarm::Session
{
  public:
    Session(const DcnTaskFarm& farm,
            const DcnResultStore::Experiment& experiment,
            const Body& body)
        : m_farm(farm),
          m_experiment(AddRelease(experiment)),
          m_body(body)
    {
    }

    /// Deals tasks until there are no more and all have ended.
    void Deal(const Source& next, const Taker& take)
    {
        m_take = &take;
        m_places[0] = m_farm.m_jobs;
        const uint32_t nRanks = m_farm.GetNRanks();
        bool isEmpty = false;
        while (!isEmpty || m_nBusy > 0 || m_places.size() < nRanks)
        {
            for (auto& [rank, places] : m_places)
            {
                while (!isEmpty && places > 0)
                {
                    std::optional<std::string> task = next();
                    isEmpty = !task;
                    if (task)
                    {
                        Begin(rank, m_nTasks++, *task);
                        --places;
                        ++m_nBusy;
                    }
                }
            }
            if (isEmpty && m_nBusy == 0 && m_places.size() == nRanks)
            {
                break;
            }
            Wait([&](uint64_t task, std::string&& bytes) { take(task, std::move(bytes)); },
                 [&](uint64_t task, const std::string& failure) { OnEnd(0, task, failure); });
        }
        for (uint32_t rank = 1; rank < nRanks; ++rank)
        {
            DcnMpi::Send(rank, Pack({NO_MORE}));
        }
    }

    /// Does tasks of the root until there are no more.
    void Serve()
    {
        std::vector<std::string> hello = ToParts(m_experiment);
        hello.insert(hello.begin(), {HELLO, std::to_string(m_farm.m_jobs)});
        DcnMpi::Send(0, Pack(hello));
        while (!m_isClosed)
        {
            Wait(
                [](uint64_t task, std::string&& bytes) {
                    DcnMpi::Send(0, Pack({REPLY, std::to_string(task), bytes}));
                },
                [](uint64_t task, const std::string& failure) {
                    DcnMpi::Send(0, Pack({END, std::to_string(task), failure}));
                });
        }
    }

  private:
    /// Begins a task on a rank.
    void Begin(uint32_t rank, uint64_t number, const std::string& task)
    {
        NS_LOG_INFO("task " << number << " to rank " << rank);
        if (rank > 0)
        {
            DcnMpi::Send(rank, Pack({TASK, std::to_string(number), task}));
            return;
        }
        m_processes.Start(number, [&](const Reply& reply) { m_body(task, reply); });
    }

    /// Notes at the root that a task of a rank has ended.
    void OnEnd(uint32_t rank, uint64_t task, const std::string& failure)
    {
        if (!failure.empty())
        {
            DcnFail(failure);
        }
        NS_LOG_INFO("task " << task << " of rank " << rank << " has ended");
        ++m_places[rank];
        --m_nBusy;
    }

    /// Waits for tasks of this rank and for messages.
    void Wait(const std::function<void(uint64_t, std::string&&)>& onReply,
              const std::function<void(uint64_t, const std::string&)>& onEnd)
    {
        const bool isAlone = m_farm.GetNRanks() == 1;
        m_processes.Wait(isAlone ? SHOW_MS : POLL_MS, onReply, onEnd);
        DcnProgress::Wait();
        while (!isAlone && !m_isClosed)
        {
            auto message = DcnMpi::Receive();
            if (!message)
            {
                return;
            }
            OnMessage(message->rank, Unpack(message->bytes));
        }
    }

    /// Does what a message asks for.
    void OnMessage(uint32_t rank, std::vector<std::string>&& parts)
    {
        const std::string& kind = parts.at(0);
        if (kind == HELLO)
        {
            m_places[rank] = static_cast<uint32_t>(std::stoul(parts.at(1)));
            Compare(rank, m_experiment, {parts.begin() + 2, parts.end()});
        }
        else if (kind == TASK)
        {
            Begin(0, std::stoull(parts.at(1)), parts.at(2));
        }
        else if (kind == REPLY)
        {
            (*m_take)(std::stoull(parts.at(1)), std::move(parts.at(2)));
        }
        else if (kind == END)
        {
            OnEnd(rank, std::stoull(parts.at(1)), parts.at(2));
        }
        else if (kind == NO_MORE)
        {
            m_isClosed = true;
        }
        else
        {
            DcnFail("rank 0 has passed on results (",
                    kind,
                    ") while rank ",
                    DcnMpi::GetRank(),
                    " waits for tasks: give all ranks the same program and options");
        }
    }

    const DcnTaskFarm& m_farm;                     //!< places of this rank
    const DcnResultStore::Experiment m_experiment; //!< on which all ranks have to agree
    const Body& m_body;                            //!< does a task
    const Taker* m_take{nullptr};                  //!< at the root: takes bytes of tasks
    DcnProcesses m_processes;                      //!< tasks of this rank
    std::map<uint32_t, uint32_t> m_places; //!< at the root: free places of ranks that are there
    uint64_t m_nTasks{0};                  //!< at the root: tasks that have begun
    uint64_t m_nBusy{0};                   //!< at the root: tasks under way on all ranks
    bool m_isClosed{false};                //!< elsewhere: there are no more tasks
};

DcnTaskFarm::DcnTaskFarm(uint32_t jobs)
    : m_jobs(jobs)
{
    if (jobs == 0)
    {
        DcnFail("the number of jobs must be at least 1, but it is 0");
    }
}

DcnTaskFarm
DcnTaskFarm::OverMpi(uint32_t jobs)
{
    DcnTaskFarm farm(jobs);
    if (!DcnMpi::IsBuilt())
    {
        std::cerr << "dcn was built without MPI (libopenmpi-dev): the tasks run in local processes"
                  << std::endl;
        return farm;
    }
    DcnMpi::Begin();
    farm.m_isMpi = true;
    if (!farm.IsRoot())
    {
        DcnProgress::Silence();
    }
    return farm;
}

bool
DcnTaskFarm::IsRoot() const
{
    return !m_isMpi || DcnMpi::GetRank() == 0;
}

uint32_t
DcnTaskFarm::GetNRanks() const
{
    return m_isMpi ? DcnMpi::GetSize() : 1;
}

uint32_t
DcnTaskFarm::GetJobs() const
{
    return m_jobs;
}

void
DcnTaskFarm::Run(const DcnResultStore::Experiment& experiment,
                 const Source& next,
                 const Body& body,
                 const Taker& take) const
{
    Session session(*this, experiment, body);
    if (IsRoot())
    {
        session.Deal(next, take);
    }
    else
    {
        session.Serve();
    }
}

void
DcnTaskFarm::Run(const DcnResultStore::Experiment& experiment,
                 const std::vector<std::string>& tasks,
                 const Body& body,
                 const Taker& take) const
{
    std::size_t next = 0;
    Run(
        experiment,
        [&]() { return next < tasks.size() ? std::make_optional(tasks[next++]) : std::nullopt; },
        body,
        take);
}

std::string
DcnTaskFarm::Share(const std::string& bytes) const
{
    if (GetNRanks() == 1)
    {
        return bytes;
    }
    if (IsRoot())
    {
        for (uint32_t rank = 1; rank < GetNRanks(); ++rank)
        {
            DcnMpi::Send(rank, Pack({SHARE, bytes}));
        }
        return bytes;
    }
    std::vector<std::string> parts = Unpack(WaitForMessage().bytes);
    if (parts.at(0) != SHARE)
    {
        DcnFail("rank 0 deals tasks (",
                parts.at(0),
                ") while rank ",
                DcnMpi::GetRank(),
                " waits for results: give all ranks the same program and options");
    }
    return std::move(parts.at(1));
}

std::string
DcnTaskFarm::Pack(const std::vector<std::string>& parts)
{
    std::string bytes;
    for (const std::string& part : parts)
    {
        const uint64_t size = part.size();
        bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
        bytes += part;
    }
    return bytes;
}

std::vector<std::string>
DcnTaskFarm::Unpack(const std::string& bytes)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < bytes.size();)
    {
        uint64_t size = 0;
        std::memcpy(&size, bytes.data() + begin, sizeof(size));
        begin += sizeof(size);
        parts.push_back(bytes.substr(begin, size));
        begin += size;
    }
    return parts;
}

DcnTaskFarmOptions::DcnTaskFarmOptions(bool isWide)
    : m_isWide(isWide)
{
}

void
DcnTaskFarmOptions::AddTo(CommandLine& cmd)
{
    DcnAddText(cmd,
               "jobs",
               m_isWide ? "Parallel processes (one per core; with --mpi, one per rank)"
                        : "Parallel processes, with --mpi per rank (1)",
               m_jobs);
    cmd.AddValue("mpi", "Share the work among the ranks of mpirun", m_isMpi);
}

bool
DcnTaskFarmOptions::IsMpi() const
{
    return m_isMpi;
}

DcnTaskFarm
DcnTaskFarmOptions::Make() const
{
    uint64_t jobs = m_isWide && !m_isMpi ? DcnCountThreads(0) : 1;
    if (!m_jobs.empty() && (!DcnParse(m_jobs, jobs) || jobs == 0 || jobs > UINT32_MAX))
    {
        DcnFail("--jobs must be a whole number from 1 on, but it is \"", m_jobs, "\"");
    }
    const auto n = static_cast<uint32_t>(jobs);
    return m_isMpi ? DcnTaskFarm::OverMpi(n) : DcnTaskFarm(n);
}

std::vector<std::string>
DcnComputeInProcesses(uint64_t n,
                      uint32_t jobs,
                      const std::function<std::string(uint64_t)>& body,
                      const std::function<void(uint64_t)>& onTask)
{
    std::vector<std::string> results(n);
    uint64_t next = 0;
    DcnTaskFarm(jobs).Run(
        {},
        [&]() { return next < n ? std::make_optional(std::to_string(next++)) : std::nullopt; },
        [&](const std::string& task, const DcnTaskFarm::Reply& reply) {
            reply(body(std::stoull(task)));
        },
        [&](uint64_t task, std::string&& result) {
            results[task] = std::move(result);
            if (onTask)
            {
                onTask(task);
            }
        });
    return results;
}

} // namespace ns3
