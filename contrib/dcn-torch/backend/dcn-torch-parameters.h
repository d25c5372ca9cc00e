/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_PARAMETERS_H
#define DCN_TORCH_PARAMETERS_H

#include "../model/dcn-torch-backend.h"

#include <ATen/ATen.h>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief Parameters in one vector, trained by AdamW (Loshchilov and Hutter 2019).
 *
 * One vector, because the networks are small: AdamW, clipping and averaging on dozens of small
 * matrices would cost more calls than numbers. Per step, with gradient g (clipped), t steps so far:
 *
 *     m = 0.9 m + 0.1 g,  v = 0.999 v + 0.001 g^2,
 *     w = w - lr decay w [matrices only] - lr (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
 */
class DcnTorchParameters
{
  public:
    /**
     * @param parameters names and shapes
     * @param weightDecay see above
     * @param clipNorm largest norm of g
     * @param averaging decay of the average of w per step; 0 if none is kept
     */
    DcnTorchParameters(const std::vector<DcnTorchParameter>& parameters,
                       double weightDecay,
                       double clipNorm,
                       double averaging);

    /** @return the matrices in order, vectors with one dimension; gradients reach the parameters.
     */
    std::vector<at::Tensor> Split() const;

    /// Forget the gradient.
    void ClearGradient();

    /**
     * @return the norm of the gradient
     */
    double GetGradientNorm() const;

    /**
     * @brief Clip the gradient and make a step.
     * @param learningRate of the step
     * @param gradientNorm what GetGradientNorm returns
     */
    void Step(double learningRate, double gradientNorm);

    std::vector<float> GetWeights() const;                          ///< See DcnTorchOldTrainer.
    std::vector<float> GetAveragedWeights() const;                  ///< See DcnTorchOldTrainer.
    std::vector<float> GetGradient() const;                         ///< See DcnTorchOldTrainer.
    void SetWeights(const std::vector<float>& weights);             ///< See DcnTorchOldTrainer.
    std::vector<float> GetState(uint64_t& steps) const;             ///< See DcnTorchOldTrainer.
    void SetState(const std::vector<float>& state, uint64_t steps); ///< See DcnTorchOldTrainer.

  private:
    std::vector<DcnTorchParameter> m_parameters; //!< names and shapes
    std::vector<int64_t> m_lengths;              //!< numbers per matrix
    std::vector<float> m_decays;                 //!< weight decay of each parameter
    double m_clipNorm;                           //!< largest norm of a gradient
    double m_averaging;                          //!< decay of the average
    at::Tensor m_weights;                        //!< what is trained
    std::vector<float> m_first;                  //!< first moments
    std::vector<float> m_second;                 //!< second moments
    std::vector<float> m_average;                //!< average of the weights
    uint64_t m_steps{0};                         //!< steps made
};

/**
 * @ingroup dcn-torch
 * @brief Forwards a trainer's part that is about parameters.
 * @tparam Base the interface
 */
template <typename Base>
class DcnTorchTrainerBase : public Base
{
  public:
    /// See DcnTorchParameters.
    DcnTorchTrainerBase(const std::vector<DcnTorchParameter>& parameters,
                        double weightDecay,
                        double clipNorm,
                        double averaging)
        : m_parameters(parameters, weightDecay, clipNorm, averaging)
    {
    }

    std::vector<float> GetWeights() const override
    {
        return m_parameters.GetWeights();
    }

    std::vector<float> GetAveragedWeights() const override
    {
        return m_parameters.GetAveragedWeights();
    }

    std::vector<float> GetGradient() const override
    {
        return m_parameters.GetGradient();
    }

    void SetWeights(const std::vector<float>& weights) override
    {
        m_parameters.SetWeights(weights);
    }

    std::vector<float> GetState(uint64_t& steps) const override
    {
        return m_parameters.GetState(steps);
    }

    void SetState(const std::vector<float>& state, uint64_t steps) override
    {
        m_parameters.SetState(state, steps);
    }

  protected:
    DcnTorchParameters m_parameters; //!< the parameters
};

} // namespace ns3

#endif /* DCN_TORCH_PARAMETERS_H */
