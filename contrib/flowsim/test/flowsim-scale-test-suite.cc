/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/flowsim-engine.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @ingroup flowsim-tests
 * @brief Certificate of optimality and conservation on a fabric with thousands of links.
 *
 * Nothing that the solver says of itself is believed: loads are summed here, from the rates that
 * the engine reports and the paths that it was given.
 */
class LargeInstanceTestCase : public TestCase
{
  public:
    LargeInstanceTestCase()
        : TestCase("Rates on 2,432 links are max-min fair at random events and serve the sizes")
    {
    }

  private:
    static constexpr double TOLERANCE = 1e-9;      //!< Relative, as promised
    static constexpr double HOST_BPS = 1e10;       //!< Rate of a host's link [bit/s]
    static constexpr double SHRINK = 6;            //!< Flows start this much closer together
    static constexpr uint32_t CHECKED_EVENTS = 50; //!< One in so many events is checked

    /// Draws flows that overload the core, a third of them with caps and a third with weights.
    void Prepare()
    {
        DcnFabricParameters fabric;
        fabric.pods = 8;
        fabric.racksPerPod = 8;
        fabric.hostsPerRack = 16;
        fabric.spinesPerPlane = 4;
        Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
        for (uint32_t link = 0; link < topology->GetNLinks(); link++)
        {
            m_capacities.push_back(static_cast<double>(topology->GetLink(link).rateBps));
        }
        const DcnWorkload workload =
            DcnWorkload::Generate(topology, DcnTestWorkload(6000, "cache-follower", 0.9));
        m_flows.resize(workload.flows.size());
        for (std::size_t i = 0; i < m_flows.size(); i++)
        {
            const DcnPath path = workload.paths.Get(i);
            m_flows[i].id = i;
            m_flows[i].startNs =
                std::llround(static_cast<double>(workload.flows[i].startNs) / SHRINK);
            m_flows[i].bits = 8.0 * static_cast<double>(workload.flows[i].sizeBytes);
            m_flows[i].path.assign(path.begin(), path.end());
            if (i % 3 == 0)
            {
                m_flows[i].cap = HOST_BPS / static_cast<double>(1 + i % 41);
            }
            if (i % 3 == 1)
            {
                m_flows[i].weight = static_cast<double>(1 + i % 7) / 2;
            }
        }
    }

    /// Checks the rates in force from scratch.
    void CheckCertificate(const FlowsimEngine& engine)
    {
        std::vector<double> load(m_capacities.size(), 0);
        std::vector<double> highest(m_capacities.size(), 0);
        engine.VisitFlows([&](uint64_t id, double rate, double) {
            for (uint32_t link : m_flows[id].path)
            {
                load[link] += rate;
                highest[link] = std::max(highest[link], rate / m_flows[id].weight);
            }
        });
        for (std::size_t link = 0; link < load.size(); link++)
        {
            m_overload = std::max(m_overload, load[link] / m_capacities[link] - 1);
        }
        engine.VisitFlows([&](uint64_t id, double rate, double) {
            const FlowsimArrival& flow = m_flows[id];
            m_excess = std::max(m_excess, rate / flow.cap - 1);
            bool isJustified = rate > flow.cap * (1 - TOLERANCE);
            m_nCapped += isJustified ? 1 : 0;
            for (uint32_t link : flow.path)
            {
                isJustified |= load[link] > m_capacities[link] * (1 - TOLERANCE) &&
                               rate / flow.weight > highest[link] * (1 - TOLERANCE);
            }
            m_nUnjustified += isJustified ? 0 : 1;
            m_nRatesChecked++;
        });
    }

    void DoRun() override
    {
        Prepare();
        NS_TEST_EXPECT_MSG_EQ(m_capacities.size(), 2432, "links");
        std::vector<double> rates(m_flows.size(), 0);
        std::vector<double> since(m_flows.size(), 0);
        std::vector<double> served(m_flows.size(), 0);
        std::size_t next = 0;
        std::size_t nDone = 0;
        double worst = 0;
        FlowsimEngine engine(m_capacities);
        auto serve = [&](uint64_t id) {
            served[id] += rates[id] * (engine.GetNowNs() - since[id]) / 1e9;
            since[id] = engine.GetNowNs();
        };
        std::mt19937 random(1);
        engine.SetSource([&](FlowsimArrival& arrival) {
            if (next == m_flows.size())
            {
                return false;
            }
            arrival = m_flows[next++];
            return true;
        });
        engine.SetRateListener([&](uint64_t id, double rate) {
            serve(id);
            rates[id] = rate;
        });
        engine.SetSink([&](const FlowsimCompletion& done) {
            serve(done.id);
            worst = std::max(worst, std::abs(served[done.id] / m_flows[done.id].bits - 1));
            nDone++;
        });
        // Stop just after random arrivals, then at random times while the rest is served.
        while (nDone < m_flows.size())
        {
            const std::size_t target =
                std::min<std::size_t>(m_flows.size() - 1, next + random() % CHECKED_EVENTS);
            const auto nowNs = static_cast<int64_t>(engine.GetNowNs());
            engine.RunUntil(next < m_flows.size() ? std::max(nowNs, m_flows[target].startNs)
                                                  : nowNs + random() % 2'000'000);
            CheckCertificate(engine);
        }
        NS_TEST_EXPECT_MSG_LT(m_overload, TOLERANCE, "load beyond capacity");
        NS_TEST_EXPECT_MSG_LT(m_excess, TOLERANCE, "rate beyond a cap");
        NS_TEST_EXPECT_MSG_EQ(m_nUnjustified, 0, "rates that could be higher");
        // The instance is as hard as it is meant to be.
        NS_TEST_EXPECT_MSG_GT(m_nRatesChecked, 200000, "rates checked");
        NS_TEST_EXPECT_MSG_GT(m_nCapped, 50000, "rates at a cap");
        NS_TEST_EXPECT_MSG_LT(worst, TOLERANCE, "bits served against sizes");
    }

    std::vector<double> m_capacities;    //!< Capacity of each link [bit/s]
    std::vector<FlowsimArrival> m_flows; //!< Flows in order of arrival
    double m_overload{0};                //!< Largest load / capacity - 1
    double m_excess{0};                  //!< Largest rate / cap - 1
    uint64_t m_nRatesChecked{0};         //!< Rates looked at
    uint64_t m_nCapped{0};               //!< Those at their cap
    uint64_t m_nUnjustified{0};          //!< Those without bottleneck
};

/// Tests of the fluid simulation on large instances.
DcnTestSuite<LargeInstanceTestCase> g_flowsimScaleTestSuite("flowsim-scale");

} // namespace
