/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-features.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

M4FlowModel::M4FlowModel(const DcnTopology& topology, const DcnNetworkParameters& network)
    : m_topology(topology),
      m_network(network),
      m_fluid(topology, network, FlowsimOptions{true, 1})
{
}

M4FlowConstants
M4FlowModel::Compute(DcnPath path, uint64_t sizeBytes) const
{
    const FlowsimFluid fluid = m_fluid.GetFluid(path, sizeBytes);
    M4FlowConstants flow{};
    flow.sizeBytes = sizeBytes;
    flow.fluidBits = fluid.bits;
    // at least 1 ns, for logarithms: the time can be 0 on fast links
    flow.idealNs = std::max(1.0, static_cast<double>(fluid.idealNs));
    flow.latencyNs = static_cast<double>(fluid.unloadedNs) - fluid.aloneNs;
    const auto rttNs =
        DcnBaseRttNs(m_topology, path, m_network.payloadBytes + DCN_HEADER_BYTES, DCN_ACK_BYTES);
    flow.rttNs = std::max(1.0, static_cast<double>(rttNs));
    flow.maxRateBps = static_cast<double>(m_topology.GetLink(path[0]).rateBps);
    if (m_network.maxRate.GetBitRate() > 0)
    {
        flow.maxRateBps =
            std::min(flow.maxRateBps, static_cast<double>(m_network.maxRate.GetBitRate()));
    }
    flow.capBps = std::min(fluid.cap, flow.maxRateBps);
    flow.windowBps = std::min(m_fluid.GetWindowCap(path), flow.maxRateBps);

    const DcnNetworkRatios ratios(m_network, flow.maxRateBps, flow.rttNs);
    flow.slowestBps = flow.maxRateBps;
    for (const uint32_t link : path)
    {
        const auto rateBps = static_cast<double>(m_topology.GetLink(link).rateBps);
        flow.slowestBps = std::min(flow.slowestBps, rateBps);
        flow.fastestBps = std::max(flow.fastestBps, rateBps);
    }
    const std::string& cc = m_network.congestionControl;
    const bool marks = cc == "dctcp" || cc == "dcqcn";
    auto bdps = [&ratios](double bytes) { return std::log1p(bytes / ratios.bdpBytes); };
    auto set = [&flow](M4Features::Static which, double value) {
        flow.features[which] = static_cast<float>(value);
    };
    set(M4Features::SIZE, std::log1p(static_cast<double>(sizeBytes) / 1000) / 8);
    set(M4Features::SIZE_BDP, bdps(fluid.bits / 8) / 4);
    set(M4Features::IDEAL, std::log(flow.idealNs / flow.rttNs) / 4);
    set(M4Features::HOPS, static_cast<double>(path.size()) / 6);
    set(M4Features::BOTTLENECK, std::log(flow.maxRateBps / flow.slowestBps));
    set(M4Features::ONE_PACKET, sizeBytes <= m_network.payloadBytes ? 1 : 0);
    set(M4Features::CC_DCTCP, cc == "dctcp" ? 1 : 0);
    set(M4Features::CC_DCQCN, cc == "dcqcn" ? 1 : 0);
    set(M4Features::CC_TIMELY, cc == "timely" ? 1 : 0);
    set(M4Features::CC_HPCC, cc == "hpcc" ? 1 : 0);
    const auto maxRateBps = static_cast<uint64_t>(flow.maxRateBps);
    const uint64_t window = m_network.GetWindowBytes(maxRateBps, rttNs, maxRateBps);
    const double windowBytes = window > 0 ? static_cast<double>(window) : 4 * ratios.bdpBytes;
    flow.burstBits = std::min(flow.fluidBits, 8 * windowBytes);
    set(M4Features::WINDOW, bdps(windowBytes));
    // thresholds scale with the rate of the port; the feature is that of the host's port
    set(M4Features::K_MIN, marks ? std::log1p(ratios.kMin) : 0);
    set(M4Features::K_MAX, marks ? std::log1p(ratios.kMax) : 0);
    set(M4Features::BUFFER, bdps(static_cast<double>(m_network.bufferBytes)) / 4);
    set(M4Features::PFC, m_network.pfc ? 1 : 0);
    if (cc == "hpcc")
    {
        set(M4Features::ETA, ratios.hpccEta);
        set(M4Features::INCREASE, 10 * ratios.additiveIncrease);
    }
    if (cc == "timely")
    {
        set(M4Features::RTT_LOW, std::log1p(ratios.timelyLow));
        set(M4Features::RTT_HIGH, std::log1p(ratios.timelyHigh));
    }
    set(M4Features::MIN_RATE, ratios.minRate);
    return flow;
}

} // namespace ns3
