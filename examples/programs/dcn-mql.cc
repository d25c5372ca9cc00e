/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Latency of every flow and queue of a data-center network by the queueing model MQL.
 *
 * Without options: all-to-all traffic of 500-byte packets at 50 % load on a fat tree of 128 hosts.
 * With --measured=true, rates and moments are those of the transfers of a scenario.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-recipe.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-two-tier.h"
#include "ns3/mql-report.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

using namespace ns3;

namespace
{

/// Options of synthetic traffic on a tree.
struct Synthetic
{
    std::string topology{"fat-tree"};  //!< Three tiers, or two with parallel links
    uint32_t k{8};                     //!< Ports of each switch of the fat tree
    DcnTwoTierParameters twoTier;      //!< Hosts and ports of the tree of two tiers
    std::string linkRate{"100Mbps"};   //!< Rate of every link
    std::string linkDelay{"0us"};      //!< Delay of every link
    std::string pattern{"all-to-all"}; //!< Pattern of senders and receivers
    std::string split{"hash"};         //!< Routing
    uint64_t ecmpSeed{1};              //!< Seed of hash routing
    MqlTrafficOptions spec;            //!< Load and moments

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        DcnAddText(cmd, "topology", "fat-tree (three tiers) or two-tier", topology);
        cmd.AddValue("k", "Ports of each switch of the fat tree: k^3 / 4 hosts", k);
        cmd.AddValue("hosts", "Hosts of the tree of two tiers", twoTier.hosts);
        cmd.AddValue("radix", "Ports of each switch of the tree of two tiers", twoTier.radix);
        DcnAddText(cmd, "linkRate", "Rate of every link", linkRate);
        DcnAddText(cmd, "linkDelay", "Propagation delay of every link", linkDelay);
        DcnAddText(cmd, "pattern", "all-to-all, incast, broadcast or asymmetric", pattern);
        DcnAddText(cmd, "split", "hash (a path per flow) or even (over all shortest paths)", split);
        cmd.AddValue("ecmpSeed", "Seed of the hash", ecmpSeed);
        cmd.AddValue("load", "Utilisation of the busiest host link by data", spec.load);
        cmd.AddValue("c2a", "Squared coefficient of variation of gaps (1: Poisson)", spec.c2a);
        cmd.AddValue("packetBytes", "Mean size of data packets on the wire", spec.wireBytes);
        cmd.AddValue("c2s", "Squared coefficient of variation of packet sizes", spec.c2s);
        cmd.AddValue("density", "Fraction of the pattern's pairs used", spec.density);
        cmd.AddValue("unequalRates", "Flows have random rates", spec.unequalRates);
        cmd.AddValue("ackBytes", "Size of ACKs on the wire (0: none)", spec.ackBytes);
        cmd.AddValue("acksPerPacket", "ACKs per data packet", spec.acksPerPacket);
        cmd.AddValue("seed", "Seed of density and random rates", spec.seed);
    }

    /**
     * @param given options of the command line
     * @return the model of the options
     */
    MqlReport Create(const DcnGivenOptions& given)
    {
        const std::map<std::string, MqlPattern> patterns{{"all-to-all", MqlPattern::ALL_TO_ALL},
                                                         {"incast", MqlPattern::INCAST},
                                                         {"broadcast", MqlPattern::BROADCAST},
                                                         {"asymmetric", MqlPattern::ASYMMETRIC}};
        const auto found = patterns.find(pattern);
        if (found == patterns.end())
        {
            DcnFail("--pattern must be all-to-all, incast, broadcast or asymmetric, not \"",
                    pattern,
                    "\"");
        }
        if (split != "hash" && split != "even")
        {
            DcnFail("--split must be hash or even, not \"", split, "\"");
        }
        const bool isTwoTier = topology == "two-tier";
        if (!isTwoTier && topology != "fat-tree")
        {
            DcnFail("--topology must be fat-tree or two-tier, not \"", topology, "\"");
        }
        given.CheckEffects({{{"ecmpSeed"}, split == "hash", "with --split=even"},
                            {{"acksPerPacket"}, spec.ackBytes > 0, "without --ackBytes"},
                            {{"seed"},
                             spec.density < 1 || spec.unequalRates,
                             "without --density or --unequalRates"},
                            {{"k"}, !isTwoTier, "with --topology=two-tier"},
                            {{"hosts", "radix"}, isTwoTier, "with --topology=fat-tree"}});
        DcnFatTreeParameters tree;
        tree.k = k;
        if (!DcnParseRate(linkRate, tree.linkRate) || tree.linkRate.GetBitRate() == 0)
        {
            DcnFail("--linkRate must be a rate such as 10Gbps, but it is \"", linkRate, "\"");
        }
        if (!DcnParseTime(linkDelay, tree.linkDelay))
        {
            DcnFail("--linkDelay must be a time such as 1us, but it is \"", linkDelay, "\"");
        }
        twoTier.linkRate = tree.linkRate;
        twoTier.linkDelay = tree.linkDelay;
        spec.pattern = found->second;
        Ptr<DcnTopology> network = isTwoTier ? DcnBuildTopology(twoTier) : DcnBuildTopology(tree);
        std::vector<MqlFlow> flows = MqlMakeTraffic(*network, spec);
        if (split == "even")
        {
            return MqlReport(std::move(flows), DcnRouting(network));
        }
        return MqlReport(network, std::move(flows), ecmpSeed);
    }
};

/// What the program does with a model.
struct Answer
{
    MqlOptions how;                 //!< Formulas
    std::string formula{"auto"};    //!< Name of the formula
    double similarity{-1};          //!< Threshold; below 0: none
    std::size_t nQueues{10};        //!< Queues to print
    std::string correction{"auto"}; //!< Name of the correction
    std::string out;                //!< Folder for files; empty: none

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        DcnAddText(cmd, "formula", "auto, ge-flow, ge-link, subtractive or damped", formula);
        cmd.AddValue("bufferPackets", "Waiting room of a queue; 0: infinite", how.bufferPackets);
        cmd.AddValue("similarity", "Threshold S_T, as 0.05; below 0: no similarity", similarity);
        DcnAddText(cmd,
                   "correction",
                   "Learned correction of flows' latencies: auto (the shipped one, for "
                   "--formula=auto), none or a file",
                   correction);
        cmd.AddValue("queues", "Number of hottest queues to print", nQueues);
        DcnAddText(cmd, "out", "Folder for queues.csv, flows.csv and tiers.png (none)", out);
    }

    /**
     * Solves the model, prints and writes its answer.
     * @param mql the model
     * @param seconds that it took to make it
     * @param cc congestion control that the model leaves out; empty: none
     */
    void Give(MqlReport& mql, double seconds, const std::string& cc) const
    {
        const DcnStopwatch watch;
        const MqlSolution& solution = mql.Solve(how);
        const double solving = watch.Get().wallSeconds;
        const bool learned = mql.SetCorrection(correction);
        std::cout << mql.GetNFlows() << " flows on " << mql.GetTopology().GetHosts().size()
                  << " hosts, " << mql.GetNQueues() << " queues with traffic; formula "
                  << MqlGetFormulaName(solution.GetFormula())
                  << (learned ? ", latencies of flows with learned correction\n\n" : "\n\n");
        if (!cc.empty())
        {
            std::cout << "open-loop model: reactions of " << cc
                      << ", windows, ECN and PFC are not in it\n\n";
        }
        const std::string unknown = mql.DescribeUntrained();
        if (!unknown.empty())
        {
            std::cerr << "dcn-mql: warning: " << unknown << std::endl;
        }
        mql.Print(std::cout, nQueues);
        std::cout << "\nflows, routes and moments in " << seconds << " s, model in " << solving
                  << " s: " << solution.GetNModelCalls() << " model calls for "
                  << solution.GetNEvaluations() << " queues and pairs of links ("
                  << mql.GetNSplitVisits() << " visits of flow splits)" << std::endl;
        if (!out.empty())
        {
            DcnMakeFolder(out);
            const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
            mql.WriteQueues(out + "/queues.csv");
            mql.WriteFlows(out + "/flows.csv");
            const bool picture = mql.PlotTiers(out + "/tiers");
            std::cout << "written: " << out << "/queues.csv, " << out << "/flows.csv"
                      << (picture ? ", " + out + "/tiers.png" : "") << std::endl;
        }
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    const bool isScenario = std::count(argv, argv + argc, std::string("--measured=true")) > 0;
    bool measured = isScenario;
    Synthetic synthetic;
    DcnScenarioOptions options;
    Answer answer;
    CommandLine cmd(__FILE__);
    cmd.Usage("Latency of every flow and queue by a queueing model. Options of scenarios (see "
              "dcn-compare --help) take the place of those of synthetic traffic with "
              "--measured=true.");
    cmd.AddValue("measured", "Measure rates and moments from a scenario's transfers", measured);
    if (isScenario)
    {
        options.AddTo(cmd);
    }
    else
    {
        synthetic.AddTo(cmd);
    }
    answer.AddTo(cmd);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-mql", [&]() {
        if (measured != isScenario)
        {
            DcnFail("--measured must be true (with options of scenarios) or be omitted");
        }
        answer.how.formula = MqlParseFormula(answer.formula);
        if (answer.similarity >= 0)
        {
            answer.how.similarity = answer.similarity;
        }
        Ptr<const DcnScenario> scenario = measured ? options.Create() : nullptr;
        const DcnStopwatch watch;
        MqlReport mql = scenario ? MqlReport(*scenario) : synthetic.Create(given);
        answer.Give(mql,
                    watch.Get().wallSeconds,
                    scenario ? scenario->GetNetwork().congestionControl : "");
        return 0;
    });
}
