/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-test-output.h"

#include "ns3/dcn-dataset-collection.h"
#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-estimator.h"
#include "ns3/test.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const std::string ENGINE = "tcp:MinRto=5ms"; //!< engine of these data sets

/**
 * @param kind path or fabric
 * @return a recipe for small samples of one congestion control
 */
DcnDatasetRecipe
SmallRecipe(const std::string& kind)
{
    DcnDatasetRecipe recipe(kind);
    recipe.SetAll(kind == "path" ? "flows=40,nodes=3,cc=dctcp"
                                 : "flows=60,pods=1,hosts_per_rack=2,spines_per_plane=1,cc=dctcp");
    return recipe;
}

/// Data sets of TCP continue, and are the same byte by byte whatever the number of processes.
DCN_TEST_CASE_OF(ResumeTestCase,
                 std::string,
                 kind,
                 "TCP as engine of data sets of the kind " + kind)
{
    const std::string whole = CreateTempDirFilename("whole");
    DcnDatasetGenerator(SmallRecipe(kind), 3, 4, 1, whole, ENGINE).Run(1);
    const std::string again = CreateTempDirFilename("again");
    DcnDatasetGenerator(SmallRecipe(kind), 3, 2, 1, again, ENGINE).Run(2);
    std::filesystem::remove(again + "/shard-00000.h5");
    const auto report = DcnDatasetGenerator(SmallRecipe(kind), 3, 4, 1, again, ENGINE).Run(2);
    NS_TEST_EXPECT_MSG_EQ(report.kept, 1, "the shard that was there");
    NS_TEST_EXPECT_MSG_EQ(report.made, 3, "the others");
    for (const char* file : {"/shard-00000.h5",
                             "/shard-00001.h5",
                             "/shard-00002.h5",
                             "/shard-00003.h5",
                             "/manifest.csv"})
    {
        NS_TEST_EXPECT_MSG_EQ((DcnReadTestFile(again + file) == DcnReadTestFile(whole + file)),
                              true,
                              file);
    }

    // the method by itself has the same completion times
    DcnDatasetReader reader(whole);
    reader.Verify();
    for (uint64_t i = 0; i < reader.GetN(); ++i)
    {
        const DcnDatasetSample sample = reader.Read(i);
        const auto fctNs =
            DcnEstimator::CreateByName(ENGINE + ":Seed=" + std::to_string(sample.seed))
                ->Estimate(sample.scenario)
                .fctNs;
        NS_TEST_EXPECT_MSG_EQ((fctNs == sample.fctNs), true, "sample " << i);
        if (kind == "fabric")
        {
            NS_TEST_EXPECT_MSG_EQ(sample.events.size(), 2 * fctNs.size(), "starts and ends");
            NS_TEST_EXPECT_MSG_EQ(
                *std::min_element(sample.queueBytes.begin(), sample.queueBytes.end()),
                0,
                "first packets came everywhere");
            NS_TEST_EXPECT_MSG_GT(
                *std::max_element(sample.queueBytes.begin(), sample.queueBytes.end()),
                0,
                "some have waited");
        }
    }
}

/// Data sets of different engines are not mixed; what has no effect is refused.
DCN_TEST_CASE(EngineTestCase, "data sets record their engine")
{
    const std::string folder = CreateTempDirFilename("tcp");
    DcnDatasetGenerator(SmallRecipe("path"), 3, 1, 1, folder, ENGINE).Run(1);
    const std::string options = DcnReadTestFile(folder + "/dataset.csv");
    NS_TEST_EXPECT_MSG_NE(options.find("\nengine," + ENGINE + "\n"), std::string::npos, "engine");
    NS_TEST_EXPECT_MSG_NE(options.find(" --engine=" + ENGINE + "\n"), std::string::npos, "command");
    const std::string packets = CreateTempDirFilename("packets");
    DcnDatasetGenerator(SmallRecipe("path"), 3, 1, 1, packets).Run(1);
    NS_TEST_EXPECT_MSG_EQ(DcnReadTestFile(packets + "/dataset.csv").find("\nengine,"),
                          std::string::npos,
                          "as before");
    for (const std::string engine : {"packet", "tcp", "tcp:Transport=ns3::TcpCubic"})
    {
        const std::string sentence = DcnSentenceOf([&]() {
            DcnDatasetGenerator(SmallRecipe("path"), 3, 2, 1, folder, engine).Run(1);
        });
        NS_TEST_EXPECT_MSG_EQ(
            sentence.find(folder +
                          "/dataset.csv: the engine that made the data set in this folder "
                          "is " +
                          ENGINE + " "),
            0,
            sentence);
        NS_TEST_EXPECT_MSG_NE(sentence.find(", but this one is " + engine + " "),
                              std::string::npos,
                              sentence);
    }
    NS_TEST_EXPECT_MSG_EQ(
        DcnSentenceOf([&]() { DcnDatasetCollection(folder + "," + packets).RequireOneEngine(); })
            .find("the data sets of a training must be of one engine, but " + folder + " is of " +
                  ENGINE + " "),
        0,
        "a mixture");
    auto refuse = [&](const std::string& rules, const std::string& engine) {
        DcnDatasetRecipe recipe("path");
        recipe.SetAll(rules);
        return DcnSentenceOf([&]() { DcnDatasetGenerator(recipe, 3, 1, 1, folder, engine); });
    };
    NS_TEST_EXPECT_MSG_EQ(refuse("", "tcp"),
                          "the rule cc has 4 values, but all samples of the engine tcp have the "
                          "same transport: set --rules=cc=dctcp, whose thresholds it takes",
                          "several congestion controls");
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() {
                              DcnDatasetGenerator(DcnDatasetRecipe::OfSuite("anywhere"),
                                                  3,
                                                  1,
                                                  1,
                                                  folder,
                                                  "tcp");
                          }),
                          "the suite anywhere has 4 congestion controls, but all samples of the "
                          "engine tcp have the same transport: take the suite tcp",
                          "a suite of several congestion controls");
    NS_TEST_EXPECT_MSG_EQ(
        DcnSentenceOf([&]() {
            DcnDatasetGenerator(DcnDatasetRecipe::OfSuite("tcp"), 3, 1, 1, folder + "-suite", ENGINE);
        }),
        "no error",
        "the suite tcp is taken");
    NS_TEST_EXPECT_MSG_EQ(refuse("cc=dctcp", "udp"),
                          "the engine of a data set must be one of packet, tcp, but it is \"udp\"",
                          "unknown");
    NS_TEST_EXPECT_MSG_EQ(refuse("cc=dctcp", "packet:Seed=2"),
                          "the engine of a data set is \"packet:Seed=2\", but the engine packet "
                          "takes its attributes as --ns3::DcnPacketNetwork::NAME=VALUE",
                          "attributes");
    NS_TEST_EXPECT_MSG_EQ(refuse("cc=dctcp", "tcp:Ecn=false").find("the attribute Ecn=false of"),
                          0,
                          "contradiction");
}

DcnTestSuite g_dcnTcpDatasetTestSuite("dcn-tcp-dataset",
                                      DcnTestsIf(DcnDatasetReader::IsAvailable(),
                                                 DCN_NEED_HDF5,
                                                 {new ResumeTestCase("path"),
                                                  new ResumeTestCase("fabric"),
                                                  new EngineTestCase})); //!< the suite

} // namespace
