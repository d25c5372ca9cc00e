/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/simulate/parsimon-minim-link-simulator.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "parsimon-test-links.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t G10 = 10'000'000'000; //!< 10 Gb/s

/**
 * @param rateBps of the target
 * @param sourceDelayNs from every source, which has 10 Gb/s, to the target
 * @param oneWayNs from source to destination
 * @param flows start [ns] and size [bytes], each from a source of its own
 * @return a target between switches
 */
ParsimonLink
MakeLink(uint64_t rateBps,
         int64_t sourceDelayNs,
         int64_t oneWayNs,
         const std::vector<std::pair<int64_t, uint64_t>>& flows)
{
    ParsimonLink link{0, ParsimonPosition::SWITCH_TO_SWITCH, rateBps, rateBps, 0, {}, {}, {}};
    link.destinations.push_back({1000, 1000, 10 * G10, oneWayNs - sourceDelayNs});
    for (const auto& [startNs, sizeBytes] : flows)
    {
        const auto i = static_cast<uint32_t>(link.flows.size());
        link.sources.push_back({i, 2 * i + 2, G10, sourceDelayNs});
        link.flows.push_back({i, i, 0, sizeBytes, startNs});
    }
    return link;
}

/// Mean of FCT / ideal.
double
MeanSlowdown(const std::vector<int64_t>& fctNs, const std::vector<double>& idealNs)
{
    double sum = 0;
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        sum += static_cast<double>(fctNs[i]) / idealNs[i];
    }
    return sum / static_cast<double>(fctNs.size());
}

/// Outcomes of the published rules, from an independent model of them (packets that tie are served
/// in another order there, so that runs with marks agree only on average).
DCN_TEST_CASE(PublishedVectorsTestCase,
              "The rules of the published link simulator give the known outcomes")
{
    // The unit test of the published program: one flow.
    {
        const auto network = ParsimonMakeTestNetwork();
        const ParsimonMinimLinkSimulator minim(*network);
        for (const auto& [size, fctNs] :
             std::vector<std::pair<uint64_t, int64_t>>{{100, 2148}, {1'000'000, 840'210}})
        {
            const auto result = minim.Simulate(MakeLink(4 * G10, 1000, 2000, {{0, size}}));
            NS_TEST_EXPECT_MSG_EQ(result.fctNs[0], fctNs, size);
            NS_TEST_EXPECT_MSG_EQ(result.idealNs[0], fctNs, size);
        }
    }

    // A: two sources into 10 Gb/s stand in the queue, unmarked.
    {
        const auto network = ParsimonMakeTestNetwork();
        const ParsimonMinimLinkSimulator minim(*network);
        const auto link = MakeLink(G10, 1000, 4000, {{0, 1'000'000}, {0, 1'000'000}});
        ParsimonMinimLinkSimulator::Counts counts;
        auto fctNs = minim.Run(link, counts);
        std::sort(fctNs.begin(), fctNs.end());
        NS_TEST_EXPECT_MSG_EQ(fctNs[0], 1'680'000, "A");
        NS_TEST_EXPECT_MSG_EQ(fctNs[1], 1'680'838, "A");
        NS_TEST_EXPECT_MSG_EQ(minim.Simulate(link).idealNs[0], 842'838, "A");
        NS_TEST_EXPECT_MSG_EQ(counts.packets, 2000, "A");
        NS_TEST_EXPECT_MSG_EQ(counts.marked, 0, "A");
        NS_TEST_EXPECT_MSG_EQ(counts.maxQueueBytes, 26'200, "A");
    }

    // B: eight sources, with marks.
    {
        const auto network = ParsimonMakeTestNetwork();
        const ParsimonMinimLinkSimulator minim(*network);
        const std::vector<std::pair<int64_t, uint64_t>> flows(8, {0, 100'000});
        const auto link = MakeLink(G10, 5000, 6000, flows);
        ParsimonMinimLinkSimulator::Counts counts;
        const auto fctNs = minim.Run(link, counts);
        NS_TEST_EXPECT_MSG_EQ(minim.Simulate(link).idealNs[0], 90'638, "B");
        NS_TEST_EXPECT_MSG_EQ_TOL(MeanSlowdown(fctNs, std::vector<double>(8, 90'638)),
                                  7.23,
                                  0.02 * 7.23,
                                  "B");
        NS_TEST_EXPECT_MSG_EQ(counts.maxQueueBytes, 134'144, "B");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(counts.packets), 977, 0.03 * 977, "B");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(counts.marked), 327, 0.1 * 327, "B");
    }

    // D: flows share the NIC of a first hop by turns.
    {
        const auto network = ParsimonMakeTestNetwork();
        const ParsimonMinimLinkSimulator minim(*network);
        ParsimonLink link{0, ParsimonPosition::FIRST_HOP, G10, G10, 1000, {}, {}, {}};
        link.sources.push_back({0, 0, 0, 0});
        link.destinations.push_back({1, 2, 10 * G10, 5000});
        for (uint64_t size : {1'000, 10'000, 100'000, 1'000'000})
        {
            link.flows.push_back({static_cast<uint32_t>(link.flows.size()), 0, 0, size, 0});
        }
        const auto result = minim.Simulate(link);
        const std::vector<int64_t> fctNs{6'846, 31'986, 182'826, 937'026};
        const std::vector<int64_t> idealNs{6'846, 14'388, 89'808, 844'008};
        for (std::size_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(result.fctNs[i], fctNs[i], "D, flow " << i);
            NS_TEST_EXPECT_MSG_EQ(result.idealNs[i], idealNs[i], "D, flow " << i);
        }
    }

    // E: eight sources into 40 Gb/s below the threshold of that rate.
    {
        const auto network = ParsimonMakeTestNetwork();
        const ParsimonMinimLinkSimulator minim(*network);
        const std::vector<std::pair<int64_t, uint64_t>> flows(8, {0, 1'000'000});
        const auto link = MakeLink(4 * G10, 2000, 6000, flows);
        ParsimonMinimLinkSimulator::Counts counts;
        const auto fctNs = minim.Run(link, counts);
        const auto [first, last] = std::minmax_element(fctNs.begin(), fctNs.end());
        NS_TEST_EXPECT_MSG_EQ(*first, 1'685'368, "E");
        NS_TEST_EXPECT_MSG_EQ(*last, 1'686'838, "E");
        NS_TEST_EXPECT_MSG_EQ(minim.Simulate(link).idealNs[0], 844'210, "E");
        NS_TEST_EXPECT_MSG_EQ(counts.marked, 0, "E");
        NS_TEST_EXPECT_MSG_EQ(counts.maxQueueBytes, 85'936, "E");
    }

    // F: four sources that start one after the other.
    {
        const auto network = ParsimonMakeTestNetwork();
        const ParsimonMinimLinkSimulator minim(*network);
        const auto link = MakeLink(
            G10,
            5000,
            6000,
            {{0, 1'000'000}, {50'000, 1'000'000}, {100'000, 1'000'000}, {150'000, 1'000'000}});
        ParsimonMinimLinkSimulator::Counts counts;
        const auto fctNs = minim.Run(link, counts);
        const std::vector<int64_t> known{2'994'005, 3'302'099, 3'235'973, 3'234'305};
        const std::vector<double> ideal(4, 844'838);
        const double mean = MeanSlowdown(known, ideal);
        NS_TEST_EXPECT_MSG_EQ_TOL(MeanSlowdown(fctNs, ideal), mean, 0.02 * mean, "F");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(counts.packets), 4'656, 0.03 * 4'656, "F");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(counts.marked), 734, 0.1 * 734, "F");
    }
}

DCN_TEST_CASE(MinimErrorsTestCase, "The published rules refuse unsupported configurations")
{
    const auto hpcc = DcnNetworkConfig::Preset("hpcc");
    DCN_TEST_EXPECT_ERROR(ParsimonLinkSimulator::Create("minim", *hpcc, 1),
                          "the link simulator \"minim\" has dctcp only, not hpcc");
    const auto network = ParsimonMakeTestNetwork();
    network->SetKeys("window_bytes=0");
    DCN_TEST_EXPECT_ERROR(ParsimonLinkSimulator::Create("minim", *network, 1),
                          "the link simulator \"minim\" needs a window, but window_bytes is 0");
    network->SetKeys("window_bytes=9000,ecn_kmin_bytes=10000");
    DCN_TEST_EXPECT_ERROR(ParsimonLinkSimulator::Create("minim", *network, 1),
                          "the link simulator \"minim\" has one marking threshold, but "
                          "ecn_kmin_bytes is 10000 and ecn_kmax_bytes 30000");
    const std::string unknown =
        DcnSentenceOf([&]() { ParsimonLinkSimulator::Create("ns4", *network, 1); });
    NS_TEST_EXPECT_MSG_EQ(
        unknown.find("there is no link simulator \"ns4\"; there are flowsim, lean, minim, packet"),
        0,
        unknown);
}

DcnTestSuite<PublishedVectorsTestCase, MinimErrorsTestCase> g_parsimonMinimTestSuite(
    "parsimon-minim"); //!< the suite

} // namespace
