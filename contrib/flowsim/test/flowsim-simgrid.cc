/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-simgrid.h"

#include <chrono>
#include <set>
#include <simgrid/s4u.hpp>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace flowsim_test
{

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
 * @brief Simulates in this process.
 * @param input what to simulate
 * @return the result
 */
SimgridOutput
Simulate(const SimgridInput& input)
{
    namespace s4u = simgrid::s4u;
    std::vector<std::string> options = OPTIONS;
    std::vector<char*> arguments;
    for (std::string& option : options)
    {
        arguments.push_back(option.data());
    }
    int nArguments = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    s4u::Engine engine(&nArguments, arguments.data());

    auto* zone = s4u::create_full_zone("network");
    std::vector<s4u::Host*> hosts;
    for (uint32_t h = 0; h < input.nHosts; h++)
    {
        hosts.push_back(zone->create_host("h" + std::to_string(h), 1e9));
    }
    std::vector<s4u::Link*> links;
    for (std::size_t l = 0; l < input.capacities.size(); l++)
    {
        links.push_back(zone->create_link("l" + std::to_string(l), input.capacities[l] / 8));
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
            zone->add_route(hosts[flow.src]->get_netpoint(),
                            hosts[flow.dst]->get_netpoint(),
                            nullptr,
                            nullptr,
                            route,
                            false);
        }
    }
    zone->seal();

    std::vector<s4u::CommPtr> transfers;
    transfers.reserve(input.flows.size());
    s4u::Actor::create("source", hosts[0], [&]() {
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
    engine.run();
    SimgridOutput output;
    output.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (std::size_t i = 0; i < transfers.size(); i++)
    {
        output.durationsNs.push_back(transfers[i]->get_finish_time() * NS_PER_S -
                                     static_cast<double>(input.flows[i].startNs));
    }
    return output;
}

/**
 * @brief Reads or writes a whole block through a pipe.
 * @tparam Transfer read or write
 * @tparam Byte type of what the block consists of
 * @param transfer read or write
 * @param pipe the pipe
 * @param data the block
 * @param size number of bytes
 * @return true if all of it was transferred
 */
template <typename Transfer, typename Byte>
bool
TransferAll(Transfer transfer, int pipe, Byte* data, std::size_t size)
{
    while (size > 0)
    {
        const ssize_t n = transfer(pipe, data, size);
        if (n <= 0)
        {
            return false;
        }
        data += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

} // namespace

SimgridOutput
SimulateBySimgrid(const SimgridInput& input)
{
    SimgridOutput output{0, {}};
    int pipes[2];
    if (pipe(pipes) != 0)
    {
        return output;
    }
    const pid_t child = fork();
    if (child == 0)
    {
        close(pipes[0]);
        const SimgridOutput result = Simulate(input);
        const bool written = TransferAll(write,
                                         pipes[1],
                                         reinterpret_cast<const char*>(&result.wallSeconds),
                                         sizeof(double)) &&
                             TransferAll(write,
                                         pipes[1],
                                         reinterpret_cast<const char*>(result.durationsNs.data()),
                                         result.durationsNs.size() * sizeof(double));
        _exit(written ? 0 : 1); // what SimGrid would tidy up dies with the process
    }
    close(pipes[1]);
    std::vector<double> durationsNs(input.flows.size());
    if (TransferAll(read,
                    pipes[0],
                    reinterpret_cast<char*>(&output.wallSeconds),
                    sizeof(double)) &&
        TransferAll(read,
                    pipes[0],
                    reinterpret_cast<char*>(durationsNs.data()),
                    durationsNs.size() * sizeof(double)))
    {
        output.durationsNs = std::move(durationsNs);
    }
    close(pipes[0]);
    waitpid(child, nullptr, 0);
    return output;
}

} // namespace flowsim_test
