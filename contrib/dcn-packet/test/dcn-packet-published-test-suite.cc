/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-test.h"

#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * What the authors of the congestion controls show: N long flows that start one after the other
 * over one 10 Gb/s bottleneck use it and share it fairly, with the queue that the algorithm aims
 * at.
 *
 * With x_i the payload delivered of each flow in the second half of the run, Jain's index
 * (sum x_i)^2 / (N sum x_i^2) is 1 for equal shares. Queues q are those of the data class:
 *
 * - DCTCP: near the threshold K (Alizadeh et al., SIGCOMM 2010, figures 1 and 12);
 * - DCQCN: between Kmin and Kmax (Zhu et al., SIGCOMM 2015, figure 14);
 * - TIMELY: a round-trip time between Tlow and Thigh, or what the windows hold if that is less
 *   (Mittal et al., SIGCOMM 2015, figure 8);
 * - HPCC with eta = 95 %: a few packets (Li et al., SIGCOMM 2019, figures 9 and 10);
 * - PowerTCP: n beta = n / N of the pipe (Addanki et al., NSDI 2022, section 3), and packets that
 *   meet;
 * - Swift: from half of the delay above the empty path's at which a flow of equal share aims (Kumar
 *   et al., SIGCOMM 2020) to that delay and a packet per flow, which a round trip adds before it is
 *   seen.
 */
class LongFlowsTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     * @param n number of flows
     */
    LongFlowsTestCase(const std::string& cc, uint32_t n)
        : TestCase(cc + " with " + std::to_string(n) + " long flows"),
          m_cc(cc),
          m_n(n)
    {
    }

  private:
    static constexpr int64_t HALF_MS = 30; //!< flows settle for this time, then they are measured

    /**
     * @param flow that has started
     */
    void Started(Ptr<const DcnPacketFlow> flow)
    {
        m_flows[flow->GetIndex()] = flow;
    }

    /**
     * @return payload bytes received so far by each flow
     */
    std::vector<double> Received() const
    {
        std::vector<double> bytes;
        for (const auto& [index, flow] : m_flows)
        {
            bytes.push_back(static_cast<double>(flow->GetReceivedBytes()));
        }
        return bytes;
    }

    void DoRun() override
    {
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < m_n; ++i)
        {
            flows.push_back({i, i, m_n + i, 100'000'000, int64_t{500'000} * i});
        }
        const auto& known = DcnNetworkConfig::GetCongestionControls();
        m_isAdded = std::find(known.begin(), known.end(), m_cc) == known.end();
        Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset(m_cc, 10'000'000'000, m_isAdded ? "paper" : "evaluation");
        config->minRate = DataRate(10'000'000); // the evaluation's floor would do the sharing
        config->hpccEta = 0.95;
        config->hpccAdditiveIncrease = DataRate(50'000'000);
        if (m_cc == "swift")
        {
            config->SetKeys("swift_base_target_ns=10000"); // n windows of the path exceed it
        }
        auto scenario = DcnScenario::Create(DcnMakeDumbbell(m_n, m_n), config, flows);
        const DcnPacketTestNetwork network(scenario);
        network->TraceConnectWithoutContext("FlowStarted",
                                            MakeCallback(&LongFlowsTestCase::Started, this));
        const auto port = network.GetPort(scenario->GetPath(0)[1]);

        network->Start();
        Simulator::Stop(MilliSeconds(HALF_MS));
        Simulator::Run();
        const std::vector<double> before = Received();
        const uint64_t txBefore = port->GetTxBytes();
        double queue = 0;
        for (int i = 0; i < HALF_MS * 100; ++i)
        {
            Simulator::Stop(MicroSeconds(10));
            Simulator::Run();
            queue += static_cast<double>(port->GetQueueBytes()) / (HALF_MS * 100);
        }
        const std::vector<double> after = Received();
        double sum = 0;
        double squares = 0;
        for (uint32_t i = 0; i < m_n; ++i)
        {
            sum += after[i] - before[i];
            squares += (after[i] - before[i]) * (after[i] - before[i]);
        }
        const double utilisation =
            static_cast<double>(port->GetTxBytes() - txBefore) * 8 / (HALF_MS * 10e6);
        NS_TEST_EXPECT_MSG_GT(utilisation, 0.95, "the link is busy");
        // TIMELY has no unique operating point (Zhu et al., CoNEXT 2016): its flows drift together
        NS_TEST_EXPECT_MSG_GT(sum * sum / (m_n * squares),
                              (m_cc == "timely" ? 0.8 : 0.95),
                              "fair shares");
        CheckQueue(queue, *config);
        m_flows.clear();
    }

    /**
     * @param queue mean of the second half [bytes]
     * @param config the configuration
     */
    void CheckQueue(double queue, const DcnNetworkConfig& config)
    {
        if (m_cc == "dctcp" || m_cc == "dcqcn")
        {
            NS_TEST_EXPECT_MSG_GT(queue, 0.8 * config.ecnKminBytes, "not below Kmin");
            NS_TEST_EXPECT_MSG_LT(queue, 1.2 * config.ecnKmaxBytes, "not above Kmax");
        }
        else if (m_cc == "timely")
        {
            // 8 us of the round trip are links and serialisation
            const double low = (config.timelyLow.GetNanoSeconds() - 12'000) * 10.0 / 8;
            const double windows = 0.6 * m_n * static_cast<double>(config.windowBytes);
            NS_TEST_EXPECT_MSG_GT(queue, std::min(low, windows), "Tlow, or the windows");
            NS_TEST_EXPECT_MSG_LT(queue, config.timelyHigh.GetNanoSeconds() * 10.0 / 8, "Thigh");
        }
        else if (m_cc == "swift")
        {
            // n windows hold the pipe of 8 us, 10 packets, and the queue
            const double w = (10 + queue / 1056) / m_n;
            const double scaled = config.GetOwn("swift_flow_range_ns") *
                                  (1 / std::sqrt(w) - 0.1) / (std::sqrt(10.0) - 0.1);
            const double target = (config.GetOwn("swift_base_target_ns") + scaled) * 10 / 8;
            const double most = (m_n - 1) * 10 * 1056; // whole windows, less the pipe
            NS_TEST_EXPECT_MSG_GT(queue, 0.5 * std::min(target, most), "near the target");
            NS_TEST_EXPECT_MSG_LT(queue, target + m_n * 1056, "not far above");
        }
        else
        {
            NS_TEST_EXPECT_MSG_LT(queue, 3 * 1090, "a few packets");
        }
    }

    std::string m_cc;                                        //!< congestion control
    uint32_t m_n;                                            //!< number of flows
    bool m_isAdded{false};                                   //!< it has its paper's preset
    std::map<std::size_t, Ptr<const DcnPacketFlow>> m_flows; //!< by flow index
};

/**
 * Incast of n flows, each of 50 windows, onto one port, beside a long flow. PowerTCP brings the
 * queue near zero within a few round trips, and uses the link before, meanwhile and afterwards
 * (Addanki et al., NSDI 2022, section 4). With windows below a packet Swift keeps the delay near
 * its target and drops nothing (Kumar et al., SIGCOMM 2020, section 3.4).
 *
 * The first round trip's queue is that of n whole windows. After 20 round trips it must be below
 * `most` bytes, and the link must be busy until the last of the short flows is complete.
 */
class IncastTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     * @param n short flows
     */
    IncastTestCase(const std::string& cc, uint32_t n)
        : TestCase(cc + ", incast of " + std::to_string(n)),
          m_cc(cc),
          m_n(n)
    {
    }

  private:
    void DoRun() override
    {
        static constexpr int64_t BEGIN_NS = 500'000; // the long flow has the link until then
        static constexpr uint64_t WINDOW = 10'000;   // of 8 us
        std::vector<DcnFlow> flows{{0, 0, m_n + 1, 100'000'000, 0}};
        for (uint32_t i = 1; i <= m_n; ++i)
        {
            flows.push_back({i, i, m_n + 1, 50 * WINDOW, BEGIN_NS});
        }
        Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset(m_cc, 10'000'000'000, "paper");
        config->bufferBytes = 10'000'000;
        auto scenario = DcnScenario::Create(DcnMakeDumbbell(m_n + 1, 1), config, flows);
        const DcnPacketTestNetwork network(scenario);
        // all meet at the link to the receiver, which is as fast as the one between the switches
        const auto port = network.GetPort(scenario->GetPath(0)[1]);
        network->Start();
        Simulator::Stop(NanoSeconds(BEGIN_NS));
        Simulator::Run();
        const double shareBefore =
            static_cast<double>(port->GetTxBytes()) * 8 / (10.0 * BEGIN_NS);
        NS_TEST_EXPECT_MSG_GT(shareBefore, 0.95, "one flow fills the link");
        uint64_t longest = 0;
        for (int i = 0; i < 40; ++i)
        {
            Simulator::Stop(MicroSeconds(1));
            Simulator::Run();
            longest = std::max(longest, port->GetQueueBytes());
        }
        NS_TEST_EXPECT_MSG_GT(longest, m_n * WINDOW / 2, "the first windows meet");
        Simulator::Stop(MicroSeconds(160)); // 20 round trips, a part of them in the queue
        Simulator::Run();
        double queue = 0;
        const uint64_t txBefore = port->GetTxBytes();
        const int64_t restUs =
            static_cast<int64_t>(0.9 * static_cast<double>(m_n * 50 * WINDOW) * 8 / 10e3) - 200;
        for (int64_t i = 0; i < restUs; ++i)
        {
            Simulator::Stop(MicroSeconds(1));
            Simulator::Run();
            queue += static_cast<double>(port->GetQueueBytes()) / static_cast<double>(restUs);
        }
        const double share = static_cast<double>(port->GetTxBytes() - txBefore) * 8 /
                             (10e3 * static_cast<double>(restUs));
        NS_TEST_EXPECT_MSG_GT(share, 0.95, "the link stays busy");
        // PowerTCP: n beta, and the packets of flows that meet; Swift: its target
        const double most = m_cc == "powertcp"
                                ? (m_n + 1) * (WINDOW / 100.0 + 1090)
                                : 10 / 8.0 *
                                      (config->GetOwn("swift_base_target_ns") +
                                       config->GetOwn("swift_flow_range_ns"));
        NS_TEST_EXPECT_MSG_LT(queue, most, "queue of the incast");
        NS_TEST_EXPECT_MSG_EQ(network->GetNDropped(), 0, "no losses");
    }

    std::string m_cc; //!< congestion control
    uint32_t m_n;     //!< short flows
};

/// The suite.
class DcnPacketPublishedTestSuite : public TestSuite
{
  public:
    DcnPacketPublishedTestSuite()
        : TestSuite("dcn-packet-published", Type::UNIT)
    {
        auto controls = DcnNetworkConfig::GetCongestionControls();
        controls.insert(controls.end(), {"powertcp", "swift"});
        for (const auto& cc : controls)
        {
            for (uint32_t n : {2, 4, 8})
            {
                AddTestCase(new LongFlowsTestCase(cc, n));
            }
        }
        for (const char* cc : {"powertcp", "swift"})
        {
            for (uint32_t n : {10, 60})
            {
                AddTestCase(new IncastTestCase(cc, n));
            }
        }
    }
};

DcnPacketPublishedTestSuite g_dcnPacketPublishedTestSuite; //!< the suite

} // namespace
