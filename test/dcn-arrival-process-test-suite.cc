/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-statistics.h"

#include "ns3/dcn-arrival-process.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-traffic-matrix.h"

#include <cmath>
#include <map>
#include <string>

using namespace ns3;

namespace
{

/// Gaps of mean 1: exponential ones have coefficient of variation 1 and mean logarithm -gamma
/// (Euler's constant) with variance pi^2 / 6; log-normal ones of shape sigma have the squared
/// coefficient of variation exp(sigma^2) - 1 and a normal logarithm with mean -sigma^2 / 2 and
/// variance sigma^2. The logarithms have light tails, so that they are tested sharply.
DCN_TEST_CASE_OF(GapTestCase, double, sigma, "gaps between flows, sigma " + std::to_string(sigma))
{
    DcnArrivalProcess process(sigma, DcnRandom(2));
    const int n = 400'000;
    auto arrival = process.Next();
    NS_TEST_EXPECT_MSG_EQ(arrival.time, 0, "the first flow starts at once");
    NS_TEST_EXPECT_MSG_EQ((arrival.source == DcnArrivalProcess::ANY_SOURCE),
                          true,
                          "one process has no source");
    DcnMoments gaps;
    DcnMoments logarithms;
    double before = 0;
    for (int i = 0; i < n; ++i)
    {
        const double time = process.Next().time;
        gaps.Add(time - before);
        logarithms.Add(std::log(time - before));
        before = time;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(gaps.GetMean(),
                              1,
                              DCN_TEST_SIGMAS * gaps.GetError(),
                              "wrong mean gap");
    const bool poisson = sigma == 0;
    const double mean = poisson ? -0.5772156649 : -0.5 * sigma * sigma;
    const double variance = poisson ? M_PI * M_PI / 6 : sigma * sigma;
    const double excess = poisson ? 2.4 : 0; // excess kurtosis of the logarithm
    NS_TEST_EXPECT_MSG_EQ_TOL(logarithms.GetMean(),
                              mean,
                              DCN_TEST_SIGMAS * std::sqrt(variance / n),
                              "wrong mean logarithm");
    NS_TEST_EXPECT_MSG_EQ_TOL(logarithms.GetVariance(),
                              variance,
                              DCN_TEST_SIGMAS * variance * std::sqrt((2 + excess) / n),
                              "wrong variance of the logarithm");
    if (sigma <= 1) // with heavier tails the sample's own is far below for any n
    {
        const double variation = poisson ? 1 : std::exp(sigma * sigma) - 1;
        NS_TEST_EXPECT_MSG_EQ_TOL(gaps.GetVariance(),
                                  variation,
                                  0.05 * variation,
                                  "wrong coefficient of variation");
    }
}

/**
 * A process per source: the expected number of flows of a source in any interval of length t is
 * t * share, from the start on (equilibrium), and its own gaps have the shape asked for, while
 * thinning one process makes them nearly Poisson.
 */
DCN_TEST_CASE(PerSourceTestCase, "arrival processes per source")
{
    auto topology = DcnBuildTopology(DcnFabricParameters());
    for (double sigma : {0.0, 1.0, 2.0})
    {
        auto matrix = DcnTrafficMatrix::Create("web", topology, DcnRandom(3));
        DcnArrivalProcess process(sigma, DcnRandom(4), *topology, *matrix);
        const int n = 300'000;
        std::map<uint32_t, double> last;
        std::map<uint32_t, DcnMoments> logarithms;
        std::map<uint32_t, int> counts;
        double before = 0;
        for (int i = 0; i < n; ++i)
        {
            const auto [time, source] = process.Next();
            NS_TEST_ASSERT_MSG_GT_OR_EQ(time, before, "flows are not in order");
            before = time;
            if (last.count(source))
            {
                logarithms[source].Add(std::log(time - last[source]));
            }
            last[source] = time;
            ++counts[source];
        }
        const double variation = sigma == 0 ? 1 : std::exp(sigma * sigma) - 1;
        for (uint32_t host : topology->GetHosts())
        {
            // the number of arrivals of a renewal process has about the variance
            // variation * mean
            const double mean = before * matrix->GetSourceShare(host);
            NS_TEST_EXPECT_MSG_EQ_TOL(counts[host],
                                      mean,
                                      DCN_TEST_SIGMAS * std::sqrt(variation * mean),
                                      "wrong number of flows of host " << host);
            const DcnMoments& moments = logarithms[host];
            const double variance = sigma == 0 ? M_PI * M_PI / 6 : sigma * sigma;
            const double excess = sigma == 0 ? 2.4 : 0;
            NS_TEST_EXPECT_MSG_EQ_TOL(moments.GetVariance(),
                                      variance,
                                      DCN_TEST_SIGMAS * variance *
                                          std::sqrt((2 + excess) / moments.n),
                                      "host " << host << " is not as bursty as sigma says");
        }
        // many short beginnings: a twentieth of a mean gap of each host after the start
        DcnMoments early;
        for (uint64_t seed = 0; seed < 400; ++seed)
        {
            auto uniform = DcnTrafficMatrix::Create("uniform", topology, DcnRandom(seed));
            DcnArrivalProcess start(sigma, DcnRandom(seed), *topology, *uniform);
            double number = 0;
            while (start.Next().time < 0.05 * 32)
            {
                number += 1;
            }
            early.Add(number);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(early.GetMean(),
                                  0.05 * 32,
                                  DCN_TEST_SIGMAS * early.GetError(),
                                  "the process does not start in equilibrium");
    }
}

DCN_TEST_CASE(ReleaseTestCase, "a seed stands for the same numbers in every release of ns-3")
{
    // found with ns-3.37, with its own variables
    DcnArrivalProcess gaps(1.5, DcnRandom(7));
    double time = 0;
    for (int i = 0; i < 1001; ++i)
    {
        time = gaps.Next().time;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(time, 1056.92, 0.01, "time of flow 1000, in mean gaps");
}

/// @ingroup dcn-tests
/// @brief Gaps between flows, of the network and of each source.
class DcnArrivalProcessTestSuite : public TestSuite
{
  public:
    DcnArrivalProcessTestSuite()
        : TestSuite("dcn-arrival-process", Type::UNIT)
    {
        for (double sigma : {0.0, 0.5, 1.0, 2.0})
        {
            AddTestCase(new GapTestCase(sigma));
        }
        AddTestCase(new PerSourceTestCase);
        AddTestCase(new ReleaseTestCase);
    }
} g_dcnArrivalProcessTestSuite; //!< the suite

} // namespace
