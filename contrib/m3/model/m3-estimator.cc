/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-estimator.h"

#include "ns3/dcn-data-path.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <mutex>
#include <optional>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(M3Estimator);

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

std::vector<std::string>
M3Estimator::GetInputFiles() const
{
    return {m_model.empty() ? DcnDataPath("models/m3") : m_model};
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

M3Question
M3Estimator::AskAlone(const DcnPathIndex& pathIndex,
                      const DcnPathScenarioBuilder& builder,
                      const M3Settings& settings,
                      const M3Layout& layout,
                      uint32_t path)
{
    // paths share the configuration; references to ns-3 objects are not counted atomically
    static std::mutex mutex;
    std::unique_lock<std::mutex> lock(mutex);
    std::optional<DcnPathScenario> lot(builder.Build(path, DcnFindPathTraffic(pathIndex, path, true)));
    lock.unlock();
    const auto foreground = std::find_if(lot->origins.begin(),
                                         lot->origins.end(),
                                         [](const auto& origin) { return origin.foreground; });
    std::optional<DcnPathIndex> own(lot->scenario);
    const M3Fluid fluid(*lot->scenario, layout.hasWindows);
    lock.lock();
    M3Features features(*own, fluid, layout);
    lock.unlock();
    const uint32_t ownPath =
        own->GetPathOf(static_cast<std::size_t>(foreground - lot->origins.begin()));
    features.Prepare({ownPath});
    M3Question question;
    question.input = features.MakeInput(ownPath);
    // the switches of the path's own scenario have other ports
    const M3Spec spec(pathIndex, path, pathIndex.GetScenario().GetNetwork());
    M3Features::SetSpec(spec, question.input);
    question.conditions = settings.Describe(spec, question.input.traffic);
    for (auto& flows : question.input.flows)
    {
        for (uint32_t& flow : flows)
        {
            flow = lot->origins[flow].flow;
        }
    }
    lock.lock();
    own.reset();
    lot.reset();
    return question;
}

M3Answer
M3Estimator::Answer(Ptr<const DcnScenario> scenario) const
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
    const M3Network network(DcnModelFile::Read(GetInputFiles().front(), "m3"));
    network.GetRanges().Require(scenario->GetNetwork().congestionControl);
    const M3Layout& layout = network.GetLayout();
    const DcnPathIndex pathIndex(scenario);
    std::vector<DcnDrawnPath> drawn = DcnDrawPaths(pathIndex,
                                                   m_nPaths ? m_nPaths : pathIndex.GetNPaths(),
                                                   m_sampling,
                                                   m_seed ? m_seed : scenario->GetSeed());
    std::function<M3Question(std::size_t)> ask;
    std::optional<M3Fluid> fluid;
    std::optional<M3Features> features;
    std::optional<DcnPathScenarioBuilder> builder;
    std::optional<M3Settings> settings;
    if (m_perPath)
    {
        builder.emplace(pathIndex, DcnPathHosts::HOST);
        settings.emplace(*scenario->GetNetworkConfig());
        ask = [&](std::size_t i) {
            return AskAlone(pathIndex, *builder, *settings, layout, drawn[i].path);
        };
    }
    else
    {
        std::vector<uint32_t> paths;
        for (const DcnDrawnPath& path : drawn)
        {
            paths.push_back(path.path);
        }
        fluid.emplace(*scenario, layout.hasWindows);
        features.emplace(pathIndex, *fluid, layout);
        features->Prepare(paths, m_threads);
        ask = [&](std::size_t i) {
            M3Question question;
            question.input = features->MakeInput(drawn[i].path);
            question.conditions = features->Describe(drawn[i].path, question.input);
            return question;
        };
    }
    DcnTrainedRanges::Findings findings;
    auto points = M3Predict(network, drawn.size(), m_threads, ask, findings);
    auto sentences = DcnTrainedRanges::Describe(findings, drawn.size(), "paths");
    return {scenario,
            std::move(drawn),
            m_sampling,
            std::move(points),
            std::move(sentences),
            layout};
}

void
M3Estimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const M3Answer answer = Answer(scenario);
    for (const std::string& sentence : answer.GetWarnings())
    {
        std::cerr << "m3: " << sentence << std::endl;
    }
    estimate.jobs = DcnCountThreads(m_threads);
    estimate.samples = answer.MakeSamples();
    for (const DcnSizeClass& sizeClass : DcnSizeClasses())
    {
        const auto p99 = answer.Ask(DcnSlowdownQuery::OfClass(sizeClass));
        if (p99)
        {
            estimate.limits.emplace_back(sizeClass.name, *p99);
        }
    }
    estimate.provenance = "model " + (m_model.empty() ? "models/m3" : m_model) + ", " +
                          std::to_string(answer.GetNPaths()) + " paths, fluid of " +
                          (m_perPath ? "each path" : "the network");
    if (!answer.GetWarnings().empty())
    {
        estimate.provenance += ", " + std::to_string(answer.GetWarnings().size()) +
                               " quantities outside the training's range";
    }
}

} // namespace ns3
