/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_GRAPH_REFERENCE_H
#define DCN_TORCH_GRAPH_REFERENCE_H

#include "ns3/dcn-torch-graph-network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

/**
 * @ingroup dcn-torch-tests
 * @brief The equations of DcnTorchGraphNetwork once more, row by row in double precision.
 *
 * Nothing here is fast, and nothing is shared with what is tested: derivatives are differences of
 * losses.
 */
class DcnTorchGraphReference
{
  public:
    using Network = ns3::DcnTorchGraphNetwork;
    using Row = std::vector<double>; //!< numbers of a flow or link

    /// What is predicted, and the parts of the loss.
    struct Result
    {
        Row logSlowdown;   //!< per flow row
        Row left;          //!< per flow row
        Row queue;         //!< per link row
        double loss{0};    //!< weighted sum, not yet divided
        double divisor{0}; //!< sum of the weights of slowdowns
    };

    /**
     * @param sizes of the network
     * @param options of the training
     * @param nFlows rows of states
     * @param nLinks rows of states
     */
    DcnTorchGraphReference(const Network::Sizes& sizes,
                           const Network::Options& options,
                           std::size_t nFlows,
                           std::size_t nLinks)
        : flowStates(nFlows, Row(sizes.hidden)),
          linkStates(nLinks, Row(sizes.hidden)),
          m_sizes(sizes),
          m_options(options)
    {
    }

    std::map<std::string, Row> weights; //!< matrices row by row
    std::vector<Row> flowStates;        //!< HF
    std::vector<Row> linkStates;        //!< HL

    /**
     * @brief Run a step.
     * @param step the step
     * @param result what is added to
     */
    void Run(const Network::Step& step, Result& result)
    {
        const std::size_t n = step.flowState.size();
        const std::size_t m = step.linkState.size();
        std::vector<Row> x(n);
        std::vector<Row> y(m);
        std::vector<Row> hf(n);
        std::vector<Row> hl(m);
        for (std::size_t i = 0; i < n; ++i)
        {
            x[i] = Relu(Layer("x", Slice(step.flowFeatures, i, m_sizes.flowFeatures)));
            const Row before = step.isNew[i] ? Row(m_sizes.hidden) : flowStates[step.flowState[i]];
            hf[i] = Gru("gru_tf", x[i], before);
            const double fluid =
                std::min(std::max(static_cast<double>(step.fluidLeft[i]), 1e-3), 1 - 1e-3);
            const double left =
                Sigmoid(std::log(fluid / (1 - fluid)) + Mlp("left", Join(hf[i], x[i])));
            result.left.push_back(left);
            AddLoss(left, step.leftTarget, step.leftWeight, i, m_options.lambdaLeft, result);
        }
        for (std::size_t i = 0; i < m; ++i)
        {
            y[i] = Relu(Layer("y", Slice(step.linkFeatures, i, m_sizes.linkFeatures)));
            hl[i] = Gru("gru_tl", y[i], linkStates[step.linkState[i]]);
            const double queue = std::log1p(std::exp(Mlp("queue", Join(hl[i], y[i]))));
            result.queue.push_back(queue);
            AddLoss(queue, step.queueTarget, step.queueWeight, i, m_options.lambdaQueue, result);
        }
        for (uint32_t round = 0; round < m_sizes.rounds; ++round)
        {
            SendMessages(step, x, y, hf, hl);
        }
        for (std::size_t i = 0; i < m; ++i)
        {
            linkStates[step.linkState[i]] = hl[i];
        }
        for (std::size_t i = 0; i < n; ++i)
        {
            flowStates[step.flowState[i]] = hf[i];
            const double tau = 0.02;
            const double u = step.fluidLogSlowdown[i] + Mlp("fct", Join(hf[i], x[i]));
            const double slowdown = u > 20 * tau ? u : tau * std::log1p(std::exp(u / tau));
            result.logSlowdown.push_back(slowdown);
            AddLoss(slowdown, step.logSlowdownTarget, step.logSlowdownWeight, i, 1, result);
            result.divisor += step.logSlowdownWeight.empty() ? 0 : step.logSlowdownWeight[i];
        }
    }

  private:
    static void AddLoss(double predicted,
                        const std::vector<float>& targets,
                        const std::vector<float>& weights,
                        std::size_t i,
                        double lambda,
                        Result& result)
    {
        if (!weights.empty())
        {
            result.loss += lambda * weights[i] * std::abs(predicted - targets[i]);
        }
    }

    static Row Slice(const std::vector<float>& numbers, std::size_t row, std::size_t columns)
    {
        return {numbers.begin() + static_cast<std::ptrdiff_t>(row * columns),
                numbers.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns)};
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

    void SendMessages(const Network::Step& step,
                      const std::vector<Row>& x,
                      const std::vector<Row>& y,
                      std::vector<Row>& hf,
                      std::vector<Row>& hl) const
    {
        std::vector<Row> sums(hl.size(), Row(m_sizes.hidden));
        std::vector<double> counts(hl.size());
        std::vector<Row> told(hf.size(), Row(m_sizes.hidden));
        for (std::size_t e = 0; e < step.edgeFlow.size(); ++e)
        {
            const uint32_t f = step.edgeFlow[e];
            Add(sums[step.edgeLink[e]], Relu(Layer("w1", Join(hf[f], x[f]))));
            ++counts[step.edgeLink[e]];
        }
        std::vector<Row> mixed(hl.size());
        for (std::size_t i = 0; i < hl.size(); ++i)
        {
            mixed[i] = Layer("w2", Join(hl[i], y[i]));
            Add(mixed[i], Multiply("w3.w", sums[i]));
            Add(mixed[i], Multiply("w4.w", sums[i]), 1 / std::max(counts[i], 1.0));
            mixed[i] = Relu(mixed[i]);
        }
        for (std::size_t e = 0; e < step.edgeFlow.size(); ++e)
        {
            Add(told[step.edgeFlow[e]], Relu(Layer("w5", mixed[step.edgeLink[e]])));
        }
        for (std::size_t i = 0; i < hf.size(); ++i)
        {
            hf[i] = Gru("gru_uf", Join(told[i], x[i]), hf[i]);
        }
        for (std::size_t i = 0; i < hl.size(); ++i)
        {
            hl[i] = Gru("gru_ul", Join(mixed[i], y[i]), hl[i]);
        }
    }

    Network::Sizes m_sizes;     //!< of the network
    Network::Options m_options; //!< of the training
};

#endif /* DCN_TORCH_GRAPH_REFERENCE_H */
