/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TRAINER_H
#define M4_TRAINER_H

#include "ns3/m4-network.h"
#include "m4-tape.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-torch-graph-network.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief How m4 is trained.
 */
struct M4TrainingOptions
{
    M4Architecture architecture{}; //!< of the network
    uint32_t batch{32};         //!< simulations in lock-step
    uint32_t chunk{32};         //!< events between two steps of the optimiser
    uint32_t epochs{20};        //!< times that simulations are played
    uint64_t perEpoch{0};       //!< simulations in an epoch, drawn anew for each; 0: all
    double firstRate{3e-3};     //!< learning rate in the beginning
    double lastRate{3e-5};      //!< in the end; a half cosine in between
    double lambdaLeft{1};       //!< weight of the shares left in the loss; 0: not supervised
    double lambdaQueue{0.5};    //!< weight of the queues in the loss; 0: not supervised
    double rollouts{1};         //!< share of simulations that are played as the model predicts
    double firstRollouts{-1};   //!< in the first epoch, linear until the last; -1: as rollouts
    uint32_t curriculum{0};     //!< epochs in the beginning with parts of simulations only
    double dense{0.5};          //!< weight of a slowdown at all events, see M4Tape
    double averaging{0.999};    //!< decay per step of the average of the weights; 0: the latest
    uint64_t seed{1};           //!< of the first weights and of the order of the simulations
    std::string data;           //!< tells data sets apart: a training goes on with the same
};

/**
 * @ingroup m4
 * @brief Teaches the network what packets did.
 *
 * Simulations are played event by event (M4Tape), several at once, one event of each making a step;
 * when one is over, the next takes its place. A share of them is played at the true times (teacher
 * forcing), the others as the average of the weights at that moment simulates them (roll-outs).
 * Gradients go back through at most one chunk of events, states go on. The loss is that of
 * DcnTorchGraphNetwork.
 *
 * With a curriculum of C epochs, epoch e = 0, 1, ... < C plays the first 2^(e - C) of the events of
 * each simulation only, 2 events per flow being all: at first short ones, which begin in an empty
 * network, then twice as long ones, and so on. A flow that is cut off weighs as much as others.
 *
 * The learning rate at the share p of the whole training rises during the first 2 % and then is
 * last + (first - last) (1 + cos(pi p)) / 2. All epochs are equal parts of p, and so are all
 * simulations of an epoch that are over, however many events are played of them: with a
 * curriculum, the rate falls faster per step of the optimiser in the first epochs than in those
 * with whole simulations.
 */
class M4Trainer
{
  public:
    /// Gives the truth of a simulation, by its number.
    using Source = std::function<std::shared_ptr<const M4Truth>(uint64_t)>;

    /// What an epoch brought.
    struct Report
    {
        uint64_t events{0};     //!< events played
        uint64_t rollouts{0};   //!< simulations that were played as the model predicted
        double logSlowdown{0};  //!< mean |error| of ln slowdown; of raw slowdowns, |a / true - 1|
        double left{0};         //!< mean |error| of the share left
        double queue{0};        //!< mean |error| of ln(1 + queue / KB), of joint heads, too
    };

    /**
     * @param options how
     * @param source gives simulations
     * @param nSimulations number of simulations
     * @throws DcnError if there is no LibTorch, or an option makes no sense
     */
    M4Trainer(const M4TrainingOptions& options, Source source, uint64_t nSimulations);
    ~M4Trainer();

    /**
     * @brief Play the simulations of an epoch once, and learn.
     * @param onSimulation called when one is over; may be null
     * @return what came of it
     */
    Report RunEpoch(const std::function<void()>& onSimulation = nullptr);

    /** @return number of epochs done. */
    uint32_t GetNEpochs() const;

    /** @return the network as it is now, with the average of its weights; its card has options. */
    DcnModelFile GetModel() const;

    /**
     * @brief Write what is needed to go on.
     * @param folder made if it is not there
     */
    void Save(const std::string& folder) const;

    /**
     * @brief Go on where a trainer with the same options was saved; the number of epochs and that
     * of simulations in an epoch may differ. With another number of epochs, the learning rate and
     * the share of roll-outs differ from here on.
     * @param folder that Save wrote
     * @throws DcnError if it cannot be read or belongs to other options
     */
    void Load(const std::string& folder);

  private:
    /// A place in the batch.
    struct Place
    {
        std::shared_ptr<const M4Truth> truth; //!< what is played, null: nothing any more
        std::unique_ptr<M4Tape> tape;         //!< plays it
    };

    /// Puts the next simulation into a place; returns false if there is none.
    bool Fill(Place& place, uint32_t index, Report& report);
    /// Appends an event of the simulation in a place to a step.
    void Append(const M4Step& event, uint32_t index, DcnTorchGraphNetwork::Step& step) const;
    /// Returns the number of events of a simulation that this epoch plays, the first ones.
    std::size_t GetNEvents(const M4Truth& truth) const;
    /// Returns the share of roll-outs of this epoch.
    double GetRollouts() const;
    /// Returns the learning rate of the next step of the optimiser.
    double GetRate() const;
    /// Returns the options as text.
    std::string DescribeOptions() const;

    M4TrainingOptions m_options;                     //!< how
    Source m_source;                                 //!< gives simulations
    uint64_t m_nSimulations;                         //!< number of simulations
    std::unique_ptr<DcnTorchGraphNetwork> m_network; //!< what learns
    Ptr<UniformRandomVariable> m_random;             //!< of this epoch
    std::vector<uint64_t> m_order;                   //!< simulations of this epoch
    std::size_t m_next{0};                           //!< next of them
    uint32_t m_nEpochs{0};                           //!< epochs done
    double m_done{0};                                //!< share of this epoch that is done
    uint32_t m_flowRows{0};                          //!< rows of flow states per place
    uint32_t m_linkRows{0};                          //!< rows of link states per place
};

} // namespace ns3

#endif /* M4_TRAINER_H */
