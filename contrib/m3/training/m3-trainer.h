/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TRAINER_H
#define M3_TRAINER_H

#include "m3-example.h"
#include "ns3/m3-scaler.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-torch-set-network.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief How m3 is trained.
 */
struct M3TrainingOptions
{
    uint32_t width{64};       //!< d of DcnTorchSetNetwork
    uint32_t heads{4};        //!< A
    uint32_t layers{2};       //!< blocks
    uint32_t feedForward{128}; //!< F
    uint32_t mlp{192};        //!< M
    double gain{0.05};        //!< of DcnTorchSetNetwork
    bool context{true};       //!< false: links are not looked at (ablation)
    uint32_t batch{64};       //!< paths in a step
    uint32_t epochs{25};      //!< times that every path is seen
    double firstRate{1e-3};   //!< learning rate in the beginning
    double lastRate{1e-5};    //!< in the end; a half cosine in between
    double weightDecay{0.02}; //!< of AdamW
    double averaging{0.999};  //!< decay per step of the average of the weights, which is the model
    M3LossOptions loss;       //!< what counts
    uint64_t seed{1};         //!< of the first weights and of the order of the paths
};

/**
 * @ingroup m3
 * @brief Teaches the network what packets did on paths.
 *
 * AdamW on the loss of M3Example, of the layout that the examples have (M3Layout). The learning
 * rate at the share p of all steps rises during the first 2 % and then is
 * last + (first - last) (1 + cos(pi p)) / 2. The model is the moving average of the weights.
 * Features are scaled by means and deviations over the examples, if the layout is scaled.
 * Results depend on examples, options and seed alone.
 */
class M3Trainer
{
  public:
    /**
     * @param options how
     * @param examples what is learned from, at least one; must outlive the trainer
     * @throws DcnError if there is no LibTorch, examples have different layouts, or an option makes
     * no sense or has no effect
     */
    M3Trainer(const M3TrainingOptions& options, const std::vector<M3Example>& examples);
    ~M3Trainer();

    /**
     * @brief See every example once, and learn.
     * @param onStep called after every step with the number of examples seen; may be null
     * @return the mean loss before the steps
     */
    double RunEpoch(const std::function<void(uint64_t)>& onStep = nullptr);

    /** @return options and number of examples as text. */
    std::string DescribeOptions() const;

    /** @return number of epochs done. */
    uint32_t GetNEpochs() const;

    /** @return the network as it is now. */
    DcnModelFile GetModel() const;

    /** @return the network as it is trained, for comparison with M3Network. */
    DcnTorchSetNetwork& GetNetwork();

    /**
     * @param examples some examples
     * @param first of them
     * @param last one past the last
     * @return the batch, scaled
     */
    DcnTorchSetNetwork::Batch MakeBatch(const std::vector<const M3Example*>& examples,
                                        std::size_t first,
                                        std::size_t last) const;

    /**
     * @brief Write what is needed to go on.
     * @param folder made if it is not there
     */
    void Save(const std::string& folder) const;

    /**
     * @brief Go on where a trainer with the same options and examples was saved.
     * @param folder that Save wrote
     * @throws DcnError if it cannot be read or belongs to other options
     */
    void Load(const std::string& folder);

  private:
    /// Returns the learning rate after a number of steps.
    double GetRate(double step) const;

    M3TrainingOptions m_options;                   //!< how
    const std::vector<M3Example>& m_examples;      //!< what is learned from
    const M3Layout* m_layout;                      //!< of the examples
    M3Scaler m_tokenScaler;                        //!< of token features
    M3Scaler m_foregroundScaler;                   //!< of foreground features
    DcnTrainedRanges m_ranges{M3Conditions::GetQuantities()}; //!< of the examples
    uint64_t m_checksum{0};                        //!< of features and targets
    std::unique_ptr<DcnTorchSetNetwork> m_network; //!< what learns
    uint32_t m_nEpochs{0};                         //!< epochs done
};

} // namespace ns3

#endif /* M3_TRAINER_H */
