/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-fluid-model.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace ns3
{

int64_t
FlowsimFluid::GetFctNs(double durationNs, double startFraction) const
{
    return unloadedNs + std::llround(startFraction + std::max(0.0, durationNs - aloneNs));
}

void
FlowsimCheckWeight(uint64_t flow, double weight)
{
    constexpr double SMALLEST = FlowsimMaxMinSolver::MIN_WEIGHT;
    constexpr double LARGEST = FlowsimMaxMinSolver::MAX_WEIGHT;
    if (!(weight >= SMALLEST && weight <= LARGEST))
    {
        DcnFail("flow ",
                flow,
                " has the weight ",
                weight,
                ", but weights are between ",
                SMALLEST,
                " and ",
                LARGEST);
    }
}

FlowsimFluidModel::FlowsimFluidModel(const DcnTopology& topology,
                                     const DcnNetworkParameters& network,
                                     const FlowsimOptions& options)
    : m_topology(topology),
      m_network(network),
      m_options(options)
{
    if (!(options.linkEfficiency > 0 && options.linkEfficiency <= 1))
    {
        DcnFail("the link efficiency must be above 0 and at most 1, but it is ",
                options.linkEfficiency);
    }
}

double
FlowsimFluidModel::GetCapacity(uint64_t rateBps) const
{
    return m_options.linkEfficiency * static_cast<double>(rateBps);
}

std::vector<double>
FlowsimFluidModel::GetCapacities() const
{
    std::vector<double> capacities(m_topology.GetNLinks());
    for (uint32_t link = 0; link < m_topology.GetNLinks(); ++link)
    {
        capacities[link] = GetCapacity(m_topology.GetLink(link).rateBps);
    }
    return capacities;
}

void
FlowsimFluidModel::Prefetch(DcnPath path) const
{
    for (uint32_t link : path)
    {
        __builtin_prefetch(&m_topology.GetLink(link));
    }
}

bool
FlowsimFluidModel::HasWindowCap() const
{
    // the ideal time of a transport with slow start has the waits for its window already
    const bool hasWindow = m_network.windowBytes > 0 || m_network.windowBdp > 0;
    return m_options.windowCap && hasWindow && m_network.initialWindowBytes == 0;
}

uint64_t
FlowsimFluidModel::GetWindowPackets(DcnPath path) const
{
    uint64_t window = m_network.windowBytes;
    if (m_network.windowBdp > 0 || m_network.referenceRate.GetBitRate() > 0)
    {
        const uint64_t hostRate = m_topology.GetLink(path[0]).rateBps;
        const uint64_t maxRate = m_network.maxRate.GetBitRate();
        const uint32_t packetBytes = m_network.payloadBytes + m_network.headerBytes;
        window = m_network.GetWindowBytes(
            maxRate > 0 ? std::min(hostRate, maxRate) : hostRate,
            DcnBaseRttNs(m_topology, path, packetBytes, DCN_ACK_BYTES),
            hostRate);
    }
    return DcnPackets(window, m_network.payloadBytes);
}

double
FlowsimFluidModel::GetWindowCap(DcnPath path) const
{
    if (!HasWindowCap())
    {
        return std::numeric_limits<double>::infinity();
    }
    const uint32_t packetBytes = m_network.payloadBytes + m_network.headerBytes;
    const uint64_t window = GetWindowPackets(path);
    const int64_t rttNs = DcnBaseRttNs(m_topology, path, packetBytes, DCN_ACK_BYTES);
    return 8.0 * static_cast<double>(window * packetBytes) * 1e9 / static_cast<double>(rttNs);
}

FlowsimFluid
FlowsimFluidModel::GetFluid(DcnPath path, uint64_t sizeBytes) const
{
    const uint64_t maxRate = m_network.maxRate.GetBitRate();
    const DcnIdealFct ideal = DcnComputeIdealFct(m_topology, path, sizeBytes, m_network);
    FlowsimFluid fluid;
    fluid.bits = 8.0 * static_cast<double>(
                           DcnWireBytes(sizeBytes, m_network.payloadBytes, m_network.headerBytes));
    fluid.idealNs = ideal.GetTotalNs();
    fluid.unloadedNs = fluid.idealNs;
    if (maxRate > 0)
    {
        fluid.cap = static_cast<double>(maxRate);
    }
    if (HasWindowCap())
    {
        const uint32_t packetBytes = m_network.payloadBytes + m_network.headerBytes;
        const uint64_t window = GetWindowPackets(path);
        const uint64_t rounds = (DcnPackets(sizeBytes, m_network.payloadBytes) - 1) / window;
        if (rounds > 0)
        {
            const int64_t rttNs = DcnBaseRttNs(m_topology, path, packetBytes, DCN_ACK_BYTES);
            const double windowBits = 8.0 * static_cast<double>(window * packetBytes);
            const double idleNs = static_cast<double>(rttNs) -
                                  windowBits * 1e9 / static_cast<double>(ideal.bottleneckBps);
            fluid.cap = std::min(fluid.cap, GetWindowCap(path));
            fluid.unloadedNs += std::llround(static_cast<double>(rounds) * std::max(0.0, idleNs));
        }
    }
    double rate = fluid.cap;
    for (uint32_t link : path)
    {
        rate = std::min(rate, GetCapacity(m_topology.GetLink(link).rateBps));
    }
    fluid.aloneNs = fluid.bits * 1e9 / rate;
    return fluid;
}

std::string
FlowsimOptions::Describe() const
{
    std::ostringstream text;
    text << (windowCap ? ", window cap" : "");
    if (linkEfficiency < 1)
    {
        text << ", link efficiency " << linkEfficiency;
    }
    return text.str();
}

} // namespace ns3
