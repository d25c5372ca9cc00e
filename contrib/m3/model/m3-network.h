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
 * context; and a correction of the fluid's quantiles, or of 0 in layouts without residual. The
 * answer Q_1 <= ... <= Q_K of a class is the logarithm of the slowdown at the knots of the layout
 * (M3Layout), never negative. A network whose last layer is 0 answers with the fluid, or 0, but
 * that increments are at least FLOOR.
 *
 * Features that are not there are 0, or what the network has learned for them (DcnTorchSetNetwork).
 *
 * A model file (kind "m3") has the matrices of DcnTorchSetNetwork and, in layouts that are scaled,
 * token.mean, token.scale, foreground.mean and foreground.scale (M3Scaler); its card has the
 * layout, the default one if it names none, and the ranges of the training (DcnTrainedRanges).
 */
class M3Network
{
  public:
    /// @name Entries of the section "architecture" of the card
    /// @{
    static constexpr const char* FEATURES = "features";               //!< M3Layout::name
    static constexpr const char* FEATURE_VERSION = "feature_version"; //!< M3Layout::version
    /// @}

    /**
     * @param model a model of the kind "m3"
     * @throws DcnError if its layout, its version or a shape does not fit this code
     */
    explicit M3Network(const DcnModelFile& model);

    /**
     * @param model a model of the kind "m3"
     * @return the layout that its card names
     * @throws DcnError if there is none of this name and version
     */
    static const M3Layout& ReadLayout(const DcnModelFile& model);

    /**
     * @param layout of features and answers
     * @return sizes of a network with its numbers of features, classes and knots
     */
    static DcnTorchSetNetwork::Sizes MakeSizes(const M3Layout& layout);

    /**
     * @brief Make the card and the matrices that go with the weights.
     * @param layout of features and answers
     * @param sizes of the network
     * @param token scaler of token features
     * @param foreground scaler of foreground features
     * @param ranges of the training
     * @return a model that lacks the weights alone
     */
    static DcnModelFile MakeModel(const M3Layout& layout,
                                  const DcnTorchSetNetwork::Sizes& sizes,
                                  const M3Scaler& token,
                                  const M3Scaler& foreground,
                                  const DcnTrainedRanges& ranges);

    /**
     * @brief A network with weights drawn at random.
     * @param sizes of the network
     * @param last largest weight of the last layer; 0: as before any training
     * @param layout of features and answers, to which the sizes belong
     * @return the model; features are not scaled, no range is outside
     */
    static DcnModelFile MakeRandom(const DcnTorchSetNetwork::Sizes& sizes,
                                   double last,
                                   const M3Layout& layout = M3Layout::Ours());

    /**
     * @brief Predict; safe for several threads.
     * @param inputs paths, in the layout of the network
     * @return [paths x nSlots x nKnots] log slowdowns; those of slots without foreground flows
     * mean nothing
     * @throws DcnError if a path is in another layout
     */
    std::vector<float> Predict(const std::vector<M3Input>& inputs) const;

    /** @return layout of features and answers. */
    const M3Layout& GetLayout() const;

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

    /// Stops if the weights are those of another layout than the card names.
    void CheckLayout(const DcnModelFile& model) const;
    static Layer ReadLayer(const DcnModelFile& model,
                           const std::string& name,
                           uint32_t inputs,
                           uint32_t outputs,
                           bool bias);
    static Row ReadRow(const DcnModelFile& model, const std::string& name, uint32_t n);
    static Matrix Apply(const Layer& layer, const Matrix& in);
    static Matrix Normalise(const Matrix& rows, const Row& gain);

    /// Puts what has been learned in place of features that are not there, in rows of n.
    void Fill(std::vector<float>& features, uint32_t n) const;
    /// Returns the context of each path.
    Matrix Encode(const std::vector<M3Input>& inputs) const;
    /// Adds to the tokens what they hear from others of their path.
    void Attend(const Block& block, const std::vector<M3Input>& inputs, Matrix& tokens) const;

    const M3Layout* m_layout; //!< see GetLayout
    DcnTorchSetNetwork::Sizes m_sizes;
    M3Scaler m_tokenScaler;      //!< of token features
    M3Scaler m_foregroundScaler; //!< of foreground features
    DcnTrainedRanges m_ranges;   //!< of the training (M3Conditions)
    std::vector<float> m_absent; //!< absent
    Layer m_token;               //!< token
    std::vector<Block> m_blocks; //!< block0 ...
    Row m_norm;                  //!< norm.g
    Layer m_mlp[3];              //!< mlp1, mlp2, mlp3
};

} // namespace ns3

#endif /* M3_NETWORK_H */
