/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/dcn-csv.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * The packet engine gives the completion times of the reference simulator.
 *
 * With x the slowdowns of a case here and r those of the reference:
 * - one flow at a time: every completion time within 0.3 %;
 * - few flows: mean, median and 99th percentile of x / those of r - 1 within 5, 10 and 12 %, the
 *   spread that exchanging the order of simultaneous events brings.
 */
class ReferenceCaseTestCase : public TestCase
{
  public:
    /**
     * @param name folder of the case
     */
    explicit ReferenceCaseTestCase(const std::string& name)
        : TestCase("reference case " + name),
          m_name(name)
    {
        SetDataDir(NS_TEST_SOURCEDIR);
    }

  private:
    void DoRun() override;

    std::string m_name; //!< folder of the case
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
ReferenceCaseTestCase::DoRun()
{
    const std::string folder = CreateDataDirFilename("cases/" + m_name);
    Ptr<const DcnScenario> scenario = DcnReadScenario(folder);
    const DcnEstimate estimate = DcnEstimator::CreateByName("packet")->Estimate(scenario);
    Simulator::Destroy();

    std::map<uint64_t, std::pair<double, double>> reference; // completion and ideal time by flow
    DcnCsvReader csv(folder + "/fct.csv", {"flow_id", "fct_ns", "ideal_ns"});
    while (csv.FetchRow())
    {
        reference[csv.GetUint(0)] = {csv.GetDouble(1), csv.GetDouble(2)};
    }
    NS_TEST_ASSERT_MSG_EQ(reference.size(), scenario->GetFlows().size(), "flows of the case");
    std::vector<double> here;
    std::vector<double> there;
    for (std::size_t i = 0; i < estimate.fctNs.size(); ++i)
    {
        const auto [fct, ideal] = reference.at(scenario->GetFlows()[i].id);
        NS_TEST_ASSERT_MSG_NE(estimate.fctNs[i], DcnEstimate::UNFINISHED, "every flow finishes");
        NS_TEST_EXPECT_MSG_EQ(scenario->GetIdealFct(i).GetTotalNs(), ideal, "ideal FCT");
        here.push_back(static_cast<double>(estimate.fctNs[i]) / ideal);
        there.push_back(fct / ideal);
        if (m_name[0] == 'a')
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(here.back() / there.back(), 1, 0.003, "single flow");
        }
    }
    if (m_name[0] != 'a')
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(DcnMean(here) / DcnMean(there), 1, 0.05, "mean slowdown");
        NS_TEST_EXPECT_MSG_EQ_TOL(ReferenceQuantile(here, 0.5) / ReferenceQuantile(there, 0.5),
                                  1,
                                  0.10,
                                  "median slowdown");
        NS_TEST_EXPECT_MSG_EQ_TOL(ReferenceQuantile(here, 0.99) / ReferenceQuantile(there, 0.99),
                                  1,
                                  0.12,
                                  "99th percentile of the slowdown");
    }
}

/// The suite.
class DcnPacketReferenceTestSuite : public TestSuite
{
  public:
    DcnPacketReferenceTestSuite()
        : TestSuite("dcn-packet-reference", Type::UNIT)
    {
        for (const std::string cc : {"dctcp", "dcqcn", "timely", "hpcc"})
        {
            for (const std::string hops : {"h2", "h4", "h6"})
            {
                AddTestCase(new ReferenceCaseTestCase("a_" + cc + "_m3_" + hops));
            }
            AddTestCase(new ReferenceCaseTestCase("c_" + cc + "_m3_n08_64k_sync"));
            AddTestCase(new ReferenceCaseTestCase("c_" + cc + "_smallbuf_n16_512k_jit"));
            AddTestCase(new ReferenceCaseTestCase("d_" + cc + "_m3_poisson"));
        }
    }
};

DcnPacketReferenceTestSuite g_dcnPacketReferenceTestSuite; //!< the suite

} // namespace
