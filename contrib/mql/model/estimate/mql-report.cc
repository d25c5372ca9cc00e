/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-report.h"

#include "../correction/mql-correction.h"
#include "../network/mql-solver.h"
#include "mql-path-traffic.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <iomanip>
#include <limits>

namespace ns3
{

namespace
{
constexpr double MICRO = 1e6; //!< times are written in microseconds
} // namespace

MqlReport::MqlReport(Ptr<const DcnTopology> topology,
                     std::vector<MqlFlow> flows,
                     const DcnPathTable& paths)
    : m_network(std::make_unique<MqlNetwork>(topology, std::move(flows), paths))
{
}

MqlReport::MqlReport(std::vector<MqlFlow> flows, const DcnRouting& routing)
    : m_network(std::make_unique<MqlNetwork>(std::move(flows), routing))
{
}

MqlReport::~MqlReport() = default;

const DcnTopology&
MqlReport::GetTopology() const
{
    return m_network->GetTopology();
}

std::size_t
MqlReport::GetNFlows() const
{
    return m_network->GetFlows().size();
}

std::size_t
MqlReport::GetNQueues() const
{
    return m_network->GetOrder().size();
}

uint64_t
MqlReport::GetNSplitVisits() const
{
    return m_network->GetNSplitVisits();
}

MqlReport::MqlReport(Ptr<const DcnTopology> topology, std::vector<MqlFlow> flows, uint64_t ecmpSeed)
{
    const DcnPathTable paths = MqlHashPaths(flows, DcnRouting(topology, ecmpSeed));
    m_network = std::make_unique<MqlNetwork>(topology, std::move(flows), paths);
}

MqlReport::MqlReport(const DcnScenario& scenario)
{
    MqlPathTraffic traffic = MqlPathTraffic::Measure(scenario);
    m_network = std::make_unique<MqlNetwork>(scenario.GetTopologyPtr(),
                                             std::move(traffic.flows),
                                             traffic.paths);
}

const MqlSolution&
MqlReport::Solve(const MqlOptions& options)
{
    m_formula = options.formula;
    m_solution = MqlSolve(*m_network, options);
    return m_solution;
}

std::vector<uint32_t>
MqlReport::GetHottest() const
{
    const auto& queues = m_solution.GetQueues();
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < queues.size(); link++)
    {
        if (queues[link].rate > 0)
        {
            links.push_back(link);
        }
    }
    std::sort(links.begin(), links.end(), [&queues](uint32_t a, uint32_t b) {
        if (queues[a].rho != queues[b].rho)
        {
            return queues[a].rho > queues[b].rho;
        }
        return queues[a].wait != queues[b].wait ? queues[a].wait > queues[b].wait : a < b;
    });
    return links;
}

bool
MqlReport::SetCorrection(const std::string& name)
{
    m_correction = MqlCorrection::Load(name, m_formula);
    return m_correction != nullptr;
}

std::string
MqlReport::DescribeUntrained() const
{
    return MqlCorrectedSolution(*m_network, m_solution, m_correction.get()).DescribeUnknown();
}

std::vector<MqlFlowLatency>
MqlReport::GetLatencies() const
{
    const MqlCorrectedSolution corrected(*m_network, m_solution, m_correction.get());
    std::vector<MqlFlowLatency> latencies;
    for (std::size_t i = 0; i < m_network->GetFlows().size(); i++)
    {
        latencies.push_back(m_correction ? corrected.GetLatency(i) : m_solution.GetLatency(i));
    }
    return latencies;
}

void
MqlReport::Print(std::ostream& out, std::size_t nQueues) const
{
    const auto& flows = m_network->GetFlows();
    const std::vector<MqlFlowLatency> latencies = GetLatencies();
    std::vector<double> oneWay;
    std::vector<double> tails;
    std::vector<double> roundTrips;
    double delivered = 1;
    for (std::size_t i = 0; i < flows.size(); i++)
    {
        if (flows[i].kind != MqlFlow::Kind::DATA)
        {
            continue;
        }
        const MqlFlowLatency& latency = latencies[i];
        oneWay.push_back(MICRO * latency.GetMean());
        tails.push_back(MICRO * latency.GetQuantile(0.99));
        delivered = std::min(delivered, latency.delivered);
        if (flows[i].partner != MqlFlow::NO_PARTNER)
        {
            roundTrips.push_back(MICRO * latency.Then(latencies[flows[i].partner]).GetMean());
        }
    }
    const auto line = [&out](const char* name, std::vector<double> values) {
        std::sort(values.begin(), values.end());
        out << std::left << std::setw(28) << name << std::right << std::setw(11) << DcnMean(values)
            << std::setw(11) << values.front() << std::setw(11) << DcnQuantile(values, 0.5)
            << std::setw(11) << values.back() << '\n';
    };
    out << std::fixed << std::setprecision(3)
        << "latency of flows [us]              mean        min"
        << "     median        max\n";
    line("  one way, mean", oneWay);
    line("  one way, 99th percentile", tails);
    if (!roundTrips.empty())
    {
        line("  round trip, mean", roundTrips);
    }
    if (delivered < 1 - 1e-9)
    {
        out << "losses: at worst " << 100 * (1 - delivered) << " % of a flow's packets\n";
    }
    out << "\ntier         queues  mean load   max load    wait [us]   max wait      <n>\n";
    for (const MqlTier& tier : m_solution.GetTiers())
    {
        out << std::left << std::setw(12) << tier.name << std::right << std::setw(7) << tier.nQueues
            << std::setw(11) << tier.meanRho << std::setw(11) << tier.maxRho << std::setw(13)
            << MICRO * tier.wait << std::setw(11) << MICRO * tier.maxWait << std::setw(9)
            << tier.occupancy << '\n';
    }
    const std::vector<uint32_t> hottest = GetHottest();
    out << "\nhottest queues           type          load    wait [us]      <n>     loss\n";
    for (std::size_t i = 0; i < std::min(nQueues, hottest.size()); i++)
    {
        const MqlQueue& queue = m_solution.GetQueues()[hottest[i]];
        out << std::left << std::setw(24) << m_network->GetTopology().DescribeLink(hottest[i])
            << ' ' << std::setw(10) << MqlQueueTypes::GetName(m_network->GetQueueType(hottest[i]))
            << std::right << std::setw(8) << queue.rho << std::setw(13) << MICRO * queue.wait
            << std::setw(9) << queue.occupancy << std::setw(9) << queue.loss << '\n';
    }
    out << std::defaultfloat << std::setprecision(6);
}

void
MqlReport::WriteQueues(const std::string& path) const
{
    const DcnTopology& topology = m_network->GetTopology();
    DcnFileWriter writer(path);
    std::ostream& out = writer.Stream();
    out << "link,from,to,type,rate_pps,utilisation,service_us,c2a,c2s,c2d,wait_us,occupancy,loss\n";
    for (uint32_t link : GetHottest())
    {
        const MqlQueue& queue = m_solution.GetQueues()[link];
        const DcnLink& ends = topology.GetLink(link);
        out << link << ',' << topology.GetExternalId(ends.from) << ','
            << topology.GetExternalId(ends.to) << ','
            << MqlQueueTypes::GetName(m_network->GetQueueType(link)) << std::setprecision(9) << ','
            << queue.rate << ',' << queue.rho << ',' << MICRO * queue.service << ',' << queue.c2a
            << ',' << queue.c2s << ',' << queue.c2d << ',' << MICRO * queue.wait << ','
            << queue.occupancy << ',' << queue.loss << '\n';
    }
    writer.Commit();
}

void
MqlReport::WriteFlows(const std::string& path) const
{
    const DcnTopology& topology = m_network->GetTopology();
    const auto& flows = m_network->GetFlows();
    const std::vector<MqlFlowLatency> latencies = GetLatencies();
    DcnFileWriter writer(path);
    std::ostream& out = writer.Stream();
    out << "flow,src,dst,kind,rate_pps,c2a,packet_bytes,c2s,wait_us,latency_us,p99_latency_us,"
           "rtt_us,delivered\n";
    for (std::size_t i = 0; i < flows.size(); i++)
    {
        const MqlFlow& flow = flows[i];
        const MqlFlowLatency& latency = latencies[i];
        out << i << ',' << topology.GetExternalId(flow.src) << ','
            << topology.GetExternalId(flow.dst) << ','
            << (flow.kind == MqlFlow::Kind::DATA ? "data" : "ack") << std::setprecision(9) << ','
            << flow.rate << ',' << flow.c2a << ',' << flow.wireBytes << ',' << flow.c2s << ','
            << MICRO * latency.wait << ',' << MICRO * latency.GetMean() << ','
            << MICRO * latency.GetQuantile(0.99) << ',';
        if (flow.partner == MqlFlow::NO_PARTNER)
        {
            out << "nan";
        }
        else
        {
            out << MICRO * latency.Then(latencies[flow.partner]).GetMean();
        }
        out << ',' << latency.delivered << '\n';
    }
    writer.Commit();
}

bool
MqlReport::PlotTiers(const std::string& base) const
{
    DcnBarPlot plot("Waiting time by tier", "waiting time [us]");
    for (const MqlTier& tier : m_solution.GetTiers())
    {
        plot.Add(tier.name, "mean over packets", MICRO * tier.wait);
        plot.Add(tier.name, "queue with the longest wait", MICRO * tier.maxWait);
    }
    return plot.Write(base);
}

} // namespace ns3
