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

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Takes the name of a file from config.txt, unless it is given.
void
TakeFile(const std::string& name, const char* key, const std::string& config, std::string& option)
{
    if (option.empty())
    {
        option = name;
    }
    else if (!name.empty())
    {
        std::printf("ignored: %s of %s, since %s is given\n", key, config.c_str(), option.c_str());
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string topologyFile;
    std::string flowFile;
    std::string matrix;
    std::string config;
    std::string startUnit = "ps";
    std::string cc;
    std::string network;
    std::string method;
    std::string out = "scenario";
    uint64_t seed = 1;
    CommandLine cmd(__FILE__);
    cmd.Usage("Convert files of HPCC's simulator and of htsim to a scenario directory.");
    DcnAddText(cmd,
               "config",
               "config.txt of HPCC's simulator: topology, flows and network",
               config);
    DcnAddText(cmd, "topology", "Topology file of HPCC or SimAI", topologyFile);
    DcnAddText(cmd, "flows", "File of flows of HPCC or m4", flowFile);
    DcnAddText(cmd, "matrix", "Connection matrix of htsim, in place of --flows", matrix);
    DcnAddText(cmd,
               "startUnit",
               "Unit of starts of --matrix: ps, or us for htsim's programs for UEC and EQDS",
               startUnit);
    DcnAddText(cmd, "cc", "Congestion control; none: that of --config, or dctcp", cc);
    DcnAddText(cmd, "network", "Keys of network.csv, e.g. window_bytes=36000,pfc=0", network);
    DcnAddText(cmd, "method", "Estimate with this method, and write fct.txt", method);
    cmd.AddValue("seed", "Seed of the paths", seed);
    DcnAddText(cmd, "out", "Folder for the scenario directory", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-convert", [&]() {
        DcnHpccFiles files;
        DcnHpccFiles::Config file;
        if (!config.empty())
        {
            file = files.ReadConfig(config, cc);
            TakeFile(file.topology, "TOPOLOGY_FILE", config, topologyFile);
            if (matrix.empty())
            {
                TakeFile(file.flows, "FLOW_FILE", config, flowFile);
            }
            if (file.congestionControl.empty())
            {
                DcnFail(config, ": there is no CC_MODE: give --cc");
            }
        }
        if (topologyFile.empty() || flowFile.empty() == matrix.empty())
        {
            DcnFail("--topology must be given, and one of --flows and --matrix; or --config");
        }
        if (matrix.empty() && startUnit != "ps")
        {
            DcnFail("--startUnit has an effect with --matrix only");
        }
        Ptr<DcnTopology> topology = files.ReadTopology(topologyFile);
        std::vector<DcnFlow> flows = matrix.empty()
                                         ? files.ReadFlows(flowFile, *topology)
                                         : files.ReadConnectionMatrix(matrix, *topology, startUnit);
        const std::size_t nRead = flows.size();
        if (file.stopNs > 0)
        {
            flows.erase(
                std::remove_if(flows.begin(),
                               flows.end(),
                               [&](const auto& each) { return each.startNs >= file.stopNs; }),
                flows.end());
        }
        std::vector<uint32_t> senders;
        for (const DcnFlow& flow : flows)
        {
            senders.push_back(flow.src);
        }
        Ptr<DcnNetworkConfig> parameters =
            DcnNetworkConfig::Preset(!file.congestionControl.empty() ? file.congestionControl
                                     : cc.empty()                    ? "dctcp"
                                                                     : cc,
                                     topology->GetNicRates(senders));
        if (config.empty())
        {
            parameters->SetKeys(network);
        }
        else
        {
            files.Apply(file, *topology, *parameters, network);
            std::printf("%s: %s, %s, %s\n",
                        config.c_str(),
                        topologyFile.c_str(),
                        (matrix.empty() ? flowFile : matrix).c_str(),
                        parameters->congestionControl.c_str());
        }
        for (const std::string& each : files.DescribeUnused())
        {
            std::printf("%s\n", each.c_str());
        }
        if (flows.size() < nRead)
        {
            std::printf("note: %zu flows start after SIMULATOR_STOP_TIME and are left out\n",
                        nRead - flows.size());
        }
        Ptr<const DcnScenario> scenario =
            DcnScenario::Create(topology, parameters, std::move(flows), {}, seed);
        DcnWriteScenario(*scenario, out);
        if (parameters->HasManyPaths())
        {
            std::filesystem::remove(out + "/paths.csv"); // paths are pinned with ECMP only
        }
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
            DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
            if (estimate.fctNs.size() != scenario->GetFlows().size())
            {
                DcnFail("the method ", method, " has no completion times of single flows");
            }
            for (std::size_t i = 0; file.stopNs > 0 && i < estimate.fctNs.size(); ++i)
            {
                int64_t& fctNs = estimate.fctNs[i];
                fctNs = scenario->GetFlows()[i].startNs + fctNs <= file.stopNs ? fctNs : -1;
            }
            files.WriteFct(*scenario, estimate.fctNs, out + "/fct.txt");
            std::printf("written: %s/fct.txt\n", out.c_str());
        }
        return 0;
    });
}
