/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_LEARNING_CURVE_H
#define M3_LEARNING_CURVE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Losses and errors by epoch, as a table and a picture: learning-curve.csv, .plt and .png in
 * a folder.
 */
class M3LearningCurve
{
  public:
    /**
     * @brief Begin a curve, or read one that is there.
     * @param folder of the files
     * @param nEpochs epochs to be read; those after are dropped
     * @throws DcnError if it is to be read and is no such file
     */
    M3LearningCurve(const std::string& folder, uint32_t nEpochs);

    /**
     * @brief Add an epoch, the next one, and write the files.
     * @param training loss in training
     * @param validation loss in validation, by which epochs are compared
     * @param error in validation (M3Evaluation::GetScore), to look at
     */
    void Add(double training, double validation, double error);

    /** @return smallest loss in validation, infinite without epochs. */
    double GetBest() const;
    /** @return epoch of the smallest loss in validation, from 1; 0 without epochs. */
    uint32_t GetBestEpoch() const;

  private:
    std::string m_base;               //!< path without suffix
    std::vector<double> m_training;   //!< by epoch
    std::vector<double> m_validation; //!< by epoch
    std::vector<double> m_errors;     //!< by epoch
};

} // namespace ns3

#endif /* M3_LEARNING_CURVE_H */
