/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-figures.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-sample.h"
#include "ns3/dcn-packet-network.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-statistics.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-session.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return the model that comes with the module
DcnModelFile
ReadShipped()
{
    return DcnModelFile::Read(DcnDataPath("models/m4"), "m4");
}

/**
 * @param congestionControl in force, with its preset
 * @return flows on the default fabric, many of which share links
 */
Ptr<const DcnScenario>
MakeScenario(const std::string& congestionControl)
{
    DcnScenarioOptions options;
    options.Set("cc", congestionControl);
    options.Set("matrix", "hadoop");
    options.Set("load", "0.6");
    options.Set("flows", "600");
    options.Set("seed", "31");
    return options.Create();
}

/**
 * @param errors differences
 * @return their mean absolute value
 */
double
GetMeanAbsolute(const std::vector<double>& errors)
{
    double sum = 0;
    for (const double error : errors)
    {
        sum += std::abs(error);
    }
    return sum / static_cast<double>(errors.size());
}

/**
 * @brief Predictions of the shipped model while it simulates on its own events, against packets.
 *
 * Whenever a flow starts, the model predicts the remaining fraction of every flow that is active in
 * the packet simulation, and the queues that the first packet meets (but for that of its own host,
 * which is empty).
 *
 * @param scenario flows
 * @return slowdowns: mean absolute error over flows and bias [%], of the model and of the model
 * under teacher forcing; remaining fractions: mean absolute error [%] of the model and of its
 * fluid; queues: mean absolute error and bias [%] of ln(1 + bytes / 1000) where packets wait, and
 * the former where none do
 */
DcnFiguresTestCase::Values
MeasureHeads(Ptr<const DcnScenario> scenario)
{
    DcnDatasetSample sample;
    sample.seed = scenario->GetSeed();
    sample.scenario = scenario;
    DcnDatasetGenerator::Simulate(sample);

    M4GroundTruth truth;
    truth.scenario = scenario;
    truth.fctNs = sample.fctNs;
    const DcnModelFile model = ReadShipped();
    M4Errors own;
    own.Add(truth, M4Run(*scenario, model));
    M4Errors forced;
    forced.Add(truth, M4RunTeacherForced(truth, model));

    M4Session session(scenario->GetTopology(), scenario->GetNetwork(), model);
    std::map<uint64_t, M4Session::Handle> handles;
    session.SetDepartureListener([&](uint64_t flow, int64_t) { handles.erase(flow); });
    std::vector<double> remaining;
    std::vector<double> fluid;
    std::vector<double> queues;             // where packets wait
    std::vector<double> empty;              // where none do
    std::vector<std::size_t> firstQueue{0}; // by flow
    for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        firstQueue.push_back(firstQueue.back() + scenario->GetPath(i).size());
    }
    for (std::size_t e = 0; e < sample.events.size(); ++e)
    {
        if (!sample.events[e].arrival)
        {
            continue;
        }
        const uint32_t started = sample.events[e].flow;
        const DcnPath path = scenario->GetPath(started);
        session.AdvanceTo(sample.events[e].timeNs);
        handles[started] = session.AddFlow(started, path, scenario->GetFlows()[started].sizeBytes);
        const std::vector<float> predicted = session.GetQueuesOfEvent();
        for (std::size_t place = 1; place < path.size(); ++place)
        {
            const int64_t bytes = sample.queueBytes[firstQueue[started] + place];
            if (bytes >= 0)
            {
                const double truth = std::log1p(static_cast<double>(bytes) / 1000);
                const double answer = std::log1p(static_cast<double>(predicted[place]) / 1000);
                (bytes > 0 ? queues : empty).push_back(answer - truth);
            }
        }
        for (const auto& active : sample.actives[e])
        {
            const double truth = static_cast<double>(active.remainingBytes) /
                                 static_cast<double>(scenario->GetFlows()[active.flow].sizeBytes);
            const auto handle = handles.find(active.flow);
            const bool isActive = handle != handles.end();
            if (active.flow == started)
            {
                continue; // all of it remains
            }
            remaining.push_back((isActive ? session.GetRemaining(handle->second) : 0) - truth);
            fluid.push_back((isActive ? session.GetFluidRemaining(handle->second) : 0) - truth);
        }
    }
    return {{"slowdowns", {100 * own.GetMean(), 100 * own.GetBias()}},
            {"slowdowns, teacher-forced", {100 * forced.GetMean(), 100 * forced.GetBias()}},
            {"remaining", {100 * GetMeanAbsolute(remaining), 100 * GetMeanAbsolute(fluid)}},
            {"queues", {100 * GetMeanAbsolute(queues), 100 * DcnMean(queues)}},
            {"empty queues", {100 * GetMeanAbsolute(empty)}}};
}

/**
 * @param ends of flows [ns]
 * @return flows per second until four fifths have ended
 */
double
GetThroughput(std::vector<int64_t> ends)
{
    const std::size_t n = ends.size() * 4 / 5;
    std::sort(ends.begin(), ends.end());
    return static_cast<double>(n) * 1e9 / static_cast<double>(ends[n - 1]);
}

/**
 * @brief Closed loops with the shipped model, against packets.
 * @param scenario flows
 * @return by limit of flows in flight per rack, error of the throughput [%]
 */
DcnFiguresTestCase::Values
MeasureLoops(Ptr<const DcnScenario> scenario)
{
    DcnFiguresTestCase::Values values;
    for (const uint32_t limit : {1, 4})
    {
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->SetAttribute("InFlightPerRack", UintegerValue(limit));
        network->AssignStreams(DcnRandom(scenario->GetSeed()).GetStream(DcnPurpose::ECN_MARKING));
        network->Install(scenario);
        network->Run();
        std::vector<int64_t> truth = network->GetFctNs();
        for (std::size_t i = 0; i < truth.size(); ++i)
        {
            truth[i] = truth[i] < 0 ? INT64_MAX : truth[i] + network->GetReleaseNs(i);
        }
        network->Dispose();
        Simulator::Destroy();
        auto getError = [&](const DcnClosedLoopResult& result) {
            std::vector<int64_t> ends;
            for (std::size_t i = 0; i < result.fctNs.size(); ++i)
            {
                ends.push_back(result.releaseNs[i] + result.fctNs[i]);
            }
            return 100 * (GetThroughput(ends) / GetThroughput(truth) - 1);
        };
        values.push_back({std::to_string(limit) + " in flight",
                          {getError(M4RunClosedLoop(*scenario, ReadShipped(), limit))}});
    }
    return values;
}

/// @return all flows of a scenario at once: a backlog
Ptr<const DcnScenario>
MakeBacklog(const std::string& congestionControl)
{
    const auto scenario = MakeScenario(congestionControl);
    std::vector<DcnFlow> flows = scenario->GetFlows();
    DcnPathTable paths;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        flows[i].startNs = 0;
        const DcnPath path = scenario->GetPath(i);
        paths.Append({path.begin(), path.end()});
    }
    return DcnScenario::CreateWithPaths(scenario->GetTopologyPtr(),
                                        scenario->GetNetworkConfig(),
                                        std::move(flows),
                                        std::move(paths),
                                        scenario->GetSeed());
}

/**
 * @brief The model that comes with the module: slowdowns, remaining sizes, queues, and closed
 * loops, against packets; limits are those of DcnFiguresTestCase. After a training,
 *
 *     ./dcn run test-runner --suite=m4-model --fullness=EXTENSIVE
 *
 * prints the tables as they are then.
 */
class M4ModelTestSuite : public DcnFiguresTestSuite
{
  public:
    M4ModelTestSuite()
        : DcnFiguresTestSuite("m4-model", Type::UNIT)
    {
        const std::map<std::string, std::vector<DcnTestFigures>> heads{
            {"dctcp",
             {{"slowdowns", {{3.60, 0.09}, {-0.66, 0.13}}},
              {"slowdowns, teacher-forced", {{3.12, 0.07}, {-0.29, 0.14}}},
              {"remaining", {{9.52, 0.15}, {13.45, 0.12}}},
              {"queues", {{72.82, 1.69}, {-35.23, 1.12}}},
              {"empty queues", {{0.08, 0.04}}}}},
            {"dcqcn",
             {{"slowdowns", {{4.01, 0.07}, {0.09, 0.28}}},
              {"slowdowns, teacher-forced", {{3.65, 0.09}, {0.39, 0.24}}},
              {"remaining", {{9.59, 0.23}, {12.73, 0.16}}},
              {"queues", {{91.81, 6.15}, {-56.54, 9.20}}},
              {"empty queues", {{0.49, 0.14}}}}},
            {"timely",
             {{"slowdowns", {{2.94, 0.03}, {-0.34, 0.08}}},
              {"slowdowns, teacher-forced", {{2.87, 0.05}, {-0.30, 0.08}}},
              {"remaining", {{8.71, 0.14}, {12.92, 0.13}}},
              {"queues", {{76.14, 0.51}, {-41.08, 1.29}}},
              {"empty queues", {{0.16, 0.03}}}}},
            {"hpcc",
             {{"slowdowns", {{2.82, 0.06}, {-0.40, 0.13}}},
              {"slowdowns, teacher-forced", {{2.75, 0.05}, {-0.49, 0.11}}},
              {"remaining", {{9.04, 0.11}, {13.65, 0.12}}},
              {"queues", {{66.03, 8.84}, {-25.79, 8.91}}},
              {"empty queues", {{0.09, 0.13}}}}}};
        const std::map<std::string, std::vector<DcnTestFigures>> loops{
            {"dctcp", {{"1 in flight", {{-2.04, 5.32}}}, {"4 in flight", {{10.47, 6.31}}}}},
            {"hpcc", {{"1 in flight", {{-5.47, 8.18}}}, {"4 in flight", {{12.40, 4.86}}}}}};
        for (const auto& [cc, expected] : heads)
        {
            Expect(
                cc,
                [cc = cc](uint32_t repetition) {
                    return MeasureHeads(DcnFiguresTestCase::Repeat(MakeScenario(cc), repetition));
                },
                expected);
        }
        for (const auto& [cc, expected] : loops)
        {
            Expect(
                "closed loop, " + cc,
                [cc = cc](uint32_t repetition) {
                    return MeasureLoops(DcnFiguresTestCase::Repeat(MakeBacklog(cc), repetition));
                },
                expected);
        }
        AddComparisons();
    }
};

M4ModelTestSuite g_m4ModelTestSuite; //!< the suite

} // namespace
