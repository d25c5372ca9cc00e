/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_H
#define PARSIMON_LINK_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief The rule sets of the method, compared in doc/parsimon.rst.
 */
enum class ParsimonRules : uint8_t
{
    DEFAULT,   //!< the rules of this module: corrected link topologies, a flow's own delays
    PUBLISHED, //!< the rules of the published system (Zhao et al., NSDI 2023)
    UPPER      //!< DEFAULT without all that takes waiting off: shares, NICs, fan-in
};

/**
 * @ingroup parsimon
 * @brief Position of the target of a link topology on the paths of its flows (Parsimon, section
 * 3.2).
 */
enum class ParsimonPosition : uint8_t
{
    FIRST_HOP,        //!< the target leaves a host: it is that host's NIC
    SWITCH_TO_SWITCH, //!< the target joins switches
    LAST_HOP,         //!< the target ends at a host
};

/**
 * @ingroup parsimon
 * @brief All links between a host and one end of the target, merged into one.
 *
 * A host with paths of different delay or rate to the target has an endpoint for each path.
 */
struct ParsimonEndpoint
{
    uint32_t host;    //!< node index in the scenario's topology
    uint32_t link;    //!< directed link at the host (first or last of the path): identifies the NIC
    uint64_t rateBps; //!< source: the NIC's rate less acknowledgements; destination: the inflated
                      //!< rate of the omitted links; 0 if the host is an end of the target itself
    int64_t delayNs;  //!< sum of the propagation delays of the omitted links
};

/**
 * @ingroup parsimon
 * @brief A flow that crosses the target.
 */
struct ParsimonLinkFlow
{
    uint32_t flow;        //!< flow index in the scenario
    uint32_t source;      //!< index in ParsimonLink::sources
    uint32_t destination; //!< index in ParsimonLink::destinations
    uint64_t sizeBytes;   //!< payload bytes
    int64_t startNs;      //!< start in the scenario [ns]
    /// Largest rate that many windows, one per round trip, and `max_rate_bps` allow [bit/s]; 0: no
    /// limit. Link simulations do not need it (ParsimonNicDelays).
    uint64_t limitBps{0};
    float idleNs{0};     //!< idle time of its window, V of ParsimonWindow [ns]; 0: no window limits
    uint64_t paceBps{0}; //!< rate at which its NIC paces it (ParsimonShares) [bit/s]; 0: the NIC's
    uint64_t id{NO_ID};  //!< DcnFlow::id, to which random marks belong; NO_ID: the flow index

    static constexpr uint64_t NO_ID = std::numeric_limits<uint64_t>::max(); //!< see id

    /** @return the id of the flow in simulations of the link. */
    uint64_t GetId() const
    {
        return id == NO_ID ? flow : id;
    }

    /** @return the smaller one of limitBps and paceBps [bit/s]; 0: no limit. */
    uint64_t GetLimit() const
    {
        return limitBps > 0 && (paceBps == 0 || limitBps <= paceBps) ? limitBps : paceBps;
    }
};

/**
 * @ingroup parsimon
 * @brief Link topology: with the network configuration, the whole input of one link simulation.
 * Equal values give equal results.
 */
struct ParsimonLink
{
    uint32_t link;                              //!< directed link index of the target
    ParsimonPosition position;                  //!< see ParsimonPosition
    uint64_t capacityBps;                       //!< rate of the target
    uint64_t availableBps;                      //!< capacityBps less the rate of acknowledgements
    int64_t delayNs;                            //!< propagation delay of the target
    std::vector<ParsimonEndpoint> sources;      //!< hosts before the target
    std::vector<ParsimonEndpoint> destinations; //!< hosts behind the target
    std::vector<ParsimonLinkFlow> flows;        //!< by (start, id)
    uint64_t windowBytes{0}; //!< a full window on the wire, for ParsimonNicDelays; 0: no window

    /**
     * @param flow one of the flows
     * @return rate of its source's NIC [bit/s]; at the first hop the target is the NIC
     */
    uint64_t GetNicRate(const ParsimonLinkFlow& flow) const
    {
        const uint64_t rateBps = sources[flow.source].rateBps;
        return rateBps > 0 ? rateBps : availableBps;
    }

    /** @return by source: number of its NIC, from 0 in the order of the sources. */
    std::vector<uint32_t> NumberNics() const;

    /** @return by source: whether its NIC has a second source at another delay. */
    std::vector<bool> FindSplitSources() const;
};

/**
 * @ingroup parsimon
 * @brief Outcome of a link simulation, by position in ParsimonLink::flows.
 */
struct ParsimonLinkResult
{
    std::vector<int64_t> fctNs;   //!< completion time in the link topology [ns]
    std::vector<int64_t> idealNs; //!< completion time without any other flow [ns]
    /// Most bytes that a packet found waiting at the target, where it leaves a switch; 0: not known.
    uint64_t queueBytes{0};
};

} // namespace ns3

#endif /* PARSIMON_LINK_H */
