/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-queue-record.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

DcnQueueRecorder::DcnQueueRecorder(int64_t intervalNs)
    : m_intervalNs(intervalNs)
{
    NS_ASSERT_MSG(intervalNs > 0, "an interval has a length");
}

void
DcnQueueRecorder::CloseInterval(int64_t endNs)
{
    m_byteNs += static_cast<double>(m_bytes) * static_cast<double>(endNs - m_lastNs);
    m_lastNs = endNs;
    const int64_t lengthNs = endNs - m_startNs;
    if (m_active || (m_bytes > 0 && lengthNs > 0))
    {
        m_current.startNs = m_startNs;
        m_current.endNs = endNs;
        m_current.meanBytes =
            lengthNs > 0 ? m_byteNs / static_cast<double>(lengthNs) : static_cast<double>(m_bytes);
        m_records.push_back(m_current);
    }
    m_current = DcnQueueRecord{};
    m_current.maxBytes = m_bytes;
    m_byteNs = 0;
    m_active = false;
    m_startNs = endNs;
}

void
DcnQueueRecorder::AdvanceTo(int64_t nowNs)
{
    NS_ASSERT_MSG(nowNs >= m_lastNs, "time goes forward");
    const int64_t nowStartNs = nowNs - nowNs % m_intervalNs;
    while (m_startNs < nowStartNs)
    {
        CloseInterval(m_startNs - m_startNs % m_intervalNs + m_intervalNs);
        if (m_bytes == 0)
        {
            m_startNs = nowStartNs; // nothing to report until now
            m_lastNs = nowStartNs;
        }
    }
    m_byteNs += static_cast<double>(m_bytes) * static_cast<double>(nowNs - m_lastNs);
    m_lastNs = nowNs;
    m_active = true;
}

void
DcnQueueRecorder::Enqueue(int64_t nowNs, uint64_t bytes)
{
    AdvanceTo(nowNs);
    m_bytes += bytes;
    m_current.maxBytes = std::max(m_current.maxBytes, m_bytes);
    m_current.inBytes += bytes;
    ++m_current.inPackets;
}

void
DcnQueueRecorder::Dequeue(int64_t nowNs, uint64_t bytes)
{
    NS_ASSERT_MSG(bytes <= m_bytes, "more leaves the queue than is in it");
    AdvanceTo(nowNs);
    m_bytes -= bytes;
    m_current.outBytes += bytes;
    ++m_current.outPackets;
}

void
DcnQueueRecorder::Mark(int64_t nowNs)
{
    AdvanceTo(nowNs);
    ++m_current.marks;
}

void
DcnQueueRecorder::Drop(int64_t nowNs)
{
    AdvanceTo(nowNs);
    ++m_current.drops;
}

void
DcnQueueRecorder::Pause(int64_t nowNs)
{
    AdvanceTo(nowNs);
    ++m_current.pauses;
}

void
DcnQueueRecorder::Skip(int64_t sinceNs, int64_t nowNs, const Passage& passed)
{
    if (passed.packets == 0)
    {
        return;
    }
    AdvanceTo(sinceNs);
    const double totalNs = static_cast<double>(std::max<int64_t>(1, nowNs - sinceNs));
    Passage before{0, 0, 0};
    for (int64_t ns = sinceNs; ns < nowNs;)
    {
        ns = std::min(nowNs, ns - ns % m_intervalNs + m_intervalNs);
        const double part = static_cast<double>(ns - sinceNs) / totalNs;
        const auto share = [&](uint64_t all, uint64_t& earlier) {
            const uint64_t until =
                ns == nowNs ? all : static_cast<uint64_t>(static_cast<double>(all) * part);
            return until - std::exchange(earlier, until);
        };
        const uint64_t bytes = share(passed.bytes, before.bytes);
        const uint64_t packets = share(passed.packets, before.packets);
        m_current.inBytes += bytes;
        m_current.outBytes += bytes;
        m_current.inPackets += packets;
        m_current.outPackets += packets;
        m_current.marks += share(passed.marks, before.marks);
        AdvanceTo(ns);
    }
}

void
DcnQueueRecorder::Finish(int64_t nowNs)
{
    const bool wasActive = m_active;
    const int64_t startNs = m_startNs;
    AdvanceTo(nowNs);
    m_active = wasActive && m_startNs == startNs; // the end alone is no activity
    CloseInterval(nowNs);
}

void
DcnAddQueueCurve(const std::vector<DcnQueueRecord>& records, Gnuplot2dDataset& curve)
{
    int64_t endNs = 0;
    for (const DcnQueueRecord& record : records)
    {
        if (record.startNs > endNs) // an interval without record: no packet waited
        {
            curve.Add(static_cast<double>(endNs) / 1e6, 0);
            curve.Add(static_cast<double>(record.startNs) / 1e6, 0);
        }
        endNs = record.endNs;
        curve.Add(static_cast<double>(record.startNs + record.endNs) / 2e6, record.meanBytes / 1e3);
    }
}

} // namespace ns3
