/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Coverage of the intervals of control variates and importance sampling on a network.
 *
 * Of P N plain trials (P = 11), repetition r evaluates N (with control variates of trials r N to
 * r N + N - 1, with importance sampling of as many tilted trials). Its reference is the model-free
 * value of the other (P - 1) N trials, or of R further ones (CcevalRepetitions). CcevalAgreement
 * counts how often intervals contain their references, and computes how often they should.
 */

#include "ns3/cceval-evaluation.h"
#include "ns3/cceval-repetitions.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-statistics.h"

#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double LEVEL = 0.95; //!< of intervals

/// Results of the repetitions of a metric, for an algorithm and a method.
class Row
{
  public:
    /// Adds a repetition and its reference, and writes its line.
    void Add(const CcevalResult& result,
             const CcevalInterval& reference,
             std::ostream& csv,
             uint64_t repetition)
    {
        m_result = result;
        csv << result.algorithm << ',' << result.metric << ',' << result.method << ','
            << result.answeredBy << ',' << repetition << ',' << result.trials << ','
            << result.failed << ',' << result.others;
        for (const CcevalInterval& interval : {result.interval, reference})
        {
            csv << ',' << interval.estimate << ',' << interval.low << ',' << interval.high;
        }
        if (!result.answeredBy.empty())
        {
            // coverage by plain sampling does not count for the method
            ++m_others;
            csv << ",nan,nan,nan,nan";
        }
        else
        {
            const CcevalAgreement::Verdict verdict = m_agreement.Add(result.interval, reference);
            m_inverseGains.push_back(1 / result.gain);
            m_inverseCpuGains.push_back(1 / result.cpuGain);
            m_cpuSeconds.push_back(result.cpuSeconds + result.extraCpuSeconds);
            csv << ',' << verdict.inside << ',' << verdict.consistent << ',' << result.gain << ','
                << result.cpuGain;
        }
        csv << ',' << result.cpuSeconds << ',' << result.extraCpuSeconds << '\n';
    }

    /// Prints a line.
    void Print() const
    {
        if (m_others > 0)
        {
            std::printf(
                "%-8s %-15s %-15s %zu repetitions answered by plain sampling are left out\n",
                m_result.algorithm.c_str(),
                m_result.metric.c_str(),
                m_result.method.c_str(),
                static_cast<std::size_t>(m_others));
        }
        if (m_inverseGains.empty())
        {
            return;
        }
        std::printf("%-8s %-15s %-15s %6.1f %7.1f %% %7.1f %8.2f %4.0f (%4.1f) %6.0f of %2.0f "
                    "%6.2f %5.2f\n",
                    m_result.algorithm.c_str(),
                    m_result.metric.c_str(),
                    m_result.method.c_str(),
                    1 / DcnMean(m_inverseGains),
                    100 * (1 - DcnMean(m_inverseGains)),
                    1 / DcnMean(m_inverseCpuGains),
                    DcnMean(m_cpuSeconds),
                    static_cast<double>(m_agreement.GetCounts().inside),
                    m_agreement.GetCounts().expected,
                    static_cast<double>(m_agreement.GetCounts().consistent),
                    static_cast<double>(m_agreement.GetCounts().n),
                    m_agreement.GetMeanDeviation(),
                    m_agreement.GetSpreadOfDeviations());
        std::fflush(stdout);
    }

    CcevalAgreement m_agreement{LEVEL}; //!< with the references
  private:
    std::vector<double> m_inverseGains;    //!< variance over that of plain sampling, same trials
    std::vector<double> m_inverseCpuGains; //!< this ratio for equal processor times
    std::vector<double>
        m_cpuSeconds;      //!< processor time of a repetition, controls and tuning included [s]
    CcevalResult m_result; //!< of the last repetition
    uint64_t m_others{0};  //!< repetitions that another method answered
};

} // namespace

int
main(int argc, char* argv[])
{
    DcnScenarioOptions options;
    CcevalRepetitions all;
    CcevalRequest& request = all.request;
    request.trials = 100;
    std::string metrics;
    std::string methods = "control-variate,importance";
    std::string controlTraces;
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.Usage("Coverage of intervals by control variates and importance sampling on a network.");
    options.AddTo(cmd);
    DcnAddText(cmd, "metrics", "Joined by commas (p99_fct,pooled_p99_fct)", metrics);
    DcnAddText(cmd, "methods", "Joined by commas: control-variate, importance", methods);
    DcnAddText(cmd, "estimator", "Method that answers the trials", request.estimator);
    DcnAddText(cmd, "control", "Cheap estimators joined by +; importance: first", request.control);
    DcnAddText(cmd,
               "controlTraces",
               "Traces for the means of control variates (10000)",
               controlTraces);
    cmd.AddValue("trials", "Trials of a repetition N", request.trials);
    cmd.AddValue("parts", "P: number of trials in multiples of N", all.parts);
    cmd.AddValue("repetitions", "Repetitions, at most P", all.repetitions);
    cmd.AddValue("reference",
                 "Further plain trials that are the reference of all repetitions (0: of each those "
                 "of the others)",
                 all.reference);
    uint32_t jobs = 1;
    cmd.AddValue("jobs", "Parallel trials", jobs);
    DcnAddText(cmd, "store", "Folder of stored trials, reused and extended", request.folder);
    DcnAddText(cmd, "out", "Folder for coverage.csv", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-cceval-coverage", [&]() {
        all.methods = DcnSplit(methods, ',');
        const bool controlled = all.HasMethod("control-variate");
        metrics = !metrics.empty() ? metrics
                  : controlled     ? "p99_fct,pooled_p99_fct"
                                   : "pooled_p99_fct";
        request.metrics = DcnSplit(metrics, ',');
        if (!controlTraces.empty() && !controlled)
        {
            DcnFail("--controlTraces=", controlTraces, " has no effect with --methods=", methods);
        }
        if (!controlTraces.empty() && !DcnParse(controlTraces, request.controlTraces))
        {
            DcnFail("--controlTraces must be a whole number, but it is \"", controlTraces, "\"");
        }
        request.farm = jobs;
        request.margin = 0.01;
        request.level = LEVEL;
        all.Check();
        DcnMakeFolder(out);
        DcnMakeFolder(request.folder.empty() ? out : request.folder);
        std::vector<std::string> ccs = options.GetList("cc");
        ccs = ccs.empty() ? std::vector<std::string>{"dctcp"} : ccs;
        const auto parts = options.CreateParts(ccs.front());
        DcnFileWriter csv(out + "/coverage.csv");
        csv.Stream()
            << "algorithm,metric,method,answered_by,repetition,trials,failed,others,value,low,"
               "high,reference,"
               "reference_low,reference_high,inside,consistent,gain,cpu_gain,cpu_s,"
               "extra_cpu_s\n";
        std::printf("cc       metric          method            gain     saved per CPU  cpu [s] "
                    "inside (exp) consistent mean z  sd z\n");
        uint64_t consistent = 0;
        uint64_t intervals = 0;
        uint64_t leftOut = 0;
        for (const auto& cc : ccs)
        {
            const auto network = options.CreateParts(cc).network;
            for (const auto& method : all.methods)
            {
                // check the last evaluation before running any trial
                CcevalEvaluation(cc,
                                 parts.topology,
                                 parts.spec,
                                 network,
                                 all.GetRepetition(method, all.repetitions - 1));
            }
            CcevalEvaluation plain(cc, parts.topology, parts.spec, network, all.GetPlain());
            plain.Run();
            for (const auto& method : all.methods)
            {
                std::vector<Row> rows;
                for (uint64_t r = 0; r < all.repetitions; ++r)
                {
                    CcevalEvaluation each(cc,
                                          parts.topology,
                                          parts.spec,
                                          network,
                                          all.GetRepetition(method, r));
                    const auto results = each.Run();
                    rows.resize(results.size());
                    for (std::size_t i = 0; i < rows.size(); ++i)
                    {
                        rows[i].Add(results[i],
                                    all.GetReference(plain.GetTrials(), results[i].metric, r),
                                    csv.Stream(),
                                    r);
                    }
                }
                for (const Row& row : rows)
                {
                    row.Print();
                    consistent += row.m_agreement.GetCounts().consistent;
                    intervals += row.m_agreement.GetCounts().n;
                    leftOut += row.m_agreement.GetCounts().leftOut;
                }
            }
        }
        csv.Commit();
        const uint64_t trials =
            all.reference > 0 ? all.reference : (all.parts - 1) * request.trials;
        if (intervals > 0)
        {
            std::printf("%.1f %% of %.0f intervals are consistent with %.0f plain trials\n",
                        100 * static_cast<double>(consistent) / static_cast<double>(intervals),
                        static_cast<double>(intervals),
                        static_cast<double>(trials));
        }
        if (leftOut > 0)
        {
            std::printf("%.0f intervals are left out: they or their references have no ends\n",
                        static_cast<double>(leftOut));
        }
        return 0;
    });
}
