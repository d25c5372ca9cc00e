/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TORCH_NETWORK_H
#define M4_TORCH_NETWORK_H

#include "m4-network.h"
#include "m4-torch-model.h"

#include "ns3/dcn-model-file.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief A network evaluated by LibTorch: the published one in use; either one in tests and in
 * training.
 */
class M4TorchNetwork : public M4Network
{
  public:
    /**
     * @param sizes of the network
     * @param model weights
     * @throws DcnError if LibTorch is missing, or a matrix is missing or has another shape
     */
    M4TorchNetwork(const M4NetworkSizes& sizes, const DcnModelFile& model);
    ~M4TorchNetwork() override;

    /**
     * @brief Create a network in LibTorch.
     * @param user subject of an error sentence, such as "the training of m4"
     * @param sizes of the network
     * @param options of the training
     * @return the network with random weights
     * @throws DcnError if LibTorch is missing, or cannot compute on the device
     */
    static std::unique_ptr<M4TorchModel> Make(const char* user,
                                              const M4NetworkSizes& sizes,
                                              const M4TorchModel::Options& options);

    /**
     * @brief Append an event to the rows of a step, without labels.
     * @param snapshot the event
     * @param firstFlow row of states of the simulation's slot 0
     * @param firstLink row of states of the simulation's link 0
     * @param chunk the rows are appended to it
     */
    static void Append(const M4Snapshot& snapshot,
                       int64_t firstFlow,
                       int64_t firstLink,
                       M4TorchChunk& chunk);

    void Begin(uint32_t nLinks) override;
    void Update(const M4Snapshot& snapshot) override;
    const std::vector<float>& GetLogSlowdowns() override;
    bool HasSpread() const override;
    std::vector<float> GetLogQuantiles(uint32_t slot) override;
    std::vector<float> GetRemaining() override;
    std::vector<float> GetQueueBytes() override;
    float QueryRemaining(uint32_t slot, const std::vector<float>& features) override;
    float QueryQueueBytes(uint32_t link, const std::vector<float>& features) override;

  private:
    std::unique_ptr<M4TorchModel> m_model; //!< the network
    bool m_isPublished;                    //!< true: the published network
    M4TorchPredictions m_predictions;      //!< predictions of the last Update
    std::vector<float> m_logQuantiles;     //!< see GetLogQuantiles: by slot, M4Spread::N each
};

} // namespace ns3

#endif /* M4_TORCH_NETWORK_H */
