/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-forecast.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-processes.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-topology.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnForecast");

namespace
{

/// @return a text as of printf with a few numbers
template <typename... Values>
std::string
Format(const char* format, Values... values)
{
    char text[300];
    std::snprintf(text, sizeof(text), format, values...);
    return text;
}

/// @return seconds for people: two digits
std::string
FormatSeconds(double seconds)
{
    return seconds < 0 ? "not known" : Format(seconds < 100 ? "%.2g s" : "%.0f s", seconds);
}

/// @return the scenario of MeasureSpeed: some 200,000 packet-hops on a star of eight hosts
Ptr<const DcnScenario>
MakeYardstick()
{
    constexpr uint32_t N_HOSTS = 8;
    constexpr uint64_t N_FLOWS = 2000;
    DcnTopologyBuilder builder;
    const uint32_t hub = builder.AddNode(DcnNodeKind::SWITCH);
    for (uint32_t i = 0; i < N_HOSTS; ++i)
    {
        builder.AddLink(builder.AddNode(DcnNodeKind::HOST), hub, 10'000'000'000, 1000);
    }
    std::vector<DcnFlow> flows;
    for (uint64_t i = 0; i < N_FLOWS; ++i)
    {
        DcnFlow flow;
        flow.id = i;
        flow.src = 1 + static_cast<uint32_t>(i % N_HOSTS);
        flow.dst = 1 + static_cast<uint32_t>((i + 1 + i / N_HOSTS % (N_HOSTS - 1)) % N_HOSTS);
        flow.sizeBytes = i % 10 == 3 ? 400'000 : 10'000;
        flow.startNs = static_cast<int64_t>(9'000 * i);
        flows.push_back(flow);
    }
    return DcnScenario::Create(builder.Build(), DcnNetworkConfig::Preset("dctcp"), std::move(flows));
}

/// @return a listed method that is a ground truth and has a cost rule; null if there is none
Ptr<DcnEstimator>
FindTruth(const DcnWork& work)
{
    for (const std::string& name : DcnEstimator::GetNames())
    {
        Ptr<DcnEstimator> method = DcnEstimator::CreateByName(name);
        if (method->IsGroundTruth() && method->ForecastSeconds(work) > 0)
        {
            return method;
        }
    }
    return nullptr;
}

} // namespace

DcnWork::DcnWork(const DcnScenario& scenario)
    : congestionControl(scenario.GetNetwork().congestionControl)
{
    const DcnTopology& topology = scenario.GetTopology();
    const DcnNetworkParameters& network = scenario.GetNetwork();
    const auto& all = scenario.GetFlows();
    flows = static_cast<double>(all.size());
    std::vector<double> linkFlows(topology.GetNLinks(), 0);
    std::vector<double> linkPackets(topology.GetNLinks(), 0);
    std::vector<double> linkBits(topology.GetNLinks(), 0);
    std::vector<char> isHost(topology.GetNNodes(), 0);
    double longestNs = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const DcnPath path = scenario.GetPath(i);
        const double n = std::ceil(static_cast<double>(all[i].sizeBytes) / network.payloadBytes);
        const double bits = 8 * (static_cast<double>(all[i].sizeBytes) + n * network.headerBytes);
        double slowestBps = INFINITY;
        packets += n;
        packetHops += n * static_cast<double>(path.size());
        flowHops += static_cast<double>(path.size());
        isHost[all[i].src] = isHost[all[i].dst] = 1;
        for (const uint32_t link : path)
        {
            linkFlows[link] += 1;
            linkPackets[link] += n;
            linkBits[link] += bits;
            slowestBps = std::min(slowestBps, static_cast<double>(topology.GetLink(link).rateBps));
        }
        longestNs = std::max(longestNs, 1e9 * bits / slowestBps);
        fastestGbps =
            std::max(fastestGbps, 1e-9 * static_cast<double>(topology.GetLink(path[0]).rateBps));
    }
    hosts = std::accumulate(isHost.begin(), isHost.end(), 0.0);
    const double spanNs =
        all.empty() ? 0 : static_cast<double>(all.back().startNs - all.front().startNs);
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        if (linkFlows[link] == 0)
        {
            continue;
        }
        links += 1;
        if (linkFlows[link] > 1 && !topology.IsHost(topology.GetLink(link).from))
        {
            sharedFlowHops += linkFlows[link];
            sharedPacketHops += linkPackets[link];
        }
        const double rate = static_cast<double>(topology.GetLink(link).rateBps);
        const double busy = std::min(1.0, 1e9 * linkBits[link] / rate / (spanNs + longestNs));
        const double most = (linkFlows[link] - 1) / 2;
        overlap += linkFlows[link] * (busy < 1 ? std::min(most, busy / (1 - busy)) : most);
        topLoad = std::max(topLoad, busy);
    }
}

std::vector<std::pair<std::string, double>>
DcnWork::List() const
{
    return {{"flows", flows},
            {"hosts", hosts},
            {"links", links},
            {"packets", packets},
            {"flow_hops", flowHops},
            {"packet_hops", packetHops},
            {"shared_flow_hops", sharedFlowHops},
            {"shared_packet_hops", sharedPacketHops},
            {"overlap", overlap},
            {"top_load", topLoad},
            {"fastest_gbps", fastestGbps}};
}

DcnForecast::DcnForecast(const DcnScenario& scenario, double speed)
    : m_work(scenario),
      m_speed(speed)
{
    if (!(speed > 0))
    {
        DcnFail("the speed of a machine must be above 0, but it is ", speed);
    }
}

const DcnWork&
DcnForecast::GetWork() const
{
    return m_work;
}

std::string
DcnForecast::GetRegime() const
{
    static constexpr double FEW_FLOWS = 100;
    static constexpr double FULL = 0.97;
    static constexpr double FEW_HOSTS = 32;
    static constexpr double FAST_GBPS = 100;
    return m_work.flows < FEW_FLOWS || m_work.topLoad >= FULL ? "degenerate"
           : m_work.hosts <= FEW_HOSTS                        ? "small"
           : m_work.fastestGbps >= FAST_GBPS                  ? "fast"
                                                              : "anywhere";
}

DcnForecast::Row
DcnForecast::Ask(const DcnEstimator& method) const
{
    Row row;
    row.method = method.GetLabel();
    row.isTruth = method.IsGroundTruth();
    const double seconds = method.ForecastSeconds(m_work);
    row.seconds = seconds < 0 ? -1 : seconds / m_speed;
    const auto found = GetAccuracy().find({GetRegime(), row.method});
    if (row.isTruth)
    {
        row.error = 0;
    }
    else if (found != GetAccuracy().end())
    {
        std::tie(row.error, row.n) = found->second;
    }
    return row;
}

std::vector<std::string>
DcnForecast::Describe(const std::vector<Ptr<DcnEstimator>>& methods) const
{
    std::vector<std::string> lines{
        Format("forecast: %.0f flows, %.3g million packet-hops, networks like \"%s\"; processor "
               "seconds, and the mean error of the p99 slowdown on such networks:",
               m_work.flows,
               1e-6 * m_work.packetHops,
               GetRegime().c_str())};
    std::vector<Row> rows;
    const Row* truth = nullptr;
    for (const auto& method : methods)
    {
        rows.push_back(Ask(*method));
    }
    for (const Row& row : rows)
    {
        const std::string error =
            row.isTruth     ? "the truth"
            : row.error < 0 ? "error not measured"
                            : Format("error %.1f %% (%llu scenarios)",
                                     100 * row.error,
                                     static_cast<unsigned long long>(row.n));
        lines.push_back("forecast: " + row.method + ": " + FormatSeconds(row.seconds) + ", " +
                        error);
        if (row.isTruth && row.seconds >= 0 && (!truth || row.seconds < truth->seconds))
        {
            truth = &row;
        }
    }
    for (const Row& row : rows)
    {
        if (truth && !row.isTruth && row.seconds >= truth->seconds)
        {
            lines.push_back("forecast: " + truth->method + " is as cheap as " + row.method +
                            " here: take " + truth->method);
        }
    }
    return lines;
}

std::string
DcnForecast::MakeJson(const std::vector<Ptr<DcnEstimator>>& methods) const
{
    auto number = [](double value) { return value < 0 ? "null" : DcnToText(value); };
    std::string work;
    for (const auto& [name, value] : m_work.List())
    {
        work += (work.empty() ? "" : ", ") + DcnQuoteJson(name) + ": " + DcnToText(value);
    }
    std::string rows;
    for (const auto& method : methods)
    {
        const Row row = Ask(*method);
        rows += (rows.empty() ? "" : ", ") + ("{\"method\": " + DcnQuoteJson(row.method)) +
                ", \"cpu_s\": " + number(row.seconds) + ", \"p99_error\": " + number(row.error) + "}";
    }
    return "{\"regime\": " + DcnQuoteJson(GetRegime()) + ", \"speed\": " + DcnToText(m_speed) +
           ", \"work\": {" + work + "}, \"methods\": [" + rows + "]}";
}

std::vector<bool>
DcnForecast::Fit(const std::vector<Ptr<DcnEstimator>>& methods, double budgetSeconds) const
{
    std::vector<Row> rows;
    for (const auto& method : methods)
    {
        rows.push_back(Ask(*method));
        if (rows.back().seconds < 0)
        {
            DcnFail("the method \"",
                    rows.back().method,
                    "\" has no forecast of its cost, so that a budget cannot include it: leave it "
                    "out of the methods, or run it without a budget");
        }
    }
    std::vector<std::size_t> order(methods.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&rows](std::size_t a, std::size_t b) {
        auto key = [&rows](std::size_t i) {
            return std::tuple(rows[i].error < 0, rows[i].error, rows[i].seconds);
        };
        return key(a) < key(b);
    });
    std::vector<bool> isTaken(methods.size(), false);
    double left = budgetSeconds;
    for (const std::size_t i : order)
    {
        isTaken[i] = rows[i].seconds <= left;
        left -= isTaken[i] ? rows[i].seconds : 0;
    }
    if (std::find(isTaken.begin(), isTaken.end(), true) == isTaken.end())
    {
        const auto least = std::min_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
            return a.seconds < b.seconds;
        });
        DcnFail("no method fits in a budget of ",
                FormatSeconds(budgetSeconds),
                least == rows.end() ? std::string()
                                    : ": the cheapest, " + least->method + ", needs some " +
                                          FormatSeconds(least->seconds));
    }
    return isTaken;
}

std::string
DcnForecast::GetAccuracyFile()
{
    return DcnDataPath("methods/accuracy.csv");
}

const DcnForecast::Accuracy&
DcnForecast::GetAccuracy()
{
    static const Accuracy accuracy = []() {
        Accuracy rows;
        DcnCsvReader reader(GetAccuracyFile(), {"regime", "method", "p99_error", "scenarios", "seed"});
        while (reader.FetchRow())
        {
            rows[{reader.GetText(0), reader.GetText(1)}] = {reader.GetDouble(2),
                                                            reader.GetUint(3)};
        }
        return rows;
    }();
    return accuracy;
}

double
DcnForecast::MeasureSpeed()
{
    static const double speed = []() {
        const Ptr<const DcnScenario> scenario = MakeYardstick();
        const DcnWork work(*scenario);
        const Ptr<DcnEstimator> truth = FindTruth(work);
        if (!truth)
        {
            return 1.0;
        }
        double seconds = 0;
        DcnProcesses processes;
        try
        {
            processes.Start(0, [&](const DcnProcesses::Reply& reply) {
                DcnProgress::Silence();
                reply(DcnToText(truth->Estimate(scenario).cpuSeconds));
            });
        }
        catch (const DcnError& error)
        {
            NS_LOG_WARN("the speed of this machine is not measured: " << error.what());
        }
        while (processes.GetN() > 0)
        {
            processes.Wait(
                -1,
                [&](uint64_t, std::string&& bytes) { DcnParse(bytes, seconds); },
                [](uint64_t, const std::string&) {});
        }
        NS_LOG_INFO("the yardstick takes " << seconds << " s");
        return seconds > 0 ? truth->ForecastSeconds(work) / seconds : 1.0;
    }();
    return speed;
}

} // namespace ns3
