/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_PLAIN_NETWORK_H
#define M4_PLAIN_NETWORK_H

#include "m4-plain-rows.h"

#include "ns3/m4-architecture.h"
#include "ns3/m4-features.h"
#include "ns3/m4-tracker.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4-tests
 * @brief The network once more, as its equations are written (M4Network): loops over double
 * numbers.
 */
class M4PlainNetwork : private M4PlainRows
{
  public:
    /**
     * @param model weights
     * @param nFlows slots of flows
     * @param nLinks links
     */
    M4PlainNetwork(const DcnModelFile& model, std::size_t nFlows, std::size_t nLinks)
        : M4PlainRows(model),
          m_architecture(M4Architecture::Read(model)),
          m_h(m_architecture.hidden),
          m_flows(nFlows, Numbers(m_h, 0)),
          m_links(nLinks, Numbers(m_h, 0))
    {
    }

    /// Predictions.
    struct Answer
    {
        Numbers logSlowdown; //!< by flow row
        Numbers left;        //!< by flow row
        Numbers queues;      //!< by link row [bytes]
    };

    /// Updates the states.
    Answer Update(const M4Snapshot& snapshot, const std::vector<float>& fluidLeft)
    {
        const std::size_t n = snapshot.flows.size();
        const std::size_t m = snapshot.links.size();
        if (snapshot.eventRow != M4Snapshot::NO_ROW)
        {
            Numbers& state = m_flows[snapshot.flows[snapshot.eventRow]];
            state = Numbers(m_h, 0);
            if (m_architecture.publishedInputs)
            {
                const Numbers features =
                    Cut(snapshot.flowFeatures, snapshot.eventRow, M4Features::N_FLOW);
                state[0] = features[M4Features::SIZE];
                state[1] = features[M4Features::HOPS];
            }
        }
        Rows x;
        Rows y;
        Rows hf;
        Rows hl;
        Answer answer;
        for (std::size_t f = 0; f < n; ++f)
        {
            const Numbers features = Cut(snapshot.flowFeatures, f, M4Features::N_FLOW);
            hf.push_back(PassFlow(features, m_flows[snapshot.flows[f]]));
            answer.left.push_back(Left(hf[f], features, static_cast<double>(fluidLeft[f])));
            x.push_back(EncodeFlow(features));
        }
        for (std::size_t l = 0; l < m; ++l)
        {
            const Numbers features = Cut(snapshot.linkFeatures, l, M4Features::N_LINK);
            hl.push_back(PassLink(features, m_links[snapshot.links[l]]));
            answer.queues.push_back(Queue(hl[l], features));
            y.push_back(EncodeLink(features));
        }
        if (m_architecture.graphSage)
        {
            RunSage(snapshot, x, y, hf, hl);
        }
        for (uint32_t round = 0; round < (m_architecture.graphSage ? 0 : m_architecture.rounds);
             ++round)
        {
            const std::size_t g = m_architecture.GetMessageWidth();
            Rows sums(m, Numbers(g, 0));
            Numbers counts(m, 0);
            Rows got(n, Numbers(g, 0));
            Rows z;
            for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
            {
                const std::size_t f = snapshot.edgeFlow[e];
                Add(sums[snapshot.edgeLink[e]], Relu(Layer("w1", Join(hf[f], x[f]))), 1);
                counts[snapshot.edgeLink[e]] += 1;
            }
            for (std::size_t l = 0; l < m; ++l)
            {
                z.push_back(Layer("w2", Join(hl[l], y[l])));
                Add(z[l], Layer("w3", sums[l]), 1);
                if (counts[l] > 0)
                {
                    Add(z[l], Layer("w4", sums[l]), 1 / counts[l]);
                }
                z[l] = Relu(z[l]);
            }
            for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
            {
                Add(got[snapshot.edgeFlow[e]], Relu(Layer("w5", z[snapshot.edgeLink[e]])), 1);
            }
            for (std::size_t f = 0; f < n; ++f)
            {
                hf[f] = Gru("gru_uf", Join(got[f], x[f]), hf[f]);
            }
            for (std::size_t l = 0; l < m; ++l)
            {
                hl[l] = Gru("gru_ul", Join(z[l], y[l]), hl[l]);
            }
        }
        for (std::size_t f = 0; f < n; ++f)
        {
            m_flows[snapshot.flows[f]] = hf[f];
            if (m_architecture.publishedInputs)
            {
                const Numbers features = Cut(snapshot.flowFeatures, f, M4Features::N_FLOW);
                x[f] = Join({features[M4Features::HOPS]}, Configuration(features));
            }
            auto start = static_cast<double>(snapshot.fluidLogSlowdown[f]);
            if (m_architecture.jointHeads)
            {
                double wait = 0;
                for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
                {
                    const double kb = answer.queues[snapshot.edgeLink[e]] / 1000;
                    wait += snapshot.edgeFlow[e] == f ? kb * snapshot.edgeWait[e] : 0;
                }
                const double more = answer.left[f] - static_cast<double>(fluidLeft[f]);
                const double b = std::exp(start) + wait + more * snapshot.fluidService[f];
                start = std::log(std::max(1.0, b));
                x[f].push_back(std::log(1 + wait));
            }
            const double said = Head("fct", Join(hf[f], x[f]));
            const double sum = start + said;
            answer.logSlowdown.push_back(m_architecture.rawSlowdown
                                             ? std::max(0.0, std::log(std::max(1.0, said)))
                                             : 0.02 * std::log1p(std::exp(sum / 0.02)));
        }
        for (std::size_t l = 0; l < m; ++l)
        {
            m_links[snapshot.links[l]] = hl[l];
        }
        return answer;
    }

    /// @return share left of a flow between events
    double LeftNow(uint32_t slot, const std::vector<float>& features, double fluidLeft) const
    {
        const Numbers row = Cut(features, 0, M4Features::N_FLOW);
        return Left(PassFlow(row, m_flows[slot]), row, fluidLeft);
    }

    /// @return queue of a link between events [bytes]
    double QueueNow(uint32_t link, const std::vector<float>& features) const
    {
        const Numbers row = Cut(features, 0, M4Features::N_LINK);
        return Queue(PassLink(row, m_links[link]), row);
    }

  private:
    /// Returns the 13 published parameters of the configuration.
    static Numbers Configuration(const Numbers& features)
    {
        return {features.begin() + M4Features::CC_DCTCP, features.begin() + M4Features::MIN_RATE};
    }

    /// Returns x; the configuration if inputs are published.
    Numbers EncodeFlow(const Numbers& features) const
    {
        return m_architecture.publishedInputs ? Configuration(features)
                                              : Relu(Layer("x", features));
    }

    /// Returns y; nothing if inputs are published.
    Numbers EncodeLink(const Numbers& features) const
    {
        return m_architecture.publishedInputs ? Numbers() : Relu(Layer("y", features));
    }

    /// Returns the state of a flow after time has passed.
    Numbers PassFlow(const Numbers& features, const Numbers& state) const
    {
        const double idle = features[M4Features::N_STATIC + M4Features::IDLE];
        return Gru("gru_tf",
                   m_architecture.publishedInputs ? Numbers{idle} : EncodeFlow(features),
                   state);
    }

    /// Returns the state of a link after time has passed.
    Numbers PassLink(const Numbers& features, const Numbers& state) const
    {
        const double idle = features[M4Features::LINK_IDLE];
        return Gru("gru_tl",
                   m_architecture.publishedInputs ? Numbers{idle} : EncodeLink(features),
                   state);
    }

    /// Runs layers of GraphSAGE and the update.
    void RunSage(const M4Snapshot& snapshot, const Rows& x, const Rows& y, Rows& hf, Rows& hl) const
    {
        Rows flows = hf;
        Rows links = hl;
        for (uint32_t k = 1; k <= m_architecture.rounds; ++k)
        {
            const std::string name = "sage" + std::to_string(k);
            Rows toFlows(flows.size(), Numbers(flows[0].size(), 0));
            Rows toLinks(links.size(), Numbers(flows[0].size(), 0));
            for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
            {
                const std::size_t f = snapshot.edgeFlow[e];
                const std::size_t l = snapshot.edgeLink[e];
                Add(toFlows[f], Relu(Layer(name + ".project", links[l])), 1);
                Add(toLinks[l], Relu(Layer(name + ".project", flows[f])), 1);
            }
            auto step = [&](Numbers& row, const Numbers& sum) {
                Numbers a = Layer(name + ".sum", sum);
                Add(a, Layer(name + ".own", row), 1);
                double mean = 0;
                double square = 0;
                for (const double value : a)
                {
                    mean += value / a.size();
                    square += value * value / a.size();
                }
                for (std::size_t i = 0; i < a.size(); ++i)
                {
                    const auto gain = static_cast<double>(m_weights.at(name + ".gain").values[i]);
                    const auto shift = static_cast<double>(m_weights.at(name + ".shift").values[i]);
                    a[i] = gain * (a[i] - mean) / std::sqrt(square - mean * mean + 1e-5) + shift;
                }
                row = a;
            };
            for (std::size_t f = 0; f < flows.size(); ++f)
            {
                step(flows[f], toFlows[f]);
            }
            for (std::size_t l = 0; l < links.size(); ++l)
            {
                step(links[l], toLinks[l]);
            }
        }
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            hf[f] = Gru("gru_uf", Join(flows[f], x[f]), hf[f]);
        }
        for (std::size_t l = 0; l < links.size(); ++l)
        {
            hl[l] = Gru("gru_ul", Join(links[l], y[l]), hl[l]);
        }
    }

    double Left(const Numbers& hf, const Numbers& features, double fluidLeft) const
    {
        const Numbers x = m_architecture.publishedInputs ? Numbers() : EncodeFlow(features);
        const double said = Head("left", Join(hf, x));
        return m_architecture.rawSlowdown ? std::min(1.0, std::max(0.0, said))
                                          : Sigmoid(std::log(fluidLeft / (1 - fluidLeft)) + said);
    }

    double Queue(const Numbers& hl, const Numbers& features) const
    {
        const double said = Head("queue", Join(hl, EncodeLink(features)));
        if (m_architecture.jointHeads)
        {
            return said > 0 ? 1000 * (std::exp(said) - 1) : 0;
        }
        // ln(1 + queue / KB) = ln(1 + e^q), so that the queue is e^q KB
        return 1000 * std::exp(said);
    }

    M4Architecture m_architecture; //!< what the network looks like
    std::size_t m_h;               //!< H
    Rows m_flows;                  //!< states of flows
    Rows m_links;                  //!< states of links
};

} // namespace ns3

#endif /* M4_PLAIN_NETWORK_H */
