/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-traffic.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocTraffic");

NocGgeoSource::NocGgeoSource(double rate, double burst, Ptr<UniformRandomVariable> uniform)
    : m_burst(burst),
      m_logIdle(std::log1p(-rate * (1 - burst))),
      m_uniform(uniform)
{
    NS_ASSERT_MSG(rate > 0 && rate < 1 && burst >= 0 && burst < 1,
                  "rate " << rate << ", " << burst);
}

uint32_t
NocGgeoSource::DrawGap()
{
    const double u = m_uniform->GetValue(0, 1);
    if (u < m_burst)
    {
        return 0;
    }
    // the rest of the draw, which is uniform again
    const double rest = (u - m_burst) / (1 - m_burst);
    const double gap = 1 + std::floor(std::log1p(-rest) / m_logIdle);
    constexpr auto most = static_cast<double>(std::numeric_limits<uint32_t>::max() / 2);
    return static_cast<uint32_t>(std::min(gap, most));
}

std::vector<NocTraceEntry>
NocReadTrace(const std::string& path, uint32_t nNodes)
{
    std::vector<NocTraceEntry> trace;
    DcnCsvReader csv(path, {"cycle", "source", "destination"});
    while (csv.FetchRow())
    {
        const uint64_t cycle = csv.GetUint(0);
        if (cycle > std::numeric_limits<uint32_t>::max() / 2)
        {
            DcnFail(csv.Where(), "cycle ", cycle, " is beyond the longest simulation");
        }
        if (!trace.empty() && cycle < trace.back().cycle)
        {
            DcnFail(csv.Where(),
                    "the time goes backwards: cycle ",
                    cycle,
                    " is after ",
                    trace.back().cycle);
        }
        for (std::size_t column : {1, 2})
        {
            if (csv.GetUint(column) >= nNodes)
            {
                DcnFail(csv.Where(),
                        "there is no node ",
                        csv.GetUint(column),
                        ", but only ",
                        nNodes,
                        " nodes");
            }
        }
        const NocTraceEntry entry{static_cast<uint32_t>(cycle),
                                  static_cast<uint32_t>(csv.GetUint(1)),
                                  static_cast<uint32_t>(csv.GetUint(2)),
                                  csv.GetLine()};
        if (entry.source == entry.destination)
        {
            DcnFail(csv.Where(), "node ", entry.source, " sends a packet to itself");
        }
        trace.push_back(entry);
    }
    NS_LOG_INFO(path << ": " << trace.size() << " packets");
    return trace;
}

std::vector<std::pair<double, double>>
NocFitTrace(const std::vector<NocTraceEntry>& trace, uint32_t nNodes, uint32_t cycles)
{
    /// The queue of a node, which serves a packet per cycle.
    struct Queue
    {
        uint64_t packets{0}; //!< that came
        uint64_t wait{0};    //!< sum over packets [cycles]
        uint64_t free{0};    //!< cycle from which the server is idle
    };

    std::vector<Queue> queues(nNodes);
    for (const NocTraceEntry& entry : trace)
    {
        Queue& queue = queues[entry.source];
        const uint64_t start = std::max<uint64_t>(queue.free, entry.cycle);
        ++queue.packets;
        queue.wait += start - entry.cycle;
        queue.free = start + 1;
    }
    std::vector<std::pair<double, double>> fits;
    for (const Queue& queue : queues)
    {
        const double rate = static_cast<double>(queue.packets) / cycles;
        const double wait =
            queue.packets ? static_cast<double>(queue.wait) / static_cast<double>(queue.packets)
                          : 0;
        fits.emplace_back(rate, NocGgeoSource::FitBurst(std::min(rate, 1.0), wait));
    }
    return fits;
}

} // namespace ns3
