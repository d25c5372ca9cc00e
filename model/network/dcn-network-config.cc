/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-network-config.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "dcn-units.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnNetworkConfig");

NS_OBJECT_ENSURE_REGISTERED(DcnNetworkConfig);

namespace
{

/// How the number behind a key is written.
enum class Unit
{
    COUNT,   //!< whole number
    FLAG,    //!< 0 or 1
    REAL,    //!< any number
    BPS,     //!< bit/s
    NS,      //!< nanoseconds
    US       //!< microseconds
};

/// One key of network.csv.
struct KeyRow
{
    const char* name;      //!< in network.csv
    const char* attribute; //!< of DcnNetworkConfig
    Unit unit;             //!< of the number in the file
};

/// All keys but cc, in the order in which they are written. A prefix names the congestion control.
const KeyRow KEYS[] = {
    {"payload_bytes", "PayloadBytes", Unit::COUNT},
    {"window_bytes", "WindowBytes", Unit::COUNT},
    {"base_rtt_ns", "BaseRtt", Unit::NS},
    {"min_rate_bps", "MinRate", Unit::BPS},
    {"max_rate_bps", "MaxRate", Unit::BPS},
    {"ecn_reference_rate_bps", "EcnReferenceRate", Unit::BPS},
    {"ecn_kmin_bytes", "EcnKminBytes", Unit::COUNT},
    {"ecn_kmax_bytes", "EcnKmaxBytes", Unit::COUNT},
    {"ecn_pmax", "EcnPmax", Unit::REAL},
    {"buffer_bytes", "BufferBytes", Unit::COUNT},
    {"pfc", "Pfc", Unit::FLAG},
    {"pfc_alpha_shift", "PfcAlphaShift", Unit::COUNT},
    {"ack_high_priority", "AckHighPriority", Unit::FLAG},
    {"dctcp_g", "DctcpG", Unit::REAL},
    {"dctcp_additive_increase_bps", "DctcpAdditiveIncrease", Unit::BPS},
    {"dcqcn_g", "DcqcnG", Unit::REAL},
    {"dcqcn_alpha_timer_us", "DcqcnAlphaTimer", Unit::US},
    {"dcqcn_decrease_timer_us", "DcqcnDecreaseTimer", Unit::US},
    {"dcqcn_increase_timer_us", "DcqcnIncreaseTimer", Unit::US},
    {"dcqcn_byte_counter_bytes", "DcqcnByteCounter", Unit::COUNT},
    {"dcqcn_fast_recovery_stages", "DcqcnFastRecoveryStages", Unit::COUNT},
    {"dcqcn_additive_increase_bps", "DcqcnAdditiveIncrease", Unit::BPS},
    {"dcqcn_hyper_increase_bps", "DcqcnHyperIncrease", Unit::BPS},
    {"dcqcn_clamp_target_rate", "DcqcnClampTargetRate", Unit::FLAG},
    {"timely_low_ns", "TimelyLow", Unit::NS},
    {"timely_high_ns", "TimelyHigh", Unit::NS},
    {"timely_min_rtt_ns", "TimelyMinRtt", Unit::NS},
    {"timely_ewma_alpha", "TimelyEwmaAlpha", Unit::REAL},
    {"timely_beta", "TimelyBeta", Unit::REAL},
    {"timely_additive_increase_bps", "TimelyAdditiveIncrease", Unit::BPS},
    {"timely_hyper_increase_bps", "TimelyHyperIncrease", Unit::BPS},
    {"hpcc_eta", "HpccEta", Unit::REAL},
    {"hpcc_additive_increase_bps", "HpccAdditiveIncrease", Unit::BPS},
    {"hpcc_mi_threshold", "HpccMiThreshold", Unit::COUNT},
    {"hpcc_fast_react", "HpccFastReact", Unit::FLAG},
};

/**
 * @param key a key of network.csv
 * @return the congestion control that it belongs to, empty if it applies to all
 */
std::string
OwnerOf(const std::string& key)
{
    for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
    {
        if (key.rfind(cc + "_", 0) == 0)
        {
            return cc;
        }
    }
    return "";
}

/// @return all congestion controls in one text, for messages
std::string
ListCongestionControls()
{
    std::string list;
    for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
    {
        list += (list.empty() ? "" : ", ") + cc;
    }
    return list;
}

} // namespace

TypeId
DcnNetworkConfig::GetTypeId()
{
    // kmin = kmax is DCTCP's step
    static TypeId tid =
        TypeId("ns3::DcnNetworkConfig")
            .SetParent<Object>()
            .SetGroupName("Dcn")
            .AddConstructor<DcnNetworkConfig>()
            .AddAttribute("CongestionControl",
                          "Congestion control of every flow: dctcp, dcqcn, timely or hpcc.",
                          StringValue("dctcp"),
                          MakeStringAccessor(&DcnNetworkConfig::congestionControl),
                          MakeStringChecker())
            .AddAttribute("PayloadBytes",
                          "Largest payload of a packet, in bytes.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&DcnNetworkConfig::payloadBytes),
                          MakeUintegerChecker<uint32_t>(1, 65000))
            .AddAttribute("WindowBytes",
                          "Cap on payload bytes in flight at line rate, in bytes; it shrinks in "
                          "proportion to the flow's rate. 0: no window.",
                          UintegerValue(18000),
                          MakeUintegerAccessor(&DcnNetworkConfig::windowBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("BaseRtt",
                          "Round-trip time of an empty network used by HPCC; 0: that of each "
                          "flow's path.",
                          TimeValue(NanoSeconds(14400)),
                          MakeTimeAccessor(&DcnNetworkConfig::baseRtt),
                          MakeTimeChecker(NanoSeconds(0)))
            .AddAttribute("MinRate",
                          "Rate below which no flow is slowed.",
                          DataRateValue(DataRate(1'000'000'000)),
                          MakeDataRateAccessor(&DcnNetworkConfig::minRate),
                          MakeDataRateChecker())
            .AddAttribute("MaxRate",
                          "Rate above which no flow sends; 0bps: the host's link rate.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&DcnNetworkConfig::maxRate),
                          MakeDataRateChecker())
            .AddAttribute("EcnReferenceRate",
                          "Port rate to which the ECN thresholds belong; at other ports they are "
                          "scaled in proportion to the rate.",
                          DataRateValue(DataRate(10'000'000'000)),
                          MakeDataRateAccessor(&DcnNetworkConfig::ecnReferenceRate),
                          MakeDataRateChecker())
            .AddAttribute("EcnKminBytes",
                          "Egress queue up to which no packet is marked, in bytes.",
                          UintegerValue(20000),
                          MakeUintegerAccessor(&DcnNetworkConfig::ecnKminBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("EcnKmaxBytes",
                          "Egress queue above which every packet is marked, in bytes.",
                          UintegerValue(20000),
                          MakeUintegerAccessor(&DcnNetworkConfig::ecnKmaxBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("EcnPmax",
                          "Marking probability at Kmax; it rises linearly from 0 at Kmin.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&DcnNetworkConfig::ecnPmax),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("BufferBytes",
                          "Packet buffer of a switch, shared by its ports, in bytes.",
                          UintegerValue(409600),
                          MakeUintegerAccessor(&DcnNetworkConfig::bufferBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Pfc",
                          "Whether a pause of priority flow control is obeyed.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnNetworkConfig::pfc),
                          MakeBooleanChecker())
            .AddAttribute("PfcAlphaShift",
                          "Share of the free buffer that one ingress may take, as a negative power "
                          "of two, for ports of the hosts' rate.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&DcnNetworkConfig::pfcAlphaShift),
                          MakeUintegerChecker<uint32_t>(0, 20))
            .AddAttribute("AckHighPriority",
                          "Whether ACKs travel in the strict-priority class.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnNetworkConfig::ackHighPriority),
                          MakeBooleanChecker())
            .AddAttribute("DctcpG",
                          "Gain of the average of the marked fraction.",
                          DoubleValue(1.0 / 16),
                          MakeDoubleAccessor(&DcnNetworkConfig::dctcpG),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DctcpAdditiveIncrease",
                          "Increase of the rate per round trip.",
                          DataRateValue(DataRate(615'000'000)),
                          MakeDataRateAccessor(&DcnNetworkConfig::dctcpAdditiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute("DcqcnG",
                          "Gain of alpha.",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&DcnNetworkConfig::dcqcnG),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DcqcnAlphaTimer",
                          "Period of the alpha update.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&DcnNetworkConfig::dcqcnAlphaTimer),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("DcqcnDecreaseTimer",
                          "Least time between two decreases.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&DcnNetworkConfig::dcqcnDecreaseTimer),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("DcqcnIncreaseTimer",
                          "Period of increases after a decrease.",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&DcnNetworkConfig::dcqcnIncreaseTimer),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("DcqcnByteCounter",
                          "Acknowledged payload bytes between two increases by the byte counter; "
                          "0: only the timer increases.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnNetworkConfig::dcqcnByteCounter),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("DcqcnFastRecoveryStages",
                          "Increases after a decrease that leave the target rate alone.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DcnNetworkConfig::dcqcnFastRecoveryStages),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("DcqcnAdditiveIncrease",
                          "Step of the target rate in the additive stage.",
                          DataRateValue(DataRate(2'000'000)),
                          MakeDataRateAccessor(&DcnNetworkConfig::dcqcnAdditiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute("DcqcnHyperIncrease",
                          "Step of the target rate after the additive stage.",
                          DataRateValue(DataRate(20'000'000)),
                          MakeDataRateAccessor(&DcnNetworkConfig::dcqcnHyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("DcqcnClampTargetRate",
                          "Whether every decrease sets the target to the current rate.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcnNetworkConfig::dcqcnClampTargetRate),
                          MakeBooleanChecker())
            .AddAttribute("TimelyLow",
                          "Round-trip time below which the rate rises whatever the gradient.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&DcnNetworkConfig::timelyLow),
                          MakeTimeChecker(NanoSeconds(0)))
            .AddAttribute("TimelyHigh",
                          "Round-trip time above which the rate falls whatever the gradient.",
                          TimeValue(MicroSeconds(125)),
                          MakeTimeAccessor(&DcnNetworkConfig::timelyHigh),
                          MakeTimeChecker(NanoSeconds(0)))
            .AddAttribute("TimelyMinRtt",
                          "Round-trip time that normalises the gradient; 0: that of each flow's "
                          "path when it is empty.",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&DcnNetworkConfig::timelyMinRtt),
                          MakeTimeChecker(NanoSeconds(0)))
            .AddAttribute("TimelyEwmaAlpha",
                          "Gain of the average of RTT differences.",
                          DoubleValue(0.875),
                          MakeDoubleAccessor(&DcnNetworkConfig::timelyEwmaAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("TimelyBeta",
                          "Strength of a decrease.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&DcnNetworkConfig::timelyBeta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("TimelyAdditiveIncrease",
                          "Step of the first five consecutive increases.",
                          DataRateValue(DataRate(10'000'000)),
                          MakeDataRateAccessor(&DcnNetworkConfig::timelyAdditiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute("TimelyHyperIncrease",
                          "Step of the later increases.",
                          DataRateValue(DataRate(50'000'000)),
                          MakeDataRateAccessor(&DcnNetworkConfig::timelyHyperIncrease),
                          MakeDataRateChecker())
            .AddAttribute("HpccEta",
                          "Utilisation aimed at.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&DcnNetworkConfig::hpccEta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("HpccAdditiveIncrease",
                          "Additive part of every update.",
                          DataRateValue(DataRate(500'000'000)),
                          MakeDataRateAccessor(&DcnNetworkConfig::hpccAdditiveIncrease),
                          MakeDataRateChecker())
            .AddAttribute("HpccMiThreshold",
                          "Additive updates in a row before a multiplicative one.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnNetworkConfig::hpccMiThreshold),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HpccFastReact",
                          "Whether every ACK changes the rate, not only one per round trip.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnNetworkConfig::hpccFastReact),
                          MakeBooleanChecker());
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

std::vector<DcnNetworkConfig::Key>
DcnNetworkConfig::GetAllKeys()
{
    std::vector<Key> keys;
    for (const KeyRow& row : KEYS)
    {
        keys.push_back(
            {row.name, OwnerOf(row.name), row.unit != Unit::REAL, row.unit == Unit::BPS});
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
        config->SetPaperValues();
    }
    config->ackHighPriority = congestionControl == "dctcp" || congestionControl == "timely";

    const double scale = static_cast<double>(hostRateBps) / 10e9;
    for (DataRate* rate : {&config->minRate,
                           &config->dctcpAdditiveIncrease,
                           &config->dcqcnAdditiveIncrease,
                           &config->dcqcnHyperIncrease,
                           &config->timelyAdditiveIncrease,
                           &config->timelyHyperIncrease,
                           &config->hpccAdditiveIncrease})
    {
        *rate = DataRate(std::max<uint64_t>(
            1,
            static_cast<uint64_t>(static_cast<double>(rate->GetBitRate()) * scale)));
    }
    // a window of less than a packet cannot send, and small buffers cannot hold the reserves
    if (config->windowBytes > 0)
    {
        config->windowBytes = std::max<uint64_t>(
            config->payloadBytes,
            static_cast<uint64_t>(static_cast<double>(config->windowBytes) * scale));
    }
    config->bufferBytes = std::max<uint64_t>(
        config->bufferBytes,
        static_cast<uint64_t>(static_cast<double>(config->bufferBytes) * scale));
    NS_LOG_INFO("preset " << preset << " of " << congestionControl << " for hosts of " << hostRateBps
                          << " bit/s");
    return config;
}

void
DcnNetworkConfig::SetPaperValues()
{
    minRate = DataRate(10'000'000);
    if (congestionControl == "dctcp")
    {
        const uint64_t packetBytes = payloadBytes + DCN_HEADER_BYTES;
        ecnKminBytes = ecnKmaxBytes = 65 * packetBytes;
    }
    else
    {
        windowBytes = 0; // these papers pace; the window and its size are the evaluations'
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
    }
    else if (congestionControl == "timely")
    {
        timelyHigh = MicroSeconds(500);
        timelyMinRtt = Time(0);
    }
    else if (congestionControl == "hpcc")
    {
        baseRtt = Time(0);
        hpccEta = 0.95;
        hpccMiThreshold = 5;
        // W_AI = W0 (1 - eta) / N per round trip, with N = 100 flows, is a rate of R (1 - eta) / N
        hpccAdditiveIncrease = DataRate(5'000'000);
    }
}

void
DcnNetworkConfig::SetKey(const std::string& key,
                         const std::string& value,
                         const std::string& where)
{
    if (key == "cc")
    {
        const auto& known = GetCongestionControls();
        if (std::find(known.begin(), known.end(), value) == known.end())
        {
            DcnFail(where, "the congestion control \"", value, "\" is not one of ",
                    ListCongestionControls());
        }
        congestionControl = value;
        return;
    }
    const std::string owner = OwnerOf(key);
    const KeyRow* row = std::find_if(std::begin(KEYS), std::end(KEYS), [&key](const KeyRow& k) {
        return key == k.name;
    });
    if (row == std::end(KEYS))
    {
        DcnFail(where, "\"", key, "\" is no key of the network configuration");
    }
    if (!owner.empty() && owner != congestionControl)
    {
        DcnFail(where, key, " belongs to ", owner, ", but the congestion control is ",
                congestionControl);
    }
    uint64_t whole;
    double real;
    bool good = row->unit == Unit::REAL ? DcnParse(value, real) : DcnParse(value, whole);
    good = good && (row->unit != Unit::FLAG || whole <= 1);
    // times are kept in 64-bit nanoseconds, some 292 years
    good = good && (row->unit != Unit::NS || whole < 1'000'000'000'000'000ULL) &&
           (row->unit != Unit::US || whole < 1'000'000'000'000ULL);
    if (good)
    {
        switch (row->unit)
        {
        case Unit::COUNT:
            good = SetAttributeFailSafe(row->attribute, UintegerValue(whole));
            break;
        case Unit::FLAG:
            good = SetAttributeFailSafe(row->attribute, BooleanValue(whole == 1));
            break;
        case Unit::REAL:
            good = SetAttributeFailSafe(row->attribute, DoubleValue(real));
            break;
        case Unit::BPS:
            good = SetAttributeFailSafe(row->attribute, DataRateValue(DataRate(whole)));
            break;
        case Unit::NS:
            good = SetAttributeFailSafe(row->attribute, TimeValue(NanoSeconds(whole)));
            break;
        case Unit::US:
            good = SetAttributeFailSafe(row->attribute, TimeValue(MicroSeconds(whole)));
            break;
        }
    }
    if (!good)
    {
        DcnFail(where, key, " cannot be \"", value, "\"");
    }
    NS_LOG_LOGIC(key << " = " << value);
}

void
DcnNetworkConfig::SetKeys(const std::string& assignments)
{
    std::istringstream parts(assignments);
    std::set<std::string> seen;
    for (std::string part; std::getline(parts, part, ',');)
    {
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos)
        {
            DcnFail("\"", part, "\" is not of the form key=value");
        }
        const std::string key = part.substr(0, equals);
        if (key == "cc")
        {
            DcnFail("\"", part,
                    "\" would change the congestion control but keep the parameters of ",
                    congestionControl, ": the configuration is made for one (--cc)");
        }
        if (!seen.insert(key).second)
        {
            DcnFail("the key \"", key, "\" is given twice");
        }
        SetKey(key, part.substr(equals + 1));
    }
}

std::vector<std::pair<std::string, std::string>>
DcnNetworkConfig::GetKeys() const
{
    std::vector<std::pair<std::string, std::string>> keys{{"cc", congestionControl}};
    for (const KeyRow& row : KEYS)
    {
        const std::string owner = OwnerOf(row.name);
        if (!owner.empty() && owner != congestionControl)
        {
            continue;
        }
        std::string text;
        if (row.unit == Unit::REAL)
        {
            DoubleValue value;
            GetAttribute(row.attribute, value);
            text = DcnToText(value.Get());
        }
        else if (row.unit == Unit::BPS)
        {
            DataRateValue value;
            GetAttribute(row.attribute, value);
            text = std::to_string(value.Get().GetBitRate());
        }
        else if (row.unit == Unit::NS || row.unit == Unit::US)
        {
            TimeValue value;
            GetAttribute(row.attribute, value);
            text = std::to_string(row.unit == Unit::NS ? value.Get().GetNanoSeconds()
                                                       : value.Get().GetMicroSeconds());
        }
        else if (row.unit == Unit::FLAG)
        {
            BooleanValue value;
            GetAttribute(row.attribute, value);
            text = value.Get() ? "1" : "0";
        }
        else
        {
            UintegerValue value;
            GetAttribute(row.attribute, value);
            text = std::to_string(value.Get());
        }
        keys.emplace_back(row.name, text);
    }
    return keys;
}

void
DcnNetworkConfig::Check(uint64_t slowestHostBps, const std::string& where) const
{
    if (windowBytes != 0 && windowBytes < payloadBytes)
    {
        DcnFail(where, "window_bytes ", windowBytes, " is less than one packet of payload_bytes ",
                payloadBytes);
    }
    if (ecnKminBytes > ecnKmaxBytes)
    {
        DcnFail(where, "ecn_kmin_bytes ", ecnKminBytes, " is above ecn_kmax_bytes ", ecnKmaxBytes);
    }
    if (ecnKminBytes > bufferBytes)
    {
        DcnFail(where, "ecn_kmin_bytes ", ecnKminBytes, " is above buffer_bytes ", bufferBytes,
                ", so no packet would ever be marked");
    }
    if (ecnReferenceRate.GetBitRate() == 0)
    {
        DcnFail(where, "ecn_reference_rate_bps is 0");
    }
    if (minRate.GetBitRate() == 0)
    {
        DcnFail(where, "min_rate_bps is 0, so a flow could stop for ever");
    }
    const uint64_t fastest =
        maxRate.GetBitRate() ? std::min(maxRate.GetBitRate(), slowestHostBps) : slowestHostBps;
    if (minRate.GetBitRate() > fastest)
    {
        DcnFail(where, "min_rate_bps ", minRate.GetBitRate(), " is above the rate of the slowest "
                "host, ", fastest, " bit/s");
    }
    if (congestionControl == "timely" && timelyLow > timelyHigh)
    {
        DcnFail(where, "timely_low_ns ", timelyLow.GetNanoSeconds(), " is above timely_high_ns ",
                timelyHigh.GetNanoSeconds());
    }
}

} // namespace ns3
