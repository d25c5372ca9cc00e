/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-window-loop.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace ns3
{

namespace
{

/// A thread that waits lets the other one of its core work.
inline void
Pause()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

} // namespace

DcnWindowLoop::DcnWindowLoop(std::vector<DcnWindowEvents*> partitions,
                             int64_t lookaheadNs,
                             uint32_t nThreads,
                             uint64_t sharedEvents,
                             Work work,
                             std::function<void()> look)
    : m_partitions(std::move(partitions)),
      m_lookaheadNs(lookaheadNs),
      m_nThreads(nThreads),
      m_sharedEvents(sharedEvents),
      m_maySpin(nThreads <= std::thread::hardware_concurrency()),
      m_work(std::move(work)),
      m_look(std::move(look)),
      m_seats(std::make_unique<Seat[]>(m_partitions.size()))
{
}

DcnWindowLoop::~DcnWindowLoop() = default;

int64_t
DcnWindowLoop::Run(int64_t untilNs)
{
    m_untilNs = untilNs;
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        m_seats[i].nextNs = m_partitions[i]->GetNextNs();
    }
    FindWindow();
    std::vector<std::thread> threads;
    for (uint32_t i = 1; i < m_nThreads && !m_isOver; ++i)
    {
        threads.emplace_back([this, i] { Serve(i); });
    }
    Serve(0);
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        if (m_seats[i].failure)
        {
            std::rethrow_exception(m_seats[i].failure);
        }
    }
    return m_startNs;
}

void
DcnWindowLoop::Serve(uint32_t thread)
{
    const auto n = static_cast<uint32_t>(m_partitions.size());
    const auto first = static_cast<uint32_t>(uint64_t{thread} * n / m_nThreads);
    while (!m_isOver)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            const uint32_t partition = first + i < n ? first + i : first + i - n;
            std::atomic<uint64_t>& begun = m_seats[partition].window;
            // look first: an exchange takes the cache line from the thread that has it
            if (begun.load(std::memory_order_relaxed) != m_window &&
                begun.exchange(m_window, std::memory_order_relaxed) != m_window)
            {
                Visit(partition);
            }
        }
        Wait();
    }
}

void
DcnWindowLoop::Visit(uint32_t partition)
{
    Seat& seat = m_seats[partition];
    const uint64_t nBefore = m_partitions[partition]->GetNEvents();
    try
    {
        m_partitions[partition]->Begin(m_partitions, m_startNs, m_reading);
        m_work(partition, m_endNs);
        seat.nextNs = m_partitions[partition]->GetNextNs();
    }
    catch (...)
    {
        seat.failure = std::current_exception();
    }
    seat.nEvents = m_partitions[partition]->GetNEvents() - nBefore;
}

void
DcnWindowLoop::FindWindow()
{
    m_startNs = DcnWindowEvents::NEVER;
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        m_startNs = std::min(m_startNs, m_seats[i].nextNs);
    }
    m_isOver = m_startNs >= m_untilNs;
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        m_isOver = m_isOver || m_seats[i].failure;
    }
    if (!m_isOver)
    {
        m_endNs = m_untilNs - m_startNs > m_lookaheadNs ? m_startNs + m_lookaheadNs : m_untilNs;
        ++m_window;
    }
}

void
DcnWindowLoop::EndWindow()
{
    CloseWindow();
    while (!m_isOver && m_nEvents < m_sharedEvents)
    {
        for (uint32_t partition = 0; partition < m_partitions.size(); ++partition)
        {
            Visit(partition);
        }
        CloseWindow();
    }
}

void
DcnWindowLoop::CloseWindow()
{
    uint64_t most = 0;
    m_nEvents = 0;
    for (std::size_t i = 0; i < m_partitions.size(); ++i)
    {
        m_nEvents += m_seats[i].nEvents;
        most = std::max(most, m_seats[i].nEvents);
    }
    ++m_cost.nWindows;
    m_cost.nEvents += m_nEvents;
    m_cost.nPathEvents += most;
    m_reading = 1 - m_reading;
    constexpr uint64_t LOOK_EVERY = 256;     // windows
    constexpr uint64_t LOOK_EVENTS = 65'536; // windows of a network without cuts are long
    m_nSinceLook += m_nEvents;
    if (m_window % LOOK_EVERY == 0 || m_nSinceLook >= LOOK_EVENTS)
    {
        m_nSinceLook = 0;
        m_look();
    }
    FindWindow();
}

void
DcnWindowLoop::Wait()
{
    const uint64_t barrier = m_nBarriers.load(std::memory_order_relaxed);
    if (m_nArrived.fetch_add(1, std::memory_order_acq_rel) + 1 == m_nThreads)
    {
        m_nArrived.store(0, std::memory_order_relaxed);
        EndWindow();
        m_nBarriers.store(barrier + 1, std::memory_order_release);
        if (m_nThreads > 1)
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            if (m_nSleeping > 0)
            {
                m_passed.notify_all();
            }
        }
        return;
    }
    constexpr uint32_t N_SPINS = 4000; // some microseconds
    const auto isPassed = [this, barrier]() {
        return m_nBarriers.load(std::memory_order_acquire) != barrier;
    };
    for (uint32_t i = 0; m_maySpin && i < N_SPINS && !isPassed(); ++i)
    {
        Pause();
    }
    if (!isPassed())
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        ++m_nSleeping;
        m_passed.wait(lock, isPassed);
        --m_nSleeping;
    }
}

} // namespace ns3
