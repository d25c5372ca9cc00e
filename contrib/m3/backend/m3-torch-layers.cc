/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-torch-layers.h"

#include <algorithm>
#include <limits>
#include <torch/utils.h>

namespace ns3
{

namespace
{

constexpr double EPSILON = 1e-5; //!< in the RMS normalisation

/**
 * @param numbers row numbers
 * @param device of the tensor
 * @return a copy
 */
torch::Tensor
ToIndex(const std::vector<int64_t>& numbers, torch::Device device)
{
    return torch::tensor(numbers, torch::kLong).to(device);
}

} // namespace

torch::Tensor
M3ToMatrix(const std::vector<float>& numbers, int64_t columns, torch::Device device)
{
    // a copy: gradients need the numbers longer than their vector lives
    return torch::from_blob(const_cast<float*>(numbers.data()),
                            {static_cast<int64_t>(numbers.size()) / columns, columns})
        .clone()
        .to(device);
}

std::vector<float>
M3ToNumbers(const torch::Tensor& tensor)
{
    const torch::Tensor local = tensor.detach().cpu().contiguous();
    const auto* data = local.data_ptr<float>();
    return {data, data + local.numel()};
}

torch::nn::Linear
M3MakeMatrix(uint32_t outputs, uint32_t inputs)
{
    return torch::nn::Linear(torch::nn::LinearOptions(inputs, outputs).bias(false));
}

M3RmsNorm::M3RmsNorm(uint32_t width)
    : m_gain(register_parameter("g", torch::ones({width})))
{
}

torch::Tensor
M3RmsNorm::forward(const torch::Tensor& tokens) const
{
    return tokens * (tokens.square().mean(-1, true) + EPSILON).rsqrt() * m_gain;
}

M3Padding::M3Padding(const std::vector<uint32_t>& tokens, torch::Device device)
    : m_nPaths(static_cast<int64_t>(tokens.size())),
      m_longest(*std::max_element(tokens.begin(), tokens.end()))
{
    std::vector<int64_t> from(m_nPaths * m_longest);
    std::vector<int64_t> to;
    std::vector<int64_t> ofPath;
    std::vector<float> parts;
    std::vector<float> mask(from.size(), -std::numeric_limits<float>::infinity());
    for (int64_t path = 0; path < m_nPaths; ++path)
    {
        for (int64_t i = 0; i < tokens[path]; ++i)
        {
            const int64_t place = path * m_longest + i;
            from[place] = static_cast<int64_t>(to.size());
            mask[place] = 0;
            to.push_back(place);
            ofPath.push_back(path);
            parts.push_back(1 / static_cast<float>(tokens[path]));
        }
    }
    m_padded = ToIndex(from, device);
    m_packed = ToIndex(to, device);
    m_path = ToIndex(ofPath, device);
    m_part = torch::tensor(parts).unsqueeze(1).to(device);
    m_mask = torch::tensor(mask).view({m_nPaths, 1, 1, m_longest}).to(device);
}

torch::Tensor
M3Padding::Pad(const torch::Tensor& rows) const
{
    return rows.index_select(0, m_padded).view({m_nPaths, m_longest, rows.size(1)});
}

torch::Tensor
M3Padding::Unpad(const torch::Tensor& padded) const
{
    return padded.reshape({m_nPaths * m_longest, padded.size(2)}).index_select(0, m_packed);
}

torch::Tensor
M3Padding::Average(const torch::Tensor& rows) const
{
    return torch::zeros({m_nPaths, rows.size(1)}, rows.options())
        .index_add(0, m_path, rows * m_part);
}

const torch::Tensor&
M3Padding::GetMask() const
{
    return m_mask;
}

int64_t
M3Padding::GetLongest() const
{
    return m_longest;
}

} // namespace ns3
