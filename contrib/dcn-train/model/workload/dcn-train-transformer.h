/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_TRANSFORMER_H
#define DCN_TRAIN_TRANSFORMER_H

#include "ns3/dcn-train-collective.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Shape of a transformer.
 *
 * With h, f, k = kvHeads / heads, m matrices in a feed-forward block, V the vocabulary and E
 * experts:
 *
 *     attention parameters of a layer      2 h^2 (1 + k)
 *     feed-forward parameters of a layer   m h f E         (E = 1 without experts)
 *     embedding, and output layer          h V each
 */
struct DcnTrainTransformer
{
    uint32_t layers{0};     //!< number of layers
    uint64_t hidden{0};     //!< h, width of the model
    uint64_t ffn{0};        //!< f, width of the feed-forward block
    uint32_t matrices{2};   //!< m: 2, or 3 for gated feed-forward blocks
    uint32_t heads{0};      //!< attention heads
    uint32_t kvHeads{0};    //!< heads of keys and values
    uint64_t vocabulary{0}; //!< V
    uint64_t sequence{0};   //!< s, tokens of a sequence
    uint32_t experts{1};    //!< E
    uint32_t topK{1};       //!< experts that a token goes to
    bool isTied{false};     //!< the output layer is the embedding

    /// @return names of the models that Preset knows
    static std::vector<std::string> GetPresets();

    /**
     * @brief The shape of a published model.
     *
     * gpt3-6.7b, gpt3-13b, gpt3-175b: T. Brown et al., "Language Models are Few-Shot Learners",
     * 2020, table 2.1. llama2-7b, -13b, -70b: H. Touvron et al., "Llama 2", 2023. llama3-8b, -70b,
     * -405b: A. Dubey et al., "The Llama 3 Herd of Models", 2024, table 3. mixtral-8x7b: A. Jiang
     * et al., "Mixtral of Experts", 2024, table 1. megatron-1t: D. Narayanan et al., "Efficient
     * Large-Scale Language Model Training on GPU Clusters Using Megatron-LM", SC 2021, table 1.
     *
     * @param name see GetPresets
     * @return the shape
     * @throws DcnError for another name
     */
    static DcnTrainTransformer Preset(const std::string& name);

    /// @return attention parameters of a layer
    double GetAttentionParameters() const;
    /// @return feed-forward parameters of a layer, of all experts
    double GetFeedForwardParameters() const;
    /// @return parameters of the model, without biases and norms
    double GetParameters() const;
};

/**
 * @ingroup dcn-train
 * @brief How a transformer is trained: a generator of dependency graphs.
 *
 * **Ranks.** tensor x pipeline x data ranks; rank t + tensor (d + data p) is number t of the tensor
 * group, d of the data group and p of the pipeline, as in Megatron-LM. Experts are divided among
 * groups of `expert` successive ranks of a data group.
 *
 * **Computation.** A layer's forward pass over the b s tokens of a micro-batch takes
 *
 *     attention      b s (4 h^2 (1 + k) + 4 s h) / tensor     FLOP
 *     feed-forward   b s 2 m h f topK / tensor                FLOP
 *
 * and the output layer, on the last stage, 2 b s h V / tensor: two FLOP for each parameter and
 * token, and 4 s h for each token's scores and values (Narayanan et al., SC 2021, appendix). The
 * backward pass takes twice that, three times with recomputation. Times are FLOP / (peakFlops x
 * efficiency), rounded to ns.
 *
 * **Communication.** c bytes a value, g bytes a gradient:
 *
 *     tensor     all-reduce of b s h c after the attention and the feed-forward block, forward and
 *                backward (M. Shoeybi et al., "Megatron-LM", 2019); with sequence parallelism
 *                all-gather before and reduce-scatter after each (V. Korthikanti et al., 2022)
 *     pipeline   b s h c (over tensor with sequence parallelism) to the next stage for each
 *                micro-batch, and back: schedule 1F1B (Narayanan et al.): stage p of P makes
 *                min(P - 1 - p, micro-batches) forward passes first
 *     expert     all-to-all of b s h c topK (over tensor with sequence parallelism) before and
 * after the feed-forward block, forward and backward (D. Lepikhin et al., "GShard", 2020) data
 * all-reduce of the gradients of each layer, g bytes a parameter of the rank, when the backward
 * pass of the last micro-batch has left the layer: it overlaps with that of the layers before. With
 * sharded optimizer states: reduce-scatter of the gradients, then, when all are there, all-gather
 * of the parameters (S. Rajbhandari et al., "ZeRO", 2020, stage 1). Expert parameters are reduced
 * among the ranks with the same experts
 *
 * The reductions of a group follow each other. An iteration ends when all ranks have their
 * gradients (and parameters), and the next one begins rank by rank.
 */
struct DcnTrainPlan
{
    uint32_t tensor{1};             //!< ranks of a tensor group
    uint32_t pipeline{1};           //!< stages P
    uint32_t data{1};               //!< replicas
    uint32_t expert{1};             //!< ranks that share the experts
    bool isSequenceParallel{false}; //!< see above
    bool isSharded{false};          //!< optimizer states are sharded
    bool isRecomputed{false};       //!< activations are recomputed
    uint32_t microBatch{1};         //!< b, sequences of a micro-batch
    uint32_t globalBatch{0};        //!< sequences of an iteration; 0: data x pipeline x microBatch
    uint32_t iterations{1};         //!< iterations of the graph
    uint32_t valueBytes{2};         //!< c
    uint32_t gradientBytes{2};      //!< g
    double peakFlops{312e12};       //!< of a rank [FLOP/s]: NVIDIA A100, BF16, data sheet
    double efficiency{0.5};         //!< fraction of it that computation reaches, (0, 1]
    DcnTrainCollective tensorCollective; //!< algorithm, channels, chunks of the tensor groups
    DcnTrainCollective dataCollective;   //!< of the data groups
    DcnTrainCollective expertCollective; //!< of the all-to-all

    /// @return number of ranks
    uint32_t GetNRanks() const;

    /**
     * @brief Generate the graph.
     * @param model the transformer
     * @param name of the graph
     * @return the graph
     * @throws DcnError if the model cannot be divided so: layers by stages, heads by tensor ranks,
     * experts and data ranks by expert ranks, the global batch by data ranks and micro-batches; or
     * if a number is out of range
     */
    std::shared_ptr<DcnTrainGraph> MakeGraph(const DcnTrainTransformer& model,
                                             const std::string& name = "transformer") const;
};

} // namespace ns3

#endif /* DCN_TRAIN_TRANSFORMER_H */
