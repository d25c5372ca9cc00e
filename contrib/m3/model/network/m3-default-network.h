/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_DEFAULT_NETWORK_H
#define M3_DEFAULT_NETWORK_H

#include "../features/m3-feature-extractor.h"
#include "../features/m3-scaler.h"
#include "m3-torch-network.h"

#include "ns3/dcn-model-file.h"

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief The default architecture of m3: its forward pass without LibTorch.
 *
 * **Problem.** A path has L links, a set of *tokens* with features T [L x DT], and foreground flows
 * with features g [DG]. M3Base gives base_k, the logarithm of the slowdown at K quantiles for each
 * of S slots (a class of flow sizes and a range of the number of flows). The network corrects it to
 * Q_k, which is not negative and does not decrease with k.
 *
 * **Equations.** a W is a times the transpose of W; RMS(e, g) = g e / sqrt(mean(e^2) +
 * 1e-5) over the d numbers of a token. Features are scaled first (M3Scaler).
 *
 *     e = T token.w + token.b
 *     for each block: a = RMS(e, norm1.g);  q, k, v = a qkv.w (d columns each, d / A per head)
 *                     e = e + heads(softmax(q k' / sqrt(d / A)) v) o.w   within a path's tokens
 *                     a = RMS(e, norm2.g);  e = e + (silu(a gate.w) * (a up.w)) down.w
 *     context = mean of RMS(e, norm.g) over the tokens
 *     u = relu([g, context] mlp1.w + mlp1.b);  u = relu(u mlp2.w + mlp2.b);  v = u mlp3.w + mlp3.b
 *     Q_k = Q_{k-1} + tau softplus((inverse(base_k - base_{k-1}) + gain v_k) / tau) in each slot,
 *     inverse(b) = tau ln(exp(max(b, floor) / tau) - 1),  Q_0 = base_0 = 0
 *
 * with tau = 0.01 and floor = 0.0005. The gain limits the change of the answer by a step of the
 * optimiser: AdamW changes each weight of mlp3 by the learning rate, hence Q_K by up to K M times
 * the rate times the gain. mlp3 starts at 0, so that an untrained network answers with the base,
 * up to the floor per increment. Where increments are much larger than tau, v times the
 * gain is simply added.
 *
 * **Matrices** of the model file, outputs x inputs, vectors as 1 x outputs: token.w, token.b; for
 * each block i from 0: block<i>.norm1.g, .qkv.w [3d x d], .o.w [d x d], .norm2.g, .gate.w, .up.w
 * [F x d], .down.w [d x F]; norm.g; mlp1.w [M x (DG + d)], mlp1.b, mlp2.w [M x M], mlp2.b, mlp3.w
 * [SK x M], mlp3.b; and token.mean, token.scale, foreground.mean and foreground.scale.
 *
 * Source: the m3 paper, section 4 (transformer over per-link feature maps, two-layer head), with a
 * bidirectional encoder, fewer quantiles and the residual on the base.
 */
class M3DefaultNetwork
{
  public:
    /**
     * @param model a model of the kind "m3"
     * @param shape of the network
     * @throws DcnError if a matrix is missing or has the wrong shape
     */
    M3DefaultNetwork(const DcnModelFile& model, const M3NetworkShape& shape);

    /**
     * @brief Predict; safe for several threads.
     * @param inputs paths with the features of default or links, at least one
     * @return [paths x S x K] log slowdowns; the base in slots without foreground flows
     */
    std::vector<float> Predict(const std::vector<M3PathFeatures>& inputs) const;

  private:
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Row = Eigen::Matrix<float, 1, Eigen::Dynamic>;

    /// out = in w + b
    struct Layer
    {
        Matrix w; //!< transposed: inputs x outputs
        Row b;    //!< outputs; empty: none
    };

    /// A block of the transformer.
    struct Block
    {
        Row norm1;  //!< norm1.g
        Layer qkv;  //!< qkv.w
        Layer o;    //!< o.w
        Row norm2;  //!< norm2.g
        Layer gate; //!< gate.w
        Layer up;   //!< up.w
        Layer down; //!< down.w
    };

    static Layer ReadLayer(const DcnModelFile& model,
                           const std::string& name,
                           uint32_t inputs,
                           uint32_t outputs,
                           bool bias);
    static Row ReadRow(const DcnModelFile& model, const std::string& name, uint32_t n);
    static Matrix Apply(const Layer& layer, const Matrix& in);
    static Matrix Normalise(const Matrix& rows, const Row& gain);

    /// Returns the context of each path.
    Matrix Encode(const std::vector<M3PathFeatures>& inputs) const;
    /// Runs a block on the tokens of all paths; each token attends to those of its own path.
    void Attend(const Block& block,
                const std::vector<M3PathFeatures>& inputs,
                Matrix& tokens) const;

    M3NetworkShape m_shape;
    M3Scaler m_tokenScaler;      //!< scaler of token features
    M3Scaler m_foregroundScaler; //!< scaler of foreground features
    Layer m_token;               //!< token
    std::vector<Block> m_blocks; //!< block0 ...
    Row m_norm;                  //!< norm.g
    Layer m_mlp[3];              //!< mlp1, mlp2, mlp3
};

} // namespace ns3

#endif /* M3_DEFAULT_NETWORK_H */
