/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_THROTTLE_H
#define NOC_THROTTLE_H

#include "ns3/mql-tree.h"
#include "ns3/noc-engine.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup noc
 * @brief A policy of source throttling: detector, scope and actuator, each by itself.
 */
struct NocThrottleOptions
{
    /// Says of each sink whether it is congested.
    enum class Detector : uint8_t
    {
        NONE,      //!< never
        THRESHOLD, //!< occupancy from on x N_I on, until it is below off x N_I (prior work)
        TREE       //!< decision tree on NocSinkFeatures
    };

    /// Who hears of a congested sink.
    enum class Scope : uint8_t
    {
        GLOBAL, //!< all cores stop while any sink is congested
        SINK    //!< cores hold requests for this sink
    };

    /// What cores do.
    enum class Actuator : uint8_t
    {
        SKIP,  //!< take the next request that may be issued
        HOLD,  //!< wait for the oldest request
        WINDOW //!< one window of hits for all cores shrinks and grows; no request is held
    };

    Detector detector{Detector::NONE}; //!< see there
    Scope scope{Scope::SINK};          //!< see there
    Actuator actuator{Actuator::SKIP}; //!< see there
    bool hearsMemory{false}; //!< sinks of memory controllers count, too: any sink (prior work)
    double on{0.75};         //!< share of the ingress queue, THRESHOLD
    double off{0.4};         //!< share of the ingress queue, THRESHOLD
    uint32_t delay{10};      //!< of signals on their way to cores [cycles]
    double alpha{1.0 / 16};  //!< of the features, TREE
    bool isLocal{false};     //!< cores at the border of a mesh also look ahead, see below
    std::shared_ptr<const MqlTree> tree; //!< TREE
    uint32_t period{32};                 //!< cycles between two changes of the window
    double shrink{0.85};                 //!< factor of the window while a sink is congested
    double grow{0.1};                    //!< added to the window otherwise
    double least{10};                    //!< smallest window: misses alone may congest a sink
    double most{64};                     //!< largest window

    /**
     * @brief Read a policy: none, fixed-N (a constant window of N hits), or a detector, threshold
     * or tree, then any of -global (scope), -any (hearsMemory), -hold, -window (actuators) and
     * -local, then :ON:OFF, its own thresholds; for instance threshold-window:0.5:0.25.
     * @param name of the policy
     * @param defaults of all that the name does not say; its tree, if any, is that of "tree"
     * @param hitWindow is set by fixed-N
     * @return the policy
     * @throws DcnError for another name, and if there is no tree for "tree"
     */
    static NocThrottleOptions Read(const std::string& name,
                                   NocThrottleOptions defaults,
                                   uint32_t& hitWindow);
};

/**
 * @ingroup noc
 * @brief Source throttling (dissertation, chapter 3).
 *
 * A detector at each sink of requests is evaluated at attempts and departures: a sink to which
 * nothing comes any more must be able to clear its signal; up to CLEAR of its ingress queue it
 * always does. Cores hear of a signal `delay` cycles later. Only cores are throttled: holding back
 * cache slices would keep their lists full and the signal up for ever.
 *
 * With isLocal, cores at the border of a mesh also hold a request for a sink of which the occupancy
 * that they heard of and the packets that come during the delay at its present rate exceed on x N_I
 * (our reading of algorithm 3).
 */
class NocThrottle : public NocEngine::Control
{
  public:
    static constexpr double CLEAR = 0.05; //!< share of an ingress queue

    /**
     * @param system the system
     * @param options the policy
     * @throws DcnError for thresholds that are no shares in order, a tree that is missing, and a
     * detector in a system whose cores have no windows, where nothing can be held back
     */
    NocThrottle(const NocSystem& system, const NocThrottleOptions& options);
    ~NocThrottle() override;

    /// Is told of signals that change: cycle, node of the sink, whether it is congested.
    using Listener = std::function<void(uint32_t, uint32_t, bool)>;

    /**
     * @param listener is called within NocEngine::Run; null: none
     */
    void SetListener(Listener listener)
    {
        m_listener = std::move(listener);
    }

    /** @return the present window of hits. */
    double GetWindow() const
    {
        return m_window;
    }

    /** @return signalled sinks, summed over cycles. */
    uint64_t GetSignalled() const
    {
        return m_signalled;
    }

    // of NocEngine::Control
    void Begin(uint32_t cycle) override;
    bool MayIssue(uint32_t core, uint32_t destination) const override;
    uint32_t GetLookAhead() const override;
    uint32_t GetHitWindow() const override;
    void Attempt(uint32_t cycle,
                 uint32_t node,
                 bool isAccepted,
                 uint32_t occupancy,
                 uint32_t issued) override;
    void Depart(uint32_t cycle, uint32_t node, uint32_t occupancy) override;

  private:
    struct Sink;

    void Detect(uint32_t cycle, uint32_t node);

    const NocThrottleOptions m_options;       //!< policy
    uint32_t m_room;                          //!< N_I
    std::vector<Sink> m_sinks;                //!< by node
    std::vector<bool> m_isBorder;             //!< by node
    std::vector<std::vector<uint8_t>> m_past; //!< signals by cycle modulo delay + 1, and node
    std::vector<std::vector<float>> m_load;   //!< expected occupancy likewise, isLocal
    std::size_t m_heard{0};                   //!< of m_past, what cores hear in this cycle
    uint32_t m_nCongested{0};                 //!< sinks now
    uint32_t m_nHeard{0};                     //!< sinks that cores hear of
    double m_window;                          //!< of hits
    uint64_t m_signalled{0};                  //!< sum over cycles
    Listener m_listener;                      //!< of signals
};

} // namespace ns3

#endif /* NOC_THROTTLE_H */
