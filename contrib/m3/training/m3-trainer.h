/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TRAINER_H
#define M3_TRAINER_H

#include "../model/features/m3-scaler.h"
#include "m3-example.h"
#include "m3-training-options.h"

#include "ns3/dcn-model-file.h"
#include "ns3/m3-torch-network.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Trains a network of m3 on paths.
 *
 * The model is the moving average of the weights, or the weights themselves without averaging.
 * Default features are scaled by means and deviations over the examples. Results depend only on
 * examples, options and seed.
 */
class M3Trainer : public DcnTorchTraining
{
  public:
    /**
     * @param options options of the training
     * @param examples the data, at least one, with features of the architecture; must outlive the
     * trainer
     * @throws DcnError if LibTorch is missing, an example has other features, or an option is out
     * of range
     */
    M3Trainer(const M3TrainingOptions& options, const std::vector<M3Example>& examples);
    ~M3Trainer() override;

    /**
     * @brief Train on all examples once.
     * @param onStep called after every step with the number of examples seen; may be null
     * @return the mean loss before the steps
     * @throws DcnError if a loss or its gradient is not finite
     */
    double RunEpoch(const std::function<void(uint64_t)>& onStep = nullptr);

    /** @return options, number of examples and a checksum of the data as text. */
    std::string DescribeOptions() const override;

    DcnModelFile GetModel() const override;

    /** @return the network in LibTorch, for comparison with M3Network. */
    M3TorchNetwork& GetNetwork();

    /**
     * @param examples some examples
     * @param first index of the first example
     * @param last one past the last
     * @return the batch, scaled
     */
    M3TorchBatch MakeBatch(const std::vector<const M3Example*>& examples,
                           std::size_t first,
                           std::size_t last) const;

  private:
    DcnTorchTrainer& GetTrainer() const override;
    /// Throws DcnError if the model to begin with has another architecture.
    void CheckArchitecture(const DcnModelFile& from) const;
    M3TrainingOptions m_options;                                 //!< options of the training
    const std::vector<M3Example>& m_examples;                    //!< the data
    const M3FeatureSet& m_featureSet;                            //!< of the examples
    M3NetworkShape m_shape;                                      //!< of the network
    M3Scaler m_tokenScaler;                                      //!< scaler of token features
    M3Scaler m_foregroundScaler;                                 //!< scaler of foreground features
    DcnTrainedRanges m_ranges{M3RangeFeatures::GetQuantities()}; //!< of the examples
    uint64_t m_checksum{0};                                      //!< of features and targets
    std::unique_ptr<M3TorchNetwork> m_network;                   //!< the network
};

} // namespace ns3

#endif /* M3_TRAINER_H */
