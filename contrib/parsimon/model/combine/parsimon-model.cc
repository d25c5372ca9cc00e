/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-model.h"

#include "../simulate/parsimon-binary.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-statistics.h"
#include "ns3/hash.h"
#include "ns3/log.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonModel");

namespace
{

constexpr uint64_t MAGIC = 0x4c444d4e4f4d5350; //!< "PSMONMDL"
constexpr uint32_t PAIR_DRAW = 2000; //!< random numbers from here on choose pairs and sizes

/**
 * Order statistics that bound the p-quantile with a given confidence.
 * @param n number of values
 * @param p probability
 * @param tail largest probability at either side
 * @return ranks r and s of ParsimonModel, from 1, limited to 1 and n
 */
std::pair<uint64_t, uint64_t>
GetRanks(uint64_t n, double p, double tail)
{
    if (p <= 0 || p >= 1)
    {
        const uint64_t rank = p <= 0 ? 1 : n;
        return {rank, rank};
    }
    // the smallest k with B(k) >= x
    using UpPolicy = boost::math::policies::policy<
        boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>;
    const boost::math::binomial_distribution<double, UpPolicy> law(static_cast<double>(n), p);
    const auto lower = static_cast<uint64_t>(boost::math::quantile(law, tail));
    const auto upper = static_cast<uint64_t>(boost::math::quantile(law, 1 - tail));
    return {std::max<uint64_t>(1, lower), std::min(n, upper + 1)};
}

} // namespace

ParsimonModel::ParsimonModel(Ptr<const DcnTopology> topology, ParsimonPredictor predictor)
    : m_topology(topology),
      m_predictor(std::move(predictor))
{
}

ParsimonModel::ParsimonModel(const ParsimonRun& run)
    : m_topology(run.GetScenario()->GetTopologyPtr()),
      m_predictor(run.GetPredictor()),
      m_maxRateBps(run.GetScenario()->GetNetwork().maxRate.GetBitRate())
{
    const DcnScenario& scenario = *run.GetScenario();
    const auto& flows = scenario.GetFlows();
    m_window = ParsimonWindow::Of(scenario.GetNetwork(), m_predictor.GetRules());
    for (uint32_t link = 0; link < m_topology->GetNLinks(); ++link)
    {
        if (!m_predictor.HasDistribution(link))
        {
            DcnFail("a model needs a run with all distributions (allDistributions)");
        }
    }
    m_flows.reserve(flows.size());
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const DcnPath path = scenario.GetPath(f);
        const int64_t fct = run.GetFctNs()[f];
        const auto ideal = static_cast<double>(scenario.GetIdealFct(f).GetTotalNs());
        const auto slowdown = fct < 0 ? 0.0F : static_cast<float>(static_cast<double>(fct) / ideal);
        m_flows.push_back({flows[f].src,
                           flows[f].dst,
                           flows[f].sizeBytes,
                           slowdown,
                           static_cast<uint32_t>(path.size())});
        m_hops.insert(m_hops.end(), path.begin(), path.end());
    }
}

void
ParsimonModel::Save(const std::string& path) const
{
    std::ostringstream body;
    ParsimonWriteValue(body, m_window.windowBytes);
    ParsimonWriteValue(body, m_window.payloadBytes);
    ParsimonWriteValue(body, m_window.headerBytes);
    ParsimonWriteValue(body, m_window.ackBytes);
    ParsimonWriteValue(body, m_maxRateBps);
    ParsimonWriteValue(body, m_topology->GetNNodes());
    for (uint32_t node = 0; node < m_topology->GetNNodes(); ++node)
    {
        ParsimonWriteValue<uint8_t>(body, m_topology->IsHost(node) ? 1 : 0);
        ParsimonWriteValue(body, m_topology->GetExternalId(node));
    }
    std::vector<DcnLink> links;
    for (uint32_t link = 0; link < m_topology->GetNLinks(); link += 2)
    {
        links.push_back(m_topology->GetLink(link));
    }
    ParsimonWriteVector(body, links);
    ParsimonWriteVector(body, m_flows);
    ParsimonWriteVector(body, m_hops);
    m_predictor.Save(body);
    const std::string bytes = body.str();
    DcnFileWriter writer(path);
    ParsimonWriteValue(writer.Stream(), MAGIC);
    ParsimonWriteValue(writer.Stream(), FORMAT);
    ParsimonWriteValue(writer.Stream(), Hasher().GetHash64(bytes));
    writer.Stream() << bytes;
    writer.Commit();
    NS_LOG_INFO("model written to " << path);
}

ParsimonModel
ParsimonModel::Load(const std::string& path)
{
    const std::string where = path + ": ";
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        DcnFail(where, "the file cannot be read", DcnDescribeFileError(path, errno));
    }
    uint64_t magic = 0;
    uint32_t format = 0;
    uint64_t sum = 0;
    ParsimonReadValue(file, where, magic);
    if (magic != MAGIC)
    {
        DcnFail(where, "the file is no Parsimon model");
    }
    ParsimonReadValue(file, where, format);
    if (format != FORMAT)
    {
        DcnFail(where,
                "the model was made by another version (format ",
                format,
                ", not ",
                FORMAT,
                "); make it anew");
    }
    ParsimonReadValue(file, where, sum);
    std::ostringstream rest;
    rest << file.rdbuf();
    if (sum != Hasher().GetHash64(rest.str()))
    {
        DcnFail(where, "the file is damaged; make the model anew");
    }
    std::istringstream body(rest.str());
    ParsimonWindow window;
    uint64_t maxRateBps = 0;
    uint32_t nNodes = 0;
    ParsimonReadValue(body, where, window.windowBytes);
    ParsimonReadValue(body, where, window.payloadBytes);
    ParsimonReadValue(body, where, window.headerBytes);
    ParsimonReadValue(body, where, window.ackBytes);
    ParsimonReadValue(body, where, maxRateBps);
    ParsimonReadValue(body, where, nNodes);
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        uint8_t isHost = 0;
        uint64_t externalId = 0;
        ParsimonReadValue(body, where, isHost);
        ParsimonReadValue(body, where, externalId);
        builder.AddNode(isHost ? DcnNodeKind::HOST : DcnNodeKind::SWITCH, externalId, where);
    }
    std::vector<DcnLink> links;
    ParsimonReadVector(body, where, links);
    for (const DcnLink& link : links)
    {
        builder.AddLink(link.from, link.to, link.rateBps, link.delayNs, where);
    }
    std::vector<Flow> flows;
    std::vector<uint32_t> hops;
    ParsimonReadVector(body, where, flows);
    ParsimonReadVector(body, where, hops);
    Ptr<const DcnTopology> topology = builder.Build();
    ParsimonModel model(topology, ParsimonPredictor::Load(body, where, topology->GetNLinks()));
    model.m_window = window;
    model.m_maxRateBps = maxRateBps;
    model.m_flows = std::move(flows);
    model.m_hops = std::move(hops);
    return model;
}

const DcnTopology&
ParsimonModel::GetTopology() const
{
    return *m_topology;
}

std::vector<bool>
ParsimonModel::Select(const std::vector<uint32_t>& hosts) const
{
    std::vector<bool> isSelected(m_topology->GetNNodes(), hosts.empty());
    for (uint32_t host : hosts)
    {
        if (host >= isSelected.size() || !m_topology->IsHost(host))
        {
            DcnFail("node ", host, " is not a host of the network");
        }
        isSelected[host] = true;
    }
    return isSelected;
}

std::vector<double>
ParsimonModel::GetSlowdowns(const DcnSlowdownQuery& query) const
{
    const auto isSource = Select(query.sources);
    const auto isDestination = Select(query.destinations);
    if (query.link && *query.link >= m_topology->GetNLinks())
    {
        DcnFail("there is no link ",
                *query.link,
                "; the network has ",
                m_topology->GetNLinks(),
                " directed links");
    }
    std::vector<double> slowdowns;
    bool isCrossed = false;
    auto hop = m_hops.begin();
    for (const Flow& flow : m_flows)
    {
        const auto last = hop + flow.nHops;
        const bool crosses = !query.link || std::find(hop, last, *query.link) != last;
        isCrossed = isCrossed || crosses;
        if (crosses && flow.slowdown > 0 && flow.sizeBytes >= query.smallestBytes &&
            flow.sizeBytes <= query.largestBytes && isSource[flow.src] && isDestination[flow.dst])
        {
            slowdowns.push_back(flow.slowdown);
        }
        hop = last;
    }
    if (!isCrossed)
    {
        DcnFail("no flow crosses link ", m_topology->DescribeLink(*query.link));
    }
    if (slowdowns.empty())
    {
        DcnFail("no flow of the model meets the conditions; slowdowns of such flows can be drawn");
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    return slowdowns;
}

std::vector<double>
ParsimonModel::Draw(const DcnSlowdownQuery& query, uint64_t n) const
{
    if (query.link)
    {
        DcnFail("slowdowns can be drawn for ends of flows, not for a link");
    }
    Select(query.sources);
    Select(query.destinations);
    const auto& sources = query.sources.empty() ? m_topology->GetHosts() : query.sources;
    const auto& destinations =
        query.destinations.empty() ? m_topology->GetHosts() : query.destinations;
    auto isFirst = [&](uint32_t host) { return host == sources[0]; };
    if (std::all_of(sources.begin(), sources.end(), isFirst) &&
        std::all_of(destinations.begin(), destinations.end(), isFirst))
    {
        DcnFail("no flow goes from node ", sources[0], " to itself");
    }
    std::vector<uint64_t> sizes;
    for (const Flow& flow : m_flows)
    {
        if (flow.sizeBytes >= query.smallestBytes && flow.sizeBytes <= query.largestBytes)
        {
            sizes.push_back(flow.sizeBytes);
        }
    }
    if (query.smallestBytes == 0 || query.smallestBytes > query.largestBytes ||
        (sizes.empty() && query.largestBytes > DcnScenario::MAX_SIZE_BYTES))
    {
        DcnFail("sizes from ",
                query.smallestBytes,
                " to ",
                query.largestBytes,
                " are no range of sizes that could be drawn from");
    }
    const DcnRouting routing(m_topology);
    const ParsimonDraws& draws = m_predictor.GetDraws();
    auto choose = [](double u, std::size_t count) {
        return static_cast<std::size_t>(u * static_cast<double>(count));
    };
    std::vector<double> slowdowns;
    slowdowns.reserve(n);
    std::vector<uint32_t> path;
    for (uint64_t draw = 0; draw < n; ++draw)
    {
        uint32_t number = PAIR_DRAW;
        uint32_t src = 0;
        uint32_t dst = 0;
        do
        {
            src = sources[choose(draws.Get(draw, number++), sources.size())];
            dst = destinations[choose(draws.Get(draw, number++), destinations.size())];
        } while (src == dst);
        const double u = draws.Get(draw, number);
        const auto smallest = static_cast<double>(query.smallestBytes);
        const uint64_t size =
            sizes.empty()
                ? static_cast<uint64_t>(std::llround(
                      smallest * std::pow(static_cast<double>(query.largestBytes) / smallest, u)))
                : sizes[choose(u, sizes.size())];
        draws.GetPath(draw, *m_topology, routing, src, dst, path);
        const DcnPath links{path.data(), path.data() + path.size()};
        const double delay = m_predictor.Draw(size, links, draw);
        if (delay >= 0)
        {
            const DcnIdealFct ideal =
                DcnComputeIdealFct(*m_topology, links, size, m_window.payloadBytes, m_maxRateBps);
            // it was subtracted from every link's delay, but occurs once
            const double idle = m_window.GetIdleNs(*m_topology, links, size, ideal.bottleneckBps);
            slowdowns.push_back(1 + (delay + idle) / static_cast<double>(ideal.GetTotalNs()));
        }
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    return slowdowns;
}

DcnSlowdownQuantile
ParsimonModel::GetQuantile(const std::vector<double>& sorted, double p, double confidence)
{
    if (sorted.empty() || !(confidence > 0 && confidence < 1))
    {
        DcnFail("a quantile with confidence ",
                confidence,
                " of ",
                sorted.size(),
                " values is not defined");
    }
    const auto [lower, upper] = GetRanks(sorted.size(), p, (1 - confidence) / 2);
    return {p, DcnQuantile(sorted, p), sorted[lower - 1], sorted[upper - 1], sorted.size()};
}

} // namespace ns3
