/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_PUBLISHED_NETWORK_H
#define M3_PUBLISHED_NETWORK_H

#include "../features/m3-feature-extractor.h"
#include "m3-torch-network.h"

#include "ns3/dcn-model-file.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief The published architecture of m3: its forward pass by LibTorch.
 *
 * **Problem.** As for M3DefaultNetwork, with the published features (M3FeatureSet), which are
 * neither scaled nor corrected: DT = DG = 1019, S K = 4 x 100 slowdowns.
 *
 * **Equations.** An absent feature is replaced by a learned number, one per percentile.
 * The links of a path are a sequence; dropout D (0.2) is for training only.
 *
 *     e = D(T token.w + token.b)
 *     for each block: a = RMS(e, norm1.g);  q, k, v = a qkv.w, q and k rotated by their positions
 *                     e = e + D(heads(D(softmax(q k' / sqrt(d / A) + causal)) v) o.w)
 *                     a = RMS(e, norm2.g);  e = e + D((silu(a gate.w) * (a up.w)) down.w)
 *     context = mean over the links of RMS(e, norm.g) output.w
 *     u = relu([g, context] mlp1.w + mlp1.b);  u = relu(u mlp2.w + mlp2.b)
 *     slowdowns = u mlp3.w + mlp3.b + 1
 *
 * with rotary positions (theta 10^4, pairs of neighbouring numbers) and a causal mask: a link
 * attends to itself and the links before it. Published sizes: d = 576, A = 4, 4 blocks, F = 1536,
 * M = 512. Initial weights of the encoder are normal with deviation 0.02, of o and up 0.02 / sqrt(2
 * blocks); its biases and the absent features are 0; the head is initialised uniformly from [-1, 1]
 * / sqrt(inputs).
 *
 * **Loss.** The mean over all outputs, also those of slots without flows, of w |estimate / truth -
 * 1|, w = 1 for slots with flows, else 0. Weight decay applies to matrices of the encoder only.
 *
 * Slowdowns can be below 1 and can fall with the percentile. Predictions are the logarithms of
 * max(1, slowdown), in no enforced order, as in the published method.
 *
 * **Matrices** of the model file: absent [1 x K]; token.w, token.b; block<i>.* as of
 * M3DefaultNetwork; norm.g; output.w [d x d]; mlp1.*, mlp2.*, mlp3.*.
 *
 * Source: the m3 paper, sections 3.4 and 4, and its released code for details missing there (means
 * over links, rotary positions, weights of absent features, the mean over all outputs).
 */
class M3PublishedNetwork
{
  public:
    /**
     * @param model a model of the kind "m3"
     * @param shape of the network
     * @throws DcnError if LibTorch is missing, or a matrix is missing or has the wrong shape
     */
    M3PublishedNetwork(const DcnModelFile& model, const M3NetworkShape& shape);

    /**
     * @brief Predict; safe for several threads.
     * @param inputs paths with the published features, at least one
     * @return [paths x S x K] log slowdowns
     */
    std::vector<float> Predict(const std::vector<M3PathFeatures>& inputs) const;

  private:
    std::unique_ptr<M3TorchNetwork> m_network; //!< the network in LibTorch
};

} // namespace ns3

#endif /* M3_PUBLISHED_NETWORK_H */
