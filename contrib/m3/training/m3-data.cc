/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-data.h"

#include "ns3/dcn-dataset-collection.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-progress.h"
#include "ns3/log.h"

#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M3Data");

namespace
{

/**
 * Set the log slowdowns of examples in a fluid without windows.
 * @param scenario of the examples
 * @param first index of the first example
 * @param examples examples to change
 */
void
AddFlowsim(const DcnScenario& scenario, std::size_t first, std::vector<M3Example>& examples)
{
    const M3Fluid published(scenario, false);
    for (std::size_t i = first; i < examples.size(); ++i)
    {
        const M3FeatureSet& featureSet = *examples[i].input.featureSet;
        auto& logs = examples[i].flowsim;
        logs.resize(featureSet.nClasses);
        for (std::size_t slot = 0; slot < featureSet.nSlots; ++slot)
        {
            for (uint32_t flow : examples[i].input.flows[slot])
            {
                logs[slot % featureSet.nClasses].push_back(published.GetLogSlowdown(flow));
            }
        }
    }
}

/**
 * @param workload number of a workload for training
 * @param share of these workloads that are used
 * @return whether this one is: a smaller share is a part of a larger one
 */
bool
IsUsed(uint64_t workload, double share)
{
    const uint64_t number = workload / M3Data::FOLD * (M3Data::FOLD - 2) + workload % M3Data::FOLD;
    return std::floor(share * static_cast<double>(number + 1)) >
           std::floor(share * static_cast<double>(number));
}

/**
 * Add the paths of a sample.
 * @param sample of a data set
 * @param isPath whether the data set is of the kind path
 * @param values its conditions
 * @param isLeftOut whether it is for the test only
 * @param options see Options
 * @param data the examples are added to it
 */
void
AddSample(const DcnDatasetSample& sample,
          bool isPath,
          const DcnDatasetConditions::Values& values,
          bool isLeftOut,
          const M3Data::Options& options,
          M3Data& data)
{
    const auto workload = static_cast<uint64_t>(sample.draw[0]);
    const bool isTest = options.allTest || workload % M3Data::FOLD == M3Data::FOLD - 2;
    const bool isHeld = isTest || workload % M3Data::FOLD == M3Data::FOLD - 1;
    if (!isTest && (options.onlyTest || isLeftOut))
    {
        return;
    }
    if (!isHeld && !IsUsed(workload, options.share))
    {
        return;
    }
    const DcnPathIndex pathIndex(sample.scenario);
    const M3Base base(sample.scenario, *options.featureSet);
    M3FeatureExtractor features(pathIndex, base);
    std::vector<uint32_t> paths;
    for (std::size_t flow = 0; flow < sample.flags.size() && isPath && paths.empty(); ++flow)
    {
        if (sample.flags[flow] & DcnDatasetSample::FOREGROUND)
        {
            paths.push_back(pathIndex.GetPathOf(flow));
        }
    }
    const uint64_t nDrawn = !isPath  ? options.pathsPerFabric * (isHeld ? M3Data::MORE : 1)
                            : isHeld ? 0
                                     : options.pathsPerPath;
    if (nDrawn > 0)
    {
        const std::size_t nOwn = paths.size();
        for (const auto& drawn :
             DcnDrawPaths(pathIndex, nDrawn, DcnPathSampling::SYSTEMATIC, 1 + sample.index))
        {
            if (nOwn == 0 || drawn.path != paths.front())
            {
                paths.push_back(drawn.path);
            }
        }
    }
    features.Prepare(paths);
    auto& examples = isTest ? data.test : isHeld ? data.validation : data.training;
    const std::size_t first = examples.size();
    if (!isPath && isHeld)
    {
        data.networks.push_back(values);
    }
    const uint64_t network = !isPath && isHeld ? data.networks.size() : 0;
    for (uint32_t path : paths)
    {
        examples.push_back(M3Example::Make(features, *sample.scenario, path, sample.fctNs, isHeld));
        examples.back().network = network;
        examples.back().isLeftOut = isLeftOut;
    }
    if (options.onlyTest)
    {
        AddFlowsim(*sample.scenario, first, examples);
    }
}

} // namespace

M3Data
M3Data::Read(DcnDatasetCollection& sets, const Options& options)
{
    if (!options.onlyTest)
    {
        sets.RequireOneEngine();
    }
    M3Data data;
    DcnDatasetSelection leftOut(options.leaveOut);
    for (std::size_t number = 0; number < sets.GetN(); ++number)
    {
        DcnDatasetReader& reader = sets.Get(number);
        const DcnDatasetConditions conditions(reader);
        DcnProgress progress(reader.GetFolder(), reader.GetN(), "samples");
        for (uint64_t i = 0; i < reader.GetN(); ++i)
        {
            const DcnDatasetSample sample = reader.Read(i);
            const auto values = conditions.Get(sample);
            AddSample(sample,
                      reader.GetKind() == "path",
                      values,
                      leftOut.Has(values),
                      options,
                      data);
            progress.Update(i + 1);
        }
    }
    leftOut.RequireUse("leaveOut");
    if (data.test.empty() ||
        (!options.onlyTest && (data.training.empty() || data.validation.empty())))
    {
        DcnFail("of the data sets ",
                sets.GetNames(),
                " there are ",
                data.training.size(),
                " paths to learn from, ",
                data.validation.size(),
                " to validate and ",
                data.test.size(),
                " to test with");
    }
    NS_LOG_INFO(data.training.size() << " paths for training, " << data.validation.size()
                                     << " for validation, " << data.test.size() << " for the test");
    return data;
}

} // namespace ns3
