/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-engine.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <chrono>
#include <ctime>
#include <map>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlTruthEngine");

namespace
{

/// Simulators by engine and transport.
std::map<std::pair<std::string, std::string>, MqlTruthEngine::Simulate>&
Engines()
{
    static std::map<std::pair<std::string, std::string>, MqlTruthEngine::Simulate> engines;
    return engines;
}

} // namespace

MqlTruthEngine::MqlTruthEngine(const std::string& engine,
                               const std::string& transport,
                               Simulate simulate)
{
    Engines()[{engine, transport}] = simulate;
}

MqlTruthResult
MqlSimulateTruth(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch)
{
    const auto& config = traffic.GetConfig();
    const std::string& engine = config.Get("engine");
    if (engine != "ns3" && watch.collector)
    {
        DcnFail("engine=", engine, " has no devices to watch");
    }
    const auto wall = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    MqlTruthResult result = Engines().at({engine, config.Get("transport")})(traffic, watch);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - wall;
    result.wallSeconds = elapsed.count();
    result.cpuSeconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    NS_LOG_INFO(config.GetName() << ": " << result.packetHops << " packets times queues in "
                                 << result.wallSeconds << " s");
    return result;
}

} // namespace ns3
