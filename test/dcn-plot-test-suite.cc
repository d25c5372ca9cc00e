/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/dcn-plot.h"
#include "ns3/test.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/**
 * A plot of distribution functions is a script with a curve per Add that has values, and a picture
 * exactly if the call says so; a picture of an earlier run does not survive.
 */
class CdfPlotTestCase : public TestCase
{
  public:
    CdfPlotTestCase()
        : TestCase("distribution functions are plotted")
    {
    }

  private:
    void DoRun() override
    {
        const std::string base = CreateTempDirFilename("cdf");
        std::ofstream(base + ".png") << "old";
        DcnCdfPlot plot("A title", "a quantity");
        plot.Add("first", {3, 1, 2});
        plot.Add("nothing", {});
        const bool picture = plot.Write(base);
        std::ostringstream script;
        script << std::ifstream(base + ".plt").rdbuf();
        NS_TEST_EXPECT_MSG_EQ((script.str().find("first") != std::string::npos), true, "a curve");
        NS_TEST_EXPECT_MSG_EQ((script.str().find("nothing") == std::string::npos),
                              true,
                              "no curve of no values");
        NS_TEST_EXPECT_MSG_EQ((script.str().find("a quantity") != std::string::npos),
                              true,
                              "the abscissa");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(base + ".png"), picture, "the picture");
        if (picture)
        {
            NS_TEST_EXPECT_MSG_GT(std::filesystem::file_size(base + ".png"), 1000, "a new one");
        }
    }
};

/// The suite.
class DcnPlotTestSuite : public TestSuite
{
  public:
    DcnPlotTestSuite()
        : TestSuite("dcn-plot", Type::UNIT)
    {
        AddTestCase(new CdfPlotTestCase);
    }
};

DcnPlotTestSuite g_dcnPlotTestSuite; //!< the suite

} // namespace
