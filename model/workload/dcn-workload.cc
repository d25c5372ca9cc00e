/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-workload.h"

#include "dcn-arrival-process.h"
#include "dcn-size-distribution.h"
#include "dcn-traffic-matrix.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnWorkload");

namespace
{

constexpr uint64_t TEST_PAIRS_PER_LINK = 10'000; //!< calibration for a duration (Parsimon)
constexpr uint64_t MAX_FLOWS = 1'000'000'000;    //!< limit by memory
constexpr double LATEST_START = 9e18;            //!< starts are 64-bit nanoseconds [ns]

/// Counts flows per link and finds the link that limits the load.
class FlowCounter
{
  public:
    /**
     * @param topology the network
     */
    explicit FlowCounter(const DcnTopology& topology)
        : m_topology(topology),
          m_counts(topology.GetNLinks(), 0)
    {
    }

    /**
     * @brief Count a flow.
     * @param path its links
     */
    void Add(const std::vector<uint32_t>& path)
    {
        for (uint32_t link : path)
        {
            ++m_counts[link];
        }
        ++m_flows;
    }

    /** @return the link with the most flows per rate. */
    uint32_t GetHottest() const
    {
        uint32_t hottest = 0;
        for (uint32_t link = 1; link < m_counts.size(); ++link)
        {
            hottest = GetFlowsPerRate(link) > GetFlowsPerRate(hottest) ? link : hottest;
        }
        return hottest;
    }

    /**
     * @param link directed link index
     * @return share of the flows that cross it
     */
    double GetShare(uint32_t link) const
    {
        return static_cast<double>(m_counts[link]) / m_flows;
    }

    /** @return the number of flows counted. */
    uint64_t GetN() const
    {
        return m_flows;
    }

  private:
    /**
     * @param link directed link index
     * @return its flows over its rate [s/bit]
     */
    double GetFlowsPerRate(uint32_t link) const
    {
        return static_cast<double>(m_counts[link]) / m_topology.GetLink(link).rateBps;
    }

    const DcnTopology& m_topology;  //!< the network
    std::vector<uint64_t> m_counts; //!< flows per link
    uint64_t m_flows{0};            //!< all flows
};

/**
 * @param spec the traffic
 * @throws DcnError if a number is out of its range
 */
void
CheckSpec(const DcnWorkloadSpec& spec)
{
    if (!(spec.load > 0))
    {
        DcnFail("the load must be above 0, but it is ", spec.load);
    }
    if (spec.load >= 1)
    {
        DcnFail("the load must be below 1, the capacity of the most loaded link, but it is ",
                spec.load);
    }
    if (spec.nFlows == 0 && spec.durationNs == 0)
    {
        DcnFail("the number of flows is 0 and no duration is given, so there is no flow");
    }
    if (spec.nFlows != 0 && spec.durationNs != 0)
    {
        DcnFail("either a number of flows or a duration can be given, but there are ",
                spec.nFlows,
                " flows and ",
                spec.durationNs,
                " ns");
    }
    if (spec.exactLoad && spec.nFlows == 0)
    {
        DcnFail(
            "an exact load needs a number of flows: a duration leaves no room to stretch starts");
    }
    if (spec.nFlows > MAX_FLOWS)
    {
        DcnFail("at most ",
                MAX_FLOWS,
                " flows can be generated, but ",
                spec.nFlows,
                " are asked for");
    }
    if (spec.durationNs < 0)
    {
        DcnFail("the duration must be above 0, but it is ", spec.durationNs, " ns");
    }
    if (spec.startNs < 0)
    {
        DcnFail("the start must not be before 0, but it is ", spec.startNs, " ns");
    }
}

/**
 * @param topology the network
 * @param matrix the pairs; restarted
 * @param random the seed
 * @param routing the paths
 * @return flows of test pairs per link
 */
FlowCounter
CountTestPairs(const DcnTopology& topology,
               DcnTrafficMatrix& matrix,
               const DcnRandom& random,
               const DcnRouting& routing)
{
    FlowCounter counter(topology);
    std::vector<uint32_t> path;
    const uint64_t nPairs =
        std::min(TEST_PAIRS_PER_LINK * topology.GetNLinks(), DcnWorkload::MAX_TEST_PAIRS);
    matrix.Restart(random, DcnPurpose::TEST_PAIRS);
    for (uint64_t id = 0; id < nPairs; ++id)
    {
        const auto [src, dst] = matrix.Draw();
        path.clear();
        routing.AppendPath({id, src, dst, 1, 0}, path);
        counter.Add(path);
    }
    matrix.Restart(random, DcnPurpose::FLOW_PAIRS);
    return counter;
}

/**
 * Compute rate and mean gap from the flows per link.
 * @param topology the network
 * @param counter calibration flows
 * @param report askedLoad and meanSizeBytes are inputs, the other calibration results are set
 */
void
Calibrate(const DcnTopology& topology, const FlowCounter& counter, DcnLoadReport& report)
{
    report.hottestLink = counter.GetHottest();
    report.hottestShare = counter.GetShare(report.hottestLink);
    report.nCalibration = counter.GetN();
    report.offeredRateBps =
        report.askedLoad * topology.GetLink(report.hottestLink).rateBps / report.hottestShare;
    report.meanGapNs = 8e9 * report.meanSizeBytes / report.offeredRateBps;
    NS_LOG_INFO("hottest link " << topology.DescribeLink(report.hottestLink) << " carries "
                                << 100 * report.hottestShare << " % of the flows; mean gap "
                                << report.meanGapNs << " ns for load " << report.askedLoad);
}

/**
 * @param spec the traffic
 * @param gaps time since the start of the process, in mean gaps
 * @param meanGapNs a mean gap [ns]
 * @return the start time [ns]
 */
int64_t
StartOf(const DcnWorkloadSpec& spec, double gaps, double meanGapNs)
{
    const double since = gaps * meanGapNs;
    if (since > LATEST_START - spec.startNs)
    {
        DcnFail("at the load ", spec.load, " flows would start after more than 2^63 ns");
    }
    return spec.startNs + std::llround(since);
}

/**
 * Draw flows and their paths; their start times are set later, when the mean gap is known.
 * @param spec the traffic
 * @param routing the paths
 * @param sizes the sizes
 * @param matrix the pairs
 * @param arrivals the start times
 * @param workload flows and paths are added to it; its load report has the mean gap if a duration
 * is given
 * @param counter flows per link, the flows are added
 * @return time of each flow since the start of the process, in mean gaps
 */
std::vector<double>
DrawFlows(const DcnWorkloadSpec& spec,
          const DcnRouting& routing,
          DcnSizeDistribution& sizes,
          DcnTrafficMatrix& matrix,
          DcnArrivalProcess& arrivals,
          DcnWorkload& workload,
          FlowCounter& counter)
{
    const uint64_t cap =
        spec.sizeCapBytes ? spec.sizeCapBytes : std::numeric_limits<uint64_t>::max();
    std::vector<double> times;
    std::vector<uint32_t> path;
    workload.flows.reserve(spec.nFlows);
    times.reserve(spec.nFlows);
    while (spec.durationNs || workload.flows.size() < spec.nFlows)
    {
        const auto [time, source] = arrivals.Next();
        if (spec.durationNs && time * workload.load.meanGapNs >= spec.durationNs)
        {
            break;
        }
        DcnFlow flow{};
        flow.id = workload.flows.size();
        flow.src = source == DcnArrivalProcess::ANY_SOURCE ? matrix.DrawSource() : source;
        flow.dst = matrix.DrawDestination(flow.src);
        flow.sizeBytes = std::min(sizes.Sample(), cap);
        path.clear();
        routing.AppendPath(flow, path);
        counter.Add(path);
        workload.paths.Append(path);
        workload.flows.push_back(flow);
        times.push_back(time);
    }
    if (workload.flows.empty())
    {
        DcnFail("no flow starts within ",
                spec.durationNs,
                " ns at the load ",
                spec.load,
                ", where the mean gap is ",
                workload.load.meanGapNs,
                " ns: raise one of them");
    }
    return times;
}

} // namespace

DcnMeasuredLoad
DcnMeasureLoad(const DcnTopology& topology,
               const std::vector<DcnFlow>& flows,
               const DcnPathTable& paths,
               double spanNs,
               uint32_t payloadBytes)
{
    std::vector<double> payload(topology.GetNLinks(), 0.0);
    std::vector<double> wire(topology.GetNLinks(), 0.0);
    double total = 0;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const double bytes = flows[i].sizeBytes;
        const double wireBytes = DcnWireBytes(flows[i].sizeBytes, payloadBytes);
        total += bytes;
        for (uint32_t link : paths.Get(i))
        {
            payload[link] += bytes;
            wire[link] += wireBytes;
        }
    }
    DcnMeasuredLoad load{};
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const double capacity = topology.GetLink(link).rateBps * spanNs / 8e9; // bytes
        if (payload[link] > load.maxLoad * capacity)
        {
            load.maxLoad = payload[link] / capacity;
            load.maxLink = link;
        }
        if (wire[link] > load.maxWireLoad * capacity)
        {
            load.maxWireLoad = wire[link] / capacity;
            load.maxWireLink = link;
        }
    }
    load.rateBps = total * 8e9 / spanNs;
    load.meanSizeBytes = total / flows.size();
    return load;
}

DcnWorkload
DcnWorkload::Generate(Ptr<const DcnTopology> topology, const DcnWorkloadSpec& spec)
{
    CheckSpec(spec);
    const DcnRandom random(spec.seed);
    auto sizes = DcnSizeDistribution::Create(spec.sizes);
    sizes->AssignStreams(random);
    auto matrix = DcnTrafficMatrix::Create(spec.matrix, topology, random);
    const DcnRouting routing(topology, spec.ecmpSeed);
    DcnWorkload workload;
    DcnLoadReport& report = workload.load;
    report.askedLoad = spec.load;
    report.stretch = 1;
    report.meanSizeBytes =
        spec.sizeCapBytes ? sizes->GetLimitedMean(spec.sizeCapBytes) : sizes->GetMean();
    if (spec.durationNs)
    {
        Calibrate(*topology, CountTestPairs(*topology, *matrix, random, routing), report);
        if (spec.durationNs / report.meanGapNs > MAX_FLOWS)
        {
            DcnFail("about ",
                    spec.durationNs / report.meanGapNs,
                    " flows would start within ",
                    spec.durationNs,
                    " ns, but at most ",
                    MAX_FLOWS,
                    " can be generated");
        }
    }

    auto arrivals = spec.perSource ? DcnArrivalProcess(spec.sigma, random, *topology, *matrix)
                                   : DcnArrivalProcess(spec.sigma, random);
    FlowCounter counter(*topology);
    const std::vector<double> times =
        DrawFlows(spec, routing, *sizes, *matrix, arrivals, workload, counter);
    const double n = workload.flows.size();
    if (spec.nFlows)
    {
        Calibrate(*topology, counter, report);
    }
    for (std::size_t i = 0; i < workload.flows.size(); ++i)
    {
        workload.flows[i].startNs = StartOf(spec, times[i], report.meanGapNs);
    }
    report.spanNs = static_cast<double>(spec.durationNs);
    if (spec.nFlows)
    {
        // n flows represent n gaps, one more than the gaps between them
        const double between = (times.back() - times.front()) * report.meanGapNs;
        report.spanNs = between > 0 ? between * n / (n - 1.0) : report.meanGapNs;
    }
    const uint32_t hottest = counter.GetHottest();
    report.expectedMaxLoad = counter.GetShare(hottest) * n * 8e9 * report.meanSizeBytes /
                             topology->GetLink(hottest).rateBps /
                             (spec.nFlows ? n * report.meanGapNs : report.spanNs);
    report.realised =
        DcnMeasureLoad(*topology, workload.flows, workload.paths, report.spanNs, spec.payloadBytes);
    if (spec.exactLoad)
    {
        report.stretch = report.realised.maxLoad / spec.load;
        for (DcnFlow& flow : workload.flows)
        {
            flow.startNs =
                spec.startNs +
                std::llround(static_cast<double>(flow.startNs - spec.startNs) * report.stretch);
        }
        report.spanNs *= report.stretch;
        report.realised = DcnMeasureLoad(*topology,
                                         workload.flows,
                                         workload.paths,
                                         report.spanNs,
                                         spec.payloadBytes);
    }
    NS_LOG_INFO(n << " flows in " << report.spanNs << " ns, sizes " << spec.sizes << ", matrix "
                  << spec.matrix << ", load " << report.realised.maxLoad);
    return workload;
}

} // namespace ns3
