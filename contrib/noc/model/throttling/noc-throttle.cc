/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-throttle.h"

#include "noc-sink-features.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocThrottle");

NocThrottleOptions
NocThrottleOptions::Read(const std::string& name, NocThrottleOptions defaults, uint32_t& hitWindow)
{
    auto refuse = [&name]() {
        DcnFail("there is no policy \"",
                name,
                "\"; a policy is none, fixed-N (N from 1 on), or threshold or tree, then any of "
                "-global, -any, -hold, -window, -local, then :ON:OFF, such as "
                "threshold-window:0.5:0.25");
    };
    NocThrottleOptions policy = std::move(defaults);
    const auto parts = DcnSplit(name, ':');
    const bool hasThresholds = parts.size() == 3;
    if ((parts.size() != 1 && !hasThresholds) ||
        (hasThresholds && (!DcnParse(parts[1], policy.on) || !DcnParse(parts[2], policy.off))))
    {
        refuse();
    }
    const auto words = DcnSplit(parts[0], '-');
    const auto tree = std::move(policy.tree);
    policy.tree = nullptr;
    policy.detector = Detector::NONE;
    if (parts[0] == "none" && !hasThresholds)
    {
        return policy;
    }
    if (words[0] == "fixed" && words.size() == 2 && !hasThresholds)
    {
        uint64_t window = 0;
        if (!DcnParse(words[1], window) || window == 0 || window >= NocSystem::UNLIMITED)
        {
            refuse();
        }
        hitWindow = static_cast<uint32_t>(window);
        return policy;
    }
    if (words[0] == "tree")
    {
        if (!tree)
        {
            DcnFail("the policy \"", name, "\" needs a tree");
        }
        policy.detector = Detector::TREE;
        policy.tree = tree;
    }
    else if (words[0] == "threshold")
    {
        policy.detector = Detector::THRESHOLD;
    }
    else
    {
        refuse();
    }
    for (std::size_t i = 1; i < words.size(); ++i)
    {
        if (words[i] == "global")
        {
            policy.scope = Scope::GLOBAL;
        }
        else if (words[i] == "any")
        {
            policy.hearsMemory = true;
        }
        else if (words[i] == "hold")
        {
            policy.actuator = Actuator::HOLD;
        }
        else if (words[i] == "window")
        {
            policy.actuator = Actuator::WINDOW;
        }
        else if (words[i] == "local")
        {
            policy.isLocal = true;
        }
        else
        {
            refuse();
        }
    }
    return policy;
}

/// What a detector knows of a sink.
struct NocThrottle::Sink
{
    NocSinkFeatures features; //!< of its attempts
    uint32_t occupancy{0};    //!< packets in it
    bool isWatched{true};     //!< whether the detector looks at it
    bool isCongested{false};  //!< the signal
};

NocThrottle::NocThrottle(const NocSystem& system, const NocThrottleOptions& options)
    : m_options(options),
      m_room(system.ingress),
      m_window(options.most)
{
    if (!(0 < options.off && options.off <= options.on && options.on <= 1))
    {
        DcnFail("the thresholds must be 0 < off <= on <= 1, but on is ",
                options.on,
                " and off is ",
                options.off);
    }
    if (options.detector != NocThrottleOptions::Detector::NONE && !system.HasWindows())
    {
        DcnFail("source throttling has no effect on cores without windows of hits and misses");
    }
    if ((options.detector == NocThrottleOptions::Detector::TREE) != (options.tree != nullptr))
    {
        DcnFail(options.tree ? "a tree has no effect without the detector of trees"
                             : "the detector of trees has no tree");
    }
    if (!(1 <= options.least && options.least <= options.most && 0 < options.shrink &&
          options.shrink <= 1 && options.grow >= 0 && options.period > 0))
    {
        DcnFail("a window must have 1 <= least <= most, 0 < shrink <= 1, grow >= 0 and a period "
                "above 0, but they are ",
                options.least,
                ", ",
                options.most,
                ", ",
                options.shrink,
                ", ",
                options.grow,
                " and ",
                options.period);
    }
    const NocTopology& topology = *system.topology;
    const uint32_t n = topology.GetNNodes();
    m_sinks.assign(n, Sink{NocSinkFeatures(options.alpha)});
    m_past.assign(options.delay + std::size_t(1), std::vector<uint8_t>(n, 0));
    m_load.assign(options.delay + std::size_t(1), std::vector<float>(n, 0));
    if (options.hearsMemory && options.detector != NocThrottleOptions::Detector::THRESHOLD)
    {
        DcnFail("only the detector of thresholds looks at sinks of memory controllers");
    }
    for (uint32_t node = 0; node < n; ++node)
    {
        m_sinks[node].isWatched = options.hearsMemory || !system.IsMemory(node);
        const uint32_t rows = topology.GetNRows();
        const uint32_t columns = topology.GetNColumns();
        m_isBorder.push_back(rows > 0 && (node / columns == 0 || node / columns == rows - 1 ||
                                          node % columns == 0 || node % columns == columns - 1));
    }
}

NocThrottle::~NocThrottle() = default;

void
NocThrottle::Begin(uint32_t cycle)
{
    // the oldest entry is what cores hear now; then it is overwritten by the present one
    const std::size_t now = cycle % m_past.size();
    m_heard = (cycle + 1) % m_past.size();
    for (std::size_t node = 0; node < m_sinks.size(); ++node)
    {
        const Sink& sink = m_sinks[node];
        m_past[now][node] = sink.isCongested;
        if (m_options.isLocal)
        {
            m_load[now][node] = static_cast<float>(sink.occupancy + sink.features.Get()[1] *
                                                                        double(m_options.delay));
        }
    }
    m_signalled += m_nCongested;
    m_nHeard = static_cast<uint32_t>(
        std::count(m_past[m_heard].begin(), m_past[m_heard].end(), uint8_t(1)));
    if (m_options.actuator == NocThrottleOptions::Actuator::WINDOW && cycle % m_options.period == 0)
    {
        m_window = m_nHeard > 0 ? m_window * m_options.shrink : m_window + m_options.grow;
        m_window = std::clamp(m_window, m_options.least, m_options.most);
    }
}

bool
NocThrottle::MayIssue(uint32_t core, uint32_t destination) const
{
    if (m_options.actuator == NocThrottleOptions::Actuator::WINDOW)
    {
        return true;
    }
    if (m_options.scope == NocThrottleOptions::Scope::GLOBAL)
    {
        return m_nHeard == 0;
    }
    return !m_past[m_heard][destination] && !(m_options.isLocal && m_isBorder[core] &&
                                              m_load[m_heard][destination] > m_options.on * m_room);
}

uint32_t
NocThrottle::GetLookAhead() const
{
    return m_options.actuator == NocThrottleOptions::Actuator::HOLD
               ? 1
               : std::numeric_limits<uint32_t>::max();
}

uint32_t
NocThrottle::GetHitWindow() const
{
    return m_options.actuator == NocThrottleOptions::Actuator::WINDOW
               ? static_cast<uint32_t>(m_window)
               : std::numeric_limits<uint32_t>::max();
}

void
NocThrottle::Attempt(uint32_t cycle,
                     uint32_t node,
                     bool isAccepted,
                     uint32_t occupancy,
                     uint32_t /* issued */)
{
    Sink& sink = m_sinks[node];
    if (!sink.isWatched)
    {
        return;
    }
    sink.features.Attempt(cycle, isAccepted, occupancy);
    sink.occupancy = occupancy + (isAccepted ? 1 : 0);
    Detect(cycle, node);
}

void
NocThrottle::Depart(uint32_t cycle, uint32_t node, uint32_t occupancy)
{
    Sink& sink = m_sinks[node];
    if (!sink.isWatched)
    {
        return;
    }
    sink.features.Depart(cycle, occupancy);
    sink.occupancy = occupancy;
    Detect(cycle, node);
}

void
NocThrottle::Detect(uint32_t cycle, uint32_t node)
{
    Sink& sink = m_sinks[node];
    bool isCongested = false;
    if (m_options.detector == NocThrottleOptions::Detector::THRESHOLD)
    {
        isCongested = sink.occupancy >= (sink.isCongested ? m_options.off : m_options.on) * m_room;
    }
    else if (m_options.detector == NocThrottleOptions::Detector::TREE)
    {
        isCongested = sink.occupancy > CLEAR * m_room &&
                      m_options.tree->Predict(sink.features.Get().data()) > 0.5;
    }
    if (isCongested == sink.isCongested)
    {
        return;
    }
    m_nCongested += isCongested ? 1 : -1;
    sink.isCongested = isCongested;
    NS_LOG_INFO("cycle " << cycle << ": sink " << node << (isCongested ? " is" : " is no longer")
                         << " congested");
    if (m_listener)
    {
        m_listener(cycle, node, isCongested);
    }
}

} // namespace ns3
