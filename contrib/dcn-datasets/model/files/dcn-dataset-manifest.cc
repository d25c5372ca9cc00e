/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-manifest.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/hash.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ns3
{

namespace
{

const char* const OPTIONS_FILE = "dataset.csv";
const char* const MANIFEST_FILE = "manifest.csv";

/// Keys of DcnDatasetOptions::origin.
const std::vector<std::string> ORIGIN_KEYS{"dcn_release", "date", "recipe", "command"};

/**
 * @param folder a folder
 * @return true if there is a complete shard in it
 */
bool
HasShards(const std::string& folder)
{
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (entry.path().extension() == ".h5")
        {
            return true;
        }
    }
    return false;
}

} // namespace

const char* const DcnDatasetOptions::ENGINE_DIGEST = "engine_digest";
const char* const DcnDatasetOptions::ENGINE = "engine";

const std::string&
DcnDatasetOptions::Get(const std::string& key) const
{
    static const std::string UNKNOWN = DCN_UNKNOWN_ORIGIN;
    for (const auto& [each, value] : content)
    {
        if (each == key)
        {
            return value;
        }
    }
    const auto found = origin.find(key);
    return found == origin.end() ? UNKNOWN : found->second;
}

std::string
DcnDatasetOptions::DescribeEngine() const
{
    const std::string& name = Get(ENGINE);
    return (name == DCN_UNKNOWN_ORIGIN ? "packet" : name) + " " + Get(ENGINE_DIGEST);
}

std::vector<std::pair<std::string, std::string>>
DcnDatasetOptions::GetOrigin() const
{
    std::vector<std::pair<std::string, std::string>> entries;
    for (const std::string& key : ORIGIN_KEYS)
    {
        entries.emplace_back(key, Get(key));
    }
    return entries;
}

void
DcnDatasetOptions::CheckShard(const std::string& path, const std::string& text) const
{
    if (text == GetContentText())
    {
        return;
    }
    DcnDatasetOptions of;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t equals = std::min(line.find('='), line.size() - 1);
        of.content.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    if (of.DescribeEngine() != DescribeEngine())
    {
        DcnFail(path,
                ": the engine that made the shard is ",
                of.DescribeEngine(),
                ", but that of the data set is ",
                DescribeEngine(),
                "; if the shard is deleted, it is made again");
    }
    DcnFail(path, ": the shard was made with other options than dataset.csv says");
}

std::string
DcnDatasetOptions::GetContentText() const
{
    std::string text;
    for (const auto& [key, value] : content)
    {
        text += key + "=" + value + "\n";
    }
    return text;
}

uint64_t
DcnDatasetOptions::GetNShards() const
{
    return samples / shardSize + (samples % shardSize > 0); // a sum might overflow
}

uint64_t
DcnDatasetOptions::GetFirst(uint64_t shard) const
{
    return shard * shardSize;
}

uint64_t
DcnDatasetOptions::GetN(uint64_t shard) const
{
    return std::min(shardSize, samples - GetFirst(shard));
}

std::string
DcnDatasetOptions::GetShardName(uint64_t shard)
{
    char name[32];
    std::snprintf(name, sizeof(name), "shard-%05llu.h5", static_cast<unsigned long long>(shard));
    return name;
}

DcnDatasetOptions
DcnDatasetOptions::Read(const std::string& folder)
{
    DcnDatasetOptions options;
    DcnCsvReader csv(folder + "/" + OPTIONS_FILE, {"key", "value"});
    while (csv.FetchRow())
    {
        if (csv.GetText(0) == "samples")
        {
            options.samples = csv.GetUint(1);
        }
        else if (csv.GetText(0) == "shard_size")
        {
            options.shardSize = csv.GetUint(1);
        }
        else if (std::count(ORIGIN_KEYS.begin(), ORIGIN_KEYS.end(), csv.GetText(0)) > 0)
        {
            options.origin[csv.GetText(0)] = csv.GetText(1);
        }
        else
        {
            options.content.emplace_back(csv.GetText(0), csv.GetText(1));
        }
    }
    if (options.samples == 0 || options.shardSize == 0)
    {
        DcnFail(folder, "/", OPTIONS_FILE, ": samples or shard_size is missing, or 0");
    }
    return options;
}

void
DcnDatasetOptions::WriteOrCompare(const std::string& folder) const
{
    const std::string path = folder + "/" + OPTIONS_FILE;
    DcnDatasetOptions written = *this;
    if (std::filesystem::exists(path) && HasShards(folder))
    {
        const DcnDatasetOptions there = Read(folder);
        if (there.DescribeEngine() != DescribeEngine())
        {
            DcnFail(path,
                    ": the engine that made the data set in this folder is ",
                    there.DescribeEngine(),
                    ", but this one is ",
                    DescribeEngine(),
                    ": choose another folder");
        }
        auto compare = [&path](const std::string& key, const std::string& a, const std::string& b) {
            if (a != b)
            {
                DcnFail(path,
                        ": the data set in this folder was made with ",
                        key,
                        "=",
                        a,
                        ", but ",
                        key,
                        "=",
                        b,
                        " is asked for: choose another folder");
            }
        };
        compare("shard_size", std::to_string(there.shardSize), std::to_string(shardSize));
        for (std::size_t i = 0; i < std::max(content.size(), there.content.size()); ++i)
        {
            static const std::pair<std::string, std::string> NONE;
            const auto& requested = i < content.size() ? content[i] : NONE;
            const auto& existing = i < there.content.size() ? there.content[i] : NONE;
            compare("the rule", existing.first, requested.first);
            compare(requested.first, existing.second, requested.second);
        }
        if (there.samples > samples)
        {
            DcnFail(path,
                    ": the data set in this folder has ",
                    there.samples,
                    " samples, but only ",
                    samples,
                    " are asked for: choose another folder");
        }
        if (there.samples == samples)
        {
            return;
        }
        for (const char* key : {"dcn_release", "date"})
        {
            written.origin[key] = there.Get(key); // it was begun then
        }
    }
    DcnFileWriter file(path);
    file.Stream() << "key,value\nsamples," << samples << "\nshard_size," << shardSize << "\n";
    for (const auto& entries : {written.GetOrigin(), content})
    {
        for (const auto& [key, value] : entries)
        {
            file.Stream() << key << "," << value << "\n";
        }
    }
    file.Commit();
}

std::vector<DcnDatasetManifestRow>
DcnReadManifest(const std::string& folder)
{
    const std::string path = folder + "/" + MANIFEST_FILE;
    if (!std::filesystem::exists(path))
    {
        DcnFail(path, ": the file is not there, so the data set is not complete");
    }
    DcnCsvReader csv(
        path,
        {"shard", "file", "first_sample", "samples", "first_seed", "flows", "bytes", "hash"});
    std::vector<DcnDatasetManifestRow> rows;
    uint64_t next = 0;
    while (csv.FetchRow())
    {
        rows.push_back({csv.GetUint(0),
                        csv.GetText(1),
                        csv.GetUint(2),
                        csv.GetUint(3),
                        csv.GetUint(4),
                        csv.GetUint(5),
                        csv.GetUint(6),
                        csv.GetText(7)});
        // the names are ours; another one could be any file of the machine
        const std::string name = DcnDatasetOptions::GetShardName(rows.size() - 1);
        if (rows.back().shard != rows.size() - 1 || rows.back().file != name)
        {
            DcnFail(csv.Where(),
                    "the row must be of shard ",
                    rows.size() - 1,
                    " in ",
                    name,
                    ", but it is of shard ",
                    rows.back().shard,
                    " in \"",
                    rows.back().file,
                    "\"");
        }
        if (rows.back().firstSample != next)
        {
            DcnFail(csv.Where(),
                    "first_sample must be ",
                    next,
                    ", but it is ",
                    rows.back().firstSample);
        }
        if (rows.back().samples == 0 || rows.back().samples > UINT64_MAX - next)
        {
            DcnFail(csv.Where(), "samples cannot be ", rows.back().samples);
        }
        next += rows.back().samples;
    }
    return rows;
}

void
DcnWriteManifest(const std::string& folder, const std::vector<DcnDatasetManifestRow>& rows)
{
    DcnFileWriter file(folder + "/" + MANIFEST_FILE);
    file.Stream() << "shard,file,first_sample,samples,first_seed,flows,bytes,hash\n";
    for (const auto& row : rows)
    {
        file.Stream() << row.shard << ',' << row.file << ',' << row.firstSample << ','
                      << row.samples << ',' << row.firstSeed << ',' << row.flows << ',' << row.bytes
                      << ',' << row.hash << '\n';
    }
    file.Commit();
}

std::string
DcnHashFile(const std::string& path)
{
    static constexpr std::size_t BLOCK_BYTES = 1 << 20;
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::vector<char> block(BLOCK_BYTES);
    Hasher hasher;
    uint64_t hash = hasher.clear().GetHash64("");
    while (file.read(block.data(), BLOCK_BYTES) || file.gcount() > 0)
    {
        hash = hasher.GetHash64(block.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.eof())
    {
        DcnFail(path, ": the file cannot be read", DcnDescribeFileError(path, errno));
    }
    char text[17];
    std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

} // namespace ns3
