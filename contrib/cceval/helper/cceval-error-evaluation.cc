/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-error-evaluation.h"

#include "ns3/cceval-runner.h"
#include "ns3/cceval-stopping-rule.h"
#include "ns3/cceval-traffic.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/simulator.h"

#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{

constexpr uint64_t MOST = 100000;                //!< repetitions
constexpr double LOOK_STEP = 1.2;                //!< ratio of two successive looks
constexpr uint64_t MOST_FAILED = 9;              //!< failures for each that has not failed
const std::string P99 = "p99_slowdown";          //!< the metric that must be known
const std::string FLOWS = "mean_abs_flow_error"; //!< an error itself, not compared with a truth

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

void
CcevalErrorEvaluation::Run(const std::function<Ptr<const DcnScenario>(uint64_t)>& make,
                           const std::vector<Ptr<DcnEstimator>>& methods,
                           uint64_t base)
{
    DcnProgress progress("repetitions", MOST, "comparisons");
    for (uint64_t n = 0; n < MOST && !IsKnown() && !IsFixed(); ++n)
    {
        const uint64_t seed = CcevalSeed(base, CcevalStage::TRIALS, n);
        DcnFctTable table(make(seed));
        std::string failure;
        for (const auto& method : methods)
        {
            const DcnEstimate answer = method->Estimate(table.GetScenario());
            Simulator::Destroy();
            failure = CcevalIsComplete(answer) ? failure : answer.DescribeCompletion();
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
        // the first method is the truth, which has no error
        if (std::isnan(error) || row.metric == "wall_s" || row.method == rows.front().method)
        {
            continue;
        }
        const Key key{row.method, row.metric, row.sizeClass};
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
    if (m_failed++ == 0)
    {
        m_failure = "the one with the seed " + std::to_string(seed) + ": " + why;
    }
    if (m_failed >= FIRST_LOOK && m_failed > MOST_FAILED * m_n)
    {
        DcnFail(m_failed,
                " of ",
                m_failed + m_n,
                " repetitions failed; the first is ",
                m_failure);
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
        if (std::get<1>(key) == P99 && std::get<2>(key) == "all" && values.GetN() >= FIRST_LOOK &&
            !(values.GetVariance() > 0))
        {
            return true;
        }
    }
    return false;
}

bool
CcevalErrorEvaluation::IsKnown() const
{
    if (IsFixed())
    {
        return false;
    }
    double look = FIRST_LOOK;
    while (std::ceil(look * (1 - 1e-12)) < static_cast<double>(m_n))
    {
        look *= LOOK_STEP;
    }
    if (static_cast<uint64_t>(std::ceil(look * (1 - 1e-12))) != m_n)
    {
        return false;
    }
    for (const auto& [key, values] : m_values)
    {
        if (std::get<1>(key) == P99 && std::get<2>(key) == "all" &&
            !(GetInterval(values, m_level).GetHalfWidth() <= m_margin))
        {
            return false;
        }
    }
    return true;
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
        const CcevalMoments& values = m_values.at(key);
        if (values.GetN() >= 2)
        {
            errors.push_back({std::get<0>(key),
                              std::get<1>(key),
                              std::get<2>(key),
                              values.GetN(),
                              GetInterval(values, m_level),
                              m_failed == 0 && values.GetVariance() > 0 &&
                                  values.GetN() >= CcevalDiagnosis::MIN_TRIALS &&
                                  std::abs(values.GetSkewness()) <=
                                      CcevalDiagnosis::GetMaxSkewness(values.GetN())});
        }
    }
    return errors;
}

void
CcevalErrorEvaluation::Report(const std::string& folder) const
{
    DcnFileWriter csv(folder + "/errors.csv");
    csv.Stream() << "method,metric,size_class,repetitions,error,low,high,coverage_assured\n";
    std::printf("errors over %zu repetitions, intervals at %g %% each:\n",
                static_cast<std::size_t>(m_n),
                100 * m_level);
    if (m_failed > 0)
    {
        std::printf("  %zu repetitions failed and were kept out, the first is %s\n",
                    static_cast<std::size_t>(m_failed),
                    m_failure.c_str());
    }
    for (const Error& error : GetErrors())
    {
        const auto& interval = error.interval;
        csv.Stream() << error.method << ',' << error.metric << ',' << error.sizeClass << ','
                     << error.repetitions << ',' << interval.estimate << ',' << interval.low << ','
                     << interval.high << ',' << error.assured << '\n';
        if (error.sizeClass == "all" && (error.metric == P99 || error.metric == FLOWS))
        {
            std::printf("  %-20s %-22s %+8.2f %% (%+.2f to %+.2f %%)%s\n",
                        error.method.c_str(),
                        error.metric == P99 ? "p99 of the slowdown" : "mean |error| of flows",
                        100 * interval.estimate,
                        100 * interval.low,
                        100 * interval.high,
                        error.assured ? "" : " (coverage not assured)");
        }
    }
    if (IsFixed())
    {
        std::printf("not known: the error of a method is the same in all repetitions, so that "
                    "nothing random is left to tell its interval\n");
    }
    csv.Commit();
    std::printf("written: %s/errors.csv\n", folder.c_str());
}

} // namespace ns3
