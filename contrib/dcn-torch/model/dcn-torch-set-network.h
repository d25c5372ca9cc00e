/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_SET_NETWORK_H
#define DCN_TORCH_SET_NETWORK_H

#include "ns3/dcn-model-file.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class DcnTorchSetTrainer;

/**
 * @ingroup dcn-torch
 * @brief Trains the network of m3 on the links of paths, on one core.
 *
 * **Problem.** A path has L links, which are a set of *tokens* with features T [L x DT], and
 * foreground flows with features g [DG]. A fluid simulation says base_k, the logarithm of the
 * slowdown at K quantiles for each of C classes of flow sizes; the network corrects it to Q_k,
 * which is not negative and does not decrease with k.
 *
 * **Equations.** a W is short for a times the transpose of W; RMS(e, g) = g e / sqrt(mean(e^2) +
 * 1e-5) over the d numbers of a token.
 *
 *     e = T token.w + token.b
 *     for each block: a = RMS(e, norm1.g);  q, k, v = a qkv.w (d columns each, d / A per head)
 *                     e = e + heads(softmax(q k' / sqrt(d / A)) v) o.w   within a path's tokens
 *                     a = RMS(e, norm2.g);  e = e + (silu(a gate.w) * (a up.w)) down.w
 *     context = mean of RMS(e, norm.g) over the tokens
 *     u = relu([g, context] mlp1.w + mlp1.b);  u = relu(u mlp2.w + mlp2.b);  v = u mlp3.w + mlp3.b
 *     Q_k = Q_{k-1} + tau softplus((inverse(base_k - base_{k-1}) + gain v_k) / tau) in each class,
 *     inverse(b) = tau ln(exp(max(b, floor) / tau) - 1),  Q_0 = base_0 = 0
 *
 * with tau = 0.01 and floor = 0.0005. The gain says how much a step of the optimiser changes the
 * answer: a step of AdamW changes each weight of mlp3 by the learning rate, hence Q_K by up to K M
 * times that times the gain. mlp3 starts at 0, so that an untrained network answers with
 * the fluid simulation up to the floor per increment. Where increments are much larger than tau, v
 * is simply added, times the gain.
 *
 * Features may be missing, not a number, if there are P > 0 numbers to learn for them: column i of
 * T and g is then absent_(i mod P), which starts at 0.
 *
 * **Loss**: sum w |Q - target| / sum w over the batch; or, with the levels p_k, where a class of a
 * path has any number S of targets y_s, the pinball loss of each at each level,
 *
 *     sum_s w_s sum_k v_k 2 max(p_k (y_s - Q_k), (p_k - 1) (y_s - Q_k)) / (K sum w),
 *
 * of which the Q_k that are least on average are the quantiles of y given the features, even where
 * a path has a single y (Koenker and Bassett, Regression quantiles, Econometrica 46, 1978),
 * whatever the weights v_k of the levels, 1 unless given. Where
 * quantiles q_k themselves are known, from many y, sum_k u_k R(Q_k - q_k) can be added, which tells
 * more of them, and sum u to sum w. With answers that are logarithms,
 *
 *     R(d) = |e^d - 1| for d <= D = 1, e^D - 1 + e^D (d - D) above,
 *
 * is up to D the relative error (the m3 paper's loss, and what errors are reported as), and beyond
 * D a straight line with the slope there, so that single paths do not rule the gradient: an answer
 * that is ten times too high costs 5.3, five times as much as one that is near 0 (where the
 * relative error is nine times as large). AdamW makes one step per batch, with the gradient clipped
 * to a norm.
 *
 * **Matrices** of ExportWeights in this order, outputs x inputs, vectors as 1 x outputs: with P > 0
 * absent [1 x P]; token.w,
 * token.b; for each block i from 0: block<i>.norm1.g, .qkv.w [3d x d], .o.w [d x d], .norm2.g,
 * .gate.w, .up.w [F x d], .down.w [d x F]; norm.g; mlp1.w [M x (DG + d)], mlp1.b, mlp2.w [M x M],
 * mlp2.b, mlp3.w [CK x M], mlp3.b. Without context all up to norm.g are missing and mlp1.w has DG
 * columns.
 *
 * Source: the m3 paper, section 4 (transformer over per-link feature maps, two-layer head), with a
 * bidirectional encoder, fewer quantiles and the residual on the fluid answer.
 */
class DcnTorchSetNetwork
{
  public:
    static constexpr float TAU = 0.01F;     //!< tau above
    static constexpr float FLOOR = 0.0005F; //!< floor above
    static constexpr double STRAIGHT = 1;   //!< D above

    /**
     * @param d answer less known quantile
     * @return R(d) above
     */
    static double RelativeError(double d)
    {
        return d <= STRAIGHT ? std::abs(std::expm1(d))
                             : std::expm1(STRAIGHT) + std::exp(STRAIGHT) * (d - STRAIGHT);
    }

    /// What a network looks like.
    struct Sizes
    {
        uint32_t tokenFeatures{0};      //!< DT
        uint32_t foregroundFeatures{0}; //!< DG
        uint32_t classes{4};            //!< C
        uint32_t knots{20};             //!< K
        uint32_t width{96};             //!< d, a multiple of A
        uint32_t heads{4};              //!< A
        uint32_t layers{2};             //!< blocks, may be 0
        uint32_t feedForward{256};      //!< F
        uint32_t mlp{256};              //!< M
        uint32_t absent{0};             //!< P
        float gain{1};                  //!< see above
        bool context{true};             //!< false: the tokens are not looked at (ablation)
    };

    /// How it is trained.
    struct Options
    {
        double weightDecay{0.01};  //!< of matrices, per step and unit of the learning rate
        double clipNorm{1};        //!< largest norm of a gradient
        double averaging{0};       //!< decay per step of the average of the weights; 0: none kept
        std::vector<float> levels; //!< [K] p_k of the pinball loss; empty: the absolute error
        std::vector<float> levelWeights; //!< [K] v_k, with levels; empty: 1
    };

    /// Paths, one after the other.
    struct Batch
    {
        std::vector<uint32_t> tokens;   //!< [B] links of each path, at least 1
        std::vector<float> token;       //!< [sum of links x DT] features
        std::vector<float> foreground;  //!< [B x DG] features
        std::vector<float> base;        //!< [B x C x K], not decreasing with k, not negative
        std::vector<float> target;      //!< [B x C x K], or [B x C x S]; may be empty to predict
        std::vector<float> weight;      //!< as many, 0 where there is no target; likewise
        std::vector<float> known;       //!< [B x C x K] q_k, with levels; may be empty
        std::vector<float> knownWeight; //!< as many: u_k
    };

    /// What came out of a batch.
    struct Losses
    {
        double total{0};        //!< the loss above
        double error{0};        //!< its numerator
        double weight{0};       //!< sum w
        double gradientNorm{0}; //!< before clipping; 0 unless training
    };

    /**
     * @param sizes of the network
     * @param options of the training
     * @param seed of the first weights; the same seed gives the same bytes
     * @throws DcnError if there is no LibTorch, or a size or an option makes no sense
     */
    DcnTorchSetNetwork(const Sizes& sizes, const Options& options, uint64_t seed);
    ~DcnTorchSetNetwork();
    DcnTorchSetNetwork(const DcnTorchSetNetwork&) = delete;
    DcnTorchSetNetwork& operator=(const DcnTorchSetNetwork&) = delete;

    /** @return the sizes. */
    const Sizes& GetSizes() const;

    /**
     * @brief Make one step of AdamW.
     * @param batch with targets
     * @param learningRate of the step
     * @return the loss before the step
     * @throws DcnError if lengths do not fit, or the loss or its gradient is not a finite number;
     * nothing is changed then
     */
    Losses Train(const Batch& batch, double learningRate);

    /**
     * @param batch with targets
     * @return its loss
     * @throws DcnError as Train
     */
    Losses Evaluate(const Batch& batch);

    /**
     * @param batch targets are not looked at
     * @return Q [B x C x K]
     * @throws DcnError if lengths do not fit
     */
    std::vector<float> Predict(const Batch& batch);

    /**
     * @param averaged the moving average of the weights in place of the weights
     * @return the matrices
     */
    std::vector<DcnModelFile::Tensor> ExportWeights(bool averaged = false) const;

    /** @return gradient of the last batch before clipping, in matrices like the weights. */
    std::vector<DcnModelFile::Tensor> ExportGradient() const;

    /**
     * @brief Take weights; their average starts anew. The state of AdamW stays.
     * @param tensors the matrices by name, as from ExportWeights; others are not looked at
     * @throws DcnError if one is missing or of another shape
     */
    void ImportWeights(const std::vector<DcnModelFile::Tensor>& tensors);

    /** @return all that training needs to go on, besides the weights. */
    std::vector<DcnModelFile::Tensor> ExportOptimizer() const;

    /**
     * @brief Go on where another network was; the weights are to be imported first.
     * @param tensors as from ExportOptimizer; others are not looked at
     * @throws DcnError if one is missing or of another shape
     */
    void ImportOptimizer(const std::vector<DcnModelFile::Tensor>& tensors);

  private:
    void Check(const Batch& batch, bool targets) const;

    Sizes m_sizes;                                 //!< see GetSizes
    bool m_hasLevels;                              //!< the loss is the pinball loss
    std::unique_ptr<DcnTorchSetTrainer> m_trainer; //!< the network
};

} // namespace ns3

#endif /* DCN_TORCH_SET_NETWORK_H */
