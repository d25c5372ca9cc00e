/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-auto-estimator.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/double.h"
#include "ns3/log.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnAutoEstimator");

NS_OBJECT_ENSURE_REGISTERED(DcnAutoEstimator);

namespace
{

/// @return labels of the methods in the table of errors, and the truths that are built, each once
std::set<std::string>
ListLabels()
{
    std::set<std::string> labels;
    for (const auto& [key, error] : DcnForecast::GetAccuracy())
    {
        labels.insert(key.second);
    }
    for (const std::string& name : DcnEstimator::GetNames())
    {
        if (DcnEstimator::CreateByName(name)->IsGroundTruth())
        {
            labels.insert(name);
        }
    }
    return labels;
}

/// @return the method of a label; null if its module, or its model, is not there
Ptr<DcnEstimator>
TryCreate(const std::string& label)
{
    try
    {
        return DcnEstimator::CreateByName(label);
    }
    catch (const DcnError& error)
    {
        NS_LOG_INFO(label << " is passed over: " << error.what());
        return nullptr;
    }
}

} // namespace

TypeId
DcnAutoEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnAutoEstimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("Dcn")
            .AddConstructor<DcnAutoEstimator>()
            .AddAttribute("Budget",
                          "Processor time that the method may take on this machine [s]; 0: no "
                          "limit, see Cheap.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DcnAutoEstimator::m_budget),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Cheap",
                          "Without Budget: the truth answers if its forecast on the reference "
                          "machine is at most this [s].",
                          DoubleValue(5),
                          MakeDoubleAccessor(&DcnAutoEstimator::m_cheap),
                          MakeDoubleChecker<double>(0));
    return tid;
}

std::string
DcnAutoEstimator::GetName() const
{
    return "auto";
}

bool
DcnAutoEstimator::IsListed() const
{
    return false;
}

bool
DcnAutoEstimator::HasManyPaths() const
{
    return true; // those that have not refuse
}

std::vector<std::string>
DcnAutoEstimator::GetInputFiles() const
{
    return {DcnForecast::GetAccuracyFile()};
}

std::string
DcnAutoEstimator::GetDigest() const
{
    std::string text = DcnEstimator::GetDigest();
    for (const std::string& label : ListLabels())
    {
        if (const auto method = TryCreate(label))
        {
            text += ' ' + label + ' ' + method->GetDigest();
        }
    }
    return DcnHashText(text);
}

double
DcnAutoEstimator::ForecastSeconds(const DcnWork& /* work */) const
{
    return -1; // that of the method which it takes
}

std::vector<DcnAutoEstimator::Candidate>
DcnAutoEstimator::FindCandidates(Ptr<const DcnScenario> scenario) const
{
    const DcnForecast forecast(*scenario, m_budget > 0 ? DcnForecast::MeasureSpeed() : 1);
    std::vector<Candidate> candidates;
    for (const std::string& label : ListLabels())
    {
        const auto method = TryCreate(label);
        if (!method)
        {
            continue;
        }
        const DcnForecast::Row row = forecast.Ask(*method);
        if (row.error < 0 || row.seconds < 0)
        {
            continue;
        }
        try
        {
            method->Check(scenario);
            candidates.push_back({method, row});
        }
        catch (const DcnError& error)
        {
            NS_LOG_INFO(label << " is passed over: " << error.what());
        }
    }
    // the most accurate first, among equal ones the cheapest
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
        return std::tie(a.row.error, a.row.seconds) < std::tie(b.row.error, b.row.seconds);
    });
    return candidates;
}

DcnAutoEstimator::Candidate
DcnAutoEstimator::Pick(Ptr<const DcnScenario> scenario) const
{
    const auto candidates = FindCandidates(scenario);
    if (candidates.empty())
    {
        DcnFail("the method \"auto\" finds no method that is built, has a forecast and accepts the "
                "scenario: name a method");
    }
    if (m_budget > 0)
    {
        const auto found =
            std::find_if(candidates.begin(), candidates.end(), [this](const auto& each) {
                return each.row.seconds <= m_budget;
            });
        if (found == candidates.end())
        {
            DcnFail("no method fits in the attribute Budget=",
                    m_budget,
                    " of the method \"auto\"; the most accurate one, ",
                    candidates.front().row.method,
                    ", needs some ",
                    candidates.front().row.seconds,
                    " s");
        }
        return *found;
    }
    const auto best =
        std::find_if(candidates.begin(), candidates.end(), [](const auto& each) {
            return !each.row.isTruth;
        });
    for (const Candidate& each : candidates)
    {
        if (each.row.isTruth && (best == candidates.end() || each.row.seconds <= m_cheap ||
                                 each.row.seconds <= best->row.seconds))
        {
            return each;
        }
    }
    return *best;
}

std::string
DcnAutoEstimator::Choose(Ptr<const DcnScenario> scenario) const
{
    return Pick(scenario).row.method;
}

void
DcnAutoEstimator::DoCheck(Ptr<const DcnScenario> scenario) const
{
    Pick(scenario);
}

void
DcnAutoEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const Candidate choice = Pick(scenario);
    const std::string label = estimate.method;
    std::array<char, 64> cost{};
    std::snprintf(cost.data(), cost.size(), ", forecast %.2g s: ", choice.row.seconds);
    estimate = choice.method->Estimate(scenario);
    estimate.method = label;
    estimate.isGroundTruth = false;
    estimate.provenance = "auto: " + choice.row.method + cost.data() + estimate.provenance;
    NS_LOG_INFO(estimate.provenance);
}

} // namespace ns3
