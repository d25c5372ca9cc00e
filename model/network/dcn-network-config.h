/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_NETWORK_CONFIG_H
#define DCN_NETWORK_CONFIG_H

#include "dcn-control-key.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief How switches choose among the links of shortest paths: the values of the key
 * load_balancing.
 */
enum class DcnLoadBalancing : uint32_t
{
    ECMP = 0,        //!< one path per flow, by its hash (DcnRouting)
    RANDOM = 1,      //!< a random link per data packet
    ROUND_ROBIN = 2, //!< the links in turn, by data packet
    FLOWLET = 3,     //!< a random link after each gap of a flow
    ADAPTIVE = 4,    //!< per data packet the link with the shortest queue
};

/**
 * @ingroup dcn
 * @brief Values of the network configuration: congestion control, window, ECN, buffer, PFC.
 *
 * A plain value, read by every method. DcnNetworkConfig gives each field an attribute and a key
 * of network.csv; doc/schema.rst lists keys, units and ranges.
 */
struct DcnNetworkParameters
{
    std::string congestionControl; //!< one of DcnNetworkConfig::GetCongestionControls
    uint32_t payloadBytes;         //!< largest payload of a packet M [bytes]
    DataRate referenceRate;        //!< NIC rate to which window, rates and steps belong; 0: any
    uint64_t windowBytes;          //!< cap on bytes in flight at line rate, scales with it; 0: none
    double windowBdp;              //!< this cap in bandwidth-delay products of the flow; 0: windowBytes
    Time baseRtt;                  //!< round-trip time T of controls with one; 0: each path's
    DataRate minRate;              //!< no flow is slowed below this rate
    DataRate maxRate;              //!< largest rate of a flow; 0: the host's link rate
    DataRate ecnReferenceRate;     //!< port rate to which the thresholds belong
    uint64_t ecnKminBytes;         //!< no marking up to this queue [bytes] at the reference rate
    uint64_t ecnKmaxBytes;         //!< every packet is marked above this queue [bytes]
    double ecnPmax;                //!< marking probability just below Kmax
    uint64_t bufferBytes;          //!< shared packet buffer of a switch [bytes]
    uint64_t presetBufferBytes{0}; //!< bufferBytes as the preset set it, 0: no preset; while they
                                   //!< are equal, a switch whose reserves and headroom need more
                                   //!< has three times as much as they need [bytes]
    bool pfc;                      //!< hosts and switches obey priority flow control pauses
    uint32_t pfcAlphaShift;        //!< dynamic threshold = free buffer / 2^shift at host rate
    bool ackHighPriority;          //!< ACKs travel in the strict-priority class

    uint32_t timeGrainNs;    //!< 0: links have their exact rate; 1: whole nanoseconds per frame, as in
                             //!< the reference simulator (DcnSerializationNs)
    uint32_t loadBalancing;  //!< DcnLoadBalancing, as a number
    uint64_t flowletGapNs;   //!< shortest gap between flowlets [ns]; 0: round trip of the empty path
    bool selectiveRepeat;    //!< lost packets are sent again alone; false: go-back-N
    uint64_t reorderNs;      //!< a packet is lost if one sent this much later has arrived [ns]; 0: none
                             //!< with ECMP, else eight round trips of the empty path

    /// @name Of transports with connections, such as TCP (DcnIdealFct, DcnStackConfig).
    /// @{
    uint32_t headerBytes;         //!< headers of a packet on the wire [bytes]
    uint32_t handshakeRtts;       //!< round trips before the first data
    uint64_t initialWindowBytes;  //!< first window, payload [bytes]; 0: there is no slow start
    uint64_t slowStartBytes;      //!< least window at which slow start ends [bytes]; 0: no end
    uint32_t windowGrowthDivisor; //!< acknowledged bytes per byte of growth afterwards; 0: none
    uint32_t queuePackets;        //!< packets that wait in front of a port at most; 0: none
    /// @}

    /// Values of keys of congestion controls by DcnControlKeyInfo::slot, as Get, Set, GetOwn and
    /// SetOwn read and write them. A key that was registered later has its default.
    std::vector<uint64_t> own;

    /**
     * @brief The values that flows of a NIC have.
     *
     * With a reference rate r, window_bytes, min_rate_bps and the rates of congestion controls that
     * are DcnControlKeyInfo::Property::PER_NIC, such as additive steps, are those of a NIC of r; a
     * NIC of R has them times R / r, the window at least a packet. All other values are those of
     * ports (ECN thresholds, headroom), of switches (buffer) or of all flows.
     * @param nicBps rate of the NIC [bit/s]
     * @return values with referenceRate 0
     */
    DcnNetworkParameters ForNic(uint64_t nicBps) const;

    /**
     * @brief The cap on payload in flight of a flow.
     * @param maxRateBps the flow's largest rate [bit/s]
     * @param rttNs round-trip time of its empty path [ns]
     * @param nicBps rate of its NIC, to which window_bytes is scaled from reference_rate_bps [bit/s];
     * 0: the values are those of its NIC (ForNic)
     * @return window_bytes, or window_bdp times rate and time, at least a packet; 0: no window [bytes]
     */
    uint64_t GetWindowBytes(uint64_t maxRateBps, int64_t rttNs, uint64_t nicBps = 0) const;

    /** @return whether packets of a flow may take different paths. */
    bool HasManyPaths() const
    {
        return loadBalancing != static_cast<uint32_t>(DcnLoadBalancing::ECMP);
    }

    /**
     * @brief For methods in which a flow has one path.
     * @param method its name
     * @throws DcnError if packets of a flow may take different paths
     */
    void RefuseManyPaths(const std::string& method) const;

    /**
     * @param key a parameter of a congestion control
     * @return its value, the default unless it was set
     */
    template <class T>
    typename DcnControlKey<T>::Value Get(const DcnControlKey<T>& key) const
    {
        return DcnControlKey<T>::Decode(key.slot < own.size() ? own[key.slot] : key.initialBits);
    }

    /**
     * @param key a parameter of a registered congestion control
     * @param value its new value
     */
    template <class T>
    void Set(const DcnControlKey<T>& key, typename DcnControlKey<T>::Value value)
    {
        SetBits(key, DcnControlKey<T>::Encode(value));
    }

    /**
     * @brief For code that does not know the congestion control's class; Get is faster.
     * @param key a key of network.csv that came with a registered congestion control
     * @return its value in the key's unit, the default unless it was set
     * @throws DcnError if there is no such key
     */
    double GetOwn(const std::string& key) const;

    /**
     * @brief Set a value of GetOwn.
     * @param key a key of network.csv that came with a registered congestion control
     * @param value its new value in the key's unit
     * @throws DcnError if there is no such key, or the value is out of its range
     */
    void SetOwn(const std::string& key, double value);

    /**
     * @param key a parameter of a registered congestion control
     * @param bits its new value (DcnControlKey::Encode)
     */
    void SetBits(const DcnControlKeyInfo& key, uint64_t bits);
};

/**
 * @ingroup dcn
 * @brief The network configuration as ns-3 attributes and as the keys of network.csv.
 *
 * Defaults are the column "m3" of the evaluations that this project compares with, for DCTCP;
 * Preset gives defaults for any congestion control and host rate.
 */
class DcnNetworkConfig : public Object, public DcnNetworkParameters
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnNetworkConfig();

    /// A key of network.csv.
    struct Key
    {
        std::string name;              //!< e.g. dctcp_g
        std::string congestionControl; //!< congestion control of the key; empty: all
        bool isWhole;                  //!< values are whole numbers
        bool isRate;                   //!< values are in bit/s
    };

    /** @return all keys of network.csv but cc. */
    static std::vector<Key> GetAllKeys();

    /// What a registered congestion control adds to configurations.
    struct Control
    {
        /// Sets values of a preset.
        using Values = void (*)(DcnNetworkParameters& network);

        std::string name;                           //!< value of the key cc
        std::vector<const DcnControlKeyInfo*> keys; //!< its parameters, as they are written
        /// Two keys for one quantity each: of the two the later one above 0 counts.
        std::vector<std::pair<const DcnControlKeyInfo*, const DcnControlKeyInfo*>> alternatives;
        Values evaluation{nullptr}; //!< values that differ from defaults; null: none
        Values paper{nullptr};      //!< preset `paper`, after evaluation; null: there is none
        std::string noPaper;        //!< why not and what to take, as the end of a sentence
        /// Compares values with each other; the text begins error sentences; null: nothing to do.
        void (*check)(const DcnNetworkParameters& network, const std::string& where){nullptr};
        /// Rank in lists of controls and keys, which trained models and data sets know by their
        /// order; equal ranks are sorted by name.
        uint32_t rank{std::numeric_limits<uint32_t>::max()};
    };

    /**
     * @brief Let configurations name a further congestion control, and give it its keys.
     * DcnCongestionControl::Registration does so; call it before threads begin.
     * @param control its name, keys and presets; the keys outlive the program
     * @throws DcnError for a name that is there already, for a key that does not begin with the
     * name and an underscore, that is there already, or whose default is out of its range
     */
    static void AddCongestionControl(const Control& control);

    /** @return the registered congestion controls, values of the key cc: by rank, then by name. */
    static std::vector<std::string> GetCongestionControls();

    /**
     * @brief A set of parameters by name.
     *
     * - `evaluation`: parameters of the Parsimon, m3 and m4 evaluations.
     * - `paper`: the control and the parameters of the paper of the congestion control; no window
     *   and a minimum rate of 10 Mb/s, unless the control says otherwise. Some have none.
     *
     * Values of a control are beside its class (Control::evaluation, Control::paper).
     * The values are for 10 Gb/s hosts. Window, rates and buffer are scaled in proportion to the
     * host rate, but the window is at least a packet and the buffer at least its default. ECN
     * thresholds are scaled by their reference rate, port by port. Times are not scaled.
     * For NICs of several rates, see the function below.
     *
     * @param congestionControl one of GetCongestionControls
     * @param hostRateBps rate of the hosts' links [bit/s]
     * @param preset evaluation or paper
     * @return a new configuration
     * @throws DcnError for another congestion control or preset, and for `paper` where there is
     * none
     */
    static Ptr<DcnNetworkConfig> Preset(const std::string& congestionControl,
                                        uint64_t hostRateBps = 10'000'000'000ULL,
                                        const std::string& preset = "evaluation");

    /**
     * @brief A set of parameters for a network whose hosts send at several rates.
     *
     * If the rates are equal, this is the function above. Otherwise each flow has the window, the
     * smallest rate and the steps of the NIC that it leaves by: they are those of 10 Gb/s
     * (reference_rate_bps), see ForNic. ECN thresholds and headroom follow the rate of a port. The
     * buffer of all switches is that of the fastest NIC.
     * @param congestionControl as above
     * @param nicRates rates of the NICs of the hosts that send, each once (DcnTopology::GetNicRates)
     * [bit/s]; none: 10 Gb/s
     * @param preset as above
     * @return a new configuration
     * @throws DcnError as above
     */
    static Ptr<DcnNetworkConfig> Preset(const std::string& congestionControl,
                                        const std::vector<uint64_t>& nicRates,
                                        const std::string& preset = "evaluation");

    /**
     * @brief Set one value by its key in network.csv.
     * @param key e.g. window_bytes; must be common or belong to the congestion control in force
     * @param value number in the key's unit
     * @param where prefix of the error sentence
     * @throws DcnError for an unknown key, a key of another congestion control or a bad value
     */
    void SetKey(const std::string& key, const std::string& value, const std::string& where = "");

    /**
     * @brief Set several values, as in "window_bytes=10000,dctcp_g=0.1".
     * @param assignments key=value pairs joined by commas; empty: nothing is set
     * @throws DcnError as SetKey, for a part without '=', a repeated key, or the key cc
     */
    void SetKeys(const std::string& assignments);

    /**
     * @return keys and values that apply to the congestion control in force, for network.csv; the
     * keys of transports with connections only where they differ from their defaults
     */
    std::vector<std::pair<std::string, std::string>> GetKeys() const;

    /**
     * @brief Check values against each other and against the NICs of flows.
     * @param nicRates rates of the NICs of the hosts that send, each once [bit/s]
     * @param where prefix of the error sentence
     * @throws DcnError with the values
     */
    void Check(const std::vector<uint64_t>& nicRates, const std::string& where = "") const;
};

} // namespace ns3

#endif /* DCN_NETWORK_CONFIG_H */
