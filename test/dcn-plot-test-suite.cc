/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-optional.h"
#include "dcn-test-output.h"
#include "dcn-test-texts.h"

#include "ns3/dcn-plot.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

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
    plot.AddWeighted("truth", {{2, 1}, {4, 3}}, true);
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

/// The abscissa has labels enough to read a curve: at equal steps where values are near each other,
/// else at 1, 2 and 5 times powers of ten.
DCN_TEST_CASE(AxisTestCase, "the abscissa of distribution functions has labels")
{
    const auto getScript = [this](const std::vector<double>& values) {
        const std::string base = CreateTempDirFilename("axis");
        DcnCdfPlot plot("A title", "a quantity");
        plot.Add("curve", values);
        plot.Write(base);
        return DcnReadTestFile(base + ".plt");
    };
    const auto has = [](const std::string& script, const std::string& line) {
        return script.find(line) != std::string::npos;
    };
    std::string script = getScript({1, 1.3, 2.9});
    NS_TEST_EXPECT_MSG_EQ(has(script, "set xrange [1:3]"), true, script);
    NS_TEST_EXPECT_MSG_EQ(
        has(script, "set xtics (\"1\" 1, \"1.5\" 1.5, \"2\" 2, \"2.5\" 2.5, \"3\" 3)"),
        true,
        script);
    script = getScript({1, 1.004, 1.02});
    NS_TEST_EXPECT_MSG_EQ(has(script, "set xrange [1:1.02]"), true, script);
    script = getScript({7});
    NS_TEST_EXPECT_MSG_EQ(has(script, "set xrange [7:7.1]"), true, script);
    script = getScript({1, 9});
    NS_TEST_EXPECT_MSG_EQ(has(script, "set xtics (\"1\" 1, \"2\" 2, \"5\" 5, \"10\" 10)"),
                          true,
                          script);
}

/// Where gnuplot is there, it makes the picture.
DCN_TEST_CASE(PictureTestCase, "gnuplot makes a picture")
{
    const std::string base = CreateTempDirFilename("cdf");
    DcnWriteTestFile(base + ".png", "old");
    NS_TEST_ASSERT_MSG_EQ(WriteCurves(base), true, "gnuplot runs");
    NS_TEST_EXPECT_MSG_GT(std::filesystem::file_size(base + ".png"), 1000, "a new picture");
    NS_TEST_EXPECT_MSG_NE(DcnReadTestFile(base + ".svg").find("<svg"),
                          std::string::npos,
                          "for print");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(base + ".svg.plt"), false, "one script");
    // the script names no folder
    const std::string script = DcnReadTestFile(base + ".plt");
    NS_TEST_EXPECT_MSG_NE(script.find("set output \"cdf.png\""), std::string::npos, script);
}

/// Bars: categories and series in the order in which they come; the ground truth is black.
DCN_TEST_CASE(BarPlotTestCase, "bars by category and series")
{
    const std::string base = CreateTempDirFilename("bars");
    DcnBarPlot plot("A title", "a quantity");
    NS_TEST_EXPECT_MSG_EQ(plot.Write(base), false, "no bars, no picture");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(base + ".plt"), false, "nor a script");
    plot.Add("a", "packet", 3);
    plot.Add("b", "packet", 4);
    plot.Add("b", "m3", 5);
    plot.Write(base);
    const std::string script = DcnReadTestFile(base + ".plt");
    NS_TEST_EXPECT_MSG_NE(script.find("(\"a\" 0, \"b\" 1)"), std::string::npos, script);
    const std::size_t truth = script.find("title \"packet\"");
    const std::size_t other = script.find("title \"m3\"");
    NS_TEST_EXPECT_MSG_EQ((truth < other && other != std::string::npos), true, script);
    NS_TEST_EXPECT_MSG_EQ((script.find("lc rgb \"black\"") < other), true, "the ground truth");
    DcnBarPlot stack("A title", "a quantity");
    stack.SetStacked();
    stack.Add("a", "first", 3);
    stack.Add("a", "second", 4);
    stack.Add("b", "second", 2);
    stack.Add("b", "first", 1);
    stack.Write(base);
    const std::string stacked = DcnReadTestFile(base + ".plt");
    for (const char* bar : {"from -0.2,0 to 0.2,3 ", // the first series at the bottom
                            "from -0.2,3 to 0.2,7 ",
                            "from 0.8,0 to 1.2,1 ",
                            "from 0.8,1 to 1.2,3 ",
                            "set yrange [0:7.7]"})
    {
        NS_TEST_EXPECT_MSG_NE(stacked.find(bar), std::string::npos, bar << " in " << stacked);
    }
    plot.Add("45 %", "m3", 6);
    plot.Write(base);
    NS_TEST_EXPECT_MSG_NE(DcnReadTestFile(base + ".plt").find("\"45 %%\" 2)"),
                          std::string::npos,
                          "gnuplot takes a percent sign alone for a format, and refuses the script");
}

/// A text between double quotes ends nothing there, and gnuplot reads the same text from it.
DCN_TEST_CASE(TextTestCase, "texts for gnuplot")
{
    NS_TEST_EXPECT_MSG_EQ(DcnPlotText("web-search, load 50 %"), "web-search, load 50 %", "plain");
    NS_TEST_EXPECT_MSG_EQ(DcnPlotText("a`b\"c\\d"), "a\\140b\\042c\\134d", "by numbers");
    for (const std::string& text : DcnHostileTexts())
    {
        const std::string safe = DcnPlotText(text);
        NS_TEST_EXPECT_MSG_EQ(safe.find_first_of("`\"\n\r"), std::string::npos, safe);
        std::string shown; // as gnuplot reads numbers of characters
        for (std::size_t i = 0; i < safe.size(); ++i)
        {
            const bool isNumber = safe[i] == '\\';
            shown += isNumber ? static_cast<char>(std::stoi(safe.substr(i + 1, 3), nullptr, 8))
                              : safe[i];
            i += isNumber ? 3 : 0;
        }
        std::string visible = text;
        for (char& each : visible)
        {
            each = std::iscntrl(static_cast<unsigned char>(each)) ? ' ' : each;
        }
        NS_TEST_EXPECT_MSG_EQ(shown, visible, "the same text");
    }
}

/**
 * No text of a plot is a command for gnuplot, for the shell that it starts, or for a browser:
 * titles, axes, names of curves, categories and series, and names of files.
 */
DCN_TEST_CASE(HostilePictureTestCase, "texts that look like commands are shown in pictures")
{
    const std::string folder = CreateTempDirFilename("texts");
    std::filesystem::create_directories(folder);
    const std::vector<std::string> texts = DcnHostileTexts();
    static constexpr std::size_t TOGETHER = 24; // texts of a picture
    for (std::size_t first = 0; first < texts.size(); first += TOGETHER)
    {
        DcnBarPlot bars(texts[first], texts[(first + 1) % texts.size()]);
        DcnCdfPlot curves(texts[first], texts[(first + 1) % texts.size()]);
        for (std::size_t i = first; i < std::min(first + TOGETHER, texts.size()); ++i)
        {
            bars.Add(texts[i], texts[i], 1);
            curves.Add(texts[i], {1, 2, 3});
        }
        const std::string base = folder + "/a`touch executed`\"b" + std::to_string(first);
        NS_TEST_EXPECT_MSG_EQ(bars.Write(base + "-bars"), true, texts[first]);
        NS_TEST_EXPECT_MSG_EQ(curves.Write(base), true, texts[first]);
        NS_TEST_EXPECT_MSG_EQ(
            DcnWritePanels(texts[first], {curves.Make(), curves.Make()}, base + "-panels"),
            true,
            texts[first]);
        for (const char* const name : {"", "-bars", "-panels"})
        {
            const std::string svg = DcnReadTestFile(base + name + ".svg");
            NS_TEST_EXPECT_MSG_NE(svg.find("</svg>"), std::string::npos, "whole");
            NS_TEST_EXPECT_MSG_EQ(svg.find("<script"), std::string::npos, texts[first]);
            NS_TEST_EXPECT_MSG_EQ(svg.find("</svg><"), std::string::npos, texts[first]);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/executed"), false, "no command runs");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists("executed"), false, "no command runs");
}

DcnTestSuite g_dcnPlotTestSuite(
    "dcn-plot",
    {new CdfPlotTestCase, new AxisTestCase, new BarPlotTestCase, new TextTestCase},
    DcnTestsIf(HasProgram("gnuplot"),
               DCN_NEED_GNUPLOT,
               {new PictureTestCase, new HostilePictureTestCase})); //!< the suite

} // namespace
