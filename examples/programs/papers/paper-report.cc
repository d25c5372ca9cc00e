/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-report.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-report.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/// @return the verdict with its reason
std::string
Describe(const PaperVerdict& verdict)
{
    return verdict.GetName() + (verdict.reason.empty() ? "" : ": " + verdict.reason);
}

/// @return a published value, with the hardware of a cost
std::string
FormatPublished(const PaperRow& row)
{
    return PaperFormat(row.published) + (row.hardware.empty() ? "" : " on " + row.hardware);
}

const std::vector<std::string>
    HEAD{"value", "unit", "published", "ours", "low", "high", "rule", "verdict"};

/// Adds a figure to a page.
void
AddFigure(DcnReport& page, const PaperOutcome& outcome, const std::string& folder)
{
    const PaperFigure& figure = outcome.figure;
    page.AddHeading(figure.name + ": " + figure.title);
    page.AddText(figure.citation + ": " + figure.place +
                 ".\nCommand, in the root of the repository: ./dcn run dcn-paper " + figure.name +
                 " --scale=" + outcome.origin.scale +
                 " --out=DIR\nVerdict: " + Describe(outcome.verdict));
    std::vector<std::vector<std::string>> cells;
    for (const PaperRow& row : outcome.GetRows())
    {
        cells.push_back({row.name,
                         row.unit,
                         FormatPublished(row),
                         PaperFormat(row.ours.value),
                         PaperFormat(row.ours.low),
                         PaperFormat(row.ours.high),
                         row.rule,
                         row.judged});
    }
    page.AddTable(HEAD, cells);
    for (const PaperPicture& picture : outcome.result.pictures)
    {
        page.AddFigure(folder + "/" + picture.name + ".svg", picture.caption);
    }
    page.AddText(PaperDescribeScale(outcome) +
                 (outcome.result.note.empty() ? "" : " " + outcome.result.note));
}

} // namespace

bool
PaperOutcome::IsEmpty() const
{
    return result.values.empty() && result.others.empty();
}

std::vector<PaperRow>
PaperOutcome::GetRows() const
{
    std::vector<PaperRow> rows;
    std::set<std::string> names;
    for (const PaperValue& value : figure.published)
    {
        names.insert(value.name);
        rows.push_back({value.name,
                        value.unit,
                        value.published,
                        value.hardware,
                        result.Find(value.name),
                        value.GetRule(),
                        value.IsJudged() ? PaperVerdict::GetName(GetKind(value.name)) : ""});
    }
    for (const auto& [name, measured] : result.others)
    {
        if (names.count(name.first) == 0)
        {
            rows.push_back(
                {name.first, name.second, PaperMeasured::NONE, "", measured, "shown", ""});
        }
    }
    return rows;
}

PaperVerdict::Kind
PaperOutcome::GetKind(const std::string& value) const
{
    if (!figure.IsComputed() || IsEmpty())
    {
        return verdict.kind;
    }
    const auto kinds = figure.JudgeRows(result);
    for (std::size_t i = 0; i < kinds.size(); ++i)
    {
        if (figure.published[i].name == value)
        {
            return kinds[i];
        }
    }
    return PaperVerdict::NOT_COMPUTABLE;
}

std::string
PaperFormat(const PaperMeasured& measured)
{
    if (std::isnan(measured.value))
    {
        return "none";
    }
    std::string text = PaperFormat(measured.value);
    if (std::isfinite(measured.low) && std::isfinite(measured.high))
    {
        text += " (" + PaperFormat(measured.low) + " to " + PaperFormat(measured.high) + ")";
    }
    if (measured.draws > 0)
    {
        text += " (largest of " + std::to_string(measured.draws) + ")";
    }
    return text;
}

std::string
PaperDescribeScale(const PaperOutcome& outcome)
{
    const PaperFigure& figure = outcome.figure;
    if (!figure.IsComputed())
    {
        return "";
    }
    const std::string& scale = outcome.origin.scale;
    const std::string& medium = figure.medium.empty() ? figure.full : figure.medium;
    return "Scale " + scale + ": " +
           (scale == "full"     ? figure.full
            : scale == "medium" ? medium
                                : figure.small) +
           ". " + figure.departures;
}

std::string
PaperCount(const std::vector<PaperOutcome>& outcomes)
{
    std::map<PaperVerdict::Kind, int> counts;
    for (const PaperOutcome& outcome : outcomes)
    {
        ++counts[outcome.verdict.kind];
    }
    std::ostringstream text;
    const auto count = [&counts](PaperVerdict::Kind kind) {
        return std::to_string(counts[kind]) + " " + PaperVerdict::GetName(kind);
    };
    text << outcomes.size() << " figures and tables: " << count(PaperVerdict::REPRODUCED) << ", "
         << count(PaperVerdict::BETTER) << ", " << count(PaperVerdict::WORSE) << ", "
         << count(PaperVerdict::UNDECIDED) << ", " << count(PaperVerdict::NOT_COMPUTABLE) << ", "
         << count(PaperVerdict::NOT_RUN);
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
    const char* const format = "  %-66s %-24s %-30s %-32s %-14s %s\n";
    std::printf(format, "value", "unit", "published", "ours", "rule", "verdict");
    for (const PaperRow& row : outcome.GetRows())
    {
        std::printf(format,
                    row.name.c_str(),
                    row.unit.c_str(),
                    FormatPublished(row).c_str(),
                    PaperFormat(row.ours).c_str(),
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
PaperWriteFigure(const PaperOutcome& outcome, const std::string& command, const std::string& folder)
{
    DcnFileWriter csv(folder + "/" + outcome.figure.name + ".csv");
    csv.Stream() << "figure,value,unit,published,hardware,ours,low,high,draws,rule,verdict\n";
    csv.Stream().precision(9);
    for (const PaperRow& row : outcome.GetRows())
    {
        csv.Stream() << outcome.figure.name << ',' << DcnCsvText(row.name) << ',' << row.unit << ','
                     << row.published << ',' << DcnCsvText(row.hardware) << ',' << row.ours.value
                     << ',' << row.ours.low << ',' << row.ours.high << ',' << row.ours.draws << ','
                     << row.rule << ',' << row.judged << '\n';
    }
    csv.Commit();
    for (const PaperPicture& picture : outcome.result.pictures)
    {
        picture.write(folder + "/" + picture.name);
    }
    DcnReport page(outcome.figure.name);
    page.AddOrigin(command + " (revision " + outcome.origin.revision + ")");
    AddFigure(page, outcome, folder);
    page.Write(folder + "/" + outcome.figure.name + ".html");
}

void
PaperWriteReport(const std::vector<PaperOutcome>& outcomes,
                 const std::string& command,
                 const std::string& folder)
{
    DcnReport page("The papers, reproduced");
    page.AddText(PaperCount(outcomes) +
                 ".\nHow rows are judged, and their terms: papers.rst beside this page.");
    page.AddOrigin(command);
    std::vector<std::vector<std::string>> index;
    for (const PaperOutcome& outcome : outcomes)
    {
        index.push_back({outcome.figure.paper,
                         outcome.figure.name,
                         outcome.figure.title,
                         outcome.verdict.GetName()});
    }
    page.AddTable({"paper", "figure", "title", "verdict"}, index);
    for (const PaperOutcome& outcome : outcomes)
    {
        AddFigure(page, outcome, folder);
    }
    page.Write(folder + "/report.html");
}

} // namespace ns3
