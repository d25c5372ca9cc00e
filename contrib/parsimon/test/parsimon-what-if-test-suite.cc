/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/parsimon-edge-shares.h"
#include "ns3/parsimon-estimator.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/parsimon-unchanged.h"
#include "ns3/parsimon-what-if.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param nFlows number of flows
 * @return web-server flows on the 32-host fabric
 */
Ptr<const DcnScenario>
MakeFabric(uint64_t nFlows)
{
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    return DcnMakeTestScenario(spec);
}

/**
 * @param topology a fabric
 * @return a link from a top-of-rack switch to a fabric switch
 */
uint32_t
FindUplink(const DcnTopology& topology)
{
    const uint32_t tor = topology.GetLink(topology.GetOutLinks(topology.GetHosts()[0])[0]).to;
    for (uint32_t link : topology.GetOutLinks(tor))
    {
        if (!topology.IsHost(topology.GetLink(link).to))
        {
            return link;
        }
    }
    return 0;
}

/**
 * @ingroup parsimon-tests
 * @brief Scenarios after changes.
 */
class ChangeTestCase : public TestCase
{
  public:
    ChangeTestCase()
        : TestCase("After a change, flows keep the paths that still work")
    {
    }

  private:
    void DoRun() override
    {
        auto scenario = MakeFabric(500);
        const DcnTopology& topology = scenario->GetTopology();
        const uint32_t link = FindUplink(topology);
        auto uses = [](DcnPath path, uint32_t cable) {
            return std::any_of(path.begin(), path.end(), [cable](uint32_t each) {
                return each / 2 == cable;
            });
        };
        auto failed = DcnScenarioChange().FailLink(link).Apply(scenario);
        std::size_t moved = 0;
        for (std::size_t f = 0; f < 500; ++f)
        {
            const DcnPath before = scenario->GetPath(f);
            const DcnPath after = failed->GetPath(f);
            NS_TEST_ASSERT_MSG_EQ(failed->GetFlows()[f].id, scenario->GetFlows()[f].id, "order");
            NS_TEST_ASSERT_MSG_EQ(uses(after, link / 2), false, "avoids the failed link");
            NS_TEST_ASSERT_MSG_EQ(after.size(), before.size(), "as short");
            if (uses(before, link / 2))
            {
                ++moved;
            }
            else
            {
                NS_TEST_ASSERT_MSG_EQ(std::equal(before.begin(), before.end(), after.begin()),
                                      true,
                                      "keeps its path");
            }
        }
        NS_TEST_EXPECT_MSG_GT(moved, 10, "some flows had to move");

        auto slower = DcnScenarioChange().SetRate(link, 10'000'000'000).Apply(scenario);
        for (uint32_t each = 0; each < topology.GetNLinks(); ++each)
        {
            NS_TEST_ASSERT_MSG_EQ(
                slower->GetTopology().GetLink(each).rateBps,
                (each / 2 == link / 2 ? 10'000'000'000 : topology.GetLink(each).rateBps),
                "rate of link " << each);
        }
        const DcnFlow flow{1000, 0, 31, 5000, scenario->GetFlows()[9].startNs};
        auto more = DcnScenarioChange().AddFlow(flow).MoveFlow(7, 2, 3).Apply(scenario);
        NS_TEST_EXPECT_MSG_EQ(more->GetFlows().size(), 501, "one more");
        NS_TEST_EXPECT_MSG_EQ(more->GetFlows()[10].id, 1000, "by start, then id");
        NS_TEST_EXPECT_MSG_EQ(more->GetPath(7).size(), 2, "in one rack now");

        // what cannot be
        const uint32_t only = topology.GetOutLinks(0)[0];
        std::string ids;
        std::size_t n = 0;
        for (const DcnFlow& each : scenario->GetFlows())
        {
            if (each.src == 0 || each.dst == 0)
            {
                ids += ++n > 5 ? "" : (n > 1 ? ", " : "") + std::to_string(each.id);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(
            DcnSentenceOf([&]() { DcnScenarioChange().FailLink(only).Apply(scenario); }),
            "after the change, the destinations of " + std::to_string(n) +
                " flows cannot be reached, among them of flow " + ids,
            "unreachable");
        NS_TEST_EXPECT_MSG_EQ(
            DcnSentenceOf([&]() { DcnScenarioChange().FailLink(100000).Apply(scenario); }),
            "there is no link 100000; the network has " + std::to_string(topology.GetNLinks()) +
                " directed links",
            "no such link");
        NS_TEST_EXPECT_MSG_EQ(
            DcnSentenceOf([&]() { DcnScenarioChange().MoveFlow(5000, 0, 1).Apply(scenario); }),
            "flow 5000 cannot be moved: there is none of that id",
            "no such flow");
        NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() {
                                  DcnScenarioChange().AddFlow({7, 0, 1, 1, 0}).Apply(scenario);
                              }),
                              "flow 7 cannot be added: there is one of that id",
                              "id in use");
        NS_TEST_EXPECT_MSG_EQ(
            DcnSentenceOf(
                [&]() { DcnScenarioChange().FailLink(link).SetRate(link, 5).Apply(scenario); }),
            "link " + topology.DescribeLink(link / 2 * 2) +
                " fails, so that its rate has no effect",
            "without effect");
        NS_TEST_EXPECT_MSG_NE(DcnSentenceOf([&]() {
                                  DcnScenarioChange().MoveFlow(7, 3, 3).Apply(scenario);
                              }).find("flow 7"),
                              std::string::npos,
                              "to itself");
    }
};

/**
 * @ingroup parsimon-tests
 * @brief Flows of a failed link spread over the others, and no other flow moves.
 */
class SpreadTestCase : public TestCase
{
  public:
    SpreadTestCase()
        : TestCase("flows of a failed link spread evenly; hops before it stay")
    {
    }

  private:
    void DoRun() override
    {
        // one plane with 8 spines between two pods: of n flows that lose theirs, each of the other
        // 7 gets n / 7 on average, with a variance of less than that
        DcnFabricParameters parameters;
        parameters.fabricsPerPod = 1;
        parameters.spinesPerPlane = 8;
        Ptr<DcnTopology> topology = DcnTopologyHelper::Create(parameters);
        std::vector<DcnFlow> flows;
        const auto& hosts = topology->GetHosts();
        for (uint32_t i = 0; i < 4000; ++i)
        {
            flows.push_back({i, hosts[i % 16], hosts[16 + i % 15], 1000, i});
        }
        Ptr<const DcnScenario> scenario =
            DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), flows);
        const uint32_t failed = scenario->GetPath(0)[2]; // from the fabric switch to a spine
        Ptr<const DcnScenario> after = DcnScenarioChange().FailLink(failed).Apply(scenario);
        std::map<uint32_t, uint32_t> uses; // moved flows by their link to a spine
        uint32_t n = 0;
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            const DcnPath was = scenario->GetPath(f);
            const DcnPath is = after->GetPath(f);
            NS_TEST_ASSERT_MSG_EQ(is.size(), 6, "a shortest path");
            if (was[2] != failed)
            {
                NS_TEST_EXPECT_MSG_EQ(std::equal(was.begin(), was.end(), is.begin()),
                                      true,
                                      "flow " << f << " stays");
                continue;
            }
            ++n;
            ++uses[is[2]];
            NS_TEST_EXPECT_MSG_EQ((was[0] == is[0] && was[1] == is[1]), true, "hops before");
        }
        NS_TEST_ASSERT_MSG_GT(n, 300, "flows that move");
        NS_TEST_ASSERT_MSG_EQ(uses.size(), 7, "all other spines");
        const double mean = n / 7.0;
        for (const auto& [link, count] : uses)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(count),
                                      mean,
                                      4 * std::sqrt(mean),
                                      "link " << link);
        }
    }
};

/**
 * @ingroup parsimon-tests
 * @brief Only what changes is simulated, with the results of a run from nothing.
 */
class IncrementalTestCase : public TestCase
{
  public:
    IncrementalTestCase()
        : TestCase("Answers to what-if questions are those of a run from nothing")
    {
    }

  private:
    void DoRun() override
    {
        auto scenario = MakeFabric(2000);
        ParsimonWhatIf whatIf(scenario, ParsimonSettings::Ours());
        const auto& base = whatIf.GetBase();
        const uint32_t all = base.GetTable().GetAccounting().simulated;
        NS_TEST_EXPECT_MSG_GT(all, 80, "most links have flows");
        auto check = [&](const DcnScenarioChange& change, const std::string& what) {
            const auto run = whatIf.Ask(change);
            const auto& accounting = run->GetTable().GetAccounting();
            NS_TEST_EXPECT_MSG_GT(accounting.simulated, 0, "something changes, " << what);
            NS_TEST_EXPECT_MSG_LT(accounting.simulated, all, "not everything, " << what);
            NS_TEST_EXPECT_MSG_GT(accounting.reused, 0, "the rest is reused, " << what);
            ParsimonResultStore nothing;
            const ParsimonRun rebuilt(run->GetScenario(), ParsimonSettings::Ours(), nothing);
            NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == rebuilt.GetFctNs()), true, what);
            NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == base.GetFctNs()), false, what);
        };
        const uint32_t link = FindUplink(scenario->GetTopology());
        check(DcnScenarioChange().FailLink(link), "failure");
        check(DcnScenarioChange().SetRate(link, 20'000'000'000), "rate");
        // a failure between switches leaves the shares at the edge
        const auto failed = DcnScenarioChange().FailLink(link).Apply(scenario);
        const ParsimonEdgeShares before(*scenario, ParsimonLinkBuilder(scenario));
        const ParsimonEdgeShares after(*failed, ParsimonLinkBuilder(failed));
        uint32_t nShares = 0;
        for (std::size_t f = 0; f < 2000; ++f)
        {
            for (auto position : {ParsimonPosition::SWITCH_TO_SWITCH, ParsimonPosition::LAST_HOP})
            {
                nShares += before.GetRate(f, position) > 0 ? 1 : 0;
                NS_TEST_ASSERT_MSG_EQ(after.GetRate(f, position),
                                      before.GetRate(f, position),
                                      "share of flow " << f);
            }
        }
        NS_TEST_EXPECT_MSG_GT(nShares, 10, "there are shares");
        const DcnFlow like = scenario->GetFlows()[1000];
        check(DcnScenarioChange().MoveFlow(like.id, 0, 5), "move");
        // another flow changes the run length, and with it the correction for acknowledgements;
        // without the correction only flows at its sender and its receiver come to their links at
        // other rates (ParsimonEdgeShares)
        const DcnFlow more{100000, 0, 5, like.sizeBytes, like.startNs};
        const auto added = whatIf.Ask(DcnScenarioChange().AddFlow(more));
        ParsimonResultStore none;
        const ParsimonRun whole(added->GetScenario(), ParsimonSettings::Ours(), none);
        NS_TEST_EXPECT_MSG_EQ((added->GetFctNs() == whole.GetFctNs()), true, "one more flow");
        ParsimonSettings plain = ParsimonSettings::Ours();
        plain.link.ackCorrection = ParsimonAckCorrection::NONE;
        ParsimonWhatIf local(scenario, plain);
        const auto asked = local.Ask(DcnScenarioChange().AddFlow(more));
        const auto& few = asked->GetTable().GetAccounting();
        std::set<uint32_t> concerned;
        for (std::size_t f = 0; f < asked->GetScenario()->GetFlows().size(); ++f)
        {
            const DcnFlow& flow = asked->GetScenario()->GetFlows()[f];
            if (flow.src == more.src || flow.dst == more.dst)
            {
                const DcnPath path = asked->GetScenario()->GetPath(f);
                concerned.insert(path.begin(), path.end());
            }
        }
        NS_TEST_EXPECT_MSG_LT(few.simulated, concerned.size() + 1, "links of these flows at most");
        plain.edgeShares = false;
        ParsimonWhatIf without(scenario, plain);
        const auto least =
            without.Ask(DcnScenarioChange().AddFlow(more))->GetTable().GetAccounting();
        NS_TEST_EXPECT_MSG_LT(least.simulated, 7, "without shares, those of its path at most");
        NS_TEST_EXPECT_MSG_GT(few.simulated, 0, "these at least");
        ParsimonSettings random = ParsimonSettings::Faithful();
        NS_TEST_EXPECT_MSG_EQ((random.buckets.rule == ParsimonBucketRule::PUBLISHED),
                              true,
                              "published buckets");
        NS_TEST_EXPECT_MSG_EQ(random.buckets.minSamples, 100, "published B");
        NS_TEST_EXPECT_MSG_EQ(random.buckets.sizeRatio, 2, "published x");
        NS_TEST_EXPECT_MSG_EQ(random.edgeShares || random.keepRoundTrip || random.predictor.own,
                              false,
                              "nothing published is corrected");
        NS_TEST_EXPECT_MSG_EQ(random.predictor.randomPath, true, "published paths");
        random.link = plain.link;
        ParsimonWhatIf published(scenario, random);
        NS_TEST_EXPECT_MSG_EQ(
            DcnSentenceOf([&]() { published.Ask(DcnScenarioChange().FailLink(link)); }),
            "paths that are drawn anew would cross links that have failed; ask with the flows' own "
            "paths",
            "random paths after a failure");
        const auto again = whatIf.Ask(DcnScenarioChange().FailLink(link));
        NS_TEST_EXPECT_MSG_EQ(again->GetTable().GetAccounting().simulated, 0, "asked before");
        const auto same = whatIf.Ask(DcnScenarioChange());
        NS_TEST_EXPECT_MSG_EQ(same->GetTable().GetAccounting().simulated, 0, "no change");
        NS_TEST_EXPECT_MSG_EQ((same->GetFctNs() == base.GetFctNs()), true, "no change");
    }
};

/**
 * @ingroup parsimon-tests
 * @brief Point estimates are taken from before for flows of which nothing changes, and no others.
 */
class KeptEstimatesTestCase : public TestCase
{
  public:
    KeptEstimatesTestCase()
        : TestCase("Point estimates of flows of which nothing changes are kept, no others")
    {
    }

  private:
    /// Flows whose estimate is kept, and flows whose path stays, but whose estimate does not.
    struct Counts
    {
        uint32_t kept{0};   //!< the estimate is taken from before
        uint32_t remote{0}; //!< the first two links have the same flows, a later one has others
        uint32_t shares{0}; //!< all links have the same flows
    };

    /**
     * @param scenario before
     * @param settings of all runs
     * @param change what is different
     * @return flows of each kind
     */
    Counts Check(Ptr<const DcnScenario> scenario,
                 const ParsimonSettings& settings,
                 const DcnScenarioChange& change)
    {
        ParsimonWhatIf whatIf(scenario, settings);
        const auto run = whatIf.Ask(change);
        Ptr<const DcnScenario> after = run->GetScenario();
        ParsimonResultStore nothing;
        const auto fctNs = ParsimonRun(after, settings, nothing).GetFctNs();
        NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == fctNs), true, "as from nothing");

        const ParsimonLinkBuilder before(scenario, settings.link);
        const ParsimonLinkBuilder now(after, settings.link);
        ParsimonUnchanged unchanged(before, now);
        unchanged.Compare({*scenario, before}, {*after, now});
        auto hasSameFlows = [&](uint32_t link) {
            const auto is = now.GetFlows(link);
            const auto was = before.GetFlows(link);
            return std::equal(is.begin(), is.end(), was.begin(), was.end());
        };
        const std::vector<int64_t> marks(fctNs.size(), -7);
        const auto marked =
            run->GetPredictor().Predict(*after, run->GetTable(), 1, &marks, &unchanged);
        Counts counts;
        for (std::size_t f = 0; f < fctNs.size(); ++f)
        {
            const bool isKept = unchanged.IsSameEstimate(f);
            counts.kept += isKept ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(marked[f], (isKept ? -7 : fctNs[f]), "flow " << f);
            const DcnPath path = after->GetPath(f);
            const DcnPath then = scenario->GetPath(f);
            if (fctNs[f] == whatIf.GetBase().GetFctNs()[f] ||
                !std::equal(path.begin(), path.end(), then.begin(), then.end()))
            {
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(isKept, false, "flow " << f << " has another estimate");
            const bool allSame = std::all_of(path.begin(), path.end(), hasSameFlows);
            counts.shares += allSame ? 1 : 0;
            counts.remote += !allSame && hasSameFlows(path[0]) && hasSameFlows(path[1]) ? 1 : 0;
        }
        return counts;
    }

    void DoRun() override
    {
        DcnFabricParameters parameters;
        parameters.fabricRate = DataRate(10'000'000'000); // queues between switches
        Ptr<DcnTopology> topology = DcnTopologyHelper::Create(parameters);
        DcnWorkloadSpec spec;
        spec.sizes = "cache-follower"; // flows of many windows
        spec.sizeCapBytes = 300000;
        spec.load = 0.7;
        spec.nFlows = 1000;
        Ptr<const DcnScenario> scenario = DcnMakeTestScenario(topology, spec);
        const auto& flows = scenario->GetFlows();
        // between a pod and a spine, so that links between racks and pods keep their flows
        std::size_t far = 0;
        while (scenario->GetPath(far).size() < 6)
        {
            ++far;
        }
        const uint32_t link = scenario->GetPath(far)[2];
        const auto failed =
            Check(scenario, ParsimonSettings::Ours(), DcnScenarioChange().FailLink(link));
        NS_TEST_EXPECT_MSG_GT(failed.remote, 5, "flows that meet others at the end of their path");
        // without a correction for acknowledgements, shares are all that changes a link whose flows
        // stay
        ParsimonSettings plain = ParsimonSettings::Ours();
        plain.link.ackCorrection = ParsimonAckCorrection::NONE;
        const auto largest =
            std::max_element(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
                return a.sizeBytes < b.sizeBytes;
            });
        const auto moved = Check(scenario, plain, DcnScenarioChange().MoveFlow(largest->id, 0, 5));
        NS_TEST_EXPECT_MSG_GT(moved.shares, 5, "flows that meet flows of other shares");
        NS_TEST_EXPECT_MSG_GT(failed.kept + moved.kept, 5, "flows of which nothing changes");
        // where links share results or delays are drawn, nothing is kept
        for (bool cluster : {true, false})
        {
            ParsimonSettings other = ParsimonSettings::Ours();
            other.cluster = cluster;
            other.predictor.own = cluster;
            ParsimonWhatIf whatIf(scenario, other);
            const auto run = whatIf.Ask(DcnScenarioChange().FailLink(link));
            ParsimonResultStore nothing;
            const ParsimonRun rebuilt(run->GetScenario(), other, nothing);
            NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == rebuilt.GetFctNs()),
                                  true,
                                  (cluster ? "clustered" : "sampled"));
        }
    }
};

/**
 * @ingroup parsimon-tests
 * @brief The method by name: attributes, determinism, errors.
 */
class EstimatorTestCase : public TestCase
{
  public:
    EstimatorTestCase()
        : TestCase("The method parsimon")
    {
    }

  private:
    void DoRun() override
    {
        auto scenario = MakeFabric(1000);
        auto estimate = [&](const std::string& name) {
            return DcnEstimator::CreateByName(name)->Estimate(scenario);
        };
        const auto expected = estimate("parsimon");
        NS_TEST_EXPECT_MSG_EQ(expected.GetNFinished(), 1000, "all flows");
        for (std::size_t f = 0; f < 1000; ++f)
        {
            NS_TEST_ASSERT_MSG_EQ((expected.fctNs[f] >= scenario->GetIdealFct(f).GetTotalNs()),
                                  true,
                                  "not faster than alone");
        }
        NS_TEST_EXPECT_MSG_NE(expected.provenance.find("112 of 112 directed links simulated"),
                              std::string::npos,
                              expected.provenance);
        for (const std::string way : {"Threads=1", "Threads=3"})
        {
            for (const std::string rules : {"",
                                            ":PerFlow=sampled",
                                            ":Rules=faithful",
                                            ":Clustering=true",
                                            ":Rules=faithful:Clustering=true"})
            {
                NS_TEST_EXPECT_MSG_EQ((estimate("parsimon:" + way + rules).fctNs ==
                                       estimate("parsimon" + rules).fctNs),
                                      true,
                                      way << rules);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((estimate("parsimon:PerFlow=sampled").fctNs == expected.fctNs),
                              false,
                              "sampled");
        // a flow alone is not delayed, by either rule
        auto alone = MakeFabric(1);
        for (const std::string name : {"parsimon", "parsimon:Rules=faithful"})
        {
            NS_TEST_EXPECT_MSG_EQ(DcnEstimator::CreateByName(name)->Estimate(alone).fctNs[0],
                                  alone->GetIdealFct(0).GetTotalNs(),
                                  name);
        }
        auto refuse = [&](const std::string& name) {
            return DcnSentenceOf([&]() { estimate(name); });
        };
        NS_TEST_EXPECT_MSG_EQ(refuse("parsimon:Rules=mine"),
                              "the method \"parsimon\" has no Rules \"mine\"; there are ours, "
                              "faithful",
                              "rules");
        NS_TEST_EXPECT_MSG_EQ(
            refuse("parsimon:PerFlow=mean"),
            "the method \"parsimon\" has no PerFlow \"mean\"; there are default, own, sampled",
            "point estimates");
        NS_TEST_EXPECT_MSG_NE(refuse("parsimon:LinkSimulator=x")
                                  .find("there is no link simulator \"x\"; there are lean"),
                              std::string::npos,
                              "simulator");
        NS_TEST_EXPECT_MSG_EQ(refuse("parsimon:ClusterLoad=0.1"),
                              "the attribute ClusterLoad of the method \"parsimon\" has no effect "
                              "without Clustering=true",
                              "clustering");
        NS_TEST_EXPECT_MSG_EQ(
            refuse("parsimon:Rules=faithful:LinkSimulator=minim:Inflation=5"),
            "the attribute Inflation of the method \"parsimon\" has no effect with "
            "Rules=faithful:LinkSimulator=minim, which has no links behind the target",
            "inflation");
        NS_TEST_EXPECT_MSG_EQ(refuse("parsimon:Rules=faithful:EdgeShares=false"),
                              "the attribute EdgeShares of the method \"parsimon\" has no effect "
                              "with Rules=faithful, which has none",
                              "shares");
    }
};

/**
 * @ingroup parsimon-tests
 * @brief The suite.
 */
class ParsimonWhatIfTestSuite : public TestSuite
{
  public:
    ParsimonWhatIfTestSuite()
        : TestSuite("parsimon-what-if", Type::UNIT)
    {
        AddTestCase(new ChangeTestCase);
        AddTestCase(new SpreadTestCase);
        AddTestCase(new IncrementalTestCase);
        AddTestCase(new KeptEstimatesTestCase);
        AddTestCase(new EstimatorTestCase);
    }
};

ParsimonWhatIfTestSuite g_parsimonWhatIfTestSuite; //!< The suite

} // namespace
