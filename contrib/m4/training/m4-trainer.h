/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TRAINER_H
#define M4_TRAINER_H

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-torch-training.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class CommandLine;
class M4TorchModel;
struct M4Architecture;
struct M4GroundTruth;
struct M4Step;
struct M4TorchChunk;

/**
 * @ingroup m4
 * @brief Options of a training of m4. A batch is the number of simulations in lock-step.
 */
struct M4TrainingOptions : DcnTorchTrainingOptions
{
    M4TrainingOptions();

    std::string architecture{"default"}; //!< default or published (M4Architecture)
    uint32_t hidden{0};                  //!< width of states H; 0: that of the architecture
    uint32_t messageWidth{0};            //!< published only: G; 0: 300
    uint32_t headWidth{0};               //!< published only: D; 0: 200
    uint32_t chunk{32};                  //!< events between two steps of the optimiser
    uint64_t perEpoch{0};                //!< simulations in an epoch, drawn for each; 0: all
    double lambdaRemaining{1};           //!< weight of remaining fractions in the loss; 0: none
    double lambdaQueue{0.5};             //!< weight of queues in the loss; 0: none
    double rollouts{1};                  //!< fraction of roll-outs among simulations
    double firstRollouts{-1};            //!< fraction in the first epoch, changing linearly to
    //!< rollouts in the last; -1: as rollouts
    double dense{0.5};      //!< weight of slowdowns at all events, see M4Replay
    bool onlySpread{false}; //!< train the head of the spread alone; all other weights stay
    std::string data;       //!< hash of the data sets: a training resumes only with the same data

    /**
     * @brief Declare the command-line options of a training.
     * @param cmd gets the options; this object must outlive its parsing
     */
    void AddTo(CommandLine& cmd);

    /** @throws DcnError for an option out of range */
    void Check() const;

    /** @return the architecture. */
    M4Architecture GetArchitecture() const;

    /** @return options that identify a training when it is resumed, as "key=value ...". */
    std::string Describe() const;

    /**
     * @return as DcnTorchTrainingOptions::ReadFrom
     * @throws DcnError if it cannot be read or has another architecture
     */
    std::optional<DcnModelFile> ReadFrom() const;
};

/**
 * @ingroup m4
 * @brief Trains a network of m4 on ground truth.
 *
 * Simulations are replayed event by event (M4Replay), several in lock-step: one event of each makes
 * a step. A finished simulation is replaced by the next. When none is left, an epoch of at least
 * two batches ends once fewer than half of the places have one, and these stay unfinished: the last
 * steps would else follow the few longest simulations, and so would the average of the weights. A
 * fraction of the simulations are roll-outs, by the present average of the weights; the others have
 * their true events (teacher forcing). Gradients reach back to the first event of a chunk; states
 * persist across chunks. M4TorchModel has the loss. The learning rate depends on the completed
 * fraction p of the training (DcnTorchTrainingOptions): epochs, and within an epoch finished
 * simulations, are equal parts of p.
 */
class M4Trainer : public DcnTorchTraining
{
  public:
    /// Returns the ground truth of a simulation, by its number.
    using Source = std::function<std::shared_ptr<const M4GroundTruth>(uint64_t)>;

    /// Results of an epoch.
    struct Report
    {
        uint64_t events{0};    //!< events replayed
        uint64_t rollouts{0};  //!< simulations that were roll-outs
        double logSlowdown{0}; //!< mean |error| of ln slowdown; published: of slowdown / true one
        double remaining{0};   //!< mean |error| of the remaining fraction
        double queue{0};       //!< mean |error| of ln(1 + queue / KB); published: of cube roots
        double spread{0};      //!< mean pinball error of the quantiles of M4Spread
    };

    /**
     * @param options of the training
     * @param source returns simulations
     * @param nSimulations number of simulations
     * @throws DcnError if LibTorch is missing, or for an option out of range
     */
    M4Trainer(const M4TrainingOptions& options, Source source, uint64_t nSimulations);
    ~M4Trainer() override;

    /**
     * @brief Replay the simulations of an epoch once, and train.
     * @param onSimulation called at the end of a simulation, or of the epoch; may be null
     * @return results
     */
    Report RunEpoch(const std::function<void()>& onSimulation = nullptr);

    /**
     * @return the options and the number of simulations as text, without the numbers of epochs and
     * of simulations per epoch: these may change when a training is resumed, and with the number of
     * epochs the learning rate and the fraction of roll-outs from there on
     */
    std::string DescribeOptions() const override;

    DcnModelFile GetModel() const override;

  private:
    struct Place;
    struct Epoch;

    DcnTorchTrainer& GetTrainer() const override;
    /// Draws the simulations of an epoch and puts the first ones into its places.
    void Begin(Epoch& epoch);
    /// Puts the next simulation into a place; returns false if there is none.
    bool Fill(Place& place, Report& report);
    /// Appends the next event of each place to the chunk, and replaces the simulations that end.
    void Collect(Epoch& epoch, const std::function<void()>& onSimulation);
    /// Trains on the chunk of an epoch, and begins another.
    void TrainChunk(Epoch& epoch);
    /// Appends an event of the simulation in a place to a chunk.
    static void Append(const M4Step& step, uint32_t place, M4TorchChunk& chunk);
    /// Returns the fraction of roll-outs of this epoch.
    double GetRollouts() const;

    M4TrainingOptions m_options;                    //!< of the training
    std::unique_ptr<M4Architecture> m_architecture; //!< of the network
    Source m_source;                                //!< returns simulations
    uint64_t m_nSimulations;                        //!< number of simulations
    std::unique_ptr<M4TorchModel> m_model;          //!< the network
    Ptr<UniformRandomVariable> m_random;            //!< random numbers of this epoch
    std::vector<uint64_t> m_order;                  //!< simulations of this epoch
    std::size_t m_next{0};                          //!< next of them
};

} // namespace ns3

#endif /* M4_TRAINER_H */
