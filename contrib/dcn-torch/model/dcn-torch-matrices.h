/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_MATRICES_H
#define DCN_TORCH_MATRICES_H

#include "dcn-torch-backend.h"

#include "ns3/dcn-model-file.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief Names and shapes of a network's parameters, between files and the vector that is trained.
 */
class DcnTorchMatrices
{
  public:
    /**
     * @brief Add a matrix drawn uniformly from [-1, 1] / sqrt(inputs).
     * @param name of the matrix
     * @param outputs rows
     * @param inputs columns
     */
    void AddMatrix(const std::string& name, uint32_t outputs, uint32_t inputs);

    /**
     * @brief Add a vector, to which weight decay does not apply.
     * @param name of the vector
     * @param outputs columns of the one row
     * @param inputs of the layer: drawn from [-1, 1] / sqrt(inputs); 0 to draw nothing
     * @param value added to each number
     */
    void AddVector(const std::string& name, uint32_t outputs, uint32_t inputs, float value = 0);

    /**
     * @brief Add a layer, name.w and name.b.
     * @param name of the layer
     * @param outputs its outputs
     * @param inputs its inputs
     */
    void AddLayer(const std::string& name, uint32_t outputs, uint32_t inputs);

    /**
     * @brief Let the last layer or matrix start at 0.
     * @param nMatrices how many of the last matrices and vectors
     */
    void StartAtZero(uint32_t nMatrices);

    /** @return the parameters in order. */
    const std::vector<DcnTorchParameter>& Get() const;

    /**
     * @param seed of the draws; each matrix has a stream of its own
     * @return first values
     */
    std::vector<float> Draw(uint64_t seed) const;

    /**
     * @param values of all parameters
     * @return the matrices
     */
    std::vector<DcnModelFile::Tensor> Export(const std::vector<float>& values) const;

    /**
     * @param tensors matrices by name
     * @return values of all parameters
     * @throws DcnError if one is missing or of another shape
     */
    std::vector<float> Import(const std::vector<DcnModelFile::Tensor>& tensors) const;

    /**
     * @param trainer whose state
     * @return the state of the training
     */
    static std::vector<DcnModelFile::Tensor> ExportOptimizer(const DcnTorchOldTrainer& trainer);

    /**
     * @param tensors as from ExportOptimizer
     * @param trainer that gets the state
     * @throws DcnError if a matrix is missing or of another shape
     */
    void ImportOptimizer(const std::vector<DcnModelFile::Tensor>& tensors,
                         DcnTorchOldTrainer& trainer) const;

  private:
    /** @return number of all parameters. */
    std::size_t Count() const;

    std::vector<DcnTorchParameter> m_parameters; //!< see Get
};

} // namespace ns3

#endif /* DCN_TORCH_MATRICES_H */
