/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TRAINING_RUN_H
#define M3_TRAINING_RUN_H

#include <memory>
#include <string>

namespace ns3
{

class CommandLine;
class DcnDatasetCollection;
class DcnModelFile;
class M3Trainer;
struct M3TrainingOptions;

/**
 * @ingroup m3
 * @brief The tasks of m3-train: trainings and evaluations that print progress and errors.
 */
class M3TrainingRun
{
  public:
    M3TrainingRun();
    ~M3TrainingRun();

    /**
     * @brief Declare the command-line options (M3TrainingOptions); Evaluate and UpdateRanges only
     * use the selection of paths.
     * @param cmd gets the options; this object must outlive its parsing
     */
    void AddTo(CommandLine& cmd);

    /**
     * @brief Set all options to the values of the architecture that was parsed. Parse again
     * afterwards: options that are given take precedence.
     * @throws DcnError for an unknown architecture
     */
    void UseArchitecture();

    /**
     * @brief Train a model, or resume a training. The model is that of the epoch with the smallest
     * validation loss; the errors on its card are those of the test.
     * @param sets data sets of paths and fabrics
     * @param out folder of the model, learning-curve.csv and state
     * @param command command line, for the card
     * @throws DcnError if LibTorch is missing, there is nothing to learn from, or an option is out
     * of range
     */
    void Train(DcnDatasetCollection& sets, const std::string& out, const std::string& command);

    /**
     * @brief Print the test errors of models.
     * @param sets data sets of paths and fabrics
     * @param folders of the models, joined by commas
     * @param allTest true: all samples are for the test, since the models were not trained on them
     * @param file for the errors of each network (doc/schema.rst); empty: none
     */
    void Evaluate(DcnDatasetCollection& sets,
                  const std::string& folders,
                  bool allTest,
                  const std::string& file);

    /**
     * @brief Write the ranges of the training to the card of a model.
     * @param sets data sets of paths and fabrics
     * @param folder of the model
     */
    void UpdateRanges(DcnDatasetCollection& sets, const std::string& folder);

  private:
    /// Writes options and data of a training into the card of the model of an epoch.
    void Describe(const M3Trainer& trainer,
                  const DcnDatasetCollection& sets,
                  DcnModelFile& model) const;

    std::unique_ptr<M3TrainingOptions> m_options; //!< of the training
};

} // namespace ns3

#endif /* M3_TRAINING_RUN_H */
