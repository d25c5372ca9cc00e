/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_QUEUE_RECORD_H
#define DCN_QUEUE_RECORD_H

#include "ns3/gnuplot.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Activity of a queue during one interval [start, end).
 *
 * Identities: bytes at the end = bytes at the start + inBytes - outBytes, and so for packets;
 * dropped frames count in neither.
 */
struct DcnQueueRecord
{
    int64_t startNs; //!< beginning of the interval [ns]
    int64_t endNs;   //!< end of the interval [ns]; startNs for activity at the very end of watching
    uint64_t inBytes;    //!< bytes that joined the queue
    uint64_t inPackets;  //!< packets that joined the queue
    uint64_t outBytes;   //!< bytes that left the queue
    uint64_t outPackets; //!< packets that left the queue
    uint64_t marks;      //!< packets marked
    uint64_t drops;      //!< packets dropped
    uint64_t pauses;     //!< pauses of the transmitter that began
    uint64_t maxBytes;   //!< longest queue
    double meanBytes;    //!< time average of the queue
};

/**
 * @ingroup dcn-packet
 * @brief Turns the events of one queue into one record per interval.
 *
 * Every event counts in its interval; nothing is sampled. Intervals without activity at an empty
 * queue have no record, so that the output is bounded by the activity.
 */
class DcnQueueRecorder
{
  public:
    /**
     * @param intervalNs length of an interval [ns], > 0; intervals begin at its multiples
     */
    explicit DcnQueueRecorder(int64_t intervalNs);

    /**
     * @brief A packet has joined the queue.
     * @param nowNs present time [ns], never before that of an earlier call
     * @param bytes its size
     */
    void Enqueue(int64_t nowNs, uint64_t bytes);

    /**
     * @brief A packet has left the queue.
     * @param nowNs present time [ns]
     * @param bytes its size
     */
    void Dequeue(int64_t nowNs, uint64_t bytes);

    /**
     * @brief A packet has been marked.
     * @param nowNs present time [ns]
     */
    void Mark(int64_t nowNs);

    /**
     * @brief A packet has been dropped before it joined the queue.
     * @param nowNs present time [ns]
     */
    void Drop(int64_t nowNs);

    /**
     * @brief The transmitter has been paused.
     * @param nowNs present time [ns]
     */
    void Pause(int64_t nowNs);

    /// What passed a queue that is in a steady state.
    struct Passage
    {
        uint64_t bytes;   //!< that joined the queue, and left it
        uint64_t packets; //!< their number
        uint64_t marks;   //!< packets marked
    };

    /**
     * @brief Packets have passed at a constant rate, while the queue kept its length.
     * @param sinceNs begin [ns]
     * @param nowNs end, the present time [ns]
     * @param passed what passed
     */
    void Skip(int64_t sinceNs, int64_t nowNs, const Passage& passed);

    /**
     * @brief End the last interval at a time; all events until that time, inclusive, then are in a
     * record. More events may follow.
     * @param nowNs present time [ns]
     */
    void Finish(int64_t nowNs);

    /** @return the records of intervals that have ended, in order. */
    const std::vector<DcnQueueRecord>& GetRecords() const
    {
        return m_records;
    }

    /** @return time of the latest call [ns]. */
    int64_t GetLastNs() const
    {
        return m_lastNs;
    }

    /** @return bytes that wait. */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    void AdvanceTo(int64_t nowNs);
    void CloseInterval(int64_t endNs);

    int64_t m_intervalNs;                  //!< length of an interval [ns]
    int64_t m_startNs{0};                  //!< beginning of the present interval [ns]
    int64_t m_lastNs{0};                   //!< time of the latest call [ns]
    uint64_t m_bytes{0};                   //!< bytes that wait
    double m_byteNs{0};                    //!< integral of the queue over the present interval
    bool m_active{false};                  //!< something happened in the present interval
    DcnQueueRecord m_current{};            //!< counts of the present interval
    std::vector<DcnQueueRecord> m_records; //!< see GetRecords
};

/**
 * @ingroup dcn-packet
 * @brief Add the mean queue of each interval to a curve: time [ms] and KB of 1000 bytes. Intervals
 * without a record are 0.
 * @param records of one queue, in order
 * @param curve to add to
 */
void DcnAddQueueCurve(const std::vector<DcnQueueRecord>& records, Gnuplot2dDataset& curve);

} // namespace ns3

#endif /* DCN_QUEUE_RECORD_H */
