/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-collector.h"

#include "ns3/dcn-csv.h"

#include <iomanip>
#include <iostream>

namespace ns3
{

namespace
{

/**
 * Write a time that may not have come.
 * @param csv where to
 * @param timeNs the time [ns]
 */
void
WriteTime(std::ostream& csv, int64_t timeNs)
{
    if (timeNs == DcnFlowRecord::NONE)
    {
        csv << ",nan";
    }
    else
    {
        csv << ',' << timeNs;
    }
}

} // namespace

std::vector<std::string>
DcnCollector::Write(const std::string& folder)
{
    Finish();
    DcnMakeFolder(folder);
    std::vector<std::string> written;
    if (!m_probes.empty())
    {
        written.push_back(folder + "/queues.csv");
        WriteQueues(written.back());
    }
    if (!m_flowRecords.empty())
    {
        written.push_back(folder + "/flow-records.csv");
        WriteFlows(written.back());
    }
    if (!m_firstPacketRecords.empty())
    {
        written.push_back(folder + "/first-packets.csv");
        WriteFirstPackets(written.back());
    }
    if (!m_remaining.events.empty())
    {
        written.push_back(folder + "/remaining.csv");
        WriteRemaining(written.back());
    }
    return written;
}

void
DcnCollector::WriteQueues(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    csv << "queue,layer,start_ns,end_ns,in_bytes,in_packets,out_bytes,out_packets,marks,drops,"
           "pauses,max_bytes,mean_bytes\n"
        << std::fixed << std::setprecision(1);
    for (const auto& probe : m_probes)
    {
        for (const auto& record : probe->GetRecorder().GetRecords())
        {
            csv << probe->GetName() << ',' << probe->GetLayer() << ',' << record.startNs << ','
                << record.endNs << ',' << record.inBytes << ',' << record.inPackets << ','
                << record.outBytes << ',' << record.outPackets << ',' << record.marks << ','
                << record.drops << ',' << record.pauses << ',' << record.maxBytes << ','
                << record.meanBytes << '\n';
        }
    }
    file.Commit();
}

void
DcnCollector::WriteFlows(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    const DcnTopology& topology = m_scenario->GetTopology();
    csv << "flow_id,src,dst,size_bytes,start_ns,first_byte_ns,last_byte_ns,fct_ns,received_bytes,"
           "retransmitted_bytes,path\n";
    for (std::size_t i = 0; i < m_flowRecords.size(); ++i)
    {
        const DcnFlowRecord& record = m_flowRecords[i];
        if (record.startNs == DcnFlowRecord::NONE)
        {
            continue;
        }
        const DcnFlow& flow = m_scenario->GetFlows()[i];
        csv << flow.id << ',' << topology.GetExternalId(flow.src) << ','
            << topology.GetExternalId(flow.dst) << ',' << flow.sizeBytes << ',' << record.startNs;
        WriteTime(csv, record.firstByteNs);
        WriteTime(csv, record.lastByteNs);
        WriteTime(csv, record.GetFctNs());
        csv << ',' << record.receivedBytes << ',' << record.retransmittedBytes << ','
            << topology.GetExternalId(flow.src);
        for (uint32_t link : m_scenario->GetPath(i))
        {
            csv << '-' << topology.GetExternalId(topology.GetLink(link).to);
        }
        csv << '\n';
    }
    file.Commit();
}

void
DcnCollector::WriteFirstPackets(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    const DcnTopology& topology = m_scenario->GetTopology();
    csv << "flow_id,hop,link,time_ns,queue_bytes\n";
    for (const auto& record : m_firstPacketRecords)
    {
        csv << m_scenario->GetFlows()[record.flow].id << ',' << record.hop << ','
            << topology.DescribeLink(m_scenario->GetPath(record.flow)[record.hop]) << ','
            << record.timeNs << ',' << record.queueBytes << '\n';
    }
    file.Commit();
}

void
DcnCollector::WriteRemaining(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    const auto& flows = m_scenario->GetFlows();
    csv << "event,time_ns,kind,event_flow_id,flow_id,remaining_bytes,rate_bps\n";
    for (std::size_t e = 0; e < m_remaining.events.size(); ++e)
    {
        const auto& event = m_remaining.events[e];
        for (std::size_t i = m_remaining.offsets[e]; i < m_remaining.offsets[e + 1]; ++i)
        {
            csv << e << ',' << event.timeNs << (event.isArrival ? ",arrival," : ",completion,")
                << flows[event.flow].id << ',' << flows[m_remaining.flows[i]].id << ','
                << m_remaining.bytes[i] << ',';
            if (m_remaining.ratesBps[i] == 0)
            {
                csv << "nan\n";
            }
            else
            {
                csv << m_remaining.ratesBps[i] << '\n';
            }
        }
    }
    file.Commit();
    if (m_remaining.isCut)
    {
        std::cerr << path << " ends before its " << m_maxRemainingEntries
                  << " entries (MaxRemainingEntries) would have been exceeded" << std::endl;
    }
}

} // namespace ns3
