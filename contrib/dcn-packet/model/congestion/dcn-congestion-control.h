/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_CONGESTION_CONTROL_H
#define DCN_CONGESTION_CONTROL_H

#include "dcn-telemetry.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DcnReplayableControl;

/**
 * @ingroup dcn-packet
 * @brief An acknowledgement, as the sender's congestion control sees it.
 */
struct DcnAckInfo
{
    int64_t nowNs;                 //!< arrival of the acknowledgement [ns]
    uint64_t acknowledged;         //!< next byte that the receiver expects
    uint64_t sndNxt;               //!< next byte that the sender will send
    bool congestionExperienced;    //!< a switch had marked the data packet
    int64_t sentNs;                //!< when the data packet's transmission began at the sender [ns]
    /// Telemetry of the data packet; null unless WireFormat has it, and of an earlier path.
    const DcnTelemetry* telemetry;
    /// Exact round-trip time less nowNs - sentNs [ns]: the two events come at whole nanoseconds.
    double restNs{0};

    /** @return the exact round-trip time [ns]. */
    double GetRttNs() const
    {
        return static_cast<double>(nowNs - sentNs) + restNs;
    }
};

/**
 * @ingroup dcn-packet
 * @brief Rate control of one flow: acknowledgements and timers in, sending rate out.
 *
 * A pure state machine that knows neither devices nor the simulator, so that the packet engine and
 * the link simulators share it. Rates are whole bit/s and every operation truncates, as in the
 * reference simulator.
 *
 * An algorithm is one class in one pair of files, with all that is only its own: its keys
 * (DcnControlKey), presets and traits are in the source file, and a static Registration there makes
 * it known by its name. OnAck is the only function that it must have. Engines that repeat or skip
 * parts of a simulation want a DcnReplayableControl.
 *
 * The sender paces packets at GetRate() and keeps at most W(t) = window * rate / maximum rate
 * payload bytes in flight, with GetWindowBytes() as the window.
 */
class DcnCongestionControl
{
  public:
    /// Value of GetNextTimerNs while no timer runs.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Bytes on the wire beside the payload, by algorithm.
    struct WireFormat
    {
        uint32_t dataHeaderBytes; //!< headers of a data packet, with header_bytes at its default
        uint32_t ackBytes;        //!< whole acknowledgement
        bool telemetry;           //!< switches write telemetry into data packets

        /** @return packets with telemetry: 42 bytes in data packets, also in acknowledgements. */
        static WireFormat WithTelemetry();
    };

    /**
     * @brief Properties of an algorithm that estimators use without running it.
     *
     * The defaults are safe for every algorithm: no estimator skips work on their account.
     */
    struct Traits
    {
        /// Packet sizes.
        WireFormat wireFormat;

        /// Rates also change by timers (GetNextTimerNs); Parsimon looks for no timer without it.
        bool hasTimers{true};

        /// Longest period of its timers [ns]; null: unknown. A state that DcnSteadySkip takes for
        /// steady lasts longer.
        int64_t (*longestPeriodNs)(const DcnNetworkParameters& network){nullptr};

        /// Long flows keep a queue at their bottleneck as long as no packet is marked; ns3-path
        /// lets its windows begin with such queues.
        bool keepsQueues{false};

        /// Flows have a window also if `window_bytes` and `window_bdp` are 0 (GetWindowBytes).
        bool hasOwnWindow{false};

        /// Round-trip time below which a flow keeps its largest rate as long as no packet is marked
        /// [ns], NEVER if any; null: a flow may slow down at any time. Parsimon answers the hosts'
        /// own links by a formula where no flow slows down.
        int64_t (*undisturbedRttNs)(const DcnNetworkParameters& network){nullptr};

        /// Queueing delay at a port at which flows begin to slow down [s]; the rate is that of the
        /// port [bit/s]; null: the port's ECN threshold Kmin. For mql.
        double (*thresholdSeconds)(const DcnNetworkParameters& network, double rateBps){nullptr};
    };

    /// Constructor of an algorithm; the parameters are those of Create.
    using Factory = std::unique_ptr<DcnCongestionControl> (*)(const DcnNetworkParameters& network,
                                                              uint64_t maxRateBps,
                                                              int64_t pathRttNs);

    /**
     * @brief The usual Factory.
     * @tparam T class of an algorithm whose constructor has the parameters of Create
     */
    template <class T>
    static std::unique_ptr<DcnCongestionControl> Make(const DcnNetworkParameters& network,
                                                      uint64_t maxRateBps,
                                                      int64_t pathRttNs)
    {
        return std::make_unique<T>(network, maxRateBps, pathRttNs);
    }

    /// A static object of this type makes an algorithm known, also to the key cc of network.csv.
    struct Registration
    {
        /**
         * @param control its name, the value of the key cc, its keys and presets
         * @param traits properties that estimators use
         * @param factory makes its state machines, e.g. Make<DcnDctcp>
         * @throws DcnError as DcnNetworkConfig::AddCongestionControl
         */
        Registration(const DcnNetworkConfig::Control& control,
                     const Traits& traits,
                     Factory factory);
    };

    /**
     * @brief Make the algorithm that a configuration names.
     * @param network the configuration, which outlives the state machine
     * @param maxRateBps the flow's largest rate, at which it starts [bit/s]
     * @param pathRttNs round-trip time of the flow's empty path (DcnBaseRttNs) [ns]
     * @return a new state machine
     * @throws DcnError if no algorithm of that name is registered
     */
    static std::unique_ptr<DcnCongestionControl> Create(const DcnNetworkParameters& network,
                                                        uint64_t maxRateBps,
                                                        int64_t pathRttNs);

    /**
     * @param network the configuration
     * @return properties of the algorithm that it names
     * @throws DcnError if no algorithm of that name is registered
     */
    static const Traits& GetTraits(const DcnNetworkParameters& network);

    /**
     * @param network the configuration
     * @return the packet sizes of the algorithm that it names
     * @throws DcnError if no algorithm of that name is registered
     */
    static WireFormat GetWireFormat(const DcnNetworkParameters& network);

    /**
     * @param network the configuration, which outlives this object
     * @param maxRateBps the flow's largest rate [bit/s]
     * @param pathRttNs round-trip time of the flow's empty path, the unit of window_bdp [ns]
     */
    DcnCongestionControl(const DcnNetworkParameters& network,
                         uint64_t maxRateBps,
                         int64_t pathRttNs);

    virtual ~DcnCongestionControl() = default;

    /**
     * @brief Update the rate; called for every ACK and NACK.
     * @param ack the acknowledgement
     */
    virtual void OnAck(const DcnAckInfo& ack) = 0;

    /**
     * @brief Go-back-N: the sender will send the bytes from sndNxt on again.
     *
     * An algorithm that waits for the acknowledgement of a byte must lower that byte to sndNxt.
     * Otherwise its next update, once per round trip, would wait until all lost data is sent again.
     * With selective repeat bytes count in the order of their acknowledgements, here and in OnAck:
     * "acknowledged" is their number, sndNxt that number plus the bytes in flight. A packet that is
     * missing then holds up no update.
     *
     * @param sndNxt next byte to send
     * @param nowNs present time [ns]
     */
    virtual void OnGoBack(uint64_t sndNxt, int64_t nowNs);

    /// The flow has another path: telemetry begins anew. Rates and round-trip times stay.
    virtual void OnPathChange();

    /**
     * @brief A timer has expired; called at GetNextTimerNs.
     * @param nowNs present time [ns]
     */
    virtual void OnTimer(int64_t nowNs);

    /** @return time of the next call of OnTimer [ns], NEVER if no timer runs. */
    virtual int64_t GetNextTimerNs() const;

    /** @return true if a change of rate also moves the instant of the next packet. */
    virtual bool RepacesPendingPacket() const;

    /** @return this control if it can be stopped, resumed and moved in time, else null. */
    virtual DcnReplayableControl* AsReplayable()
    {
        return nullptr;
    }

    /// Values of an algorithm's own state, by name; a name ends with its unit if it has one.
    using State = std::vector<std::pair<std::string, double>>;

    /**
     * @return its own state, for people who watch a flow (DcnPacketNetwork::FlowControl): always
     * the same names in the same order; none by default
     */
    virtual State GetState() const;

    /** @return the sending rate in wire bits [bit/s]. */
    uint64_t GetRate() const
    {
        return m_rate;
    }

    /** @return payload bytes that may be in flight at the largest rate; 0: no limit. */
    uint64_t GetWindowBytes() const
    {
        return m_windowBytes;
    }

  protected:
    /**
     * @param network the configuration
     * @param pathRttNs round-trip time of the flow's empty path [ns]
     * @return `base_rtt_ns`, or the path's round-trip time if that is 0 [ns]
     */
    static int64_t BaseRttNs(const DcnNetworkParameters& network, int64_t pathRttNs)
    {
        return network.baseRtt.IsZero() ? pathRttNs : network.baseRtt.GetNanoSeconds();
    }

    /**
     * @brief For an algorithm that controls a window: without `window_bytes` it is the
     * bandwidth-delay product, at least a packet.
     * @param rttNs round-trip time [ns]
     */
    void HaveOwnWindow(int64_t rttNs);

    /**
     * @brief Limit a rate to [minimum rate, maximum rate].
     * @param rateBps any rate [bit/s]
     * @return the rate allowed
     */
    uint64_t Clamp(uint64_t rateBps) const
    {
        return std::min(m_maxRate, std::max(m_minRate, rateBps));
    }

    /**
     * @brief Raise a rate by a step of any size.
     * @param rateBps a rate [bit/s]
     * @param stepBps the step [bit/s]
     * @return the sum within [minimum rate, maximum rate]
     */
    uint64_t Raise(uint64_t rateBps, uint64_t stepBps) const
    {
        const uint64_t base = std::min(rateBps, m_maxRate); // the sum cannot overflow
        return Clamp(base + std::min(stepBps, m_maxRate));
    }

    /**
     * @param rateBps a rate [bit/s]
     * @param factor at least 0
     * @return floor(rate * factor)
     */
    static uint64_t Scale(uint64_t rateBps, double factor)
    {
        // The limit, above any link rate, keeps the conversion defined for every factor; below it
        // signed and unsigned conversions agree, and the signed one is the faster.
        const double scaled = std::min(1e18, static_cast<double>(rateBps) * factor);
        return static_cast<uint64_t>(static_cast<int64_t>(scaled));
    }

    const DcnNetworkParameters& m_network; //!< the configuration
    const uint64_t m_minRate;              //!< floor of the rate, at most the cap [bit/s]
    const uint64_t m_maxRate;              //!< cap of the rate [bit/s]
    uint64_t m_rate;                       //!< sending rate [bit/s]
    uint64_t m_windowBytes; //!< see GetWindowBytes; DcnNetworkParameters::GetWindowBytes at first
};

} // namespace ns3

#endif /* DCN_CONGESTION_CONTROL_H */
