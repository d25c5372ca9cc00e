/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/validation/dcn-validation-table.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/boolean.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-result-store.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-validation-runner.h"
#include "ns3/double.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A method with a known answer: every flow takes Factor times its ideal completion time.
class FactorEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DcnValidationTestFactorEstimator")
                                .SetParent<DcnEstimator>()
                                .SetGroupName("Dcn")
                                .AddConstructor<FactorEstimator>()
                                .AddAttribute("Factor",
                                              "Slowdown of flows.",
                                              DoubleValue(2),
                                              MakeDoubleAccessor(&FactorEstimator::m_factor),
                                              MakeDoubleChecker<double>(1))
                                .AddAttribute("Elsewhere",
                                              "Processor time of a process that it starts [s].",
                                              DoubleValue(0),
                                              MakeDoubleAccessor(&FactorEstimator::m_elsewhere),
                                              MakeDoubleChecker<double>(0))
                                .AddAttribute("By",
                                              "What it says that answered, if not itself.",
                                              StringValue(""),
                                              MakeStringAccessor(&FactorEstimator::m_by),
                                              MakeStringChecker())
                                .AddAttribute("Fail",
                                              "Refuse every scenario.",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&FactorEstimator::m_fail),
                                              MakeBooleanChecker())
                                .AddAttribute("Margin",
                                              "Upper factor of its limits of the p99; 0: none.",
                                              DoubleValue(0),
                                              MakeDoubleAccessor(&FactorEstimator::m_margin),
                                              MakeDoubleChecker<double>(0));
        return tid;
    }

    std::string GetName() const override
    {
        return "test-factor";
    }

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override
    {
        if (m_fail)
        {
            DcnFail("this is too much");
        }
        estimate.answeredBy = m_by;
        estimate.provenance = "factor " + std::to_string(m_factor) + ", exactly";
        estimate.jobs = 2;
        if (m_margin > 0)
        {
            estimate.margins = {{"all", 0.9, m_margin, 48}};
        }
        if (m_elsewhere > 0)
        {
            DcnComputeInProcesses(1, 1, [this](uint64_t) {
                const std::clock_t begin = std::clock();
                while (static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < m_elsewhere)
                {
                }
                return std::string();
            });
        }
        for (std::size_t i = 0; i < estimate.fctNs.size(); ++i)
        {
            // a tenth more for each of ten kinds of flows, by which the answer has a distribution;
            // the number is the flow's id, which a repetition keeps while the order may change
            const auto kind = static_cast<double>(scenario->GetFlows()[i].id % 10);
            estimate.fctNs[i] =
                std::llround(m_factor * (1 + kind / 10) *
                             static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()));
        }
    }

    double m_factor{2};    //!< slowdown
    double m_elsewhere{0}; //!< see GetTypeId
    std::string m_by;      //!< see GetTypeId
    bool m_fail{false};    //!< refuse
    double m_margin{0};    //!< see GetTypeId
};

NS_OBJECT_ENSURE_REGISTERED(FactorEstimator);

DCN_TEST_CASE(SummaryTestCase, "summary of a table made by hand")
{
    // errors by load: 0.3: +1 %, 0.4: -5 %, 0.5: +10 %, 0.6: +30 %
    const double loads[] = {0.5, 0.3, 0.6, 0.4};
    const double errors[] = {0.1, 0.01, 0.3, -0.05};
    const double walls[] = {1, 2, 4, 1};
    const double cpus[] = {0.1, 0.2, 0.3, 1.4};
    std::vector<DcnValidationRow> rows;
    for (int i = 0; i < 4; ++i)
    {
        DcnValidationRow row;
        row.suite = "hand";
        row.scenario = i;
        row.oversubscription = i < 2 ? "1:1" : "2:1";
        row.matrix = "A";
        row.sizes = "hadoop";
        row.sigma = 1;
        row.congestionControl = "dctcp";
        row.timelyLowNs = std::numeric_limits<double>::quiet_NaN();
        row.maxLoad = loads[i];
        row.method = "m";
        row.sizeClass = "all";
        row.p99Error = errors[i];
        row.truthP99 = 2;
        if (i < 3) // the first two hold 2: limits belong to the interval; the last has none
        {
            row.p99Lower = i < 2 ? 2 : 2.1;
            row.p99Upper = 3;
        }
        row.wallSeconds = walls[i];
        row.truthWallSeconds = 4;
        row.cpuSeconds = cpus[i];
        row.truthCpuSeconds = i;
        rows.push_back(row);
    }
    rows.push_back(rows[0]);
    rows.back().sizeClass = ">1MB";
    // no flow in the class
    rows.back().p99 = rows.back().p99Error = std::numeric_limits<double>::quiet_NaN();
    const DcnValidationSummary summary(rows);
    auto find = [&summary](const std::string& group, const std::string& level) {
        for (const auto& row : summary.GetRows())
        {
            if (row.group == group && row.level == level)
            {
                return row;
            }
        }
        return DcnValidationSummary::Row{};
    };
    const auto all = find("all", "all");
    NS_TEST_EXPECT_MSG_EQ(all.n, 4, "scenarios");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.meanAbs, 0.46 / 4, 1e-12, "mean of the absolute errors");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.medianAbs, 0.075, 1e-12, "between 5 and 10 %");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.p90Abs, 0.1 + 0.7 * 0.2, 1e-12, "place 2.7 of 0 .. 3");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.maxAbs, 0.3, 1e-12, "largest");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.within10, 0.75, 1e-12, "10 % is within 10 %");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.mean, 0.36 / 4, 1e-12, "bias");
    NS_TEST_EXPECT_MSG_EQ(all.limited, 3, "answers with limits");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.covered, 2.0 / 3, 1e-12, "that hold the truth");
    NS_TEST_EXPECT_MSG_EQ(find("oversubscription", "2:1").limited, 1, "the third");
    NS_TEST_EXPECT_MSG_EQ(find("oversubscription", "2:1").covered, 0, "does not");
    // of 4^4 draws, fewer than 2.5 % have a mean below (3 x 0.01 + 0.05) / 4 or above 0.25
    NS_TEST_EXPECT_MSG_GT_OR_EQ(all.meanAbsLow, 0.02 - 1e-12, "lower limit");
    NS_TEST_EXPECT_MSG_LT(all.meanAbsLow, 0.06, "lower limit");
    NS_TEST_EXPECT_MSG_GT(all.meanAbsHigh, 0.17, "upper limit");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(all.meanAbsHigh, 0.25 + 1e-12, "upper limit");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(find("load_half", "low").meanAbsLow), true, "of two: none");
    NS_TEST_EXPECT_MSG_EQ(all.leftOut, 0, "scenarios that another method answered");
    // 4 + 4 + 4 + 4 over 1 + 2 + 4 + 1, where the mean of ratios would be 2.75
    NS_TEST_EXPECT_MSG_EQ_TOL(all.wallSpeedUp, 16.0 / 8, 1e-12, "ratio of sums");
    // 0 + 1 + 2 + 3 over 0.1 + 0.2 + 0.3 + 1.4, where the mean of ratios would be 3.45
    NS_TEST_EXPECT_MSG_EQ_TOL(all.cpuSpeedUp, 6.0 / 2, 1e-12, "ratio of sums");
    NS_TEST_EXPECT_MSG_EQ_TOL(find("load_half", "low").mean, -0.02, 1e-12, "0.3 and 0.4");
    NS_TEST_EXPECT_MSG_EQ_TOL(find("load_half", "high").mean, 0.2, 1e-12, "0.5 and 0.6");
    // floor(3 k / 4) of k = 0 .. 3: 0 0 1 2
    NS_TEST_EXPECT_MSG_EQ(find("load_third", "low").n, 2, "third");
    NS_TEST_EXPECT_MSG_EQ_TOL(find("load_third", "middle").mean, 0.1, 1e-12, "third");
    NS_TEST_EXPECT_MSG_EQ_TOL(find("load_third", "high").mean, 0.3, 1e-12, "third");
    NS_TEST_EXPECT_MSG_EQ_TOL(find("oversubscription", "1:1").mean, 0.055, 1e-12, "factor");
    NS_TEST_EXPECT_MSG_EQ_TOL(find("oversubscription", "2:1").mean, 0.125, 1e-12, "factor");
    NS_TEST_EXPECT_MSG_EQ(find("matrix", "A").n, 4, "factor");
    for (const auto& row : summary.GetRows())
    {
        NS_TEST_EXPECT_MSG_EQ(row.sizeClass, "all", "a class without errors has no row");
    }

    std::ostringstream first;
    std::ostringstream second;
    DcnValidationRow::Write(first, rows);
    const auto read = DcnValidationRow::Read(first.str(), "rows");
    NS_TEST_ASSERT_MSG_EQ(read.size(), rows.size(), "rows");
    DcnValidationRow::Write(second, read);
    NS_TEST_EXPECT_MSG_EQ(first.str(), second.str(), "read back");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(read[0].timelyLowNs), true, "nan");
    NS_TEST_EXPECT_MSG_EQ(read[2].p99Lower, 2.1, "limit");
    // rows of earlier stores, without the last two columns
    std::istringstream lines(first.str());
    std::string earlier;
    for (std::string line; std::getline(lines, line);)
    {
        line.erase(line.rfind(','));
        earlier += line.substr(0, line.rfind(',')) + '\n';
    }
    const auto old = DcnValidationRow::Read(earlier, "rows");
    NS_TEST_ASSERT_MSG_EQ(old.size(), rows.size(), "rows");
    NS_TEST_EXPECT_MSG_EQ(old[2].p99Error, 0.3, "all else is there");
    NS_TEST_EXPECT_MSG_EQ(old[2].HasLimits(), false, "no limits");
    std::string damaged = first.str();
    damaged.replace(damaged.find(",1:1,") + 1, 3, "a,b");
    DCN_TEST_EXPECT_ERROR(DcnValidationRow::Read(damaged, "rows"),
                          "rows: sigma must be a number, but it is \"hadoop\"");
    DCN_TEST_EXPECT_ERROR(DcnValidationRow::Read("suite\n", "rows"),
                          "rows: the rows have other columns than those of this version: suite");
    const std::string base = CreateTempDirFilename("box");
    summary.Plot(base);
    const std::string text = DcnReadTestFile(base + ".plt");
    NS_TEST_EXPECT_MSG_NE(text.find("lower half of loads"), std::string::npos, "boxes");
}

/**
 * @param summary a summary
 * @param method of the row
 * @param variant of the row
 * @param group of the row
 * @param level of the row
 * @return the row; of no scenario and left out ones if there is none
 */
DcnValidationSummary::Row
Find(const DcnValidationSummary& summary,
     const std::string& method,
     const std::string& variant,
     const std::string& group = "all",
     const std::string& level = "all")
{
    for (const auto& row : summary.GetRows())
    {
        if (row.method == method && row.answeredBy == variant && row.group == group &&
            row.level == level)
        {
            return row;
        }
    }
    return DcnValidationSummary::Row{};
}

/// What another method answered is counted, and in no mean; a variant has means of its own.
DCN_TEST_CASE(LeftOutTestCase, "answers of other methods are left out of the summary")
{
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    std::vector<DcnValidationRow> rows;
    // two of four by its own rules: errors +10 % and -30 %; the others by packets, at no error
    for (int i = 0; i < 4; ++i)
    {
        DcnValidationRow row;
        row.scenario = i;
        row.matrix = i < 2 ? "A" : "B";
        row.maxLoad = 0.1 * (i + 1);
        row.sizeClass = "all";
        row.p99 = 2;
        row.wallSeconds = row.cpuSeconds = i + 1;
        row.truthWallSeconds = row.truthCpuSeconds = 5;
        row.method = "ns3-path";
        row.p99Error = i == 0 ? 0.1 : i == 1 ? -0.3 : NONE;
        row.answeredBy = i < 2 ? "" : "packet";
        rows.push_back(row);
        row.method = "always"; // never by itself
        row.p99Error = NONE;
        row.answeredBy = "packet";
        rows.push_back(row);
        row.method = "mql"; // half of them by a variant, of errors 0.4 and not 0.2
        row.p99Error = i % 2 ? 0.4 : 0.2;
        row.answeredBy = i % 2 ? "mql:Correction=none" : "";
        rows.push_back(row);
    }
    const DcnValidationSummary summary(rows);
    const auto path = Find(summary, "ns3-path", "");
    NS_TEST_EXPECT_MSG_EQ(path.n, 2, "by its own rules");
    NS_TEST_EXPECT_MSG_EQ(path.leftOut, 2, "by packets");
    NS_TEST_EXPECT_MSG_EQ_TOL(path.meanAbs, 0.2, 1e-12, "not half of it by two zeros");
    NS_TEST_EXPECT_MSG_EQ_TOL(path.within10, 0.5, 1e-12, "one of two");
    NS_TEST_EXPECT_MSG_EQ_TOL(path.mean, -0.1, 1e-12, "bias");
    NS_TEST_EXPECT_MSG_EQ_TOL(path.cpuSpeedUp, 20.0 / 10, 1e-12, "left out ones cost, too");
    const auto low = Find(summary, "ns3-path", "", "load_half", "low");
    const auto high = Find(summary, "ns3-path", "", "load_half", "high");
    NS_TEST_EXPECT_MSG_EQ((low.n == 2 && low.leftOut == 0), true, "halves of all scenarios");
    NS_TEST_EXPECT_MSG_EQ((high.n == 0 && high.leftOut == 2), true, "halves of all scenarios");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(high.meanAbs), true, "no error is not 0");
    const auto always = Find(summary, "always", "");
    NS_TEST_EXPECT_MSG_EQ((always.n == 0 && always.leftOut == 4), true, "all left out");
    for (const double number :
         {always.meanAbs, always.maxAbs, always.within10, always.mean, always.p90Abs})
    {
        NS_TEST_EXPECT_MSG_EQ(std::isnan(number), true, "no error is not 0");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(Find(summary, "mql", "").meanAbs, 0.2, 1e-12, "by itself");
    NS_TEST_EXPECT_MSG_EQ_TOL(Find(summary, "mql", "mql:Correction=none").meanAbs,
                              0.4,
                              1e-12,
                              "the variant");
    // half of all scenarios, of loads 0.1 and 0.2, is low: two, one of them by the variant
    for (const std::string variant : {"", "mql:Correction=none"})
    {
        for (const std::string level : {"low", "high"})
        {
            NS_TEST_EXPECT_MSG_EQ(Find(summary, "mql", variant, "load_half", level).n,
                                  1,
                                  "halves of the method's scenarios: " << variant);
        }
        // floor(3 k / 4) of k = 0 .. 3: 0 0 1 2, and the variant has k = 1 and 3
        NS_TEST_EXPECT_MSG_EQ(Find(summary, "mql", variant, "load_third", "middle").n,
                              (variant.empty() ? 1 : 0),
                              "thirds of the method's scenarios: " << variant);
    }

    std::ostringstream table;
    summary.Print(table);
    std::istringstream lines(table.str());
    std::string found;
    for (std::string line; std::getline(lines, line);)
    {
        found = line.rfind("always ", 0) == 0 ? line : found;
    }
    NS_TEST_EXPECT_MSG_EQ(found.find("0.0"), std::string::npos, found);
    NS_TEST_EXPECT_MSG_NE(found.find("all        0        4        -"), std::string::npos, found);
    NS_TEST_EXPECT_MSG_NE(table.str().find("mql = mql:Correction=none"),
                          std::string::npos,
                          table.str());
    std::ostringstream csv;
    summary.Write(csv);
    NS_TEST_EXPECT_MSG_NE(csv.str().find("\nalways,,all,all,all,0,4,nan,nan,nan,nan,nan,nan,2,"),
                          std::string::npos,
                          csv.str());
    const std::string base = CreateTempDirFilename("box");
    summary.Plot(base);
    const std::string text = DcnReadTestFile(base + ".plt");
    NS_TEST_EXPECT_MSG_NE(text.find("always\\n4 left out"), std::string::npos, text);
}

/**
 * @param folder of the results
 * @param methods to run
 * @param jobs processes
 * @param last one past the last scenario
 * @return what to run
 */
DcnValidationRunner::Options
MakeOptions(const std::string& folder,
            const std::vector<std::string>& methods,
            uint32_t jobs,
            uint64_t last)
{
    DcnValidationRunner::Options options;
    options.folder = folder;
    options.truth = "test-factor";
    options.methods = methods;
    options.truthSeeds = 2;
    options.last = last;
    options.farm = jobs;
    return options;
}

/**
 * @param rows of a run
 * @return their text without the times, which are never the same
 */
std::string
GetText(std::vector<DcnValidationRow> rows)
{
    for (auto& row : rows)
    {
        row.wallSeconds = row.cpuSeconds = row.truthWallSeconds = row.truthCpuSeconds = 0;
    }
    std::ostringstream text;
    DcnValidationRow::Write(text, rows);
    return text.str();
}

/// Results are kept, completed, the same for any number of processes, and refused for other
/// options.
DCN_TEST_CASE(RunnerTestCase, "results are kept and do not depend on how they came about")
{
    const DcnScenarioSuite suite("smoke", 1, 20'000);
    const std::string a = CreateTempDirFilename("a");
    const std::string b = CreateTempDirFilename("b");
    const std::vector<std::string> methods{"test-factor:Factor=2.5", "test-factor:Factor=1"};
    DcnValidationRunner whole(suite, MakeOptions(a, methods, 3, 4));
    NS_TEST_EXPECT_MSG_EQ(whole.Run().computed, 4 * 4, "truth, repetition and two methods");
    NS_TEST_ASSERT_MSG_EQ(whole.GetRows().size(), 4 * 3 * 8, "rows");
    for (const auto& row : whole.GetRows())
    {
        const double expected = row.method == "test-factor:Factor=2.5" ? 0.25
                                : row.method == "test-factor:Factor=1" ? -0.5
                                                                       : 0;
        if (row.nClass > 0)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(row.p99Error, expected, 1e-3, row.method);
            NS_TEST_EXPECT_MSG_EQ_TOL(row.meanError, expected, 1e-3, row.method);
            NS_TEST_EXPECT_MSG_EQ_TOL(row.p90FlowError, std::abs(expected), 1e-3, row.method);
        }
        if (row.sizeClass == "all")
        {
            NS_TEST_EXPECT_MSG_EQ(row.nClass, row.nFlows, "all flows");
            NS_TEST_EXPECT_MSG_EQ_TOL(row.truthP99, 3.8, 1e-3, "2 (1 + 0.9)");
        }
    }
    // half of it, with a method less and in one process; then the rest
    DcnValidationRunner(suite, MakeOptions(b, {methods[1]}, 1, 2)).Run();
    DcnValidationRunner rest(suite, MakeOptions(b, methods, 2, 4));
    NS_TEST_EXPECT_MSG_EQ(rest.Run().computed, 2 * 4 + 2, "scenarios 2 and 3, and a method");
    NS_TEST_EXPECT_MSG_EQ(GetText(rest.GetRows()), GetText(whole.GetRows()), "the same");
    // what another method answered has no error; what it says of itself is kept
    auto other = MakeOptions(b, {"test-factor:Factor=2.2:By=packet"}, 1, 1);
    other.truthSeeds = 1;
    for (int twice = 0; twice < 2; ++twice)
    {
        DcnValidationRunner runner(suite, other);
        runner.Run();
        for (const auto& row : runner.GetRows())
        {
            NS_TEST_EXPECT_MSG_EQ(row.answeredBy, "packet", row.sizeClass);
            NS_TEST_EXPECT_MSG_EQ(row.provenance, "factor 2.200000; exactly", row.sizeClass);
            NS_TEST_EXPECT_MSG_EQ(row.jobs, 2, row.sizeClass);
            NS_TEST_EXPECT_MSG_EQ(row.IsLeftOut(), (row.nClass > 0), row.sizeClass);
            for (const double error :
                 {row.p99Error, row.meanError, row.meanFlowError, row.p90FlowError})
            {
                NS_TEST_EXPECT_MSG_EQ(std::isnan(error), true, row.sizeClass);
            }
        }
    }
    // limits: 1.7 (1 + 0.9) is 15 % below the truth, which 1.2 times as much holds, 1.1 does not
    for (const std::string margin : {"1.2", "1.1"})
    {
        const std::string name = "test-factor:Factor=1.7:Margin=" + margin;
        auto limited = MakeOptions(b, {name}, 1, 4);
        limited.truthSeeds = 1;
        int nLimited = 0;
        for (int twice = 0; twice < 2; ++twice) // computed, then from the store
        {
            DcnValidationRunner runner(suite, limited);
            runner.Run();
            for (const auto& row : runner.GetRows())
            {
                const bool has = row.sizeClass == "all" && row.nClass >= 100;
                NS_TEST_EXPECT_MSG_EQ(row.HasLimits(), has, row.sizeClass);
                nLimited += has ? 1 : 0;
                if (has)
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(row.p99Lower, 0.9 * row.p99, 1e-6, "lower");
                    NS_TEST_EXPECT_MSG_EQ((row.p99Upper > row.truthP99), (margin == "1.2"), margin);
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(nLimited, 0, "scenarios with enough flows");
    }
    // nothing to do: the same bytes, times included
    DcnValidationRunner again(suite, MakeOptions(a, methods, 1, 4));
    const auto report = again.Run();
    NS_TEST_EXPECT_MSG_EQ(report.computed, 0, "all is there");
    NS_TEST_EXPECT_MSG_EQ(report.kept, 4 * 4, "all is there");
    std::ostringstream first;
    std::ostringstream second;
    DcnValidationRow::Write(first, whole.GetRows());
    DcnValidationRow::Write(second, again.GetRows());
    NS_TEST_EXPECT_MSG_EQ(first.str(), second.str(), "the same");
    // the tables in the folder, and a line per scenario and method on the screen
    again.Write();
    const std::string written = DcnReadTestFile(a + "/validate.csv");
    NS_TEST_EXPECT_MSG_EQ(written, second.str(), "validate.csv");
    std::ostringstream lines;
    again.PrintScenarios(lines);
    const std::string text = lines.str();
    NS_TEST_EXPECT_MSG_EQ(std::count(text.begin(), text.end(), '\n'), 2 + 3 * 4, text);
    NS_TEST_EXPECT_MSG_NE(text.find("    +25.0"), std::string::npos, text);

    DCN_TEST_EXPECT_ERROR(
        DcnValidationRunner(DcnScenarioSuite("smoke", 2, 20'000), MakeOptions(a, methods, 1, 4)),
        a + "/results.db: the results are those of another experiment: seed is \"1\" there "
            "and \"2\" here; remove the file or name another one");
    DCN_TEST_EXPECT_ERROR(DcnValidationRunner(suite, MakeOptions(a, {"test-factor"}, 1, 4)),
                          "the method \"test-factor\" is named twice (the truth is test-factor)");
    const std::string missing = a + "/no-model";
    DCN_TEST_EXPECT_ERROR(
        DcnValidationRunner(suite, MakeOptions(a + "/new", {"m4:Model=" + missing}, 1, 4)),
        "the method \"m4:Model=" + missing + "\" needs " + missing + ", which does not exist");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(a + "/new"), false, "nothing was begun");
    DCN_TEST_EXPECT_ERROR(DcnValidationRunner(suite, MakeOptions(a, methods, 0, 4)),
                          "the number of jobs must be at least 1, but it is 0");
    DCN_TEST_EXPECT_ERROR(DcnValidationRunner(suite, MakeOptions(a, methods, 1, 0)),
                          "there is no scenario from number 0 to before 0");
    DCN_TEST_EXPECT_ERROR(
        DcnValidationRunner(suite, MakeOptions(a, {"test-factor:Fail=true"}, 1, 4)).Run(),
        "scenario 0, test-factor:Fail=true: this is too much");
    // folders of the release 0.1 did not say who answered
    const std::string old = CreateTempDirFilename("old");
    DcnMakeFolder(old);
    std::ofstream(old + "/options.csv") << "key,value\nformat_version,1\n";
    DCN_TEST_EXPECT_ERROR(DcnValidationRunner(suite, MakeOptions(old, methods, 1, 1)),
                          old + "/options.csv: this folder holds results of dcn 0.1, which are "
                                "no longer read: take another folder");
    // a truth whose times are not there
    const std::string lost = CreateTempDirFilename("lost");
    DcnValidationRunner(suite, MakeOptions(lost, {methods[0]}, 1, 1)).Run();
    DcnResultStore::Experiment experiment{{"truth", "test-factor"}};
    for (const auto& [key, value] : suite.GetOptions())
    {
        experiment[key] = value;
    }
    std::vector<DcnResultStore::Row> kept;
    DcnResultStore(lost + "/results.db", experiment)
        .Visit("rows", [&kept](const std::string& key, const std::string& value) {
            kept.emplace_back(key, value);
        });
    std::filesystem::remove(lost + "/results.db");
    DcnResultStore(lost + "/results.db", experiment).Add(kept);
    DCN_TEST_EXPECT_ERROR(
        DcnValidationRunner(suite, MakeOptions(lost, {"test-factor:Factor=3"}, 1, 1)).Run(),
        lost + "/results.db: scenario 0 has 0 completion times, but " +
            std::to_string(suite.GetNFlows(suite.Draw(0))) + " flows");
}

DCN_TEST_CASE(ProcessorTimeTestCase, "processor time of a method that works in processes")
{
    Ptr<const DcnScenario> scenario = DcnScenario::Create(DcnBuildTopology(DcnDumbbellParameters()),
                                                          DcnNetworkConfig::Preset("dctcp"),
                                                          {{0, 0, 4, 1000, 0}});
    const DcnEstimate estimate =
        DcnEstimator::CreateByName("test-factor:Elsewhere=0.05")->Estimate(scenario);
    NS_TEST_EXPECT_MSG_GT(estimate.cpuSeconds, 0.045, "0.05 s of it elsewhere");
    const DcnStopwatch stopwatch;
    DcnComputeInProcesses(2, 2, [](uint64_t) {
        // nor is a grandchild lost
        DcnComputeInProcesses(1, 1, [](uint64_t) {
            const std::clock_t begin = std::clock();
            while (static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 0.05)
            {
            }
            return std::string();
        });
        return std::string();
    });
    NS_TEST_EXPECT_MSG_GT(stopwatch.Get().cpuSeconds, 0.09, "twice 0.05 s");
}

DcnTestSuite<SummaryTestCase, LeftOutTestCase, RunnerTestCase, ProcessorTimeTestCase>
    g_dcnValidationTestSuite("dcn-validation"); //!< the suite

} // namespace
