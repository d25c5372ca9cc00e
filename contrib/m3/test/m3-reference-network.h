/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_REFERENCE_NETWORK_H
#define M3_REFERENCE_NETWORK_H

#include "ns3/m3-torch-network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @ingroup m3-tests
 * @brief The equations of M3DefaultNetwork, M3PublishedNetwork and their losses once more, token by
 * token in double precision.
 */
class M3ReferenceNetwork
{
  public:
    using Row = std::vector<double>; //!< numbers of a token or path
    using Rows = std::vector<Row>;   //!< tokens of a path

    std::map<std::string, Row> weights; //!< matrices row by row
    ns3::M3NetworkShape shape;          //!< of the network
    bool isPublished{false};            //!< which equations
    Row levels;                         //!< of the pinball loss

    /**
     * @param batch paths
     * @return log slowdowns, or slowdowns as they come out if published
     */
    Row Predict(const ns3::M3TorchBatch& batch) const
    {
        Row all;
        std::size_t token = 0;
        for (std::size_t path = 0; path < batch.tokens.size(); ++path)
        {
            Row input = Fill(Slice(batch.foreground, path, shape.foregroundFeatures));
            Rows tokens;
            for (uint32_t i = 0; i < batch.tokens[path]; ++i)
            {
                tokens.push_back(
                    Layer("token", Fill(Slice(batch.token, token++, shape.tokenFeatures))));
            }
            const Row context = Encode(tokens);
            input.insert(input.end(), context.begin(), context.end());
            const Row v = Layer("mlp3", Relu(Layer("mlp2", Relu(Layer("mlp1", input)))));
            const Row base = isPublished ? Row() : Slice(batch.base, path, v.size());
            for (std::size_t i = 0; i < v.size(); ++i)
            {
                if (isPublished)
                {
                    all.push_back(v[i] + 1);
                    continue;
                }
                const bool first = i % shape.knots == 0;
                const double tau = 0.01;
                const double increment = std::max(base[i] - (first ? 0 : base[i - 1]), 0.0005);
                const double u = tau * std::log(std::expm1(increment / tau)) + shape.gain * v[i];
                const double step = u > 20 * tau ? u : tau * std::log1p(std::exp(u / tau));
                all.push_back((first ? 0 : all.back()) + step);
            }
        }
        return all;
    }

    /**
     * @param batch paths
     * @return its loss
     */
    double Loss(const ns3::M3TorchBatch& batch) const
    {
        const Row predicted = Predict(batch);
        double error = 0;
        double weight = 0;
        if (isPublished)
        {
            for (std::size_t i = 0; i < predicted.size(); ++i)
            {
                error += batch.weight[i] * std::abs(predicted[i] / std::exp(batch.target[i]) - 1);
            }
            return error / static_cast<double>(predicted.size());
        }
        Row levelWeights;
        double sum = 0;
        for (double p : levels)
        {
            levelWeights.push_back(1 / std::sqrt(p * (1 - p)));
            sum += levelWeights.back() / static_cast<double>(levels.size());
        }
        const std::size_t perRow = batch.target.size() / (predicted.size() / shape.knots);
        for (std::size_t i = 0; i < batch.target.size(); ++i)
        {
            for (std::size_t k = 0; k < shape.knots; ++k)
            {
                const double above = batch.target[i] - predicted[i / perRow * shape.knots + k];
                error += 2 * batch.weight[i] * levelWeights[k] / sum *
                         std::max(levels[k] * above, (levels[k] - 1) * above) / shape.knots;
            }
            weight += batch.weight[i];
        }
        for (std::size_t i = 0; i < batch.known.size(); ++i)
        {
            // D = 1
            const double over = predicted[i] - batch.known[i];
            const double relative = std::exp(std::min(over, 1.0)) - 1;
            error += batch.knownWeight[i] *
                     (over > 1 ? relative + std::exp(1.0) * (over - 1) : std::abs(relative));
            weight += batch.knownWeight[i];
        }
        return error / weight;
    }

  private:
    static Row Slice(const std::vector<float>& numbers, std::size_t row, std::size_t columns)
    {
        return {numbers.begin() + static_cast<std::ptrdiff_t>(row * columns),
                numbers.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns)};
    }

    Row Fill(Row row) const
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            row[i] = std::isnan(row[i]) ? weights.at("absent")[i % shape.knots] : row[i];
        }
        return row;
    }

    static Row Relu(Row row)
    {
        for (double& number : row)
        {
            number = std::max(number, 0.0);
        }
        return row;
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
        for (std::size_t i = 0; i < output.size(); ++i)
        {
            output[i] += weights.at(name + ".b")[i];
        }
        return output;
    }

    Row Normalise(const std::string& name, Row row) const
    {
        double squares = 0;
        for (double number : row)
        {
            squares += number * number;
        }
        const double root = std::sqrt(squares / static_cast<double>(row.size()) + 1e-5);
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            row[i] *= weights.at(name)[i] / root;
        }
        return row;
    }

    Row Encode(Rows tokens) const
    {
        const std::size_t d = shape.width;
        const std::size_t perHead = d / shape.heads;
        for (uint32_t layer = 0; layer < shape.layers; ++layer)
        {
            const std::string block = "block" + std::to_string(layer);
            Rows qkv;
            for (const Row& token : tokens)
            {
                qkv.push_back(Multiply(block + ".qkv.w", Normalise(block + ".norm1.g", token)));
                if (isPublished)
                {
                    Rotate(qkv.back(), static_cast<double>(qkv.size() - 1));
                }
            }
            for (std::size_t t = 0; t < tokens.size(); ++t)
            {
                Row heard(d);
                for (std::size_t h = 0; h < d; h += perHead)
                {
                    Row attention;
                    double sum = 0;
                    for (std::size_t o = 0; o < (isPublished ? t + 1 : qkv.size()); ++o)
                    {
                        const Row& other = qkv[o];
                        double score = 0;
                        for (std::size_t i = h; i < h + perHead; ++i)
                        {
                            score += qkv[t][i] * other[d + i];
                        }
                        attention.push_back(
                            std::exp(score / std::sqrt(static_cast<double>(perHead))));
                        sum += attention.back();
                    }
                    for (std::size_t o = 0; o < attention.size(); ++o)
                    {
                        for (std::size_t i = h; i < h + perHead; ++i)
                        {
                            heard[i] += attention[o] / sum * qkv[o][2 * d + i];
                        }
                    }
                }
                AddTo(tokens[t], Multiply(block + ".o.w", heard));
                const Row norm = Normalise(block + ".norm2.g", tokens[t]);
                Row gate = Multiply(block + ".gate.w", norm);
                const Row up = Multiply(block + ".up.w", norm);
                for (std::size_t i = 0; i < gate.size(); ++i)
                {
                    gate[i] *= up[i] / (1 + std::exp(-gate[i]));
                }
                AddTo(tokens[t], Multiply(block + ".down.w", gate));
            }
        }
        Row mean(d);
        for (const Row& token : tokens)
        {
            Row norm = Normalise("norm.g", token);
            norm = isPublished ? Multiply("output.w", norm) : norm;
            for (std::size_t i = 0; i < d; ++i)
            {
                mean[i] += norm[i] / static_cast<double>(tokens.size());
            }
        }
        return mean;
    }

    /// Turns queries and keys, the first two thirds of a row, by the position of the token.
    void Rotate(Row& qkv, double position) const
    {
        const std::size_t perHead = shape.width / shape.heads;
        for (std::size_t i = 0; i < 2 * shape.width; i += 2)
        {
            const double exponent = static_cast<double>(i % perHead) / static_cast<double>(perHead);
            const double angle = position / std::pow(1e4, exponent);
            const double x = qkv[i];
            const double y = qkv[i + 1];
            qkv[i] = x * std::cos(angle) - y * std::sin(angle);
            qkv[i + 1] = x * std::sin(angle) + y * std::cos(angle);
        }
    }

    static void AddTo(Row& to, const Row& from)
    {
        for (std::size_t i = 0; i < to.size(); ++i)
        {
            to[i] += from[i];
        }
    }
};

#endif /* M3_REFERENCE_NETWORK_H */
