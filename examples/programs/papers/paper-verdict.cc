/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-verdict.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace ns3
{

namespace
{

constexpr double INFINITE = std::numeric_limits<double>::infinity();

/// @return a number with six significant digits
std::string
Write(double number)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", number);
    return text;
}

/// @return the ends of G
std::pair<double, double>
GetGood(const PaperValue& value)
{
    const double room = value.tolerance * std::abs(value.published);
    const bool hasLimit = !std::isnan(value.limit);
    switch (value.relation)
    {
    case PaperRelation::NEAR:
        return {value.published - room, value.published + room};
    case PaperRelation::AT_MOST:
        return {-INFINITE, value.published + room};
    case PaperRelation::AT_LEAST:
        return {value.published - room, INFINITE};
    case PaperRelation::BELOW:
        return {hasLimit ? value.limit : -INFINITE, value.published + room};
    case PaperRelation::ABOVE:
        return {value.published - room, hasLimit ? value.limit : INFINITE};
    case PaperRelation::SHOWN:
        break;
    }
    return {-INFINITE, INFINITE};
}

} // namespace

std::string
PaperVerdict::GetName(Kind kind)
{
    switch (kind)
    {
    case BETTER:
        return "better";
    case REPRODUCED:
        return "reproduced";
    case NOT_COMPUTABLE:
        return "not computable";
    case NOT_RUN:
        return "not run";
    case UNDECIDED:
        return "undecided";
    case WORSE:
        break;
    }
    return "worse";
}

std::string
PaperVerdict::GetName() const
{
    return GetName(kind);
}

bool
PaperValue::IsJudged() const
{
    return relation != PaperRelation::SHOWN;
}

bool
PaperValue::IsWords() const
{
    return relation == PaperRelation::BELOW || relation == PaperRelation::ABOVE;
}

std::string
PaperValue::GetRule() const
{
    if (!IsJudged())
    {
        return "shown";
    }
    if (relation == PaperRelation::NEAR)
    {
        return "within " + Write(100 * tolerance) + " %";
    }
    const auto [low, high] = GetGood(*this);
    if (std::isinf(low))
    {
        return "<= " + Write(high);
    }
    return std::isinf(high) ? ">= " + Write(low) : Write(low) + " to " + Write(high);
}

PaperMeasured
PaperValue::GetInterval(const PaperMeasured& measured) const
{
    PaperMeasured interval = measured;
    if (std::isnan(measured.low) || std::isnan(measured.high))
    {
        interval.low = measured.value;
        interval.high = measured.value;
    }
    if (!hardware.empty())
    {
        interval.low /= MACHINES;
        interval.high *= MACHINES;
    }
    if (measured.draws < draws)
    {
        interval.low = measured.value;
        interval.high = INFINITE;
    }
    return interval;
}

PaperVerdict::Kind
PaperValue::Judge(const PaperMeasured& measured) const
{
    if (!IsJudged())
    {
        return PaperVerdict::REPRODUCED;
    }
    if (std::isnan(measured.value))
    {
        return PaperVerdict::NOT_COMPUTABLE;
    }
    const PaperMeasured interval = GetInterval(measured);
    const double room = tolerance * std::abs(published);
    const bool isBetter =
        (relation == PaperRelation::AT_MOST && interval.high < published - room) ||
        (relation == PaperRelation::AT_LEAST && interval.low > published + room);
    const auto [low, high] = GetGood(*this);
    if (isBetter && interval.low < interval.high)
    {
        return PaperVerdict::BETTER;
    }
    if (low <= interval.low && interval.high <= high)
    {
        return PaperVerdict::REPRODUCED;
    }
    return interval.high < low || high < interval.low ? PaperVerdict::WORSE
                                                      : PaperVerdict::UNDECIDED;
}

bool
PaperDiffers(const PaperMeasured& a, const PaperMeasured& b)
{
    const auto low = [](const PaperMeasured& each) {
        return std::isnan(each.low) ? each.value : each.low;
    };
    const auto high = [](const PaperMeasured& each) {
        return std::isnan(each.high) ? each.value : each.high;
    };
    return high(a) < low(b) || high(b) < low(a); // false for NaN
}

} // namespace ns3
