/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_GRAPH_NETWORK_H
#define DCN_TORCH_GRAPH_NETWORK_H

#include "dcn-torch-graph-sizes.h"

#include "ns3/dcn-model-file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DcnTorchGraphTrainer;
struct DcnTorchGraphSegment;

/**
 * @ingroup dcn-torch
 * @brief Trains the recurrent graph network of m4, on one core.
 *
 * **Problem.** Flows f and links l have hidden states HF_f, HL_l of H numbers. A *step* is an event
 * (or one event of each of several simulations at once): n flows and m links around it, the E edges
 * (f, l) of flows that cross links, features X [n x DF], Y [m x DL]. It updates the states and
 * predicts, for its flows, the logarithm of the slowdown s_f and the part left_f of the bytes that
 * is still to be sent, and for its links the queue ln(1 + bytes / 1000).
 *
 * **Equations.** a W is short for a times the transpose of W; W_hf x reads: columns of W for hf.
 *
 *     x = relu(X x.w + x.b),   y = relu(Y y.w + y.b)
 *     hf = GRU_gru_tf(x, HF),  hl = GRU_gru_tl(y, HL)                       time passes
 *     left  = sigmoid(logit(clamp(fluidLeft, 0.001, 0.999)) + mlp_left([hf, x]))
 *     queue = softplus(mlp_queue([hl, y]))
 *     R times:  m_l = sum over flows f on l of relu([hf, x] w1.w + w1.b)_f,   c_l their number
 *               z   = relu([hl, y] w2.w + m w3.w + (m / max(c, 1)) w4.w + w2.b)
 *               g_f = sum over links l of f of relu(z w5.w + w5.b)_l
 *               hf  = GRU_gru_uf([g, x], hf),  hl = GRU_gru_ul([z, y], hl)
 *     HF = hf, HL = hl
 *     s = tau softplus((fluidLogSlowdown + mlp_fct([hf, x])) / tau),   tau = 0.02
 *
 * with mlp_p(a) = relu(a p.a.w + p.a.b) p.b.w + p.b.b, hidden width D, and GRU_p(a, h) the usual
 * cell: r, z = sigmoid(a p.w_ih + p.b_ih + h p.w_hh + p.b_hh) for the first and second H columns,
 * n = tanh(a p.w_ih + p.b_ih + r (h p.w_hh + p.b_hh)) for the third, h' = (1 - z) n + z h.
 * fct.b.* start at 0, so that an untrained network answers with the fluid slowdown, up to
 * tau ln 2. m, z and g have G columns.
 *
 * *GraphSAGE* (Sizes::graphSage) in place of the messages: with v = [hf; hl] at first, the rows of
 * flows and links together, N(i) the rows that have an edge with row i,
 *
 *     for k = 1 to R:  p = relu(v sagek.project.w + sagek.project.b),  s_i = sum over N(i) of p_j
 *                      a = s sagek.sum.w + sagek.sum.b + v sagek.own.w
 *                      v = sagek.gain (a - mean a) / sqrt(var a + 1e-5) + sagek.shift     by row
 *     hf = GRU_gru_uf([v, x], hf),  hl = GRU_gru_ul([v, y], hl)
 *
 * v has H columns before the first and after the last layer, G between. *Inputs*: if columns of
 * features are chosen, there are no x and y; GRU_gru_tf, GRU_gru_uf and mlp_fct get the columns
 * chosen for them in place of x, GRU_gru_tl in place of y, and the others nothing. A new flow
 * starts from the columns flowStart, then zeros. *Raw slowdown* (Sizes::rawSlowdown):
 * left = mlp_left, s = ln max(1, a) with a = mlp_fct, and the error of a slowdown is
 * |a / exp(target) - 1|, so that it is told from targets also below 1; fct.b.* are drawn like the
 * others. Predictions of left are limited to 0 and 1.
 *
 * *Joint heads* (Sizes::jointHeads): s starts from what the other heads say about the same event.
 * With service_f what all bytes of f add to its slowdown at its present fair rate, and wait_fl what
 * 1 KB in the queue of l adds to it (0 unless f has yet to send),
 *
 *     queue  = mlp_queue([hl, y]), predicted as max(0, queue)
 *     wait_f = sum over links l of f of (exp(clamp(queue_l, 0, 14)) - 1) wait_fl
 *     b_f    = max(1, exp(fluidLogSlowdown) + wait_f
 *                     + (left - clamp(fluidLeft, 0.001, 0.999)) service_f)
 *     s      = tau softplus((ln b + mlp_fct([hf, x, ln(1 + wait)])) / tau)
 *
 * and no derivative of s reaches left and queue: only what they are told themselves trains them.
 * left.b.* and queue.b.* start at 0, too. (A softplus loses its slope near 0, where most queues
 * are; and that of s would be lost below b = 1.)
 *
 * **Loss** of a chunk of steps (truncated back-propagation: gradients do not reach what was before
 * the chunk, states do):
 *
 *     (sum w_s |s - target| + lambda_left sum w_left |left - target|
 *      + lambda_queue sum w_queue H(queue - target)) / sum w_s
 *
 * with H(e) = |e|, but of joint heads Huber's loss, e^2 / 2 up to |e| = 1 and |e| - 1/2 beyond: |e|
 * is least at the median, which for links that look alike is 0 if most of their queues are empty,
 * so that waits would start from 0; Huber's loss tells how often they are not. A chunk without any
 * w_s is divided by the sum of the other weights. AdamW makes one step per chunk with the gradient
 * clipped to a norm.
 *
 * **Matrices** of ExportWeights, in this order, outputs x inputs, vectors as 1 x outputs: x.w
 * [H x DF], x.b, y.w [H x DL], y.b; gru_tf.w_ih [3H x H], .w_hh [3H x H], .b_ih, .b_hh, gru_tl.*
 * the same; left.a.w [D x 2H], left.a.b, left.b.w [1 x D], left.b.b [1 x 1]; queue.* the same;
 * w1.w [G x 2H], w1.b, w2.w [G x 2H], w2.b, w3.w, w4.w, w5.w [G x G], w5.b, or for each layer of
 * GraphSAGE, of I columns before and O after it, sagek.project.w [I x I], .project.b, .sum.w
 * [O x I], .sum.b, .own.w [O x I], .gain [1 x O] (at first 1), .shift (0); gru_uf.w_ih
 * [3H x G + H], .w_hh [3H x H], .b_ih, .b_hh, gru_ul.* the same; fct.* as left, fct.a.w with
 * a last column for the wait of joint heads. Where columns of
 * features are chosen, there is no x and y, and second summands of widths are the numbers of
 * columns.
 *
 * Source: the m4 paper, section 4 (temporal and spatial model, three heads), with rates, fluid
 * answers and link features as inputs.
 */
class DcnTorchGraphNetwork
{
  public:
    static constexpr float TAU = 0.02F;         //!< tau above
    static constexpr float LEFT_MARGIN = 1e-3F; //!< fluidLeft is this far from 0 and 1
    static constexpr float MOST_QUEUE = 14;     //!< in wait of joint heads: 1.2 GB

    using Inputs = DcnTorchGraphInputs; //!< see there
    using Sizes = DcnTorchGraphSizes;   //!< see there

    /// How it is trained.
    struct Options
    {
        double lambdaLeft{1};     //!< weight of the parts left in the loss; 0 does not train them
        double lambdaQueue{1};    //!< weight of the queues in the loss; 0 does not train them
        double weightDecay{0.01}; //!< of matrices, per step and unit of the learning rate
        double clipNorm{1};       //!< largest norm of a gradient
        double averaging{0};      //!< decay per step of the average of the weights; 0: none kept
    };

    /// Rows of one step; targets are needed where weights are not 0, no weights mean 0.
    struct Step
    {
        std::vector<uint32_t> flowState;      //!< [n] rows of flow states, all different
        std::vector<uint32_t> linkState;      //!< [m] rows of link states, all different
        std::vector<uint8_t> isNew;           //!< [n] whether to zero the flow's state first
        std::vector<uint32_t> edgeFlow;       //!< [E] numbers of flow rows, from 0
        std::vector<uint32_t> edgeLink;       //!< [E] numbers of link rows, from 0
        std::vector<float> flowFeatures;      //!< [n x DF]
        std::vector<float> linkFeatures;      //!< [m x DL]
        std::vector<float> fluidLeft;         //!< [n] part left in the fluid simulation
        std::vector<float> fluidLogSlowdown;  //!< [n] ln of its slowdown
        std::vector<float> fluidService;      //!< [n] service above if heads are joint, else empty
        std::vector<float> edgeWait;          //!< [E] wait_fl above if heads are joint, else empty
        std::vector<float> logSlowdownTarget; //!< [n] or empty
        std::vector<float> logSlowdownWeight; //!< [n] or empty
        std::vector<float> leftTarget;        //!< [n] or empty
        std::vector<float> leftWeight;        //!< [n] or empty
        std::vector<float> queueTarget;       //!< [m] or empty, ln(1 + bytes / 1000)
        std::vector<float> queueWeight;       //!< [m] or empty
    };

    /// What is predicted for the rows of steps.
    struct Predictions
    {
        std::vector<float> logSlowdown; //!< per flow row
        std::vector<float> left;        //!< per flow row
        std::vector<float> queue;       //!< per link row
    };

    /// Weighted sums of absolute errors of a chunk, and the sums of the weights.
    struct Losses
    {
        double total{0};          //!< the loss above
        double slowdown{0};       //!< sum w_s |s - target|
        double slowdownWeight{0}; //!< sum w_s
        double left{0};           //!< sum w_left |left - target|
        double leftWeight{0};     //!< sum w_left
        double queue{0};          //!< sum w_queue |queue - target|, of joint heads, too
        double queueWeight{0};    //!< sum w_queue
        double gradientNorm{0};   //!< before clipping; 0 unless training
    };

    /**
     * @param sizes of the network
     * @param options of the training
     * @param seed of the first weights; the same seed gives the same bytes
     * @throws DcnError if there is no LibTorch, or a size or an option makes no sense
     */
    DcnTorchGraphNetwork(const Sizes& sizes, const Options& options, uint64_t seed);
    ~DcnTorchGraphNetwork();
    DcnTorchGraphNetwork(const DcnTorchGraphNetwork&) = delete;
    DcnTorchGraphNetwork& operator=(const DcnTorchGraphNetwork&) = delete;

    /** @return the sizes. */
    const Sizes& GetSizes() const;

    /**
     * @brief Start anew: all states are 0, steps not yet finished are forgotten.
     * @param nFlowStates rows of flow states
     * @param nLinkStates rows of link states
     * @param training false to evaluate only: no gradients, Finish changes no weights
     */
    void Begin(uint32_t nFlowStates, uint32_t nLinkStates, bool training);

    /**
     * @brief Zero states before the next step, e.g. when a simulation of the batch is replaced.
     * @param flowRows first row of flow states and the one after the last
     * @param linkRows the same for link states
     */
    void ClearStates(std::pair<uint32_t, uint32_t> flowRows,
                     std::pair<uint32_t, uint32_t> linkRows);

    /**
     * @brief Add a step to the chunk. It is run together with others when results are needed, which
     * is several times as fast.
     * @param step the step
     * @throws DcnError if lengths or row numbers do not fit
     */
    void Accumulate(const Step& step);

    /**
     * @brief Add a step and run it at once, with gradients if training.
     * @param step the step
     * @param predictions what is predicted for its rows
     */
    void Accumulate(const Step& step, Predictions& predictions);

    /**
     * @brief End a chunk: when training, propagate back, clip, let AdamW make a step. The states
     * stay as they are and are the start of the next chunk.
     * @param learningRate of AdamW; not used unless training
     * @return the loss and its parts, before the step
     * @throws DcnError if the loss or its gradient is not a finite number; nothing is changed then
     */
    Losses Finish(double learningRate);

    /**
     * @brief The same, with the predictions for all rows of the chunk.
     * @param learningRate of AdamW; not used unless training
     * @param predictions for all rows of the chunk, step by step, except of steps that were run at
     * once
     * @return the loss and its parts, before the step
     */
    Losses Finish(double learningRate, Predictions& predictions);

    /**
     * @param averaged the moving average of the weights in place of the weights
     * @return the matrices
     */
    std::vector<DcnModelFile::Tensor> ExportWeights(bool averaged = false) const;

    /** @return gradient of the last chunk before clipping, in matrices like the weights. */
    std::vector<DcnModelFile::Tensor> ExportGradient() const;

    /**
     * @brief Take weights; their average starts anew. The state of AdamW stays.
     * @param tensors the matrices by name, as from ExportWeights; others are not looked at
     * @throws DcnError if one is missing or of another shape
     */
    void ImportWeights(const std::vector<DcnModelFile::Tensor>& tensors);

    /** @return all that training needs to go on between chunks, besides weights and states. */
    std::vector<DcnModelFile::Tensor> ExportOptimizer() const;

    /**
     * @brief Go on where another network was; the weights are to be imported first.
     * @param tensors as from ExportOptimizer; others are not looked at
     * @throws DcnError if one is missing or of another shape
     */
    void ImportOptimizer(const std::vector<DcnModelFile::Tensor>& tensors);

  private:
    void Check(const Step& step);
    void Append(const Step& step);
    void Run(Predictions& predictions);

    Sizes m_sizes;                                   //!< see GetSizes
    uint32_t m_nFlowStates{0};                       //!< see Begin
    uint32_t m_nLinkStates{0};                       //!< see Begin
    std::vector<bool> m_flowMarks;                   //!< for Check
    std::vector<bool> m_linkMarks;                   //!< for Check
    std::unique_ptr<DcnTorchGraphTrainer> m_trainer; //!< the network
    std::unique_ptr<DcnTorchGraphSegment> m_segment; //!< steps that are not yet run
    Predictions m_kept;                              //!< of steps run before Finish
};

} // namespace ns3

#endif /* DCN_TORCH_GRAPH_NETWORK_H */
