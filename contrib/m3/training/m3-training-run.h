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
 * @brief What m3-train does: trainings and evaluations that print their progress and errors.
 */
class M3TrainingRun
{
  public:
    /**
     * @param options of the training. Architecture, epochs and the like have no effect on Evaluate
     * and UpdateRanges.
     * @param sets data sets of paths and fabrics; must outlive this
     */
    M3TrainingRun(const M3TrainingOptions& options, DcnDatasetCollection& sets);

    /**
     * @brief Train a model, or resume a training. The epoch with the smallest loss in validation is
     * the model; the errors on its card are those of the test.
     * @param out folder of the model, learning-curve.csv and state
     * @param command for the card
     * @throws DcnError if there is no LibTorch, nothing to learn from, or an option makes no sense
     */
    void Train(const std::string& out, const std::string& command);

    /**
     * @brief Print the errors of models in the test.
     * @param folders of the models, joined by commas
     * @param allTest whether all samples are test: the data sets were not trained on
     */
    void Evaluate(const std::string& folders, bool allTest);

    /**
     * @brief Write the ranges of the training on the card of a model.
     * @param folder of the model
     */
    void UpdateRanges(const std::string& folder);

  private:
    M3TrainingOptions m_options;  //!< of the training
    DcnDatasetCollection& m_sets; //!< the data
};

} // namespace ns3

#endif /* M3_TRAINING_RUN_H */
