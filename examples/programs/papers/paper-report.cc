/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-report.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace ns3
{

namespace
{

/// A row of a table of values.
struct Row
{
    std::string name;
    std::string unit;
    double published; //!< NaN: the paper has no such value
    PaperMeasured ours;
    std::string rule;   //!< PaperValue::GetRule
    std::string judged; //!< verdict of the row; empty: it is only shown
};

/// @return published values in their order, then the others
std::vector<Row>
GetRows(const PaperOutcome& outcome)
{
    std::vector<Row> rows;
    for (const PaperValue& value : outcome.figure.GetPublished())
    {
        const auto found = outcome.result.values.find(value.name);
        const PaperMeasured ours =
            found == outcome.result.values.end() ? PaperMeasured() : found->second;
        const PaperVerdict::Kind kind = outcome.verdict.kind == PaperVerdict::NOT_RUN
                                            ? PaperVerdict::NOT_RUN
                                            : PaperFigure::Judge(value, ours);
        rows.push_back({value.name,
                        value.unit,
                        value.published,
                        ours,
                        value.GetRule(),
                        value.IsJudged() ? PaperVerdict{kind, ""}.GetName() : ""});
    }
    for (const auto& [name, measured] : outcome.result.others)
    {
        rows.push_back({name.first, name.second, PaperMeasured::NONE, measured, "shown", ""});
    }
    return rows;
}

/// Marks of rows of our own that a table of the documentation has.
const std::string OWN_MARKS[] = {"noise floor", "published rules"};

/**
 * @param row a row without a published value
 * @param rows all rows of the figure
 * @return whether the table of the documentation has it: noise floors and published rules, and what
 * they are to be compared with, other methods' values of the same name but for the method
 */
bool
IsInTable(const Row& row, const std::vector<Row>& rows)
{
    for (const std::string& mark : OWN_MARKS)
    {
        if (row.name.find(mark) != std::string::npos)
        {
            return true;
        }
        for (const Row& other : rows)
        {
            const std::size_t at = other.name.find(mark);
            const std::string end =
                at == std::string::npos ? "" : other.name.substr(at + mark.size());
            if (!end.empty() && !std::isfinite(other.published) && other.unit == row.unit &&
                row.name.size() > end.size() &&
                row.name.compare(row.name.size() - end.size(), end.size(), end) == 0)
            {
                return true;
            }
        }
    }
    return false;
}

/// @return a number with three significant digits and no exponent; "-" for NaN
std::string
Format(double value)
{
    if (!std::isfinite(value))
    {
        return "-";
    }
    char text[48];
    const int digits =
        value == 0 ? 0 : std::max(0, 2 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
    std::snprintf(text, sizeof(text), "%.*f", std::min(digits, 6), value);
    return text;
}

/// @return a number with its interval
std::string
Format(const PaperMeasured& measured)
{
    std::string text = Format(measured.value);
    if (std::isfinite(measured.low) && std::isfinite(measured.high))
    {
        text += " (" + Format(measured.low) + " to " + Format(measured.high) + ")";
    }
    return text;
}

/// @return scale and departures of a figure in sentences
std::string
Describe(const PaperFigure& figure, const std::string& scale)
{
    std::string text;
    if (figure.IsComputed())
    {
        text = "Scale " + scale + ": " +
               (scale == "full" ? figure.GetFull() : figure.GetSmall()) + ". ";
        text += figure.GetDepartures().empty() ? "" : figure.GetDepartures() + " ";
        text += "Small scale: " + DcnToText(figure.GetSmallSeconds()) +
                " s of processor time. Full scale: " + figure.GetFull() +
                (figure.GetCosts().empty() ? "" : "; " + figure.GetCosts()) + ".";
    }
    return text;
}

/// @return the verdict with its reason
std::string
Describe(const PaperVerdict& verdict)
{
    return verdict.GetName() + (verdict.reason.empty() ? "" : ": " + verdict.reason);
}

/// @return rows as cells
std::vector<std::vector<std::string>>
MakeCells(const PaperOutcome& outcome)
{
    std::vector<std::vector<std::string>> cells;
    for (const Row& row : GetRows(outcome))
    {
        cells.push_back({row.name,
                         row.unit,
                         Format(row.published),
                         Format(row.ours.value),
                         Format(row.ours.low),
                         Format(row.ours.high),
                         row.rule,
                         row.judged});
    }
    return cells;
}

const std::vector<std::string>
    HEAD{"value", "unit", "published", "ours", "low", "high", "rule", "verdict"};

/// Adds a figure to a page.
void
AddFigure(DcnReport& page,
          const PaperOutcome& outcome,
          const PaperOrigin& origin,
          const std::string& folder)
{
    const PaperFigure& figure = outcome.figure;
    page.AddHeading(figure.GetName() + ": " + figure.GetTitle());
    page.AddText(PaperCite(figure.GetPaper()) + ": " + figure.GetPlace() +
                 ".\nCommand, in the root of the repository: ./dcn run dcn-paper " +
                 figure.GetName() + " --scale=" + origin.scale +
                 " --out=DIR\nVerdict: " + Describe(outcome.verdict));
    page.AddTable(HEAD, MakeCells(outcome));
    for (const PaperPicture& picture : outcome.result.pictures)
    {
        page.AddFigure(folder + "/" + picture.name + ".svg", picture.caption);
    }
    page.AddText(Describe(figure, origin.scale) +
                 (outcome.result.note.empty() ? "" : " " + outcome.result.note));
}

/// @return text for reStructuredText: no markup in it
std::string
Plain(const std::string& text)
{
    std::string plain;
    for (const char each : text)
    {
        if (each == '*' || each == '`' || each == '|' || each == '_')
        {
            plain += '\\';
        }
        plain += each;
    }
    return plain;
}

constexpr std::size_t LINE = 99; //!< columns of a line of a document

/// Writes text in lines: the first after `first`, the others after `next`.
void
Wrap(std::ostream& out, const std::string& first, const std::string& next, const std::string& text)
{
    std::string line = first;
    bool isEmpty = true;
    for (const std::string& word : DcnSplit(text, ' '))
    {
        if (word.empty())
        {
            continue;
        }
        if (!isEmpty && line.size() + 1 + word.size() > LINE)
        {
            out << line << '\n';
            line = next;
            isEmpty = true;
        }
        line += (isEmpty ? "" : " ") + word;
        isEmpty = false;
    }
    out << line << '\n';
}

/// Writes a figure as a row of a list-table.
void
WriteRow(std::ostream& out, const PaperOutcome& outcome)
{
    const PaperFigure& figure = outcome.figure;
    out << "   * - ``" << figure.GetName() << "``\n\n";
    Wrap(out,
         "       ",
         "       ",
         Plain(figure.GetPlace() + ": " + figure.GetTitle()));
    if (figure.IsComputed())
    {
        out << "\n       Small scale: " << figure.GetSmallSeconds() << " s.\n";
    }
    const std::string first = "     - ";
    const std::string next = "       ";
    bool isFirst = true;
    const std::vector<Row> rows = GetRows(outcome);
    for (const Row& row : rows)
    {
        const bool isOwn = !std::isfinite(row.published);
        if (isOwn && !IsInTable(row, rows))
        {
            continue;
        }
        const std::string unit = row.unit.empty() ? "" : " [" + row.unit + "]";
        const std::string published = isOwn ? "" : Format(row.published) + " -> ";
        const std::string ours = std::isfinite(row.ours.value) ? Format(row.ours) : "none";
        Wrap(out,
             (isFirst ? first : next) + "| ",
             next + "  ",
             Plain(row.name + unit + ": " + published + ours + "; " + row.rule +
                   (row.judged.empty() ? "" : ": " + row.judged)));
        isFirst = false;
    }
    if (isFirst)
    {
        out << first << '\n';
    }
    Wrap(out, first, next, Plain(Describe(outcome.verdict)));
}

/// The head of the page after its title: how to repeat a figure, how to read it, terms.
const char* const INTRODUCTION = R"(
How to repeat a figure
----------------------

Copy these commands into a shell in the root of the repository, with a name from the first column of
the tables in place of m3-fig10::

    ./dcn run dcn-paper --list m3-fig10                    # source, scale, cost, rules
    ./dcn run dcn-paper m3-fig10 --scale=small --out=DIR   # prints all rows

The small scale is the default; its seconds in the first column are processor time of one core, from
nothing. Figures of one experiment share results, so that the second one is quick. ``--scale=full``
takes minutes to hours (``--list``). ``DIR`` gets NAME.csv, and NAME.html with every row, pictures
and departures from the paper's set-up. Results stay in ``DIR/runs``: a later run takes them, and
names them in a line on standard error; with another ``DIR`` everything is computed anew. All
numbers but times and speed-ups are then the same.

How to read a row
-----------------

A row is ``value [unit]: published -> ours (interval); rule: verdict of the row``.

- ``<= 10.89``, ``>= 0.9``, ``within 30 %``: a judged row, and its bar: the published value with a
  tolerance, which is 10 % where ``--list`` shows no other. Errors and costs have an upper bar,
  gains a lower one.
- ``shown``: not judged: a value that the paper does not have, or a time or speed-up beside the
  claim of the figure. A time or speed-up that is the claim itself is judged, although it depends on
  the machine. Of values that the paper does not have, the table has noise floors and published
  rules, and what they are to be compared with.
- *reproduced*: ours meets the bar, or its interval reaches the published value.
- *better*: the whole interval is on the good side of the published value, by more than the
  tolerance. What a paper states in words is only met or missed.
- *not reproduced*: neither.
- *not computed*: there is no value of ours, at this scale or at all.

A figure is *not reproduced* if a judged row is, with the rows that missed and the reason as far as
it is known; otherwise *not computed* if a judged row is; otherwise *better* if a row is; and else
*reproduced*. *not run*: there is a command, but this page has no result of it.

Intervals have a level of 95 %. Of a mean they are over its scenarios, seeds or trials (Student's
t), of a quantile over them by their order (binomial), of a share by Wilson. The error in a single
scenario has an interval over 200 draws of 20 blocks of its flows; of m3 and ns3-path it is over the
paths that they draw. Intervals cover what is drawn at random, and not the difference between a
scale and the published one. Largest values, ratios, times, counts and m4's p99 have none.

Terms
-----

slowdown, p99 slowdown
    Completion time of a flow over the time that it needs alone in the network; its 99th percentile
    over all flows, or over a class of sizes (<1KB: below 1,000 bytes).

error, p99 error
    A method's p99 slowdown over that of packets, less 1. Above 0 the method is too slow, below 0
    too fast. \|error\| has no sign; mean \|error\| is the mean over scenarios.

mean error of flows, p90 error of flows
    Mean and 90th percentile over the flows of a scenario of \|slowdown by the method over that by
    packets, less 1\|.

noise floor
    The same error of packets with another seed, against packets: no method can be expected to be
    below it. Of MQL: what the standard errors of its simulation alone give.

published rules, printed equations
    A method to the letter of its paper. Its name alone, such as Parsimon, is the method as its
    module has it by default.

speed-up
    Processor time of packets (of MQL: of ns-3) over that of the method, both on one core.

trials for 1 %
    Trials after which the half-width of the interval is 1 % of the mean, by CCEval's Equation 3.

MAPE, Wasserstein distance
    Of MQL: the mean over flows of the \|error\| of their mean round trips; the distance between
    the distributions of the flows' round trips by model and by simulation, over their mean.

none, S 0, S 5, S 15
    Of MQL: the model once for every queue, and once for all queues that differ by at most 0, 5 or
    15 %.

all 2, all 4, all 6
    Flows of all sizes on paths of 2, 4 or 6 links.

BC, IC, A2A
    Broadcast, incast, all to all; the number before is that of hosts.

[42]
    The earlier model of networks on chip that the dissertation cites by this number.

baseline, this work
    Of networks on chip: in the baseline all cores stop while any sink is fuller than a threshold,
    which was tuned at the hit rate of the row (70 or 20 % hits). This work is one window of hits
    for all cores, which the signals of the decision tree shrink and grow.

Algorithm 3 as printed
    The decision tree warns of a sink, cores skip the requests for it, and cores at the border look
    ahead; there is no window.

constant window of 12
    Each core has at most 12 hits under way, whatever the load.

loss, gain, reduction
    Against the baseline. A loss below 0 is a gain. *Mean*: over rates or workloads; *largest*: at
    the rate or workload where it is largest.
)";

/// Writes the page's head.
void
WriteIntroduction(std::ostream& out,
                  const std::vector<PaperOutcome>& outcomes,
                  const PaperOrigin& origin)
{
    out << ".. SPDX-License-Identifier: GPL-2.0-only\n\n"
           "The papers, reproduced\n======================\n\n"
        << PaperCount(outcomes) << ".\n\n";
    Wrap(out,
         "",
         "",
         "Made by ``./dcn run dcn-paper --all --scale=" + origin.scale + " --out=DIR`` on " +
             origin.date + ", revision " + origin.revision + ", as ``DIR/papers.rst``.");
    out << INTRODUCTION;
}

} // namespace

std::string
PaperCount(const std::vector<PaperOutcome>& outcomes)
{
    std::map<PaperVerdict::Kind, int> counts;
    for (const PaperOutcome& outcome : outcomes)
    {
        ++counts[outcome.verdict.kind];
    }
    std::ostringstream text;
    text << outcomes.size() << " figures and tables: " << counts[PaperVerdict::REPRODUCED]
         << " reproduced, " << counts[PaperVerdict::BETTER] << " better, "
         << counts[PaperVerdict::NOT_REPRODUCED] << " not reproduced, "
         << counts[PaperVerdict::NOT_RUN] << " not run, " << counts[PaperVerdict::NOT_COMPUTED]
         << " not computed";
    return text.str();
}

void
PaperPrint(const PaperOutcome& outcome)
{
    std::printf("%s: %s (%s, %s)\n",
                outcome.figure.GetName().c_str(),
                outcome.figure.GetTitle().c_str(),
                outcome.figure.GetPaper().c_str(),
                outcome.figure.GetPlace().c_str());
    std::printf("  %-58s %-5s %10s  %-28s %-12s %s\n",
                "value",
                "unit",
                "published",
                "ours",
                "rule",
                "verdict");
    for (const Row& row : GetRows(outcome))
    {
        std::printf("  %-58s %-5s %10s  %-28s %-12s %s\n",
                    row.name.c_str(),
                    row.unit.c_str(),
                    Format(row.published).c_str(),
                    Format(row.ours).c_str(),
                    row.rule.c_str(),
                    row.judged.c_str());
    }
    std::printf("  verdict: %s\n", Describe(outcome.verdict).c_str());
    if (!outcome.result.note.empty())
    {
        std::printf("  %s\n", outcome.result.note.c_str());
    }
    std::printf("  %.1f s elapsed, %.1f s of processor time\n",
                outcome.wallSeconds,
                outcome.cpuSeconds);
    std::fflush(stdout);
}

void
PaperWriteFigure(const PaperOutcome& outcome, const PaperOrigin& origin, const std::string& folder)
{
    DcnFileWriter csv(folder + "/" + outcome.figure.GetName() + ".csv");
    csv.Stream() << "figure,value,unit,published,ours,low,high,rule,verdict\n";
    csv.Stream().precision(9);
    for (const Row& row : GetRows(outcome))
    {
        csv.Stream() << outcome.figure.GetName() << ',' << DcnCsvText(row.name) << ',' << row.unit
                     << ',' << row.published << ',' << row.ours.value << ',' << row.ours.low << ','
                     << row.ours.high << ',' << row.rule << ',' << row.judged << '\n';
    }
    csv.Commit();
    for (const PaperPicture& picture : outcome.result.pictures)
    {
        picture.write(folder + "/" + picture.name);
    }
    DcnReport page(outcome.figure.GetName());
    page.AddOrigin(origin.command + " (revision " + origin.revision + ")");
    AddFigure(page, outcome, origin, folder);
    page.Write(folder + "/" + outcome.figure.GetName() + ".html");
}

void
PaperWriteAll(const std::vector<PaperOutcome>& outcomes,
              const PaperOrigin& origin,
              const std::string& folder)
{
    DcnReport page("The papers, reproduced");
    page.AddText(PaperCount(outcomes) +
                 ".\nHow rows are judged, and their terms: papers.rst beside this page.");
    page.AddOrigin(origin.command + " (revision " + origin.revision + ")");
    std::vector<std::vector<std::string>> index;
    for (const PaperOutcome& outcome : outcomes)
    {
        index.push_back({outcome.figure.GetPaper(),
                         outcome.figure.GetName(),
                         outcome.figure.GetTitle(),
                         outcome.verdict.GetName()});
    }
    page.AddTable({"paper", "figure", "title", "verdict"}, index);
    DcnFileWriter file(folder + "/papers.rst");
    std::ostream& out = file.Stream();
    WriteIntroduction(out, outcomes, origin);
    std::string paper;
    for (const PaperOutcome& outcome : outcomes)
    {
        if (outcome.figure.GetPaper() != paper)
        {
            paper = outcome.figure.GetPaper();
            out << '\n' << paper << '\n' << std::string(paper.size(), '-') << "\n\n";
            Wrap(out, "", "", Plain(PaperCite(paper)) + ".");
            out << "\n.. list-table::\n   :header-rows: 1\n   :widths: 22 48 30\n\n"
                   "   * - figure\n     - published -> ours; rule: verdict of the row\n"
                   "     - verdict\n";
        }
        AddFigure(page, outcome, origin, folder);
        WriteRow(out, outcome);
    }
    file.Commit();
    page.Write(folder + "/report.html");
}

} // namespace ns3
