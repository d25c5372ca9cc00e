/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-timeline.h"

#include "ns3/simulator.h"

#include <cstdio>

namespace ns3
{

namespace
{

/// @return a time in us, exactly
std::string
ToUs(int64_t ns)
{
    char text[32];
    std::snprintf(text,
                  sizeof(text),
                  "%lld.%03lld",
                  static_cast<long long>(ns / 1000),
                  static_cast<long long>(ns % 1000));
    return text;
}

} // namespace

DcnTrainTimeline::DcnTrainTimeline(const std::string& path,
                                   Ptr<DcnTrainExecutor> executor,
                                   const DcnTrainSource& source,
                                   uint64_t mostEvents)
    : m_file(path),
      m_source(source),
      m_mostEvents(mostEvents)
{
    m_file.Stream() << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    for (uint32_t rank = 0; rank < source.GetNRanks(); ++rank)
    {
        m_file.Stream() << (rank > 0 ? ",\n" : "\n") << R"({"name":"process_name","ph":"M","pid":)"
                        << rank << R"(,"args":{"name":"rank )" << rank << "\"}}";
    }
    executor->TraceConnectWithoutContext("NodeFinished",
                                         MakeCallback(&DcnTrainTimeline::OnFinished, this));
}

void
DcnTrainTimeline::OnFinished(uint32_t rank, uint32_t number, const DcnTrainNode& node, Time start)
{
    if (node.kind == DcnTrainKind::JOIN)
    {
        return;
    }
    m_isCut = m_isCut || m_nEvents >= m_mostEvents;
    if (m_isCut)
    {
        return;
    }
    const int64_t startNs = start.GetNanoSeconds();
    const int64_t endNs = Simulator::Now().GetNanoSeconds();
    const char* kind = node.kind == DcnTrainKind::COMPUTE ? "compute"
                       : node.kind == DcnTrainKind::SEND  ? "send"
                                                          : "receive";
    const std::string name = DcnQuoteJson(node.operation == DcnTrainNode::NO_OPERATION
                                              ? kind
                                              : m_source.GetOperations()[node.operation].name);
    std::ostream& out = m_file.Stream();
    const std::string args = "\"args\":{\"node\":" + std::to_string(number);
    if (node.kind == DcnTrainKind::COMPUTE)
    {
        out << ",\n{\"name\":" << name << R"(,"cat":"compute","ph":"X","ts":)" << ToUs(startNs)
            << ",\"dur\":" << ToUs(endNs - startNs) << ",\"pid\":" << rank
            << ",\"tid\":" << node.stream << ',' << args << "}}";
        ++m_nEvents;
        return;
    }
    const uint64_t id = m_nMessages++;
    auto write = [&](char phase, int64_t timeNs) {
        out << ",\n{\"name\":" << name << ",\"cat\":\"" << kind << "\",\"ph\":\"" << phase
            << "\",\"id\":" << id << ",\"ts\":" << ToUs(timeNs) << ",\"pid\":" << rank
            << ",\"tid\":" << node.stream;
        if (phase == 'b')
        {
            out << ',' << args << ",\"peer\":" << node.peer << ",\"bytes\":" << node.bytes << '}';
        }
        out << '}';
        ++m_nEvents;
    };
    write('b', startNs);
    write('e', endNs);
}

void
DcnTrainTimeline::Commit()
{
    m_file.Stream() << "\n]}\n";
    m_file.Commit();
}

bool
DcnTrainTimeline::IsCut() const
{
    return m_isCut;
}

uint64_t
DcnTrainTimeline::GetNEvents() const
{
    return m_nEvents;
}

} // namespace ns3
