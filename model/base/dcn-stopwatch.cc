/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-stopwatch.h"

#include <sys/resource.h>

namespace ns3
{

namespace
{

/// @return processor time of this process and of those that it has started and waited for [s]
double
GetCpuSeconds()
{
    double seconds = 0;
    for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN})
    {
        rusage usage{};
        getrusage(who, &usage);
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
        {
            seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        }
    }
    return seconds;
}

} // namespace

DcnStopwatch::DcnStopwatch()
    : m_start(std::chrono::steady_clock::now()),
      m_cpuStart(GetCpuSeconds())
{
}

DcnCost
DcnStopwatch::Get() const
{
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
    return {GetCpuSeconds() - m_cpuStart, elapsed.count()};
}

} // namespace ns3
