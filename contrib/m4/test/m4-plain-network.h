/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_PLAIN_NETWORK_H
#define M4_PLAIN_NETWORK_H

#include "../model/state/m4-published-features.h"
#include "../model/state/m4-tracker.h"

#include "ns3/dcn-model-file.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4-tests
 * @brief A network as its equations are written: loops over double numbers.
 */
class M4PlainNetwork
{
  public:
    using Numbers = std::vector<double>; //!< a row
    using Rows = std::vector<Numbers>;   //!< a matrix

    /// Predictions.
    struct Answer
    {
        Numbers logSlowdown;  //!< by flow row, at least 0
        Numbers remaining;    //!< by flow row, 0 to 1
        Numbers queueBytes;   //!< by link row
        Numbers slowdownLoss; //!< by flow row, in the unit of the loss
        Numbers remainingRaw; //!< by flow row, in the unit of the loss
        Numbers queueLoss;    //!< by link row, in the unit of the loss
        Rows spread;          //!< by flow row: quantiles of M4Spread; empty if published
    };

    virtual ~M4PlainNetwork() = default;

    /// Updates the states.
    Answer Update(const M4Snapshot& snapshot)
    {
        const std::size_t n = snapshot.flows.size();
        const std::size_t m = snapshot.links.size();
        Answer answer;
        Rows x;
        Rows y;
        Rows hf;
        Rows hl;
        for (std::size_t f = 0; f < n; ++f)
        {
            x.push_back(EncodeFlow(Cut(snapshot.flowFeatures, f, n)));
            Numbers& state = flowStates[snapshot.flows[f]];
            state.resize(m_h, 0);
            if (f == snapshot.eventRow)
            {
                state = StartFlow(x[f]);
            }
            hf.push_back(PassFlow(x[f], state));
            AddRemaining(hf[f], x[f], snapshot.fluidRemaining, f, answer);
        }
        for (std::size_t l = 0; l < m; ++l)
        {
            y.push_back(EncodeLink(Cut(snapshot.linkFeatures, l, m)));
            Numbers& state = linkStates[snapshot.links[l]];
            if (snapshot.linkIsNew[l])
            {
                state = StartLink(y[l]);
            }
            hl.push_back(PassLink(y[l], state));
            AddQueue(hl[l], y[l], answer);
        }
        Exchange(snapshot, x, y, hf, hl);
        for (std::size_t f = 0; f < n; ++f)
        {
            flowStates[snapshot.flows[f]] = hf[f];
            AddSlowdown(hf[f], x[f], snapshot.fluidLogSlowdown, f, answer);
        }
        for (std::size_t l = 0; l < m; ++l)
        {
            linkStates[snapshot.links[l]] = hl[l];
        }
        return answer;
    }

    /// @return remaining fraction of a flow between events
    double QueryRemaining(uint32_t slot, const std::vector<float>& features)
    {
        const Numbers x = EncodeFlow({features.begin(), features.end()});
        Answer answer;
        // not used if published, and not there
        std::vector<float> fluid{features.size() == M4Features::N_FLOW
                                     ? features[M4Features::N_STATIC + M4Features::REMAINING]
                                     : 0};
        AddRemaining(PassFlow(x, flowStates[slot]), x, fluid, 0, answer);
        return answer.remaining[0];
    }

    /// @return queue of a link between events [bytes]
    double QueryQueueBytes(uint32_t link, const std::vector<float>& features)
    {
        const Numbers y = EncodeLink({features.begin(), features.end()});
        Answer answer;
        AddQueue(PassLink(y, linkStates[link]), y, answer);
        return answer.queueBytes[0];
    }

    std::map<std::string, Rows> weights;    //!< by name
    std::map<uint32_t, Numbers> flowStates; //!< by slot
    std::map<uint32_t, Numbers> linkStates; //!< by link

  protected:
    /// @param model weights
    explicit M4PlainNetwork(const DcnModelFile& model)
    {
        for (const auto& tensor : model.GetTensors())
        {
            Rows rows;
            for (std::size_t row = 0; row < tensor.rows; ++row)
            {
                rows.push_back(Cut(tensor.values, row, tensor.rows));
            }
            weights[tensor.name] = rows;
        }
        m_h = weights.at("gru_tf.w_hh")[0].size();
    }

    virtual Numbers EncodeFlow(const Numbers& features) const = 0;
    virtual Numbers EncodeLink(const Numbers& features) const = 0;
    virtual Numbers StartFlow(const Numbers& x) const = 0;
    virtual Numbers StartLink(const Numbers& y) const = 0;
    virtual Numbers PassFlow(const Numbers& x, const Numbers& state) const = 0;
    virtual Numbers PassLink(const Numbers& y, const Numbers& state) const = 0;
    virtual void Exchange(const M4Snapshot& snapshot,
                          const Rows& x,
                          const Rows& y,
                          Rows& hf,
                          Rows& hl) const = 0;
    virtual void AddRemaining(const Numbers& hf,
                              const Numbers& x,
                              const std::vector<float>& fluid,
                              std::size_t f,
                              Answer& answer) const = 0;
    virtual void AddQueue(const Numbers& hl, const Numbers& y, Answer& answer) const = 0;
    virtual void AddSlowdown(const Numbers& hf,
                             const Numbers& x,
                             const std::vector<float>& fluid,
                             std::size_t f,
                             Answer& answer) const = 0;

    static Numbers Cut(const std::vector<float>& all, std::size_t row, std::size_t nRows)
    {
        const std::size_t n = all.size() / nRows;
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

    static void Add(Numbers& to, const Numbers& from, double factor = 1)
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

    Numbers Affine(const std::string& w, const std::string& b, const Numbers& in) const
    {
        Numbers out;
        const auto bias = weights.find(b);
        for (const Numbers& row : weights.at(w))
        {
            double sum = bias == weights.end() ? 0 : bias->second[0][out.size()];
            for (std::size_t i = 0; i < row.size(); ++i)
            {
                sum += row[i] * in.at(i);
            }
            out.push_back(sum);
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
        Numbers next(m_h);
        for (std::size_t i = 0; i < m_h; ++i)
        {
            const double r = Sigmoid(a[i] + c[i]);
            const double z = Sigmoid(a[m_h + i] + c[m_h + i]);
            const double candidate = std::tanh(a[2 * m_h + i] + r * c[2 * m_h + i]);
            next[i] = (1 - z) * candidate + z * state[i];
        }
        return next;
    }

    double Head(const std::string& name, const Numbers& in) const
    {
        return Heads(name, in)[0];
    }

    Numbers Heads(const std::string& name, const Numbers& in) const
    {
        return Layer(name + ".b", Relu(Layer(name + ".a", in)));
    }

    std::size_t m_h; //!< H
};

/**
 * @ingroup m4-tests
 * @brief The equations of M4DefaultNetwork.
 */
class M4PlainDefault : public M4PlainNetwork
{
  public:
    /// @param model weights
    explicit M4PlainDefault(const DcnModelFile& model)
        : M4PlainNetwork(model)
    {
    }

  private:
    Numbers EncodeFlow(const Numbers& features) const override
    {
        return Relu(Layer("x", features));
    }

    Numbers EncodeLink(const Numbers& features) const override
    {
        return Relu(Layer("y", features));
    }

    Numbers StartFlow(const Numbers&) const override
    {
        return Numbers(m_h, 0);
    }

    Numbers StartLink(const Numbers&) const override
    {
        return Numbers(m_h, 0);
    }

    Numbers PassFlow(const Numbers& x, const Numbers& state) const override
    {
        return Gru("gru_tf", x, state);
    }

    Numbers PassLink(const Numbers& y, const Numbers& state) const override
    {
        return Gru("gru_tl", y, state);
    }

    void Exchange(const M4Snapshot& snapshot,
                  const Rows& x,
                  const Rows& y,
                  Rows& hf,
                  Rows& hl) const override
    {
        Rows sums(hl.size(), Numbers(m_h, 0));
        Numbers counts(hl.size(), 0);
        Rows got(hf.size(), Numbers(m_h, 0));
        Rows z;
        for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
        {
            const std::size_t f = snapshot.edgeFlow[e];
            Add(sums[snapshot.edgeLink[e]], Relu(Layer("w1", Join(hf[f], x[f]))));
            counts[snapshot.edgeLink[e]] += 1;
        }
        for (std::size_t l = 0; l < hl.size(); ++l)
        {
            z.push_back(Layer("w2", Join(hl[l], y[l])));
            Add(z[l], Layer("w3", sums[l]));
            Add(z[l], Layer("w4", sums[l]), 1 / std::max(1.0, counts[l]));
            z[l] = Relu(z[l]);
        }
        for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
        {
            Add(got[snapshot.edgeFlow[e]], Relu(Layer("w5", z[snapshot.edgeLink[e]])));
        }
        for (std::size_t f = 0; f < hf.size(); ++f)
        {
            hf[f] = Gru("gru_uf", Join(got[f], x[f]), hf[f]);
        }
        for (std::size_t l = 0; l < hl.size(); ++l)
        {
            hl[l] = Gru("gru_ul", Join(z[l], y[l]), hl[l]);
        }
    }

    void AddRemaining(const Numbers& hf,
                      const Numbers& x,
                      const std::vector<float>& fluid,
                      std::size_t f,
                      Answer& answer) const override
    {
        const double start = std::clamp(static_cast<double>(fluid[f]), 0.001, 0.999);
        const double odds = std::log(start / (1 - start));
        answer.remaining.push_back(Sigmoid(odds + Head("left", Join(hf, x))));
        answer.remainingRaw.push_back(answer.remaining.back());
    }

    void AddQueue(const Numbers& hl, const Numbers& y, Answer& answer) const override
    {
        // ln(1 + queue / KB) = ln(1 + e^q), so that the queue is e^q KB
        const double q = Head("queue", Join(hl, y));
        answer.queueBytes.push_back(1000 * std::exp(q));
        answer.queueLoss.push_back(std::log1p(std::exp(q)));
    }

    void AddSlowdown(const Numbers& hf,
                     const Numbers& x,
                     const std::vector<float>& fluid,
                     std::size_t f,
                     Answer& answer) const override
    {
        const double sum = static_cast<double>(fluid[f]) + Head("fct", Join(hf, x));
        answer.logSlowdown.push_back(0.02 * std::log1p(std::exp(sum / 0.02)));
        answer.slowdownLoss.push_back(answer.logSlowdown.back());
        Numbers quantiles = Heads("spread", Join(Join(hf, x), {answer.logSlowdown.back()}));
        for (std::size_t k = 1; k < quantiles.size(); ++k)
        {
            quantiles[k] = quantiles[k - 1] + 0.05 * std::log1p(std::exp(quantiles[k]));
        }
        answer.spread.push_back(quantiles);
    }
};

/**
 * @ingroup m4-tests
 * @brief The equations of M4PublishedModule.
 */
class M4PlainPublished : public M4PlainNetwork
{
  public:
    /// @param model weights
    explicit M4PlainPublished(const DcnModelFile& model)
        : M4PlainNetwork(model)
    {
    }

  private:
    using Features = M4PublishedFeatures; //!< for short

    Numbers EncodeFlow(const Numbers& features) const override
    {
        return features;
    }

    Numbers EncodeLink(const Numbers& features) const override
    {
        return features;
    }

    Numbers StartFlow(const Numbers& x) const override
    {
        Numbers state(m_h, 0);
        state[0] = 1;
        state[2] = x[Features::LOG_SIZE];
        state[3] = x[Features::HOPS];
        return state;
    }

    Numbers StartLink(const Numbers&) const override
    {
        Numbers state(m_h, 0);
        state[1] = 1;
        state[2] = 1;
        return state;
    }

    Numbers PassFlow(const Numbers& x, const Numbers& state) const override
    {
        const double elapsed = x[Features::ELAPSED];
        return elapsed > 0 ? Gru("gru_tf", {elapsed}, state) : state;
    }

    Numbers PassLink(const Numbers& y, const Numbers& state) const override
    {
        return y[0] > 0 ? Gru("gru_tl", y, state) : state;
    }

    void Exchange(const M4Snapshot& snapshot,
                  const Rows& x,
                  const Rows&,
                  Rows& hf,
                  Rows& hl) const override
    {
        Rows flows = hf;
        Rows links = hl;
        for (const std::string name : {"sage1", "sage2", "sage3"})
        {
            const std::size_t width = flows.empty() ? 0 : flows[0].size();
            Rows toFlows(flows.size(), Numbers(width, 0));
            Rows toLinks(links.size(), Numbers(width, 0));
            for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
            {
                const std::size_t f = snapshot.edgeFlow[e];
                const std::size_t l = snapshot.edgeLink[e];
                Add(toFlows[f], Relu(Layer(name + ".project", links[l])));
                Add(toLinks[l], Relu(Layer(name + ".project", flows[f])));
            }
            for (std::size_t f = 0; f < flows.size(); ++f)
            {
                flows[f] = RunSage(name, flows[f], toFlows[f]);
            }
            for (std::size_t l = 0; l < links.size(); ++l)
            {
                links[l] = RunSage(name, links[l], toLinks[l]);
            }
        }
        for (std::size_t f = 0; f < hf.size(); ++f)
        {
            hf[f] =
                Gru("gru_uf", Join(flows[f], {x[f].begin() + Features::CONFIG, x[f].end()}), hf[f]);
        }
        for (std::size_t l = 0; l < hl.size(); ++l)
        {
            hl[l] = Gru("gru_ul", links[l], hl[l]);
        }
    }

    /// Returns a row after a layer of GraphSAGE and LayerNorm.
    Numbers RunSage(const std::string& name, const Numbers& row, const Numbers& sum) const
    {
        Numbers a = Layer(name + ".sum", sum);
        Add(a, Layer(name + ".own", row));
        double mean = 0;
        double square = 0;
        for (const double value : a)
        {
            mean += value / a.size();
            square += value * value / a.size();
        }
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            const double unit = (a[i] - mean) / std::sqrt(square - mean * mean + 1e-5);
            a[i] = weights.at(name + ".norm.w")[0][i] * unit + weights.at(name + ".norm.b")[0][i];
        }
        return a;
    }

    void AddRemaining(const Numbers& hf,
                      const Numbers&,
                      const std::vector<float>&,
                      std::size_t,
                      Answer& answer) const override
    {
        answer.remainingRaw.push_back(Head("left", hf));
        answer.remaining.push_back(std::clamp(answer.remainingRaw.back(), 0.0, 1.0));
    }

    void AddQueue(const Numbers& hl, const Numbers&, Answer& answer) const override
    {
        const double root = Head("queue", hl);
        answer.queueLoss.push_back(root);
        answer.queueBytes.push_back(std::pow(std::max(0.0, root), 3));
    }

    void AddSlowdown(const Numbers& hf,
                     const Numbers& x,
                     const std::vector<float>&,
                     std::size_t,
                     Answer& answer) const override
    {
        const Numbers known(x.begin() + Features::HOPS, x.end());
        const double slowdown = Head("fct", Join(hf, known));
        answer.slowdownLoss.push_back(slowdown);
        answer.logSlowdown.push_back(std::log(std::max(1.0, slowdown)));
    }
};

} // namespace ns3

#endif /* M4_PLAIN_NETWORK_H */
