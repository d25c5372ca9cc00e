/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_NETWORK_H
#define M4_NETWORK_H

#include "m4-architecture.h"
#include "m4-tracker.h"

#include "ns3/dcn-model-file.h"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief The recurrent graph network, forward: states of flows and links, and what is read off.
 *
 * Every active flow and every link has a state of H numbers, which an event updates for what it
 * touches (m4, sections 3 and 4). With X the features of the flows and Y those of the links, states
 * HF and HL, relu = max(0, .), and GRU(x, h) a gated recurrent unit:
 *
 *     x  = relu(Wx X + bx),  y = relu(Wy Y + by)
 *     hf = GRU_tf(x, HF),    hl = GRU_tl(y, HL)                         time has passed
 *     m_l = sum over the flows f of link l of relu(W1 [hf, x] + b1)     R times:
 *     z_l = relu(W2 [hl, y] + W3 m_l + W4 m_l / n_l + b2)               flows to links,
 *     g_f = sum over the links l of flow f of relu(W5 z_l + b5)         links to flows,
 *     hf = GRU_uf([g_f, x], hf),  hl = GRU_ul([z_l, y], hl)             update
 *
 * and the predictions, with mlp a network of one hidden layer of width D,
 *
 *     ln slowdown = tau ln(1 + exp((fluid + mlp_fct([hf, x])) / tau)),  after the update;
 *     share left = sigmoid(logit(fluid share) + mlp_left([hf, x])),     before the messages;
 *     ln(1 + queue / KB) = ln(1 + exp(mlp_queue([hl, y]))),             likewise,
 *
 * where tau = 0.02 and fluid is ln of the slowdown at the present fair rate: a network that has
 * learned nothing answers like the fluid simulation, and no slowdown is ever below 1. x, y and
 * states have H numbers; m, z and g have G.
 *
 * An M4Architecture may have the heads work together (jointHeads): with b_f the slowdown at the
 * present fair rate if the share left and the queues are those predicted, of which wait_f is the
 * time that the queues of its path take a flow that starts, over its ideal completion time,
 *
 *     ln(1 + queue / KB) = max(0, mlp_queue([hl, y]))
 *     wait_f = sum over its links of queue / capacity / ideal if it starts, else 0
 *     b_f    = exp(fluid) + wait_f + (share left - fluid share) (bytes / fair rate) / ideal,
 *     ln slowdown = tau ln(1 + exp((ln b + mlp_fct([hf, x, ln(1 + wait)])) / tau)),
 *
 * where b is at least 1, no queue counts as more than 1.2 GB, and the fluid share is at least 0.001
 * from 0 and 1.
 *
 * Where states have to remember, the fluid share is what the M4Memory of the architecture says, and
 * fluid is ln of the slowdown of a flow with that much left: untrained, it is no fluid simulation.
 *
 * It may also replace parts by what is published:
 *
 * - graphSage. R layers in place of the messages (m4, section 4; GraphSAGE, Hamilton et al. 2017),
 *   the same for flows and links, v their rows, at first hf and hl, with H columns, G between
 *   layers, and H after the last, N the rows that have an edge with a row:
 *
 *       p = relu(v project + project.b),  s_i = sum over the rows j of N(i) of p_j
 *       v = LayerNorm(s sum + sum.b + v own),  LayerNorm(a) = gain (a - mean) / sd + shift,
 *
 *   mean and sd those of a row, sd = sqrt(variance + 1e-5). Then hf = GRU_uf([v, x], hf) and
 *   hl = GRU_ul([v, y], hl) once.
 * - publishedInputs. There are no x and y. GRU_tf and GRU_tl get the time that has passed (IDLE,
 *   LINK_IDLE) only; GRU_uf gets [v, the parameters of the configuration], GRU_ul v; mlp_fct gets
 *   [hf, number of links, those parameters], mlp_left and mlp_queue hf and hl. A new flow starts
 *   from (SIZE, HOPS, 0, ...).
 * - rawSlowdown. The slowdown is max(1, mlp_fct), the share left mlp_left between 0 and 1.
 *
 * The same network is trained by LibTorch (DcnTorchGraphNetwork, whose names of matrices these
 * are). Here it is evaluated without, since for the few rows of an event the cost of LibTorch's
 * calls is a multiple of that of the arithmetic.
 */
class M4Network
{
  public:
    static constexpr float TAU = 0.02F;         //!< see above
    static constexpr float NORM_MARGIN = 1e-5F; //!< added to the variance by LayerNorm

    /**
     * @param model weights and sizes
     * @throws DcnError if they do not fit this code, or a weight is no finite number
     */
    explicit M4Network(const DcnModelFile& model);

    /**
     * @brief Make the states of links and forget those of flows.
     * @param nLinks number of directed links
     */
    void Begin(uint32_t nLinks);

    /**
     * @brief Update the states of what an event touches, and predict.
     * @param snapshot the event
     * @return ln of the slowdown by flow row, valid until the next call
     */
    const std::vector<float>& Update(const M4Snapshot& snapshot);

    /**
     * @brief Predict what is left of the flows that the last Update touched, as of that event.
     * @param fluidLeft share left at fair rates by flow row
     * @return share left by flow row
     */
    std::vector<float> PredictLeft(const std::vector<float>& fluidLeft) const;

    /**
     * @brief Predict the queues of the links that the last Update touched, as of that event.
     * @return waiting bytes by link row
     */
    std::vector<float> PredictQueues() const;

    /**
     * @brief Predict what is left of a flow between events; nothing is changed.
     * @param slot of the flow
     * @param features of the flow (M4Tracker::LookAtFlow)
     * @param fluidLeft share left at fair rates
     * @return share left
     */
    float PredictLeftNow(uint32_t slot, const std::vector<float>& features, float fluidLeft);

    /**
     * @brief Predict the queue of a link between events; nothing is changed.
     * @param link directed link index
     * @param features of the link (M4Tracker::LookAtLink)
     * @return waiting bytes
     */
    float PredictQueueNow(uint32_t link, const std::vector<float>& features);

    /** @return what it looks like. */
    const M4Architecture& GetArchitecture() const;

    /**
     * @brief Weights of a network that has learned nothing.
     * @param architecture of the network
     * @return a model with weights drawn at random but for the last ones of heads, which are 0: it
     * answers like the fluid simulation if that remembers, else with what is left as M4Memory says,
     * or that slowdowns are 1 if these are raw
     */
    static DcnModelFile MakeUntrained(const M4Architecture& architecture);

  private:
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Row = Eigen::Matrix<float, 1, Eigen::Dynamic>;

    /// A layer: out = in W' + b.
    struct Layer
    {
        Matrix w; //!< transposed: in x out
        Row b;    //!< out
        /// Computes the layer.
        void Apply(const Eigen::Ref<const Matrix>& in, Matrix& out, bool relu) const;
    };

    /// A gated recurrent unit.
    struct Gru
    {
        Layer input;  //!< to the three gates r, z, n
        Layer hidden; //!< likewise
        /// Updates states, given inputs.
        void Apply(const Eigen::Ref<const Matrix>& in, Matrix& state);
        Matrix gatesIn;  //!< scratch
        Matrix gatesOut; //!< scratch
    };

    /// A network of one hidden layer and one output.
    struct Head
    {
        Layer first; //!< to the hidden layer
        Layer last;  //!< to the output
        /// Computes the outputs.
        Matrix Apply(const Matrix& in) const;
    };

    /// A layer of GraphSAGE with its LayerNorm.
    struct SageLayer
    {
        Layer project; //!< of neighbours
        Layer sum;     //!< of the sum of those
        Layer own;     //!< of the row itself, without b
        Row gain;      //!< of LayerNorm
        Row shift;     //!< of LayerNorm
    };

    static Layer ReadLayer(const DcnModelFile& model,
                           const std::string& weights,
                           const std::string& bias,
                           uint32_t in,
                           uint32_t out);
    static Gru ReadGru(const DcnModelFile& model, const std::string& name, uint32_t in, uint32_t h);
    static Head ReadHead(const DcnModelFile& model,
                         const std::string& name,
                         uint32_t in,
                         uint32_t width);
    /// Reads the layers of GraphSAGE.
    void ReadSage(const DcnModelFile& model);

    /// Reads the inputs of flows into m_x and m_flowElapsed.
    void ReadFlowInputs(const std::vector<float>& features, Eigen::Index n);
    /// Reads the inputs of links into m_y and m_linkElapsed.
    void ReadLinkInputs(const std::vector<float>& features, Eigen::Index m);
    /// Exchanges messages between the rows of a snapshot, once.
    void ExchangeMessages(const M4Snapshot& snapshot);
    /// Runs the layers of GraphSAGE and the update after them.
    void RunSage(const M4Snapshot& snapshot);
    /// Fills in what the slowdowns of joint heads start from: m_corrected and m_flowJoint.
    void JoinHeads(const M4Snapshot& snapshot);
    /// Returns the share left for what its head says.
    float ToLeft(float said, float fluidLeft) const;

    M4Architecture m_architecture;
    Layer m_flowInput;    //!< Wx
    Layer m_linkInput;    //!< Wy
    Gru m_flowTime;       //!< GRU_tf
    Gru m_linkTime;       //!< GRU_tl
    Layer m_flowMessage;  //!< W1
    Layer m_linkOwn;      //!< W2
    Layer m_linkSum;      //!< W3, without b
    Layer m_linkMean;     //!< W4, without b
    Layer m_linkMessage;  //!< W5
    std::vector<SageLayer> m_sage; //!< in place of W1 to W5
    Gru m_flowUpdate;     //!< GRU_uf
    Gru m_linkUpdate;     //!< GRU_ul
    Head m_fct;           //!< mlp_fct
    Head m_left;          //!< mlp_left
    Head m_queue;         //!< mlp_queue

    Matrix m_flowStates; //!< by slot
    Matrix m_linkStates; //!< by directed link index

    // scratch of Update; [a, b] have their columns side by side
    Matrix m_x;            //!< x; number of links and configuration if inputs are published
    Matrix m_y;            //!< y; no columns if inputs are published
    Matrix m_flowElapsed;  //!< time since the last event, if inputs are published
    Matrix m_linkElapsed;  //!< likewise
    Matrix m_hf;           //!< hf
    Matrix m_hl;           //!< hl
    Matrix m_flowBoth;     //!< [hf, x]
    Matrix m_linkBoth;     //!< [hl, y]
    Matrix m_flowTimeBoth; //!< [hf, x] before the messages
    Matrix m_linkTimeBoth; //!< [hl, y] before the messages
    Matrix m_sent;         //!< messages of flows, then of links
    Matrix m_sums;         //!< m
    Matrix m_means;        //!< m / n
    Matrix m_z;            //!< z
    Matrix m_part;         //!< summand of z
    Matrix m_got;          //!< [g, x]
    Matrix m_zy;           //!< [z, y]
    Matrix m_flowJoint;    //!< [hf, x, ln(1 + wait)] of joint heads
    Matrix m_v;            //!< v of flows, then of links
    std::vector<float> m_corrected; //!< ln of b of joint heads
    std::vector<float> m_answer; //!< see Update
};

} // namespace ns3

#endif /* M4_NETWORK_H */
