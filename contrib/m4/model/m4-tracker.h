/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TRACKER_H
#define M4_TRACKER_H

#include "m4-features.h"
#include "m4-fluid-state.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief The part of the network that an event touches: the links of the event's flow and the flows
 * on them, as a bipartite graph with features.
 */
struct M4Snapshot
{
    static constexpr uint32_t NO_ROW = 0xffffffff; //!< see eventRow

    std::vector<uint32_t> flows; //!< slots of the flows that are active after the event
    std::vector<uint32_t> links; //!< directed link indices of the event's path, in its order
    std::vector<float> flowFeatures; //!< M4Features::N_FLOW per flow, static ones first
    std::vector<float> linkFeatures; //!< M4Features::N_LINK per link
    std::vector<uint32_t> edgeFlow;  //!< by edge: position in flows, ascending
    std::vector<uint32_t> edgeLink;  //!< by edge: position in links
    uint32_t eventRow;               //!< position in flows of a flow that starts, else NO_ROW

    /**
     * By flow: ln of the slowdown that it will have if it keeps its fair rate, not clamped; what
     * the prediction starts from.
     */
    std::vector<float> fluidLogSlowdown;
};

/**
 * @ingroup m4
 * @brief The active flows: where they are, their fair rates, and what an event changes.
 *
 * Flows that share a link with the event's flow are touched, at most MAX_FLOWS of them, the
 * latest starts first; others keep what was predicted for them. So an event costs the same in
 * networks of any size. An active flow whose neighbours have gone is alone again: there are no
 * components that only grow (as in m4, brief B1), because none are kept.
 */
class M4Tracker
{
  public:
    static constexpr uint32_t MAX_FLOWS = 64; //!< flows in a snapshot

    /**
     * @param topology the network, which must outlive the tracker
     * @param describe whether snapshots have features; without, there are no fair rates either
     */
    explicit M4Tracker(const DcnTopology& topology, bool describe = true);

    /**
     * @brief A flow starts.
     * @param constants of the flow
     * @param path its links, which are copied
     * @param nowNs when [ns], not before an earlier event
     * @param snapshot what that touches, the new flow included
     * @return slot of the flow: the smallest that is free
     */
    uint32_t Start(const M4FlowConstants& constants,
                   DcnPath path,
                   int64_t nowNs,
                   M4Snapshot& snapshot);

    /**
     * @brief A flow ends.
     * @param slot of the flow
     * @param nowNs when [ns], not before an earlier event
     * @param snapshot what that touches, without the flow
     */
    void End(uint32_t slot, int64_t nowNs, M4Snapshot& snapshot);

    /**
     * @param slot of an active flow
     * @param nowNs present time [ns]
     * @return share of its fluid that would be left at fair rates, 0 to 1
     */
    double GetFluidLeft(uint32_t slot, int64_t nowNs) const;

    /**
     * @brief Look at a flow between events; nothing is changed.
     * @param slot of an active flow
     * @param nowNs present time [ns], not before the last event
     * @return its features as those of a flow that another one's start touches
     */
    std::vector<float> LookAtFlow(uint32_t slot, int64_t nowNs) const;

    /**
     * @brief Look at a link between events; nothing is changed.
     * @param link directed link index
     * @param nowNs present time [ns], not before the last event
     * @return its features as those of a link in the middle of the path of a flow that starts
     */
    std::vector<float> LookAtLink(uint32_t link, int64_t nowNs) const;

    /**
     * @param slot of an active flow
     * @return its constants
     */
    const M4FlowConstants& GetConstants(uint32_t slot) const;

    /**
     * @param slot any number
     * @return whether it is that of an active flow
     */
    bool IsActive(uint32_t slot) const;

    /** @return number of active flows. */
    uint32_t GetNFlows() const;

  private:
    /// An active flow.
    struct Flow
    {
        M4FlowConstants constants;   //!< see M4FlowConstants
        std::vector<uint32_t> links; //!< of its path
        M4FluidState::Slot fluid;    //!< its slot there
        int64_t startNs;             //!< start
        int64_t touchedNs;           //!< last event that touched it
        uint64_t order;              //!< number of its start
        float rateBefore;            //!< rate / c after that event
        uint32_t mark;               //!< last snapshot that it was put into
        bool active;                 //!< false: the slot is free
    };

    /// Collects links and flows of an event.
    void Gather(const std::vector<uint32_t>& links, M4Snapshot& snapshot);
    /// Computes the features of what was gathered.
    void Describe(const M4FlowConstants& event, bool arrival, int64_t nowNs, M4Snapshot& snapshot);
    /// Appends the features of a flow; returns ln of its fluid slowdown.
    double DescribeFlow(const Flow& flow,
                        bool isEvent,
                        bool arrival,
                        int64_t nowNs,
                        std::vector<float>& features) const;
    /// Fills in the features of a link, but for its place on a path.
    void DescribeLink(uint32_t link,
                      double rttNs,
                      double maxRateBps,
                      bool arrival,
                      int64_t nowNs,
                      float* features) const;

    const DcnTopology& m_topology;                //!< the network
    bool m_describe;                              //!< whether snapshots have features
    M4FluidState m_fluid;                         //!< fair rates
    std::vector<Flow> m_flows;                    //!< by slot
    std::vector<uint32_t> m_free;                 //!< free slots, the smallest last
    std::vector<std::vector<uint32_t>> m_onLink;  //!< by link: slots of its flows
    std::vector<int64_t> m_linkTouchedNs;         //!< by link: last event that touched it
    uint64_t m_nStarted{0};                       //!< flows started so far
    uint32_t m_mark{0};                           //!< number of the latest snapshot
    uint32_t m_nActive{0};                        //!< see GetNFlows
    double m_lastRttNs{0};                        //!< T of the last event's flow [ns]
    double m_lastMaxRateBps{0};                   //!< c of the last event's flow [bit/s]
    std::vector<uint32_t> m_found;                //!< scratch: flows of a snapshot
};

} // namespace ns3

#endif /* M4_TRACKER_H */
