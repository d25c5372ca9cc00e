/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/files/dcn-dataset-schema.h"
#include "../model/generate/dcn-dataset-sampler.h"
#include "../model/generate/dcn-path-sampler.h"
#include "dcn-dataset-test.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-dataset-engine.h"
#include "ns3/dcn-dataset-recipe.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Rules: what they draw, and what is refused.
DCN_TEST_CASE(RecipeTestCase, "rules draw what they say, and bad ones are refused")
{
    DcnDatasetRecipe recipe("path");
    recipe.SetAll("load=0.3:0.4,window_bytes=7000,pfc=0+1,flows=5:7");
    std::set<double> pfc;
    std::set<double> flows;
    for (uint64_t seed = 0; seed < 200; ++seed)
    {
        const DcnRandom random(seed);
        auto draw = [&](const char* key) {
            return recipe.DrawNumber(key, random, DcnPurpose::DATASET_NETWORK);
        };
        NS_TEST_EXPECT_MSG_EQ((draw("load") >= 0.3 && draw("load") < 0.4), true, "range");
        NS_TEST_EXPECT_MSG_EQ(draw("window_bytes"), 7000, "one number");
        pfc.insert(draw("pfc"));
        flows.insert(draw("flows"));
    }
    NS_TEST_EXPECT_MSG_EQ((pfc == std::set<double>{0, 1}), true, "list");
    NS_TEST_EXPECT_MSG_EQ((flows == std::set<double>{5, 6, 7}), true, "whole numbers");

    for (const char* kind : {"path", "fabric"})
    {
        std::set<uint32_t> streams; // the rules' streams differ
        const DcnDatasetRecipe all(kind);
        for (const auto& [key, value] : all.GetRules())
        {
            auto variable =
                DcnDatasetRecipe::GetVariable(key, DcnRandom(1), DcnPurpose::DATASET_NETWORK);
            streams.insert(static_cast<uint32_t>(variable->GetStream()));
        }
        NS_TEST_EXPECT_MSG_EQ(streams.size(), all.GetRules().size(), kind);
        for (const char* name : {"reduced", "published"}) // values are ones that can be given
        {
            DcnDatasetRecipe again(kind, name);
            for (const auto& [key, value] : DcnDatasetRecipe(kind, name).GetRules())
            {
                const bool idle = std::string(name) == "published" &&
                                  (key == "foreground_share" || key == "background_hosts");
                again.SetAll(idle ? "" : key + "=" + value);
            }
            NS_TEST_EXPECT_MSG_EQ((again.GetRules() == DcnDatasetRecipe(kind, name).GetRules()),
                                  true,
                                  name);
        }
    }
    DCN_TEST_EXPECT_ERROR(DcnDatasetRecipe("star"),
                          "the kind of a data set must be path or fabric, but it is \"star\"");
    DCN_TEST_EXPECT_ERROR(DcnDatasetRecipe("path", "fast"),
                          "the recipe must be reduced or published, but it is \"fast\"");
    // values are refused by DcnRecipe; here, that the table has the limits
    const std::map<std::string, std::string> bad{
        {"nodes=3:7",
         "nodes must be one of 3, 4, 5, 6, 7, 8, 9, 10, or several joined by +, but it is "
         "\"3:7\""},
        {"load=0.5:0.4",
         "load must be a number from 0.001 to 0.999, a range LOW:HIGH or a choice A+B, but it is "
         "\"0.5:0.4\""},
        {"samples_per_workload=1+2",
         "samples_per_workload must be one whole number from 1 to 1000000, but it is \"1+2\""},
        {"weights=share+published",
         "weights must be one of share, published, but it is \"share+published\""},
        {"cc=dctcp+reno",
         "cc must be one of dctcp, dcqcn, timely, hpcc, or several joined by +, but it is "
         "\"dctcp+reno\""},
    };
    for (const auto& [rule, sentence] : bad)
    {
        DCN_TEST_EXPECT_ERROR(recipe.SetAll(rule), sentence);
    }
    DCN_TEST_EXPECT_ERROR(DcnDatasetRecipe("fabric").SetAll("nodes=3"),
                          "\"nodes\" is no key of data sets of the kind fabric; keys are pods, "
                          "racks_per_pod, hosts_per_rack, fabrics_per_pod, spines_per_plane, "
                          "host_rate_bps, switch_rate_bps, link_delay_ns, samples_per_workload, "
                          "flows, sizes, theta, size_cap_bytes, sigma, load, load_rule, matrices, "
                          "cc, window_bytes, buffer_kib, pfc, dcqcn_pfc, dctcp_k_bytes, "
                          "dcqcn_kmin_bytes, dcqcn_kmax_bytes, timely_low_ns, timely_high_ns, "
                          "hpcc_eta, hpcc_additive_increase_bps, record");
    // the options of programs are near
    const std::string sentence =
        DcnSentenceOf([]() { DcnDatasetRecipe("fabric").SetAll("hostRate=100Gbps"); });
    NS_TEST_EXPECT_MSG_EQ(sentence.rfind("\"hostRate\" is no key of data sets of the kind fabric, "
                                         "did you mean host_rate_bps? Keys are pods, ",
                                         0),
                          std::size_t{0},
                          sentence);
    DCN_TEST_EXPECT_ERROR(DcnMakeSampler("path", "weights=published,foreground_share=0.5"),
                          "foreground_share=0.5 has no effect with weights=published");
    DCN_TEST_EXPECT_ERROR(DcnMakeSampler("path", "", "reduced", 4096),
                          "the seed of a data set must be at most 4095, but it is 4096");
}

DCN_TEST_CASE(PairsTestCase, "pairs and weights follow the rules")
{
    // pairs: of a path
    // nodes: its points
    const auto checkPairs = [&](const std::vector<DcnPathSampler::Pair>& pairs, uint32_t nodes) {
        std::set<std::pair<uint32_t, uint32_t>> different;
        double sum = 0;
        for (const auto& pair : pairs)
        {
            different.emplace(pair.from, pair.to);
            sum += pair.weight;
            NS_TEST_EXPECT_MSG_EQ((pair.from < pair.to && pair.to < nodes), true, "order");
        }
        NS_TEST_EXPECT_MSG_EQ(different.size(), pairs.size(), "drawn without replacement");
        NS_TEST_EXPECT_MSG_EQ((pairs.front().from == 0 && pairs.front().to == nodes - 1),
                              true,
                              "foreground first");
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, 1, 1e-9, "weights");
    };
    // percentiles 5, 50, 95 of the foreground's share, computed from the published rule by a
    // program of another author, for paths of 3, 5 and 7 points
    const std::map<uint32_t, std::vector<double>> published{{3, {0.04, 0.21, 0.79}},
                                                            {5, {0.04, 0.16, 0.54}},
                                                            {7, {0.04, 0.12, 0.37}}};
    const DcnPathSampler ours(DcnDatasetRecipe("path"), 1);
    const DcnPathSampler theirs(DcnDatasetRecipe("path", "published"), 1);
    for (const auto& [nodes, expected] : published)
    {
        std::vector<double> shares;
        std::map<std::size_t, uint32_t> counts;
        for (uint64_t seed = 0; seed < 4000; ++seed)
        {
            const auto pairs = theirs.DrawPairs(nodes, DcnRandom(seed));
            shares.push_back(pairs.front().weight);
            ++counts[pairs.size()];
            checkPairs(pairs, nodes);
            const auto fixed = ours.DrawPairs(nodes, DcnRandom(seed));
            checkPairs(fixed, nodes);
            NS_TEST_EXPECT_MSG_EQ(fixed.size(), pairs.size(), "the same pairs");
            NS_TEST_EXPECT_MSG_EQ((fixed.front().weight >= 0.25 && fixed.front().weight < 0.5),
                                  true,
                                  "foreground share");
        }
        std::sort(shares.begin(), shares.end());
        const double ps[] = {0.05, 0.5, 0.95};
        for (std::size_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(DcnQuantile(shares, ps[i]), expected[i], 0.025, nodes);
        }
        // 2 .. n (n - 1) / 2, equally likely
        const std::size_t most = nodes * (nodes - 1) / 2;
        NS_TEST_EXPECT_MSG_EQ(counts.begin()->first, 2, "fewest");
        NS_TEST_EXPECT_MSG_EQ(counts.rbegin()->first, most, "most");
        const double mean = 4000.0 / static_cast<double>(most - 1);
        for (const auto& [n, count] : counts)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(count, mean, 5 * std::sqrt(mean), "number of pairs " << n);
        }
    }
}

/// The network configurations that are drawn.
class NetworkTestCase : public TestCase
{
  public:
    NetworkTestCase()
        : TestCase("network configurations are in their ranges")
    {
    }

  private:
    void DoRun() override
    {
        Check("path", "reduced", {200, 500}, {5000, 30000}, {5000, 20000}, true);
        Check("fabric", "published", {100, 160}, {5000, 15000}, {10000, 30000}, false);
    }

    using Range = std::pair<double, double>; //!< bounds

    void ExpectIn(double value, Range range, const char* what)
    {
        NS_TEST_EXPECT_MSG_EQ((value >= range.first && value <= range.second),
                              true,
                              what << " " << value);
    }

    /**
     * @param kind path or fabric
     * @param recipe reduced or published
     * @param bufferKib range of the buffer
     * @param window range of the window
     * @param dctcpK range of DCTCP's threshold
     * @param hpcc HPCC and networks without PFC are drawn
     */
    void Check(const char* kind,
               const char* recipe,
               Range bufferKib,
               Range window,
               Range dctcpK,
               bool hpcc)
    {
        const auto sampler = DcnMakeSampler(kind, "flows=2", recipe);
        std::map<std::string, uint32_t> ccs;
        uint32_t pfc = 0;
        const uint32_t n = 300;
        for (uint64_t i = 0; i < n; ++i)
        {
            const auto sample = sampler->Draw(i);
            const DcnNetworkParameters& network = sample.scenario->GetNetwork();
            ++ccs[network.congestionControl];
            pfc += network.congestionControl != "dcqcn" && network.pfc;
            ExpectIn(network.windowBytes, window, "window");
            ExpectIn(network.bufferBytes / 1024.0, bufferKib, "buffer");
            NS_TEST_EXPECT_MSG_EQ(network.minRate.GetBitRate(), 1'000'000'000, "min rate");
            if (network.congestionControl == "dctcp")
            {
                ExpectIn(network.ecnKminBytes, dctcpK, "K");
                NS_TEST_EXPECT_MSG_EQ(network.ecnKminBytes, network.ecnKmaxBytes, "step");
            }
            else if (network.congestionControl == "dcqcn")
            {
                // 20 to 50 (10 to 30) and 50 to 100 (30 to 50) KB at 25 Gb/s
                ExpectIn(network.ecnKminBytes, {hpcc ? 8000 : 4000, hpcc ? 20000 : 12000}, "Kmin");
                ExpectIn(network.ecnKmaxBytes,
                         {hpcc ? 20000 : 12000, hpcc ? 40000 : 20000},
                         "Kmax");
                NS_TEST_EXPECT_MSG_EQ(network.ecnPmax, 0.2, "Pmax");
                NS_TEST_EXPECT_MSG_EQ(network.pfc, true, "DCQCN has PFC");
            }
            else if (network.congestionControl == "timely")
            {
                ExpectIn(network.GetOwn("timely_low_ns"), {40000, 60000}, "Tlow");
                ExpectIn(network.GetOwn("timely_high_ns"), {100000, 150000}, "Thigh");
            }
            else
            {
                ExpectIn(network.GetOwn("hpcc_eta"), {0.7, 0.95}, "eta");
                ExpectIn(network.GetOwn("hpcc_additive_increase_bps"), {5e8, 1e9}, "AI");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(ccs.size(), (hpcc ? 4 : 3), "congestion controls");
        for (const auto& [cc, count] : ccs)
        {
            const double mean = n / static_cast<double>(ccs.size());
            NS_TEST_EXPECT_MSG_EQ_TOL(count, mean, 5 * std::sqrt(mean), cc);
        }
        const double others = n - ccs["dcqcn"];
        const double expected = others * (hpcc ? 0.5 : 1.0);
        NS_TEST_EXPECT_MSG_EQ_TOL(pfc, expected, (hpcc ? 5 * std::sqrt(others) : 0.0), "PFC");
    }
};

/// Paths: topology, membership, sizes and load.
class PathTestCase : public TestCase
{
  public:
    PathTestCase()
        : TestCase("paths, their flows and loads follow the rules")
    {
    }

  private:
    void DoRun() override
    {
        const auto ours = DcnMakeSampler("path", "reverse_share=0.2");
        const auto theirs = DcnMakeSampler("path", "flows=3000,flows_per=sample", "published");
        for (uint64_t i = 0; i < 6; ++i)
        {
            CheckPath(ours->Draw(i), 4, 10'000'000'000);
            CheckPath(theirs->Draw(i), 1, DcnPathSampler::PUBLISHED_RATE_BPS);
        }
        CheckSizes();
        CheckPublishedLoad();
    }

    /**
     * @param sample a sample
     * @param nHosts background hosts at each inner point
     * @param hostRateBps their rate
     */
    void CheckPath(const DcnDatasetSample& sample, uint32_t nHosts, uint64_t hostRateBps)
    {
        const DcnDatasetSchema schema("path");
        const DcnScenario& scenario = *sample.scenario;
        const DcnTopology& topology = scenario.GetTopology();
        const auto n = static_cast<uint32_t>(DcnDrawOf(schema, sample, "nodes"));
        const uint32_t lengths[] = {3, 5, 7};
        NS_TEST_EXPECT_MSG_EQ(n, lengths[sample.index % 3], "lengths by turns");
        NS_TEST_EXPECT_MSG_EQ(sample.pathLinks.size(), n - 1, "links");
        for (uint32_t k = 0; k + 1 < n; ++k)
        {
            const DcnLink& link = topology.GetLink(sample.pathLinks[k]);
            const bool isEnd = k == 0 || k + 2 == n;
            NS_TEST_EXPECT_MSG_EQ(link.rateBps, (isEnd ? 10'000'000'000 : 40'000'000'000), "rate");
            NS_TEST_EXPECT_MSG_EQ(link.delayNs, 1000, "delay");
            if (k == 0)
            {
                continue;
            }
            // hosts at the point where link k begins
            uint32_t hosts = 0;
            for (uint32_t out : topology.GetOutLinks(link.from))
            {
                const DcnLink& host = topology.GetLink(out);
                if (topology.IsHost(host.to) && out != sample.pathLinks[k] &&
                    out != DcnTopology::Reverse(sample.pathLinks[k - 1]))
                {
                    ++hosts;
                    NS_TEST_EXPECT_MSG_EQ(host.rateBps, hostRateBps, "rate of a background host");
                    NS_TEST_EXPECT_MSG_EQ(host.delayNs, 1000 * std::min(k, n - 1 - k), "its delay");
                }
            }
            NS_TEST_EXPECT_MSG_EQ(hosts, nHosts, "background hosts");
        }
        std::vector<double> bytes(n - 1, 0.0);
        const auto& flows = scenario.GetFlows();
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            std::vector<uint32_t> crossed; // positions on the path
            for (uint32_t link : scenario.GetPath(f))
            {
                if (link % 2 == 0 && link / 2 < n - 1)
                {
                    crossed.push_back(link / 2);
                    bytes[link / 2] += static_cast<double>(flows[f].sizeBytes);
                }
            }
            const uint32_t first = sample.pathFirst[f];
            const uint32_t last = sample.pathLast[f];
            NS_TEST_EXPECT_MSG_EQ(crossed.size(), last - first, "membership");
            if (!crossed.empty())
            {
                NS_TEST_EXPECT_MSG_EQ(crossed.front(), first, "first link");
                NS_TEST_EXPECT_MSG_EQ(crossed.back() + 1, last, "last link");
            }
            NS_TEST_EXPECT_MSG_EQ((sample.flags[f] == DcnDatasetSample::FOREGROUND),
                                  (last - first == n - 1),
                                  "foreground");
        }
        if (hostRateBps == 10'000'000'000)
        {
            // n flows stand for n gaps: the most loaded link has the load asked for
            const double count = flows.size();
            const double span =
                (flows.back().startNs - flows.front().startNs) * count / (count - 1);
            double load = 0;
            for (uint32_t k = 0; k + 1 < n; ++k)
            {
                const double rate = topology.GetLink(sample.pathLinks[k]).rateBps;
                load = std::max(load, 8e9 * bytes[k] / (rate * span));
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(load, DcnDrawOf(schema, sample, "load"), 1e-4, "load");
            NS_TEST_EXPECT_MSG_EQ_TOL(load,
                                      DcnDrawOf(schema, sample, "max_load"),
                                      1e-4,
                                      "max_load");
            NS_TEST_EXPECT_MSG_EQ((load >= 0.2 && load <= 0.8), true, "range of loads");
        }
    }

    void CheckSizes()
    {
        const auto sampler = DcnMakeSampler("path", "flows=40000,size_cap_bytes=0,sizes=exp");
        const DcnDatasetSchema schema("path");
        for (uint64_t i = 0; i < 3; ++i)
        {
            const auto sample = sampler->Draw(i);
            const double theta = DcnDrawOf(schema, sample, "theta");
            double sum = 0;
            for (const DcnFlow& flow : sample.scenario->GetFlows())
            {
                sum += static_cast<double>(flow.sizeBytes);
            }
            const double mean = 1000.0 * (theta / 5000) * (theta / 5000);
            NS_TEST_EXPECT_MSG_EQ_TOL(sum / 40000, mean, 0.025 * mean, "theta " << theta);
        }
        const auto capped = DcnMakeSampler("path", "size_cap_bytes=1500");
        const DcnDatasetSample sample = capped->Draw(0); // owns the flows
        for (const DcnFlow& flow : sample.scenario->GetFlows())
        {
            NS_TEST_EXPECT_MSG_LT(flow.sizeBytes, 1501, "cap");
        }
    }

    void CheckPublishedLoad()
    {
        // With equal weights the published rule is right: two pairs on a path of two links, so
        // that both flows cross one of them
        const auto sampler = DcnMakeSampler(
            "path",
            "nodes=3,flows=40000,load_rule=published,foreground_share=0.5,sizes=exp,sigma=0");
        const DcnDatasetSchema schema("path");
        uint32_t seen = 0;
        for (uint64_t i = 0; i < 12; ++i)
        {
            const auto sample = sampler->Draw(i);
            if (DcnDrawOf(schema, sample, "pairs") == 2)
            {
                ++seen;
                const double load = DcnDrawOf(schema, sample, "load");
                NS_TEST_EXPECT_MSG_EQ_TOL(DcnDrawOf(schema, sample, "max_load"),
                                          load,
                                          0.04 * load,
                                          i);
            }
        }
        NS_TEST_EXPECT_MSG_GT(seen, 0, "samples with two pairs");
    }
};

/// Fabrics are as the rules say; with the exact rule, the most loaded link has the load drawn:
/// payload on it / (rate x time), with the time of n flows n / (n - 1) times that from the first to
/// the last.
DCN_TEST_CASE(FabricSamplerTestCase, "fabrics that are drawn")
{
    const DcnDatasetSchema schema("fabric");
    const std::string rules = "pods=3,racks_per_pod=2,hosts_per_rack=5,fabrics_per_pod=2,"
                              "spines_per_plane=2,host_rate_bps=25000000000,"
                              "switch_rate_bps=100000000000,link_delay_ns=700,flows=400,"
                              "size_cap_bytes=100000";
    const auto exact = DcnMakeSampler("fabric", rules + ",load_rule=exact");
    const auto expected = DcnMakeSampler("fabric", rules);
    for (uint64_t i = 0; i < 5; ++i)
    {
        const DcnDatasetSample sample = exact->Draw(i);
        const DcnTopology& topology = sample.scenario->GetTopology();
        const auto& flows = sample.scenario->GetFlows();
        NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), 3 * 2 * 5, "hosts");
        // racks to fabric switches, and these to their plane's spines
        const uint32_t nCables = 3 * 2 * 5 + 3 * 2 * 2 + 3 * 2 * 2;
        NS_TEST_EXPECT_MSG_EQ(topology.GetNLinks(), 2 * nCables, "directed links");
        std::vector<double> bytes(topology.GetNLinks(), 0.0);
        for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
        {
            const DcnLink& each = topology.GetLink(link);
            const bool isHost = topology.IsHost(each.from) || topology.IsHost(each.to);
            NS_TEST_EXPECT_MSG_EQ(each.rateBps,
                                  (isHost ? 25'000'000'000ULL : 100'000'000'000ULL),
                                  "rate");
            NS_TEST_EXPECT_MSG_EQ(each.delayNs, 700, "delay");
        }
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 400, "flows");
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            NS_TEST_EXPECT_MSG_LT(flows[f].sizeBytes, 100'001, "cap");
            for (const uint32_t link : sample.scenario->GetPath(f))
            {
                bytes[link] += static_cast<double>(flows[f].sizeBytes);
            }
        }
        const auto spanNs =
            static_cast<double>(flows.back().startNs - flows.front().startNs) * 400 / 399;
        double load = 0;
        for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
        {
            const auto rate = static_cast<double>(topology.GetLink(link).rateBps);
            load = std::max(load, 8e9 * bytes[link] / (rate * spanNs));
        }
        const double drawn = DcnDrawOf(schema, sample, "load");
        NS_TEST_EXPECT_MSG_EQ_TOL(load, drawn, 1e-3 * drawn, "load of sample " << i);

        // the other rule has the same flows at other times
        const auto other = expected->Draw(i).scenario;
        const auto& others = other->GetFlows();
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            NS_TEST_EXPECT_MSG_EQ((flows[f].sizeBytes == others[f].sizeBytes &&
                                   flows[f].src == others[f].src && flows[f].dst == others[f].dst),
                                  true,
                                  "flow " << f);
        }
        NS_TEST_EXPECT_MSG_NE(flows.back().startNs, others.back().startNs, "stretched");
    }
    // samples of one workload have the same flows, and configurations of their own
    const auto pairs = DcnMakeSampler("fabric", rules + ",samples_per_workload=2");
    const auto one = pairs->Draw(0).scenario;
    const auto two = pairs->Draw(1).scenario;
    NS_TEST_EXPECT_MSG_EQ(one->GetFlows()[7].sizeBytes, two->GetFlows()[7].sizeBytes, "flows");
    NS_TEST_EXPECT_MSG_EQ(one->GetFlows()[7].startNs, two->GetFlows()[7].startNs, "flows");
    NS_TEST_EXPECT_MSG_NE(one->GetNetwork().windowBytes,
                          two->GetNetwork().windowBytes,
                          "configurations");
    // Checks that a workload has one distribution with random points, and the next another one.
    {
        const auto sampler = DcnMakeSampler("fabric",
                                            "sizes=random,flows=100,size_cap_bytes=0,"
                                            "samples_per_workload=2");
        std::vector<std::vector<uint64_t>> bytes;
        for (uint64_t sample : {0, 1, 2, 0})
        {
            bytes.emplace_back();
            const auto scenario = sampler->Draw(sample).scenario;
            for (const auto& flow : scenario->GetFlows())
            {
                bytes.back().push_back(flow.sizeBytes);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((bytes[0] == bytes[1]), true, "one workload, two distributions");
        NS_TEST_EXPECT_MSG_EQ((bytes[0] == bytes[2]), false, "two workloads, one distribution");
        NS_TEST_EXPECT_MSG_EQ((bytes[0] == bytes[3]), true, "another time, another distribution");
        const auto largest =
            DcnSizeDistribution::Create("random:" + std::to_string(sampler->Draw(2).seed))
                ->GetQuantile(1);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(*std::max_element(bytes[2].begin(), bytes[2].end()),
                                    largest,
                                    "sizes of another distribution than that of the workload");
    }
}

DCN_TEST_CASE(RegistrationTestCase, "two engines of one name are refused")
{
    DCN_TEST_EXPECT_ERROR(DcnDatasetEngine::Registration(DcnDatasetEngine::DEFAULT, nullptr),
                          "the engine of data sets \"packet\" is registered twice");
    NS_TEST_EXPECT_MSG_EQ(DcnDatasetEngine::Create("packet")->GetName(), "packet", "the first one");
}

DcnTestSuite g_dcnDatasetsTestSuite("dcn-datasets",
                                    {new RecipeTestCase,
                                     new PairsTestCase,
                                     new NetworkTestCase,
                                     new PathTestCase,
                                     new FabricSamplerTestCase,
                                     new RegistrationTestCase}); //!< the suite

} // namespace
