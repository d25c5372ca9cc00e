/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_RECORDER_H
#define MQL_TRUTH_RECORDER_H

#include "mql-truth-traffic.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Measurements at one hop of one stream: a (queue, flow) pair.
 */
struct MqlTruthHop
{
    uint64_t packets{0}; //!< packets that arrived and were not dropped
    uint64_t drops{0};   //!< packets that found the queue full
    double waitNs{0};    //!< mean waiting: from the arrival to the start of transmission [ns]
    double wait2{0};     //!< mean of its square [ns^2]
    /// Squared coefficient of variation of the arrivals' gaps; 1 if unknown: fewer than 3 packets,
    /// or no first hop in a network of more than 65536 hops.
    double gapScv{1};
    double bytes{0}; //!< mean size of the packets
};

/**
 * @ingroup mql
 * @brief Measurements of one flow.
 */
struct MqlTruthFlowResult
{
    uint64_t sent{0};     //!< data packets that were sent in the recorded time
    uint64_t packets{0};  //!< of these, packets whose acknowledgement (without ACKs: data) arrived
    double dataNs{0};     //!< mean one-way latency of data, up to the last bit [ns]
    double ackNs{0};      //!< mean one-way latency of acknowledgements [ns]
    double rttNs{0};      //!< mean round-trip latency (one way without acknowledgements) [ns]
    double rttErrorNs{0}; //!< standard error of rttNs, by batch means [ns]; 0 if unknown
    double rttP99Ns{0};   //!< 99th percentile of the round-trip latency (DcnQuantile) [ns]
};

/**
 * @ingroup mql
 * @brief Measurements of one queue, that is, directed link.
 */
struct MqlTruthQueue
{
    uint64_t packets{0};   //!< packets that arrived and were not dropped
    uint64_t drops{0};     //!< packets dropped
    double offered{0};     //!< fraction of time for which the configuration's rates ask
    double utilisation{0}; //!< fraction of time in which the link sends
    double waitNs{0};      //!< mean waiting [ns]
    double waiting{0};     //!< mean number of packets that wait (rate times waiting: Little)
};

/**
 * @ingroup mql
 * @brief The measurements of one simulation.
 */
struct MqlTruthResult
{
    std::vector<MqlTruthHop> hops;         //!< as MqlTruthTraffic::GetHopLinks
    std::vector<MqlTruthFlowResult> flows; //!< as MqlTruthTraffic::GetFlows
    std::vector<MqlTruthQueue> queues;     //!< by directed link
    double rttP99Ns{0};     //!< 99th percentile of the round trips of all packets of all flows [ns]
    uint64_t packetHops{0}; //!< packets times queues, warm-up included
    double wallSeconds{0};  //!< elapsed time of the simulation
    double cpuSeconds{0};   //!< processor time of it
};

/**
 * @ingroup mql
 * @brief Per-packet statistics of both engines: waits of each (queue, flow) pair with second
 * moments and arrival gaps, and round trips of each flow. DcnCollector has none of these: it
 * records occupancy and counts of a queue by time interval. The rows of queues are sums of these
 * pairs.
 *
 * A hop counts if the packet arrives at the queue in the recorded time, a round trip if the data
 * packet is sent in it. The simulators continue until the last of these is complete.
 */
class MqlTruthRecorder
{
  public:
    /** @param traffic of the configuration; must outlive this object */
    explicit MqlTruthRecorder(const MqlTruthTraffic& traffic);

    /** @return end of the recorded time; no packet is sent from then on [ns]. */
    int64_t GetEndNs() const
    {
        return m_endNs;
    }

    /**
     * @brief A packet that waited at a queue. For a hop, calls come in the order of the arrivals.
     * @param hop position of the hop among all hops
     * @param arrivalNs time of its arrival at the queue [ns]
     * @param waitNs its waiting time [ns]
     * @param bytes its size
     */
    void AddHop(uint32_t hop, int64_t arrivalNs, int64_t waitNs, uint32_t bytes)
    {
        m_packetHops++;
        if (!IsRecorded(arrivalNs))
        {
            return;
        }
        HopSums& sums = m_hops[hop];
        sums.packets++;
        sums.bytes += bytes;
        const auto wait = static_cast<double>(waitNs);
        sums.wait += wait;
        sums.wait2 += wait * wait;
        if (m_hasGaps[hop])
        {
            m_gaps[hop].Add(arrivalNs, sums.packets);
        }
    }

    /**
     * @brief Prefetch the memory for AddHop.
     * @param hop position of the hop among all hops
     */
    void Prefetch(uint32_t hop) const
    {
#if defined(__GNUC__)
        __builtin_prefetch(&m_hops[hop], 1);
#endif
    }

    /**
     * @brief A packet that found the queue full.
     * @param hop position of the hop among all hops
     * @param arrivalNs time of its arrival at the queue [ns]
     */
    void AddDrop(uint32_t hop, int64_t arrivalNs)
    {
        m_hops[hop].drops += IsRecorded(arrivalNs) ? 1 : 0;
    }

    /**
     * @brief A data packet that is sent.
     * @param flow the flow
     * @param timeNs time [ns]
     */
    void AddSent(uint32_t flow, int64_t timeNs)
    {
        m_flows[flow].sent += IsRecorded(timeNs) ? 1 : 0;
    }

    /**
     * @brief A data packet that has arrived at its destination.
     * @param flow the flow
     * @param sentNs when it was sent [ns]
     * @param nowNs arrival of its last bit [ns]
     */
    void AddData(uint32_t flow, int64_t sentNs, int64_t nowNs);

    /**
     * @brief An acknowledgement that has arrived at the sender.
     * @param flow the flow
     * @param sentNs when the data packet was sent [ns]
     * @param echoedNs when the acknowledgement was sent [ns]
     * @param nowNs arrival of its last bit [ns]
     */
    void AddAck(uint32_t flow, int64_t sentNs, int64_t echoedNs, int64_t nowNs);

    /** @return all measurements; costs stay 0. */
    MqlTruthResult Finish();

  private:
    static constexpr std::size_t N_BATCHES = 10; //!< batches of the standard error

    /// Networks with more hops than these record gaps at first hops only, since memory accesses are
    /// slow.
    static constexpr std::size_t MANY_HOPS = 65536;

    /// Sums over the packets of a hop; half a cache line.
    struct alignas(32) HopSums
    {
        uint32_t packets{0}; //!< packets
        uint32_t drops{0};   //!< packets dropped
        double wait{0};      //!< sum of waits [ns]
        double wait2{0};     //!< sum of their squares
        uint64_t bytes{0};   //!< sum of sizes
    };

    /// Sums over the gaps between the packets of a hop.
    struct GapSums
    {
        int64_t last{0}; //!< latest arrival [ns]
        double gaps{0};  //!< sum of gaps [ns]
        double gaps2{0}; //!< sum of their squares

        /// Adds the arrival of the packet of this number, from 1.
        void Add(int64_t arrivalNs, uint32_t number)
        {
            if (number > 1)
            {
                const auto gap = static_cast<double>(arrivalNs - last);
                gaps += gap;
                gaps2 += gap * gap;
            }
            last = arrivalNs;
        }
    };

    /// Sums over the packets of a flow.
    struct FlowSums
    {
        uint64_t sent{0};                            //!< data packets sent
        uint64_t data{0};                            //!< data packets that arrived
        double dataNs{0};                            //!< sum of their latencies
        double ackNs{0};                             //!< sum of the acknowledgements' latencies
        std::vector<float> roundTrips;               //!< round-trip latencies [ns]
        std::array<double, N_BATCHES> batchNs{};     //!< sums of round trips
        std::array<uint32_t, N_BATCHES> batchSize{}; //!< their numbers
    };

    void AddRoundTrip(FlowSums& sums, int64_t sentNs, int64_t nowNs);

    bool IsRecorded(int64_t timeNs) const
    {
        return timeNs >= m_startNs && timeNs < m_endNs;
    }

    const MqlTruthTraffic& m_traffic; //!< of the configuration
    int64_t m_startNs;                //!< end of the warm-up
    int64_t m_endNs;                  //!< end of the recorded time
    uint64_t m_packetHops{0};         //!< see MqlTruthResult
    std::vector<HopSums> m_hops;      //!< by hop
    std::vector<uint8_t> m_hasGaps;   //!< by hop: gaps are recorded
    std::vector<GapSums> m_gaps;      //!< by hop, where they are
    std::vector<FlowSums> m_flows;    //!< by flow
};

} // namespace ns3

#endif /* MQL_TRUTH_RECORDER_H */
