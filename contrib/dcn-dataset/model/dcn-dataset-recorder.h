/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_RECORDER_H
#define DCN_DATASET_RECORDER_H

#include "dcn-dataset-sample.h"
#include "ns3/dcn-packet-flow.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Simulates the scenario of a sample packet by packet and adds the results to the sample.
 *
 * Events are the starts and completions of flows. The flows listed with an event are those that are
 * active just after it: the flow that starts is among them with its whole size, the one that is
 * complete is not. What remains of the others is the same just before it.
 */
class DcnDatasetRecorder
{
  public:
    /**
     * @param hops queues have a place, not only completion times
     * @param dense record queues and events; without, queues are NEVER_THERE and events missing
     */
    explicit DcnDatasetRecorder(bool hops, bool dense = true);

    /**
     * @brief Simulate; the simulator must be unused and is destroyed at the end.
     * @param sample as DcnDatasetSampler made it
     * @throws DcnError if the packet engine refuses the scenario
     */
    void Simulate(DcnDatasetSample& sample);

    /** @return data packets times links crossed, of all samples simulated. */
    uint64_t GetDataPacketHops() const;

  private:
    void OnStarted(Ptr<const DcnPacketFlow> flow);
    void OnDelivered(Ptr<const DcnPacketFlow> flow);
    void OnFirstPacket(Ptr<const DcnPacketFlow> flow, std::size_t hop, uint64_t queueBytes);
    void AddEvent(std::size_t flow, bool arrival);

    bool m_hops;                                 //!< queues have a place
    bool m_dense;                                //!< record queues and events
    uint64_t m_dataPacketHops{0};                //!< see GetDataPacketHops
    DcnDatasetSample* m_sample{nullptr};         //!< what is being recorded
    std::vector<std::size_t> m_hopOffsets;       //!< by flow: its first entry in queueBytes
    std::vector<const DcnPacketFlow*> m_actives; //!< flows under way, in the order of their start
};

} // namespace ns3

#endif /* DCN_DATASET_RECORDER_H */
