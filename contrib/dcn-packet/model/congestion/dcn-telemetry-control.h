/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TELEMETRY_CONTROL_H
#define DCN_TELEMETRY_CONTROL_H

#include "dcn-replayable-control.h"

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief A rate control that compares successive telemetry reports of a path.
 *
 * A data packet collects a report of every switch, and its acknowledgement returns them. A round
 * trip begins with the first report. It ends when a byte is acknowledged that was sent after it
 * began.
 */
class DcnTelemetryControl : public DcnReplayableControl
{
  public:
    void OnGoBack(uint64_t sndNxt, int64_t nowNs) override;
    void OnPathChange() override;
    bool RepacesPendingPacket() const override;
    void ExchangeState(DcnStateBytes& state) override;
    bool Translate(const DcnTranslation& by) override;

    /** @return traits: frames with telemetry; flows slow down without a queue. */
    static Traits MakeTraits();

    /**
     * @brief Refuse load_balancing: reports of successive packets belong to one path. The check of
     * every control with telemetry (DcnNetworkConfig::Control::check), so that all methods refuse.
     * @param network the configuration
     * @param where begins the sentence
     * @throws DcnError if packets of a flow take many paths
     */
    static void Check(const DcnNetworkParameters& network, const std::string& where);

  protected:
    /**
     * @param network the configuration, which outlives this object
     * @param maxRateBps the flow's largest rate [bit/s]
     * @param pathRttNs round-trip time of the flow's empty path, used if `base_rtt_ns` is 0 [ns]
     */
    DcnTelemetryControl(const DcnNetworkParameters& network,
                        uint64_t maxRateBps,
                        int64_t pathRttNs);

    /**
     * @brief Begin with an acknowledgement: keep the report if it is the first one.
     * @param ack the acknowledgement
     * @return whether there is an earlier report to compare it with
     */
    bool HasEarlierReport(const DcnAckInfo& ack);

    /**
     * @param ack an acknowledgement
     * @return whether a round trip ends with it
     */
    bool EndsRound(const DcnAckInfo& ack) const
    {
        return ack.acknowledged > m_roundEnd;
    }

    /**
     * @brief Begin a round trip.
     * @param ack the acknowledgement that ends the one before
     */
    void BeginRound(const DcnAckInfo& ack)
    {
        m_roundEnd = ack.sndNxt;
    }

    const double m_baseRttNs; //!< base round-trip time [ns]
    DcnTelemetry m_previous;  //!< latest report

  private:
    bool m_hasTelemetry{false}; //!< an acknowledgement has come
    uint64_t m_roundEnd{0};     //!< the round trip ends when this byte is acknowledged
};

} // namespace ns3

#endif /* DCN_TELEMETRY_CONTROL_H */
