/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-prediction.h"

#include "ns3/dcn-parallel.h"

#include <algorithm>

namespace ns3
{

std::vector<std::vector<M3Point>>
M3Predict(const M3Network& network,
          std::size_t n,
          uint32_t nThreads,
          const std::function<M3Question(std::size_t)>& ask,
          DcnTrainedRanges::Findings& findings)
{
    static constexpr std::size_t BATCH = 128; // paths in a call of the network
    const std::size_t nOutputs = network.GetLayout().nOutputs;
    std::vector<std::vector<M3Point>> points(n);
    const std::size_t nBatches = (n + BATCH - 1) / BATCH;
    std::vector<DcnTrainedRanges::Findings> outside(nBatches);
    DcnParallelFor(nBatches, nThreads, [&](std::size_t batch) {
        const std::size_t first = batch * BATCH;
        const std::size_t last = std::min(n, first + BATCH);
        std::vector<M3Input> inputs;
        for (std::size_t i = first; i < last; ++i)
        {
            M3Question question = ask(i);
            DcnTrainedRanges::Merge(outside[batch],
                                    network.GetRanges().Check(question.conditions));
            inputs.push_back(std::move(question.input));
        }
        const std::vector<float> quantiles = network.Predict(inputs);
        for (std::size_t i = first; i < last; ++i)
        {
            M3Expand(inputs[i - first], quantiles.data() + (i - first) * nOutputs, points[i]);
        }
    });
    for (const auto& each : outside)
    {
        DcnTrainedRanges::Merge(findings, each);
    }
    return points;
}

} // namespace ns3
