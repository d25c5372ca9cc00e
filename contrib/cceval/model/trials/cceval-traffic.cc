/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-traffic.h"

#include "cceval-proposal.h"

#include "ns3/cceval-interval.h"
#include "ns3/dcn-arrival-process.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-routing.h"
#include "ns3/hash.h"

#include <cmath>
#include <numeric>
#include <sstream>

namespace ns3
{

uint64_t
CcevalSeed(uint64_t base, CcevalStage stage, uint64_t run)
{
    if (base > CCEVAL_MAX_BASE)
    {
        DcnFail("the seed of an evaluation must be at most ",
                CCEVAL_MAX_BASE,
                ", but it is ",
                base);
    }
    if (run >= CCEVAL_MAX_RUNS)
    {
        DcnFail("an evaluation has at most ", CCEVAL_MAX_RUNS, " trials");
    }
    return (base * 4 + static_cast<uint64_t>(stage)) * CCEVAL_MAX_RUNS + run;
}

double
CcevalTrace::GetLogLikelihood() const
{
    return std::accumulate(logFactors.begin(), logFactors.end(), 0.0);
}

CcevalTraffic::CcevalTraffic(Ptr<const DcnTopology> topology, const DcnWorkloadSpec& spec)
    : m_topology(topology),
      m_spec(spec),
      m_sizes(DcnSizeDistribution::Create(spec.sizes)),
      m_matrix(DcnTrafficMatrix::Create(spec.matrix, topology, DcnRandom(spec.seed)))
{
    if (spec.perSource || spec.sizeCapBytes || spec.startNs)
    {
        DcnFail("the traffic of trials has one arrival process, no cap on sizes and starts at 0");
    }
    // Calibrated by the pairs alone, as for any duration: calibrated by each trial's own flows, the
    // load would be the same in trials that differ by chance. The first flow starts at 0.
    DcnWorkloadSpec calibration = spec;
    calibration.nFlows = 0;
    calibration.durationNs = 1;
    m_meanGapNs = DcnWorkload::Generate(topology, calibration).load.meanGapNs;
}

void
CcevalTraffic::SetSizes(const SizeOfScore& sizes, const std::string& name)
{
    m_sizeOfScore = sizes;
    m_sizesName = name;
}

CcevalTrace
CcevalTraffic::Draw(uint64_t seed) const
{
    return Draw(seed, CcevalProposal());
}

CcevalTrace
CcevalTraffic::Draw(uint64_t seed, const CcevalProposal& proposal, int64_t switchNs) const
{
    const DcnRandom random(seed);
    DcnArrivalProcess arrivals(m_spec.sigma, random);
    m_matrix->Restart(random, DcnPurpose::FLOW_PAIRS);
    const DcnRouting routing(m_topology, seed);
    auto scores = CreateObject<NormalRandomVariable>();
    random.Assign(scores, DcnPurpose::FLOW_SIZES);
    auto choices = CreateObject<UniformRandomVariable>();
    random.Assign(choices, DcnPurpose::SIZE_PROPOSAL);

    CcevalTrace trace;
    trace.seed = seed;
    std::vector<uint32_t> path;
    while (m_spec.durationNs || trace.flows.size() < m_spec.nFlows)
    {
        const double start = arrivals.Next().time * m_meanGapNs;
        if (m_spec.durationNs && start >= static_cast<double>(m_spec.durationNs))
        {
            break;
        }
        DcnFlow flow{};
        flow.id = trace.flows.size();
        flow.startNs = std::llround(start);
        std::tie(flow.src, flow.dst) = m_matrix->Draw();
        // all random numbers are drawn for every flow, so that scores do not depend on the proposal
        double score = scores->GetValue();
        const bool chosen = choices->GetValue() < proposal.share;
        const bool tilted = flow.startNs < switchNs && !proposal.IsOriginal();
        if (tilted && chosen)
        {
            score = proposal.mean + proposal.deviation * score;
        }
        flow.sizeBytes =
            m_sizeOfScore ? m_sizeOfScore(score) : m_sizes->GetQuantile(CcevalNormalCdf(score));
        path.clear();
        routing.AppendPath(flow, path);
        trace.paths.Append(path);
        trace.flows.push_back(flow);
        trace.scores.push_back(score);
        trace.logFactors.push_back(tilted ? proposal.GetLogFactor(score) : 0.0);
    }
    return trace;
}

std::vector<uint64_t>
CcevalTraffic::DrawSizes(uint64_t seed) const
{
    const DcnRandom random(seed);
    DcnArrivalProcess arrivals(m_spec.sigma, random);
    auto scores = CreateObject<NormalRandomVariable>();
    random.Assign(scores, DcnPurpose::FLOW_SIZES);
    std::vector<uint64_t> sizes;
    while (m_spec.durationNs || sizes.size() < m_spec.nFlows)
    {
        if (m_spec.durationNs &&
            arrivals.Next().time * m_meanGapNs >= static_cast<double>(m_spec.durationNs))
        {
            break;
        }
        const double score = scores->GetValue();
        sizes.push_back(m_sizeOfScore ? m_sizeOfScore(score)
                                      : m_sizes->GetQuantile(CcevalNormalCdf(score)));
    }
    return sizes;
}

Ptr<const DcnScenario>
CcevalTraffic::MakeScenario(const CcevalTrace& trace, Ptr<const DcnNetworkConfig> network) const
{
    return DcnScenario::CreateWithPaths(m_topology, network, trace.flows, trace.paths, trace.seed);
}

double
CcevalTraffic::GetMeanGapNs() const
{
    return m_meanGapNs;
}

const DcnWorkloadSpec&
CcevalTraffic::GetSpec() const
{
    return m_spec;
}

double
CcevalTraffic::GetExpectedFlows() const
{
    if (m_spec.nFlows)
    {
        return static_cast<double>(m_spec.nFlows);
    }
    return m_spec.sigma == 0 ? 1 + static_cast<double>(m_spec.durationNs) / m_meanGapNs : 0;
}

std::string
CcevalTraffic::Describe() const
{
    std::ostringstream text;
    text.precision(12);
    text << "hosts=" << m_topology->GetHosts().size() << " links=" << m_topology->GetNLinks()
         << " sizes=" << m_spec.sizes << " matrix=" << m_spec.matrix << " load=" << m_spec.load
         << " sigma=" << m_spec.sigma << " flows=" << m_spec.nFlows
         << " duration_ns=" << m_spec.durationNs << " mean_gap_ns=" << m_meanGapNs
         << " seed=" << m_spec.seed;
    if (!m_sizesName.empty())
    {
        text << " drawn_sizes=" << m_sizesName;
    }
    // File names do not determine their content, nor link numbers their wiring: hash both.
    std::ostringstream bytes;
    for (uint32_t link = 0; link < m_topology->GetNLinks(); ++link)
    {
        const DcnLink& each = m_topology->GetLink(link);
        bytes << each.from << ' ' << each.to << ' ' << each.rateBps << ' ' << each.delayNs << '\n';
    }
    const CcevalTrace trace = Draw(CcevalSeed(m_spec.seed, CcevalStage::TRIALS, 0));
    for (const DcnFlow& flow : trace.flows)
    {
        bytes << flow.startNs << ' ' << flow.src << ' ' << flow.dst << ' ' << flow.sizeBytes
              << '\n';
    }
    text << " digest=" << std::hex << Hash64(bytes.str());
    return text.str();
}

} // namespace ns3
