/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-figure.h"

#include "ns3/abort.h"
#include "ns3/dcn-csv.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{

/// @return the figures in the order of their registration
std::vector<PaperFigure>&
GetRegistry()
{
    static std::vector<PaperFigure> figures;
    return figures;
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

std::string
PaperCite(const std::string& paper)
{
    static const std::map<std::string, std::string> PAPERS{
        {"CCEval", "CCEval, NSDI 2026"},
        {"m3",
         "C. Li et al., \"m3: Accurate Flow-Level Performance Estimation using Machine Learning\", "
         "SIGCOMM 2024"},
        {"m4",
         "C. Li et al., \"m4: A Learned Flow-level Network Simulator\", arXiv:2503.01770, 2025"},
        {"Parsimon",
         "K. Zhao et al., \"Scalable Tail Latency Estimation for Data Center Networks\", NSDI "
         "2023"},
        {"dissertation", "S. Narayana, dissertation, chapters 4 and 5 (MQL and similarity)"},
        {"dissertation, networks on chip", "S. Narayana, dissertation, chapters 2 and 3"}};
    return PAPERS.at(paper);
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

PaperFigure::PaperFigure(const std::string& name, const std::string& title)
    : m_name(name),
      m_title(title)
{
}

PaperFigure&
PaperFigure::From(const std::string& paper, const std::string& place)
{
    m_paper = paper;
    m_place = place;
    return *this;
}

PaperFigure&
PaperFigure::Publish(const std::string& name,
                     const std::string& unit,
                     double published,
                     PaperRelation relation,
                     double tolerance)
{
    m_published.push_back({name, unit, published, relation, tolerance});
    return *this;
}

PaperFigure&
PaperFigure::On(const std::string& small, const std::string& full)
{
    m_small = small;
    m_full = full;
    return *this;
}

PaperFigure&
PaperFigure::Costs(double smallSeconds, const std::string& full)
{
    m_smallSeconds = smallSeconds;
    m_costs = full;
    return *this;
}

PaperFigure&
PaperFigure::Departs(const std::string& sentence)
{
    m_departures = sentence;
    return *this;
}

PaperFigure&
PaperFigure::Because(const std::string& reason)
{
    m_reason = reason;
    return *this;
}

PaperFigure&
PaperFigure::By(Compute compute)
{
    m_compute = std::move(compute);
    return *this;
}

const std::string&
PaperFigure::GetName() const
{
    return m_name;
}

const std::string&
PaperFigure::GetTitle() const
{
    return m_title;
}

const std::string&
PaperFigure::GetPaper() const
{
    return m_paper;
}

const std::string&
PaperFigure::GetPlace() const
{
    return m_place;
}

const std::vector<PaperValue>&
PaperFigure::GetPublished() const
{
    return m_published;
}

const std::string&
PaperFigure::GetSmall() const
{
    return m_small;
}

const std::string&
PaperFigure::GetFull() const
{
    return m_full;
}

double
PaperFigure::GetSmallSeconds() const
{
    return m_smallSeconds;
}

const std::string&
PaperFigure::GetCosts() const
{
    return m_costs;
}

const std::string&
PaperFigure::GetDepartures() const
{
    return m_departures;
}

const std::string&
PaperFigure::GetReason() const
{
    return m_reason;
}

bool
PaperFigure::IsComputed() const
{
    return static_cast<bool>(m_compute);
}

PaperResult
PaperFigure::Run(PaperRun& run) const
{
    return m_compute(run);
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
        return {PaperVerdict::NOT_COMPUTED, m_reason};
    }
    std::string missed;
    std::string lacking;
    bool isBetter = false;
    for (const PaperValue& value : m_published)
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
                missed + (hasBoth ? "; " : "") + lacking +
                    (m_reason.empty() ? "" : ": " + m_reason)};
    }
    return {isBetter ? PaperVerdict::BETTER : PaperVerdict::REPRODUCED, ""};
}

PaperRegistration::PaperRegistration(const PaperFigure& figure)
{
    for (const PaperFigure& other : GetRegistry())
    {
        NS_ABORT_MSG_IF(other.GetName() == figure.GetName(),
                        "two figures have the name " << figure.GetName());
    }
    GetRegistry().push_back(figure);
}

std::vector<PaperFigure>
PaperRegistration::GetAll()
{
    std::vector<PaperFigure> figures = GetRegistry();
    std::sort(figures.begin(), figures.end(), [](const PaperFigure& a, const PaperFigure& b) {
        return IsBefore(a.GetName(), b.GetName());
    });
    return figures;
}

} // namespace ns3
