/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TRACKER_H
#define M4_TRACKER_H

#include "m4-features.h"
#include "m4-fluid-state.h"

#include <cstdint>
#include <list>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief The part of the network that an event touches: the links of the event's flow, the flows
 * on them, and flows elsewhere whose fair rate changes, as a bipartite graph with features.
 *
 * Edges are between flows and links of the event's path: flows elsewhere have none.
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
     * By flow: ln of the slowdown that it will have if it keeps its fair rate, with the share left
     * below, not clamped; what the prediction starts from.
     */
    std::vector<float> fluidLogSlowdown;
    std::vector<float> fluidLeft;    //!< by flow: share left at fair rates (M4Memory)
    std::vector<float> fluidService; //!< by flow: time of all its bytes at its fair rate / ideal
    /// By edge: time that 1 KB takes on the link / ideal for a flow that starts, else 0.
    std::vector<float> edgeWait;
};

/**
 * @ingroup m4
 * @brief The active flows: where they are, their fair rates, and what an event changes.
 *
 * An event touches
 *
 * - flows that share a link with the event's flow: all, or the MAX_FLOWS that have not been looked
 *   at for longest. On a link of n flows each is looked at every n / MAX_FLOWS events of it, in
 *   which time n and with it the fair rate change by a share of 1 / MAX_FLOWS;
 * - flows on other links whose fair rate the event changes, and is then different by more than
 *   RATE_CHANGE from what it was when they were touched last, at most MAX_MOVED of them: as many as
 *   are found among the MAX_FLOWS of every such link that have not been looked at for longest.
 *
 * Others keep what was predicted for them. So an event costs the same in networks of any size. An
 * active flow whose neighbours have gone is alone again: there are no components that only grow
 * (as in the published m4), because none are kept.
 */
class M4Tracker
{
  public:
    static constexpr uint32_t MAX_FLOWS = 64;    //!< flows that share a link with the event's
    static constexpr uint32_t MAX_MOVED = 32;    //!< flows elsewhere
    static constexpr double RATE_CHANGE = 0.05; //!< share by which their fair rates differ
    static constexpr double LEAST_TOLD = 0.05;  //!< share left with M4Memory::STATES
    static constexpr double UNTOLD = 0.5;       //!< share left with M4Memory::NONE, once started

    /**
     * @param topology the network, which must outlive the tracker
     * @param describe whether snapshots have features
     * @param memory who remembers what flows were served: what snapshots and looks at flows say
     * is left of them
     */
    explicit M4Tracker(const DcnTopology& topology,
                       bool describe = true,
                       M4Memory memory = M4Memory::FLUID);
    M4Tracker(const M4Tracker&) = delete; // flows know places in lists
    M4Tracker& operator=(const M4Tracker&) = delete;

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
     * @return share of its fluid that would be left at the fair rates that it has had, 0 to 1
     */
    double GetFluidLeft(uint32_t slot, int64_t nowNs) const;

    /**
     * @param slot of an active flow
     * @param nowNs present time [ns]
     * @return what a snapshot would have as its fluidLeft
     */
    double GetToldLeft(uint32_t slot, int64_t nowNs) const;

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
     * @return its features as those of a link in the middle of the path of a flow that starts;
     * empty if no event has touched it
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
    static constexpr int64_t NEVER = -1; //!< before the first event

    /// An active flow.
    struct Flow
    {
        M4FlowConstants constants;   //!< see M4FlowConstants
        std::vector<uint32_t> links; //!< of its path
        std::vector<std::list<uint32_t>::iterator> places; //!< by link of it: in m_onLink
        M4FluidState::Slot fluid;    //!< its slot there
        int64_t startNs;             //!< start
        int64_t touchedNs;           //!< last event that touched it
        uint64_t looked;             //!< number of the last look at it
        double rateBefore;           //!< rate after that event [bit/s]; 0: there was none
        uint32_t mark;               //!< last snapshot that it was put into
        bool active;                 //!< false: the slot is free
    };

    /// What a flow has, and will have if it keeps its fair rate.
    struct Fluid
    {
        double left;        //!< share of its fluid
        double logSlowdown; //!< ln of its slowdown
        double service;     //!< time of all its fluid at its fair rate / ideal FCT
    };

    /// The last event of a link.
    struct LastEvent
    {
        int64_t timeNs{NEVER}; //!< when [ns]
        double rttNs;          //!< T of its flow [ns]
        double maxRateBps;     //!< c of its flow [bit/s]
    };

    /// Collects links and flows of an event; the flow that starts is among them.
    void Gather(const std::vector<uint32_t>& links, uint32_t starting, M4Snapshot& snapshot);
    /// Adds those flows on a link to m_found that have not been looked at for longest.
    void FindOnLink(uint32_t link, bool onlyMoved);
    /// Keeps those of m_found from a position on that have not been looked at for longest.
    void KeepOldest(std::size_t first, std::size_t most);
    /// Notes that a flow has been looked at.
    void Look(uint32_t slot);
    /// Computes the features of what was gathered.
    void Describe(const M4FlowConstants& event, bool arrival, int64_t nowNs, M4Snapshot& snapshot);
    /// Computes what a flow has at fair rates.
    Fluid ComputeFluid(uint32_t slot, int64_t nowNs) const;
    /// Appends the features of a flow.
    void DescribeFlow(const Flow& flow,
                      const Fluid& fluid,
                      bool isEvent,
                      bool arrival,
                      int64_t nowNs,
                      std::vector<float>& features) const;
    /// Fills in the waits of edges.
    void DescribeEdges(const M4FlowConstants& event, M4Snapshot& snapshot) const;
    /// Fills in the features of a link, but for its place on a path.
    void DescribeLink(uint32_t link,
                      double rttNs,
                      double maxRateBps,
                      bool arrival,
                      int64_t nowNs,
                      float* features) const;

    const DcnTopology& m_topology;                //!< the network
    bool m_describe;                              //!< whether snapshots have features
    M4Memory m_memory;                            //!< who remembers what flows were served
    M4FluidState m_fluid;                         //!< fair rates
    std::vector<Flow> m_flows;                    //!< by slot
    std::vector<uint32_t> m_free;                 //!< free slots, the smallest last
    std::vector<std::list<uint32_t>> m_onLink;    //!< by link: slots, last looked at last
    std::vector<LastEvent> m_linkEvents;          //!< by link: its last event
    uint64_t m_nLooks{0};                         //!< looks so far
    uint32_t m_mark{0};                           //!< number of the latest snapshot
    uint32_t m_nActive{0};                        //!< see GetNFlows
    std::vector<uint32_t> m_found;                //!< scratch: flows of a snapshot
};

} // namespace ns3

#endif /* M4_TRACKER_H */
