/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/estimate/dcn-packet-engine-digest.h"
#include "dcn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/nstime.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param before what the process does first
 * @return the digest that it gets
 */
std::string
GetAfter(const std::function<void()>& before)
{
    return DcnComputeInProcesses(1,
                                 1,
                                 [&before](uint64_t) {
                                     before();
                                     return DcnPacketEngineDigest();
                                 })
        .front();
}

/// What changes the digest, and what does not. First, as processes keep what they know.
DCN_TEST_CASE(ConditionsTestCase, "the digest is that of the engine, whatever process asks for it")
{
    const std::string plain = GetAfter([]() {});
    NS_TEST_EXPECT_MSG_EQ(plain.size(), 16, "digits");
    NS_TEST_EXPECT_MSG_EQ(GetAfter([]() {
                              RngSeedManager::SetSeed(7);
                              RngSeedManager::SetRun(3);
                          }),
                          plain,
                          "other random numbers");
    NS_TEST_EXPECT_MSG_NE(GetAfter([]() {
                              Config::SetDefault("ns3::DcnPacketNetwork::TelemetryQuantised",
                                                 BooleanValue(false));
                          }),
                          plain,
                          "another engine");
    const std::string during =
        DcnComputeInProcesses(1, 1, [](uint64_t) {
            std::string text;
            Simulator::Schedule(Seconds(1), [&text]() { text += DcnPacketEngineDigest(); });
            Simulator::Schedule(Seconds(2), [&text]() { text += " and on"; });
            Simulator::Run();
            Simulator::Destroy();
            return text;
        }).front();
    NS_TEST_EXPECT_MSG_EQ(during, plain + " and on", "in a simulation, which goes on");
}

/**
 * @param line of a scenario
 * @param what a word before a number
 * @return the number
 */
uint64_t
Find(const std::string& line, const std::string& what)
{
    return std::stoull(line.substr(line.find(what + " ") + what.size() + 1));
}

/// The reference scenarios do what they are for, and the engine does what the release says.
DCN_TEST_CASE(RecordTestCase, "the engine is that of the release")
{
    std::istringstream text(DcnPacketEngineRecord());
    std::string totals;
    for (const std::string& cc : DcnScenarioSuite::GetLearnedControls())
    {
        for (const std::string name : {"incast, pauses",
                                       "incast, drops",
                                       "long flows",
                                       "parking lot",
                                       "long flows, paper",
                                       "parking lot, paper"})
        {
            if (cc == "dctcp" && name.find("paper") != std::string::npos)
            {
                continue; // it has no such preset
            }
            std::string line;
            std::getline(text, line);
            totals += line.substr(0, line.find(';')) + "\n";
            NS_TEST_ASSERT_MSG_EQ(line.substr(0, line.find(": dropped")), cc + " " + name, "order");
            // the evaluations' headroom does not keep all packets of an incast with pauses
            if (name != "incast, pauses")
            {
                NS_TEST_EXPECT_MSG_EQ((Find(line, "dropped") > 0),
                                      (name == "incast, drops"),
                                      "drops: " << totals);
            }
            if (name.rfind("incast", 0) == 0)
            {
                NS_TEST_EXPECT_MSG_EQ((Find(line, "pauses") > 0),
                                      (name == "incast, pauses"),
                                      "pauses: " << totals);
                NS_TEST_EXPECT_MSG_GT(Find(line, "marked"), 0, "marks: " << totals);
            }
            NS_TEST_EXPECT_MSG_EQ(Find(line, "unfinished"), 0, "all are complete: " << totals);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(DcnPacketEngineDigest(),
                          DcnHashText(DcnPacketEngineRecord()),
                          "a hash of all");
    NS_TEST_EXPECT_MSG_EQ(
        DcnPacketEngineDigest(),
        DCN_RELEASE_ENGINE_DIGEST,
        "the packet engine does something else than model/base/dcn-origin.h says for release "
            << DCN_RELEASE
            << ". If that is not on purpose, find out why. If it is, put the new digest there "
               "and say in CHANGES.md what changed: data sets made before are not continued "
               "and not mixed with new ones. The scenarios gave\n"
            << totals);
}

DcnTestSuite g_dcnPacketEngineDigestTestSuite("dcn-packet-engine-digest",
                                              {new ConditionsTestCase,
                                               new RecordTestCase}); //!< the suite

} // namespace
