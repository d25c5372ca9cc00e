/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_BACKEND_H
#define DCN_TORCH_BACKEND_H

#include "dcn-torch-graph-network.h"
#include "dcn-torch-set-network.h"
#include "dcn-torch-trainer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief A matrix of parameters.
 */
struct DcnTorchParameter
{
    std::string name; //!< unique in a network
    uint32_t rows;    //!< at least 1
    uint32_t columns; //!< at least 1
    float bound;      //!< drawn uniformly from [-bound, bound] at first
    bool decays;      //!< whether weight decay applies: to matrices, not to vectors
    float value;      //!< added to what is drawn
};

/**
 * @ingroup dcn-torch
 * @brief Parameters that AdamW trains, in one vector: the matrices row by row, in order.
 *
 * Here and below: what is behind the boundary to LibTorch. Nothing of ns-3 is on the other side,
 * and nothing of LibTorch on this one; errors there are std::runtime_error.
 */
class DcnTorchOldTrainer
{
  public:
    virtual ~DcnTorchOldTrainer() = default;
    /** @return the parameters. */
    virtual std::vector<float> GetWeights() const = 0;
    /** @return their exponential moving average, or themselves if none is kept. */
    virtual std::vector<float> GetAveragedWeights() const = 0;
    /** @return gradient of the last loss before clipping. */
    virtual std::vector<float> GetGradient() const = 0;
    /** @param weights new parameters; the average starts anew from them */
    virtual void SetWeights(const std::vector<float>& weights) = 0;
    /** @return state of AdamW: first moments, second moments, average; and the number of steps. */
    virtual std::vector<float> GetState(uint64_t& steps) const = 0;
    /**
     * @param state as from GetState
     * @param steps as from GetState
     */
    virtual void SetState(const std::vector<float>& state, uint64_t steps) = 0;
};

/**
 * @ingroup dcn-torch
 * @brief Lock-step events of a graph network, one after the other.
 */
struct DcnTorchGraphSegment
{
    /// Where things of a step begin in the vectors below.
    struct Offset
    {
        std::size_t flow;  //!< flow rows
        std::size_t link;  //!< link rows
        std::size_t edge;  //!< edges
        std::size_t clear; //!< rows of states to be cleared before
    };

    std::vector<Offset> offsets{{0, 0, 0, 0}}; //!< one more than steps
    std::vector<uint32_t> clearFlows;          //!< pairs first, last + 1
    std::vector<uint32_t> clearLinks;          //!< pairs first, last + 1, as many
    DcnTorchGraphNetwork::Step rows;           //!< all rows; edges count from their step's first
};

/**
 * @ingroup dcn-torch
 * @brief The other side of DcnTorchGraphNetwork.
 */
class DcnTorchGraphTrainer : public DcnTorchOldTrainer
{
  public:
    /**
     * @param nFlows rows of flow states
     * @param nLinks rows of link states
     * @param training whether gradients are needed
     */
    virtual void Begin(uint32_t nFlows, uint32_t nLinks, bool training) = 0;
    /**
     * @param segment what to run
     * @param predictions gets what is predicted for its rows at its end
     */
    virtual void Run(std::unique_ptr<DcnTorchGraphSegment> segment,
                     DcnTorchGraphNetwork::Predictions& predictions) = 0;
    /**
     * @param learningRate of AdamW
     * @return see DcnTorchGraphNetwork::Finish
     */
    virtual DcnTorchGraphNetwork::Losses Finish(double learningRate) = 0;
};

/**
 * @ingroup dcn-torch
 * @brief The other side of DcnTorchSetNetwork.
 */
class DcnTorchSetTrainer : public DcnTorchOldTrainer
{
  public:
    /**
     * @param batch with targets
     * @param training whether to make a step
     * @param learningRate of the step
     * @return the loss
     */
    virtual DcnTorchSetNetwork::Losses Run(const DcnTorchSetNetwork::Batch& batch,
                                           bool training,
                                           double learningRate) = 0;
    /**
     * @param batch targets are not looked at
     * @return the quantiles
     */
    virtual std::vector<float> Predict(const DcnTorchSetNetwork::Batch& batch) = 0;
};

/**
 * @ingroup dcn-torch
 * @brief What the library that uses LibTorch offers.
 */
class DcnTorchBackend : public DcnTorchPlugin
{
  public:
    static constexpr uint32_t VERSION = 5; //!< of this interface

    /**
     * @param parameters in the order of DcnTorchGraphNetwork
     * @param sizes of the network
     * @param options of the training
     * @return the network
     */
    virtual std::unique_ptr<DcnTorchGraphTrainer> MakeGraph(
        const std::vector<DcnTorchParameter>& parameters,
        const DcnTorchGraphNetwork::Sizes& sizes,
        const DcnTorchGraphNetwork::Options& options) = 0;
    /**
     * @param parameters in the order of DcnTorchSetNetwork
     * @param sizes of the network
     * @param options of the training
     * @return the network
     */
    virtual std::unique_ptr<DcnTorchSetTrainer> MakeSet(
        const std::vector<DcnTorchParameter>& parameters,
        const DcnTorchSetNetwork::Sizes& sizes,
        const DcnTorchSetNetwork::Options& options) = 0;
};

} // namespace ns3

#endif /* DCN_TORCH_BACKEND_H */
