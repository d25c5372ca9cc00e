/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PROCESS_POOL_H
#define DCN_PROCESS_POOL_H

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/// @ingroup dcn-packet
/// @brief Something that a task calls for every step it has done.
using DcnTaskStep = std::function<void()>;

/**
 * @ingroup dcn-packet
 * @brief Run tasks in processes of their own, some at a time (ns-3's simulator is one per process).
 *
 * Each task runs in a forked copy of this process, which ends with the task: what it computes must
 * go into files. When a task fails, the others are ended. When this process ends, so do the tasks.
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

} // namespace ns3

#endif /* DCN_PROCESS_POOL_H */
