/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TASK_FARM_H
#define DCN_TASK_FARM_H

#include "dcn-processes.h"

#include "ns3/dcn-result-store.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class CommandLine;

/**
 * @ingroup dcn
 * @brief Does many independent tasks in local processes, or in those of several machines (MPI).
 *
 * Problem. Tasks take times that differ by orders of magnitude and are not known before. A task is
 * bytes, its result is bytes, and the result depends on the task and the experiment alone. All cores
 * of all machines shall be busy until the tasks run out, and the results shall be the same bytes
 * wherever each task ran.
 *
 * Method. Rank 0, the root, deals: a place, one of the jobs of a rank, gets a task when it has none
 * (dynamic self-scheduling). With n tasks of times t_i and m places, the last task ends at most
 * max(t_i) after the first place has run out of work, so the wall time is at most
 * sum(t_i) / m + max(t_i) (Graham 1966), and long tasks belong at the front. Each task runs in a
 * process of its own (DcnProcesses), on every rank, so that it finds ns-3 as the program has left it
 * and not as another task has. Results come to the root as messages: ranks share no folder. They
 * come in any order, and the caller puts them in theirs by the number of the task.
 *
 * Programs. All ranks run the same program with the same options and call Run and Share in the same
 * order; in Run, ranks other than the root do tasks, and the function that takes results is called
 * at the root alone. The root reads and writes files. If later steps need results, the root passes
 * them on by Share. Each Run compares the experiments and the releases of all ranks and refuses
 * ranks that differ.
 *
 * Failures. The first task that fails ends all others, and Run throws its sentence. Under MPI, a
 * program that ends by a DcnError ends all ranks (DcnMpi), and when a rank is killed mpirun ends the
 * others; results that the root has stored are there for the next run. A task must not use the
 * farm; it may have a local one of its own.
 */
class DcnTaskFarm
{
  public:
    using Reply = DcnProcesses::Reply; //!< hands bytes to the root, any number of times
    /// Returns the next task, at the root; none: there are no more.
    using Source = std::function<std::optional<std::string>()>;
    /// Does a task, in a process of its own.
    using Body = std::function<void(const std::string& task, const Reply& reply)>;
    /// Takes bytes from a task at the root. Tasks have the numbers 0, 1, ... as the source gives
    /// them; replies of one task come in order.
    using Taker = std::function<void(uint64_t task, std::string&& bytes)>;

    /**
     * @brief Make a farm of this process alone.
     * @param jobs tasks that run at a time
     * @throws DcnError if that is 0
     */
    DcnTaskFarm(uint32_t jobs = 1);

    /**
     * @brief Make a farm of all processes that mpirun has started, each with jobs.
     *
     * Ranks other than the root show no progress from now on. If dcn was built without MPI, a line
     * on stderr says so, and the farm is one of this process alone.
     *
     * @param jobs tasks that run at a time on this rank
     * @return the farm
     * @throws DcnError if jobs is 0
     */
    static DcnTaskFarm OverMpi(uint32_t jobs);

    /** @return true if this process deals the tasks and takes the results. */
    bool IsRoot() const;

    /** @return number of processes that share the tasks. */
    uint32_t GetNRanks() const;

    /** @return tasks that run at a time on this rank. */
    uint32_t GetJobs() const;

    /**
     * @brief Do tasks until the source is empty.
     * @param experiment all that results depend on besides the tasks; at the other ranks, source and
     * taker are not called
     * @param next called when a place is free
     * @param body does a task
     * @param take takes bytes from tasks
     * @throws DcnError of a task that failed, or if a rank has another release or experiment
     */
    void Run(const DcnResultStore::Experiment& experiment,
             const Source& next,
             const Body& body,
             const Taker& take) const;

    /**
     * @brief Do tasks that are known at the root before.
     * @param experiment see above
     * @param tasks the tasks, in the order in which they begin
     * @param body see above
     * @param take see above
     */
    void Run(const DcnResultStore::Experiment& experiment,
             const std::vector<std::string>& tasks,
             const Body& body,
             const Taker& take) const;

    /**
     * @brief Give bytes of the root to all ranks.
     * @param bytes of the root; those of other ranks are ignored
     * @return the bytes of the root
     */
    std::string Share(const std::string& bytes) const;

    /**
     * @param parts any bytes
     * @return all of them in one string
     */
    static std::string Pack(const std::vector<std::string>& parts);

    /**
     * @param bytes made by Pack
     * @return its parts
     */
    static std::vector<std::string> Unpack(const std::string& bytes);

  private:
    class Session;

    uint32_t m_jobs;      //!< see the constructor
    bool m_isMpi{false};  //!< see OverMpi
};

/**
 * @ingroup dcn
 * @brief The options --jobs and --mpi of a program.
 */
class DcnTaskFarmOptions
{
  public:
    /** @param isWide without --jobs there is a job for each core (with --mpi: one on each rank);
     * false: one */
    explicit DcnTaskFarmOptions(bool isWide);

    /** @param cmd command line of the program, which gets the options; this must outlive it */
    void AddTo(CommandLine& cmd);

    /** @return true if --mpi is given. */
    bool IsMpi() const;

    /**
     * @return the farm; begins with MPI if --mpi is given
     * @throws DcnError if --jobs is no number from 1 on
     */
    DcnTaskFarm Make() const;

  private:
    bool m_isWide;      //!< see the constructor
    std::string m_jobs; //!< option --jobs; empty: not given
    bool m_isMpi{false}; //!< option --mpi
};

/**
 * @ingroup dcn
 * @brief Compute results in processes of this one, some at a time.
 * @param n number of tasks, which begin in the order 0, 1, ...
 * @param jobs tasks that run at a time, at least 1
 * @param body runs a task in a process of its own and returns its result
 * @param onTask called here when a task is done; may be null
 * @return the results by task, whatever the order in which they came
 * @throws DcnError the one that a task has thrown, or one that says how its process ended
 */
std::vector<std::string> DcnComputeInProcesses(
    uint64_t n,
    uint32_t jobs,
    const std::function<std::string(uint64_t)>& body,
    const std::function<void(uint64_t)>& onTask = nullptr);

} // namespace ns3

#endif /* DCN_TASK_FARM_H */
