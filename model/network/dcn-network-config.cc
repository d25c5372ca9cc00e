/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-network-config.h"
#include "dcn-units.h"

#include "ns3/boolean.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-recipe.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <type_traits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnNetworkConfig");

NS_OBJECT_ENSURE_REGISTERED(DcnNetworkConfig);

namespace
{

/// Host rate to which the values of presets belong [bit/s].
constexpr uint64_t PRESET_RATE_BPS = 10'000'000'000;

/// A key of network.csv, which is an attribute of DcnNetworkConfig.
struct KeyRow
{
    const char* name;            //!< in network.csv; a prefix names the congestion control
    const char* attribute;       //!< of DcnNetworkConfig
    const char* help;            //!< of the attribute
    Ptr<AttributeValue> initial; //!< default, for DCTCP
    Ptr<const AttributeAccessor> accessor; //!< of the attribute
    Ptr<const AttributeChecker> checker;   //!< of the attribute
    bool isReal;                           //!< values in the file are real numbers
    const char* unit;                      //!< unit of whole numbers: 1, bps, ns or us
    std::function<std::string(const DcnNetworkParameters&)> get; //!< value as in the file
    std::string omitted; //!< a value that is not written; empty: every value is written
    std::string range;   //!< values that it takes, as a phrase
};

/**
 * @param kind of the values, such as "a whole number"
 * @param least smallest value
 * @param most largest value
 * @return values of a key as a phrase
 */
std::string
DescribeRange(const std::string& kind, double least, double most)
{
    return kind + " from " + DcnToText(least) + " to " + DcnToText(most);
}

/**
 * @param name see KeyRow
 * @param attribute see KeyRow
 * @param member of the parameters
 * @param initial default, in the key's unit
 * @param help see KeyRow
 * @param least smallest value, in the key's unit
 * @param most largest value of numbers without unit; 0: that of the type, or 1 for real numbers
 * @return the row
 */
template <class T>
KeyRow
Row(const char* name,
    const char* attribute,
    T DcnNetworkParameters::*member,
    double initial,
    const char* help,
    double least = 0,
    double most = 0)
{
    KeyRow row{name, attribute, help, nullptr, nullptr, nullptr, false, "1", nullptr, "", ""};
    [[maybe_unused]] const auto whole = static_cast<uint64_t>(initial);
    if constexpr (std::is_same_v<T, bool>)
    {
        row.initial = Create<BooleanValue>(initial != 0);
        row.accessor = MakeBooleanAccessor(member);
        row.checker = MakeBooleanChecker();
        row.range = "0 or 1";
        row.get = [member](const auto& p) { return p.*member ? "1" : "0"; };
    }
    else if constexpr (std::is_same_v<T, double>)
    {
        row.isReal = true;
        row.initial = Create<DoubleValue>(initial);
        row.accessor = MakeDoubleAccessor(member);
        row.checker = MakeDoubleChecker<double>(least, most > 0 ? most : 1);
        row.range = DescribeRange("a number", least, most > 0 ? most : 1);
        row.get = [member](const auto& p) { return DcnToText(p.*member); };
    }
    else if constexpr (std::is_same_v<T, DataRate>)
    {
        row.unit = "bps";
        row.initial = Create<DataRateValue>(DataRate(whole));
        row.accessor = MakeDataRateAccessor(member);
        row.checker = MakeDataRateChecker();
        row.range = "a whole number of bit/s";
        row.get = [member](const auto& p) { return std::to_string((p.*member).GetBitRate()); };
    }
    else if constexpr (std::is_same_v<T, Time>)
    {
        const bool isUs = std::string(name).rfind("_us") != std::string::npos;
        const auto unit = isUs ? Time::US : Time::NS;
        row.unit = isUs ? "us" : "ns";
        row.initial = Create<TimeValue>(Time::FromInteger(whole, unit));
        row.accessor = MakeTimeAccessor(member);
        row.checker = MakeTimeChecker(Time::FromInteger(static_cast<uint64_t>(least), unit));
        row.range = "a whole number of " + std::string(row.unit) + " from " + DcnToText(least) +
                    " to " + (isUs ? "999999999999" : "999999999999999");
        row.get = [member, unit](const auto& p) {
            return std::to_string((p.*member).ToInteger(unit));
        };
    }
    else
    {
        row.initial = Create<UintegerValue>(whole);
        row.accessor = MakeUintegerAccessor(member);
        row.checker =
            MakeUintegerChecker<T>(static_cast<T>(least),
                                   most > 0 ? static_cast<T>(most) : std::numeric_limits<T>::max());
        const auto largest = static_cast<double>(std::numeric_limits<T>::max());
        row.range = most > 0 || largest < 1e10
                        ? DescribeRange("a whole number", least, most > 0 ? most : largest)
                        : "a whole number from " + DcnToText(least);
        row.get = [member](const auto& p) { return std::to_string(p.*member); };
    }
    return row;
}

/// @return the row of a whole number that is written only where it differs from its default
template <class T>
KeyRow
RareRow(const char* name,
        const char* attribute,
        T DcnNetworkParameters::*member,
        double initial,
        const char* help,
        double least = 0,
        double most = 0)
{
    KeyRow row = Row(name, attribute, member, initial, help, least, most);
    row.omitted = std::to_string(static_cast<uint64_t>(initial));
    return row;
}

/// @return all keys but cc, in the order in which they are written
const std::vector<KeyRow>&
GetRows()
{
    using P = DcnNetworkParameters;
    // kmin = kmax is DCTCP's step
    // clang-format off
    static const std::vector<KeyRow> rows{
        Row("payload_bytes", "PayloadBytes", &P::payloadBytes, 1000,
            "Largest payload of a packet, in bytes.", 1, 65000),
        RareRow("reference_rate_bps", "ReferenceRate", &P::referenceRate, 0,
            "NIC rate to which window_bytes, min_rate_bps and the additive steps of rates belong; "
            "flows of other NICs have them in proportion. 0: every flow has them as they are."),
        Row("window_bytes", "WindowBytes", &P::windowBytes, 18000,
            "Cap on payload bytes in flight at line rate, in bytes; it shrinks in proportion to "
            "the flow's rate. 0: no window."),
        RareRow("window_bdp", "WindowBdp", &P::windowBdp, 0,
            "Cap on payload bytes in flight at line rate, in bandwidth-delay products: the flow's "
            "largest rate times the round-trip time of its empty path; of this key and "
            "window_bytes the later one above 0 counts. 0: window_bytes.", 0, 1e6),
        Row("base_rtt_ns", "BaseRtt", &P::baseRtt, 14400,
            "Round-trip time of an empty network used by HPCC; 0: that of each flow's path."),
        Row("min_rate_bps", "MinRate", &P::minRate, 1'000'000'000,
            "Rate below which no flow is slowed."),
        Row("max_rate_bps", "MaxRate", &P::maxRate, 0,
            "Rate above which no flow sends; 0bps: the host's link rate."),
        Row("ecn_reference_rate_bps", "EcnReferenceRate", &P::ecnReferenceRate, 10'000'000'000,
            "Port rate to which the ECN thresholds belong; at other ports they are scaled in "
            "proportion to the rate."),
        Row("ecn_kmin_bytes", "EcnKminBytes", &P::ecnKminBytes, 20000,
            "Egress queue up to which no packet is marked, in bytes."),
        Row("ecn_kmax_bytes", "EcnKmaxBytes", &P::ecnKmaxBytes, 20000,
            "Egress queue above which every packet is marked, in bytes."),
        Row("ecn_pmax", "EcnPmax", &P::ecnPmax, 1.0,
            "Marking probability at Kmax; it rises linearly from 0 at Kmin."),
        Row("buffer_bytes", "BufferBytes", &P::bufferBytes, 409600,
            "Packet buffer of a switch, shared by its ports, in bytes.", 1),
        Row("pfc", "Pfc", &P::pfc, 1, "Whether a pause of priority flow control is obeyed."),
        Row("pfc_alpha_shift", "PfcAlphaShift", &P::pfcAlphaShift, 2,
            "Share of the free buffer that one ingress may take, as a negative power of two, for "
            "ports of the hosts' rate.", 0, 20),
        Row("ack_high_priority", "AckHighPriority", &P::ackHighPriority, 1,
            "Whether ACKs travel in the strict-priority class."),
        RareRow("time_grain_ns", "TimeGrain", &P::timeGrainNs, 0,
            "0: links send at their exact rate. 1: every frame takes whole nanoseconds, rounded "
            "down, as in the reference simulator; links of 100 Gb/s are then 1 % too fast.", 0, 1),
        RareRow("load_balancing", "LoadBalancing", &P::loadBalancing, 0,
            "How switches choose among shortest paths (DcnLoadBalancing): 0 ECMP, 1 a random link "
            "per packet, 2 links in turn, 3 flowlets, 4 the link with the shortest queue.", 0, 4),
        RareRow("flowlet_gap_ns", "FlowletGap", &P::flowletGapNs, 0,
            "Gap after which a flow may take another path, in ns; 0: the round-trip time of its "
            "empty path.", 0, 1e12),
        RareRow("selective_repeat", "SelectiveRepeat", &P::selectiveRepeat, 0,
            "Whether lost packets are sent again alone, not with all later ones."),
        RareRow("reorder_window_ns", "ReorderWindow", &P::reorderNs, 0,
            "A packet is lost if one that was sent this much later has arrived, in ns; 0: the next "
            "one proves it with load_balancing 0, where nothing is overtaken, and eight round-trip "
            "times of its flow's empty path otherwise.", 0, 1e12),
        RareRow("header_bytes", "HeaderBytes", &P::headerBytes, DCN_HEADER_BYTES,
            "Headers of a packet on the wire in ideal completion times and fluids, in bytes.", 1,
            1000),
        RareRow("handshake_rtts", "HandshakeRtts", &P::handshakeRtts, 0,
            "Round trips of packets without payload before the first data.", 0, 10),
        RareRow("initial_window_bytes", "InitialWindowBytes", &P::initialWindowBytes, 0,
            "Payload of the first window of a slow start, in bytes; 0: there is no slow start."),
        RareRow("slow_start_bytes", "SlowStartBytes", &P::slowStartBytes, 0,
            "Window from which on slow start ends as soon as the window covers the path, in bytes; "
            "0: it ends at the largest window only."),
        RareRow("window_growth_divisor", "WindowGrowthDivisor", &P::windowGrowthDivisor, 0,
            "Acknowledged bytes per byte of growth of the window after slow start; 0: it does not "
            "grow."),
        RareRow("queue_packets", "QueuePackets", &P::queuePackets, 0,
            "Packets that wait in front of a port at most, ahead of a new flow's; 0: none."),
        Row("dctcp_g", "DctcpG", &P::dctcpG, 1.0 / 16,
            "Gain of the average of the marked fraction."),
        Row("dctcp_additive_increase_bps", "DctcpAdditiveIncrease", &P::dctcpAdditiveIncrease,
            615'000'000, "Increase of the rate per round trip."),
        Row("dcqcn_g", "DcqcnG", &P::dcqcnG, 1.0 / 256, "Gain of alpha."),
        Row("dcqcn_alpha_timer_us", "DcqcnAlphaTimer", &P::dcqcnAlphaTimer, 50,
            "Period of the alpha update.", 1),
        Row("dcqcn_decrease_timer_us", "DcqcnDecreaseTimer", &P::dcqcnDecreaseTimer, 50,
            "Least time between two decreases.", 1),
        Row("dcqcn_increase_timer_us", "DcqcnIncreaseTimer", &P::dcqcnIncreaseTimer, 55,
            "Period of increases after a decrease.", 1),
        Row("dcqcn_byte_counter_bytes", "DcqcnByteCounter", &P::dcqcnByteCounter, 0,
            "Acknowledged payload bytes between two increases by the byte counter; 0: only the "
            "timer increases."),
        Row("dcqcn_fast_recovery_stages", "DcqcnFastRecoveryStages", &P::dcqcnFastRecoveryStages, 1,
            "Increases after a decrease that leave the target rate alone."),
        Row("dcqcn_additive_increase_bps", "DcqcnAdditiveIncrease", &P::dcqcnAdditiveIncrease,
            2'000'000, "Step of the target rate in the additive stage."),
        Row("dcqcn_hyper_increase_bps", "DcqcnHyperIncrease", &P::dcqcnHyperIncrease, 20'000'000,
            "Step of the target rate after the additive stage."),
        Row("dcqcn_clamp_target_rate", "DcqcnClampTargetRate", &P::dcqcnClampTargetRate, 0,
            "Whether every decrease sets the target to the current rate."),
        RareRow("dcqcn_at_once", "DcqcnAtOnce", &P::dcqcnAtOnce, 0,
            "Whether a mark cuts the rate when it arrives, unless the latest cut is less than the "
            "decrease timer ago; 0: cuts wait for the decrease timer."),
        Row("timely_low_ns", "TimelyLow", &P::timelyLow, 50'000,
            "Round-trip time below which the rate rises whatever the gradient."),
        Row("timely_high_ns", "TimelyHigh", &P::timelyHigh, 125'000,
            "Round-trip time above which the rate falls whatever the gradient."),
        Row("timely_min_rtt_ns", "TimelyMinRtt", &P::timelyMinRtt, 20'000,
            "Round-trip time that normalises the gradient; 0: that of each flow's path when it is "
            "empty."),
        Row("timely_ewma_alpha", "TimelyEwmaAlpha", &P::timelyEwmaAlpha, 0.875,
            "Gain of the average of RTT differences."),
        Row("timely_beta", "TimelyBeta", &P::timelyBeta, 0.8, "Strength of a decrease."),
        Row("timely_additive_increase_bps", "TimelyAdditiveIncrease", &P::timelyAdditiveIncrease,
            10'000'000, "Step of the first five consecutive increases."),
        Row("timely_hyper_increase_bps", "TimelyHyperIncrease", &P::timelyHyperIncrease, 50'000'000,
            "Step of the later increases."),
        Row("hpcc_eta", "HpccEta", &P::hpccEta, 0.9, "Utilisation aimed at.", 0.01, 1),
        Row("hpcc_additive_increase_bps", "HpccAdditiveIncrease", &P::hpccAdditiveIncrease,
            500'000'000, "Additive part of every update."),
        RareRow("hpcc_additive_increase_bytes", "HpccAdditiveIncreaseBytes", &P::hpccAdditiveBytes, 0,
            "Additive part of every update of the window, in bytes; of this key and "
            "hpcc_additive_increase_bps the later one above 0 counts. 0: "
            "hpcc_additive_increase_bps.", 0, 1e9),
        Row("hpcc_mi_threshold", "HpccMiThreshold", &P::hpccMiThreshold, 0,
            "Additive updates in a row before a multiplicative one."),
        Row("hpcc_fast_react", "HpccFastReact", &P::hpccFastReact, 1,
            "Whether every ACK changes the rate, not only one per round trip."),
    };
    // clang-format on
    return rows;
}

/// A congestion control of AddCongestionControl.
struct AddedControl
{
    std::vector<DcnNetworkConfig::OwnKey> keys; //!< its parameters
    bool hasPaperPreset;                        //!< there is a preset `paper`
};

/// @return congestion controls of AddCongestionControl by name
std::map<std::string, AddedControl>&
GetAdded()
{
    static std::map<std::string, AddedControl> added;
    return added;
}

/**
 * @param key a key of network.csv
 * @return the key and its congestion control if AddCongestionControl made it known; else null
 */
std::pair<const DcnNetworkConfig::OwnKey*, std::string>
FindOwn(const std::string& key)
{
    for (const auto& [control, added] : GetAdded())
    {
        for (const DcnNetworkConfig::OwnKey& each : added.keys)
        {
            if (each.name == key)
            {
                return {&each, control};
            }
        }
    }
    return {nullptr, ""};
}

/**
 * @param key a key of network.csv
 * @return the congestion control that it belongs to, empty if it applies to all
 */
std::string
OwnerOf(const std::string& key)
{
    const auto own = FindOwn(key);
    if (own.first)
    {
        return own.second;
    }
    for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
    {
        if (key.rfind(cc + "_", 0) == 0)
        {
            return cc;
        }
    }
    return "";
}

/**
 * @param key a key that came with a congestion control
 * @param value a value
 * @return whether the value is in the key's range
 */
bool
IsAllowed(const DcnNetworkConfig::OwnKey& key, double value)
{
    return value >= key.least && value <= key.most && (!key.isWhole || value == std::floor(value));
}

} // namespace

TypeId
DcnNetworkConfig::GetTypeId()
{
    static const TypeId tid = []() {
        TypeId type = TypeId("ns3::DcnNetworkConfig")
                          .SetParent<Object>()
                          .SetGroupName("Dcn")
                          .AddConstructor<DcnNetworkConfig>()
                          .AddAttribute("CongestionControl",
                                        "Congestion control of every flow: dctcp, dcqcn, timely, "
                                        "hpcc or a registered one.",
                                        StringValue("dctcp"),
                                        MakeStringAccessor(&DcnNetworkConfig::congestionControl),
                                        MakeStringChecker());
        for (const KeyRow& row : GetRows())
        {
            type =
                type.AddAttribute(row.attribute, row.help, *row.initial, row.accessor, row.checker);
        }
        return type;
    }();
    return tid;
}

DcnNetworkConfig::DcnNetworkConfig()
    : DcnNetworkParameters()
{
}

const std::vector<std::string>&
DcnNetworkConfig::GetCongestionControls()
{
    static const std::vector<std::string> names{"dctcp", "dcqcn", "timely", "hpcc"};
    return names;
}

DcnNetworkParameters
DcnNetworkParameters::ForNic(uint64_t nicBps) const
{
    DcnNetworkParameters flow = *this;
    const uint64_t referenceBps = referenceRate.GetBitRate();
    flow.referenceRate = DataRate(0);
    if (referenceBps == 0 || referenceBps == nicBps)
    {
        return flow;
    }
    for (DataRate* rate : flow.GetNicRates())
    {
        *rate = DataRate(std::max<uint64_t>(1, DcnMulDiv(rate->GetBitRate(), nicBps, referenceBps)));
    }
    flow.windowBytes = windowBdp == 0 ? GetWindowBytes(nicBps, 0, nicBps) : windowBytes;
    return flow;
}

uint64_t
DcnNetworkParameters::GetWindowBytes(uint64_t maxRateBps,
                                     int64_t rttNs,
                                     uint64_t nicBps) const
{
    if (windowBdp == 0)
    {
        const uint64_t referenceBps = referenceRate.GetBitRate();
        return referenceBps == 0 || nicBps == 0 || windowBytes == 0
                   ? windowBytes
                   : std::max<uint64_t>(payloadBytes, DcnMulDiv(windowBytes, nicBps, referenceBps));
    }
    const double bdpBytes = static_cast<double>(maxRateBps) * static_cast<double>(rttNs) / 8e9;
    return std::max<uint64_t>(payloadBytes, static_cast<uint64_t>(windowBdp * bdpBytes));
}

uint64_t
DcnNetworkParameters::GetHpccIncreaseBps(double rttNs) const
{
    if (hpccAdditiveBytes == 0)
    {
        return hpccAdditiveIncrease.GetBitRate();
    }
    return static_cast<uint64_t>(8e9 * static_cast<double>(hpccAdditiveBytes) / rttNs);
}

std::vector<DataRate*>
DcnNetworkParameters::GetNicRates()
{
    return {&minRate,
            &dctcpAdditiveIncrease,
            &dcqcnAdditiveIncrease,
            &dcqcnHyperIncrease,
            &timelyAdditiveIncrease,
            &timelyHyperIncrease,
            &hpccAdditiveIncrease};
}

void
DcnNetworkParameters::RefuseManyPaths(const std::string& method) const
{
    if (HasManyPaths())
    {
        DcnFail(method,
                " gives each flow one path, but load_balancing is ",
                loadBalancing,
                ": take packet, or load_balancing=0");
    }
}

double
DcnNetworkParameters::GetOwn(const std::string& key) const
{
    const auto found = own.find(key);
    if (found != own.end())
    {
        return found->second;
    }
    const DcnNetworkConfig::OwnKey* known = FindOwn(key).first;
    if (!known)
    {
        DcnFail("no congestion control was registered with the key \"", key, "\"");
    }
    return known->initial;
}

void
DcnNetworkConfig::AddCongestionControl(const std::string& name,
                                       const std::vector<OwnKey>& keys,
                                       bool hasPaperPreset)
{
    for (const OwnKey& key : keys)
    {
        const auto same = [&key](const auto& each) { return each.name == key.name; };
        const bool isNew = std::count_if(keys.begin(), keys.end(), same) == 1 &&
                           std::none_of(GetRows().begin(), GetRows().end(), same) &&
                           !FindOwn(key.name).first;
        if (key.name.rfind(name + "_", 0) != 0 || !isNew)
        {
            DcnFail("the key \"",
                    key.name,
                    "\" of the congestion control \"",
                    name,
                    "\" must begin with its name and an underscore, and be new");
        }
        if (!IsAllowed(key, key.initial))
        {
            DcnFail("the default of the key \"", key.name, "\" is out of its range");
        }
    }
    const auto& known = GetCongestionControls();
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
        GetAdded().insert({name, {keys, hasPaperPreset}});
    }
}

std::vector<std::string>
DcnNetworkConfig::GetAllCongestionControls()
{
    std::vector<std::string> names = GetCongestionControls();
    for (const auto& [control, added] : GetAdded())
    {
        names.push_back(control);
    }
    return names;
}

std::vector<DcnNetworkConfig::Key>
DcnNetworkConfig::GetAllKeys()
{
    std::vector<Key> keys;
    for (const KeyRow& row : GetRows())
    {
        keys.push_back({row.name, OwnerOf(row.name), !row.isReal, row.unit == std::string("bps")});
    }
    for (const auto& [control, added] : GetAdded())
    {
        for (const OwnKey& key : added.keys)
        {
            keys.push_back({key.name, control, key.isWhole, false});
        }
    }
    return keys;
}

Ptr<DcnNetworkConfig>
DcnNetworkConfig::Preset(const std::string& congestionControl,
                         uint64_t hostRateBps,
                         const std::string& preset)
{
    if (preset != "evaluation" && preset != "paper")
    {
        DcnFail("the preset \"", preset, "\" is not one of evaluation, paper");
    }
    Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    config->SetKey("cc", congestionControl);
    if (congestionControl == "dcqcn")
    {
        config->ecnKminBytes = 12000;
        config->ecnKmaxBytes = 30000;
        config->ecnPmax = 0.2;
    }
    if (preset == "paper")
    {
        if (congestionControl == "dctcp")
        {
            DcnFail("there is no preset \"paper\" of the congestion control \"dctcp\": the paper's "
                    "is TCP's, with slow start and a window that grows by a packet per round trip; "
                    "take the method tcp:Transport=ns3::TcpDctcp, or the preset evaluation");
        }
        const auto added = GetAdded().find(congestionControl);
        if (added != GetAdded().end() && !added->second.hasPaperPreset)
        {
            DcnFail("there is no preset \"paper\" of the congestion control \"",
                    congestionControl,
                    "\"; take evaluation, which has the values of dctcp for it");
        }
        config->SetPaperValues();
    }
    config->ackHighPriority = congestionControl != "dcqcn" && congestionControl != "hpcc";

    config->referenceRate = DataRate(PRESET_RATE_BPS);
    static_cast<DcnNetworkParameters&>(*config) = config->ForNic(hostRateBps);
    // small buffers cannot hold the reserves
    config->bufferBytes =
        std::max(config->bufferBytes,
                 DcnMulDiv(config->bufferBytes, hostRateBps, PRESET_RATE_BPS));
    config->presetBufferBytes = config->bufferBytes;
    NS_LOG_INFO("preset " << preset << " of " << congestionControl << " for hosts of "
                          << hostRateBps << " bit/s");
    return config;
}

Ptr<DcnNetworkConfig>
DcnNetworkConfig::Preset(const std::string& congestionControl,
                         const std::vector<uint64_t>& nicRates,
                         const std::string& preset)
{
    if (nicRates.size() < 2)
    {
        return Preset(congestionControl, nicRates.empty() ? PRESET_RATE_BPS : nicRates[0], preset);
    }
    Ptr<DcnNetworkConfig> config = Preset(congestionControl, PRESET_RATE_BPS, preset);
    config->referenceRate = DataRate(PRESET_RATE_BPS);
    config->bufferBytes = Preset(congestionControl, nicRates.back(), preset)->bufferBytes;
    config->presetBufferBytes = config->bufferBytes;
    return config;
}

void
DcnNetworkConfig::SetPaperValues()
{
    minRate = DataRate(10'000'000);
    windowBytes = 0; // that of 18 kB for all belongs to the evaluations
    if (GetAdded().count(congestionControl) > 0 || congestionControl == "hpcc")
    {
        baseRtt = Time(0); // that of each path
    }
    if (congestionControl == "dcqcn")
    {
        ecnReferenceRate = DataRate(40'000'000'000);
        ecnKminBytes = 5000;
        ecnKmaxBytes = 200000;
        ecnPmax = 0.01;
        dcqcnByteCounter = 10'000'000;
        dcqcnFastRecoveryStages = 5;
        dcqcnAdditiveIncrease = DataRate(10'000'000);
        dcqcnHyperIncrease = DataRate(100'000'000);
        dcqcnAlphaTimer = MicroSeconds(55);
        dcqcnDecreaseTimer = MicroSeconds(50); // between notifications of a receiver
        dcqcnAtOnce = true;
        dcqcnClampTargetRate = true;
    }
    else if (congestionControl == "timely")
    {
        timelyHigh = MicroSeconds(500);
        timelyMinRtt = MicroSeconds(20); // one for the data centre
    }
    else if (congestionControl == "hpcc")
    {
        windowBdp = 1;
        hpccEta = 0.95;
        hpccMiThreshold = 5;
        // W_AI, of the paper's section 5.1 at 25 and 100 Gb/s: room below eta for 100 flows of 13 us
        // at 100 Gb/s
        hpccAdditiveBytes = 80;
        hpccAdditiveIncrease = DataRate(0);
    }
}

void
DcnNetworkConfig::SetKey(const std::string& key, const std::string& value, const std::string& where)
{
    if (key == "cc")
    {
        std::string list;
        for (const std::string& name : GetAllCongestionControls())
        {
            list += (list.empty() ? "" : ", ") + name;
        }
        const auto& known = GetCongestionControls();
        if (std::find(known.begin(), known.end(), value) == known.end() &&
            GetAdded().count(value) == 0)
        {
            DcnFail(where, "the congestion control \"", value, "\" is not one of ", list);
        }
        congestionControl = value;
        return;
    }
    const std::string owner = OwnerOf(key);
    const auto& rows = GetRows();
    const auto row = std::find_if(rows.begin(), rows.end(), [&key](const KeyRow& each) {
        return key == each.name;
    });
    const OwnKey* ownKey = FindOwn(key).first;
    if (row == rows.end() && !ownKey)
    {
        DcnFail(where, "\"", key, "\" is no key of the network configuration");
    }
    if (!owner.empty() && owner != congestionControl)
    {
        DcnFail(where,
                key,
                " belongs to ",
                owner,
                ", but the congestion control is ",
                congestionControl);
    }
    uint64_t whole = 0;
    double real = 0;
    if (ownKey)
    {
        if (!DcnParse(value, real) || !IsAllowed(*ownKey, real))
        {
            DcnFail(where,
                    key,
                    " cannot be \"",
                    value,
                    "\"; it takes ",
                    DescribeRange(ownKey->isWhole ? "a whole number" : "a number",
                                  ownKey->least,
                                  ownKey->most));
        }
        own[key] = real;
        return;
    }
    bool good = row->isReal ? DcnParse(value, real) : DcnParse(value, whole);
    const std::string unit = row->unit == std::string("1") ? "" : row->unit;
    // times are 64-bit nanoseconds, at most some 292 years
    good = good && (unit != "ns" || whole < 1'000'000'000'000'000ULL) &&
           (unit != "us" || whole < 1'000'000'000'000ULL);
    if (good && row->isReal)
    {
        good = SetAttributeFailSafe(row->attribute, DoubleValue(real));
    }
    else if (good && unit == "bps")
    {
        good = SetAttributeFailSafe(row->attribute, DataRateValue(DataRate(whole)));
    }
    else if (good)
    {
        good = SetAttributeFailSafe(row->attribute, StringValue(std::to_string(whole) + unit));
    }
    if (!good)
    {
        DcnFail(where, key, " cannot be \"", value, "\"; it takes ", row->range);
    }
    if (key == "window_bytes" && windowBytes > 0)
    {
        windowBdp = 0; // of two units of one window the later counts
    }
    else if (key == "window_bdp" && windowBdp > 0)
    {
        windowBytes = 0;
    }
    else if (key == "hpcc_additive_increase_bps" && hpccAdditiveIncrease.GetBitRate() > 0)
    {
        hpccAdditiveBytes = 0; // likewise
    }
    else if (key == "hpcc_additive_increase_bytes" && hpccAdditiveBytes > 0)
    {
        hpccAdditiveIncrease = DataRate(0);
    }
    NS_LOG_LOGIC(key << " = " << value);
}

void
DcnNetworkConfig::SetKeys(const std::string& assignments)
{
    for (const auto& [key, value] : DcnRecipe::Parse(assignments))
    {
        if (key == "cc")
        {
            DcnFail("\"cc=",
                    value,
                    "\" would change the congestion control but keep the parameters of ",
                    congestionControl,
                    ": the configuration is made for one (--cc)");
        }
        SetKey(key, value);
    }
}

std::vector<std::pair<std::string, std::string>>
DcnNetworkConfig::GetKeys() const
{
    std::vector<std::pair<std::string, std::string>> keys{{"cc", congestionControl}};
    for (const KeyRow& row : GetRows())
    {
        const std::string owner = OwnerOf(row.name);
        const std::string value = row.get(*this);
        if ((owner.empty() || owner == congestionControl) && value != row.omitted)
        {
            keys.emplace_back(row.name, value);
        }
    }
    const auto added = GetAdded().find(congestionControl);
    if (added != GetAdded().end())
    {
        for (const OwnKey& key : added->second.keys)
        {
            const double value = GetOwn(key.name);
            keys.emplace_back(key.name,
                              key.isWhole ? std::to_string(static_cast<int64_t>(value))
                                          : DcnToText(value));
        }
    }
    return keys;
}

void
DcnNetworkConfig::Check(const std::vector<uint64_t>& nicRates, const std::string& where) const
{
    if (windowBytes != 0 && windowBytes < payloadBytes)
    {
        DcnFail(where,
                "window_bytes ",
                windowBytes,
                " is less than one packet of payload_bytes ",
                payloadBytes,
                " (0: no window)");
    }
    if (windowBdp > 0 && windowBytes > 0)
    {
        DcnFail(where,
                "window_bdp is ",
                windowBdp,
                " and window_bytes is ",
                windowBytes,
                ", but a flow has one window: set one of them to 0");
    }
    if (ecnKminBytes > ecnKmaxBytes)
    {
        DcnFail(where, "ecn_kmin_bytes ", ecnKminBytes, " is above ecn_kmax_bytes ", ecnKmaxBytes);
    }
    if (ecnKminBytes > bufferBytes)
    {
        DcnFail(where,
                "ecn_kmin_bytes ",
                ecnKminBytes,
                " is above buffer_bytes ",
                bufferBytes,
                ", so no packet would ever be marked");
    }
    if (ecnReferenceRate.GetBitRate() == 0)
    {
        DcnFail(where, "ecn_reference_rate_bps is 0");
    }
    if (minRate.GetBitRate() == 0)
    {
        DcnFail(where, "min_rate_bps is 0, so a flow could stop for ever: give at least 1");
    }
    for (const uint64_t nicBps : nicRates)
    {
        const uint64_t limit = maxRate.GetBitRate();
        const uint64_t fastest = limit ? std::min(limit, nicBps) : nicBps;
        const uint64_t least = ForNic(nicBps).minRate.GetBitRate();
        if (least > fastest)
        {
            DcnFail(where,
                    "min_rate_bps ",
                    minRate.GetBitRate(),
                    referenceRate.GetBitRate() > 0
                        ? ", which is " + std::to_string(least) + " at a NIC of " +
                              std::to_string(nicBps) + " bit/s,"
                        : "",
                    " is above the largest rate of flows that leave by a NIC of ",
                    nicBps,
                    " bit/s, ",
                    fastest,
                    " bit/s");
        }
    }
    if (windowBdp > 0 && windowBdp < 1e-6)
    {
        DcnFail(where, "window_bdp is ", windowBdp, ": give at least 1e-6, or 0 for window_bytes");
    }
    if (flowletGapNs > 0 && loadBalancing != static_cast<uint32_t>(DcnLoadBalancing::FLOWLET))
    {
        DcnFail(where,
                "flowlet_gap_ns is ",
                flowletGapNs,
                ", which has no effect without load_balancing 3");
    }
    const auto needs = [&where](const char* key, uint64_t value, bool isThere, const char* other) {
        if (value > 0 && !isThere)
        {
            DcnFail(where, key, " is ", value, ", which has no effect without ", other);
        }
    };
    needs("reorder_window_ns", reorderNs, selectiveRepeat, "selective_repeat");
    needs("slow_start_bytes", slowStartBytes, initialWindowBytes > 0, "initial_window_bytes");
    needs("window_growth_divisor", windowGrowthDivisor, slowStartBytes > 0, "slow_start_bytes");
    needs("queue_packets", queuePackets, initialWindowBytes > 0, "initial_window_bytes");
    if (congestionControl == "timely" && timelyLow > timelyHigh)
    {
        DcnFail(where,
                "timely_low_ns ",
                timelyLow.GetNanoSeconds(),
                " is above timely_high_ns ",
                timelyHigh.GetNanoSeconds());
    }
}

} // namespace ns3
