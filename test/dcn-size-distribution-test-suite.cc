/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-statistics.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/test.h"

#include <algorithm>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Statistical bounds: a normal variable is further off in one case of 150,000, so that with
/// fixed seeds a violation means a fault.
constexpr double SIGMAS = 4.5;

/**
 * @param sizes sizes
 * @param cap larger ones count as this
 * @return their moments
 */
DcnMoments
MomentsOf(const std::vector<uint64_t>& sizes, double cap = INFINITY)
{
    DcnMoments moments;
    for (uint64_t size : sizes)
    {
        moments.Add(std::min(static_cast<double>(size), cap));
    }
    return moments;
}

/**
 * Streams: stream(seed, purpose, index) is one to one, does not depend on what else draws, and the
 * largest seed is still a legal stream of ns-3 (63 bits).
 */
DCN_TEST_CASE(RandomTestCase, "seeds and purposes have streams of their own")
{
    std::set<int64_t> streams;
    std::size_t n = 0;
    for (uint64_t seed : {0ULL, 1ULL, 2ULL, 255ULL, 256ULL, 65536ULL, 4294967295ULL})
    {
        for (uint8_t purpose : {0, 1, 2, 6, 255})
        {
            for (uint32_t index : {0U, 1U, 255U, DcnRandom::MAX_INDEX})
            {
                const auto stream =
                    DcnRandom(seed).GetStream(static_cast<DcnPurpose>(purpose), index);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(stream, 0, "ns-3 numbers negative streams itself");
                streams.insert(stream);
                ++n;
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(streams.size(), n, "two purposes share a stream");
    auto draw = [](uint64_t seed, DcnPurpose purpose) {
        auto variable = CreateObject<UniformRandomVariable>();
        DcnRandom(seed).Assign(variable, purpose, 3);
        return variable->GetValue();
    };
    const double first = draw(1, DcnPurpose::FLOW_PAIRS);
    CreateObject<UniformRandomVariable>()->GetValue(); // takes a stream of ns-3's numbering
    NS_TEST_EXPECT_MSG_EQ(draw(1, DcnPurpose::FLOW_PAIRS), first, "draws are not reproducible");
    NS_TEST_EXPECT_MSG_NE(draw(2, DcnPurpose::FLOW_PAIRS), first, "seeds share a stream");
    NS_TEST_EXPECT_MSG_NE(draw(1, DcnPurpose::TEST_PAIRS), first, "purposes share a stream");
    DCN_TEST_EXPECT_ERROR(DcnRandom(4294967296),
                          "the seed 4294967296 is above the largest seed 4294967295");
}

/**
 * A piecewise linear distribution: P(S <= x) = F(x + 1/2) for whole x, with F the polygon in the
 * file, since S is rounded. The share of n draws up to x is binomial. The mean is the sum of
 * (F_i - F_i-1) (x_i-1 + x_i) / 2, but for the draws that become 1 instead of 0.
 */
class EmpiricalTestCase : public TestCase
{
  public:
    /**
     * @param name name of the distribution
     * @param mean published mean of the points in the file [bytes]
     * @param median published median, rounded [bytes]
     */
    EmpiricalTestCase(const std::string& name, double mean, double median)
        : TestCase("distribution " + name),
          m_name(name),
          m_mean(mean),
          m_median(median)
    {
    }

  private:
    void DoRun() override
    {
        auto distribution = DcnSizeDistribution::Create(m_name);
        NS_TEST_EXPECT_MSG_EQ(distribution->GetName(), m_name, "wrong name");
        NS_TEST_EXPECT_MSG_EQ_TOL(distribution->GetMean(),
                                  m_mean,
                                  1e-4 * m_mean,
                                  "not the published mean");
        const std::size_t n = 1'000'000;
        const std::vector<uint64_t> sizes =
            DcnSortedSample(*DcnSizeDistribution::Create(m_name), n);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sizes.front(), 1, "there are no flows without payload");
        for (double cap : {1.0, 700.0, 1e4, 1e6, 1e12})
        {
            const auto sample = MomentsOf(sizes, cap);
            NS_TEST_EXPECT_MSG_EQ_TOL(distribution->GetLimitedMean(cap),
                                      sample.GetMean(),
                                      SIGMAS * sample.GetError() + 1e-9,
                                      "wrong mean of min(S, " << cap << ")");
        }
        const auto sample = MomentsOf(sizes);
        NS_TEST_EXPECT_MSG_EQ_TOL(distribution->GetMean(),
                                  sample.GetMean(),
                                  SIGMAS * sample.GetError(),
                                  "wrong mean");
        if (m_median > 0)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(sizes[n / 2], m_median, 0.03 * m_median, "wrong median");
        }
        DcnCsvReader csv(DcnDataPath("sizes/" + m_name + ".csv"), {"size_bytes", "cdf_percent"});
        double size = 0;
        double cdf = 0;
        while (csv.FetchRow())
        {
            const double nextSize = csv.GetDouble(0);
            const double nextCdf = csv.GetDouble(1) / 100;
            for (double part : {0.0, 0.3, 0.7})
            {
                const double at = std::floor(size + part * (nextSize - size));
                if (nextSize > size && at + 0.5 < nextSize)
                {
                    const double p = cdf + (nextCdf - cdf) * (at + 0.5 - size) / (nextSize - size);
                    // what is rounded to 0 becomes 1
                    const double expected = at >= 1 ? p : 0;
                    NS_TEST_EXPECT_MSG_EQ_TOL(DcnShareUpTo(sizes, static_cast<uint64_t>(at)),
                                              expected,
                                              SIGMAS * std::sqrt(p * (1 - p) / n) + 1e-12,
                                              "wrong share of flows up to " << at << " bytes");
                }
            }
            size = nextSize;
            cdf = nextCdf;
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sizes.back(), size, "larger than the largest size");
    }

    std::string m_name; //!< name of the distribution
    double m_mean;      //!< expected mean [bytes]
    double m_median;    //!< expected median [bytes], 0: not known
};

/**
 * A parametric form: with Q(x) = P(X > x) as the papers define it, E[min(X, c)] is the integral of
 * Q from 0 to c, and the share of n draws above whole x is binomial with Q(x + 1/2).
 */
class ParametricTestCase : public TestCase
{
  public:
    /// Probability that the part above the floor of 50 bytes is larger than its argument [bytes].
    using Tail = std::function<double(double)>;

    /**
     * @param name name of the distribution
     * @param tail definition
     */
    ParametricTestCase(const std::string& name, const Tail& tail)
        : TestCase("distribution " + name),
          m_name(name),
          m_tail(tail)
    {
    }

  private:
    void DoRun() override
    {
        auto distribution = DcnSizeDistribution::Create(m_name);
        const std::size_t n = 300'000;
        const std::vector<uint64_t> sizes =
            DcnSortedSample(*DcnSizeDistribution::Create(m_name), n);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sizes.front(), 50, "the floor is 50 bytes");
        const double mean = 50 + Integrate(1e15);
        NS_TEST_EXPECT_MSG_EQ_TOL(distribution->GetMean(), mean, 1e-6 * mean, "wrong mean");
        const auto sample = MomentsOf(sizes);
        NS_TEST_EXPECT_MSG_EQ_TOL(distribution->GetMean(),
                                  sample.GetMean(),
                                  SIGMAS * sample.GetError(),
                                  "wrong mean of draws");
        NS_TEST_EXPECT_MSG_EQ_TOL(distribution->GetLimitedMean(20),
                                  20,
                                  1e-9,
                                  "every flow is larger than 20 bytes");
        for (double factor : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0})
        {
            const double at = std::floor(50 + factor * mean);
            const double p = m_tail(at + 0.5 - 50);
            NS_TEST_EXPECT_MSG_EQ_TOL(1 - DcnShareUpTo(sizes, static_cast<uint64_t>(at)),
                                      p,
                                      SIGMAS * std::sqrt(p * (1 - p) / n) + 1e-12,
                                      "wrong share of flows above " << at << " bytes");
            const double limited = 50 + Integrate(at - 50);
            NS_TEST_EXPECT_MSG_EQ_TOL(distribution->GetLimitedMean(at),
                                      limited,
                                      1e-6 * limited,
                                      "wrong mean of min(S, " << at << ")");
        }
    }

    /**
     * @param end upper limit [bytes]
     * @return integral of the tail from 0 to there, decade by decade since it spans many
     */
    double Integrate(double end) const
    {
        using Quadrature = boost::math::quadrature::gauss_kronrod<double, 31>;
        double integral = 0;
        for (double from = 0, to = 1; from < end; from = to, to *= 10)
        {
            integral += Quadrature::integrate(m_tail, from, std::min(to, end), 5, 1e-10);
        }
        return integral;
    }

    std::string m_name; //!< name of the distribution
    Tail m_tail;        //!< definition
};

/// A constant, and a distribution of the user's in percent, as fractions, and as a single point.
/// Streams begin anew, also where a variable that makes pairs keeps the second value of one.
DCN_TEST_CASE(RestartTestCase, "streams that are assigned again")
{
    for (const std::string name :
         {"gaussian:20000", "lognorm:20000", "exp:20000", "pareto:20000", "web-server"})
    {
        const Ptr<DcnSizeDistribution> sizes = DcnSizeDistribution::Create(name);
        sizes->AssignStreams(DcnRandom(3));
        const uint64_t first = sizes->Sample();
        for (int nDraws = 1; nDraws <= 6; ++nDraws) // some of these leave half a pair
        {
            sizes->AssignStreams(DcnRandom(3));
            const uint64_t again = sizes->Sample();
            NS_TEST_EXPECT_MSG_EQ(again, first, name << ", draw " << nDraws);
            for (int i = 1; i < nDraws; ++i)
            {
                sizes->Sample();
            }
        }
    }
    DCN_TEST_EXPECT_ERROR(DcnSizeDistribution::Registration("exp", "THETA", nullptr),
                          "the size distribution \"exp\" is registered twice");
}

DCN_TEST_CASE(UserSizesTestCase, "constant sizes and distributions from files")
{
    auto write = [this](const std::string& rows) {
        const std::string path = CreateTempDirFilename("sizes.csv");
        std::ofstream(path) << "size_bytes,cdf_percent\n" << rows;
        return path;
    };
    auto constant = DcnSizeDistribution::Create("constant:1234");
    NS_TEST_EXPECT_MSG_EQ(constant->Sample(), 1234, "wrong size");
    NS_TEST_EXPECT_MSG_EQ(constant->GetMean(), 1234, "wrong mean");
    NS_TEST_EXPECT_MSG_EQ(constant->GetLimitedMean(1000), 1000, "wrong mean with a cap");
    // 20 % of the flows have 100 bytes, the others are uniform between 100 and 300 bytes
    const double mean = 0.2 * 100 + 0.8 * 200;
    for (const char* text : {"100,20\n300,100\n", "100,0.2\n300,1\n", "100,2e1\n300,100.0\n"})
    {
        auto sizes = DcnSizeDistribution::Create(write(text));
        NS_TEST_EXPECT_MSG_EQ_TOL(sizes->GetMean(), mean, 1e-9, "wrong mean of " << text);
    }
    const auto sample =
        DcnSortedSample(*DcnSizeDistribution::Create(write("100,20\n300,100\n")), 100'000);
    NS_TEST_EXPECT_MSG_EQ_TOL(DcnShareUpTo(sample, 100),
                              0.2 + 0.8 * 0.5 / 200,
                              SIGMAS * std::sqrt(0.2 * 0.8 / 1e5),
                              "wrong share of 100 bytes");
    NS_TEST_EXPECT_MSG_EQ_TOL(MomentsOf(sample).GetMean(),
                              mean,
                              SIGMAS * MomentsOf(sample).GetError(),
                              "wrong mean of draws");
    auto single = DcnSizeDistribution::Create(write("77,100\n"));
    NS_TEST_EXPECT_MSG_EQ(single->Sample(), 77, "wrong size");
    NS_TEST_EXPECT_MSG_EQ(single->GetMean(), 77, "wrong mean");
    // sizes of 0 to 2 bytes: half a byte in two is rounded to 0 and becomes 1
    auto small = DcnSizeDistribution::Create(write("0,0\n2,100\n"));
    NS_TEST_EXPECT_MSG_EQ_TOL(small->GetMean(), 1.25, 1e-12, "wrong mean of small sizes");
}

/// Every kind of bad input is refused with one sentence that names file, line and value.
DCN_TEST_CASE(BadSizesTestCase, "bad flow-size distributions are refused")
{
    auto check = [this](const std::string& rows, const std::string& sentence) {
        const std::string path = CreateTempDirFilename("bad-sizes.csv");
        std::ofstream(path) << "size_bytes,cdf_percent\n" << rows;
        DCN_TEST_EXPECT_ERROR(DcnSizeDistribution::Create(path), path + sentence);
    };
    DCN_TEST_EXPECT_ERROR(
        DcnSizeDistribution::Create("websearch"),
        "sizes \"websearch\" is unknown; there are web-server, cache-follower, hadoop, "
        "web-search, ali-storage, fb-hdp, google-rpc, constant:BYTES, exp:THETA, "
        "gaussian:THETA, lognorm:THETA, pareto:THETA, random:SEED, and a path of a CSV file");
    DCN_TEST_EXPECT_ERROR(
        DcnSizeDistribution::Create("exp:many"),
        "sizes exp:many: THETA must be a number from 2600 to 100000, but it is \"many\"");
    DCN_TEST_EXPECT_ERROR(
        DcnSizeDistribution::Create("pareto:1000"),
        "sizes pareto:1000: THETA must be a number from 2600 to 100000, but it is \"1000\"");
    for (const char* seed : {"", "x", "1.5", "4294967296"})
    {
        DCN_TEST_EXPECT_ERROR(DcnSizeDistribution::Create(std::string("random:") + seed),
                              std::string("sizes random:") + seed +
                                  ": SEED must be a whole number from 0 to 4294967295, but it "
                                  "is \"" +
                                  seed + "\"");
    }
    DCN_TEST_EXPECT_ERROR(DcnSizeDistribution::Create("constant:0"),
                          "sizes constant:0: BYTES must be a whole number from 1 to 10^15, but "
                          "it is \"0\"");
    DCN_TEST_EXPECT_ERROR(DcnSizeDistribution::Create("none/there.csv"),
                          "none/there.csv: the file cannot be read (there is no such folder)");
    check("100,50\n",
          ":2: cdf_percent of the last row must be 100 (or 1 for fractions), but it is 50");
    check("100,50\n100,100\n",
          ":3: size_bytes must be larger than in the row before, but it is 100");
    check("100,50\n200,50\n",
          ":3: cdf_percent must be larger than in the row before, but it is 50");
    check("100,-1\n200,100\n", ":2: cdf_percent must not be below 0, but it is -1");
    check("0,100\n", ":2: the largest size_bytes must be above 0, but it is 0");
    check("100,50\n2000000000000000,100\n",
          ":3: size_bytes must be at most 10^15, but it is 2000000000000000");
    check("1e3,100\n", ":2: size_bytes must be a whole number from 0, but it is \"1e3\"");
    check("100,all\n", ":2: cdf_percent must be a number, but it is \"all\"");
    check("100\n", ":2: the row has 1 columns instead of 2");
    check("", ": the file has no point of the distribution");
}

/// @ingroup dcn-tests
/// @brief Flow-size distributions and seeds.
class DcnSizeDistributionTestSuite : public TestSuite
{
  public:
    DcnSizeDistributionTestSuite()
        : TestSuite("dcn-size-distribution", Type::UNIT)
    {
        AddTestCase(new RandomTestCase);
        AddTestCase(new EmpiricalTestCase("web-server", 91'315, 1460));
        AddTestCase(new EmpiricalTestCase("cache-follower", 615'631, 23'800));
        AddTestCase(new EmpiricalTestCase("hadoop", 571'602, 684));
        AddTestCase(new EmpiricalTestCase("web-search", 1'711'250, 0));
        AddTestCase(new EmpiricalTestCase("fb-hdp", 120'421, 700));
        AddTestCase(new EmpiricalTestCase("ali-storage", 40'870, 0));
        AddTestCase(new EmpiricalTestCase("google-rpc", 3'121, 0));
        AddTestCase(new RestartTestCase);
        AddTestCase(new UserSizesTestCase);
        AddTestCase(new BadSizesTestCase);
        for (int theta : {5000, 20'000, 50'000})
        {
            AddParametric(theta);
        }
    }

  private:
    /**
     * The four forms as m3 defines them (section 4), with M = 1000 (theta / 5000)^2.
     * @param theta size parameter
     */
    void AddParametric(int theta)
    {
        const std::string suffix = ":" + std::to_string(theta);
        const double nominal = 1000.0 * std::pow(theta / 5000.0, 2);
        const double mean = nominal - 50;
        AddTestCase(new ParametricTestCase("exp" + suffix,
                                           [mean](double y) { return std::exp(-y / mean); }));
        const boost::math::normal normal(mean, nominal);
        AddTestCase(new ParametricTestCase("gaussian" + suffix, [normal](double y) {
            return cdf(complement(normal, y)) / cdf(complement(normal, 0.0));
        }));
        const double sigma = 1 + theta / 50'000.0;
        const boost::math::lognormal lognormal(std::log(mean) - sigma * sigma / 2, sigma);
        AddTestCase(new ParametricTestCase("lognorm" + suffix, [lognormal](double y) {
            return y <= 0 ? 1.0 : cdf(complement(lognormal, y));
        }));
        // 80 % of the flows are smaller than the nominal mean
        const double scale = nominal / 2;
        auto [low, high] = boost::math::tools::bisect(
            [=](double psi) { return std::pow(1 + psi * mean / scale, 1 / psi) - 5; },
            0.01,
            0.99,
            boost::math::tools::eps_tolerance<double>(45));
        const double shape = (low + high) / 2;
        AddTestCase(new ParametricTestCase("pareto" + suffix, [=](double y) {
            return std::pow(1 + shape * y / scale, -1 / shape);
        }));
    }
} g_dcnSizeDistributionTestSuite; //!< the suite

} // namespace
