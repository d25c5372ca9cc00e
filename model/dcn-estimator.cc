/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-estimator.h"

#include "dcn-error.h"

#include "ns3/assert.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnEstimator);

namespace
{

/// @return one object of every registered kind of DcnEstimator, by name
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
            methods.emplace(factory.Create<DcnEstimator>()->GetName(), type);
        }
    }
    return methods;
}

} // namespace

uint64_t
DcnEstimate::GetNFinished() const
{
    return static_cast<uint64_t>(
        std::count_if(fctNs.begin(), fctNs.end(), [](int64_t fct) { return fct != UNFINISHED; }));
}

std::string
DcnEstimate::DescribeCompletion() const
{
    const uint64_t finished = GetNFinished();
    std::string text = method + ": " + std::to_string(fctNs.size()) + " flows started, " +
                       std::to_string(finished) + " finished";
    if (finished < fctNs.size())
    {
        text += ", " + std::to_string(fctNs.size() - finished) + " unfinished";
        std::string reasons;
        for (const auto& [reason, count] : unfinished)
        {
            reasons += (reasons.empty() ? " (" : ", ") + reason + ": " + std::to_string(count);
        }
        text += reasons.empty() ? "" : reasons + ")";
    }
    return text;
}

TypeId
DcnEstimator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnEstimator").SetParent<Object>().SetGroupName("Dcn");
    return tid;
}

DcnEstimate
DcnEstimator::Estimate(Ptr<const DcnScenario> scenario)
{
    DcnEstimate estimate;
    estimate.method = GetName();
    estimate.fctNs.assign(scenario->GetFlows().size(), DcnEstimate::UNFINISHED);
    const auto wallStart = std::chrono::steady_clock::now();
    const std::clock_t cpuStart = std::clock();
    DoEstimate(scenario, estimate);
    estimate.cpuSeconds = static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC;
    estimate.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - wallStart).count();
    NS_ASSERT_MSG(estimate.fctNs.size() == scenario->GetFlows().size(),
                  "a method must answer for every flow");
    return estimate;
}

Ptr<DcnEstimator>
DcnEstimator::CreateByName(const std::string& name)
{
    auto methods = FindMethods();
    auto method = methods.find(name);
    if (method == methods.end())
    {
        std::string known;
        for (const auto& [each, type] : methods)
        {
            known += (known.empty() ? "" : ", ") + each;
        }
        DcnFail("the method \"", name, "\" is not one of ", known);
    }
    ObjectFactory factory;
    factory.SetTypeId(method->second);
    return factory.Create<DcnEstimator>();
}

std::vector<std::string>
DcnEstimator::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, type] : FindMethods())
    {
        // the ground truth comes first: the others are compared with it
        names.insert(name == "packet" ? names.begin() : names.end(), name);
    }
    return names;
}

} // namespace ns3
