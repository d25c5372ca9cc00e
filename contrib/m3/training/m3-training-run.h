/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TRAINING_RUN_H
#define M3_TRAINING_RUN_H

#include "m3-training-options.h"

#include <string>

namespace ns3
{

class DcnDatasetCollection;

/**
 * @ingroup m3
 * @brief The tasks of m3-train: trainings and evaluations that print progress and errors.
 */
class M3TrainingRun
{
  public:
    /**
     * @param options of the training; Evaluate and UpdateRanges only use the selection of
     * paths
     * @param sets data sets of paths and fabrics; must outlive this
     */
    M3TrainingRun(const M3TrainingOptions& options, DcnDatasetCollection& sets);

    /**
     * @brief Train a model, or resume a training. The model is that of the epoch with the smallest
     * validation loss; the errors on its card are those of the test.
     * @param out folder of the model, learning-curve.csv and state
     * @param command command line, for the card
     * @throws DcnError if LibTorch is missing, there is nothing to learn from, or an option is out
     * of range
     */
    void Train(const std::string& out, const std::string& command);

    /**
     * @brief Print the test errors of models.
     * @param folders of the models, joined by commas
     * @param allTest true: all samples are for the test, since the models were not trained on them
     */
    void Evaluate(const std::string& folders, bool allTest);

    /**
     * @brief Write the ranges of the training to the card of a model.
     * @param folder of the model
     */
    void UpdateRanges(const std::string& folder);

  private:
    M3TrainingOptions m_options;  //!< of the training
    DcnDatasetCollection& m_sets; //!< the data
};

} // namespace ns3

#endif /* M3_TRAINING_RUN_H */
