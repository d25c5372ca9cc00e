/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-estimator.h"

#include "../features/m3-feature-extractor.h"
#include "../network/m3-network.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-forecast.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-path-index.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M3Estimator");

NS_OBJECT_ENSURE_REGISTERED(M3Estimator);

namespace
{

// Cost on the reference machine, fitted to 186 scenarios (doc/dcn.rst).
constexpr double FIXED_S = 0.0229;    //!< reading and preparing the model [s]
constexpr double FLOW_HOP_S = 4.4e-7; //!< fluid and features of a flow at a link [s]
constexpr double LINK_S = 5.65e-5;    //!< features of a link [s]
constexpr double PATH_S = 5.06e-5;    //!< a drawn path [s]

/**
 * @brief Make the features of a path from a fluid simulation of the path alone.
 * @param pathIndex the flows
 * @param builder of scenarios of single paths
 * @param featureSet of the model
 * @param unmodelled parameters of the configuration that are no features
 * @param path number of the path
 * @return the features, flows by their index in the whole scenario
 */
M3PathFeatures
SimulateAlone(const DcnPathIndex& pathIndex,
              const DcnPathScenarioBuilder& builder,
              const M3FeatureSet& featureSet,
              const M3RangeFeatures::Unmodelled& unmodelled,
              uint32_t path)
{
    const DcnPathScenario lot = builder.Build(path, DcnFindPathTraffic(pathIndex, path, true));
    const auto foreground = std::find_if(lot.origins.begin(),
                                         lot.origins.end(),
                                         [](const auto& origin) { return origin.foreground; });
    const DcnPathIndex own(lot.scenario);
    const M3Base base(lot.scenario, featureSet);
    M3FeatureExtractor features(own, base, unmodelled);
    const uint32_t ownPath =
        own.GetPathOf(static_cast<std::size_t>(foreground - lot.origins.begin()));
    features.Prepare({ownPath});
    M3PathFeatures input = features.Make(ownPath);
    // shared buffers are those of the original switches: a path's scenario has other ports
    const DcnNetworkParameters& network = pathIndex.GetScenario().GetNetwork();
    M3FeatureExtractor::SetNetworkFeatures({pathIndex, path, network}, network, unmodelled, input);
    for (auto& flows : input.flows)
    {
        for (uint32_t& flow : flows)
        {
            flow = lot.origins[flow].flow;
        }
    }
    return input;
}

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
                          "Folder of the model, or name of a folder in data/models; empty: m3.",
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
                          "Scope of the fluid simulation: Network, or each Path (published).",
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

std::vector<std::string>
M3Estimator::GetInputFiles() const
{
    return {DcnModelFile::FindFolder(m_model, "m3")};
}

std::string
M3Estimator::GetDigest() const
{
    const std::string model = DcnEstimator::GetDigest();
    const M3Network network(DcnModelFile::Read(GetInputFiles().front(), "m3"));
    const std::string base = M3Base::GetDigest(network.GetFeatureSet());
    return base.empty() ? model : DcnHashText(model + ' ' + base);
}

double
M3Estimator::ForecastSeconds(const DcnWork& work) const
{
    const M3Network network(DcnModelFile::Read(GetInputFiles().front(), "m3"));
    const double pairs = work.hosts * std::max(0.0, work.hosts - 1);
    const double most = m_nPaths > 0 ? static_cast<double>(m_nPaths) : work.flows;
    const double paths = std::min({work.flows, pairs, most});
    const double base =
        network.GetFeatureSet().simulatesLinks
            ? DcnEstimator::CreateByName("parsimon:Clustering=true")->ForecastSeconds(work)
            : 0;
    return base < 0
               ? -1
               : base + FIXED_S + FLOW_HOP_S * work.flowHops + LINK_S * work.links + PATH_S * paths;
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

std::unique_ptr<M3Network>
M3Estimator::MakeNetwork(const DcnScenario& scenario) const
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
    auto network = std::make_unique<M3Network>(DcnModelFile::Read(GetInputFiles().front(), "m3"));
    network->GetRanges().Require(scenario.GetNetwork().congestionControl);
    if (m_perPath && network->GetFeatureSet().simulatesLinks)
    {
        DcnFail(
            "the attribute Fluid=Path of the method \"m3\" needs a model whose base is a fluid; "
            "the base of \"",
            m_model,
            "\" is link simulations of the network");
    }
    return network;
}

void
M3Estimator::DoCheck(Ptr<const DcnScenario> scenario) const
{
    MakeNetwork(*scenario);
}

M3Distribution
M3Estimator::Predict(Ptr<const DcnScenario> scenario, std::vector<std::string>* notModelled) const
{
    const auto network = MakeNetwork(*scenario);
    const M3FeatureSet& featureSet = network->GetFeatureSet();
    const DcnPathIndex pathIndex(scenario);
    std::vector<DcnDrawnPath> drawn = DcnDrawPaths(pathIndex,
                                                   m_nPaths ? m_nPaths : pathIndex.GetNPaths(),
                                                   m_sampling,
                                                   m_seed ? m_seed : scenario->GetSeed());
    NS_LOG_INFO("drew " << drawn.size() << " of " << pathIndex.GetNPaths() << " paths");
    std::vector<uint32_t> paths;
    for (const DcnDrawnPath& path : drawn)
    {
        paths.push_back(path.path);
    }
    const M3RangeFeatures::Unmodelled unmodelled(scenario->GetNetwork());
    M3Distribution::Source source;
    std::optional<M3Base> base;
    std::optional<M3FeatureExtractor> features;
    std::optional<DcnPathScenarioBuilder> builder;
    if (m_perPath)
    {
        builder.emplace(pathIndex, DcnPathHosts::HOST);
        source = [&](std::size_t i) {
            return SimulateAlone(pathIndex, *builder, featureSet, unmodelled, paths[i]);
        };
    }
    else
    {
        base.emplace(scenario, featureSet, m_threads);
        features.emplace(pathIndex, *base, unmodelled);
        features->Prepare(paths, m_threads);
        source = [&](std::size_t i) { return features->Make(paths[i]); };
    }
    if (notModelled)
    {
        const DcnBufferRoom room(scenario);
        *notModelled = featureSet.simulatesLinks
                           ? base->GetNotModelled()
                           : room.Describe(room.FindBursts(), "of flows that start together");
    }
    return M3Distribution::Predict(*network,
                                   scenario,
                                   std::move(drawn),
                                   m_sampling,
                                   m_threads,
                                   source);
}

void
M3Estimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const M3Distribution distribution = Predict(scenario, &estimate.notModelled);
    estimate.warnings = distribution.GetWarnings();
    const DcnModelFile model = DcnModelFile::Read(GetInputFiles().front(), "m3");
    const std::string& control = scenario->GetNetwork().congestionControl;
    estimate.expectedError = DcnTrainedRanges::DescribeExpectedError(model, control);
    DcnTrainedRanges::SetMargins(model, control, DcnForecast(*scenario).GetRegime(), estimate);
    estimate.jobs = DcnCountThreads(m_threads);
    estimate.samples = distribution.MakeSamples();
    for (const DcnSizeClass& sizeClass : DcnSizeClasses())
    {
        const auto p99 = distribution.Ask(DcnSlowdownQuery::OfClass(sizeClass));
        if (p99)
        {
            estimate.limits.emplace_back(sizeClass.name, *p99);
        }
    }
    const char* base = M3Network::ReadFeatureSet(model).simulatesLinks
                           ? "link simulations of the network"
                       : m_perPath ? "fluid of each path"
                                   : "fluid of the network";
    estimate.provenance = "model " + (m_model.empty() ? "models/m3" : m_model) + ", " +
                          std::to_string(distribution.GetNPaths()) + " paths, " + base;
    if (!estimate.warnings.empty())
    {
        estimate.provenance += ", " + std::to_string(estimate.warnings.size()) +
                               " quantities outside the training's range";
    }
}

} // namespace ns3
