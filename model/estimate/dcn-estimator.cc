/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-estimator.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-result-store.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <set>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnEstimator");

NS_OBJECT_ENSURE_REGISTERED(DcnEstimator);

namespace
{

const std::string NOTE = "note:"; //!< begins a line of a note in WriteTimes; no name of an event

/// @return the type of every registered DcnEstimator, by the name of the method
std::map<std::string, TypeId>
FindMethods()
{
    std::map<std::string, TypeId> methods;
    for (uint32_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        TypeId type = TypeId::GetRegistered(i);
        if (type != DcnEstimator::GetTypeId() && type.IsChildOf(DcnEstimator::GetTypeId()) &&
            type.HasConstructor())
        {
            ObjectFactory factory;
            factory.SetTypeId(type);
            const std::string name = factory.Create<DcnEstimator>()->GetName();
            const auto [other, isNew] = methods.emplace(name, type);
            if (!isNew)
            {
                DcnFail("the method \"",
                        name,
                        "\" is registered twice, as ",
                        other->second.GetName(),
                        " and ",
                        type.GetName());
            }
        }
    }
    return methods;
}

/**
 * @param type of an object
 * @return names of its attributes, joined by commas
 */
std::string
ListAttributes(TypeId type)
{
    std::string names;
    for (; type != Object::GetTypeId(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            names += (names.empty() ? "" : ", ") + type.GetAttribute(i).name;
        }
    }
    return names.empty() ? "none" : names;
}

/**
 * @param kind name of an ns-3 attribute value
 * @param text the value as text
 * @return false if it is a number and the text is not; ns-3 would end the program at "1x"
 */
bool
MayBeRead(const std::string& kind, const std::string& text)
{
    double real;
    int64_t integer;
    uint64_t whole;
    return (kind != "ns3::DoubleValue" || DcnParse(text, real)) &&
           (kind != "ns3::IntegerValue" || DcnParse(text, integer)) &&
           (kind != "ns3::UintegerValue" || DcnParse(text, whole));
}

/**
 * @param name of a method with attributes
 * @return the parts between single colons; a double colon is a part of a value (ns3::TcpCubic)
 */
std::vector<std::string>
SplitName(const std::string& name)
{
    std::vector<std::string> parts(1);
    for (std::size_t i = 0; i < name.size(); ++i)
    {
        if (name[i] != ':')
        {
            parts.back() += name[i];
        }
        else if (name.compare(i, 2, "::") == 0)
        {
            parts.back() += "::";
            ++i;
        }
        else
        {
            parts.emplace_back();
        }
    }
    return parts;
}

/**
 * @param object gets the value
 * @param name the object in messages
 * @param assignment attribute=value
 */
void
SetOne(Ptr<Object> object, const std::string& name, const std::string& assignment)
{
    const TypeId type = object->GetInstanceTypeId();
    const std::size_t equals = assignment.find('=');
    const std::string attribute = assignment.substr(0, equals);
    TypeId::AttributeInformation information;
    if (!type.LookupAttributeByName(attribute, &information))
    {
        DcnFail(name, " has no attribute \"", attribute, "\"; it has: ", ListAttributes(type));
    }
    const std::string value =
        equals == std::string::npos ? std::string() : assignment.substr(equals + 1);
    if (equals == std::string::npos || !MayBeRead(information.checker->GetValueTypeName(), value) ||
        !object->SetAttributeFailSafe(attribute, StringValue(value)))
    {
        DcnFail("the attribute ",
                attribute,
                " of ",
                name,
                " cannot be \"",
                value,
                "\"; it takes: ",
                information.checker->GetUnderlyingTypeInformation());
    }
}

} // namespace

// several assignments are joined by colons, as behind the name of a method
void
DcnSetAttribute(Ptr<Object> object, const std::string& name, const std::string& assignment)
{
    std::set<std::string> given;
    for (const std::string& each : SplitName(assignment))
    {
        if (each.empty())
        {
            DcnFail("a colon of ", name, " has no attribute behind it: give one, or no colon");
        }
        const std::string attribute = each.substr(0, each.find('='));
        if (!given.insert(attribute).second)
        {
            DcnFail("the attribute ", attribute, " of ", name, " is given twice: give it once");
        }
        SetOne(object, name, each);
    }
}

DcnSlowdownQuery
DcnSlowdownQuery::OfClass(const DcnSizeClass& sizeClass)
{
    DcnSlowdownQuery query;
    query.smallestBytes = std::max<uint64_t>(1, std::llround(std::ceil(sizeClass.lowerBytes)));
    if (std::isfinite(sizeClass.upperBytes))
    {
        query.largestBytes = static_cast<uint64_t>(std::ceil(sizeClass.upperBytes)) - 1;
    }
    return query;
}

std::string
DcnSlowdownQuantile::DescribeLimits() const
{
    if (!HasLimits())
    {
        return isWhole ? " (all paths drawn)" : " (no other draw differs)";
    }
    char text[64];
    std::snprintf(text, sizeof(text), " (%.3f to %.3f)", lower, upper);
    return text;
}

uint64_t
DcnEstimate::GetNFinished() const
{
    return static_cast<uint64_t>(
        std::count_if(fctNs.begin(), fctNs.end(), [](int64_t fct) { return fct != UNFINISHED; }));
}

std::optional<std::pair<double, double>>
DcnEstimate::GetP99Limits(const std::string& sizeClass, double p99, uint64_t nFlows) const
{
    const auto margin = std::find_if(margins.begin(), margins.end(), [&](const Margin& each) {
        return each.sizeClass == sizeClass;
    });
    if (margin == margins.end() || nFlows < Margin::FEWEST_FLOWS)
    {
        return std::nullopt;
    }
    return std::pair{std::max(1.0, p99 * margin->low), std::max(1.0, p99 * margin->high)};
}

bool
DcnEstimate::IsComplete() const
{
    return unfinished.empty() && (!samples.empty() || GetNFinished() == fctNs.size());
}

std::string
DcnEstimate::DescribeCompletion() const
{
    const uint64_t finished = GetNFinished();
    std::string reasons;
    for (const auto& [reason, count] : unfinished)
    {
        reasons += (reasons.empty() ? " (" : ", ") + reason + ": " + std::to_string(count);
    }
    reasons += reasons.empty() ? "" : ")";
    if (!samples.empty() && finished < fctNs.size())
    {
        return method + ": distributions of slowdowns for " + std::to_string(fctNs.size()) +
               " flows (" + std::to_string(samples.size()) + " samples)" +
               (reasons.empty() ? "" : ", some unfinished" + reasons);
    }
    std::string text = method + ": " + std::to_string(fctNs.size()) + " flows started, " +
                       std::to_string(finished) + " finished";
    if (finished < fctNs.size())
    {
        text += ", " + std::to_string(fctNs.size() - finished) + " unfinished" + reasons;
    }
    return text;
}

std::string
DcnEstimate::DescribeEvents() const
{
    std::string text = busiestLinks.empty() ? "" : "busiest links " + busiestLinks;
    for (const auto& [metric, value] : events)
    {
        if (value > 0)
        {
            std::string name = metric;
            std::replace(name.begin(), name.end(), '_', ' ');
            std::ostringstream number;
            number << std::setprecision(12) << value;
            text += (text.empty() ? "" : "; ") + name + ": " + number.str();
        }
    }
    return text;
}

std::string
DcnEstimate::WriteTimes() const
{
    std::ostringstream out;
    for (const std::vector<int64_t>* times : {&fctNs, &releaseNs})
    {
        out << times->size();
        for (const int64_t time : *times)
        {
            out << ' ' << time;
        }
        out << '\n';
    }
    out << unfinished.size() << '\n';
    for (const auto& [reason, count] : unfinished)
    {
        out << count << ' ' << reason << '\n';
    }
    out << busiestLinks << '\n' << std::setprecision(17);
    for (const auto& [metric, value] : events)
    {
        out << metric << ' ' << value << '\n';
    }
    for (const std::string& sentence : notes)
    {
        out << NOTE << ' ' << sentence << '\n';
    }
    return out.str();
}

void
DcnEstimate::ReadTimes(const std::string& text)
{
    std::istringstream in(text);
    std::size_t n = 0;
    for (std::vector<int64_t>* times : {&fctNs, &releaseNs})
    {
        in >> n;
        times->resize(n);
        for (int64_t& time : *times)
        {
            in >> time;
        }
    }
    in >> n;
    in.ignore(); // the end of the line
    for (; n > 0; --n)
    {
        uint64_t count = 0;
        std::string reason;
        in >> count;
        in.ignore(); // the blank
        std::getline(in, reason);
        unfinished[reason] = count;
    }
    events.clear();
    std::getline(in, busiestLinks);
    notes.clear();
    for (std::string metric; in >> metric;)
    {
        if (metric == NOTE)
        {
            in.ignore(); // the blank
            notes.emplace_back();
            std::getline(in, notes.back());
            continue;
        }
        double value = 0;
        in >> value;
        events.emplace_back(metric, value);
    }
}

bool
DcnEstimate::IsOther(const std::string& method, const std::string& answeredBy)
{
    // attributes follow, or the seed of a repetition
    auto base = [](const std::string& name) { return name.substr(0, name.find_first_of(": ")); };
    return !answeredBy.empty() && base(answeredBy) != base(method);
}

std::string
DcnEstimate::MakeTitle(const std::string& method, const std::string& answeredBy)
{
    return answeredBy.empty() ? method : method + " = " + answeredBy;
}

TypeId
DcnEstimator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnEstimator").SetParent<Object>().SetGroupName("Dcn");
    return tid;
}

std::string
DcnEstimator::GetLabel() const
{
    return m_label.empty() ? GetName() : m_label;
}

std::vector<std::string>
DcnEstimator::GetInputFiles() const
{
    return {};
}

bool
DcnEstimator::IsGroundTruth() const
{
    return false;
}

std::string
DcnEstimator::GetDigest() const
{
    return DcnResultStore::DigestFiles(GetInputFiles());
}

double
DcnEstimator::ForecastSeconds(const DcnWork& /* work */) const
{
    return -1;
}

bool
DcnEstimator::IsListed() const
{
    return true;
}

bool
DcnEstimator::HasManyPaths() const
{
    return false;
}

bool
DcnEstimator::TakesMergedLinks() const
{
    return true;
}

std::optional<DcnMergedLinks>
DcnEstimator::Merge(Ptr<const DcnScenario> scenario) const
{
    if (HasManyPaths() || !scenario->GetNetwork().HasManyPaths())
    {
        return std::nullopt;
    }
    if (!TakesMergedLinks())
    {
        scenario->GetNetwork().RefuseManyPaths(GetName());
    }
    return DcnMergedLinks(scenario);
}

void
DcnEstimator::Check(Ptr<const DcnScenario> scenario) const
{
    const std::optional<DcnMergedLinks> merged = Merge(scenario);
    DoCheck(merged ? merged->GetScenario() : scenario);
}

void
DcnEstimator::DoCheck(Ptr<const DcnScenario> /* scenario */) const
{
}

DcnEstimate
DcnEstimator::Estimate(Ptr<const DcnScenario> scenario)
{
    DcnEstimate estimate;
    estimate.method = GetLabel();
    estimate.isGroundTruth = IsGroundTruth();
    estimate.fctNs.assign(scenario->GetFlows().size(), DcnEstimate::UNFINISHED);
    NS_LOG_INFO(estimate.method << " begins: " << estimate.fctNs.size() << " flows");
    const DcnStopwatch stopwatch;
    if (const std::optional<DcnMergedLinks> merged = Merge(scenario))
    {
        DoEstimate(merged->GetScenario(), estimate);
        merged->Correct(estimate.fctNs);
        estimate.provenance += (estimate.provenance.empty() ? "" : "; ") + merged->Describe();
    }
    else
    {
        DoEstimate(scenario, estimate);
    }
    const DcnCost cost = stopwatch.Get();
    estimate.wallSeconds = cost.wallSeconds;
    estimate.cpuSeconds = cost.cpuSeconds;
    NS_ASSERT_MSG(estimate.fctNs.size() == scenario->GetFlows().size(),
                  "a method must answer for every flow");
    if (!estimate.warnings.empty() || !estimate.notModelled.empty())
    {
        std::cerr << estimate.method << ": " << estimate.DescribeWarnings() << std::endl;
    }
    NS_LOG_INFO(estimate.DescribeCompletion()
                << "; " << cost.wallSeconds << " s, " << estimate.provenance
                << (estimate.answeredBy.empty() ? "" : "; answered by " + estimate.answeredBy));
    return estimate;
}

std::string
DcnEstimate::DescribeWarnings() const
{
    std::string text;
    if (!warnings.empty())
    {
        text = "outside of the training in " + std::to_string(warnings.size()) +
               (warnings.size() == 1 ? " quantity: " : " quantities, such as: ") +
               warnings.front() +
               (expectedError.empty() ? ", so the answer may be far off" : "; " + expectedError);
    }
    for (const std::string& sentence : notModelled)
    {
        text += (text.empty() ? "" : "; ") + sentence +
                ". The method does not model this, so the answer may be far off";
    }
    return text;
}

Ptr<DcnEstimator>
DcnEstimator::CreateByName(const std::string& name)
{
    const std::string base = SplitName(name).front();
    auto methods = FindMethods();
    auto method = methods.find(base);
    if (method == methods.end())
    {
        std::string known;
        for (const auto& [each, type] : methods)
        {
            known += (known.empty() ? "" : ", ") + each;
        }
        DcnFail("the method \"", base, "\" is not one of ", known);
    }
    ObjectFactory factory;
    factory.SetTypeId(method->second);
    Ptr<DcnEstimator> estimator = factory.Create<DcnEstimator>();
    if (name.size() > base.size())
    {
        DcnSetAttribute(estimator,
                        "the method \"" + estimator->GetName() + "\"",
                        name.substr(base.size() + 1));
    }
    estimator->m_label = name;
    return estimator;
}

std::vector<std::string>
DcnEstimator::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, type] : FindMethods())
    {
        if (CreateByName(name)->IsListed())
        {
            // the ground truth comes first: the others are compared with it
            names.insert(name == "packet" ? names.begin() : names.end(), name);
        }
    }
    return names;
}

} // namespace ns3
