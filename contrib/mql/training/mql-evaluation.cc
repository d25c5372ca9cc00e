/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-evaluation.h"

#include "../model/correction/mql-correction.h"
#include "../model/network/mql-solver.h"
#include "../truth/mql-truth-engine.h"
#include "../truth/mql-truth-files.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/// Mean distance of sorted values.
double
Wasserstein(std::vector<double> a, std::vector<double> b)
{
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        sum += std::abs(a[i] - b[i]);
    }
    return sum / static_cast<double>(a.size());
}

/// The network of a configuration; with acknowledgements, flow n + i acknowledges flow i.
std::unique_ptr<MqlNetwork>
MakeNetwork(const MqlTruthTraffic& traffic)
{
    std::vector<MqlFlow> flows(traffic.GetFlows().begin(), traffic.GetFlows().end());
    if (traffic.GetAckBytes() > 0)
    {
        MqlAddAcks(flows, traffic.GetAckBytes());
    }
    const auto& config = traffic.GetConfig();
    if (config.Get("routing") == "split")
    {
        return std::make_unique<MqlNetwork>(
            std::move(flows),
            DcnRouting(traffic.GetTopology(), config.GetWhole("hash_seed")));
    }
    DcnPathTable paths;
    std::vector<uint32_t> links;
    for (const bool isAck : {false, true})
    {
        for (const auto& flow : traffic.GetFlows())
        {
            if (isAck && flow.firstAck == flow.endStream)
            {
                continue;
            }
            const auto path =
                traffic.GetPath(traffic.GetStreams()[isAck ? flow.firstAck : flow.firstStream]);
            links.assign(path.begin(), path.end());
            paths.Append(links);
        }
    }
    return std::make_unique<MqlNetwork>(traffic.GetTopology(), std::move(flows), paths);
}

} // namespace

MqlCase::MqlCase(const std::string& configuration)
    : m_traffic(std::make_unique<MqlTruthTraffic>(MqlTruthConfig::Parse(configuration)))
{
}

MqlCase
MqlCase::Read(const std::string& path)
{
    MqlTruthRun run = MqlReadTruth(path);
    const MqlTruthResult& truth = run.result;
    MqlCase one(run.config.ToFullText());
    const auto& traffic = *one.m_traffic;
    if (truth.hops.size() != traffic.GetHopLinks().size() ||
        truth.flows.size() != traffic.GetFlows().size())
    {
        DcnFail(path,
                ": there are rows of ",
                truth.hops.size(),
                " hops and ",
                truth.flows.size(),
                " flows, but the configuration has ",
                traffic.GetHopLinks().size(),
                " and ",
                traffic.GetFlows().size());
    }
    one.SetTruth(std::move(run.result));
    return one;
}

MqlCase::MqlCase(MqlCase&& other) noexcept = default;
MqlCase::~MqlCase() = default;

void
MqlCase::Simulate()
{
    SetTruth(MqlSimulateTruth(*m_traffic));
}

void
MqlCase::SetTruth(MqlTruthResult truth)
{
    m_truth = std::make_unique<MqlTruthResult>(std::move(truth));
}

void
MqlCase::Solve(const MqlOptions& options)
{
    m_network = MakeNetwork(*m_traffic);
    m_solution = MqlSolve(*m_network, options);
}

void
MqlCase::GetVisits(std::size_t flow,
                   const std::vector<MqlHop>& hops,
                   std::vector<Visit>& visits) const
{
    const std::size_t n = m_traffic->GetFlows().size();
    const auto& parameters = m_traffic->GetFlows()[flow % n];
    const bool isAck = flow >= n;
    visits.assign(hops.size(), {});
    const uint32_t first = isAck ? parameters.firstAck : parameters.firstStream;
    const uint32_t last = isAck ? parameters.endStream : parameters.firstAck;
    for (uint32_t s = first; s < last; ++s)
    {
        const auto& stream = m_traffic->GetStreams()[s];
        const auto path = m_traffic->GetPath(stream);
        uint32_t upstream = MqlPair::EXTERNAL;
        for (uint32_t h = 0; h < stream.nHops; ++h)
        {
            const auto& hop = m_truth->hops[stream.firstHop + h];
            for (std::size_t i = 0; i < hops.size(); ++i)
            {
                if (hops[i].visit.link == path[h] &&
                    m_network->GetPairs()[hops[i].visit.pair].upstream == upstream)
                {
                    visits[i].packets += static_cast<double>(hop.packets);
                    visits[i].waitNs += hop.waitNs * static_cast<double>(hop.packets);
                    break;
                }
            }
            upstream = path[h];
        }
    }
    for (auto& visit : visits)
    {
        visit.waitNs = visit.packets > 0 ? visit.waitNs / visit.packets : 0;
    }
}

const MqlTruthConfig&
MqlCase::GetConfig() const
{
    return m_traffic->GetConfig();
}

const std::vector<MqlFlow>&
MqlCase::GetFlows() const
{
    return m_network->GetFlows();
}

MqlFlowLatency
MqlCase::GetRoundTrip(const MqlCorrectedSolution& corrected, std::size_t flow) const
{
    return m_traffic->GetAckBytes() > 0 ? corrected.GetRoundTrip(flow) : corrected.GetLatency(flow);
}

double
MqlCase::GetCpuSeconds() const
{
    return m_truth->cpuSeconds;
}

uint64_t
MqlCase::GetPacketHops() const
{
    return m_truth->packetHops;
}

std::vector<MqlFlowLatency>
MqlCase::GetRoundTrips(const MqlCorrection* correction) const
{
    const MqlCorrectedSolution corrected(*m_network, m_solution, correction);
    std::vector<MqlFlowLatency> roundTrips;
    for (std::size_t i = 0; i < m_traffic->GetFlows().size(); ++i)
    {
        roundTrips.push_back(GetRoundTrip(corrected, i));
    }
    return roundTrips;
}

std::vector<double>
MqlCase::GetTrueRoundTrips() const
{
    std::vector<double> means;
    for (const MqlTruthFlowResult& flow : m_truth->flows)
    {
        means.push_back(flow.packets >= MqlScore::MIN_PACKETS
                            ? 1e-9 * flow.rttNs
                            : std::numeric_limits<double>::quiet_NaN());
    }
    return means;
}

std::vector<double>
MqlCase::GetP99s(const MqlCorrection* correction,
                 const std::vector<MqlFlowLatency>& roundTrips) const
{
    const MqlCorrectedSolution corrected(*m_network, m_solution, correction);
    std::vector<double> p99s;
    for (std::size_t i = 0; i < roundTrips.size(); ++i)
    {
        p99s.push_back(corrected.GetP99(i, roundTrips[i]));
    }
    return p99s;
}

MqlScore
MqlEvaluate(const MqlCase& one, const MqlCorrection* correction)
{
    const auto& flows = one.GetTruth().flows;
    const auto roundTrips = one.GetRoundTrips(correction);
    const auto p99s = one.GetP99s(correction, roundTrips);
    MqlScore score;
    double waits = 0;
    std::vector<double> means[2];       // of the simulation and of the estimate [ns]
    std::vector<double> percentiles[2]; // 99th, of the simulation and of the estimate [ns]
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const auto& truth = flows[i];
        if (truth.packets < MqlScore::MIN_PACKETS)
        {
            continue;
        }
        const double mean = 1e9 * roundTrips[i].GetMean();
        const double p99 = 1e9 * p99s[i];
        score.flows++;
        score.mape += std::abs(mean - truth.rttNs) / truth.rttNs;
        score.p99Mape += std::abs(p99 - truth.rttP99Ns) / truth.rttP99Ns;
        score.waitMape += std::abs(mean - truth.rttNs);
        waits += truth.rttNs - 1e9 * (roundTrips[i].service + roundTrips[i].propagation);
        score.noise += std::sqrt(2 / M_PI) * truth.rttErrorNs / truth.rttNs;
        means[0].push_back(truth.rttNs);
        means[1].push_back(mean);
        percentiles[0].push_back(truth.rttP99Ns);
        percentiles[1].push_back(p99);
    }
    if (score.flows == 0)
    {
        return score;
    }
    const auto n = static_cast<double>(score.flows);
    score.mape /= n;
    score.p99Mape /= n;
    score.noise /= n;
    score.waitMape = waits > 0 ? score.waitMape / waits : 0;
    score.w1Mean = Wasserstein(means[0], means[1]) / DcnMean(means[0]);
    score.w1P99 = Wasserstein(percentiles[0], percentiles[1]) / DcnMean(percentiles[0]);
    return score;
}

std::shared_ptr<const MqlCorrection>
MqlLoadShippedCorrection()
{
    return MqlCorrection::Load("auto");
}

} // namespace ns3
