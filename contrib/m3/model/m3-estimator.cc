/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-estimator.h"

#include "m3-answer.h"

#include "ns3/dcn-data-path.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(M3Estimator);

namespace
{

constexpr std::size_t BATCH = 128; //!< paths in a call of the network

/// Outputs of the network for a path.
constexpr std::size_t OUTPUTS = std::size_t{M3Features::N_SLOTS} * M3Features::N_KNOTS;

} // namespace

TypeId
M3Estimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::M3Estimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("M3")
            .AddConstructor<M3Estimator>()
            .AddAttribute("Model",
                          "Folder of the model; empty: the one that comes with the module.",
                          StringValue(""),
                          MakeStringAccessor(&M3Estimator::m_model),
                          MakeStringChecker())
            .AddAttribute("NPaths",
                          "Number of paths drawn; 0: every path.",
                          UintegerValue(5000),
                          MakeUintegerAccessor(&M3Estimator::m_nPaths),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Sampling",
                          "How paths are drawn: Systematic or Replacement (published).",
                          StringValue("Systematic"),
                          MakeStringAccessor(&M3Estimator::SetSampling),
                          MakeStringChecker())
            .AddAttribute("Fluid",
                          "What is simulated as a fluid: Network, or each Path (published).",
                          StringValue("Network"),
                          MakeStringAccessor(&M3Estimator::SetFluid),
                          MakeStringChecker())
            .AddAttribute("Seed",
                          "Seed of the draws; 0: the scenario's.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&M3Estimator::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Threads",
                          "Number of threads; 0: as many as the machine has cores.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&M3Estimator::m_threads),
                          MakeUintegerChecker<uint32_t>(0, 4096));
    return tid;
}

std::string
M3Estimator::GetName() const
{
    return "m3";
}

void
M3Estimator::SetSampling(std::string sampling)
{
    if (sampling != "Systematic" && sampling != "Replacement")
    {
        DcnFail("the attribute Sampling of the method \"m3\" is Systematic or Replacement, not \"",
                sampling,
                "\"");
    }
    m_sampling =
        sampling == "Systematic" ? DcnPathSampling::SYSTEMATIC : DcnPathSampling::REPLACEMENT;
}

void
M3Estimator::SetFluid(std::string fluid)
{
    if (fluid != "Network" && fluid != "Path")
    {
        DcnFail("the attribute Fluid of the method \"m3\" is Network or Path, not \"", fluid, "\"");
    }
    m_perPath = fluid == "Path";
}

std::vector<M3Estimator::Prediction>
M3Estimator::Predict(const M3Network& network,
                     const M3Features& features,
                     const std::vector<uint32_t>& paths) const
{
    std::vector<Prediction> predictions(paths.size());
    const std::size_t nBatches = (paths.size() + BATCH - 1) / BATCH;
    DcnParallelFor(nBatches, m_threads, [&](std::size_t batch) {
        const std::size_t first = batch * BATCH;
        const std::size_t last = std::min(paths.size(), first + BATCH);
        std::vector<M3Input> inputs;
        for (std::size_t i = first; i < last; ++i)
        {
            inputs.push_back(features.MakeInput(paths[i]));
            predictions[i].traffic = inputs.back().traffic;
        }
        const std::vector<float> quantiles = network.Predict(inputs);
        for (std::size_t i = first; i < last; ++i)
        {
            M3Expand(inputs[i - first],
                     quantiles.data() + (i - first) * OUTPUTS,
                     predictions[i].points);
        }
    });
    return predictions;
}

std::vector<M3Estimator::Prediction>
M3Estimator::PredictAlone(const M3Network& network,
                          const DcnPathCensus& census,
                          const std::vector<uint32_t>& paths) const
{
    const DcnPathScenarioBuilder builder(census, DcnPathHosts::HOST);
    std::vector<Prediction> predictions(paths.size());
    DcnParallelFor(paths.size(), m_threads, [&](std::size_t i) {
        const DcnPathScenario lot =
            builder.Build(paths[i], DcnFindPathTraffic(census, paths[i], true));
        const auto foreground =
            std::find_if(lot.origins.begin(), lot.origins.end(), [](const auto& origin) {
                return origin.foreground;
            });
        const DcnPathCensus own(lot.scenario);
        const M3Fluid fluid(*lot.scenario);
        M3Features features(own, fluid);
        const uint32_t path =
            own.GetPathOf(static_cast<std::size_t>(foreground - lot.origins.begin()));
        features.Prepare({path});
        M3Input input = features.MakeInput(path);
        // the switches of the path's own scenario have other ports
        M3Features::SetSpec(M3Spec(census, paths[i], census.GetScenario().GetNetwork()), input);
        const std::vector<float> quantiles = network.Predict({input});
        M3Expand(input, quantiles.data(), predictions[i].points);
        for (M3Point& point : predictions[i].points)
        {
            point.flow = lot.origins[point.flow].flow;
        }
        predictions[i].traffic = input.traffic;
    });
    return predictions;
}

std::size_t
M3Estimator::Warn(const M3Network& network,
                  const DcnPathCensus& census,
                  const std::vector<uint32_t>& paths,
                  const std::vector<Prediction>& predictions)
{
    const DcnScenario& scenario = census.GetScenario();
    std::map<std::string, std::pair<std::string, uint64_t>> outside; // by quantity
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        const M3Spec spec(census, paths[i], scenario.GetNetwork());
        for (const std::string& text : network.FindOutside(spec, predictions[i].traffic))
        {
            auto& entry = outside[text.substr(0, text.find(" is "))];
            entry.first = entry.first.empty() ? text : entry.first;
            ++entry.second;
        }
    }
    for (const auto& [quantity, entry] : outside)
    {
        std::cerr << "m3: " << entry.first << " (" << entry.second << " of " << paths.size()
                  << " paths): the answer may be far off" << std::endl;
    }
    const auto unlike = M3Spec::FindUnlike(*scenario.GetNetworkConfig(),
                                           scenario.GetTopology().GetSlowestHostRate());
    for (const std::string& text : unlike)
    {
        std::cerr << "m3: " << text << ": the answer does not depend on it" << std::endl;
    }
    return outside.size() + unlike.size();
}

void
M3Estimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    if (m_nPaths == 0 && m_sampling == DcnPathSampling::REPLACEMENT)
    {
        DcnFail("the attribute Sampling=Replacement of the method \"m3\" has no effect with "
                "NPaths=0");
    }
    if (m_nPaths == 0 && m_seed != 0)
    {
        DcnFail("the attribute Seed of the method \"m3\" has no effect with NPaths=0");
    }
    const std::string folder = m_model.empty() ? DcnDataPath("models/m3") : m_model;
    const M3Network network(DcnModelFile::Read(folder, "m3"));
    const DcnPathCensus census(scenario);
    const std::vector<DcnDrawnPath> drawn =
        DcnDrawPaths(census,
                     m_nPaths ? m_nPaths : census.GetNPaths(),
                     m_sampling,
                     m_seed ? m_seed : scenario->GetSeed());
    std::vector<uint32_t> paths;
    for (const DcnDrawnPath& path : drawn)
    {
        paths.push_back(path.path);
    }
    std::vector<Prediction> predictions;
    if (m_perPath)
    {
        predictions = PredictAlone(network, census, paths);
    }
    else
    {
        const M3Fluid fluid(*scenario);
        M3Features features(census, fluid);
        features.Prepare(paths, m_threads);
        predictions = Predict(network, features, paths);
    }
    const std::size_t nOutside = Warn(network, census, paths, predictions);
    std::vector<std::vector<M3Point>> points;
    for (Prediction& prediction : predictions)
    {
        points.push_back(std::move(prediction.points));
    }
    const M3Answer answer(*scenario, drawn, m_sampling, std::move(points));
    estimate.samples = answer.MakeSamples();
    const M3Limits limits = answer.Ask({});
    std::ostringstream p99;
    p99.precision(4);
    p99 << ", p99 " << limits.value << " (" << limits.low << " to " << limits.high
        << " with other draws of paths, 95 %)";
    estimate.provenance = "model " + folder + ", " + std::to_string(paths.size()) + " of " +
                          std::to_string(census.GetNPaths()) + " paths, fluid of " +
                          (m_perPath ? "each path" : "the network") + p99.str();
    if (nOutside > 0)
    {
        estimate.provenance +=
            ", " + std::to_string(nOutside) + " quantities outside the training's range";
    }
    std::clog << "m3: " << estimate.provenance << std::endl;
}

} // namespace ns3
