/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_ESTIMATOR_H
#define DCN_PACKET_ESTIMATOR_H

#include "ns3/dcn-estimator.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Method "packet": the packet-level simulation, the ground truth of all other methods.
 *
 * Runs the ns-3 simulator from its present time, in a process of its own where events of the user's
 * simulation are pending, until every flow has been delivered or nothing moves, or until the flow
 * of the attribute LastFlow has, or until the simulated time of the attribute StopTime: others are
 * then without a completion time. With InFlightPerRack the flows are those of a closed loop, with
 * DcnEstimate::releaseNs. The devices stay on the nodes, unused. Simulator::Destroy is the
 * caller's. With Queues, a DcnCollector records the queues; the completion times do not depend on
 * it. With Threads and LosslessHeadroom, see DcnPacketNetwork. Where packets are lost although PFC
 * is on, a note names LosslessHeadroom.
 */
class DcnPacketEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;
    bool IsGroundTruth() const override;
    bool HasManyPaths() const override;
    /// @return digest of the engine with its attribute defaults: DcnPacketEngineDigest
    std::string GetDigest() const override;
    double ForecastSeconds(const DcnWork& work) const override;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;
    /// Simulates in this process, whose simulator has no events.
    void Simulate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) const;
    /// @return length of the intervals of queue records
    Time GetQueueInterval(const DcnScenario& scenario) const;

    static constexpr uint64_t ALL_FLOWS = UINT64_MAX; //!< of LastFlow

    uint64_t m_seed;            //!< of the random marking
    uint64_t m_lastFlow;        //!< attribute LastFlow
    Time m_stopTime;            //!< attribute StopTime, 0: none
    uint32_t m_inFlightPerRack; //!< attribute, 0: open loop
    uint32_t m_nThreads;        //!< attribute Threads, 0: one
    uint32_t m_nPartitions;     //!< attribute Partitions, 0: four for each thread, one for one
    bool m_skips;               //!< attribute Skip
    bool m_losslessHeadroom;    //!< attribute LosslessHeadroom; false: as the network's default
    std::string m_queues;       //!< attribute Queues
    Time m_queueInterval;       //!< attribute QueueInterval
};

} // namespace ns3

#endif /* DCN_PACKET_ESTIMATOR_H */
