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
        const bool isJudged = value.relation != PaperRelation::SHOWN &&
                              outcome.verdict.kind < PaperVerdict::NOT_RUN;
        rows.push_back({value.name,
                        value.unit,
                        value.published,
                        ours,
                        isJudged ? PaperVerdict{PaperFigure::Judge(value, ours), ""}.GetName()
                                 : ""});
    }
    for (const auto& [name, measured] : outcome.result.others)
    {
        rows.push_back({name.first, name.second, PaperMeasured::NONE, measured, ""});
    }
    return rows;
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
        text += "Full scale: " + figure.GetFull() +
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
                         row.judged});
    }
    return cells;
}

const std::vector<std::string> HEAD{"value", "unit", "published", "ours", "low", "high", "verdict"};

/// Adds a figure to a page.
void
AddFigure(DcnReport& page,
          const PaperOutcome& outcome,
          const PaperOrigin& origin,
          const std::string& folder)
{
    const PaperFigure& figure = outcome.figure;
    page.AddHeading(figure.GetName() + ": " + figure.GetTitle());
    page.AddText(figure.GetPaper() + ", " + figure.GetPlace() + ". Command: ./dcn run dcn-paper " +
                 figure.GetName() + "\nVerdict: " + Describe(outcome.verdict));
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
    const std::string first = "     - ";
    const std::string next = "       ";
    bool isFirst = true;
    for (const Row& row : GetRows(outcome))
    {
        const bool isOwn = !std::isfinite(row.published);
        if (isOwn && row.name.find("noise floor") == std::string::npos &&
            row.name.find("published rules") == std::string::npos)
        {
            continue;
        }
        const std::string unit = row.unit.empty() ? "" : " [" + row.unit + "]";
        const std::string published = isOwn ? "" : Format(row.published) + " -> ";
        const std::string ours = std::isfinite(row.ours.value) ? Format(row.ours) : "none";
        Wrap(out,
             (isFirst ? first : next) + "| ",
             next + "  ",
             Plain(row.name + unit + ": " + published + ours));
        isFirst = false;
    }
    if (isFirst)
    {
        out << first << '\n';
    }
    Wrap(out, first, next, Plain(Describe(outcome.verdict)));
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
    std::printf("  %-58s %-5s %10s  %-28s %s\n", "value", "unit", "published", "ours", "verdict");
    for (const Row& row : GetRows(outcome))
    {
        std::printf("  %-58s %-5s %10s  %-28s %s\n",
                    row.name.c_str(),
                    row.unit.c_str(),
                    Format(row.published).c_str(),
                    Format(row.ours).c_str(),
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
    csv.Stream() << "figure,value,unit,published,ours,low,high,verdict\n";
    csv.Stream().precision(9);
    for (const Row& row : GetRows(outcome))
    {
        csv.Stream() << outcome.figure.GetName() << ',' << DcnCsvText(row.name) << ',' << row.unit
                     << ',' << row.published << ',' << row.ours.value << ',' << row.ours.low << ','
                     << row.ours.high << ',' << row.judged << '\n';
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
    page.AddText(PaperCount(outcomes));
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
    out << ".. SPDX-License-Identifier: GPL-2.0-only\n\n"
           "The papers, reproduced\n======================\n\n";
    Wrap(out,
         "",
         "",
         "Each row is a figure or table of a paper. Its command is ``./dcn run dcn-paper NAME``, with the "
         "name in the first column. The small scale is the default and takes at most five minutes on "
         "two cores; ``./dcn run dcn-paper --list`` has scenarios, seeds and the full scale. The command "
         "prints all values and writes NAME.csv, NAME.html and pictures into ``results/papers`` "
         "(``--out``). The second column has the published values and ours with 95 % intervals. Times "
         "and speed-ups differ from run to run.");
    out << '\n';
    Wrap(out,
         "",
         "",
         "Made by ``./dcn run dcn-paper --all --scale=" + origin.scale + " --out=DIR`` on " +
             origin.date + ", revision " + origin.revision + ", as ``DIR/papers.rst``.");
    out << '\n' << PaperCount(outcomes) << ".\n\n";
    Wrap(out,
         "",
         "",
         "*reproduced*: the values agree with the published ones within their intervals, or within "
         "the tolerance that ``dcn-paper --list`` shows. *better*: errors or costs are below the "
         "published ones, or gains above. *not reproduced*: the values that missed, and the reason "
         "as far as it is known. *not run*: there is a command, but this table has no result of it. "
         "Absolute times depend on the machine and are only shown. The table leaves out values that "
         "the paper does not have, but for noise floors (packets against packets with another "
         "seed) and published rules; NAME.csv and NAME.html have all of them, with the departures "
         "from the paper's set-up.");
    std::string paper;
    for (const PaperOutcome& outcome : outcomes)
    {
        if (outcome.figure.GetPaper() != paper)
        {
            paper = outcome.figure.GetPaper();
            out << '\n'
                << paper << '\n'
                << std::string(paper.size(), '-')
                << "\n\n.. list-table::\n   :header-rows: 1\n   :widths: 22 48 30\n\n"
                   "   * - figure\n     - published -> ours\n     - verdict\n";
        }
        AddFigure(page, outcome, origin, folder);
        WriteRow(out, outcome);
    }
    file.Commit();
    page.Write(folder + "/report.html");
}

} // namespace ns3
