/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-evaluation.h"

#include "../trials/cceval-traffic.h"
#include "cceval-control-method.h"
#include "cceval-importance-method.h"
#include "cceval-plain-method.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace ns3
{

namespace
{

/// A method by its name.
struct Kind
{
    std::set<std::string> options; //!< options of the request with an effect on the method
    std::function<std::unique_ptr<CcevalMethod>(const CcevalMethod::Setting&)>
        make; //!< creates the method
};

/**
 * @tparam Method its class
 * @param options see Kind
 * @return the method
 */
template <typename Method>
Kind
MakeKind(std::set<std::string> options)
{
    return {std::move(options),
            [](const CcevalMethod::Setting& setting) { return std::make_unique<Method>(setting); }};
}

/** @return the methods by their names. */
const std::map<std::string, Kind>&
GetKinds()
{
    static const std::map<std::string, Kind> kinds{
        {CcevalPlainMethod::NAME, MakeKind<CcevalPlainMethod>({})},
        {CcevalControlMethod::NAME, MakeKind<CcevalControlMethod>({"control", "controlTraces"})},
        {CcevalImportanceMethod::NAME,
         MakeKind<CcevalImportanceMethod>({"control", "proposal", "tuner"})}};
    return kinds;
}

/**
 * @brief Refuse requests that no method supports.
 * @param request of an evaluation
 */
void
Check(const CcevalRequest& request)
{
    if (request.metrics.empty())
    {
        DcnFail("there is no metric to evaluate");
    }
    if (GetKinds().count(request.method) == 0)
    {
        DcnFail("the method must be model-free, importance or control-variate, but it is \"",
                request.method,
                "\"");
    }
    if (request.proposal != "mixture" && request.proposal != "tilt" &&
        request.proposal != "published")
    {
        DcnFail("the proposal must be mixture, tilt or published, but it is \"",
                request.proposal,
                "\"");
    }
    if (request.tuner != "control" && request.tuner != "method")
    {
        DcnFail("the tuner must be control or method, but it is \"", request.tuner, "\"");
    }
    if (request.trials == 1 || request.maxTrials < 2)
    {
        DcnFail("an interval needs at least two trials");
    }
    if (!(request.budgetSeconds >= 0))
    {
        DcnFail("the budget must be a time that is not negative, but it is ",
                request.budgetSeconds);
    }
    if (request.trials > 0 &&
        (request.budgetSeconds > 0 || request.maxTrials != CcevalRequest().maxTrials))
    {
        DcnFail("the number of trials is fixed, so that a budget or a largest number has no "
                "effect");
    }
    if (request.repetition > 0 && request.trials == 0)
    {
        DcnFail("a repetition needs a fixed number of trials, which is missing");
    }
    for (const auto& metric : request.metrics)
    {
        if (std::count(request.metrics.begin(), request.metrics.end(), metric) > 1)
        {
            DcnFail("the metric ", metric, " is named twice");
        }
    }
}

} // namespace

CcevalEvaluation::CcevalEvaluation(const std::string& label,
                                   const CcevalTraffic& traffic,
                                   Ptr<const DcnNetworkConfig> network,
                                   const CcevalRequest& request)
    : m_request(request)
{
    Check(request);
    m_method = GetKinds()
                   .at(request.method)
                   .make({label, traffic, traffic.GetSpec().seed, network, request, nullptr});
}

CcevalEvaluation::CcevalEvaluation(const std::string& label,
                                   const CcevalSimulation& simulation,
                                   uint64_t seed,
                                   const CcevalRequest& request)
    : m_request(request)
{
    Check(request);
    if (request.method != CcevalPlainMethod::NAME)
    {
        DcnFail("the method ",
                request.method,
                " draws the flows of trials by itself; for a simulation of a program's own the "
                "method must be ",
                CcevalPlainMethod::NAME);
    }
    CcevalSeed(seed, CcevalStage::TRIALS, 0); // refuses seeds that are too large
    m_method = GetKinds()
                   .at(request.method)
                   .make({label, std::nullopt, seed, nullptr, request, simulation});
}

CcevalEvaluation::CcevalEvaluation(const std::string& label,
                                   Ptr<const DcnTopology> topology,
                                   const DcnWorkloadSpec& spec,
                                   Ptr<const DcnNetworkConfig> network,
                                   const CcevalRequest& request)
    : CcevalEvaluation(label, CcevalTraffic(topology, spec), network, request)
{
}

CcevalEvaluation::~CcevalEvaluation() = default;

bool
CcevalEvaluation::HasOption(const std::string& method, const std::string& option)
{
    const auto kind = GetKinds().find(method);
    return kind != GetKinds().end() && kind->second.options.count(option) > 0;
}

std::vector<CcevalResult>
CcevalEvaluation::Run(const CcevalObserver& observer)
{
    return m_method->Run(observer ? observer : [](const CcevalResult&) {});
}

const std::vector<CcevalTrial>&
CcevalEvaluation::GetTrials() const
{
    return m_method->GetTrials().Get();
}

void
CcevalEvaluation::WriteTrials(std::ostream& csv, bool header) const
{
    m_method->GetTrials().Write(csv, header);
}

} // namespace ns3
