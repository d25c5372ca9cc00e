/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-hpcc-files.h"

#include "dcn-train-lines.h"

#include "ns3/data-rate.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/// Lines of which a number of words are needed.
class Lines : public DcnTrainLines
{
  public:
    using DcnTrainLines::DcnTrainLines;

    /// Reads the next line, of a number of words at least.
    void Need(std::size_t n, const std::string& what)
    {
        if (!Next())
        {
            DcnFail(m_path, ": the file ends where ", what, " is expected: it is truncated");
        }
        if (words.size() < n)
        {
            Fail("expected " + what + ", but there are " + std::to_string(words.size()) + " words");
        }
    }

    /// @return a word as a whole number
    uint64_t Number(std::size_t word, const char* what) const
    {
        uint64_t value = 0;
        if (word >= words.size() || !DcnParse(words[word], value))
        {
            Fail(std::string(what) + " must be a whole number, but it is \"" +
                 (word < words.size() ? words[word] : "") + "\"");
        }
        return value;
    }
};

/// Sorts flows by their starts.
void
Sort(std::vector<DcnFlow>& flows)
{
    std::stable_sort(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
        return a.startNs < b.startNs;
    });
}

} // namespace

Ptr<DcnTopology>
DcnHpccFiles::ReadTopology(const std::string& path)
{
    Lines lines(path);
    lines.Need(3, "\"nodes switches links\"");
    const bool isSimAi = lines.words.size() >= 6;
    const uint64_t nNodes = lines.Number(0, "number of nodes");
    uint64_t nSwitches = lines.Number(isSimAi ? 3 : 1, "number of switches");
    const uint64_t nLinks = lines.Number(isSimAi ? 4 : 2, "number of links");
    nSwitches += isSimAi ? lines.Number(2, "number of NVSwitches") : 0;
    std::set<uint64_t> switches;
    while (switches.size() < nSwitches)
    {
        lines.Need(1, "the numbers of " + std::to_string(nSwitches) + " switches");
        for (std::size_t i = 0; i < lines.words.size(); ++i)
        {
            const uint64_t node = lines.Number(i, "a switch");
            if (node >= nNodes || !switches.insert(node).second)
            {
                lines.Fail("switch " + std::to_string(node) + " comes twice, or is not below " +
                           std::to_string(nNodes));
            }
        }
    }
    DcnTopologyBuilder builder;
    for (uint64_t node = 0; node < nNodes; ++node)
    {
        builder.AddNode(switches.count(node) > 0 ? DcnNodeKind::SWITCH : DcnNodeKind::HOST, node);
    }
    for (uint64_t i = 0; i < nLinks; ++i)
    {
        lines.Need(4, "link " + std::to_string(i + 1) + " of " + std::to_string(nLinks));
        const uint64_t a = lines.Number(0, "an end");
        const uint64_t b = lines.Number(1, "an end");
        if (a >= nNodes || b >= nNodes)
        {
            lines.Fail("a link joins " + std::to_string(a) + " and " + std::to_string(b) +
                       ", but there are only nodes 0 to " + std::to_string(nNodes - 1));
        }
        DataRate rate;
        std::istringstream(lines.words[2]) >> rate;
        const std::string& delay = lines.words[3];
        const std::size_t unit = delay.find_first_not_of("0123456789.eE+-");
        double number = 0;
        double ns = -1;
        if (unit != std::string::npos && DcnParse(delay.substr(0, unit), number))
        {
            const std::string name = delay.substr(unit);
            ns = name == "ns"   ? number
                 : name == "us" ? number * 1e3
                 : name == "ms" ? number * 1e6
                 : name == "s"  ? number * 1e9
                                : -1;
        }
        if (rate.GetBitRate() == 0 || ns < 0)
        {
            lines.Fail("expected a rate and a delay such as 100Gbps 1us, but they are \"" +
                       lines.words[2] + "\" and \"" + delay + "\"");
        }
        double errorRate = 0;
        if (lines.words.size() > 4 && (!DcnParse(lines.words[4], errorRate) || errorRate != 0))
        {
            lines.Fail("the error rate must be 0, since links do not lose packets, but it is \"" +
                       lines.words[4] + "\"");
        }
        builder.AddLink(static_cast<uint32_t>(a),
                        static_cast<uint32_t>(b),
                        rate.GetBitRate(),
                        std::llround(ns),
                        lines.Where());
    }
    return builder.Build();
}

std::vector<DcnFlow>
DcnHpccFiles::ReadFlows(const std::string& path, const DcnTopology& topology)
{
    Lines lines(path);
    lines.Need(1, "the number of flows");
    const uint64_t n = lines.Number(0, "the number of flows");
    std::vector<DcnFlow> flows;
    for (uint64_t i = 0; i < n; ++i)
    {
        lines.Need(6, "flow " + std::to_string(i + 1) + " of " + std::to_string(n));
        const std::size_t first = lines.words.size() > 6 ? 1 : 0;
        double start = 0;
        if (!DcnParse(lines.words[first + 5], start) || start < 0)
        {
            lines.Fail("the start must be a time in s, but it is \"" + lines.words[first + 5] +
                       "\"");
        }
        const DcnFlow flow{i,
                           static_cast<uint32_t>(lines.Number(first, "source")),
                           static_cast<uint32_t>(lines.Number(first + 1, "destination")),
                           lines.Number(first + 4, "size"),
                           std::llround(start * 1e9)};
        DcnCheckFlow(topology, flow, [&]() { return lines.Where(); });
        flows.push_back(flow);
    }
    Sort(flows);
    return flows;
}

std::vector<DcnFlow>
DcnHpccFiles::ReadConnectionMatrix(const std::string& path, const DcnTopology& topology)
{
    Lines lines(path);
    const auto& hosts = topology.GetHosts();
    uint64_t counts[2] = {0, 0};
    for (std::size_t i = 0; i < 2; ++i)
    {
        const std::string name = i == 0 ? "Nodes" : "Connections";
        lines.Need(2, "\"" + name + " n\"");
        if (lines.words[0] != name)
        {
            lines.Fail("expected \"" + name + " n\", but the line begins with \"" + lines.words[0] +
                       "\"");
        }
        counts[i] = lines.Number(1, name.c_str());
    }
    if (counts[0] > hosts.size())
    {
        DcnFail(path,
                ": the matrix has ",
                counts[0],
                " nodes, but the network has ",
                hosts.size(),
                " hosts: take a larger topology");
    }
    std::vector<DcnFlow> flows;
    for (uint64_t i = 0; i < counts[1]; ++i)
    {
        lines.Need(1, "connection " + std::to_string(i + 1) + " of " + std::to_string(counts[1]));
        const std::string ends = lines.words[0];
        const std::size_t arrow = ends.find("->");
        uint64_t from = 0;
        uint64_t to = 0;
        if (arrow == std::string::npos || !DcnParse(ends.substr(0, arrow), from) ||
            !DcnParse(ends.substr(arrow + 2), to) || from >= counts[0] || to >= counts[0])
        {
            lines.Fail("expected source->destination, both below " + std::to_string(counts[0]) +
                       ", but it is \"" + ends + "\"");
        }
        DcnFlow flow{i, hosts[from], hosts[to], 0, 0};
        for (std::size_t word = 1; word < lines.words.size(); word += 2)
        {
            const std::string& key = lines.words[word];
            if (key == "start")
            {
                flow.startNs = static_cast<int64_t>(lines.Number(word + 1, "start") / 1000);
            }
            else if (key == "size")
            {
                flow.sizeBytes = lines.Number(word + 1, "size");
            }
            else if (key != "id")
            {
                lines.Fail("the key \"" + key + "\" is not supported: only id, start and size are");
            }
        }
        DcnCheckFlow(topology, flow, [&]() { return lines.Where(); });
        flows.push_back(flow);
    }
    Sort(flows);
    return flows;
}

void
DcnHpccFiles::WriteFct(const DcnScenario& scenario,
                       const std::vector<int64_t>& fctNs,
                       const std::string& path)
{
    DcnFileWriter file(path);
    const DcnTopology& topology = scenario.GetTopology();
    auto address = [&](uint32_t node) {
        const uint64_t id = topology.GetExternalId(node);
        char text[16];
        std::snprintf(text,
                      sizeof(text),
                      "%08x",
                      static_cast<unsigned>(0x0b000001 + (id / 256 << 16) + (id % 256 << 8)));
        return std::string(text);
    };
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnFlow& flow = scenario.GetFlows()[i];
        if (fctNs[i] >= 0)
        {
            file.Stream() << address(flow.src) << ' ' << address(flow.dst) << ' '
                          << 10'000 + flow.id % 50'000 << " 100 " << flow.sizeBytes << ' '
                          << flow.startNs << ' ' << fctNs[i] << ' '
                          << scenario.GetIdealFct(i).GetTotalNs() << '\n';
        }
    }
    file.Commit();
}

} // namespace ns3
