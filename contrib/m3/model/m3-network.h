/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_NETWORK_H
#define M3_NETWORK_H

#include "m3-features.h"
#include "m3-scaler.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-torch-set-network.h"

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief The trained network of m3, without LibTorch.
 *
 * Computes the equations of DcnTorchSetNetwork, with which it is trained: attention between the
 * links of a path, the mean of which is the context; two hidden layers over foreground features and
 * context; and a correction of the fluid's quantiles. The answer Q_1 <= ... <= Q_K of a class is
 * the logarithm of the slowdown at the levels M3Features::KNOTS, never negative. A network whose
 * last layer is 0 answers with the fluid, but that increments are at least FLOOR.
 *
 * A model file (kind "m3") has the matrices of DcnTorchSetNetwork, token.mean, token.scale,
 * foreground.mean and foreground.scale (M3Scaler); its card has the ranges of the training (DcnTrainedRanges).
 */
class M3Network
{
  public:
    /// @name Entries of the section "architecture" of the card
    /// @{
    static constexpr const char* FEATURE_VERSION = "feature_version"; //!< M3Features::VERSION
    /// @}

    /**
     * @param model a model of the kind "m3"
     * @throws DcnError if its version or a shape does not fit this code
     */
    explicit M3Network(const DcnModelFile& model);

    /**
     * @brief Make the card and the matrices that go with the weights.
     * @param sizes of the network
     * @param token scaler of token features
     * @param foreground scaler of foreground features
     * @param ranges of the training
     * @return a model that lacks the weights alone
     */
    static DcnModelFile MakeModel(const DcnTorchSetNetwork::Sizes& sizes,
                                  const M3Scaler& token,
                                  const M3Scaler& foreground,
                                  const DcnTrainedRanges& ranges);

    /**
     * @brief A network with weights drawn at random.
     * @param sizes of the network
     * @param last largest weight of the last layer; 0: as before any training
     * @return the model; features are not scaled, no range is outside
     */
    static DcnModelFile MakeRandom(const DcnTorchSetNetwork::Sizes& sizes, double last);

    /**
     * @brief Predict; safe for several threads.
     * @param inputs paths
     * @return [paths x N_SLOTS x N_KNOTS] log slowdowns; those of slots without foreground flows
     * mean nothing
     */
    std::vector<float> Predict(const std::vector<M3Input>& inputs) const;

    /** @return sizes of the network. */
    const DcnTorchSetNetwork::Sizes& GetSizes() const;

    /** @return what it has been trained on. */
    const DcnTrainedRanges& GetRanges() const;

  private:
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Row = Eigen::Matrix<float, 1, Eigen::Dynamic>;

    /// out = in w + b
    struct Layer
    {
        Matrix w; //!< transposed: inputs x outputs
        Row b;    //!< outputs; empty: none
    };

    /// See DcnTorchSetNetwork.
    struct Block
    {
        Row norm1;  //!< norm1.g
        Layer qkv;  //!< qkv.w
        Layer o;    //!< o.w
        Row norm2;  //!< norm2.g
        Layer gate; //!< gate.w
        Layer up;   //!< up.w
        Layer down; //!< down.w
    };

    static Layer ReadLayer(const DcnModelFile& model,
                           const std::string& name,
                           uint32_t inputs,
                           uint32_t outputs,
                           bool bias);
    static Row ReadRow(const DcnModelFile& model, const std::string& name, uint32_t n);
    static Matrix Apply(const Layer& layer, const Matrix& in);
    static Matrix Normalise(const Matrix& rows, const Row& gain);

    /// Returns the context of each path.
    Matrix Encode(const std::vector<M3Input>& inputs) const;
    /// Adds to the tokens what they hear from others of their path.
    void Attend(const Block& block, const std::vector<M3Input>& inputs, Matrix& tokens) const;

    DcnTorchSetNetwork::Sizes m_sizes;
    M3Scaler m_tokenScaler;      //!< of token features
    M3Scaler m_foregroundScaler; //!< of foreground features
    DcnTrainedRanges m_ranges;   //!< of the training (M3Conditions)
    Layer m_token;               //!< token
    std::vector<Block> m_blocks; //!< block0 ...
    Row m_norm;                  //!< norm.g
    Layer m_mlp[3];              //!< mlp1, mlp2, mlp3
};

} // namespace ns3

#endif /* M3_NETWORK_H */
