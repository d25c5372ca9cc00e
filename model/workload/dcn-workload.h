/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_WORKLOAD_H
#define DCN_WORKLOAD_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief The traffic to generate: flows = arrivals x sizes x traffic matrix, and the load.
 */
struct DcnWorkloadSpec
{
    std::string sizes{"web-server"}; //!< name of a DcnSizeDistribution
    uint64_t sizeCapBytes{0};        //!< larger sizes are reduced to this [bytes]; 0: no cap
    std::string matrix{"uniform"};   //!< name of a DcnTrafficMatrix
    double sigma{0};                 //!< shape of log-normal gaps; 0: Poisson arrivals
    bool perSource{false};       //!< true: one arrival process per host; false: one for the network
    double load{0.5};            //!< payload load of the most loaded link, between 0 and 1
    uint64_t nFlows{2000};       //!< number of flows; 0: all that start within durationNs
    bool exactLoad{false};       //!< with nFlows: starts are stretched to bring exactly the load
    int64_t durationNs{0};       //!< period of starts [ns]; 0: by nFlows
    int64_t startNs{0};          //!< start of the arrival process [ns], at least 0
    uint64_t seed{1};            //!< seed of all random numbers of the flows (DcnRandom)
    uint64_t ecmpSeed{1};        //!< seed of the paths (DcnRouting)
    uint32_t payloadBytes{1000}; //!< largest payload of a packet, for the load with headers
};

/**
 * @ingroup dcn
 * @brief Loads of the links by a list of flows.
 */
struct DcnMeasuredLoad
{
    double maxLoad;   //!< payload of the most loaded link / (its rate * span)
    uint32_t maxLink; //!< that link
    double
        maxWireLoad; //!< likewise with DCN_HEADER_BYTES per packet; the most loaded link may differ
    uint32_t maxWireLink; //!< the link of maxWireLoad
    double rateBps;       //!< payload of all flows / span [bit/s]
    double meanSizeBytes; //!< payload of all flows / their number [bytes]
};

/**
 * @ingroup dcn
 * @brief Compute the loads of the links.
 * @param topology the network
 * @param flows the flows, at least one
 * @param paths their paths, in the same order
 * @param spanNs the period represented by the flows [ns], > 0
 * @param payloadBytes largest payload of a packet
 * @return the loads
 */
DcnMeasuredLoad DcnMeasureLoad(const DcnTopology& topology,
                               const std::vector<DcnFlow>& flows,
                               const DcnPathTable& paths,
                               double spanNs,
                               uint32_t payloadBytes = 1000);

/**
 * @ingroup dcn
 * @brief Calibration of the load, and realised loads.
 *
 * Identity: askedLoad = hottestShare * offeredRateBps / (rate of hottestLink).
 */
struct DcnLoadReport
{
    double askedLoad;       //!< load in the specification
    uint32_t hottestLink;   //!< c*: the link with the most calibration flows per rate
    double hottestShare;    //!< f*: share of the calibration flows that cross it
    uint64_t nCalibration;  //!< number of calibration flows
    double offeredRateBps;  //!< R: expected payload rate of the whole network [bit/s]
    double meanSizeBytes;   //!< E[S]: exact mean size [bytes]
    double meanGapNs;       //!< m: mean time between two flows of the network [ns]
    double expectedMaxLoad; //!< maximum load for flows of mean size and mean gap
    double spanNs;          //!< period represented by the flows: the duration, or the time from the
    //!< first start to the last and one more mean gap of these [ns]
    DcnMeasuredLoad realised; //!< actual loads of the flows, over spanNs
    double stretch;           //!< factor on all starts (DcnWorkloadSpec::exactLoad), otherwise 1
};

/**
 * @ingroup dcn
 * @brief Generated flows with their paths and loads.
 *
 * Load is payload load, without headers, as in the evaluations of Parsimon, m3 and m4; the report
 * also has the load with headers. The load of a link is the payload of the flows that cross it over
 * its rate and the time. It is calibrated as in Parsimon (section 5):
 *
 *     R = load * C* / f*,   m = 8e9 * E[S] / R [ns]
 *
 * where c* is the link with the most calibration flows per rate, f* their share and C* its rate.
 * Calibration flows are
 * - for a number of flows, the flows themselves: the hottest link then has exactly the given load,
 *   apart from random sizes and gaps;
 * - for a duration, 10,000 pairs per directed link, at most MAX_TEST_PAIRS, from a random stream of
 *   their own.
 *
 * With heavy-tailed sizes, realised loads differ from the expected ones unless there are very many
 * flows: see DcnLoadReport::realised. DcnWorkloadSpec::exactLoad multiplies the times between
 * starts by (realised maximum load / load), so that the flows bring the load to their most loaded
 * link.
 */
struct DcnWorkload
{
    std::vector<DcnFlow> flows; //!< ordered by (start, id); ids are 0, 1, 2, ... in this order
    DcnPathTable paths;         //!< by position in flows; by DcnRouting with ecmpSeed
    DcnLoadReport load;         //!< specified and realised loads

    /// Largest number of test pairs for a duration.
    static constexpr uint64_t MAX_TEST_PAIRS = 5'000'000;

    /**
     * @brief Generate flows.
     * @param topology the network
     * @param spec the traffic
     * @return the flows; equal for equal topology and spec
     * @throws DcnError for a bad value, an unknown name, or a pair without a path
     */
    static DcnWorkload Generate(Ptr<const DcnTopology> topology, const DcnWorkloadSpec& spec);
};

} // namespace ns3

#endif /* DCN_WORKLOAD_H */
