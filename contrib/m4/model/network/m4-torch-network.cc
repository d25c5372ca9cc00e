/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-torch-network.h"

#include "ns3/dcn-torch-training.h"
#include "ns3/dcn-torch.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M4TorchNetwork");

M4TorchNetwork::M4TorchNetwork(const M4NetworkSizes& sizes, const DcnModelFile& model)
    : m_model(Make("the published network of m4", sizes, {})),
      m_isPublished(sizes.isPublished)
{
    DcnTorchCheckpoint::ImportWeights(model.GetTensors(), m_model->GetTrainer());
}

M4TorchNetwork::~M4TorchNetwork() = default;

std::unique_ptr<M4TorchModel>
M4TorchNetwork::Make(const char* user,
                     const M4NetworkSizes& sizes,
                     const M4TorchModel::Options& options)
{
    auto& plugin = DcnTorch::Load<M4TorchPlugin>(user, "m4");
    NS_LOG_INFO(user << " computes on " << options.device);
    return DcnTorch::Call(user, [&]() { return plugin.Make(sizes, options); });
}

void
M4TorchNetwork::Append(const M4Snapshot& snapshot,
                       int64_t firstFlow,
                       int64_t firstLink,
                       M4TorchChunk& chunk)
{
    const M4TorchChunk::End start =
        chunk.ends.empty() ? M4TorchChunk::End{0, 0, 0} : chunk.ends.back();
    const auto flowRow = static_cast<int64_t>(chunk.flowState.size() - start.flow);
    const auto linkRow = static_cast<int64_t>(chunk.linkState.size() - start.link);
    for (std::size_t row = 0; row < snapshot.flows.size(); ++row)
    {
        chunk.flowState.push_back(firstFlow + snapshot.flows[row]);
        chunk.flowIsNew.push_back(row == snapshot.eventRow ? 1 : 0);
    }
    for (const uint32_t link : snapshot.links)
    {
        chunk.linkState.push_back(firstLink + link);
    }
    for (std::size_t edge = 0; edge < snapshot.edgeFlow.size(); ++edge)
    {
        chunk.edgeFlow.push_back(flowRow + snapshot.edgeFlow[edge]);
        chunk.edgeLink.push_back(linkRow + snapshot.edgeLink[edge]);
    }
    auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(chunk.linkIsNew, snapshot.linkIsNew);
    append(chunk.flowFeatures, snapshot.flowFeatures);
    append(chunk.linkFeatures, snapshot.linkFeatures);
    append(chunk.fluidLogSlowdown, snapshot.fluidLogSlowdown);
    append(chunk.fluidRemaining, snapshot.fluidRemaining);
}

void
M4TorchNetwork::Begin(uint32_t)
{
    m_model->Begin();
    m_predictions = {};
    m_logQuantiles.clear();
}

void
M4TorchNetwork::Update(const M4Snapshot& snapshot)
{
    M4TorchChunk chunk;
    Append(snapshot, 0, 0, chunk);
    chunk.EndStep();
    m_predictions = DcnTorch::Call("m4", [&]() { return m_model->Predict(chunk); });
    for (std::size_t i = 0; i < m_predictions.spread.size(); ++i)
    {
        const std::size_t row = i / M4Spread::N;
        const std::size_t place = snapshot.flows[row] * M4Spread::N + i % M4Spread::N;
        m_logQuantiles.resize(std::max(m_logQuantiles.size(), place + 1));
        m_logQuantiles[place] = m_predictions.logSlowdown[row] + m_predictions.spread[i];
    }
}

const std::vector<float>&
M4TorchNetwork::GetLogSlowdowns()
{
    return m_predictions.logSlowdown;
}

bool
M4TorchNetwork::HasSpread() const
{
    return !m_isPublished;
}

std::vector<float>
M4TorchNetwork::GetLogQuantiles(uint32_t slot)
{
    if (!HasSpread())
    {
        return {};
    }
    const auto first = m_logQuantiles.begin() + std::ptrdiff_t{slot} * std::ptrdiff_t{M4Spread::N};
    return {first, first + std::ptrdiff_t{M4Spread::N}};
}

std::vector<float>
M4TorchNetwork::GetRemaining()
{
    return m_predictions.remaining;
}

std::vector<float>
M4TorchNetwork::GetQueueBytes()
{
    std::vector<float> bytes;
    for (const float queue : m_predictions.queue)
    {
        bytes.push_back(1000 * std::expm1(queue));
    }
    return bytes;
}

float
M4TorchNetwork::QueryRemaining(uint32_t slot, const std::vector<float>& features)
{
    M4TorchChunk chunk;
    chunk.flowState = {slot};
    chunk.flowIsNew = {0};
    chunk.flowFeatures = features;
    if (!m_isPublished)
    {
        chunk.fluidRemaining = {features[M4Features::N_STATIC + M4Features::REMAINING]};
        chunk.fluidLogSlowdown = {0};
    }
    chunk.EndStep();
    return DcnTorch::Call("m4", [&]() { return m_model->Query(chunk); }).remaining[0];
}

float
M4TorchNetwork::QueryQueueBytes(uint32_t link, const std::vector<float>& features)
{
    M4TorchChunk chunk;
    chunk.linkState = {link};
    chunk.linkIsNew = {0};
    chunk.linkFeatures = features;
    chunk.EndStep();
    return 1000 *
           std::expm1(DcnTorch::Call("m4", [&]() { return m_model->Query(chunk); }).queue[0]);
}

} // namespace ns3
