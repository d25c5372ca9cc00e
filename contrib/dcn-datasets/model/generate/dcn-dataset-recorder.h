/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_RECORDER_H
#define DCN_DATASET_RECORDER_H

#include "dcn-dataset-engine.h"

#include "ns3/dcn-dataset-sample.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

class DcnCollector;

/**
 * @ingroup dcn-dataset
 * @brief Lets an engine simulate the scenario of a sample (DcnDatasetEngine) and adds the results,
 * recorded by a DcnCollector, to the sample.
 *
 * Events are the starts and completions of flows. An event lists the flows that are active just
 * after it: a flow that starts is listed with its whole size, a flow that completes is not listed.
 */
class DcnDatasetRecorder
{
  public:
    /**
     * @param hops the sample has queueBytes (kind fabric)
     * @param dense record queues and events; false: queueBytes are NEVER_THERE, and there are no
     * events
     * @param engine for DcnDatasetEngine::Create
     * @throws DcnError as DcnDatasetEngine::Create
     */
    explicit DcnDatasetRecorder(bool hops,
                                bool dense = true,
                                const std::string& engine = DcnDatasetEngine::DEFAULT);

    /**
     * @brief Simulate; the simulator must be unused and is destroyed at the end.
     * @param sample a sample of DcnDatasetSampler
     * @throws DcnError if the engine refuses the scenario
     */
    void Simulate(DcnDatasetSample& sample);

    /**
     * @brief Take the results of a simulation that a collector has watched.
     * @param collector at the end of the simulation, which has watched all flows of the scenario
     * @param sample has the scenario; gets completion times, flags, queues and events
     */
    void Take(const DcnCollector& collector, DcnDatasetSample& sample) const;

    /** @return data packets times links crossed, of all samples simulated. */
    uint64_t GetDataPacketHops() const
    {
        return m_dataPacketHops;
    }

  private:
    bool m_hops;                                      //!< the sample has queueBytes
    bool m_dense;                                     //!< record queues and events
    std::unique_ptr<const DcnDatasetEngine> m_engine; //!< simulates
    uint64_t m_dataPacketHops{0};                     //!< see GetDataPacketHops
};

} // namespace ns3

#endif /* DCN_DATASET_RECORDER_H */
