/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/generate/dcn-dataset-recorder.h"
#include "dcn-dataset-test.h"
#include "dcn-test-case.h"

#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Fabrics, and what is recorded of a simulation.
class FabricTestCase : public TestCase
{
  public:
    FabricTestCase()
        : TestCase("fabrics follow the rules; queues and remaining bytes are consistent")
    {
    }

  private:
    void DoRun() override
    {
        const DcnDatasetSchema schema("fabric");
        const auto sampler = DcnMakeSampler("fabric", "flows=300", "published");
        std::set<double> spines;
        std::set<double> sigmas;
        for (uint64_t i = 0; i < 20; ++i)
        {
            const auto sample = sampler->Draw(i);
            NS_TEST_EXPECT_MSG_EQ(sample.scenario->GetTopology().GetHosts().size(), 32, "hosts");
            NS_TEST_EXPECT_MSG_EQ(sample.scenario->GetFlows().size(), 300, "flows");
            spines.insert(DcnDrawOf(schema, sample, "spines_per_plane"));
            sigmas.insert(DcnDrawOf(schema, sample, "sigma"));
        }
        NS_TEST_EXPECT_MSG_EQ((spines == std::set<double>{1, 2, 4}), true, "oversubscription");
        NS_TEST_EXPECT_MSG_EQ((sigmas == std::set<double>{1, 2}), true, "burstiness");

        const auto dense = DcnMakeSampler("fabric", "flows=300,load=0.7,pfc=0,buffer_kib=200");
        for (uint64_t i = 0; i < 4; ++i)
        {
            DcnDatasetSample sample = dense->Draw(i);
            DcnDatasetRecorder recorder(true);
            recorder.Simulate(sample);
            CheckRecords(sample);
            NS_TEST_EXPECT_MSG_GT(recorder.GetDataPacketHops(), 0, "work");
        }
    }

    /**
     * @param sample with results
     */
    void CheckRecords(const DcnDatasetSample& sample)
    {
        const auto& flows = sample.scenario->GetFlows();
        NS_TEST_ASSERT_MSG_EQ(sample.events.size(), 2 * flows.size(), "a start and an end each");
        std::map<uint32_t, uint64_t> remaining; // of the flows that are active
        uint64_t halfway = 0;
        for (std::size_t e = 0; e < sample.events.size(); ++e)
        {
            const auto& event = sample.events[e];
            const DcnFlow& flow = flows[event.flow];
            if (event.arrival)
            {
                NS_TEST_EXPECT_MSG_EQ(event.timeNs, flow.startNs, "start");
                remaining[event.flow] = flow.sizeBytes;
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(event.timeNs,
                                      flow.startNs + sample.fctNs[event.flow],
                                      "completion");
                remaining.erase(event.flow);
            }
            NS_TEST_ASSERT_MSG_EQ(sample.actives[e].size(), remaining.size(), "active flows");
            auto known = remaining.begin();
            for (const auto& active : sample.actives[e])
            {
                NS_TEST_EXPECT_MSG_EQ(active.flow, known->first, "active flow");
                const bool isNew = event.arrival && active.flow == event.flow;
                NS_TEST_EXPECT_MSG_EQ((isNew ? active.remainingBytes == known->second
                                             : active.remainingBytes <= known->second),
                                      true,
                                      "what remains never grows");
                NS_TEST_EXPECT_MSG_GT(active.remainingBytes, 0, "something remains");
                halfway += active.remainingBytes < flows[active.flow].sizeBytes;
                known->second = active.remainingBytes;
                ++known;
            }
        }
        NS_TEST_EXPECT_MSG_GT(halfway, 0, "flows are seen half-way");
        std::size_t hop = 0;
        int64_t longest = 0;
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            NS_TEST_EXPECT_MSG_EQ(sample.queueBytes[hop], 0, "no queue at the source");
            for (std::size_t k = 0; k < sample.scenario->GetPath(f).size(); ++k, ++hop)
            {
                NS_TEST_EXPECT_MSG_GT(sample.queueBytes[hop], -1, "the first packet came");
                longest = std::max(longest, sample.queueBytes[hop]);
            }
            NS_TEST_EXPECT_MSG_EQ(sample.idealNs[f],
                                  sample.scenario->GetIdealFct(f).GetTotalNs(),
                                  "ideal completion time");
        }
        NS_TEST_EXPECT_MSG_EQ(hop, sample.queueBytes.size(), "a queue for every link of a path");
        NS_TEST_EXPECT_MSG_GT(longest, 1048, "queues are seen");
    }
};

/// A sample depends on its seed and number alone.
DCN_TEST_CASE(ReproducibilityTestCase, "a sample made alone is the same")
{
    for (const char* kind : {"path", "fabric"})
    {
        const DcnDatasetSchema schema(kind);
        const auto sampler = DcnMakeSampler(kind, "flows=100");
        DcnDatasetRecorder recorder(true);
        std::vector<DcnDatasetSchema::Rows> inTurn;
        for (uint64_t i = 0; i < 6; ++i)
        {
            DcnDatasetSample sample = sampler->Draw(i);
            recorder.Simulate(sample);
            inTurn.push_back(schema.Pack(sample));
        }
        for (uint64_t i : {5, 2})
        {
            DcnDatasetSample alone = DcnMakeSampler(kind, "flows=100")->Draw(i);
            DcnDatasetRecorder(true).Simulate(alone);
            auto rows = schema.Pack(alone);
            rows.erase("samples/network"); // NaN differs from itself
            inTurn[i].erase("samples/network");
            NS_TEST_EXPECT_MSG_EQ((rows == inTurn[i]), true, kind << " " << i);
        }
        const auto other = DcnMakeSampler(kind, "flows=100", "reduced", 2)->Draw(2);
        NS_TEST_EXPECT_MSG_EQ((other.draw == sampler->Draw(2).draw), false, "another seed");
    }
    // samples of one workload have its draws, but configurations of their own
    const auto sampler = DcnMakeSampler("path", "flows=100,samples_per_workload=6");
    const DcnDatasetSchema schema("path");
    std::set<double> thetas;
    std::set<uint64_t> windows;
    for (uint64_t i = 6; i < 12; ++i)
    {
        const auto sample = sampler->Draw(i);
        NS_TEST_EXPECT_MSG_EQ(DcnDrawOf(schema, sample, "workload"), 1, "workload");
        thetas.insert(DcnDrawOf(schema, sample, "theta"));
        windows.insert(sample.scenario->GetNetwork().windowBytes);
    }
    NS_TEST_EXPECT_MSG_EQ(thetas.size(), 1, "one workload");
    NS_TEST_EXPECT_MSG_EQ(windows.size(), 6, "six configurations");
}

DcnTestSuite g_dcnDatasetsResultsTestSuite("dcn-datasets-results",
                                           {new FabricTestCase,
                                            new ReproducibilityTestCase}); //!< the suite

} // namespace
