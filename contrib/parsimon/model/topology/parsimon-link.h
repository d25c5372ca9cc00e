/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_H
#define PARSIMON_LINK_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Where the target of a link topology is on the paths of its flows (Parsimon, section 3.2).
 */
enum class ParsimonPosition : uint8_t
{
    FIRST_HOP,        //!< the target leaves a host
    SWITCH_TO_SWITCH, //!< the target joins switches
    LAST_HOP,         //!< the target ends at a host
};

/**
 * @ingroup parsimon
 * @brief What joins a host to one end of the target: the links before or after it, made one.
 *
 * Hosts whose paths to the target differ in delay or rate have an endpoint for each.
 */
struct ParsimonEndpoint
{
    uint32_t host;    //!< node index in the scenario's topology
    uint32_t link;    //!< directed link at the host (its first or last), the network interface
    uint64_t rateBps; //!< source: the interface's rate, less acknowledgements; destination:
                      //!< the inflated rate of the links that are left out; 0 if the host is an end
                      //!< of the target itself
    int64_t delayNs;  //!< sum of the propagation delays of the links that are left out
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
};

/**
 * @ingroup parsimon
 * @brief Everything that decides the outcome of one link simulation, beside the network
 * configuration: equal values of this struct mean equal results.
 */
struct ParsimonLink
{
    uint32_t link;                              //!< directed link index of the target
    ParsimonPosition position;                  //!< see ParsimonPosition
    uint64_t capacityBps;                       //!< rate of the target
    uint64_t availableBps;                      //!< the same less the rate of acknowledgements
    int64_t delayNs;                            //!< propagation delay of the target
    std::vector<ParsimonEndpoint> sources;      //!< hosts before the target
    std::vector<ParsimonEndpoint> destinations; //!< hosts behind it
    std::vector<ParsimonLinkFlow> flows;        //!< by (start, id)
};

/**
 * @ingroup parsimon
 * @brief Outcome of a link simulation, by position in ParsimonLink::flows.
 */
struct ParsimonLinkResult
{
    std::vector<int64_t> fctNs;   //!< completion time in the link topology [ns]
    std::vector<int64_t> idealNs; //!< the same without any other flow [ns]
    std::vector<int64_t> nicNs;   //!< the same when only the sources' interfaces are shared and the
                                  //!< target never is; empty unless asked for
};

} // namespace ns3

#endif /* PARSIMON_LINK_H */
