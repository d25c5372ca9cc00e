/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_REPORT_H
#define DCN_TRAIN_REPORT_H

#include "dcn-train-executor.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Results of a run of a dependency graph.
 *
 * **Iterations.** The end of iteration k is that of the k-th operation of kind "iteration"; it
 * begins with the end of the one before, or the start of the run. A graph without such operations
 * is one iteration. A run that a failure has stopped has the iterations that were complete.
 *
 * **Exposed communication** of a rank: time in which it does not compute although a message from or
 * to it is on its way. It is *stalled* instead if such a message waits for a host that is cut off.
 * Time with none of these is idle: bubbles of pipelines, and waiting for others that compute.
 *
 * **Bandwidths** of a collective: DcnTrainCollective. Its duration runs from the start of its first
 * node to the end of its last one, over all ranks.
 */
struct DcnTrainRunResult
{
    /// A collective.
    struct Collective
    {
        uint32_t operation;   //!< index
        int64_t beginNs;      //!< first start [ns]
        int64_t durationNs;   //!< until the last end [ns]
        double algorithmGbps; //!< algorithm bandwidth [Gb/s]
        double busGbps;       //!< bus bandwidth [Gb/s]
    };

    /// A link that was used.
    struct Link
    {
        uint32_t link;      //!< directed link index
        uint64_t bytes;     //!< payload sent
        double utilisation; //!< payload and headers over rate and duration
    };

    /**
     * @param engine for files and tables
     * @param executor the run, finished
     * @param source the graph
     * @param topology the network
     * @param network its configuration, for headers
     */
    DcnTrainRunResult(const std::string& engine,
                      const DcnTrainExecutor& executor,
                      const DcnTrainSource& source,
                      const DcnTopology& topology,
                      const DcnNetworkParameters& network);

    /** @return mean duration of an iteration [ms]; NaN: none is complete. */
    double GetIterationMs() const;

    /**
     * @param time a member of RankTimes
     * @return its mean over the ranks [ms]
     */
    double GetMeanMs(int64_t DcnTrainExecutor::RankTimes::*time) const;

    /// Bus bandwidth of the collectives of a kind.
    struct Bus
    {
        uint32_t n{0};       //!< collectives
        uint64_t bytes{0};   //!< of all
        double meanGbps{0};  //!< mean over their durations [Gb/s]
        double leastGbps{0}; //!< of the slowest one [Gb/s]
    };

    /**
     * @param source the graph
     * @return by kind of collective
     */
    std::map<std::string, Bus> GetBus(const DcnTrainSource& source) const;

    std::string engine;                                  //!< its name
    std::string stop;                                    //!< sentence of a failure that stopped it
    int64_t durationNs;                                  //!< of the run
    std::vector<std::pair<int64_t, int64_t>> iterations; //!< begin and duration [ns]
    std::vector<DcnTrainExecutor::RankTimes> ranks;      //!< by rank
    std::vector<Collective> collectives;                 //!< in the order of the graph
    std::vector<Link> links;                             //!< the busiest first
};

/**
 * @ingroup dcn-train
 * @brief Write iterations.csv, ranks.csv, collectives.csv and links.csv (doc/schema.rst).
 * @param results one or more runs of a graph
 * @param source the graph
 * @param topology the network
 * @param folder where to write; it exists
 * @return names of the files
 * @throws DcnError if they cannot be written
 */
std::vector<std::string> DcnWriteTrainResults(const std::vector<DcnTrainRunResult>& results,
                                              const DcnTrainSource& source,
                                              const DcnTopology& topology,
                                              const std::string& folder);

} // namespace ns3

#endif /* DCN_TRAIN_REPORT_H */
