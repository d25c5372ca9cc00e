/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_JOB_OPTIONS_H
#define DCN_TRAIN_JOB_OPTIONS_H

#include "ns3/dcn-recipe.h"
#include "ns3/dcn-train-graph.h"
#include "ns3/dcn-train-protocols.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief A graph, and what is known of the training that it is.
 */
struct DcnTrainWork
{
    std::shared_ptr<DcnTrainSource> source; //!< the graph
    double tokens{0};                       //!< of an iteration; 0: not known
    double efficiency{0}; //!< FLOP/s while a rank computes by its peak; 0: not known
};

/**
 * @ingroup dcn-train
 * @brief What a job runs, as keys: a graph, a transformer, a trace of another tool or a collective.
 */
class DcnTrainJobOptions
{
  public:
    /** @return the table of keys, for DcnRecipe and DcnKeyOptions. */
    static const DcnRecipe::Keys& GetKeys();

    /**
     * @brief Make the graph of a job.
     * @param options a recipe with the keys of GetKeys, and perhaps others
     * @param servers of the hosts that the job may have, by rank
     * @param notes gets lines of what was read without effect, and of assumptions
     * @param offer these hosts in words, such as "4 free hosts of 16"; empty: "4 hosts"
     * @return the graph
     * @throws DcnError for a bad value, a key without effect, and more ranks than hosts
     */
    static DcnTrainWork MakeWork(const DcnRecipe& options,
                                 const DcnTrainServers& servers,
                                 std::vector<std::string>& notes,
                                 const std::string& offer = "");
};

} // namespace ns3

#endif /* DCN_TRAIN_JOB_OPTIONS_H */
