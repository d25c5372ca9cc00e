/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_CLUSTER_OPTIONS_H
#define DCN_TRAIN_CLUSTER_OPTIONS_H

#include "dcn-train-cluster.h"
#include "dcn-train-network-options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Jobs and background of a cluster, as the user writes them.
 *
 * Jobs are joined by ';', or the lines of a file (blank lines and those that begin with '#' are
 * skipped). A job is "key=value" joined by commas, with the keys of DcnTrainJobOptions, and
 *
 *     name       for results; job0, job1, ... without it
 *     start      its arrival (0ns)
 *     placement  see DcnTrainPlacement (packed); jobs are placed in their order
 *
 * Background is "key=value" joined by commas: sizes, matrix, load, sigma, duration, start and seed,
 * as the options of these names of dcn-compare.
 */
class DcnTrainClusterOptions
{
  public:
    /**
     * @brief Make jobs.
     * @param text see above, or the path of a file
     * @param network the network that they run on
     * @param seed of random placements, of which there must then be one; none: 1
     * @param unused gets lines of what was read without effect
     * @return the jobs, on hosts of their own
     * @throws DcnError for a bad value, a key without effect, and too few hosts
     */
    static std::vector<DcnTrainJob> MakeJobs(const std::string& text,
                                             const DcnTrainNetworkOptions::Network& network,
                                             std::optional<uint64_t> seed,
                                             std::vector<std::string>& unused);

    /**
     * @brief Make the background.
     * @param text see above; empty: none
     * @param network the network
     * @return its flows
     * @throws DcnError for a bad value
     */
    static std::vector<DcnFlow> MakeBackground(const std::string& text,
                                               const DcnTrainNetworkOptions::Network& network);
};

} // namespace ns3

#endif /* DCN_TRAIN_CLUSTER_OPTIONS_H */
