/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-astra-network.h"

#include "ns3/dcn-error.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3
{

DcnAstraRun::DcnAstraRun(Ptr<DcnTrainMessages> messages, uint32_t nRanks, uint64_t linkBps)
    : m_messages(messages),
      m_finishedNs(nRanks, -1),
      m_linkBps(linkBps)
{
}

DcnTrainMessages&
DcnAstraRun::GetMessages()
{
    return *m_messages;
}

void
DcnAstraRun::FinishRank(uint32_t rank)
{
    if (m_finishedNs[rank] < 0)
    {
        m_finishedNs[rank] = Simulator::Now().GetNanoSeconds();
        if (++m_nFinished == m_finishedNs.size())
        {
            Simulator::Stop();
        }
    }
}

const std::vector<int64_t>&
DcnAstraRun::GetFinishedNs() const
{
    return m_finishedNs;
}

uint32_t
DcnAstraRun::GetNFinished() const
{
    return m_nFinished;
}

uint64_t
DcnAstraRun::GetLinkBps() const
{
    return m_linkBps;
}

DcnAstraNetwork::DcnAstraNetwork(uint32_t rank, DcnAstraRun& run)
    : AstraNetworkAPI(static_cast<int>(rank)),
      m_run(run)
{
}

uint32_t
DcnAstraNetwork::GetRank() const
{
    return static_cast<uint32_t>(rank);
}

int
DcnAstraNetwork::sim_send(void* /* buffer */,
                          uint64_t count,
                          int /* type */,
                          int dst,
                          int tag,
                          AstraSim::sim_request* /* request */,
                          void (*msg_handler)(void* fun_arg),
                          void* fun_arg)
{
    m_run.GetMessages().Send(GetRank(),
                             static_cast<uint32_t>(dst),
                             static_cast<uint32_t>(tag),
                             count,
                             [msg_handler, fun_arg]() { msg_handler(fun_arg); });
    return 0;
}

int
DcnAstraNetwork::sim_recv(void* /* buffer */,
                          uint64_t count,
                          int /* type */,
                          int src,
                          int tag,
                          AstraSim::sim_request* /* request */,
                          void (*msg_handler)(void* fun_arg),
                          void* fun_arg)
{
    m_run.GetMessages().Receive(GetRank(),
                                static_cast<uint32_t>(src),
                                static_cast<uint32_t>(tag),
                                count,
                                [msg_handler, fun_arg]() { msg_handler(fun_arg); });
    return 0;
}

void
DcnAstraNetwork::sim_schedule(AstraSim::timespec_t delta,
                              void (*fun_ptr)(void* fun_arg),
                              void* fun_arg)
{
    long double ns = delta.time_val;
    switch (delta.time_res)
    {
    case AstraSim::SE:
        ns *= 1e9L;
        break;
    case AstraSim::MS:
        ns *= 1e6L;
        break;
    case AstraSim::US:
        ns *= 1e3L;
        break;
    case AstraSim::NS:
        break;
    case AstraSim::FS:
        ns *= 1e-6L;
        break;
    }
    if (!(ns >= 0 && ns < 9e18L))
    {
        DcnFail("ASTRA-sim schedules an event of rank ",
                rank,
                " after ",
                ns,
                " ns, which is not a time from now on");
    }
    Simulator::Schedule(NanoSeconds(std::llround(ns)), fun_ptr, fun_arg);
}

AstraSim::timespec_t
DcnAstraNetwork::sim_get_time()
{
    return {AstraSim::NS, static_cast<long double>(Simulator::Now().GetNanoSeconds())};
}

double
DcnAstraNetwork::get_BW_at_dimension(int /* dim */)
{
    return static_cast<double>(m_run.GetLinkBps()) / 8e9; // GB/s, as ASTRA-sim's own back end
}

void
DcnAstraNetwork::sim_notify_finished()
{
    m_run.FinishRank(GetRank());
}

} // namespace ns3
