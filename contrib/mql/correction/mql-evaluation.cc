/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-evaluation.h"

#include "ns3/mql-truth-files.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Mean distance of sorted values.
double
Wasserstein(std::vector<double> a, std::vector<double> b)
{
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        sum += std::abs(a[i] - b[i]);
    }
    return sum / static_cast<double>(a.size());
}

/// Reads the files of a configuration.
MqlTruthResult
ReadTruth(const std::string& path, std::unique_ptr<MqlTruthTraffic>& traffic)
{
    MqlTruthConfig config;
    MqlTruthResult truth = MqlReadTruth(path, config);
    traffic = std::make_unique<MqlTruthTraffic>(config);
    if (truth.hops.size() != traffic->GetHopLinks().size() ||
        truth.flows.size() != traffic->GetFlows().size())
    {
        DcnFail(path, ": there are rows of ", truth.hops.size(), " hops and ", truth.flows.size(),
                " flows, but the configuration has ", traffic->GetHopLinks().size(), " and ",
                traffic->GetFlows().size());
    }
    return truth;
}

} // namespace

MqlCase::MqlCase(const std::string& path, const MqlCaseOptions& options)
{
    std::unique_ptr<MqlTruthTraffic> traffic;
    MqlTruthResult truth = ReadTruth(path, traffic);
    *this = MqlCase(std::move(traffic), std::move(truth), options);
}

MqlCase::MqlCase(std::unique_ptr<MqlTruthTraffic> traffic,
                 MqlTruthResult truth,
                 const MqlCaseOptions& options)
    : m_traffic(std::move(traffic)),
      m_truth(std::move(truth)),
      m_network(std::make_unique<MqlNetwork>(
          MakeNetwork(*m_traffic, MakeFlows(*m_traffic, options.measured ? &m_truth : nullptr)))),
      m_solution(m_network->Solve(options.model))
{
}

std::vector<MqlFlow>
MqlCase::MakeFlows(const MqlTruthTraffic& traffic, const MqlTruthResult* truth)
{
    const auto& config = traffic.GetConfig();
    std::vector<MqlFlow> flows;
    flows.reserve(2 * traffic.GetFlows().size());
    for (std::size_t i = 0; i < traffic.GetFlows().size(); ++i)
    {
        const auto& flow = traffic.GetFlows()[i];
        MqlFlow data;
        data.src = flow.src;
        data.dst = flow.dst;
        data.rate = flow.rate;
        data.c2a = flow.scv;
        data.wireBytes = flow.meanBytes;
        data.c2s = flow.bytesScv;
        if (truth != nullptr && truth->flows[i].sent > 0)
        {
            data.rate = static_cast<double>(truth->flows[i].sent) / config.durationS;
            // Gaps of a path of several are not those of the flow.
            if (flow.firstAck - flow.firstStream == 1)
            {
                data.c2a = truth->hops[traffic.GetStreams()[flow.firstStream].firstHop].gapScv;
            }
        }
        flows.push_back(data);
    }
    if (config.ackBytes > 0)
    {
        MqlAddAcks(flows, config.ackBytes);
    }
    return flows;
}

MqlNetwork
MqlCase::MakeNetwork(const MqlTruthTraffic& traffic, std::vector<MqlFlow> flows)
{
    const auto& config = traffic.GetConfig();
    if (config.routing == "split")
    {
        return MqlNetwork(std::move(flows), DcnRouting(traffic.GetTopology(), config.hashSeed));
    }
    DcnPathTable paths;
    std::vector<uint32_t> links;
    for (const bool isAck : {false, true})
    {
        for (const auto& flow : traffic.GetFlows())
        {
            if (isAck && flow.firstAck == flow.endStream)
            {
                continue;
            }
            const auto path =
                traffic.GetPath(traffic.GetStreams()[isAck ? flow.firstAck : flow.firstStream]);
            links.assign(path.begin(), path.end());
            paths.Append(links);
        }
    }
    return MqlNetwork(traffic.GetTopology(), std::move(flows), paths);
}

void
MqlCase::GetVisits(std::size_t flow,
                   const std::vector<MqlHop>& hops,
                   std::vector<Visit>& visits) const
{
    const std::size_t n = m_traffic->GetFlows().size();
    const auto& parameters = m_traffic->GetFlows()[flow % n];
    const bool isAck = flow >= n;
    visits.assign(hops.size(), {});
    const uint32_t first = isAck ? parameters.firstAck : parameters.firstStream;
    const uint32_t last = isAck ? parameters.endStream : parameters.firstAck;
    for (uint32_t s = first; s < last; ++s)
    {
        const auto& stream = m_traffic->GetStreams()[s];
        const auto path = m_traffic->GetPath(stream);
        uint32_t upstream = MqlPair::EXTERNAL;
        for (uint32_t h = 0; h < stream.nHops; ++h)
        {
            const auto& hop = m_truth.hops[stream.firstHop + h];
            for (std::size_t i = 0; i < hops.size(); ++i)
            {
                if (hops[i].visit.link == path[h] &&
                    m_network->GetPairs()[hops[i].visit.pair].upstream == upstream)
                {
                    visits[i].packets += static_cast<double>(hop.packets);
                    visits[i].waitNs += hop.waitNs * static_cast<double>(hop.packets);
                    break;
                }
            }
            upstream = path[h];
        }
    }
    for (auto& visit : visits)
    {
        visit.waitNs = visit.packets > 0 ? visit.waitNs / visit.packets : 0;
    }
}

const MqlTruthConfig&
MqlCase::GetConfig() const
{
    return m_traffic->GetConfig();
}

const MqlTruthTraffic&
MqlCase::GetTraffic() const
{
    return *m_traffic;
}

const MqlTruthResult&
MqlCase::GetTruth() const
{
    return m_truth;
}

const MqlNetwork&
MqlCase::GetNetwork() const
{
    return *m_network;
}

const MqlSolution&
MqlCase::GetSolution() const
{
    return m_solution;
}

MqlFlowLatency
MqlCase::GetRoundTrip(const MqlCorrectedSolution& corrected, std::size_t flow) const
{
    return GetConfig().ackBytes > 0 ? corrected.GetRoundTrip(flow) : corrected.GetLatency(flow);
}

namespace
{

/// Round trips of flows, by the truth and by an estimate, and what they are in common.
class Comparison
{
  public:
    /// Adds a flow; all in nanoseconds.
    void Add(const MqlTruthFlowResult& truth, double mean, double p99, double fixed)
    {
        m_score.flows++;
        m_score.mape += std::abs(mean - truth.rttNs) / truth.rttNs;
        m_score.p99Mape += std::abs(p99 - truth.rttP99Ns) / truth.rttP99Ns;
        m_score.waitMape += std::abs(mean - truth.rttNs);
        m_waits += truth.rttNs - fixed;
        m_score.noise += std::sqrt(2 / M_PI) * truth.rttErrorNs / truth.rttNs;
        m_means[0].push_back(truth.rttNs);
        m_means[1].push_back(mean);
        m_percentiles[0].push_back(truth.rttP99Ns);
        m_percentiles[1].push_back(p99);
    }

    MqlScore Finish()
    {
        MqlScore score = m_score;
        if (score.flows == 0)
        {
            return score;
        }
        const auto n = static_cast<double>(score.flows);
        score.mape /= n;
        score.p99Mape /= n;
        score.noise /= n;
        score.waitMape = m_waits > 0 ? score.waitMape / m_waits : 0;
        score.w1Mean = Wasserstein(m_means[0], m_means[1]) / DcnMean(m_means[0]);
        const double w1 = Wasserstein(m_percentiles[0], m_percentiles[1]);
        score.w1P99 = w1 / DcnMean(m_percentiles[0]);
        const auto [least, most] =
            std::minmax_element(m_percentiles[0].begin(), m_percentiles[0].end());
        score.w1P99Range = *most > *least ? w1 / (*most - *least) : 0;
        for (auto& means : m_means)
        {
            std::sort(means.begin(), means.end());
        }
        const double truth = DcnQuantile(m_means[0], 0.99);
        score.p99OfMeans = std::abs(DcnQuantile(m_means[1], 0.99) / truth - 1);
        return score;
    }

  private:
    MqlScore m_score;                      //!< sums
    double m_waits{0};                     //!< sum of mean waiting times
    std::vector<double> m_means[2];        //!< of the truth and of the estimate
    std::vector<double> m_percentiles[2];  //!< the same
};

/// A flow's latency with the correction of its 99th percentile.
struct Mixed
{
    MqlFlowLatency latency; //!< by the model
    double stretch;         //!< of the waiting, so that the percentile is the corrected one
    double packets;         //!< in the simulation
};

/// 99th percentile of the round trips of all packets [s].
double
GetPooledP99(const std::vector<Mixed>& flows)
{
    double low = 0;
    double high = 0;
    double all = 0;
    for (const auto& flow : flows)
    {
        const double fixed = flow.latency.service + flow.latency.propagation;
        const double p99 = flow.latency.GetQuantile(0.99);
        high = std::max(high, fixed + flow.stretch * (p99 - fixed));
        all += flow.packets;
    }
    while (high - low > 1e-5 * high)
    {
        const double middle = (low + high) / 2;
        double below = 0;
        for (const auto& flow : flows)
        {
            const double fixed = flow.latency.service + flow.latency.propagation;
            below += flow.packets *
                     flow.latency.GetProbability(fixed + (middle - fixed) / flow.stretch);
        }
        (below < 0.99 * all ? low : high) = middle;
    }
    return high;
}

} // namespace

MqlScore
MqlEvaluate(const MqlCase& one, const MqlCorrection* correction)
{
    const MqlCorrectedSolution corrected(one.GetNetwork(), one.GetSolution(), correction);
    Comparison comparison;
    std::vector<Mixed> mixed;
    for (std::size_t i = 0; i < one.GetTruth().flows.size(); ++i)
    {
        const auto& truth = one.GetTruth().flows[i];
        if (truth.packets < MqlScore::MIN_PACKETS)
        {
            continue;
        }
        const auto latency = one.GetRoundTrip(corrected, i);
        const double fixed = latency.service + latency.propagation;
        const double p99 = corrected.GetP99(i, latency);
        comparison.Add(truth, 1e9 * latency.GetMean(), 1e9 * p99, 1e9 * fixed);
        const double waited = latency.GetQuantile(0.99) - fixed;
        mixed.push_back({latency,
                         waited > 0 ? std::max(1e-3, (p99 - fixed) / waited) : 1,
                         static_cast<double>(truth.packets)});
    }
    MqlScore score = comparison.Finish();
    const double pooled = one.GetTruth().rttP99Ns;
    if (score.flows > 0 && pooled > 0)
    {
        score.p99Pooled = std::abs(1e9 * GetPooledP99(mixed) / pooled - 1);
    }
    return score;
}

MqlScore
MqlCompareTruths(const MqlCase& truth, const MqlCase& other)
{
    const auto& a = truth.GetTraffic().GetFlows();
    const auto& b = other.GetTraffic().GetFlows();
    if (!std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
            return x.src == y.src && x.dst == y.dst && x.rate == y.rate;
        }))
    {
        DcnFail(truth.GetConfig().GetName(), " and ", other.GetConfig().GetName(),
                " do not have the same flows");
    }
    const MqlCorrectedSolution model(truth.GetNetwork(), truth.GetSolution(), nullptr);
    Comparison comparison;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const auto& x = truth.GetTruth().flows[i];
        const auto& y = other.GetTruth().flows[i];
        if (x.packets >= MqlScore::MIN_PACKETS && y.packets >= MqlScore::MIN_PACKETS)
        {
            const auto latency = truth.GetRoundTrip(model, i);
            comparison.Add(x, y.rttNs, y.rttP99Ns, 1e9 * (latency.service + latency.propagation));
        }
    }
    MqlScore score = comparison.Finish();
    if (truth.GetTruth().rttP99Ns > 0)
    {
        score.p99Pooled = std::abs(other.GetTruth().rttP99Ns / truth.GetTruth().rttP99Ns - 1);
    }
    return score;
}

} // namespace ns3
