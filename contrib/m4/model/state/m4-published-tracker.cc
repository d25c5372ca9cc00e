/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-published-tracker.h"

#include <cmath>
#include <limits>
#include <string>

namespace ns3
{

namespace
{

/**
 * @param fromNs a time [ns]
 * @param toNs a later time [ns]
 * @return difference [us]
 */
float
GetElapsedUs(int64_t fromNs, int64_t toNs)
{
    return static_cast<float>(static_cast<double>(toNs - fromNs) / 1000);
}

} // namespace

M4PublishedTracker::M4PublishedTracker(const DcnTopology& topology,
                                       const DcnNetworkParameters& network,
                                       bool describe)
    : M4Tracker(topology, describe),
      m_config{},
      m_linkTouchedNs(topology.GetNLinks(), NEVER),
      m_linkMark(topology.GetNLinks(), 0)
{
    using Features = M4PublishedFeatures;
    auto set = [this](Features::Flow which, double value) {
        m_config[which - Features::CONFIG] = static_cast<float>(value);
    };
    // a threshold scaled from its reference rate to a port's rate [KB]
    auto scale = [&network](uint64_t bytes, double rateBps) {
        const auto reference = static_cast<double>(network.ecnReferenceRate.GetBitRate());
        return static_cast<double>(bytes) * rateBps / reference / 1000;
    };
    auto us = [&network](const char* key) {
        return NanoSeconds(static_cast<uint64_t>(network.GetOwn(key))).GetSeconds() * 1e6;
    };
    const std::string& cc = network.congestionControl;
    set(Features::BUFFER, static_cast<double>(network.bufferBytes) / 10'000);
    set(Features::WINDOW, static_cast<double>(network.windowBytes) / 1000);
    if (cc == "dctcp")
    {
        set(Features::CC_DCTCP, 1);
        set(Features::DCTCP_K, scale(network.ecnKminBytes, 10e9));
    }
    else if (cc == "dcqcn")
    {
        set(Features::CC_DCQCN, 1);
        set(Features::DCQCN_K_MIN, scale(network.ecnKminBytes, 25e9));
        set(Features::DCQCN_K_MAX, scale(network.ecnKmaxBytes, 25e9));
    }
    else if (cc == "hpcc")
    {
        set(Features::CC_HPCC, 1);
        set(Features::HPCC_ETA, network.GetOwn("hpcc_eta"));
        set(Features::HPCC_AI, network.GetOwn("hpcc_additive_increase_bps") / 10e6);
    }
    else if (cc == "timely")
    {
        set(Features::CC_TIMELY, 1);
        set(Features::TIMELY_LOW, us("timely_low_ns"));
        set(Features::TIMELY_HIGH, us("timely_high_ns"));
    }
}

double
M4PublishedTracker::GetFluidRemaining(uint32_t, int64_t) const
{
    return std::numeric_limits<double>::quiet_NaN();
}

void
M4PublishedTracker::DoStart(const Event&)
{
}

void
M4PublishedTracker::DoEnd(const Event& event)
{
    for (const uint32_t link : m_flows[event.slot].links)
    {
        if (m_onLink[link].empty())
        {
            m_linkTouchedNs[link] = NEVER;
        }
    }
}

void
M4PublishedTracker::AddLink(uint32_t link, std::vector<uint32_t>& links)
{
    if (m_linkMark[link] != m_mark && !m_onLink[link].empty())
    {
        m_linkMark[link] = m_mark;
        links.push_back(link);
    }
}

void
M4PublishedTracker::Gather(const Event& event,
                           std::vector<uint32_t>& flows,
                           std::vector<uint32_t>& links)
{
    for (const uint32_t link : m_flows[event.slot].links)
    {
        AddLink(link, links);
    }
    for (std::size_t next = 0; next < links.size(); ++next) // breadth first
    {
        for (const uint32_t slot : m_onLink[links[next]])
        {
            if (m_flows[slot].mark == m_mark)
            {
                continue;
            }
            m_flows[slot].mark = m_mark;
            flows.push_back(slot);
            for (const uint32_t link : m_flows[slot].links)
            {
                AddLink(link, links);
            }
        }
    }
}

void
M4PublishedTracker::AppendFlow(uint32_t slot, int64_t nowNs, std::vector<float>& features) const
{
    const Flow& flow = m_flows[slot];
    features.push_back(GetElapsedUs(flow.touchedNs, nowNs));
    features.push_back(
        static_cast<float>(std::log2(1 + static_cast<double>(flow.constants.sizeBytes) / 1000)));
    features.push_back(static_cast<float>(flow.links.size()));
    features.insert(features.end(), m_config.begin(), m_config.end());
}

void
M4PublishedTracker::Describe(const Event& event, M4Snapshot& snapshot)
{
    if (!m_describe)
    {
        return;
    }
    for (const uint32_t slot : snapshot.flows)
    {
        AppendFlow(slot, event.nowNs, snapshot.flowFeatures);
        m_flows[slot].touchedNs = event.nowNs;
    }
    for (std::size_t row = 0; row < snapshot.links.size(); ++row)
    {
        int64_t& touchedNs = m_linkTouchedNs[snapshot.links[row]];
        const bool isNew = touchedNs == NEVER;
        snapshot.linkIsNew[row] = isNew ? 1 : 0;
        snapshot.linkFeatures.push_back(isNew ? 0 : GetElapsedUs(touchedNs, event.nowNs));
        touchedNs = event.nowNs;
    }
}

std::vector<float>
M4PublishedTracker::DescribeFlow(uint32_t slot, int64_t nowNs) const
{
    std::vector<float> features;
    AppendFlow(slot, nowNs, features);
    return features;
}

std::vector<float>
M4PublishedTracker::DescribeLink(uint32_t link, int64_t nowNs) const
{
    if (m_linkTouchedNs[link] == NEVER)
    {
        return {};
    }
    return {GetElapsedUs(m_linkTouchedNs[link], nowNs)};
}

} // namespace ns3
