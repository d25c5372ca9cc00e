/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_REFERENCE_ROWS_H
#define DCN_TORCH_REFERENCE_ROWS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @ingroup dcn-torch-tests
 * @brief Layers and cells, row by row in double precision, for DcnTorchGraphReference.
 */
class DcnTorchReferenceRows
{
  public:
    using Row = std::vector<double>; //!< numbers of a flow or link

    std::map<std::string, Row> weights; //!< matrices row by row

  protected:
    static Row Slice(const std::vector<float>& numbers, std::size_t row, std::size_t columns)
    {
        return {numbers.begin() + static_cast<std::ptrdiff_t>(row * columns),
                numbers.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns)};
    }

    static Row Choose(const Row& row, const std::vector<uint32_t>& columns)
    {
        Row chosen;
        for (uint32_t column : columns)
        {
            chosen.push_back(row[column]);
        }
        return chosen;
    }

    static Row Join(Row a, const Row& b)
    {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }

    static double Sigmoid(double a)
    {
        return 1 / (1 + std::exp(-a));
    }

    static Row Relu(Row row)
    {
        for (double& number : row)
        {
            number = std::max(number, 0.0);
        }
        return row;
    }

    static void Add(Row& to, const Row& from, double factor = 1)
    {
        for (std::size_t i = 0; i < to.size(); ++i)
        {
            to[i] += factor * from[i];
        }
    }

    Row Multiply(const std::string& name, const Row& input) const
    {
        const Row& matrix = weights.at(name);
        Row output(matrix.size() / input.size());
        for (std::size_t i = 0; i < output.size(); ++i)
        {
            for (std::size_t j = 0; j < input.size(); ++j)
            {
                output[i] += matrix[i * input.size() + j] * input[j];
            }
        }
        return output;
    }

    Row Layer(const std::string& name, const Row& input) const
    {
        Row output = Multiply(name + ".w", input);
        Add(output, weights.at(name + ".b"));
        return output;
    }

    double Mlp(const std::string& name, const Row& input) const
    {
        return Layer(name + ".b", Relu(Layer(name + ".a", input)))[0];
    }

    Row Gru(const std::string& name, const Row& input, const Row& state) const
    {
        Row in = Multiply(name + ".w_ih", input);
        Row hidden = Multiply(name + ".w_hh", state);
        Add(in, weights.at(name + ".b_ih"));
        Add(hidden, weights.at(name + ".b_hh"));
        const std::size_t h = state.size();
        Row output(h);
        for (std::size_t i = 0; i < h; ++i)
        {
            const double r = Sigmoid(in[i] + hidden[i]);
            const double z = Sigmoid(in[h + i] + hidden[h + i]);
            const double n = std::tanh(in[2 * h + i] + r * hidden[2 * h + i]);
            output[i] = (1 - z) * n + z * state[i];
        }
        return output;
    }
};

#endif /* DCN_TORCH_REFERENCE_ROWS_H */
