/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_ARCHITECTURE_H
#define M4_ARCHITECTURE_H

#include "m4-network.h"
#include "m4-torch-model.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup m4
 * @brief The two networks of m4, by name: makes their trackers and networks.
 *
 * - `default`: M4DefaultNetwork with M4DefaultTracker, H = 32.
 * - `published`: M4TorchNetwork with M4PublishedTracker, H = 400, G = 300, D = 200 as in the paper
 *   (m4, section 4). The released weights, a file of 6 MB, have H = 200, that is, 1,501,003
 * numbers.
 */
struct M4Architecture
{
    static constexpr uint32_t MAX_WIDTH = 1024; //!< largest H, G and D

    /**
     * @param name default or published
     * @param hidden H; 0: the width above
     * @throws DcnError for another name or width
     */
    explicit M4Architecture(const std::string& name = "default", uint32_t hidden = 0);

    /**
     * @param model a model
     * @return the architecture on its card
     * @throws DcnError for an architecture or features that this release does not support
     */
    static M4Architecture Read(const DcnModelFile& model);

    /**
     * @brief Write the architecture into the card of a model.
     * @param model is given the architecture
     */
    void Write(DcnModelFile& model) const;

    /** @throws DcnError for a width out of range */
    void Check() const;

    /** @return default or published. */
    std::string GetName() const;

    /** @return name and widths as "key=value ...". */
    std::string Describe() const;

    /**
     * @param topology the network, which must outlive the tracker
     * @param network the configuration
     * @param describe false: snapshots have no features
     * @return a tracker whose snapshots this architecture can read
     */
    std::unique_ptr<M4Tracker> MakeTracker(const DcnTopology& topology,
                                           const DcnNetworkParameters& network,
                                           bool describe = true) const;

    /**
     * @param model weights of this architecture
     * @return the network
     * @throws DcnError if a matrix is missing, has the wrong shape or is not finite, or if LibTorch
     * is needed and missing
     */
    std::unique_ptr<M4Network> MakeNetwork(const DcnModelFile& model) const;

    M4NetworkSizes sizes; //!< widths
};

} // namespace ns3

#endif /* M4_ARCHITECTURE_H */
