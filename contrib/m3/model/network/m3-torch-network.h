/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TORCH_NETWORK_H
#define M3_TORCH_NETWORK_H

#include "ns3/dcn-torch-trainer.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup m3
 * The interface between m3 and its plug-in. It includes neither headers of ns-3 nor of
 * LibTorch.
 */

namespace ns3
{

/**
 * @ingroup m3
 * @brief Shape of a network of m3, of either architecture.
 */
struct M3NetworkShape
{
    uint32_t tokenFeatures{0};      //!< features of a link (M3FeatureSet)
    uint32_t foregroundFeatures{0}; //!< features of a path (M3FeatureSet)
    uint32_t slots{0};              //!< S, predicted distributions (M3FeatureSet)
    uint32_t knots{0};              //!< K, quantiles of each (M3FeatureSet)
    uint32_t width{64};             //!< d, width of a token, a multiple of the heads
    uint32_t heads{4};              //!< A, heads of the attention
    uint32_t layers{2};             //!< blocks of the transformer, may be 0
    uint32_t feedForward{128};      //!< F, width inside a block
    uint32_t mlp{192};              //!< M, width of the hidden layers of the head
    double gain{0.05};    //!< gain of the correction (M3DefaultNetwork); unused if published
    double correction{1}; //!< share of the network in answers, above 0 and at most 1 (M3Network);
                          //!< no loss depends on it; unused if published
    double limit{0}; //!< largest ratio of the network's slowdowns to those of the base, above 1
                     //!< (M3Network); 0: none; of all losses, only those in validation, which
                     //!< choose an epoch, depend on it; unused if published

    static constexpr uint32_t MOST_WIDTH = 16384; //!< of width, heads, feedForward and mlp
    static constexpr uint32_t MOST_LAYERS = 256;  //!< of layers

    static constexpr double TAU = 0.01;     //!< tau of M3DefaultNetwork
    static constexpr double FLOOR = 0.0005; //!< floor of M3DefaultNetwork
};

/**
 * @ingroup m3
 * @brief The loss of the default architecture.
 *
 * A slot of a path has any number N of targets y_n, log slowdowns of flows, with weights w_n. With
 * the levels p_k of the knots, their weights v_k, and the predicted quantiles Q_k, the loss is the
 * pinball loss of each target at each level,
 *
 *     sum_n w_n sum_k v_k 2 max(p_k (y_n - Q_k), (p_k - 1) (y_n - Q_k)) / (K sum w),
 *
 * The Q_k with the least expected loss are the quantiles of y given the features, even if each path
 * has a single y (Koenker and Bassett, Regression quantiles, Econometrica 46, 1978), for any v_k.
 * At the level p, the gradient of the pinball loss of a random target has the size sqrt(p (1 - p)):
 * with equal v_k, high percentiles would have almost no weight (an estimate of the p99 that is 50 %
 * too high would cost less than a median that is 1 % off). The weight is therefore v_k = c (p_k (1
 * - p_k))^-1/2, with c such that the v_k are 1 on average.
 *
 * Where quantiles q_k themselves are known, from many y, sum_k u_k R(Q_k - q_k) is added to the
 * numerator and sum u to the denominator. With logarithms of slowdowns,
 *
 *     R(d) = |e^d - 1| for d <= D = 1, e^D - 1 + e^D (d - D) above,
 *
 * is the relative error up to D (the loss of the m3 paper, and the error in reports), and linear
 * with the slope at D beyond, so that single paths do not dominate the gradient: an estimate that
 * is ten times too high costs 5.3, five times as much as one that is near 0 (the relative error is
 * nine times as large).
 */
struct M3Loss
{
    static constexpr double STRAIGHT = 1; //!< D above

    /**
     * @param d predicted less known log slowdown
     * @return R(d) above
     */
    static double GetRelativeError(double d)
    {
        return d <= STRAIGHT ? std::abs(std::expm1(d))
                             : std::expm1(STRAIGHT) + std::exp(STRAIGHT) * (d - STRAIGHT);
    }

    /**
     * @param levels p_k, between 0 and 1
     * @return v_k
     */
    static std::vector<float> GetLevelWeights(const std::vector<double>& levels)
    {
        std::vector<float> weights;
        double sum = 0;
        for (double level : levels)
        {
            weights.push_back(static_cast<float>(std::pow(level * (1 - level), -0.5)));
            sum += weights.back();
        }
        for (float& weight : weights)
        {
            weight *= static_cast<float>(static_cast<double>(levels.size()) / sum);
        }
        return weights;
    }

    double error{0};        //!< numerator
    double weight{0};       //!< denominator
    double gradientNorm{0}; //!< before clipping; 0 unless the network was trained

    /** @return the loss; 0 without weights. */
    double GetMean() const
    {
        return weight > 0 ? error / weight : 0;
    }
};

/**
 * @ingroup m3
 * @brief A sequence of paths. B is their number, L the number of all their links.
 */
struct M3TorchBatch
{
    std::vector<uint32_t> tokens;  //!< [B] links of each path, at least 1
    std::vector<float> token;      //!< [L x tokenFeatures]
    std::vector<float> foreground; //!< [B x foregroundFeatures]
    std::vector<float> base;       //!< [B x S x K] log slowdowns of the fluid; empty if published
    std::vector<float>
        target; //!< [B x S x N] log slowdowns, published N = K; empty for predictions
    std::vector<float> weight;      //!< weights of the targets; 0: no target
    std::vector<float> known;       //!< [B x S x K] q_k; empty if published
    std::vector<float> knownWeight; //!< u_k of these; 0: not known
};

/**
 * @ingroup m3
 * @brief A network of m3 in LibTorch.
 */
class M3TorchNetwork
{
  public:
    virtual ~M3TorchNetwork() = default;

    /** @return weights and optimiser. */
    virtual DcnTorchTrainer& GetTrainer() = 0;

    /**
     * @brief Update the weights once.
     * @param batch with targets
     * @param learningRate learning rate of the update
     * @return the loss before the update; if it is not finite, the weights do not change
     */
    virtual M3Loss Train(const M3TorchBatch& batch, double learningRate) = 0;

    /**
     * @param batch with targets
     * @return their loss
     */
    virtual M3Loss Evaluate(const M3TorchBatch& batch) = 0;

    /**
     * @brief Predict; safe for several threads.
     * @param batch targets are ignored
     * @return [B x S x K] log slowdowns, at least 0
     */
    virtual std::vector<float> Predict(const M3TorchBatch& batch) const = 0;
};

/**
 * @ingroup m3
 * @brief The factory of the plug-in of m3.
 */
class M3TorchFactory : public DcnTorchPlugin
{
  public:
    static constexpr uint32_t VERSION = 1; //!< version of this file

    /**
     * @param shape of the network
     * @param levels [K] of the knots
     * @param options of the training
     * @return a network with the equations of M3DefaultNetwork and the loss of M3Loss
     */
    virtual std::unique_ptr<M3TorchNetwork> MakeDefault(
        const M3NetworkShape& shape,
        const std::vector<double>& levels,
        const DcnTorchOptimizerOptions& options) = 0;

    /**
     * @param shape of the network
     * @param options of the training
     * @return a network with the equations and the loss of M3PublishedNetwork
     */
    virtual std::unique_ptr<M3TorchNetwork> MakePublished(
        const M3NetworkShape& shape,
        const DcnTorchOptimizerOptions& options) = 0;
};

} // namespace ns3

#endif /* M3_TORCH_NETWORK_H */
