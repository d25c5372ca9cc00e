/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-estimator.h"

#include "ns3/dcn-data-path.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/dcn-progress.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <map>

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

std::vector<std::vector<M3Point>>
M3Estimator::Predict(const M3Network& network,
                     const M3Features& features,
                     const std::vector<uint32_t>& paths) const
{
    std::vector<std::vector<M3Point>> points(paths.size());
    const std::size_t nBatches = (paths.size() + BATCH - 1) / BATCH;
    DcnParallelFor(nBatches, m_threads, [&](std::size_t batch) {
        const std::size_t first = batch * BATCH;
        const std::size_t last = std::min(paths.size(), first + BATCH);
        std::vector<M3Input> inputs;
        for (std::size_t i = first; i < last; ++i)
        {
            inputs.push_back(features.MakeInput(paths[i]));
        }
        const std::vector<float> quantiles = network.Predict(inputs);
        for (std::size_t i = first; i < last; ++i)
        {
            M3Expand(inputs[i - first], quantiles.data() + (i - first) * OUTPUTS, points[i]);
        }
    });
    return points;
}

std::vector<std::vector<M3Point>>
M3Estimator::PredictAlone(const M3Network& network,
                          const DcnPathCensus& census,
                          const std::vector<uint32_t>& paths)
{
    const DcnPathScenarioBuilder builder(census, DcnPathHosts::HOST);
    std::vector<std::vector<M3Point>> points(paths.size());
    DcnProgress progress("m3", paths.size(), "paths");
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
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
        const std::vector<M3Input> inputs{features.MakeInput(path)};
        const std::vector<float> quantiles = network.Predict(inputs);
        M3Expand(inputs[0], quantiles.data(), points[i]);
        for (M3Point& point : points[i])
        {
            point.flow = lot.origins[point.flow].flow;
        }
        progress.Update(i + 1);
    }
    return points;
}

std::size_t
M3Estimator::Warn(const M3Network& network,
                  const DcnPathCensus& census,
                  const std::vector<uint32_t>& paths)
{
    std::map<std::string, std::pair<std::string, uint64_t>> outside; // by quantity
    for (uint32_t path : paths)
    {
        const M3Spec spec(DcnGetPathSpec(census, path), census.GetScenario().GetNetwork());
        for (const std::string& text : network.FindOutside(spec))
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
    return outside.size();
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
    const std::size_t nOutside = Warn(network, census, paths);
    std::vector<std::vector<M3Point>> points;
    if (m_perPath)
    {
        points = PredictAlone(network, census, paths);
    }
    else
    {
        const M3Fluid fluid(*scenario);
        M3Features features(census, fluid);
        features.Prepare(paths, m_threads);
        points = Predict(network, features, paths);
    }
    for (std::size_t i = 0; i < drawn.size(); ++i)
    {
        for (const M3Point& point : points[i])
        {
            const DcnFlow& flow = scenario->GetFlows()[point.flow];
            estimate.samples.push_back({point.slowdown,
                                        flow.sizeBytes,
                                        drawn[i].flowWeight * point.nFlows,
                                        flow.src,
                                        flow.dst});
        }
    }
    estimate.provenance = "model " + folder + ", " + std::to_string(paths.size()) + " of " +
                          std::to_string(census.GetNPaths()) + " paths, fluid of " +
                          (m_perPath ? "each path" : "the network");
    if (nOutside > 0)
    {
        estimate.provenance +=
            ", " + std::to_string(nOutside) + " quantities outside the training's range";
    }
}

} // namespace ns3
