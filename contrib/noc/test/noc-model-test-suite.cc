/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/model/noc-symmetry.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/noc-engine.h"
#include "ns3/noc-model.h"

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

/// @return one layer with egress queues without limit
NocSystem
MakeLayer(NocTopology&& topology, double rate, double burst)
{
    NocSystem system = NocSystem::OneLayer(Share(std::move(topology)), rate, burst);
    system.egress = NocSystem::UNLIMITED;
    return system;
}

/// @return latency of requests by a method
double
Solve(const NocSystem& system, NocMethod method)
{
    return NocModel(system).Solve(method).requestLatency;
}

/// Limits in which every method must be right.
DCN_TEST_CASE(LimitsTestCase, "limit cases hold for every method")
{
    const NocTopology mesh = NocTopology::Mesh(4, 4);
    double zero = 0;
    for (uint32_t a = 0; a < 16; ++a)
    {
        for (uint32_t b = 0; b < 16; ++b)
        {
            zero += a != b ? mesh.GetZeroLoadLatency(a, b) / 240.0 : 0;
        }
    }
    for (const NocMethod method :
         {NocMethod::PUBLISHED, NocMethod::INDEPENDENT, NocMethod::CLOSED, NocMethod::CHAIN})
    {
        const std::string name = NocGetMethodName(method);
        NS_TEST_EXPECT_MSG_EQ((NocGetMethod(name) == method), true, "found by its name");
        NS_TEST_EXPECT_MSG_EQ_TOL(Solve(MakeLayer(NocTopology::Mesh(4, 4), 1e-6, 0), method),
                                  zero,
                                  1e-4,
                                  name << ": no load");
        // lambda to 0 with bursts: the own batch, thinned by lanes; of the lane shares f, the mean
        // of f over packets is sum f^2
        const auto bursty = NocModel(MakeLayer(NocTopology::HalfRing(2), 1e-6, 0.5)).Solve(method);
        NS_TEST_EXPECT_MSG_EQ_TOL(bursty.requestLatency, 1 + 1.0, 1e-3, name << ": own batch");
        // a lone source: g / (1 - lambda)
        NocSystem lone = MakeLayer(NocTopology::HalfRing(2), 0.6, 0.3);
        lone.rates[1] = 0;
        lone.ingress = NocSystem::UNLIMITED;
        NS_TEST_EXPECT_MSG_EQ_TOL(Solve(lone, method),
                                  1 + 0.3 / 0.7 / 0.4,
                                  1e-6,
                                  name << ": a queue alone");
    }
    // no ejection on the way: independent is wrong, and theta = 1 would be exact; the chain is
    // close
    NocSystem line = MakeLayer(NocTopology::HalfRing(5), 0.1, 0);
    line.ingress = NocSystem::UNLIMITED;
    line.rates = {0.2, 0.25, 0.3, 0.15, 0};
    line.destinations.assign(5, {0, 0, 0, 0, 1});
    const auto chain = NocModel(line).Solve(NocMethod::CHAIN).layers[0].coreWaits;
    NS_TEST_EXPECT_MSG_EQ_TOL(chain[1], 0.36364, 1e-4, "behind one Bernoulli source");
    NS_TEST_EXPECT_MSG_EQ_TOL(chain[2], 2.16364, 0.02 * 2.16364, "behind two");
    NS_TEST_EXPECT_MSG_EQ_TOL(chain[3], 14.9, 0.05 * 14.9, "behind three");
    const auto plain = NocModel(line).Solve(NocMethod::INDEPENDENT).layers[0].coreWaits;
    NS_TEST_EXPECT_MSG_EQ_TOL(plain[3], 7.5, 1e-9, "Bernoulli through traffic: half");
}

/// The columns of the brief's table of one layer, and its ring.
DCN_TEST_CASE(VectorsTestCase, "one layer: closed form and chain have their known values")
{
    /// A row: mesh, traffic; closed form, chain.
    struct Row
    {
        uint32_t rows;
        uint32_t columns;
        double rate;
        double burst;
        double closed;
        double chain;
    };

    for (const Row& row : std::vector<Row>{{2, 2, 0.5, 0, 1.750, 1.750},
                                           {2, 2, 0.8, 0, 1.857, 1.857},
                                           {2, 2, 0.5, 0.3, 2.117, 2.107},
                                           {2, 4, 0.5, 0, 2.840, 2.854},
                                           {3, 3, 0.5, 0, 2.752, 2.752},
                                           {4, 4, 0.7, 0, 4.602, 4.635},
                                           {4, 4, 0.7, 0.3, 5.388, 5.433},
                                           {6, 6, 0.3, 0, 5.325, 5.335},
                                           {6, 6, 0.5, 0, 6.939, 6.981},
                                           {6, 6, 0.5, 0.3, 7.872, 7.919}})
    {
        const NocSystem system =
            MakeLayer(NocTopology::Mesh(row.rows, row.columns), row.rate, row.burst);
        NS_TEST_EXPECT_MSG_EQ_TOL(Solve(system, NocMethod::CLOSED),
                                  row.closed,
                                  1.1e-3,
                                  row.rows << " x " << row.columns);
        NS_TEST_EXPECT_MSG_EQ_TOL(Solve(system, NocMethod::CHAIN),
                                  row.chain,
                                  0.008 * row.chain,
                                  row.rows << " x " << row.columns);
    }
    NocSystem ring = MakeLayer(NocTopology::Ring(8), 0.2, 0);
    ring.ingress = NocSystem::UNLIMITED;
    NS_TEST_EXPECT_MSG_EQ_TOL(Solve(ring, NocMethod::CLOSED), 4 + 4.25, 1e-3, "ring, closed");
    NS_TEST_EXPECT_MSG_EQ_TOL(Solve(ring, NocMethod::CHAIN), 4 + 4.063, 0.02, "ring, chain");
    NS_TEST_EXPECT_MSG_EQ_TOL(Solve(ring, NocMethod::INDEPENDENT), 4 + 3.0, 1e-9, "Bernoulli");
}

/// Sinks that deflect, against the simulator.
DCN_TEST_CASE(SinksTestCase, "caches, memory and full sinks agree with the simulator")
{
    const auto mesh = Share(NocTopology::Mesh(6, 6));

    /// A cell: size of egress and of other queues, burst, hit rate, load; tolerance.
    struct Cell
    {
        uint32_t egress;
        uint32_t others;
        double burst;
        double hit;
        double load;
        double tolerance;
    };

    for (const Cell& cell : std::vector<Cell>{{16, 16, 0, 1, 0.6, 0.01},
                                              {16, 16, 0.3, 0.5, 0.6, 0.01},
                                              {16, 16, 0.1, 1, 0.9, 0.02},
                                              {8, 4, 0, 0.25, 0.6, 0.02},
                                              {8, 4, 0.1, 0.5, 0.9, 0.08}})
    {
        NocSystem system = NocSystem::Cache(mesh, {12, 17}, 0.1, cell.burst, cell.hit);
        system.egress = cell.egress;
        system.transgress = system.ingress = cell.others;
        system.Scale(cell.load * system.GetLargestRate() / 0.1);
        double simulated = 0;
        for (uint64_t seed : {1, 2})
        {
            NocEngine engine(system, seed);
            engine.Run(20000);
            engine.ResetStatistics();
            engine.Run(cell.hit < 1 ? 150000 : 30000);
            simulated += engine.GetStatistics().GetRequestLatency() / 2;
        }
        for (const NocMethod method : {NocMethod::CLOSED, NocMethod::CHAIN})
        {
            const NocAnswer answer = NocModel(system).Solve(method);
            NS_TEST_EXPECT_MSG_EQ_TOL(answer.requestLatency,
                                      simulated,
                                      cell.tolerance * simulated,
                                      NocGetMethodName(method) << ", load " << cell.load);
            NS_TEST_EXPECT_MSG_EQ(answer.isSaturated, false, "not saturated");
            NS_TEST_EXPECT_MSG_EQ(answer.hasConverged, true, "settled");
        }
        if (cell.load > 0.8)
        {
            // layers by themselves and the printed equations are far too low there
            NS_TEST_EXPECT_MSG_LT(Solve(system, NocMethod::INDEPENDENT), 0.92 * simulated, "");
            NS_TEST_EXPECT_MSG_LT(Solve(system, NocMethod::PUBLISHED), 0.92 * simulated, "");
        }
    }
}

/// Snoops: all five layers against the simulator.
DCN_TEST_CASE(SnoopTestCase, "layers with snoops agree with the simulator")
{
    NocSystem system = NocSystem::Cache(Share(NocTopology::Mesh(4, 4)), {4, 7}, 0.1, 0.1, 0.8);
    system.snoopRate = 0.5;
    system.Scale(0.6 * system.GetLargestRate() / 0.1);
    NocEngine engine(system, 3);
    engine.Run(20000);
    engine.ResetStatistics();
    engine.Run(150000);
    const NocAnswer answer = NocModel(system).Solve(NocMethod::CLOSED);
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        const NocLayerStatistics& layer = engine.GetStatistics().layers[i];
        NS_TEST_EXPECT_MSG_EQ_TOL(answer.layers[i].rate,
                                  static_cast<double>(layer.latency.n) / 150000,
                                  0.02 * answer.layers[i].rate,
                                  NocGetLayerName(static_cast<NocLayer>(i)) << ", rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(answer.layers[i].latency,
                                  layer.latency.GetMean(),
                                  0.02 * answer.layers[i].latency,
                                  NocGetLayerName(static_cast<NocLayer>(i)));
    }
}

/// Symmetric traffic has symmetric answers, and pairs sum to the mean.
DCN_TEST_CASE(PairsTestCase, "latencies of pairs are symmetric and sum to the mean")
{
    const NocSystem system = NocSystem::Cache(Share(NocTopology::Mesh(4, 4)), {}, 0.4, 0.1, 1);
    const NocAnswer answer = NocModel(system).Solve(NocMethod::CLOSED);
    for (const NocLayerAnswer& layer : answer.layers)
    {
        double sum = 0;
        for (uint32_t a = 0; a < 16 && layer.rate > 0; ++a)
        {
            for (uint32_t b = 0; b < 16; ++b)
            {
                // turned by half a round
                NS_TEST_EXPECT_MSG_EQ_TOL(layer.pairs[16 * a + b],
                                          layer.pairs[16 * (15 - a) + 15 - b],
                                          1e-6,
                                          a << " to " << b);
                sum += layer.pairs[16 * a + b] / 240;
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, layer.latency, 1e-9, "uniform rates");
    }
}

/// Streams of one source of each class of symmetric nodes give the answer of all streams.
DCN_TEST_CASE(SymmetryTestCase, "symmetry changes no answer, and asymmetry is seen")
{
    NocSystem corner = NocSystem::Cache(Share(NocTopology::Mesh(4, 5)), {0}, 0.02, 0.2, 0.5);
    NocSystem sides = NocSystem::Cache(Share(NocTopology::Mesh(4, 6)), {6, 11}, 0.02, 0.2, 0.5);
    sides.ingress = sides.transgress = 3;
    sides.snoopRate = 0.3;
    NocSystem middle = NocSystem::Cache(Share(NocTopology::Mesh(5, 5)), {12}, 0.02, 0, 0.5);
    middle.egress = 4;
    NocSystem torus = NocSystem::OneLayer(Share(NocTopology::Torus(4, 6)), 0.5, 0.1);
    torus.sinkService = 0.7;
    torus.ingress = 6;
    torus.egress = 8;
    NocSystem ring = NocSystem::OneLayer(Share(NocTopology::Ring(7)), 0.2, 0.1);
    NocSystem uneven = NocSystem::OneLayer(Share(NocTopology::Mesh(4, 4)), 0.3, 0);
    uneven.rates[5] = 0.2;

    /// A system and its classes of nodes.
    struct Row
    {
        NocSystem system;
        uint32_t classes;
    };

    // mirrored in columns; in both; not at all; turned; shifted; in one diagonal there is no mirror
    for (Row row : std::vector<Row>{{sides, 12},
                                    {middle, 9},
                                    {corner, 20},
                                    {torus, 1},
                                    {ring, 1},
                                    {uneven, 16}})
    {
        row.system.Scale(0.85 * row.system.GetLargestRate() / row.system.rates[1]);
        const NocSymmetry symmetry(row.system, true);
        uint32_t classes = 0;
        for (uint32_t node = 0; node < row.system.topology->GetNNodes(); ++node)
        {
            classes += symmetry.GetNodes().IsFirst(node);
        }
        NS_TEST_EXPECT_MSG_EQ(classes, row.classes, "classes of nodes");
        for (const NocMethod method :
             {NocMethod::PUBLISHED, NocMethod::INDEPENDENT, NocMethod::CLOSED, NocMethod::CHAIN})
        {
            const NocAnswer with = NocModel(row.system).Solve(method);
            const NocAnswer all = NocModel(row.system, false).Solve(method);
            // sums of other orders, and streams in 32 bits; chains go round loops in their order
            const double tolerance = method == NocMethod::CHAIN ? 1e-4 : 1e-5;
            NS_TEST_EXPECT_MSG_EQ_TOL(with.requestLatency,
                                      all.requestLatency,
                                      tolerance * all.requestLatency,
                                      NocGetMethodName(method) << ", classes " << row.classes);
            for (uint32_t i = 0; i < NOC_LAYERS; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(with.layers[i].deflections,
                                          all.layers[i].deflections,
                                          1e-4 * all.layers[i].deflections + 1e-9,
                                          "deflections of layer " << i);
                for (std::size_t pair = 0; pair < all.layers[i].pairs.size(); ++pair)
                {
                    NS_TEST_ASSERT_MSG_EQ_TOL(with.layers[i].pairs[pair],
                                              all.layers[i].pairs[pair],
                                              5e-3 * all.layers[i].pairs[pair],
                                              NocGetMethodName(method) << ", pair " << pair);
                }
            }
        }
    }
}

/// Beyond capacity there is no latency, but a throughput and the resource that binds.
DCN_TEST_CASE(SaturationTestCase, "loads beyond capacity are called saturated")
{
    NocSystem system = NocSystem::Cache(Share(NocTopology::Mesh(6, 6)), {12, 17}, 0.06, 0, 0.5);
    for (const NocMethod method : {NocMethod::CLOSED, NocMethod::CHAIN, NocMethod::PUBLISHED})
    {
        const NocAnswer answer = NocModel(system).Solve(method);
        NS_TEST_EXPECT_MSG_EQ(answer.isSaturated, true, NocGetMethodName(method));
        NS_TEST_EXPECT_MSG_EQ(answer.binding, "memory controller 12", "it binds");
        NS_TEST_EXPECT_MSG_EQ_TOL(answer.throughput, 2.0, 1e-9, "two requests per cycle");
    }
    // a lane that is too busy
    const NocSystem lanes = MakeLayer(NocTopology::Mesh(6, 6), 0.7, 0);
    const NocAnswer answer = NocModel(lanes).Solve(NocMethod::CLOSED);
    NS_TEST_EXPECT_MSG_EQ(answer.isSaturated, true, "a lane");
    NS_TEST_EXPECT_MSG_EQ_TOL(answer.throughput, 36 * 4 * 35.0 / 216, 1e-9, "of all cores");
    system.hitWindow = 8;
    DCN_TEST_EXPECT_ERROR(NocModel(system),
                          "the models know no windows of cores: simulate, or set no limit to hits "
                          "and misses under way");
    DCN_TEST_EXPECT_ERROR(NocGetMethod("exact"),
                          "there is no model \"exact\" of networks on chip; there are: published, "
                          "independent, closed, chain");
}

DcnTestSuite<LimitsTestCase,
             VectorsTestCase,
             SinksTestCase,
             SnoopTestCase,
             PairsTestCase,
             SymmetryTestCase,
             SaturationTestCase>
    g_nocModelTestSuite("noc-model");

} // namespace
