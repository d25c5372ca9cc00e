/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-recorder.h"

#include "ns3/dcn-packet-network.h"

#include "ns3/callback.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

DcnDatasetRecorder::DcnDatasetRecorder(bool hops, bool dense)
    : m_hops(hops),
      m_dense(hops && dense)
{
}

void
DcnDatasetRecorder::Simulate(DcnDatasetSample& sample)
{
    m_sample = &sample;
    m_actives.clear();
    m_hopOffsets.clear();
    const std::size_t nFlows = sample.scenario->GetFlows().size();
    sample.flags.resize(nFlows, 0);
    sample.queueBytes.clear();
    sample.events.clear();
    sample.actives.clear();
    if (m_hops)
    {
        for (std::size_t flow = 0; flow < nFlows; ++flow)
        {
            m_hopOffsets.push_back(sample.queueBytes.size());
            sample.queueBytes.resize(sample.queueBytes.size() +
                                         sample.scenario->GetPath(flow).size(),
                                     DcnDatasetSample::NEVER_THERE);
        }
    }

    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->AssignStreams(DcnRandom(sample.seed).GetStream(DcnPurpose::ECN_MARKING));
    network->TraceConnectWithoutContext("FlowDelivered",
                                        MakeCallback(&DcnDatasetRecorder::OnDelivered, this));
    if (m_dense)
    {
        network->TraceConnectWithoutContext("FlowStarted",
                                            MakeCallback(&DcnDatasetRecorder::OnStarted, this));
        network->TraceConnectWithoutContext("FirstPacket",
                                            MakeCallback(&DcnDatasetRecorder::OnFirstPacket, this));
    }
    try
    {
        network->Install(sample.scenario);
    }
    catch (const DcnError& error)
    {
        network->Dispose();
        Simulator::Destroy();
        DcnFail("sample ", sample.index, ": ", error.what());
    }
    network->Run();
    sample.fctNs = network->GetFctNs();
    m_dataPacketHops += network->GetDataPacketHops();
    network->Dispose();
    Simulator::Destroy();
    for (std::size_t flow = 0; flow < nFlows; ++flow)
    {
        if (sample.fctNs[flow] < 0)
        {
            sample.flags[flow] |= DcnDatasetSample::UNFINISHED;
        }
    }
    m_sample = nullptr;
}

uint64_t
DcnDatasetRecorder::GetDataPacketHops() const
{
    return m_dataPacketHops;
}

void
DcnDatasetRecorder::OnStarted(Ptr<const DcnPacketFlow> flow)
{
    m_sample->queueBytes[m_hopOffsets[flow->GetIndex()]] =
        0; // a source sends when its link is free
    m_actives.push_back(PeekPointer(flow));
    AddEvent(flow->GetIndex(), true);
}

void
DcnDatasetRecorder::OnDelivered(Ptr<const DcnPacketFlow> flow)
{
    if (flow->GetRetransmittedBytes() > 0)
    {
        m_sample->flags[flow->GetIndex()] |= DcnDatasetSample::RESENT;
    }
    if (m_dense)
    {
        m_actives.erase(std::find(m_actives.begin(), m_actives.end(), PeekPointer(flow)));
        AddEvent(flow->GetIndex(), false);
    }
}

void
DcnDatasetRecorder::OnFirstPacket(Ptr<const DcnPacketFlow> flow,
                                  std::size_t hop,
                                  uint64_t queueBytes)
{
    m_sample->queueBytes[m_hopOffsets[flow->GetIndex()] + hop] = static_cast<int64_t>(queueBytes);
}

void
DcnDatasetRecorder::AddEvent(std::size_t flow, bool arrival)
{
    m_sample->events.push_back(
        {Simulator::Now().GetNanoSeconds(), static_cast<uint32_t>(flow), arrival});
    std::vector<DcnDatasetSample::Active> actives;
    actives.reserve(m_actives.size());
    for (const DcnPacketFlow* active : m_actives)
    {
        actives.push_back({static_cast<uint32_t>(active->GetIndex()),
                           active->GetSizeBytes() - active->GetReceivedBytes()});
    }
    m_sample->actives.push_back(std::move(actives));
}

} // namespace ns3
