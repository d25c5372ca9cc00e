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
const std::string COMPARED = " | ";               //!< between the rows of PaperFigure::compare

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

/// @return the two rows of PaperFigure::compare; none if it is empty
std::vector<std::string>
GetCompared(const std::string& compare)
{
    const std::size_t at = compare.find(COMPARED);
    return at == std::string::npos ? std::vector<std::string>()
                                   : std::vector<std::string>{compare.substr(0, at),
                                                              compare.substr(at + COMPARED.size())};
}

/// @return the figures of figures.csv; a further text of a key follows the one before
Figures
ReadTexts()
{
    static const std::map<std::string, std::string PaperFigure::*> TEXTS{
        {"title", &PaperFigure::title},
        {"place", &PaperFigure::place},
        {"small", &PaperFigure::small},
        {"medium", &PaperFigure::medium},
        {"full", &PaperFigure::full},
        {"cost", &PaperFigure::cost},
        {"departures", &PaperFigure::departures},
        {"compare", &PaperFigure::compare},
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

/// Refuses a value whose columns contradict its relation.
void
CheckValue(const PaperValue& value, const DcnCsvReader& csv)
{
    if (!std::isnan(value.limit) && !value.IsWords())
    {
        DcnFail(csv.Where(), "limit has no effect with the relation ", csv.GetText(4));
    }
    if (value.relation == PaperRelation::ABOVE && value.published == 0 && std::isnan(value.limit))
    {
        DcnFail(csv.Where(), "above 0 needs a limit: any large value would be above 0");
    }
    if (!value.hardware.empty() && value.relation != PaperRelation::AT_MOST && value.IsJudged())
    {
        DcnFail(csv.Where(), "a cost, a value with hardware, has the relation at-most");
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
                     {"figure",
                      "value",
                      "unit",
                      "published",
                      "relation",
                      "tolerance",
                      "limit",
                      "draws",
                      "hardware"});
    while (csv.FetchRow())
    {
        Find(figures, csv, 0, "figure");
        auto& published = figures.at(csv.GetText(0)).published;
        PaperValue value{csv.GetText(1),
                         csv.GetText(2),
                         csv.GetDouble(3),
                         Find(RELATIONS, csv, 4, "relation")};
        value.tolerance = value.IsWords() ? PaperValue::WORDS : PaperValue::NUMBERS;
        value.tolerance = csv.GetText(5).empty() ? value.tolerance : csv.GetDouble(5);
        value.limit = csv.GetText(6).empty() ? value.limit : csv.GetDouble(6);
        value.draws = csv.GetText(7).empty() ? 0 : csv.GetUint(7);
        value.hardware = csv.GetText(8);
        CheckValue(value, csv);
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

void
PaperResult::AddOther(const std::string& name,
                      const std::string& unit,
                      const PaperMeasured& measured)
{
    others.push_back({{name, unit}, measured});
}

const PaperMeasured*
PaperResult::Get(const std::string& name) const
{
    const auto found = values.find(name);
    if (found != values.end())
    {
        return &found->second;
    }
    for (const auto& [other, measured] : others)
    {
        if (other.first == name)
        {
            return &measured;
        }
    }
    return nullptr;
}

PaperMeasured
PaperResult::Find(const std::string& name) const
{
    const PaperMeasured* found = Get(name);
    return found ? *found : PaperMeasured();
}

std::string
PaperResult::Fill(const std::string& text) const
{
    std::string filled;
    std::size_t from = 0;
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', from))
    {
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos)
        {
            break;
        }
        filled += text.substr(from, open - from) +
                  PaperFormat(Find(text.substr(open + 1, close - open - 1)).value);
        from = close + 1;
    }
    return filled + text.substr(from);
}

std::string
PaperFormat(double value)
{
    if (std::isinf(value))
    {
        return value > 0 ? "any more" : "any less";
    }
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

bool
PaperFigure::IsComputed() const
{
    return static_cast<bool>(compute);
}

bool
PaperFigure::Discriminates(const PaperResult& result) const
{
    const auto names = GetCompared(compare);
    return names.empty() || PaperDiffers(result.Find(names[0]), result.Find(names[1]));
}

void
PaperFigure::CheckCompare(const PaperResult& result) const
{
    for (const std::string& row : GetCompared(compare))
    {
        if (std::isnan(result.Find(row).value))
        {
            DcnFail(DcnDataPath(FIGURES),
                    ": the key \"compare\" of ",
                    name,
                    " names the row \"",
                    row,
                    "\", which its result does not have");
        }
    }
}

std::vector<PaperVerdict::Kind>
PaperFigure::JudgeRows(const PaperResult& result) const
{
    const bool discriminates = Discriminates(result);
    std::vector<PaperVerdict::Kind> kinds;
    for (const PaperValue& value : published)
    {
        PaperVerdict::Kind kind = value.Judge(result.Find(value.name));
        if (result.isStored && value.IsJudged() && !result.Get(value.name))
        {
            kind = PaperVerdict::NOT_RUN;
        }
        const bool isGood = kind == PaperVerdict::REPRODUCED || kind == PaperVerdict::BETTER;
        if (isGood && !discriminates && value.hardware.empty() && value.IsJudged())
        {
            kind = PaperVerdict::UNDECIDED;
        }
        kinds.push_back(kind);
    }
    return kinds;
}

PaperVerdict
PaperFigure::Judge(const PaperResult& result) const
{
    if (!IsComputed())
    {
        return {PaperVerdict::NOT_COMPUTABLE, reason};
    }
    const std::vector<PaperVerdict::Kind> kinds = JudgeRows(result);
    const PaperVerdict::Kind worst = *std::max_element(kinds.begin(), kinds.end());
    if (worst == PaperVerdict::REPRODUCED || worst == PaperVerdict::BETTER)
    {
        return {worst, ""};
    }
    std::string text;
    for (std::size_t i = 0; i < kinds.size(); ++i)
    {
        if (kinds[i] == worst)
        {
            text += (text.empty() ? "" : "; ") + published[i].name;
        }
    }
    if (!Discriminates(result))
    {
        const auto names = GetCompared(compare);
        text += ": the scale does not tell " + names[0] + " from " + names[1];
    }
    return {worst, text + (reason.empty() ? "" : ": " + result.Fill(reason))};
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
