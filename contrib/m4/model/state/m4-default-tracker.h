/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_DEFAULT_TRACKER_H
#define M4_DEFAULT_TRACKER_H

#include "m4-fluid-state.h"
#include "m4-link-history.h"
#include "m4-tracker.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Snapshots of the default network, with M4Features.
 *
 * An event affects the links of its flow's path and
 *
 * - flows that share a link with the event's flow: all, or the MAX_FLOWS least recently visited
 *   flows. On a link of n flows each flow is visited at every n / MAX_FLOWS-th event of the link;
 * in that time n, and with it the fair rate, changes by a fraction of 1 / MAX_FLOWS;
 * - flows on other links, if the event changes their fair rate and it differs by more than
 *   RATE_CHANGE from the rate after their last event. At most MAX_MOVED of them are affected,
 * chosen from the MAX_FLOWS least recently visited flows of each such link.
 *
 * All other flows keep their states and predictions, so that the cost of an event does not depend
 * on the size of the network. The tracker does not compute connected components.
 */
class M4DefaultTracker : public M4Tracker
{
  public:
    static constexpr uint32_t MAX_FLOWS = 64;   //!< flows that share a link with the event's flow
    static constexpr uint32_t MAX_MOVED = 32;   //!< flows on other links
    static constexpr double RATE_CHANGE = 0.05; //!< least relative change of their fair rate

    /**
     * @param topology the network, which must outlive the tracker
     * @param describe false: snapshots have no features
     */
    explicit M4DefaultTracker(const DcnTopology& topology, bool describe = true);

    double GetFluidRemaining(uint32_t slot, int64_t nowNs) const override;

    bool HasFairRates() const override;
    double GetRate(uint32_t slot) const override;

    /// Returns features as at the arrival of another flow.
    std::vector<float> DescribeFlow(uint32_t slot, int64_t nowNs) const override;

    /// Returns features as of a link in the middle of an arriving flow's path.
    std::vector<float> DescribeLink(uint32_t link, int64_t nowNs) const override;

  private:
    /// State of a flow for this tracker.
    struct Visit
    {
        M4FluidState::Slot fluid; //!< slot in m_fluid
        uint64_t number;          //!< of the last visit
        double rateBefore;        //!< rate after the last event that affected it [bit/s]; 0: none
        M4LinkHistory::Meeting meeting; //!< backlogs at its start
        std::vector<double> workNs;     //!< by link: its work just after the flow's start [ns]
    };

    /// Present state of a flow's fluid, and its slowdown at the present fair rate.
    struct Fluid
    {
        double remaining;   //!< remaining fraction
        double logSlowdown; //!< ln of its slowdown at the present fair rate
    };

    /// The last event of a link.
    struct LastEvent
    {
        int64_t timeNs{NEVER}; //!< when [ns]
        double rttNs;          //!< T of its flow [ns]
        double maxRateBps;     //!< c of its flow [bit/s]
    };

    void DoSetCapacity(uint32_t link, double capacity) override;
    void DoStart(const Event& event) override;
    void DoEnd(const Event& event) override;
    void Gather(const Event& event,
                std::vector<uint32_t>& flows,
                std::vector<uint32_t>& links) override;
    void Describe(const Event& event, M4Snapshot& snapshot) override;

    /// Adds the least recently visited flows on a link, all or only those whose rate has changed.
    void FindOnLink(uint32_t link, bool onlyMoved, std::vector<uint32_t>& found);
    /// Keeps the least recently visited flows from a position on.
    void KeepOldest(std::size_t first, std::size_t most, std::vector<uint32_t>& found);
    /// Records a visit of a flow.
    void NoteVisit(uint32_t slot);
    /// Computes the fluid of a flow.
    Fluid ComputeFluid(uint32_t slot, int64_t nowNs) const;
    /// Appends the features of a flow.
    void AppendFlow(uint32_t slot,
                    const Fluid& fluid,
                    bool isEvent,
                    const Event& event,
                    std::vector<float>& features) const;
    /// Fills in the features of a link, except its position on a path.
    void FillLink(uint32_t link,
                  double rttNs,
                  double maxRateBps,
                  bool isArrival,
                  int64_t nowNs,
                  float* features) const;

    M4FluidState m_fluid;                //!< fair rates
    M4LinkHistory m_history;             //!< backlogs and loads
    std::vector<Visit> m_visits;         //!< by slot
    std::vector<LastEvent> m_linkEvents; //!< by link
    uint64_t m_nVisits{0};               //!< visits so far
};

} // namespace ns3

#endif /* M4_DEFAULT_TRACKER_H */
