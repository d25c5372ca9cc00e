/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_QUEUE_PROBE_H
#define DCN_QUEUE_PROBE_H

#include "dcn-queue-record.h"

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Connect to a trace source that must exist.
 * @param object has the trace source
 * @param name of the trace source
 * @param callback to be called, without context
 * @throws DcnError if the object has no such trace source
 */
void DcnConnectTrace(Ptr<Object> object, const std::string& name, const CallbackBase& callback);

/**
 * @ingroup dcn-packet
 * @brief Connects the trace sources of one queue to a recorder.
 *
 * The trace sources hold a reference to the probe. Identity, for queues that were empty at
 * ListenTo: bytes waiting in the queue = bytes waiting according to the recorder.
 */
class DcnQueueProbe : public SimpleRefCount<DcnQueueProbe>
{
  public:
    /**
     * @param name of the queue
     * @param layer of the queue: switch, host, device or qdisc
     * @param intervalNs length of an interval [ns], > 0
     */
    DcnQueueProbe(const std::string& name, const std::string& layer, int64_t intervalNs);

    /**
     * @brief Listen to the transmitter of a host, or to the data class of a switch port.
     * @param device a DcnPacketDevice
     * @return number of trace sources
     */
    uint32_t ListenTo(Ptr<NetDevice> device);

    /**
     * @brief Listen to the queue of a stock ns-3 device.
     * @param queue the queue
     */
    void ListenTo(Ptr<Queue<Packet>> queue);

    /**
     * @brief Listen to a queue disc.
     * @param disc the queue disc
     */
    void ListenTo(Ptr<QueueDisc> disc);

    /** @return its name. */
    const std::string& GetName() const
    {
        return m_name;
    }

    /** @return its layer. */
    const std::string& GetLayer() const
    {
        return m_layer;
    }

    /** @return the records. */
    const DcnQueueRecorder& GetRecorder() const
    {
        return m_recorder;
    }

    /** @brief End the running interval at the present time. */
    void Finish();

  private:
    template <typename Item>
    void ListenToStock(Ptr<Object> queue);

    void OnFrameIn(uint32_t frameBytes, uint64_t queueBytes);
    void OnFrameOut(uint32_t frameBytes, uint64_t queueBytes);
    void OnFrameMark(uint32_t frameBytes, uint64_t queueBytes);
    void OnFrameDrop(uint32_t frameBytes, uint64_t queueBytes);
    void OnPause(bool paused);
    void OnSkip(int64_t sinceNs, uint64_t bytes, uint64_t frames, uint64_t marks);

    template <typename Item>
    void OnItemIn(Ptr<const Item> item);
    template <typename Item>
    void OnItemOut(Ptr<const Item> item);
    template <typename Item>
    void OnItemDrop(Ptr<const Item> item);
    void OnItemMark(Ptr<const QueueDiscItem> item, const char* reason);

    std::string m_name;          //!< see GetName
    std::string m_layer;         //!< see GetLayer
    DcnQueueRecorder m_recorder; //!< the records
};

} // namespace ns3

#endif /* DCN_QUEUE_PROBE_H */
