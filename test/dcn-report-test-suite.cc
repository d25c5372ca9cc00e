/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"
#include "dcn-test-texts.h"

#include "ns3/dcn-report.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return how often a text is in another one
std::size_t
Count(const std::string& text, const std::string& part)
{
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
        ++n;
    }
    return n;
}

/// A page has what was added, in order, escaped; it loads nothing.
DCN_TEST_CASE(PageTestCase, "a page of results")
{
    const std::string folder = CreateTempDirFilename("report");
    std::filesystem::create_directories(folder);
    DcnWriteTestFile(folder + "/t.csv", "a,b\n1,\"x, y\"\n2,<z>\n");
    DcnWriteTestFile(folder + "/p.svg",
                     "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg width=\"9\"><g/></svg>\n");
    DcnReport report("Errors < 5 % & \"more\"");
    report.AddHeading("Results");
    report.AddText("first line\nsecond <line>");
    report.AddTable({"method", "error"}, {{"m4", "-3.1 %"}, {"a < b", "-"}, {"x", "4.2x"}});
    report.AddCsv(folder + "/t.csv", "a table");
    NS_TEST_EXPECT_MSG_EQ(report.AddFigure(folder + "/p.svg", "a picture"), true, "");
    NS_TEST_EXPECT_MSG_EQ(report.AddFigure(folder + "/q.svg", "no picture"), false, "none there");
    DcnEstimate estimate;
    estimate.method = "m4";
    estimate.fctNs = {5, 6};
    estimate.provenance = "a model";
    estimate.warnings = {"x is 6"};
    report.AddAnswer(estimate);
    report.AddOrigin("dcn-compare --out=\"a b\"");
    report.Write(folder + "/report.html");
    const std::string page = DcnReadTestFile(folder + "/report.html");

    NS_TEST_EXPECT_MSG_EQ(page.find("<!DOCTYPE html>"), 0, "HTML");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "Errors &lt; 5 % &amp; &quot;more&quot;"), 2, "title, head");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "second &lt;line&gt;"), 1, "text");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "<td class=\"number\">-3.1 %</td>"), 1, "a number");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "<td class=\"number\">4.2x</td>"), 1, "a ratio");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "<td class=\"number\">-</td>"), 1, "not known");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "<th class=\"number\">error</th>"), 1, "its column");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "<td>x, y</td>"), 1, "a quoted cell");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "<svg width=\"9\"><g/></svg>"), 1, "the picture");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "<?xml") + Count(page, "no picture"),
                          0,
                          "nothing else of it");
    NS_TEST_EXPECT_MSG_EQ(Count(page, "Warning: outside of the training in 1 quantity: x is 6"),
                          1,
                          "warning");
    for (const char* tag :
         {"table", "details", "figure", "h1", "h2", "p", "script", "style", "html"})
    {
        const std::string name = tag;
        const std::size_t open = Count(page, "<" + name + ">") + Count(page, "<" + name + " ");
        NS_TEST_EXPECT_MSG_EQ(open, Count(page, "</" + name + ">"), "closed: " << name);
        NS_TEST_EXPECT_MSG_GT(open, 0, "there is " << name);
    }
    // nothing is loaded from elsewhere
    NS_TEST_EXPECT_MSG_EQ(Count(page, "http") + Count(page, "src=") + Count(page, "href="), 0, "");
    DCN_TEST_EXPECT_ERROR(report.AddCsv(folder + "/none.csv", ""),
                          folder + "/none.csv: the table for the report cannot be read");
}

/// No text that is added to a page, by whatever way, has markup of its own.
DCN_TEST_CASE(MarkupTestCase, "texts that look like markup")
{
    const std::string folder = CreateTempDirFilename("report");
    std::filesystem::create_directories(folder);
    const auto count = [&folder](const DcnReport& report) {
        report.Write(folder + "/report.html");
        const std::string page = DcnReadTestFile(folder + "/report.html");
        return Count(page, "<") + Count(page, ">");
    };
    const auto make = [&folder](const std::string& text) {
        DcnReport report(text);
        report.AddHeading(text);
        report.AddText(text);
        report.AddOrigin(text);
        report.AddTable({text, "b"}, {{text, text}});
        std::string cell = text; // of one line, without quotes, as programs write tables
        std::replace_if(
            cell.begin(),
            cell.end(),
            [](char each) { return each == ',' || each == '"' || each == '\n'; },
            ' ');
        DcnWriteTestFile(folder + "/t.csv", cell + "\n" + cell + "\n");
        report.AddCsv(folder + "/t.csv", text);
        DcnWriteTestFile(folder + "/p.svg", "<svg></svg>");
        report.AddFigure(folder + "/p.svg", text);
        DcnEstimate estimate;
        estimate.method = estimate.provenance = estimate.answeredBy = text;
        estimate.notes = estimate.warnings = {text};
        estimate.fctNs = {1};
        report.AddAnswer(estimate);
        return report;
    };
    const std::size_t plain = count(make("plain"));
    for (const std::string& text : DcnHostileTexts())
    {
        NS_TEST_EXPECT_MSG_EQ(count(make(text)), plain, "tags as with a plain text: " << text);
    }
}

DcnTestSuite<PageTestCase, MarkupTestCase> g_dcnReportTestSuite("dcn-report"); //!< the suite

} // namespace
