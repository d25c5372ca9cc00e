/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief A new congestion control, a class of this file, against DCTCP.
 *
 * Aimd halves its rate at most once per round trip if one of its packets was marked, and adds a
 * step otherwise. The step is a key of network.csv. The packet engine and the link simulator of
 * Parsimon create this state machine by its name. m3 and m4 were not trained on it and refuse it:
 * dcn-compare with this class needs --methods=packet,flowsim,ns3-path,parsimon,mql.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-workload.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>

using namespace ns3;

namespace
{

/// The key of network.csv and the attribute of DcnNetworkConfig, in proportion to the NIC's rate.
const DcnControlKey<DataRate> STEP("aimd_step_bps",
                                   "AimdStep",
                                   "Additive increase per round trip.",
                                   50e6,
                                   DcnControlKeyInfo::Property::PER_NIC);

/// Additive increase, multiplicative decrease, by ECN marks.
class Aimd : public DcnCongestionControl
{
  public:
    Aimd(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
        : DcnCongestionControl(network, maxRateBps, pathRttNs),
          m_stepBps(network.Get(STEP))
    {
    }

    void OnAck(const DcnAckInfo& ack) override
    {
        m_isMarked = m_isMarked || ack.congestionExperienced;
        if (ack.acknowledged > m_roundEnd)
        {
            m_rate = m_isMarked ? Clamp(m_rate / 2) : Raise(m_rate, m_stepBps);
            m_isMarked = false;
            m_roundEnd = ack.sndNxt;
        }
    }

    void OnGoBack(uint64_t sndNxt, int64_t /* nowNs */) override
    {
        m_roundEnd = std::min(m_roundEnd, sndNxt);
    }

  private:
    const uint64_t m_stepBps; //!< additive increase per round trip [bit/s]
    bool m_isMarked{false};   //!< a packet of this round trip was marked
    uint64_t m_roundEnd{0};   //!< the round trip ends when this byte is acknowledged
};

/// Registers Aimd as "aimd" with its key; packets without telemetry, other traits are safe
/// defaults.
const DcnCongestionControl::Registration REGISTRATION({"aimd", {&STEP}},
                                                      {{DCN_HEADER_BYTES, DCN_ACK_BYTES, false}},
                                                      &DcnCongestionControl::Make<Aimd>);

} // namespace

int
main(int argc, char* argv[])
{
    DcnWorkloadSpec spec;
    spec.sizes = "google-rpc";
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare a new congestion control with DCTCP by packets and by Parsimon.");
    cmd.AddValue("flows", "Number of flows", spec.nFlows);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-new-congestion-control", [&]() {
        Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
        const DcnWorkload workload = DcnWorkload::Generate(topology, spec);
        std::printf("control  method     p50 slowdown  p99 slowdown\n");
        for (const char* cc : {"dctcp", "aimd"})
        {
            const auto config = DcnNetworkConfig::Preset(cc); // aimd: the common keys of DCTCP
            DcnFctTable table(DcnScenario::Create(topology, config, workload.flows));
            for (const char* method : {"packet", "parsimon"})
            {
                table.Add(DcnEstimator::CreateByName(method)->Estimate(table.GetScenario()));
                const std::size_t last = table.GetEstimates().size() - 1;
                auto slowdowns = table.GetSlowdowns(last, DcnSizeClasses().front()); // all sizes
                std::sort(slowdowns.begin(), slowdowns.end());
                std::printf("%-8s %-10s %12.3f %13.3f\n",
                            cc,
                            method,
                            DcnWeightedQuantile(slowdowns, 0.5),
                            DcnWeightedQuantile(slowdowns, 0.99));
            }
            Simulator::Destroy();
        }
        return 0;
    });
}
