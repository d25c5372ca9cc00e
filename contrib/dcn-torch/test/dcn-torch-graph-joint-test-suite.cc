/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-torch-graph-draws.h"

#include "ns3/dcn-torch-graph-network.h"
#include "ns3/dcn-torch-graph-sizes.h"
#include "ns3/dcn-torch.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Network = DcnTorchGraphNetwork;
using Draws = DcnTorchGraphDraws;

/// @return sizes of a small network with joint heads
DcnTorchGraphSizes
MakeSizes()
{
    DcnTorchGraphSizes sizes;
    sizes.hidden = 8;
    sizes.flowFeatures = 2;
    sizes.linkFeatures = 2;
    sizes.jointHeads = true;
    return sizes;
}

/// With joint heads, labels of what is left and of queues alone teach slowdowns.
class JointLabelsTestCase : public TestCase
{
  public:
    JointLabelsTestCase()
        : TestCase("joint heads learn slowdowns from other labels")
    {
    }

  private:
    static constexpr float LEFT = 0.6F;  //!< of each flow, half of it in the fluid
    static constexpr float QUEUE = 1.2F; //!< ln(1 + KB) on each link

    void DoRun() override
    {
        const Network::Sizes sizes = MakeSizes();
        Draws draws;
        const auto makeStep = [&draws, &sizes] {
            Network::Step step = draws.Step(sizes, 12, 8);
            step.fluidLeft.assign(step.flowState.size(), LEFT / 2);
            step.leftTarget.assign(step.flowState.size(), LEFT);
            step.leftWeight.assign(step.flowState.size(), 1);
            step.queueTarget.assign(step.linkState.size(), QUEUE);
            step.queueWeight.assign(step.linkState.size(), 1);
            step.logSlowdownWeight.assign(step.flowState.size(), 0);
            return step;
        };
        Network network(sizes, {}, 3);
        network.Begin(12, 8, true);
        for (int i = 0; i < 600; ++i)
        {
            network.Accumulate(makeStep());
            network.Finish(i < 400 ? 1e-2 : 1e-3);
        }
        double wrong = 0;
        double fluid = 0;
        for (const Network::Step& step : {makeStep(), makeStep(), makeStep(), makeStep()})
        {
            std::vector<double> wait(step.flowState.size());
            for (std::size_t e = 0; e < step.edgeFlow.size(); ++e)
            {
                wait[step.edgeFlow[e]] += std::expm1(QUEUE) * step.edgeWait[e];
            }
            Network::Predictions predictions;
            network.Accumulate(step, predictions);
            for (std::size_t f = 0; f < wait.size(); ++f)
            {
                const double s = std::log(std::exp(step.fluidLogSlowdown[f]) + wait[f] +
                                          LEFT / 2 * step.fluidService[f]);
                wrong += std::abs(predictions.logSlowdown[f] - s);
                fluid += std::abs(step.fluidLogSlowdown[f] - s);
            }
        }
        NS_TEST_EXPECT_MSG_LT(wrong, 0.05 * fluid, "errors of network and fluid");
    }
};

/// Of queues that cannot be told apart what Huber's loss is least at is predicted.
class AlikeQueuesTestCase : public TestCase
{
  public:
    /**
     * @param queue ln(1 + KB) of every fourth, others are empty
     * @param expected what is predicted
     */
    AlikeQueuesTestCase(float queue, double expected)
        : TestCase("queues of " + std::to_string(queue) + " and three times as many empty ones"),
          m_queue(queue),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        const Network::Sizes sizes = MakeSizes();
        Draws draws;
        uint32_t nQueues = 0;
        const auto makeStep = [this, &draws, &sizes, &nQueues] {
            Network::Step step = draws.Step(sizes, 12, 8);
            const std::size_t m = step.linkState.size();
            step.linkFeatures.assign(m * sizes.linkFeatures, 1); // all links look alike
            step.queueTarget.clear();
            for (std::size_t link = 0; link < m; ++link)
            {
                step.queueTarget.push_back(nQueues++ % 4 == 0 ? m_queue : 0.0F);
            }
            step.queueWeight.assign(m, 1);
            step.leftWeight.clear();
            step.leftTarget.clear();
            step.logSlowdownWeight.assign(step.flowState.size(), 0);
            return step;
        };
        Network network(sizes, {}, 3);
        network.Begin(12, 8, true);
        for (int i = 0; i < 400; ++i)
        {
            network.Accumulate(makeStep());
            network.Finish(i < 200 ? 1e-2 : 1e-3);
        }
        for (int i = 0; i < 4; ++i)
        {
            Network::Predictions predictions;
            network.Accumulate(makeStep(), predictions);
            for (const float queue : predictions.queue)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(queue, m_expected, 0.05, "ln(1 + KB)");
            }
        }
    }

    float m_queue;     //!< see the constructor
    double m_expected; //!< see the constructor
};

/// No queue counts as more than exp(14) - 1 KB, and slowdowns start from no less than 1.
class LimitsTestCase : public TestCase
{
  public:
    LimitsTestCase()
        : TestCase("limits of what slowdowns start from")
    {
    }

  private:
    void DoRun() override
    {
        const Network::Sizes sizes = MakeSizes();
        Network network(sizes, {}, 1);
        auto weights = network.ExportWeights();
        for (auto& tensor : weights)
        {
            // queues of e^20 KB; shares left of odds that are e^-3 times the fluid's
            tensor.values[0] = tensor.name == "queue.b.b"  ? 20
                               : tensor.name == "left.b.b" ? -3
                                                           : tensor.values[0];
        }
        network.ImportWeights(weights);
        network.Begin(12, 8, false);
        Draws draws;
        int nLeast = 0;
        int nWaits = 0;
        for (int i = 0; i < 10; ++i)
        {
            Network::Step step = draws.Step(sizes, 12, 8);
            std::vector<double> b(step.flowState.size());
            for (std::size_t f = 0; f < b.size(); ++f)
            {
                const double odds = step.fluidLeft[f] / (1.0 - step.fluidLeft[f]) * std::exp(-3);
                b[f] = std::exp(static_cast<double>(step.fluidLogSlowdown[f])) +
                       (odds / (1 + odds) - step.fluidLeft[f]) * step.fluidService[f];
            }
            for (std::size_t e = 0; e < step.edgeWait.size(); ++e)
            {
                step.edgeWait[e] = e % 4 == 0 ? 1e-6F : 0;
                b[step.edgeFlow[e]] += std::expm1(14.0) * step.edgeWait[e];
                nWaits += e % 4 == 0 ? 1 : 0;
            }
            Network::Predictions predictions;
            network.Accumulate(step, predictions);
            for (std::size_t f = 0; f < b.size(); ++f)
            {
                nLeast += b[f] < 1 ? 1 : 0;
                const double start = std::log(std::max(1.0, b[f]));
                NS_TEST_EXPECT_MSG_EQ_TOL(predictions.logSlowdown[f],
                                          0.02 * std::log1p(std::exp(start / 0.02)),
                                          2e-5,
                                          "ln slowdown");
            }
        }
        NS_TEST_EXPECT_MSG_GT(nLeast, 5, "below 1");
        NS_TEST_EXPECT_MSG_GT(nWaits, 5, "longest queues");
    }
};

/// What joint heads need is there, and what they exclude is not.
class JointErrorsTestCase : public TestCase
{
  public:
    JointErrorsTestCase()
        : TestCase("errors")
    {
    }

  private:
    void DoRun() override
    {
        Network::Sizes sizes = MakeSizes();
        Network network(sizes, {}, 1);
        network.Begin(12, 8, true);
        Draws draws;
        Network::Step step = draws.Step(sizes, 12, 8);
        step.fluidService.clear();
        DCN_TEST_EXPECT_ERROR(network.Accumulate(step),
                              "a step has 0 fluid services, not " +
                                  std::to_string(step.flowState.size()));
        step = draws.Step(sizes, 12, 8);
        step.edgeWait.push_back(0);
        DCN_TEST_EXPECT_ERROR(network.Accumulate(step),
                              "a step has " + std::to_string(step.edgeWait.size()) +
                                  " waits of edges, not " + std::to_string(step.edgeFlow.size()));
        sizes.rawSlowdown = true;
        DCN_TEST_EXPECT_ERROR(Network(sizes, {}, 1),
                              "joint heads of a graph network need slowdowns relative to the "
                              "fluid");
    }
};

/// The suite; DcnTorchTestSuite says what happens without LibTorch.
class DcnTorchGraphJointTestSuite : public DcnOptionalTestSuite
{
  public:
    DcnTorchGraphJointTestSuite()
        : DcnOptionalTestSuite("dcn-torch-graph-joint", Type::UNIT)
    {
        // (3 q^2 + (0.8 - q)^2) / 2 is least at the mean; 3 q^2 / 2 - q, where errors of
        // the longer ones count linearly, at a third
        AddTestCasesIf(DcnTorch::IsAvailable(),
                       DCN_NEED_LIBTORCH,
                       {new JointLabelsTestCase,
                        new AlikeQueuesTestCase(0.8F, 0.2),
                        new AlikeQueuesTestCase(4, 1.0 / 3),
                        new LimitsTestCase,
                        new JointErrorsTestCase});
    }
};

DcnTorchGraphJointTestSuite g_dcnTorchGraphJointTestSuite; //!< the suite

} // namespace
