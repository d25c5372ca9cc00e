/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_TRAINING_H
#define DCN_TORCH_TRAINING_H

#include "dcn-torch-trainer.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-random.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class CommandLine;

/**
 * @ingroup dcn-torch
 * @brief Options of a training.
 *
 * The learning rate at the fraction p of the whole training is
 *
 *     min(1, 0.05 + p / warmUp) (lastRate + (firstRate - lastRate) (1 + cos(pi p)) / 2),
 *
 * a linear warm-up followed by half a cosine.
 */
struct DcnTorchTrainingOptions : DcnTorchOptimizerOptions
{
    uint32_t batch{64};     //!< samples in a step of the optimiser
    uint32_t epochs{20};    //!< passes over the data
    double firstRate{1e-3}; //!< learning rate in the beginning
    double lastRate{1e-5};  //!< learning rate in the end
    double warmUp{0.02};    //!< fraction of the training in which the rate rises; 0: none
    std::string from;       //!< folder of the model to begin with, or its name in data/models;
                            //!< empty: random weights

    /**
     * @brief Declare the command-line options batch, epochs, firstRate, lastRate, warmUp,
     * weightDecay, clipNorm, averaging, seed, from and device.
     * @param cmd gets the options; this object must outlive its parsing
     * @param samples in the help of batch and epochs, e.g. "Paths"
     */
    void AddTo(CommandLine& cmd, const std::string& samples);

    /** @throws DcnError for an option out of range */
    void Check() const;

    /**
     * @param p completed fraction of the training, limited to 1
     * @return the learning rate
     */
    double GetRate(double p) const;

    /**
     * @return options that identify a training when it is resumed, as "key=value ...": all but
     * epochs, from and device
     */
    std::string Describe() const;

    /**
     * @param kind of the model file, e.g. "m4"
     * @return the model to begin with; nothing without from
     * @throws DcnError if it cannot be read
     */
    std::optional<DcnModelFile> ReadFrom(const std::string& kind) const;
};

/**
 * @ingroup dcn-torch
 * @brief Saves and loads weights and optimiser state of a trainer.
 */
class DcnTorchCheckpoint
{
  public:
    using Tensors = std::vector<DcnModelFile::Tensor>; //!< named matrices

    /**
     * @param trainer trainer with the names and shapes of the matrices
     * @param values of all weights: GetWeights, GetAverage or GetGradient of the trainer
     * @return the matrices
     */
    static Tensors Export(const DcnTorchTrainer& trainer, const std::vector<float>& values);

    /**
     * @brief Set the weights of a trainer. Its average restarts, its optimiser keeps its state.
     * @param tensors the matrices by name; others are ignored
     * @param trainer trainer to change
     * @throws DcnError if a matrix is missing or has the wrong shape
     */
    static void ImportWeights(const Tensors& tensors, DcnTorchTrainer& trainer);

    /**
     * @brief As ImportWeights, but a matrix that is missing keeps its values: a model of an earlier
     * release may lack some.
     * @param tensors the matrices by name; others are ignored
     * @param trainer trainer to change
     * @throws DcnError if a matrix has the wrong shape
     */
    static void ImportKnown(const Tensors& tensors, DcnTorchTrainer& trainer);

    /**
     * @brief Save a training, to be resumed by Load; its two files are written atomically.
     * @param folder created if missing
     * @param kind of the model file, e.g. "m4-training"
     * @param options identify the training
     * @param nEpochs epochs done
     * @param trainer trainer with the weights and the state
     */
    static void Save(const std::string& folder,
                     const std::string& kind,
                     const std::string& options,
                     uint32_t nEpochs,
                     const DcnTorchTrainer& trainer);

    /**
     * @brief Resume a training.
     * @param folder that Save wrote
     * @param kind as for Save
     * @param options as for Save
     * @param trainer trainer to change
     * @return epochs done
     * @throws DcnError if the folder cannot be read or belongs to a training with other options
     */
    static uint32_t Load(const std::string& folder,
                         const std::string& kind,
                         const std::string& options,
                         DcnTorchTrainer& trainer);
};

/**
 * @ingroup dcn-torch
 * @brief Losses and errors by epoch, as learning-curve.csv, .plt and .png in a folder.
 *
 * The files are rewritten atomically after each epoch.
 */
class DcnTorchLearningCurve
{
  public:
    /// A column of the table, after the column "epoch".
    struct Column
    {
        std::string name;   //!< in the head of the table
        std::string legend; //!< in the picture; empty: not drawn
    };

    /// Smallest value of a column.
    struct Best
    {
        uint32_t epoch; //!< from 1; 0 without epochs
        double value;   //!< infinite without epochs
    };

    /**
     * @brief Begin a curve, or resume one.
     * @param folder of the files; must exist
     * @param columns of the table
     * @param quantity ordinate of the picture, that of all columns with a legend
     * @param nEpochs epochs done so far. Later lines of the file are removed, since the training
     * repeats their epochs. If the file is missing, the curve resumes with epoch nEpochs + 1.
     * @throws DcnError if nEpochs > 0 and the file has other columns
     */
    DcnTorchLearningCurve(const std::string& folder,
                          std::vector<Column> columns,
                          const std::string& quantity,
                          uint32_t nEpochs);

    /**
     * @brief Add the next epoch, and write the files.
     * @param values by column
     */
    void Add(const std::vector<double>& values);

    /**
     * @param column its number, from 0
     * @return the smallest value of the column, the first of equal values
     */
    Best GetBest(std::size_t column) const;

  private:
    /// Line of the table.
    struct Line
    {
        uint32_t epoch;             //!< from 1
        std::vector<double> values; //!< by column
    };

    std::string m_base;            //!< path of the files without suffix
    std::string m_quantity;        //!< ordinate of the picture
    std::vector<Column> m_columns; //!< of the table
    std::vector<Line> m_lines;     //!< by epoch
    uint32_t m_nEpochs;            //!< epochs done
};

/**
 * @ingroup dcn-torch
 * @brief The state of a training: weights, optimiser and epochs done. A learned method derives its
 * trainer from it, which has the data and the loss of an epoch.
 */
class DcnTorchTraining
{
  public:
    virtual ~DcnTorchTraining() = default;

    /** @return name of the method, which is the kind of its models, e.g. "m4". */
    const std::string& GetName() const;

    /** @return number of epochs done. */
    uint32_t GetNEpochs() const;

    /** @return options that identify the training when it is resumed, as "key=value ...". */
    virtual std::string DescribeOptions() const = 0;

    /** @return the present model: the average of the weights, and the card. */
    virtual DcnModelFile GetModel() const = 0;

    /**
     * @brief Save the training, to be resumed by Load.
     * @param folder created if missing
     */
    void Save(const std::string& folder) const;

    /**
     * @brief Resume a saved training with equal options (DescribeOptions).
     * @param folder that Save wrote
     * @throws DcnError if it cannot be read or belongs to other options
     */
    void Load(const std::string& folder);

  protected:
    /** @param name of the method; the kind of the state is "m4-training" if it is "m4" */
    explicit DcnTorchTraining(const std::string& name);

    /** @return the weights and the optimiser. */
    virtual DcnTorchTrainer& GetTrainer() const = 0;

    /**
     * @brief Begin an epoch.
     * @param seed of the training
     * @param purpose of the random numbers
     * @return random numbers that depend only on seed and epoch, so that a training can be resumed
     */
    Ptr<UniformRandomVariable> BeginEpoch(uint64_t seed, DcnPurpose purpose) const;

    /**
     * @param loss of a step
     * @param gradientNorm norm of its gradient
     * @throws DcnError if one of them is not finite
     */
    void CheckLoss(double loss, double gradientNorm) const;

    /// Counts an epoch.
    void EndEpoch();

    /**
     * @brief Add the average of the weights to a model.
     * @param model gets a matrix for each tensor of the trainer
     */
    void AddWeights(DcnModelFile& model) const;

  private:
    std::string m_name;    //!< see GetName
    uint32_t m_nEpochs{0}; //!< epochs done
};

/**
 * @ingroup dcn-torch
 * @brief What a learned method hands to DcnTorchLoop: data and loss behind a function that trains
 * and validates an epoch, the columns of its errors, and the card of its model.
 */
struct DcnTorchPlan
{
    /// An epoch that was trained and validated.
    struct Epoch
    {
        DcnModelFile model;         //!< after the epoch
        std::vector<double> values; //!< line of the learning curve
        double score;               //!< error in validation; the smallest of all epochs is the best
        /// Completes the card of the model; called if the epoch is the best so far.
        std::function<void(DcnModelFile&)> describe;
    };

    uint32_t epochs{0}; //!< epochs of the training
    /// epochs without a better one before a training ends
    uint32_t patience{std::numeric_limits<uint32_t>::max()};
    std::vector<DcnTorchLearningCurve::Column> columns; //!< of the learning curve
    std::string quantity;                               //!< ordinate of its picture
    std::size_t scoreColumn{0};                         //!< column that has the scores
    std::string scoreKey;       //!< key of the score in the section errors of the card, of a score
                                //!< that has no column; empty: it has one
    std::function<Epoch()> run; //!< trains and validates an epoch
};

/**
 * @ingroup dcn-torch
 * @brief The loop of all trainings: resumes, runs epochs, draws the learning curve, saves the state
 * after each epoch, and writes the model of the best epoch.
 *
 * A folder has the model, learning-curve.csv and the state. It is locked while the loop exists.
 */
class DcnTorchLoop
{
  public:
    /**
     * @brief Make and lock a folder, and resume the training whose state is in it, if there is one.
     * @param out the folder
     * @param training must outlive the loop
     * @throws DcnError if another process uses the folder, or its state belongs to other options
     */
    DcnTorchLoop(const std::string& out, DcnTorchTraining& training);

    /**
     * @brief Run the epochs that are left.
     * @param plan of the training
     */
    void Run(const DcnTorchPlan& plan);

  private:
    /// Returns the best epoch that the folder has.
    DcnTorchLearningCurve::Best GetBest(const DcnTorchPlan& plan,
                                        const DcnTorchLearningCurve& curve) const;

    std::string m_out;            //!< folder
    DcnTorchTraining& m_training; //!< see the constructor
    DcnFolderLock m_lock;         //!< of the folder
    bool m_isResumed;             //!< whether the folder had a state
};

} // namespace ns3

#endif /* DCN_TORCH_TRAINING_H */
