/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-report.h"

#include "ns3/dcn-train-collective.h"

#include <algorithm>
#include <limits>

namespace ns3
{

DcnTrainRunResult::DcnTrainRunResult(const std::string& engineName,
                                     const DcnTrainExecutor& executor,
                                     const DcnTrainSource& source,
                                     const DcnTopology& topology,
                                     const DcnNetworkParameters& network)
    : engine(engineName),
      stop(executor.GetStop().sentence),
      durationNs(executor.GetDuration().GetNanoSeconds()),
      ranks(executor.GetRankTimes())
{
    const int64_t startNs = executor.GetStart().GetNanoSeconds();
    const auto& operations = source.GetOperations();
    const auto& times = executor.GetOperationTimes();
    const auto& known = DcnTrainCollective::GetOperations();
    int64_t beginNs = startNs;
    for (uint32_t i = 0; i < operations.size(); ++i)
    {
        const DcnTrainOperation& each = operations[i];
        if (each.kind == "iteration" && times[i].endNs >= 0)
        {
            iterations.emplace_back(beginNs, times[i].endNs - beginNs);
            beginNs = times[i].endNs;
        }
        if (std::find(known.begin(), known.end(), each.kind) != known.end() &&
            times[i].endNs > times[i].beginNs && each.nRanks > 1)
        {
            const int64_t timeNs = times[i].endNs - times[i].beginNs;
            const double gbps = 8.0 * static_cast<double>(each.bytes) / static_cast<double>(timeNs);
            collectives.push_back(
                {i,
                 times[i].beginNs,
                 timeNs,
                 gbps,
                 gbps * DcnTrainCollective::GetBusFactor(each.kind, each.nRanks)});
        }
    }
    if (iterations.empty() && stop.empty())
    {
        iterations.emplace_back(startNs, durationNs);
    }
    const auto& bytes = executor.GetLinkBytes();
    const double wire = static_cast<double>(network.payloadBytes + network.headerBytes) /
                        static_cast<double>(network.payloadBytes);
    for (uint32_t link = 0; link < bytes.size(); ++link)
    {
        if (bytes[link] > 0)
        {
            links.push_back({link,
                             bytes[link],
                             8e9 * wire * static_cast<double>(bytes[link]) /
                                 (static_cast<double>(topology.GetLink(link).rateBps) *
                                  static_cast<double>(std::max<int64_t>(1, durationNs)))});
        }
    }
    std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
        return a.utilisation > b.utilisation;
    });
}

double
DcnTrainRunResult::GetIterationMs() const
{
    if (iterations.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    double sum = 0;
    for (const auto& iteration : iterations)
    {
        sum += static_cast<double>(iteration.second);
    }
    return sum / 1e6 / static_cast<double>(iterations.size());
}

std::map<std::string, DcnTrainRunResult::Bus>
DcnTrainRunResult::GetBus(const DcnTrainSource& source) const
{
    std::map<std::string, Bus> buses;
    std::map<std::string, double> ns; // durations, added up
    for (const Collective& each : collectives)
    {
        const DcnTrainOperation& operation = source.GetOperations()[each.operation];
        Bus& bus = buses[operation.kind];
        bus.leastGbps = bus.n == 0 ? each.busGbps : std::min(bus.leastGbps, each.busGbps);
        ++bus.n;
        bus.bytes += operation.bytes;
        bus.meanGbps += each.busGbps * static_cast<double>(each.durationNs);
        ns[operation.kind] += static_cast<double>(each.durationNs);
    }
    for (auto& [kind, bus] : buses)
    {
        bus.meanGbps /= ns[kind];
    }
    return buses;
}

double
DcnTrainRunResult::GetMeanMs(int64_t DcnTrainExecutor::RankTimes::*time) const
{
    double sum = 0;
    for (const auto& rank : ranks)
    {
        sum += static_cast<double>(rank.*time);
    }
    return sum / 1e6 / static_cast<double>(ranks.size());
}

std::vector<std::string>
DcnWriteTrainResults(const std::vector<DcnTrainRunResult>& results,
                     const DcnTrainSource& source,
                     const DcnTopology& topology,
                     const std::string& folder)
{
    DcnFileWriter iterations(folder + "/iterations.csv");
    DcnFileWriter ranks(folder + "/ranks.csv");
    DcnFileWriter collectives(folder + "/collectives.csv");
    DcnFileWriter links(folder + "/links.csv");
    iterations.Stream() << "engine,iteration,begin_ns,duration_ns\n";
    ranks.Stream() << "engine,rank,compute_ns,exposed_ns,idle_ns,stalled_ns\n";
    collectives.Stream() << "engine,operation,name,kind,ranks,bytes,begin_ns,duration_ns,"
                            "algorithm_gbps,bus_gbps\n";
    links.Stream() << "engine,from,to,payload_bytes,utilisation\n";
    for (const DcnTrainRunResult& run : results)
    {
        for (std::size_t i = 0; i < run.iterations.size(); ++i)
        {
            iterations.Stream() << run.engine << ',' << i << ',' << run.iterations[i].first << ','
                                << run.iterations[i].second << '\n';
        }
        for (std::size_t i = 0; i < run.ranks.size(); ++i)
        {
            ranks.Stream() << run.engine << ',' << i << ',' << run.ranks[i].computeNs << ','
                           << run.ranks[i].exposedNs << ',' << run.ranks[i].idleNs << ','
                           << run.ranks[i].stalledNs << '\n';
        }
        for (const auto& each : run.collectives)
        {
            const DcnTrainOperation& operation = source.GetOperations()[each.operation];
            collectives.Stream() << run.engine << ',' << each.operation << ','
                                 << DcnCsvText(operation.name) << ',' << operation.kind << ','
                                 << operation.nRanks << ',' << operation.bytes << ','
                                 << each.beginNs << ',' << each.durationNs << ','
                                 << DcnToText(each.algorithmGbps) << ',' << DcnToText(each.busGbps)
                                 << '\n';
        }
        for (const auto& each : run.links)
        {
            const DcnLink& link = topology.GetLink(each.link);
            links.Stream() << run.engine << ',' << topology.GetExternalId(link.from) << ','
                           << topology.GetExternalId(link.to) << ',' << each.bytes << ','
                           << DcnToText(each.utilisation) << '\n';
        }
    }
    for (DcnFileWriter* file : {&iterations, &ranks, &collectives, &links})
    {
        file->Commit();
    }
    return {"iterations.csv", "ranks.csv", "collectives.csv", "links.csv"};
}

} // namespace ns3
