/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-report.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-report.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fstream>
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
    for (const PaperValue& value : outcome.figure.published)
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
        text = "Scale " + scale + ": " + (scale == "full" ? figure.full : figure.small) + ". ";
        text += figure.departures.empty() ? "" : figure.departures + " ";
        text += "Small scale: " + DcnToText(figure.smallSeconds) +
                " s of processor time. Full scale: " + figure.full +
                (figure.cost.empty() ? "" : "; " + figure.cost) + ".";
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
    page.AddHeading(figure.name + ": " + figure.title);
    page.AddText(figure.citation + ": " + figure.place +
                 ".\nCommand, in the root of the repository: ./dcn run dcn-paper " + figure.name +
                 " --scale=" + origin.scale + " --out=DIR\nVerdict: " + Describe(outcome.verdict));
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
    out << "   * - ``" << figure.name << "``\n\n";
    Wrap(out, "       ", "       ", Plain(figure.place + ": " + figure.title));
    if (figure.IsComputed())
    {
        out << "\n       Small scale: " << figure.smallSeconds << " s.\n";
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
    const std::string path = DcnDataPath("papers/introduction.rst");
    std::ifstream introduction(path);
    if (!introduction)
    {
        DcnFail(path, ": the file cannot be read", DcnDescribeFileError(path, errno));
    }
    out << introduction.rdbuf();
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
                outcome.figure.name.c_str(),
                outcome.figure.title.c_str(),
                outcome.figure.paper.c_str(),
                outcome.figure.place.c_str());
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
    DcnFileWriter csv(folder + "/" + outcome.figure.name + ".csv");
    csv.Stream() << "figure,value,unit,published,ours,low,high,rule,verdict\n";
    csv.Stream().precision(9);
    for (const Row& row : GetRows(outcome))
    {
        csv.Stream() << outcome.figure.name << ',' << DcnCsvText(row.name) << ',' << row.unit << ','
                     << row.published << ',' << row.ours.value << ',' << row.ours.low << ','
                     << row.ours.high << ',' << row.rule << ',' << row.judged << '\n';
    }
    csv.Commit();
    for (const PaperPicture& picture : outcome.result.pictures)
    {
        picture.write(folder + "/" + picture.name);
    }
    DcnReport page(outcome.figure.name);
    page.AddOrigin(origin.command + " (revision " + origin.revision + ")");
    AddFigure(page, outcome, origin, folder);
    page.Write(folder + "/" + outcome.figure.name + ".html");
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
        index.push_back({outcome.figure.paper,
                         outcome.figure.name,
                         outcome.figure.title,
                         outcome.verdict.GetName()});
    }
    page.AddTable({"paper", "figure", "title", "verdict"}, index);
    DcnFileWriter file(folder + "/papers.rst");
    std::ostream& out = file.Stream();
    WriteIntroduction(out, outcomes, origin);
    std::string paper;
    for (const PaperOutcome& outcome : outcomes)
    {
        if (outcome.figure.paper != paper)
        {
            paper = outcome.figure.paper;
            out << '\n' << paper << '\n' << std::string(paper.size(), '-') << "\n\n";
            Wrap(out, "", "", Plain(outcome.figure.citation) + ".");
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
