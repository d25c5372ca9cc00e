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
    uint64_t sizeCapBytes{0};        //!< larger sizes become this [bytes]; 0: no cap
    std::string matrix{"uniform"};   //!< name of a DcnTrafficMatrix
    double sigma{0};                 //!< shape of log-normal gaps; 0: Poisson arrivals
    bool perSource{false};           //!< an arrival process for each host, not for the network
    double load{0.5};                //!< payload load of the most loaded link, between 0 and 1
    uint64_t nFlows{2000};           //!< number of flows; 0: as many as start within durationNs
    int64_t durationNs{0};           //!< time in which flows start [ns]; 0: as nFlows takes
    int64_t startNs{0};              //!< start of the arrival process [ns], at least 0
    uint64_t seed{1};                //!< of everything random in the flows (DcnRandom)
    uint64_t ecmpSeed{1};            //!< of the paths (DcnRouting)
    uint32_t payloadBytes{1000};     //!< largest payload of a packet, for the load with headers
};

/**
 * @ingroup dcn
 * @brief Loads that a list of flows brings to the links.
 */
struct DcnMeasuredLoad
{
    double maxLoad;       //!< payload of the most loaded link / (its rate * span)
    uint32_t maxLink;     //!< that link
    double maxWireLoad;   //!< the same with DCN_HEADER_BYTES per packet, of its own hottest link
    uint32_t maxWireLink; //!< the link most loaded with headers
    double rateBps;       //!< payload of all flows / span [bit/s]
    double meanSizeBytes; //!< payload of all flows / their number [bytes]
};

/**
 * @ingroup dcn
 * @brief Add up the loads of the links.
 * @param topology the network
 * @param flows the flows, at least one
 * @param paths their paths, in the same order
 * @param spanNs the time that the flows stand for [ns], > 0
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
 * @brief How the load was set, and the load that the flows have.
 *
 * Identity: askedLoad = hottestShare * offeredRateBps / (rate of hottestLink).
 */
struct DcnLoadReport
{
    double askedLoad;       //!< as specified
    uint32_t hottestLink;   //!< c*: the link with the most calibration flows per rate
    double hottestShare;    //!< f*: share of the calibration flows that cross it
    uint64_t nCalibration;  //!< number of calibration flows
    double offeredRateBps;  //!< R: expected payload rate of the whole network [bit/s]
    double meanSizeBytes;   //!< E[S]: exact mean size [bytes]
    double meanGapNs;       //!< m: mean time between two flows of the network [ns]
    double expectedMaxLoad; //!< maximum load if each of the flows had the mean size and gap
    double spanNs;          //!< time that the flows stand for: the duration, or that from the first
                            //!< start to the last and one mean gap of these more [ns]
    DcnMeasuredLoad realised; //!< loads of the flows as they are, over spanNs
};

/**
 * @ingroup dcn
 * @brief Generated flows with their paths and the loads they bring.
 *
 * Load is payload load: headers are not counted, as in the evaluations of Parsimon, m3 and m4; the
 * report gives the load with headers, too. The load of a link is the payload of the flows that
 * cross it over its rate and the time. It is set as in Parsimon (section 5):
 *
 *     R = load * C* / f*,   m = 8e9 * E[S] / R [ns]
 *
 * where c* is the link with the most calibration flows per rate, f* their share and C* its rate.
 * Calibration flows are
 * - for a number of flows, the flows themselves: the hottest link then carries exactly the load
 *   asked for, but for the chance in sizes and gaps;
 * - for a duration, 10,000 pairs per directed link, at most MAX_TEST_PAIRS, drawn from a stream of
 *   their own.
 *
 * Sizes with a heavy tail realise other loads than expected unless flows are very many: see
 * DcnLoadReport::realised.
 */
struct DcnWorkload
{
    std::vector<DcnFlow> flows; //!< ordered by (start, id); ids are 0, 1, 2, ... in this order
    DcnPathTable paths;         //!< by position in flows; those of DcnRouting with ecmpSeed
    DcnLoadReport load;         //!< loads asked for and realised

    /// Test pairs for a duration are never more than this.
    static constexpr uint64_t MAX_TEST_PAIRS = 5'000'000;

    /**
     * @brief Generate flows.
     * @param topology the network
     * @param spec the traffic
     * @return the flows; the same for the same topology and spec
     * @throws DcnError for a bad value, an unknown name, or a pair without a path
     */
    static DcnWorkload Generate(Ptr<const DcnTopology> topology, const DcnWorkloadSpec& spec);
};

} // namespace ns3

#endif /* DCN_WORKLOAD_H */
