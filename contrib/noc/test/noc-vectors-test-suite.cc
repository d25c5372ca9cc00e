/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Simulated values of the test vectors that the module was designed with, by another simulator:
 * each must come out within twice its interval. Formulas are in noc-queue and noc-model.
 */

#include "../model/simulator/noc-traffic.h"
#include "dcn-test-case.h"
#include "dcn-test-duration.h"

#include "ns3/cceval-interval.h"
#include "ns3/dcn-random.h"
#include "ns3/noc-engine.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SEEDS = 5; //!< repetitions, with seeds from 1 on

/// @return a topology as systems hold it
std::shared_ptr<const NocTopology>
Share(NocTopology&& topology)
{
    return std::make_shared<const NocTopology>(std::move(topology));
}

/// A source of a lone queue.
struct Class
{
    double rate;         //!< lambda
    double burst;        //!< p
    uint32_t fixed;      //!< service time, or 0
    double geometric{0}; //!< else the probability that service ends in a slot
};

/**
 * The mean waits of several classes in one queue without limit, in slots; the order of packets of
 * a slot is random.
 * @param classes the sources
 * @param slots simulated
 * @return W by class
 */
std::vector<double>
SimulateQueue(const std::vector<Class>& classes, uint32_t slots)
{
    const DcnRandom random(5);
    auto draws = CreateObject<UniformRandomVariable>();
    random.Assign(draws, DcnPurpose::NOC_ARRIVALS);
    std::vector<NocGgeoSource> sources;
    std::vector<uint64_t> next;
    for (const Class& each : classes)
    {
        sources.emplace_back(each.rate, each.burst, draws);
        next.push_back(0);
    }
    std::vector<NocSum> waits(classes.size());
    uint64_t work = 0; // slots until the server is free
    std::vector<std::size_t> batch;
    for (uint64_t slot = 0; slot < slots; ++slot)
    {
        batch.clear();
        for (std::size_t i = 0; i < classes.size(); ++i)
        {
            for (; next[i] == slot; next[i] += sources[i].DrawGap())
            {
                batch.push_back(i);
            }
        }
        for (std::size_t i = batch.size(); i > 1; --i)
        {
            std::swap(batch[i - 1], batch[draws->GetInteger(0, static_cast<uint32_t>(i - 1))]);
        }
        for (std::size_t i : batch)
        {
            waits[i].Add(work);
            const Class& one = classes[i];
            work += one.fixed > 0 ? one.fixed
                                  : 1 + static_cast<uint64_t>(std::log1p(-draws->GetValue(0, 1)) /
                                                              std::log1p(-one.geometric));
        }
        work -= work > 0;
    }
    std::vector<double> means;
    for (const NocSum& each : waits)
    {
        means.push_back(each.GetMean());
    }
    return means;
}

/// Waits of infinite queues (T1).
DCN_TEST_CASE(InfiniteTestCase, "a simulated queue waits as the formula says")
{
    /// A row: source, and its wait with its interval.
    struct Row
    {
        Class source;
        double wait;
        double interval;
    };

    for (const Row& row : std::vector<Row>{{{0.5, 0.3, 1}, 0.8588, 0.0023},
                                           {{0.8, 0.3, 1}, 2.140, 0.010},
                                           {{0.3, 0.1, 0, 0.5}, 2.060, 0.011},
                                           {{0.4, 0.3, 0, 0.5}, 8.273, 0.058},
                                           {{0.2, 0.3, 4}, 14.66, 0.17},
                                           {{0.6, 0, 0, 0.8}, 0.7496, 0.0032}})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(SimulateQueue({row.source}, 4000000)[0],
                                  row.wait,
                                  2 * row.interval,
                                  "rate " << row.source.rate);
    }
    const auto three = SimulateQueue({{0.2, 0.3, 1}, {0.3, 0, 0, 0.5}, {0.1, 0.6, 1}}, 30000000);
    NS_TEST_EXPECT_MSG_EQ_TOL(three[0], 11.15, 0.2, "first of three");
    NS_TEST_EXPECT_MSG_EQ_TOL(three[1], 10.52, 0.2, "second of three");
    NS_TEST_EXPECT_MSG_EQ_TOL(three[2], 12.26, 0.2, "third of three");
}

/// One queue whose head goes to one of several finite queues (T3b): loss, and time at the head.
DCN_TEST_CASE(FanTestCase, "a queue in front of several finite queues")
{
    /// A row: rate, N1, number of queues, their service, N2; loss and T_S.
    struct Row
    {
        double rate;
        uint32_t first;
        uint32_t n;
        double q;
        uint32_t second;
        double loss;
        double service;
    };

    for (const Row& row : std::vector<Row>{{0.7, 4, 2, 0.4, 4, 0.0882, 1.322},
                                           {0.8, 8, 4, 0.25, 8, 0.0384, 1.125},
                                           {0.9, 8, 4, 0.3, 4, 0.1106, 1.237},
                                           {0.9, 16, 4, 0.3, 8, 0.0093, 1.052}})
    {
        const DcnRandom random(6);
        auto draws = CreateObject<UniformRandomVariable>();
        random.Assign(draws, DcnPurpose::NOC_ARRIVALS);
        std::deque<uint32_t> first; // the queue that each packet goes to
        std::vector<uint32_t> second(row.n, 0);
        uint64_t came = 0;
        uint64_t lost = 0;
        uint64_t moved = 0;
        uint64_t busy = 0;
        for (uint32_t slot = 0; slot < 4000000; ++slot)
        {
            busy += !first.empty();
            if (!first.empty() && second[first.front()] < row.second)
            {
                ++second[first.front()];
                first.pop_front();
                ++moved;
            }
            for (uint32_t& each : second)
            {
                each -= each > 0 && draws->GetValue(0, 1) < row.q;
            }
            if (draws->GetValue(0, 1) < row.rate)
            {
                ++came;
                if (first.size() >= row.first)
                {
                    ++lost;
                    continue;
                }
                first.push_back(draws->GetInteger(0, row.n - 1));
            }
        }
        const double loss = static_cast<double>(lost) / static_cast<double>(came);
        const double service = static_cast<double>(busy) / static_cast<double>(moved);
        NS_TEST_EXPECT_MSG_EQ_TOL(loss, row.loss, 0.03 * row.loss, "loss at rate " << row.rate);
        NS_TEST_EXPECT_MSG_EQ_TOL(service, row.service, 0.005 * row.service, "T_S");
    }
}

/// What is looked at in a simulation.
enum class Measure : uint8_t
{
    LATENCY,       //!< of requests
    EGRESS_WAIT,   //!< mean wait in egress queues of cores
    REFUSED,       //!< share of the attempts at sinks of requests that are refused
    PER_PACKET,    //!< refusals at sinks of requests over packets
    MEMORY,        //!< latency of memory requests
    DATA,          //!< latency of data
    ACKNOWLEDGED,  //!< latency of acknowledgements
    MEMORY_BOUNCES //!< refusals per memory request
};

/// A value of another simulator.
struct Expected
{
    Measure measure; //!< what
    double value;    //!< expected
    double interval; //!< two standard deviations of it
};

/// A system with values of another simulator.
struct Vector
{
    std::string name;             //!< of the case
    NocSystem system;             //!< simulated
    uint64_t cycles;              //!< of each repetition
    std::vector<Expected> values; //!< of it
};

/// @return a measure of a run
double
Read(const NocStatistics& all, Measure measure)
{
    const NocLayerStatistics& requests = all.layers[0];
    const auto refused = static_cast<double>(requests.sinkRefusals);
    const auto accepted = static_cast<double>(requests.latency.n);
    switch (measure)
    {
    case Measure::EGRESS_WAIT: {
        NocSum waits;
        for (const NocSum& lane : requests.coreWaits)
        {
            waits.n += lane.n;
            waits.sum += lane.sum;
        }
        return waits.GetMean();
    }
    case Measure::REFUSED:
        return refused / (refused + accepted);
    case Measure::PER_PACKET:
        return refused / accepted;
    case Measure::MEMORY:
        return all.layers[1].latency.GetMean();
    case Measure::DATA:
        return all.layers[2].latency.GetMean();
    case Measure::ACKNOWLEDGED:
        return all.layers[3].latency.GetMean();
    case Measure::MEMORY_BOUNCES:
        return static_cast<double>(all.layers[1].sinkRefusals) /
               static_cast<double>(all.layers[1].latency.n);
    default:
        return requests.latency.GetMean();
    }
}

/// Rings (T6).
std::vector<Vector>
MakeRings()
{
    std::vector<Vector> list;
    auto add = [&list](uint32_t n, double load, double burst, double wait, double interval) {
        NocSystem system = NocSystem::OneLayer(Share(NocTopology::Ring(n)), 2 * load / n, burst);
        system.egress = system.ingress = NocSystem::UNLIMITED;
        list.push_back({"ring of " + std::to_string(n) + ", load " + std::to_string(load),
                        system,
                        2000000,
                        {{Measure::EGRESS_WAIT, wait, interval}}});
    };
    add(4, 0.6, 0, 0.8031, 0.0028);
    add(4, 0.9, 0, 5.006, 0.038);
    add(8, 0.6, 0, 1.3767, 0.0068);
    add(8, 0.8, 0, 3.973, 0.026);
    add(8, 0.8, 0.3, 7.036, 0.065);
    add(8, 0.9, 0, 9.39, 0.12);
    add(16, 0.8, 0, 5.358, 0.050);
    add(16, 0.9, 0.3, 21.26, 0.40);
    return list;
}

/// One source on a loop of M, a sink of N with geometric service (T7).
std::vector<Vector>
MakeSinks()
{
    std::vector<Vector> list;
    auto add = [&list](double rate,
                       double burst,
                       double q,
                       uint32_t room,
                       uint32_t m,
                       double refused,
                       double latency,
                       double interval) {
        NocSystem system = NocSystem::OneLayer(Share(NocTopology::Ring(m)), rate, burst);
        system.rates.assign(m, 0);
        system.rates[0] = rate;
        system.destinations.assign(m, std::vector<double>(m, 0));
        system.destinations[0][0] = 1;
        system.egress = NocSystem::UNLIMITED;
        system.ingress = room;
        system.sinkService = q;
        const std::string name = "loop of " + std::to_string(m) + ", sink of " +
                                 std::to_string(room) + ", rate " + std::to_string(rate);
        // no interval is given of the refusals: 1 %, or that of the extra latency
        list.push_back(
            {name,
             system,
             1000000,
             {{Measure::LATENCY, latency, interval},
              {Measure::REFUSED, refused, refused * std::max(0.01, interval / (latency - m))}}});
    };
    add(0.40, 0, 0.5, 4, 10, 0.1133, 11.51, 0.02);
    add(0.45, 0, 0.5, 8, 10, 0.1315, 12.37, 0.06);
    add(0.45, 0, 0.5, 16, 10, 0.0294, 10.466, 0.03);
    add(0.48, 0, 0.5, 16, 10, 0.1992, 17.68, 0.47);
    add(0.40, 0, 0.5, 4, 1, 0.1918, 2.195, 0.02);
    add(0.40, 0, 0.5, 4, 40, 0.0801, 43.58, 0.03);
    add(0.60, 0, 0.7, 8, 10, 0.0106, 10.147, 0.005);
    add(0.40, 0.3, 0.5, 8, 10, 0.1063, 12.50, 0.04);
    add(0.45, 0.3, 0.5, 16, 10, 0.1265, 14.25, 0.15);
    return list;
}

/// Meshes of one layer (T8).
std::vector<Vector>
MakeMeshes()
{
    std::vector<Vector> list;
    auto make = [](uint32_t rows, uint32_t columns, double rate, double burst) {
        NocSystem system =
            NocSystem::OneLayer(Share(NocTopology::Mesh(rows, columns)), rate, burst);
        system.egress = NocSystem::UNLIMITED;
        return system;
    };
    auto add = [&](uint32_t rows,
                   uint32_t columns,
                   double rate,
                   double burst,
                   double latency,
                   double interval,
                   double wait) {
        const NocSystem system = make(rows, columns, rate, burst);
        const std::string name = std::to_string(rows) + " x " + std::to_string(columns) +
                                 ", rate " + std::to_string(rate);
        list.push_back(
            {name,
             system,
             200000,
             {{Measure::LATENCY, latency, interval}, {Measure::EGRESS_WAIT, wait, interval}}});
    };
    add(2, 2, 0.5, 0, 1.7498, 0.0014, 0.0830);
    add(2, 2, 0.8, 0, 1.8572, 0.0027, 0.1904);
    add(2, 2, 0.5, 0.3, 2.1164, 0.0030, 0.4498);
    add(2, 4, 0.5, 0, 2.8520, 0.0035, 0.3098);
    add(3, 3, 0.5, 0, 2.7548, 0.0020, 0.1952);
    add(4, 4, 0.7, 0, 4.6408, 0.0072, 0.9814);
    add(4, 4, 0.7, 0.3, 5.4272, 0.0054, 1.7486);
    add(6, 6, 0.3, 0, 5.3378, 0.0020, 0.3672);
    add(6, 6, 0.5, 0, 6.9636, 0.0113, 1.4032);
    add(6, 6, 0.5, 0.3, 7.8672, 0.0100, 2.2832);
    auto slow = [&](uint32_t n, double rate, uint32_t room, double latency, double interval) {
        NocSystem system = make(n, n, rate, 0);
        system.sinkService = 0.4;
        system.ingress = room;
        list.push_back({"slow sinks of " + std::to_string(room) + ", rate " + std::to_string(rate),
                        system,
                        400000,
                        {{Measure::LATENCY, latency, interval}}});
    };
    slow(6, 0.3, 16, 5.398, 0.012);
    slow(6, 0.3, 4, 10.31, 0.07);
    slow(6, 0.25, 4, 6.20, 0.04);
    slow(4, 0.3, 4, 8.21, 0.14);
    slow(6, 0.33, 8, 11.4, 0.3);
    return list;
}

/// Caches and memory (T9).
std::vector<Vector>
MakeCaches()
{
    std::vector<Vector> list;
    const auto mesh = Share(NocTopology::Mesh(6, 6));
    const NocSystem hits = NocSystem::Cache(mesh, {12, 17}, 0.5, 0, 1);
    const NocSystem busy = NocSystem::Cache(mesh, {12, 17}, 0.056, 0, 0.5);
    const NocSystem less = NocSystem::Cache(mesh, {12, 17}, 0.0529, 0, 0.5);
    NocSystem small = less;
    small.egress = 8;
    small.transgress = small.ingress = 4;
    list.push_back({"hits at 0.5",
                    hits,
                    200000,
                    {{Measure::LATENCY, 6.808, 0.018},
                     {Measure::DATA, 6.795, 0.018},
                     {Measure::ACKNOWLEDGED, 6.795, 0.018}}});
    // requests: the rare blocking of a cache slice decides, from that of lanes alone on (module's
    // page); the deflections from the bounce probability 0.3223
    list.push_back({"misses at 0.056",
                    busy,
                    3000000,
                    {{Measure::LATENCY, (4.765 + 4.916) / 2, (4.916 - 4.765) / 4},
                     {Measure::MEMORY, 10.8, 0.6},
                     {Measure::DATA, 4.812, 0.018},
                     {Measure::ACKNOWLEDGED, 4.730, 0.018},
                     {Measure::MEMORY_BOUNCES, 0.3223 / (1 - 0.3223), 0.05}}});
    list.push_back({"misses at 0.0529", less, 600000, {{Measure::MEMORY, 5.52, 0.10}}});
    list.push_back({"small queues at 0.0529", small, 600000, {{Measure::MEMORY, 9.70, 0.18}}});
    return list;
}

/// Values of another simulator, within twice their intervals.
DCN_TEST_CASE_OF(EngineTestCase,
                 std::vector<Vector>,
                 vectors,
                 "values of another simulator: " + vectors.front().name + " and others")
{
    for (const Vector& vector : vectors)
    {
        std::vector<std::vector<double>> means(vector.values.size());
        for (uint32_t seed = 1; seed <= SEEDS; ++seed)
        {
            NocEngine engine(vector.system, seed);
            engine.Run(std::min<uint64_t>(100000, vector.cycles / 4));
            engine.ResetStatistics();
            engine.Run(vector.cycles);
            for (std::size_t i = 0; i < means.size(); ++i)
            {
                means[i].push_back(Read(engine.GetStatistics(), vector.values[i].measure));
            }
        }
        for (std::size_t i = 0; i < means.size(); ++i)
        {
            const CcevalInterval mean = CcevalMeanInterval(means[i], 0.95);
            NS_TEST_EXPECT_MSG_EQ_TOL(mean.estimate,
                                      vector.values[i].value,
                                      2 * vector.values[i].interval,
                                      vector.name << ", value " << i << ", own interval +- "
                                                  << mean.GetHalfWidth());
        }
    }
}

/// The suite.
class NocVectorsTestSuite : public TestSuite
{
  public:
    NocVectorsTestSuite()
        : TestSuite("noc-vectors", Type::UNIT)
    {
        AddTestCase(new FanTestCase);
        const auto extensive = DCN_TEST_EXTENSIVE(NocVectorsTestSuite);
        AddTestCase(new EngineTestCase(MakeRings()), extensive);
        AddTestCase(new EngineTestCase(MakeSinks()), extensive);
        AddTestCase(new EngineTestCase(MakeMeshes()), extensive);
        AddTestCase(new EngineTestCase(MakeCaches()), extensive);
        AddTestCase(new InfiniteTestCase, extensive);
    }
};

NocVectorsTestSuite g_nocVectorsTestSuite; //!< the suite

} // namespace
