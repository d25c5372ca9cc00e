/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "../../dcn-dataset/test/dcn-dataset-test.h"

#include "ns3/callback.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-dataset-manifest.h"
#include "ns3/dcn-queue-probe.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

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
class ManifestTestCase : public TestCase
{
  public:
    ManifestTestCase()
        : TestCase("options and manifests of data sets")
    {
    }

  private:
    void DoRun() override
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
        const std::string made =
            folder + "/dataset.csv: the data set in this folder was made with ";
        DcnDatasetOptions other = options;
        other.shardSize = 5;
        NS_TEST_EXPECT_MSG_EQ(
            refuse(other),
            made + "shard_size=4, but shard_size=5 is asked for: choose another folder",
            "other shards");
        other = options;
        other.content.emplace_back("load", "0.5");
        NS_TEST_EXPECT_MSG_EQ(
            refuse(other),
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
                 again[i].firstSample == rows[i].firstSample &&
                 again[i].samples == rows[i].samples && again[i].firstSeed == rows[i].firstSeed &&
                 again[i].flows == rows[i].flows && again[i].bytes == rows[i].bytes &&
                 again[i].hash == rows[i].hash),
                true,
                "row " << i);
        }
        auto gap = rows;
        gap[1].firstSample = 5;
        DcnWriteManifest(folder, gap);
        DCN_TEST_EXPECT_ERROR(DcnReadManifest(folder),
                              folder + "/manifest.csv:3: first_sample must be 4, but it is 5");

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
                              folder + "/none: the file cannot be read");
    }
};

/**
 * Fabrics are as the rules say; with the exact rule, the most loaded link has the load drawn:
 * payload on it / (rate x time), with the time of n flows n / (n - 1) times that from the first to
 * the last.
 */
class FabricSamplerTestCase : public TestCase
{
  public:
    FabricSamplerTestCase()
        : TestCase("fabrics that are drawn")
    {
    }

  private:
    void DoRun() override
    {
        const DcnDatasetSchema schema("fabric");
        const std::string rules = "pods=3,racks_per_pod=2,hosts_per_rack=5,fabrics_per_pod=2,"
                                  "spines_per_plane=2,host_rate_bps=25000000000,"
                                  "switch_rate_bps=100000000000,link_delay_ns=700,flows=400,"
                                  "size_cap_bytes=100000";
        const auto exact = DcnMakeSampler("fabric", rules + ",load_rule=exact");
        const auto expected = DcnMakeSampler("fabric", rules);
        for (uint64_t i = 0; i < 5; ++i)
        {
            const DcnDatasetSample sample = exact->Draw(i);
            const DcnTopology& topology = sample.scenario->GetTopology();
            const auto& flows = sample.scenario->GetFlows();
            NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), 3 * 2 * 5, "hosts");
            // racks to fabric switches, and these to their plane's spines
            const uint32_t nCables = 3 * 2 * 5 + 3 * 2 * 2 + 3 * 2 * 2;
            NS_TEST_EXPECT_MSG_EQ(topology.GetNLinks(), 2 * nCables, "directed links");
            std::vector<double> bytes(topology.GetNLinks(), 0.0);
            for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
            {
                const DcnLink& each = topology.GetLink(link);
                const bool isHost = topology.IsHost(each.from) || topology.IsHost(each.to);
                NS_TEST_EXPECT_MSG_EQ(each.rateBps,
                                      (isHost ? 25'000'000'000ULL : 100'000'000'000ULL),
                                      "rate");
                NS_TEST_EXPECT_MSG_EQ(each.delayNs, 700, "delay");
            }
            NS_TEST_ASSERT_MSG_EQ(flows.size(), 400, "flows");
            for (std::size_t f = 0; f < flows.size(); ++f)
            {
                NS_TEST_EXPECT_MSG_LT(flows[f].sizeBytes, 100'001, "cap");
                for (const uint32_t link : sample.scenario->GetPath(f))
                {
                    bytes[link] += static_cast<double>(flows[f].sizeBytes);
                }
            }
            const auto spanNs =
                static_cast<double>(flows.back().startNs - flows.front().startNs) * 400 / 399;
            double load = 0;
            for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
            {
                const auto rate = static_cast<double>(topology.GetLink(link).rateBps);
                load = std::max(load, 8e9 * bytes[link] / (rate * spanNs));
            }
            const double drawn = DcnDrawOf(schema, sample, "load");
            NS_TEST_EXPECT_MSG_EQ_TOL(load, drawn, 1e-3 * drawn, "load of sample " << i);

            // the other rule has the same flows at other times
            const auto other = expected->Draw(i).scenario;
            const auto& others = other->GetFlows();
            for (std::size_t f = 0; f < flows.size(); ++f)
            {
                NS_TEST_EXPECT_MSG_EQ((flows[f].sizeBytes == others[f].sizeBytes &&
                                       flows[f].src == others[f].src &&
                                       flows[f].dst == others[f].dst),
                                      true,
                                      "flow " << f);
            }
            NS_TEST_EXPECT_MSG_NE(flows.back().startNs, others.back().startNs, "stretched");
        }
        // samples of one workload have the same flows, and configurations of their own
        const auto pairs = DcnMakeSampler("fabric", rules + ",samples_per_workload=2");
        const auto one = pairs->Draw(0).scenario;
        const auto two = pairs->Draw(1).scenario;
        NS_TEST_EXPECT_MSG_EQ(one->GetFlows()[7].sizeBytes, two->GetFlows()[7].sizeBytes, "flows");
        NS_TEST_EXPECT_MSG_EQ(one->GetFlows()[7].startNs, two->GetFlows()[7].startNs, "flows");
        NS_TEST_EXPECT_MSG_NE(one->GetNetwork().windowBytes,
                              two->GetNetwork().windowBytes,
                              "configurations");
        CheckRandomSizes();
    }

    /// Checks that a workload has one distribution with random points, and the next another one.
    void CheckRandomSizes()
    {
        const auto sampler = DcnMakeSampler("fabric",
                                            "sizes=random,flows=100,size_cap_bytes=0,"
                                            "samples_per_workload=2");
        std::vector<std::vector<uint64_t>> bytes;
        for (uint64_t sample : {0, 1, 2, 0})
        {
            bytes.emplace_back();
            const auto scenario = sampler->Draw(sample).scenario;
            for (const auto& flow : scenario->GetFlows())
            {
                bytes.back().push_back(flow.sizeBytes);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((bytes[0] == bytes[1]), true, "one workload, two distributions");
        NS_TEST_EXPECT_MSG_EQ((bytes[0] == bytes[2]), false, "two workloads, one distribution");
        NS_TEST_EXPECT_MSG_EQ((bytes[0] == bytes[3]), true, "another time, another distribution");
        const auto largest = DcnSizeDistribution::Create(
                                 "random:" + std::to_string(sampler->Draw(2).seed))
                                 ->GetQuantile(1);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(*std::max_element(bytes[2].begin(), bytes[2].end()),
                                    largest,
                                    "sizes of another distribution than that of the workload");
    }
};

/// What the trace sources of a stock queue show is in the records of its probe.
class ProbeTestCase : public TestCase
{
  public:
    ProbeTestCase()
        : TestCase("probes of queues")
    {
    }

  private:
    void DoRun() override
    {
        auto queue = CreateObject<DropTailQueue<Packet>>();
        queue->SetAttribute("MaxSize", StringValue("2p"));
        auto probe = Create<DcnQueueProbe>("a", "device", 100);
        probe->ListenTo(Ptr<Queue<Packet>>(queue));
        NS_TEST_EXPECT_MSG_EQ(probe->GetName(), "a", "name");
        NS_TEST_EXPECT_MSG_EQ(probe->GetLayer(), "device", "layer");
        auto in = [queue](uint32_t bytes) {
            return [queue, bytes]() { queue->Enqueue(Create<Packet>(bytes)); };
        };
        auto out = [queue]() { queue->Dequeue(); };
        Simulator::Schedule(NanoSeconds(10), in(1000));
        Simulator::Schedule(NanoSeconds(20), in(500));
        Simulator::Schedule(NanoSeconds(20), in(1)); // no room
        Simulator::Schedule(NanoSeconds(60), out);
        Simulator::Schedule(NanoSeconds(150), out);
        Simulator::Run();
        probe->Finish();
        const auto& records = probe->GetRecorder().GetRecords();
        NS_TEST_ASSERT_MSG_EQ(records.size(), 2, "intervals");
        NS_TEST_EXPECT_MSG_EQ(records[0].inBytes, 1500, "in");
        NS_TEST_EXPECT_MSG_EQ(records[0].inPackets, 2, "in");
        NS_TEST_EXPECT_MSG_EQ(records[0].drops, 1, "no room");
        NS_TEST_EXPECT_MSG_EQ(records[0].outBytes, 1000, "out");
        NS_TEST_EXPECT_MSG_EQ(records[0].maxBytes, 1500, "most");
        // 1000 bytes for 50 ns and 500 for 80
        NS_TEST_EXPECT_MSG_EQ_TOL(records[0].meanBytes, 900, 1e-9, "mean");
        NS_TEST_EXPECT_MSG_EQ(records[1].outBytes, 500, "out");
        NS_TEST_EXPECT_MSG_EQ(records[1].endNs, 150, "until the end");
        NS_TEST_EXPECT_MSG_EQ(probe->GetRecorder().GetBytes(), 0, "waiting = in - out");

        // the queue's trace sources keep the probe
        probe = nullptr;
        queue->Enqueue(Create<Packet>(1));
        DCN_TEST_EXPECT_ERROR(DcnConnectTrace(queue, "Colour", CallbackBase()),
                              queue->GetInstanceTypeId().GetName() + " has no trace source Colour");
        Simulator::Destroy();
    }
};

/// The suite.
class DcnPacketPartsTestSuite : public TestSuite
{
  public:
    DcnPacketPartsTestSuite()
        : TestSuite("dcn-packet-parts", Type::UNIT)
    {
        AddTestCase(new ManifestTestCase);
        AddTestCase(new FabricSamplerTestCase);
        AddTestCase(new ProbeTestCase);
    }
};

DcnPacketPartsTestSuite g_dcnPacketPartsTestSuite; //!< the suite

} // namespace
