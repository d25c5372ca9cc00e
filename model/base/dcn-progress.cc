/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-progress.h"

#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace ns3
{

namespace
{

/// @return processor time of this process and of the processes that it waited for [s]
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

bool DcnProgress::g_silent = false;

DcnProgress::DcnProgress(const std::string& label, uint64_t total, const std::string& unit)
    : m_label(label),
      m_unit(unit),
      m_total(total),
      m_shown(!g_silent && isatty(STDERR_FILENO) == 1 && total > 0),
      m_start(Clock::now()),
      m_last(m_start)
{
}

DcnProgress::~DcnProgress()
{
    if (m_drawn)
    {
        std::fprintf(stderr, "\r\033[K");
    }
}

void
DcnProgress::Silence()
{
    g_silent = true;
}

void
DcnProgress::Show(uint64_t done)
{
    m_nextLook = done + m_total / 1000 + 1;
    const auto now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - m_start).count();
    if (elapsed < 1 || done == 0 || now - m_last < std::chrono::milliseconds(200))
    {
        return;
    }
    m_last = now;
    m_drawn = true;
    const double rate = static_cast<double>(done) / elapsed;
    std::fprintf(stderr,
                 "\r%s: %3.0f %%  %.*f %s/s, %.0f s left \033[K",
                 m_label.c_str(),
                 100.0 * static_cast<double>(done) / static_cast<double>(m_total),
                 rate < 10 ? 2 : 0,
                 rate,
                 m_unit.c_str(),
                 static_cast<double>(m_total - done) / rate);
}

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
