/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-stream.h"

#include "../solver/flowsim-slot-table.h"
#include "flowsim-engine.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowsimStream");

namespace
{

/// A flow in service.
struct ActiveFlow
{
    uint64_t index;     //!< Position among the flows of the source
    DcnFlow flow;       //!< The flow
    uint32_t nHops;     //!< Links of its path
    FlowsimFluid fluid; //!< The flow as a fluid
};

} // namespace

FlowsimStream::FlowsimStream(const DcnTopology& topology,
                             const DcnNetworkParameters& network,
                             const FlowsimOptions& options)
    : m_model(topology, network, options)
{
}

const FlowsimFluidModel&
FlowsimStream::GetModel() const
{
    return m_model;
}

FlowsimStatistics
FlowsimStream::Run(const Source& source, const Sink& sink) const
{
    FlowsimEngine engine(m_model.GetCapacities());
    FlowsimSlotTable<ActiveFlow> active;
    FlowsimStatistics statistics;
    Input input;
    Input next;
    auto fetch = [&]() {
        const bool isThere = source(next);
        if (isThere)
        {
            // In large networks no link is in the cache: prefetch the links of the next path.
            m_model.Prefetch({next.path.data(), next.path.data() + next.path.size()});
            engine.Expect(next.path);
        }
        return isThere;
    };
    bool hasNext = fetch();
    engine.SetSource([&](FlowsimArrival& arrival) {
        if (!hasNext)
        {
            return false;
        }
        std::swap(input, next);
        hasNext = fetch();
        FlowsimCheckWeight(input.flow.id, input.weight);
        const DcnPath path{input.path.data(), input.path.data() + input.path.size()};
        const FlowsimFluid fluid = m_model.GetFluid(path, input.flow.sizeBytes);
        arrival.id = active.Add(
            {statistics.nFlows++, input.flow, static_cast<uint32_t>(path.size()), fluid});
        arrival.startNs = input.flow.startNs;
        arrival.bits = fluid.bits;
        arrival.cap = fluid.cap;
        arrival.weight = input.weight;
        arrival.path.swap(input.path);
        statistics.maxActive =
            std::max<uint64_t>(statistics.maxActive, engine.GetSolver().GetNFlows());
        return true;
    });
    engine.SetSink([&](const FlowsimCompletion& completion) {
        const ActiveFlow done = active.Take(static_cast<uint32_t>(completion.id));
        sink({done.index,
              done.flow,
              done.nHops,
              done.fluid.idealNs,
              done.fluid.GetFctNs(completion.durationNs)});
    });
    engine.Run();
    NS_LOG_INFO(statistics.nFlows << " flows served at " << engine.GetNowNs() << " ns, at most "
                                  << statistics.maxActive << " at once");
    statistics.nEvents = engine.GetNEvents();
    statistics.nRateChanges = engine.GetNRateChanges();
    return statistics;
}

FlowsimStatistics
FlowsimStreamScenario(const std::string& folder,
                      const std::string& out,
                      const FlowsimOptions& options,
                      uint64_t seed)
{
    DcnScenarioReader reader(folder, seed);
    const DcnTopology& topology = *reader.GetTopology();
    DcnFileWriter file(out);
    file.Stream() << "flow_id,src,dst,size_bytes,start_ns,path_hops,ideal_ns,flowsim_fct_ns\n";
    const FlowsimStream stream(topology, *reader.GetNetwork(), options);
    const FlowsimStatistics statistics = stream.Run(
        [&](FlowsimStream::Input& input) { return reader.FetchFlow(input.flow, input.path); },
        [&](const FlowsimStream::Output& output) {
            const DcnFlow& flow = output.flow;
            file.Stream() << flow.id << ',' << topology.GetExternalId(flow.src) << ','
                          << topology.GetExternalId(flow.dst) << ',' << flow.sizeBytes << ','
                          << flow.startNs << ',' << output.nHops << ',' << output.idealNs << ','
                          << output.fctNs << '\n';
        });
    if (statistics.nFlows == 0)
    {
        DcnFail(folder, "/flows.csv: the file has no flow");
    }
    file.Commit();
    return statistics;
}

} // namespace ns3
