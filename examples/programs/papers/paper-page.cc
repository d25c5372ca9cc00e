/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-page.h"

#include "paper-claims.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <map>

namespace ns3
{

namespace
{

constexpr std::size_t LINE = 99; //!< columns of a line of a document
const std::string NOTICE = ".. SPDX-License-Identifier: GPL-2.0-only\n"
                           ".. Written by test/scripts/papers.py page from data/papers.\n\n";
const std::string PICTURES = "figures/papers/"; //!< of the repository's doc folder

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

/// Writes a heading.
void
WriteHeading(std::ostream& out, const std::string& title, char line)
{
    out << '\n' << title << '\n' << std::string(title.size(), line) << "\n\n";
}

/// Writes the head of a table.
void
WriteTable(std::ostream& out, const std::string& widths, const std::vector<std::string>& head)
{
    out << ".. list-table::\n   :header-rows: 1\n   :widths: " << widths << "\n\n";
    for (std::size_t i = 0; i < head.size(); ++i)
    {
        out << (i == 0 ? "   * - " : "     - ") << head[i] << '\n';
    }
}

/// Writes a row of a table.
void
WriteCells(std::ostream& out, const std::vector<std::string>& cells)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        Wrap(out, i == 0 ? "   * - " : "     - ", "       ", cells[i]);
    }
}

/// @return names of figures that a claim rests on, with links to them
std::string
LinkFigures(const PaperClaim& claim)
{
    std::string text;
    for (const auto& [figure, value] : claim.rows)
    {
        if (text.find("<paper-" + figure + ">") == std::string::npos)
        {
            text += (text.empty() ? "" : ", ") + (":ref:`" + figure + "<paper-" + figure + ">`");
        }
    }
    return text;
}

/// @return sentences on the origin of a result
std::string
DescribeOrigin(const PaperOutcome& outcome)
{
    if (outcome.origin.date.empty())
    {
        return "";
    }
    const std::string late = PaperStore::GetLate(outcome.origin.of);
    return " Measured on " + outcome.origin.date + ", revision " + outcome.origin.revision + "." +
           (late.empty() ? "" : " **Out of date**: " + late + " changed since.");
}

/// Writes a figure: values, pictures, scale and departures.
void
WriteFigure(std::ostream& out, const PaperOutcome& outcome)
{
    const PaperFigure& figure = outcome.figure;
    out << "\n.. _paper-" << figure.name << ":\n";
    WriteHeading(out, figure.name + ": " + figure.title, '-');
    Wrap(out, "", "", Plain(figure.place) + ".");
    out << '\n';
    Wrap(out,
         "",
         "",
         "*" + outcome.verdict.GetName() + "*" +
             (outcome.verdict.reason.empty() ? "" : ": " + Plain(outcome.verdict.reason)) + ".");
    out << '\n';
    WriteTable(out, "40 16 22 10 12", {"value", "published", "ours", "bar", "verdict"});
    for (const PaperRow& row : outcome.GetRows())
    {
        const std::string unit = row.unit.empty() ? "" : " [" + row.unit + "]";
        WriteCells(out,
                   {Plain(row.name + unit),
                    std::isnan(row.published)
                        ? "-"
                        : PaperFormat(row.published) +
                              (row.hardware.empty() ? "" : ", " + Plain(row.hardware)),
                    PaperFormat(row.ours),
                    row.rule == "shown" ? "-" : row.rule,
                    row.judged.empty() ? "shown" : row.judged});
    }
    for (const PaperPicture& picture : outcome.result.pictures)
    {
        out << "\n.. figure:: ../" << PICTURES << picture.name << ".png\n   :width: 100%\n\n";
        Wrap(out, "   ", "   ", Plain(picture.caption));
    }
    if (figure.IsComputed())
    {
        out << '\n';
        Wrap(out,
             "",
             "",
             Plain(PaperDescribeScale(outcome) +
                   (outcome.result.note.empty() ? "" : " " + outcome.result.note)) +
                 DescribeOrigin(outcome));
    }
}

/// Writes the claims of the papers.
void
WriteClaims(std::ostream& out,
            const std::vector<PaperClaim>& claims,
            const std::vector<PaperOutcome>& outcomes)
{
    WriteHeading(out, "What the papers claim", '-');
    std::string paper;
    for (const PaperClaim& claim : claims)
    {
        for (const PaperOutcome& outcome : outcomes)
        {
            const std::string& name = outcome.figure.name;
            if (name.substr(0, name.find('-')) != claim.prefix || outcome.figure.paper == paper)
            {
                continue;
            }
            paper = outcome.figure.paper;
            out << '\n';
            Wrap(out, "", "", "**" + paper + "**: " + Plain(outcome.figure.citation) + ".");
            out << '\n';
            WriteTable(out, "38 34 14 14", {"claim", "here", "verdict", "figures"});
        }
        WriteCells(out,
                   {Plain(claim.claim),
                    Plain(claim.Describe(outcomes)),
                    "*" + PaperHolds(claim.Judge(outcomes)) + "*",
                    LinkFigures(claim)});
    }
}

/// Writes rules, commands and terms.
void
WriteIntroduction(std::ostream& out)
{
    const std::string path = DcnDataPath("papers/introduction.rst");
    std::ifstream introduction(path);
    if (!introduction)
    {
        DcnFail(path, ": the file cannot be read", DcnDescribeFileError(path, errno));
    }
    out << introduction.rdbuf();
}

/// @return sentences on the scales of the results, and on those that are out of date
std::string
DescribeResults(const std::vector<PaperOutcome>& outcomes)
{
    std::map<std::string, std::size_t> scales;
    std::size_t late = 0;
    for (const PaperOutcome& outcome : outcomes)
    {
        if (!outcome.origin.scale.empty())
        {
            ++scales[outcome.origin.scale];
            late += PaperStore::GetLate(outcome.origin.of).empty() ? 0 : 1;
        }
    }
    std::string text = "Of these results, ";
    for (const std::string scale : {"full", "medium", "small"})
    {
        text += std::to_string(scales[scale]) + (scale == "small" ? " are" : "") +
                " of the scale " + scale +
                (scale == "full"     ? ", "
                 : scale == "medium" ? " and "
                                     : ".");
    }
    return text + (late == 0 ? ""
                             : " **Out of date** are " + std::to_string(late) +
                                   ": their packet engine or model is another one now. "
                                   "``test/scripts/papers.py renew late`` measures them anew.");
}

/// Writes the list of figures.
void
WriteFigures(std::ostream& out, const std::vector<PaperOutcome>& outcomes)
{
    WriteHeading(out, "Figures", '-');
    out << PaperCount(outcomes) << ".\n\n";
    WriteTable(out, "22 48 14 16", {"figure", "shows", "scale", "verdict"});
    std::vector<std::string> prefixes;
    for (const PaperOutcome& outcome : outcomes)
    {
        const std::string& name = outcome.figure.name;
        WriteCells(out,
                   {":ref:`" + name + "<paper-" + name + ">`",
                    Plain(outcome.figure.title),
                    outcome.origin.scale.empty() ? "-" : outcome.origin.scale,
                    outcome.verdict.GetName()});
        const std::string prefix = name.substr(0, name.find('-'));
        if (prefixes.empty() || prefixes.back() != prefix)
        {
            prefixes.push_back(prefix);
        }
    }
    out << "\n.. toctree::\n   :maxdepth: 1\n\n";
    for (const std::string& prefix : prefixes)
    {
        out << "   papers/" << prefix << '\n';
    }
}

} // namespace

void
PaperWritePages(const std::vector<PaperOutcome>& outcomes, const std::string& folder)
{
    std::vector<PaperFigure> figures;
    for (const PaperOutcome& outcome : outcomes)
    {
        figures.push_back(outcome.figure);
    }
    const auto claims = PaperClaim::ReadAll(figures);
    DcnFileWriter file(folder + "/papers.rst");
    std::ostream& out = file.Stream();
    out << NOTICE << "The papers, reproduced\n======================\n\n";
    const std::vector<std::string> summary = PaperSummary(claims, outcomes);
    out << summary.front() << ":\n\n";
    for (std::size_t i = 1; i < summary.size(); ++i)
    {
        Wrap(out, "- ", "  ", summary[i] + (i + 1 < summary.size() ? ";" : "."));
    }
    out << '\n';
    Wrap(out, "", "", DescribeResults(outcomes));
    WriteClaims(out, claims, outcomes);
    WriteIntroduction(out);
    WriteFigures(out, outcomes);
    file.Commit();
    DcnMakeFolder(folder + "/papers");
    for (std::size_t first = 0; first < outcomes.size();)
    {
        const std::string& paper = outcomes[first].figure.paper;
        const std::string& name = outcomes[first].figure.name;
        DcnFileWriter part(folder + "/papers/" + name.substr(0, name.find('-')) + ".rst");
        part.Stream() << NOTICE << "Figures of " << paper << '\n'
                      << std::string(11 + paper.size(), '=') << "\n\n";
        Wrap(part.Stream(), "", "", Plain(outcomes[first].figure.citation) + ".");
        part.Stream() << '\n';
        Wrap(
            part.Stream(),
            "",
            "",
            "Rules, terms and commands: :doc:`/doc/papers`. A row without a published value is our "
            "own.");
        for (; first < outcomes.size() && outcomes[first].figure.paper == paper; ++first)
        {
            WriteFigure(part.Stream(), outcomes[first]);
        }
        part.Commit();
    }
}

} // namespace ns3
