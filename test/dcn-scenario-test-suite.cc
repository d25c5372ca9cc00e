/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-changes.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/config.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-scenario-value.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/dcn-topology.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traced-callback.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;

namespace
{

/// Files of a small scenario directory: two hosts at one switch.
const std::map<std::string, std::string> GOOD_FILES = {
    {"nodes.csv", "node_id,kind\n10,host\n20,host\n30,switch\n"},
    {"links.csv", "a,b,rate_bps,delay_ns\n10,30,10000000000,1000\n20,30,25000000000,500\n"},
    {"flows.csv", "flow_id,src,dst,size_bytes,start_ns\n5,20,10,2500,7\n4,10,20,1000,7\n"},
    {"network.csv", "key,value\ncc,dctcp\nwindow_bytes,12000\ndctcp_g,0.125\n"},
    {"paths.csv", "flow_id,path\n4,10-30-20\n"},
};

/**
 * Write a scenario directory.
 * @param folder where to
 * @param file one of its files
 * @param content what that file holds instead; "-": the file is missing
 */
void
WriteFiles(const std::string& folder, const std::string& file, const std::string& content)
{
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    for (const auto& [name, good] : GOOD_FILES)
    {
        if (name != file)
        {
            std::ofstream(folder + "/" + name) << good;
        }
        else if (content != "-")
        {
            std::ofstream(folder + "/" + name) << content;
        }
    }
}

/**
 * @param path a file
 * @return what it holds
 */
std::string
ReadFile(const std::string& path)
{
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
}

/// What a directory says is what the scenario holds; writing and reading it gives the same.
DCN_TEST_CASE(DirectoryTestCase, "scenario directories are read and written")
{
    const std::string folder = CreateTempDirFilename("good");
    WriteFiles(folder, "", "");
    Ptr<const DcnScenario> scenario = DcnReadScenario(folder);
    const DcnTopology& topology = scenario->GetTopology();
    NS_TEST_ASSERT_MSG_EQ(topology.GetNNodes(), 3, "nodes");
    NS_TEST_ASSERT_MSG_EQ(topology.GetNLinks(), 4, "directed links");
    NS_TEST_EXPECT_MSG_EQ(topology.GetExternalId(1), 20, "number in the file");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLink(2).rateBps, 25'000'000'000, "rate");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLink(2).delayNs, 500, "delay");
    const auto& flows = scenario->GetFlows();
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 2, "flows");
    NS_TEST_EXPECT_MSG_EQ(flows[0].id, 4, "flows of one instant are ordered by id");
    NS_TEST_EXPECT_MSG_EQ(flows[1].sizeBytes, 2500, "size");
    NS_TEST_EXPECT_MSG_EQ(flows[1].startNs, 7, "start");
    const DcnPath path = scenario->GetPath(0);
    NS_TEST_ASSERT_MSG_EQ(path.size(), 2, "hops");
    NS_TEST_EXPECT_MSG_EQ(topology.DescribeLink(path[0]), "10->30", "first hop");
    NS_TEST_EXPECT_MSG_EQ(topology.DescribeLink(path[1]), "30->20", "last hop");
    const DcnNetworkParameters& network = scenario->GetNetwork();
    NS_TEST_EXPECT_MSG_EQ(network.windowBytes, 12000, "window");
    NS_TEST_EXPECT_MSG_EQ(network.GetOwn("dctcp_g"), 0.125, "gain");
    NS_TEST_EXPECT_MSG_EQ(network.ecnKmaxBytes, 20000, "what is not named has its preset");

    // a file from another system: byte order mark, carriage returns, blanks, comments
    std::ofstream(folder + "/nodes.csv")
        << "\xef\xbb\xbfnode_id,kind\r\n# two hosts\r\n10, host\r\n20,host \r\n\r\n30,switch";
    NS_TEST_EXPECT_MSG_EQ(DcnReadScenario(folder)->GetTopology().GetNNodes(), 3, "nodes again");

    const std::string once = CreateTempDirFilename("once");
    const std::string twice = CreateTempDirFilename("twice");
    DcnWriteScenario(*scenario, once);
    DcnWriteScenario(*DcnReadScenario(once), twice);
    for (const auto& [name, content] : GOOD_FILES)
    {
        NS_TEST_EXPECT_MSG_EQ(ReadFile(once + "/" + name),
                              ReadFile(twice + "/" + name),
                              name << " after a round trip");
    }
    NS_TEST_EXPECT_MSG_EQ(ReadFile(once + "/nodes.csv"), GOOD_FILES.at("nodes.csv"), "nodes");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(once + "/links.csv"), GOOD_FILES.at("links.csv"), "links");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(once + "/paths.csv"),
                          "flow_id,path\n4,10-30-20\n5,20-30-10\n",
                          "all paths are pinned");
}

/// Each kind of bad input ends in one sentence with file, line and value.
DCN_TEST_CASE(BadInputTestCase, "bad scenario directories are refused")
{
    // file: the bad file
    // content: what it holds
    // sentence: expected, after "<folder>/<file>"
    const auto expect =
        [&](const std::string& file, const std::string& content, const std::string& sentence) {
            const std::string folder = CreateTempDirFilename("bad");
            WriteFiles(folder, file, content);
            NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&folder]() { DcnReadScenario(folder); }),
                                  folder + "/" + file + sentence,
                                  "content: " << content);
        };
    expect("nodes.csv", "-", ": the file cannot be read (there is no such file)");
    expect("nodes.csv",
           "node,kind\n",
           ":1: the header must be \"node_id,kind\", but it is \"node,kind\"");
    expect("nodes.csv", "", ": the header must be \"node_id,kind\", but it is \"\"");
    expect("nodes.csv",
           "node_id,kind\n1,router\n",
           ":2: kind must be host or switch, but it is \"router\"");
    expect("nodes.csv", "node_id,kind\n1,host\n1,host\n", ":3: node_id 1 stands for two nodes");
    expect("nodes.csv",
           "node_id,kind\nx,host\n",
           ":2: node_id must be a whole number from 0, but it is \"x\"");
    expect("nodes.csv", "node_id,kind\n1\n", ":2: the row has 1 columns instead of 2");
    expect("nodes.csv", "node_id,kind\n1,host,\n", ":2: the row has 3 columns instead of 2");

    const std::string links = "a,b,rate_bps,delay_ns\n";
    expect("links.csv", links + "10,40,1,1\n", ":2: node 40 is not in nodes.csv");
    expect("links.csv", links + "10,10,1,1\n", ":2: the link joins node 10 to itself");
    expect("links.csv", links + "10,30,0,1\n", ":2: the link between 10 and 30 has the rate 0");
    expect("links.csv",
           links + "10,30,-5,1\n",
           ":2: rate_bps must be a whole number from 0, but it is \"-5\"");
    expect("links.csv",
           links + "10,30,10G,1\n",
           ":2: rate_bps must be a whole number from 0, but it is \"10G\"");
    expect("links.csv",
           links + "10,30,1,-1\n",
           ":2: the link between 10 and 30 has a delay of -1 ns, which is before 0");

    const std::string flows = "flow_id,src,dst,size_bytes,start_ns\n";
    expect("flows.csv", flows, ": the file has no flow");
    expect("flows.csv", flows + "1,10,99,1,0\n", ":2: node 99 is not in nodes.csv");
    expect("flows.csv", flows + "4,10,20,1,0\n4,20,10,1,0\n", ":3: flow_id 4 stands for two flows");
    expect("flows.csv", flows + "4,30,20,1,0\n", ":2: flow 4 starts at 30, which is a switch");
    expect("flows.csv", flows + "4,10,30,1,0\n", ":2: flow 4 ends at 30, which is a switch");
    expect("flows.csv", flows + "4,10,10,1,0\n", ":2: flow 4 goes from host 10 to itself");
    expect("flows.csv", flows + "4,10,20,0,0\n", ":2: flow 4 has the size 0");
    expect("flows.csv",
           flows + "4,10,20,1.5,0\n",
           ":2: size_bytes must be a whole number from 0, but it is \"1.5\"");
    expect("flows.csv", flows + "4,10,20,1,-3\n", ":2: flow 4 starts at -3 ns, which is before 0");

    const std::string paths = "flow_id,path\n";
    expect("paths.csv",
           paths + "4,10-20\n",
           ":2: the path of flow 4 goes from 10 to 20, but no link joins them");
    expect("paths.csv",
           paths + "4,10-30\n",
           ":2: the path of flow 4 does not lead from its source 10 to its destination 20");
    expect("paths.csv",
           paths + "4,10-30-20-\n",
           ":2: path must be node ids joined by '-', but it is \"10-30-20-\"");
    expect("paths.csv",
           paths + "4,10-30:1-20\n",
           ":2: the path of flow 4 takes parallel link 1 from 10 to 30, but there are only 1");
    expect("paths.csv",
           paths + "4,10-30:4294967296-20\n",
           ":2: \"30:4294967296\" names a parallel link, but there are not so many");
    expect("paths.csv",
           paths + "4,10:0-30-20\n",
           ":2: \"10:0\" names a parallel link, but no link leads to the first node");
    expect("paths.csv", paths + "9,10-30-20\n", ":2: flow_id 9 is no flow of the scenario");
    expect("paths.csv", paths + "4,10-77-20\n", ":2: node 77 is not in nodes.csv");
    expect("paths.csv",
           paths + "4,10>30\n",
           ":2: path must be node ids joined by '-', but it is \"10>30\"");
    expect("paths.csv", paths + "4,10-30-20\n4,10-30-20\n", ":3: flow_id 4 has two paths");

    expect("flows.csv",
           flows + "4,10,20,1,9223372036854775807\n",
           ":2: flow 4 starts at 9223372036854775807 ns, later than 1000000000000000");
    expect("links.csv",
           links + "10,30,1,900000000000000\n",
           ":2: the link between 10 and 30 has a delay of 900000000000000 ns, more than "
           "100000000000");

    const std::string network = "key,value\n";
    std::string controls; // those of other suites, too
    for (const std::string& name : DcnNetworkConfig::GetCongestionControls())
    {
        controls += (controls.empty() ? "" : ", ") + name;
    }
    expect("network.csv",
           network + "cc,dctcp\nwindow_bytes,900\n",
           ": window_bytes 900 is less than one packet of payload_bytes 1000 (0: no window)");
    expect("network.csv", network + "window_bytes,1\n", ": the key \"cc\" is missing");
    expect("network.csv",
           network + "cc,cubic\n",
           ":2: the congestion control \"cubic\" is not one of " + controls);
    expect("network.csv",
           network + "cc,dctcp\nwindow,5\n",
           ":3: \"window\" is no key of the network configuration");
    expect("network.csv",
           network + "hpcc_eta,0.9\ncc,dctcp\n",
           ":2: hpcc_eta belongs to hpcc, but the congestion control is dctcp");
    expect("network.csv",
           network + "cc,dctcp\nwindow_bytes,lots\n",
           ":3: window_bytes cannot be \"lots\"; it takes a whole number from 0");
    expect("network.csv",
           network + "cc,dctcp\ndctcp_g,1.5\n",
           ":3: dctcp_g cannot be \"1.5\"; it takes a number from 0 to 1");
    expect("network.csv",
           network + "cc,dctcp\npfc,2\n",
           ":3: pfc cannot be \"2\"; it takes 0 or 1");
    expect("network.csv",
           network + "cc,dctcp\npfc,1\npfc,0\n",
           ":4: the key \"pfc\" is given twice");
}

/// A file with nearly the name of one that may be missing is not left out without a word.
DCN_TEST_CASE(NamesTestCase, "names of files in scenario directories")
{
    const std::string folder = CreateTempDirFilename("names");
    for (const char* wrong : {"path.csv", "Paths.csv", "paths.CSV", "pathes.csv", "paths.cvs"})
    {
        WriteFiles(folder, "paths.csv", "-");
        DcnWriteTestFile(folder + "/" + wrong, GOOD_FILES.at("paths.csv"));
        DCN_TEST_EXPECT_ERROR(
            DcnReadScenario(folder),
            folder + "/" + wrong +
                ": a scenario directory has no file of this name, did you mean paths.csv?");
    }
    WriteFiles(folder, "paths.csv", "-");
    for (const char* other : {"truth.csv", "fct.csv", "fct.txt", "paths.txt", "summary.csv"})
    {
        DcnWriteTestFile(folder + "/" + other, "x");
    }
    DCN_TEST_EXPECT_ERROR(DcnReadScenario(folder), "no error");
}

/**
 * Each cell of a scenario directory is used or refused, whatever is changed in it: its links,
 * flows, paths and keys are seen in the scenario, or a sentence names the file.
 */
class ChangedFilesTestCase : public DcnChangesTestCase
{
  public:
    /** @param nCases number of changes for each file */
    explicit ChangedFilesTestCase(uint32_t nCases)
        : DcnChangesTestCase("changed scenario directories", nCases)
    {
    }

  private:
    /** @return all that is in a scenario directory. */
    std::string Describe() const
    {
        const Ptr<const DcnScenario> scenario = DcnReadScenario(m_folder);
        const DcnTopology& topology = scenario->GetTopology();
        std::ostringstream text;
        for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
        {
            text << topology.GetExternalId(node) << " " << topology.IsHost(node) << "\n";
        }
        for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
        {
            const DcnLink& each = topology.GetLink(link);
            text << each.from << " " << each.to << " " << each.rateBps << " " << each.delayNs
                 << "\n";
        }
        for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
        {
            const DcnFlow& flow = scenario->GetFlows()[i];
            text << flow.id << " " << flow.src << " " << flow.dst << " " << flow.sizeBytes << " "
                 << flow.startNs << ":";
            for (const uint32_t link : scenario->GetPath(i))
            {
                text << " " << link;
            }
            text << "\n";
        }
        for (const auto& [key, value] : scenario->GetNetworkConfig()->GetKeys())
        {
            text << key << " " << value << "\n";
        }
        return text.str();
    }

    /**
     * @param text of a file
     * @return its meaning: rows without comments, blanks, quotes, zeros before a number or behind a
     * fraction
     */
    static std::string Simplify(const std::string& text)
    {
        std::string simple;
        std::istringstream stream(text.rfind("\xef\xbb\xbf", 0) == 0 ? text.substr(3) : text);
        for (std::string line; std::getline(stream, line);)
        {
            line = std::regex_replace(line, std::regex("[ \t\r\"]+"), "");
            line = std::regex_replace(line, std::regex("(^|[^0-9.])0+(?=[0-9])"), "$1");
            line = std::regex_replace(line, std::regex("([.][0-9]*[1-9])0+$"), "$1");
            simple += line.empty() || line[0] == '#' ? "" : line + "\n";
        }
        return simple;
    }

    /// Changes the bytes of a file: it is refused by name, or a change of its meaning shows.
    void ChangeAnyBytes(const std::string& name, const std::string& text)
    {
        const std::string path = m_folder + "/" + name;
        const std::string answer = Describe();
        for (uint32_t i = 0; i < GetNCases(); ++i)
        {
            const std::string bytes =
                ChangeBytes(text, std::string("0123456789,-:#\"\n\r \t.\0", 22));
            DcnWriteTestFile(path, bytes);
            std::string now;
            const std::string sentence = DcnSentenceOf([&]() { now = Describe(); });
            NS_TEST_EXPECT_MSG_EQ((sentence == "no error" || sentence.rfind(m_folder, 0) == 0),
                                  true,
                                  sentence << " of " << bytes);
            NS_TEST_EXPECT_MSG_EQ(
                (sentence != "no error" || now != answer || Simplify(bytes) == Simplify(text)),
                true,
                name << ": a change has no effect:\n"
                     << bytes);
        }
        DcnWriteTestFile(path, text);
    }

    void DoRun() override
    {
        m_folder = CreateTempDirFilename("changed");
        std::filesystem::create_directories(m_folder);
        // two leaves, two spines, and two links from the second spine to the second leaf
        std::map<std::string, std::string> texts = {
            {"nodes.csv",
             "node_id,kind\n10,host\n20,host\n21,host\n30,switch\n31,switch\n40,switch\n"
             "41,switch\n"},
            {"links.csv",
             "a,b,rate_bps,delay_ns\n10,30,10000000000,1000\n20,31,25000000000,500\n"
             "21,31,25000000000,500\n30,40,40000000000,1000\n30,41,40000000000,700\n"
             "40,31,40000000000,1000\n41,31,40000000000,1000\n41,31,100000000000,1000\n"},
            {"flows.csv",
             "flow_id,src,dst,size_bytes,start_ns\n5,20,10,2500,7\n4,10,20,1000,7\n"
             "6,10,21,900,100\n"},
            {"network.csv",
             "key,value\ncc,dctcp\nwindow_bytes,12000\ndctcp_g,0.125\npayload_bytes,1200\n"
             "buffer_bytes,500000\n"}};
        for (const auto& [name, text] : texts)
        {
            DcnWriteTestFile(m_folder + "/" + name, text);
        }
        // paths that no hash would choose, so that a row that is not read shows
        const Ptr<const DcnScenario> scenario = DcnReadScenario(m_folder);
        const DcnTopology& topology = scenario->GetTopology();
        std::string paths = "flow_id,path\n";
        for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
        {
            const DcnFlow& flow = scenario->GetFlows()[i];
            const DcnPath path = scenario->GetPath(i);
            const bool isFirst = topology.GetExternalId(topology.GetLink(path[1]).to) == 40;
            const bool isUp = topology.GetExternalId(flow.src) == 10;
            paths += std::to_string(flow.id) + "," +
                     std::to_string(topology.GetExternalId(flow.src)) + (isUp ? "-30" : "-31") +
                     (!isFirst ? "-40"
                      : isUp   ? "-41"
                               : "-41:1") +
                     (isUp ? (isFirst ? "-31:1" : "-31") : "-30") + "-" +
                     std::to_string(topology.GetExternalId(flow.dst)) + "\n";
        }
        texts["paths.csv"] = paths;
        DcnWriteTestFile(m_folder + "/paths.csv", paths);
        uint32_t nRefused = 0;
        for (const auto& [name, text] : texts)
        {
            nRefused += ChangeWords(
                name,
                m_folder + "/" + name,
                text,
                [this](const std::string&) { return Describe(); },
                ',');
            ChangeAnyBytes(name, text);
        }
        NS_TEST_EXPECT_MSG_GT(nRefused, 5 * GetNCases() / 2, "most changes are errors");
        NS_TEST_EXPECT_MSG_LT(nRefused, 5 * GetNCases() * 19 / 20, "some are other numbers");
    }

    std::string m_folder; //!< the scenario directory
};

/// An unreachable destination, and networks that are none.
DCN_TEST_CASE(UnreachableTestCase, "unreachable destinations are refused")
{
    const std::string folder = CreateTempDirFilename("split");
    WriteFiles(folder, "", "");
    std::ofstream(folder + "/nodes.csv")
        << "node_id,kind\n10,host\n20,host\n30,switch\n40,switch\n";
    std::ofstream(folder + "/links.csv")
        << "a,b,rate_bps,delay_ns\n10,30,10000000000,1\n20,40,10000000000,1\n";
    std::filesystem::remove(folder + "/paths.csv");
    DCN_TEST_EXPECT_ERROR(DcnReadScenario(folder),
                          folder + "/flows.csv:3: flow 4: host 20 cannot be reached from host 10");
    std::ofstream(folder + "/links.csv") << "a,b,rate_bps,delay_ns\n10,30,10000000000,1\n";
    DCN_TEST_EXPECT_ERROR(DcnReadScenario(folder),
                          folder +
                              ": node 20 has no link: join it to another node, or leave it out");
    DCN_TEST_EXPECT_ERROR(DcnReadScenario(folder + "/none"),
                          folder + "/none: there is no such scenario directory");
}

/// Values that do not go together.
DCN_TEST_CASE(ConfigTestCase, "network configurations are checked as a whole")
{
    const uint64_t host = 10'000'000'000;
    auto refuse = [this, host](const std::string& keys, const std::string& sentence) {
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        DCN_TEST_EXPECT_ERROR((config->SetKeys(keys), config->Check({host})), sentence);
    };
    refuse("window_bytes=900",
           "window_bytes 900 is less than one packet of payload_bytes 1000 (0: no window)");
    refuse("ecn_kmin_bytes=30000", "ecn_kmin_bytes 30000 is above ecn_kmax_bytes 20000");
    refuse("min_rate_bps=0", "min_rate_bps is 0, so a flow could stop for ever: give at least 1");
    refuse("min_rate_bps=20000000000",
           "min_rate_bps 20000000000 is above the largest rate of flows that leave by a NIC of "
           "10000000000 bit/s, 10000000000 bit/s");
    refuse("window_bytes", "\"window_bytes\" is not of the form key=value");
    refuse("cc=hpcc",
           "\"cc=hpcc\" would change the congestion control but keep the parameters of dctcp: the "
           "configuration is made for one (--cc)");
    refuse("pfc=0,pfc=1", "the key \"pfc\" is given twice");
    refuse("ecn_kmin_bytes=500000,ecn_kmax_bytes=500000",
           "ecn_kmin_bytes 500000 is above buffer_bytes 409600, so no packet would ever be "
           "marked");
    refuse("ecn_pmax=0.5",
           "ecn_pmax is 0.5, which has no effect while ecn_kmin_bytes and ecn_kmax_bytes are both "
           "20000: every packet above them is marked");
    refuse("ecn_pmax=0.5,ecn_kmax_bytes=30000", "no error");
    refuse("ecn_pmax=1", "no error"); // as it is
    refuse("payload_bytes=0",
           "payload_bytes cannot be \"0\"; it takes a whole number from 1 to 65000");

    // defaults that were changed, as by --ns3::DcnNetworkConfig::HpccEta=0.5: used or refused
    const auto change = [&](const char* attribute,
                            const std::string& value,
                            const std::string& cc,
                            const std::string& keys,
                            const std::string& sentence) {
        Config::SetDefault(std::string("ns3::DcnNetworkConfig::") + attribute, StringValue(value));
        DCN_TEST_EXPECT_ERROR(DcnNetworkConfig::Preset(cc, host)->SetKeys(keys),
                              sentence == "no error"
                                  ? sentence
                                  : std::string("the attribute ns3::DcnNetworkConfig::") +
                                        attribute + sentence);
        Config::Reset();
    };
    change("CongestionControl",
           "hpcc",
           "dctcp",
           "",
           "=hpcc has no effect: the configuration is made for dctcp; give --cc=hpcc, or the key "
           "cc of network.csv");
    change("CongestionControl", "hpcc", "hpcc", "", "no error");
    change("HpccEta",
           "0.5",
           "dctcp",
           "",
           "=0.5 belongs to hpcc, but the congestion control is dctcp: leave it out, or give "
           "--cc=hpcc");
    change("HpccEta", "0.5", "hpcc", "", "no error");
    change("HpccEta",
           "0.5",
           "hpcc",
           "hpcc_eta=0.5",
           "=0.5 is given, and the key hpcc_eta: give one of them");
    change("WindowBytes",
           "3000",
           "dctcp",
           "window_bytes=9000",
           "=3000 is given, and the key window_bytes: give one of them");
    change("WindowBytes", "3000", "dctcp", "", "no error");
    change("EcnPmax",
           "0.5",
           "dcqcn",
           "",
           "=0.5 has no effect, since the preset, network.csv or another key sets ecn_pmax: give "
           "--network=ecn_pmax=0.5");
    change("EcnPmax", "0.5", "dctcp", "ecn_kmax_bytes=30000", "no error");

    // every key of every congestion control reads back as it was written
    for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
    {
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc, 4 * host);
        Ptr<DcnNetworkConfig> copy = CreateObject<DcnNetworkConfig>();
        for (const auto& [key, value] : config->GetKeys())
        {
            copy->SetKey(key, value);
        }
        NS_TEST_EXPECT_MSG_EQ((copy->GetKeys() == config->GetKeys()), true, cc);
    }
    DCN_TEST_EXPECT_ERROR(DcnNetworkConfig::Preset("dctcp", host, "best"),
                          "the preset \"best\" is not one of evaluation, paper");
    DCN_TEST_EXPECT_ERROR(
        DcnNetworkConfig::Preset("dctcp", host, "paper"),
        "there is no preset \"paper\" of the congestion control \"dctcp\": the paper's is TCP's, "
        "with slow start and a window that grows by a packet per round trip; take the method "
        "tcp:Transport=ns3::TcpDctcp, or the preset evaluation");
    // one window of bytes for all flows, and the high floor, are the evaluations'
    const auto paper = DcnNetworkConfig::Preset("hpcc", host, "paper");
    NS_TEST_EXPECT_MSG_EQ(paper->GetWindowBytes(host, 8000), 10000, "HPCC: a window of the path");
    NS_TEST_EXPECT_MSG_EQ(paper->GetWindowBytes(2 * host, 16000), 40000, "and of the flow");
    NS_TEST_EXPECT_MSG_EQ(paper->GetWindowBytes(host, 100), 1000, "at least a packet");
    for (const char* rateBased : {"dcqcn", "timely"})
    {
        NS_TEST_EXPECT_MSG_EQ(
            DcnNetworkConfig::Preset(rateBased, host, "paper")->GetWindowBytes(host, 8000),
            0,
            rateBased << " has no window");
    }
    // of two units of one window the later counts, also in a file of the preset
    Ptr<DcnNetworkConfig> read = DcnNetworkConfig::Preset("hpcc", host);
    for (const auto& [key, value] : paper->GetKeys())
    {
        read->SetKey(key, value);
    }
    NS_TEST_EXPECT_MSG_EQ((read->GetKeys() == paper->GetKeys()), true, "read back");
    NS_TEST_EXPECT_MSG_EQ(read->GetWindowBytes(host, 8000), 10000, "one product");
    read->SetKeys("window_bytes=5000");
    NS_TEST_EXPECT_MSG_EQ(read->GetWindowBytes(host, 8000), 5000, "bytes");
    read->SetKeys("window_bdp=0.75");
    NS_TEST_EXPECT_MSG_EQ(read->GetWindowBytes(host, 8000), 7500, "products");
    NS_TEST_EXPECT_MSG_EQ(read->windowBytes, 0, "for methods with one window for all flows");
    NS_TEST_EXPECT_MSG_EQ(read->GetOwn("hpcc_additive_increase_bps"), 0, "bytes");
    read->SetKeys("hpcc_additive_increase_bps=5000000");
    NS_TEST_EXPECT_MSG_EQ(read->GetOwn("hpcc_additive_increase_bytes"), 0, "as a rate");
    read->SetKeys("hpcc_additive_increase_bytes=40");
    NS_TEST_EXPECT_MSG_EQ(read->GetOwn("hpcc_additive_increase_bps"), 0, "the later one");
    read->Check({host});
    read->windowBytes = 9000;
    DCN_TEST_EXPECT_ERROR(read->Check({host}),
                          "window_bdp is 0.75 and window_bytes is 9000, but a flow has one window: "
                          "set one of them to 0");
    NS_TEST_EXPECT_MSG_EQ(
        DcnNetworkConfig::Preset("timely", 4 * host, "paper")->minRate.GetBitRate(),
        40'000'000,
        "floor of 40 Gb/s hosts");
    // the preset scales with the hosts: the window stays one of 14.4 us
    NS_TEST_EXPECT_MSG_EQ(DcnNetworkConfig::Preset("dctcp", 4 * host)->windowBytes,
                          72000,
                          "window of 40 Gb/s hosts");
}

/// A topology is a view of nodes that are joined by ordinary ns-3 devices.
DCN_TEST_CASE(FromNodesTestCase, "topology of nodes with PointToPointNetDevices")
{
    // hosts 0 and 1, switches 2 and 3; host 0 has two links
    NodeContainer nodes;
    nodes.Create(4);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("25Gbps"));
    link.SetChannelAttribute("Delay", StringValue("3us"));
    link.Install(nodes.Get(0), nodes.Get(2));
    link.Install(nodes.Get(2), nodes.Get(3));
    link.Install(nodes.Get(2), nodes.Get(3)); // parallel
    link.Install(nodes.Get(3), nodes.Get(1));

    Ptr<DcnTopology> topology = DcnTopology::FromNodes(nodes);
    NS_TEST_ASSERT_MSG_EQ(topology->GetNLinks(), 8, "directed links");
    NS_TEST_EXPECT_MSG_EQ(topology->GetHosts().size(), 2, "nodes with one link are hosts");
    NS_TEST_EXPECT_MSG_EQ(topology->GetNodes().Get(3), nodes.Get(3), "the same nodes");
    for (uint32_t i = 0; i < topology->GetNLinks(); ++i)
    {
        const DcnLink& each = topology->GetLink(i);
        NS_TEST_EXPECT_MSG_EQ(each.rateBps, 25'000'000'000, "rate");
        NS_TEST_EXPECT_MSG_EQ(each.delayNs, 3000, "delay");
        NS_TEST_EXPECT_MSG_EQ(topology->GetDevice(i)->GetNode(), nodes.Get(each.from), "from");
        NS_TEST_EXPECT_MSG_EQ(topology->GetLink(DcnTopology::Reverse(i)).to, each.from, "back");
    }
    NS_TEST_EXPECT_MSG_EQ(DcnRouting(topology).GetHops(0, 1), 3, "hops");

    link.Install(nodes.Get(0), nodes.Get(3));
    NodeContainer hosts(nodes.Get(0), nodes.Get(1));
    NodeContainer switches(nodes.Get(2), nodes.Get(3));
    topology = DcnTopology::FromNodes(hosts, switches);
    NS_TEST_EXPECT_MSG_EQ(topology->IsHost(0), true, "a host with two links");
    NS_TEST_EXPECT_MSG_EQ(DcnRouting(topology).GetHops(0, 1), 2, "the shorter way");
    DCN_TEST_EXPECT_ERROR(DcnTopology::FromNodes(hosts, hosts),
                          "node " + std::to_string(nodes.Get(0)->GetId()) +
                              " is twice in the container");
    Simulator::Destroy();
}

/// A file appears whole or not at all.
DCN_TEST_CASE(FileWriterTestCase, "files are written whole or not at all")
{
    const std::string folder = CreateTempDirFilename("out");
    DcnMakeFolder(folder);
    {
        DcnFileWriter file(folder + "/left.csv");
        file.Stream() << "half";
    }
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::is_empty(folder), true, "nothing is left behind");
    {
        DcnFileWriter file(folder + "/done.csv");
        file.Stream() << "whole";
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/done.csv"), false, "not yet");
        file.Commit();
    }
    NS_TEST_EXPECT_MSG_EQ(ReadFile(folder + "/done.csv"), "whole", "content");
    DCN_TEST_EXPECT_ERROR(DcnFileWriter(folder + "/none/x.csv"),
                          folder +
                              "/none/x.csv: the file cannot be written (there is no such folder)");
    DCN_TEST_EXPECT_ERROR(
        DcnMakeFolder(folder + "/done.csv/sub"),
        folder +
            "/done.csv/sub: the output folder cannot be made or written (a file has this name)");
    DCN_TEST_EXPECT_ERROR(DcnFileWriter(folder),
                          folder + ": the file cannot be written (it is a folder)");
    // a row without line end may be half of one: a note, once per file
    const auto note = [&](const std::string& text) {
        const std::string path = CreateTempDirFilename("open-end.csv");
        DcnWriteTestFile(path, text);
        const DcnTestStderr captured;
        for (int i = 0; i < 2; ++i)
        {
            DcnCsvReader csv(path, {"a", "b"});
            while (csv.FetchRow())
            {
            }
        }
        return captured.GetText();
    };
    NS_TEST_EXPECT_MSG_EQ(note("a,b\n1,20\n"), "", "complete");
    NS_TEST_EXPECT_MSG_EQ(note("a,b\n1,20\n# end"), "", "a comment");
    NS_TEST_EXPECT_MSG_EQ(note("a,b\n1,20\n2,3"),
                          "note: " + CreateTempDirFilename("open-end.csv") +
                              ":3: the last row has no line end: if the file was cut, its last "
                              "value is wrong\n",
                          "one note");
    DCN_TEST_EXPECT_ERROR(DcnCsvReader(folder, {}),
                          folder + ": the file cannot be read (it is a folder)");
    // /proc has no room for folders, even of the superuser
    DCN_TEST_EXPECT_ERROR(
        DcnMakeFolder("/proc/dcn"),
        "/proc/dcn: the output folder cannot be made or written (no folder can be made there)");
    const std::string file = folder + "/x.csv";
    NS_TEST_EXPECT_MSG_EQ(DcnDescribeFileError(file, ENOENT),
                          " (there is no such file)",
                          "missing");
    NS_TEST_EXPECT_MSG_EQ(DcnDescribeFileError(file, EACCES), " (no permission)", "permission");
    NS_TEST_EXPECT_MSG_EQ(DcnDescribeFileError(file, ENOSPC), " (the disk is full)", "full");
    NS_TEST_EXPECT_MSG_EQ(DcnDescribeFileError(file, EDQUOT), " (the disk is full)", "quota");
    NS_TEST_EXPECT_MSG_EQ(DcnDescribeFileError(file, 0), "", "not known");
    // a file that cannot grow is refused, and leaves nothing
    {
        struct rlimit before;
        getrlimit(RLIMIT_FSIZE, &before);
        struct rlimit small = before;
        small.rlim_cur = 1000;
        auto* handler = std::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        const std::string sentence = DcnSentenceOf([&file]() {
            DcnFileWriter writer(file);
            writer.Stream() << std::string(100'000, 'x');
            writer.Commit();
        });
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        NS_TEST_EXPECT_MSG_EQ(sentence.rfind(file + ": the file cannot be written", 0),
                              std::size_t{0},
                              sentence);
    }
    std::size_t n = 0;
    for (const auto& each : std::filesystem::directory_iterator(folder))
    {
        n += each.path().filename() != "done.csv";
    }
    NS_TEST_EXPECT_MSG_EQ(n, 0, "no file is left behind");
}

/// An object of a user with a topology and a scenario as attributes, and a trace of scenarios.
class Holder : public Object
{
  public:
    /// Get the type ID. @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::DcnTestHolder")
                .SetParent<Object>()
                .SetGroupName("Dcn")
                .AddConstructor<Holder>()
                .AddAttribute("Topology",
                              "A network.",
                              DcnTopologyValue(),
                              MakeDcnTopologyAccessor(&Holder::m_topology),
                              MakeDcnTopologyChecker())
                .AddAttribute("Scenario",
                              "Flows.",
                              DcnScenarioValue(),
                              MakeDcnScenarioAccessor(&Holder::SetScenario, &Holder::GetScenario),
                              MakeDcnScenarioChecker())
                .AddTraceSource("ScenarioChanged",
                                "There is a scenario.",
                                MakeTraceSourceAccessor(&Holder::m_changed),
                                "ns3::DcnTestHolder::ChangedCallback");
        return tid;
    }

    /// Sets the scenario and reports it.
    void SetScenario(Ptr<const DcnScenario> scenario)
    {
        m_scenario = scenario;
        m_changed(scenario);
    }

    /// @return the scenario
    Ptr<const DcnScenario> GetScenario() const
    {
        return m_scenario;
    }

  private:
    Ptr<const DcnTopology> m_topology;                //!< attribute
    Ptr<const DcnScenario> m_scenario;                //!< attribute
    TracedCallback<Ptr<const DcnScenario>> m_changed; //!< ScenarioChanged
};

NS_OBJECT_ENSURE_REGISTERED(Holder);

DCN_TEST_CASE(AttributeTestCase, "topologies and scenarios as attributes and in traces")
{
    const std::string folder = CreateTempDirFilename("attribute");
    WriteFiles(folder, "", "");
    const Ptr<const DcnScenario> scenario = DcnReadScenario(folder);
    const Ptr<Holder> holder = CreateObject<Holder>();
    std::size_t nFlows = 0;
    holder->TraceConnectWithoutContext(
        "ScenarioChanged",
        Callback<void, Ptr<const DcnScenario>>([&nFlows](Ptr<const DcnScenario> each) {
            nFlows += each ? each->GetFlows().size() : 0;
        }));
    holder->SetAttribute("Topology", DcnTopologyValue(scenario->GetTopologyPtr()));
    holder->SetAttribute("Scenario", DcnScenarioValue(scenario));
    NS_TEST_EXPECT_MSG_EQ(nFlows, 2, "the trace source");
    DcnTopologyValue topology;
    DcnScenarioValue flows;
    holder->GetAttribute("Topology", topology);
    holder->GetAttribute("Scenario", flows);
    NS_TEST_EXPECT_MSG_EQ((topology.Get() == scenario->GetTopologyPtr()), true, "shared");
    NS_TEST_EXPECT_MSG_EQ((flows.Get() == scenario), true, "shared");
    StringValue text;
    holder->GetAttribute("Topology", text);
    NS_TEST_EXPECT_MSG_EQ(text.Get(), "2 hosts, 1 switches, 2 links", "as text");
    holder->GetAttribute("Scenario", text);
    NS_TEST_EXPECT_MSG_EQ(text.Get(), "2 flows", "as text");
    // by the path of a directory: of one object, of a factory, and as a default
    holder->SetAttribute("Scenario", StringValue(folder));
    NS_TEST_EXPECT_MSG_EQ((holder->GetScenario() != scenario), true, "read again");
    NS_TEST_EXPECT_MSG_EQ(holder->GetScenario()->GetFlows().size(), 2, "by its path");
    ObjectFactory factory("ns3::DcnTestHolder", "Scenario", DcnScenarioValue(scenario));
    NS_TEST_EXPECT_MSG_EQ((factory.Create<Holder>()->GetScenario() == scenario), true, "factory");
    Config::SetDefault("ns3::DcnTestHolder::Scenario", StringValue(folder));
    NS_TEST_EXPECT_MSG_EQ(CreateObject<Holder>()->GetScenario()->GetFlows().size(), 2, "default");
    Config::SetDefault("ns3::DcnTestHolder::Scenario", DcnScenarioValue());
    DCN_TEST_EXPECT_ERROR(holder->SetAttribute("Scenario", StringValue(folder + "/none")),
                          folder + "/none: there is no such scenario directory");
    NS_TEST_EXPECT_MSG_EQ(holder->SetAttributeFailSafe("Topology", StringValue("32 hosts")),
                          false,
                          "a text is no topology");
}

/// A directory keeps each key, also one that the preset of its network sets, and that is 0 here.
DCN_TEST_CASE(KeysTestCase, "keys of network.csv are kept")
{
    DcnTopologyBuilder builder; // NICs of two rates, for which presets set a reference rate
    for (int i = 0; i < 3; ++i)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    builder.AddNode(DcnNodeKind::SWITCH);
    for (const uint32_t host : {0, 1, 2})
    {
        builder.AddLink(host, 3, host == 0 ? 10'000'000'000 : 40'000'000'000, 1000);
    }
    const Ptr<DcnTopology> topology = builder.Build();
    const std::string folder = CreateTempDirFilename("keys");
    for (const std::string& cc : DcnNetworkConfig::GetCongestionControls())
    {
        for (const std::string keys :
             {"", "reference_rate_bps=0", "reference_rate_bps=40000000000"})
        {
            const Ptr<DcnNetworkConfig> network =
                DcnNetworkConfig::Preset(cc, topology->GetNicRates({0, 1}));
            network->SetKeys(keys);
            const auto scenario =
                DcnScenario::Create(topology, network, {{0, 0, 2, 1000, 0}, {1, 1, 2, 1000, 5}});
            DcnWriteScenario(*scenario, folder);
            NS_TEST_EXPECT_MSG_EQ(
                (DcnReadScenario(folder)->GetNetworkConfig()->GetKeys() == network->GetKeys()),
                true,
                cc << " " << keys);
        }
    }
}

/// Quick cases, and many changed files in the extensive run.
class ScenarioTestSuite : public DcnTestSuite<DirectoryTestCase,
                                              BadInputTestCase,
                                              NamesTestCase,
                                              UnreachableTestCase,
                                              ConfigTestCase,
                                              FromNodesTestCase,
                                              FileWriterTestCase,
                                              AttributeTestCase,
                                              KeysTestCase>
{
  public:
    ScenarioTestSuite()
        : DcnTestSuite("dcn-scenario")
    {
        AddTestCase(new ChangedFilesTestCase(100));
        AddTestCase(new ChangedFilesTestCase(2000), DCN_TEST_EXTENSIVE(ScenarioTestSuite));
    }
};

ScenarioTestSuite g_dcnScenarioTestSuite; //!< the suite

} // namespace
