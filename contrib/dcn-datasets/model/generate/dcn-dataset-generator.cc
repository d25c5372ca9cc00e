/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-generator.h"

#include "../files/dcn-dataset-manifest.h"
#include "../files/dcn-dataset-shard.h"
#include "../files/dcn-dataset-writer.h"
#include "dcn-dataset-recorder.h"
#include "dcn-dataset-sampler.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-progress.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDatasetGenerator");

DcnDatasetGenerator::DcnDatasetGenerator(const DcnDatasetRecipe& recipe,
                                         uint64_t seed,
                                         uint64_t samples,
                                         uint64_t shardSize,
                                         const std::string& folder,
                                         const std::string& engine)
    : m_folder(folder),
      m_engine(engine),
      m_seed(seed),
      m_dense(recipe.GetKind() == "fabric" && recipe.Get("record") == "all"),
      m_options(std::make_unique<DcnDatasetOptions>()),
      m_sampler(DcnDatasetSampler::Create(recipe, seed))
{
    DcnDatasetFile::CheckAvailable();
    if (samples == 0 || samples > DcnDatasetSampler::MAX_SAMPLES)
    {
        DcnFail("the number of samples must be from 1 to ",
                DcnDatasetSampler::MAX_SAMPLES,
                ", but it is ",
                samples);
    }
    if (shardSize == 0 || shardSize > DcnDatasetSampler::MAX_SAMPLES)
    {
        DcnFail("a shard must have from 1 to ",
                DcnDatasetSampler::MAX_SAMPLES,
                " samples, but it has ",
                shardSize);
    }
    const auto simulation = DcnDatasetEngine::Create(engine);
    simulation->Check(recipe);
    const std::string digest = simulation->GetDigest();
    const bool isDefault = engine == DcnDatasetEngine::DEFAULT;
    m_options->samples = samples;
    m_options->shardSize = shardSize;
    m_options->content = {{"format_version", std::to_string(DcnDatasetSchema::VERSION)},
                          {"kind", recipe.GetKind()},
                          {"seed", std::to_string(seed)},
                          {"rng_seed", std::to_string(RngSeedManager::GetSeed())},
                          {"rng_run", std::to_string(RngSeedManager::GetRun())},
                          {DcnDatasetOptions::ENGINE_DIGEST, digest}};
    if (!isDefault)
    {
        m_options->content.emplace_back(DcnDatasetOptions::ENGINE, engine);
    }
    const auto rules = recipe.GetRules();
    m_options->content.insert(m_options->content.end(), rules.begin(), rules.end());
    std::ostringstream command; // without commas, which a cell cannot have
    command << "dcn-dataset " << recipe.GetCommandOptions() << " --seed=" << seed
            << " --samples=" << samples << " --shardSize=" << shardSize;
    if (!isDefault)
    {
        command << " --engine=" << engine;
    }
    if (RngSeedManager::GetSeed() != 1 || RngSeedManager::GetRun() != 1)
    {
        command << " --RngSeed=" << RngSeedManager::GetSeed()
                << " --RngRun=" << RngSeedManager::GetRun();
    }
    if (isDefault && digest != DCN_RELEASE_ENGINE_DIGEST)
    {
        // the changed attributes cannot be listed here: there are many ways to set them
        command << " (and attributes or an engine that are not those of dcn " << DCN_RELEASE << ")";
    }
    m_options->origin = {{"dcn_release", DCN_RELEASE},
                         {"date", DcnGetUtcDate()},
                         {"recipe", recipe.GetName()},
                         {"command", command.str()}};
}

DcnDatasetGenerator::~DcnDatasetGenerator() = default;

const DcnDatasetOptions&
DcnDatasetGenerator::GetOptions() const
{
    return *m_options;
}

std::string
DcnDatasetGenerator::GetPath(uint64_t shard) const
{
    return m_folder + "/" + DcnDatasetOptions::GetShardName(shard);
}

void
DcnDatasetGenerator::MakeShard(uint64_t shard,
                               const std::string& path,
                               const std::function<void()>& onSample) const
{
    const std::string kind = m_options->Get("kind");
    DcnDatasetWriter writer(path, kind, m_options->GetContentText());
    DcnDatasetRecorder recorder(kind == "fabric", m_dense, m_engine);
    const uint64_t first = m_options->GetFirst(shard);
    for (uint64_t index = first; index < first + m_options->GetN(shard); ++index)
    {
        DcnDatasetSample sample = m_sampler->Draw(index);
        recorder.Simulate(sample);
        writer.Add(sample);
        onSample();
    }
    writer.Commit();
    NS_LOG_INFO("shard " << path << " with the samples from " << first << " is written");
}

void
DcnDatasetGenerator::Simulate(DcnDatasetSample& sample)
{
    DcnDatasetRecorder(true).Simulate(sample);
}

bool
DcnDatasetGenerator::IsThere(uint64_t shard, const Manifest& manifest) const
{
    const std::string path = GetPath(shard);
    if (!std::filesystem::exists(path))
    {
        return false;
    }
    DcnDatasetShard file(path);
    m_options->CheckShard(path, file.GetOptions());
    if (file.GetFirst() != m_options->GetFirst(shard))
    {
        DcnFail(path, ": the shard belongs to another data set");
    }
    if (file.GetN() != m_options->GetN(shard))
    {
        return false; // fewer if the data set has grown
    }
    // a shard that the manifest of an earlier run lists must be unchanged
    for (const DcnDatasetManifestRow& row : manifest)
    {
        if (row.shard == shard && row.samples == file.GetN() && row.hash != DcnHashFile(path))
        {
            DcnFail(path,
                    ": the shard is not what the manifest says; if it is deleted, it is made "
                    "again");
        }
    }
    return true;
}

std::vector<uint64_t>
DcnDatasetGenerator::FindMissing(const Manifest& manifest, Report& report) const
{
    std::vector<uint64_t> missing;
    for (uint64_t shard = 0; shard < m_options->GetNShards(); ++shard)
    {
        if (IsThere(shard, manifest))
        {
            NS_LOG_INFO("shard " << GetPath(shard) << " exists");
            report.kept += m_options->GetN(shard);
        }
        else
        {
            missing.push_back(shard);
            report.made += m_options->GetN(shard);
        }
    }
    return missing;
}

void
DcnDatasetGenerator::SendShard(uint64_t shard,
                               const std::string& folder,
                               const DcnTaskFarm::Reply& reply) const
{
    const std::string path = folder + "/" + DcnDatasetOptions::GetShardName(shard) + ".part-of-" +
                             std::to_string(getpid());
    MakeShard(shard, path, [&reply]() { reply(""); });
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    std::filesystem::remove(path);
    reply(bytes.str());
}

DcnDatasetGenerator::Report
DcnDatasetGenerator::Run(const DcnTaskFarm& farm)
{
    DcnResultStore::Experiment experiment(m_options->content.begin(), m_options->content.end());
    experiment["samples"] = std::to_string(m_options->samples);
    experiment["shardSize"] = std::to_string(m_options->shardSize);
    if (!farm.IsRoot())
    {
        const std::string folder = std::filesystem::temp_directory_path().string();
        farm.Run(
            experiment,
            std::vector<std::string>(),
            [&](const std::string& task, const DcnTaskFarm::Reply& reply) {
                SendShard(std::stoull(task), folder, reply);
            },
            nullptr);
        return {};
    }
    DcnMakeFolder(m_folder);
    const DcnFolderLock lock(m_folder,
                             "another process makes a data set in this folder: wait for its end, "
                             "or choose another folder (ranks of mpirun share one with --mpi)");
    m_options->WriteOrCompare(m_folder);
    // unfinished shards of processes that were killed
    for (const auto& entry : std::filesystem::directory_iterator(m_folder))
    {
        if (entry.path().filename().string().find(".h5.part-") != std::string::npos)
        {
            std::filesystem::remove(entry.path());
        }
    }
    Manifest manifest;
    if (std::filesystem::exists(m_folder + "/manifest.csv"))
    {
        manifest = DcnReadManifest(m_folder);
    }
    Report report;
    const std::vector<uint64_t> missing = FindMissing(manifest, report);
    if (!missing.empty())
    {
        std::filesystem::remove(m_folder + "/manifest.csv"); // of a smaller data set
    }
    std::vector<std::string> tasks;
    for (const uint64_t shard : missing)
    {
        tasks.push_back(std::to_string(shard));
    }
    DcnProgress progress("data set", report.made, "samples");
    uint64_t nDone = 0;
    farm.Run(
        experiment,
        tasks,
        [&](const std::string& task, const DcnTaskFarm::Reply& reply) {
            SendShard(std::stoull(task), m_folder, reply);
        },
        [&](uint64_t task, std::string&& bytes) {
            if (bytes.empty()) // a sample is made
            {
                progress.Update(++nDone);
                return;
            }
            const std::string path = GetPath(missing[task]);
            const std::string part = path + ".part-" + std::to_string(getpid());
            errno = 0;
            std::ofstream file(part, std::ios::binary);
            file << bytes;
            file.close();
            const int descriptor = open(part.c_str(), O_RDONLY);
            // on the disk before it gets its name
            const bool isWritten = file && descriptor >= 0 && fsync(descriptor) == 0;
            const int reason = errno;
            close(descriptor);
            std::error_code error;
            std::filesystem::rename(part, path, error);
            if (!isWritten || error)
            {
                DcnFail(path,
                        ": the file cannot be written",
                        DcnDescribeFileError(path, isWritten ? error.value() : reason));
            }
        });
    WriteManifest(report);
    return report;
}

void
DcnDatasetGenerator::WriteManifest(Report& report) const
{
    std::vector<DcnDatasetManifestRow> rows;
    for (uint64_t shard = 0; shard < m_options->GetNShards(); ++shard)
    {
        const std::string path = GetPath(shard);
        const uint64_t flows = DcnDatasetShard(path).GetNFlows();
        const uint64_t first = m_options->GetFirst(shard);
        rows.push_back({shard,
                        DcnDatasetOptions::GetShardName(shard),
                        first,
                        m_options->GetN(shard),
                        DcnDatasetSampler::GetSampleSeed(m_seed, first),
                        flows,
                        std::filesystem::file_size(path),
                        DcnHashFile(path)});
        report.flows += flows;
        report.bytes += rows.back().bytes;
    }
    DcnWriteManifest(m_folder, rows);
    NS_LOG_INFO("data set " << m_folder << " is complete: " << rows.size() << " shards, "
                            << report.flows << " flows, " << report.bytes << " bytes");
}

} // namespace ns3
