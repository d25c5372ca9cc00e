/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TRAINING_RUN_H
#define M4_TRAINING_RUN_H

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

class CommandLine;
struct M4TrainingOptions;

/**
 * @ingroup m4
 * @brief The task of m4-train: a training that prints progress and errors.
 */
class M4TrainingRun
{
  public:
    M4TrainingRun();
    ~M4TrainingRun();

    /**
     * @brief Declare the command-line options (M4TrainingOptions, and validation).
     * @param cmd gets the options; this object must outlive its parsing
     */
    void AddTo(CommandLine& cmd);

    /**
     * @brief Train a model, or resume a training. The model is that of the epoch with the smallest
     * mean error on its own events; with onlySpread, with the smallest pinball error.
     * @param data folders of data sets of the kind fabric, joined by commas
     * @param out folder of the model, learning-curve.csv and state
     * @param command command line, for the card
     * @throws DcnError if LibTorch is missing, there is nothing to learn from, or an option is out
     * of range
     */
    void Train(const std::string& data, const std::string& out, const std::string& command);

  private:
    std::unique_ptr<M4TrainingOptions> m_options; //!< of the training
    uint32_t m_validation{40};                    //!< samples of each data set for validation
};

} // namespace ns3

#endif /* M4_TRAINING_RUN_H */
