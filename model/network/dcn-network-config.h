/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_NETWORK_CONFIG_H
#define DCN_NETWORK_CONFIG_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
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
    std::string congestionControl; //!< one of DcnNetworkConfig::GetAllCongestionControls
    uint32_t payloadBytes;         //!< largest payload of a packet M [bytes]
    DataRate referenceRate;        //!< NIC rate to which window, rates and steps belong; 0: any
    uint64_t windowBytes;          //!< cap on bytes in flight at line rate, scales with it; 0: none
    double windowBdp;              //!< this cap in bandwidth-delay products of the flow; 0: windowBytes
    Time baseRtt;                  //!< round-trip time T of HPCC; 0: path RTT of each flow
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

    double dctcpG;                  //!< gain of the marked fraction's average
    DataRate dctcpAdditiveIncrease; //!< increase per round trip without a cut

    double dcqcnG;                    //!< gain of alpha
    Time dcqcnAlphaTimer;             //!< period of the alpha update
    Time dcqcnDecreaseTimer;          //!< least time between two decreases
    Time dcqcnIncreaseTimer;          //!< period of increases after a decrease
    uint64_t dcqcnByteCounter;        //!< payload bytes between two increases; 0: timer only
    uint32_t dcqcnFastRecoveryStages; //!< increases without raising the target
    DataRate dcqcnAdditiveIncrease;   //!< target step in the additive stage
    DataRate dcqcnHyperIncrease;      //!< target step in the hyper stage
    bool dcqcnClampTargetRate;        //!< every decrease sets the target to the current rate
    bool dcqcnAtOnce;                 //!< a mark cuts at once, the next ones after the decrease timer

    Time timelyLow;                  //!< below: increase
    Time timelyHigh;                 //!< above: decrease whatever the gradient
    Time timelyMinRtt;               //!< normalises the gradient; 0: base RTT of each flow's path
    double timelyEwmaAlpha;          //!< gain of the RTT difference's average
    double timelyBeta;               //!< strength of a decrease
    DataRate timelyAdditiveIncrease; //!< step of the first five increases
    DataRate timelyHyperIncrease;    //!< step of later increases

    double hpccEta;                //!< target utilisation
    DataRate hpccAdditiveIncrease; //!< W_AI as a rate
    uint64_t hpccAdditiveBytes;    //!< W_AI, per round trip T [bytes]; 0: hpccAdditiveIncrease
    uint32_t hpccMiThreshold;      //!< additive steps before a multiplicative one (maxStage)
    bool hpccFastReact;            //!< react to every ACK, not once per round trip

    /// Values of DcnNetworkConfig::OwnKey by key, as far as they were set; read them by GetOwn.
    std::map<std::string, double> own;

    /**
     * @brief The values that flows of a NIC have.
     *
     * With a reference rate r, window_bytes, min_rate_bps and the additive steps of rates are those
     * of a NIC of r; a NIC of R has them times R / r, the window at least a packet. All other
     * values are those of ports (ECN thresholds, headroom), of switches (buffer) or of all flows.
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

    /**
     * @param rttNs T, the round-trip time that HPCC has for the flow [ns]
     * @return additive increase of HPCC as a rate [bit/s]
     */
    uint64_t GetHpccIncreaseBps(double rttNs) const;

    /** @return the rates that are proportional to that of a NIC: the smallest rate, and steps. */
    std::vector<DataRate*> GetNicRates();

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
     * @param key a key that came with a registered congestion control
     * @return its value, the default unless it was set
     * @throws DcnError if there is no such key
     */
    double GetOwn(const std::string& key) const;
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

    /// A parameter that comes with a registered congestion control: a key of network.csv.
    struct OwnKey
    {
        std::string name; //!< the congestion control's name, an underscore, and a word
        double initial;   //!< default
        double least;     //!< smallest value
        double most;      //!< largest value
        bool isWhole;     //!< values are whole numbers
    };

    /** @return the four congestion controls with keys and presets: dctcp, dcqcn, timely, hpcc. */
    static const std::vector<std::string>& GetCongestionControls();

    /**
     * @brief Let configurations name a further congestion control.
     * DcnCongestionControl::Registration does so; call it before threads begin.
     * @param name a value of the key cc
     * @param keys its parameters, which DcnNetworkParameters::own holds
     * @param hasPaperPreset the keys' defaults are those of its paper: there is a preset `paper`
     * @throws DcnError for a key that does not begin with the name and an underscore, that is
     * there already, or whose default is out of its range
     */
    static void AddCongestionControl(const std::string& name,
                                     const std::vector<OwnKey>& keys = {},
                                     bool hasPaperPreset = false);

    /** @return values of the key cc: GetCongestionControls, and the added ones by name. */
    static std::vector<std::string> GetAllCongestionControls();

    /**
     * @brief A set of parameters by name.
     *
     * - `evaluation`: parameters of the Parsimon, m3 and m4 evaluations.
     * - `paper`: the control and the parameters of the paper of the congestion control. DCQCN
     *   (SIGCOMM 2015, section 5): equation (1) at once at each notification, at most one per 50 us
     *   and flow; Kmin 5 KB, Kmax 200 KB and Pmax 1 % at 40 Gb/s, timers of 55 us, byte counter 10
     *   MB, five recovery stages, steps of 40 and 400 Mb/s at 40 Gb/s; no window. TIMELY (SIGCOMM
     *   2015, section 5): Tlow 50 us, Thigh 500 us, gradient normalised by 20 us; no window. HPCC
     *   (SIGCOMM 2019, sections 3.3 and 5.1): window of one bandwidth-delay product of the flow, T
     *   of each path, eta 95 %, five additive steps, additive increase of 80 bytes. PowerTCP
     *   (NSDI 2022) and Swift (SIGCOMM 2020): windows and T of each path. All with a minimum rate
     *   of 10 Mb/s. Frames of notifications and events per segment are not modelled. DCTCP has no
     *   preset `paper`, as the control of its paper is TCP's.
     *
     * The values are for 10 Gb/s hosts. Window, rates and buffer are scaled in proportion to the
     * host rate, but the window is at least a packet and the buffer at least its default. ECN
     * thresholds are scaled by their reference rate, port by port. Times are not scaled.
     * For NICs of several rates, see the function below.
     *
     * @param congestionControl one of GetAllCongestionControls; an added one has the values of
     * dctcp and its own keys. Its preset `paper`, if its registration has one, differs in the
     * minimum rate, and in window and T, which are those of each path
     * @param hostRateBps rate of the hosts' links [bit/s]
     * @param preset evaluation or paper
     * @return a new configuration
     * @throws DcnError for another congestion control or preset, and for `paper` where there is none
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

  private:
    void SetPaperValues();
};

} // namespace ns3

#endif /* DCN_NETWORK_CONFIG_H */
