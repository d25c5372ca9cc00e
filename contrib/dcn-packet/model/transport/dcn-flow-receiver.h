/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_RECEIVER_H
#define DCN_FLOW_RECEIVER_H

#include <cstdint>
#include <map>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief The receiver of a flow: which bytes it has, and what it answers to a packet.
 *
 * **Go-back-N.** It keeps bytes in order only. A packet with the byte expected is acknowledged, an
 * earlier one again, as its acknowledgement may be lost; the answer names the next byte expected.
 * A later packet is a gap, which a NACK reports once, and again only after a while.
 *
 * **Selective repeat.** It keeps every byte, and acknowledges every packet by its own number.
 *
 * **Cost.** Constant by packet; with selective repeat a search among the gaps if there are any.
 */
class DcnFlowReceiver
{
  public:
    /// What it answers to a packet.
    enum class Answer
    {
        ACK,     //!< an acknowledgement
        NACK,    //!< a request for the next byte expected
        NOTHING, //!< the packet is ignored
    };

    /**
     * @brief A flow begins: nothing has come.
     * @param isSelective selective repeat
     */
    void Begin(bool isSelective);

    /**
     * @brief A packet arrives, perhaps not for the first time.
     * @param sequence its first byte
     * @param bytes payload
     * @param nowNs present time [ns]
     * @param nackIntervalNs least time between two NACKs for a byte [ns]
     * @return the answer
     */
    Answer OnData(uint64_t sequence, uint16_t bytes, int64_t nowNs, int64_t nackIntervalNs)
    {
        if (!m_early && sequence > m_expected)
        {
            return OnGap(nowNs, nackIntervalNs);
        }
        if (m_firstByteNs < 0)
        {
            m_firstByteNs = nowNs;
        }
        if (m_early)
        {
            Keep(sequence, sequence + bytes);
        }
        else if (sequence == m_expected)
        {
            m_expected += bytes;
        }
        return Answer::ACK;
    }

    /** @return the next byte in order. */
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /** @return when the first payload byte came [ns], -1 before. */
    int64_t GetFirstByteNs() const
    {
        return m_firstByteNs;
    }

    /**
     * @brief Be in the state of a later time (DcnSteadySkip).
     * @param bytes that have come meanwhile
     */
    void Translate(uint64_t bytes)
    {
        m_expected += bytes;
    }

  private:
    Answer OnGap(int64_t nowNs, int64_t nackIntervalNs);
    void Keep(uint64_t begin, uint64_t end);

    uint64_t m_expected{0};    //!< see GetExpected
    int64_t m_firstByteNs{-1}; //!< see GetFirstByteNs [ns]
    /// Selective repeat: bytes beyond, end by begin, no two touch; null: go-back-N.
    std::unique_ptr<std::map<uint64_t, uint64_t>> m_early;
    uint64_t m_lastNack{0};  //!< byte asked for by the latest NACK
    int64_t m_lastNackNs{0}; //!< when that was [ns]
    bool m_hasNacked{false}; //!< a NACK has been sent
};

} // namespace ns3

#endif /* DCN_FLOW_RECEIVER_H */
