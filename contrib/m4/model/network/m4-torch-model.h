/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TORCH_MODEL_H
#define M4_TORCH_MODEL_H

#include "ns3/dcn-torch-trainer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup m4
 * The boundary between the module m4 and its plug-in, which computes with LibTorch. The plug-in
 * includes no other headers of ns-3 than those without code.
 */

namespace ns3
{

/**
 * @ingroup m4
 * @brief The spread of slowdowns: quantiles that a head of the default network predicts.
 *
 * Flows and events do not determine a completion time exactly: packets meet queues by chance. Let
 * r = ln(true slowdown) - ln(predicted slowdown), with the prediction at the last event that
 * affects the flow. The head predicts the quantiles q_k of r at the N levels p_k, by the pinball
 * loss (Koenker and Bassett 1978)
 *
 *     e = 1/N sum over k of max(p_k (r - q_k), (p_k - 1) (r - q_k)),
 *
 * whose mean is least at the quantiles. With the outputs o of the head,
 *
 *     q_0 = o_0,  q_k = q_(k-1) + SCALE ln(1 + exp(o_k)),
 *
 * so that quantiles never cross.
 */
struct M4Spread
{
    static constexpr std::size_t N = 9; //!< number of quantiles
    /// p_k; the second and the eighth bound an interval of 90 %.
    static constexpr float LEVELS[N] =
        {0.01F, 0.05F, 0.2F, 0.4F, 0.6F, 0.8F, 0.9F, 0.95F, 0.99F};
    static constexpr float SCALE = 0.05F; //!< of ln slowdown
    /// Part of ln of the spread that is by chance within a scenario (M4SpreadTable::GetSample): a
    /// number from 0 to 1. Chosen on the suites anywhere (seed 9) and defaults (seed 7);
    /// doc/notebook/m4.rst.
    static constexpr double WITHIN = 0.85;
};

/**
 * @ingroup m4
 * @brief Widths of one of the two networks.
 */
struct M4NetworkSizes
{
    bool isPublished{false};   //!< the published network, else the default one
    uint32_t hidden{32};       //!< H, numbers of a state
    uint32_t messageWidth{32}; //!< G, numbers between layers of GraphSAGE; H for the default
    uint32_t headWidth{32};    //!< D, numbers of the hidden layer of a head; H for the default
    uint32_t nFlowFeatures{0}; //!< columns of the features of flows
    uint32_t nLinkFeatures{0}; //!< columns of the features of links
};

/**
 * @ingroup m4
 * @brief A sequence of steps. A step is an event, or one event of each of several
 * simulations.
 *
 * Vectors contain the rows of all steps in order. Row numbers in edges count from the first row of
 * their step. Labels are vectors as long as the rows, or empty.
 */
struct M4TorchChunk
{
    /// End of a step.
    struct End
    {
        std::size_t flow; //!< rows of flows up to here
        std::size_t link; //!< rows of links up to here
        std::size_t edge; //!< edges up to here
    };

    std::vector<End> ends;                //!< by step
    std::vector<int64_t> flowState;       //!< by flow: its row of states, unique within a step
    std::vector<int64_t> linkState;       //!< by link: its row of states, unique within a step
    std::vector<float> flowIsNew;         //!< by flow: 1 if its state is reset, else 0
    std::vector<float> linkIsNew;         //!< by link: 1 if its state is reset, else 0
    std::vector<int64_t> edgeFlow;        //!< by edge: row of the flow
    std::vector<int64_t> edgeLink;        //!< by edge: row of the link
    std::vector<float> flowFeatures;      //!< by flow: M4NetworkSizes::nFlowFeatures numbers
    std::vector<float> linkFeatures;      //!< by link: M4NetworkSizes::nLinkFeatures numbers
    std::vector<float> fluidLogSlowdown;  //!< by flow, as in M4Snapshot; empty if published
    std::vector<float> fluidRemaining;    //!< by flow, as in M4Snapshot; empty if published
    std::vector<float> logSlowdownTarget; //!< label by flow: ln of the slowdown
    std::vector<float> logSlowdownWeight; //!< weight of that label
    std::vector<float> spreadWeight;      //!< weight of that label for the head of the spread
    std::vector<float> remainingTarget;   //!< label by flow: remaining fraction
    std::vector<float> remainingWeight;   //!< weight of that label
    std::vector<float> queueTarget;       //!< label by link: ln(1 + bytes / 1000)
    std::vector<float> queueWeight;       //!< weight of that label

    /// Ends a step, which contains all rows and edges since the last end.
    void EndStep()
    {
        ends.push_back({flowState.size(), linkState.size(), edgeFlow.size()});
    }
};

/**
 * @ingroup m4
 * @brief Predictions for the rows of a chunk.
 */
struct M4TorchPredictions
{
    std::vector<float> logSlowdown; //!< by flow: ln of the slowdown, after the event
    std::vector<float> remaining;   //!< by flow: remaining fraction just before the event
    std::vector<float> queue;       //!< by link: ln(1 + bytes / 1000) just before the event
    /// By flow: M4Spread::N quantiles of ln(true slowdown) - logSlowdown; empty if published.
    std::vector<float> spread;
};

/**
 * @ingroup m4
 * @brief Errors of a chunk: weighted sums of absolute errors, and the sums of the weights.
 */
struct M4TorchLosses
{
    double total{0};           //!< the loss
    double slowdown{0};        //!< of ln slowdown; published: of slowdown / true slowdown
    double slowdownWeight{0};  //!< sum of weights
    double remaining{0};       //!< of the remaining fraction
    double remainingWeight{0}; //!< sum of weights
    double queue{0};           //!< of ln(1 + bytes / 1000); published: of the cube root of bytes
    double queueWeight{0};     //!< sum of weights
    double spread{0};          //!< pinball errors, mean over levels; published: 0
    double spreadWeight{0};    //!< sum of weights
    double gradientNorm{0};    //!< before clipping
};

/**
 * @ingroup m4
 * @brief A network of m4 in LibTorch, with the states of flows and links of one or more
 * simulations.
 *
 * The loss of a chunk is
 *
 *     (sum w_s e_s + lambdaRemaining sum w_r e_r + lambdaQueue sum w_q e_q) / sum w_s
 *
 * with the absolute errors e of M4TorchLosses and the weights w of the labels. If all w_s are 0,
 * the divisor is the weighted sum of the other two weights. Gradients reach back to the first step
 * of the chunk (truncated back-propagation through time); states persist across chunks. The mean
 * pinball error of the spread (M4Spread) is added; its gradient ends at the inputs of that head.
 */
class M4TorchModel
{
  public:
    /// Options of the loss, besides those of the optimiser.
    struct Options : DcnTorchOptimizerOptions
    {
        double lambdaRemaining{1}; //!< weight of remaining fractions; 0: not supervised
        double lambdaQueue{0.5};   //!< weight of queues; 0: not supervised
        bool onlySpread{false};    //!< the loss is that of the spread alone
    };

    virtual ~M4TorchModel() = default;

    /** @return weights and optimiser. */
    virtual DcnTorchTrainer& GetTrainer() = 0;

    /// Resets the states of all flows and links.
    virtual void Begin() = 0;

    /**
     * @brief Run steps, and update the weights once.
     * @param chunk steps with labels
     * @param learningRate learning rate of the optimiser
     * @return the losses before the update. If the total or the norm of the gradient is not finite,
     * the weights do not change.
     */
    virtual M4TorchLosses Train(const M4TorchChunk& chunk, double learningRate) = 0;

    /**
     * @brief Run steps.
     * @param chunk steps; labels are not needed
     * @return predictions
     */
    virtual M4TorchPredictions Predict(const M4TorchChunk& chunk) = 0;

    /**
     * @brief Predict, without a change of states.
     * @param chunk one step without edges
     * @return predictions, with meaningless slowdowns
     */
    virtual M4TorchPredictions Query(const M4TorchChunk& chunk) = 0;
};

/**
 * @ingroup m4
 * @brief The factory of the plug-in.
 */
class M4TorchPlugin : public DcnTorchPlugin
{
  public:
    static constexpr uint32_t VERSION = 2; //!< version of the classes in this file

    /**
     * @param sizes of the network
     * @param options of the training
     * @return a network with random weights
     * @throws std::runtime_error if LibTorch cannot compute on the device
     */
    virtual std::unique_ptr<M4TorchModel> Make(const M4NetworkSizes& sizes,
                                               const M4TorchModel::Options& options) = 0;
};

} // namespace ns3

#endif /* M4_TORCH_MODEL_H */
