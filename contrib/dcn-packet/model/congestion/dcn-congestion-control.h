/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_CONGESTION_CONTROL_H
#define DCN_CONGESTION_CONTROL_H

#include "ns3/dcn-frame.h"
#include "ns3/dcn-state-bytes.h"

#include "ns3/dcn-network-config.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief What a sender knows when an acknowledgement has come in.
 */
struct DcnAckInfo
{
    int64_t nowNs;                //!< arrival of the acknowledgement [ns]
    uint64_t acknowledged;        //!< next byte that the receiver expects
    uint64_t sndNxt;              //!< next byte that the sender will send
    bool congestionExperienced;   //!< the data packet had been marked
    int64_t sentNs;               //!< when the data packet's transmission began at the sender [ns]
    const DcnTelemetry* telemetry; //!< what the switches wrote; null unless asked for
};

/**
 * @ingroup dcn-packet
 * @brief Rate control of one flow: acknowledgements and timers in, sending rate out.
 *
 * A pure state machine that knows neither devices nor the simulator, so that the packet engine and
 * the single-link simulators share it. One class and one file per algorithm. Rates are whole bit/s
 * and every operation truncates, as in the reference simulator.
 *
 * The sender paces packets at GetRate() and keeps at most W(t) = window * rate / maximum rate
 * payload bytes in flight.
 */
class DcnCongestionControl
{
  public:
    /// Value of GetNextTimerNs while no timer runs.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /**
     * @brief Make the algorithm that a configuration names.
     * @param network the configuration
     * @param maxRateBps the flow's largest rate, at which it starts [bit/s]
     * @param pathRttNs round-trip time of the flow's empty path (DcnBaseRttNs) [ns]
     * @return a new state machine
     */
    static std::unique_ptr<DcnCongestionControl> Create(const DcnNetworkParameters& network,
                                                        uint64_t maxRateBps,
                                                        int64_t pathRttNs);

    /// Bytes on the wire beside the payload, by algorithm.
    struct WireFormat
    {
        uint32_t dataHeaderBytes; //!< of a data packet
        uint32_t ackBytes;        //!< whole acknowledgement
        bool telemetry;           //!< switches write telemetry into data packets
    };

    /**
     * @param network the configuration
     * @return the sizes of its algorithm's packets
     */
    static WireFormat GetWireFormat(const DcnNetworkParameters& network);

    virtual ~DcnCongestionControl() = default;

    /**
     * @brief Update the rate; called for every acknowledgement, also those that ask to go back.
     * @param ack what it says
     */
    virtual void OnAck(const DcnAckInfo& ack) = 0;

    /**
     * @brief The sender goes back: bytes from sndNxt on will be sent again.
     *
     * What an algorithm waits for to be acknowledged must not lie beyond, or "once per round trip"
     * would come only when everything has been sent for a second time.
     *
     * @param sndNxt next byte to send
     */
    virtual void OnGoBack(uint64_t sndNxt);

    /**
     * @brief A timer is due; called when GetNextTimerNs has come.
     * @param nowNs present time [ns]
     */
    virtual void OnTimer(int64_t nowNs);

    /** @return when OnTimer wants to be called [ns], NEVER if no timer runs. */
    virtual int64_t GetNextTimerNs() const;

    /** @return true if a change of rate also moves the instant of the next packet. */
    virtual bool RepacesPendingPacket() const;

    /**
     * @brief Write all that decides what comes, or take it over from the same algorithm of the same
     * configuration, maximum rate and round trip.
     * @param state where to or from
     */
    virtual void ExchangeState(DcnStateBytes& state);

    /** @return the sending rate in wire bits [bit/s]. */
    uint64_t GetRate() const
    {
        return m_rate;
    }

  protected:
    /**
     * @param network the configuration, which outlives this object
     * @param maxRateBps the flow's largest rate [bit/s]
     */
    DcnCongestionControl(const DcnNetworkParameters& network, uint64_t maxRateBps);

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
     * @param stepBps what is added [bit/s]
     * @return the sum within [minimum rate, maximum rate]
     */
    uint64_t Raise(uint64_t rateBps, uint64_t stepBps) const
    {
        const uint64_t base = std::min(rateBps, m_maxRate); // the sum cannot overflow
        return Clamp(base + std::min(stepBps, m_maxRate));
    }

    /**
     * @brief The same.
     * @param rateBps a rate [bit/s]
     * @param step what is added
     * @return the sum within [minimum rate, maximum rate]
     */
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
};

} // namespace ns3

#endif /* DCN_CONGESTION_CONTROL_H */
