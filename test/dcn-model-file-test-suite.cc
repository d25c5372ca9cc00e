/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-model-file.h"
#include "ns3/test.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

using namespace ns3;

namespace
{

/// What was written comes back, bit by bit, and a file that was changed is refused.
class ModelFileTestCase : public TestCase
{
  public:
    ModelFileTestCase()
        : TestCase("models on disk")
    {
    }

  private:
    /**
     * @param path of a file
     * @return its bytes
     */
    static std::string Load(const std::string& path)
    {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    /**
     * @param path of a file
     * @param bytes what it gets
     */
    static void Save(const std::string& path, const std::string& bytes)
    {
        std::ofstream(path, std::ios::binary) << bytes;
    }

    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("model");
        DcnModelFile model("m4");
        model.Set("architecture", "hidden", 32);
        model.Set("architecture", "note", "a \"quoted\" \\ line\nand another");
        model.Set("errors", "mean", 0.0625);
        model.Set("architecture", "hidden", 64); // replaced
        const std::vector<float> values{0.1F,
                                        -std::numeric_limits<float>::max(),
                                        std::numeric_limits<float>::denorm_min(),
                                        -0.0F,
                                        3,
                                        1e-30F};
        model.Add({"gru.w", 2, 3, values});
        model.Add({"gru.b", 1, 1, {7}});
        model.Write(folder);

        const DcnModelFile read = DcnModelFile::Read(folder, "m4");
        NS_TEST_EXPECT_MSG_EQ(read.GetNumber("architecture", "hidden"), 64, "a number");
        NS_TEST_EXPECT_MSG_EQ(read.GetText("architecture", "note"),
                              "a \"quoted\" \\ line\nand another",
                              "a text");
        NS_TEST_EXPECT_MSG_EQ(read.GetNumber("errors", "mean"), 0.0625, "another section");
        NS_TEST_EXPECT_MSG_EQ((read.Get("gru.w", 2, 3).values == values), true, "values");
        NS_TEST_EXPECT_MSG_EQ(std::signbit(read.Get("gru.w", 2, 3).values[3]), true, "-0");
        NS_TEST_EXPECT_MSG_EQ(read.GetTensors().size(), 2, "matrices");
        const std::string again = CreateTempDirFilename("again");
        read.Write(again);
        NS_TEST_EXPECT_MSG_EQ(Load(again + "/card.json"), Load(folder + "/card.json"), "card");
        NS_TEST_EXPECT_MSG_EQ((Load(again + "/weights.bin") == Load(folder + "/weights.bin")),
                              true,
                              "weights");

        const std::string card = folder + "/card.json";
        DCN_TEST_EXPECT_ERROR(read.Get("gru.w", 3, 2),
                              card + ": the matrix gru.w must be 3 x 2, but it is 2 x 3");
        DCN_TEST_EXPECT_ERROR(read.Get("gru.x", 3, 2), card + ": the model has no matrix gru.x");
        DCN_TEST_EXPECT_ERROR(read.GetNumber("errors", "p99"),
                              card + ": the card has no errors.p99");
        DCN_TEST_EXPECT_ERROR(
            DcnModelFile::Read(folder, "m3"),
            card + ": a model of the kind \"m3\" is needed, but this one is \"m4\"");
        DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder + "/none", "m4"),
                              "the model file " + folder + "/none/card.json cannot be read");

        const std::string weights = Load(folder + "/weights.bin");
        const std::string mixed = card + ": weights.bin beside it is damaged, or that of another "
                                         "model";
        Save(folder + "/weights.bin", weights.substr(0, weights.size() - 1));
        DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"), mixed);
        std::string changed = weights;
        changed.back() ^= 1;
        Save(folder + "/weights.bin", changed);
        DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"), mixed);
        Save(folder + "/weights.bin", weights);

        std::string text = Load(card);
        text.replace(text.find("\"format_version\": 1"), 19, "\"format_version\": 9");
        Save(card, text);
        DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"),
                              card + ": the format version is \"9\", but 1 is needed");
        Save(card, "{\n\"model\": {\n");
        NS_TEST_EXPECT_MSG_EQ(
            DcnSentenceOf([&]() { DcnModelFile::Read(folder, "m4"); }).rfind(card + ":", 0),
            std::size_t{0},
            "a card that is no JSON is named with its line");
    }
};

/// The suite.
class DcnModelFileTestSuite : public TestSuite
{
  public:
    DcnModelFileTestSuite()
        : TestSuite("dcn-model-file", Type::UNIT)
    {
        AddTestCase(new ModelFileTestCase);
    }
};

DcnModelFileTestSuite g_dcnModelFileTestSuite; //!< the suite

} // namespace
