/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-estimator.h"

#include "../correction/mql-correction.h"
#include "../network/mql-network.h"
#include "../network/mql-solver.h"
#include "mql-path-traffic.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlEstimator");

NS_OBJECT_ENSURE_REGISTERED(MqlEstimator);

namespace
{

/// @return the name of a method whose attributes follow it, with the correction none
std::string
NameWithoutCorrection(const std::string& method)
{
    std::istringstream parts(method);
    std::string name;
    for (std::string part; std::getline(parts, part, ':');)
    {
        if (part.rfind("Correction=", 0) != 0)
        {
            name += part + ":";
        }
    }
    return name + "Correction=none";
}

/**
 * @param places m, number of transfers that the link can serve at their full rate
 * @param rho utilisation, below 1
 * @return mean number of other transfers that share with a transfer: Erlang's C / (m (1 - rho))
 */
double
ProcessorSharing(double places, double rho)
{
    if (places <= 1)
    {
        return rho / (1 - rho);
    }
    const double offered = places * rho;
    double blocking = 1; // Erlang's B by its recursion over servers
    for (double servers = 1; servers <= places; servers++)
    {
        blocking = offered * blocking / (servers + offered * blocking);
    }
    const double waiting = blocking / (1 - rho * (1 - blocking));
    return waiting / (places * (1 - rho));
}

/// Bits that transfers send after their first burst, by link.
class Rests
{
  public:
    /// Adds up all transfers of a scenario.
    Rests(const DcnScenario& scenario, uint64_t burstBytes, double spanSeconds)
        : m_scenario(scenario),
          m_burstBytes(burstBytes),
          m_span(spanSeconds),
          m_bits(scenario.GetTopology().GetNLinks()),
          m_squares(m_bits.size())
    {
        for (std::size_t i = 0; i < scenario.GetFlows().size(); i++)
        {
            const double bits = GetBits(i);
            for (uint32_t link : scenario.GetPath(i))
            {
                m_bits[link] += bits;
                m_squares[link] += bits * bits;
            }
        }
    }

    /// @return bits of a transfer on the wire after its first burst
    double GetBits(std::size_t transfer) const
    {
        const uint64_t size = m_scenario.GetFlows()[transfer].sizeBytes;
        const DcnNetworkParameters& network = m_scenario.GetNetwork();
        return size > m_burstBytes
                   ? 8 * static_cast<double>(DcnWireBytes(size - m_burstBytes,
                                                          network.payloadBytes,
                                                          network.headerBytes))
                   : 0;
    }

    /// @return utilisation of a link by the rest of other transfers
    double GetRho(uint32_t link, std::size_t transfer) const
    {
        const auto rate = static_cast<double>(m_scenario.GetTopology().GetLink(link).rateBps);
        return std::max(0.0, m_bits[link] - GetBits(transfer)) / (rate * m_span);
    }

    /// @return x: mean number of others that share a link with a transfer
    double GetSharers(uint32_t link, std::size_t transfer, double bottleneck) const
    {
        const double own = GetBits(transfer);
        const double bits = m_bits[link] - own;
        const double squares = m_squares[link] - own * own;
        if (bits <= 1e-9 * m_bits[link] || squares <= 0)
        {
            return 0;
        }
        const auto rateBps = static_cast<double>(m_scenario.GetTopology().GetLink(link).rateBps);
        const double places = std::max(1.0, std::round(rateBps / bottleneck));
        const double most = bits * bits / squares / places;
        const double rho = GetRho(link, transfer);
        const double sharers = places > 1000 ? 0 : ProcessorSharing(places, std::min(rho, 0.9999));
        return sharers > 0 ? 1 / (1 / sharers + 1 / most) : 0;
    }

  private:
    const DcnScenario& m_scenario; //!< the transfers
    uint64_t m_burstBytes;         //!< first burst
    double m_span;                 //!< T [s]
    std::vector<double> m_bits;    //!< by link: sum L
    std::vector<double> m_squares; //!< by link: sum L^2
};

/**
 * @param network configuration
 * @param rate of a port [bit/s]
 * @return queue at which the congestion control reacts [s]
 */
double
ThresholdSeconds(const DcnNetworkParameters& network, double rate)
{
    if (const auto threshold = DcnCongestionControl::GetTraits(network).thresholdSeconds)
    {
        return threshold(network, rate);
    }
    const double bits = 8 * static_cast<double>(network.ecnKminBytes);
    const auto reference = static_cast<double>(network.ecnReferenceRate.GetBitRate());
    return bits / (reference > 0 ? reference : rate); // scales with the rate of the port
}

/**
 * Draw the slowdown of a transfer. Draws are spread evenly over the distribution by the golden
 * ratio.
 * @param delay distribution of its delay
 * @param number of the transfer
 * @param idealNs its time on the empty path [ns]
 * @param transfer the transfer
 * @return the sample
 */
DcnEstimate::Sample
DrawSample(const MqlFlowLatency& delay,
           std::size_t number,
           int64_t idealNs,
           const DcnFlow& transfer)
{
    const double p = std::fmod((static_cast<double>(number) + 0.5) * 0.6180339887498949, 1.0);
    const double drawn = delay.GetQuantile(std::max(1e-9, p));
    const auto total = static_cast<double>(idealNs);
    return {(total + 1e9 * drawn) / total, transfer.sizeBytes, 1, transfer.src, transfer.dst};
}

} // namespace

TypeId
MqlEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MqlEstimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("Mql")
            .AddConstructor<MqlEstimator>()
            .AddAttribute("Formula",
                          "Waiting times: auto, ge-flow, ge-link, subtractive or damped.",
                          StringValue("auto"),
                          MakeStringAccessor(&MqlEstimator::m_formula),
                          MakeStringChecker())
            .AddAttribute("Correction",
                          "Learned correction of waiting times (MqlCorrection): auto (the shipped "
                          "one), none or a file. Its effect fades outside its trained range. With "
                          "another Formula than auto, auto means none.",
                          StringValue("auto"),
                          MakeStringAccessor(&MqlEstimator::m_correction),
                          MakeStringChecker())
            .AddAttribute("BufferPackets",
                          "Waiting room of a queue [packets]; 0: infinite.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&MqlEstimator::m_bufferPackets),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::string
MqlEstimator::GetName() const
{
    return "mql";
}

bool
MqlEstimator::TakesMergedLinks() const
{
    return false; // a round trip is of single queues
}

std::vector<std::string>
MqlEstimator::GetInputFiles() const
{
    if (m_correction == "none")
    {
        return {};
    }
    return {m_correction == "auto" ? MqlCorrection::GetDefaultPath() : m_correction};
}

void
MqlEstimator::SetProvenance(MqlFormula formula,
                            const MqlCorrection* correction,
                            uint64_t nHops,
                            double allTrust,
                            DcnEstimate& estimate) const
{
    // With another formula, auto means no correction.
    const bool isMissing =
        m_correction == "auto" && formula == MqlFormula::AUTOMATIC && correction == nullptr;
    if (nHops > 0 && allTrust == 0 && (correction != nullptr || isMissing))
    {
        estimate.answeredBy = NameWithoutCorrection(estimate.method);
        estimate.provenance = "queueing model alone, its learned correction ";
        estimate.provenance += isMissing ? "is not there" : "counts for nothing here";
    }
    else if (correction == nullptr)
    {
        estimate.provenance = "queueing model alone";
    }
    else
    {
        std::ostringstream text;
        text.precision(3);
        text << "queueing model with its learned correction, which counts "
             << (nHops > 0 ? 100 * allTrust / static_cast<double>(nHops) : 100.0)
             << " % in the mean over hops";
        estimate.provenance = text.str();
    }
}

void
MqlEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const DcnNetworkParameters& parameters = scenario->GetNetwork();
    MqlMeasureOptions measure;
    measure.firstBursts = true;
    measure.burstBytes =
        parameters.windowBytes == 0 ? DcnScenario::MAX_SIZE_BYTES : parameters.windowBytes;
    const MqlPathTraffic traffic = MqlPathTraffic::Measure(*scenario, measure);
    const MqlNetwork network(scenario->GetTopologyPtr(), traffic.flows, traffic.paths);
    MqlOptions options;
    options.formula = MqlParseFormula(m_formula);
    options.bufferPackets = m_bufferPackets;
    const MqlSolution solution = MqlSolve(network, options);
    const auto correction = MqlCorrection::Load(m_correction, options.formula);
    const MqlCorrectedSolution corrected(network, solution, correction.get());
    const Rests rests(*scenario, measure.burstBytes, traffic.spanSeconds);

    std::vector<MqlHop> hops;
    uint64_t nHops = 0;  // number of hops in the answer
    double allTrust = 0; // sum of the correction's weights at them
    const auto& transfers = scenario->GetFlows();
    for (std::size_t i = 0; i < transfers.size(); i++)
    {
        const DcnIdealFct ideal = scenario->GetIdealFct(i);
        const auto bottleneck = static_cast<double>(ideal.bottleneckBps);
        const uint64_t wireBytes = DcnWireBytes(transfers[i].sizeBytes,
                                                parameters.payloadBytes,
                                                parameters.headerBytes);
        const double all = 8 * static_cast<double>(wireBytes) / bottleneck;
        const double rest = rests.GetBits(i) / bottleneck;
        solution.GetHops(traffic.flowOf[i], hops);
        double wait = 0;
        MqlFlowLatency delay;
        double upstream = 0;
        for (const MqlHop& hop : hops)
        {
            const uint32_t link = hop.visit.link;
            const double sharers = rests.GetSharers(link, i, bottleneck);
            if (hop.visit.hop == 0)
            {
                delay.wait += sharers * all; // hosts serve their transfers in turn
            }
            else
            {
                const auto rate =
                    static_cast<double>(scenario->GetTopology().GetLink(link).rateBps);
                const double more = std::max(0.0, sharers - upstream);
                const double busy = std::min(1.0, rests.GetRho(link, i));
                const double window = 8 * static_cast<double>(measure.burstBytes) / rate;
                const double standing =
                    std::min(ThresholdSeconds(parameters, rate), more * busy * window);
                double trust = 0;
                const double hopWait = corrected.GetWait(hop, &trust);
                nHops++;
                allTrust += trust;
                wait += hopWait;
                delay.wait += hopWait + standing + rest * more;
                // Windows compete at times: such a queue exists or not.
                delay.variance += busy > 0 ? standing * standing * (1 / busy - 1) : 0;
                delay.idle *= 1 - busy * std::min(1.0, more);
            }
            upstream = sharers;
        }
        estimate.fctNs[i] = ideal.GetTotalNs() + std::llround(1e9 * delay.wait);

        const MqlFlowLatency open = solution.GetLatency(traffic.flowOf[i]);
        const double scale = open.wait > 0 ? wait / open.wait : 0;
        const double shared = delay.wait - wait;
        delay.variance += open.variance * scale * scale + shared * shared;
        delay.idle *= open.idle;
        estimate.samples.push_back(DrawSample(delay, i, ideal.GetTotalNs(), transfers[i]));
    }
    SetProvenance(options.formula, correction.get(), nHops, allTrust, estimate);
    const std::string unknown = corrected.DescribeUnknown();
    estimate.provenance += unknown.empty() ? "" : "; " + unknown;
    estimate.provenance += "; " + Describe(*scenario, traffic, solution);
    NS_LOG_INFO(estimate.provenance);
}

std::string
MqlEstimator::Describe(const DcnScenario& scenario,
                       const MqlPathTraffic& traffic,
                       const MqlSolution& solution) const
{
    std::ostringstream text;
    text << "open queueing network (" << MqlGetFormulaName(solution.GetFormula()) << ") of "
         << traffic.flows.size() << " packet streams, the first bursts of the transfers at their "
         << "average rates, and sharing of links by their rests; does not model how "
         << scenario.GetNetwork().congestionControl
         << " reacts to congestion, windows beyond the first burst, ECN, PFC, retransmissions or "
         << "changes of load";
    const auto& queues = solution.GetQueues();
    uint32_t nOverloaded = 0;
    uint32_t hottest = 0;
    for (uint32_t link = 0; link < queues.size(); link++)
    {
        nOverloaded += queues[link].rho >= 1 ? 1 : 0;
        hottest = queues[link].rho > queues[hottest].rho ? link : hottest;
    }
    text << "; hottest queue of the first bursts alone "
         << scenario.GetTopology().DescribeLink(hottest) << " at "
         << std::round(1000 * queues[hottest].rho) / 10 << " %";
    if (nOverloaded > 0)
    {
        text << ": " << nOverloaded << (nOverloaded == 1 ? " queue is" : " queues are")
             << " overloaded and answered by the finite buffer of " << m_bufferPackets
             << " packets";
    }
    return text.str();
}

} // namespace ns3
