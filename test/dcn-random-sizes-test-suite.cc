/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup dcn-tests
 * @brief Flow-size distributions whose points are drawn themselves (sizes random:SEED).
 */

#include "dcn-test-case.h"
#include "dcn-test-statistics.h"

#include "ns3/dcn-random.h"
#include "ns3/dcn-size-distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * The law of the points of random:SEED, written down a second time: the shares of the flows up to
 * 1, 10 and 100 KB, and the logarithm of the median, have the same mean over the seeds as over
 * draws of that law by other random numbers. Each moves by more than its margin if there were
 * always two inner sizes, no weights e_i, or an exponent of the other sign.
 */
class RandomLawTestCase : public TestCase
{
  public:
    RandomLawTestCase()
        : TestCase("law of distributions with random points")
    {
    }

  private:
    static constexpr std::array<double, 3> AT{1e3, 1e4, 1e5}; //!< sizes [bytes]

    void DoRun() override
    {
        std::array<DcnMoments, 4> ours;
        for (uint32_t seed = 0; seed < 4000; ++seed)
        {
            auto sizes = DcnSizeDistribution::Create("random:" + std::to_string(seed));
            for (std::size_t i = 0; i < AT.size(); ++i)
            {
                ours[i].Add(ShareOf(*sizes, AT[i]));
            }
            ours[3].Add(std::log(sizes->GetQuantile(0.5)));
        }
        std::array<DcnMoments, 4> law;
        std::mt19937_64 random(11);
        for (uint32_t i = 0; i < 40'000; ++i)
        {
            DrawLaw(random, law);
        }
        for (std::size_t i = 0; i < ours.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(ours[i].GetMean(),
                                      law[i].GetMean(),
                                      DCN_TEST_SIGMAS *
                                          std::hypot(ours[i].GetError(), law[i].GetError()),
                                      "wrong mean of quantity " << i);
        }
    }

    /**
     * @param sizes a distribution
     * @param at a size [bytes]
     * @return share of flows up to there, by bisection of the quantile function
     */
    static double ShareOf(const DcnSizeDistribution& sizes, double at)
    {
        double low = 0;
        double high = 1;
        for (int i = 0; i < 30; ++i)
        {
            const double p = 0.5 * (low + high);
            (static_cast<double>(sizes.GetQuantile(p)) <= at ? low : high) = p;
        }
        return low;
    }

    /**
     * Draw points by the law and add what is compared.
     * @param random numbers of another generator
     * @param law gets shares up to AT and the logarithm of the median
     */
    static void DrawLaw(std::mt19937_64& random, std::array<DcnMoments, 4>& law)
    {
        std::uniform_real_distribution<double> uniform(0, 1);
        std::exponential_distribution<double> exponential(1);
        const double largest = 3e4 * std::pow(1e3, uniform(random));
        std::vector<double> points{50};
        const int nInner = std::uniform_int_distribution<int>(2, 8)(random);
        for (int i = 0; i < nInner; ++i)
        {
            points.push_back(100 * std::pow(largest / 100, uniform(random)));
        }
        points.push_back(largest);
        std::sort(points.begin(), points.end());
        const double exponent = 0.8 * uniform(random);
        std::vector<double> cdf{0};
        for (std::size_t i = 1; i < points.size(); ++i)
        {
            cdf.push_back(cdf.back() +
                          exponential(random) * std::pow(points[i] / largest, -exponent));
        }
        for (std::size_t i = 0; i < AT.size(); ++i)
        {
            law[i].Add(Interpolate(points, cdf, AT[i]) / cdf.back());
        }
        law[3].Add(std::log(Interpolate(cdf, points, 0.5 * cdf.back())));
    }

    /**
     * @param x increasing
     * @param y values at x
     * @param at where
     * @return value there, the last one beyond the end
     */
    static double Interpolate(const std::vector<double>& x, const std::vector<double>& y, double at)
    {
        const auto above = std::upper_bound(x.begin(), x.end(), at) - x.begin();
        if (above == static_cast<std::ptrdiff_t>(x.size()))
        {
            return y.back();
        }
        return y[above - 1] +
               (y[above] - y[above - 1]) * (at - x[above - 1]) / (x[above] - x[above - 1]);
    }
};

/**
 * Distributions that are drawn themselves. Of each: draws and quantiles are those of one cdf, whose
 * mean and limited mean follow from quantiles, E[min(S, c)] = integral of min(Q(p), c) over p. Over
 * the seeds: sizes are from 50 bytes to 30 MB, and half of the largest ones are below the geometric
 * mean of their limits, 30 KB and 30 MB.
 */
DCN_TEST_CASE(RandomSizesTestCase, "distributions with random points")
{
    const uint32_t nSeeds = 400;
    uint32_t nBelow = 0;
    for (uint32_t seed = 0; seed < nSeeds; ++seed)
    {
        const std::string name = "random:" + std::to_string(seed);
        auto sizes = DcnSizeDistribution::Create(name);
        const uint64_t largest = sizes->GetQuantile(1);
        NS_TEST_EXPECT_MSG_EQ(sizes->GetQuantile(0), 50, name << ": wrong smallest size");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(largest, 30'000, name << ": no large flows");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(largest, 30'000'000, name << ": too large");
        nBelow += largest < std::sqrt(3e4 * 3e7) ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ(DcnSizeDistribution::Create(name)->GetQuantile(0.5),
                              sizes->GetQuantile(0.5),
                              name << ": the same seed has other points");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(nBelow / static_cast<double>(nSeeds),
                              0.5,
                              DCN_TEST_SIGMAS * std::sqrt(0.25 / nSeeds),
                              "wrong share of small largest sizes");
    NS_TEST_EXPECT_MSG_NE(DcnSizeDistribution::Create("random:1")->GetMean(),
                          DcnSizeDistribution::Create("random:2")->GetMean(),
                          "other seeds have the same points");
    for (const char* name : {"random:3", "random:4", "random:4294967295"})
    {
        auto sizes = DcnSizeDistribution::Create(name);
        const std::size_t n = 100'000;
        const std::vector<uint64_t> sample = DcnSortedSample(*sizes, n);
        for (double p : {0.1, 0.5, 0.9, 0.99})
        {
            const uint64_t at = sizes->GetQuantile(p);
            // a quantile is rounded to whole bytes, of which each may have some of the flows
            NS_TEST_EXPECT_MSG_GT_OR_EQ(DcnShareUpTo(sample, at),
                                        p - DCN_TEST_SIGMAS * std::sqrt(p * (1 - p) / n),
                                        name << ": too few small flows");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(DcnShareUpTo(sample, at - 1),
                                        p + DCN_TEST_SIGMAS * std::sqrt(p * (1 - p) / n),
                                        name << ": too many small flows");
        }
        const std::size_t steps = 1'000'000;
        for (double cap : {1e3, 1e5, 1e9})
        {
            double mean = 0;
            for (std::size_t i = 0; i < steps; ++i)
            {
                const auto size = static_cast<double>(sizes->GetQuantile((i + 0.5) / steps));
                mean += std::min(size, cap) / steps;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(sizes->GetLimitedMean(cap),
                                      mean,
                                      1e-4 * mean,
                                      name << ": wrong mean of min(S, " << cap << ")");
        }
    }
}

DcnTestSuite<RandomSizesTestCase, RandomLawTestCase> g_dcnRandomSizesTestSuite(
    "dcn-random-sizes"); //!< the suite

} // namespace
