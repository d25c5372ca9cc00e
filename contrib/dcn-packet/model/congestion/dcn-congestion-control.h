/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_CONGESTION_CONTROL_H
#define DCN_CONGESTION_CONTROL_H

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Writes the state of a simulation into bytes, or reads it back, by the same calls.
 *
 * For states that one process compares and resumes from: no byte order, no version.
 */
class DcnStateBytes
{
  public:
    /// Begin to write.
    DcnStateBytes() = default;

    /**
     * @brief Begin to read.
     * @param bytes what was written; outlives this object
     */
    explicit DcnStateBytes(const std::string& bytes)
        : m_from(bytes.data())
    {
    }

    /** @return whether values are written. */
    bool IsWriting() const
    {
        return m_from == nullptr;
    }

    /**
     * @brief Write or read a value.
     * @param value a number, or anything else without padding
     */
    template <typename T>
    void Exchange(T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        static_assert(std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>,
                      "padding would be compared, too");
        if (IsWriting())
        {
            m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
        }
        else
        {
            std::memcpy(&value, m_from, sizeof(T));
            m_from += sizeof(T);
        }
    }

    /** @return what has been written. */
    std::string& GetBytes()
    {
        return m_bytes;
    }

  private:
    std::string m_bytes;         //!< written
    const char* m_from{nullptr}; //!< to be read; null: write
};

/**
 * @ingroup dcn-packet
 * @brief What a skip of a steady state adds to the state of a flow (DcnSteadySkip).
 */
struct DcnTranslation
{
    int64_t timeNs;          //!< to its times [ns]
    uint64_t bytes;          //!< to its sequence numbers [bytes]
    const uint64_t* txBytes; //!< to what the port of each hop of its path has sent [bytes]
    bool isUnmarked;         //!< no packet of the network would be marked meanwhile
};

/**
 * @ingroup dcn-packet
 * @brief In-band network telemetry (INT) that one switch writes into a data packet, for HPCC and
 * PowerTCP.
 */
struct DcnTelemetryHop
{
    /**
     * @param ns a time [ns]
     * @param lead the exact time is so long before [ticks of 2^-14 ns]
     * @return the exact time, modulo 2^64 [ticks]
     */
    static uint64_t MakeTicks(int64_t ns, uint32_t lead)
    {
        return (static_cast<uint64_t>(ns) << DCN_TICK_BITS) - lead;
    }

    /**
     * @param before an earlier report of the port, or a later one
     * @return time from that to this one [ns]
     */
    double GetNsSince(const DcnTelemetryHop& before) const
    {
        return static_cast<double>(static_cast<int64_t>(timeTicks - before.timeTicks)) /
               static_cast<double>(DCN_TICKS_PER_NS);
    }

    uint64_t timeTicks;  //!< when the packet left the queue, modulo 2^64 [ticks of 2^-14 ns]
    uint64_t txBytes;    //!< wire bytes that the port had sent before the packet
    uint64_t queueBytes; //!< wire bytes waiting at the port after the packet left, all classes
    uint64_t rateBps;    //!< port rate [bit/s]
};

/**
 * @ingroup dcn-packet
 * @brief Telemetry of all switches on a packet's path.
 */
struct DcnTelemetry
{
    static constexpr uint8_t MAX_HOPS = 5; //!< switches that fit into the 42 bytes on the wire

    /**
     * @brief Take the entries in use of another one.
     * @param from the other one
     */
    void CopyFrom(const DcnTelemetry& from)
    {
        nHops = from.nHops;
        std::copy_n(from.hops.begin(), from.nHops, hops.begin());
    }

    /**
     * @brief Move the reports as if they had been written later.
     * @param by the difference
     */
    void Translate(const DcnTranslation& by)
    {
        for (uint8_t i = 0; i < nHops; ++i)
        {
            hops[i].timeTicks += static_cast<uint64_t>(by.timeNs) << DCN_TICK_BITS;
            hops[i].txBytes += by.txBytes[i];
        }
    }

    /// @copydoc DcnCongestionControl::ExchangeState
    void Exchange(DcnStateBytes& state)
    {
        state.Exchange(nHops);
        for (uint8_t i = 0; i < nHops; ++i)
        {
            state.Exchange(hops[i]);
        }
    }

    std::array<DcnTelemetryHop, MAX_HOPS> hops; //!< in path order
    uint8_t nHops{0};                           //!< entries in use
};

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
 * the link simulators share it. It logs nothing, since the link simulators run in several threads.
 * Rates are whole bit/s and every operation truncates, as in the reference simulator.
 *
 * There is one class and one file per algorithm; a static Registration in that file makes the
 * algorithm known by its name.
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
        uint32_t dataHeaderBytes; //!< headers of a data packet
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

    /// A static object of this type makes an algorithm known, also to the key cc of network.csv.
    struct Registration
    {
        /**
         * @param name of the algorithm, the value of the key cc
         * @param traits properties that estimators use
         * @param factory makes its state machines
         * @param keys its parameters, keys of network.csv (DcnNetworkConfig::AddCongestionControl)
         * @param hasPaperPreset the preset `paper` has its name (DcnNetworkConfig::Preset)
         * @throws DcnError for a name that is registered already, and as AddCongestionControl
         */
        Registration(const std::string& name,
                     const Traits& traits,
                     Factory factory,
                     const std::vector<DcnNetworkConfig::OwnKey>& keys = {},
                     bool hasPaperPreset = false);
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

    /**
     * @brief Write the whole state, or read a state that the same algorithm wrote with the same
     * configuration, maximum rate and round-trip time.
     * @param state writes or reads
     */
    virtual void ExchangeState(DcnStateBytes& state);

    /**
     * @brief Be in the state of a later time in a steady state: add to all times and sequence
     * numbers, and let averages of marks fall if there is none.
     * @param by what is added
     * @return false: the algorithm cannot, and has not changed
     */
    virtual bool Translate(const DcnTranslation& by);

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
     * @param network the configuration, which outlives this object
     * @param maxRateBps the flow's largest rate [bit/s]
     * @param pathRttNs round-trip time of the flow's empty path, the unit of window_bdp [ns]
     */
    DcnCongestionControl(const DcnNetworkParameters& network,
                         uint64_t maxRateBps,
                         int64_t pathRttNs);

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

    /** @copydoc Raise */
    uint64_t Raise(uint64_t rateBps, DataRate step) const
    {
        return Raise(rateBps, step.GetBitRate());
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
