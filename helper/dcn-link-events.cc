/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-link-events.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-recipe.h"
#include "ns3/dcn-routing.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>

namespace ns3
{

DcnLinkEvents::DcnLinkEvents(const std::string& text, const DcnTopology& topology)
{
    if (text.empty())
    {
        return;
    }
    for (const std::string& each : DcnSplitValues("linkEvents", text))
    {
        const std::size_t at = each.find('@');
        const std::size_t equals = each.find('=', at == std::string::npos ? 0 : at);
        Time time;
        DataRate rate;
        const std::string what =
            equals == std::string::npos ? "" : each.substr(equals + 1);
        const bool isWord = what == "fail" || what == "repair";
        if (at == std::string::npos || equals == std::string::npos ||
            !DcnParseTime(each.substr(at + 1, equals - at - 1), time) ||
            !(isWord || DcnParseRate(what, rate)))
        {
            DcnFail("the link event \"",
                    each,
                    "\" is not of the form A-B@TIME=WHAT, with WHAT fail, repair or a rate, such as "
                    "128-144@2ms=fail or 128-144@2ms=25Gbps");
        }
        const std::string name = each.substr(0, at);
        const bool isNode = name.find('-') == std::string::npos;
        m_events.push_back({time.GetNanoSeconds(),
                            isNode ? FindCables(name, each, topology)
                                   : std::vector<uint32_t>{FindLink(name, each, topology)},
                            isNode,
                            what == "repair" ? REPAIR : rate.GetBitRate(),
                            each});
        if (!isWord && rate.GetBitRate() == 0)
        {
            DcnFail("the link event \"", each, "\" has the rate 0: write fail");
        }
    }
    CheckRates(topology);
}

void
DcnLinkEvents::CheckRates(const DcnTopology& topology)
{
    std::vector<Event> inTime = m_events;
    std::stable_sort(inTime.begin(), inTime.end(), [](const Event& a, const Event& b) {
        return a.timeNs < b.timeNs;
    });
    std::map<uint32_t, const Event*> latest; // by cable: the event that has set its rate
    for (const Event& event : inTime)
    {
        if (event.rateBps == 0 || event.rateBps == REPAIR)
        {
            continue;
        }
        bool isIdle = true;
        for (const uint32_t link : event.links)
        {
            const Event*& before = latest[link / 2];
            if (before && before->timeNs == event.timeNs)
            {
                DcnFail("the link events \"",
                        before->text,
                        "\" and \"",
                        event.text,
                        "\" set the rate of link ",
                        topology.DescribeLink(link),
                        " at one instant: leave one out");
            }
            isIdle = isIdle &&
                     event.rateBps == (before ? before->rateBps : topology.GetLink(link).rateBps);
            before = &event;
        }
        if (isIdle)
        {
            m_idle.push_back(event.text);
        }
    }
}

std::vector<uint32_t>
DcnLinkEvents::FindCables(const std::string& node,
                          const std::string& event,
                          const DcnTopology& topology)
{
    uint64_t id = 0;
    if (!DcnParse(node, id))
    {
        DcnFail(
            "the link event \"",
            event,
            "\" must begin with the ids of two nodes, such as 128-144, or of one for all of its "
            "cables, but it begins with \"",
            node,
            "\"");
    }
    for (uint32_t index = 0; index < topology.GetNNodes(); ++index)
    {
        if (topology.GetExternalId(index) == id)
        {
            return topology.GetOutLinks(index);
        }
    }
    DcnFail("the link event \"", event, "\": there is no node ", id);
}

uint32_t
DcnLinkEvents::FindLink(const std::string& name,
                        const std::string& event,
                        const DcnTopology& topology)
{
    const std::size_t dash = name.find('-');
    const std::size_t dot = name.find('.');
    uint64_t ids[2] = {0, 0};
    uint64_t number = 0;
    if (dash == std::string::npos || !DcnParse(name.substr(0, dash), ids[0]) ||
        !DcnParse(name.substr(dash + 1, dot == std::string::npos ? dot : dot - dash - 1), ids[1]) ||
        (dot != std::string::npos && !DcnParse(name.substr(dot + 1), number)))
    {
        DcnFail("the link event \"",
                event,
                "\" must begin with the ids of two nodes, such as 128-144, but it begins with \"",
                name,
                "\"");
    }
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const DcnLink& each = topology.GetLink(link);
        if (topology.GetExternalId(each.from) == ids[0] && topology.GetExternalId(each.to) == ids[1])
        {
            const std::vector<uint32_t> parallel = DcnParallelLinks(topology, link);
            if (number >= parallel.size() || (parallel.size() > 1 && dot == std::string::npos))
            {
                DcnFail("the link event \"",
                        event,
                        "\": nodes ",
                        ids[0],
                        " and ",
                        ids[1],
                        " have ",
                        parallel.size(),
                        parallel.size() > 1 ? " cables: name one by its number from 0, as in "
                                            : " cable: write ",
                        ids[0],
                        "-",
                        ids[1],
                        parallel.size() > 1 ? ".0" : "");
            }
            return parallel[number];
        }
    }
    DcnFail("the link event \"", event, "\": no link joins nodes ", ids[0], " and ", ids[1]);
}

bool
DcnLinkEvents::IsEmpty() const
{
    return m_events.empty();
}

Time
DcnLinkEvents::GetLast() const
{
    int64_t lastNs = 0;
    for (const Event& event : m_events)
    {
        lastNs = std::max(lastNs, event.timeNs);
    }
    return NanoSeconds(lastNs);
}

std::vector<std::string>
DcnLinkEvents::DescribeLate(int64_t endNs) const
{
    std::vector<std::string> lines;
    for (const Event& event : m_events)
    {
        if (event.timeNs >= endNs)
        {
            lines.push_back("note: the link event " + event.text +
                            " has no effect: the run ended at " + std::to_string(endNs) + " ns");
        }
    }
    return lines;
}

std::vector<std::string>
DcnLinkEvents::DescribeIdle() const
{
    std::vector<std::string> lines;
    for (const std::string& event : m_idle)
    {
        lines.push_back("note: the link event " + event +
                        " has no effect: the rate is so at that time already");
    }
    return lines;
}

void
DcnLinkEvents::CheckPaths(const DcnNetworkParameters& network) const
{
    const auto failure = std::find_if(m_events.begin(), m_events.end(), [](const Event& event) {
        return event.rateBps == 0;
    });
    if (failure != m_events.end() && network.HasManyPaths())
    {
        DcnFail("the link event \"",
                failure->text,
                "\": links fail only where a flow has one path, but load_balancing is ",
                network.loadBalancing,
                ": leave it out, or give rates in place of failures");
    }
}

void
DcnLinkEvents::Schedule(Ptr<DcnFlowNetwork> network) const
{
    if (!IsEmpty() && !network->HasLinkChanges())
    {
        DcnFail(network->GetInstanceTypeId().GetName(),
                " has links that do not change: take the engines packet, flowsim and m4");
    }
    for (const Event& event : m_events)
    {
        Simulator::Schedule(NanoSeconds(event.timeNs), &DcnLinkEvents::Apply, network, event);
    }
}

void
DcnLinkEvents::Apply(Ptr<DcnFlowNetwork> network, const Event& event)
{
    for (const uint32_t link : event.links)
    {
        const bool isOver = event.isNode && network->HasFailed(link) == (event.rateBps == 0);
        if (event.rateBps != 0 && event.rateBps != REPAIR)
        {
            network->SetLinkRate(link, event.rateBps);
        }
        else if (isOver)
        {
            continue; // of a node: this cable is as it is to be
        }
        else if (event.rateBps == 0)
        {
            network->FailLink(link);
        }
        else
        {
            network->RepairLink(link);
        }
    }
}

} // namespace ns3
