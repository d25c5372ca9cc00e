/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/network/m4-default-network.h"
#include "../training/m4-replay.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"

#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-dataset-recipe.h"
#include "ns3/dcn-torch.h"
#include "ns3/m4-data.h"
#include "ns3/m4-trainer.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Make a data set of five small simulations under DCTCP.
 * @param folder of the data set
 * @param seed of the data set
 * @param rules beside that
 */
void
MakeSet(const std::string& folder, uint64_t seed, const std::string& rules)
{
    DcnDatasetRecipe recipe("fabric");
    recipe.SetAll("flows=40,cc=dctcp" + rules);
    DcnDatasetGenerator(recipe, seed, 5, 5, folder).Run(1);
}

/// Data sets: the split, what is known of a simulation, and what a card says of them.
DCN_TEST_CASE(SetsTestCase, "data sets with events and without")
{
    const std::string all = CreateTempDirFilename("all");
    const std::string again = CreateTempDirFilename("again");
    const std::string other = CreateTempDirFilename("other");
    const std::string times = CreateTempDirFilename("times");
    MakeSet(all, 3, "");
    MakeSet(again, 3, "");
    MakeSet(other, 4, "");
    MakeSet(times, 3, ",record=fct");

    M4Data set(all + "," + other, 2);
    NS_TEST_EXPECT_MSG_EQ(set.GetNTraining(), 6, "three of each");
    NS_TEST_EXPECT_MSG_EQ(set.GetNValidation(), 4, "the last two of each");
    const auto truth = set.ReadTraining(0);
    NS_TEST_EXPECT_MSG_EQ(truth->remaining.size(), 40, "remaining fractions by flow");
    NS_TEST_EXPECT_MSG_EQ(truth->GetRemaining(0, truth->scenario->GetFlows()[0].startNs),
                          1,
                          "all in the beginning");

    // without events the remaining fraction is not known, rather than 0
    M4Data bare(times, 2);
    const auto bareTruth = bare.ReadTraining(0);
    NS_TEST_EXPECT_MSG_EQ(bareTruth->remaining.empty(), true, "not known");
    NS_TEST_EXPECT_MSG_EQ((bareTruth->fctNs == truth->fctNs), true, "but completion times");
    M4Replay replay(*bareTruth);
    M4Step step;
    std::size_t steps = 0;
    for (; replay.Next(step); ++steps)
    {
        for (const float weight : step.remainingWeight)
        {
            NS_TEST_EXPECT_MSG_EQ(weight, 0, "no label");
        }
        for (const float weight : step.queueWeight)
        {
            NS_TEST_EXPECT_MSG_EQ(weight, 0, "no label");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(steps, 80, "starts and departures");

    // hashes tell by what simulations are, not by where they are
    const std::string hash = M4Data(all, 2).GetHash();
    NS_TEST_EXPECT_MSG_EQ(M4Data(again, 2).GetHash(), hash, "the same simulations");
    NS_TEST_EXPECT_MSG_NE(M4Data(other, 2).GetHash(), hash, "others");
    NS_TEST_EXPECT_MSG_NE(M4Data(all, 1).GetHash(), hash, "others to validate with");
    NS_TEST_EXPECT_MSG_NE(set.GetHash(), hash, "more");

    DcnModelFile model = M4DefaultNetwork::MakeUntrained(4);
    set.GetSets().Describe(model);
    NS_TEST_EXPECT_MSG_EQ(model.GetText("data_2", "seed"), "4", "seed of the second");
    NS_TEST_EXPECT_MSG_EQ(model.GetText("data_1", "flows"), "40", "rules of the first");
    NS_TEST_EXPECT_MSG_NE(model.GetText("data_1", "hash"), model.GetText("data_2", "hash"), "");
    uint32_t nRead = 0;
    const DcnTrainedRanges range = set.ReadRange([&nRead]() { ++nRead; });
    NS_TEST_EXPECT_MSG_EQ(nRead, 6, "those to train on");
    NS_TEST_EXPECT_MSG_EQ(range.Get("hpcc", "window / BDP").IsEmpty(), true, "DCTCP alone");
    NS_TEST_EXPECT_MSG_EQ(range.Get("dctcp", "sender's rate [bit/s]").high, 1e10, "10 Gb/s");
    NS_TEST_EXPECT_MSG_LT(range.Get("dctcp", "window / BDP").low,
                          range.Get("dctcp", "window / BDP").high,
                          "windows and paths differ");
}

/// Options of a training that are refused, and data that it does not go on with.
DCN_TEST_CASE(OptionsTestCase, "options of a training")
{
    M4TrainingOptions options;
    options.hidden = 4;
    auto expect = [this](const M4TrainingOptions& bad, const std::string& sentence) {
        DCN_TEST_EXPECT_ERROR(M4Trainer(bad, nullptr, 1), sentence);
    };
    auto rates = [&](double first, double last, const std::string& shown) {
        M4TrainingOptions bad = options;
        bad.firstRate = first;
        bad.lastRate = last;
        expect(bad, "the learning rate of a training must not rise, but goes from " + shown);
    };
    rates(-0.01, -5, "-0.01 to -5");
    rates(0.001, 0.002, "0.001 to 0.002");
    rates(0.001, 0, "0.001 to 0");
    M4TrainingOptions bad = options;
    bad.lambdaQueue = -1;
    expect(bad,
           "weights in the loss must be at least 0, but they are 1 for remaining fractions and "
           "-1 for queues");
    bad = options;
    bad.averaging = 1;
    expect(bad, "a training cannot clip gradients to 1 or average weights with a decay of 1");
    bad = options;
    bad.dense = -1;
    expect(bad, "the weight of slowdowns at all events must be between 0 and 1, but it is -1");
    bad = options;
    bad.chunk = 0;
    expect(bad, "the chunk of a training must be at least 1, but it is 0");

    options.data = "one";
    const std::string folder = CreateTempDirFilename("state");
    M4Trainer(options, nullptr, 1).Save(folder);
    M4Trainer(options, nullptr, 1).Load(folder);
    options.data = "two";
    const std::string sentence =
        DcnSentenceOf([&]() { M4Trainer(options, nullptr, 1).Load(folder); });
    NS_TEST_EXPECT_MSG_NE(
        sentence.find(" was made with data=one, but data=two is asked for: choose another folder"),
        std::string::npos,
        "other data: " << sentence);
}

DcnTestSuite g_m4DataTestSuite(
    "m4-data",
    DcnTestsIf(DcnDatasetReader::IsAvailable(), DCN_NEED_HDF5, {new SetsTestCase}),
    DcnTestsIf(DcnTorch::IsAvailable(), DCN_NEED_LIBTORCH, {new OptionsTestCase})); //!< the suite

} // namespace
