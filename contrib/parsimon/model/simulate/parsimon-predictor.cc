/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-predictor.h"

#include "parsimon-binary.h"

#include "ns3/assert.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

namespace
{

/**
 * Mix the bits of a number so that each bit of the result depends on all (Steele, Lea and Flood,
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

constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15ULL; //!< odd number that spreads successive ones
constexpr std::size_t CHUNK = 1024;                //!< flows per piece of work
constexpr uint32_t PATH_DRAWS = 1000;              //!< draws from here choose random paths

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

ParsimonPredictor::ParsimonPredictor(const Options& options)
    : m_options(options),
      m_draws(options.seed)
{
}

ParsimonPredictor::ParsimonPredictor(const DcnScenario& scenario,
                                     const ParsimonLinkTable& table,
                                     const Options& options)
    : m_options(options),
      m_overlap(scenario),
      m_payloadBytes(scenario.GetNetwork().payloadBytes),
      m_draws(options.seed)
{
    for (uint32_t link = 0; link < table.GetIndex().GetNLinks(); ++link)
    {
        m_distributions.push_back(table.GetDistribution(link));
    }
}

template <typename Own>
double
ParsimonPredictor::Combine(uint64_t sizeBytes, DcnPath path, uint64_t draw, const Own& own) const
{
    const auto packets =
        static_cast<double>(DcnPackets(sizeBytes, m_payloadBytes));
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
        const double overlap = hop < 2 ? 0 : m_overlap.Get(path[hop - 1], path[hop]);
        sum += ParsimonCombination::GetNewDelay(delay, overlap);
    }
    if (m_options.rules == ParsimonRules::FAITHFUL)
    {
        return std::floor(packets * normalized);
    }
    return sum;
}

std::vector<int64_t>
ParsimonPredictor::Predict(const DcnScenario& scenario,
                           const ParsimonLinkTable& table,
                           uint32_t nThreads,
                           const std::vector<int64_t>* known,
                           const ParsimonUnchanged* unchanged) const
{
    const auto& flows = scenario.GetFlows();
    std::vector<int64_t> fctNs(flows.size());
    const bool mayKeep = known && unchanged && m_options.own && !m_options.randomPath;
    std::unique_ptr<DcnRouting> routing;
    if (m_options.randomPath)
    {
        // its tables grow as they are used, which threads must not do at the same time
        routing = std::make_unique<DcnRouting>(scenario.GetTopologyPtr());
        nThreads = 1;
    }
    const std::size_t chunks = (flows.size() + CHUNK - 1) / CHUNK;
    DcnParallelFor(chunks, nThreads, [&](std::size_t chunk) {
        std::vector<uint32_t> drawn;
        for (std::size_t f = chunk * CHUNK; f < std::min(flows.size(), (chunk + 1) * CHUNK); ++f)
        {
            if (mayKeep && unchanged->IsSameEstimate(f))
            {
                fctNs[f] = (*known)[f];
                continue;
            }
            const DcnFlow& flow = flows[f];
            DcnPath path = scenario.GetPath(f);
            if (routing)
            {
                drawn.clear();
                for (uint32_t node = flow.src; node != flow.dst;
                     node = scenario.GetTopology().GetLink(drawn.back()).to)
                {
                    const auto next = routing->GetNextLinks(node, flow.dst);
                    const double u =
                        m_draws.Get(flow.id, PATH_DRAWS + static_cast<uint32_t>(drawn.size()));
                    drawn.push_back(next[static_cast<std::size_t>(
                        u * static_cast<double>(next.size()))]);
                }
                path = {drawn.data(), drawn.data() + drawn.size()};
            }
            const double delay =
                Combine(flow.sizeBytes, path, flow.id, [&](std::size_t hop) -> double {
                    return m_options.own
                               ? table.GetDelay(path[hop], table.GetIndex().GetPlace(f, hop))
                               : -1;
                });
            fctNs[f] = delay < 0 ? DcnEstimate::UNFINISHED
                                 : scenario.GetIdealFct(f).GetTotalNs() +
                                       std::llround(delay + table.GetWindowIdle(f));
        }
    });
    return fctNs;
}

double
ParsimonPredictor::Draw(uint64_t sizeBytes, DcnPath path, uint64_t draw) const
{
    return Combine(sizeBytes, path, draw, [](std::size_t) { return -1.0; });
}

const ParsimonDraws&
ParsimonPredictor::GetDraws() const
{
    return m_draws;
}

void
ParsimonPredictor::Save(std::ostream& stream) const
{
    ParsimonWriteValue(stream, static_cast<uint8_t>(m_options.rules));
    ParsimonWriteValue(stream, m_options.seed);
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
    Options options;
    uint8_t rules = 0;
    ParsimonReadValue(stream, where, rules);
    ParsimonReadValue(stream, where, options.seed);
    options.rules = rules == 0 ? ParsimonRules::OURS : ParsimonRules::FAITHFUL;
    options.own = false;
    ParsimonPredictor predictor(options);
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
    std::vector<std::shared_ptr<const ParsimonDelayDistribution>> distinct;
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
