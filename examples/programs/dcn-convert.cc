/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Converts files of HPCC's family of simulators, of htsim, and data of m3 and m4 to a
 * scenario directory, and completion times back to fct.txt.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-comparison-report.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-hpcc-files.h"
#include "ns3/dcn-m3-folder.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-directory.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What is asked for.
struct Request
{
    std::string topologyFile;    //!< --topology
    std::string flowFile;        //!< --flows
    std::string matrix;          //!< --matrix
    std::string config;          //!< --config
    std::string data;            //!< --data
    std::string simulation;      //!< --simulation
    std::string startUnit{"ps"}; //!< --startUnit
    std::string cc;              //!< --cc
    std::string network;         //!< --network
    std::string method;          //!< --method
    std::string out{"scenario"}; //!< --out
    uint64_t seed{1};            //!< --seed
};

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

/// Reads files of other tools, and writes a scenario directory.
class Conversion
{
  public:
    /** @param request see Request */
    explicit Conversion(const Request& request)
        : m_request(request)
    {
    }

    /// Does all of it.
    void Run();

  private:
    /// Finds the files of a folder of data.
    void Check();
    /// Reads config.txt, which may name the other files.
    void ReadConfig();
    /// Reads the flows, and leaves out those that start after the end of the simulation.
    void ReadFlows();
    /// Makes the network's configuration.
    void MakeNetwork();
    /// Takes buffers without limit for parking lots of m3, as its simulations have them.
    void SetUnlimitedBuffer();
    /// Writes the directory, and says what was converted.
    void Write();
    /// Estimates with --method, and writes fct.txt.
    void Estimate();

    Request m_request;                   //!< see Request
    DcnHpccFiles m_files;                //!< the reader
    std::optional<DcnM3Folder> m_folder; //!< --data
    DcnHpccFiles::Config m_config;       //!< --config
    Ptr<DcnTopology> m_topology;         //!< the network
    std::vector<DcnFlow> m_flows;        //!< the flows
    std::size_t m_nLate{0};              //!< flows after the end of the simulation
    Ptr<DcnNetworkConfig> m_network;     //!< its configuration
    Ptr<const DcnScenario> m_scenario;   //!< all of it
    Ptr<DcnEstimator> m_estimator;       //!< --method
};

void
Conversion::Check()
{
    Request& request = m_request;
    if (!request.data.empty())
    {
        m_folder.emplace(request.data, request.simulation);
        request.config = request.config.empty() ? m_folder->FindConfig() : request.config;
        request.topologyFile =
            request.topologyFile.empty() ? m_folder->FindTopology() : request.topologyFile;
    }
}

void
Conversion::ReadConfig()
{
    Request& request = m_request;
    if (!request.config.empty())
    {
        m_config = m_files.ReadConfig(request.config, request.cc, !m_folder, !m_folder);
        TakeFile(m_config.topology, "TOPOLOGY_FILE", request.config, request.topologyFile);
        std::string& flows = request.matrix.empty() ? request.flowFile : request.matrix;
        TakeFile(m_config.flows, "FLOW_FILE", request.config, flows);
        if (m_config.congestionControl.empty())
        {
            DcnFail(request.config, ": there is no CC_MODE: give --cc");
        }
    }
    const bool hasFlows = !request.flowFile.empty() || !request.matrix.empty();
    if (!m_folder && !request.config.empty() && (request.topologyFile.empty() || !hasFlows))
    {
        DcnFail(request.config,
                request.topologyFile.empty() ? ": there is no TOPOLOGY_FILE: give --topology"
                                             : ": there is no FLOW_FILE: give --flows or --matrix");
    }
    if (!m_folder &&
        (request.topologyFile.empty() || request.flowFile.empty() == request.matrix.empty()))
    {
        DcnFail(
            "--topology must be given, and one of --flows and --matrix; or --config; or --data");
    }
}

void
Conversion::ReadFlows()
{
    const Request& request = m_request;
    m_topology = request.topologyFile.empty() ? m_folder->CreateTopology()
                                              : m_files.ReadTopology(request.topologyFile);
    m_flows = m_folder ? m_folder->ReadFlows(*m_topology, m_files)
              : request.matrix.empty()
                  ? m_files.ReadFlows(request.flowFile, *m_topology)
                  : m_files.ReadConnectionMatrix(request.matrix, *m_topology, request.startUnit);
    const std::size_t nRead = m_flows.size();
    if (m_config.stopNs > 0)
    {
        m_flows.erase(
            std::remove_if(m_flows.begin(),
                           m_flows.end(),
                           [&](const auto& each) { return each.startNs >= m_config.stopNs; }),
            m_flows.end());
    }
    m_nLate = nRead - m_flows.size();
}

void
Conversion::SetUnlimitedBuffer()
{
    // the reserve of ports of 100 Tb/s is larger than the buffer there, and the difference wraps
    if (m_folder && m_request.topologyFile.empty())
    {
        m_network->SetKeys("buffer_bytes=1000000000000");
        std::printf("note: buffers have no limit: in m3's simulations neither buffer nor PFC has "
                    "an effect\n");
    }
}

void
Conversion::MakeNetwork()
{
    const Request& request = m_request;
    std::vector<uint32_t> senders;
    for (const DcnFlow& flow : m_flows)
    {
        senders.push_back(flow.src);
    }
    m_network =
        DcnNetworkConfig::Preset(!m_config.congestionControl.empty() ? m_config.congestionControl
                                 : request.cc.empty()                ? "dctcp"
                                                                     : request.cc,
                                 m_topology->GetNicRates(senders));
    if (request.config.empty())
    {
        SetUnlimitedBuffer();
        m_network->SetKeys(request.network);
        return;
    }
    m_files.Apply(m_config, *m_topology, *m_network, request.network);
    SetUnlimitedBuffer();
    m_network->SetKeys(request.network);
    std::printf("%s: %s, %s, %s\n",
                request.config.c_str(),
                request.topologyFile.empty() ? m_folder->GetSimulation().c_str()
                                             : request.topologyFile.c_str(),
                m_folder                 ? request.data.c_str()
                : request.matrix.empty() ? request.flowFile.c_str()
                                         : request.matrix.c_str(),
                m_network->congestionControl.c_str());
}

void
Conversion::Write()
{
    const std::string& out = m_request.out;
    for (const std::string& each : m_files.DescribeUnused())
    {
        std::printf("%s\n", each.c_str());
    }
    if (m_nLate > 0)
    {
        std::printf("note: %zu flows start after SIMULATOR_STOP_TIME and are left out\n", m_nLate);
    }
    m_scenario = DcnScenario::Create(m_topology, m_network, std::move(m_flows), {}, m_request.seed);
    DcnWriteScenario(*m_scenario, out);
    if (m_network->HasManyPaths())
    {
        std::filesystem::remove(out + "/paths.csv"); // paths are pinned with ECMP only
    }
    std::string options; // of dcn-compare
    if (m_config.stopNs > 0)
    {
        options = " --stopTime=" + std::to_string(m_config.stopNs) + "ns";
        std::printf("note: a directory has no stop time: SIMULATOR_STOP_TIME is%s of dcn-compare\n",
                    options.c_str());
    }
    if (m_folder)
    {
        m_folder->WriteTruth(out + "/truth.csv");
        const std::string unused = m_folder->DescribeUnused();
        std::printf("%s%s", unused.c_str(), unused.empty() ? "" : "\n");
        options += " --truthFile=" + out + "/truth.csv";
    }
    std::printf("%zu flows on %zu hosts; written: %s (dcn-compare --scenario=%s%s)\n",
                m_scenario->GetFlows().size(),
                m_topology->GetHosts().size(),
                out.c_str(),
                out.c_str(),
                options.c_str());
    for (const std::string& sentence : DcnDescribeNetworkLimits(*m_scenario))
    {
        std::printf("    note: %s\n", sentence.c_str());
    }
}

void
Conversion::Estimate()
{
    const std::string& method = m_request.method;
    DcnEstimate estimate = m_estimator->Estimate(m_scenario);
    if (estimate.fctNs.size() != m_scenario->GetFlows().size())
    {
        DcnFail("the method ", method, " has no completion times of single flows");
    }
    std::size_t nCut = 0;
    for (std::size_t i = 0; m_config.stopNs > 0 && i < estimate.fctNs.size(); ++i)
    {
        int64_t& fctNs = estimate.fctNs[i];
        const bool isCut =
            fctNs >= 0 && m_scenario->GetFlows()[i].startNs + fctNs > m_config.stopNs;
        fctNs = isCut ? -1 : fctNs;
        nCut += isCut ? 1 : 0;
    }
    DcnComparisonReport::PrintAnswer(*m_scenario, estimate, false);
    if (nCut > 0)
    {
        std::printf("note: %zu flows are unfinished since they end after SIMULATOR_STOP_TIME\n",
                    nCut);
    }
    m_files.WriteFct(*m_scenario, estimate.fctNs, m_request.out + "/fct.txt");
    std::printf("written: %s/fct.txt\n", m_request.out.c_str());
}

void
Conversion::Run()
{
    Check();
    ReadConfig();
    ReadFlows();
    MakeNetwork();
    if (!m_request.method.empty())
    {
        m_estimator =
            DcnEstimator::CreateByName(m_request.method); // refused before files are there
    }
    if (m_folder)
    {
        m_folder->ReadTruth(); // refused before files are there
    }
    DcnMakeFolder(m_request.out);
    const DcnFolderLock lock(m_request.out, DcnRunRecord::IN_USE);
    for (const char* each : {"truth.csv", "fct.txt"})
    {
        std::filesystem::remove(m_request.out + "/" + each); // those of an earlier scenario
    }
    Write();
    if (!m_request.method.empty())
    {
        Estimate();
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Request request;
    CommandLine cmd(__FILE__);
    cmd.Usage("Convert files of HPCC's simulator, of htsim, and data of m3 and m4 to a scenario "
              "directory.");
    DcnAddText(cmd,
               "config",
               "config.txt of HPCC's simulator: topology, flows and network",
               request.config);
    DcnAddText(cmd, "topology", "Topology file of HPCC or SimAI", request.topologyFile);
    DcnAddText(cmd, "flows", "File of flows of HPCC or m4", request.flowFile);
    DcnAddText(cmd, "matrix", "Connection matrix of htsim, in place of --flows", request.matrix);
    DcnAddText(cmd,
               "data",
               "Folder of data of m3 or m4 (fsize.npy ...), in place of --flows",
               request.data);
    DcnAddText(cmd,
               "simulation",
               "One of several simulations of --data, such as topo-pl-3_s0",
               request.simulation);
    DcnAddText(cmd,
               "startUnit",
               "Unit of starts of --matrix: ps, or us for htsim's programs for UEC and EQDS",
               request.startUnit);
    DcnAddText(cmd, "cc", "Congestion control; none: that of --config, or dctcp", request.cc);
    DcnAddText(cmd,
               "network",
               "Keys of network.csv, e.g. window_bytes=36000,pfc=0",
               request.network);
    DcnAddText(cmd, "method", "Estimate with this method, and write fct.txt", request.method);
    cmd.AddValue("seed", "Seed of the paths", request.seed);
    DcnAddText(cmd, "out", "Folder for the scenario directory", request.out);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-convert", [&]() {
        given.CheckEffects({{{"simulation"}, !request.data.empty(), "without --data"},
                            {{"flows", "matrix"}, request.data.empty(), "with --data"},
                            {{"startUnit"}, !request.matrix.empty(), "without --matrix"}});
        Conversion(request).Run();
        return 0;
    });
}
