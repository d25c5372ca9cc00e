/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parking-lot.h"

#include "ns3/dcn-arrival-process.h"

#include <cmath>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t RATE = 40'000'000'000; //!< of all links [bit/s]
constexpr double LOAD = 0.25;             //!< of the main traffic, and of each cross traffic

/// @return mean time between two flows of a size [ns]
double
GetMeanGapNs(uint64_t bytes)
{
    return 8e9 * static_cast<double>(bytes) / (LOAD * static_cast<double>(RATE));
}

/** @return the parking lot; node i is host i for i < 7. */
Ptr<DcnTopology>
MakeTopology()
{
    DcnTopologyBuilder builder;
    for (int host = 0; host < 7; ++host)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    const uint32_t a = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t b = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t c = builder.AddNode(DcnNodeKind::SWITCH);
    const std::vector<std::pair<uint32_t, uint32_t>>
        links{{0, a}, {1, a}, {2, b}, {3, b}, {4, c}, {5, c}, {6, c}, {a, b}, {b, c}};
    for (const auto& [from, to] : links)
    {
        builder.AddLink(from, to, RATE, 1000);
    }
    return builder.Build();
}

/**
 * @param bytes size of a flow
 * @param sigma shape of the gaps
 * @param endNs end of starts [ns]
 * @param seed of the gaps
 * @param index number of the process, 0 to 3
 * @return starts of flows [ns]
 */
std::vector<int64_t>
MakeStarts(uint64_t bytes, double sigma, double endNs, uint64_t seed, uint32_t index)
{
    const double mean = GetMeanGapNs(bytes);
    DcnArrivalProcess process(sigma, DcnRandom(4 * seed + index));
    std::vector<int64_t> starts;
    for (double time = mean * process.Next().time; time < endNs; time = mean * process.Next().time)
    {
        starts.push_back(std::llround(time));
    }
    return starts;
}

} // namespace

const std::vector<ParkingLot>&
ParkingLot::GetAll()
{
    static const std::vector<ParkingLot> all{
        {"short-alone", 1000, false, false, 0},
        {"short-cross", 1000, true, false, 0},
        {"short-identical", 1000, true, true, 0},
        {"long-cross", 400000, true, false, 0},
        {"long-identical", 400000, true, true, 0},
        {"long-bursty", 400000, true, false, 2},
        {"long-bursty-identical", 400000, true, true, 2}};
    return all;
}

Ptr<const DcnScenario>
ParkingLot::Create(uint64_t nMain, uint64_t seed) const
{
    const double endNs = static_cast<double>(nMain) * GetMeanGapNs(mainBytes);
    std::vector<DcnFlow> flows;
    auto add = [&](uint32_t src, uint32_t dst, uint64_t bytes, const std::vector<int64_t>& starts) {
        for (int64_t start : starts)
        {
            flows.push_back({flows.size(), src, dst, bytes, start});
        }
    };
    add(0, 6, mainBytes, MakeStarts(mainBytes, 0, endNs, seed, 0));
    for (uint32_t i = 0; hasCross && i < 3; ++i)
    {
        const uint32_t stream = isIdentical ? 1 : 1 + i;
        add(2 * i + 1,
            2 * i + 2,
            CROSS_BYTES,
            MakeStarts(CROSS_BYTES, sigma, endNs, seed, stream));
    }
    return DcnScenario::Create(MakeTopology(), DcnNetworkConfig::Preset("dctcp", RATE), flows);
}

bool
ParkingLot::IsMain(const DcnFlow& flow)
{
    return flow.src == 0;
}

} // namespace ns3
