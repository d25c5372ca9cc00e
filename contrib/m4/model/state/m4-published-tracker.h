/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_PUBLISHED_TRACKER_H
#define M4_PUBLISHED_TRACKER_H

#include "m4-published-features.h"
#include "m4-tracker.h"

#include "ns3/dcn-network-config.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Snapshots of the published network (m4, sections 3.2 and 3.4), with M4PublishedFeatures.
 *
 * An event affects all flows that are connected with its flow, directly or by other flows and links
 * that they share, and all links of these flows. So the cost of an event grows with the connected
 * component, at high load with the number of active flows. The released code never splits a
 * component before its last flow has ended; here it is the component at the event, as in the
 * paper's text. A link without flows returns to its initial state.
 */
class M4PublishedTracker : public M4Tracker
{
  public:
    /**
     * @param topology the network, which must outlive the tracker
     * @param network the configuration
     * @param describe false: snapshots have no features
     */
    M4PublishedTracker(const DcnTopology& topology,
                       const DcnNetworkParameters& network,
                       bool describe = true);

    /// Returns NaN.
    double GetFluidRemaining(uint32_t slot, int64_t nowNs) const override;
    std::vector<float> DescribeFlow(uint32_t slot, int64_t nowNs) const override;
    std::vector<float> DescribeLink(uint32_t link, int64_t nowNs) const override;

  private:
    void DoStart(const Event& event) override;
    void DoEnd(const Event& event) override;
    void Gather(const Event& event,
                std::vector<uint32_t>& flows,
                std::vector<uint32_t>& links) override;
    void Describe(const Event& event, M4Snapshot& snapshot) override;

    /// Appends a link to a snapshot, unless it is in it or has no flow.
    void AddLink(uint32_t link, std::vector<uint32_t>& links);
    /// Appends the features of a flow.
    void AppendFlow(uint32_t slot, int64_t nowNs, std::vector<float>& features) const;

    std::array<float, M4PublishedFeatures::N_CONFIG> m_config; //!< inputs of the configuration
    std::vector<int64_t> m_linkTouchedNs; //!< by link: last event; NEVER: without flows
    std::vector<uint32_t> m_linkMark;     //!< by link: number of the last snapshot with it
};

} // namespace ns3

#endif /* M4_PUBLISHED_TRACKER_H */
