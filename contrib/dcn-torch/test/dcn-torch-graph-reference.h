/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_GRAPH_REFERENCE_H
#define DCN_TORCH_GRAPH_REFERENCE_H

#include "dcn-torch-reference-rows.h"

#include "ns3/dcn-torch-graph-network.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

/**
 * @ingroup dcn-torch-tests
 * @brief The equations of DcnTorchGraphNetwork once more, row by row in double precision.
 *
 * Nothing here is fast, and nothing is shared with what is tested: derivatives are differences of
 * losses.
 */
class DcnTorchGraphReference : public DcnTorchReferenceRows
{
  public:
    using Network = ns3::DcnTorchGraphNetwork;

    /// What is predicted, and the parts of the loss.
    struct Result
    {
        Row logSlowdown;   //!< per flow row
        Row left;          //!< per flow row
        Row queue;         //!< per link row
        double loss{0};    //!< weighted sum, not yet divided
        double divisor{0}; //!< sum of the weights of slowdowns
        double queueErrors{0}; //!< weighted sum of absolute errors of queues
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

    /// What the slowdown of joint heads starts from, which its derivatives do not know.
    struct Start
    {
        double left; //!< share that is predicted
        double wait; //!< that its queues add
    };

    std::vector<Start> starts;                //!< of all flow rows so far
    const std::vector<Start>* fixed{nullptr}; //!< unless null, in place of them

    std::vector<Row> flowStates; //!< HF
    std::vector<Row> linkStates; //!< HL

    /**
     * @brief Run a step.
     * @param step the step
     * @param result what is added to
     */
    void Run(const Network::Step& step, Result& result)
    {
        const std::size_t n = step.flowState.size();
        const std::size_t m = step.linkState.size();
        const auto& inputs = m_sizes.inputs;
        const bool encoded = inputs.flowTime.empty();
        const std::size_t first = starts.size();
        std::vector<Row> x(n); // empty unless encoded
        std::vector<Row> y(m);
        std::vector<Row> update(n);
        std::vector<Row> head(n);
        std::vector<Row> hf(n);
        std::vector<Row> hl(m);
        for (std::size_t i = 0; i < n; ++i)
        {
            const Row features = Slice(step.flowFeatures, i, m_sizes.flowFeatures);
            x[i] = encoded ? Relu(Layer("x", features)) : Row();
            update[i] = encoded ? x[i] : Choose(features, inputs.flowUpdate);
            head[i] = encoded ? x[i] : Choose(features, inputs.flowHead);
            Row before = step.isNew[i] ? Row(m_sizes.hidden) : flowStates[step.flowState[i]];
            if (step.isNew[i])
            {
                const Row start = Choose(features, inputs.flowStart);
                std::copy(start.begin(), start.end(), before.begin());
            }
            hf[i] = Gru("gru_tf", encoded ? x[i] : Choose(features, inputs.flowTime), before);
            const double fluid =
                std::min(std::max(static_cast<double>(step.fluidLeft[i]), 1e-3), 1 - 1e-3);
            double left = Mlp("left", Join(hf[i], x[i]));
            left = m_sizes.rawSlowdown ? left : Sigmoid(std::log(fluid / (1 - fluid)) + left);
            starts.push_back({left, 0});
            result.left.push_back(std::min(std::max(left, 0.0), 1.0));
            AddLoss(left, step.leftTarget, step.leftWeight, i, m_options.lambdaLeft, result);
        }
        for (std::size_t i = 0; i < m; ++i)
        {
            const Row features = Slice(step.linkFeatures, i, m_sizes.linkFeatures);
            y[i] = encoded ? Relu(Layer("y", features)) : Row();
            hl[i] = Gru("gru_tl",
                        encoded ? y[i] : Choose(features, inputs.linkTime),
                        linkStates[step.linkState[i]]);
            const double said = Mlp("queue", Join(hl[i], y[i]));
            const double queue = m_sizes.jointHeads ? said : std::log1p(std::exp(said));
            result.queue.push_back(std::max(queue, 0.0));
            if (!step.queueWeight.empty())
            {
                const double weight = step.queueWeight[i];
                const double error = std::abs(queue - step.queueTarget[i]);
                const double huber = error < 1 ? error * error / 2 : error - 0.5;
                result.queueErrors += weight * error;
                result.loss +=
                    m_options.lambdaQueue * weight * (m_sizes.jointHeads ? huber : error);
            }
        }
        for (std::size_t e = 0; e < step.edgeWait.size(); ++e)
        {
            const double queue = result.queue[result.queue.size() - m + step.edgeLink[e]];
            starts[first + step.edgeFlow[e]].wait += std::expm1(queue) * step.edgeWait[e];
        }
        if (m_sizes.graphSage)
        {
            RunSage(step, update, y, hf, hl);
        }
        for (uint32_t round = 0; round < (m_sizes.graphSage ? 0 : m_sizes.rounds); ++round)
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
            double base = step.fluidLogSlowdown[i];
            if (m_sizes.jointHeads)
            {
                const Start& start = fixed ? (*fixed)[first + i] : starts[first + i];
                const double fluid =
                    std::min(std::max(static_cast<double>(step.fluidLeft[i]), 1e-3), 1 - 1e-3);
                base = std::exp(base) + start.wait + (start.left - fluid) * step.fluidService[i];
                base = std::log(std::max(base, 1.0));
                head[i].push_back(std::log1p(start.wait));
            }
            const double said = Mlp("fct", Join(hf[i], head[i]));
            const double tau = 0.02;
            const double u = base + said;
            if (m_sizes.rawSlowdown)
            {
                result.logSlowdown.push_back(std::log(std::max(said, 1.0)));
                const auto target = static_cast<double>(step.logSlowdownTarget[i]);
                result.loss += step.logSlowdownWeight[i] * std::abs(said / std::exp(target) - 1);
            }
            else
            {
                const double slowdown = u > 20 * tau ? u : tau * std::log1p(std::exp(u / tau));
                result.logSlowdown.push_back(slowdown);
                AddLoss(slowdown, step.logSlowdownTarget, step.logSlowdownWeight, i, 1, result);
            }
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

    void SendMessages(const Network::Step& step,
                      const std::vector<Row>& x,
                      const std::vector<Row>& y,
                      std::vector<Row>& hf,
                      std::vector<Row>& hl) const
    {
        std::vector<Row> sums(hl.size(), Row(m_sizes.GetMessageWidth()));
        std::vector<double> counts(hl.size());
        std::vector<Row> told(hf.size(), Row(m_sizes.GetMessageWidth()));
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

    void RunSage(const Network::Step& step,
                 const std::vector<Row>& update,
                 const std::vector<Row>& y,
                 std::vector<Row>& hf,
                 std::vector<Row>& hl) const
    {
        std::vector<Row> v = hf;
        v.insert(v.end(), hl.begin(), hl.end());
        for (uint32_t k = 1; k <= m_sizes.rounds; ++k)
        {
            const std::string name = "sage" + std::to_string(k);
            std::vector<Row> sums(v.size(), Row(v[0].size()));
            for (std::size_t e = 0; e < step.edgeFlow.size(); ++e)
            {
                const std::size_t f = step.edgeFlow[e];
                const std::size_t l = hf.size() + step.edgeLink[e];
                Add(sums[f], Relu(Layer(name + ".project", v[l])));
                Add(sums[l], Relu(Layer(name + ".project", v[f])));
            }
            for (std::size_t i = 0; i < v.size(); ++i)
            {
                Row a = Layer(name + ".sum", sums[i]);
                Add(a, Multiply(name + ".own.w", v[i]));
                const auto count = static_cast<double>(a.size());
                const double mean = std::accumulate(a.begin(), a.end(), 0.0) / count;
                double variance = 0;
                for (double number : a)
                {
                    variance += (number - mean) * (number - mean) / count;
                }
                for (std::size_t j = 0; j < a.size(); ++j)
                {
                    a[j] = weights.at(name + ".shift")[j] + weights.at(name + ".gain")[j] *
                                                                (a[j] - mean) /
                                                                std::sqrt(variance + 1e-5);
                }
                v[i] = a;
            }
        }
        for (std::size_t i = 0; i < v.size(); ++i)
        {
            if (i < hf.size())
            {
                hf[i] = Gru("gru_uf", Join(v[i], update[i]), hf[i]);
                continue;
            }
            Row& link = hl[i - hf.size()];
            link = Gru("gru_ul", Join(v[i], y[i - hf.size()]), link);
        }
    }

    Network::Sizes m_sizes;     //!< of the network
    Network::Options m_options; //!< of the training
};

#endif /* DCN_TORCH_GRAPH_REFERENCE_H */
