/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief How often do intervals of control variates and importance sampling hold on a network?
 *
 * Of P N trials (P = 11), repetition r is an evaluation of N trials (with control variates trials
 * r N to r N + N - 1, with importance sampling as many tilted ones; controls and tuning of its
 * own), and its reference the model-free value of the (P - 1) N trials that are not among r N to
 * r N + N - 1: ten times the trials, and independent of them. The reference has an interval of
 * half-width h2, too. An interval of half-width h1 is
 *
 * - inside, if it contains the reference: 2 Phi(z h1 / sqrt(h1^2 + h2^2)) - 1 of all are, z the
 *   normal quantile of the level;
 * - consistent, if the two differ by at most sqrt(h1^2 + h2^2): a share that is the level.
 *
 * z is the difference over its standard error; its mean over the repetitions tells a bias.
 */

#include "ns3/cceval-evaluation.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-options.h"

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double LEVEL = 0.95; //!< of intervals

/// Returns the names in a text that are joined by a separator.
std::vector<std::string>
Split(const std::string& text, char separator = ',')
{
    std::vector<std::string> names;
    std::istringstream parts(text);
    for (std::string name; std::getline(parts, name, separator);)
    {
        names.push_back(name);
    }
    return names;
}

/// Returns the model-free interval of a metric over all trials but those from first.
CcevalInterval
GetReference(const std::vector<CcevalEvaluation::Trial>& all,
             std::size_t metric,
             const CcevalRequest& request,
             uint64_t first)
{
    CcevalMoments moments;
    std::vector<CcevalCycle> cycles;
    for (const auto& trial : all)
    {
        if (trial.run < first || trial.run >= first + request.trials)
        {
            moments.Add(trial.values[metric]);
            cycles.push_back(trial.cycles[metric]);
        }
    }
    const CcevalMetric& asked = request.metrics[metric];
    return asked.pooled ? CcevalPooledQuantile(asked.probability, std::move(cycles))
                              .GetInterval(request.rule.GetLevel())
                        : request.rule.GetInterval(moments);
}

/// What came of the repetitions of a metric of an algorithm by a method.
class Row
{
  public:
    /// Takes a repetition and its reference, and writes a line about it.
    void Add(const CcevalResult& result,
             const CcevalInterval& reference,
             std::ostream& csv,
             uint64_t repetition)
    {
        const double h1 = result.interval.GetHalfWidth();
        const double h2 = reference.GetHalfWidth();
        const double both = std::hypot(h1, h2);
        const double difference = result.interval.estimate - reference.estimate;
        const double quantile = CcevalNormalQuantile((1 + LEVEL) / 2);
        const int isInside = result.interval.Contains(reference.estimate) ? 1 : 0;
        const int isConsistent = std::abs(difference) <= both ? 1 : 0;
        m_inside += isInside;
        m_consistent += isConsistent;
        m_expected += 2 * CcevalNormalCdf(quantile * h1 / both) - 1;
        m_z.Add(difference / both * quantile);
        m_gain.Add(1 / result.gain);
        m_cpuGain.Add(1 / result.cpuGain);
        m_cpuSeconds.Add(result.cpuSeconds + result.extraCpuSeconds);
        m_result = result;
        csv << result.algorithm << ',' << result.metric << ',' << result.method << ',' << repetition
            << ',' << result.trials << ',' << result.failed;
        for (const CcevalInterval& interval : {result.interval, reference})
        {
            csv << ',' << interval.estimate << ',' << interval.low << ',' << interval.high;
        }
        csv << ',' << isInside << ',' << isConsistent << ',' << result.gain << ',' << result.cpuGain
            << ',' << result.cpuSeconds << ',' << result.extraCpuSeconds << '\n';
    }

    /// Prints a line.
    void Print() const
    {
        const auto n = static_cast<double>(m_z.GetN());
        std::printf("%-8s %-15s %-15s %6.1f %7.1f %% %7.1f %8.2f %4.0f (%4.1f) %6.0f of %2.0f "
                    "%6.2f %5.2f\n",
                    m_result.algorithm.c_str(),
                    m_result.metric.c_str(),
                    m_result.method.c_str(),
                    1 / m_gain.GetMean(),
                    100 * (1 - m_gain.GetMean()),
                    1 / m_cpuGain.GetMean(),
                    m_cpuSeconds.GetMean(),
                    m_inside,
                    m_expected,
                    m_consistent,
                    n,
                    m_z.GetMean(),
                    m_z.GetDeviation());
        std::fflush(stdout);
    }

    double m_consistent{0};     //!< repetitions that agree with their reference
    CcevalMoments m_z;          //!< differences over their errors
  private:
    double m_inside{0};         //!< repetitions that contain their reference
    double m_expected{0};       //!< expected number of them
    CcevalMoments m_gain;       //!< variance over that of plain sampling, same number of trials
    CcevalMoments m_cpuGain;    //!< the same for the same processor time
    CcevalMoments m_cpuSeconds; //!< of a repetition, controls and tuning included [s]
    CcevalResult m_result;      //!< of the last repetition
};

} // namespace

int
main(int argc, char* argv[])
{
    DcnScenarioOptions options;
    CcevalRequest request;
    request.trials = 100;
    std::string metrics = "p99_fct,pooled_p99_fct";
    std::string methods = "control-variate,importance";
    std::string out = "results";
    uint64_t many = 11;
    uint64_t repetitions = 11;
    CommandLine cmd(__FILE__);
    cmd.Usage("How often intervals of control variates and importance sampling hold on a network.");
    options.AddTo(cmd);
    DcnAddText(cmd, "metrics", "Joined by commas, as p99_fct,pooled_p99_fct", metrics);
    DcnAddText(cmd, "methods", "Joined by commas: control-variate, importance", methods);
    DcnAddText(cmd, "estimator", "What answers the trials", request.estimator);
    DcnAddText(cmd, "control", "Cheap estimators joined by +; importance: first", request.control);
    cmd.AddValue("controlTraces", "Traces that tell the controls' means", request.controlTraces);
    cmd.AddValue("trials", "Trials of a repetition N", request.trials);
    cmd.AddValue("parts", "P: trials that are run, in repetitions", many);
    cmd.AddValue("repetitions", "Repetitions, at most P", repetitions);
    cmd.AddValue("jobs", "Trials at a time", request.jobs);
    DcnAddText(cmd, "store", "Folder in which trials are kept and found again", request.folder);
    DcnAddText(cmd, "out", "Folder for coverage.csv", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-cceval-coverage", [&]() {
        if (repetitions < 2 || repetitions > many)
        {
            DcnFail("--repetitions must be from 2 to ", many, ", but it is ", repetitions);
        }
        for (const auto& name : Split(metrics))
        {
            request.metrics.push_back(CcevalMetric::Parse(name));
        }
        request.rule = CcevalStoppingRule(CcevalStoppingRule::Kind::GUARDED, 0.01, LEVEL);
        DcnMakeFolder(out);
        DcnMakeFolder(request.folder.empty() ? out : request.folder);
        std::vector<std::string> ccs = options.GetList("cc");
        ccs = ccs.empty() ? std::vector<std::string>{"dctcp"} : ccs;
        const auto parts = options.CreateParts(ccs.front());
        const CcevalTraffic traffic(parts.topology, parts.spec);
        DcnFileWriter csv(out + "/coverage.csv");
        csv.Stream() << "algorithm,metric,method,repetition,trials,failed,value,low,high,reference,"
                        "reference_low,reference_high,inside,consistent,gain,cpu_gain,cpu_s,"
                        "extra_cpu_s\n";
        std::printf("cc       metric          method            gain     saved per CPU  cpu [s] "
                    "inside (exp) consistent mean z  sd z\n");
        double consistent = 0;
        double intervals = 0;
        for (const auto& cc : ccs)
        {
            const auto network = options.CreateParts(cc).network;
            CcevalRequest plain = request;
            plain.trials = many * request.trials;
            CcevalEvaluation all(cc, traffic, network, plain);
            all.Run();
            for (const auto& method : Split(methods))
            {
                CcevalRequest each = request;
                each.method = method;
                const std::string firstControl = Split(request.control, '+').front();
                each.control = method == "importance" ? firstControl : request.control;
                each.metrics.clear();
                std::vector<std::size_t> which; // importance sampling estimates pooled quantiles
                for (std::size_t m = 0; m < request.metrics.size(); ++m)
                {
                    if (method != "importance" || request.metrics[m].pooled)
                    {
                        each.metrics.push_back(request.metrics[m]);
                        which.push_back(m);
                    }
                }
                std::vector<Row> rows(which.size());
                for (each.repetition = 0; each.repetition < repetitions; ++each.repetition)
                {
                    const auto results = CcevalEvaluation(cc, traffic, network, each).Run();
                    const uint64_t first = each.repetition * request.trials;
                    for (std::size_t i = 0; i < rows.size(); ++i)
                    {
                        rows[i].Add(results[i],
                                    GetReference(all.GetTrials(), which[i], request, first),
                                    csv.Stream(),
                                    each.repetition);
                    }
                }
                for (const Row& row : rows)
                {
                    row.Print();
                    consistent += row.m_consistent;
                    intervals += static_cast<double>(repetitions);
                }
            }
        }
        csv.Commit();
        std::printf("%.1f %% of %.0f intervals are consistent with %zu times the trials\n",
                    100 * consistent / intervals,
                    intervals,
                    static_cast<std::size_t>(many - 1));
        return 0;
    });
}
