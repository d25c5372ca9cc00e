/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TORCH_LAYERS_H
#define M3_TORCH_LAYERS_H

#include <cstdint>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @param numbers row by row
 * @param columns of the matrix
 * @param device of the matrix
 * @return the matrix, a copy
 */
torch::Tensor M3ToMatrix(const std::vector<float>& numbers, int64_t columns, torch::Device device);

/**
 * @ingroup m3
 * @param tensor any numbers
 * @return the numbers
 */
std::vector<float> M3ToNumbers(const torch::Tensor& tensor);

/**
 * @ingroup m3
 * @param outputs of the layer
 * @param inputs of the layer
 * @return a layer without bias
 */
torch::nn::Linear M3MakeMatrix(uint32_t outputs, uint32_t inputs);

/**
 * @ingroup m3
 * @brief RMS(e) = g e / sqrt(mean(e^2) + 1e-5) over the numbers of a token.
 */
class M3RmsNorm : public torch::nn::Module
{
  public:
    /**
     * @param width numbers of a token
     */
    explicit M3RmsNorm(uint32_t width);

    /**
     * @param tokens [rows x width]
     * @return the tokens, normalised
     */
    torch::Tensor forward(const torch::Tensor& tokens) const;

  private:
    torch::Tensor m_gain; //!< g, 1 at first
};

/**
 * @ingroup m3
 * @brief Pads paths to equal numbers of tokens.
 */
class M3Padding
{
  public:
    /**
     * @param tokens number of tokens of each path
     * @param device of the computation
     */
    M3Padding(const std::vector<uint32_t>& tokens, torch::Device device);

    /**
     * @param rows [tokens x n]
     * @return [paths x longest x n], arbitrary numbers in the padding
     */
    torch::Tensor Pad(const torch::Tensor& rows) const;

    /**
     * @param padded [paths x longest x n]
     * @return [tokens x n]
     */
    torch::Tensor Unpad(const torch::Tensor& padded) const;

    /**
     * @param rows [tokens x n]
     * @return [paths x n], the mean over the tokens of each path
     */
    torch::Tensor Average(const torch::Tensor& rows) const;

    /** @return [paths x 1 x 1 x longest], 0 for tokens, -infinity for padding. */
    const torch::Tensor& GetMask() const;

    /** @return most tokens of a path. */
    int64_t GetLongest() const;

  private:
    int64_t m_nPaths;       //!< number of paths
    int64_t m_longest;      //!< see GetLongest
    torch::Tensor m_padded; //!< token of each place; an arbitrary one in the padding
    torch::Tensor m_packed; //!< place of each token
    torch::Tensor m_path;   //!< path of each token
    torch::Tensor m_part;   //!< [tokens x 1], 1 / tokens of the path
    torch::Tensor m_mask;   //!< see GetMask
};

} // namespace ns3

#endif /* M3_TORCH_LAYERS_H */
