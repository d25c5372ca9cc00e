/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_PLAIN_ROWS_H
#define M4_PLAIN_ROWS_H

#include "ns3/dcn-model-file.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4-tests
 * @brief Layers and cells of a model in loops over double numbers, for M4PlainNetwork.
 */
class M4PlainRows
{
  public:
    using Numbers = std::vector<double>; //!< a row
    using Rows = std::vector<Numbers>;   //!< a matrix

    /**
     * @param model weights
     */
    explicit M4PlainRows(const DcnModelFile& model)
    {
        for (const auto& tensor : model.GetTensors())
        {
            m_weights[tensor.name] = tensor;
        }
    }

  protected:
    static Numbers Cut(const std::vector<float>& all, std::size_t row, std::size_t n)
    {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * n);
        return {begin, begin + static_cast<std::ptrdiff_t>(n)};
    }

    static Numbers Join(Numbers a, const Numbers& b)
    {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }

    static Numbers Relu(Numbers a)
    {
        for (double& value : a)
        {
            value = std::max(0.0, value);
        }
        return a;
    }

    static void Add(Numbers& to, const Numbers& from, double factor)
    {
        for (std::size_t i = 0; i < to.size(); ++i)
        {
            to[i] += factor * from[i];
        }
    }

    static double Sigmoid(double value)
    {
        return 1 / (1 + std::exp(-value));
    }

    Numbers Affine(const std::string& weights, const std::string& bias, const Numbers& in) const
    {
        const auto& w = m_weights.at(weights);
        Numbers out(w.rows, 0);
        for (std::size_t r = 0; r < w.rows; ++r)
        {
            for (std::size_t c = 0; c < w.columns; ++c)
            {
                out[r] += static_cast<double>(w.values[r * w.columns + c]) * in.at(c);
            }
            const auto b = m_weights.find(bias);
            out[r] += b == m_weights.end() ? 0 : static_cast<double>(b->second.values[r]);
        }
        return out;
    }

    Numbers Layer(const std::string& name, const Numbers& in) const
    {
        return Affine(name + ".w", name + ".b", in);
    }

    Numbers Gru(const std::string& name, const Numbers& in, const Numbers& state) const
    {
        const Numbers a = Affine(name + ".w_ih", name + ".b_ih", in);
        const Numbers c = Affine(name + ".w_hh", name + ".b_hh", state);
        const std::size_t h = state.size();
        Numbers next(h);
        for (std::size_t i = 0; i < h; ++i)
        {
            const double r = Sigmoid(a[i] + c[i]);
            const double z = Sigmoid(a[h + i] + c[h + i]);
            const double candidate = std::tanh(a[2 * h + i] + r * c[2 * h + i]);
            next[i] = (1 - z) * candidate + z * state[i];
        }
        return next;
    }

    double Head(const std::string& name, const Numbers& in) const
    {
        return Layer(name + ".b", Relu(Layer(name + ".a", in)))[0];
    }

    std::map<std::string, DcnModelFile::Tensor> m_weights; //!< by name
};

} // namespace ns3

#endif /* M4_PLAIN_ROWS_H */
