/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/files/dcn-dataset-file.h"
#include "../model/files/dcn-dataset-manifest.h"
#include "../model/files/dcn-dataset-shard.h"
#include "../model/files/dcn-dataset-writer.h"
#include "../model/generate/dcn-dataset-recorder.h"
#include "../model/generate/dcn-dataset-sampler.h"
#include "dcn-test-case.h"
#include "dcn-test-changes.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-test-output.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-parallel.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param a rows of a sample
 * @param b rows of another
 * @return true if all bytes are the same (also those of NaN, which differs from itself)
 */
bool
IsSame(const DcnDatasetSchema::Rows& a, const DcnDatasetSchema::Rows& b)
{
    bool same = a.size() == b.size();
    for (const auto& [path, values] : a)
    {
        const auto other = b.find(path);
        same = same && other != b.end() && other->second.index() == values.index() &&
               std::visit(
                   [&](const auto& array) {
                       const auto& again = std::get<std::decay_t<decltype(array)>>(other->second);
                       return array.size() == again.size() &&
                              (array.empty() || std::memcmp(array.data(),
                                                            again.data(),
                                                            array.size() * sizeof(array[0])) == 0);
                   },
                   values);
    }
    return same;
}

/**
 * @param path a file
 * @return its bytes
 */
std::string
BytesOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/**
 * @param folder a folder
 * @return bytes of its files by name, without the day on which a data set was begun
 */
std::map<std::string, std::string>
FilesOf(const std::string& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        std::string& bytes = files[entry.path().filename().string()];
        bytes = BytesOf(entry.path());
        const std::size_t date = bytes.find("\ndate,");
        if (entry.path().filename() == "dataset.csv" && date != std::string::npos)
        {
            bytes.erase(date, bytes.find('\n', date + 1) - date);
        }
    }
    return files;
}

/**
 * @param kind path or fabric
 * @param rules changed rules
 * @return a recipe for small samples
 */
DcnDatasetRecipe
SmallRecipe(const std::string& kind, const std::string& rules = "")
{
    DcnDatasetRecipe recipe(kind);
    recipe.SetAll("flows=40");
    recipe.SetAll(rules);
    return recipe;
}

/**
 * @param path a file
 * @param bytes what it gets
 */
void
Save(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

/// Shards of a data set: numbers, options, the manifest and hashes.
DCN_TEST_CASE(ManifestTestCase, "options and manifests of data sets")
{
    // the samples are in one shard each, in order, and only the last shard may have fewer
    for (uint64_t samples = 1; samples <= 12; ++samples)
    {
        for (uint64_t size = 1; size <= 13; ++size)
        {
            DcnDatasetOptions options;
            options.samples = samples;
            options.shardSize = size;
            uint64_t next = 0;
            for (uint64_t shard = 0; shard < options.GetNShards(); ++shard)
            {
                const uint64_t n = options.GetN(shard);
                NS_TEST_EXPECT_MSG_EQ(options.GetFirst(shard), next, "follows");
                NS_TEST_EXPECT_MSG_EQ((n == size || shard + 1 == options.GetNShards()),
                                      true,
                                      "full but for the last");
                NS_TEST_EXPECT_MSG_EQ((n > 0 && n <= size), true, "none is empty");
                next += n;
            }
            NS_TEST_EXPECT_MSG_EQ(next, samples, "all");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(DcnDatasetOptions::GetShardName(7), "shard-00007.h5", "name");

    const std::string folder = CreateTempDirFilename("manifest");
    DcnMakeFolder(folder);
    DcnDatasetOptions options;
    options.samples = 10;
    options.shardSize = 4;
    options.content = {{"kind", "path"}, {"flows", "1:2"}};
    NS_TEST_EXPECT_MSG_EQ(options.GetContentText(), "kind=path\nflows=1:2\n", "text");
    options.WriteOrCompare(folder);
    const auto read = DcnDatasetOptions::Read(folder);
    NS_TEST_EXPECT_MSG_EQ(
        (read.samples == 10 && read.shardSize == 4 && read.content == options.content),
        true,
        "as written");
    // as long as there is no shard, others may be written
    options.content[1].second = "3";
    options.WriteOrCompare(folder);
    Save(folder + "/shard-00000.h5", "abc");
    options.WriteOrCompare(folder);
    auto refuse = [&](const DcnDatasetOptions& other) {
        return DcnSentenceOf([&]() { other.WriteOrCompare(folder); });
    };
    const std::string made = folder + "/dataset.csv: the data set in this folder was made with ";
    DcnDatasetOptions other = options;
    other.shardSize = 5;
    NS_TEST_EXPECT_MSG_EQ(refuse(other),
                          made +
                              "shard_size=4, but shard_size=5 is asked for: choose another folder",
                          "other shards");
    other = options;
    other.content.emplace_back("load", "0.5");
    NS_TEST_EXPECT_MSG_EQ(refuse(other),
                          made + "the rule=, but the rule=load is asked for: choose another folder",
                          "one rule more");
    other = options;
    other.samples = 11;
    NS_TEST_EXPECT_MSG_EQ(refuse(other), "no error", "more samples of the same");
    NS_TEST_EXPECT_MSG_EQ(DcnDatasetOptions::Read(folder).samples, 11, "are kept in mind");
    Save(folder + "/dataset.csv", "key,value\nsamples,3\n");
    DCN_TEST_EXPECT_ERROR(DcnDatasetOptions::Read(folder),
                          folder + "/dataset.csv: samples or shard_size is missing, or 0");

    const std::vector<DcnDatasetManifestRow> rows{
        {0, "shard-00000.h5", 0, 4, 100, 17, 3, "00000000000000aa"},
        {1, "shard-00001.h5", 4, 2, 104, 9, 5, "00000000000000bb"}};
    DCN_TEST_EXPECT_ERROR(DcnReadManifest(folder),
                          folder + "/manifest.csv: the file is not there, so the data set is "
                                   "not complete");
    DcnWriteManifest(folder, rows);
    const auto again = DcnReadManifest(folder);
    NS_TEST_ASSERT_MSG_EQ(again.size(), 2, "rows");
    for (std::size_t i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(
            (again[i].shard == rows[i].shard && again[i].file == rows[i].file &&
             again[i].firstSample == rows[i].firstSample && again[i].samples == rows[i].samples &&
             again[i].firstSeed == rows[i].firstSeed && again[i].flows == rows[i].flows &&
             again[i].bytes == rows[i].bytes && again[i].hash == rows[i].hash),
            true,
            "row " << i);
    }
    auto gap = rows;
    gap[1].firstSample = 5;
    DcnWriteManifest(folder, gap);
    DCN_TEST_EXPECT_ERROR(DcnReadManifest(folder),
                          folder + "/manifest.csv:3: first_sample must be 4, but it is 5");
    for (const char* const name : {"../shard-00001.h5", "/etc/passwd", "shard-00000.h5", ""})
    {
        auto elsewhere = rows;
        elsewhere[1].file = name;
        DcnWriteManifest(folder, elsewhere);
        DCN_TEST_EXPECT_ERROR(DcnReadManifest(folder),
                              folder +
                                  "/manifest.csv:3: the row must be of shard 1 in "
                                  "shard-00001.h5, but it is of shard 1 in \"" +
                                  name + "\"");
    }
    auto endless = rows;
    endless[1].samples = UINT64_MAX;
    DcnWriteManifest(folder, endless);
    DCN_TEST_EXPECT_ERROR(DcnReadManifest(folder),
                          folder + "/manifest.csv:3: samples cannot be 18446744073709551615");

    // hashes tell files apart by their bytes alone, also of several blocks
    std::string large(3 << 20, 'x');
    Save(folder + "/a", large);
    Save(folder + "/b", large);
    const std::string hash = DcnHashFile(folder + "/a");
    NS_TEST_EXPECT_MSG_EQ(hash.size(), 16, "digits");
    NS_TEST_EXPECT_MSG_EQ(DcnHashFile(folder + "/b"), hash, "the same bytes");
    for (const std::size_t at : {std::size_t{0}, large.size() / 2, large.size() - 1})
    {
        std::string changed = large;
        changed[at] = 'y';
        Save(folder + "/b", changed);
        NS_TEST_EXPECT_MSG_NE(DcnHashFile(folder + "/b"), hash, "byte " << at);
    }
    Save(folder + "/b", large + "x");
    NS_TEST_EXPECT_MSG_NE(DcnHashFile(folder + "/b"), hash, "one more");
    DCN_TEST_EXPECT_ERROR(DcnHashFile(folder + "/none"),
                          folder + "/none: the file cannot be read (there is no such file)");
}

/// Without HDF5 there is one sentence.
DCN_TEST_CASE(NoHdf5TestCase, "without HDF5, data sets are refused with a sentence")
{
    const std::string sentence = "data sets need HDF5, which was not found when the module "
                                 "dcn-dataset was built: install it (libhdf5-dev) and configure "
                                 "ns-3 again";
    DCN_TEST_EXPECT_ERROR(DcnDatasetWriter(CreateTempDirFilename("x.h5"), "path", ""), sentence);
    DCN_TEST_EXPECT_ERROR(DcnDatasetReader("nowhere"), sentence);
    DCN_TEST_EXPECT_ERROR(
        DcnDatasetGenerator(SmallRecipe("path"), 1, 2, 1, CreateTempDirFilename("set")).Run(1),
        sentence);
}

/// What is written is read.
DCN_TEST_CASE(RoundTripTestCase, "samples are read as they were written")
{
    for (const char* kind : {"path", "fabric"})
    {
        const std::string path = CreateTempDirFilename(std::string(kind) + ".h5");
        const DcnDatasetSchema schema(kind);
        const auto sampler = DcnDatasetSampler::Create(SmallRecipe(kind), 1);
        DcnDatasetRecorder recorder(std::string(kind) == "fabric");
        std::vector<DcnDatasetSchema::Rows> written;
        {
            DcnDatasetWriter writer(path, kind, "made=for a test\n");
            for (uint64_t i = 7; i < 12; ++i) // all congestion controls are among them
            {
                DcnDatasetSample sample = sampler->Draw(i);
                recorder.Simulate(sample);
                writer.Add(sample);
                written.push_back(schema.Pack(sample));
            }
            NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(path), false, "no name yet");
            writer.Commit();
        }
        DcnDatasetShard shard(path);
        NS_TEST_EXPECT_MSG_EQ(shard.GetKind(), kind, "kind");
        NS_TEST_EXPECT_MSG_EQ(shard.GetOptions(), "made=for a test\n", "options");
        NS_TEST_EXPECT_MSG_EQ(shard.GetN(), 5, "samples");
        NS_TEST_EXPECT_MSG_EQ(shard.GetFirst(), 7, "first sample");
        NS_TEST_EXPECT_MSG_EQ(shard.GetNFlows(), 200, "flows");
        for (uint64_t i : {3, 0, 4, 1, 2}) // in any order
        {
            const DcnDatasetSample sample = shard.Read(i);
            NS_TEST_EXPECT_MSG_EQ(IsSame(schema.Pack(sample), written[i]), true, kind << i);
            NS_TEST_EXPECT_MSG_EQ(sample.scenario->GetIdealFct(39).GetTotalNs(),
                                  sample.idealNs[39],
                                  "the scenario is the same");
        }
        // what is not committed leaves nothing behind
        const std::string none = CreateTempDirFilename("none.h5");
        DcnDatasetWriter(none, kind, "");
        const auto folder = std::filesystem::path(none).parent_path();
        for (const auto& entry : std::filesystem::directory_iterator(folder))
        {
            NS_TEST_EXPECT_MSG_EQ(entry.path().filename().string().rfind("none", 0),
                                  std::string::npos,
                                  "no file");
        }
    }
}

/// Files that are no shards are refused.
class SchemaTestCase : public TestCase
{
  public:
    SchemaTestCase()
        : TestCase("every violation of the schema has a sentence")
    {
    }

  private:
    using Columns = std::vector<DcnDatasetColumn>; //!< of a file

    void DoRun() override
    {
        m_path = CreateTempDirFilename("bad.h5");
        Expect("the file cannot be read (there is no such file)");
        std::ofstream(m_path) << "text";
        Expect("the file is not in the format HDF5, or not complete: remove it, and make the missing "
               "shards by the command of dataset.csv");

        Make({{"format", "other"}});
        Expect("the file is no shard of a data set, its format is \"other\"");
        Make({{"format_version", "7"}});
        Expect("the data set has the format version 7, but this program reads version 1");
        Make({{"kind", "star"}});
        Expect("the kind must be path or fabric, but it is \"star\"");
        Make({{"network_names", "window_bytes"}});
        Expect("network_names must begin with cc, but it begins with window_bytes");
        Make({{"draw_names", "theta"}});
        Expect("draw_names is \"theta\", which is not what data sets of the kind path have");

        Make({}, [](Columns& columns) { columns.erase(Find(columns, "flows/src")); });
        Expect("flows/src is missing");
        Make({}, [](Columns& columns) {
            Find(columns, "flows/src")->type = DcnDatasetColumn::FLOAT64;
        });
        Expect("flows/src is not of the type uint32");
        Make({}, [](Columns& columns) { Find(columns, "samples/draw")->width = 3; });
        Expect("samples/draw is not of the type float64 x 10");

        Make({}, {}, {{"flows/dst", std::vector<uint32_t>{1}}});
        Expect("flows/dst has 1 rows, but flows/src has 2");
        Make({}, {}, {{"samples/flow_offsets", std::vector<uint64_t>{}}});
        Expect("samples/flow_offsets is empty, but offsets begin with 0");
        Make({}, {}, {{"samples/flow_offsets", std::vector<uint64_t>{0, 1, 2}}});
        Expect("samples/flow_offsets has 2 rows + 1, but samples/index has 1");
        Make({}, {}, {{"samples/flow_offsets", std::vector<uint64_t>{1, 2}}});
        Expect("samples/flow_offsets begins with 1, not 0");
        Make({}, {}, {{"samples/flow_offsets", std::vector<uint64_t>{0, 3}}});
        Expect("samples/flow_offsets ends with 3, but flows has 2 rows");
        Make({}, {}, {{"flows/hop_offsets", std::vector<uint64_t>{0, 5, 4}}});
        Expect("flows/hop_offsets falls from 5 to 4 at row 2");

        // the values of a sample
        Make({});
        NS_TEST_EXPECT_MSG_EQ(DcnDatasetShard(m_path).Read(0).scenario->GetFlows().size(),
                              2,
                              "good");
        Make({}, {}, {{"hops/link", std::vector<uint32_t>{0, 2, 2, 2}}});
        ExpectSample("hops/link takes flow 1 from node 0 over link 2, which does not begin there");
        Make({}, {}, {{"flows/dst", std::vector<uint32_t>{2, 1}}});
        ExpectSample("hops/link takes flow 1 to node 2, but its destination is 1");
        Make({}, {}, {{"flows/start_ns", std::vector<int64_t>{10, 9}}});
        ExpectSample("flows/start_ns falls from 10 to 9 at flow 1");
        Make({}, {}, {{"flows/path_last", std::vector<uint8_t>{2, 3}}});
        ExpectSample("flow 1 is on the links from 0 to 3 of a path of 2");
        Make({}, {}, {{"links/rate_bps", std::vector<uint64_t>{10'000'000'000, 0}}});
        ExpectSample("links: the rate of the link from 1 to 2 is 0", false);
    }

    /**
     * @param columns of a file
     * @param path one of them
     * @return its position
     */
    static Columns::iterator Find(Columns& columns, const std::string& path)
    {
        return std::find_if(columns.begin(), columns.end(), [&path](const auto& column) {
            return column.GetPath() == path;
        });
    }

    /**
     * Write a shard with one sample: two flows over two links.
     * @param texts attributes that differ
     * @param change what to do with its columns
     * @param values columns that differ
     */
    void Make(const std::map<std::string, std::string>& texts,
              const std::function<void(Columns&)>& change = {},
              const std::map<std::string, DcnDatasetArray>& values = {})
    {
        const DcnDatasetSchema schema("path");
        Columns columns = schema.GetColumns();
        if (change)
        {
            change(columns);
        }
        auto join = [](const std::vector<std::string>& names) {
            std::string text;
            for (const auto& name : names)
            {
                text += (text.empty() ? "" : ",") + name;
            }
            return text;
        };
        auto file = DcnDatasetFile::Create(m_path, columns);
        std::map<std::string, std::string> all{{"format", "dcn-dataset"},
                                               {"format_version", "1"},
                                               {"kind", "path"},
                                               {"options", ""},
                                               {"network_names", join(schema.GetNetworkNames())},
                                               {"draw_names", join(schema.GetDrawNames())}};
        for (const auto& [name, text] : texts)
        {
            all[name] = text;
        }
        for (const auto& [name, text] : all)
        {
            file->SetText(name, text);
        }
        DcnTopologyBuilder builder;
        builder.AddNode(DcnNodeKind::HOST);
        builder.AddNode(DcnNodeKind::SWITCH);
        builder.AddNode(DcnNodeKind::HOST);
        builder.AddLink(0, 1, 10'000'000'000, 1000);
        builder.AddLink(1, 2, 10'000'000'000, 1000);
        DcnDatasetSample sample;
        sample.scenario = DcnScenario::Create(builder.Build(),
                                              DcnNetworkConfig::Preset("dctcp"),
                                              {{0, 0, 2, 1000, 0}, {1, 0, 2, 2000, 10}});
        sample.draw.resize(schema.GetDrawNames().size());
        sample.fctNs = sample.idealNs = {3000, 4000};
        sample.flags = {1, 1};
        sample.pathLinks = {0, 2};
        sample.pathFirst = {0, 0};
        sample.pathLast = {2, 2};
        auto rows = schema.Pack(sample);
        rows["samples/node_offsets"] = std::vector<uint64_t>{0, 3};
        rows["samples/link_offsets"] = std::vector<uint64_t>{0, 2};
        rows["samples/flow_offsets"] = std::vector<uint64_t>{0, 2};
        rows["samples/path_offsets"] = std::vector<uint64_t>{0, 2};
        rows["flows/hop_offsets"] = std::vector<uint64_t>{0, 2, 4};
        for (const auto& [path, array] : values)
        {
            rows[path] = array;
        }
        for (const DcnDatasetColumn& column : columns)
        {
            if (rows[column.GetPath()].index() == column.type && column.width != 3)
            {
                file->Append(column, rows[column.GetPath()]);
            }
        }
        file->Close();
    }

    /**
     * @param sentence why the file is refused, without its name
     */
    void Expect(const std::string& sentence)
    {
        DCN_TEST_EXPECT_ERROR(DcnDatasetShard(m_path), m_path + ": " + sentence);
    }

    /**
     * @param sentence why its sample is refused
     * @param whole it is the whole sentence, not only its beginning
     */
    void ExpectSample(const std::string& sentence, bool whole = true)
    {
        DcnDatasetShard shard(m_path);
        const std::string expected = m_path + ": sample at position 0: " + sentence;
        const std::string actual = DcnSentenceOf([&]() { shard.Read(0); });
        NS_TEST_EXPECT_MSG_EQ((whole ? actual : actual.substr(0, m_path.size() + 32)),
                              (whole ? expected : expected.substr(0, m_path.size() + 32)),
                              actual);
    }

    std::string m_path; //!< of the file
};

/// Data sets: processes, interruption, growth, ranks.
class GeneratorTestCase : public TestCase
{
  public:
    GeneratorTestCase()
        : TestCase("the bytes of a data set depend on its options alone")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* kind : {"path", "fabric"})
        {
            CheckBytes(kind);
        }
        CheckRefusals();
    }

    /**
     * @param kind path or fabric
     */
    void CheckBytes(const std::string& kind)
    {
        const DcnDatasetRecipe recipe = SmallRecipe(kind);
        auto run = [&](const std::string& folder, uint64_t samples, uint32_t jobs) {
            return DcnDatasetGenerator(recipe, 3, samples, 3, folder).Run(jobs);
        };
        const std::string whole = CreateTempDirFilename(kind + "-whole");
        const auto report = run(whole, 10, 1);
        NS_TEST_EXPECT_MSG_EQ(report.made, 10, "samples made");
        NS_TEST_EXPECT_MSG_EQ(report.flows, 400, "flows");
        const auto files = FilesOf(whole);
        NS_TEST_EXPECT_MSG_EQ(files.size(), 6, "4 shards, dataset.csv, manifest.csv");

        const std::string parallel = CreateTempDirFilename(kind + "-parallel");
        run(parallel, 10, 3);
        NS_TEST_EXPECT_MSG_EQ((FilesOf(parallel) == files), true, "processes");

        // as a run leaves it that was stopped while it wrote the third shard
        std::filesystem::remove(parallel + "/manifest.csv");
        std::filesystem::rename(parallel + "/shard-00002.h5",
                                parallel + "/shard-00002.h5.part-123");
        const auto resumed = run(parallel, 10, 2);
        NS_TEST_EXPECT_MSG_EQ(resumed.made, 3, "samples made again");
        NS_TEST_EXPECT_MSG_EQ(resumed.kept, 7, "samples kept");
        NS_TEST_EXPECT_MSG_EQ((FilesOf(parallel) == files), true, "resumed");

        // a shard that has changed since the manifest was written is not taken for good again
        const std::string damaged = parallel + "/shard-00001.h5";
        std::ofstream(damaged, std::ios::app) << 'x';
        DCN_TEST_EXPECT_ERROR(run(parallel, 10, 1),
                              damaged + ": the shard is not what the manifest says; if it is "
                                        "deleted, it is made again");
        std::filesystem::remove(damaged);
        NS_TEST_EXPECT_MSG_EQ(run(parallel, 10, 1).made, 3, "only that shard");
        NS_TEST_EXPECT_MSG_EQ((FilesOf(parallel) == files), true, "mended");

        const std::string grown = CreateTempDirFilename(kind + "-grown");
        run(grown, 4, 1);
        run(grown, 10, 1);
        NS_TEST_EXPECT_MSG_EQ((FilesOf(grown) == files), true, "grown");

        // another process works in the folder
        const std::string twice = CreateTempDirFilename(kind + "-twice");
        std::filesystem::create_directory(twice);
        const int folder = open(twice.c_str(), O_RDONLY | O_DIRECTORY);
        NS_TEST_ASSERT_MSG_EQ(flock(folder, LOCK_EX), 0, "the folder can be locked");
        DCN_TEST_EXPECT_ERROR(run(twice, 10, 2),
                              twice + ": another process makes a data set in this folder: wait for "
                                      "its end, or choose another folder (ranks of mpirun share "
                                      "one with --mpi)");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::is_empty(twice), true, "nothing is written");
        close(folder);
        run(twice, 10, 2);
        NS_TEST_EXPECT_MSG_EQ((FilesOf(twice) == files), true, "after its end");

        const std::string here = CreateTempDirFilename(kind + "-here");
        std::filesystem::create_directory(here);
        uint64_t steps = 0;
        DcnDatasetGenerator(recipe, 3, 10, 3, here)
            .MakeShard(3, here + "/shard-00003.h5", [&steps]() { ++steps; });
        NS_TEST_EXPECT_MSG_EQ(steps, 1, "the last shard has one sample");
        NS_TEST_EXPECT_MSG_EQ((FilesOf(here).at("shard-00003.h5") == files.at("shard-00003.h5")),
                              true,
                              "in this process");

        // random access over shards
        DcnDatasetReader reader(whole);
        NS_TEST_EXPECT_MSG_EQ(reader.GetN(), 10, "samples");
        NS_TEST_EXPECT_MSG_EQ(reader.GetKind(), kind, "kind");
        const DcnDatasetSchema schema(kind);
        for (uint64_t i : {9, 0, 5, 4})
        {
            DcnDatasetSample sample = DcnDatasetSampler::Create(recipe, 3)->Draw(i);
            DcnDatasetRecorder(kind == "fabric").Simulate(sample);
            NS_TEST_EXPECT_MSG_EQ(IsSame(schema.Pack(reader.Read(i)), schema.Pack(sample)),
                                  true,
                                  i);
        }
        reader.Verify();
    }

    void CheckRefusals()
    {
        const std::string folder = CreateTempDirFilename("refused");
        const DcnDatasetRecipe recipe = SmallRecipe("path");
        DCN_TEST_EXPECT_ERROR(DcnDatasetReader(folder), folder + ": there is no such folder");
        DCN_TEST_EXPECT_ERROR(DcnDatasetGenerator(recipe, 1, 0, 2, folder),
                              "the number of samples must be from 1 to 1048576, but it is 0");
        DCN_TEST_EXPECT_ERROR(DcnDatasetGenerator(recipe, 1, 2, 0, folder),
                              "a shard must have from 1 to 1048576 samples, but it has 0");
        DCN_TEST_EXPECT_ERROR(DcnDatasetGenerator(recipe, 1, 2, UINT64_MAX, folder),
                              "a shard must have from 1 to 1048576 samples, but it has "
                              "18446744073709551615");
        auto run = [&folder](const DcnDatasetRecipe& other, uint64_t seed, uint64_t n, uint64_t m) {
            DcnDatasetGenerator(other, seed, n, m, folder).Run(2);
        };
        const std::string made =
            folder + "/dataset.csv: the data set in this folder was made with ";
        run(recipe, 1, 4, 2);
        const std::string whole = CreateTempDirFilename("again");
        DcnDatasetGenerator(recipe, 1, 4, 2, whole).Run(1);
        DCN_TEST_EXPECT_ERROR(run(recipe, 2, 4, 2),
                              made + "seed=1, but seed=2 is asked for: choose another folder");
        DCN_TEST_EXPECT_ERROR(run(SmallRecipe("path", "load=0.5"), 1, 4, 2),
                              made + "load=0.2:0.8, but load=0.5 is asked for: choose another "
                                     "folder");
        DCN_TEST_EXPECT_ERROR(run(SmallRecipe("fabric"), 1, 4, 2),
                              made + "kind=path, but kind=fabric is asked for: choose another "
                                     "folder");
        DCN_TEST_EXPECT_ERROR(run(recipe, 1, 4, 3),
                              made + "shard_size=2, but shard_size=3 is asked for: choose another "
                                     "folder");
        DCN_TEST_EXPECT_ERROR(run(recipe, 1, 3, 2),
                              folder + "/dataset.csv: the data set in this folder has 4 samples, "
                                       "but only 3 are asked for: choose another folder");

        std::filesystem::rename(folder + "/manifest.csv", folder + "/old");
        DCN_TEST_EXPECT_ERROR(DcnDatasetReader(folder),
                              folder + "/manifest.csv: the file is not there, so the data set is "
                                       "not complete");
        std::filesystem::rename(folder + "/old", folder + "/manifest.csv");
        DcnDatasetReader reader(folder);
        const auto bytes = std::filesystem::file_size(folder + "/shard-00001.h5");
        std::ofstream(folder + "/shard-00001.h5", std::ios::app) << "x";
        const std::string longer = folder + "/shard-00001.h5: the file has " +
                                   std::to_string(bytes + 1) + " bytes, but manifest.csv says " +
                                   std::to_string(bytes);
        DCN_TEST_EXPECT_ERROR(reader.Verify(), longer);
        // nobody who reads samples takes what Verify refuses
        DCN_TEST_EXPECT_ERROR(DcnDatasetReader(folder).Read(2), longer);
        std::filesystem::resize_file(folder + "/shard-00001.h5", bytes);
        DCN_TEST_EXPECT_ERROR(DcnDatasetReader(folder).Verify(), "no error");

        // what a process in which a sample fails has to say
        const std::string other = CreateTempDirFilename("failing");
        DcnDatasetGenerator failing(SmallRecipe("path", "buffer_kib=40,nodes=3"), 1, 4, 2, other);
        DCN_TEST_EXPECT_ERROR(failing.Run(1),
                              "sample 0: switch 6 sets aside 47076 bytes as reserve and headroom "
                              "of its 6 ports, but buffer_bytes is 40960; a buffer of three "
                              "times as much leaves them a share: buffer_bytes=141228");
        for (const auto& [name, content] : FilesOf(other))
        {
            NS_TEST_EXPECT_MSG_EQ(name, "dataset.csv", "nothing else is left");
        }
        // without a shard the folder is not spoilt
        DcnDatasetGenerator(recipe, 1, 4, 2, other).Run(1);
        NS_TEST_EXPECT_MSG_EQ((FilesOf(other) == FilesOf(whole)), true, "other rules");
    }
};

/// A shard that was damaged is refused by the manifest, and without it read or refused by its name.
class DamagedShardTestCase : public DcnChangesTestCase
{
  public:
    /** @param nCases number of damaged files */
    explicit DamagedShardTestCase(uint32_t nCases)
        : DcnChangesTestCase("damaged shards", nCases)
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("damaged");
        DcnDatasetGenerator(SmallRecipe("path"), 1, 4, 2, folder).Run(1);
        const std::string path = folder + "/shard-00001.h5";
        const std::string whole = DcnReadTestFile(path);
        uint32_t nRefused = 0;
        for (uint32_t i = 0; i < GetNCases(); ++i)
        {
            std::string damaged = whole;
            if (Draw(2) == 0) // a byte, as on a bad disk
            {
                damaged[Draw(whole.size())] += static_cast<char>(1 + Draw(255));
            }
            else // lengths, offsets and texts of the first blocks
            {
                damaged = ChangeBytes(whole, std::string("\0\0\1\2\4\x08\x80\xff", 8), 4096);
            }
            DcnWriteTestFile(path, damaged);
            DcnDatasetReader reader(folder);
            const std::string byManifest = DcnSentenceOf([&]() { reader.Read(2); });
            NS_TEST_EXPECT_MSG_EQ(
                (damaged == whole || byManifest.rfind(path + ": the file has ", 0) == 0),
                true,
                "change " << i << ": " << byManifest);
            if (i % 50 == 0)
            {
                NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { reader.Read(1); }),
                                      "no error",
                                      "the other shard is good");
            }
            // with the hash of the damaged bytes in the manifest, it is read or refused
            const std::string sentence = DcnSentenceOf([&]() {
                DcnDatasetShard shard(path);
                for (uint64_t position = 0; position < shard.GetN(); ++position)
                {
                    shard.Read(position);
                }
            });
            nRefused += sentence != "no error" ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ((sentence == "no error" || sentence.rfind(path + ": ", 0) == 0),
                                  true,
                                  "change " << i << ": " << sentence);
        }
        NS_TEST_EXPECT_MSG_GT(nRefused, GetNCases() / 4, "many are refused without a manifest");
        NS_TEST_EXPECT_MSG_LT(nRefused, GetNCases(), "values that are as good as others");
    }
};

/// @return cases that run with HDF5 and without, and one that needs that there is none
std::vector<TestCase*>
MakeCases()
{
    std::vector<TestCase*> cases{new ManifestTestCase};
    if (!DcnDatasetFile::IsAvailable())
    {
        cases.push_back(new NoHdf5TestCase);
    }
    return cases;
}

/// Quick cases, and many damaged files in the extensive run.
class DatasetFilesTestSuite : public DcnTestSuite<>
{
  public:
    DatasetFilesTestSuite()
        : DcnTestSuite("dcn-datasets-files",
                       MakeCases(),
                       DcnTestsIf(DcnDatasetFile::IsAvailable(),
                                  DCN_NEED_HDF5,
                                  {new RoundTripTestCase,
                                   new SchemaTestCase,
                                   new GeneratorTestCase,
                                   new DamagedShardTestCase(200)}))
    {
        for (TestCase* each : DcnTestsIf(DcnDatasetFile::IsAvailable(),
                                         DCN_NEED_HDF5,
                                         {new DamagedShardTestCase(2000)}))
        {
            AddTestCase(each, DCN_TEST_EXTENSIVE(DatasetFilesTestSuite));
        }
    }
};

DatasetFilesTestSuite g_dcnDatasetsFilesTestSuite; //!< the suite

} // namespace
