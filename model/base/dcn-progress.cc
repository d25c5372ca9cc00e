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
thread_local DcnProgress* DcnProgress::g_latest = nullptr;

DcnProgress::DcnProgress(const std::string& label, uint64_t total, const std::string& unit)
    : m_label(label),
      m_unit(unit),
      m_total(total),
      m_shown(!g_silent && total > 0),
      m_isTerminal(isatty(STDERR_FILENO) == 1),
      m_before(g_latest),
      m_start(Clock::now()),
      m_last(m_start)
{
    g_latest = m_shown ? this : g_latest;
}

DcnProgress::~DcnProgress()
{
    for (DcnProgress** each = &g_latest; *each != nullptr; each = &(*each)->m_before)
    {
        if (*each == this)
        {
            *each = m_before;
            break;
        }
    }
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
DcnProgress::Wait()
{
    if (g_latest && !g_silent)
    {
        g_latest->Show();
    }
}

void
DcnProgress::Show()
{
    m_nextLook = m_done + m_total / 1000 + 1;
    const auto now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - m_start).count();
    const auto pause = m_isTerminal ? std::chrono::milliseconds(200) : std::chrono::seconds(30);
    if (elapsed < 1 || now - m_last < pause)
    {
        return;
    }
    m_last = now;
    m_drawn = m_isTerminal;
    const char* const begin = m_isTerminal ? "\r" : "";
    const char* const end = m_isTerminal ? " \033[K" : "\n";
    if (m_done == 0)
    {
        std::fprintf(stderr,
                     "%s%s: 0 of %.0f %s after %.0f s%s",
                     begin,
                     m_label.c_str(),
                     static_cast<double>(m_total),
                     m_unit.c_str(),
                     elapsed,
                     end);
        return;
    }
    const double rate = static_cast<double>(m_done) / elapsed;
    std::fprintf(stderr,
                 "%s%s: %3.0f %%  %.*f %s/s, %.0f s left%s",
                 begin,
                 m_label.c_str(),
                 100.0 * static_cast<double>(m_done) / static_cast<double>(m_total),
                 rate < 10 ? 2 : 0,
                 rate,
                 m_unit.c_str(),
                 static_cast<double>(m_total - m_done) / rate,
                 end);
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
