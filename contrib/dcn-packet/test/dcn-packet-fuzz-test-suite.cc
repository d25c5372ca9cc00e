/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-test.h"
#include "dcn-test-case.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/test.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Random networks and configurations, inside and outside what is legal: each is refused with a
 * sentence, or runs until every flow is delivered or reported as unfinished. In every run that ends
 * with all flows delivered, after the last frames have come in,
 *
 *     bytes offered = bytes left + bytes dropped at every queue, pauses = resumes, buffers empty.
 */
class FuzzTestCase : public TestCase
{
  public:
    /**
     * @param first seed of the first configuration
     * @param n number of configurations
     */
    FuzzTestCase(uint32_t first, uint32_t n)
        : TestCase("random configurations from " + std::to_string(first)),
          m_first(first),
          m_n(n)
    {
    }

  private:
    using Generator = std::mt19937_64; //!< independent of the random numbers under test

    void DoRun() override
    {
        uint32_t refused = 0;
        for (uint32_t seed = m_first; seed < m_first + m_n; ++seed)
        {
            try
            {
                RunOne(seed);
            }
            catch (const DcnError& error)
            {
                ++refused;
                NS_TEST_EXPECT_MSG_GT(std::string(error.what()).size(), 20, "a sentence");
            }
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(refused, 0, "some configurations are illegal");
        NS_TEST_EXPECT_MSG_LT(refused, m_n / 2, "but not most");
        // flows are left over only where pauses wait for each other in a circle
        NS_TEST_EXPECT_MSG_GT(m_nComplete, (m_n - refused) * 98 / 100, "the others end");
    }

    /**
     * @param random generator
     * @param low least value, > 0
     * @param high largest value
     * @return log-uniform between them
     */
    static double LogUniform(Generator& random, double low, double high)
    {
        return std::exp(std::uniform_real_distribution<>(std::log(low), std::log(high))(random));
    }

    /**
     * @param random generator
     * @return true in one of n cases
     * @param n how rare
     */
    static bool OneIn(Generator& random, int n)
    {
        return std::uniform_int_distribution<>(0, n - 1)(random) == 0;
    }

    /**
     * @param random generator
     * @return a random network with links of 1 Mb/s to 800 Gb/s
     */
    static Ptr<DcnTopology> MakeTopology(Generator& random)
    {
        const bool slow = OneIn(random, 4);
        auto rate = [&]() {
            return static_cast<uint64_t>(slow ? LogUniform(random, 1e6, 1e8)
                                              : LogUniform(random, 1e9, 8e11));
        };
        auto delay = [&]() {
            return OneIn(random, 8)
                       ? 0
                       : static_cast<int64_t>(LogUniform(random, 10, slow ? 1e7 : 1e5));
        };
        DcnTopologyBuilder builder;
        const uint32_t nHosts = std::uniform_int_distribution<uint32_t>(2, 12)(random);
        const uint32_t nSwitches = std::uniform_int_distribution<uint32_t>(1, 5)(random);
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            builder.AddNode(DcnNodeKind::HOST);
        }
        for (uint32_t i = 0; i < nSwitches; ++i)
        {
            builder.AddNode(DcnNodeKind::SWITCH);
            if (i > 0)
            {
                builder.AddLink(nHosts + i - 1, nHosts + i, rate(), delay());
                if (OneIn(random, 3))
                {
                    builder.AddLink(nHosts, nHosts + i, rate(), delay());
                }
            }
        }
        const uint64_t hostRate = rate();
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            std::uniform_int_distribution<uint32_t> pick(0, nSwitches - 1);
            builder.AddLink(i, nHosts + pick(random), hostRate, delay());
        }
        return builder.Build();
    }

    /**
     * @param random generator
     * @param topology the network
     * @return a random configuration, legal or not
     */
    static Ptr<DcnNetworkConfig> MakeConfig(Generator& random, const DcnTopology& topology)
    {
        const auto& known = DcnScenarioSuite::GetLearnedControls();
        const std::string cc = known[random() % known.size()];
        const bool isPaper = OneIn(random, 3) && cc != "dctcp"; // which has none
        Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset(cc,
                                     topology.GetSlowestHostRate(),
                                     isPaper ? "paper" : "evaluation");
        auto set = [&](const std::string& key, double low, double high) {
            if (OneIn(random, 3))
            {
                const auto value = static_cast<uint64_t>(LogUniform(random, low, high));
                config->SetKey(key, std::to_string(value));
            }
        };
        const auto host = static_cast<double>(topology.GetSlowestHostRate());
        set("payload_bytes", 1, 9000);
        set("window_bytes", 500, 1e6);
        set("min_rate_bps", host / 1000, 1.2 * host);
        set("max_rate_bps", host / 10, host);
        set("ecn_kmin_bytes", 1, 1e5);
        set("ecn_kmax_bytes", 100, 1e6);
        // mostly enough for the reserves, sometimes far too little
        config->bufferBytes = static_cast<uint64_t>(
            OneIn(random, 6) ? LogUniform(random, 1, 1e5) : LogUniform(random, 1e6, 1e9));
        config->pfc = OneIn(random, 2);
        config->ackHighPriority = OneIn(random, 2);
        config->pfcAlphaShift = static_cast<uint32_t>(random() % 6);
        return config;
    }

    /**
     * Make and simulate one configuration.
     * @param seed of everything in it
     */
    void RunOne(uint32_t seed)
    {
        Generator random(seed);
        Ptr<DcnTopology> topology = MakeTopology(random);
        Ptr<DcnNetworkConfig> config = MakeConfig(random, *topology);
        const auto nHosts = static_cast<uint32_t>(topology->GetHosts().size());
        std::vector<DcnFlow> flows;
        const auto nFlows = std::uniform_int_distribution<uint32_t>(1, 40)(random);
        for (uint32_t i = 0; i < nFlows; ++i)
        {
            const auto src = static_cast<uint32_t>(random() % nHosts);
            const auto dst = static_cast<uint32_t>((src + 1 + random() % (nHosts - 1)) % nHosts);
            flows.push_back({i,
                             src,
                             dst,
                             static_cast<uint64_t>(LogUniform(random, 1, 2e5)),
                             static_cast<int64_t>(random() % 100'000)});
        }
        auto scenario = DcnScenario::Create(topology, config, flows, {}, seed);
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->AssignStreams(seed);
        network->SetAttribute("LosslessHeadroom", BooleanValue(OneIn(random, 2)));
        network->Install(scenario);
        network->Run();
        uint64_t finished = 0;
        for (int64_t fctNs : network->GetFctNs())
        {
            finished += fctNs > 0 ? 1 : 0;
        }
        uint64_t unfinished = 0;
        for (const auto& [reason, n] : network->GetUnfinished())
        {
            unfinished += n;
        }
        NS_TEST_EXPECT_MSG_EQ(finished + unfinished, flows.size(), "seed " << seed);
        if (finished == flows.size())
        {
            ++m_nComplete;
            // the timers of flows whose last acknowledgement is lost
            Simulator::Stop(Seconds(1000));
            Simulator::Run();
            CheckIdentities(*network, *topology, seed);
        }
        network->Dispose();
    }

    /**
     * @param network after everything has come to rest
     * @param topology its topology
     * @param seed for the message
     */
    void CheckIdentities(const DcnPacketNetwork& network,
                         const DcnTopology& topology,
                         uint32_t seed)
    {
        for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
        {
            if (auto port = DynamicCast<DcnSwitchDevice>(network.GetDevice(link)))
            {
                NS_TEST_EXPECT_MSG_EQ(port->GetOfferedBytes(),
                                      port->GetLeftBytes() + port->GetDroppedBytes(),
                                      "bytes of a queue, seed " << seed);
            }
        }
        for (const auto& buffer : network.GetSwitches())
        {
            NS_TEST_EXPECT_MSG_EQ(buffer->GetBufferedBytes(), 0, "empty, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(buffer->GetNPauses(),
                                  buffer->GetNResumes(),
                                  "pauses, seed " << seed);
        }
    }

    uint32_t m_first;        //!< seed of the first configuration
    uint32_t m_n;            //!< number of configurations
    uint32_t m_nComplete{0}; //!< runs in which every flow was delivered
};

DcnTestSuite g_dcnPacketFuzzTestSuite("dcn-packet-fuzz", {new FuzzTestCase(1, 500)}); //!< the suite

} // namespace
