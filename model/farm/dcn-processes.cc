/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-processes.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/map-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnProcesses");

namespace
{

/// A scheduler that lists its events.
class ListingScheduler : public MapScheduler
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DcnListingScheduler")
                                .SetParent<MapScheduler>()
                                .SetGroupName("Dcn")
                                .AddConstructor<ListingScheduler>();
        return tid;
    }

    void Insert(const Event& event) override
    {
        m_events.push_back(event);
        MapScheduler::Insert(event);
    }

    static std::vector<Event> m_events; //!< all that were inserted
};

std::vector<Scheduler::Event> ListingScheduler::m_events;

/// @return events of the simulator that are not cancelled
std::vector<Scheduler::Event>
ListEvents()
{
    ObjectFactory factory;
    factory.SetTypeId(ListingScheduler::GetTypeId());
    Simulator::SetScheduler(factory); // moves the events, which lists them
    TypeIdValue type;
    GlobalValue::GetValueByName("SchedulerType", type);
    factory.SetTypeId(type.Get());
    Simulator::SetScheduler(factory);
    std::vector<Scheduler::Event> events;
    for (const Scheduler::Event& event : ListingScheduler::m_events)
    {
        if (!event.impl->IsCancelled())
        {
            events.push_back(event);
        }
    }
    ListingScheduler::m_events.clear();
    return events;
}

/// Removes all events of the simulator. Its nodes and objects stay: to destroy them could write
/// what the parent has in the buffers of its files.
void
RemoveEvents()
{
    for (const Scheduler::Event& event : ListEvents())
    {
        Simulator::Remove(
            EventId(event.impl, event.key.m_ts, event.key.m_context, event.key.m_uid));
    }
}

// A message of a task's process: its kind, the number of its bytes, and the bytes.
constexpr char REPLY = 'r';                                 //!< bytes that the task hands back
constexpr char FAILURE = 'f';                               //!< the sentence of a task that failed
constexpr std::size_t HEAD_BYTES = 1 + sizeof(std::size_t); //!< before the bytes of a message

/**
 * Write to the parent; end if there is none any more.
 * @param pipe where to write
 * @param kind of the message
 * @param bytes of the message
 */
void
Tell(int pipe, char kind, const std::string& bytes)
{
    const std::size_t size = bytes.size();
    std::string head(1, kind);
    head.append(reinterpret_cast<const char*>(&size), sizeof(size));
    for (const std::string* part : {static_cast<const std::string*>(&head), &bytes})
    {
        std::size_t written = 0;
        while (written < part->size())
        {
            const ssize_t n = write(pipe, part->data() + written, part->size() - written);
            if (n < 0 && errno != EINTR)
            {
                _exit(1);
            }
            written += n > 0 ? static_cast<std::size_t>(n) : 0;
        }
    }
}

/**
 * The life of a task's process.
 * @param task number of the task
 * @param pipe where to report
 * @param body the task
 */
[[noreturn]] void
RunTask(uint64_t task, int pipe, const DcnProcesses::Body& body)
{
    DcnProgress::Silence();
    int status = 0;
    try
    {
        RemoveEvents();
        body([pipe](const std::string& bytes) { Tell(pipe, REPLY, bytes); });
    }
    catch (const DcnError& error)
    {
        Tell(pipe, FAILURE, error.what());
        status = 1;
    }
    catch (const std::exception& error)
    {
        Tell(pipe, FAILURE, "task " + std::to_string(task) + ": " + error.what());
        status = 1;
    }
    // not exit: the parent flushes and closes its open files itself
    _exit(status);
}

/**
 * Let this process end when its parent does, however that ends. Elsewhere than on Linux it ends
 * with the next bytes that it hands back.
 * @param parent the parent
 */
void
EndWithParent([[maybe_unused]] pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) // it ended before the line above
    {
        _exit(1);
    }
#endif
}

} // namespace

bool
DcnHasPendingEvents()
{
    return !ListEvents().empty();
}

DcnProcesses::~DcnProcesses()
{
    for (const Process& process : m_running)
    {
        kill(process.pid, SIGTERM);
    }
    for (const Process& process : m_running)
    {
        Finish(process);
    }
}

void
DcnProcesses::Start(uint64_t task, const Body& body)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        DcnFail("no further process can be started: ", std::strerror(errno));
    }
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0)
    {
        close(ends[0]);
        close(ends[1]);
        DcnFail("no further process can be started: ", std::strerror(errno));
    }
    if (pid == 0)
    {
        EndWithParent(parent);
        close(ends[0]);
        for (const Process& other : m_running) // whose pipes the new process has no use for
        {
            close(other.pipe);
        }
        RunTask(task, ends[1], body);
    }
    close(ends[1]);
    m_running.push_back({task, pid, ends[0], "", ""});
}

std::size_t
DcnProcesses::GetN() const
{
    return m_running.size();
}

std::string
DcnProcesses::Finish(const Process& process)
{
    close(process.pipe);
    int status = 0;
    while (waitpid(process.pid, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    {
        return "";
    }
    if (!process.sentence.empty())
    {
        return process.sentence;
    }
    const std::string which = "the process of task " + std::to_string(process.task);
    return WIFSIGNALED(status)
               ? which + " was ended by signal " + std::to_string(WTERMSIG(status))
               : which + " ended with status " + std::to_string(WEXITSTATUS(status));
}

void
DcnProcesses::Wait(int milliseconds,
                   const std::function<void(uint64_t, std::string&&)>& onReply,
                   const std::function<void(uint64_t, const std::string&)>& onEnd)
{
    std::vector<pollfd> pipes;
    for (const Process& process : m_running)
    {
        pipes.push_back({process.pipe, POLLIN, 0});
    }
    poll(pipes.data(), pipes.size(), milliseconds);
    for (std::size_t i = m_running.size(); i-- > 0;) // from the end: elements are erased
    {
        if (pipes[i].revents == 0)
        {
            continue;
        }
        Process& process = m_running[i];
        std::array<char, 65536> part;
        const ssize_t n = read(process.pipe, part.data(), part.size());
        process.bytes.append(part.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
        std::size_t begin = 0;
        while (process.bytes.size() - begin >= HEAD_BYTES)
        {
            std::size_t size = 0;
            std::memcpy(&size, process.bytes.data() + begin + 1, sizeof(size));
            if (process.bytes.size() - begin - HEAD_BYTES < size)
            {
                break;
            }
            std::string bytes = process.bytes.substr(begin + HEAD_BYTES, size);
            if (process.bytes[begin] == REPLY)
            {
                onReply(process.task, std::move(bytes));
            }
            else
            {
                process.sentence = std::move(bytes);
            }
            begin += HEAD_BYTES + size;
        }
        process.bytes.erase(0, begin);
        if (n > 0 || (n < 0 && errno == EINTR))
        {
            continue;
        }
        const uint64_t task = process.task;
        const std::string sentence = Finish(process);
        NS_LOG_INFO("task " << task << (sentence.empty() ? " done" : " failed: " + sentence));
        m_running.erase(m_running.begin() + static_cast<std::ptrdiff_t>(i));
        onEnd(task, sentence);
    }
}

} // namespace ns3
