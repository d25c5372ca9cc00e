/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_TRAINER_H
#define DCN_TORCH_TRAINER_H

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcn-torch
 * The boundary to LibTorch. A plug-in, the library with the networks of a learned module, includes
 * this header and no other header of ns-3; the module includes no header of LibTorch. Errors of a
 * plug-in are std::runtime_error, which DcnTorch::Call converts to DcnError.
 */

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief Options of the optimiser, AdamW (Loshchilov and Hutter, Decoupled weight decay
 * regularization, 2019).
 */
struct DcnTorchOptimizerOptions
{
    double weightDecay{0.01};  //!< of matrices, per step and unit of the learning rate
    double beta2{0.999};       //!< decay of the second moments; of the first moments it is 0.9
    double clipNorm{1};        //!< largest norm of a gradient
    double averaging{0};       //!< decay per step of the average of the weights; 0: no average
    uint64_t seed{1};          //!< of the initial weights, of the order of the data and of dropout
    std::string device{"cpu"}; //!< cpu or cuda
};

/**
 * @ingroup dcn-torch
 * @brief A network in training: its weights and the state of its optimiser.
 *
 * All weights of a network are one vector here, matrix by matrix and row by row, in the order of
 * GetTensors.
 */
class DcnTorchTrainer
{
  public:
    /// Name and shape of a matrix. A vector is a matrix of one row.
    struct Tensor
    {
        std::string name; //!< unique in a network, as in the model file
        uint32_t rows;    //!< outputs of a layer
        uint32_t columns; //!< inputs of a layer
    };

    /// State of the optimiser. Each vector has an entry for each weight.
    struct State
    {
        uint64_t nSteps{0};         //!< steps made
        std::vector<float> first;   //!< first moments
        std::vector<float> second;  //!< second moments
        std::vector<float> average; //!< average of the weights; the weights without averaging
    };

    virtual ~DcnTorchTrainer() = default;

    /** @return names and shapes of all matrices. */
    virtual std::vector<Tensor> GetTensors() const = 0;

    /** @return the weights. */
    virtual std::vector<float> GetWeights() const = 0;

    /** @return gradient of the loss of the last step after clipping; zeros before the first step.
     */
    virtual std::vector<float> GetGradient() const = 0;

    /** @return the exponential moving average of the weights; the weights without averaging. */
    virtual std::vector<float> GetAverage() const = 0;

    /** @param weights new weights, from which the average restarts */
    virtual void SetWeights(const std::vector<float>& weights) = 0;

    /** @return the state of the optimiser. */
    virtual State GetState() const = 0;

    /** @param state as from GetState of a network of the same shape */
    virtual void SetState(const State& state) = 0;
};

/**
 * @ingroup dcn-torch
 * @brief Base of the factory of a plug-in.
 *
 * A module derives its own interface from it, with a VERSION and functions that create the
 * networks. Only the module and its plug-in know this interface.
 */
class DcnTorchPlugin
{
  public:
    static constexpr uint32_t BASE_VERSION = 1; //!< of the classes in this file

    virtual ~DcnTorchPlugin() = default;

    /** @return release of LibTorch, e.g. "1.13.1". */
    virtual std::string GetTorchVersion() const = 0;
};

} // namespace ns3

/**
 * The symbol that a plug-in exports.
 * @param baseVersion DcnTorchPlugin::BASE_VERSION of the caller
 * @param version version of the module's interface at the caller
 * @return the factory, which lives as long as the process; null if a version differs
 */
extern "C" ns3::DcnTorchPlugin* DcnGetTorchPlugin(uint32_t baseVersion, uint32_t version);

#endif /* DCN_TORCH_TRAINER_H */
