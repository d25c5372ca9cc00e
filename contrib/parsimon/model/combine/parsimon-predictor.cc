/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-predictor.h"

#include "../simulate/parsimon-binary.h"
#include "../topology/parsimon-window.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonPredictor");

namespace
{

/**
 * Mix the bits of a number: each bit of the result depends on all bits (Steele, Lea and Flood,
 * OOPSLA 2014, the finaliser of SplitMix64).
 * @param x the number
 * @return the result
 */
uint64_t
Mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15ULL; //!< odd number that spreads successive numbers
constexpr std::size_t CHUNK = 1024;                //!< flows per task of a thread
constexpr uint32_t PATH_DRAWS = 1000;              //!< random numbers from here on choose paths

} // namespace

ParsimonDraws::ParsimonDraws(uint64_t seed)
{
    Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(uniform, DcnPurpose::LINK_DELAYS);
    const uint64_t high = uniform->GetInteger(0, 0x7fffffff);
    m_key = high << 32 | uniform->GetInteger(0, 0x7fffffff);
}

double
ParsimonDraws::Get(uint64_t flow, uint32_t index) const
{
    const uint64_t bits = Mix(Mix(m_key + GOLDEN * (flow + 1)) + GOLDEN * (index + 1ULL));
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

void
ParsimonDraws::GetPath(uint64_t flow,
                       const DcnTopology& topology,
                       const DcnRouting& routing,
                       uint32_t src,
                       uint32_t dst,
                       std::vector<uint32_t>& path) const
{
    path.clear();
    for (uint32_t node = src; node != dst; node = topology.GetLink(path.back()).to)
    {
        const auto next = routing.GetNextLinks(node, dst);
        if (next.empty())
        {
            DcnFail("there is no path from node ", src, " to node ", dst);
        }
        const double u = Get(flow, PATH_DRAWS + static_cast<uint32_t>(path.size()));
        path.push_back(next[static_cast<std::size_t>(u * static_cast<double>(next.size()))]);
    }
}

ParsimonPredictor::ParsimonPredictor(ParsimonRules rules, uint64_t seed)
    : m_rules(rules),
      m_seed(seed),
      m_draws(seed)
{
}

ParsimonPredictor::ParsimonPredictor(const ParsimonDecomposition& decomposition,
                                     const ParsimonLinkTable& table,
                                     bool allDistributions,
                                     uint32_t nThreads)
    : ParsimonPredictor(decomposition.GetBuilder().GetRules(),
                        decomposition.GetBuilder().GetScenario().GetSeed())
{
    const DcnScenario& scenario = decomposition.GetBuilder().GetScenario();
    m_overlap = m_rules == ParsimonRules::UPPER
                    ? ParsimonOverlap::None(scenario.GetTopology().GetNLinks())
                    : ParsimonOverlap(scenario, [&decomposition](uint32_t link) {
                          return decomposition.GetBuilder().GetLoad(link);
                      });
    m_payloadBytes = scenario.GetNetwork().payloadBytes;
    if (m_rules == ParsimonRules::DEFAULT && !scenario.GetNetwork().ackHighPriority)
    {
        const auto& flows = scenario.GetFlows();
        m_isBurst.resize(flows.size());
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            m_isBurst[f] = decomposition.GetBuilder().GetWindow().IsBurst(
                scenario.GetTopology(),
                scenario.GetPath(f),
                flows[f].sizeBytes,
                scenario.GetIdealFct(f).bottleneckBps);
        }
    }
    MakeDistributions(decomposition, table, allDistributions, nThreads);
}

void
ParsimonPredictor::MakeDistributions(const ParsimonDecomposition& decomposition,
                                     const ParsimonLinkTable& table,
                                     bool allDistributions,
                                     uint32_t nThreads)
{
    const ParsimonLinkIndex& index = table.GetIndex();
    const uint32_t nLinks = index.GetNLinks();
    std::vector<char> isWanted(nLinks,
                               allDistributions || m_rules == ParsimonRules::PUBLISHED ? 1 : 0);
    for (uint32_t link = 0; link < nLinks; ++link)
    {
        if (table.GetRepresentative(link) != link)
        {
            isWanted[table.GetRepresentative(link)] = 1;
        }
    }
    ParsimonBucketOptions buckets;
    buckets.rules = m_rules;
    buckets.payloadBytes = m_payloadBytes;
    const auto none = std::make_shared<const ParsimonDelayDistribution>();
    const auto& flows = decomposition.GetBuilder().GetScenario().GetFlows();
    m_distributions.resize(nLinks);
    DcnParallelFor(nLinks, nThreads, [&](std::size_t i) {
        const auto link = static_cast<uint32_t>(i);
        if (!isWanted[link] || table.GetRepresentative(link) != link)
        {
            return;
        }
        if (!table.GetDelays(link))
        {
            m_distributions[link] = none;
            return;
        }
        std::vector<ParsimonDelayDistribution::Sample> samples;
        const auto crossing = index.GetFlows(link);
        samples.reserve(crossing.size());
        for (uint32_t place = 0; place < crossing.size(); ++place)
        {
            const uint64_t size = flows[crossing[place]].sizeBytes;
            const auto packets = static_cast<double>(DcnPackets(size, m_payloadBytes));
            const double delay = GetOwnDelay(decomposition, table, link, place);
            samples.emplace_back(size, static_cast<float>(delay / packets));
        }
        m_distributions[link] =
            std::make_shared<const ParsimonDelayDistribution>(std::move(samples), buckets);
    });
    for (uint32_t link = 0; link < nLinks; ++link)
    {
        m_distributions[link] = m_distributions[table.GetRepresentative(link)];
    }
}

double
ParsimonPredictor::GetOwnDelay(const ParsimonDecomposition& decomposition,
                               const ParsimonLinkTable& table,
                               uint32_t link,
                               uint32_t place) const
{
    if (table.GetRepresentative(link) != link)
    {
        return -1;
    }
    const auto& delays = table.GetDelays(link);
    if (!delays)
    {
        return 0;
    }
    const uint32_t flow = table.GetIndex().GetFlows(link)[place];
    const DcnPath path = decomposition.GetBuilder().GetScenario().GetPath(flow);
    const auto hop =
        static_cast<std::size_t>(std::find(path.begin(), path.end(), link) - path.begin());
    const ParsimonLinkBuilder& builder = decomposition.GetBuilder();
    double delay = delays->delayNs[place];
    // the delay of the NIC includes that of a flow alone
    delay -= delays->nicNs.empty() ? builder.GetAloneNs(flow) : delays->nicNs[place];
    if (hop > 0 && !m_isBurst.empty() && m_isBurst[flow])
    {
        const uint64_t capacity = builder.GetScenario().GetTopology().GetLink(link).rateBps;
        return ParsimonCombination::GetBurstDelay(delay, capacity, builder.GetAckRate(link));
    }
    return std::max(0.0, delay);
}

template <typename Own>
double
ParsimonPredictor::Combine(uint64_t sizeBytes,
                           DcnPath path,
                           uint64_t draw,
                           bool hasLastShare,
                           const Own& own) const
{
    const auto packets = static_cast<double>(DcnPackets(sizeBytes, m_payloadBytes));
    double normalized = 0;
    double sum = 0;
    for (std::size_t hop = 0; hop < path.size(); ++hop)
    {
        double delay = own(hop);
        if (delay < 0)
        {
            const auto& distribution = m_distributions[path[hop]];
            NS_ASSERT_MSG(distribution, "a distribution is missing");
            const auto* bucket = distribution->Find(sizeBytes);
            if (!bucket)
            {
                return -1;
            }
            const double sample =
                distribution->Draw(*bucket, m_draws.Get(draw, static_cast<uint32_t>(hop)));
            normalized += sample;
            delay = packets * sample;
        }
        else
        {
            normalized += delay / packets;
        }
        double overlap = hop < 2 ? 0 : m_overlap.Get(path[hop - 1], path[hop]);
        if (hasLastShare && hop + 1 == path.size() && overlap < 1)
        {
            overlap = 0;
        }
        sum += ParsimonCombination::GetNewDelay(delay, overlap);
    }
    return m_rules == ParsimonRules::PUBLISHED ? ParsimonCombination::Published(packets, normalized)
                                               : sum;
}

std::vector<int64_t>
ParsimonPredictor::Predict(const ParsimonDecomposition& decomposition,
                           const ParsimonLinkTable& table,
                           uint32_t nThreads,
                           const std::vector<int64_t>* before) const
{
    const DcnScenario& scenario = decomposition.GetBuilder().GetScenario();
    const auto& flows = scenario.GetFlows();
    std::vector<int64_t> fctNs(flows.size());
    std::unique_ptr<DcnRouting> routing;
    if (m_rules == ParsimonRules::PUBLISHED)
    {
        // filled before the threads start, since its tables grow with use
        routing = std::make_unique<DcnRouting>(scenario.GetTopologyPtr());
        nThreads = 1;
    }
    const std::size_t chunks = (flows.size() + CHUNK - 1) / CHUNK;
    DcnParallelFor(chunks, nThreads, [&](std::size_t chunk) {
        std::vector<uint32_t> drawn;
        for (std::size_t f = chunk * CHUNK; f < std::min(flows.size(), (chunk + 1) * CHUNK); ++f)
        {
            if (before && decomposition.IsSameEstimate(f))
            {
                fctNs[f] = (*before)[f];
                continue;
            }
            const DcnFlow& flow = flows[f];
            DcnPath path = scenario.GetPath(f);
            if (routing)
            {
                m_draws
                    .GetPath(flow.id, scenario.GetTopology(), *routing, flow.src, flow.dst, drawn);
                path = {drawn.data(), drawn.data() + drawn.size()};
            }
            const double delay =
                Combine(flow.sizeBytes,
                        path,
                        flow.id,
                        decomposition.HasShare(f, scenario.GetPath(f).size() - 1),
                        [&](std::size_t hop) -> double {
                            return routing ? -1
                                           : GetOwnDelay(decomposition,
                                                         table,
                                                         path[hop],
                                                         table.GetIndex().GetPlace(f, hop));
                        });
            fctNs[f] = delay < 0
                           ? DcnEstimate::UNFINISHED
                           : scenario.GetIdealFct(f).GetTotalNs() +
                                 std::llround(delay + decomposition.GetBuilder().GetAloneNs(f));
        }
    });
    NS_LOG_INFO(flows.size() << " point estimates");
    return fctNs;
}

double
ParsimonPredictor::Draw(uint64_t sizeBytes, DcnPath path, uint64_t draw) const
{
    return Combine(sizeBytes, path, draw, false, [](std::size_t) { return -1.0; });
}

const ParsimonDraws&
ParsimonPredictor::GetDraws() const
{
    return m_draws;
}

bool
ParsimonPredictor::HasDistribution(uint32_t link) const
{
    return m_distributions[link] != nullptr;
}

ParsimonRules
ParsimonPredictor::GetRules() const
{
    return m_rules;
}

void
ParsimonPredictor::Save(std::ostream& stream) const
{
    ParsimonWriteValue(stream, static_cast<uint8_t>(m_rules));
    ParsimonWriteValue(stream, m_seed);
    ParsimonWriteValue(stream, m_payloadBytes);
    m_overlap.Save(stream);
    std::map<const ParsimonDelayDistribution*, uint32_t> numbers;
    std::vector<const ParsimonDelayDistribution*> distinct;
    std::vector<uint32_t> byLink;
    for (const auto& distribution : m_distributions)
    {
        const auto number = static_cast<uint32_t>(distinct.size());
        const auto [entry, isNew] = numbers.emplace(distribution.get(), number);
        if (isNew)
        {
            distinct.push_back(distribution.get());
        }
        byLink.push_back(entry->second);
    }
    ParsimonWriteVector(stream, byLink);
    ParsimonWriteValue<uint64_t>(stream, distinct.size());
    for (const auto* distribution : distinct)
    {
        distribution->Save(stream);
    }
}

ParsimonPredictor
ParsimonPredictor::Load(std::istream& stream, const std::string& where, uint32_t nLinks)
{
    uint8_t rules = 0;
    uint64_t seed = 0;
    ParsimonReadValue(stream, where, rules);
    ParsimonReadValue(stream, where, seed);
    if (rules > static_cast<uint8_t>(ParsimonRules::UPPER))
    {
        DcnFail(where, "there are no rules of the number ", int(rules));
    }
    ParsimonPredictor predictor(static_cast<ParsimonRules>(rules), seed);
    ParsimonReadValue(stream, where, predictor.m_payloadBytes);
    predictor.m_overlap = ParsimonOverlap::Load(stream, where, nLinks);
    std::vector<uint32_t> byLink;
    ParsimonReadVector(stream, where, byLink);
    uint64_t n = 0;
    ParsimonReadValue(stream, where, n);
    if (byLink.size() != nLinks || n > nLinks)
    {
        DcnFail(where, "the distributions do not belong to the links");
    }
    std::vector<Distribution> distinct;
    for (uint64_t i = 0; i < n; ++i)
    {
        distinct.push_back(std::make_shared<const ParsimonDelayDistribution>(
            ParsimonDelayDistribution::Load(stream, where)));
    }
    for (uint32_t number : byLink)
    {
        if (number >= n)
        {
            DcnFail(where, "the distributions do not belong to the links");
        }
        predictor.m_distributions.push_back(distinct[number]);
    }
    return predictor;
}

} // namespace ns3
