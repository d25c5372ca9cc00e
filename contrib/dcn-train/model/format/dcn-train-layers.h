/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_LAYERS_H
#define DCN_TRAIN_LAYERS_H

#include "ns3/dcn-train-assembler.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Reads text workloads of ASTRA-sim 1.0 and SimAI (AICB): layers with their communication.
 *
 * The first line is the parallelism, for SimAI with keys and values; the second one the number of
 * layers; then a line for each layer:
 *
 *     name dependency  forward_ns type bytes  input_gradient_ns type bytes
 *                      weight_gradient_ns type bytes  update_ns
 *
 * **Ranks.** all_gpus N, or the option ranks; model_parallel_NPU_group t. Rank r is number r mod t
 * of tensor group r / t; ranks of equal number are a data group, and `ep` successive ones of these
 * an expert group.
 *
 * **Groups.** The policies HYBRID_TRANSFORMER and HYBRID_TRANSFORMER_FWD_IN_BCKWD have tensor
 * groups forward and for input gradients and data groups for weight gradients; DATA has all ranks
 * for weight gradients, MODEL and MICRO all ranks for everything; others are refused. A type with
 * _EP is of the expert groups, one with _DP_EP of the ranks with equal number in expert groups of a
 * data group.
 *
 * **Passes.** Forward: layer by layer, computation, then communication, which is waited for.
 * Backward, from the last layer: the same for input gradients; then the weight gradients are
 * computed, and their communication goes on while other layers compute. The iteration ends when all
 * is done and layers have been updated, update_ns each.
 *
 * Pipeline stages are not simulated: the ranks are those of one stage of `pp` stages, N / pp. A
 * type NONE, and a size of 0, is no communication. Sizes are in bytes, times in ns.
 */
struct DcnTrainLayers
{
    /**
     * @brief Read a file.
     * @param path the file
     * @param ranks number of ranks for a file without all_gpus; 0: all_gpus / pp
     * @param iterations number of iterations
     * @param options what the format leaves open
     * @return the graph, and keys and fields that have no effect
     * @throws DcnError naming file, line and value for bad input
     */
    static DcnTrainImport Read(const std::string& path,
                               uint32_t ranks = 0,
                               uint32_t iterations = 1,
                               const DcnTrainImportOptions& options = {});
};

} // namespace ns3

#endif /* DCN_TRAIN_LAYERS_H */
