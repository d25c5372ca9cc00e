/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TRAINING_OPTIONS_H
#define M3_TRAINING_OPTIONS_H

#include "ns3/dcn-torch-training.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Options of a training of m3.
 */
struct M3TrainingOptions : DcnTorchTrainingOptions
{
    std::string architecture; //!< default or published
    uint32_t width;           //!< d of M3DefaultNetwork or M3PublishedNetwork
    uint32_t heads;           //!< A, heads of the attention
    uint32_t layers;          //!< blocks of the transformer
    uint32_t feedForward;     //!< F, width inside a block
    uint32_t mlp;             //!< M, width of the hidden layers of the head
    double correction{0};     //!< share of the network in answers (M3Network); 0: that of the
                              //!< model to begin with, or 1
    double limit{-1};         //!< largest ratio of the network to its base (M3Network); 0: none;
                              //!< -1: that of the model to begin with, or none
    uint32_t patience;        //!< epochs without a smaller loss before a training ends
    uint64_t pathsPerPath;    //!< paths drawn from a sample of the kind path, besides its own
    uint64_t pathsPerFabric;  //!< paths drawn from a sample of the kind fabric
    double share{1};          //!< share of the workloads for training (M3Data)
    std::string leaveOut;     //!< samples that are not in the training (M3Data)

    /**
     * @brief Set the values of an architecture: those of the shipped model, or the published ones
     * (sizes, batch of all 16 workers, constant rate without clipping and averaging, 400 epochs,
     * one path per sample).
     * @param architecture default or published
     * @throws DcnError for any other name
     */
    explicit M3TrainingOptions(const std::string& architecture = "default");

    /**
     * @brief Declare the command-line options.
     * @param cmd gets the options; this object must outlive its parsing
     */
    void AddTo(CommandLine& cmd);

    /** @throws DcnError for an option out of range */
    void Check() const;
};

} // namespace ns3

#endif /* M3_TRAINING_OPTIONS_H */
