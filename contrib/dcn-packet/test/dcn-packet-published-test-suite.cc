/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-test.h"

#include "ns3/test.h"

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
 * - HPCC with eta = 95 %: a few packets (Li et al., SIGCOMM 2019, figures 9 and 10).
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
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(m_cc);
        config->minRate = DataRate(10'000'000); // the evaluation's floor would do the sharing
        config->hpccEta = 0.95;
        config->hpccAdditiveIncrease = DataRate(50'000'000);
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
        else
        {
            NS_TEST_EXPECT_MSG_LT(queue, 3 * 1090, "a few packets");
        }
    }

    std::string m_cc;                                        //!< congestion control
    uint32_t m_n;                                            //!< number of flows
    std::map<std::size_t, Ptr<const DcnPacketFlow>> m_flows; //!< by flow index
};

/// The suite.
class DcnPacketPublishedTestSuite : public TestSuite
{
  public:
    DcnPacketPublishedTestSuite()
        : TestSuite("dcn-packet-published", Type::UNIT)
    {
        for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
        {
            for (uint32_t n : {2, 4, 8})
            {
                AddTestCase(new LongFlowsTestCase(cc, n));
            }
        }
    }
};

DcnPacketPublishedTestSuite g_dcnPacketPublishedTestSuite; //!< the suite

} // namespace
