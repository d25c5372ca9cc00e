/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief One application on packets, on the fluid simulation and on m4: only --engine differs.
 *
 * 16 of 32 hosts reduce a vector in a ring, again and again, among flows of other hosts. Each host
 * has a chunk for every host of the ring. In step s it sends one chunk to its successor as soon as
 * it has the chunk of step s - 1 from its predecessor; after 2 (n - 1) steps everybody has the sum.
 * So a flow starts when another one has ended, and what an engine errs adds up.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/gnuplot.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// The application. It knows nothing but DcnFlowNetwork.
class RingAllReduce
{
  public:
    /**
     * @param network what carries the flows
     * @param hosts the ring
     * @param chunkBytes size of a flow
     * @param iterations how often
     */
    RingAllReduce(Ptr<DcnFlowNetwork> network,
                  const std::vector<Ptr<Node>>& hosts,
                  uint64_t chunkBytes,
                  uint32_t iterations)
        : m_network(network),
          m_hosts(hosts),
          m_chunkBytes(chunkBytes),
          m_iterations(iterations)
    {
        network->TraceConnectWithoutContext("FlowCompleted",
                                            MakeCallback(&RingAllReduce::OnCompleted, this));
    }

    /// Begin an iteration: everybody sends its first chunk.
    void Begin()
    {
        m_start = Simulator::Now();
        m_nFinished = 0;
        for (std::size_t host = 0; host < m_hosts.size(); ++host)
        {
            Send(host, 0);
        }
    }

    /// @return duration of each iteration [ms]
    const std::vector<double>& GetDurations() const
    {
        return m_durations;
    }

  private:
    /// A host sends the chunk of a step to its successor.
    void Send(std::size_t host, uint32_t step)
    {
        const std::size_t next = (host + 1) % m_hosts.size();
        m_flows[m_network->AddFlow(m_hosts[host], m_hosts[next], m_chunkBytes)] = {next, step};
    }

    /// A flow is complete: the receiver goes on.
    void OnCompleted(uint64_t flow, Time)
    {
        const auto found = m_flows.find(flow);
        if (found == m_flows.end())
        {
            return; // of other hosts
        }
        const auto [host, step] = found->second;
        m_flows.erase(found);
        if (step + 1 < 2 * (m_hosts.size() - 1))
        {
            Send(host, step + 1);
            return;
        }
        if (++m_nFinished == m_hosts.size())
        {
            m_durations.push_back((Simulator::Now() - m_start).GetSeconds() * 1e3);
            if (m_durations.size() == m_iterations)
            {
                Simulator::Stop();
                return;
            }
            Begin();
        }
    }

    Ptr<DcnFlowNetwork> m_network;     //!< what carries the flows
    std::vector<Ptr<Node>> m_hosts;    //!< the ring
    uint64_t m_chunkBytes;             //!< size of a flow
    uint32_t m_iterations;             //!< how often
    Time m_start;                      //!< of this iteration
    std::size_t m_nFinished{0};        //!< hosts that have the sum
    std::vector<double> m_durations;   //!< see GetDurations
    std::unordered_map<uint64_t, std::pair<std::size_t, uint32_t>> m_flows; //!< receiver and step
};

/// What an engine answers.
struct Answer
{
    std::string engine;            //!< its name
    std::vector<double> durations; //!< of the iterations [ms]
    double wallSeconds;            //!< elapsed time
};

/// Write allreduce.csv and allreduce.png.
bool
Write(const std::vector<Answer>& answers, const std::string& out)
{
    DcnFileWriter file(out + "/allreduce.csv");
    file.Stream() << "engine,iteration,duration_ms\n";
    Gnuplot plot(out + "/allreduce.png", "Ring all-reduce");
    plot.SetTerminal("png");
    plot.SetLegend("iteration", "duration [ms]");
    plot.AppendExtra("set yrange [0:*]\nset key bottom");
    for (const Answer& answer : answers)
    {
        Gnuplot2dDataset points(answer.engine);
        points.SetStyle(Gnuplot2dDataset::LINES_POINTS);
        for (std::size_t i = 0; i < answer.durations.size(); ++i)
        {
            file.Stream() << answer.engine << ',' << i + 1 << ',' << answer.durations[i] << '\n';
            points.Add(static_cast<double>(i + 1), answer.durations[i]);
        }
        plot.AddDataset(points);
    }
    file.Commit();
    return DcnWritePlot(plot, out + "/allreduce");
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string engines = "packet,flowsim,m4";
    std::string cc = "dctcp";
    std::string model;
    std::string out = "results/allreduce";
    uint64_t vectorBytes = 2'000'000;
    uint32_t iterations = 4;
    double load = 0.4;
    uint64_t seed = 1;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run a ring all-reduce among other flows on several engines.");
    DcnAddText(cmd, "engine", "packet, flowsim or m4; several joined by commas", engines);
    DcnAddText(cmd, "cc", "Congestion control", cc);
    DcnAddText(cmd, "model", "Folder of a model for m4; empty: the shipped one", model);
    cmd.AddValue("vector", "Bytes that every host reduces", vectorBytes);
    cmd.AddValue("iterations", "How often", iterations);
    cmd.AddValue("load", "Load of the most loaded link by the other flows", load);
    cmd.AddValue("seed", "Seed of the other flows", seed);
    DcnAddText(cmd, "out", "Folder for allreduce.csv and allreduce.png", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-allreduce", [&]() {
        constexpr uint64_t RING = 16;
        if (vectorBytes < RING || iterations == 0)
        {
            DcnFail("--vector must be at least ", RING,
                    " and --iterations at least 1, but they are ", vectorBytes, " and ",
                    iterations);
        }
        DcnMakeFolder(out);
        std::vector<Answer> answers;
        std::istringstream parts(engines);
        for (std::string engine; std::getline(parts, engine, ',');)
        {
            const auto start = std::chrono::steady_clock::now();
            Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnFabricParameters());
            DcnFlowNetworkHelper helper(engine);
            helper.SetConfig(DcnNetworkConfig::Preset(cc, topology->GetSlowestHostRate()));
            if (engine == "m4" && !model.empty())
            {
                helper.SetNetworkAttribute("Model", StringValue(model));
            }
            Ptr<DcnFlowNetwork> network = helper.Install(topology);
            const NodeContainer& nodes = topology->GetNodes();
            DcnWorkloadSpec spec;
            spec.load = load;
            spec.seed = seed;
            spec.nFlows = 0;
            // longer than the rings take
            spec.durationNs = static_cast<int64_t>(6 * iterations * vectorBytes);
            for (const DcnFlow& flow : DcnWorkload::Generate(topology, spec).flows)
            {
                network->AddFlowAt(NanoSeconds(flow.startNs),
                                   nodes.Get(flow.src),
                                   nodes.Get(flow.dst),
                                   flow.sizeBytes);
            }
            std::vector<Ptr<Node>> ring;
            for (std::size_t i = 0; i < RING; ++i)
            {
                const auto& hosts = topology->GetHosts();
                ring.push_back(nodes.Get(hosts[i * hosts.size() / RING]));
            }
            RingAllReduce application(network, ring, vectorBytes / RING, iterations);
            application.Begin();
            Simulator::Run();
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            answers.push_back({engine, application.GetDurations(), elapsed.count()});
            network->Dispose();
            Simulator::Destroy();
        }
        std::printf("%-8s %14s %10s %9s\n", "engine", "iteration [ms]", "error", "wall [s]");
        for (const Answer& answer : answers)
        {
            std::printf("%-8s %14.3f %+9.1f%% %9.3f\n",
                        answer.engine.c_str(),
                        DcnMean(answer.durations),
                        100 * (DcnMean(answer.durations) / DcnMean(answers.front().durations) - 1),
                        answer.wallSeconds);
        }
        const bool picture = Write(answers, out);
        std::printf("written: %s/allreduce.csv%s\n",
                    out.c_str(),
                    picture ? (", " + out + "/allreduce.png").c_str() : "");
        return 0;
    });
}
