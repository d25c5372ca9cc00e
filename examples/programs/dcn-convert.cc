/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Converts files of HPCC's family of simulators and of htsim to a scenario directory, and
 * completion times back to fct.txt.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-hpcc-files.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/dcn-scenario-directory.h"

#include <cstdio>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string topologyFile;
    std::string flowFile;
    std::string matrix;
    std::string cc = "dctcp";
    std::string network;
    std::string method;
    std::string out = "scenario";
    uint64_t seed = 1;
    CommandLine cmd(__FILE__);
    cmd.Usage("Convert files of HPCC's simulator and of htsim to a scenario directory.");
    DcnAddText(cmd, "topology", "Topology file of HPCC or SimAI", topologyFile);
    DcnAddText(cmd, "flows", "File of flows of HPCC or m4", flowFile);
    DcnAddText(cmd, "matrix", "Connection matrix of htsim, in place of --flows", matrix);
    DcnAddText(cmd, "cc", "Congestion control", cc);
    DcnAddText(cmd, "network", "Keys of network.csv, e.g. window_bytes=36000,pfc=0", network);
    DcnAddText(cmd, "method", "Estimate with this method, and write fct.txt", method);
    cmd.AddValue("seed", "Seed of the paths", seed);
    DcnAddText(cmd, "out", "Folder for the scenario directory", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-convert", [&]() {
        if (topologyFile.empty() || flowFile.empty() == matrix.empty())
        {
            DcnFail("--topology must be given, and one of --flows and --matrix");
        }
        Ptr<DcnTopology> topology = DcnHpccFiles::ReadTopology(topologyFile);
        std::vector<DcnFlow> flows = matrix.empty()
                                         ? DcnHpccFiles::ReadFlows(flowFile, *topology)
                                         : DcnHpccFiles::ReadConnectionMatrix(matrix, *topology);
        std::vector<uint32_t> senders;
        for (const DcnFlow& flow : flows)
        {
            senders.push_back(flow.src);
        }
        Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset(cc, topology->GetNicRates(senders));
        config->SetKeys(network);
        Ptr<const DcnScenario> scenario =
            DcnScenario::Create(topology, config, std::move(flows), {}, seed);
        DcnWriteScenario(*scenario, out);
        std::printf("%zu flows on %zu hosts; written: %s (dcn-compare --scenario=%s)\n",
                    scenario->GetFlows().size(),
                    topology->GetHosts().size(),
                    out.c_str(),
                    out.c_str());
        for (const std::string& sentence : DcnDescribeNetworkLimits(*scenario))
        {
            std::printf("    note: %s\n", sentence.c_str());
        }
        if (!method.empty())
        {
            const DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
            if (estimate.fctNs.size() != scenario->GetFlows().size())
            {
                DcnFail("the method ", method, " has no completion times of single flows");
            }
            DcnHpccFiles::WriteFct(*scenario, estimate.fctNs, out + "/fct.txt");
            std::printf("written: %s/fct.txt\n", out.c_str());
        }
        return 0;
    });
}
