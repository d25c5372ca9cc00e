/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-parallel.h"

#include "dcn-csv.h"
#include "dcn-error.h"
#include "dcn-progress.h"

#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/map-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <numeric>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnParallel");

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

constexpr char STEP = '\n'; //!< written by a task for every step; anything else is its sentence

/// A task under way.
struct Process
{
    uint64_t task;        //!< its number
    pid_t pid;            //!< its process
    int pipe;             //!< the task's output
    std::string sentence; //!< why it failed
};

/**
 * Write to the parent; end if there is none any more.
 * @param pipe where to write
 * @param text the text to write
 */
void
Tell(int pipe, const std::string& text)
{
    std::size_t written = 0;
    while (written < text.size())
    {
        const ssize_t n = write(pipe, text.data() + written, text.size() - written);
        if (n < 0 && errno != EINTR)
        {
            _exit(1);
        }
        written += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
}

/**
 * The life of a task's process.
 * @param task number of the task
 * @param pipe where to report
 * @param body the task
 */
[[noreturn]] void
RunTask(uint64_t task, int pipe, const std::function<void(uint64_t, const DcnTaskStep&)>& body)
{
    DcnProgress::Silence();
    int status = 0;
    try
    {
        RemoveEvents();
        body(task, [pipe]() { Tell(pipe, std::string(1, STEP)); });
    }
    catch (const DcnError& error)
    {
        Tell(pipe, error.what());
        status = 1;
    }
    catch (const std::exception& error)
    {
        Tell(pipe, "task " + std::to_string(task) + ": " + error.what());
        status = 1;
    }
    // not exit: the parent flushes and closes its open files itself
    _exit(status);
}

/**
 * Let this process end when its parent does, however that ends. Elsewhere than on Linux it ends
 * with the next step that it reports.
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

/**
 * @param task number of a task
 * @param running tasks under way, whose pipes the new process has no use for
 * @param body the task
 * @return its process
 */
Process
StartTask(uint64_t task,
          const std::vector<Process>& running,
          const std::function<void(uint64_t, const DcnTaskStep&)>& body)
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
        for (const Process& other : running)
        {
            close(other.pipe);
        }
        RunTask(task, ends[1], body);
    }
    close(ends[1]);
    return {task, pid, ends[0], ""};
}

/**
 * Read the output of a task.
 * @param process the task
 * @param onStep called for every step
 * @return false if it will write no more
 */
bool
Listen(Process& process, const DcnTaskStep& onStep)
{
    char text[4096];
    const ssize_t n = read(process.pipe, text, sizeof(text));
    for (ssize_t i = 0; i < n; ++i)
    {
        if (text[i] == STEP && process.sentence.empty())
        {
            onStep();
        }
        else
        {
            process.sentence += text[i];
        }
    }
    return n > 0 || (n < 0 && errno == EINTR);
}

/**
 * Wait until the process of a task has ended.
 * @param process the task
 * @return empty if all is well, else why not
 */
std::string
Finish(const Process& process)
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

/// The tasks under way; those that are left at the end, because one failed, are ended.
class Processes
{
  public:
    Processes() = default;

    ~Processes()
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

    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    std::vector<Process> m_running; //!< in the order of their start
};

/**
 * The result of a task, in a file without a name: its bytes go when the last of the processes that
 * have it open ends, however that happens.
 */
class ResultFile
{
  public:
    ResultFile()
    {
        const std::filesystem::path folder = std::filesystem::temp_directory_path();
        std::string path = (folder / "dcn-result-XXXXXX").string();
        m_file = mkstemp(path.data());
        if (m_file < 0)
        {
            DcnFail("no file for results can be made in ",
                    folder.string(),
                    ": ",
                    std::strerror(errno));
        }
        unlink(path.c_str());
    }

    ~ResultFile()
    {
        close(m_file);
    }

    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /**
     * @param result the result of the task
     */
    void Write(const std::string& result) const
    {
        std::size_t written = 0;
        while (written < result.size())
        {
            const ssize_t n = write(m_file, result.data() + written, result.size() - written);
            if (n < 0 && errno != EINTR)
            {
                DcnFail("the result of a task cannot be written: ", std::strerror(errno));
            }
            written += n > 0 ? static_cast<std::size_t>(n) : 0;
        }
    }

    /** @return the result, which the task's process has written. */
    std::string Read() const
    {
        const off_t size = lseek(m_file, 0, SEEK_END);
        std::string result(static_cast<std::size_t>(std::max<off_t>(0, size)), '\0');
        std::size_t done = 0;
        while (done < result.size())
        {
            const ssize_t n = pread(m_file,
                                    result.data() + done,
                                    result.size() - done,
                                    static_cast<off_t>(done));
            if (n == 0 || (n < 0 && errno != EINTR))
            {
                DcnFail("the result of a task cannot be read: ",
                        n == 0 ? "it is too short" : std::strerror(errno));
            }
            done += n > 0 ? static_cast<std::size_t>(n) : 0;
        }
        return result;
    }

  private:
    int m_file; //!< descriptor, which the task's process shares
};

/**
 * @param name of an environment variable
 * @param value its value
 * @return false if it is not there or no whole number
 */
bool
GetVariable(const char* name, uint64_t& value)
{
    const char* text = std::getenv(name);
    return text && DcnParse(std::string(text), value);
}

/**
 * Run tasks in processes; see DcnRunInProcesses.
 * @param tasks their numbers
 * @param jobs processes at a time
 * @param onStart called before the process of a task begins, which shares all that it opens
 * @param body the task
 * @param onStep called for every step
 * @param onTask called for every task that is done
 */
void
RunProcesses(const std::vector<uint64_t>& tasks,
             uint32_t jobs,
             const std::function<void(uint64_t)>& onStart,
             const std::function<void(uint64_t, const DcnTaskStep&)>& body,
             const DcnTaskStep& onStep,
             const std::function<void(uint64_t)>& onTask)
{
    Processes processes; // also ends them where a function of the caller throws
    std::vector<Process>& running = processes.m_running;
    std::string failure;
    std::size_t next = 0;
    while (failure.empty() && (next < tasks.size() || !running.empty()))
    {
        if (next < tasks.size() && running.size() < jobs)
        {
            onStart(tasks[next]);
            running.push_back(StartTask(tasks[next++], running, body));
            continue;
        }
        std::vector<pollfd> pipes;
        for (const Process& process : running)
        {
            pipes.push_back({process.pipe, POLLIN, 0});
        }
        poll(pipes.data(), pipes.size(), -1);
        for (std::size_t i = running.size(); i-- > 0;) // from the end: elements are erased
        {
            if (pipes[i].revents == 0 || Listen(running[i], onStep))
            {
                continue;
            }
            const uint64_t task = running[i].task;
            const std::string sentence = Finish(running[i]);
            NS_LOG_INFO("task " << task << (sentence.empty() ? " done" : " failed: " + sentence));
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            if (sentence.empty())
            {
                onTask(task);
            }
            failure = failure.empty() ? sentence : failure;
        }
    }
    if (!failure.empty())
    {
        DcnFail(failure);
    }
}

} // namespace

uint32_t
DcnCountThreads(uint32_t asked)
{
    return asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
}

void
DcnParallelFor(std::size_t n, uint32_t nThreads, const std::function<void(std::size_t)>& piece)
{
    nThreads = DcnCountThreads(nThreads);
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::size_t failed = n;
    std::exception_ptr failure;
    auto work = [&]() {
        for (std::size_t i = next++; i < n; i = next++)
        {
            try
            {
                piece(i);
            }
            catch (...)
            {
                const std::lock_guard<std::mutex> lock(mutex);
                if (i < failed)
                {
                    failed = i;
                    failure = std::current_exception();
                }
                next = n; // pieces before this one have all been begun
            }
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t t = 1; t < std::min<std::size_t>(nThreads, n); ++t)
    {
        threads.emplace_back(work);
    }
    work();
    for (auto& thread : threads)
    {
        thread.join();
    }
    if (failure)
    {
        std::rethrow_exception(failure);
    }
}

bool
DcnHasPendingEvents()
{
    return !ListEvents().empty();
}

void
DcnRunInProcesses(const std::vector<uint64_t>& tasks,
                  uint32_t jobs,
                  const std::function<void(uint64_t, const DcnTaskStep&)>& body,
                  const DcnTaskStep& onStep,
                  const std::function<void(uint64_t)>& onTask)
{
    RunProcesses(tasks, jobs, [](uint64_t) {}, body, onStep, onTask);
}

void
DcnTakeFromProcesses(uint64_t n,
                     uint32_t jobs,
                     const std::function<std::string(uint64_t)>& body,
                     const std::function<void(uint64_t, std::string&&)>& onResult)
{
    std::map<uint64_t, ResultFile> files; // of the tasks under way
    std::vector<uint64_t> tasks(n);
    std::iota(tasks.begin(), tasks.end(), 0);
    RunProcesses(
        tasks,
        jobs,
        [&](uint64_t task) { files[task]; }, // opens it
        [&](uint64_t task, const DcnTaskStep&) { files.at(task).Write(body(task)); },
        []() {},
        [&](uint64_t task) {
            std::string result = files.at(task).Read();
            files.erase(task);
            onResult(task, std::move(result));
        });
}

std::vector<std::string>
DcnComputeInProcesses(uint64_t n,
                      uint32_t jobs,
                      const std::function<std::string(uint64_t)>& body,
                      const std::function<void(uint64_t)>& onTask)
{
    std::vector<std::string> results(n);
    DcnTakeFromProcesses(n, jobs, body, [&](uint64_t task, std::string&& result) {
        results[task] = std::move(result);
        if (onTask)
        {
            onTask(task);
        }
    });
    return results;
}

DcnRank
DcnRank::Get()
{
    DcnRank rank;
    if ((GetVariable("OMPI_COMM_WORLD_RANK", rank.rank) &&
         GetVariable("OMPI_COMM_WORLD_SIZE", rank.size)) ||
        (GetVariable("PMI_RANK", rank.rank) && GetVariable("PMI_SIZE", rank.size)))
    {
        if (rank.rank < rank.size)
        {
            return rank;
        }
        DcnFail("the environment says that this is rank ", rank.rank, " of ", rank.size);
    }
    return {};
}

} // namespace ns3
