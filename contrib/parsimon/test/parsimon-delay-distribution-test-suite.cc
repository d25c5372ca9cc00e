/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/combine/parsimon-delay-distribution.h"
#include "../model/simulate/parsimon-binary.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param distribution buckets
 * @return e.g. "[0,101)n=100 [101,inf)n=7"
 */
std::string
Describe(const ParsimonDelayDistribution& distribution)
{
    std::ostringstream text;
    for (const auto& bucket : distribution.GetBuckets())
    {
        text << (text.tellp() > 0 ? " [" : "[") << bucket.lowerBytes << ',';
        if (bucket.upperBytes == ParsimonDelayDistribution::OPEN)
        {
            text << "inf";
        }
        else
        {
            text << bucket.upperBytes;
        }
        text << ")n=" << bucket.GetN();
    }
    return text.str();
}

/**
 * @param first smallest size
 * @param last largest size
 * @param each samples of each size
 * @return samples in descending order of size; the delay is size + 0.5
 */
std::vector<ParsimonDelayDistribution::Sample>
MakeSamples(uint64_t first, uint64_t last, uint32_t each)
{
    std::vector<ParsimonDelayDistribution::Sample> samples;
    for (uint64_t size = last; size >= first; --size)
    {
        samples.insert(samples.end(), each, {size, static_cast<float>(size) + 0.5F});
    }
    return samples;
}

DCN_TEST_CASE(BucketRuleTestCase, "Buckets of flow sizes, by each rule")
{
    auto describe = [](uint64_t first, uint64_t last, uint32_t each, ParsimonRules rules) {
        ParsimonBucketOptions options;
        options.rules = rules;
        return Describe({MakeSamples(first, last, each), options});
    };
    constexpr auto PUBLISHED = ParsimonRules::PUBLISHED;
    NS_TEST_EXPECT_MSG_EQ(
        describe(1, 1000, 1, PUBLISHED),
        "[0,101)n=100 [101,202)n=101 [202,404)n=202 [404,808)n=404 [808,inf)n=193",
        "sizes 1 to 1000");
    NS_TEST_EXPECT_MSG_EQ(describe(100, 100, 250, PUBLISHED), "[0,101)n=250", "closed");
    NS_TEST_EXPECT_MSG_EQ(describe(100, 100, 250, ParsimonRules::DEFAULT), "[0,inf)n=250", "open");
    NS_TEST_EXPECT_MSG_EQ(describe(1, 99, 1, PUBLISHED), "[0,inf)n=99", "too few");
    NS_TEST_EXPECT_MSG_EQ(describe(1, 807, 1, PUBLISHED),
                          "[0,101)n=100 [101,202)n=101 [202,404)n=202 [404,808)n=404",
                          "808 would begin a bucket without samples");
    ParsimonBucketOptions narrow;
    narrow.rules = PUBLISHED;
    narrow.minSamples = 2;
    narrow.sizeRatio = 10;
    NS_TEST_EXPECT_MSG_EQ(Describe({MakeSamples(1, 45, 1), narrow}),
                          "[0,3)n=2 [3,26)n=23 [26,inf)n=20",
                          "0 <= round(2 / 10), 3 <= round(25 / 10), 26 <= round(z / 10) never");
    // b = 10, B = 100 and x = 2 with packets of 100 bytes
    ParsimonBucketOptions adaptive;
    adaptive.payloadBytes = 100;
    NS_TEST_EXPECT_MSG_EQ(Describe({MakeSamples(1, 1000, 1), adaptive}),
                          "[0,101)n=100 [101,201)n=100 [201,301)n=100 [301,401)n=100 "
                          "[401,501)n=100 [501,601)n=100 [601,701)n=100 [701,801)n=100 "
                          "[801,901)n=100 [901,inf)n=100",
                          "enough samples, however narrow");
    adaptive.minSamples = 1000;
    NS_TEST_EXPECT_MSG_EQ(Describe({MakeSamples(1, 450, 1), adaptive}),
                          "[0,102)n=101 [102,302)n=200 [302,inf)n=149",
                          "2 >= 2 x 1, from 2 packets to 4, from 4 to less than 8");
    NS_TEST_EXPECT_MSG_EQ(Describe({MakeSamples(95, 110, 1), adaptive}),
                          "[0,105)n=10 [105,inf)n=6",
                          "twice the packets at 101, 10 samples at 104");
}

/// Draws from a bucket, sizes without one, and files.
DCN_TEST_CASE(DrawTestCase, "Draws are the samples of the size's bucket, each equally likely")
{
    ParsimonBucketOptions options;
    options.rules = ParsimonRules::PUBLISHED;
    const ParsimonDelayDistribution distribution(MakeSamples(1, 1000, 1), options);
    const auto* bucket = distribution.Find(150);
    NS_TEST_ASSERT_MSG_NE(bucket, nullptr, "there is one");
    NS_TEST_EXPECT_MSG_EQ(bucket->lowerBytes, 101, "its edge");
    std::map<double, uint32_t> counts;
    for (uint32_t i = 0; i < 1010; ++i)
    {
        ++counts[distribution.Draw(*bucket, i / 1010.0)];
    }
    NS_TEST_EXPECT_MSG_EQ(counts.size(), 101, "all samples");
    NS_TEST_EXPECT_MSG_EQ(counts.begin()->first, 101.5, "smallest");
    NS_TEST_EXPECT_MSG_EQ(counts.rbegin()->first, 201.5, "largest");
    for (const auto& [delay, count] : counts)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(count, 10, 1, "equally likely, " << delay);
    }
    for (uint64_t size : {0, 1, 100})
    {
        NS_TEST_EXPECT_MSG_EQ(distribution.Find(size)->upperBytes, 101, "first, " << size);
    }
    NS_TEST_EXPECT_MSG_EQ(distribution.Find(1000000)->lowerBytes, 808, "the open one");
    const ParsimonDelayDistribution closed(MakeSamples(100, 100, 250), options);
    NS_TEST_EXPECT_MSG_EQ((closed.Find(101) == nullptr), true, "above all published buckets");
    NS_TEST_EXPECT_MSG_NE(closed.Find(100), nullptr, "the largest size itself");
    const ParsimonDelayDistribution none;
    NS_TEST_EXPECT_MSG_EQ(none.Draw(*none.Find(5), 0.5), 0, "no flows, no delay");

    std::stringstream file;
    distribution.Save(file);
    const auto loaded = ParsimonDelayDistribution::Load(file, "file: ");
    NS_TEST_EXPECT_MSG_EQ(Describe(loaded), Describe(distribution), "read back");
    NS_TEST_EXPECT_MSG_EQ(loaded.Draw(*loaded.Find(900), 0.3),
                          distribution.Draw(*distribution.Find(900), 0.3),
                          "draw after reading");
    std::stringstream cut(file.str().substr(0, file.str().size() - 3));
    DCN_TEST_EXPECT_ERROR(ParsimonDelayDistribution::Load(cut, "file: "),
                          "file: the file ends too early");
}

/// Bytes come back as they were written; a damaged length is said, and takes no memory.
DCN_TEST_CASE(BinaryTestCase, "values and vectors as bytes")
{
    // longer than the 2^20 elements that are read at a time
    std::vector<uint8_t> bytes((1U << 20) + 3);
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        bytes[i] = static_cast<uint8_t>(i % 251);
    }
    const std::vector<double> none;
    std::stringstream stream;
    ParsimonWriteValue(stream, 0.1);
    ParsimonWriteVector(stream, bytes);
    ParsimonWriteVector(stream, none);
    const std::string written = stream.str();
    NS_TEST_EXPECT_MSG_EQ(written.size(), 8 + 8 + bytes.size() + 8, "numbers and bytes");
    double value = 0;
    std::vector<uint8_t> read;
    std::vector<double> empty{1};
    ParsimonReadValue(stream, "file: ", value);
    ParsimonReadVector(stream, "file: ", read);
    ParsimonReadVector(stream, "file: ", empty);
    NS_TEST_EXPECT_MSG_EQ(value, 0.1, "a value");
    NS_TEST_EXPECT_MSG_EQ((read == bytes), true, "a vector of two blocks");
    NS_TEST_EXPECT_MSG_EQ(empty.size(), 0, "an empty one");
    DCN_TEST_EXPECT_ERROR(ParsimonReadValue(stream, "file: ", value),
                          "file: the file ends too early");

    std::stringstream damaged;
    ParsimonWriteValue<uint64_t>(damaged, uint64_t{1} << 60);
    ParsimonWriteValue(damaged, 0.1);
    DCN_TEST_EXPECT_ERROR(ParsimonReadVector(damaged, "file: ", empty),
                          "file: the file ends too early");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(empty.size(), 1U << 20, "2^60 numbers were not asked for");
}

DcnTestSuite<BucketRuleTestCase, DrawTestCase, BinaryTestCase> g_parsimonDelayDistributionTestSuite(
    "parsimon-delay-distribution"); //!< the suite

} // namespace
