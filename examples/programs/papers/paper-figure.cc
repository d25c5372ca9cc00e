/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-figure.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace ns3
{

namespace
{

const char* const FIGURES = "papers/figures.csv"; //!< in the data folder

using Computations = std::map<std::string, PaperFigure::Compute>; //!< by name of the figure
using Figures = std::map<std::string, PaperFigure>;               //!< by name

/// @return the computations that were registered
Computations&
GetRegistry()
{
    static Computations computations;
    return computations;
}

/// @return names that there are, for the end of a sentence
template <typename T>
std::string
ListNames(const std::map<std::string, T>& names)
{
    std::string text;
    for (const auto& [name, value] : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/**
 * @param names by name
 * @param csv at the row
 * @param column of the name
 * @param kind what is named
 * @return what the cell names
 * @throws DcnError with all names
 */
template <typename T>
const T&
Find(const std::map<std::string, T>& names,
     const DcnCsvReader& csv,
     std::size_t column,
     const std::string& kind)
{
    const auto found = names.find(csv.GetText(column));
    if (found == names.end())
    {
        DcnFail(csv.Where(),
                "there is no ",
                kind,
                " \"",
                csv.GetText(column),
                "\"; there are: ",
                ListNames(names));
    }
    return found->second;
}

/// @return the figures of figures.csv; a further text of a key follows the one before
Figures
ReadTexts()
{
    static const std::map<std::string, std::string PaperFigure::*> TEXTS{
        {"title", &PaperFigure::title},
        {"place", &PaperFigure::place},
        {"small", &PaperFigure::small},
        {"full", &PaperFigure::full},
        {"cost", &PaperFigure::cost},
        {"departures", &PaperFigure::departures},
        {"reason", &PaperFigure::reason}};
    Figures figures;
    DcnCsvReader csv(DcnDataPath(FIGURES), {"figures", "key", "text"});
    while (csv.FetchRow())
    {
        for (const std::string& name : DcnSplit(csv.GetText(0), ' '))
        {
            PaperFigure& figure = figures[name];
            figure.name = name;
            if (csv.GetText(1) == "seconds")
            {
                figure.smallSeconds = csv.GetDouble(2);
                continue;
            }
            figure.*Find(TEXTS, csv, 1, "key \"seconds\" or") += csv.GetText(2);
        }
    }
    return figures;
}

/// Adds name and citation of their papers, by the first part of their names.
void
ReadPapers(Figures& figures)
{
    std::map<std::string, std::pair<std::string, std::string>> papers;
    DcnCsvReader csv(DcnDataPath("papers/papers.csv"), {"prefix", "paper", "citation"});
    while (csv.FetchRow())
    {
        papers[csv.GetText(0)] = {csv.GetText(1), csv.GetText(2)};
    }
    for (auto& [name, figure] : figures)
    {
        const auto found = papers.find(name.substr(0, name.find('-')));
        if (found == papers.end())
        {
            DcnFail(DcnDataPath(FIGURES),
                    ": the figure \"",
                    name,
                    "\" must start with a prefix of papers.csv and -: ",
                    ListNames(papers));
        }
        std::tie(figure.paper, figure.citation) = found->second;
    }
}

/// Adds the published values.
void
ReadValues(Figures& figures)
{
    static const std::map<std::string, PaperRelation> RELATIONS{
        {"near", PaperRelation::NEAR},
        {"at-most", PaperRelation::AT_MOST},
        {"at-least", PaperRelation::AT_LEAST},
        {"below", PaperRelation::BELOW},
        {"above", PaperRelation::ABOVE},
        {"shown", PaperRelation::SHOWN}};
    DcnCsvReader csv(DcnDataPath("papers/values.csv"),
                     {"figure", "value", "unit", "published", "relation", "tolerance"});
    while (csv.FetchRow())
    {
        Find(figures, csv, 0, "figure");
        auto& published = figures.at(csv.GetText(0)).published;
        PaperValue value{csv.GetText(1),
                         csv.GetText(2),
                         csv.GetDouble(3),
                         Find(RELATIONS, csv, 4, "relation")};
        value.tolerance = csv.GetText(5).empty() ? value.tolerance : csv.GetDouble(5);
        for (const PaperValue& other : published)
        {
            if (other.name == value.name)
            {
                DcnFail(csv.Where(), csv.GetText(0), " has the value \"", value.name, "\" twice");
            }
        }
        published.push_back(value);
    }
}

/// @return whether a name comes before another one, with numbers compared as numbers
bool
IsBefore(const std::string& a, const std::string& b)
{
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size())
    {
        if (std::isdigit(static_cast<unsigned char>(a[i])) &&
            std::isdigit(static_cast<unsigned char>(b[j])))
        {
            std::size_t endI = 0;
            std::size_t endJ = 0;
            const auto x = std::stoul(a.substr(i), &endI);
            const auto y = std::stoul(b.substr(j), &endJ);
            if (x != y)
            {
                return x < y;
            }
            i += endI;
            j += endJ;
        }
        else if (a[i] != b[j])
        {
            return a[i] < b[j];
        }
        else
        {
            ++i;
            ++j;
        }
    }
    return a.size() - i < b.size() - j;
}

} // namespace

bool
PaperValue::IsJudged() const
{
    return relation != PaperRelation::SHOWN;
}

std::string
PaperValue::GetRule() const
{
    const auto write = [](double number) {
        char text[32];
        std::snprintf(text, sizeof(text), "%.6g", number);
        return std::string(text);
    };
    const double room = tolerance * std::abs(published);
    switch (relation)
    {
    case PaperRelation::NEAR:
        return "within " + write(100 * tolerance) + " %";
    case PaperRelation::AT_MOST:
    case PaperRelation::BELOW:
        return "<= " + write(published + room);
    case PaperRelation::AT_LEAST:
    case PaperRelation::ABOVE:
        return ">= " + write(published - room);
    case PaperRelation::SHOWN:
        break;
    }
    return "shown";
}

void
PaperResult::AddOther(const std::string& name,
                      const std::string& unit,
                      const PaperMeasured& measured)
{
    others.push_back({{name, unit}, measured});
}

std::string
PaperVerdict::GetName() const
{
    switch (kind)
    {
    case REPRODUCED:
        return "reproduced";
    case BETTER:
        return "better";
    case NOT_REPRODUCED:
        return "not reproduced";
    case NOT_RUN:
        return "not run";
    case NOT_COMPUTED:
        break;
    }
    return "not computed";
}

bool
PaperFigure::IsComputed() const
{
    return static_cast<bool>(compute);
}

PaperVerdict::Kind
PaperFigure::Judge(const PaperValue& value, const PaperMeasured& measured)
{
    if (!value.IsJudged())
    {
        return PaperVerdict::REPRODUCED;
    }
    if (std::isnan(measured.value))
    {
        return PaperVerdict::NOT_COMPUTED;
    }
    const double low = std::isnan(measured.low) ? measured.value : measured.low;
    const double high = std::isnan(measured.high) ? measured.value : measured.high;
    const double room = value.tolerance * std::abs(value.published);
    if (value.relation == PaperRelation::NEAR)
    {
        const bool isNear = std::abs(measured.value - value.published) <= room ||
                            (low <= value.published && value.published <= high);
        return isNear ? PaperVerdict::REPRODUCED : PaperVerdict::NOT_REPRODUCED;
    }
    // a gain is a cost with the other sign
    const bool isCost =
        value.relation == PaperRelation::AT_MOST || value.relation == PaperRelation::BELOW;
    const bool isStatement =
        value.relation == PaperRelation::ABOVE || value.relation == PaperRelation::BELOW;
    const double sign = isCost ? 1 : -1;
    const double best = sign > 0 ? low : -high;
    const double worst = sign > 0 ? high : -low;
    const double published = sign * value.published;
    if (worst < published - room && !isStatement)
    {
        return PaperVerdict::BETTER;
    }
    return sign * measured.value <= published + room || best <= published
               ? PaperVerdict::REPRODUCED
               : PaperVerdict::NOT_REPRODUCED;
}

PaperVerdict
PaperFigure::Judge(const PaperResult& result) const
{
    if (!IsComputed())
    {
        return {PaperVerdict::NOT_COMPUTED, reason};
    }
    std::string missed;
    std::string lacking;
    bool isBetter = false;
    for (const PaperValue& value : published)
    {
        const auto found = result.values.find(value.name);
        const PaperMeasured measured =
            found == result.values.end() ? PaperMeasured() : found->second;
        const PaperVerdict::Kind kind = Judge(value, measured);
        isBetter = isBetter || kind == PaperVerdict::BETTER;
        if (kind == PaperVerdict::NOT_REPRODUCED)
        {
            missed += (missed.empty() ? "" : "; ") + value.name;
        }
        if (kind == PaperVerdict::NOT_COMPUTED)
        {
            lacking += (lacking.empty() ? "no value of " : "; ") + value.name;
        }
    }
    // a value that is not there is no evidence against the paper
    if (!missed.empty() || !lacking.empty())
    {
        const bool hasBoth = !missed.empty() && !lacking.empty();
        return {missed.empty() ? PaperVerdict::NOT_COMPUTED : PaperVerdict::NOT_REPRODUCED,
                missed + (hasBoth ? "; " : "") + lacking + (reason.empty() ? "" : ": " + reason)};
    }
    return {isBetter ? PaperVerdict::BETTER : PaperVerdict::REPRODUCED, ""};
}

PaperRegistration::PaperRegistration(
    std::initializer_list<std::pair<const char*, PaperFigure::Compute>> computations)
{
    GetRegistry().insert(computations.begin(), computations.end());
}

std::vector<PaperFigure>
PaperRegistration::GetAll()
{
    Figures read = ReadTexts();
    ReadPapers(read);
    ReadValues(read);
    for (const auto& [name, compute] : GetRegistry())
    {
        if (read.count(name) == 0)
        {
            DcnFail(DcnDataPath(FIGURES),
                    ": the figure \"",
                    name,
                    "\", which is computed, is missing");
        }
        read[name].compute = compute;
    }
    std::vector<PaperFigure> figures;
    for (const auto& [name, figure] : read)
    {
        if (!figure.IsComputed() && figure.reason.empty())
        {
            DcnFail(DcnDataPath(FIGURES),
                    ": the figure \"",
                    name,
                    "\" has no computation; its key \"reason\" must say why");
        }
        figures.push_back(figure);
    }
    std::sort(figures.begin(), figures.end(), [](const PaperFigure& a, const PaperFigure& b) {
        return IsBefore(a.name, b.name);
    });
    return figures;
}

} // namespace ns3
