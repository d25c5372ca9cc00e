/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-duration.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// How far mean, median and 99th percentile of the slowdown may be from the reference's, relative.
struct ReferenceLimits
{
    double mean;   //!< of the mean
    double median; //!< of the median
    double p99;    //!< of the 99th percentile
};

/**
 * The packet engine gives the completion times of the reference simulator.
 *
 * With x the slowdowns of a case here and r those of the reference:
 * - one flow at a time (family a): every completion time within 0.3 %;
 * - few flows (b to d): mean, median and 99th percentile of x / those of r - 1 within 5, 10 and
 *   12 %, the spread that exchanging the order of simultaneous events brings;
 * - 2000 flows (e and f): within 2, 3 and 8 %.
 *
 * DCQCN marks at random, and with few flows a single draw may be far off: there the differences are
 * averaged over draws, too.
 */
class ReferenceCaseTestCase : public TestCase
{
  public:
    /**
     * @param name folder of the case
     * @param nSeeds average over the seeds 1, 2, ... of the marking; 0: the scenario's seed
     */
    explicit ReferenceCaseTestCase(const std::string& name, uint32_t nSeeds = 0)
        : TestCase("reference case " + name +
                   (nSeeds > 0 ? ", mean of " + std::to_string(nSeeds) + " draws" : "")),
          m_name(name),
          m_nSeeds(nSeeds)
    {
        SetDataDir(NS_TEST_SOURCEDIR);
    }

  private:
    void DoRun() override;

    /**
     * @brief Run the case and check every flow.
     * @param scenario the case
     * @param seed of the marking; 0: the scenario's
     * @return differences of mean, median and 99th percentile
     */
    ReferenceLimits Compare(Ptr<const DcnScenario> scenario, uint32_t seed);

    /**
     * @brief Read what the reference simulator found.
     * @param path name of the file
     */
    void ReadReference(const std::string& path);

    std::string m_name; //!< folder of the case
    uint32_t m_nSeeds;  //!< number of draws to average over, or 0

    std::map<uint64_t, std::pair<double, double>> m_reference; //!< flow: completion, ideal [ns]
};

/**
 * The order statistic by which the limits were set; not the project's interpolated quantile.
 * @param values at least one
 * @param p probability
 * @return the quantile
 */
double
ReferenceQuantile(std::vector<double> values, double p)
{
    std::sort(values.begin(), values.end());
    const auto index = static_cast<std::size_t>(p * static_cast<double>(values.size()));
    return values[std::min(values.size() - 1, index)];
}

void
ReferenceCaseTestCase::ReadReference(const std::string& path)
{
    DcnCsvReader csv(path, {"flow_id", "fct_ns", "ideal_ns"});
    while (csv.FetchRow())
    {
        m_reference[csv.GetUint(0)] = {csv.GetDouble(1), csv.GetDouble(2)};
    }
}

ReferenceLimits
ReferenceCaseTestCase::Compare(Ptr<const DcnScenario> scenario, uint32_t seed)
{
    const DcnEstimate estimate =
        DcnEstimator::CreateByName("packet:Seed=" + std::to_string(seed))->Estimate(scenario);
    Simulator::Destroy();
    std::vector<double> here;
    std::vector<double> there;
    for (std::size_t i = 0; i < estimate.fctNs.size(); ++i)
    {
        const auto [fct, ideal] = m_reference.at(scenario->GetFlows()[i].id);
        NS_TEST_EXPECT_MSG_NE(estimate.fctNs[i], DcnEstimate::UNFINISHED, "every flow finishes");
        NS_TEST_EXPECT_MSG_EQ(scenario->GetIdealFct(i).GetTotalNs(), ideal, "ideal FCT");
        here.push_back(static_cast<double>(estimate.fctNs[i]) / ideal);
        there.push_back(fct / ideal);
        if (m_name[0] == 'a')
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(here.back() / there.back(), 1, 0.003, "single flow");
        }
    }
    return {DcnMean(here) / DcnMean(there) - 1,
            ReferenceQuantile(here, 0.5) / ReferenceQuantile(there, 0.5) - 1,
            ReferenceQuantile(here, 0.99) / ReferenceQuantile(there, 0.99) - 1};
}

void
ReferenceCaseTestCase::DoRun()
{
    const std::string folder = CreateDataDirFilename("cases/" + m_name);
    Ptr<const DcnScenario> scenario = DcnReadScenario(folder, 1, "time_grain_ns=1");
    ReadReference(folder + "/fct.csv");
    NS_TEST_ASSERT_MSG_EQ(m_reference.size(), scenario->GetFlows().size(), "flows of the case");

    std::vector<double> means;
    std::vector<double> medians;
    std::vector<double> p99s;
    for (uint32_t seed = std::min(1U, m_nSeeds); seed <= m_nSeeds; ++seed)
    {
        const ReferenceLimits found = Compare(scenario, seed);
        means.push_back(found.mean);
        medians.push_back(found.median);
        p99s.push_back(found.p99);
    }
    if (m_name[0] != 'a')
    {
        const bool many = m_name[0] == 'e' || m_name[0] == 'f';
        const ReferenceLimits limits =
            many ? ReferenceLimits{0.02, 0.03, 0.08} : ReferenceLimits{0.05, 0.10, 0.12};
        NS_TEST_EXPECT_MSG_EQ_TOL(DcnMean(means), 0, limits.mean, "mean slowdown");
        NS_TEST_EXPECT_MSG_EQ_TOL(DcnMean(medians), 0, limits.median, "median slowdown");
        NS_TEST_EXPECT_MSG_EQ_TOL(DcnMean(p99s), 0, limits.p99, "99th percentile of the slowdown");
    }
}

/// Every case with its own seed; those with 2000 flows take their time.
class DcnPacketReferenceTestSuite : public TestSuite
{
  public:
    DcnPacketReferenceTestSuite()
        : TestSuite("dcn-packet-reference", Type::UNIT)
    {
        const auto extensive = DCN_TEST_EXTENSIVE(DcnPacketReferenceTestSuite);
        for (const std::string cc : {"dctcp", "dcqcn", "timely", "hpcc"})
        {
            for (const std::string hops : {"h2", "h4", "h6"})
            {
                AddTestCase(new ReferenceCaseTestCase("a_" + cc + "_m3_" + hops));
            }
            for (const std::string flows :
                 {"n02_mix", "n02_stag", "n02_sync", "n08_mix", "n08_stag", "n08_sync"})
            {
                AddTestCase(new ReferenceCaseTestCase("b_" + cc + "_m3_" + flows));
            }
            for (const std::string incast :
                 {"m3_n08_64k_jit", "m3_n08_64k_sync", "m3_n16_64k_jit", "m3_n16_64k_sync"})
            {
                AddTestCase(new ReferenceCaseTestCase("c_" + cc + "_" + incast));
            }
            AddTestCase(new ReferenceCaseTestCase("c_" + cc + "_smallbuf_n16_512k_jit"));
            AddTestCase(new ReferenceCaseTestCase("d_" + cc + "_m3_long4"));
            AddTestCase(new ReferenceCaseTestCase("d_" + cc + "_m3_poisson"));
            AddTestCase(new ReferenceCaseTestCase("e_" + cc + "_m3_load30_s1"), extensive);
            AddTestCase(new ReferenceCaseTestCase("e_" + cc + "_m3_load50_s1"), extensive);
            AddTestCase(new ReferenceCaseTestCase("f_" + cc + "_m3_ls_ws_s1"), extensive);
        }
    }
};

DcnPacketReferenceTestSuite g_dcnPacketReferenceTestSuite; //!< the suite

/// The cases of few flows with random marking, in the mean over 20 draws of it.
class DcnPacketReferenceMarkingTestSuite : public TestSuite
{
  public:
    DcnPacketReferenceMarkingTestSuite()
        : TestSuite("dcn-packet-reference-marking", Type::UNIT)
    {
        constexpr uint32_t SEEDS = 20;
        for (const std::string name : {"b_dcqcn_m3_n02_mix",
                                       "b_dcqcn_m3_n02_stag",
                                       "b_dcqcn_m3_n02_sync",
                                       "b_dcqcn_m3_n08_mix",
                                       "b_dcqcn_m3_n08_stag",
                                       "b_dcqcn_m3_n08_sync",
                                       "c_dcqcn_m3_n08_64k_jit",
                                       "c_dcqcn_m3_n08_64k_sync",
                                       "c_dcqcn_m3_n16_64k_jit",
                                       "c_dcqcn_m3_n16_64k_sync",
                                       "c_dcqcn_smallbuf_n16_512k_jit",
                                       "d_dcqcn_m3_long4",
                                       "d_dcqcn_m3_poisson"})
        {
            AddTestCase(new ReferenceCaseTestCase(name, SEEDS));
        }
    }
};

/// the suite
DcnPacketReferenceMarkingTestSuite g_dcnPacketReferenceMarkingTestSuite;

} // namespace
