/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/files/dcn-dataset-file.h"
#include "../model/files/dcn-dataset-manifest.h"
#include "../model/files/dcn-dataset-shard.h"
#include "../model/files/dcn-dataset-writer.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-test-output.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/dcn-dataset-collection.h"
#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/test.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/**
 * @param path of a file
 * @return its bytes
 */
std::string
Load(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/**
 * @brief Change a text file.
 * @param path of the file
 * @param from a text in it, up to the end of its line
 * @param to what comes in place of that line; empty: nothing
 */
void
ReplaceLine(const std::string& path, const std::string& from, const std::string& to)
{
    std::string text = Load(path);
    const std::size_t at = text.find("\n" + from) + 1;
    text.replace(at, text.find('\n', at) + 1 - at, to.empty() ? to : to + "\n");
    std::ofstream(path, std::ios::binary) << text;
}

/**
 * @param name of the recipe
 * @param rules changed rules
 * @return a recipe for small samples
 */
DcnDatasetRecipe
SmallRecipe(const std::string& name = "reduced", const std::string& rules = "")
{
    DcnDatasetRecipe recipe("path", name);
    recipe.SetAll("flows=30,nodes=3");
    recipe.SetAll(rules);
    return recipe;
}

/**
 * @brief A data set as one would be of which another engine had made everything.
 * @param from a data set
 * @param folder of the new one
 * @param engine digest of the other engine
 */
void
MakeOfOtherEngine(const std::string& from, const std::string& folder, const std::string& engine)
{
    std::filesystem::create_directories(folder);
    const std::string key = DcnDatasetOptions::ENGINE_DIGEST;
    std::filesystem::copy_file(from + "/dataset.csv", folder + "/dataset.csv");
    ReplaceLine(folder + "/dataset.csv", key, engine.empty() ? "" : key + "," + engine);
    const std::string options = DcnDatasetOptions::Read(folder).GetContentText();
    auto rows = DcnReadManifest(from);
    for (auto& row : rows)
    {
        DcnDatasetShard shard(from + "/" + row.file);
        DcnDatasetWriter writer(folder + "/" + row.file, shard.GetKind(), options);
        for (uint64_t i = 0; i < shard.GetN(); ++i)
        {
            writer.Add(shard.Read(i));
        }
        writer.Commit();
        row.bytes = std::filesystem::file_size(folder + "/" + row.file);
        row.hash = DcnHashFile(folder + "/" + row.file);
    }
    DcnWriteManifest(folder, rows);
}

/**
 * @param isQuantised whether telemetry is, as in the release
 * @return the command that a data set of this engine records
 */
std::string
GetCommand(bool isQuantised)
{
    return DcnComputeInProcesses(1,
                                 1,
                                 [isQuantised](uint64_t) {
                                     Config::SetDefault("ns3::DcnPacketNetwork::TelemetryQuantised",
                                                        BooleanValue(isQuantised));
                                     return DcnDatasetGenerator(SmallRecipe(), 3, 4, 2, "unused")
                                         .GetOptions()
                                         .Get("command");
                                 })
        .front();
}

/// A command that does not name the attributes of the engine says that there were some.
DCN_TEST_CASE(ChangedEngineTestCase, "the recorded command says that the engine was changed")
{
    const std::string plain = GetCommand(true);
    NS_TEST_EXPECT_MSG_EQ(plain,
                          "dcn-dataset --kind=path --recipe=reduced --rules=nodes=3 "
                          "--rules=flows=30 --seed=3 --samples=4 --shardSize=2",
                          "the engine of the release");
    NS_TEST_EXPECT_MSG_EQ(GetCommand(false),
                          plain + " (and attributes or an engine that are not those of dcn " +
                              DCN_RELEASE + ")",
                          "another engine");
}

/// What a data set says of itself.
DCN_TEST_CASE(RecordedTestCase, "data sets record where they come from")
{
    const std::string folder = CreateTempDirFilename("set");
    const std::string before = DcnGetUtcDate();
    DcnDatasetGenerator(SmallRecipe("published", "load=0.5,flows_per=sample"), 9, 4, 2, folder)
        .Run(1);
    const DcnDatasetReader reader(folder);
    const DcnDatasetOptions& options = reader.GetOptions();
    NS_TEST_EXPECT_MSG_EQ(options.Get(DcnDatasetOptions::ENGINE_DIGEST),
                          DcnEstimator::CreateByName("packet")->GetDigest(),
                          "engine");
    NS_TEST_EXPECT_MSG_EQ(options.Get("dcn_release"), DCN_RELEASE, "release");
    NS_TEST_EXPECT_MSG_EQ(options.Get("recipe"), "published", "recipe");
    NS_TEST_EXPECT_MSG_EQ(options.Get("seed"), "9", "seed");
    NS_TEST_EXPECT_MSG_EQ(options.Get("load"), "0.5", "a rule");
    const std::string date = options.Get("date");
    NS_TEST_EXPECT_MSG_EQ((date == before || date == DcnGetUtcDate()), true, date);
    // rules as they are in the recipe do not appear
    NS_TEST_EXPECT_MSG_EQ(options.Get("command"),
                          "dcn-dataset --kind=path --recipe=published --rules=nodes=3 "
                          "--rules=flows=30 --rules=flows_per=sample --rules=load=0.5 --seed=9 "
                          "--samples=4 --shardSize=2",
                          "command");
    DcnDatasetShard shard(folder + "/shard-00001.h5");
    NS_TEST_EXPECT_MSG_EQ(shard.GetOptions(), options.GetContentText(), "in shards, too");
    NS_TEST_EXPECT_MSG_NE(
        shard.GetOptions().find(DcnEstimator::CreateByName("packet")->GetDigest()),
        std::string::npos,
        "the engine is in them");
    NS_TEST_EXPECT_MSG_EQ(shard.GetOptions().find(date), std::string::npos, "no day is");

    // a model's card has all of it, once
    DcnModelCard card("m3");
    const std::filesystem::path twin =
        std::filesystem::path(folder + "-twin") / std::filesystem::path(folder).filename();
    std::filesystem::create_directories(twin.parent_path());
    std::filesystem::copy(folder, twin, std::filesystem::copy_options::recursive);
    const DcnDatasetCollection sets(folder + "/," + twin.string());
    sets.Describe(card);
    NS_TEST_EXPECT_MSG_EQ(sets.GetNames(),
                          sets.GetName(1) + "," + sets.GetName(1),
                          "names without folders");
    const std::string section = "data_1";
    NS_TEST_EXPECT_MSG_EQ(card.GetText(section, "name"), sets.GetName(0), "name");
    NS_TEST_EXPECT_MSG_EQ(card.GetText(section, "name").find('/'), std::string::npos, "no folder");
    NS_TEST_EXPECT_MSG_EQ(card.GetText(section, "hash"), sets.GetHash(0), "hash");
    NS_TEST_EXPECT_MSG_EQ(card.GetNumber(section, "samples"), 4, "samples");
    for (const std::string key :
         {"engine_digest", "dcn_release", "date", "recipe", "command", "seed", "load"})
    {
        NS_TEST_EXPECT_MSG_EQ(card.GetText(section, key), options.Get(key), key);
    }
    NS_TEST_EXPECT_MSG_EQ(card.GetSection("data_2").empty(), true, "no data set twice");
    DCN_TEST_EXPECT_ERROR(DcnDatasetCollection(folder + "," + folder),
                          "--data names \"" + folder + "\" twice");
    DCN_TEST_EXPECT_ERROR(DcnDatasetCollection(folder + "/," + folder),
                          "--data names a folder twice: " + folder + "/ and " + folder);
    // files that nobody reads are named
    NS_TEST_EXPECT_MSG_EQ(DcnDatasetReader(folder).DescribeUnused(), "", "all are read");
    DcnWriteTestFile(folder + "/shard-00099.h5", "of another data set");
    DcnWriteTestFile(folder + "/notes.txt", "of the user");
    NS_TEST_EXPECT_MSG_EQ(DcnDatasetReader(folder).DescribeUnused(),
                          "ignored: " + folder + "/notes.txt, shard-00099.h5",
                          "two are not");
    card.SetOrigin("m3-train", sets.GetEngineDigest());
    std::ostringstream out;
    card.Write(out); // refuses an origin that is not complete
    NS_TEST_EXPECT_MSG_NE(out.str().find("\"format_version\": 2"), std::string::npos, "2");
}

/// The day on which a data set was begun stays, and is the only thing that days make different.
DCN_TEST_CASE(DayTestCase, "a data set that goes on keeps its day and its release")
{
    const DcnDatasetRecipe recipe = SmallRecipe();
    auto run = [&](const std::string& folder, uint64_t samples, uint32_t jobs) {
        return DcnDatasetGenerator(recipe, 3, samples, 2, folder).Run(jobs);
    };
    const std::string whole = CreateTempDirFilename("whole");
    run(whole, 6, 1);

    // begun on another day by another release, with another number of processes
    const std::string folder = CreateTempDirFilename("old-day");
    run(folder, 4, 3);
    const std::string options = folder + "/dataset.csv";
    ReplaceLine(options, "date,", "date,2026-01-02");
    ReplaceLine(options, "dcn_release,", "dcn_release,0.15");
    auto expect = [&](const std::string& what) {
        const DcnDatasetOptions read = DcnDatasetOptions::Read(folder);
        NS_TEST_EXPECT_MSG_EQ(read.Get("date"), "2026-01-02", what);
        NS_TEST_EXPECT_MSG_EQ(read.Get("dcn_release"), "0.15", what);
    };
    std::filesystem::remove(folder + "/manifest.csv");
    std::filesystem::remove(folder + "/shard-00001.h5");
    NS_TEST_EXPECT_MSG_EQ(run(folder, 4, 1).made, 2, "resumed");
    expect("resumed");
    NS_TEST_EXPECT_MSG_EQ(run(folder, 6, 2).made, 2, "grown");
    expect("grown");
    NS_TEST_EXPECT_MSG_EQ(DcnDatasetOptions::Read(folder).Get("command"),
                          DcnDatasetOptions::Read(whole).Get("command"),
                          "the command of the larger one");
    for (const std::string name :
         {"shard-00000.h5", "shard-00001.h5", "shard-00002.h5", "manifest.csv"})
    {
        NS_TEST_EXPECT_MSG_EQ((Load(folder + "/" + name) == Load(whole + "/" + name)),
                              true,
                              name << " has the same bytes");
    }
}

/// Data sets of several engines, and of none that is known.
DCN_TEST_CASE(MixtureTestCase, "data sets of different engines are not continued and not mixed")
{
    const std::string engine = DcnEstimator::CreateByName("packet")->GetDigest();
    const std::string other = "0123456789abcdef";
    const std::string ours = CreateTempDirFilename("ours");
    const std::string theirs = CreateTempDirFilename("theirs");
    const std::string old = CreateTempDirFilename("old");
    DcnDatasetGenerator(SmallRecipe(), 3, 4, 2, ours).Run(1);
    MakeOfOtherEngine(ours, theirs, other);
    MakeOfOtherEngine(ours, old, "");
    for (const std::string key : {"dcn_release", "date", "recipe", "command"})
    {
        ReplaceLine(old + "/dataset.csv", key + ",", ""); // as release 0.1 wrote it
    }

    // all can be read and checked
    for (const std::string& folder : {ours, theirs, old})
    {
        DcnDatasetReader reader(folder);
        reader.Verify();
        NS_TEST_EXPECT_MSG_EQ(reader.GetN(), 4, folder);
    }
    const DcnDatasetCollection unknown(old);
    NS_TEST_EXPECT_MSG_EQ(unknown.GetEngineDigest(),
                          "unknown (made before data sets recorded it)",
                          "not known");
    DcnModelCard card("m3");
    unknown.Describe(card);
    for (const std::string key : {"engine_digest", "dcn_release", "date", "recipe", "command"})
    {
        NS_TEST_EXPECT_MSG_EQ(card.GetText("data_1", key), DCN_UNKNOWN_ORIGIN, key);
    }
    NS_TEST_EXPECT_MSG_EQ(card.GetText("data_1", "seed"), "3", "that was recorded");

    // training
    DcnDatasetCollection(ours).RequireOneEngine();
    DcnDatasetCollection(theirs).RequireOneEngine(); // not the present engine, but one
    DCN_TEST_EXPECT_ERROR(DcnDatasetCollection(ours + "," + theirs).RequireOneEngine(),
                          "the data sets of a training must be of one engine, but " + ours +
                              " is of packet " + engine + " and " + theirs + " of packet " + other +
                              ": make one of them again with dcn-dataset in another folder; "
                              "the command is in its dataset.csv");
    DCN_TEST_EXPECT_ERROR(unknown.RequireOneEngine(),
                          "the data set " + old +
                              " does not say which packet engine made it, as those of dcn 0.1, "
                              "and cannot be trained with: make it again with dcn-dataset in "
                              "another folder; its kind, seed and rules are in its "
                              "dataset.csv");
    DCN_TEST_EXPECT_ERROR(DcnDatasetCollection(""),
                          "there is no folder of a data set (dcn-dataset makes them)");

    // going on
    auto goOn = [](const std::string& folder) {
        DcnDatasetGenerator(SmallRecipe(), 3, 6, 2, folder).Run(1);
    };
    const std::string made = "/dataset.csv: the engine that made the data set in this folder is "
                             "packet ";
    const std::string asked = ", but this one is packet " + engine + ": choose another folder";
    DCN_TEST_EXPECT_ERROR(goOn(theirs), theirs + made + other + asked);
    DCN_TEST_EXPECT_ERROR(goOn(old), old + made + DCN_UNKNOWN_ORIGIN + asked);

    // shards of two engines in one folder
    const std::string shard = "/shard-00001.h5";
    std::filesystem::copy_file(theirs + shard,
                               ours + shard,
                               std::filesystem::copy_options::overwrite_existing);
    NS_TEST_EXPECT_MSG_NE(DcnSentenceOf([&ours]() { DcnDatasetReader(ours).Read(2); })
                              .find(", but manifest.csv says "),
                          std::string::npos,
                          "the manifest is that of the shard before");
    auto rows = DcnReadManifest(ours);
    rows[1] = DcnReadManifest(theirs)[1];
    DcnWriteManifest(ours, rows);
    const std::string mixed = ours + shard + ": the engine that made the shard is packet " + other +
                              ", but that of the data set is packet " + engine +
                              "; if the shard is deleted, it is made again";
    DcnDatasetReader reader(ours);
    reader.Read(0);
    DCN_TEST_EXPECT_ERROR(reader.Read(2), mixed);
    DCN_TEST_EXPECT_ERROR(goOn(ours), mixed);
    std::filesystem::remove(ours + shard);
    goOn(ours);
    DcnDatasetReader(ours).Verify();
}

// The changed engine comes first: a process computes its digest once.
DcnTestSuite g_dcnDatasetsOriginTestSuite(
    "dcn-datasets-origin",
    {new ChangedEngineTestCase},
    DcnTestsIf(DcnDatasetFile::IsAvailable(),
               DCN_NEED_HDF5,
               {new RecordedTestCase, new DayTestCase, new MixtureTestCase})); //!< the suite

} // namespace
