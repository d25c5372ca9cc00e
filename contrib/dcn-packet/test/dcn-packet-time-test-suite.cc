/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-duration.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-packet-network.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// @return a configuration of a control, for NICs of some rates [bit/s]
Ptr<DcnNetworkConfig>
MakeConfig(const std::string& cc,
           const std::vector<uint64_t>& nicRates,
           const std::string& keys = "")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc, nicRates);
    config->SetKeys(keys);
    return config;
}

/// @return completion times of a scenario's flows [ns]
std::vector<int64_t>
Simulate(Ptr<const DcnScenario> scenario)
{
    const DcnPacketTestNetwork network(scenario);
    network->Run();
    return network->GetFctNs();
}

/**
 * A flow alone on a path has the ideal time with its own headers, rounded up: FCT - ideal is 0 or
 * 1 ns, at any rate, payload and control whose rate stays that of the link. So n packets take
 * n 8e9 (M + H) / R and a goodput of R M / (M + H), within 1e-5 as soon as they take 100 us.
 */
DCN_TEST_CASE(GoodputTestCase, "the goodput of a lone flow is exact at every rate")
{
    constexpr double LEAST_NS = 2e5;
    for (const double gbps : {0.001, 0.3, 10.0, 100.0, 123.456789, 400.0, 800.0, 1600.0, 3200.0})
    {
        const auto rate = static_cast<uint64_t>(gbps * 1e9);
        for (const uint32_t payload : {256U, 1000U, 4096U, 9000U})
        {
            for (const std::string cc : {"dctcp", "dcqcn", "timely", "swift"})
            {
                Ptr<DcnNetworkConfig> config = MakeConfig(cc, {rate});
                config->payloadBytes = payload;
                config->windowBytes = 0;
                config->bufferBytes = 1'000'000'000;
                config->minRate = DataRate(std::min<uint64_t>(rate, 1'000'000));
                config->SetOwn("timely_low_ns", 10e9); // above the round-trip times of slow links
                config->SetOwn("timely_high_ns", 20e9);
                const uint32_t header =
                    DcnCongestionControl::GetWireFormat(*config).dataHeaderBytes;
                const double packetNs = 8e9 * (payload + header) / (gbps * 1e9);
                const auto nPackets = static_cast<uint64_t>(std::max(3.0, LEAST_NS / packetNs));
                const uint64_t bytes = nPackets * payload + payload / 3;
                const auto create = [&]() {
                    return DcnScenario::Create(DcnMakeStar(2, {rate, rate}),
                                               config,
                                               {{0, 0, 1, bytes, 7}});
                };
                const int64_t fct = Simulate(create())[0];
                // the ideal time counts header_bytes, without what a control adds to them
                config->headerBytes = header;
                const int64_t ideal = create()->GetIdealFct(0).GetTotalNs();
                const int64_t late = fct - ideal;
                NS_TEST_EXPECT_MSG_EQ((late == 0 || late == 1),
                                      true,
                                      cc << " at " << gbps << " Gb/s, payload " << payload << ": "
                                         << late << " ns after " << ideal);
            }
        }
    }
}

/// A network in two units of time: what takes t ns in one takes k t in the other.
struct Dilation
{
    std::string cc;   //!< control
    uint64_t gbps;    //!< rate of the fast network [Gb/s]; the slow one has 10
    uint32_t payload; //!< M [bytes]
};

/**
 * A network of rate R and its slow copy, 10 Gb/s with all times k = R / (10 Gb/s) times as long,
 * are one system in two units: completion times of the copy are k times those of the network. Both
 * have events at whole nanoseconds, which are 1 / k ns to the network.
 */
class DilationTestCase : public TestCase
{
  public:
    /**
     * @param dilation control, rate and payload
     * @param nFlows number of flows
     */
    DilationTestCase(const Dilation& dilation, uint32_t nFlows)
        : TestCase("scaling of time: " + dilation.cc + " at " + std::to_string(dilation.gbps) +
                   " Gbit per s, payload " + std::to_string(dilation.payload)),
          m_dilation(dilation),
          m_nFlows(nFlows)
    {
    }

  private:
    /// Results of one run.
    struct Result
    {
        double mean; //!< mean completion time [ns]
        double p99;  //!< of the slowdowns
    };

    /**
     * @param k times of the fast network are multiplied by it, and rates divided
     * @param seed of the flows
     * @return completion times in the unit of the fast network
     */
    Result Run(int64_t k, uint64_t seed) const
    {
        const uint64_t rate = m_dilation.gbps * DCN_GBPS / static_cast<uint64_t>(k);
        DcnLeafSpineParameters fabric;
        fabric.racks = 4;
        fabric.hostsPerRack = 4;
        fabric.spines = 2;
        fabric.hostRate = fabric.fabricRate = DataRate(rate);
        fabric.linkDelay = NanoSeconds(k * 1000);
        Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(m_dilation.cc, rate);
        const uint64_t bdp = m_dilation.gbps * 1800; // of 14.4 us, the same in both networks
        config->payloadBytes = m_dilation.payload;
        config->windowBytes = bdp;
        config->baseRtt = NanoSeconds(14400 * k);
        config->bufferBytes = 40960 * m_dilation.gbps;
        const auto thresholds = static_cast<double>(k);
        config->ecnKminBytes =
            static_cast<uint64_t>(thresholds * static_cast<double>(config->ecnKminBytes));
        config->ecnKmaxBytes =
            static_cast<uint64_t>(thresholds * static_cast<double>(config->ecnKmaxBytes));
        for (const char* time : {"dcqcn_alpha_timer_us",
                                 "dcqcn_decrease_timer_us",
                                 "dcqcn_increase_timer_us",
                                 "timely_low_ns",
                                 "timely_high_ns",
                                 "timely_min_rtt_ns"})
        {
            config->SetOwn(time, config->GetOwn(time) * static_cast<double>(k));
        }
        if (m_dilation.cc == "swift")
        {
            config->SetOwn("swift_base_target_ns", 25e3 * static_cast<double>(k));
            config->SetOwn("swift_flow_range_ns", 100e3 * static_cast<double>(k));
        }
        DcnWorkloadSpec spec;
        spec.sizes = "web-search";
        spec.load = 0.6;
        spec.nFlows = m_nFlows;
        spec.seed = spec.ecmpSeed = seed;
        spec.payloadBytes = 1000;
        // flows of the fast network, in both
        fabric.hostRate = fabric.fabricRate = DataRate(m_dilation.gbps * DCN_GBPS);
        fabric.linkDelay = NanoSeconds(1000);
        std::vector<DcnFlow> flows = DcnWorkload::Generate(DcnBuildTopology(fabric), spec).flows;
        for (DcnFlow& flow : flows)
        {
            flow.startNs *= k;
        }
        auto scenario = DcnScenario::Create(topology, config, flows, {}, seed);
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->SetAttribute("RetransmissionTimeout", TimeValue(MilliSeconds(k)));
        network->SetAttribute("NackInterval", TimeValue(MicroSeconds(500 * k)));
        network->AssignStreams(1);
        network->Install(scenario);
        network->Run();
        std::vector<double> slowdowns;
        double sum = 0;
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            const auto fct = static_cast<double>(network->GetFctNs()[i]);
            NS_ABORT_MSG_IF(fct < 0, "a flow did not finish");
            sum += fct;
            slowdowns.push_back(fct / static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()));
        }
        network->Dispose();
        Simulator::Destroy();
        const auto place = slowdowns.begin() + static_cast<std::ptrdiff_t>(0.99 * m_nFlows);
        std::nth_element(slowdowns.begin(), place, slowdowns.end());
        return {sum / m_nFlows / static_cast<double>(k), *place};
    }

    void DoRun() override
    {
        const auto k = static_cast<int64_t>(m_dilation.gbps / 10);
        constexpr uint64_t SEEDS = 9; // a p99 is one flow, so that other flows make its scatter
        std::vector<double> means;
        std::vector<double> tails;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed)
        {
            const Result fast = Run(1, seed);
            const Result slow = Run(k, seed);
            means.push_back(fast.mean / slow.mean - 1);
            tails.push_back(fast.p99 / slow.p99 - 1);
        }
        const auto [mean, scatter] = Summarize(means);
        const auto [p99, p99Scatter] = Summarize(tails);
        std::cout << GetName() << ": mean FCT " << 100 * mean << " % (scatter " << 100 * scatter
                  << "), p99 slowdown " << 100 * p99 << " % (" << 100 * p99Scatter << ")\n";
        NS_TEST_EXPECT_MSG_LT(std::abs(mean), std::max(0.003, scatter), "mean completion time");
        NS_TEST_EXPECT_MSG_LT(std::abs(p99), std::max(0.01, p99Scatter), "p99 slowdown");
    }

    /// @return mean and standard deviation of values
    static std::pair<double, double> Summarize(const std::vector<double>& values)
    {
        const auto n = static_cast<double>(values.size());
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
        double squares = 0;
        for (const double value : values)
        {
            squares += (value - mean) * (value - mean);
        }
        return {mean, std::sqrt(squares / (n - 1))};
    }

    Dilation m_dilation; //!< control, rate and payload
    uint32_t m_nFlows;   //!< number of flows
};

/**
 * In any network, no flow is faster than alone, and no link sends more than its rate: the frames
 * that a link began before T take at most until T plus one frame.
 */
class BoundsTestCase : public TestCase
{
  public:
    /**
     * @param first seed of the first scenario
     * @param n scenarios
     */
    BoundsTestCase(uint32_t first, uint32_t n)
        : TestCase("no flow is faster than alone, no link than its rate: " + std::to_string(n) +
                   " scenarios"),
          m_first(first),
          m_n(n)
    {
    }

  private:
    /// Simulates one scenario.
    void RunOne(uint32_t seed)
    {
        std::mt19937_64 random(seed);
        const auto pick = [&random](const auto& values) {
            return values[random() % values.size()];
        };
        const std::vector<double>
            gbps{0.1, 1, 10, 25, 33.3, 40, 100, 200, 400, 777.7, 800, 1600, 3200};
        const uint32_t nHosts = 2 + static_cast<uint32_t>(random() % 7);
        std::vector<uint64_t> rates;
        const bool isEqual = random() % 2 == 0;
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            rates.push_back(isEqual && i > 0 ? rates[0] : static_cast<uint64_t>(pick(gbps) * 1e9));
        }
        const std::vector<int64_t> delays{0, 1, 100, 1000, 20'000};
        DcnTopologyBuilder builder;
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            builder.AddNode(DcnNodeKind::HOST);
        }
        const uint32_t s = builder.AddNode(DcnNodeKind::SWITCH);
        const uint32_t t = builder.AddNode(DcnNodeKind::SWITCH);
        builder.AddLink(s, t, static_cast<uint64_t>(pick(gbps) * 1e9), pick(delays));
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            builder.AddLink(i, i % 2 == 0 ? s : t, rates[i], pick(delays));
        }
        Ptr<DcnTopology> topology = builder.Build();
        const auto controls = DcnNetworkConfig::GetCongestionControls();
        std::string cc;
        do
        {
            cc = pick(controls);
        } while (cc.rfind("test", 0) == 0); // of other suites
        Ptr<DcnNetworkConfig> config = MakeConfig(cc, topology->GetNicRates(topology->GetHosts()));
        config->payloadBytes = pick(std::vector<uint32_t>{100, 1000, 1452, 4096, 9000});
        config->windowBytes = std::max<uint64_t>(config->windowBytes, config->payloadBytes);
        config->bufferBytes = 4'000'000'000;
        std::vector<DcnFlow> flows;
        const uint32_t nFlows = 1 + static_cast<uint32_t>(random() % 20);
        for (uint32_t i = 0; i < nFlows; ++i)
        {
            const auto src = static_cast<uint32_t>(random() % nHosts);
            const auto dst = static_cast<uint32_t>((src + 1 + random() % (nHosts - 1)) % nHosts);
            const double size = std::exp(std::uniform_real_distribution<double>(0, 13)(random));
            flows.push_back({i,
                             src,
                             dst,
                             static_cast<uint64_t>(size),
                             static_cast<int64_t>(random() % 50'000)});
        }
        std::sort(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
            return a.startNs < b.startNs;
        });
        auto scenario = DcnScenario::Create(topology, config, flows, {}, seed);
        const DcnPacketTestNetwork network(scenario);
        network->Run();
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            const int64_t fct = network->GetFctNs()[i];
            NS_TEST_ASSERT_MSG_GT_OR_EQ(fct,
                                        scenario->GetIdealFct(i).GetTotalNs(),
                                        "seed " << seed << ", " << cc << ": flow " << i << " of "
                                                << flows[i].sizeBytes << " bytes");
        }
        const auto endNs = static_cast<double>(Simulator::Now().GetNanoSeconds());
        for (uint32_t link = 0; link < topology->GetNLinks(); ++link)
        {
            const auto* device =
                dynamic_cast<const DcnPacketDevice*>(PeekPointer(network->GetDevice(link)));
            const auto rate = static_cast<double>(topology->GetLink(link).rateBps);
            const double busyNs = 8e9 * static_cast<double>(device->GetTxBytes()) / rate;
            const double frameNs = 8e9 * (9000 + 90) / rate;
            NS_TEST_ASSERT_MSG_LT_OR_EQ(busyNs * (1 - 2e-6),
                                        endNs + frameNs,
                                        "seed " << seed << ": link " << link);
        }
    }

    void DoRun() override
    {
        for (uint32_t seed = m_first; seed < m_first + m_n; ++seed)
        {
            RunOne(seed);
        }
    }

    uint32_t m_first; //!< seed of the first scenario
    uint32_t m_n;     //!< scenarios
};

/// @return flows of 20 KB to 2 MB among some hosts that meet, by start time
std::vector<DcnFlow>
MakeFlows(const std::vector<uint32_t>& hosts, uint32_t n, int64_t spanNs)
{
    std::mt19937_64 random(42);
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < n; ++i)
    {
        const auto src = random() % hosts.size();
        const auto dst = (src + 1 + random() % (hosts.size() - 1)) % hosts.size();
        flows.push_back({i,
                         hosts[src],
                         hosts[dst],
                         20'000 + random() % 2'000'000,
                         static_cast<int64_t>(i) * spanNs / n});
    }
    return flows;
}

/// A host or a switch that no flow uses changes no completion time, whatever its rate is.
DCN_TEST_CASE_OF(IdleTestCase, std::string, cc, "idle hosts and switches change nothing: " + cc)
{
    const std::vector<DcnFlow> flows = MakeFlows({0, 1, 2, 3}, 60, 400'000);
    const auto run = [&](const std::vector<uint64_t>& idleBps) {
        DcnTopologyBuilder builder;
        for (uint32_t i = 0; i < 4; ++i)
        {
            builder.AddNode(DcnNodeKind::HOST);
        }
        const uint32_t s = builder.AddNode(DcnNodeKind::SWITCH);
        for (uint32_t i = 0; i < 4; ++i)
        {
            builder.AddLink(i, s, 100 * DCN_GBPS, 1000);
        }
        for (uint64_t rate : idleBps)
        {
            const uint32_t t = builder.AddNode(DcnNodeKind::SWITCH);
            builder.AddLink(s, t, 2 * rate, 500);
            builder.AddLink(builder.AddNode(DcnNodeKind::HOST), t, rate, 1000);
            builder.AddLink(builder.AddNode(DcnNodeKind::HOST), t, rate, 1000);
        }
        Ptr<DcnTopology> topology = builder.Build();
        std::vector<uint32_t> senders;
        for (const DcnFlow& flow : flows)
        {
            senders.push_back(flow.src);
        }
        Ptr<DcnNetworkConfig> config = MakeConfig(cc, topology->GetNicRates(senders));
        config->bufferBytes *= 10; // idle ports, too, have reserves and headroom
        config->pfc = false;
        return Simulate(DcnScenario::Create(topology, config, flows));
    };
    const std::vector<int64_t> before = run({});
    for (const std::vector<uint64_t>& idle :
         std::vector<std::vector<uint64_t>>{{DCN_GBPS},
                                            {10 * DCN_GBPS},
                                            {100 * DCN_GBPS},
                                            {400 * DCN_GBPS, 1'000'000}})
    {
        NS_TEST_EXPECT_MSG_EQ((run(idle) == before), true, "with hosts of " << idle[0] << " bit/s");
    }
}

/**
 * Hosts of two rates: flows among the hosts of one rate take as long as in the network in which all
 * hosts have it, since window, smallest rate and steps follow the NIC, and thresholds the port.
 */
DCN_TEST_CASE_OF(MixedTestCase, std::string, cc, "hosts of two rates: " + cc)
{
    const std::vector<std::pair<uint64_t, uint64_t>> pairs{{10, 100}, {100, 400}, {400, 3600}};
    for (const auto& [slow, fast] : pairs)
    {
        const std::vector<uint64_t> rates{slow * DCN_GBPS, fast * DCN_GBPS};
        // hosts 0 to 3 are slow, 4 to 7 fast, on one switch
        const auto slowFlows = MakeFlows({0, 1, 2, 3}, 40, 20'000'000 / static_cast<int64_t>(slow));
        const auto fastFlows = MakeFlows({4, 5, 6, 7}, 40, 20'000'000 / static_cast<int64_t>(fast));
        const auto run = [&](uint64_t a, uint64_t b, std::vector<DcnFlow> flows) {
            std::sort(flows.begin(), flows.end(), [](const DcnFlow& x, const DcnFlow& y) {
                return x.startNs < y.startNs;
            });
            for (std::size_t i = 0; i < flows.size(); ++i)
            {
                flows[i].id = i;
            }
            Ptr<DcnTopology> topology = DcnMakeStar(8, {a, a, a, a, b, b, b, b});
            Ptr<DcnNetworkConfig> config =
                MakeConfig(cc, topology->GetNicRates(topology->GetHosts()));
            std::map<bool, double> sums; // of the slow hosts' flows, and of the others
            const auto fct = Simulate(DcnScenario::Create(topology, config, flows));
            for (std::size_t i = 0; i < flows.size(); ++i)
            {
                sums[flows[i].src >= 4] += static_cast<double>(fct[i]);
            }
            return sums;
        };
        std::vector<DcnFlow> both = slowFlows;
        both.insert(both.end(), fastFlows.begin(), fastFlows.end());
        auto mixed = run(rates[0], rates[1], both);
        auto allSlow = run(rates[0], rates[0], slowFlows);
        auto allFast = run(rates[1], rates[1], fastFlows);
        NS_TEST_EXPECT_MSG_EQ_TOL(mixed[false] / allSlow[false],
                                  1,
                                  0.1,
                                  slow << " Gb/s beside " << fast);
        NS_TEST_EXPECT_MSG_EQ_TOL(mixed[true] / allFast[true],
                                  1,
                                  0.1,
                                  fast << " Gb/s beside " << slow);
    }
}

/// Tests of times, rates and NICs.
class DcnPacketTimeTestSuite : public TestSuite
{
  public:
    DcnPacketTimeTestSuite()
        : TestSuite("dcn-packet-time", Type::UNIT)
    {
        const auto extensive = DCN_TEST_EXTENSIVE(DcnPacketTimeTestSuite);
        AddTestCase(new GoodputTestCase);
        AddTestCase(new BoundsTestCase(1, 60));
        AddTestCase(new BoundsTestCase(61, 440), extensive);
        for (const std::string cc : {"dctcp", "dcqcn", "timely", "hpcc", "powertcp", "swift"})
        {
            AddTestCase(new IdleTestCase(cc));
            AddTestCase(new MixedTestCase(cc));
            for (const uint64_t gbps : {100, 400, 800, 1600})
            {
                for (const uint32_t payload : {1000, 4096})
                {
                    AddTestCase(new DilationTestCase({cc, gbps, payload}, 800), extensive);
                }
            }
        }
        AddTestCase(new DilationTestCase({"dctcp", 100, 1000}, 300));
        AddTestCase(new DilationTestCase({"hpcc", 400, 1000}, 300));
        AddTestCase(new DilationTestCase({"dcqcn", 800, 1000}, 300));
        AddTestCase(new DilationTestCase({"timely", 1600, 4096}, 300));
    }
};

/// Registers the suite.
DcnPacketTimeTestSuite g_dcnPacketTimeTestSuite;

} // namespace
