/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../../test/dcn-test-error.h"

#include "ns3/m4-network.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Numbers = std::vector<double>; //!< a row
using Rows = std::vector<Numbers>;   //!< a matrix

/**
 * @param sizes of a network
 * @param change applied to each matrix and the index of its element
 * @return an untrained network with other weights
 */
DcnModelFile
MakeModel(const M4NetworkSizes& sizes,
          const std::function<float(const DcnModelFile::Tensor&, std::size_t)>& change)
{
    const DcnModelFile untrained = M4Network::MakeUntrained(sizes);
    DcnModelFile model("m4");
    for (const char* key : {"feature_version", "hidden", "rounds"})
    {
        model.Set("architecture", key, untrained.GetNumber("architecture", key));
    }
    for (DcnModelFile::Tensor tensor : untrained.GetTensors())
    {
        for (std::size_t i = 0; i < tensor.values.size(); ++i)
        {
            tensor.values[i] = change(tensor, i);
        }
        model.Add(std::move(tensor));
    }
    return model;
}

/// The network once more, as its equations are written (m4-network.h): loops over double numbers.
class PlainNetwork
{
  public:
    /**
     * @param model weights
     * @param nFlows slots of flows
     * @param nLinks links
     */
    PlainNetwork(const DcnModelFile& model, std::size_t nFlows, std::size_t nLinks)
        : m_h(static_cast<std::size_t>(model.GetNumber("architecture", "hidden"))),
          m_rounds(static_cast<uint32_t>(model.GetNumber("architecture", "rounds"))),
          m_flows(nFlows, Numbers(m_h, 0)),
          m_links(nLinks, Numbers(m_h, 0))
    {
        for (const auto& tensor : model.GetTensors())
        {
            m_weights[tensor.name] = tensor;
        }
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
            m_flows[snapshot.flows[snapshot.eventRow]] = Numbers(m_h, 0);
        }
        Rows x;
        Rows y;
        Rows hf;
        Rows hl;
        Answer answer;
        for (std::size_t f = 0; f < n; ++f)
        {
            x.push_back(Relu(Layer("x", Cut(snapshot.flowFeatures, f, M4Features::N_FLOW))));
            hf.push_back(Gru("gru_tf", x[f], m_flows[snapshot.flows[f]]));
            answer.left.push_back(Left(hf[f], x[f], static_cast<double>(fluidLeft[f])));
        }
        for (std::size_t l = 0; l < m; ++l)
        {
            y.push_back(Relu(Layer("y", Cut(snapshot.linkFeatures, l, M4Features::N_LINK))));
            hl.push_back(Gru("gru_tl", y[l], m_links[snapshot.links[l]]));
            answer.queues.push_back(Queue(hl[l], y[l]));
        }
        for (uint32_t round = 0; round < m_rounds; ++round)
        {
            Rows sums(m, Numbers(m_h, 0));
            Numbers counts(m, 0);
            Rows got(n, Numbers(m_h, 0));
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
            const double sum =
                static_cast<double>(snapshot.fluidLogSlowdown[f]) + Head("fct", Join(hf[f], x[f]));
            answer.logSlowdown.push_back(0.02 * std::log1p(std::exp(sum / 0.02)));
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
        const Numbers x = Relu(Layer("x", Cut(features, 0, M4Features::N_FLOW)));
        return Left(Gru("gru_tf", x, m_flows[slot]), x, fluidLeft);
    }

    /// @return queue of a link between events [bytes]
    double QueueNow(uint32_t link, const std::vector<float>& features) const
    {
        const Numbers y = Relu(Layer("y", Cut(features, 0, M4Features::N_LINK)));
        return Queue(Gru("gru_tl", y, m_links[link]), y);
    }

  private:
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
        return Layer(name + ".b", Relu(Layer(name + ".a", in)))[0];
    }

    double Left(const Numbers& hf, const Numbers& x, double fluidLeft) const
    {
        return Sigmoid(std::log(fluidLeft / (1 - fluidLeft)) + Head("left", Join(hf, x)));
    }

    double Queue(const Numbers& hl, const Numbers& y) const
    {
        // ln(1 + queue / KB) = ln(1 + e^q), so that the queue is e^q KB
        return 1000 * std::exp(Head("queue", Join(hl, y)));
    }

    std::size_t m_h;                                       //!< H
    uint32_t m_rounds;                                     //!< R
    Rows m_flows;                                          //!< states of flows
    Rows m_links;                                          //!< states of links
    std::map<std::string, DcnModelFile::Tensor> m_weights; //!< by name
};

/// The network answers as its equations say, over events that keep states.
class EquationsTestCase : public TestCase
{
  public:
    EquationsTestCase()
        : TestCase("the equations in plain loops")
    {
    }

  private:
    void DoRun() override
    {
        // any numbers will do; these have both signs and no pattern
        const DcnModelFile model =
            MakeModel({5, 2}, [](const DcnModelFile::Tensor& tensor, std::size_t i) {
                double seed = 0;
                for (const char c : tensor.name)
                {
                    seed += c;
                }
                return static_cast<float>(0.4 * std::sin(12.9898 * (i + 1.0) + seed));
            });
        // three flows on links 4, 1, 0; the last of them starts with the second event
        std::vector<M4Snapshot> events(3);
        events[0].flows = {0, 2};
        events[0].links = {4, 1};
        events[0].edgeFlow = {0, 1, 1};
        events[0].edgeLink = {1, 0, 1};
        events[0].eventRow = 1;
        events[0].fluidLogSlowdown = {0.3F, -0.01F};
        events[1].flows = {0, 1, 2};
        events[1].links = {1, 0, 4};
        events[1].edgeFlow = {0, 1, 1, 2, 2};
        events[1].edgeLink = {0, 0, 1, 0, 2};
        events[1].eventRow = 1;
        events[1].fluidLogSlowdown = {0.4F, 0.02F, 1.5F};
        // a departure, of which one link is empty then
        events[2].flows = {0, 2};
        events[2].links = {3, 1};
        events[2].edgeFlow = {0, 1};
        events[2].edgeLink = {1, 1};
        events[2].eventRow = M4Snapshot::NO_ROW;
        events[2].fluidLogSlowdown = {0.1F, 0.9F};
        const std::vector<float> left{0.9F, 0.25F, 0.5F};

        M4Network network(model);
        network.Begin(6);
        NS_TEST_EXPECT_MSG_EQ(network.PredictQueues().size(), 0, "before any event");
        PlainNetwork plain(model, 3, 6);
        double spread = 0;
        std::vector<float> flowFeatures;
        std::vector<float> linkFeatures;
        for (std::size_t e = 0; e < events.size(); ++e)
        {
            M4Snapshot& event = events[e];
            auto fill = [e](std::vector<float>& features, std::size_t n) {
                for (std::size_t i = 0; i < n; ++i)
                {
                    features.push_back(static_cast<float>(std::sin(3.7 * (i + 1.0) + 2.0 * e)));
                }
            };
            fill(event.flowFeatures, event.flows.size() * M4Features::N_FLOW);
            fill(event.linkFeatures, event.links.size() * M4Features::N_LINK);
            const std::vector<float> fluidLeft(left.begin(),
                                               left.begin() +
                                                   static_cast<std::ptrdiff_t>(event.flows.size()));
            const auto expected = plain.Update(event, fluidLeft);
            const std::vector<float> slowdown = network.Update(event);
            const std::vector<float> shares = network.PredictLeft(fluidLeft);
            const std::vector<float> queues = network.PredictQueues();
            for (std::size_t f = 0; f < event.flows.size(); ++f)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(slowdown[f]),
                                          expected.logSlowdown[f],
                                          1e-5,
                                          "ln slowdown, event " << e << ", row " << f);
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(shares[f]),
                                          expected.left[f],
                                          1e-5,
                                          "share left, event " << e << ", row " << f);
                spread += std::abs(expected.left[f] - static_cast<double>(fluidLeft[f]));
            }
            for (std::size_t l = 0; l < event.links.size(); ++l)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(queues[l]),
                                          expected.queues[l],
                                          1e-5 * (1000 + expected.queues[l]),
                                          "queue, event " << e << ", row " << l);
            }
            flowFeatures.assign(event.flowFeatures.begin(),
                                event.flowFeatures.begin() + M4Features::N_FLOW);
            linkFeatures.assign(event.linkFeatures.begin(),
                                event.linkFeatures.begin() + M4Features::N_LINK);
        }
        NS_TEST_EXPECT_MSG_GT(spread, 0.1, "the heads say something");
        // twice, for asking changes nothing
        for (int time = 0; time < 2; ++time)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(
                static_cast<double>(network.PredictLeftNow(1, flowFeatures, 0.3F)),
                plain.LeftNow(1, flowFeatures, static_cast<double>(0.3F)),
                1e-5,
                "share left between events");
            const double queue = plain.QueueNow(4, linkFeatures);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.PredictQueueNow(4, linkFeatures)),
                                      queue,
                                      1e-5 * (1000 + queue),
                                      "queue between events");
        }
    }
};

/// Models that are refused.
class RefusedModelTestCase : public TestCase
{
  public:
    RefusedModelTestCase()
        : TestCase("models that are refused")
    {
    }

  private:
    void DoRun() override
    {
        const M4NetworkSizes sizes{4, 1};
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        {
            const DcnModelFile model =
                MakeModel(sizes, [bad](const DcnModelFile::Tensor& tensor, std::size_t i) {
                    return tensor.name == "gru_uf.b_hh" && i == 2 ? bad : tensor.values[i];
                });
            DCN_TEST_EXPECT_ERROR(
                M4Network{model},
                std::string("the matrix gru_uf.b_hh of the model has the value ") +
                    (std::isnan(bad) ? "nan" : "inf") + ", which is no finite number");
        }
        DcnModelFile model = M4Network::MakeUntrained(sizes);
        auto expect = [&](const char* key, double value, const std::string& sentence) {
            const double before = model.GetNumber("architecture", key);
            model.Set("architecture", key, value);
            DCN_TEST_EXPECT_ERROR(M4Network{model}, sentence);
            model.Set("architecture", key, before);
        };
        expect(
            "rounds",
            -1,
            "architecture.rounds of the model must be a whole number from 0 to 16, but it is -1");
        expect("rounds",
               4e9,
               "architecture.rounds of the model must be a whole number from 0 to 16, but it is "
               "4e+09");
        expect("hidden",
               32.5,
               "architecture.hidden of the model must be a whole number from 1 to 1024, but it is "
               "32.5");
        expect("hidden", 5, "the matrix x.w must be 5 x 30, but it is 4 x 30");
        expect("feature_version",
               77,
               "the model was made with version 77 of the features, but " +
                   std::to_string(M4Features::VERSION) + " is needed");
        M4Network usable(model);
        NS_TEST_EXPECT_MSG_EQ(usable.GetSizes().hidden, 4, "restored");
    }
};

/// The suite.
class M4NetworkTestSuite : public TestSuite
{
  public:
    M4NetworkTestSuite()
        : TestSuite("m4-network", Type::UNIT)
    {
        AddTestCase(new EquationsTestCase);
        AddTestCase(new RefusedModelTestCase);
    }
};

M4NetworkTestSuite g_m4NetworkTestSuite; //!< the suite

} // namespace
