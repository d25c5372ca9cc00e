/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_CHAKRA_H
#define DCN_TRAIN_CHAKRA_H

#include "ns3/dcn-train-assembler.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Reads Chakra execution traces (MLCommons), the workloads of ASTRA-sim 2: a file
 * PREFIX.RANK.et for each rank.
 *
 * A file is a sequence of messages of Protocol Buffers, each after its length as a varint: first
 * GlobalMetadata, then a Node each. The schema is that of mlcommons/chakra
 * (schema/protobuf/et_def.proto). What counts:
 *
 *     type 4 compute      duration_micros, else the attribute num_ops over peakFlops
 *     type 5, 6           send and receive: attributes comm_size, comm_src, comm_dst, comm_tag
 *     type 7 collective   attributes comm_type (0 all-reduce, 2 all-gather, 5 broadcast, 6
 *                         all-to-all, 7 reduce-scatter), comm_size [bytes], pg_name
 *     all others          cost nothing
 *
 * and data_deps and ctrl_deps. comm_size of an all-gather is what a member contributes, as in
 * ASTRA-sim; S of DcnTrainCollective is n times that. Communicator groups are in a JSON file of
 * ASTRA-sim, {"name": [ranks]}; without a name, or with the name "0", all ranks are one group.
 * Other names need the file. Ranks have one dimension: a collective of some dimensions alone
 * (involved_dim) is refused.
 */
struct DcnTrainChakra
{
    /**
     * @param prefix path of the files without .RANK.et
     * @return number of ranks, which are 0 to this number less 1
     * @throws DcnError if there is no file, or one is missing among them
     */
    static uint32_t CountRanks(const std::string& prefix);

    /**
     * @brief Read all ranks.
     * @param prefix path of the files without .RANK.et
     * @param groups path of the JSON file of communicator groups; empty: none
     * @param options what the format leaves open
     * @return the graph, and what has no effect
     * @throws DcnError naming file, node and value for bad input
     */
    static DcnTrainImport Read(const std::string& prefix,
                               const std::string& groups = "",
                               const DcnTrainImportOptions& options = {});
};

} // namespace ns3

#endif /* DCN_TRAIN_CHAKRA_H */
