/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../examples/programs/papers/paper-figure.h"
#include "../examples/programs/papers/paper-verdict.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-csv.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Kind = PaperVerdict::Kind;

constexpr double INF = std::numeric_limits<double>::infinity();

/// A published value of 10 with a tolerance of 10 %: G ends at 11 or 9, B at 9 or 11.
PaperValue
Make(PaperRelation relation, double tolerance = 0.1)
{
    return {"value", "%", 10, relation, tolerance};
}

/// A case of the rule: where the interval lies to G and B, and the verdict.
struct Case
{
    PaperMeasured ours;
    Kind kind;
};

/// Checks cases of a value.
class RuleTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /// Judges all cases.
    void Check(const PaperValue& value, const std::vector<Case>& cases)
    {
        for (const Case& each : cases)
        {
            NS_TEST_EXPECT_MSG_EQ(PaperVerdict::GetName(value.Judge(each.ours)),
                                  PaperVerdict::GetName(each.kind),
                                  value.GetRule()
                                      << ": " << each.ours.value << " (" << each.ours.low << " to "
                                      << each.ours.high << ")");
        }
    }
};

/// I in B: better; I in G: reproduced; I and G disjoint: worse; else undecided.
DCN_TEST_CASE_WITH(RuleTestCase, IntervalTestCase, "an interval on one side of the bar, or on both")
{
    const PaperValue error = Make(PaperRelation::AT_MOST);
    Check(error,
          {{{5, 4, 8.9}, Kind::BETTER},
           {{5, 4, 9}, Kind::REPRODUCED}, // 9 is not below p - d
           {{10, 9, 11}, Kind::REPRODUCED},
           {{10, 9, 11.1}, Kind::UNDECIDED},
           {{12, 8, 16}, Kind::UNDECIDED}, // reaches the published value, and is no evidence for it
           {{12, 11.1, 13}, Kind::WORSE}});
    // a gain of v is a cost of -v
    const PaperValue gain = Make(PaperRelation::AT_LEAST);
    Check(gain,
          {{{15, 11.1, 16}, Kind::BETTER},
           {{15, 11, 16}, Kind::REPRODUCED},
           {{10, 9, 11}, Kind::REPRODUCED},
           {{10, 8.9, 11}, Kind::UNDECIDED},
           {{8, 7, 8.9}, Kind::WORSE}});
    Check(Make(PaperRelation::NEAR),
          {{{10, 9, 11}, Kind::REPRODUCED},
           {{10, 8, 10}, Kind::UNDECIDED},
           {{10, 8, 12}, Kind::UNDECIDED},
           {{20, 11.1, 30}, Kind::WORSE},
           {{5, 4, 8.9}, Kind::WORSE}});
    // the wider the interval, the less it decides: never from undecided to reproduced
    for (double half = 0; half < 20; half += 0.5)
    {
        const Kind kind = error.Judge({12, 12 - half, 12 + half});
        const bool isOpen = kind == Kind::WORSE || kind == Kind::UNDECIDED;
        NS_TEST_EXPECT_MSG_EQ(isOpen, true, half);
    }
}

/// I = {v}: decided by v alone, and never better.
DCN_TEST_CASE_WITH(RuleTestCase, PointTestCase, "a value without an interval")
{
    Check(Make(PaperRelation::AT_MOST),
          {{{0.001}, Kind::REPRODUCED},
           {{11}, Kind::REPRODUCED},
           {{11.1}, Kind::WORSE},
           {{}, Kind::NOT_COMPUTABLE},
           {{5, 5, PaperMeasured::NONE}, Kind::REPRODUCED}});
    Check(Make(PaperRelation::AT_LEAST), {{{1000}, Kind::REPRODUCED}, {{8.9}, Kind::WORSE}});
    Check(Make(PaperRelation::SHOWN), {{{1000}, Kind::REPRODUCED}, {{}, Kind::REPRODUCED}});
}

/// The largest of n <= that of N > n: I = [v, inf).
DCN_TEST_CASE_WITH(RuleTestCase, ExtremeTestCase, "the largest of fewer draws than published")
{
    PaperValue largest = Make(PaperRelation::AT_MOST);
    largest.draws = 192;
    const double none = PaperMeasured::NONE;
    Check(largest,
          {{{1, none, none, 18}, Kind::UNDECIDED},
           {{1}, Kind::UNDECIDED},              // of an unknown number
           {{12, none, none, 18}, Kind::WORSE}, // further draws can only raise it
           {{1, none, none, 192}, Kind::REPRODUCED},
           {{1, none, none, 500}, Kind::REPRODUCED}});
    NS_TEST_EXPECT_MSG_EQ(largest.GetInterval({1, none, none, 18}).high, INF, "no upper end");
}

/// A cost of another machine: I = [l / 4, 4 u].
DCN_TEST_CASE_WITH(RuleTestCase, CostTestCase, "a cost on another machine")
{
    PaperValue cost = Make(PaperRelation::AT_MOST);
    cost.hardware = "128 cores";
    Check(cost,
          {{{2.2}, Kind::BETTER}, // 4 x 2.2 < 9
           {{2.3}, Kind::REPRODUCED},
           {{2.75}, Kind::REPRODUCED},
           {{2.8}, Kind::UNDECIDED},
           {{44}, Kind::UNDECIDED}, // 44 / 4 = 11
           {{44.1}, Kind::WORSE},
           {{2, 1, 3}, Kind::UNDECIDED}}); // 4 x 3 > 11
}

/// Words have no tolerance and are never better; above 0 has an upper side.
DCN_TEST_CASE_WITH(RuleTestCase, WordsTestCase, "what a paper states in words")
{
    PaperValue above{"value", "x", 0, PaperRelation::ABOVE, PaperValue::WORDS, 20};
    Check(above,
          {{{0.1, 0, 20}, Kind::REPRODUCED},
           {{0.1, -0.1, 1}, Kind::UNDECIDED},
           {{-1, -2, -0.1}, Kind::WORSE},
           {{30, 25, 35}, Kind::WORSE},
           {{30, 15, 35}, Kind::UNDECIDED}});
    NS_TEST_EXPECT_MSG_EQ(above.GetRule(), "0 to 20", "both ends");
    const PaperValue below{"value", "x", 2, PaperRelation::BELOW, PaperValue::WORDS};
    Check(below, {{{1, 0.9, 1.1}, Kind::REPRODUCED}, {{2.01}, Kind::WORSE}});
    NS_TEST_EXPECT_MSG_EQ(below.GetRule(), "<= 2", "no tolerance");
}

/// A figure has the worst verdict of its values, and decides nothing where it tells nothing apart.
DCN_TEST_CASE(FigureTestCase, "a figure, and a scale that does not tell a method from its baseline")
{
    PaperFigure figure;
    figure.name = "x-fig1";
    figure.compute = [](PaperRun&) { return PaperResult(); };
    figure.compare = "method | baseline";
    figure.reason = "the baseline has {baseline} %, {none} is unknown";
    figure.published = {{"method", "%", 10, PaperRelation::AT_MOST},
                        {"cost", "s", 10, PaperRelation::AT_MOST}};
    figure.published[1].hardware = "1 core";
    PaperResult result;
    result.values["method"] = {5, 4, 6};
    result.values["cost"] = {1};
    result.AddOther("baseline", "%", {7, 6.5, 8});
    NS_TEST_EXPECT_MSG_EQ(figure.Judge(result).GetName(), "better", "apart");
    result.others.clear();
    result.AddOther("baseline", "%", {7, 5.5, 8});
    const PaperVerdict alike = figure.Judge(result);
    NS_TEST_EXPECT_MSG_EQ(alike.GetName(), "undecided", "alike");
    NS_TEST_EXPECT_MSG_EQ(alike.reason,
                          "method: the scale does not tell method from baseline: the baseline has "
                          "7.00 %, - is unknown",
                          "why");
    const auto kinds = figure.JudgeRows(result);
    NS_TEST_EXPECT_MSG_EQ(PaperVerdict::GetName(kinds[1]), "better", "costs need no baseline");
    result.values["method"] = {12, 11.5, 13};
    result.values["cost"] = {};
    NS_TEST_EXPECT_MSG_EQ(figure.Judge(result).GetName(), "worse", "the worst of both");
    result.values["method"] = {5, 4, 5.1};
    NS_TEST_EXPECT_MSG_EQ(figure.Judge(result).GetName(), "not computable", "no cost");
    result.values.erase("cost");
    result.isStored = true;
    NS_TEST_EXPECT_MSG_EQ(figure.Judge(result).GetName(), "not run", "an earlier run had no cost");
    result.others.clear();
    NS_TEST_EXPECT_MSG_EQ(figure.Judge(result).GetName(), "undecided", "no baseline");
    DCN_TEST_EXPECT_ERROR(
        figure.CheckCompare(result),
        DcnDataPath("papers/figures.csv") +
            ": the key \"compare\" of x-fig1 names the row \"baseline\", which its "
            "result does not have");
    figure.compute = nullptr;
    NS_TEST_EXPECT_MSG_EQ(figure.Judge(result).GetName(), "not computable", "no computation");
}

DcnTestSuite<IntervalTestCase,
             PointTestCase,
             ExtremeTestCase,
             CostTestCase,
             WordsTestCase,
             FigureTestCase>
    g_dcnPaperVerdictTestSuite("dcn-paper-verdict"); //!< the suite

} // namespace
