/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_GRAPH_DRAWS_H
#define DCN_TORCH_GRAPH_DRAWS_H

#include "dcn-torch-test-draws.h"

#include "ns3/dcn-torch-graph-network.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

/**
 * @ingroup dcn-torch-tests
 * @brief Draws steps and weights.
 */
class DcnTorchGraphDraws : public DcnTorchTestDraws
{
  public:
    using Network = ns3::DcnTorchGraphNetwork;

    DcnTorchGraphDraws()
        : DcnTorchTestDraws(1)
    {
    }

    /**
     * @param count how many
     * @param of from how many
     * @return different numbers below `of`
     */
    std::vector<uint32_t> Choose(uint32_t count, uint32_t of)
    {
        std::vector<uint32_t> all(of);
        std::iota(all.begin(), all.end(), 0);
        for (uint32_t i = 0; i < count; ++i)
        {
            std::swap(all[i], all[m_uniform->GetInteger(i, of - 1)]);
        }
        all.resize(count);
        return all;
    }

    /**
     * @param sizes of the network
     * @param nFlows rows of flow states
     * @param nLinks rows of link states
     * @return a step of some of them
     */
    Network::Step Step(const Network::Sizes& sizes, uint32_t nFlows, uint32_t nLinks)
    {
        Network::Step step;
        step.flowState = Choose(m_uniform->GetInteger(1, nFlows), nFlows);
        step.linkState = Choose(m_uniform->GetInteger(1, nLinks), nLinks);
        const std::size_t n = step.flowState.size();
        const std::size_t m = step.linkState.size();
        for (uint32_t f = 0; f < n; ++f)
        {
            step.isNew.push_back(m_uniform->GetInteger(0, 3) == 0);
            const auto onPath = Choose(m_uniform->GetInteger(0, static_cast<uint32_t>(m)),
                                       static_cast<uint32_t>(m));
            for (uint32_t l : onPath)
            {
                step.edgeFlow.push_back(f);
                step.edgeLink.push_back(l);
            }
        }
        step.flowFeatures = Numbers(n * sizes.flowFeatures, -1, 1);
        step.linkFeatures = Numbers(m * sizes.linkFeatures, -1, 1);
        step.fluidLeft = Numbers(n, 0, 1);
        step.fluidLogSlowdown = Numbers(n, 0, 0.2);
        if (sizes.jointHeads)
        {
            step.fluidService = Numbers(n, 0, 2); // sometimes so much that nothing remains
            step.edgeWait = Numbers(step.edgeFlow.size(), 0, 0.5);
        }
        step.logSlowdownTarget = Numbers(n, 0, 1);
        step.logSlowdownWeight = Numbers(n, 0, 1);
        if (m_uniform->GetInteger(0, 4) > 0)
        {
            step.leftTarget = Numbers(n, 0, 1);
            step.leftWeight = Numbers(n, 0, 1);
            step.queueTarget = Numbers(m, 0, 2);
            step.queueWeight = Numbers(m, 0, 1);
        }
        return step;
    }
};

#endif /* DCN_TORCH_GRAPH_DRAWS_H */
