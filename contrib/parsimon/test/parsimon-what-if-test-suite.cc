/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/combine/parsimon-predictor.h"
#include "../model/simulate/parsimon-link-table.h"
#include "../model/simulate/parsimon-result-store.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/double.h"
#include "ns3/parsimon-decomposition.h"
#include "ns3/parsimon-what-if.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
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
    return DcnMakeTestScenario(DcnTestWorkload(nFlows));
}

DCN_TEST_CASE(IncrementalTestCase, "Answers to what-if questions are those of a run from nothing")
{
    auto scenario = MakeFabric(2000);
    ParsimonWhatIf whatIf(scenario, {});
    const auto& base = whatIf.GetBase();
    const uint32_t all = base.GetTable().GetAccounting().simulated;
    NS_TEST_EXPECT_MSG_GT(all, 80, "most links have flows");
    auto check = [&](const DcnScenarioChange& change, const std::string& what) {
        const auto run = whatIf.Ask(change);
        const auto& accounting = run->GetTable().GetAccounting();
        NS_TEST_EXPECT_MSG_GT(accounting.simulated, 0, "something changes, " << what);
        NS_TEST_EXPECT_MSG_LT(accounting.simulated, all, "not everything, " << what);
        NS_TEST_EXPECT_MSG_GT(accounting.reused, 0, "the rest is reused, " << what);
        const ParsimonRun rebuilt(run->GetScenario(), {});
        NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == rebuilt.GetFctNs()), true, what);
        NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == base.GetFctNs()), false, what);
    };
    const uint32_t link = DcnFindUplink(scenario->GetTopology());
    check(DcnScenarioChange().FailLink(link), "failure");
    check(DcnScenarioChange().SetRate(link, 20'000'000'000), "rate");
    // a failure between switches leaves the shares of links at hosts
    const auto failed = DcnScenarioChange().FailLink(link).Apply(scenario);
    const ParsimonDecomposition before(scenario, ParsimonRules::DEFAULT);
    const ParsimonDecomposition after(failed, ParsimonRules::DEFAULT);
    uint32_t nShares = 0;
    for (std::size_t f = 0; f < 2000; ++f)
    {
        for (const std::size_t hop : {std::size_t{0}, scenario->GetPath(f).size() - 1})
        {
            nShares += before.HasShare(f, hop) ? 1 : 0;
            NS_TEST_ASSERT_MSG_EQ(after.HasShare(f, hop),
                                  before.HasShare(f, hop),
                                  "share of flow " << f);
        }
    }
    NS_TEST_EXPECT_MSG_GT(nShares, 10, "there are shares");
    const DcnFlow like = scenario->GetFlows()[1000];
    check(DcnScenarioChange().MoveFlow(like.id, 0, 5), "move");
    // another flow changes the run length, and with it the correction for acknowledgements
    const DcnFlow more{100000, 0, 5, like.sizeBytes, like.startNs};
    const auto added = whatIf.Ask(DcnScenarioChange().AddFlow(more));
    const ParsimonRun whole(added->GetScenario(), {});
    NS_TEST_EXPECT_MSG_EQ((added->GetFctNs() == whole.GetFctNs()), true, "one more flow");
    ParsimonOptions options;
    options.rules = ParsimonRules::PUBLISHED;
    ParsimonWhatIf published(scenario, options);
    NS_TEST_EXPECT_MSG_EQ(
        DcnSentenceOf([&]() { published.Ask(DcnScenarioChange().FailLink(link)); }),
        "paths that are drawn anew would cross links that have failed; ask with the default "
        "rules, which follow the flows' own paths",
        "random paths after a failure");
    const auto moved = published.Ask(DcnScenarioChange().MoveFlow(like.id, 0, 5));
    const ParsimonRun movedAnew(moved->GetScenario(), options);
    NS_TEST_EXPECT_MSG_EQ((moved->GetFctNs() == movedAnew.GetFctNs()), true, "published");
    const auto& movedLinks = moved->GetTable().GetAccounting();
    NS_TEST_EXPECT_MSG_GT(movedLinks.simulated, 0, "links of the moved flow");
    NS_TEST_EXPECT_MSG_GT(movedLinks.reused, 20, "links that know nothing of it");
    const auto again = whatIf.Ask(DcnScenarioChange().FailLink(link));
    NS_TEST_EXPECT_MSG_EQ(again->GetTable().GetAccounting().simulated, 0, "asked before");
    const auto same = whatIf.Ask(DcnScenarioChange());
    NS_TEST_EXPECT_MSG_EQ(same->GetTable().GetAccounting().simulated, 0, "no change");
    NS_TEST_EXPECT_MSG_EQ((same->GetFctNs() == base.GetFctNs()), true, "no change");
}

/// DCQCN's marks are random. Draws belong to the ids of flows, so that a flow that is added before
/// others, whose numbers then change, leaves the results of links that it does not cross.
DCN_TEST_CASE(DrawsTestCase, "Answers to what-if questions with random marks")
{
    const auto scenario =
        DcnMakeTestScenario(DcnTestWorkload(1000), DcnNetworkConfig::Preset("dcqcn"));
    ParsimonWhatIf whatIf(scenario, {});
    const DcnFlow& like = scenario->GetFlows()[500];
    const DcnFlow more{100000, 0, 5, like.sizeBytes, like.startNs};
    const uint32_t link = DcnFindUplink(scenario->GetTopology());
    for (const DcnScenarioChange& change : {DcnScenarioChange().AddFlow(more),
                                            DcnScenarioChange().FailLink(link),
                                            DcnScenarioChange().MoveFlow(like.id, 0, 5)})
    {
        const auto run = whatIf.Ask(change);
        const ParsimonRun rebuilt(run->GetScenario(), {});
        NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == rebuilt.GetFctNs()), true, "a complete run");
    }
}

/// Flows whose estimate is kept, and flows whose path stays, but whose estimate does not.
struct Counts
{
    uint32_t kept{0};   //!< the estimate is taken from before
    uint32_t remote{0}; //!< the first two links have the same flows, a later one has others
    uint32_t shares{0}; //!< all links have the same flows
};

DCN_TEST_CASE(KeptEstimatesTestCase,
              "Point estimates of flows of which nothing changes are kept, no others")
{
    // scenario: before
    // change: the difference
    // Returns flows of each kind
    const auto check = [&](Ptr<const DcnScenario> scenario,
                           const DcnScenarioChange& change) -> Counts {
        ParsimonOptions options;
        options.idleTimes = false; // which come after the sums of the links
        ParsimonWhatIf whatIf(scenario, options);
        const auto run = whatIf.Ask(change);
        Ptr<const DcnScenario> after = run->GetScenario();
        const auto fctNs = ParsimonRun(after, options).GetFctNs();
        NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == fctNs), true, "as from nothing");

        const ParsimonDecomposition before(scenario, ParsimonRules::DEFAULT);
        const ParsimonDecomposition now(after, ParsimonRules::DEFAULT, &before);
        auto hasSameFlows = [&](uint32_t link) {
            const auto is = now.GetBuilder().GetFlows(link);
            const auto was = before.GetBuilder().GetFlows(link);
            return std::equal(is.begin(), is.end(), was.begin(), was.end());
        };
        const std::vector<int64_t> marks(fctNs.size(), -7);
        const auto marked = run->GetPredictor().Predict(now, run->GetTable(), 1, &marks);
        Counts counts;
        for (std::size_t f = 0; f < fctNs.size(); ++f)
        {
            const bool isKept = now.IsSameEstimate(f);
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
    };
    DcnFabricParameters parameters;
    parameters.fabricRate = DataRate(10'000'000'000); // queues between switches
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    DcnWorkloadSpec spec;
    spec.sizes = "cache-follower"; // flows of many windows
    spec.sizeCapBytes = 300000;
    spec.load = 0.15; // above, shares connect all flows
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
    const auto failed = check(scenario, DcnScenarioChange().FailLink(link));
    NS_TEST_EXPECT_MSG_GT(failed.remote, 5, "flows that meet others at the end of their path");
    // links whose flows stay change with the shares of these flows
    const auto largest =
        std::max_element(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
            return a.sizeBytes < b.sizeBytes;
        });
    const auto moved = check(scenario, DcnScenarioChange().MoveFlow(largest->id, 0, 5));
    NS_TEST_EXPECT_MSG_GT(moved.shares, 5, "flows that meet flows of other shares");
    NS_TEST_EXPECT_MSG_GT(failed.kept + moved.kept, 5, "flows of which nothing changes");
    // where links share results, nothing is kept
    ParsimonOptions clustered;
    clustered.cluster = true;
    ParsimonWhatIf whatIf(scenario, clustered);
    const auto run = whatIf.Ask(DcnScenarioChange().FailLink(link));
    const ParsimonRun rebuilt(run->GetScenario(), clustered);
    NS_TEST_EXPECT_MSG_EQ((run->GetFctNs() == rebuilt.GetFctNs()), true, "clustered");
}

/// The method by name: attributes, determinism, errors.
DCN_TEST_CASE(EstimatorTestCase, "The method parsimon")
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
    // Parsimon/inf of the paper: fixed costs and the longest link simulation
    const auto timed = DcnEstimator::CreateByName("parsimon:Threads=1");
    const DcnEstimate again = timed->Estimate(scenario);
    DoubleValue links;
    DoubleValue longest;
    timed->GetAttribute("LinkSeconds", links);
    timed->GetAttribute("LongestLinkSeconds", longest);
    NS_TEST_EXPECT_MSG_GT(longest.Get(), 0, "the longest takes time");
    NS_TEST_EXPECT_MSG_GT(links.Get(), longest.Get(), "so do the others");
    NS_TEST_EXPECT_MSG_EQ((again.fctNs == expected.fctNs), true, "times change nothing");
    NS_TEST_EXPECT_MSG_NE(expected.provenance.find("112 of 112 directed links simulated"),
                          std::string::npos,
                          expected.provenance);
    for (const std::string way : {"Threads=1", "Threads=3"})
    {
        for (const std::string rules : {"",
                                        ":Rules=published",
                                        ":Rules=upper",
                                        ":Clustering=true",
                                        ":Rules=published:Clustering=true"})
        {
            NS_TEST_EXPECT_MSG_EQ(
                (estimate("parsimon:" + way + rules).fctNs == estimate("parsimon" + rules).fctNs),
                true,
                way << rules);
        }
    }
    NS_TEST_EXPECT_MSG_EQ((estimate("parsimon:Rules=published").fctNs == expected.fctNs),
                          false,
                          "published");
    // rules that take no waiting off add more of it, on average
    const auto upper = estimate("parsimon:Rules=upper");
    const auto sum = [](const DcnEstimate& of) {
        return std::accumulate(of.fctNs.begin(), of.fctNs.end(), int64_t{0});
    };
    NS_TEST_EXPECT_MSG_GT(sum(upper), sum(expected), "upper");
    // a flow alone is not delayed, by any rules
    auto alone = MakeFabric(1);
    for (const std::string name : {"parsimon", "parsimon:Rules=published", "parsimon:Rules=upper"})
    {
        NS_TEST_EXPECT_MSG_EQ(DcnEstimator::CreateByName(name)->Estimate(alone).fctNs[0],
                              alone->GetIdealFct(0).GetTotalNs(),
                              name);
    }
    auto refuse = [&](const std::string& name) { return DcnSentenceOf([&]() { estimate(name); }); };
    NS_TEST_EXPECT_MSG_EQ(refuse("parsimon:Rules=mine"),
                          "the method \"parsimon\" has no Rules \"mine\"; there are "
                          "default, published, upper",
                          "rules");
    NS_TEST_EXPECT_MSG_NE(refuse("parsimon:LinkSimulator=x")
                              .find("there is no link simulator \"x\"; there are flowsim, lean"),
                          std::string::npos,
                          "simulator");
    NS_TEST_EXPECT_MSG_EQ(refuse("parsimon:ClusterLoad=0.1"),
                          "the attribute ClusterLoad of the method \"parsimon\" has no effect "
                          "without Clustering=true",
                          "clustering");
}

DcnTestSuite<IncrementalTestCase, DrawsTestCase, KeptEstimatesTestCase, EstimatorTestCase>
    g_parsimonWhatIfTestSuite("parsimon-what-if"); //!< the suite

} // namespace
