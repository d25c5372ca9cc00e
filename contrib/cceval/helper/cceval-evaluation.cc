/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-evaluation.h"

#include "ns3/cceval-phases.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-process-pool.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-csv.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint64_t PILOT_TRIALS = 100; //!< plain trials beside tilted ones (m_or of the paper)
constexpr uint64_t THRESHOLD_TRACES = 400; //!< traces that choose the thresholds of controls

/// Parts of 1 - p at whose surrogate quantiles flows are counted for controls of pooled metrics.
constexpr double THRESHOLD_PARTS[] = {0.5, 0.8, 1.25, 2.0};

/**
 * @param text names joined by '+'
 * @return the names
 */
std::vector<std::string>
SplitNames(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream parts(text);
    for (std::string name; std::getline(parts, name, '+');)
    {
        names.push_back(name);
    }
    return names;
}

/**
 * @param number a number
 * @return its bytes
 */
std::string
ToBytes(double number)
{
    std::string bytes(sizeof(number), '\0');
    std::memcpy(bytes.data(), &number, sizeof(number));
    return bytes;
}

} // namespace

CcevalEvaluation::CcevalEvaluation(const std::string& label,
                                   const CcevalTraffic& traffic,
                                   Ptr<const DcnNetworkConfig> network,
                                   const CcevalRequest& request)
    : m_label(label),
      m_traffic(traffic),
      m_network(network),
      m_request(request)
{
    if (request.metrics.empty())
    {
        DcnFail("there is no metric to evaluate");
    }
    if (request.method != "model-free" && request.method != "importance" &&
        request.method != "control-variate")
    {
        DcnFail("the method must be model-free, importance or control-variate, but it is \"",
                request.method,
                "\"");
    }
    if (request.proposal != "mixture" && request.proposal != "tilt")
    {
        DcnFail("the proposal must be mixture or tilt, but it is \"", request.proposal, "\"");
    }
    if (request.tuner != "control" && request.tuner != "method")
    {
        DcnFail("the tuner must be control or method, but it is \"", request.tuner, "\"");
    }
    if (request.trials == 1 || request.maxTrials < 2)
    {
        DcnFail("an interval needs at least two trials");
    }
    for (const auto& metric : request.metrics)
    {
        if (request.method == "importance" && !metric.pooled)
        {
            DcnFail("importance sampling estimates the pooled quantile: write pooled_",
                    metric.name,
                    " in place of ",
                    metric.name);
        }
        if (request.method == "importance" && request.trim != CcevalTrim::NONE)
        {
            DcnFail("importance sampling counts all flows, so nothing can be trimmed");
        }
    }
    if (request.method != "model-free")
    {
        m_controlEstimators = SplitNames(request.control);
        for (const auto& name : m_controlEstimators)
        {
            DcnEstimator::CreateByName(name);
        }
        if (m_controlEstimators.empty())
        {
            DcnFail("the method ", request.method, " needs a control");
        }
    }
    m_runner = std::make_unique<CcevalRunner>(MakeRunner(CcevalStage::TRIALS,
                                                         request.estimator,
                                                         "trials",
                                                         {}));
}

CcevalRunner
CcevalEvaluation::MakeRunner(CcevalStage stage,
                             const std::string& estimator,
                             const std::string& store,
                             const CcevalProposal& proposal) const
{
    const uint64_t base = m_traffic.GetSpec().seed;
    auto keys = CcevalDescribeTrials(m_traffic, *m_network, estimator);
    keys["stage"] = std::to_string(static_cast<int>(stage));
    keys["proposal"] = proposal.Describe();
    std::string path;
    if (!m_request.folder.empty() && !store.empty())
    {
        path = m_request.folder + "/" + m_label + "-" + store + ".csv";
    }
    return CcevalRunner(
        [this, base, stage, proposal](uint64_t run) {
            return m_traffic.Draw(CcevalSeed(base, stage, run), proposal);
        },
        CcevalEstimatorSimulator(m_traffic, m_network, estimator),
        CcevalStore(path, keys, DcnRank::Get().rank),
        m_request.jobs);
}

void
CcevalEvaluation::RunShare(uint64_t rank, uint64_t size)
{
    if (m_request.trials == 0)
    {
        DcnFail("with several processes of mpirun the number of trials must be given");
    }
    m_runner->RunShare(m_request.trials, rank, size);
}

CcevalEvaluation::Trial
CcevalEvaluation::Examine(uint64_t run) const
{
    const CcevalTrace trace = m_runner->GetTrace(run);
    const CcevalOutcome& outcome = m_runner->Get(run);
    Ptr<const DcnScenario> scenario = m_traffic.MakeScenario(trace, m_network);
    Trial trial{run, trace.seed, trace.flows.size(), outcome.cpuSeconds, {}, {}, {}, {}};
    if (outcome.samples.empty())
    {
        trial.phases = CcevalPhases(trace.flows, outcome.fctNs).GetShares();
    }
    for (const auto& metric : m_request.metrics)
    {
        auto values = metric.GetValues(*scenario, outcome, m_request.trim);
        trial.cycles.emplace_back();
        trial.values.push_back(std::numeric_limits<double>::quiet_NaN());
        if (metric.pooled)
        {
            for (const auto& value : values)
            {
                trial.cycles.back().flows += value.second;
            }
            trial.cycles.back().values = std::move(values);
        }
        else
        {
            trial.values.back() = metric.Evaluate(std::move(values), run, trace.seed);
        }
    }
    if (m_request.method == "control-variate")
    {
        trial.controls = GetControls(trace, run);
    }
    return trial;
}

void
CcevalEvaluation::Extend(uint64_t n)
{
    DcnProgress progress(m_label, n, "trials");
    m_runner->Run(n, [&progress](uint64_t done) { progress.Update(done); });
    for (; m_examined < n; ++m_examined)
    {
        const CcevalOutcome& outcome = m_runner->Get(m_examined);
        if (!outcome.failure.empty())
        {
            const uint64_t seed = m_runner->GetTrace(m_examined).seed;
            std::ostringstream text;
            text << "trial " << m_examined << " (seed " << seed << ") failed: " << outcome.failure;
            m_failures.push_back(text.str());
            continue;
        }
        const std::clock_t start = std::clock();
        m_trials.push_back(Examine(m_examined));
        m_controlSeconds += m_request.method == "control-variate"
                                ? static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC
                                : 0.0;
    }
}

std::vector<std::vector<double>>
CcevalEvaluation::GetControls(const CcevalTrace& trace, uint64_t run) const
{
    Ptr<const DcnScenario> scenario = m_traffic.MakeScenario(trace, m_network);
    std::vector<std::vector<double>> controls(m_request.metrics.size());
    for (std::size_t m = 0; m < controls.size(); ++m)
    {
        // of the traffic: flows, bytes, and the two largest sizes, which most often have the tail
        double bytes = 0;
        double flows = 0;
        double largest[2] = {};
        for (const DcnFlow& flow : trace.flows)
        {
            const auto size = static_cast<double>(flow.sizeBytes);
            if (!m_request.metrics[m].sizeClass.Contains(size))
            {
                continue;
            }
            bytes += size;
            ++flows;
            largest[1] = std::max(std::min(size, largest[0]), largest[1]);
            largest[0] = std::max(size, largest[0]);
        }
        controls[m] = {flows, bytes, largest[0], largest[1]};
    }
    for (std::size_t e = 0; e < m_controlEstimators.size(); ++e)
    {
        const DcnEstimate estimate =
            DcnEstimator::CreateByName(m_controlEstimators[e])->Estimate(scenario);
        CcevalOutcome outcome;
        outcome.fctNs = estimate.fctNs;
        for (std::size_t m = 0; m < controls.size(); ++m)
        {
            const CcevalMetric& metric = m_request.metrics[m];
            auto values = metric.GetValues(*scenario, outcome, m_request.trim);
            if (!metric.pooled)
            {
                controls[m].push_back(metric.Evaluate(std::move(values), run, trace.seed));
                continue;
            }
            const std::size_t parts = std::size(THRESHOLD_PARTS);
            for (std::size_t t = e * parts; t < (e + 1) * parts && t < m_thresholds[m].size(); ++t)
            {
                double above = 0;
                for (const auto& [value, weight] : values)
                {
                    above += value > m_thresholds[m][t] ? weight : 0;
                }
                controls[m].push_back(above);
            }
        }
    }
    return controls;
}

void
CcevalEvaluation::PrepareThresholds()
{
    m_thresholds.assign(m_request.metrics.size(), {});
    const uint64_t base = m_traffic.GetSpec().seed;
    for (std::size_t m = 0; m < m_request.metrics.size(); ++m)
    {
        const CcevalMetric& metric = m_request.metrics[m];
        for (const auto& name : m_controlEstimators)
        {
            if (!metric.pooled)
            {
                continue;
            }
            // traces of their own: thresholds chosen from those that tell the means would bias them
            double flows = 0;
            std::vector<std::pair<double, double>> all;
            for (uint64_t run = 0; run < THRESHOLD_TRACES; ++run)
            {
                const auto trace = m_traffic.Draw(CcevalSeed(base, CcevalStage::TUNING, run));
                auto scenario = m_traffic.MakeScenario(trace, m_network);
                CcevalOutcome outcome;
                outcome.fctNs = DcnEstimator::CreateByName(name)->Estimate(scenario).fctNs;
                for (const auto& value : metric.GetValues(*scenario, outcome, m_request.trim))
                {
                    flows += value.second;
                    all.push_back(value);
                }
            }
            for (const double part : THRESHOLD_PARTS)
            {
                m_thresholds[m].push_back(
                    CcevalTopDownQuantile(all, part * (1 - metric.probability) * flows));
            }
        }
    }
}

void
CcevalEvaluation::PrepareControls()
{
    const std::clock_t start = std::clock();
    PrepareThresholds();
    m_controlSeconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const uint64_t n = m_request.controlTraces;
    if (n < 2)
    {
        DcnFail("the means of the controls need at least two traces, but there are ", n);
    }
    const uint64_t base = m_traffic.GetSpec().seed;
    const uint64_t chunks = std::min<uint64_t>(n, uint64_t(m_request.jobs) * 8);
    // a chunk: its cost, then the controls of each trace
    std::vector<std::string> results(chunks);
    DcnProgress progress("controls", chunks, "parts");
    uint64_t done = 0;
    DcnTakeFromProcesses(
        chunks,
        m_request.jobs,
        [&](uint64_t chunk) {
            const std::clock_t begin = std::clock();
            std::string bytes;
            for (uint64_t run = chunk * n / chunks; run < (chunk + 1) * n / chunks; ++run)
            {
                const auto trace = m_traffic.Draw(CcevalSeed(base, CcevalStage::CONTROLS, run));
                for (const auto& controls : GetControls(trace, run))
                {
                    for (const double control : controls)
                    {
                        bytes += ToBytes(control);
                    }
                }
            }
            return ToBytes(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC) + bytes;
        },
        [&](uint64_t chunk, std::string&& bytes) {
            results[chunk] = std::move(bytes);
            progress.Update(++done);
        });
    const auto shape = GetControls(m_traffic.Draw(CcevalSeed(base, CcevalStage::CONTROLS, 0)), 0);
    std::vector<std::vector<std::vector<double>>> rows(shape.size());
    for (const std::string& bytes : results)
    {
        std::vector<double> numbers(bytes.size() / sizeof(double));
        std::memcpy(numbers.data(), bytes.data(), bytes.size());
        m_controlSeconds += numbers.front();
        for (std::size_t i = 1; i < numbers.size();)
        {
            for (std::size_t m = 0; m < shape.size(); ++m)
            {
                rows[m].emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(i),
                                     numbers.begin() +
                                         static_cast<std::ptrdiff_t>(i + shape[m].size()));
                i += shape[m].size();
            }
        }
    }
    for (const auto& each : rows)
    {
        m_controlMeans.push_back(CcevalControlMeans::Make(each));
    }
}

void
CcevalEvaluation::EvaluateByValues(std::size_t metric, CcevalResult& result) const
{
    CcevalMoments moments;
    CcevalMoments logarithms;
    std::vector<std::vector<double>> controls;
    for (const Trial& trial : m_trials)
    {
        const double value = trial.values[metric];
        moments.Add(value);
        if (value > 0)
        {
            logarithms.Add(std::log(value));
        }
        result.values.push_back(value);
        if (m_request.method == "control-variate")
        {
            controls.push_back(trial.controls[metric]);
        }
    }
    const auto& rule = m_request.rule;
    const auto diagnosis = CcevalDiagnosis::Make(moments);
    result.assured = diagnosis.assured;
    result.note = diagnosis.Describe();
    if (moments.GetVariance() == 0)
    {
        result.note = "all trials are equal: zero variance tells nothing about the error";
        result.assured = false;
    }
    if (moments.GetN() >= CcevalForecast::MIN_TRIALS)
    {
        result.forecast = CcevalForecast::Make(rule, moments, logarithms, rule.GetLevel());
    }
    result.interval = rule.GetInterval(moments);
    result.converged = rule.IsMet(moments);
    if (m_request.method == "control-variate")
    {
        const auto controlled = CcevalControlled::Make(result.values,
                                                       controls,
                                                       m_controlMeans[metric],
                                                       rule.GetLevel());
        const auto n = static_cast<double>(moments.GetN());
        result.interval = controlled.interval;
        result.gain = moments.GetVariance() / n / (controlled.error * controlled.error);
        result.converged =
            moments.GetN() >= CcevalControlled::TRIALS_PER_CONTROL * controlled.controls &&
            rule.GetNextCheck(moments.GetN()) == moments.GetN() &&
            result.interval.GetHalfWidth() <=
                rule.GetMargin() * std::abs(result.interval.estimate);
        result.forecast.trials = static_cast<uint64_t>(
            static_cast<double>(result.forecast.trials) / std::max(1.0, result.gain));
        std::ostringstream text;
        text.precision(3);
        text << (result.note.empty() ? "" : "; ") << controlled.controls << " controls explain "
             << 100 * controlled.rSquared << " % of the variance; their means bring "
             << 100 * controlled.controlShare << " % of the error's";
        result.note += text.str();
    }
}

void
CcevalEvaluation::EvaluatePooled(std::size_t metric, CcevalResult& result) const
{
    std::vector<CcevalCycle> cycles;
    std::vector<std::vector<double>> controls;
    for (const Trial& trial : m_trials)
    {
        cycles.push_back(trial.cycles[metric]);
        if (m_request.method == "control-variate")
        {
            controls.push_back(trial.controls[metric]);
        }
    }
    const double level = m_request.rule.GetLevel();
    CcevalPooledQuantile pooled(m_request.metrics[metric].probability, std::move(cycles));
    result.interval = pooled.GetInterval(level);
    if (m_request.method == "control-variate")
    {
        const double plain = result.interval.GetHalfWidth();
        pooled.SetControls(std::move(controls), m_controlMeans[metric]);
        result.interval = pooled.GetInterval(level);
        result.gain = std::pow(plain / result.interval.GetHalfWidth(), 2);
    }
    const double half = result.interval.GetHalfWidth();
    const auto n = static_cast<uint64_t>(m_trials.size());
    const double share = half / (m_request.rule.GetMargin() * std::abs(result.interval.estimate));
    result.converged = m_request.rule.GetNextCheck(n) == n && share <= 1;
    if (std::isnan(share))
    {
        result.note = "the trials do not reach beyond the quantile";
        result.assured = false;
        return;
    }
    result.forecast.trials = result.forecast.low = result.forecast.high =
        m_request.rule.GetNextCheck(static_cast<uint64_t>(
            std::ceil(std::max(1.0, share * share) * static_cast<double>(n))));
}

CcevalResult
CcevalEvaluation::Evaluate(std::size_t metric) const
{
    CcevalResult result;
    result.algorithm = m_label;
    result.metric = m_request.metrics[metric].name;
    result.method = m_request.method;
    result.trials = m_trials.size();
    result.failed = m_failures.size();
    for (const Trial& trial : m_trials)
    {
        result.cpuSeconds += trial.cpuSeconds;
    }
    result.extraCpuSeconds = m_controlSeconds;
    if (m_trials.size() < 2)
    {
        result.note = "fewer than two trials did not fail";
        result.assured = false;
        return result;
    }
    m_request.metrics[metric].pooled ? EvaluatePooled(metric, result)
                                     : EvaluateByValues(metric, result);
    const double all = result.cpuSeconds + result.extraCpuSeconds;
    result.cpuGain = all > 0 ? result.gain * result.cpuSeconds / all : result.gain;
    if (!m_failures.empty())
    {
        result.note += (result.note.empty() ? "" : "; ") + std::to_string(m_failures.size()) +
                       " trials failed and were kept out, the first: " + m_failures.front();
        result.assured = false;
    }
    return result;
}

std::vector<CcevalTiltedTrial>
CcevalEvaluation::Sample(const CcevalMetric& metric,
                         CcevalStage stage,
                         const std::string& estimator,
                         uint64_t first,
                         uint64_t n,
                         const CcevalProposal& proposal,
                         const std::string& store,
                         double& cpuSeconds) const
{
    CcevalRunner runner = MakeRunner(stage, estimator, store, proposal);
    const uint64_t base = m_traffic.GetSpec().seed;
    auto drawn = [&](uint64_t run) {
        return m_traffic.Draw(CcevalSeed(base, stage, first + run), proposal);
    };
    if (first > 0)
    {
        runner = CcevalRunner(drawn,
                              CcevalEstimatorSimulator(m_traffic, m_network, estimator),
                              CcevalStore("", {}),
                              m_request.jobs);
    }
    DcnProgress progress(m_label + " tilted", n, "trials");
    runner.Run(n, [&progress](uint64_t done) { progress.Update(done); });
    cpuSeconds += runner.GetCpuSeconds(n);
    const double expected = m_traffic.GetExpectedFlows();
    const bool wholeClass = metric.sizeClass.name == "all" && expected > 0;
    std::vector<CcevalTiltedTrial> trials;
    for (uint64_t run = 0; run < n; ++run)
    {
        const CcevalOutcome& outcome = runner.Get(run);
        if (!outcome.failure.empty())
        {
            continue;
        }
        CcevalTiltedTrial trial;
        trial.trace = drawn(run);
        trial.fctNs = outcome.fctNs;
        trial.values.assign(outcome.fctNs.size(), std::numeric_limits<double>::quiet_NaN());
        Ptr<const DcnScenario> scenario = m_traffic.MakeScenario(trial.trace, m_network);
        for (std::size_t i = 0; i < trial.values.size(); ++i)
        {
            const DcnFlow& flow = trial.trace.flows[i];
            if (!metric.sizeClass.Contains(static_cast<double>(flow.sizeBytes)))
            {
                continue;
            }
            const auto fct = static_cast<double>(outcome.fctNs[i]);
            trial.values[i] =
                metric.slowdown
                    ? fct / static_cast<double>(scenario->GetIdealFct(i).GetTotalNs())
                    : fct / 1000;
        }
        // flows are as many with tilted sizes; of a class, those tilted into it count by weight
        trial.flows = static_cast<double>(trial.values.size());
        if (!wholeClass)
        {
            trial.flows = 0;
            for (const auto& value : CcevalWeigh(trial).values)
            {
                trial.flows += value.second;
            }
        }
        trials.push_back(std::move(trial));
    }
    return trials;
}

CcevalResult
CcevalEvaluation::EvaluateByImportance(std::size_t metric)
{
    const CcevalMetric& asked = m_request.metrics[metric];
    const std::string tuner =
        m_request.tuner == "control" ? m_controlEstimators.front() : m_request.estimator;
    double tuningSeconds = 0;
    CcevalImportance::Options options;
    options.p = asked.probability;
    options.level = m_request.rule.GetLevel();
    options.mixture = m_request.proposal == "mixture";
    CcevalImportance importance(
        options,
        [&](CcevalStage stage, uint64_t first, uint64_t n, const CcevalProposal& proposal) {
            // runs 0 .. of this stage choose thresholds of controls
            return Sample(asked, stage, tuner, first + 1, n, proposal, "", tuningSeconds);
        });
    Extend(PILOT_TRIALS);
    auto plainTrials = [&]() {
        double ignored = 0;
        return Sample(asked, CcevalStage::TRIALS, m_request.estimator, 0, m_examined, {}, "trials", ignored);
    };
    const CcevalProposal proposal = importance.Search(std::max(1.0, m_traffic.GetMeanGapNs() > 0 ? GetMeanFlows() : 1.0));
    const std::string store = "tilted-p" + std::to_string(static_cast<int>(asked.probability * 10000));
    CcevalResult result = Evaluate(metric);
    CcevalImportance::Result found;
    double tiltedSeconds = 0;
    const auto plain = plainTrials();
    uint64_t n = m_request.trials ? m_request.trials : m_request.rule.GetFirstCheck();
    while (true)
    {
        tiltedSeconds = 0;
        const auto tilted = Sample(asked, CcevalStage::TILTED, m_request.estimator, 0, n, proposal, store, tiltedSeconds);
        found = importance.Evaluate(proposal, tilted, plain);
        result.trials = tilted.size();
        result.converged = found.tilted && found.interval.GetHalfWidth() <=
                                               m_request.rule.GetMargin() * found.interval.estimate;
        if (result.converged || m_request.trials || n >= m_request.maxTrials ||
            (m_request.budgetSeconds > 0 && tiltedSeconds >= m_request.budgetSeconds))
        {
            break;
        }
        n = std::min(m_request.rule.GetNextCheck(n + 1), m_request.maxTrials);
    }
    result.interval = found.interval;
    result.assured = true;
    std::ostringstream text;
    text.precision(3);
    if (!found.tilted)
    {
        // as many plain trials as there are tilted ones
        Extend(n);
        result = Evaluate(metric);
        text << "plain sampling, since " << found.reason << "; ";
    }
    else
    {
        const double plainSeconds = m_runner->GetCpuSeconds(m_examined);
        const double plainVariance = std::pow(result.interval.GetHalfWidth(), 2);
        const CcevalResult reference = Evaluate(metric);
        const double referenceVariance =
            std::pow(reference.interval.GetHalfWidth(), 2) *
            static_cast<double>(reference.trials) / static_cast<double>(result.trials);
        result.gain = referenceVariance / plainVariance;
        result.cpuSeconds = tiltedSeconds;
        const double perPlain = plainSeconds / static_cast<double>(m_examined);
        result.cpuGain = result.gain * perPlain * static_cast<double>(result.trials) /
                         (tiltedSeconds + tuningSeconds + plainSeconds);
        result.extraCpuSeconds = tuningSeconds + plainSeconds;
    }
    text << found.proposal.Describe() << "; " << found.effective << " effective trials in the tail, "
         << "mean likelihood ratio " << found.meanLikelihood << ", " << found.tuningTrials
         << " tuning trials";
    result.note += (result.note.empty() ? "" : "; ") + text.str();
    return result;
}

bool
CcevalEvaluation::SpentBudget() const
{
    double seconds = m_controlSeconds;
    for (const Trial& trial : m_trials)
    {
        seconds += trial.cpuSeconds;
    }
    return m_request.budgetSeconds > 0 && seconds >= m_request.budgetSeconds;
}

std::vector<CcevalResult>
CcevalEvaluation::Run()
{
    std::vector<CcevalResult> results(m_request.metrics.size());
    if (m_request.method == "importance")
    {
        for (std::size_t m = 0; m < results.size(); ++m)
        {
            results[m] = EvaluateByImportance(m);
        }
        return results;
    }
    if (m_request.method == "control-variate")
    {
        PrepareControls();
    }
    std::vector<bool> known(results.size(), false);
    uint64_t n = m_request.trials ? m_request.trials
                                  : std::min(m_request.rule.GetFirstCheck(), m_request.maxTrials);
    while (true)
    {
        Extend(n);
        bool all = true;
        for (std::size_t m = 0; m < results.size(); ++m)
        {
            if (!known[m]) // the trials that were enough stay those of the result
            {
                results[m] = Evaluate(m);
                known[m] = results[m].converged;
            }
            all = all && known[m];
        }
        if (all || m_request.trials || n >= m_request.maxTrials || SpentBudget())
        {
            return results;
        }
        n = std::min(m_request.rule.GetNextCheck(n + 1), m_request.maxTrials);
    }
}

std::array<double, 3>
CcevalEvaluation::GetPhaseShares() const
{
    std::array<double, 3> shares{};
    for (const Trial& trial : m_trials)
    {
        for (std::size_t i = 0; i < shares.size(); ++i)
        {
            shares[i] += trial.phases[i] / static_cast<double>(m_trials.size());
        }
    }
    return shares;
}

double
CcevalEvaluation::GetMeanFlows() const
{
    double flows = 0;
    for (const Trial& trial : m_trials)
    {
        flows += static_cast<double>(trial.flows) / static_cast<double>(m_trials.size());
    }
    return flows;
}

void
CcevalEvaluation::WriteTrials(std::ostream& csv, bool header) const
{
    if (header)
    {
        csv << "algorithm,run,seed,flows,warm_up,stable,cool_down,cpu_s";
        for (const auto& metric : m_request.metrics)
        {
            csv << (metric.pooled ? "" : "," + metric.name);
        }
        csv << "\n";
    }
    for (const Trial& trial : m_trials)
    {
        csv << m_label << ',' << trial.run << ',' << trial.seed << ',' << trial.flows;
        for (const double share : trial.phases)
        {
            csv << ',' << share;
        }
        csv << ',' << trial.cpuSeconds;
        for (std::size_t m = 0; m < m_request.metrics.size(); ++m)
        {
            if (!m_request.metrics[m].pooled)
            {
                csv << ',' << trial.values[m];
            }
        }
        csv << "\n";
    }
}

} // namespace ns3
