/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ns3
{

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

} // namespace ns3
