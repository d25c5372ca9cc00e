/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-published-network.h"

#include "ns3/dcn-torch-training.h"
#include "ns3/dcn-torch.h"

namespace ns3
{

M3PublishedNetwork::M3PublishedNetwork(const DcnModelFile& model, const M3NetworkShape& shape)
{
    const std::string user = "a model of m3 with the published architecture";
    auto& factory = DcnTorch::Load<M3TorchFactory>(user, "m3");
    m_network = DcnTorch::Call(user, [&]() { return factory.MakePublished(shape, {}); });
    DcnTorchCheckpoint::ImportWeights(model.GetTensors(), m_network->GetTrainer());
}

std::vector<float>
M3PublishedNetwork::Predict(const std::vector<M3PathFeatures>& inputs) const
{
    M3TorchBatch batch;
    for (const M3PathFeatures& input : inputs)
    {
        batch.tokens.push_back(input.nTokens);
        batch.token.insert(batch.token.end(), input.token.begin(), input.token.end());
        batch.foreground.insert(batch.foreground.end(),
                                input.foreground.begin(),
                                input.foreground.end());
    }
    return m_network->Predict(batch);
}

} // namespace ns3
