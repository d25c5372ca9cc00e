/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-merged-links.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnMergedLinks");

namespace
{

/// A link as its sender sees it: class of the receiver, rate [bit/s] and delay [ns].
using LinkKind = std::tuple<uint32_t, uint64_t, int64_t>;

/// Says why links cannot be merged, and what to do.
template <class... Parts>
[[noreturn]] void
Refuse(const Parts&... parts)
{
    DcnFail("load_balancing spreads flows over parallel links, which this method merges into one, "
            "but ",
            parts...,
            ": take packet, or load_balancing=0");
}

/// The links between two classes.
struct Bundle
{
    uint64_t rateBps; //!< of one of them [bit/s]
    int64_t delayNs;  //!< of one of them [ns]
    uint64_t n;       //!< how many they are
    uint32_t link;    //!< the first of them
};

} // namespace

DcnMergedLinks::DcnMergedLinks(Ptr<const DcnScenario> scenario)
    : m_original(scenario)
{
    FindClasses();
    m_scenario = Route(BuildTopology());
    NS_LOG_INFO(Describe());
}

Ptr<const DcnScenario>
DcnMergedLinks::GetScenario() const
{
    return m_scenario;
}

uint32_t
DcnMergedLinks::GetNode(uint32_t node) const
{
    return m_classes[node];
}

std::string
DcnMergedLinks::Describe() const
{
    return "parallel links merged: " + std::to_string(m_original->GetTopology().GetNLinks() / 2) +
           " links to " + std::to_string(m_scenario->GetTopology().GetNLinks() / 2);
}

void
DcnMergedLinks::FindClasses()
{
    const DcnTopology& topology = m_original->GetTopology();
    const uint32_t n = topology.GetNNodes();
    m_classes.assign(n, 0);
    uint32_t nClasses = 1; // all switches; then each host
    for (uint32_t host : topology.GetHosts())
    {
        if (topology.GetOutLinks(host).size() > 1)
        {
            Refuse("host ", topology.GetExternalId(host), " has several links");
        }
        m_classes[host] = nClasses++;
    }
    for (bool isChanged = true; isChanged;)
    {
        std::map<std::pair<uint32_t, std::vector<LinkKind>>, uint32_t> kinds;
        std::vector<uint32_t> refined(n);
        m_members.clear();
        for (uint32_t node = 0; node < n; ++node)
        {
            std::vector<LinkKind> links;
            for (uint32_t link : topology.GetOutLinks(node))
            {
                const DcnLink& out = topology.GetLink(link);
                links.emplace_back(m_classes[out.to], out.rateBps, out.delayNs);
            }
            std::sort(links.begin(), links.end());
            const auto [kind, isNew] = kinds.emplace(std::pair(m_classes[node], std::move(links)),
                                                     static_cast<uint32_t>(m_members.size()));
            if (isNew)
            {
                m_members.push_back(node);
            }
            refined[node] = kind->second;
        }
        // a refinement never joins classes, so an equal number means equal classes
        isChanged = m_members.size() != nClasses;
        nClasses = static_cast<uint32_t>(m_members.size());
        m_classes = std::move(refined);
    }
}

Ptr<const DcnTopology>
DcnMergedLinks::BuildTopology() const
{
    const DcnTopology& topology = m_original->GetTopology();
    const DcnNetworkParameters& network = m_original->GetNetwork();
    DcnTopologyBuilder builder;
    for (uint32_t member : m_members)
    {
        builder.AddNode(topology.IsHost(member) ? DcnNodeKind::HOST : DcnNodeKind::SWITCH,
                        topology.GetExternalId(member));
    }
    std::map<std::pair<uint32_t, uint32_t>, Bundle> bundles;
    for (uint32_t link = 0; link < topology.GetNLinks(); link += 2)
    {
        const DcnLink& one = topology.GetLink(link);
        const std::pair ends = std::minmax(m_classes[one.from], m_classes[one.to]);
        if (ends.first == ends.second)
        {
            Refuse("link ", topology.DescribeLink(link), " joins switches of one stage");
        }
        const auto [bundle, isNew] =
            bundles.emplace(ends, Bundle{one.rateBps, one.delayNs, 0, link});
        Bundle& of = bundle->second;
        if (of.rateBps != one.rateBps || of.delayNs != one.delayNs)
        {
            Refuse("links ",
                   topology.DescribeLink(of.link),
                   " and ",
                   topology.DescribeLink(link),
                   " have different rates or delays");
        }
        ++of.n;
    }
    const double frameBits = 8.0 * (network.payloadBytes + network.headerBytes);
    for (const auto& [ends, of] : bundles)
    {
        const double rate = static_cast<double>(of.rateBps);
        const double saved = 1e9 * frameBits / rate * (1 - 1 / static_cast<double>(of.n));
        builder.AddLink(ends.first,
                        ends.second,
                        of.n * of.rateBps,
                        of.delayNs + std::llround(saved));
    }
    return builder.Build();
}

Ptr<const DcnScenario>
DcnMergedLinks::Route(const Ptr<const DcnTopology>& topology) const
{
    const DcnRouting routing(topology);
    std::vector<DcnFlow> flows = m_original->GetFlows();
    DcnPathTable paths;
    std::vector<uint32_t> links;
    std::unordered_set<uint64_t> known; // nodes and racks with one way between them
    for (DcnFlow& flow : flows)
    {
        flow.src = m_classes[flow.src];
        flow.dst = m_classes[flow.dst];
        links.clear();
        routing.AppendPath(flow, links);
        for (uint32_t link : links)
        {
            const uint32_t node = topology->GetLink(link).from;
            if (known.insert(uint64_t{node} << 32 | topology->GetRack(flow.dst)).second &&
                routing.GetNextLinks(node, flow.dst).size() > 1)
            {
                Refuse("the paths from node ",
                       topology->GetExternalId(node),
                       " to host ",
                       topology->GetExternalId(flow.dst),
                       " are not alike: a link has another rate or is missing");
            }
        }
        paths.Append(links);
    }
    Ptr<DcnNetworkConfig> network = CopyObject(m_original->GetNetworkConfig());
    network->SetKey("load_balancing", "0");
    network->SetKey("flowlet_gap_ns", "0");
    return DcnScenario::CreateWithPaths(topology,
                                        network,
                                        std::move(flows),
                                        std::move(paths),
                                        m_original->GetSeed());
}

void
DcnMergedLinks::Correct(std::vector<int64_t>& fctNs) const
{
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        if (fctNs[i] >= 0)
        {
            fctNs[i] +=
                m_original->GetIdealFct(i).GetTotalNs() - m_scenario->GetIdealFct(i).GetTotalNs();
        }
    }
}

} // namespace ns3
