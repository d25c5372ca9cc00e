/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_MODEL_FILE_H
#define DCN_MODEL_FILE_H

#include "dcn-model-card.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A trained model on disk: a folder with card.json and weights.bin.
 *
 * The card says what the model is (kind, architecture), what it was trained on and how well it
 * does, for people and for the code that rebuilds the network (DcnModelCard); the weights are named
 * matrices of 32-bit numbers. Both carry the same checksum, so that files of two models are never
 * mixed. The formats are in doc/schema.rst.
 */
class DcnModelFile : public DcnModelCard
{
  public:
    static constexpr uint32_t WEIGHTS_VERSION = 1; //!< of the format of weights.bin

    /// A named matrix, row by row.
    struct Tensor
    {
        std::string name;          //!< unique in a model
        uint32_t rows;             //!< at least 1
        uint32_t columns;          //!< at least 1
        std::vector<float> values; //!< rows x columns
    };

    /**
     * @param kind what code the model is for, e.g. "m4"
     */
    explicit DcnModelFile(const std::string& kind);

    /**
     * @brief Read a model.
     * @param folder where its files are
     * @param kind what it must be for
     * @return the model
     * @throws DcnError as DcnModelCard::Read, or if the weights are missing, damaged, of another
     * format version or not those of the card
     */
    static DcnModelFile Read(const std::string& folder, const std::string& kind);

    /**
     * @brief Write both files, both or none.
     * @param folder made if it is not there; a model in it is replaced
     */
    void Write(const std::string& folder) const;

    /**
     * @brief Add a matrix.
     * @param tensor the matrix, of a name that there is not yet
     */
    void Add(Tensor tensor);

    /**
     * @param name of a matrix
     * @param rows what it must have
     * @param columns what it must have
     * @return the matrix
     * @throws DcnError if there is none, or it has another shape
     */
    const Tensor& Get(const std::string& name, uint32_t rows, uint32_t columns) const;

    /** @return all matrices in the order of Add. */
    const std::vector<Tensor>& GetTensors() const;

  private:
    /// Returns the bytes of weights.bin.
    std::string Pack() const;
    /// Takes the matrices from the bytes of weights.bin.
    void Unpack(const std::string& bytes);

    std::vector<Tensor> m_tensors; //!< see GetTensors
};

} // namespace ns3

#endif /* DCN_MODEL_FILE_H */
