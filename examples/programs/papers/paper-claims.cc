/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-claims.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ns3
{

namespace
{

const std::string BETWEEN = ": "; //!< a figure and a value

/// @return text without blanks at its ends
std::string
Trim(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? ""
                                      : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// @return the figure of a name; null if there is none
const PaperOutcome*
FindOutcome(const std::vector<PaperOutcome>& outcomes, const std::string& name)
{
    for (const PaperOutcome& outcome : outcomes)
    {
        if (outcome.figure.name == name)
        {
            return &outcome;
        }
    }
    return nullptr;
}

/// @return phrases joined as in "a, b and c"
std::string
Join(const std::vector<std::string>& phrases)
{
    std::string text;
    for (std::size_t i = 0; i < phrases.size(); ++i)
    {
        text += (i == 0 ? "" : i + 1 < phrases.size() ? ", " : " and ") + phrases[i];
    }
    return text;
}

using Values = std::map<std::string, std::vector<std::string>>; //!< judged ones, by figure

/// Adds a value of a figure, or all judged ones of a figure.
void
AddRows(const std::string& text, const Values& values, const DcnCsvReader& csv, PaperClaim& claim)
{
    const std::size_t at = text.find(BETWEEN);
    const auto found = values.find(text.substr(0, at));
    const std::string value = at == std::string::npos ? "" : text.substr(at + BETWEEN.size());
    bool isFound = false;
    for (std::size_t i = 0; found != values.end() && i < found->second.size(); ++i)
    {
        if (value.empty() || found->second[i] == value)
        {
            claim.rows.emplace_back(found->first, found->second[i]);
            isFound = true;
        }
    }
    if (!isFound)
    {
        DcnFail(csv.Where(),
                "a row of a claim is \"FIGURE\" or \"FIGURE: VALUE\" with a judged value of the "
                "figure, but it is \"",
                text,
                "\"");
    }
}

} // namespace

std::vector<PaperClaim>
PaperClaim::ReadAll(const std::vector<PaperFigure>& figures)
{
    std::set<std::string> prefixes;
    Values values;
    for (const PaperFigure& figure : figures)
    {
        prefixes.insert(figure.name.substr(0, figure.name.find('-')));
        for (const PaperValue& value : figure.published)
        {
            if (value.IsJudged())
            {
                values[figure.name].push_back(value.name);
            }
        }
    }
    std::vector<PaperClaim> claims;
    DcnCsvReader csv(DcnDataPath("papers/claims.csv"),
                     {"paper", "claim", "rows", "here", "phrase"});
    while (csv.FetchRow())
    {
        PaperClaim claim{csv.GetText(0), csv.GetText(1), {}, csv.GetText(3), csv.GetText(4)};
        if (prefixes.count(claim.prefix) == 0)
        {
            DcnFail(csv.Where(), "there is no paper \"", claim.prefix, "\"");
        }
        for (const std::string& row : DcnSplit(csv.GetText(2), ';'))
        {
            AddRows(Trim(row), values, csv, claim);
        }
        claims.push_back(claim);
    }
    return claims;
}

PaperVerdict::Kind
PaperClaim::Judge(const std::vector<PaperOutcome>& outcomes) const
{
    PaperVerdict::Kind worst = PaperVerdict::REPRODUCED;
    std::size_t better = 0;
    for (const auto& [figure, value] : rows)
    {
        const PaperOutcome* outcome = FindOutcome(outcomes, figure);
        const PaperVerdict::Kind kind = outcome ? outcome->GetKind(value) : PaperVerdict::NOT_RUN;
        better += kind == PaperVerdict::BETTER ? 1 : 0;
        worst = std::max(worst, kind);
    }
    return worst == PaperVerdict::BETTER && 2 * better <= rows.size() ? PaperVerdict::REPRODUCED
                                                                      : worst;
}

std::string
PaperClaim::Describe(const std::vector<PaperOutcome>& outcomes) const
{
    std::string text;
    std::size_t from = 0;
    for (std::size_t open = here.find('{'); open != std::string::npos; open = here.find('{', from))
    {
        const std::size_t close = here.find('}', open);
        const std::string name = here.substr(open + 1, close - open - 1);
        const std::size_t at = name.find(BETWEEN);
        const PaperOutcome* outcome = FindOutcome(outcomes, name.substr(0, at));
        if (close == std::string::npos || at == std::string::npos || !outcome)
        {
            DcnFail(DcnDataPath("papers/claims.csv"),
                    ": {FIGURE: VALUE} names a value, but there is \"",
                    name,
                    "\"");
        }
        const double value = outcome->result.Find(name.substr(at + BETWEEN.size())).value;
        text += here.substr(from, open - from) + (std::isnan(value) ? "?" : PaperFormat(value));
        from = close + 1;
    }
    return text + here.substr(from);
}

std::string
PaperHolds(PaperVerdict::Kind kind)
{
    switch (kind)
    {
    case PaperVerdict::REPRODUCED:
        return "holds";
    case PaperVerdict::BETTER:
        return "holds, better";
    case PaperVerdict::WORSE:
        return "fails";
    case PaperVerdict::NOT_COMPUTABLE:
        return "not computable here";
    case PaperVerdict::UNDECIDED:
        return "open: undecided";
    case PaperVerdict::NOT_RUN:
        break;
    }
    return "open: not run";
}

std::vector<std::string>
PaperSummary(const std::vector<PaperClaim>& claims, const std::vector<PaperOutcome>& outcomes)
{
    std::map<PaperVerdict::Kind, std::vector<std::string>> phrases;
    std::map<PaperVerdict::Kind, std::size_t> counts;
    for (const PaperClaim& claim : claims)
    {
        const PaperVerdict::Kind kind = claim.Judge(outcomes);
        ++counts[kind];
        if (!claim.phrase.empty())
        {
            phrases[kind].push_back(claim.phrase);
        }
    }
    const auto append = [&](PaperVerdict::Kind to, PaperVerdict::Kind from) {
        phrases[to].insert(phrases[to].end(), phrases[from].begin(), phrases[from].end());
        counts[to] += counts[from];
    };
    append(PaperVerdict::UNDECIDED, PaperVerdict::NOT_RUN);
    std::vector<std::string> lines{"Of " + std::to_string(claims.size()) +
                                   " claims of the five papers"};
    for (const auto& [kind, words] :
         {std::pair{PaperVerdict::REPRODUCED, "hold here"},
          std::pair{PaperVerdict::BETTER, "are exceeded"},
          std::pair{PaperVerdict::WORSE, "fail"},
          std::pair{PaperVerdict::UNDECIDED, "are open at the scales that were run"},
          std::pair{PaperVerdict::NOT_COMPUTABLE, "cannot be computed here"}})
    {
        lines.push_back(std::to_string(counts[kind]) + " " + words +
                        (phrases[kind].empty() ? "" : ": " + Join(phrases[kind])));
    }
    return lines;
}

} // namespace ns3
