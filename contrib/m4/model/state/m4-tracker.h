/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TRACKER_H
#define M4_TRACKER_H

#include "m4-features.h"

#include <cstdint>
#include <list>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief The flows and links that an event affects, as a bipartite graph with features.
 *
 * Nodes are flows and links. An edge connects a flow with a link of its path, if both are in the
 * snapshot.
 */
struct M4Snapshot
{
    static constexpr uint32_t NO_ROW = 0xffffffff; //!< see eventRow

    std::vector<uint32_t> flows;     //!< slots of flows that are active after the event, ascending
    std::vector<uint32_t> links;     //!< directed link indices; at an arrival, its path first
    std::vector<float> flowFeatures; //!< by flow, defined by the tracker
    std::vector<float> linkFeatures; //!< by link, defined by the tracker
    std::vector<uint8_t> linkIsNew;  //!< by link: 1 if this event resets its state
    std::vector<uint32_t> edgeFlow;  //!< by edge: position in flows, ascending
    std::vector<uint32_t> edgeLink;  //!< by edge: position in links
    uint32_t eventRow{NO_ROW};       //!< position in flows of a flow that starts, else NO_ROW

    /// By flow: ln of its slowdown at its present fair rate, not clamped. Empty for the published
    /// network.
    std::vector<float> fluidLogSlowdown;
    /// By flow: remaining fraction at fair rates. Empty for the published network.
    std::vector<float> fluidRemaining;
};

/**
 * @ingroup m4
 * @brief Tracks the active flows of a simulation, and makes the snapshot of each event.
 *
 * An active flow has a slot, the smallest free one at its start. Derived classes define which flows
 * and links an event affects, and their features.
 */
class M4Tracker
{
  public:
    virtual ~M4Tracker();
    M4Tracker(const M4Tracker&) = delete; // flows keep iterators of lists
    M4Tracker& operator=(const M4Tracker&) = delete;

    /**
     * @brief A flow starts.
     * @param constants of the flow
     * @param path its links, which are copied
     * @param nowNs time of the event [ns], not before an earlier event
     * @param snapshot set to the flows and links that the event affects, the new flow included
     * @return slot of the flow
     */
    uint32_t Start(const M4FlowConstants& constants,
                   DcnPath path,
                   int64_t nowNs,
                   M4Snapshot& snapshot);

    /**
     * @brief A flow ends.
     * @param slot of the flow
     * @param nowNs time of the event [ns], not before an earlier event
     * @param snapshot set to the flows and links that the event affects, without the flow
     * @param isOver whether its last bytes are on its links for its latency; else it may begin
     * again at once
     */
    void End(uint32_t slot, int64_t nowNs, M4Snapshot& snapshot, bool isOver = true);

    /**
     * @brief Change the rates of cables that no flow crosses.
     * @param topology the network with these rates, which must outlive the tracker
     */
    void SetTopology(const DcnTopology& topology);

    /**
     * @param slot of an active flow
     * @param nowNs present time [ns]
     * @return remaining fraction at its fair rates so far, 0 to 1; NaN if this tracker has no fair
     * rates
     */
    virtual double GetFluidRemaining(uint32_t slot, int64_t nowNs) const = 0;

    /**
     * @param slot of an active flow
     * @param nowNs present time [ns], not before the last event
     * @return its features between events
     */
    virtual std::vector<float> DescribeFlow(uint32_t slot, int64_t nowNs) const = 0;

    /**
     * @param link directed link index
     * @param nowNs present time [ns], not before the last event
     * @return its features between events; empty if its state is still the initial
     * one
     */
    virtual std::vector<float> DescribeLink(uint32_t link, int64_t nowNs) const = 0;

    /**
     * @param slot of an active flow
     * @return its constants
     */
    const M4FlowConstants& GetConstants(uint32_t slot) const;

    /**
     * @param slot any number
     * @return whether it is the slot of an active flow
     */
    bool IsActive(uint32_t slot) const;

    /** @return number of active flows. */
    uint32_t GetNFlows() const;

    /**
     * @param slot of an active flow
     * @return links of its path
     */
    const std::vector<uint32_t>& GetLinks(uint32_t slot) const;

    /**
     * @param slot of an active flow
     * @return whether no other flow has been on a link of its path since its start
     */
    bool IsAlone(uint32_t slot) const;

    /**
     * @param slot of an active flow
     * @return whether it is alone and, besides, neither other flows nor their last bytes have been
     * on a link of its path in either direction since its start
     */
    bool IsUndisturbed(uint32_t slot) const;

    /**
     * @param link directed link index
     * @return slot of the flow on it that is alone (IsAlone), else NO_FLOW
     */
    uint32_t FindAlone(uint32_t link) const;

    /**
     * @param link directed link index
     * @return sum of the rates of the flows on it (GetRate) [bit/s]
     */
    double GetRateOn(uint32_t link) const;

    /**
     * @param link directed link index
     * @return number of flows on it
     */
    uint32_t GetNFlowsOn(uint32_t link) const;

    /** @return whether this tracker has fair rates. */
    virtual bool HasFairRates() const;

    /**
     * @param slot of an active flow
     * @return its fair rate [bit/s]; without HasFairRates its largest rate
     */
    virtual double GetRate(uint32_t slot) const;

    static constexpr uint32_t NO_FLOW = 0xffffffff; //!< see FindAlone

  protected:
    static constexpr int64_t NEVER = -1; //!< before the first event

    /// An active flow.
    struct Flow
    {
        M4FlowConstants constants;                         //!< see M4FlowConstants
        std::vector<uint32_t> links;                       //!< of its path
        std::vector<std::list<uint32_t>::iterator> places; //!< by link of its path: in m_onLink
        int64_t startNs;                                   //!< start
        int64_t touchedNs;                                 //!< last event that affected it
        uint32_t mark;                                     //!< number of the last snapshot with it
        bool active;                                       //!< false: the slot is free
        bool isAlone;                                      //!< see IsAlone
        bool isUndisturbed;                                //!< see IsUndisturbed
    };

    /// An event, for derived classes.
    struct Event
    {
        uint32_t slot;  //!< slot of its flow, which is inactive after a departure
        bool isArrival; //!< true: the flow starts
        int64_t nowNs;  //!< when [ns]
    };

    /**
     * @param topology the network, which must outlive the tracker
     * @param describe false: snapshots have no features
     */
    M4Tracker(const DcnTopology& topology, bool describe);

    /// The rate of a link has changed.
    virtual void DoSetCapacity(uint32_t link, double capacity);
    /// A flow has a slot and is on its links.
    virtual void DoStart(const Event& event) = 0;
    /// A flow is about to lose its slot; it has left its links.
    virtual void DoEnd(const Event& event) = 0;
    /// Fills in slots of flows, in any order, and links; m_mark is new.
    virtual void Gather(const Event& event,
                        std::vector<uint32_t>& flows,
                        std::vector<uint32_t>& links) = 0;
    /// Fills in features of flows and links.
    virtual void Describe(const Event& event, M4Snapshot& snapshot) = 0;

    const DcnTopology* m_topology;             //!< the network, with present rates
    bool m_describe;                           //!< whether snapshots have features
    std::vector<Flow> m_flows;                 //!< by slot
    std::vector<std::list<uint32_t>> m_onLink; //!< by link: slots
    uint32_t m_mark{0};                        //!< number of the latest snapshot

  private:
    /// Makes the snapshot of an event.
    void MakeSnapshot(const Event& event, M4Snapshot& snapshot);

    std::vector<int64_t> m_emptyNs;  //!< by link: its last bytes have arrived [ns]
    std::vector<uint32_t> m_free;    //!< free slots, a heap with the smallest at the top
    std::vector<uint32_t> m_linkRow; //!< by link: row in the latest snapshot, else NO_ROW
    uint32_t m_nActive{0};           //!< see GetNFlows
};

} // namespace ns3

#endif /* M4_TRACKER_H */
