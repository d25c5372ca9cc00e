/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_NETWORK_H
#define M4_NETWORK_H

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
 * @brief Sizes of the network.
 */
struct M4NetworkSizes
{
    uint32_t hidden{32}; //!< H, width of states and layers
    uint32_t rounds{1};  //!< R, rounds of messages at an event
};

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
 * and the predictions, with mlp a network of one hidden layer of width H,
 *
 *     ln slowdown = tau ln(1 + exp((fluid + mlp_fct([hf, x])) / tau)),  tau = 0.02, after the update;
 *     share left = sigmoid(logit(fluid share) + mlp_left([hf, x])),     before the messages;
 *     ln(1 + queue / KB) = ln(1 + exp(mlp_queue([hl, y]))),             likewise,
 *
 * where fluid is ln of the slowdown at the present fair rate: a network that has learned nothing
 * answers like the fluid simulation, and no slowdown is ever below 1.
 *
 * The same network is trained by LibTorch (DcnTorchGraphNetwork, whose names of matrices these are).
 * Here it is evaluated without, since for the few rows of an event the cost of LibTorch's calls
 * is a multiple of that of the arithmetic.
 */
class M4Network
{
  public:
    static constexpr float TAU = 0.02F;           //!< see above
    static constexpr uint32_t MAX_HIDDEN = 1024; //!< largest H
    static constexpr uint32_t MAX_ROUNDS = 16;   //!< largest R

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

    /** @return sizes of the network. */
    const M4NetworkSizes& GetSizes() const;

    /**
     * @brief Weights of a network that has learned nothing.
     * @param sizes of the network
     * @return a model with weights drawn at random but for those that change the fluid answer
     */
    static DcnModelFile MakeUntrained(const M4NetworkSizes& sizes);

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

    static Layer ReadLayer(const DcnModelFile& model,
                           const std::string& weights,
                           const std::string& bias,
                           uint32_t in,
                           uint32_t out);
    static Gru ReadGru(const DcnModelFile& model, const std::string& name, uint32_t in, uint32_t h);
    static Head ReadHead(const DcnModelFile& model, const std::string& name, uint32_t h);

    /// Exchanges messages between the rows of a snapshot, once.
    void ExchangeMessages(const M4Snapshot& snapshot);

    M4NetworkSizes m_sizes;
    Layer m_flowInput;    //!< Wx
    Layer m_linkInput;    //!< Wy
    Gru m_flowTime;       //!< GRU_tf
    Gru m_linkTime;       //!< GRU_tl
    Layer m_flowMessage;  //!< W1
    Layer m_linkOwn;      //!< W2
    Layer m_linkSum;      //!< W3, without b
    Layer m_linkMean;     //!< W4, without b
    Layer m_linkMessage;  //!< W5
    Gru m_flowUpdate;     //!< GRU_uf
    Gru m_linkUpdate;     //!< GRU_ul
    Head m_fct;           //!< mlp_fct
    Head m_left;          //!< mlp_left
    Head m_queue;         //!< mlp_queue

    Matrix m_flowStates; //!< by slot
    Matrix m_linkStates; //!< by directed link index

    // scratch of Update; [a, b] have their columns side by side
    Matrix m_x;            //!< x
    Matrix m_y;            //!< y
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
    std::vector<float> m_answer; //!< see Update
};

} // namespace ns3

#endif /* M4_NETWORK_H */
