/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-progress.h"

#include <cstddef>
#include <cstdio>
#include <iterator>
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
    if (IsDue())
    {
        Write(m_done, "");
    }
}

bool
DcnProgress::IsDue() const
{
    if (!m_shown || g_silent)
    {
        return false;
    }
    const auto now = Clock::now();
    const auto pause = m_isTerminal ? std::chrono::milliseconds(200) : std::chrono::seconds(30);
    return now - m_start >= std::chrono::seconds(1) && now - m_last >= pause;
}

std::string
DcnProgress::Describe(double steps, int digits) const
{
    char text[64];
    if (m_unit != "B")
    {
        std::snprintf(text, sizeof(text), "%.*f %s", digits, steps, m_unit.c_str());
        return text;
    }
    static constexpr const char* PREFIXES[] = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t prefix = 0;
    for (; steps >= 1000 && prefix + 1 < std::size(PREFIXES); steps /= 1000)
    {
        ++prefix;
    }
    std::snprintf(text, sizeof(text), "%.3g %sB", steps, PREFIXES[prefix]);
    return text;
}

void
DcnProgress::Write(uint64_t done, const std::string& remark)
{
    m_done = done;
    m_last = Clock::now();
    m_drawn = m_isTerminal;
    const double elapsed = std::chrono::duration<double>(m_last - m_start).count();
    const std::string end =
        (remark.empty() ? "" : ", " + remark) + (m_isTerminal ? " \033[K" : "\n");
    const char* const begin = m_isTerminal ? "\r" : "";
    if (m_done == 0)
    {
        std::fprintf(stderr,
                     "%s%s: 0 of %s after %.0f s%s",
                     begin,
                     m_label.c_str(),
                     Describe(static_cast<double>(m_total), 0).c_str(),
                     elapsed,
                     end.c_str());
        return;
    }
    const double rate = static_cast<double>(m_done) / elapsed;
    std::fprintf(stderr,
                 "%s%s: %3.0f %%  %s/s, %.0f s left%s",
                 begin,
                 m_label.c_str(),
                 100.0 * static_cast<double>(m_done) / static_cast<double>(m_total),
                 Describe(rate, rate < 10 ? 2 : 0).c_str(),
                 static_cast<double>(m_total - m_done) / rate,
                 end.c_str());
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
