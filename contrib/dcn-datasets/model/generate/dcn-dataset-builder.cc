/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-builder.h"

#include "../files/dcn-dataset-manifest.h"
#include "../files/dcn-dataset-writer.h"
#include "dcn-dataset-recorder.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"

#include <filesystem>
#include <limits>
#include <system_error>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDatasetBuilder");

namespace
{

const char* const KIND = "fabric"; //!< of the data sets

} // namespace

DcnDatasetBuilder::DcnDatasetBuilder(const std::string& folder,
                                     const std::string& engine,
                                     uint64_t firstSeed,
                                     uint64_t shardSize)
    : m_folder(folder),
      m_firstSeed(firstSeed),
      m_options(std::make_unique<DcnDatasetOptions>())
{
    DcnDatasetFile::CheckAvailable();
    if (engine.empty() || engine.find_first_of(",\"\n\r") != std::string::npos)
    {
        DcnFail("the name of a simulation must not be empty or have commas, quotes or line ends, "
                "but it is \"",
                engine,
                "\"");
    }
    if (shardSize == 0)
    {
        DcnFail("a shard must have at least 1 sample, but it has 0");
    }
    DcnMakeFolder(folder);
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".h5" || name == "dataset.csv" || name == "manifest.csv")
        {
            DcnFail(folder, ": there is a data set in this folder: choose another folder");
        }
    }
    m_options->shardSize = shardSize;
    m_options->content = {{"format_version", std::to_string(DcnDatasetSchema::VERSION)},
                          {"kind", KIND},
                          {"seed", std::to_string(firstSeed)},
                          {DcnDatasetOptions::ENGINE_DIGEST, "own: " + engine}};
    m_options->origin = {{"dcn_release", DCN_RELEASE},
                         {"date", DcnGetUtcDate()},
                         {"recipe", "own"},
                         {"command", "DcnDatasetBuilder"}};
}

DcnDatasetBuilder::~DcnDatasetBuilder()
{
    if (!m_isCommitted)
    {
        for (const DcnDatasetManifestRow& row : m_manifest)
        {
            std::error_code ignored;
            std::filesystem::remove(m_folder + "/" + row.file, ignored);
        }
    }
}

uint64_t
DcnDatasetBuilder::GetNextSeed() const
{
    return m_firstSeed + m_options->samples;
}

DcnDatasetSample
DcnDatasetBuilder::MakeSample(Ptr<const DcnScenario> scenario, const DcnCollector& collector)
{
    const std::size_t nFlows = scenario->GetFlows().size();
    if (collector.GetFlowRecords().size() != nFlows)
    {
        DcnFail("the collector has watched ",
                collector.GetFlowRecords().size(),
                " flows, but the scenario has ",
                nFlows);
    }
    DcnDatasetSample sample;
    sample.scenario = scenario;
    for (std::size_t flow = 0; flow < nFlows; ++flow)
    {
        const DcnFlow& expected = scenario->GetFlows()[flow];
        const int64_t startNs = collector.GetFlowRecords()[flow].startNs;
        if (startNs == DcnFlowRecord::NONE)
        {
            DcnFail("flow ", expected.id, " was not watched, or did not start");
        }
        if (startNs != expected.startNs)
        {
            DcnFail("flow ",
                    expected.id,
                    " started at ",
                    startNs,
                    " ns, but in the scenario at ",
                    expected.startNs,
                    " ns");
        }
        sample.idealNs.push_back(scenario->GetIdealFct(flow).GetTotalNs());
    }
    if (collector.GetRemaining().isCut)
    {
        DcnFail("the collector has omitted events: set its attribute MaxRemainingEntries higher");
    }
    const DcnDatasetRecorder recorder(true, !collector.GetRemaining().events.empty());
    recorder.Take(collector, sample);
    const DcnNetworkParameters& network = scenario->GetNetwork();
    sample.draw.assign(DcnDatasetSchema(KIND).GetDrawNames().size(),
                       std::numeric_limits<double>::quiet_NaN());
    sample.draw[6] = static_cast<double>(network.bufferBytes);
    return sample;
}

void
DcnDatasetBuilder::Add(Ptr<const DcnScenario> scenario, const DcnCollector& collector)
{
    DcnDatasetSample sample = MakeSample(scenario, collector);
    sample.index = m_options->samples;
    sample.seed = GetNextSeed();
    sample.draw[0] = static_cast<double>(sample.index);
    if (!m_writer)
    {
        const uint64_t shard = m_manifest.size();
        m_writer = std::make_unique<DcnDatasetWriter>(m_folder + "/" +
                                                          DcnDatasetOptions::GetShardName(shard),
                                                      KIND,
                                                      m_options->GetContentText());
    }
    m_writer->Add(sample);
    m_nFlows += scenario->GetFlows().size();
    ++m_options->samples;
    NS_LOG_INFO("sample " << sample.index << ": " << scenario->GetFlows().size() << " flows, "
                          << sample.events.size() << " events");
    if (m_options->samples % m_options->shardSize == 0)
    {
        CloseShard();
    }
}

void
DcnDatasetBuilder::CloseShard()
{
    const uint64_t shard = m_manifest.size();
    const std::string name = DcnDatasetOptions::GetShardName(shard);
    const std::string path = m_folder + "/" + name;
    m_writer->Commit();
    m_writer.reset();
    const uint64_t first = m_options->GetFirst(shard);
    m_manifest.push_back({shard,
                          name,
                          first,
                          m_options->GetN(shard),
                          m_firstSeed + first,
                          m_nFlows,
                          std::filesystem::file_size(path),
                          DcnHashFile(path)});
    m_nFlows = 0;
}

void
DcnDatasetBuilder::Commit()
{
    if (m_options->samples == 0)
    {
        DcnFail(m_folder, ": a data set without samples");
    }
    if (m_writer)
    {
        CloseShard();
    }
    m_options->WriteOrCompare(m_folder);
    DcnWriteManifest(m_folder, m_manifest);
    m_isCommitted = true;
    NS_LOG_INFO("data set " << m_folder << " is complete: " << m_options->samples << " samples");
}

} // namespace ns3
