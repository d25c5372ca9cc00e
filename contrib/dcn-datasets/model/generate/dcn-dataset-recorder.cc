/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-recorder.h"

#include "ns3/boolean.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <limits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDatasetRecorder");

namespace
{

/**
 * Add queues and events to a sample.
 * @param collector the records
 * @param sample a sample with queueBytes of the right length
 */
void
AddDense(const DcnCollector& collector, DcnDatasetSample& sample)
{
    std::vector<std::size_t> offsets; // by flow: its first entry in queueBytes
    std::size_t next = 0;
    for (std::size_t flow = 0; flow < sample.scenario->GetFlows().size(); ++flow)
    {
        offsets.push_back(next);
        next += sample.scenario->GetPath(flow).size();
        if (collector.GetFlowRecords()[flow].startNs != DcnFlowRecord::NONE)
        {
            sample.queueBytes[offsets[flow]] = 0; // a source sends when its link is free
        }
    }
    for (const DcnFirstPacketRecord& record : collector.GetFirstPackets())
    {
        sample.queueBytes[offsets[record.flow] + record.hop] =
            static_cast<int64_t>(record.queueBytes);
    }
    const DcnRemainingRecords& remaining = collector.GetRemaining();
    for (std::size_t e = 0; e < remaining.events.size(); ++e)
    {
        const auto& event = remaining.events[e];
        sample.events.push_back({event.timeNs, event.flow, event.isArrival});
        std::vector<DcnDatasetSample::Active> actives;
        actives.reserve(remaining.offsets[e + 1] - remaining.offsets[e]);
        for (std::size_t i = remaining.offsets[e]; i < remaining.offsets[e + 1]; ++i)
        {
            actives.push_back({remaining.flows[i], remaining.bytes[i]});
        }
        sample.actives.push_back(std::move(actives));
    }
}

} // namespace

DcnDatasetRecorder::DcnDatasetRecorder(bool hops, bool dense, const std::string& engine)
    : m_hops(hops),
      m_dense(hops && dense),
      m_engine(DcnDatasetEngine::Create(engine))
{
}

void
DcnDatasetRecorder::Simulate(DcnDatasetSample& sample)
{
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->SetAttribute("Queues", BooleanValue(false));
    collector->SetAttribute("FirstPackets", BooleanValue(m_dense));
    collector->SetAttribute("RemainingBytes", BooleanValue(m_dense));
    collector->SetAttribute("MaxRemainingEntries",
                            UintegerValue(std::numeric_limits<uint64_t>::max()));
    try
    {
        m_dataPacketHops += m_engine->Simulate(sample.scenario, sample.seed, collector);
    }
    catch (const DcnError& error)
    {
        Simulator::Destroy();
        DcnFail("sample ", sample.index, ": ", error.what());
    }
    Take(*collector, sample);
    Simulator::Destroy();
}

void
DcnDatasetRecorder::Take(const DcnCollector& collector, DcnDatasetSample& sample) const
{
    const std::size_t nFlows = sample.scenario->GetFlows().size();
    sample.flags.resize(nFlows, 0);
    sample.queueBytes.clear();
    sample.events.clear();
    sample.actives.clear();
    for (std::size_t flow = 0; m_hops && flow < nFlows; ++flow)
    {
        sample.queueBytes.resize(sample.queueBytes.size() + sample.scenario->GetPath(flow).size(),
                                 DcnDatasetSample::NEVER_THERE);
    }
    sample.fctNs = collector.GetFctNs();
    if (m_dense)
    {
        AddDense(collector, sample);
    }
    uint64_t nUnfinished = 0;
    for (std::size_t flow = 0; flow < nFlows; ++flow)
    {
        if (sample.fctNs[flow] < 0)
        {
            sample.flags[flow] |= DcnDatasetSample::UNFINISHED;
            ++nUnfinished;
        }
        else if (collector.GetFlowRecords()[flow].retransmittedBytes > 0)
        {
            sample.flags[flow] |= DcnDatasetSample::RESENT;
        }
    }
    NS_LOG_INFO("sample " << sample.index << ": " << nFlows << " flows, " << nUnfinished
                          << " unfinished, " << sample.events.size() << " events");
}

} // namespace ns3
