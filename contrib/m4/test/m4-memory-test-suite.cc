/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-optional.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-torch.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-network.h"
#include "ns3/m4-session.h"
#include "ns3/m4-tape.h"
#include "ns3/m4-tracker.h"
#include "ns3/m4-trainer.h"
#include "ns3/test.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double BITS = 8 * (100'000 + 100 * 48); //!< of each flow on the wire: 100 packets
constexpr double RATE = 10;                       //!< of each link [bit/ns]
constexpr int64_t SECOND_NS = 40'000;             //!< when the second flow starts [ns]

/// @return flows of 100 KB from a host to two others, one at 0, one at SECOND_NS
Ptr<const DcnScenario>
MakeScenario()
{
    DcnTopologyBuilder builder;
    std::vector<uint32_t> hosts;
    for (int i = 0; i < 3; ++i)
    {
        hosts.push_back(builder.AddNode(DcnNodeKind::HOST));
    }
    const uint32_t s = builder.AddNode(DcnNodeKind::SWITCH);
    for (const uint32_t host : hosts)
    {
        builder.AddLink(host, s, 10'000'000'000, 1000);
    }
    std::vector<DcnFlow> flows;
    flows.push_back({0, hosts[0], hosts[1], 100'000, 0});
    flows.push_back({1, hosts[0], hosts[2], 100'000, SECOND_NS});
    return DcnScenario::Create(builder.Build(),
                               DcnNetworkConfig::Preset("dctcp"),
                               std::move(flows));
}

/**
 * @param scenario the scenario
 * @return what is known of its flows, which differ only in where they go
 */
M4FlowConstants
ComputeConstants(const DcnScenario& scenario)
{
    return M4FlowModel(scenario.GetTopology(), scenario.GetNetwork())
        .Compute(scenario.GetPath(0), 100'000);
}

/**
 * @param memory who remembers
 * @return an untrained network with it; if states have to, heads are joint
 */
M4Architecture
MakeArchitecture(M4Memory memory)
{
    M4Architecture architecture{8, 1};
    architecture.memory = memory;
    architecture.jointHeads = memory != M4Memory::FLUID;
    return architecture;
}

/**
 * What is said to be left of the first flow at t > SECOND_NS, when it has half a link and had a
 * whole one: 1 - (RATE SECOND_NS + RATE / 2 (t - SECOND_NS)) / BITS if the fluid remembers that,
 * 1 - RATE / 2 t / BITS if states have to, and 1/2 if these are told nothing.
 *
 * @param memory who remembers
 * @param t when [ns]
 * @return share
 */
double
GetLeft(M4Memory memory, double t)
{
    if (memory == M4Memory::NONE)
    {
        return 0.5;
    }
    const double early = memory == M4Memory::FLUID ? RATE * SECOND_NS : RATE / 2 * SECOND_NS;
    return 1 - (early + RATE / 2 * (t - SECOND_NS)) / BITS;
}

constexpr M4Memory MEMORIES[] = {M4Memory::FLUID, M4Memory::STATES, M4Memory::NONE}; //!< all

/// Features and what predictions start from.
class SnapshotTestCase : public TestCase
{
  public:
    SnapshotTestCase()
        : TestCase("what snapshots say is left")
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = MakeScenario();
        const M4FlowConstants constants = ComputeConstants(*scenario);
        for (const M4Memory memory : MEMORIES)
        {
            M4Tracker tracker(scenario->GetTopology(), true, memory);
            M4Snapshot snapshot;
            tracker.Start(constants, scenario->GetPath(0), 0, snapshot);
            NS_TEST_EXPECT_MSG_EQ(snapshot.fluidLeft[0], 1, "all at the start");
            tracker.Start(constants, scenario->GetPath(1), SECOND_NS, snapshot);
            const double left = GetLeft(memory, SECOND_NS);
            CheckFirst(snapshot, left, SECOND_NS + left * BITS / (RATE / 2), constants);
            NS_TEST_EXPECT_MSG_EQ(snapshot.fluidLeft[1], 1, "all of the second");
            NS_TEST_EXPECT_MSG_EQ_TOL(tracker.GetToldLeft(0, 50'000),
                                      GetLeft(memory, 50'000),
                                      1e-9,
                                      "between events");
            NS_TEST_EXPECT_MSG_EQ_TOL(tracker.GetFluidLeft(0, 50'000),
                                      GetLeft(M4Memory::FLUID, 50'000),
                                      1e-9,
                                      "of the fluid, whoever remembers");
            M4Snapshot looked;
            looked.flowFeatures = tracker.LookAtFlow(0, 50'000);
            const double now = GetLeft(memory, 50'000);
            CheckFeatures(looked, now, 50'000 + now * BITS / (RATE / 2), constants);
            // alone again: it would be done if it had always been
            tracker.End(1, 100'000, snapshot);
            const double rest = memory == M4Memory::STATES ? 0.05 : GetLeft(memory, 100'000);
            CheckFirst(snapshot, rest, 100'000 + rest * BITS / RATE, constants);
        }
    }

    /// Checks the first row: what is left, and the time at which it is through.
    void CheckFirst(const M4Snapshot& snapshot,
                    double left,
                    double throughNs,
                    const M4FlowConstants& constants)
    {
        const double logSlowdown = std::log((throughNs + constants.latencyNs) / constants.idealNs);
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidLeft[0], left, 1e-6, "left");
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidLogSlowdown[0], logSlowdown, 1e-6, "slowdown");
        CheckFeatures(snapshot, left, throughNs, constants);
    }

    /// Checks the features of the first row, likewise.
    void CheckFeatures(const M4Snapshot& snapshot,
                       double left,
                       double throughNs,
                       const M4FlowConstants& constants)
    {
        auto feature = [&snapshot](M4Features::Dynamic which) {
            return snapshot.flowFeatures[M4Features::N_STATIC + which];
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(feature(M4Features::LEFT), left, 1e-6, "share");
        NS_TEST_EXPECT_MSG_EQ_TOL(feature(M4Features::FLUID),
                                  std::log((throughNs + constants.latencyNs) / constants.idealNs),
                                  1e-6,
                                  "slowdown");
        const double bdpBits = RATE * constants.rttNs;
        NS_TEST_EXPECT_MSG_EQ_TOL(feature(M4Features::LEFT_BDP),
                                  std::log1p(left * BITS / bdpBits) / 4,
                                  1e-6,
                                  "over the bandwidth-delay product");
    }
};

/// An untrained network answers what snapshots start from.
class UntrainedTestCase : public TestCase
{
  public:
    UntrainedTestCase()
        : TestCase("completion times without training, on its own and taught")
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = MakeScenario();
        const double latencyNs = ComputeConstants(*scenario).latencyNs;
        for (const M4Memory memory : MEMORIES)
        {
            const DcnModelFile model = M4Network::MakeUntrained(MakeArchitecture(memory));
            // nothing happens on the links between the second start and the first departure
            const double throughNs = SECOND_NS + GetLeft(memory, SECOND_NS) * BITS / (RATE / 2);
            const auto fctNs = M4Run(*scenario, model);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fctNs[0]),
                                      throughNs + latencyNs,
                                      1,
                                      "the first flow on its own");
            M4Truth truth;
            truth.scenario = scenario;
            truth.fctNs = {200'000, 200'000};
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(M4RunTaught(truth, model)[0]),
                                      throughNs + latencyNs,
                                      1,
                                      "and taught");
            M4Session session(scenario->GetTopology(), scenario->GetNetwork(), model);
            const auto first = session.AddFlow(0, scenario->GetPath(0), 100'000);
            session.AdvanceTo(SECOND_NS);
            session.AddFlow(1, scenario->GetPath(1), 100'000);
            session.AdvanceTo(50'000);
            NS_TEST_EXPECT_MSG_EQ_TOL(session.GetFluidLeft(first),
                                      GetLeft(M4Memory::FLUID, 50'000),
                                      1e-9,
                                      "left of the fluid in a session");
            NS_TEST_EXPECT_MSG_EQ_TOL(session.GetLeft(first),
                                      GetLeft(memory, 50'000),
                                      1e-6,
                                      "and as the network says");
        }
    }
};

/**
 * A training starts from the same: with the shares that are told to states as labels, a network
 * with such a memory is right from the beginning (but for the margin of a thousandth at starts),
 * and one with the fluid's memory, or with none, is wrong by the difference.
 */
class TrainingTestCase : public TestCase
{
  public:
    TrainingTestCase()
        : TestCase("what a training starts from")
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = MakeScenario();
        const double latencyNs = ComputeConstants(*scenario).latencyNs;
        constexpr int64_t DEPARTURE_NS = 100'000; // of the first flow
        const auto endNs = static_cast<int64_t>(std::floor(DEPARTURE_NS + latencyNs));
        const int64_t departureNs = endNs - static_cast<int64_t>(latencyNs); // to a nanosecond
        const double first = GetLeft(M4Memory::STATES, SECOND_NS);
        const double aloneNs = static_cast<double>(departureNs - SECOND_NS);
        const double second = 1 - RATE * aloneNs / BITS;
        auto truth = std::make_shared<M4Truth>();
        truth->scenario = scenario;
        truth->fctNs = {endNs, 150'000};
        truth->left = {{{0, 1}, {SECOND_NS, static_cast<float>(first)}, {endNs, 0}},
                       {{SECOND_NS, 1},
                        {departureNs, static_cast<float>(second)},
                        {SECOND_NS + 150'000, 0}}};
        // two flows, each seen at its start and at an event of the other
        const double margin = 0.001 / 2;
        const double early = std::abs(GetLeft(M4Memory::FLUID, SECOND_NS) - first);
        const double late = std::abs(1 - RATE / 2 * aloneNs / BITS - second); // half a link
        CheckLoss(truth, M4Memory::STATES, margin);
        CheckLoss(truth, M4Memory::FLUID, margin + (early + late) / 4);
        CheckLoss(truth,
                  M4Memory::NONE,
                  margin + (std::abs(0.5 - first) + std::abs(0.5 - second)) / 4);
    }

    /// Checks the error of shares left before anything is learned.
    void CheckLoss(std::shared_ptr<const M4Truth> truth, M4Memory memory, double left)
    {
        M4TrainingOptions options;
        options.architecture = MakeArchitecture(memory);
        options.architecture.jointHeads = true; // whose shares start from the fluid's
        options.batch = 1;
        options.epochs = 1;
        options.rollouts = 0;
        options.lambdaQueue = 0;
        M4Trainer trainer(options, [truth](uint64_t) { return truth; }, 1);
        const auto report = trainer.RunEpoch();
        NS_TEST_EXPECT_MSG_EQ(report.events, 4, "one step of the optimiser");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.left, left, 1e-5, "error of shares left");
    }
};

/// The suite.
class M4MemoryTestSuite : public DcnOptionalTestSuite
{
  public:
    M4MemoryTestSuite()
        : DcnOptionalTestSuite("m4-memory", Type::UNIT)
    {
        AddTestCase(new SnapshotTestCase);
        AddTestCase(new UntrainedTestCase);
        AddTestCasesIf(DcnTorch::IsAvailable(), DCN_NEED_LIBTORCH, {new TrainingTestCase});
    }
};

M4MemoryTestSuite g_m4MemoryTestSuite; //!< the suite

} // namespace
