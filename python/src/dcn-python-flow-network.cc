/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-python.h"

#include "ns3/callback.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-flow-network.h"
#include "ns3/simulator.h"

#include <exception>

namespace dcnpython
{

using namespace ns3;

namespace
{

/**
 * @brief A flow network and its simulation. There is one at a time, as ns-3's clock is one per
 * process.
 *
 * Functions of Python are called during Run only, and handed over with it: the object holds none,
 * so that Python can find cycles of them.
 */
class FlowNetwork
{
  public:
    /**
     * @param engine packet, flowsim or m4, with attributes
     * @param network nodes and links
     * @param control the congestion control
     * @param preset of its parameters
     * @param keys of network.csv, as of DcnNetworkConfig::SetKeys
     */
    FlowNetwork(const std::string& engine,
                const Network& network,
                const std::string& control,
                const std::string& preset,
                const std::string& keys)
        : m_network(network.Copy())
    {
        if (g_open && g_open->m_isRunning)
        {
            DcnFail("a flow network is running: its functions cannot open another one");
        }
        const DcnTopology& topology = *m_network.topology;
        Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset(control, topology.GetNicRates(topology.GetHosts()), preset);
        config->SetKeys(keys);
        if (g_open)
        {
            g_open->Close();
        }
        DcnFlowNetworkHelper helper(engine);
        helper.SetConfig(config);
        m_flows = helper.Install(m_network.topology);
        m_flows->TraceConnectWithoutContext(
            "FlowCompleted",
            Callback<void, uint64_t, Time>(
                [this](uint64_t flow, Time time) { OnDone(flow, time, false); }));
        g_open = this;
    }

    ~FlowNetwork()
    {
        Close();
    }

    FlowNetwork(const FlowNetwork&) = delete;
    FlowNetwork& operator=(const FlowNetwork&) = delete;

    /// Ends the simulation.
    void Close()
    {
        if (m_isRunning)
        {
            DcnFail("the flow network is running: close it when run has returned");
        }
        if (m_flows)
        {
            m_flows->Dispose();
            m_flows = nullptr;
            g_open = nullptr;
            Simulator::Destroy();
        }
    }

    /// Has acknowledgements reported, too.
    void WatchAcknowledgements()
    {
        if (!m_isWatched)
        {
            Get().TraceConnectWithoutContext(
                "FlowAcknowledged",
                Callback<void, uint64_t, Time>(
                    [this](uint64_t flow, Time time) { OnDone(flow, time, true); }));
            m_isWatched = true;
        }
    }

    /**
     * @param source number of the sender
     * @param destination number of the receiver
     * @param bytes payload
     * @param startNs start [ns]; none: now
     * @return number of the flow
     */
    uint64_t AddFlow(int64_t source,
                     int64_t destination,
                     uint64_t bytes,
                     std::optional<int64_t> startNs)
    {
        DcnFlowNetwork& flows = Get();
        return startNs ? flows.AddFlowAt(NanoSeconds(*startNs),
                                         FindNode(source),
                                         FindNode(destination),
                                         bytes)
                       : flows.AddFlow(FindNode(source), FindNode(destination), bytes);
    }

    /// Returns the number of a new connection.
    uint64_t Connect(int64_t source, int64_t destination)
    {
        return Get().Connect(FindNode(source), FindNode(destination));
    }

    /// Has Run call a function with this number.
    void CallAt(int64_t timeNs, uint64_t number)
    {
        Get();
        const int64_t nowNs = Simulator::Now().GetNanoSeconds();
        if (timeNs < nowNs)
        {
            DcnFail("the time ", timeNs, " ns is in the past: it is ", nowNs, " ns");
        }
        Simulator::Schedule(NanoSeconds(timeNs - nowNs), [this, number]() { OnTimer(number); });
    }

    /**
     * @param untilNs end [ns]; none: when nothing is left to do
     * @param done called with number, time [ns] and whether it is an acknowledgement
     * @param timer called with the number of CallAt
     */
    void Run(std::optional<int64_t> untilNs, const py::object& done, const py::object& timer)
    {
        Get();
        if (m_isRunning)
        {
            DcnFail("the flow network is running: run cannot be called by its functions");
        }
        const int64_t nowNs = Simulator::Now().GetNanoSeconds();
        if (untilNs && *untilNs < nowNs)
        {
            DcnFail("the end ", *untilNs, " ns is in the past: it is ", nowNs, " ns");
        }

        struct Guard
        {
            FlowNetwork* self; //!< that runs
            EventId stop;      //!< the end

            ~Guard()
            {
                Simulator::Remove(stop);
                self->m_isRunning = false;
                self->m_onDone = nullptr;
                self->m_onTimer = nullptr;
            }
        } guard{this, {}};

        m_isRunning = true;
        m_onDone = &done;
        m_onTimer = &timer;
        if (untilNs)
        {
            guard.stop =
                Simulator::Schedule(NanoSeconds(*untilNs - nowNs), []() { Simulator::Stop(); });
        }
        Simulator::Run();
        if (m_failure)
        {
            std::rethrow_exception(std::exchange(m_failure, nullptr));
        }
    }

    /// Returns the flow network.
    DcnFlowNetwork& Get() const
    {
        if (!m_flows)
        {
            DcnFail("the flow network is closed: a process has one at a time, so that a new one "
                    "closes the one before");
        }
        return *m_flows;
    }

    /**
     * @param a number of a node
     * @param b number of another node
     * @return a link from a to b
     */
    uint32_t FindLink(int64_t a, int64_t b) const
    {
        const uint32_t from = m_network.Find(a, "");
        const uint32_t to = m_network.Find(b, "");
        for (const uint32_t link : m_network.topology->GetOutLinks(from))
        {
            if (m_network.topology->GetLink(link).to == to)
            {
                return link;
            }
        }
        DcnFail("there is no link between nodes ", a, " and ", b);
    }

    /** @return whether there is an open one. */
    static bool IsOpen()
    {
        return g_open != nullptr;
    }

  private:
    /// Returns the ns-3 node of a number.
    Ptr<Node> FindNode(int64_t node) const
    {
        return m_network.topology->GetNodes().Get(m_network.Find(node, ""));
    }

    /// A flow is complete or acknowledged. What Python throws ends Run.
    void OnDone(uint64_t flow, Time time, bool isAcknowledged)
    {
        (*m_onDone)(flow, time.GetNanoSeconds(), isAcknowledged);
        if (PyErr_CheckSignals() != 0) // Ctrl-C
        {
            throw py::error_already_set();
        }
    }

    /// The time of CallAt has come. What Python throws is kept, as ns-3 would lose the event.
    void OnTimer(uint64_t number)
    {
        try
        {
            (*m_onTimer)(number);
        }
        catch (...)
        {
            m_failure = std::current_exception();
            Simulator::Stop();
        }
    }

    inline static FlowNetwork* g_open = nullptr; //!< the open one

    Network m_network;                    //!< of its own, see Network::Copy
    Ptr<DcnFlowNetwork> m_flows;          //!< null: closed
    bool m_isRunning{false};              //!< Run has not returned
    bool m_isWatched{false};              //!< see WatchAcknowledgements
    const py::object* m_onDone{nullptr};  //!< of Run
    const py::object* m_onTimer{nullptr}; //!< of Run
    std::exception_ptr m_failure;         //!< what a function of CallAt has thrown
};

} // namespace

bool
HasOpenNetwork()
{
    return FlowNetwork::IsOpen();
}

void
DefineFlowNetwork(py::module_& module)
{
    py::class_<FlowNetwork>(module, "FlowNetwork")
        .def(py::init<const std::string&,
                      const Network&,
                      const std::string&,
                      const std::string&,
                      const std::string&>())
        .def("add_flow", &FlowNetwork::AddFlow)
        .def("connect", &FlowNetwork::Connect)
        .def("add_message",
             [](FlowNetwork& self, uint64_t connection, uint64_t bytes) {
                 return self.Get().AddMessage(connection, bytes);
             })
        .def("watch_acknowledgements", &FlowNetwork::WatchAcknowledgements)
        .def("call_at", &FlowNetwork::CallAt)
        .def("run", &FlowNetwork::Run)
        .def("close", &FlowNetwork::Close)
        .def("fail_link",
             [](FlowNetwork& self, int64_t a, int64_t b) {
                 self.Get().FailLink(self.FindLink(a, b));
             })
        .def("repair_link",
             [](FlowNetwork& self, int64_t a, int64_t b) {
                 self.Get().RepairLink(self.FindLink(a, b));
             })
        .def("set_link_rate",
             [](FlowNetwork& self, int64_t a, int64_t b, uint64_t rateBps) {
                 self.Get().SetLinkRate(self.FindLink(a, b), rateBps);
             })
        .def("n_active", [](const FlowNetwork& self) { return self.Get().GetNActive(); })
        .def("note", [](const FlowNetwork& self) { return self.Get().GetNote(); })
        .def("now_ns", [](const FlowNetwork& self) {
            self.Get();
            return Simulator::Now().GetNanoSeconds();
        });
}

} // namespace dcnpython
