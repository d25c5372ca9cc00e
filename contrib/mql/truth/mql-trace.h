/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRACE_H
#define MQL_TRACE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @param n number of values
 * @param sum of the values
 * @param sum2 of their squares
 * @return squared coefficient of variation, E[x^2] / E[x]^2 - 1, at least 0
 */
double MqlScv(double n, double sum, double sum2);

/**
 * @ingroup mql
 * @brief Two moments of the packets of a flow, the input of the model.
 */
struct MqlPacketMoments
{
    uint64_t packets{0}; //!< n
    double rate{0};      //!< packets per second of the trace
    double gapScv{1};    //!< squared coefficient of variation of the gaps; 1 below 3 packets
    double meanBytes{0}; //!< mean size
    double bytesScv{0};  //!< squared coefficient of variation of the sizes
};

/**
 * @ingroup mql
 * @brief Collects MqlPacketMoments packet by packet.
 *
 * With gaps g_1 .. g_(n-1) between successive packets, C^2 = (mean of g^2) / (mean of g)^2 - 1, and
 * likewise for the sizes: moments of the sample, without correction for the sample's length.
 */
class MqlMomentCounter
{
  public:
    /**
     * @param timeNs time of the packet, not before the previous packet [ns]
     * @param bytes its size
     */
    void Add(int64_t timeNs, double bytes);

    /**
     * @param seconds time over which packets were counted, > 0
     * @return the moments; rate is packets / seconds
     */
    MqlPacketMoments Get(double seconds) const;

  private:
    uint64_t m_packets{0}; //!< n
    int64_t m_last{0};     //!< time of the latest packet [ns]
    double m_gaps{0};      //!< sum of gaps [ns]
    double m_gaps2{0};     //!< sum of their squares
    double m_bytes{0};     //!< sum of sizes
    double m_bytes2{0};    //!< sum of their squares
};

/**
 * @ingroup mql
 * @brief Packets with time, source, destination and size, as recorded on a network.
 *
 * File: CSV with the header timestamp_ns,source,destination,size_bytes; ascending time stamps,
 * numbers of hosts from 0 (the k-th host of the topology), bytes on the wire.
 */
class MqlTrace
{
  public:
    /// A packet.
    struct Packet
    {
        int64_t timeNs; //!< since the trace's first packet [ns]
        uint32_t flow;  //!< position in GetFlows
        uint32_t bytes; //!< on the wire
    };

    /// A pair of hosts that exchange packets.
    struct Flow
    {
        uint32_t source;          //!< number of the sending host
        uint32_t destination;     //!< number of the receiving host
        MqlPacketMoments moments; //!< of its packets over the whole trace
    };

    /**
     * @brief Read a file.
     * @param path the file
     * @param hosts number of hosts of the network
     * @throws DcnError with file, line and value
     */
    static MqlTrace Read(const std::string& path, uint32_t hosts);

    /** @return the packets in order of time. */
    const std::vector<Packet>& GetPackets() const
    {
        return m_packets;
    }

    /** @return the flows, ordered by (source, destination). */
    const std::vector<Flow>& GetFlows() const
    {
        return m_flows;
    }

    /** @return time from the first packet to the last [s], above 0. */
    double GetDuration() const;

  private:
    std::vector<Packet> m_packets; //!< by time
    std::vector<Flow> m_flows;     //!< by source and destination
};

} // namespace ns3

#endif /* MQL_TRACE_H */
