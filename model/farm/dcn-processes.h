/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PROCESSES_H
#define DCN_PROCESSES_H

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @return true if ns-3's simulator has events that are not cancelled: to run it would run them, too
 */
bool DcnHasPendingEvents();

/**
 * @ingroup dcn
 * @brief Tasks under way, each in a forked copy of this process (ns-3's simulator is one per
 * process).
 *
 * A task finds everything as this process has it when the task begins, except that pending events
 * of ns-3's simulator are removed, so that it can simulate; the simulator's clock stands where it
 * stands here. A task can hand back bytes and nothing else. Tasks end with this object, and with
 * this process, however it ends.
 */
class DcnProcesses
{
  public:
    /// Hands back bytes; may be called any number of times.
    using Reply = std::function<void(const std::string&)>;
    /// A task.
    using Body = std::function<void(const Reply&)>;

    DcnProcesses() = default;
    ~DcnProcesses();
    DcnProcesses(const DcnProcesses&) = delete;
    DcnProcesses& operator=(const DcnProcesses&) = delete;

    /**
     * @brief Begin a task.
     * @param task its number, for Wait
     * @param body the task
     * @throws DcnError if there can be no further process
     */
    void Start(uint64_t task, const Body& body);

    /** @return number of tasks under way. */
    std::size_t GetN() const;

    /**
     * @brief Take the bytes that tasks have handed back, and notice tasks that have ended.
     * @param milliseconds to wait if there is nothing; below 0: until there is
     * @param onReply called with the number of a task and its bytes, in the order of its replies
     * @param onEnd called with the number of a task that has ended, after its replies, and with why
     * it has failed; empty: it is done
     */
    void Wait(int milliseconds,
              const std::function<void(uint64_t, std::string&&)>& onReply,
              const std::function<void(uint64_t, const std::string&)>& onEnd);

  private:
    /// A task under way.
    struct Process
    {
        uint64_t task;        //!< its number
        pid_t pid;            //!< its process
        int pipe;             //!< its output
        std::string bytes;    //!< output that is no whole message yet
        std::string sentence; //!< why it failed
    };

    /// Waits for the end of a process; returns why it has failed, or nothing.
    static std::string Finish(const Process& process);

    std::vector<Process> m_running; //!< in the order of their start
};

} // namespace ns3

#endif /* DCN_PROCESSES_H */
