/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_NETWORK_TEST_H
#define MQL_NETWORK_TEST_H

#include "../model/network/mql-solver.h"
#include "mql-fifo-simulator.h"

#include "ns3/dcn-topology.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

/// What the suites of the network model have in common.
namespace mqltest
{

using namespace ns3;

constexpr double SERVICE = 40e-6; //!< 500 bytes at 100 Mb/s [s]

/**
 * @param k ports of each switch
 * @return a fat tree of 100 Mb/s links without propagation delay
 */
inline Ptr<DcnTopology>
MakeFatTree(uint32_t k)
{
    DcnFatTreeParameters parameters;
    parameters.k = k;
    parameters.linkRate = DataRate("100Mbps");
    parameters.linkDelay = Seconds(0);
    return DcnBuildTopology(parameters);
}

/// A row of switches with one host at each and one more at each end, all links 100 Mb/s.
inline Ptr<DcnTopology>
MakeRow(uint32_t switches)
{
    DcnParkingLotParameters parameters;
    parameters.switches = switches;
    parameters.hostRate = DataRate("100Mbps");
    parameters.switchRate = DataRate("100Mbps");
    parameters.linkDelay = Seconds(0);
    return DcnBuildTopology(parameters);
}

/// A flow of 500-byte packets with a utilisation of 100 Mb/s links.
inline MqlFlow
MakeFlow(uint32_t src, uint32_t dst, double load, double c2a = 1)
{
    MqlFlow flow;
    flow.src = src;
    flow.dst = dst;
    flow.rate = load / SERVICE;
    flow.c2a = c2a;
    return flow;
}

/// Flows scaled so that the busiest link of all has a utilisation, with their network.
struct Case
{
    Ptr<DcnTopology> topology;  //!< the network
    std::vector<MqlFlow> flows; //!< the flows
    DcnRouting routing;         //!< ECMP
    DcnPathTable paths;         //!< of the flows, by hash

    Case(Ptr<DcnTopology> fabric, MqlTrafficOptions spec, double load)
        : topology(fabric),
          flows(MqlMakeTraffic(*fabric, spec)),
          routing(fabric)
    {
        paths = MqlHashPaths(flows, routing);
        double busiest = 0;
        const MqlNetwork network(topology, flows, paths);
        const MqlSolution solution = MqlSolve(network);
        for (const MqlQueue& queue : solution.GetQueues())
        {
            busiest = std::max(busiest, queue.rho);
        }
        for (MqlFlow& flow : flows)
        {
            flow.rate *= load / busiest;
        }
    }
};

/// Mean absolute percentage error of the one-way latency of flows, as in the brief's table.
inline double
GetMape(const MqlNetwork& network, const MqlFifoSimulator& truth, MqlFormula formula)
{
    MqlOptions options;
    options.formula = formula;
    options.bufferPackets = 0;
    const MqlSolution solution = MqlSolve(network, options);
    double sum = 0;
    double n = 0;
    for (std::size_t i = 0; i < truth.flows.size(); i++)
    {
        if (truth.flows[i].n > 50)
        {
            sum += std::abs(solution.GetLatency(i).GetMean() / truth.flows[i].latency - 1);
            n++;
        }
    }
    return 100 * sum / n;
}

} // namespace mqltest

#endif /* MQL_NETWORK_TEST_H */
