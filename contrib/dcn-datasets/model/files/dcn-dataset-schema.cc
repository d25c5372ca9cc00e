/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-schema.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-suite.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/// @return "cc" and the keys of all congestion controls that are always written, each once
std::vector<std::string>
ListNetworkKeys()
{
    std::vector<std::string> names;
    for (const std::string& cc : DcnScenarioSuite::GetLearnedControls())
    {
        for (const auto& [key, value] : DcnNetworkConfig::Preset(cc)->GetKeys())
        {
            if (std::find(names.begin(), names.end(), key) == names.end())
            {
                names.push_back(key);
            }
        }
    }
    return names;
}

/**
 * @tparam T type of the values
 * @param rows of a sample
 * @param path a column
 * @return its values
 */
template <typename T>
const std::vector<T>&
Values(const DcnDatasetSchema::Rows& rows, const char* path)
{
    return std::get<std::vector<T>>(rows.at(path));
}

/**
 * @param value a value of samples/network
 * @return the number as network.csv has it
 */
std::string
ToText(double value)
{
    char text[32];
    const bool whole = std::floor(value) == value && std::fabs(value) < 9e15;
    std::snprintf(text, sizeof(text), whole ? "%.0f" : "%.17g", value);
    return text;
}

} // namespace

std::string
DcnDatasetColumn::GetPath() const
{
    return table + "/" + name;
}

std::string
DcnDatasetColumn::GetTypeName() const
{
    static const char* const NAMES[] = {"uint8", "uint32", "uint64", "int64", "float64"};
    return NAMES[type] + (width == 1 ? "" : " x " + std::to_string(width));
}

DcnDatasetSchema::DcnDatasetSchema(const std::string& kind, std::vector<std::string> networkNames)
    : m_kind(kind),
      m_networkNames(networkNames.empty() ? ListNetworkKeys() : std::move(networkNames)),
      m_drawNames{"workload", "sizes", "theta", "sigma", "load", "max_load", "buffer_bytes"}
{
    const bool isPath = kind == "path";
    NS_ASSERT_MSG(isPath || kind == "fabric", "no kind of data set: " << kind);
    for (const char* name :
         isPath ? std::vector<const char*>{"nodes", "pairs", "foreground_share"}
                : std::vector<const char*>{"matrix", "spines_per_plane", "switch_rate_bps"})
    {
        m_drawNames.push_back(name);
    }
    using Type = DcnDatasetColumn::Type;
    auto add = [this](const char* table, const char* name, Type type, const char* owned = "") {
        m_columns.push_back({table, name, type, 1, owned});
    };
    add("samples", "index", Type::UINT64);
    add("samples", "seed", Type::UINT64);
    m_columns.push_back({"samples", "network", Type::FLOAT64, m_networkNames.size(), ""});
    m_columns.push_back({"samples", "draw", Type::FLOAT64, m_drawNames.size(), ""});
    add("samples", "node_offsets", Type::UINT64, "nodes");
    add("samples", "link_offsets", Type::UINT64, "links");
    add("samples", "flow_offsets", Type::UINT64, "flows");
    add("nodes", "is_host", Type::UINT8);
    add("links", "a", Type::UINT32);
    add("links", "b", Type::UINT32);
    add("links", "rate_bps", Type::UINT64);
    add("links", "delay_ns", Type::INT64);
    add("flows", "src", Type::UINT32);
    add("flows", "dst", Type::UINT32);
    add("flows", "size_bytes", Type::UINT64);
    add("flows", "start_ns", Type::INT64);
    add("flows", "fct_ns", Type::INT64);
    add("flows", "ideal_ns", Type::INT64);
    add("flows", "flags", Type::UINT8);
    add("flows", "hop_offsets", Type::UINT64, "hops");
    add("hops", "link", Type::UINT32);
    if (isPath)
    {
        add("flows", "path_first", Type::UINT8);
        add("flows", "path_last", Type::UINT8);
        add("samples", "path_offsets", Type::UINT64, "path");
        add("path", "link", Type::UINT32);
        return;
    }
    add("hops", "queue_bytes", Type::INT64);
    add("samples", "event_offsets", Type::UINT64, "events");
    add("events", "time_ns", Type::INT64);
    add("events", "flow", Type::UINT32);
    add("events", "is_arrival", Type::UINT8);
    add("events", "active_offsets", Type::UINT64, "active");
    add("active", "flow", Type::UINT32);
    add("active", "remaining_bytes", Type::UINT64);
}

std::vector<std::string>
DcnDatasetSchema::ListAllNetworkNames()
{
    std::vector<std::string> names = ListNetworkKeys();
    for (const DcnNetworkConfig::Key& key : DcnNetworkConfig::GetAllKeys())
    {
        if (std::find(names.begin(), names.end(), key.name) == names.end())
        {
            names.push_back(key.name);
        }
    }
    return names;
}

bool
DcnDatasetSchema::Covers(const DcnNetworkConfig& network) const
{
    const auto keys = network.GetKeys();
    return std::all_of(keys.begin(), keys.end(), [this](const auto& key) {
        return std::find(m_networkNames.begin(), m_networkNames.end(), key.first) !=
               m_networkNames.end();
    });
}

std::vector<double>
DcnDatasetSchema::PackNetwork(const DcnNetworkConfig& network) const
{
    std::vector<double> values(m_networkNames.size(), std::numeric_limits<double>::quiet_NaN());
    for (const auto& [key, text] : network.GetKeys())
    {
        const auto at = std::find(m_networkNames.begin(), m_networkNames.end(), key);
        if (at == m_networkNames.end())
        {
            DcnFail("data sets have no column for the key ", key, ", which is ", text);
        }
        double& value = values[at - m_networkNames.begin()];
        if (key == "cc")
        {
            const auto& ccs = DcnScenarioSuite::GetLearnedControls();
            value = std::find(ccs.begin(), ccs.end(), text) - ccs.begin();
            if (value == ccs.size())
            {
                DcnFail("data sets have no number for the congestion control \"", text, "\"");
            }
        }
        else
        {
            DcnParse(text, value);
        }
    }
    return values;
}

DcnDatasetSchema::Rows
DcnDatasetSchema::MakeEmptyRows() const
{
    Rows rows;
    for (const DcnDatasetColumn& column : m_columns)
    {
        static const DcnDatasetArray EMPTY[] = {std::vector<uint8_t>(),
                                                std::vector<uint32_t>(),
                                                std::vector<uint64_t>(),
                                                std::vector<int64_t>(),
                                                std::vector<double>()};
        rows[column.GetPath()] = EMPTY[column.type];
    }
    return rows;
}

DcnDatasetSchema::Rows
DcnDatasetSchema::Pack(const DcnDatasetSample& sample) const
{
    const DcnScenario& scenario = *sample.scenario;
    const DcnTopology& topology = scenario.GetTopology();
    const auto& flows = scenario.GetFlows();
    NS_ASSERT_MSG(sample.draw.size() == m_drawNames.size(), "one value for each name");
    Rows rows = MakeEmptyRows();
    auto u8 = [&rows](const char* p) -> auto&
    {
        return std::get<0>(rows.at(p));
    };
    auto u32 = [&rows](const char* p) -> auto&
    {
        return std::get<1>(rows.at(p));
    };
    auto u64 = [&rows](const char* p) -> auto&
    {
        return std::get<2>(rows.at(p));
    };
    auto i64 = [&rows](const char* p) -> auto&
    {
        return std::get<3>(rows.at(p));
    };

    u64("samples/index") = {sample.index};
    u64("samples/seed") = {sample.seed};
    rows["samples/network"] = PackNetwork(*scenario.GetNetworkConfig());
    rows["samples/draw"] = sample.draw;
    u64("samples/node_offsets") = {topology.GetNNodes()};
    u64("samples/link_offsets") = {topology.GetNLinks() / 2};
    u64("samples/flow_offsets") = {flows.size()};
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        u8("nodes/is_host").push_back(topology.IsHost(node));
    }
    for (uint32_t index = 0; index < topology.GetNLinks(); index += 2)
    {
        const DcnLink& link = topology.GetLink(index);
        u32("links/a").push_back(link.from);
        u32("links/b").push_back(link.to);
        u64("links/rate_bps").push_back(link.rateBps);
        i64("links/delay_ns").push_back(link.delayNs);
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        u32("flows/src").push_back(flows[i].src);
        u32("flows/dst").push_back(flows[i].dst);
        u64("flows/size_bytes").push_back(flows[i].sizeBytes);
        i64("flows/start_ns").push_back(flows[i].startNs);
        const DcnPath path = scenario.GetPath(i);
        u64("flows/hop_offsets").push_back(path.size());
        auto& links = u32("hops/link");
        links.insert(links.end(), path.begin(), path.end());
    }
    i64("flows/fct_ns") = sample.fctNs;
    i64("flows/ideal_ns") = sample.idealNs;
    u8("flows/flags") = sample.flags;
    if (m_kind == "path")
    {
        u8("flows/path_first") = sample.pathFirst;
        u8("flows/path_last") = sample.pathLast;
        u64("samples/path_offsets") = {sample.pathLinks.size()};
        u32("path/link") = sample.pathLinks;
        return rows;
    }
    i64("hops/queue_bytes") = sample.queueBytes;
    u64("samples/event_offsets") = {sample.events.size()};
    auto& activeFlow = u32("active/flow");
    auto& remainingBytes = u64("active/remaining_bytes");
    for (std::size_t i = 0; i < sample.events.size(); ++i)
    {
        i64("events/time_ns").push_back(sample.events[i].timeNs);
        u32("events/flow").push_back(sample.events[i].flow);
        u8("events/is_arrival").push_back(sample.events[i].arrival);
        u64("events/active_offsets").push_back(sample.actives[i].size());
        for (const DcnDatasetSample::Active& active : sample.actives[i])
        {
            activeFlow.push_back(active.flow);
            remainingBytes.push_back(active.remainingBytes);
        }
    }
    return rows;
}

void
DcnDatasetSchema::UnpackFlows(const Rows& rows,
                              const DcnTopology& topology,
                              std::vector<DcnFlow>& flows,
                              DcnPathTable& paths) const
{
    const auto& src = Values<uint32_t>(rows, "flows/src");
    const auto& nHops = Values<uint64_t>(rows, "flows/hop_offsets");
    const auto& hops = Values<uint32_t>(rows, "hops/link");
    flows.reserve(src.size());
    auto hop = hops.begin();
    for (std::size_t i = 0; i < src.size(); ++i)
    {
        const DcnFlow flow{i,
                           src[i],
                           Values<uint32_t>(rows, "flows/dst")[i],
                           Values<uint64_t>(rows, "flows/size_bytes")[i],
                           Values<int64_t>(rows, "flows/start_ns")[i]};
        if (i > 0 && flow.startNs < flows.back().startNs)
        {
            DcnFail("flows/start_ns falls from ",
                    flows.back().startNs,
                    " to ",
                    flow.startNs,
                    " at flow ",
                    i);
        }
        const std::vector<uint32_t> links(hop, hop + static_cast<std::ptrdiff_t>(nHops[i]));
        hop += static_cast<std::ptrdiff_t>(nHops[i]);
        uint32_t at = flow.src;
        for (uint32_t link : links)
        {
            if (link >= topology.GetNLinks() || topology.GetLink(link).from != at)
            {
                DcnFail("hops/link takes flow ",
                        i,
                        " from node ",
                        at,
                        " over link ",
                        link,
                        ", which does not begin there");
            }
            at = topology.GetLink(link).to;
        }
        if (at != flow.dst)
        {
            DcnFail("hops/link takes flow ",
                    i,
                    " to node ",
                    at,
                    ", but its destination is ",
                    flow.dst);
        }
        paths.Append(links);
        flows.push_back(flow);
    }
}

Ptr<const DcnScenario>
DcnDatasetSchema::UnpackScenario(const Rows& rows) const
{
    const auto& values = Values<double>(rows, "samples/network");
    const auto& ccs = DcnScenarioSuite::GetLearnedControls();
    if (!(values[0] >= 0 && values[0] < ccs.size()))
    {
        DcnFail("samples/network has the congestion control ",
                values[0],
                ", but there are ",
                ccs.size());
    }
    Ptr<DcnNetworkConfig> network =
        DcnNetworkConfig::Preset(ccs[static_cast<std::size_t>(values[0])]);
    for (std::size_t i = 1; i < values.size(); ++i)
    {
        if (!std::isnan(values[i]))
        {
            network->SetKey(m_networkNames[i], ToText(values[i]), "samples/network: ");
        }
    }

    DcnTopologyBuilder builder;
    for (uint8_t isHost : Values<uint8_t>(rows, "nodes/is_host"))
    {
        builder.AddNode(isHost ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    const auto& a = Values<uint32_t>(rows, "links/a");
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        builder.AddLink(a[i],
                        Values<uint32_t>(rows, "links/b")[i],
                        Values<uint64_t>(rows, "links/rate_bps")[i],
                        Values<int64_t>(rows, "links/delay_ns")[i],
                        "links: ");
    }
    Ptr<DcnTopology> topology = builder.Build();

    std::vector<DcnFlow> flows;
    DcnPathTable paths;
    UnpackFlows(rows, *topology, flows, paths);
    return DcnScenario::CreateWithPaths(topology, network, std::move(flows), std::move(paths));
}

DcnDatasetSample
DcnDatasetSchema::Unpack(const Rows& rows) const
{
    DcnDatasetSample sample;
    sample.index = Values<uint64_t>(rows, "samples/index")[0];
    sample.seed = Values<uint64_t>(rows, "samples/seed")[0];
    sample.draw = Values<double>(rows, "samples/draw");
    sample.scenario = UnpackScenario(rows);
    sample.fctNs = Values<int64_t>(rows, "flows/fct_ns");
    sample.idealNs = Values<int64_t>(rows, "flows/ideal_ns");
    sample.flags = Values<uint8_t>(rows, "flows/flags");
    if (m_kind == "path")
    {
        sample.pathFirst = Values<uint8_t>(rows, "flows/path_first");
        sample.pathLast = Values<uint8_t>(rows, "flows/path_last");
        sample.pathLinks = Values<uint32_t>(rows, "path/link");
        for (std::size_t i = 0; i < sample.pathFirst.size(); ++i)
        {
            if (sample.pathFirst[i] > sample.pathLast[i] ||
                sample.pathLast[i] > sample.pathLinks.size())
            {
                DcnFail("flow ",
                        i,
                        " is on the links from ",
                        int{sample.pathFirst[i]},
                        " to ",
                        int{sample.pathLast[i]},
                        " of a path of ",
                        sample.pathLinks.size());
            }
        }
        return sample;
    }
    sample.queueBytes = Values<int64_t>(rows, "hops/queue_bytes");
    const auto& times = Values<int64_t>(rows, "events/time_ns");
    const auto& nActive = Values<uint64_t>(rows, "events/active_offsets");
    const auto& activeFlow = Values<uint32_t>(rows, "active/flow");
    const auto& remainingBytes = Values<uint64_t>(rows, "active/remaining_bytes");
    std::size_t active = 0;
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        sample.events.push_back({times[i],
                                 Values<uint32_t>(rows, "events/flow")[i],
                                 Values<uint8_t>(rows, "events/is_arrival")[i] != 0});
        std::vector<DcnDatasetSample::Active> actives;
        actives.reserve(nActive[i]);
        for (const std::size_t end = active + nActive[i]; active < end; ++active)
        {
            if (activeFlow[active] >= sample.fctNs.size())
            {
                DcnFail("active/flow names flow ",
                        activeFlow[active],
                        ", but there are ",
                        sample.fctNs.size());
            }
            actives.push_back({activeFlow[active], remainingBytes[active]});
        }
        sample.actives.push_back(std::move(actives));
        if (sample.events.back().flow >= sample.fctNs.size())
        {
            DcnFail("events/flow names flow ",
                    sample.events.back().flow,
                    ", but there are ",
                    sample.fctNs.size());
        }
    }
    return sample;
}

} // namespace ns3
