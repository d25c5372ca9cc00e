/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_DEFAULT_NETWORK_H
#define M4_DEFAULT_NETWORK_H

#include "m4-network.h"

#include "ns3/dcn-model-file.h"

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief The default recurrent graph network, evaluated without LibTorch.
 *
 * Every active flow and every link has a state of H numbers; an event updates the states of the
 * flows and links that it affects (m4, sections 3 and 4). With X the features of the flows and Y
 * those of the links, states HF and HL, relu = max(0, .), and GRU(x, h) a gated recurrent unit:
 *
 *     x  = relu(X x.w' + x.b),  y = relu(Y y.w' + y.b)
 *     hf = GRU_tf(x, HF),       hl = GRU_tl(y, HL)                      time passes
 *     m_l = sum over the flows f of link l of relu(w1 [hf, x] + b1)
 *     z_l = relu(w2 [hl, y] + w3 m_l + w4 m_l / max(1, n_l) + b2)       flows to links, n_l flows
 *     g_f = sum over the links l of flow f of relu(w5 z_l + b5)         links to flows
 *     HF = GRU_uf([g_f, x], hf),  HL = GRU_ul([z_l, y], hl)             update
 *
 * and the predictions, with mlp(a) = relu(a a.w' + a.b) b.w' + b.b,
 *
 *     ln slowdown = tau ln(1 + exp((fluid + mlp_fct([HF, x])) / tau)),    after the update;
 *     remaining = sigmoid(logit(fluid remaining) + mlp_left([hf, x])),    before the messages;
 *     ln(1 + queue / KB) = ln(1 + exp(mlp_queue([hl, y]))),               before the messages,
 *     spread by M4Spread from o = mlp_spread([HF, x, ln slowdown]),       after the update,
 *
 * where tau = 0.02, fluid is ln of the slowdown at the present fair rate, and fluid remaining is
 * the remaining fraction at the fair rates so far, clamped to [0.001, 0.999]. So a network with
 * untrained heads answers like the fluid simulation, and no slowdown is below 1. Models that were
 * trained before dcn 0.2 have no mlp_spread.
 *
 * M4DefaultModule trains this network with LibTorch; the matrices have the names in the equations.
 * The evaluation here needs no LibTorch: for the few rows of an event, its calls take several times
 * as long as the arithmetic.
 */
class M4DefaultNetwork : public M4Network
{
  public:
    /**
     * @param model weights
     * @param hidden H
     * @throws DcnError if a matrix is missing or has another shape
     */
    M4DefaultNetwork(const DcnModelFile& model, uint32_t hidden);

    void Begin(uint32_t nLinks) override;
    void Update(const M4Snapshot& snapshot) override;
    const std::vector<float>& GetLogSlowdowns() override;
    bool HasSpread() const override;
    std::vector<float> GetLogQuantiles(uint32_t slot) override;
    std::vector<float> GetRemaining() override;
    std::vector<float> GetQueueBytes() override;
    float QueryRemaining(uint32_t slot, const std::vector<float>& features) override;
    float QueryQueueBytes(uint32_t link, const std::vector<float>& features) override;

    /**
     * @brief Draw weights.
     * @param hidden H
     * @return a model with random weights and zeros in the last layers of heads: its answers are
     * those of the fluid simulation
     */
    static DcnModelFile MakeUntrained(uint32_t hidden = 32);

  private:
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Row = Eigen::Matrix<float, 1, Eigen::Dynamic>;

    /// A layer: out = in w + b.
    struct Layer
    {
        Matrix w; //!< weights [in x out]
        Row b;    //!< out
        /// Computes the layer.
        void Apply(const Eigen::Ref<const Matrix>& in, Matrix& out, bool relu) const;
    };

    /// A gated recurrent unit.
    struct Gru
    {
        Layer input;  //!< to the three gates r, z, n
        Layer hidden; //!< to the three gates r, z, n
        /// Updates states, given inputs.
        void Apply(const Eigen::Ref<const Matrix>& in, Matrix& state);
        Matrix gatesIn;  //!< scratch
        Matrix gatesOut; //!< scratch
    };

    /// A network of one hidden layer.
    struct Head
    {
        Layer first; //!< to the hidden layer
        Layer last;  //!< to the outputs
        /// Computes the outputs, valid until the next call.
        const Matrix& Apply(const Eigen::Ref<const Matrix>& in);
        Matrix inner; //!< scratch
        Matrix out;   //!< the outputs
    };

    /// Exchanges messages between flows and links, and updates their states.
    void ExchangeMessages(const M4Snapshot& snapshot);
    /// Returns ln of a slowdown from that of the fluid and the output of mlp_fct.
    static float CorrectLogSlowdown(float fluid, float correction);

    Eigen::Index m_h;    //!< H
    Layer m_flowInput;   //!< x
    Layer m_linkInput;   //!< y
    Gru m_flowTime;      //!< GRU_tf
    Gru m_linkTime;      //!< GRU_tl
    Layer m_flowMessage; //!< w1
    Layer m_linkAll;     //!< w2, w3 and w4, one below the other
    Layer m_linkMessage; //!< w5
    Gru m_flowUpdate;    //!< GRU_uf
    Gru m_linkUpdate;    //!< GRU_ul
    Head m_fct;          //!< mlp_fct
    Head m_remaining;    //!< mlp_left
    Head m_queue;        //!< mlp_queue
    Head m_spread;       //!< mlp_spread; without weights where the model has none

    Matrix m_flowStates;             //!< HF by slot
    Matrix m_flowInputs;             //!< x of the last event by slot
    std::vector<float> m_flowFluids; //!< fluid of the last event by slot
    Matrix m_linkStates;             //!< HL by directed link index

    // of the last Update; [a, b] have their columns side by side
    Matrix m_x;                          //!< x
    Matrix m_y;                          //!< y
    Matrix m_hf;                         //!< hf, then HF
    Matrix m_hl;                         //!< hl, then HL
    Matrix m_flowBoth;                   //!< [hf, x]
    Matrix m_linkIn;                     //!< [hl, y, m, m / n]
    Matrix m_sent;                       //!< messages of flows, then of links
    Eigen::VectorXf m_count;             //!< n
    Matrix m_z;                          //!< z
    Matrix m_got;                        //!< [g, x]
    Matrix m_zy;                         //!< [z, y]
    Matrix m_answerIn;                   //!< [HF, x], once m_isAnswered
    std::vector<float> m_fluidRemaining; //!< by flow row
    std::vector<float> m_answer;         //!< ln slowdown by flow row: fluid until m_isAnswered
    bool m_isAnswered{true};             //!< m_answer is the network's
};

} // namespace ns3

#endif /* M4_DEFAULT_NETWORK_H */
