/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/congestion/dcn-dcqcn.h"
#include "../model/congestion/dcn-dctcp.h"
#include "../model/congestion/dcn-hpcc.h"
#include "../model/congestion/dcn-powertcp.h"
#include "../model/congestion/dcn-replayable-control.h"
#include "../model/congestion/dcn-swift.h"
#include "../model/congestion/dcn-timely.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/config.h"
#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 10'000'000'000; //!< maximum rate of the flows [bit/s]
constexpr uint64_t MSS = 1000;            //!< payload per packet [bytes]
constexpr int64_t RTT = 8000;             //!< round-trip time of the empty path [ns]

/**
 * @param cc congestion control
 * @return evaluation parameters with a floor so low that it does not interfere
 */
Ptr<DcnNetworkConfig>
MakeConfig(const std::string& cc)
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
    config->minRate = DataRate(1'000'000);
    return config;
}

/**
 * DCTCP with every packet of a window marked, or none.
 *
 * With alpha_0 = 1 the first mark cuts R to R / 2 at once. If the windows that follow are not
 * marked, alpha_k = (1 - g)^k, and the rate rises by the additive increase once per window, but not
 * before the bytes in flight at the cut are acknowledged. The next mark cuts by alpha / 2.
 */
DCN_TEST_CASE(DctcpTestCase, "DCTCP: one cut per window, alpha averages the marked fraction")
{
    Ptr<DcnNetworkConfig> config = MakeConfig("dctcp");
    const uint64_t increase = static_cast<uint64_t>(config->GetOwn("dctcp_additive_increase_bps"));
    DcnDctcp cc(*config, LINE, RTT);
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE, "a flow starts at line rate");

    const uint64_t window = 10 * MSS; // bytes in flight throughout
    uint64_t acknowledged = 0;
    auto ack = [&](bool marked) {
        acknowledged += MSS;
        cc.OnAck({0, acknowledged, acknowledged + window, marked, 0, nullptr});
    };
    ack(true); // ends the empty first window; cut by alpha = 1
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 2, "R (1 - alpha / 2) with alpha = 1");
    ack(true);
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 2, "one cut per window");
    for (int i = 0; i < 9; ++i)
    {
        ack(false);
    }
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 2, "no increase while the cut window is out");
    // That window had 2 marks of 11 + 1 packets (from byte 0 to 11 MSS); alpha becomes
    // (1 - g) + g * 2 / 12, and the first increase comes with its end.
    ack(false);
    const double g = config->GetOwn("dctcp_g");
    double alpha = (1 - g) + g * 2.0 / 12;
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 2 + increase, "first increase after the cut");
    // Windows without marks: alpha decays by 1 - g each.
    for (int window = 0; window < 3; ++window)
    {
        for (int i = 0; i < 11; ++i)
        {
            ack(false);
        }
        alpha *= 1 - g;
    }
    const uint64_t before = LINE / 2 + 4 * increase;
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), before, "one increase per window");
    ack(true);
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(),
                          static_cast<uint64_t>(static_cast<double>(before) * (1 - alpha / 2)),
                          "the cut follows alpha");
}

/**
 * DCQCN after marks at time 0 alone: the first decrease, by alpha = 1, comes one decrease period
 * and a nanosecond later, with target Rt = LINE. Then with increase period T_i: R <- (R + Rt) / 2
 * at each T_i, where Rt is left alone once (F = 1), and capped at LINE.
 */
DCN_TEST_CASE(DcqcnTestCase, "DCQCN: first decrease after the period, then recovery by halves")
{
    Ptr<DcnNetworkConfig> config = MakeConfig("dcqcn");
    DcnDcqcn cc(*config, LINE, RTT);
    NS_TEST_EXPECT_MSG_EQ(cc.GetNextTimerNs(), DcnCongestionControl::NEVER, "no timer yet");
    cc.OnAck({0, MSS, 2 * MSS, true, 0, nullptr});
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE, "line rate until the first decrease");
    NS_TEST_EXPECT_MSG_EQ(cc.GetNextTimerNs(), 50'000, "alpha timer first");
    cc.OnTimer(50'000);
    NS_TEST_EXPECT_MSG_EQ(cc.GetNextTimerNs(), 50'001, "then the decrease timer");
    cc.OnTimer(50'001);
    // only one mark came, at the very start: alpha had decayed once
    const double alpha = 1 - config->GetOwn("dcqcn_g");
    uint64_t rate = static_cast<uint64_t>(static_cast<double>(LINE) * (1 - alpha / 2));
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "R (1 - alpha / 2)");
    int64_t nowNs = 50'001;
    for (int stage = 0; stage < 4; ++stage)
    {
        const int64_t dueNs = 50'001 + (stage + 1) * 55'000;
        while (cc.GetNextTimerNs() < dueNs)
        {
            nowNs = cc.GetNextTimerNs();
            cc.OnTimer(nowNs);
            NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "alpha and idle decrease checks");
        }
        NS_TEST_ASSERT_MSG_EQ(cc.GetNextTimerNs(), dueNs, "increase timer");
        cc.OnTimer(dueNs);
        rate = rate / 2 + LINE / 2; // the target is capped at line rate
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "half way to the target");
    }
}

/**
 * DCQCN, target rules: a decrease after an increase sets the target to the rate; a decrease right
 * after a decrease keeps the old target, unless the target is clamped.
 */
DCN_TEST_CASE(DcqcnTargetTestCase, "DCQCN: target of successive decreases")
{
    for (bool clamp : {false, true})
    {
        Ptr<DcnNetworkConfig> config = MakeConfig("dcqcn");
        config->SetOwn("dcqcn_clamp_target_rate", clamp);
        config->SetOwn("dcqcn_g", 0); // alpha stays 1: each decrease halves
        DcnDcqcn cc(*config, LINE, RTT);
        cc.OnAck({0, MSS, 2 * MSS, true, 0, nullptr});
        cc.OnTimer(50'000);
        cc.OnTimer(50'001);
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 2, "first decrease");
        cc.OnAck({60'000, 2 * MSS, 3 * MSS, true, 0, nullptr});
        cc.OnTimer(100'000);
        cc.OnTimer(100'001);
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 4, "second decrease");
        while (cc.GetNextTimerNs() < 155'001)
        {
            cc.OnTimer(cc.GetNextTimerNs());
        }
        cc.OnTimer(155'001);
        const uint64_t target = clamp ? LINE / 2 : LINE;
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 8 + target / 2, "recovery to the target");
    }
}

/// Call timers that are due up to a time.
void
RunTimers(DcnCongestionControl& cc, int64_t untilNs)
{
    while (cc.GetNextTimerNs() <= untilNs)
    {
        cc.OnTimer(cc.GetNextTimerNs());
    }
}

/**
 * DCQCN of the paper's preset: each notification, a mark at least N = 50 us after the one before,
 * sets at once Rt = R, R = R (1 - alpha / 2), alpha = (1 - g) alpha + g (equation 1), and starts
 * all timers anew; alpha = (1 - g) alpha after each 55 us without one (equation 2); the timer makes
 * R = (R + Rt) / 2 after each 55 us (equation 3). By hand, with L the line rate:
 *
 *     t [us]  event         R                            Rt       alpha
 *     0       notification  L / 2                        L        1
 *     10, 49  mark          L / 2                        L        1
 *     50      notification  L / 4                        L / 2    1
 *     105     timers        3 L / 8                      L / 2    1 - g
 *     160     timers        7 L / 16                     L / 2    (1 - g)^2
 *     161     notification  7 L / 16 (1 - (1-g)^2 / 2)   7 L / 16 (1 - g)^3 + g
 *     211     notification  R (1 - ((1-g)^3 + g) / 2)    R before
 *
 * Without the clamp of the target, Rt stays L at 50 us, so that R is 5 L / 8 at 105 us.
 */
DCN_TEST_CASE(DcqcnAtOnceTestCase, "DCQCN: equation 1 at each notification, at once")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dcqcn", LINE, "paper");
    NS_TEST_EXPECT_MSG_EQ(config->GetOwn("dcqcn_at_once"), true, "at once");
    NS_TEST_EXPECT_MSG_EQ(config->GetOwn("dcqcn_clamp_target_rate"), true, "target");
    NS_TEST_EXPECT_MSG_EQ(config->windowBytes, 0, "no window");
    NS_TEST_EXPECT_MSG_EQ(config->windowBdp, 0, "no window");
    const double g = config->GetOwn("dcqcn_g");
    NS_TEST_EXPECT_MSG_EQ(g, 1.0 / 256, "the paper's g");
    const auto line = static_cast<double>(LINE);
    for (const bool clamp : {true, false})
    {
        config->SetOwn("dcqcn_clamp_target_rate", clamp);
        DcnDcqcn cc(*config, LINE, RTT);
        uint64_t acknowledged = 0;
        const auto mark = [&](int64_t nowNs) {
            RunTimers(cc, nowNs);
            acknowledged += MSS;
            cc.OnAck({nowNs, acknowledged, acknowledged + MSS, true, 0, nullptr});
        };
        NS_TEST_EXPECT_MSG_EQ(cc.GetNextTimerNs(), DcnCongestionControl::NEVER, "no timer yet");
        mark(0);
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 2, "first notification");
        NS_TEST_EXPECT_MSG_EQ(cc.GetNextTimerNs(), 55'000, "timers of alpha and increase");
        mark(10'000);
        mark(49'999);
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 2, "marks within 50 us are one notification");
        mark(50'000);
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE / 4, "second notification");
        NS_TEST_EXPECT_MSG_EQ(cc.GetNextTimerNs(), 105'000, "timers begin anew");
        RunTimers(cc, 105'000);
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), ((clamp ? 3 : 5) * LINE / 8), "recovery");
        if (!clamp)
        {
            continue;
        }
        RunTimers(cc, 160'000);
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), 7 * (LINE / 16), "recovery");
        mark(161'000);
        double alpha = (1 - g) * (1 - g);
        double rate = 7 * line / 16 * (1 - alpha / 2);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()), rate, 1, "third");
        mark(211'000);
        const double target = rate;
        alpha = (1 - g) * alpha + g;
        rate *= 1 - alpha / 2;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()), rate, 2, "fourth");
        RunTimers(cc, 266'000);
        rate = (rate + target) / 2;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()), rate, 4, "recovery");
    }
}

/**
 * DCQCN with the paper's byte counter of B bytes and F = 5; notifications at 0 and 50 us, with
 * alpha = 1 (g = 0) leave R = L / 4 and Rt = L / 2. Between the timer's increases the counter
 * increases at every B acknowledged bytes: with T timer and C byte increases, the target stays
 * while max(T, C) < 5, rises by the additive step while min(T, C) < 5, and by the hyper step later.
 */
DCN_TEST_CASE(DcqcnByteCounterTestCase, "DCQCN: byte counter and timer of the paper's preset")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dcqcn", LINE, "paper");
    config->minRate = DataRate(1'000'000);
    config->SetOwn("dcqcn_g", 0);
    config->SetOwn("dcqcn_byte_counter_bytes", 10 * MSS);
    const uint64_t additive = static_cast<uint64_t>(config->GetOwn("dcqcn_additive_increase_bps"));
    const uint64_t hyper = static_cast<uint64_t>(config->GetOwn("dcqcn_hyper_increase_bps"));
    DcnDcqcn cc(*config, LINE, RTT);
    cc.OnAck({0, MSS, 2 * MSS, true, 0, nullptr});
    int64_t nowNs = 50'000;
    cc.OnAck({nowNs, 2 * MSS, 3 * MSS, true, 0, nullptr});
    uint64_t rate = LINE / 4;
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "second notification");

    uint64_t target = LINE / 2;
    uint64_t acknowledged = 2 * MSS;
    uint32_t timerSteps = 0;
    uint32_t byteSteps = 0;
    for (int k = 0; k < 14; ++k)
    {
        if (std::max(timerSteps, byteSteps) >= 5)
        {
            target =
                std::min(LINE, target + (std::min(timerSteps, byteSteps) >= 5 ? hyper : additive));
        }
        rate = rate / 2 + target / 2;
        if (k % 2 == 0)
        {
            acknowledged += 10 * MSS;
            cc.OnAck({nowNs, acknowledged, acknowledged + MSS, false, 0, nullptr});
            ++byteSteps;
        }
        else
        {
            nowNs += 55'000;
            RunTimers(cc, nowNs);
            ++timerSteps;
        }
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "increase " << k + 1);
    }
}

/**
 * Preset `paper`: TIMELY's gradient is diff / 20 us whatever the path, and with `timely_min_rtt_ns`
 * 0 diff / path round-trip time. HPCC's T is the path's, W0 = Rmax T, and so is its window in
 * bytes; with `base_rtt_ns` W0 is the window.
 */
DCN_TEST_CASE(PathRttTestCase, "round-trip times of the path")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("timely", LINE, "paper");
    config->minRate = DataRate(1'000'000);
    NS_TEST_EXPECT_MSG_EQ(config->GetOwn("timely_low_ns"), 50'000, "Tlow");
    NS_TEST_EXPECT_MSG_EQ(config->GetOwn("timely_high_ns"), 500'000, "Thigh");
    NS_TEST_EXPECT_MSG_EQ(config->windowBytes, 0, "no window");
    for (const bool isOfPath : {false, true})
    {
        if (isOfPath)
        {
            config->SetOwn("timely_min_rtt_ns", 0);
        }
        DcnTimely timely(*config, LINE, RTT);
        timely.OnAck({60'000, MSS, 2 * MSS, false, 0, nullptr});
        timely.OnAck({162'000, 4 * MSS, 6 * MSS, false, 100'000, nullptr}); // rtt 60 -> 62 us
        const double gradient = 0.875 * 2'000 / (isOfPath ? RTT : 20'000);
        NS_TEST_EXPECT_MSG_EQ(
            timely.GetRate(),
            static_cast<uint64_t>(static_cast<double>(LINE) * (1 - 0.8 * gradient)),
            "gradient");
    }

    config = DcnNetworkConfig::Preset("hpcc", LINE, "paper");
    config->minRate = DataRate(1'000'000);
    const uint64_t bdp = LINE / 1'000'000'000 * RTT / 8;
    NS_TEST_EXPECT_MSG_EQ(DcnHpcc(*config, LINE, 4 * RTT).GetWindowBytes(), 4 * bdp, "window");
    NS_TEST_EXPECT_MSG_EQ(DcnHpcc(*config, LINE / 2, RTT).GetWindowBytes(), bdp / 2, "window");
    NS_TEST_EXPECT_MSG_EQ(DcnHpcc(*config, LINE, 10).GetWindowBytes(), MSS, "at least a packet");
    for (const bool isOfPath : {true, false})
    {
        uint64_t w0 = bdp;
        if (!isOfPath)
        {
            config->baseRtt = NanoSeconds(RTT);
            config->windowBdp = 2;
            w0 = 2 * bdp;
        }
        DcnHpcc hpcc(*config, LINE, RTT);
        NS_TEST_EXPECT_MSG_EQ(hpcc.GetWindowBytes(), w0, "window");
        DcnTelemetry telemetry;
        telemetry.nHops = 1;
        telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(0, 0), 0, w0, LINE};
        hpcc.OnAck({0, MSS, 10 * MSS, false, 0, &telemetry});
        // a full link and a full window in the queue
        telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(RTT, 0), bdp, w0, LINE};
        hpcc.OnAck({0, 11 * MSS, 20 * MSS, false, 0, &telemetry});
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(hpcc.GetRate()) / LINE,
                                  config->GetOwn("hpcc_eta") / 2 + 80 * 8.0 / (RTT * LINE / 1e9),
                                  1e-6,
                                  "u = 2, and 80 bytes per round trip");
    }
}

/**
 * HPCC below eta raises Rc by the additive increase, up to maxStage times in a row, then by
 * eta / u.
 */
DCN_TEST_CASE(HpccStageTestCase, "HPCC: additive steps before a multiplicative one")
{
    Ptr<DcnNetworkConfig> config = MakeConfig("hpcc");
    config->SetOwn("hpcc_mi_threshold", 3);
    config->SetOwn("hpcc_additive_increase_bps", 1e6);
    config->SetOwn("hpcc_eta", 0.5);
    const int64_t baseNs = config->baseRtt.GetNanoSeconds();
    DcnHpcc cc(*config, LINE, RTT);
    DcnTelemetry telemetry;
    telemetry.nHops = 1;
    telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(0, 0), 0, 0, LINE};
    uint64_t acknowledged = MSS;
    cc.OnAck({0, acknowledged, acknowledged + MSS, false, 0, &telemetry});
    auto round = [&](double utilisation) { // a round trip at that utilisation
        acknowledged += 2 * MSS;
        telemetry.hops[0].timeTicks += DcnTelemetryHop::MakeTicks(baseNs, 0);
        telemetry.hops[0].txBytes += static_cast<uint64_t>(utilisation * static_cast<double>(LINE) *
                                                           static_cast<double>(baseNs) / 8e9);
        cc.OnAck({0, acknowledged, acknowledged + MSS, false, 0, &telemetry});
    };
    round(1.0);
    uint64_t rate = LINE / 2 + 1'000'000;
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetRate(), rate, 1000, "u = 1, eta = 1/2");
    rate = cc.GetRate();
    for (int k = 0; k < 3; ++k)
    {
        round(0.4);
        rate += 1'000'000;
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "additive step " << k + 1);
    }
    round(0.4);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()),
                              static_cast<double>(rate) * 0.5 / 0.4 + 1e6,
                              1e5,
                              "then eta / u");
}

/**
 * TIMELY with round-trip times r_k, one per round trip. Below Tlow and for gradient <= 0 the rate
 * rises by the additive step five times, then by the hyper step. Above Thigh it is multiplied by
 * 1 - beta (1 - Thigh / r). In between, with rising r, by 1 - beta * diff / minimum, where
 * diff = a (r_k - r_(k-1)) after a constant round-trip time.
 */
DCN_TEST_CASE(TimelyTestCase, "TIMELY: gradient, thresholds and step sizes")
{
    Ptr<DcnNetworkConfig> config = MakeConfig("timely");
    const uint64_t step = static_cast<uint64_t>(config->GetOwn("timely_additive_increase_bps"));
    const uint64_t hyper = static_cast<uint64_t>(config->GetOwn("timely_hyper_increase_bps"));
    DcnTimely cc(*config, LINE, RTT);
    uint64_t acknowledged = 0;
    auto ack = [&](int64_t rttNs) {
        acknowledged += 2 * MSS; // beyond what was sent at the previous update: a round trip
        cc.OnAck({1'000'000 + rttNs, acknowledged, acknowledged + MSS, false, 1'000'000, nullptr});
    };
    ack(250'000);
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE, "the first round trip only sets the reference");
    ack(250'000);
    uint64_t rate = static_cast<uint64_t>(static_cast<double>(LINE) * (1 - 0.8 * (1 - 0.5)));
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "Thigh / r = 1 / 2");
    for (int k = 0; k < 7; ++k)
    {
        ack(40'000); // below Tlow
        rate += k < 5 ? step : hyper;
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "increase " << k + 1);
    }
    // the average difference is still that of the fall from 250 us, decayed by 1/8 each time
    double diff = 0;
    const double a = config->GetOwn("timely_ewma_alpha");
    diff = a * (40'000.0 - 250'000.0);
    for (int k = 0; k < 6; ++k)
    {
        diff *= 1 - a;
    }
    ack(60'000);
    diff = (1 - a) * diff + a * 20'000;
    rate = static_cast<uint64_t>(static_cast<double>(rate) * (1 - 0.8 * diff / 20'000));
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "1 - beta * gradient");
    ack(59'000);
    diff = (1 - a) * diff - a * 1'000;
    NS_TEST_ASSERT_MSG_GT(diff, 0, "the average still rises");
    rate = static_cast<uint64_t>(static_cast<double>(rate) * (1 - 0.8 * diff / 20'000));
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "a falling round trip with a rising average");
    ack(51'000);
    rate += step;
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "gradient <= 0, steps counted from 0 again");
    // an acknowledgement within the round trip changes nothing
    cc.OnAck({2'000'000, acknowledged + MSS, acknowledged + 3 * MSS, false, 0, nullptr});
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), rate, "one update per round trip");
}

/**
 * HPCC on one hop of capacity C whose port sends at x C and holds q bytes, seen at intervals of T:
 * u = x + q Rmax / (C W0), so that R = Rc eta / u + AI. With x = eta and q = 0, R = Rc + AI.
 */
DCN_TEST_CASE(HpccTestCase, "HPCC: rate from utilisation and queue")
{
    Ptr<DcnNetworkConfig> config = MakeConfig("hpcc");
    config->SetOwn("hpcc_additive_increase_bps", 0);
    const auto baseNs = config->baseRtt.GetNanoSeconds();
    const auto window = static_cast<double>(config->windowBytes);
    for (const auto& [x, queue] : {std::pair<double, uint64_t>{0.9, 0}, {0.9, 9000}, {1.0, 0}})
    {
        DcnHpcc cc(*config, LINE, RTT);
        DcnTelemetry telemetry;
        telemetry.nHops = 1;
        telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(0, 0), 0, queue, LINE};
        cc.OnAck({0, MSS, 10 * MSS, false, 0, &telemetry});
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE, "the first report only sets the reference");
        const auto sent = static_cast<uint64_t>(x * static_cast<double>(LINE * baseNs) / 8e9);
        telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(baseNs, 0), sent, queue, LINE};
        cc.OnAck({0, 11 * MSS, 20 * MSS, false, 0, &telemetry});
        const double utilisation = x + static_cast<double>(queue) / window;
        const double expected = std::min(1.0, config->GetOwn("hpcc_eta") / utilisation);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()) / LINE,
                                  expected,
                                  1e-6,
                                  "Rc eta / u with x = " << x << ", q = " << queue);
    }
    // two hops: the more loaded one counts
    DcnHpcc cc(*config, LINE, RTT);
    DcnTelemetry telemetry;
    telemetry.nHops = 2;
    telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(0, 0), 0, 0, 4 * LINE};
    telemetry.hops[1] = {DcnTelemetryHop::MakeTicks(0, 0), 0, 0, LINE};
    cc.OnAck({0, MSS, 10 * MSS, false, 0, &telemetry});
    telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(baseNs, 0), 18000, 0, 4 * LINE};
    telemetry.hops[1] = {DcnTelemetryHop::MakeTicks(baseNs, 0), 18000, 0, LINE};
    cc.OnAck({0, 11 * MSS, 20 * MSS, false, 0, &telemetry});
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()) / LINE,
                              config->GetOwn("hpcc_eta"),
                              1e-6,
                              "18000 bytes in 14.4 us fill the slower hop");
}

/**
 * PowerTCP after one report of a port that has sent at x b for tau, with a queue that went from q0
 * to q: lambda = x b + (q - q0) / tau, nu = q + b tau, P = lambda nu / (b^2 tau), and from w = W0
 *
 *     w / W0 = gamma (1 / P + 1 / N) + 1 - gamma,   at most 1
 *
 * Of two ports the one of larger power counts.
 */
DCN_TEST_CASE(PowerTcpTestCase, "PowerTCP: window from current and voltage")
{
    Ptr<DcnNetworkConfig> config = MakeConfig("powertcp");
    const auto tauNs = config->baseRtt.GetNanoSeconds();
    const double gamma = config->GetOwn("powertcp_gamma");
    const double n = config->GetOwn("powertcp_flows");
    const double pipe = static_cast<double>(LINE) * static_cast<double>(tauNs) / 8e9;

    struct Case
    {
        double x;        //!< the port has sent at x b
        double before;   //!< queue before, in pipes
        double now;      //!< queue now, in pipes
        uint64_t faster; //!< rate of an idle second port over that of the first; 0: none
    };

    for (const Case& each : {Case{0.9, 0, 0, 0},   // room
                             Case{1, 0.5, 0.5, 0}, // a standing queue
                             Case{1, 0, 1, 0},     // two flows begin: lambda = 2 b
                             Case{1, 0, 7, 0},     // eight flows begin
                             Case{1, 1, 0.5, 0},   // a queue that drains
                             Case{1, 0, 1, 4}})    // a second port at a quarter of its rate
    {
        DcnPowerTcp cc(*config, LINE, RTT);
        DcnTelemetry telemetry;
        telemetry.nHops = each.faster > 0 ? 2 : 1;
        const auto queue = [pipe](double pipes) { return static_cast<uint64_t>(pipes * pipe); };
        telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(0, 0), 0, queue(each.before), LINE};
        telemetry.hops[1] = {DcnTelemetryHop::MakeTicks(0, 0), 0, 0, each.faster * LINE};
        cc.OnAck({0, MSS, 10 * MSS, false, 0, &telemetry});
        NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE, "the first report is compared with nothing");
        const auto sent = static_cast<uint64_t>(each.x * pipe);
        telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(tauNs, 0), sent, queue(each.now), LINE};
        telemetry.hops[1] = {DcnTelemetryHop::MakeTicks(tauNs, 0), sent, 0, each.faster * LINE};
        cc.OnAck({tauNs, 11 * MSS, 20 * MSS, false, 0, &telemetry});
        const double power = (each.x + each.now - each.before) * (each.now + 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()) / LINE,
                                  std::min(1.0, gamma * (1 / power + 1 / n) + 1 - gamma),
                                  1e-6,
                                  "x " << each.x << ", queue " << each.before << " to "
                                       << each.now);
    }
    // half a round trip counts half: P = (1 + 2) / 2
    DcnPowerTcp cc(*config, LINE, RTT);
    DcnTelemetry telemetry;
    telemetry.nHops = 1;
    const auto half = static_cast<uint64_t>(pipe / 2);
    telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(0, 0), 0, 2 * half, LINE};
    cc.OnAck({0, MSS, 10 * MSS, false, 0, &telemetry});
    telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(tauNs / 2, 0), half, 2 * half, LINE};
    cc.OnAck({0, 11 * MSS, 20 * MSS, false, 0, &telemetry});
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()) / LINE,
                              gamma * (1 / 1.5 + 1 / n) + 1 - gamma,
                              1e-6,
                              "average over a round trip");
}

/**
 * n PowerTCP flows with windows w_i share a port. Their data in flight, sum w_i, fills the pipe
 * b tau, and the rest waits: q = sum w_i - b tau. The port sends at b, so that P = sum w_i /
 * (b tau) when q is steady, and the fixed point is q = n beta, w_i = (b tau + n beta) / n, from any
 * beginning. There are 20 acknowledgements in a round trip.
 */
DCN_TEST_CASE(PowerTcpEquilibriumTestCase, "PowerTCP: queue of n beta, equal windows")
{
    Ptr<DcnNetworkConfig> config = MakeConfig("powertcp");
    const auto tauNs = config->baseRtt.GetNanoSeconds();
    const double pipe = static_cast<double>(LINE) * static_cast<double>(tauNs) / 8e9;
    for (uint32_t n : {2, 5, 20})
    {
        std::vector<std::unique_ptr<DcnPowerTcp>> flows;
        for (uint32_t i = 0; i < n; ++i)
        {
            flows.push_back(std::make_unique<DcnPowerTcp>(*config, LINE, RTT));
        }
        DcnTelemetry telemetry;
        telemetry.nHops = 1;
        uint64_t sent = 0;
        uint64_t acknowledged = MSS;
        double queue = 0;
        static constexpr int STEPS = 20; // of a round trip
        for (int step = 0; step < 2000 * STEPS; ++step)
        {
            double windows = 0;
            for (uint32_t i = 0; i < n; ++i)
            {
                // flow i joins after i round trips: they do not begin alike
                windows += step >= static_cast<int>(i) * STEPS
                               ? static_cast<double>(flows[i]->GetRate()) / LINE * pipe
                               : 0;
            }
            queue = std::max(0.0, windows - pipe);
            sent += static_cast<uint64_t>(std::min(windows, pipe) / STEPS);
            telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(tauNs / STEPS * step, 0), sent, static_cast<uint64_t>(queue), LINE};
            acknowledged += MSS;
            for (uint32_t i = 0; i < n && step >= static_cast<int>(i) * STEPS; ++i)
            {
                flows[i]->OnAck({tauNs / STEPS * step,
                                 acknowledged,
                                 acknowledged + (STEPS - 1) * MSS,
                                 false,
                                 0,
                                 &telemetry});
            }
        }
        const double beta = 1 / config->GetOwn("powertcp_flows");
        NS_TEST_EXPECT_MSG_EQ_TOL(queue / pipe, n * beta, 1e-3, "n beta, n = " << n);
        for (const auto& flow : flows)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(flow->GetRate()) / LINE,
                                      (1 + n * beta) / n,
                                      1e-3,
                                      "equal windows, n = " << n);
        }
    }
}

/**
 * Swift, w packets in flight, T the empty path's round trip:
 *
 * - d < t: w + n / w for n acknowledged packets, w + n below a packet;
 * - d >= t: w max(1 - beta (d - t) / d, 1 - m), once in d;
 * - t = T + base at w_max = 100 and above, T + base + range at w_min = 0.1 and below, and t - T -
 *   base = range (1 / sqrt(w) - 1 / 10) / (sqrt(10) - 1 / 10) between.
 */
DCN_TEST_CASE(SwiftTestCase, "Swift: additive increase, bounded decrease, scaled target")
{
    Ptr<DcnNetworkConfig> config = MakeConfig("swift");
    config->minRate = DataRate(1000);
    config->windowBytes = 200 * MSS;
    const double base = config->GetOwn("swift_base_target_ns");
    const double range = config->GetOwn("swift_flow_range_ns");
    const double beta = config->GetOwn("swift_beta");
    const auto target = [base, range](double w) {
        const double scaled = range * (1 / std::sqrt(w) - 0.1) / (std::sqrt(10.0) - 0.1);
        return RTT + base + std::clamp(scaled, 0.0, range);
    };
    DcnSwift cc(*config, LINE, RTT);
    NS_TEST_EXPECT_MSG_EQ(cc.GetRate(), LINE, "a flow starts at line rate");
    NS_TEST_EXPECT_MSG_EQ(cc.GetWindow(), 200, "and its whole window");
    NS_TEST_EXPECT_MSG_EQ(cc.GetTargetNs(), RTT + base, "no scaling above w_max");

    int64_t nowNs = 0;
    uint64_t acknowledged = 0;
    const auto ack = [&](double rttNs) {
        nowNs += 1'000'000;
        acknowledged += MSS;
        const auto rtt = static_cast<int64_t>(rttNs);
        cc.OnAck({nowNs, acknowledged, acknowledged + MSS, false, nowNs - rtt, nullptr});
        NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetTargetNs(), target(cc.GetWindow()), 1e-6, "target");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(cc.GetRate()),
                                  LINE * cc.GetWindow() / 200,
                                  1,
                                  "the rate is the window");
    };
    ack(RTT);
    NS_TEST_EXPECT_MSG_EQ(cc.GetWindow(), 200, "no window above the largest");
    // d = 1.25 t: 1 - 0.8 (0.25 / 1.25)
    ack(1.25 * cc.GetTargetNs());
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetWindow(), 200 * (1 - beta * 0.2), 1e-9, "in proportion");
    double w = cc.GetWindow();
    ack(10 * cc.GetTargetNs());
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetWindow(), w / 2, 1e-9, "at most a half");
    // once per round trip: 1 ms has passed since, less than 1.5 ms
    w = cc.GetWindow();
    ack(1'500'000);
    NS_TEST_EXPECT_MSG_EQ(cc.GetWindow(), w, "one decrease in d");
    cc.OnGoBack(0, nowNs);
    NS_TEST_EXPECT_MSG_EQ(cc.GetWindow(), w, "nor by a loss");
    nowNs += 1'000'000;
    ack(RTT);
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetWindow(), w + 1 / w, 1e-9, "a packet per window");
    w = cc.GetWindow();
    cc.OnGoBack(0, nowNs);
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetWindow(), w / 2, 1e-9, "a loss halves");
    cc.OnGoBack(0, nowNs + RTT / 2);
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetWindow(), w / 2, 1e-9, "once per round trip");
    cc.OnGoBack(0, nowNs + 3 * RTT); // no acknowledgement came in between
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetWindow(), w / 4, 1e-9, "a timeout halves again");
    nowNs += 3 * RTT;
    while (cc.GetWindow() > 0.05)
    {
        nowNs += 10'000'000; // more than a round trip
        ack(9'000'000);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetTargetNs(), RTT + base + range, 1e-6, "below w_min");
    w = cc.GetWindow();
    ack(RTT);
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetWindow(), w + 1, 1e-9, "a packet per packet below one");
    // delay at the target: nothing changes
    w = cc.GetWindow();
    nowNs += 10'000'000;
    ack(std::ceil(cc.GetTargetNs()));
    NS_TEST_EXPECT_MSG_EQ_TOL(cc.GetWindow(), w, 1e-4 * w, "fixed point");
    // without window_bytes: the bandwidth-delay product of the path
    Ptr<DcnNetworkConfig> paper = DcnNetworkConfig::Preset("swift", LINE, "paper");
    NS_TEST_EXPECT_MSG_EQ(paper->windowBytes, 0, "the preset of the paper");
    NS_TEST_EXPECT_MSG_EQ(DcnSwift(*paper, LINE, RTT).GetWindowBytes(),
                          LINE / 1'000'000'000 * RTT / 8,
                          "Rmax T");
}

/// Keeps its largest rate: an algorithm from outside of the module, with the least that one needs.
class FixedRate final : public DcnCongestionControl
{
  public:
    using DcnCongestionControl::DcnCongestionControl;

    void OnAck(const DcnAckInfo& /* ack */) override
    {
    }
};

/// A part of something.
const DcnControlKey<double> SHARE("test-fixed-rate_share", "TestFixedRateShare", "A part.", 0.5);

/// A number of packets.
const DcnControlKey<uint64_t> PACKETS("test-fixed-rate_packets",
                                      "TestFixedRatePackets",
                                      "Packets.",
                                      4,
                                      1,
                                      1e6);

/// A step in proportion to the NIC's rate.
const DcnControlKey<DataRate> STEP("test-fixed-rate_step_bps",
                                   "TestFixedRateStep",
                                   "A step.",
                                   3'000'000,
                                   DcnControlKeyInfo::Property::PER_NIC);

/// A time.
const DcnControlKey<Time> PERIOD("test-fixed-rate_period_us",
                                 "TestFixedRatePeriod",
                                 "A period.",
                                 20,
                                 1);

/// Another unit of PACKETS, which is not written at its default.
const DcnControlKey<uint64_t> BYTES("test-fixed-rate_bytes",
                                    "TestFixedRateBytes",
                                    "Bytes in place of packets.",
                                    0,
                                    DcnControlKeyInfo::Property::RARE);

/// @return the exercise: a name, keys of all kinds, values of evaluation and a check
DcnNetworkConfig::Control
MakeFixedRate()
{
    DcnNetworkConfig::Control control{"test-fixed-rate",
                                      {&SHARE, &PACKETS, &STEP, &PERIOD, &BYTES},
                                      {{&PACKETS, &BYTES}}};
    control.evaluation = [](DcnNetworkParameters& network) {
        network.ecnPmax = 0.5;
        network.Set(PERIOD, 30'000);
    };
    control.check = [](const DcnNetworkParameters& network, const std::string& where) {
        if (network.Get(SHARE) == 0)
        {
            DcnFail(where, "test-fixed-rate_share is 0");
        }
    };
    return control;
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_fixedRate(MakeFixedRate(),
                                                     {{100, 64, false}},
                                                     &DcnCongestionControl::Make<FixedRate>);

/// A new control has all that others have, from its own file alone: attributes with defaults that
/// users change, values in proportion to NICs, two units of a value, a preset, a check.
DCN_TEST_CASE(OwnKeysTestCase, "keys of a control are attributes and keys of network.csv")
{
    const uint64_t host = 10'000'000'000;
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("test-fixed-rate", host);
    NS_TEST_EXPECT_MSG_EQ(config->Get(PERIOD), 30'000, "of its preset, in ns");
    NS_TEST_EXPECT_MSG_EQ(config->GetOwn("test-fixed-rate_period_us"), 30, "in the key's unit");
    NS_TEST_EXPECT_MSG_EQ(config->Get(STEP), 3'000'000, "at 10 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(DcnNetworkConfig::Preset("test-fixed-rate", 4 * host)->Get(STEP),
                          12'000'000,
                          "at 40 Gb/s");
    const auto mixed =
        DcnNetworkConfig::Preset("test-fixed-rate", std::vector<uint64_t>{host, 4 * host});
    NS_TEST_EXPECT_MSG_EQ(mixed->Get(STEP), 3'000'000, "at the reference rate");
    NS_TEST_EXPECT_MSG_EQ(mixed->ForNic(4 * host).Get(STEP), 12'000'000, "at the NIC's");
    NS_TEST_EXPECT_MSG_EQ(mixed->ForNic(4 * host).Get(PERIOD), 30'000, "a time stays");

    // attributes: a type, a range, a default that users change
    TimeValue period;
    config->GetAttribute("TestFixedRatePeriod", period);
    NS_TEST_EXPECT_MSG_EQ(period.Get(), MicroSeconds(30), "an attribute");
    config->SetAttribute("TestFixedRateStep", StringValue("5Mbps"));
    NS_TEST_EXPECT_MSG_EQ(config->Get(STEP), 5'000'000, "set by ns-3");
    NS_TEST_EXPECT_MSG_EQ(config->SetAttributeFailSafe("TestFixedRateShare", DoubleValue(1.5)),
                          false,
                          "out of range");
    Config::SetDefault("ns3::DcnNetworkConfig::TestFixedRatePackets", UintegerValue(7));
    NS_TEST_EXPECT_MSG_EQ(CreateObject<DcnNetworkConfig>()->Get(PACKETS), 7, "a user's default");
    Config::Reset();
    NS_TEST_EXPECT_MSG_EQ(CreateObject<DcnNetworkConfig>()->Get(PACKETS), 4, "its default");
    NS_TEST_EXPECT_MSG_EQ(DcnNetworkParameters().Get(PACKETS), 4, "without an object, too");
    DcnNetworkParameters before = *config; // as if the control had been registered later
    before.own.resize(SHARE.slot);
    NS_TEST_EXPECT_MSG_EQ(before.Get(STEP), 3'000'000, "the default");
    before.Set(STEP, 1);
    NS_TEST_EXPECT_MSG_EQ(before.Get(STEP), 1, "set");
    NS_TEST_EXPECT_MSG_EQ(before.Get(PERIOD), 20'000, "others have their defaults");

    // of two units the later one above 0 counts
    const auto has = [&config](const std::string& name) {
        const auto keys = config->GetKeys();
        return std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
            return key.first == name;
        });
    };
    NS_TEST_EXPECT_MSG_EQ(has("test-fixed-rate_bytes"), false, "not written at its default");
    config->SetKey("test-fixed-rate_bytes", "1500");
    NS_TEST_EXPECT_MSG_EQ(config->Get(PACKETS), 0, "replaced");
    NS_TEST_EXPECT_MSG_EQ(has("test-fixed-rate_bytes"), true, "written");
    config->SetKey("test-fixed-rate_packets", "9");
    NS_TEST_EXPECT_MSG_EQ(config->Get(BYTES), 0, "replaced");

    // values set by name have the same range
    config->SetOwn("test-fixed-rate_packets", 1e6);
    DCN_TEST_EXPECT_ERROR(config->SetOwn("test-fixed-rate_packets", 1.5),
                          "test-fixed-rate_packets cannot be 1.5; it takes a whole number from 1 "
                          "to 1000000");
    config->Check({host});
    config->SetOwn("test-fixed-rate_share", 0);
    DCN_TEST_EXPECT_ERROR(config->Check({host}, "here: "), "here: test-fixed-rate_share is 0");

    // rates are exact up to the largest one
    config->SetKey("test-fixed-rate_step_bps", "18446744073709551615");
    NS_TEST_EXPECT_MSG_EQ(config->Get(STEP), UINT64_MAX, "exact");
    NS_TEST_EXPECT_MSG_EQ(
        (DcnCongestionControl::Create(*config, LINE, RTT)->AsReplayable() == nullptr),
        true,
        "engines that resume a flow can tell");
}

/// Algorithms are found by the names that they register, and other names are refused.
DCN_TEST_CASE(RegistrationTestCase, "algorithms register themselves by name")
{
    // scenarios can name it; it has DCTCP's values and its own keys
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("test-fixed-rate");
    const auto dctcp = DcnNetworkConfig::Preset("dctcp");
    auto keys = dctcp->GetKeys();
    keys.front().second = "test-fixed-rate";
    keys.erase(std::remove_if(keys.begin(),
                              keys.end(),
                              [](const auto& key) { return key.first.rfind("dctcp_", 0) == 0; }),
               keys.end());
    std::find_if(keys.begin(), keys.end(), [](const auto& key) {
        return key.first == "ecn_pmax";
    })->second = "0.5";
    keys.emplace_back("test-fixed-rate_share", "0.5");
    keys.emplace_back("test-fixed-rate_packets", "4");
    keys.emplace_back("test-fixed-rate_step_bps", "3000000");
    keys.emplace_back("test-fixed-rate_period_us", "30");
    NS_TEST_EXPECT_MSG_EQ((config->GetKeys() == keys), true, "the values of DCTCP, and its own");
    config->SetKeys("test-fixed-rate_share=0.25,test-fixed-rate_packets=1000000");
    NS_TEST_EXPECT_MSG_EQ(config->GetOwn("test-fixed-rate_share"), 0.25, "set");
    NS_TEST_EXPECT_MSG_EQ((*(config->GetKeys().rbegin() + 2)).second, "1000000", "whole");
    for (const char* wrong : {"test-fixed-rate_share=1.5",
                              "test-fixed-rate_share=x",
                              "test-fixed-rate_packets=1.5",
                              "test-fixed-rate_packets=0"})
    {
        const std::string text = wrong;
        const std::size_t equals = text.find('=');
        DCN_TEST_EXPECT_ERROR(config->SetKeys(text),
                              text.substr(0, equals) + " cannot be \"" + text.substr(equals + 1) +
                                  (text.find("share") != std::string::npos
                                       ? "\"; it takes a number from 0 to 1"
                                       : "\"; it takes a whole number from 1 to 1000000"));
    }
    DCN_TEST_EXPECT_ERROR(dctcp->SetKeys("test-fixed-rate_share=0.25"),
                          "test-fixed-rate_share belongs to test-fixed-rate, but the congestion "
                          "control is dctcp");
    DCN_TEST_EXPECT_ERROR(config->GetOwn("test-fixed-rate_size"),
                          "no congestion control was registered with the key "
                          "\"test-fixed-rate_size\"");
    const auto expectRefusal = [&](const std::string& name,
                                   const DcnControlKey<uint64_t>& key,
                                   const std::string& sentence) {
        DCN_TEST_EXPECT_ERROR(DcnNetworkConfig::AddCongestionControl({name, {&key}}), sentence);
        NS_TEST_EXPECT_MSG_EQ(key.slot, DcnControlKeyInfo::NO_SLOT, "not registered");
    };
    const std::string must = "must begin with its name and an underscore, and be new";
    expectRefusal("x",
                  {"y_a", "XA", "", 1},
                  "the key \"y_a\" of the congestion control \"x\" " + must);
    expectRefusal("ecn",
                  {"ecn_kmin_bytes", "EcnA", "", 1},
                  "the key \"ecn_kmin_bytes\" of the congestion control \"ecn\" " + must);
    expectRefusal("x",
                  {"x_a", "EcnKminBytes", "", 1},
                  "the key \"x_a\" of the congestion control \"x\" " + must);
    expectRefusal("x",
                  {"x_a", "XA", "", 2, 0, 1},
                  "the default of the key \"x_a\" is out of its range");
    NS_TEST_EXPECT_MSG_EQ(DcnScenarioRecipe("cc=test-fixed-rate,topology=dumbbell,flows=2")
                              .Create()
                              ->GetNetwork()
                              .congestionControl,
                          "test-fixed-rate",
                          "in a recipe, and so as --cc");
    DCN_TEST_EXPECT_ERROR(DcnNetworkConfig::Preset("test-fixed-rate", 10'000'000'000, "paper"),
                          "there is no preset \"paper\" of the congestion control "
                          "\"test-fixed-rate\"; take evaluation, which has the values of dctcp "
                          "for it");
    const std::string unknown = DcnSentenceOf([&]() { config->SetKey("cc", "cubic"); });
    NS_TEST_EXPECT_MSG_EQ(
        (unknown.find("\"cubic\" is not one of dctcp, dcqcn, timely, hpcc, powertcp, swift, "
                      "test-fixed-rate") != std::string::npos),
        true,
        unknown);
    DcnNetworkParameters network = *config;
    NS_TEST_EXPECT_MSG_EQ(DcnCongestionControl::GetWireFormat(network).dataHeaderBytes,
                          100,
                          "sizes");
    network.headerBytes = 82;
    NS_TEST_EXPECT_MSG_EQ(DcnCongestionControl::GetWireFormat(network).dataHeaderBytes,
                          134,
                          "header_bytes is 34 above its default");
    network.headerBytes = 48;
    const auto& traits = DcnCongestionControl::GetTraits(network);
    NS_TEST_EXPECT_MSG_EQ(traits.hasTimers, true, "assumed unless it is denied");
    NS_TEST_EXPECT_MSG_EQ((traits.undisturbedRttNs == nullptr), true, "it may slow down any time");
    const auto cc = DcnCongestionControl::Create(network, LINE, RTT);
    NS_TEST_EXPECT_MSG_EQ((dynamic_cast<FixedRate*>(cc.get()) != nullptr), true, "its class");
    network.congestionControl = "reno";
    const std::string sentence = "the packet engine has no congestion control \"reno\"";
    DCN_TEST_EXPECT_ERROR(DcnCongestionControl::Create(network, LINE, RTT), sentence);
    DCN_TEST_EXPECT_ERROR(DcnCongestionControl::GetWireFormat(network), sentence);
    DCN_TEST_EXPECT_ERROR(DcnCongestionControl::Registration({"hpcc"}, {}, nullptr),
                          "the congestion control \"hpcc\" is registered twice");
}

/// Acknowledgements for a control, of packets on one switch: none of its inputs is constant.
class AckStream
{
  public:
    /**
     * @param cc the control
     */
    explicit AckStream(DcnCongestionControl& cc)
        : m_cc(cc)
    {
    }

    /**
     * @brief From here on everything happens later.
     * @param by by how much
     */
    void Translate(const DcnTranslation& by)
    {
        m_by = by;
    }

    /**
     * @param n acknowledgements
     * @return the rate after each of them and each timer
     */
    std::vector<uint64_t> Send(uint32_t n)
    {
        std::vector<uint64_t> rates;
        for (uint32_t i = 0; i < n; ++i, ++m_k)
        {
            const int64_t ownNs = 100'000 + int64_t{1500} * m_k;
            const int64_t nowNs = ownNs + m_by.timeNs;
            while (m_cc.GetNextTimerNs() <= nowNs)
            {
                m_cc.OnTimer(m_cc.GetNextTimerNs());
                rates.push_back(m_cc.GetRate());
            }
            DcnTelemetry telemetry;
            telemetry.nHops = 1;
            telemetry.hops[0] = {DcnTelemetryHop::MakeTicks(ownNs - 5000, 0),
                                 1100 * m_k + m_k * 7 % 300,
                                 m_k * 31 % 40 * 1000,
                                 LINE};
            telemetry.Translate(m_by);
            const uint64_t acknowledged = (m_k + 1) * MSS + m_by.bytes;
            const int64_t rttNs = 20'000 + m_k * 7919 % 97 * 1000;
            m_cc.OnAck({nowNs,
                        acknowledged,
                        acknowledged + 12 * MSS,
                        m_k * 13 % 7 == 0,
                        nowNs - rttNs,
                        &telemetry});
            rates.push_back(m_cc.GetRate());
        }
        return rates;
    }

  private:
    DcnCongestionControl& m_cc;                   //!< gets the acknowledgements
    uint64_t m_k{0};                              //!< number of the next one
    uint64_t m_noBytes{0};                        //!< sent by the port meanwhile
    DcnTranslation m_by{0, 0, &m_noBytes, false}; //!< what has been added
};

/// A control that has been translated in time has the rates of one that has not, at later times.
DCN_TEST_CASE(TranslationTestCase, "translation in time")
{
    for (const std::string name :
         {"dctcp", "dcqcn", "timely", "hpcc", "powertcp", "swift", "dcqcn of the paper"})
    {
        const auto config = name == "dcqcn of the paper"
                                ? DcnNetworkConfig::Preset("dcqcn", LINE, "paper")
                                : MakeConfig(name);
        const auto one = DcnCongestionControl::Create(*config, LINE, RTT);
        const auto other = DcnCongestionControl::Create(*config, LINE, RTT);
        AckStream ones(*one);
        AckStream others(*other);
        NS_TEST_EXPECT_MSG_EQ((ones.Send(300) == others.Send(300)), true, name << " before");
        const uint64_t txBytes = 77'777'777;
        const DcnTranslation by{987'654'321, 55'000'000, &txBytes, false};
        NS_TEST_EXPECT_MSG_EQ(other->AsReplayable()->Translate(by), true, name);
        others.Translate(by);
        const auto expected = ones.Send(300);
        NS_TEST_EXPECT_MSG_EQ((others.Send(300) == expected), true, name << " after");
        NS_TEST_EXPECT_MSG_EQ((*std::min_element(expected.begin(), expected.end()) <
                               *std::max_element(expected.begin(), expected.end())),
                              true,
                              name << ": rates move");
    }
}

DcnTestSuite g_dcnCongestionControlTestSuite("dcn-packet-congestion-control",
                                             {new DctcpTestCase,
                                              new DcqcnTestCase,
                                              new DcqcnTargetTestCase,
                                              new DcqcnAtOnceTestCase,
                                              new DcqcnByteCounterTestCase,
                                              new TimelyTestCase,
                                              new HpccTestCase,
                                              new HpccStageTestCase,
                                              new PathRttTestCase,
                                              new PowerTcpTestCase,
                                              new PowerTcpEquilibriumTestCase,
                                              new SwiftTestCase,
                                              new TranslationTestCase,
                                              new OwnKeysTestCase,
                                              new RegistrationTestCase}); //!< the suite

} // namespace
