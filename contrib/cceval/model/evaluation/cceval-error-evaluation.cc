/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-error-evaluation.h"

#include "../statistics/cceval-stopping-rule.h"
#include "../trials/cceval-runner.h"
#include "../trials/cceval-traffic.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalErrorEvaluation");

namespace
{

constexpr uint64_t MOST = 100000;       //!< largest number of repetitions
constexpr double ANALYSIS_STEP = 1.2;   //!< ratio of two successive interim analyses
constexpr uint64_t MOST_FAILED = 9;     //!< largest ratio of failed to successful repetitions
const std::string P99 = "p99_slowdown"; //!< the metric that decides when to stop
const std::string FLOWS = "mean_abs_flow_error";              //!< is itself an error
const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< missing number

/// @return true if the error with this key (method, variant, metric, class) decides when to stop
bool
IsJudged(const std::tuple<std::string, std::string, std::string, std::string>& key)
{
    return std::get<2>(key) == P99 && std::get<3>(key) == "all";
}

/**
 * @param values errors, at least two
 * @param level confidence level
 * @return interval of their mean
 */
CcevalInterval
GetInterval(const CcevalMoments& values, double level)
{
    return CcevalStoppingRule(CcevalStoppingRule::Kind::GUARDED, 0.5, level).GetInterval(values);
}

} // namespace

CcevalErrorEvaluation::CcevalErrorEvaluation(double margin, double level)
    : m_margin(margin),
      m_level(level)
{
    if (!(margin > 0 && margin < 1))
    {
        DcnFail("the margin must be between 0 and 1, but it is ", margin);
    }
    CcevalCheckLevel(level);
}

CcevalErrorEvaluation::~CcevalErrorEvaluation() = default;

void
CcevalErrorEvaluation::Run(const std::function<Ptr<const DcnScenario>(uint64_t)>& make,
                           const std::vector<Ptr<DcnEstimator>>& methods,
                           uint64_t base)
{
    DcnProgress progress("repetitions", MOST, "comparisons");
    for (uint64_t n = 0; n < MOST && !(IsAnalysis() && AreOthersKnown()) && !IsFixed(); ++n)
    {
        const uint64_t seed = CcevalSeed(base, CcevalStage::TRIALS, n);
        DcnFctTable table(make(seed));
        std::string failure;
        for (const auto& method : methods)
        {
            DcnEstimate answer = method->Estimate(table.GetScenario());
            answer.isGroundTruth = method == methods.front();
            Simulator::Destroy();
            failure = answer.IsComplete() ? failure : answer.DescribeCompletion();
            table.Add(answer);
        }
        failure.empty() ? Add(table.GetSummary()) : AddFailure(seed, failure);
        progress.Update(n + 1);
    }
}

void
CcevalErrorEvaluation::Add(const std::vector<DcnFctTable::SummaryRow>& rows)
{
    bool compared = false;
    for (const auto& row : rows)
    {
        const double error = row.metric == FLOWS ? row.value : row.relativeError;
        if (row.method == rows.front().method)
        {
            continue; // the truth has no error
        }
        if (std::isnan(error) && !std::isnan(row.value) && row.metric == P99 &&
            row.sizeClass == "all")
        {
            LeftOut& leftOut = m_leftOut[row.method];
            ++leftOut.n;
            leftOut.by = row.answeredBy.empty() ? row.method : row.answeredBy;
            NS_LOG_INFO("repetition " << m_n << ": " << row.method << " has no error, since "
                                      << leftOut.by << " answered");
            compared = true;
        }
        if (std::isnan(error) || row.metric == "wall_s")
        {
            continue;
        }
        const Key key{row.method, row.answeredBy, row.metric, row.sizeClass};
        if (m_values.find(key) == m_values.end())
        {
            m_order.push_back(key);
        }
        m_values[key].Add(error);
        compared = true;
    }
    if (!compared)
    {
        DcnFail("an error needs a second method to compare with the first");
    }
    ++m_n;
}

void
CcevalErrorEvaluation::AddFailure(uint64_t seed, const std::string& why)
{
    NS_LOG_INFO("the repetition with seed " << seed << " failed: " << why);
    if (m_failed++ == 0)
    {
        m_failure = "the one with the seed " + std::to_string(seed) + ": " + why;
    }
    if (m_failed >= FIRST_ANALYSIS && m_failed > MOST_FAILED * m_n)
    {
        DcnFail(m_failed, " of ", m_failed + m_n, " repetitions failed; the first is ", m_failure);
    }
}

uint64_t
CcevalErrorEvaluation::GetNFailed() const
{
    return m_failed;
}

bool
CcevalErrorEvaluation::IsFixed() const
{
    for (const auto& [key, values] : m_values)
    {
        if (IsJudged(key) && values.GetN() >= FIRST_ANALYSIS && !(values.GetVariance() > 0))
        {
            return true;
        }
    }
    return false;
}

uint64_t
CcevalErrorEvaluation::GetNOwn(const std::string& method) const
{
    uint64_t n = 0;
    for (const auto& [key, values] : m_values)
    {
        n += std::get<0>(key) == method && IsJudged(key) ? values.GetN() : 0;
    }
    return n;
}

bool
CcevalErrorEvaluation::IsGivenUp(const std::string& method) const
{
    const auto found = m_leftOut.find(method);
    const uint64_t own = GetNOwn(method);
    return found != m_leftOut.end() && found->second.n + own >= FIRST_ANALYSIS &&
           found->second.n >= MOST_FAILED * own;
}

bool
CcevalErrorEvaluation::IsAnalysis() const
{
    double next = FIRST_ANALYSIS;
    while (std::ceil(next * (1 - 1e-12)) < static_cast<double>(m_n))
    {
        next *= ANALYSIS_STEP;
    }
    return static_cast<uint64_t>(std::ceil(next * (1 - 1e-12))) == m_n;
}

bool
CcevalErrorEvaluation::AreOthersKnown() const
{
    std::map<std::string, bool>
        isAnyKnown; // by method: errors of rare variants alone do not suffice
    for (const auto& [key, values] : m_values)
    {
        if (!IsJudged(key))
        {
            continue;
        }
        const bool isRare = values.GetN() * (MOST_FAILED + 1) <= m_n;
        const bool isKnown = values.GetN() >= FIRST_ANALYSIS &&
                             GetInterval(values, m_level).GetHalfWidth() <= m_margin;
        if (!isRare && !isKnown)
        {
            return false;
        }
        bool& any = isAnyKnown[std::get<0>(key)];
        any = any || isKnown;
    }
    return std::all_of(isAnyKnown.begin(), isAnyKnown.end(), [this](const auto& each) {
        return each.second || IsGivenUp(each.first);
    });
}

bool
CcevalErrorEvaluation::IsKnown() const
{
    for (const auto& [method, leftOut] : m_leftOut)
    {
        if (IsGivenUp(method))
        {
            return false;
        }
    }
    return !IsFixed() && IsAnalysis() && AreOthersKnown();
}

uint64_t
CcevalErrorEvaluation::GetN() const
{
    return m_n;
}

std::vector<CcevalErrorEvaluation::Error>
CcevalErrorEvaluation::GetErrors() const
{
    std::vector<Error> errors;
    for (const Key& key : m_order)
    {
        const auto& [method, answeredBy, metric, sizeClass] = key;
        const CcevalMoments& values = m_values.at(key);
        // a variant with one answer has no interval, but is listed
        const bool isShown = values.GetN() >= 2 || (IsJudged(key) && GetNOwn(method) >= 2);
        if (!isShown)
        {
            continue;
        }
        const bool varies = values.GetVariance() > 0;
        const auto found = m_leftOut.find(method);
        const uint64_t leftOut = found == m_leftOut.end() ? 0 : found->second.n;
        errors.push_back(
            {method,
             answeredBy,
             metric,
             sizeClass,
             values.GetN(),
             leftOut,
             varies ? GetInterval(values, m_level) : CcevalInterval{values.GetMean(), NONE, NONE},
             m_failed == 0 && leftOut == 0 && varies &&
                 values.GetN() >= CcevalDiagnosis::MIN_TRIALS,
             CcevalDiagnosis::Make(values).hasTail});
    }
    for (const auto& [method, leftOut] : m_leftOut)
    {
        const uint64_t own = GetNOwn(method);
        if (own < 2)
        {
            errors.push_back(
                {method, leftOut.by, P99, "all", own, leftOut.n, {NONE, NONE, NONE}, false, false});
        }
    }
    return errors;
}

void
CcevalErrorEvaluation::Print(const Error& error) const
{
    const auto& interval = error.interval;
    const bool isOther = DcnEstimate::IsOther(error.method, error.answeredBy);
    std::printf("  %-20s %-22s ",
                DcnEstimate::MakeTitle(error.method, isOther ? "" : error.answeredBy).c_str(),
                error.metric == P99 ? "p99 of the slowdown" : "mean |error| of flows");
    if (std::isnan(interval.estimate))
    {
        std::printf("%8s   (%s answered %zu of %zu repetitions)\n",
                    "-",
                    error.answeredBy.c_str(),
                    static_cast<std::size_t>(error.leftOut),
                    static_cast<std::size_t>(m_n));
        return;
    }
    std::printf("%+8.2f %% ", 100 * interval.estimate);
    if (std::isnan(interval.low))
    {
        std::printf("(%s: no interval)",
                    error.repetitions == 1 ? "one repetition" : "equal in all repetitions");
    }
    else
    {
        std::printf("(%+.2f to %+.2f %%)", 100 * interval.low, 100 * interval.high);
    }
    if (error.leftOut > 0)
    {
        std::printf(" over %zu repetitions, without %zu answered by %s",
                    static_cast<std::size_t>(error.repetitions),
                    static_cast<std::size_t>(error.leftOut),
                    m_leftOut.at(error.method).by.c_str());
    }
    std::printf("%s%s\n",
                error.assured ? "" : " (coverage not assured)",
                error.hasTail ? " (skewed)" : "");
}

void
CcevalErrorEvaluation::Report(const std::string& folder) const
{
    DcnFileWriter csv(folder + "/errors.csv");
    csv.Stream() << "method,answered_by,metric,size_class,repetitions,left_out,error,low,high,"
                    "coverage_assured\n";
    std::printf("errors over %zu repetitions, intervals at %g %% each:\n",
                static_cast<std::size_t>(m_n),
                100 * m_level);
    if (m_failed > 0)
    {
        std::printf("  %zu repetitions failed and are excluded, the first is %s\n",
                    static_cast<std::size_t>(m_failed),
                    m_failure.c_str());
    }
    for (const Error& error : GetErrors())
    {
        const auto& interval = error.interval;
        csv.Stream() << error.method << ',' << error.answeredBy << ',' << error.metric << ','
                     << error.sizeClass << ',' << error.repetitions << ',' << error.leftOut << ','
                     << interval.estimate << ',' << interval.low << ',' << interval.high << ','
                     << error.assured << '\n';
        if (error.sizeClass == "all" && (error.metric == P99 || error.metric == FLOWS))
        {
            Print(error);
        }
    }
    if (IsFixed())
    {
        std::printf("not known: the error of a method is the same in all repetitions, so that "
                    "nothing random is left to tell its interval\n");
    }
    for (const auto& [method, leftOut] : m_leftOut)
    {
        if (IsGivenUp(method))
        {
            std::printf("not known: the error of %s, as %s answered %zu of %zu repetitions\n",
                        method.c_str(),
                        leftOut.by.c_str(),
                        static_cast<std::size_t>(leftOut.n),
                        static_cast<std::size_t>(m_n));
        }
    }
    csv.Commit();
    std::printf("written: %s/errors.csv\n", folder.c_str());
}

} // namespace ns3
