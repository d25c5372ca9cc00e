/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_TRAFFIC_H
#define MQL_TRUTH_TRAFFIC_H

#include "mql-trace.h"
#include "mql-truth-config.h"

#include "ns3/dcn-random.h"
#include "ns3/dcn-topology.h"
#include "ns3/mql-traffic.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Data packets from one host to another, each acknowledged.
 */
struct MqlTruthFlow : MqlFlow
{
    uint32_t firstStream{0}; //!< streams of its data
    uint32_t firstAck{0};    //!< streams of its acknowledgements
    uint32_t endStream{0};   //!< one past its last stream
};

/**
 * @ingroup mql
 * @brief Packets of one flow, in one direction, that take one path ("flow-split").
 */
struct MqlTruthStream
{
    uint32_t flow;     //!< the flow
    bool isAck;        //!< acknowledgements, which go from dst to src
    double share;      //!< share of the flow's packets that take this path
    uint32_t firstHop; //!< position of its first hop among all hops
    uint32_t nHops;    //!< links of the path
};

/**
 * @ingroup mql
 * @brief Topology, flows and paths of a configuration.
 *
 * Paths are those of DcnRouting with the configuration's hash seed, and acknowledgements take the
 * reverse path of their data. With routing=split, every packet and every acknowledgement takes one
 * of the shortest paths, chosen evenly at every node. Both engines and the model use this
 * object.
 *
 * Patterns: all-to-all; incast (all hosts to the first); broadcast (the first to all others);
 * asymmetric: the hosts but the first are shuffled into three sets, where one sends to the
 * first host, one communicates all to all among itself and one receives from the first.
 */
class MqlTruthTraffic
{
  public:
    /**
     * @param config the configuration
     * @throws DcnError if a trace cannot be read or names an unknown host
     */
    explicit MqlTruthTraffic(const MqlTruthConfig& config);

    /** @return the configuration. */
    const MqlTruthConfig& GetConfig() const
    {
        return m_config;
    }

    /** @return size of acknowledgements on the wire [bytes]; 0: there are none. */
    uint32_t GetAckBytes() const
    {
        return m_ackBytes;
    }

    /** @return the network. */
    Ptr<const DcnTopology> GetTopology() const
    {
        return m_topology;
    }

    /** @return the flows, ordered by source and destination. */
    const std::vector<MqlTruthFlow>& GetFlows() const
    {
        return m_flows;
    }

    /** @return the streams, flow by flow, data before acknowledgements. */
    const std::vector<MqlTruthStream>& GetStreams() const
    {
        return m_streams;
    }

    /** @return directed links of all hops, stream by stream. */
    const std::vector<uint32_t>& GetHopLinks() const
    {
        return m_hopLinks;
    }

    /** @return the trace, null if the packets are drawn at random. */
    const MqlTrace* GetTrace() const
    {
        return m_trace.get();
    }

    /**
     * @param stream the stream
     * @return its path
     */
    DcnPath GetPath(const MqlTruthStream& stream) const;

    /**
     * @return by directed link: bits per second of all streams over the rate of the link
     */
    std::vector<double> GetUtilisation() const;

  private:
    void AddPairs();
    void Route();
    void Scale();

    MqlTruthConfig m_config;               //!< the configuration
    uint32_t m_ackBytes;                   //!< see GetAckBytes
    Ptr<DcnTopology> m_topology;           //!< the network
    std::vector<MqlTruthFlow> m_flows;     //!< by source and destination
    std::vector<MqlTruthStream> m_streams; //!< flow by flow
    std::vector<uint32_t> m_hopLinks;      //!< stream by stream
    std::shared_ptr<MqlTrace> m_trace;     //!< null if packets are drawn
};

/**
 * @ingroup mql
 * @brief A data packet that is about to be sent.
 */
struct MqlPacketBirth
{
    int64_t timeNs{0};  //!< instant at which the host hands it to its device [ns]
    uint32_t bytes{0};  //!< size on the wire
    uint32_t stream{0}; //!< stream of the packet
    uint32_t ack{0};    //!< stream of its acknowledgement
};

/**
 * @ingroup mql
 * @brief The packets of each flow one after the other, drawn at random or from a trace.
 *
 * Gaps of a GE(lambda, C2) process (Kouvatsos; Poisson for C2 = 1): with tau = 2 / (C2 + 1), a gap
 * is 0 with probability 1 - tau, else exponential with mean 1 / (tau lambda); that is, geometric
 * batches that arrive as a Poisson process. Each flow has a random stream of its own, so that its
 * packets do not depend on the other flows or on the simulator.
 */
class MqlPacketSource
{
  public:
    /** @param traffic the flows; must outlive this object */
    explicit MqlPacketSource(const MqlTruthTraffic& traffic);

    /**
     * @brief Go to the next packet of a flow.
     * @param flow the flow
     * @return the packet; false if the flow has no more
     */
    bool Next(uint32_t flow);

    /**
     * @param flow the flow
     * @return its packet to which Next went
     */
    const MqlPacketBirth& Get(uint32_t flow) const
    {
        return m_births[flow];
    }

  private:
    uint32_t DrawStream(uint32_t first, uint32_t end, UniformRandomVariable& random) const;

    const MqlTruthTraffic& m_traffic;                  //!< the flows
    double m_bytes{0};                                 //!< mean size of packets that are drawn
    double m_spread{0};                                //!< key `spread`
    double m_halfWidth{0};                             //!< largest deviation from m_bytes
    std::vector<Ptr<UniformRandomVariable>> m_random;  //!< by flow
    std::vector<double> m_times;                       //!< by flow: its latest packet [ns]
    std::vector<MqlPacketBirth> m_births;              //!< by flow
    std::vector<std::vector<uint32_t>> m_tracePackets; //!< by flow: of the trace, last first
};

} // namespace ns3

#endif /* MQL_TRUTH_TRAFFIC_H */
