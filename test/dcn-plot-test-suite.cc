/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-optional.h"
#include "dcn-test-output.h"

#include "ns3/dcn-plot.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/**
 * @param program name of a program
 * @return whether a folder of the search path has it
 */
bool
HasProgram(const std::string& program)
{
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
    {
        if (std::filesystem::exists(std::filesystem::path(folder) / program))
        {
            return true;
        }
    }
    return false;
}

/**
 * @param base names of the files, without their ends
 * @return whether a picture was made of a curve and of one without values
 */
bool
WriteCurves(const std::string& base)
{
    DcnCdfPlot plot("A title", "a quantity");
    plot.Add("first", {3, 1, 2});
    plot.Add("nothing", {});
    return plot.Write(base);
}

/**
 * A plot of distribution functions is a script with a curve per Add that has values, and a picture
 * exactly if the call says so; a picture of an earlier run does not survive.
 */
DCN_TEST_CASE(CdfPlotTestCase, "distribution functions are plotted")
{
    const std::string base = CreateTempDirFilename("cdf");
    DcnWriteTestFile(base + ".png", "old");
    const bool picture = WriteCurves(base);
    const std::string script = DcnReadTestFile(base + ".plt");
    NS_TEST_EXPECT_MSG_EQ((script.find("first") != std::string::npos), true, "a curve");
    NS_TEST_EXPECT_MSG_EQ((script.find("nothing") == std::string::npos),
                          true,
                          "no curve of no values");
    NS_TEST_EXPECT_MSG_EQ((script.find("a quantity") != std::string::npos), true, "the abscissa");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(base + ".png"), picture, "the picture");
}

/// Where gnuplot is there, it makes the picture.
DCN_TEST_CASE(PictureTestCase, "gnuplot makes a picture")
{
    const std::string base = CreateTempDirFilename("cdf");
    DcnWriteTestFile(base + ".png", "old");
    NS_TEST_ASSERT_MSG_EQ(WriteCurves(base), true, "gnuplot runs");
    NS_TEST_EXPECT_MSG_GT(std::filesystem::file_size(base + ".png"), 1000, "a new picture");
}

DcnTestSuite g_dcnPlotTestSuite("dcn-plot",
                                {new CdfPlotTestCase},
                                DcnTestsIf(HasProgram("gnuplot"),
                                           DCN_NEED_GNUPLOT,
                                           {new PictureTestCase})); //!< the suite

} // namespace
