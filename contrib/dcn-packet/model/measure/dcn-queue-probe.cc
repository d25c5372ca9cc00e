/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-queue-probe.h"

#include "../engine/dcn-switch-device.h"
#include "../network/dcn-packet-network.h"

#include "ns3/dcn-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** @return the present time, where threads simulate that of the event that runs [ns]. */
int64_t
NowNs()
{
    return DcnPacketNetwork::GetNowNs();
}

} // namespace

void
DcnConnectTrace(Ptr<Object> object, const std::string& name, const CallbackBase& callback)
{
    if (!object->TraceConnectWithoutContext(name, callback))
    {
        DcnFail(object->GetInstanceTypeId().GetName(), " has no trace source ", name);
    }
}

DcnQueueProbe::DcnQueueProbe(const std::string& name, const std::string& layer, int64_t intervalNs)
    : m_name(name),
      m_layer(layer),
      m_recorder(intervalNs)
{
}

uint32_t
DcnQueueProbe::ListenTo(Ptr<NetDevice> device)
{
    Ptr<DcnQueueProbe> self(this);
    DcnConnectTrace(device, "Pause", MakeCallback(&DcnQueueProbe::OnPause, self));
    if (!DynamicCast<DcnSwitchDevice>(device))
    {
        return 1;
    }
    DcnConnectTrace(device, "Enqueue", MakeCallback(&DcnQueueProbe::OnFrameIn, self));
    DcnConnectTrace(device, "Dequeue", MakeCallback(&DcnQueueProbe::OnFrameOut, self));
    DcnConnectTrace(device, "Mark", MakeCallback(&DcnQueueProbe::OnFrameMark, self));
    DcnConnectTrace(device, "Drop", MakeCallback(&DcnQueueProbe::OnFrameDrop, self));
    DcnConnectTrace(device, "Skip", MakeCallback(&DcnQueueProbe::OnSkip, self));
    return 6;
}

void
DcnQueueProbe::ListenTo(Ptr<Queue<Packet>> queue)
{
    ListenToStock<Packet>(queue);
}

void
DcnQueueProbe::ListenTo(Ptr<QueueDisc> disc)
{
    ListenToStock<QueueDiscItem>(disc);
    DcnConnectTrace(disc,
                    "Mark",
                    MakeCallback(&DcnQueueProbe::OnItemMark, Ptr<DcnQueueProbe>(this)));
}

template <typename Item>
void
DcnQueueProbe::ListenToStock(Ptr<Object> queue)
{
    Ptr<DcnQueueProbe> self(this);
    DcnConnectTrace(queue, "Enqueue", MakeCallback(&DcnQueueProbe::OnItemIn<Item>, self));
    DcnConnectTrace(queue, "Dequeue", MakeCallback(&DcnQueueProbe::OnItemOut<Item>, self));
    DcnConnectTrace(queue, "Drop", MakeCallback(&DcnQueueProbe::OnItemDrop<Item>, self));
}

void
DcnQueueProbe::Finish()
{
    // after Simulator::Destroy the time is 0 again
    m_recorder.Finish(std::max(NowNs(), m_recorder.GetLastNs()));
}

void
DcnQueueProbe::OnFrameIn(uint32_t frameBytes, uint64_t queueBytes)
{
    m_recorder.Enqueue(NowNs(), frameBytes);
    NS_ASSERT_MSG(m_recorder.GetBytes() == queueBytes, "waiting = in - out");
}

void
DcnQueueProbe::OnFrameOut(uint32_t frameBytes, uint64_t queueBytes)
{
    m_recorder.Dequeue(NowNs(), frameBytes);
    NS_ASSERT_MSG(m_recorder.GetBytes() == queueBytes, "waiting = in - out");
}

void
DcnQueueProbe::OnFrameMark(uint32_t /* frameBytes */, uint64_t /* queueBytes */)
{
    m_recorder.Mark(NowNs());
}

void
DcnQueueProbe::OnFrameDrop(uint32_t /* frameBytes */, uint64_t /* queueBytes */)
{
    m_recorder.Drop(NowNs());
}

void
DcnQueueProbe::OnPause(bool paused)
{
    if (paused)
    {
        m_recorder.Pause(NowNs());
    }
}

void
DcnQueueProbe::OnSkip(int64_t sinceNs, uint64_t bytes, uint64_t frames, uint64_t marks)
{
    m_recorder.Skip(sinceNs, NowNs(), {bytes, frames, marks});
}

template <typename Item>
void
DcnQueueProbe::OnItemIn(Ptr<const Item> item)
{
    m_recorder.Enqueue(NowNs(), item->GetSize());
}

template <typename Item>
void
DcnQueueProbe::OnItemOut(Ptr<const Item> item)
{
    m_recorder.Dequeue(NowNs(), item->GetSize());
}

template <typename Item>
void
DcnQueueProbe::OnItemDrop(Ptr<const Item> /* item */)
{
    m_recorder.Drop(NowNs());
}

void
DcnQueueProbe::OnItemMark(Ptr<const QueueDiscItem> /* item */, const char* /* reason */)
{
    m_recorder.Mark(NowNs());
}

} // namespace ns3
