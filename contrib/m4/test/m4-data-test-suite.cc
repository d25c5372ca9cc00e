/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "dcn-test-optional.h"

#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-dataset-recipe.h"
#include "ns3/dcn-torch.h"
#include "ns3/m4-data.h"
#include "ns3/m4-learning-curve.h"
#include "ns3/m4-network.h"
#include "ns3/m4-range.h"
#include "ns3/m4-tape.h"
#include "ns3/m4-trainer.h"
#include "ns3/test.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
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
    recipe.Set("flows=40,cc=dctcp" + rules);
    DcnDatasetGenerator(recipe, seed, 5, 5, folder).Run(1, {});
}

/// @return the lines of a file
std::vector<std::string>
ReadLines(const std::string& path)
{
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

/// Data sets: the split, what is known of a simulation, and what a card says of them.
class SetsTestCase : public TestCase
{
  public:
    SetsTestCase()
        : TestCase("data sets with events and without")
    {
    }

  private:
    void DoRun() override
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
        NS_TEST_EXPECT_MSG_EQ(truth->left.size(), 40, "what is left by flow");
        NS_TEST_EXPECT_MSG_EQ(truth->GetLeft(0, truth->scenario->GetFlows()[0].startNs),
                              1,
                              "all in the beginning");

        // without events nothing is known, instead of that nothing is left
        M4Data bare(times, 2);
        const auto bareTruth = bare.ReadTraining(0);
        NS_TEST_EXPECT_MSG_EQ(bareTruth->left.empty(), true, "not known");
        NS_TEST_EXPECT_MSG_EQ((bareTruth->fctNs == truth->fctNs), true, "but completion times");
        M4Tape tape(*bareTruth);
        M4Step step;
        std::size_t steps = 0;
        for (; tape.Next(step); ++steps)
        {
            for (const float left : step.left)
            {
                NS_TEST_EXPECT_MSG_EQ(left, M4Step::NO_LABEL, "no label");
            }
            for (const float queue : step.queue)
            {
                NS_TEST_EXPECT_MSG_EQ(queue, M4Step::NO_LABEL, "no label");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(steps, 80, "starts and departures");

        // hashes tell by what simulations are, not by where they are
        const std::string hash = M4Data(all, 2).GetHash();
        NS_TEST_EXPECT_MSG_EQ(M4Data(again, 2).GetHash(), hash, "the same simulations");
        NS_TEST_EXPECT_MSG_NE(M4Data(other, 2).GetHash(), hash, "others");
        NS_TEST_EXPECT_MSG_NE(M4Data(all, 1).GetHash(), hash, "others to validate with");
        NS_TEST_EXPECT_MSG_NE(set.GetHash(), hash, "more");

        DcnModelFile model = M4Network::MakeUntrained({4, 1});
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
};

/// Options of a training that are refused, and data that it does not go on with.
class OptionsTestCase : public TestCase
{
  public:
    OptionsTestCase()
        : TestCase("options of a training")
    {
    }

  private:
    void DoRun() override
    {
        M4TrainingOptions options;
        options.architecture = {4, 1};
        auto expect = [this](const M4TrainingOptions& bad, const std::string& sentence) {
            DCN_TEST_EXPECT_ERROR(M4Trainer(bad, nullptr, 1), sentence);
        };
        auto rates = [&](double first, double last, const std::string& shown) {
            M4TrainingOptions bad = options;
            bad.firstRate = first;
            bad.lastRate = last;
            expect(bad, "the learning rate must be above 0 and not rise, but it is " + shown);
        };
        rates(-0.01, -5, "-0.01 in the beginning and -5 in the end");
        rates(0.001, 0.002, "0.001 in the beginning and 0.002 in the end");
        rates(0.001, 0, "0.001 in the beginning and 0 in the end");
        rates(std::numeric_limits<double>::infinity(), 1, "inf in the beginning and 1 in the end");
        M4TrainingOptions bad = options;
        bad.lambdaQueue = -1;
        expect(bad,
               "weights in the loss must be at least 0, but they are 1 for the shares left and "
               "-1 for the queues");
        bad = options;
        bad.averaging = 1;
        expect(bad,
               "the decay of the average of the weights must be at least 0 and below 1, but it is "
               "1");

        options.data = "one";
        const std::string folder = CreateTempDirFilename("state");
        M4Trainer(options, nullptr, 1).Save(folder);
        M4Trainer(options, nullptr, 1).Load(folder);
        options.data = "two";
        const std::string sentence =
            DcnSentenceOf([&]() { M4Trainer(options, nullptr, 1).Load(folder); });
        NS_TEST_EXPECT_MSG_EQ((sentence.find("data=one, but ") != std::string::npos &&
                               sentence.find("data=two are asked for") != std::string::npos),
                              true,
                              "other data: " << sentence);
    }
};

/// A learning curve has a line for each epoch, once, whatever a stopped training left.
class CurveTestCase : public TestCase
{
  public:
    CurveTestCase()
        : TestCase("learning curve")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("learning-curve.csv");
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());

        M4Errors errors;
        const std::string data = CreateTempDirFilename("curve-data");
        MakeSet(data, 3, ",record=fct");
        const auto read = M4Data(data, 1).ReadValidation(0);
        errors.Add(*read, read->fctNs);
        M4Trainer::Report report;
        report.events = 10;
        {
            M4LearningCurve curve(path, 0);
            for (int epoch = 1; epoch <= 3; ++epoch)
            {
                report.logSlowdown = 1.0 / epoch;
                curve.Add(report, errors, errors, 2);
            }
        }
        const auto whole = ReadLines(path);
        NS_TEST_ASSERT_MSG_EQ(whole.size(), 4, "a header and three epochs");
        NS_TEST_EXPECT_MSG_EQ(whole[2], "2,0.5,0,0,0,0,0,0,0,5", "the second");
        // the third was written, but its state was not saved: it is done again
        M4LearningCurve resumed(path, 2);
        NS_TEST_EXPECT_MSG_EQ(resumed.GetN(), 2, "lines that are kept");
        resumed.Add(report, errors, errors, 2);
        NS_TEST_EXPECT_MSG_EQ((ReadLines(path) == whole), true, "once each");
        // the file was lost: what is added has its own number all the same
        std::filesystem::remove(path);
        M4LearningCurve lost(path, 2);
        lost.Add(report, errors, errors, 2);
        NS_TEST_EXPECT_MSG_EQ(ReadLines(path).at(1), whole[3], "the third epoch");
        // another training begins anew
        M4LearningCurve anew(path, 0);
        anew.Add(report, errors, errors, 2);
        NS_TEST_EXPECT_MSG_EQ(ReadLines(path).size(), 2, "a header and an epoch");
    }
};

/// The suite.
class M4DataTestSuite : public DcnOptionalTestSuite
{
  public:
    M4DataTestSuite()
        : DcnOptionalTestSuite("m4-data", Type::UNIT)
    {
        AddTestCasesIf(DcnDatasetReader::IsAvailable(),
                       DCN_NEED_HDF5,
                       {new SetsTestCase, new CurveTestCase});
        AddTestCasesIf(DcnTorch::IsAvailable(), DCN_NEED_LIBTORCH, {new OptionsTestCase});
    }
};

M4DataTestSuite g_m4DataTestSuite; //!< the suite

} // namespace
