/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup flowsim-tests
 * The program that SimulateBySimgrid() runs. It is one of its own because Debian's SimGrid brings
 * an ns-3 of its own along, which cannot be in one process with ours.
 */

#include "flowsim-simgrid.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <set>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#include <string>
#include <utility>
#include <vector>

using namespace flowsim_test;
namespace s4u = simgrid::s4u;

namespace
{

/// Options of SimGrid: its fluid model of links, bare.
const std::vector<std::string> OPTIONS = {
    "flowsim-simgrid",
    "--log=root.thres:error",
    "--cfg=network/model:CM02",
    "--cfg=network/TCP-gamma:0",
    "--cfg=network/bandwidth-factor:1",
    "--cfg=network/latency-factor:1",
    "--cfg=network/weight-S:0",
    "--cfg=network/crosstraffic:0",
    "--cfg=surf/precision:1e-15",
    "--cfg=maxmin/precision:1e-12",
};

constexpr double NS_PER_S = 1e9; //!< Nanoseconds per second

/**
 * @name What SimGrid 4 calls by other names than SimGrid 3
 * @{
 */
#if SIMGRID_VERSION >= 40000
s4u::NetZone*
CreateZone(s4u::Engine& engine)
{
    return engine.get_netzone_root()->add_netzone_full("network");
}

s4u::Host*
CreateHost(s4u::NetZone* zone, const std::string& name)
{
    return zone->add_host(name, 1e9);
}

s4u::Link*
CreateLink(s4u::NetZone* zone, const std::string& name, double bytesPerSecond)
{
    return zone->add_link(name, bytesPerSecond);
}

void
AddRoute(s4u::NetZone* zone,
         const s4u::Host* from,
         const s4u::Host* to,
         const std::vector<s4u::LinkInRoute>& route)
{
    zone->add_route(from, to, route, false);
}

template <class Code>
void
AddActor(s4u::Engine& engine, s4u::Host* host, Code code)
{
    engine.add_actor("source", host, code);
}
#else
s4u::NetZone*
CreateZone(s4u::Engine& /* engine */)
{
    return s4u::create_full_zone("network");
}

s4u::Host*
CreateHost(s4u::NetZone* zone, const std::string& name)
{
    return zone->create_host(name, 1e9);
}

s4u::Link*
CreateLink(s4u::NetZone* zone, const std::string& name, double bytesPerSecond)
{
    return zone->create_link(name, bytesPerSecond);
}

void
AddRoute(s4u::NetZone* zone,
         const s4u::Host* from,
         const s4u::Host* to,
         const std::vector<s4u::LinkInRoute>& route)
{
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, route, false);
}

template <class Code>
void
AddActor(s4u::Engine& /* engine */, s4u::Host* host, Code code)
{
    s4u::Actor::create("source", host, code);
}
#endif
/** @} */

/// Simulates in this process. @return the result
SimgridOutput
Simulate(const SimgridInput& input)
{
    std::vector<std::string> options = OPTIONS;
    std::vector<char*> arguments;
    for (std::string& option : options)
    {
        arguments.push_back(option.data());
    }
    int nArguments = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    s4u::Engine engine(&nArguments, arguments.data());

    s4u::NetZone* zone = CreateZone(engine);
    std::vector<s4u::Host*> hosts;
    for (uint32_t h = 0; h < input.nHosts; h++)
    {
        hosts.push_back(CreateHost(zone, "h" + std::to_string(h)));
    }
    std::vector<s4u::Link*> links;
    for (std::size_t l = 0; l < input.capacities.size(); l++)
    {
        links.push_back(CreateLink(zone, "l" + std::to_string(l), input.capacities[l] / 8));
        links.back()->set_latency(0);
        links.back()->seal();
    }
    std::set<std::pair<uint32_t, uint32_t>> routed;
    for (const auto& flow : input.flows)
    {
        if (routed.insert({flow.src, flow.dst}).second)
        {
            std::vector<s4u::LinkInRoute> route;
            for (uint32_t link : flow.path)
            {
                route.emplace_back(links[link]);
            }
            AddRoute(zone, hosts[flow.src], hosts[flow.dst], route);
        }
    }
    zone->seal();

    std::vector<s4u::CommPtr> transfers;
    transfers.reserve(input.flows.size());
    AddActor(engine, hosts[0], [&]() {
        for (const auto& flow : input.flows)
        {
            s4u::this_actor::sleep_until(static_cast<double>(flow.startNs) / NS_PER_S);
            transfers.push_back(
                s4u::Comm::sendto_async(hosts[flow.src], hosts[flow.dst], flow.bytes));
        }
        for (const auto& transfer : transfers)
        {
            transfer->wait();
        }
    });
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpuStart = std::clock();
    engine.run();
    SimgridOutput output;
    output.cpuSeconds = static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC;
    output.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (std::size_t i = 0; i < transfers.size(); i++)
    {
        output.durationsNs.push_back(transfers[i]->get_finish_time() * NS_PER_S -
                                     static_cast<double>(input.flows[i].startNs));
    }
    return output;
}

/// Reads what WriteSimgridInput() wrote. @return the input
SimgridInput
ReadInput(const char* path)
{
    std::ifstream file(path);
    SimgridInput input;
    std::size_t nLinks;
    std::size_t nFlows;
    file >> input.nHosts >> nLinks >> nFlows;
    input.capacities.resize(nLinks);
    for (double& capacity : input.capacities)
    {
        file >> capacity;
    }
    input.flows.resize(nFlows);
    for (auto& flow : input.flows)
    {
        std::size_t nHops;
        file >> flow.src >> flow.dst >> flow.bytes >> flow.startNs >> nHops;
        flow.path.resize(nHops);
        for (uint32_t& link : flow.path)
        {
            file >> link;
        }
    }
    return input;
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 3)
    {
        std::cerr << "usage: flowsim-simgrid INPUT OUTPUT" << std::endl;
        return 1;
    }
    const SimgridOutput output = Simulate(ReadInput(argv[1]));
    std::ofstream file(argv[2]);
    file.precision(std::numeric_limits<double>::max_digits10);
    file << output.cpuSeconds << '\n' << output.wallSeconds << '\n';
    for (double duration : output.durationsNs)
    {
        file << duration << '\n';
    }
    file.close();
    return file ? 0 : 1;
}
