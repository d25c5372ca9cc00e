/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ASTRA_NETWORK_H
#define DCN_ASTRA_NETWORK_H

#include "ns3/dcn-train-messages.h"

#include <astra-sim/common/AstraNetworkAPI.hh>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @brief What the ranks of a run of ASTRA-sim share.
 */
class DcnAstraRun
{
  public:
    /**
     * @param messages carries the messages of all ranks
     * @param nRanks number of ranks
     * @param linkBps rate of a host's link [bit/s], which ASTRA-sim's schedulers may ask for
     */
    DcnAstraRun(Ptr<DcnTrainMessages> messages, uint32_t nRanks, uint64_t linkBps);

    /** @return the messages. */
    DcnTrainMessages& GetMessages();

    /**
     * @brief A rank has carried out its workload; the last one stops the simulation.
     * @param rank a rank
     */
    void FinishRank(uint32_t rank);

    /** @return time at which each rank finished [ns]; -1: it has not. */
    const std::vector<int64_t>& GetFinishedNs() const;

    /** @return number of ranks that have finished. */
    uint32_t GetNFinished() const;

    /** @return rate of a host's link [bit/s]. */
    uint64_t GetLinkBps() const;

  private:
    Ptr<DcnTrainMessages> m_messages;  //!< carries the messages
    std::vector<int64_t> m_finishedNs; //!< by rank
    uint32_t m_nFinished{0};           //!< ranks
    uint64_t m_linkBps;                //!< see GetLinkBps
};

/**
 * @brief A rank's network in ASTRA-sim 2, on packets, fluids or m4.
 *
 * ASTRA-sim 2 (W. Won et al., ISPASS 2023) asks its network back end for messages and for events,
 * by the interface AstraNetworkAPI, an object for each rank:
 *
 *     sim_send      sends bytes now; its handler is called when the sender has the acknowledgement
 *     sim_recv      its handler is called when the bytes have arrived
 *     sim_schedule  calls a function after a time, by an event of ns-3 in whole nanoseconds
 *     sim_get_time  simulation time [ns]
 *
 * DcnTrainMessages pairs sends and receives. All messages from a rank to another use one
 * connection: as flows of their own, messages of a ring would share the sender's link, arrive
 * together and bunch up. No handler is called within sim_send or sim_recv.
 */
class DcnAstraNetwork : public AstraSim::AstraNetworkAPI
{
  public:
    /**
     * @param rank its rank
     * @param run shared with the other ranks; outlives this object
     */
    DcnAstraNetwork(uint32_t rank, DcnAstraRun& run);

    int sim_send(void* buffer,
                 uint64_t count,
                 int type,
                 int dst,
                 int tag,
                 AstraSim::sim_request* request,
                 void (*msg_handler)(void* fun_arg),
                 void* fun_arg) override;
    int sim_recv(void* buffer,
                 uint64_t count,
                 int type,
                 int src,
                 int tag,
                 AstraSim::sim_request* request,
                 void (*msg_handler)(void* fun_arg),
                 void* fun_arg) override;
    void sim_schedule(AstraSim::timespec_t delta,
                      void (*fun_ptr)(void* fun_arg),
                      void* fun_arg) override;
    AstraSim::timespec_t sim_get_time() override;
    double get_BW_at_dimension(int dim) override;
    void sim_notify_finished() override;

  private:
    /// @return this rank
    uint32_t GetRank() const;

    DcnAstraRun& m_run; //!< shared
};

} // namespace ns3

#endif /* DCN_ASTRA_NETWORK_H */
