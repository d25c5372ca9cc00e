/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-network-config.h"

#include "dcn-units.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
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
#include <tuple>
#include <type_traits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnNetworkConfig");

NS_OBJECT_ENSURE_REGISTERED(DcnNetworkConfig);

namespace
{

/// The congestion control whose values the defaults of the common keys are.
const char* const DEFAULT_CONTROL = "dctcp";

/// Host rate to which the values of presets belong [bit/s].
constexpr uint64_t PRESET_RATE_BPS = 10'000'000'000;

/// The AttributeValue with values of a type.
template <class T>
using ValueOf = std::conditional_t<
    std::is_same_v<T, bool>,
    BooleanValue,
    std::conditional_t<
        std::is_same_v<T, double>,
        DoubleValue,
        std::conditional_t<std::is_same_v<T, DataRate>,
                           DataRateValue,
                           std::conditional_t<std::is_same_v<T, Time>, TimeValue, UintegerValue>>>>;

/// How a value of a type is read from parameters, and written.
template <class T>
struct Field
{
    std::function<T(const DcnNetworkParameters&)> get; //!< reads
    std::function<void(DcnNetworkParameters&, T)> set; //!< writes
};

/// Accessor of an attribute of DcnNetworkConfig by a field of the parameters.
template <class T>
class FieldAccessor : public AttributeAccessor
{
  public:
    /**
     * @param field reads and writes
     */
    explicit FieldAccessor(const Field<T>& field)
        : m_field(field)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto* config = dynamic_cast<DcnNetworkConfig*>(object);
        const auto* given = dynamic_cast<const ValueOf<T>*>(&value);
        if (!config || !given)
        {
            return false;
        }
        m_field.set(*config, static_cast<T>(given->Get()));
        return true;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const auto* config = dynamic_cast<const DcnNetworkConfig*>(object);
        auto* wanted = dynamic_cast<ValueOf<T>*>(&value);
        if (!config || !wanted)
        {
            return false;
        }
        wanted->Set(m_field.get(*config));
        return true;
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    const Field<T> m_field; //!< reads and writes
};

/// A key of network.csv, which is an attribute of DcnNetworkConfig.
struct KeyRow
{
    std::string name;                      //!< in network.csv
    std::string attribute;                 //!< of DcnNetworkConfig
    std::string help;                      //!< of the attribute
    Ptr<AttributeValue> initial;           //!< default
    Ptr<const AttributeAccessor> accessor; //!< of the attribute
    Ptr<const AttributeChecker> checker;   //!< of the attribute
    bool isReal;                           //!< values in the file are real numbers
    std::string unit;                      //!< unit of whole numbers: empty, bps, ns or us
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
 * @param field of the parameters
 * @param initial default, in the key's unit
 * @param help see KeyRow
 * @param least smallest value, in the key's unit
 * @param most largest value of numbers without unit; 0: that of the type, or 1 for real numbers
 * @return the row
 */
template <class T>
KeyRow
FieldRow(const char* name,
         const char* attribute,
         const Field<T>& field,
         double initial,
         const char* help,
         double least,
         double most)
{
    KeyRow row{name, attribute, help, nullptr, nullptr, nullptr, false, "", nullptr, "", ""};
    row.accessor = Create<FieldAccessor<T>>(field);
    [[maybe_unused]] const auto whole = static_cast<uint64_t>(initial);
    [[maybe_unused]] const auto get = field.get;
    if constexpr (std::is_same_v<T, bool>)
    {
        row.initial = Create<BooleanValue>(initial != 0);
        row.checker = MakeBooleanChecker();
        row.range = "0 or 1";
        row.get = [get](const auto& p) { return get(p) ? "1" : "0"; };
    }
    else if constexpr (std::is_same_v<T, double>)
    {
        row.isReal = true;
        row.initial = Create<DoubleValue>(initial);
        row.checker = MakeDoubleChecker<double>(least, most > 0 ? most : 1);
        row.range = DescribeRange("a number", least, most > 0 ? most : 1);
        row.get = [get](const auto& p) { return DcnToText(get(p)); };
    }
    else if constexpr (std::is_same_v<T, DataRate>)
    {
        row.unit = "bps";
        row.initial = Create<DataRateValue>(DataRate(whole));
        row.checker = MakeDataRateChecker();
        row.range = "a whole number of bit/s";
        row.get = [get](const auto& p) { return std::to_string(get(p).GetBitRate()); };
    }
    else if constexpr (std::is_same_v<T, Time>)
    {
        const bool isUs = row.name.rfind("_us") != std::string::npos;
        const auto unit = isUs ? Time::US : Time::NS;
        row.unit = isUs ? "us" : "ns";
        row.initial = Create<TimeValue>(Time::FromInteger(whole, unit));
        row.checker = MakeTimeChecker(Time::FromInteger(static_cast<uint64_t>(least), unit));
        row.range = "a whole number of " + row.unit + " from " + DcnToText(least) + " to " +
                    (isUs ? "999999999999" : "999999999999999");
        row.get = [get, unit](const auto& p) { return std::to_string(get(p).ToInteger(unit)); };
    }
    else
    {
        row.initial = Create<UintegerValue>(whole);
        row.checker =
            MakeUintegerChecker<T>(static_cast<T>(least),
                                   most > 0 ? static_cast<T>(most) : std::numeric_limits<T>::max());
        const auto largest = static_cast<double>(std::numeric_limits<T>::max());
        row.range = most > 0 || largest < 1e10
                        ? DescribeRange("a whole number", least, most > 0 ? most : largest)
                        : "a whole number from " + DcnToText(least);
        row.get = [get](const auto& p) { return std::to_string(get(p)); };
    }
    return row;
}

/// @return the row of a member of the parameters; @see FieldRow
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
    const Field<T> field{[member](const DcnNetworkParameters& p) { return p.*member; },
                         [member](DcnNetworkParameters& p, T value) { p.*member = value; }};
    return FieldRow(name, attribute, field, initial, help, least, most);
}

/// @return the row of a parameter of a congestion control with values of a type
template <class T>
KeyRow
ControlRow(const DcnControlKeyInfo& info)
{
    const auto& key = static_cast<const DcnControlKey<T>&>(info);
    Field<T> field;
    if constexpr (std::is_same_v<T, Time>)
    {
        field.get = [&key](const DcnNetworkParameters& p) { return NanoSeconds(p.Get(key)); };
        field.set = [&key](DcnNetworkParameters& p, Time value) {
            p.Set(key, value.GetNanoSeconds());
        };
    }
    else if constexpr (std::is_same_v<T, DataRate>)
    {
        field.get = [&key](const DcnNetworkParameters& p) { return DataRate(p.Get(key)); };
        field.set = [&key](DcnNetworkParameters& p, DataRate value) {
            p.Set(key, value.GetBitRate());
        };
    }
    else
    {
        field.get = [&key](const DcnNetworkParameters& p) { return p.Get(key); };
        field.set = [&key](DcnNetworkParameters& p, T value) { p.Set(key, value); };
    }
    KeyRow row =
        FieldRow(key.name, key.attribute, field, key.initial, key.help, key.least, key.most);
    if (key.property == DcnControlKeyInfo::Property::RARE)
    {
        row.omitted = row.get(DcnNetworkParameters());
    }
    return row;
}

/// @return the row of a parameter of a congestion control
KeyRow
ControlRow(const DcnControlKeyInfo& key)
{
    using Kind = DcnControlKeyInfo::Kind;
    switch (key.kind)
    {
    case Kind::NUMBER:
        return ControlRow<double>(key);
    case Kind::WHOLE:
        return ControlRow<uint64_t>(key);
    case Kind::FLAG:
        return ControlRow<bool>(key);
    case Kind::RATE:
        return ControlRow<DataRate>(key);
    case Kind::TIME:
        return ControlRow<Time>(key);
    }
    NS_ABORT_MSG("no kind of keys");
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

/// @return the keys of all congestion controls but cc, in the order in which they are written
const std::vector<KeyRow>&
GetRows()
{
    using P = DcnNetworkParameters;
    // kmin = kmax: a step
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
            "Round-trip time of an empty network, for congestion controls that use one; 0: that of "
            "each flow's path."),
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
            "Headers of a packet on the wire, in bytes; packets have what a congestion control adds, "
            "too.", 1, 1000),
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
    };
    // clang-format on
    return rows;
}

/// A registered congestion control.
struct AddedControl
{
    DcnNetworkConfig::Control control; //!< as it was registered
    std::vector<KeyRow> rows;          //!< its keys
};

/// The registered congestion controls.
struct Registry
{
    std::vector<AddedControl> controls;          //!< by rank, then by name
    std::vector<const DcnControlKeyInfo*> slots; //!< keys by slot
    std::map<std::string, uint32_t> slotOf;      //!< slots by key
};

/// @return the registered congestion controls
Registry&
GetRegistry()
{
    static Registry registry; // before the first registration, in whatever order files begin
    return registry;
}

/**
 * @param name of a congestion control
 * @return the control, null if it is not registered
 */
const AddedControl*
FindControl(const std::string& name)
{
    for (const AddedControl& each : GetRegistry().controls)
    {
        if (each.control.name == name)
        {
            return &each;
        }
    }
    return nullptr;
}

/**
 * @param key a key of network.csv other than cc
 * @return its row, null if there is no such key, and the congestion control that it belongs to,
 * empty if it applies to all
 */
std::pair<const KeyRow*, std::string>
FindRow(const std::string& key)
{
    for (const KeyRow& row : GetRows())
    {
        if (row.name == key)
        {
            return {&row, ""};
        }
    }
    for (const AddedControl& each : GetRegistry().controls)
    {
        for (const KeyRow& row : each.rows)
        {
            if (row.name == key)
            {
                return {&row, each.control.name};
            }
        }
    }
    return {nullptr, ""};
}

/**
 * @param name a key that came with a congestion control
 * @return the key
 * @throws DcnError if there is no such key
 */
const DcnControlKeyInfo&
FindOwn(const std::string& name)
{
    const Registry& registry = GetRegistry();
    const auto found = registry.slotOf.find(name);
    if (found == registry.slotOf.end())
    {
        DcnFail("no congestion control was registered with the key \"", name, "\"");
    }
    return *registry.slots[found->second];
}

/**
 * @param key a parameter of a congestion control
 * @param value a value in its unit
 * @return whether the value is in the key's range
 */
bool
IsAllowed(const DcnControlKeyInfo& key, double value)
{
    using Kind = DcnControlKeyInfo::Kind;
    const bool isFraction = key.kind == Kind::NUMBER || key.kind == Kind::FLAG;
    const double most = key.most > 0 ? key.most : isFraction ? 1 : 1.8e19;
    return value >= key.least && value <= most &&
           (key.kind == Kind::NUMBER || value == std::floor(value));
}

/// Refuses values that have no effect because another key is 0; where: prefix of the sentence.
void
CheckNeeds(const DcnNetworkConfig& config, const std::string& where)
{
    if (config.flowletGapNs > 0 &&
        config.loadBalancing != static_cast<uint32_t>(DcnLoadBalancing::FLOWLET))
    {
        DcnFail(where,
                "flowlet_gap_ns is ",
                config.flowletGapNs,
                ", which has no effect without load_balancing 3");
    }
    const auto needs = [&where](const char* key, uint64_t value, bool isThere, const char* other) {
        if (value > 0 && !isThere)
        {
            DcnFail(where, key, " is ", value, ", which has no effect without ", other);
        }
    };
    needs("reorder_window_ns", config.reorderNs, config.selectiveRepeat, "selective_repeat");
    needs("slow_start_bytes",
          config.slowStartBytes,
          config.initialWindowBytes > 0,
          "initial_window_bytes");
    needs("window_growth_divisor",
          config.windowGrowthDivisor,
          config.slowStartBytes > 0,
          "slow_start_bytes");
    needs("queue_packets",
          config.queuePackets,
          config.initialWindowBytes > 0,
          "initial_window_bytes");
}

/**
 * Refuse a given key that has no effect beside the other values. All keys of a configuration may be
 * given to another one, so that only a change says something.
 * @param config with the value
 * @param pmax ecn_pmax before
 * @param key given
 * @param value of it
 */
void
CheckEffect(const DcnNetworkConfig& config,
            double pmax,
            const std::string& key,
            const std::string& value)
{
    if (key == "ecn_pmax" && config.ecnPmax != pmax && config.ecnKminBytes == config.ecnKmaxBytes)
    {
        DcnFail(key,
                " is ",
                value,
                ", which has no effect while ecn_kmin_bytes and ecn_kmax_bytes are both ",
                config.ecnKminBytes,
                ": every packet above them is marked");
    }
}

/// @return names of attributes of configurations whose defaults are not those of the program
std::vector<std::string>
FindChangedDefaults()
{
    const TypeId type = DcnNetworkConfig::GetTypeId();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto attribute = type.GetAttribute(i);
        if (attribute.initialValue != attribute.originalInitialValue &&
            attribute.initialValue->SerializeToString(attribute.checker) !=
                attribute.originalInitialValue->SerializeToString(attribute.checker))
        {
            names.push_back(attribute.name);
        }
    }
    return names;
}

/// @return the row of an attribute, null for CongestionControl, and its control as FindRow
std::pair<const KeyRow*, std::string>
FindRowOf(const std::string& attribute)
{
    for (const DcnNetworkConfig::Key& key : DcnNetworkConfig::GetAllKeys())
    {
        const auto [row, owner] = FindRow(key.name);
        if (row->attribute == attribute)
        {
            return {row, owner};
        }
    }
    return {nullptr, ""};
}

/**
 * @param row of a key
 * @return whether presets scale the default with the rate of hosts
 */
bool
IsScaled(const KeyRow& row)
{
    const Registry& registry = GetRegistry();
    const auto slot = registry.slotOf.find(row.name);
    return row.name == "window_bytes" || row.name == "min_rate_bps" || row.name == "buffer_bytes" ||
           (slot != registry.slotOf.end() &&
            registry.slots[slot->second]->property == DcnControlKeyInfo::Property::PER_NIC);
}

/**
 * Refuse a default that was changed, as by --ns3::DcnNetworkConfig::HpccEta=0.5, and is not what
 * the configuration has: another congestion control, the preset, a file or a key went before it.
 * @param config all values are set
 * @param given keys that were given beside the default
 */
void
CheckDefaults(const DcnNetworkConfig& config,
              const std::vector<std::pair<std::string, std::string>>& given)
{
    const std::vector<std::string> changed = FindChangedDefaults();
    if (changed.empty())
    {
        return;
    }
    const Ptr<DcnNetworkConfig> defaults = CreateObject<DcnNetworkConfig>();
    const std::string& control = config.congestionControl;
    for (const std::string& attribute : changed)
    {
        const std::string name = "the attribute ns3::DcnNetworkConfig::" + attribute;
        if (attribute == "CongestionControl" && defaults->congestionControl != control)
        {
            DcnFail(name,
                    "=",
                    defaults->congestionControl,
                    " has no effect: the configuration is made for ",
                    control,
                    "; give --cc=",
                    defaults->congestionControl,
                    ", or the key cc of network.csv");
        }
        const auto [row, owner] = FindRowOf(attribute);
        if (!row)
        {
            continue;
        }
        const std::string wanted = row->get(*defaults);
        if (!owner.empty() && owner != control)
        {
            DcnFail(name,
                    "=",
                    wanted,
                    " belongs to ",
                    owner,
                    ", but the congestion control is ",
                    control,
                    ": leave it out, or give --cc=",
                    owner);
        }
        const std::string key = row->name; // a lambda cannot have row
        const auto isSame = [&key](const auto& each) { return each.first == key; };
        const bool isGiven = std::any_of(given.begin(), given.end(), isSame);
        const AddedControl* added = FindControl(control);
        const Ptr<DcnNetworkConfig> preset = CreateObject<DcnNetworkConfig>();
        if (added && added->control.evaluation)
        {
            added->control.evaluation(*preset);
        }
        const std::string present = row->get(config);
        const bool isLost = IsScaled(*row)
                                ? (present == "0") != (wanted == "0") || row->get(*preset) != wanted
                                : present != wanted;
        if (isGiven || isLost)
        {
            DcnFail(name,
                    "=",
                    wanted,
                    isGiven ? " is given, and the key " + key + ": give one of them"
                            : " has no effect, since the preset, network.csv or another key sets " +
                                  key + ": give --network=" + key + "=" + wanted);
        }
    }
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
                                        "Congestion control of every flow, a registered one "
                                        "(GetCongestionControls).",
                                        StringValue(DEFAULT_CONTROL),
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
    const auto scale = [&](uint64_t bps) {
        return std::max<uint64_t>(1, DcnMulDiv(bps, nicBps, referenceBps));
    };
    flow.minRate = DataRate(scale(minRate.GetBitRate()));
    for (const DcnControlKeyInfo* key : GetRegistry().slots)
    {
        if (key->property == DcnControlKeyInfo::Property::PER_NIC)
        {
            flow.SetBits(*key, scale(key->slot < own.size() ? own[key->slot] : key->initialBits));
        }
    }
    flow.windowBytes = windowBdp == 0 ? GetWindowBytes(nicBps, 0, nicBps) : windowBytes;
    return flow;
}

uint64_t
DcnNetworkParameters::GetWindowBytes(uint64_t maxRateBps, int64_t rttNs, uint64_t nicBps) const
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
    const DcnControlKeyInfo& info = FindOwn(key);
    return info.ToNumber(info.slot < own.size() ? own[info.slot] : info.initialBits);
}

void
DcnNetworkParameters::SetOwn(const std::string& key, double value)
{
    const DcnControlKeyInfo& info = FindOwn(key);
    if (!IsAllowed(info, value))
    {
        DcnFail(key, " cannot be ", value, "; it takes ", FindRow(key).first->range);
    }
    SetBits(info, info.FromNumber(value));
}

void
DcnNetworkParameters::SetBits(const DcnControlKeyInfo& key, uint64_t bits)
{
    NS_ASSERT_MSG(key.slot != DcnControlKeyInfo::NO_SLOT, key.name << " is not registered");
    const auto& slots = GetRegistry().slots;
    for (std::size_t i = own.size(); i < slots.size(); ++i)
    {
        own.push_back(slots[i]->initialBits);
    }
    own[key.slot] = bits;
}

void
DcnNetworkConfig::AddCongestionControl(const Control& control)
{
    if (FindControl(control.name))
    {
        DcnFail("the congestion control \"", control.name, "\" is registered twice");
    }
    AddedControl added{control, {}};
    TypeId type = GetTypeId();
    for (const DcnControlKeyInfo* key : control.keys)
    {
        const std::string name = key->name;
        const auto isSame = [&](const auto* each) {
            return each->name == name || each->attribute == std::string(key->attribute);
        };
        TypeId::AttributeInformation attribute;
        if (name.rfind(control.name + "_", 0) != 0 || FindRow(name).first ||
            type.LookupAttributeByName(key->attribute, &attribute) ||
            std::count_if(control.keys.begin(), control.keys.end(), isSame) != 1)
        {
            DcnFail("the key \"",
                    name,
                    "\" of the congestion control \"",
                    control.name,
                    "\" must begin with its name and an underscore, and be new");
        }
        if (!IsAllowed(*key, key->initial))
        {
            DcnFail("the default of the key \"", name, "\" is out of its range");
        }
        added.rows.push_back(ControlRow(*key));
    }
    Registry& registry = GetRegistry();
    for (std::size_t i = 0; i < control.keys.size(); ++i)
    {
        const DcnControlKeyInfo& key = *control.keys[i];
        key.slot = static_cast<uint32_t>(registry.slots.size());
        registry.slots.push_back(&key);
        registry.slotOf[key.name] = key.slot;
        const KeyRow& row = added.rows[i];
        type.AddAttribute(row.attribute, row.help, *row.initial, row.accessor, row.checker);
    }
    const auto isBefore = [](const AddedControl& a, const AddedControl& b) {
        return std::tie(a.control.rank, a.control.name) < std::tie(b.control.rank, b.control.name);
    };
    auto& controls = registry.controls;
    controls.insert(std::upper_bound(controls.begin(), controls.end(), added, isBefore), added);
}

std::vector<std::string>
DcnNetworkConfig::GetCongestionControls()
{
    std::vector<std::string> names;
    for (const AddedControl& each : GetRegistry().controls)
    {
        names.push_back(each.control.name);
    }
    return names;
}

std::vector<DcnNetworkConfig::Key>
DcnNetworkConfig::GetAllKeys()
{
    std::vector<Key> keys;
    const auto add = [&keys](const KeyRow& row, const std::string& owner) {
        keys.push_back({row.name, owner, !row.isReal, row.unit == "bps"});
    };
    for (const KeyRow& row : GetRows())
    {
        add(row, "");
    }
    for (const AddedControl& each : GetRegistry().controls)
    {
        for (const KeyRow& row : each.rows)
        {
            add(row, each.control.name);
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
    config->ackHighPriority = true;
    const Control& control = FindControl(congestionControl)->control;
    if (control.evaluation)
    {
        control.evaluation(*config);
    }
    if (preset == "paper")
    {
        if (!control.paper)
        {
            DcnFail("there is no preset \"paper\" of the congestion control \"",
                    congestionControl,
                    "\"",
                    !control.noPaper.empty() ? control.noPaper
                                             : std::string("; take evaluation, which has the "
                                                           "values of ") +
                                                   DEFAULT_CONTROL + " for it");
        }
        config->minRate = DataRate(10'000'000);
        config->windowBytes = 0; // that of 18 kB for all belongs to the evaluations
        control.paper(*config);
    }
    config->referenceRate = DataRate(PRESET_RATE_BPS);
    static_cast<DcnNetworkParameters&>(*config) = config->ForNic(hostRateBps);
    // small buffers cannot hold the reserves
    config->bufferBytes =
        std::max(config->bufferBytes, DcnMulDiv(config->bufferBytes, hostRateBps, PRESET_RATE_BPS));
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
DcnNetworkConfig::SetKey(const std::string& key, const std::string& value, const std::string& where)
{
    if (key == "cc")
    {
        if (!FindControl(value))
        {
            std::string list;
            for (const std::string& name : GetCongestionControls())
            {
                list += (list.empty() ? "" : ", ") + name;
            }
            DcnFail(where,
                    "the congestion control \"",
                    value,
                    list.empty() ? "\" is not there: link the module that registers it, dcn-packet"
                                 : "\" is not one of " + list);
        }
        congestionControl = value;
        return;
    }
    const auto [row, owner] = FindRow(key);
    if (!row)
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
    bool good = row->isReal ? DcnParse(value, real) : DcnParse(value, whole);
    // times are 64-bit nanoseconds, at most some 292 years
    good = good && (row->unit != "ns" || whole < 1'000'000'000'000'000ULL) &&
           (row->unit != "us" || whole < 1'000'000'000'000ULL);
    if (good && row->isReal)
    {
        good = SetAttributeFailSafe(row->attribute, DoubleValue(real));
    }
    else if (good && row->unit == "bps")
    {
        good = SetAttributeFailSafe(row->attribute, DataRateValue(DataRate(whole)));
    }
    else if (good)
    {
        good = SetAttributeFailSafe(row->attribute, StringValue(std::to_string(whole) + row->unit));
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
    else if (!owner.empty())
    {
        for (const auto& [one, other] : FindControl(owner)->control.alternatives)
        {
            if ((key == one->name || key == other->name) && GetOwn(key) > 0)
            {
                SetBits(key == one->name ? *other : *one, 0); // likewise
            }
        }
    }
    NS_LOG_LOGIC(key << " = " << value);
}

void
DcnNetworkConfig::SetKeys(const std::string& assignments)
{
    const auto given = DcnRecipe::Parse(assignments);
    const double pmax = ecnPmax;
    for (const auto& [key, value] : given)
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
    for (const auto& [key, value] : given)
    {
        CheckEffect(*this, pmax, key, value);
    }
    CheckDefaults(*this, given);
}

std::vector<std::pair<std::string, std::string>>
DcnNetworkConfig::GetKeys() const
{
    std::vector<std::pair<std::string, std::string>> keys{{"cc", congestionControl}};
    const auto add = [&](const KeyRow& row) {
        const std::string value = row.get(*this);
        if (value != row.omitted)
        {
            keys.emplace_back(row.name, value);
        }
    };
    std::for_each(GetRows().begin(), GetRows().end(), add);
    if (const AddedControl* added = FindControl(congestionControl))
    {
        std::for_each(added->rows.begin(), added->rows.end(), add);
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
    CheckNeeds(*this, where);
    const AddedControl* added = FindControl(congestionControl);
    if (added && added->control.check)
    {
        added->control.check(*this, where);
    }
}

} // namespace ns3
