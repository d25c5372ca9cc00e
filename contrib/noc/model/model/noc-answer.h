/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_ANSWER_H
#define NOC_ANSWER_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup noc
/// @brief The four models, by what they know of a layer's other traffic and of full sinks.
enum class NocMethod : uint8_t
{
    PUBLISHED,   //!< the dissertation's equations 2.1 to 2.12 and algorithms 1 and 2
    INDEPENDENT, //!< layers by themselves: through traffic without memory, sinks without limit
    CLOSED,      //!< through traffic with the memory of its sources, sinks with deflection
    CHAIN        //!< through traffic as a chain of two phases, from stop to stop
};

/// @ingroup noc
/// @brief What a model says of one layer. Without traffic all is 0, and lists are empty. Waits at
/// queues to which no packet comes are not a number.
struct NocLayerAnswer
{
    double rate{0};                 //!< accepted packets per cycle, all flows
    double offered{0};              //!< generated packets per cycle
    double latency{0};              //!< mean from generation to acceptance by the sink [cycles]
    std::vector<double> pairs;      //!< the same by source * nodes + destination
    std::vector<double> agentWaits; //!< W at egress queues of caches and controllers, by lane
    std::vector<double> coreWaits;  //!< W at egress queues of cores, by lane
    std::vector<double> turnWaits;  //!< W at transgress queues, by lane
    std::vector<double> lanes;      //!< slots in use on the way out of each lane
    std::vector<double> sinks;      //!< utilisation of the sink of each node
    std::vector<double> bounces;    //!< probability that an attempt at the sink is refused, by node
    std::vector<double> extras;     //!< extra latency by refusals at the sink, by node [cycles]
    double deflections{0};          //!< refused attempts at sinks per cycle
};

/// @ingroup noc
/// @brief What a model says of a system.
struct NocAnswer
{
    static constexpr double FULL_LANE = 0.95; //!< utilisation above which isNear is set for a lane
    static constexpr double FULL_SINK = 0.97; //!< utilisation above which isNear is set for a sink

    std::vector<NocLayerAnswer> layers; //!< by NocLayer
    /// Mean latency of requests and memory requests [cycles]; infinite if saturated
    double requestLatency{0};
    bool isSaturated{false}; //!< there is no steady state: a resource has more to do than it can
    bool isNear{false};      //!< a lane or sink is busy enough that the model is less accurate
    bool hasConverged{true}; //!< the iteration settled
    uint32_t iterations{0};  //!< of the busiest layer
    std::string binding;     //!< the busiest resource, such as "memory controller 12"
    double utilisation{0};   //!< of the busiest resource
    double throughput{0};    //!< requests per cycle that the system can accept in the same mix
};

} // namespace ns3

#endif /* NOC_ANSWER_H */
