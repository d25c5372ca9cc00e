/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/queue/noc-queue.h"
#include "../model/simulator/noc-traffic.h"
#include "dcn-test-case.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"

#include "ns3/dcn-random.h"
#include "ns3/noc-engine.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return a topology as systems hold it
std::shared_ptr<const NocTopology>
Share(NocTopology&& topology)
{
    return std::make_shared<const NocTopology>(std::move(topology));
}

/// Means of a few repetitions.
struct Measured
{
    double latency{0};           //!< of requests and memory requests
    double wait{0};              //!< at egress queues of cores
    double refused{0};           //!< share of attempts at sinks
    double throughput{0};        //!< requests accepted per cycle
    double layers[NOC_LAYERS]{}; //!< latency by layer
};

/// @return the means over seeds 1 to n
Measured
Measure(const NocSystem& system, uint64_t cycles, uint32_t n, uint64_t warmUp = 20000)
{
    Measured mean;
    for (uint32_t seed = 1; seed <= n; ++seed)
    {
        NocEngine engine(system, seed);
        engine.Run(warmUp);
        engine.ResetStatistics();
        engine.Run(cycles);
        const NocStatistics& statistics = engine.GetStatistics();
        mean.latency += statistics.GetRequestLatency() / n;
        NocSum waits;
        for (const NocSum& lane : statistics.layers[0].coreWaits)
        {
            waits.n += lane.n;
            waits.sum += lane.sum;
        }
        mean.wait += waits.GetMean() / n;
        const auto refused = static_cast<double>(statistics.layers[0].sinkRefusals);
        const auto accepted = static_cast<double>(statistics.layers[0].latency.n);
        mean.refused += refused / (refused + accepted) / n;
        mean.throughput += accepted / static_cast<double>(cycles) / n;
        for (uint32_t i = 0; i < NOC_LAYERS; ++i)
        {
            mean.layers[i] += statistics.layers[i].latency.GetMean() / n;
        }
    }
    return mean;
}

/// @return one source on a ring of M stops that sends round to itself, with a sink
NocSystem
MakeCanonical(double rate, double burst, double service, uint32_t room, uint32_t m)
{
    NocSystem system = NocSystem::OneLayer(Share(NocTopology::Ring(m)), rate, burst);
    system.rates.assign(m, 0);
    system.rates[0] = rate;
    system.destinations.assign(m, std::vector<double>(m, 0));
    system.destinations[0][0] = 1;
    system.egress = NocSystem::UNLIMITED;
    system.ingress = room;
    system.sinkService = service;
    return system;
}

/// A lone queue: GGeo arrivals, a packet per cycle.
DCN_TEST_CASE(QueueTestCase, "a source alone on a ring waits as its queue does")
{
    for (const auto& [rate, burst] : std::vector<std::pair<double, double>>{{0.5, 0.3}, {0.8, 0.3}})
    {
        NocSystem system = MakeCanonical(rate, burst, 1, NocSystem::UNLIMITED, 1);
        const Measured measured = Measure(system, 300000, 4);
        const double wait = NocGgeoSource::GetAhead(burst) / (1 - rate);
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.wait, wait, 0.02 * wait, "g / (1 - lambda)");
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.latency, 1 + wait, 0.02 * wait, "and a hop");
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.throughput, rate, 0.01 * rate, "rate");
    }
}

/// A queue behind traffic that is busy or idle by a chain of two phases.
DCN_TEST_CASE(ThroughTestCase, "a queue behind on-off through traffic waits as the chain says")
{
    // stop 0 sends the through traffic, stop 1 has the queue, stop 2 takes all; bursts are none
    const double toIdle = 0.3;
    const double toBusy = 0.2;
    const double rate = 0.3;
    constexpr uint32_t CYCLES = 400000;
    NocSystem system = NocSystem::OneLayer(Share(NocTopology::HalfRing(3)), 0.1, 0);
    system.egress = system.ingress = NocSystem::UNLIMITED;
    const DcnRandom random(7);
    auto uniform = CreateObject<UniformRandomVariable>();
    random.Assign(uniform, DcnPurpose::NOC_ARRIVALS);
    bool isBusy = false;
    for (uint32_t cycle = 0; cycle < CYCLES; ++cycle)
    {
        isBusy = uniform->GetValue(0, 1) < (isBusy ? 1 - toIdle : toBusy);
        if (isBusy)
        {
            system.trace.push_back({cycle, 0, 2});
        }
        if (uniform->GetValue(0, 1) < rate)
        {
            system.trace.push_back({cycle, 1, 2});
        }
    }
    NocEngine engine(system, 1);
    engine.Run(CYCLES);
    const auto& waits = engine.GetStatistics().layers[0].coreWaits;
    const double u = toBusy / (toIdle + toBusy);
    const double wait = (u / (1 - 0.5)) / (1 - u - rate);
    NS_TEST_EXPECT_MSG_EQ_TOL(waits[1].GetMean(), wait, 0.03 * wait, "behind through traffic");
    NS_TEST_EXPECT_MSG_EQ(waits[0].sum, 0, "through traffic does not wait");
}

/// Four stops in a line, all to the end: the theorem of noc-queue.
DCN_TEST_CASE(LineTestCase, "a line of stops waits as one queue of all sources does")
{
    NocSystem system = NocSystem::OneLayer(Share(NocTopology::HalfRing(5)), 0.1, 0);
    system.egress = system.ingress = NocSystem::UNLIMITED;
    system.rates = {0.2, 0.25, 0.3, 0.15, 0};
    system.destinations.assign(5, {0, 0, 0, 0, 1});
    std::vector<double> waits(4, 0);
    constexpr uint32_t SEEDS = 4;
    for (uint32_t seed = 1; seed <= SEEDS; ++seed)
    {
        NocEngine engine(system, seed);
        engine.Run(20000);
        engine.ResetStatistics();
        engine.Run(500000);
        for (uint32_t stop = 0; stop < 4; ++stop)
        {
            waits[stop] += engine.GetStatistics().layers[0].coreWaits[stop].GetMean() / SEEDS;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(waits[0], 0, "nothing before the first stop");
    NS_TEST_EXPECT_MSG_EQ_TOL(waits[1], 0.36364, 0.01 * 0.36364, "second stop");
    NS_TEST_EXPECT_MSG_EQ_TOL(waits[2], 2.16364, 0.01 * 2.16364, "third stop");
    NS_TEST_EXPECT_MSG_EQ_TOL(waits[3], 14.9, 0.05 * 14.9, "last stop, load 0.9");
}

/// Rings, meshes and sinks that deflect: values of a second simulator, with twice its intervals.
DCN_TEST_CASE(VectorsTestCase, "latencies agree with those of an independent simulator")
{
    auto ring = [](uint32_t n, double load, double burst) {
        NocSystem system = NocSystem::OneLayer(Share(NocTopology::Ring(n)), 2 * load / n, burst);
        system.egress = system.ingress = NocSystem::UNLIMITED;
        return system;
    };
    auto mesh = [](uint32_t rows, uint32_t columns, double rate, double burst) {
        NocSystem system =
            NocSystem::OneLayer(Share(NocTopology::Mesh(rows, columns)), rate, burst);
        system.egress = NocSystem::UNLIMITED;
        return system;
    };
    auto expect = [this](const NocSystem& system,
                         uint64_t cycles,
                         double value,
                         double tolerance,
                         const std::string& what) {
        const Measured measured = Measure(system, cycles, 3);
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.latency, value, tolerance, what);
    };
    expect(ring(4, 0.6, 0), 200000, 2 + 0.8031, 0.02, "ring of 4");
    expect(ring(8, 0.8, 0), 200000, 4 + 3.973, 0.08, "ring of 8");
    expect(ring(8, 0.8, 0.3), 200000, 4 + 7.036, 0.2, "ring of 8 with bursts");
    expect(mesh(2, 2, 0.5, 0), 100000, 1.7498, 0.006, "2 x 2");
    expect(mesh(2, 4, 0.5, 0), 60000, 2.8520, 0.015, "2 x 4");
    expect(mesh(3, 3, 0.5, 0), 60000, 2.7548, 0.01, "3 x 3");
    expect(mesh(4, 4, 0.7, 0), 40000, 4.6408, 0.03, "4 x 4");
    expect(mesh(4, 4, 0.7, 0.3), 40000, 5.4272, 0.04, "4 x 4 with bursts");
    expect(mesh(6, 6, 0.3, 0), 20000, 5.3378, 0.01, "6 x 6 at 0.3");
    expect(mesh(6, 6, 0.5, 0.3), 20000, 7.8672, 0.06, "6 x 6 at 0.5 with bursts");
    // sinks that deflect: refused share of attempts, and latency
    const Measured one = Measure(MakeCanonical(0.4, 0, 0.5, 4, 10), 400000, 4);
    NS_TEST_EXPECT_MSG_EQ_TOL(one.latency, 11.51, 0.06, "loop of 10, sink of 4");
    NS_TEST_EXPECT_MSG_EQ_TOL(one.refused, 0.1133, 0.004, "refused");
    const Measured two = Measure(MakeCanonical(0.6, 0, 0.7, 8, 10), 400000, 4);
    NS_TEST_EXPECT_MSG_EQ_TOL(two.latency, 10.147, 0.02, "loop of 10, sink of 8");
    NS_TEST_EXPECT_MSG_EQ_TOL(two.refused, 0.0106, 0.001, "refused");
    const Measured three = Measure(MakeCanonical(0.4, 0, 0.5, 4, 1), 400000, 4);
    NS_TEST_EXPECT_MSG_EQ_TOL(three.latency, 2.195, 0.05, "loop of one slot");
    // E[(n - N)^+] / lambda and half a round per refusal
    const double c = 0.4 * 0.5 / (0.5 * 0.6);
    const double circling = 0.4 * std::pow(c, 4) / (0.5 * (1 - c));
    const double refusal = NocRefusal(0.4, 0, 2, 4);
    NS_TEST_EXPECT_MSG_EQ_TOL(one.latency,
                              10 + circling / 0.4 + 5 * refusal / (1 - refusal),
                              0.06,
                              "as the model says");
}

/// The system of the dissertation's evaluation, with memory.
DCN_TEST_CASE(CacheTestCase, "caches and memory answer, and the layers are independent")
{
    const auto mesh = Share(NocTopology::Mesh(6, 6));
    const Measured hits = Measure(NocSystem::Cache(mesh, {12, 17}, 0.5, 0, 1), 20000, 3);
    NS_TEST_EXPECT_MSG_EQ_TOL(hits.layers[0], 6.808, 0.04, "requests");
    NS_TEST_EXPECT_MSG_EQ_TOL(hits.layers[2], 6.81, 0.04, "data");
    NS_TEST_EXPECT_MSG_EQ(hits.layers[1], 0, "no memory requests without misses");
    const NocSystem misses = NocSystem::Cache(mesh, {12, 17}, 0.0529, 0, 0.5);
    NocEngine engine(misses, 5);
    engine.Run(200000);
    const NocStatistics& statistics = engine.GetStatistics();
    const auto transactions = static_cast<double>(statistics.transactions.n);
    NS_TEST_EXPECT_MSG_EQ_TOL(transactions / 200000, 34 * 0.0529, 0.01, "transactions per cycle");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(statistics.misses) / transactions,
                              0.5,
                              0.005,
                              "the completed mix is the offered one");
    NS_TEST_EXPECT_MSG_EQ_TOL(statistics.layers[3].latency.GetMean(),
                              4.73,
                              0.03,
                              "acknowledgements");
    NS_TEST_EXPECT_MSG_EQ((statistics.layers[1].latency.GetMean() > 5), true, "memory requests");
    NS_TEST_EXPECT_MSG_EQ(engine.IsConsistent(), true, "no packet got lost");
    // overload without loss on the way: what comes out is what was admitted, hit or miss
    NocSystem overload = NocSystem::Cache(mesh, {12, 17}, 0.2, 0, 0.5);
    NocEngine busy(overload, 3);
    busy.Run(50000);
    busy.ResetStatistics();
    busy.Run(100000);
    const auto& there = busy.GetStatistics();
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(there.misses) /
                                  static_cast<double>(there.transactions.n),
                              0.5,
                              0.005,
                              "class-blind admission keeps the share of misses");
    NS_TEST_EXPECT_MSG_EQ((there.layers[0].lost > 0), true, "the rest is lost at the source");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(there.memoryReads) / 100000,
                              1.0,
                              0.05,
                              "two controllers at a request per two cycles");
}

/// Snoops: a share of the hits is answered by a third core.
DCN_TEST_CASE(SnoopTestCase, "snoops travel on a layer of their own, and their owner answers")
{
    NocSystem system = NocSystem::Cache(Share(NocTopology::Mesh(4, 4)), {4, 7}, 0.1, 0, 0.8);
    auto run = [&system](double share) {
        system.snoopRate = share;
        NocEngine engine(system, 4);
        engine.Run(5000);
        engine.ResetStatistics();
        engine.Run(100000);
        return std::make_pair(engine.GetStatistics(), engine.IsConsistent());
    };
    const auto [without, isKept] = run(0);
    const auto [with, isKeptToo] = run(0.25);
    NS_TEST_EXPECT_MSG_EQ((isKept && isKeptToo), true, "no packet got lost");
    NS_TEST_EXPECT_MSG_EQ(without.layers[4].generated, 0, "none without a share");
    // 14 cores, hit rate 0.8; five standard deviations
    const double snoops = 14 * 0.1 * 0.8 * 0.25 * 100000;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(with.layers[4].latency.n),
                              snoops,
                              5 * std::sqrt(snoops),
                              "share of the hits");
    const auto transactions = static_cast<double>(with.transactions.n);
    NS_TEST_EXPECT_MSG_EQ_TOL(transactions, 14 * 0.1 * 100000, 2000, "all are answered");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(with.layers[2].latency.n),
                              transactions,
                              100,
                              "one data packet each");
    // a snooped hit takes the way to the owner, its ten cycles, and the cycle of being taken
    const double way = with.layers[4].latency.GetMean();
    NS_TEST_EXPECT_MSG_EQ_TOL(with.transactions.GetMean() - without.transactions.GetMean(),
                              0.8 * 0.25 * (way + 10 + 1),
                              0.3,
                              "time of a transaction");
    system.snoopRate = 1.5;
    DCN_TEST_EXPECT_ERROR(system.Check(),
                          "the share of hits that are snooped must be from 0 to 1, but it is 1.5");
    NocSystem two = NocSystem::Cache(Share(NocTopology::Mesh(1, 3)), {1}, 0.1, 0, 0.8);
    two.snoopRate = 0.1;
    DCN_TEST_EXPECT_ERROR(
        two.Check(),
        "snoops need caches and three cores: one asks, one has the slice, one the line");
}

/// Saturation: with sinks without limit, the busiest lane carries nearly a packet per cycle.
DCN_TEST_CASE(SaturationTestCase, "throughput at saturation is that of the busiest lane")
{
    for (uint32_t n : {4, 6})
    {
        NocSystem system = NocSystem::OneLayer(Share(NocTopology::Mesh(n, n)), 0.1, 0);
        system.ingress = NocSystem::UNLIMITED;
        system.transgress = system.egress = NocSystem::UNLIMITED;
        const double largest = system.GetLargestRate();
        system.Scale(0.99 * largest / 0.1);
        const Measured measured = Measure(system, 60000, 1, 40000);
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.throughput,
                                  0.99 * largest * n * n,
                                  0.01 * largest * n * n,
                                  "just below the largest rate all is carried");
    }
}

/// Requests that share a layer with memory requests end in a deadlock, which is found.
DCN_TEST_CASE(DeadlockTestCase, "a deadlock is found and named")
{
    NocSystem system = NocSystem::Cache(Share(NocTopology::Mesh(6, 6)), {12, 17}, 0.1, 0, 0.5);
    system.sharedRequests = true;
    // at the higher rates a few nodes go on for ever, so that the sinks themselves are watched
    for (double rate : {0.08, 0.1, 0.2, 0.4})
    {
        NocSystem loaded = system;
        loaded.Scale(rate / 0.1);
        NocEngine engine(loaded, 1);
        const std::string sentence = DcnSentenceOf([&engine]() { engine.Run(20000); });
        NS_TEST_EXPECT_MSG_NE(sentence.find("is in a deadlock: the request sink of node"),
                              std::string::npos,
                              sentence);
        NS_TEST_EXPECT_MSG_NE(sentence.find("a layer of their own"), std::string::npos, sentence);
        NS_TEST_EXPECT_MSG_EQ(engine.IsConsistent(), true, "and no packet got lost");
    }
    system.sharedRequests = false;
    NocEngine own(system, 1);
    own.Run(20000);
    NS_TEST_EXPECT_MSG_EQ(own.IsConsistent(), true, "with layers of their own there is none");
}

/// Random systems: every packet is accounted for, and nothing locks up.
DCN_TEST_CASE_OF(FuzzTestCase, uint32_t, n, std::to_string(n) + " random systems")
{
    const DcnRandom random(11);
    auto uniform = CreateObject<UniformRandomVariable>();
    random.Assign(uniform, DcnPurpose::NOC_SERVICE);
    auto draw = [&uniform](uint32_t least, uint32_t most) {
        return uniform->GetInteger(least, most);
    };
    for (uint32_t i = 0; i < n; ++i)
    {
        const uint32_t rows = draw(2, 8);
        const uint32_t columns = draw(2, 8);
        const bool isTorus = draw(0, 3) == 0;
        const auto topology =
            Share(isTorus ? NocTopology::Torus(rows, columns) : NocTopology::Mesh(rows, columns));
        const double hit = draw(0, 4) / 4.0;
        std::vector<uint32_t> memory{draw(0, rows * columns - 1)};
        NocSystem system = NocSystem::Cache(topology, memory, 0.01, draw(0, 8) / 10.0, hit);
        for (uint32_t* size : {&system.egress, &system.transgress, &system.ingress})
        {
            *size = draw(1, 32);
        }
        system.cacheList = draw(1, 40);
        system.memoryList = draw(1, 64);
        system.memoryPeriod = draw(1, 4);
        system.hitsPass = draw(0, 1);
        system.snoopRate = rows * columns > 3 ? draw(0, 2) / 4.0 : 0;
        system.overflow = draw(0, 1) ? NocSystem::Overflow::DROP : NocSystem::Overflow::STALL;
        if (rows * columns > 2)
        {
            const double load = 0.1 + draw(0, 14) / 10.0;
            system.Scale(std::min(0.99, load * system.GetLargestRate()) / 0.01);
        }
        else
        {
            continue; // one core sends to no other
        }
        NocEngine engine(system, i + 1);
        engine.Run(n > 100 ? 50000 : 3000);
        NS_TEST_ASSERT_MSG_EQ(engine.IsConsistent(), true, "system " << i);
        NS_TEST_ASSERT_MSG_EQ((engine.GetStatistics().layers[0].latency.n > 0),
                              true,
                              "system " << i);
    }
}

/// Equal seeds, equal results; other seeds, others; a run in parts is a run.
DCN_TEST_CASE(DeterminismTestCase, "results depend on the seed alone")
{
    const NocSystem system =
        NocSystem::Cache(Share(NocTopology::Mesh(4, 4)), {0, 15}, 0.05, 0.2, 0.6);
    auto run = [&system](uint64_t seed, const std::vector<uint64_t>& parts) {
        NocEngine engine(system, seed);
        for (uint64_t part : parts)
        {
            engine.Run(part);
        }
        const NocStatistics& all = engine.GetStatistics();
        return std::vector<uint64_t>{all.transactions.n,
                                     all.transactions.sum,
                                     all.layers[1].latency.sum,
                                     all.layers[2].network.sum,
                                     all.misses};
    };
    const auto first = run(1, {20000});
    NS_TEST_EXPECT_MSG_EQ((run(1, {20000}) == first), true, "again");
    NS_TEST_EXPECT_MSG_EQ((run(1, {1, 999, 12000, 7000}) == first), true, "in parts");
    NS_TEST_EXPECT_MSG_EQ((run(2, {20000}) == first), false, "another seed");
}

/// Rates that change: each phase generates its own number of packets, lambda n +- 5 deviations.
DCN_TEST_CASE(PhasesTestCase, "a workload of two phases")
{
    const NocSystem system = NocSystem::OneLayer(Share(NocTopology::Ring(4)), 0.1, 0);
    NocEngine engine(system, 3);
    constexpr double CYCLES = 20000;
    for (double rate : {0.1, 0.4, 0.05})
    {
        engine.SetRates(std::vector<double>(4, rate));
        engine.ResetStatistics();
        engine.Run(static_cast<uint64_t>(CYCLES));
        const auto generated = static_cast<double>(engine.GetStatistics().layers[0].generated);
        const double deviation = std::sqrt(4 * CYCLES * rate * (1 - rate));
        NS_TEST_EXPECT_MSG_EQ_TOL(generated, 4 * CYCLES * rate, 5 * deviation, "rate " << rate);
    }
    DCN_TEST_EXPECT_ERROR(engine.SetRates({0.1, 0.1, 0.1, 1}),
                          "the rate of node 3 must be above 0 and below 1, but it is 1");
    DCN_TEST_EXPECT_ERROR(engine.SetRates({0.1}), "there are 1 rates for 4 nodes");
    NocEngine caches(NocSystem::Cache(Share(NocTopology::Mesh(2, 2)), {3}, 0.1, 0, 0.5), 1);
    DCN_TEST_EXPECT_ERROR(caches.SetRates({0.1, 0.1, 0.1, 0.1}),
                          "the rate of node 3 must be 0, for it has no source, but it is 0.1");
}

/// The suite.
class NocEngineTestSuite : public TestSuite
{
  public:
    NocEngineTestSuite()
        : TestSuite("noc-engine", Type::UNIT)
    {
        AddTestCase(new QueueTestCase);
        AddTestCase(new ThroughTestCase);
        AddTestCase(new LineTestCase);
        AddTestCase(new VectorsTestCase);
        AddTestCase(new CacheTestCase);
        AddTestCase(new SnoopTestCase);
        AddTestCase(new SaturationTestCase);
        AddTestCase(new DeadlockTestCase);
        AddTestCase(new FuzzTestCase(60));
        AddTestCase(new DeterminismTestCase);
        AddTestCase(new PhasesTestCase);
        const auto extensive = DCN_TEST_EXTENSIVE(NocEngineTestSuite);
        AddTestCase(new FuzzTestCase(500), extensive);
    }
};

NocEngineTestSuite g_nocEngineTestSuite; //!< the suite

} // namespace
