/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/network/m4-torch-model.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-test-scenario.h"
#include "m4-test.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-torch.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-session.h"

#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param topology the network
 * @param nFlows number of flows
 * @return web-server flows on it
 */
Ptr<const DcnScenario>
MakeScenario(Ptr<DcnTopology> topology, uint32_t nFlows)
{
    return DcnMakeTestScenario(topology, DcnTestWorkload(nFlows));
}

/**
 * An untrained network answers like the fluid simulation, up to tau ln 2 = 1.4 % of each completion
 * time, by which flows delay others, too.
 */
class UntrainedTestCase : public TestCase
{
  public:
    /**
     * @param name what is special
     * @param make makes the scenario
     * @param most largest difference of the logarithm of a completion time
     * @param mean largest mean over flows of that
     */
    UntrainedTestCase(const std::string& name,
                      std::function<Ptr<const DcnScenario>()> make,
                      double most,
                      double mean)
        : TestCase("without training the fluid's completion times: " + name),
          m_make(std::move(make)),
          m_most(most),
          m_mean(mean)
    {
    }

  private:
    void DoRun() override
    {
        const Ptr<const DcnScenario> scenario = m_make();
        const DcnModelFile model = M4DefaultNetwork::MakeUntrained(16);
        const auto fctNs = M4Run(*scenario, model);
        auto flowsim = DcnEstimator::CreateByName("flowsim:WindowCap=true");
        const auto fluid = flowsim->Estimate(scenario).fctNs;
        double worst = 0;
        double sum = 0;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            const double ideal = static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
            NS_TEST_EXPECT_MSG_EQ((static_cast<double>(fctNs[i]) >= ideal - 1),
                                  true,
                                  "no slowdown below 1");
            const double error =
                std::abs(std::log(static_cast<double>(fctNs[i]) / static_cast<double>(fluid[i])));
            worst = std::max(worst, error);
            sum += error;
        }
        NS_TEST_EXPECT_MSG_LT(worst, m_most, "largest difference");
        NS_TEST_EXPECT_MSG_LT(sum / static_cast<double>(fctNs.size()), m_mean, "mean difference");
        NS_TEST_EXPECT_MSG_EQ((fctNs == M4Run(*scenario, model)), true, "the same again");
    }

    std::function<Ptr<const DcnScenario>()> m_make; //!< makes the scenario
    double m_most;                                  //!< see the constructor
    double m_mean;                                  //!< see the constructor
};

/// @return 200 flows of 100 KB from 40 hosts to one, one every 100 ns
Ptr<const DcnScenario>
MakeIncast()
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 200; ++i)
    {
        flows.push_back({i, 1 + i % 40, 0, 100'000, 100 * i});
    }
    return DcnScenario::Create(DcnMakeStar(41),
                               DcnNetworkConfig::Preset("dctcp"),
                               std::move(flows));
}

/**
 * A crosses links 1 and 2 and B link 2 of a chain of switches. When nine flows come to link 1, A
 * falls to a tenth and B rises to nine tenths, although B meets none of them.
 *
 * @return eleven flows of 4 MB
 */
Ptr<const DcnScenario>
MakeParkingLot()
{
    DcnTopologyBuilder builder;
    std::vector<uint32_t> switches;
    for (int i = 0; i < 3; ++i)
    {
        switches.push_back(builder.AddNode(DcnNodeKind::SWITCH));
    }
    builder.AddLink(switches[0], switches[1], 10'000'000'000, 1000);
    builder.AddLink(switches[1], switches[2], 10'000'000'000, 1000);
    auto addHost = [&](uint32_t at) {
        const uint32_t host = builder.AddNode(DcnNodeKind::HOST);
        builder.AddLink(host, at, 10'000'000'000, 1000);
        return host;
    };
    std::vector<DcnFlow> flows;
    const uint32_t a = addHost(switches[0]);
    const uint32_t b = addHost(switches[1]);
    flows.push_back({0, a, addHost(switches[2]), 4'000'000, 0});
    flows.push_back({1, b, addHost(switches[2]), 4'000'000, 1000});
    for (uint32_t i = 0; i < 9; ++i)
    {
        const uint32_t from = addHost(switches[0]);
        flows.push_back({2 + i, from, addHost(switches[1]), 4'000'000, 100'000 + 1000 * i});
    }
    return DcnScenario::Create(builder.Build(),
                               DcnNetworkConfig::Preset("dctcp"),
                               std::move(flows));
}

/// A flow that meets another one: its completion time is known, also under teacher forcing.
DCN_TEST_CASE(KnownTestCase, "completion times without training, by hand")
{
    constexpr double BITS = 8 * (100'000 + 100 * 48); // of each flow on the wire
    constexpr double RATE = 10;                       // of each link [bit/ns]
    constexpr int64_t SECOND_NS = 40'000;             // start of the second flow
    std::vector<DcnFlow> flows{{0, 0, 1, 100'000, 0}, {1, 0, 2, 100'000, SECOND_NS}};
    M4GroundTruth truth;
    truth.scenario =
        DcnScenario::Create(DcnMakeStar(3), DcnNetworkConfig::Preset("dctcp"), std::move(flows));
    truth.fctNs = {200'000, 200'000};
    const DcnModelFile model = M4DefaultNetwork::MakeUntrained(8);
    // alone, then with half of its first link until it departs
    const double remaining = 1 - RATE * SECOND_NS / BITS;
    const M4FlowConstants constants =
        M4FlowModel(truth.scenario->GetTopology(), truth.scenario->GetNetwork())
            .Compute(truth.scenario->GetPath(0), 100'000);
    const double fctNs = SECOND_NS + remaining * BITS / (RATE / 2) + constants.latencyNs;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(M4Run(*truth.scenario, model)[0]),
                              fctNs,
                              1,
                              "on its own events");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(M4RunTeacherForced(truth, model)[0]),
                              fctNs,
                              1,
                              "on the true events");
    M4Session session(truth.scenario->GetTopology(), truth.scenario->GetNetwork(), model);
    const auto first = session.AddFlow(0, truth.scenario->GetPath(0), 100'000);
    session.AdvanceTo(SECOND_NS);
    session.AddFlow(1, truth.scenario->GetPath(1), 100'000);
    session.AdvanceTo(50'000);
    const double later = remaining - RATE / 2 * 10'000 / BITS;
    NS_TEST_EXPECT_MSG_EQ_TOL(session.GetFluidRemaining(first), later, 1e-9, "of the fluid");
    NS_TEST_EXPECT_MSG_EQ_TOL(session.GetRemaining(first), later, 1e-6, "by the network");
}

/// A flow alone takes as long as the fluid says, also with a window of a packet or two.
/// The untrained head has the quantiles k 0.05 ln 2, k = 0 .. 8, of ln(true / predicted slowdown).
DCN_TEST_CASE(SpreadTestCase, "spread of slowdowns, by hand")
{
    const auto scenario = MakeScenario(DcnBuildTopology(DcnFabricParameters()), 400);
    const DcnModelFile model = M4DefaultNetwork::MakeUntrained(16);
    M4SpreadTable spread;
    const auto fctNs = M4Run(*scenario, model, nullptr, nullptr, &spread);
    NS_TEST_EXPECT_MSG_EQ((fctNs == M4Run(*scenario, model)), true, "it changes no answer");
    NS_TEST_ASSERT_MSG_EQ(spread.IsEmpty(), false, "the model has a spread");
    double below = 0;
    double nMet = 0;
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        const auto ideal = static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
        const double slowdown = static_cast<double>(fctNs[i]) / ideal;
        if (spread.GetQuantile(i, 0.01) == spread.GetQuantile(i, 0.99))
        {
            // it met no other flow
            NS_TEST_EXPECT_MSG_EQ_TOL(spread.GetQuantile(i, 0.5), slowdown, 1e-6, "without spread");
            continue;
        }
        ++nMet;
        // whole nanoseconds, and numbers of 32 bits
        for (std::size_t k = 0; k < M4Spread::N; ++k)
        {
            const auto level = static_cast<double>(M4Spread::LEVELS[k]);
            NS_TEST_EXPECT_MSG_EQ_TOL(spread.GetQuantile(i, level) / slowdown /
                                          std::pow(2, 0.05 * k),
                                      1,
                                      1e-3,
                                      "quantile " << k << " of flow " << i);
        }
        // between the levels 0.2 and 0.4, linear in the logarithm; constant beyond the last
        NS_TEST_EXPECT_MSG_EQ_TOL(spread.GetQuantile(i, 0.25) / slowdown,
                                  std::pow(2, 0.05 * 2.25),
                                  2e-3,
                                  "between levels");
        NS_TEST_EXPECT_MSG_EQ_TOL(spread.GetQuantile(i, 0.999) / slowdown,
                                  std::pow(2, 0.05 * 8),
                                  2e-3,
                                  "beyond the levels");
        const double median = spread.GetQuantile(i, 0.5);
        const auto within = [&](double level) {
            return median * std::pow(spread.GetQuantile(i, level) / median, M4Spread::WITHIN);
        };
        const auto sample = spread.GetSample(i, 4);
        NS_TEST_ASSERT_MSG_EQ(sample.size(), 4, "slowdowns of a flow");
        for (std::size_t j = 0; j < 4; ++j)
        {
            NS_TEST_EXPECT_MSG_EQ((sample[j] >= within(0.25 * j) * (1 - 1e-12) &&
                                   sample[j] <= within(0.25 * (j + 1)) * (1 + 1e-12)),
                                  true,
                                  "one in each quarter");
        }
        below += spread.GetSample(i, 1)[0] < within(0.3) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ((nMet > 200 && nMet < 400), true, nMet << " of 400 meet others");
    NS_TEST_EXPECT_MSG_EQ_TOL(below / nMet,
                              0.3,
                              0.01,
                              "one slowdown each: levels are even over flows");
}

/// Distributions of the method have the spread, completion times do not.
DCN_TEST_CASE(EstimatorSpreadTestCase, "distributions of the method")
{
    const std::string folder = CreateTempDirFilename("untrained");
    M4DefaultNetwork::MakeUntrained(16).Write(folder);
    const auto scenario = MakeScenario(DcnBuildTopology(DcnFabricParameters()), 400);
    auto estimate = [&](const std::string& more) {
        return DcnEstimator::CreateByName("m4:Model=" + folder + more)->Estimate(scenario);
    };
    const DcnEstimate with = estimate("");
    DcnEstimate without = estimate(":Spread=false");
    NS_TEST_EXPECT_MSG_EQ((with.fctNs == without.fctNs), true, "completion times");
    NS_TEST_EXPECT_MSG_EQ(without.samples.size(), 0, "no distribution of its own");
    NS_TEST_ASSERT_MSG_EQ(with.samples.size(), 16 * 400, "16 of a flow");
    NS_TEST_EXPECT_MSG_EQ(with.IsComplete(), true, "complete");
    NS_TEST_EXPECT_MSG_EQ(with.DescribeCompletion(),
                          "m4:Model=" + folder + ": 400 flows started, 400 finished",
                          "completion times and distributions");
    double weight = 0;
    for (const auto& sample : with.samples)
    {
        weight += sample.weight;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(weight, 400, 1e-6, "each flow counts once");
    without.isGroundTruth = true; // of this comparison
    DcnFctTable table(scenario);
    table.Add(without);
    table.Add(with);
    double p99 = 0;
    double single = -1;
    for (const auto& row : table.GetSummaryOf(1, {DcnSizeClasses().front()}))
    {
        p99 = row.metric == "p99_slowdown" ? row.relativeError : p99;
        single = row.metric == "mean_abs_flow_error" ? row.value : single;
    }
    NS_TEST_EXPECT_MSG_EQ((p99 > 0.1 && p99 < std::pow(2, 0.4) - 1), true, "p99 " << p99);
    NS_TEST_EXPECT_MSG_EQ(single, 0, "single flows have their completion times");
}

DCN_TEST_CASE(WindowTestCase, "windows below the bandwidth-delay product")
{
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    const auto& hosts = topology->GetHosts();
    const DcnModelFile model = M4DefaultNetwork::MakeUntrained(8);
    for (const uint64_t window : {1, 2, 5, 8})
    {
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        network->SetKey("window_bytes", std::to_string(1000 * window));
        std::vector<DcnFlow> flows;
        for (uint32_t packets = 1; packets <= 30; ++packets)
        {
            // 10 ms apart: each alone
            flows.push_back(
                {packets - 1, hosts.front(), hosts.back(), 1000 * packets, 10'000'000 * packets});
        }
        Ptr<const DcnScenario> scenario = DcnScenario::Create(topology, network, std::move(flows));
        const auto fctNs = M4Run(*scenario, model);
        const auto fluid =
            DcnEstimator::CreateByName("flowsim:WindowCap=true")->Estimate(scenario).fctNs;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(
                std::log(static_cast<double>(fctNs[i]) / static_cast<double>(fluid[i])),
                0,
                0.015,
                i + 1 << " packets, window of " << window);
        }
    }
}

/// Answers do not depend on when a simulation begins.
DCN_TEST_CASE(ShiftTestCase, "the same ten seconds later")
{
    const auto scenario = MakeScenario(DcnBuildTopology(DcnFabricParameters()), 300);
    std::vector<DcnFlow> flows = scenario->GetFlows();
    DcnPathTable paths;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        flows[i].startNs += 10'000'000'000;
        const DcnPath path = scenario->GetPath(i);
        paths.Append({path.begin(), path.end()});
    }
    const auto later = DcnScenario::CreateWithPaths(scenario->GetTopologyPtr(),
                                                    scenario->GetNetworkConfig(),
                                                    std::move(flows),
                                                    std::move(paths));
    const DcnModelFile model = DcnModelFile::Read(DcnDataPath("models/m4"), "m4");
    NS_TEST_EXPECT_MSG_EQ((M4Run(*scenario, model) == M4Run(*later, model)),
                          true,
                          "completion times");
}

/// Order of events, callbacks, and what is refused.
DCN_TEST_CASE(SessionTestCase, "driven from outside")
{
    auto scenario = MakeScenario(DcnBuildTopology(DcnFabricParameters()), 50);
    M4Session session(scenario->GetTopology(),
                      scenario->GetNetwork(),
                      M4DefaultNetwork::MakeUntrained(8));
    NS_TEST_EXPECT_MSG_EQ(session.GetNextEventNs(), M4Session::NEVER, "nothing to do");
    std::vector<uint64_t> ended;
    bool refuse = false;
    session.SetDeliveryListener([&](uint64_t id, int64_t fctNs) {
        ended.push_back(id);
        NS_TEST_EXPECT_MSG_GT(fctNs, 0, "completion time");
        if (id < 3)
        {
            session.AddFlow(id + 100, scenario->GetPath(id), 1000);
        }
        if (refuse)
        {
            throw std::runtime_error("no");
        }
    });
    session.AdvanceTo(1000);
    for (uint64_t id = 0; id < 5; ++id)
    {
        const auto handle = session.AddFlow(id, scenario->GetPath(id), 10'000);
        NS_TEST_EXPECT_MSG_EQ((session.GetRemaining(handle) > 0.9), true, "nothing sent yet");
        NS_TEST_EXPECT_MSG_EQ(session.GetQueuesOfEvent().size(),
                              scenario->GetPath(id).size(),
                              "a queue per link");
    }
    NS_TEST_EXPECT_MSG_GT(session.GetNextEventNs(), 1000, "an end to come");
    while (session.GetNextEventNs() != M4Session::NEVER)
    {
        const int64_t next = session.GetNextEventNs();
        session.AdvanceTo(next);
        NS_TEST_EXPECT_MSG_EQ(session.GetNowNs(), next, "the clock");
    }
    NS_TEST_EXPECT_MSG_EQ(ended.size(), 8, "five flows and three that they started");
    NS_TEST_EXPECT_MSG_EQ(session.GetNEvents(), 16, "a start and an end each");

    const int64_t now = session.GetNowNs();
    DCN_TEST_EXPECT_ERROR(session.AdvanceTo(now - 1),
                          "time cannot go back from " + std::to_string(now) + " ns to " +
                              std::to_string(now - 1) + " ns");
    DCN_TEST_EXPECT_ERROR(session.AddFlow(9, scenario->GetPath(0), 0),
                          "flow 9 has a size of 0 bytes");
    const uint32_t twice[] = {0, 0};
    DCN_TEST_EXPECT_ERROR(session.AddFlow(9, DcnPath{twice, twice + 2}, 5),
                          "the path of flow 9 has link 0 twice, or there is no such link");
    DCN_TEST_EXPECT_ERROR(session.AddFlow(9, DcnPath{twice, twice}, 5),
                          "flow 9 has a path without links");

    // what a listener throws comes out, and the session can go on
    refuse = true;
    session.AddFlow(50, scenario->GetPath(5), 500);
    session.AddFlow(51, scenario->GetPath(6), 500'000);
    bool thrown = false;
    try
    {
        session.AdvanceTo(now + 1'000'000'000);
    }
    catch (const std::runtime_error&)
    {
        thrown = true;
    }
    NS_TEST_EXPECT_MSG_EQ(thrown, true, "the listener's exception");
    refuse = false;
    session.AdvanceTo(now + 1'000'000'000);
    NS_TEST_EXPECT_MSG_EQ(ended.size(), 10, "the other flow ended, too");
}

/// A message that a session is given, and when.
struct Message
{
    int64_t startNs;                        //!< start
    uint32_t from;                          //!< host
    uint32_t to;                            //!< host
    uint64_t bytes;                         //!< size
    DcnFlowKind kind{DcnFlowKind::MESSAGE}; //!< what it is
};

/// @return the shipped model
DcnModelFile
ReadShipped()
{
    return DcnModelFile::Read(DcnDataPath("models/m4"), "m4");
}

/**
 * @brief Run flows on a star of four hosts with links of 10 Gb/s.
 * @param messages what starts, by time
 * @param cc congestion control
 * @param model weights
 * @return completion times [ns]
 */
std::vector<int64_t>
RunOnStar(const std::vector<Message>& messages,
          const std::string& cc = "dctcp",
          const DcnModelFile& model = ReadShipped())
{
    const Ptr<DcnTopology> topology = DcnMakeStar(4);
    const Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(cc);
    M4Session session(*topology, *network, model);
    std::vector<int64_t> fctNs(messages.size());
    session.SetDeliveryListener([&](uint64_t id, int64_t time) { fctNs[id] = time; });
    for (std::size_t i = 0; i < messages.size(); ++i)
    {
        session.AdvanceTo(messages[i].startNs);
        const uint32_t path[] = {topology->GetOutLinks(messages[i].from)[0],
                                 DcnTopology::Reverse(topology->GetOutLinks(messages[i].to)[0])};
        session.AddFlow(i, {path, path + 2}, messages[i].bytes, messages[i].kind);
    }
    while (session.GetNextEventNs() != M4Session::NEVER)
    {
        session.AdvanceTo(session.GetNextEventNs());
    }
    return fctNs;
}

/// Ideal completion time of a message on the star above [ns], and its time on a link
struct Ideal
{
    /// @param bytes its size
    explicit Ideal(uint64_t bytes)
        : serviceNs(0.8 * static_cast<double>(bytes + (bytes + 999) / 1000 * 48))
    {
        const Ptr<DcnTopology> topology = DcnMakeStar(2);
        const uint32_t path[] = {topology->GetOutLinks(0)[0],
                                 DcnTopology::Reverse(topology->GetOutLinks(1)[0])};
        ns = DcnComputeIdealFct(*topology,
                                {path, path + 2},
                                bytes,
                                *DcnNetworkConfig::Preset("dctcp"))
                 .GetTotalNs();
    }

    int64_t ns;       //!< ideal completion time
    double serviceNs; //!< wire bytes at 10 Gb/s
};

/// A message that meets no other one takes its ideal time, which no prediction is needed for.
DCN_TEST_CASE(AloneTestCase, "messages that are alone, by algebra")
{
    // TIMELY's time stamp makes packets of 1048 bytes 8 bytes longer
    const std::vector<std::pair<std::string, double>> longer = {{"dctcp", 0},
                                                                {"dcqcn", 0},
                                                                {"timely", 8.0 / 1048}};
    for (const auto& [cc, more] : longer)
    {
        for (const uint64_t bytes : {1, 1000, 1500, 30'000, 1'000'000})
        {
            const Ideal ideal(bytes);
            for (const int64_t time : RunOnStar({{500, 0, 1, bytes}, {500, 2, 3, bytes}}, cc))
            {
                NS_TEST_EXPECT_MSG_EQ(time,
                                      ideal.ns + std::llround(more * ideal.serviceNs),
                                      bytes << " bytes, " << cc);
            }
        }
    }
    // HPCC aims at R = 0.95 R / u + 0.5 Gb/s, u = R / 10 Gb/s: R = 0.95 * 10 Gb/s, or 9.5 Gb/s, of
    // packets of 1090 bytes; eta = 0.9 and A = 0.05 C in the preset
    const Ideal million(1'000'000);
    NS_TEST_EXPECT_MSG_EQ_TOL(
        static_cast<double>(RunOnStar({{0, 0, 1, 1'000'000}}, "hpcc")[0] - million.ns),
        million.serviceNs * (1090.0 / 1048 / 0.95 - 1),
        2,
        "hpcc");
}

/// Nor does the published network predict it; it predicts messages behind others, as flows.
DCN_TEST_CASE(PublishedTestCase, "messages in the published network")
{
    const DcnModelFile model = M4MakeTestModel(M4MakeSmall("published", 6));
    for (const uint64_t bytes : {1, 1500, 1'000'000})
    {
        NS_TEST_EXPECT_MSG_EQ(RunOnStar({{500, 0, 1, bytes}}, "dctcp", model)[0],
                              Ideal(bytes).ns,
                              bytes << " bytes");
    }
    std::vector<Message> meet = {{0, 1, 3, 500'000, DcnFlowKind::FLOW},
                                 {10'000, 0, 3, 200'000, DcnFlowKind::NEXT_MESSAGE},
                                 {20'000, 2, 3, 5000}};
    const auto messages = RunOnStar(meet, "dctcp", model);
    for (Message& each : meet)
    {
        each.kind = DcnFlowKind::FLOW;
    }
    NS_TEST_EXPECT_MSG_EQ((RunOnStar(meet, "dctcp", model) == messages), true, "as flows");
    NS_TEST_EXPECT_MSG_EQ((RunOnStar(meet, "dctcp") == messages), false, "another network");
}

/// The acknowledgements of a message on the way back take 60 of 1108 bytes of the links.
DCN_TEST_CASE(BothWaysTestCase, "messages of both directions, by algebra")
{
    constexpr uint64_t BYTES = 1'000'000;
    const Ideal ideal(BYTES);
    const auto both = RunOnStar({{0, 0, 1, BYTES}, {0, 1, 0, BYTES}});
    for (const int64_t time : both)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(time - ideal.ns),
                                  ideal.serviceNs * 60 / 1048,
                                  2,
                                  "from the beginning");
    }
    // the other one begins at a quarter: this one has three quarters left at 1048 / 1108 of its
    // rate
    const auto quarter = static_cast<int64_t>(ideal.serviceNs / 4);
    const auto later = RunOnStar({{0, 0, 1, BYTES}, {quarter, 1, 0, BYTES}});
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(later[0] - ideal.ns),
                              0.75 * ideal.serviceNs * 60 / 1048,
                              3,
                              "from a quarter on");
    // and has the link to itself when the first departs
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(later[1] - ideal.ns),
                              0.75 * ideal.serviceNs * 60 / 1048,
                              3,
                              "until three quarters");
}

/// Messages of idle connections that meet on a link are predicted, as flows are.
DCN_TEST_CASE(MeetTestCase, "messages that meet")
{
    std::vector<Message> incast = {{0, 0, 3, 200'000}, {0, 1, 3, 300'000}, {900, 2, 3, 5000}};
    const auto messages = RunOnStar(incast);
    for (Message& each : incast)
    {
        each.kind = DcnFlowKind::FLOW;
    }
    NS_TEST_EXPECT_MSG_EQ((RunOnStar(incast) == messages), true, "as flows");
    NS_TEST_EXPECT_MSG_GT(messages[2], Ideal(5000).ns, "a queue");
}

/// What a message that was alone has left takes its time, whatever the network predicts: here less
/// than acknowledgements of the other direction have cost already.
DCN_TEST_CASE(MeetLateTestCase, "a message that meets another one late")
{
    constexpr uint64_t BYTES = 1'000'000;
    for (const std::string cc : {"dctcp", "dcqcn", "hpcc"})
    {
        const std::vector<Message> both = {{0, 0, 1, BYTES}, {0, 1, 0, BYTES}};
        const int64_t aloneNs = RunOnStar(both, cc)[0];
        for (const double part : {0.5, 0.9, 0.95, 0.98, 0.99})
        {
            const auto startNs = static_cast<int64_t>(part * static_cast<double>(aloneNs));
            const int64_t endNs = RunOnStar({both[0], both[1], {startNs, 2, 1, 5000}}, cc)[0];
            const double leastNs =
                static_cast<double>(startNs) + (1 - part) * Ideal(BYTES).serviceNs;
            NS_TEST_EXPECT_MSG_GT(static_cast<double>(endNs), leastNs, cc << " at " << part);
        }
    }
}

/// A message behind another one has its bits to send, at half of the rate beside a long flow.
DCN_TEST_CASE(FollowTestCase, "a message behind another one, by algebra")
{
    constexpr uint64_t BYTES = 200'000;
    const auto fctNs = RunOnStar({{0, 1, 3, 5'000'000, DcnFlowKind::FLOW},
                                  {10'000, 0, 3, BYTES, DcnFlowKind::NEXT_MESSAGE}});
    const Ideal ideal(BYTES);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fctNs[1] - ideal.ns),
                              ideal.serviceNs,
                              2,
                              "twice the time on the link");
}

DCN_TEST_CASE(ClosedLoopTestCase, "closed loop")
{
    auto scenario = MakeScenario(DcnBuildTopology(DcnFabricParameters()), 300);
    const DcnModelFile model = M4DefaultNetwork::MakeUntrained(8);
    const auto loop = M4RunClosedLoop(*scenario, model, 1);
    const auto& flows = scenario->GetFlows();
    // with one flow in flight per rack, a rack's flows do not overlap
    std::map<uint32_t, int64_t> busyUntil;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        int64_t& until = busyUntil[scenario->GetTopology().GetRack(flows[i].src)];
        NS_TEST_EXPECT_MSG_EQ((loop.releaseNs[i] >= until), true, "one after the other");
        NS_TEST_EXPECT_MSG_EQ((loop.releaseNs[i] == std::max(until, flows[i].startNs)),
                              true,
                              "released as soon as possible");
        until = loop.releaseNs[i] + loop.fctNs[i];
    }
}

DcnTestSuite g_m4SessionTestSuite(
    "m4-session",
    {new UntrainedTestCase(
         "one bottleneck",
         [] { return MakeScenario(DcnBuildTopology(DcnDumbbellParameters()), 400); },
         0.05,
         0.02),
     new UntrainedTestCase(
         "fabric",
         [] { return MakeScenario(DcnBuildTopology(DcnFabricParameters()), 1000); },
         0.05,
         0.02),
     new UntrainedTestCase("parking lot", MakeParkingLot, 0.05, 0.03),
     new UntrainedTestCase("incast", MakeIncast, 0.05, 0.03),
     new KnownTestCase,
     new SpreadTestCase,
     new EstimatorSpreadTestCase,
     new WindowTestCase,
     new ShiftTestCase,
     new SessionTestCase,
     new AloneTestCase,
     new BothWaysTestCase,
     new MeetTestCase,
     new MeetLateTestCase,
     new FollowTestCase,
     new ClosedLoopTestCase},
    DcnTestsIf(DcnTorch::IsAvailable(), DCN_NEED_LIBTORCH, {new PublishedTestCase})); //!< the suite

} // namespace
