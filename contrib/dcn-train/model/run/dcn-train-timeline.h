/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_TIMELINE_H
#define DCN_TRAIN_TIMELINE_H

#include "dcn-train-executor.h"

#include "ns3/dcn-csv.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Writes a run as a timeline that trace viewers of browsers open (Perfetto,
 * chrome://tracing): Google's "Trace Event Format" in its JSON object form.
 *
 * A rank is a process. Compute nodes are complete events ("X") in a thread per stream. Sends and
 * receives may overlap, so they are pairs of asynchronous events ("b", "e"): a send from its start
 * to its acknowledgement, a receive from its start to the arrival. Times are in us with three
 * decimals, from the beginning of the simulation. Joins are left out.
 */
class DcnTrainTimeline
{
  public:
    /**
     * @brief Begin to write.
     * @param path the file; it gets its name by Commit
     * @param executor the run, before its start
     * @param source the graph, for the names of its operations
     * @param mostEvents nothing is written after as many events
     * @throws DcnError if it cannot be written
     */
    DcnTrainTimeline(const std::string& path,
                     Ptr<DcnTrainExecutor> executor,
                     const DcnTrainSource& source,
                     uint64_t mostEvents = UINT64_MAX);

    /**
     * @brief Complete the file.
     * @throws DcnError if something could not be written
     */
    void Commit();

    /** @return number of events written. */
    uint64_t GetNEvents() const;

    /** @return whether events are missing, since there are more than mostEvents. */
    bool IsCut() const;

  private:
    void OnFinished(uint32_t rank, uint32_t number, const DcnTrainNode& node, Time start);

    DcnFileWriter m_file;           //!< the file
    const DcnTrainSource& m_source; //!< the graph
    const uint64_t m_mostEvents;    //!< see the constructor
    bool m_isCut{false};            //!< see IsCut
    uint64_t m_nEvents{0};          //!< see GetNEvents
    uint64_t m_nMessages{0};        //!< numbers of asynchronous events
};

} // namespace ns3

#endif /* DCN_TRAIN_TIMELINE_H */
