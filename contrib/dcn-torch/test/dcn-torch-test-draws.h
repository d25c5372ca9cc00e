/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_TEST_DRAWS_H
#define DCN_TORCH_TEST_DRAWS_H

#include "ns3/dcn-model-file.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/**
 * @ingroup dcn-torch-tests
 * @brief Draws numbers, for features, weights and targets.
 */
class DcnTorchTestDraws
{
  public:
    /**
     * @param stream of the random numbers
     */
    explicit DcnTorchTestDraws(int64_t stream)
        : m_uniform(ns3::CreateObject<ns3::UniformRandomVariable>())
    {
        m_uniform->SetStream(stream);
    }

    /**
     * @param count how many
     * @param low least
     * @param high largest
     * @return numbers
     */
    std::vector<float> Numbers(std::size_t count, double low, double high)
    {
        std::vector<float> numbers(count);
        for (float& number : numbers)
        {
            number = static_cast<float>(m_uniform->GetValue(low, high));
        }
        return numbers;
    }

  protected:
    ns3::Ptr<ns3::UniformRandomVariable> m_uniform; //!< what is drawn from
};

/**
 * @ingroup dcn-torch-tests
 * @param a matrices
 * @param b matrices
 * @return whether all their names and numbers are the same
 */
inline bool
DcnTorchAreEqual(const std::vector<ns3::DcnModelFile::Tensor>& a,
                 const std::vector<ns3::DcnModelFile::Tensor>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.name == y.name && x.values == y.values;
    });
}

#endif /* DCN_TORCH_TEST_DRAWS_H */
