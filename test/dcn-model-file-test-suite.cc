/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-changes.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"
#include "dcn-test-process.h"
#include "dcn-test-texts.h"

#include "ns3/config.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-input-check.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-origin.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What was written comes back, bit by bit, and a file that was changed is refused.
DCN_TEST_CASE(ModelFileTestCase, "models on disk")
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
    NS_TEST_EXPECT_MSG_EQ(DcnReadTestFile(again + "/card.json"),
                          DcnReadTestFile(folder + "/card.json"),
                          "card");
    NS_TEST_EXPECT_MSG_EQ(
        (DcnReadTestFile(again + "/weights.bin") == DcnReadTestFile(folder + "/weights.bin")),
        true,
        "weights");

    const std::string card = folder + "/card.json";
    DCN_TEST_EXPECT_ERROR(read.Get("gru.w", 3, 2),
                          card + ": the matrix gru.w must be 3 x 2, but it is 2 x 3");
    DCN_TEST_EXPECT_ERROR(read.Get("gru.x", 3, 2), card + ": the model has no matrix gru.x");
    DCN_TEST_EXPECT_ERROR(read.GetNumber("errors", "p99"), card + ": the card has no errors.p99");
    DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m3"),
                          card + ": a model of the kind \"m3\" is needed, but this one is \"m4\"");
    DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder + "/none", "m4"),
                          folder +
                              "/none/card.json: the file cannot be read (there is no such folder)");

    const std::string weights = DcnReadTestFile(folder + "/weights.bin");
    const std::string mixed = card + ": weights.bin beside it is damaged, or that of another "
                                     "model";
    DcnWriteTestFile(folder + "/weights.bin", weights.substr(0, weights.size() - 1));
    DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"), mixed);
    std::string changed = weights;
    changed.back() ^= 1;
    DcnWriteTestFile(folder + "/weights.bin", changed);
    DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"), mixed);
    DcnWriteTestFile(folder + "/weights.bin", weights);

    std::string text = DcnReadTestFile(card);
    text.replace(text.find("\"format_version\": 1"), 19, "\"format_version\": 9");
    DcnWriteTestFile(card, text);
    DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"),
                          card + ": the format version is \"9\", but 1 or 2 is needed");
    DcnWriteTestFile(card, "{\n\"model\": {\n");
    NS_TEST_EXPECT_MSG_EQ(
        DcnSentenceOf([&]() { DcnModelFile::Read(folder, "m4"); }).rfind(card + ":", 0),
        std::size_t{0},
        "a card that is no JSON is named with its line");
    for (const char* const open : {"[", "{\"a\":", "[{\"a\":", "{\"model\":{\"kind\":["})
    {
        std::string deep = "\n";
        for (int i = 0; i < 200'000; ++i)
        {
            deep += open;
        }
        DcnWriteTestFile(card, deep);
        DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"),
                              card + ":2: this is no file of dcn: objects and arrays are nested "
                                     "more than 100 deep");
    }
    DcnWriteTestFile(card, "{\"a\": \"" + std::string(1000, '[') + "\\\"[\"}");
    DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"),
                          card + ": a model of the kind \"m4\" is needed, but this one is \"\"");
}

/// Changed at random, a card is read, or refused by its name.
class ChangedCardTestCase : public DcnChangesTestCase
{
  public:
    /** @param nCases number of changes */
    explicit ChangedCardTestCase(uint32_t nCases)
        : DcnChangesTestCase("cards of models", nCases)
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("model");
        DcnModelFile model("m4");
        model.Set("architecture", "hidden", 32);
        model.Set("architecture", "note", "a \"quoted\" \\ line\nand another");
        model.Set("errors", "mean", 0.0625);
        model.Add({"gru.w", 2, 3, {1, 2, 3, 4, 5, 6}});
        model.Write(folder);
        const std::string card = folder + "/card.json";
        const std::string text = DcnReadTestFile(card);
        uint32_t nRefused = 0;
        for (uint32_t i = 0; i < GetNCases(); ++i)
        {
            const std::string changed = ChangeBytes(text, "{}[]\",:\\0189-+.eE \n\t\xff");
            DcnWriteTestFile(card, changed);
            const std::string sentence = DcnSentenceOf([&]() { DcnModelFile::Read(folder, "m4"); });
            nRefused += sentence != "no error" ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ((sentence == "no error" || sentence.rfind(card, 0) == 0),
                                  true,
                                  sentence << " of " << changed);
        }
        NS_TEST_EXPECT_MSG_GT(nRefused, GetNCases() / 2, "most changes are errors");
        NS_TEST_EXPECT_MSG_LT(nRefused, GetNCases(), "some change a text");
    }
};

/**
 * @param engine what made the data
 * @param hash of the data
 * @return what is said of a data set
 */
DcnModelCard::Entries
MakeData(const std::string& engine, const std::string& hash = "0000000000000001")
{
    return {{"name", "train"},
            {"hash", hash},
            {"engine_digest", engine},
            {"dcn_release", "0.2"},
            {"recipe", "reduced"},
            {"seed", "11"},
            {"date", "2026-01-02"},
            {"command", "dcn-dataset --seed=11"},
            {"load", "0.2:0.8"}};
}

/// Where a model comes from is on its card, all of it or nothing.
DCN_TEST_CASE(OriginTestCase, "origin of models")
{
    const std::string folder = CreateTempDirFilename("model");
    const std::string path = folder + "/card.json";
    DcnModelFile model("m4");
    model.Add({"gru.b", 1, 1, {7}});
    model.Write(folder);
    auto version = [&path](const std::string& number) {
        const std::string text = DcnReadTestFile(path);
        return text.find("\"format_version\": " + number) != std::string::npos;
    };
    NS_TEST_EXPECT_MSG_EQ(version("1"), true, "without origin, as in release 0.1");
    NS_TEST_EXPECT_MSG_EQ(DcnModelFile::Read(folder, "m4").GetSection("origin").empty(),
                          true,
                          "can be read");

    const std::string before = DcnGetUtcDate();
    model.SetOrigin("m4-train --data=train,heavy", "abc");
    DCN_TEST_EXPECT_ERROR(model.Write(folder), "the card has no data_1.name");
    model.AddData(MakeData("abc"), 800);
    model.AddData(MakeData("abc", "0000000000000002"), 300);
    model.AddData(MakeData("abc"), 800); // of a training before
    model.Write(folder);
    NS_TEST_EXPECT_MSG_EQ(version("2"), true, "with origin");
    const DcnModelFile read = DcnModelFile::Read(folder, "m4");
    const std::string date = read.GetText("origin", "date");
    NS_TEST_EXPECT_MSG_EQ((date == before || date == DcnGetUtcDate()), true, date);
    NS_TEST_EXPECT_MSG_EQ(date.size(), 10, date);
    NS_TEST_EXPECT_MSG_EQ(read.GetText("origin", "dcn_release"), DCN_RELEASE, "release");
    NS_TEST_EXPECT_MSG_EQ(read.GetText("origin", "engine_digest"), "abc", "engine");
    NS_TEST_EXPECT_MSG_EQ(read.GetText("origin", "command"),
                          "m4-train --data=train,heavy",
                          "command");
    NS_TEST_EXPECT_MSG_EQ(read.GetNumber("data_2", "samples"), 300, "the second data set");
    NS_TEST_EXPECT_MSG_EQ(read.GetText("data_2", "load"), "0.2:0.8", "a rule of it");
    NS_TEST_EXPECT_MSG_EQ(read.GetSection("data_3").empty(), true, "no data set twice");
    // a training goes on from this model: with data of its engine, or of a later one
    DcnModelFile same("m4");
    same.SetOrigin("m4-train --from=m4", "abc");
    same.AddData(MakeData("abc", "0000000000000004"), 50);
    same.AddDataOf(read);
    NS_TEST_EXPECT_MSG_EQ(same.GetNumber("data_2", "samples"), 800, "its data follow");
    NS_TEST_EXPECT_MSG_EQ(same.GetText("data_3", "hash"), "0000000000000002", "all of them");
    NS_TEST_EXPECT_MSG_EQ(same.GetSection("training").empty(), true, "none of another engine");
    DcnModelFile later("m4");
    later.SetOrigin("m4-train --from=m4", "def");
    later.AddData(MakeData("def", "0000000000000005"), 60);
    later.AddDataOf(read);
    NS_TEST_EXPECT_MSG_EQ(later.GetSection("data_2").empty(), true, "sections are of one engine");
    NS_TEST_EXPECT_MSG_EQ(later.GetText("training", "from_data"),
                          "train of engine abc, train of engine abc",
                          "those of another are named");
    DcnModelFile last("m4");
    last.SetOrigin("m4-train --from=m4", "ghi");
    last.AddDataOf(later);
    NS_TEST_EXPECT_MSG_EQ(last.GetText("training", "from_data"),
                          "train of engine abc, train of engine abc, train of engine def",
                          "handed on");
    read.Write(folder);
    NS_TEST_EXPECT_MSG_EQ(DcnModelFile::Read(folder, "m4").GetSection("data_2").size(),
                          MakeData("abc").size() + 1,
                          "written again");
    NS_TEST_EXPECT_MSG_EQ(DcnModelFile::Read(folder, "m4").GetText("data_1", "hash"),
                          "0000000000000001",
                          "a text of digits is no number");

    // what a program records of its command line
    std::vector<std::string> words{"/opt/ns3.37-m4-train-optimized",
                                   "--data=/data/sets/train/,heavy,../rate25",
                                   "--epochs=6",
                                   "--only=",
                                   "--methods=mql:Correction=/a/b/:Seed=2,m3:Model=/c=d:e/f",
                                   "--ns3::DcnPacketNetwork::TelemetryQuantised=0",
                                   "--load=0.2:0.8",
                                   "--quiet",
                                   "--out=results/a",
                                   "--query=p99@<10KB",
                                   "/data/sets/last/",
                                   "/data/a=b/c"};
    std::vector<char*> argv;
    for (std::string& word : words)
    {
        argv.push_back(word.data());
    }
    NS_TEST_EXPECT_MSG_EQ(
        DcnDescribeCommand("m4-train", static_cast<int>(argv.size()), argv.data()),
        "m4-train --data=train,heavy,rate25 --epochs=6 --only= "
        "--methods=mql:Correction=b:Seed=2,m3:Model=f "
        "--ns3::DcnPacketNetwork::TelemetryQuantised=0 --load=0.2:0.8 --quiet --out=results/a "
        "'--query=p99@<10KB' last c",
        "folders say nothing of the machine; a shell reads the rest");
    for (const std::string& text : DcnHostileTexts())
    {
        if (text.find_first_of("/,") != std::string::npos)
        {
            continue; // paths are shortened, and lists taken apart
        }
        std::vector<std::string> said{"program", "--a=" + text, text};
        std::vector<char*> given{said[0].data(), said[1].data(), said[2].data()};
        const std::string command =
            "cd " + folder + " && " + DcnDescribeCommand("printf '%s\\001'", 3, given.data());
        FILE* shell = popen(command.c_str(), "r");
        std::string read;
        for (int c; (c = fgetc(shell)) != EOF;)
        {
            read += static_cast<char>(c);
        }
        pclose(shell);
        NS_TEST_EXPECT_MSG_EQ(read, said[1] + "\001" + said[2] + "\001", command);
    }
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/executed"), false, "no command runs");

    // a card that says less is refused
    const std::string text = DcnReadTestFile(path);
    for (const std::string entry : {"origin.dcn_release", "origin.date", "data_1.recipe"})
    {
        std::string less = text;
        const std::string key = entry.substr(entry.find('.') + 1);
        const std::size_t section = less.find("\"" + entry.substr(0, entry.find('.')) + "\"");
        less.replace(less.find("\"" + key + "\"", section), key.size() + 2, "\"other\"");
        std::ofstream(path) << less;
        DCN_TEST_EXPECT_ERROR(DcnModelFile::Read(folder, "m4"),
                              path + ": the card has no " + entry);
    }
    std::ofstream(path) << text;
    model.AddData(MakeData("def", "0000000000000003"), 10);
    DCN_TEST_EXPECT_ERROR(model.Write(folder),
                          "the data of a model must be of one engine, but "
                          "origin.engine_digest is \"abc\" and data_3.engine_digest is "
                          "\"def\"");
    NS_TEST_EXPECT_MSG_EQ(DcnModelFile::Read(folder, "m4").GetNumber("data_2", "samples"),
                          300,
                          "the files that are there are left alone");
}

/**
 * @param text a value
 * @param pattern what it must be as a whole
 * @return whether it is, or is said not to be known
 */
bool
IsOrUnknown(const std::string& text, const std::string& pattern)
{
    return text.rfind(DCN_UNKNOWN_ORIGIN, 0) == 0 || std::regex_match(text, std::regex(pattern));
}

/// What the card of a shipped model must say.
struct ShippedCard
{
    std::string kind;                 //!< the method
    std::string program;              //!< of origin.command: a pattern
    std::string dataProgram;          //!< of data_N.command: a pattern
    uint32_t nSets;                   //!< data sets
    std::vector<std::string> regimes; //!< in the names of errors, each at least once
};

/// The models that are shipped say where they come from and how well they do.
DCN_TEST_CASE(ShippedCardsTestCase, "cards of the shipped models")
{
    // regimes: congestion controls; loads of networks without any; seeds, hit rates and sizes of
    // networks on chip that were not trained with
    const std::vector<std::string> all{"dctcp", "dcqcn", "timely", "hpcc"};
    const std::vector<std::string> loads{"load 0.25", "load 0.5", "load 0.75"};
    const std::vector<std::string> chips{"unseen seeds, accuracy of label 0",
                                         "unseen seeds, accuracy of label 1",
                                         "hit rate 0.6, accuracy of label 1",
                                         "hit rate 0.85, accuracy of label 1",
                                         "5 x 5, accuracy of label 1",
                                         "occupancy alone"};
    const std::string data = "dcn-dataset .+";
    const std::map<std::string, ShippedCard> expected{
        {"m3", {"m3", "m3-train .+", data, 18, all}},
        {"m3-links", {"m3", "m3-train .+", data, 10, all}},
        {"m3-tcp-dctcp", {"m3", "m3-train .+", data, 4, {"dctcp"}}},
        {"m4", {"m4", "m4-train .+", data, 18, all}},
        {"m4-tcp-dctcp", {"m4", "m4-train .+", data, 3, {"dctcp"}}},
        {"mql", {"mql", "mql-train .+", "dcn-mql-truth .+", 1, loads}},
        {"noc-throttle",
         {"noc-throttle", "noc-throttle --train.*", "noc-throttle --train.*", 2, chips}}};
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(DcnDataPath("models")))
    {
        if (entry.is_directory()) // beside them are lists of their data and trainings
        {
            names.insert(entry.path().filename().string());
        }
    }
    std::set<std::string> expectedNames;
    for (const auto& each : expected)
    {
        expectedNames.insert(each.first);
    }
    NS_TEST_ASSERT_MSG_EQ((names == expectedNames), true, "models");
    const std::string day = "2[0-9]{3}-[01][0-9]-[0-3][0-9]";
    const std::string digits = "[0-9a-f]{16}";
    for (const auto& [name, shipped] : expected)
    {
        const DcnModelCard card =
            DcnModelCard::Read(DcnDataPath("models/" + name + "/card.json"), shipped.kind);
        // a card without this section is one of version 1, of which nothing is asked
        NS_TEST_ASSERT_MSG_EQ(card.GetSection("origin").empty(), false, card.Where());
        auto check =
            [&](const std::string& section, const std::string& key, const std::string& pattern) {
                const std::string& text = card.GetText(section, key);
                NS_TEST_EXPECT_MSG_EQ(IsOrUnknown(text, pattern),
                                      true,
                                      card.Where() << section << "." << key << " is " << text);
            };
        check("origin", "dcn_release", "[0-9.]+(-dev)?");
        check("origin", "date", day);
        check("origin", "command", shipped.program);
        check("origin", "engine_digest", digits);
        uint32_t n = 0;
        for (std::string section = "data_1"; !card.GetSection(section).empty();
             section = "data_" + std::to_string(n + 1))
        {
            ++n;
            check(section, "name", "[a-z0-9-]+");
            check(section, "hash", digits);
            check(section, "engine_digest", digits);
            check(section, "dcn_release", "[0-9.]+(-dev)?");
            check(section, "recipe", ".+");
            check(section, "seed", "[0-9+]+"); // those of several simulations are joined by +
            check(section, "date", day);
            check(section, "command", shipped.dataProgram);
            NS_TEST_EXPECT_MSG_GT(card.GetNumber(section, "samples"), 0, section);
        }
        NS_TEST_EXPECT_MSG_EQ(n, shipped.nSets, "data sets");
        const auto training = card.GetSection("training");
        const bool hasSeed = std::any_of(training.begin(), training.end(), [](const auto& entry) {
            return entry.first == "seed" || entry.second.find(" seed=") != std::string::npos;
        });
        NS_TEST_EXPECT_MSG_EQ(hasSeed, true, card.Where() << "seed of the training");
        if (name == "m3" || name == "m3-links" || name == "m4")
        {
            for (const char* section : {"expected p99 error", "p99 margins"})
            {
                NS_TEST_EXPECT_MSG_EQ(card.GetSection(section).empty(),
                                      false,
                                      card.Where() << section << " (expected-errors.py)");
            }
        }
        for (const std::string& regime : shipped.regimes)
        {
            const auto errors = card.GetSection("errors");
            NS_TEST_EXPECT_MSG_EQ(std::any_of(errors.begin(),
                                              errors.end(),
                                              [&regime](const auto& one) {
                                                  return one.first.find(regime) !=
                                                         std::string::npos;
                                              }),
                                  true,
                                  card.Where() << "errors of " << regime);
        }
    }
}

DCN_TEST_CASE(InputCheckTestCase, "missing inputs are refused before a method runs")
{
    DcnCheckInputFiles({"packet", "flowsim", "m3", "m4", "mql", "ns3-path", "parsimon"});
    const std::string missing = CreateTempDirFilename("no-model");
    for (const std::string method : {"m3:Model=", "m4:Model=", "mql:Correction="})
    {
        DCN_TEST_EXPECT_ERROR(DcnCheckInputFiles({"flowsim", method + missing, "m4"}),
                              "the method \"" + method + missing + "\" needs " + missing +
                                  ", which does not exist");
    }
    const std::string empty = CreateTempDirFilename("empty");
    DcnMakeFolder(empty);
    DCN_TEST_EXPECT_ERROR(DcnCheckInputFiles({"m4:Model=" + empty}),
                          "the method \"m4:Model=" + empty + "\" needs the folder " + empty +
                              ", which has no files or cannot be read");
    // nobody may read a file without permissions; the superuser may read it all the same
    const std::string closed = CreateTempDirFilename("closed");
    DcnMakeFolder(closed);
    DcnWriteTestFile(closed + "/card.json", "{}");
    std::filesystem::permissions(closed + "/card.json", std::filesystem::perms::none);
    if (!std::ifstream(closed + "/card.json").is_open())
    {
        DCN_TEST_EXPECT_ERROR(DcnCheckInputFiles({"m4:Model=" + closed}),
                              "the method \"m4:Model=" + closed + "\" needs " + closed +
                                  "/card.json, which cannot be read");
    }
}

/// A model is named by its folder, or by its folder's name among the shipped ones.
DCN_TEST_CASE(FolderTestCase, "folders of models")
{
    const std::string folder = CreateTempDirFilename("model");
    DcnMakeFolder(folder);
    auto find = [](const std::string& model) { return DcnModelFile::FindFolder(model, "m4"); };
    NS_TEST_EXPECT_MSG_EQ(find(""), DcnDataPath("models/m4"), "the method's own");
    NS_TEST_EXPECT_MSG_EQ(find("m3"), DcnDataPath("models/m3"), "a shipped one by name");
    NS_TEST_EXPECT_MSG_EQ(find(folder), folder, "a folder");
    NS_TEST_EXPECT_MSG_EQ(find("no-such-model"), "no-such-model", "neither");
}

/// An option or attribute that there is not is named in one sentence, with the nearest one.
DCN_TEST_CASE(OptionTestCase, "options that are misspelt")
{
    const auto parse = [](std::string option) {
        CommandLine cmd;
        std::string text;
        DcnAddText(cmd, "topology", "a text", text);
        DcnAddText(cmd, "hostRate", "a text", text);
        DcnAddText(cmd, "methods", "a text", text);
        std::string program = "program";
        char* argv[] = {program.data(), option.data()};
        DcnParseCommandLine(cmd, 2, argv);
    };
    const std::string list = " --help lists the options";
    for (const auto& [wrong, right] : {std::pair("topolgy", "topology"),
                                       std::pair("toplogoy", "topology"),
                                       std::pair("topo", "topology"),
                                       std::pair("host-rate", "hostRate"),
                                       std::pair("host_rate_bps", "hostRate"),
                                       std::pair("method", "methods"),
                                       std::pair("RngRuns", "RngRun")})
    {
        DCN_TEST_EXPECT_ERROR(parse(std::string("--") + wrong + "=1"),
                              std::string("there is no option --") + wrong + ", did you mean --" +
                                  right + "?" + list);
    }
    DCN_TEST_EXPECT_ERROR(parse("--foo=1"), "there is no option --foo;" + list);
    DCN_TEST_EXPECT_ERROR(parse("--topology=1"), "no error");
    DCN_TEST_EXPECT_ERROR(parse("--ns3::DcnNetworkConfig::DctpG=1"),
                          "the type ns3::DcnNetworkConfig has no attribute DctpG, did you mean "
                          "--ns3::DcnNetworkConfig::DctcpG? "
                          "--PrintAttributes=ns3::DcnNetworkConfig lists its attributes");
    // values that ns-3 would refuse by its help, or by ending the program
    for (const char* option : {"ns3::DcnNetworkConfig::DctcpG", "RngRun"})
    {
        for (const char* wrong : {"abc", "-7", "", "1 2"})
        {
            const std::string sentence =
                DcnSentenceOf([&]() { parse(std::string("--") + option + "=" + wrong); });
            NS_TEST_EXPECT_MSG_EQ(
                sentence.rfind(std::string("--") + option + " must be of the type ", 0),
                std::size_t{0},
                sentence);
            NS_TEST_EXPECT_MSG_NE(sentence.find(std::string(", but it is \"") + wrong + "\""),
                                  std::string::npos,
                                  sentence);
        }
        DCN_TEST_EXPECT_ERROR(parse(std::string("--") + option + "=1"), "no error");
    }
    Config::Reset();
    DCN_TEST_EXPECT_ERROR(parse("--ns3::Nothing::A=1"),
                          "there is no type ns3::Nothing of the attribute --ns3::Nothing::A");
}

/// An option that is given twice, without a value or without effect is refused.
DCN_TEST_CASE(GivenTestCase, "options that are given twice, without value or without effect")
{
    std::string text;
    const auto parse = [&text](std::vector<std::string> arguments) {
        CommandLine cmd;
        bool flag = false;
        uint32_t whole = 7;
        std::string other = "usual";
        DcnAddText(cmd, "text", "a text", text);
        DcnAddText(cmd, "other", "a text with a default", other);
        cmd.AddValue("flag", "a flag", flag);
        cmd.AddValue("whole", "a whole number", whole);
        arguments.insert(arguments.begin(), "program");
        std::vector<char*> argv;
        for (std::string& argument : arguments)
        {
            argv.push_back(argument.data());
        }
        return DcnParseCommandLine(cmd,
                                   static_cast<int>(argv.size()),
                                   argv.data(),
                                   {"other"},
                                   {"text"});
    };
    const std::string none = " has no value: give one, or leave out the option";
    for (const auto& [arguments, sentence] :
         {std::pair<std::vector<std::string>, std::string>({"--whole=1", "--whole=1"},
                                                           "--whole is given twice: give it once"),
          {{"--flag", "--text=a", "--flag=false"}, "--flag is given twice: give it once"},
          {{"--ns3::DcnNetworkConfig::DctcpG=0.1", "--ns3::DcnNetworkConfig::DctcpG=0.2"},
           "--ns3::DcnNetworkConfig::DctcpG is given twice: give it once"},
          {{"--other="}, "--other=" + none},
          {{"--other= "}, "--other= " + none},
          {{"--flag="}, "--flag=" + none},
          {{"--whole="}, "--whole=" + none},
          {{"--whole"}, "--whole has no value: give one behind an equals sign, as in --whole=7"},
          {{"--other"},
           "--other has no value: give one behind an equals sign, as in --other=usual"},
          {{"--whole=1.5"}, "--whole must be a whole number (7), but it is \"1.5\""},
          {{"--whole=4294967296"},
           "--whole must be a smaller whole number (7), but it is \"4294967296\""},
          {{"--other=a", "--other=b", "--flag", "--whole=4294967295", "--text="}, "no error"}})
    {
        DCN_TEST_EXPECT_ERROR(parse(arguments), sentence);
    }
    const DcnTestProcess help = DcnRunTestProcess([&parse]() {
        parse({"--PrintHelp"});
        return 7;
    });
    NS_TEST_EXPECT_MSG_EQ(help.end, "status 0", "the help needs no value");
    Config::Reset();
    DCN_TEST_EXPECT_ERROR(parse({"--ns3::DcnNetworkConfig::CongestionControl="}), "no error");
    Config::Reset();
    const DcnGivenOptions given = parse({"--other=usual", "--flag"});
    NS_TEST_EXPECT_MSG_EQ(given.Has("other"), true, "with its default");
    NS_TEST_EXPECT_MSG_EQ(given.Has("text"), false, "not given");
    const auto check = [&given](const std::vector<std::string>& names, bool isRead) {
        given.CheckEffects({{{"whole", "text"}, false, "here"}, {names, isRead, "without --text"}});
    };
    DCN_TEST_EXPECT_ERROR(check({"text", "flag"}, true), "no error");
    DCN_TEST_EXPECT_ERROR(check({"text", "whole"}, false), "no error");
    DCN_TEST_EXPECT_ERROR(check({"text", "flag"}, false), "--flag has no effect without --text");
    DCN_TEST_EXPECT_ERROR(check({"other"}, false), "--other=usual has no effect without --text");
    DCN_TEST_EXPECT_ERROR(DcnSplitValues("load", "0.5,0.50"), "--load names \"0.50\" twice");
    DCN_TEST_EXPECT_ERROR(DcnSplitValues("load", "0.5,0.51"), "no error");
}

/**
 * Any value of any attribute, and of a program's options, is taken or refused by one sentence: ns-3
 * would end the program, print its whole help, or make a large number of -1.
 */
class ValuesTestCase : public TestCase
{
  public:
    /** @param nCases number of attributes and values that are drawn */
    explicit ValuesTestCase(uint32_t nCases)
        : TestCase("odd values of attributes and options, " + std::to_string(nCases)),
          m_nCases(nCases)
    {
    }

  private:
    /**
     * @param argument of a command line
     * @return how a program with it ends: "status 0", "status 1", or by which signal; and how many
     * lines it writes
     */
    static std::string Run(std::string argument)
    {
        const DcnTestProcess process = DcnRunTestProcess([&argument]() {
            CommandLine cmd;
            bool flag = false;
            uint64_t whole = 7;
            double number = 0.5;
            cmd.AddValue("flag", "a flag", flag);
            cmd.AddValue("whole", "a whole number", whole);
            cmd.AddValue("number", "a number", number);
            Time time = MilliSeconds(5);
            cmd.AddValue("time", "a time", time);
            std::string program = "program";
            char* argv[] = {program.data(), argument.data(), nullptr};
            DcnParseCommandLine(cmd, 2, argv);
            return 0;
        });
        return process.end + ", lines " +
               std::to_string(std::count(process.text.begin(), process.text.end(), '\n'));
    }

    void DoRun() override
    {
        for (const auto& [argument, how] :
             {std::pair("--flag=abc", "status 1, lines 1"),
              std::pair("--flag", "status 0, lines 0"),
              std::pair("--flag=true", "status 0, lines 0"),
              std::pair("--whole=abc", "status 1, lines 1"),
              std::pair("--whole=-1", "status 1, lines 1"),
              std::pair("--whole=", "status 1, lines 1"),
              std::pair("--whole", "status 1, lines 1"),
              std::pair("--whole=9", "status 0, lines 0"),
              std::pair("--number=1,5", "status 1, lines 1"),
              std::pair("--number=-0.5", "status 0, lines 0"),
              std::pair("--SimulatorImplementationType=abc", "status 1, lines 1")})
        {
            NS_TEST_EXPECT_MSG_EQ(Run(argument), how, argument);
        }
        static const char* const ODD[] = {"abc",
                                          "",
                                          "-1",
                                          "1e999",
                                          "nan",
                                          " ",
                                          "1 2",
                                          "1x",
                                          "1s2",
                                          "ms",
                                          "1e5xs",
                                          "--",
                                          ":",
                                          "0x1F",
                                          "true",
                                          "1|2",
                                          "(1)",
                                          "[1]",
                                          "1.5",
                                          "+3",
                                          "10Gbps",
                                          "1ms",
                                          "9999999999999999999999"};
        std::vector<std::string> attributes;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId type = TypeId::GetRegistered(i);
            for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
            {
                attributes.push_back("--" + type.GetName() + "::" + type.GetAttribute(j).name);
            }
        }
        std::mt19937_64 random(51);
        for (uint32_t i = 0; i < m_nCases; ++i)
        {
            const std::string argument =
                attributes[random() % attributes.size()] + "=" + ODD[random() % std::size(ODD)];
            const std::string how = Run(argument);
            NS_TEST_EXPECT_MSG_EQ((how == "status 0, lines 0" || how == "status 1, lines 1"),
                                  true,
                                  argument << ": " << how);
        }
    }

    uint32_t m_nCases; //!< see the constructor
};

/// Quick cases, and many values in the extensive run.
class ModelFileTestSuite : public DcnTestSuite<ModelFileTestCase,
                                               OptionTestCase,
                                               GivenTestCase,
                                               OriginTestCase,
                                               ShippedCardsTestCase,
                                               InputCheckTestCase,
                                               FolderTestCase>
{
  public:
    ModelFileTestSuite()
        : DcnTestSuite("dcn-model-file")
    {
        AddTestCase(new ChangedCardTestCase(100));
        AddTestCase(new ChangedCardTestCase(2000), DCN_TEST_EXTENSIVE(ModelFileTestSuite));
        AddTestCase(new ValuesTestCase(100));
        AddTestCase(new ValuesTestCase(2000), DCN_TEST_EXTENSIVE(ModelFileTestSuite));
    }
};

ModelFileTestSuite g_dcnModelFileTestSuite; //!< the suite

} // namespace
