/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PARALLEL_H
#define DCN_PARALLEL_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @param asked number of threads or processes that are asked for; 0: as many as there are cores
 * @return how many that is, at least 1
 */
uint32_t DcnCountThreads(uint32_t asked);

/**
 * @ingroup dcn
 * @brief Do independent pieces of work on several threads.
 *
 * Pieces are begun in order, by whichever thread is free. A piece writes to places of its own, so
 * that the result does not depend on the number of threads. It must not touch objects that are not
 * safe to share: the Simulator, reference counts of ns-3 objects that other pieces use, random
 * streams.
 *
 * @param n number of pieces
 * @param nThreads number of threads; 0: as many as the machine has cores
 * @param piece called once with each of 0 .. n - 1
 * @throws the exception of the first piece in order that failed; later pieces may not be done
 */
void DcnParallelFor(std::size_t n,
                    uint32_t nThreads,
                    const std::function<void(std::size_t)>& piece);

/**
 * @ingroup dcn
 * @brief The reference count of an immutable value that threads share through ns3::Ptr.
 *
 * Like ns3::SimpleRefCount, but the count is atomic: ns-3's own count may be changed by one thread
 * only. A copy of an object has a count of its own.
 *
 * @tparam T the class that derives from this one
 */
template <typename T>
class DcnSharedCount
{
  public:
    DcnSharedCount() = default;

    DcnSharedCount(const DcnSharedCount&)
    {
    }

    DcnSharedCount& operator=(const DcnSharedCount&)
    {
        return *this;
    }

    /// Adds a reference; for ns3::Ptr.
    void Ref() const
    {
        m_count.fetch_add(1, std::memory_order_relaxed);
    }

    /// Takes a reference away and deletes the object with the last one; for ns3::Ptr.
    void Unref() const
    {
        if (m_count.fetch_sub(1, std::memory_order_acq_rel) == 1)
        {
            delete static_cast<const T*>(this);
        }
    }

  protected:
    ~DcnSharedCount() = default;

  private:
    mutable std::atomic<uint32_t> m_count{1}; //!< references; the first is the maker's
};

/// @ingroup dcn
/// @brief Something that a task calls for every step it has done.
using DcnTaskStep = std::function<void()>;

/**
 * @ingroup dcn
 * @return true if ns-3's simulator has events that are not cancelled: to run it would run them, too
 */
bool DcnHasPendingEvents();

/**
 * @ingroup dcn
 * @brief Run tasks in processes of their own, some at a time (ns-3's simulator is one per process).
 *
 * Each task runs in a forked copy of this process, which ends with the task: what it computes must
 * go into files. Pending events of ns-3's simulator are removed there, so that a task can simulate;
 * its clock stands where it stood here. When a task fails, the others are ended. When this process
 * ends, so do the tasks.
 *
 * @param tasks their numbers, in the order in which they begin
 * @param jobs tasks that run at a time, at least 1
 * @param body runs a task, given its number, in the new process
 * @param onStep called here for every step of any task
 * @param onTask called here when a task is done, with its number
 * @throws DcnError the one that a task has thrown, or one that says how its process ended
 */
void DcnRunInProcesses(const std::vector<uint64_t>& tasks,
                       uint32_t jobs,
                       const std::function<void(uint64_t, const DcnTaskStep&)>& body,
                       const DcnTaskStep& onStep,
                       const std::function<void(uint64_t)>& onTask);

/**
 * @ingroup dcn
 * @brief The same for tasks whose results are bytes that this process goes on with.
 *
 * @param n number of tasks, which begin in the order 0, 1, ...
 * @param jobs tasks that run at a time, at least 1
 * @param body runs a task in a process of its own and returns its result
 * @param onTask called here when a task is done; may be null
 * @return the results by task, whatever the order in which they came
 * @throws DcnError as DcnRunInProcesses
 */
std::vector<std::string> DcnComputeInProcesses(
    uint64_t n,
    uint32_t jobs,
    const std::function<std::string(uint64_t)>& body,
    const std::function<void(uint64_t)>& onTask = nullptr);

/**
 * @ingroup dcn
 * @brief The same for results that are taken one by one as they come.
 *
 * @param n number of tasks, which begin in the order 0, 1, ...
 * @param jobs tasks that run at a time, at least 1
 * @param body runs a task in a process of its own and returns its result
 * @param onResult called here when a task is done, with its number and its result
 * @throws DcnError as DcnRunInProcesses
 */
void DcnTakeFromProcesses(uint64_t n,
                          uint32_t jobs,
                          const std::function<std::string(uint64_t)>& body,
                          const std::function<void(uint64_t, std::string&&)>& onResult);

/**
 * @ingroup dcn
 * @brief The place of this process among those that mpirun has started together.
 */
struct DcnRank
{
    uint64_t rank{0}; //!< number of this process
    uint64_t size{1}; //!< number of processes

    /**
     * @return rank and size from the environment (Open MPI, MPICH and relatives); 0 of 1 outside
     * mpirun
     * @throws DcnError if it says that this is a rank that there cannot be
     */
    static DcnRank Get();
};

} // namespace ns3

#endif /* DCN_PARALLEL_H */
