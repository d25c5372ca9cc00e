/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_LEARNING_CURVE_H
#define M4_LEARNING_CURVE_H

#include "m4-evaluation.h"
#include "m4-trainer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief What came of the epochs of a training: learning-curve.csv, which is written anew after
 * each, complete or not at all.
 */
class M4LearningCurve
{
  public:
    /**
     * @param path of the file
     * @param nEpochs number of its lines that are kept: those of the epochs after which a training
     * goes on; what a stopped one did later is forgotten
     */
    M4LearningCurve(const std::string& path, uint32_t nEpochs);

    /**
     * @brief Add an epoch, and write the file.
     * @param training what it brought
     * @param alone errors of the model on its own events
     * @param taught errors of the model on the true events
     * @param seconds that it took
     */
    void Add(const M4Trainer::Report& training,
             const M4Errors& alone,
             const M4Errors& taught,
             double seconds);

    /** @return number of lines. */
    uint32_t GetN() const;

  private:
    std::string m_path;               //!< of the file
    uint32_t m_nLost{0};              //!< epochs before the first line, if the file was lost
    std::vector<std::string> m_lines; //!< of the epochs
};

} // namespace ns3

#endif /* M4_LEARNING_CURVE_H */
