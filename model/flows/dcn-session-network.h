/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SESSION_NETWORK_H
#define DCN_SESSION_NETWORK_H

#include "ns3/dcn-flow-network.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-units.h"
#include "ns3/event-id.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief What a flow of a session is.
 */
enum class DcnFlowKind
{
    FLOW,        //!< a flow of its own
    MESSAGE,     //!< a message of a connection that had nothing to send
    NEXT_MESSAGE //!< a message whose first byte follows the last byte of another one
};

/**
 * @ingroup dcn
 * @brief Couples a flow-level simulation with a clock of its own to the clock of ns-3.
 *
 * Every addition and every query first advances the session to the present time; the next event of
 * the session is an ns-3 event. DcnDriveClosedLoop describes sessions.
 *
 * A session knows no connections. Of each connection it has the message that is being sent, as a
 * flow; when that flow leaves its links (the session's departure listener), the next message
 * becomes a flow at that instant. AddToSession learns the kind of each.
 *
 * @tparam Session the simulation; Session::Handle names a flow in it until it completes
 */
template <class Session>
class DcnSessionNetwork : public DcnFlowNetwork
{
  protected:
    /**
     * @brief To be called once by DoInstall of subclasses.
     * @param session the simulation, without flows
     */
    void SetSession(std::unique_ptr<Session> session)
    {
        m_session = std::move(session);
        // the network may be installed during a simulation
        m_session->AdvanceTo(Simulator::Now().GetNanoSeconds());
        m_session->SetDeliveryListener(
            [this](uint64_t flow, int64_t fctNs) { OnDelivered(flow, fctNs); });
        m_session->SetDepartureListener([this](uint64_t flow, int64_t /* timeNs */) {
            OnDeparture(flow);
            Forget(flow);
            SendNext(flow);
        });
    }

    /**
     * @brief Bring the simulation to the present time.
     * @return the simulation; null unless installed
     */
    Session* GetSession()
    {
        if (m_session)
        {
            m_session->AdvanceTo(Simulator::Now().GetNanoSeconds());
        }
        return m_session.get();
    }

    /**
     * @param flow number of a flow
     * @return its handle; null unless it is in the session: a message that waits is not
     */
    const typename Session::Handle* FindHandle(uint64_t flow) const
    {
        const auto active = m_active.find(flow);
        return active == m_active.end() ? nullptr : &active->second.handle;
    }

    void DoStart(const DcnFlow& flow, DcnPath path) override
    {
        GetSession();
        Begin(flow, path, NO_CONNECTION, DcnFlowKind::FLOW);
        UpdateSoon();
    }

    void DoConnect(const DcnFlow& /* ends */, DcnPath path) override
    {
        m_connections.push_back({{path.begin(), path.end()}, {}, {}, false});
    }

    void DoAddMessage(uint64_t connection, const DcnFlow& message) override
    {
        GetSession(); // may end the message before
        m_connections[connection].messages.push_back(message);
        if (m_connections[connection].messages.size() == 1 && !m_connections[connection].isHeld)
        {
            Send(connection, DcnFlowKind::MESSAGE);
            UpdateSoon();
        }
    }

    void DoHold(const DcnFlow& flow) override
    {
        GetSession();
        Suspend(flow.id);
        UpdateSoon();
    }

    void DoHoldConnection(uint64_t connection) override
    {
        GetSession();
        Connection& held = m_connections[connection];
        held.isHeld = true;
        if (!held.messages.empty())
        {
            Suspend(held.messages.front().id);
            UpdateSoon();
        }
    }

    void DoMove(uint64_t flow, DcnPath path) override
    {
        Session* session = GetSession();
        const auto active = m_active.find(flow);
        if (active != m_active.end())
        {
            active->second.returnNs = GetReturnNs(path);
            if (!MoveInSession(*session, active->second.handle, path))
            {
                Suspend(flow);
            }
        }
        Continue(flow, path);
        UpdateSoon();
    }

    void DoMoveConnection(uint64_t connection, DcnPath path) override
    {
        GetSession();
        Connection& moved = m_connections[connection];
        moved.path.assign(path.begin(), path.end());
        const bool wasHeld = std::exchange(moved.isHeld, false);
        if (moved.messages.empty())
        {
            return;
        }
        if (wasHeld && m_rests.count(moved.messages.front().id) == 0)
        {
            Send(connection, DcnFlowKind::MESSAGE); // it was added meanwhile
            UpdateSoon();
            return;
        }
        DoMove(moved.messages.front().id, path);
    }

    /**
     * @brief Take a flow that has not left its links out of the session; nothing if it is not
     * there. The session is at the present time.
     * @param flow number of a flow or message
     */
    void Suspend(uint64_t flow)
    {
        const auto found = m_active.find(flow);
        if (found == m_active.end())
        {
            return;
        }
        const Active active = found->second;
        m_active.erase(found);
        const uint64_t bytes = m_session->Withdraw(active.handle);
        if (active.connection != NO_CONNECTION)
        {
            m_connections[active.connection].sent.pop_back();
        }
        OnSuspended(flow, bytes);
        m_rests[flow] = {bytes, active};
    }

    /**
     * @brief Let a flow that is suspended go on with what is left; nothing if it is not.
     * @param flow number of a flow or message
     * @param path its links
     */
    void Continue(uint64_t flow, DcnPath path)
    {
        const auto found = m_rests.find(flow);
        if (found == m_rests.end())
        {
            return;
        }
        const Rest rest = found->second;
        m_rests.erase(found);
        const DcnTopology& topology = *GetInstalledTopology();
        const DcnFlow left{flow,
                           topology.GetLink(path[0]).from,
                           topology.GetLink(path[path.size() - 1]).to,
                           rest.bytes,
                           rest.active.startNs};
        const uint64_t connection = rest.active.connection;
        if (connection != NO_CONNECTION)
        {
            m_connections[connection].sent.push_back(flow);
        }
        Begin(left,
              path,
              connection,
              connection == NO_CONNECTION ? DcnFlowKind::FLOW : DcnFlowKind::MESSAGE);
        m_active.at(flow).isRest = true;
    }

    /// Has Update called after the present event, so that flows of one instant are admitted
    /// together. An event that is only cancelled stays with the simulator until its time, which may
    /// be far.
    void UpdateSoon()
    {
        Simulator::Remove(m_event);
        m_event = Simulator::ScheduleNow(&DcnSessionNetwork::Update, this);
    }

    void DoStop() override
    {
        m_event.Cancel();
        m_session.reset();
        m_active.clear();
        m_rests.clear();
        m_connections.clear();
    }

  private:
    static constexpr uint64_t NO_CONNECTION = UINT64_MAX; //!< see Active

    /// A flow in the session.
    struct Active
    {
        typename Session::Handle handle; //!< its handle
        int64_t startNs;                 //!< when it began; of a message: when it was added
        uint64_t connection;             //!< that of a message, else NO_CONNECTION
        int64_t returnNs;                //!< time of an acknowledgement [ns], if it is needed
        bool hasArrived;                 //!< a message that waits for the one before it to arrive
        bool isRest;                     //!< a part of it was sent before it was suspended
    };

    /// What is left of a flow that is suspended.
    struct Rest
    {
        uint64_t bytes; //!< payload that was not sent
        Active active;  //!< as it was before
    };

    /// A connection.
    struct Connection
    {
        std::vector<uint32_t> path;   //!< its links
        std::deque<DcnFlow> messages; //!< that have not left the sender; the first is a flow
        std::deque<uint64_t> sent;    //!< in their order, messages that have not been delivered
        bool isHeld;                  //!< nothing is sent
    };

    /// Gives a flow another path within the session. @return false: the session cannot; then what
    /// is left of the flow goes on as another one
    virtual bool MoveInSession(Session& /* session */,
                               typename Session::Handle /* flow */,
                               DcnPath /* path */)
    {
        return false;
    }

    /// A flow was taken out of the session; so many bytes of its payload were not sent.
    virtual void OnSuspended(uint64_t /* flow */, uint64_t /* bytes */)
    {
    }

    /// A flow has left its links, for further steps of subclasses.
    virtual void OnDeparture(uint64_t /* flow */)
    {
    }

    /// Adds a flow to the session, now.
    void Begin(const DcnFlow& flow, DcnPath path, uint64_t connection, DcnFlowKind kind)
    {
        m_active[flow.id] = {AddToSession(*m_session, flow, path, kind),
                             flow.startNs,
                             connection,
                             GetReturnNs(path),
                             false,
                             false};
    }

    /// Returns the time of an acknowledgement on the empty way back [ns], 0 if it is not needed.
    int64_t GetReturnNs(DcnPath path) const
    {
        int64_t delayNs = 0;
        int64_t ticks = 0;
        if (HasAcknowledgementSink())
        {
            for (const uint32_t link : path)
            {
                const DcnLink& back = GetInstalledTopology()->GetLink(DcnTopology::Reverse(link));
                delayNs += back.delayNs;
                ticks += DcnSerializationTicks(DCN_ACK_BYTES, back.rateBps);
            }
        }
        return delayNs + (ticks >> DCN_TICK_BITS);
    }

    /// Makes the first message of a connection a flow.
    void Send(uint64_t connection, DcnFlowKind kind)
    {
        const std::vector<uint32_t>& path = m_connections[connection].path;
        m_connections[connection].sent.push_back(m_connections[connection].messages.front().id);
        Begin(m_connections[connection].messages.front(),
              {path.data(), path.data() + path.size()},
              connection,
              kind);
    }

    /// A flow has left its links: the next message of its connection follows.
    void SendNext(uint64_t flow)
    {
        const uint64_t connection = m_active.at(flow).connection;
        if (connection != NO_CONNECTION)
        {
            m_connections[connection].messages.pop_front();
            if (!m_connections[connection].messages.empty())
            {
                Send(connection, DcnFlowKind::NEXT_MESSAGE);
            }
        }
    }

    /// The last byte of a flow has arrived.
    void OnDelivered(uint64_t flow, int64_t fctNs)
    {
        Active& active = m_active.at(flow);
        const uint64_t connection = active.connection;
        if (connection == NO_CONNECTION)
        {
            Deliver(flow, active.isRest ? m_session->GetNowNs() - active.startNs : fctNs);
            return;
        }
        // The bytes of a connection arrive in their order, also if a short packet has a shorter way
        // through the switches than the long one before it.
        active.hasArrived = true;
        while (!m_connections[connection].sent.empty())
        {
            const uint64_t first = m_connections[connection].sent.front();
            const Active& message = m_active.at(first);
            if (!message.hasArrived)
            {
                return;
            }
            m_connections[connection].sent.pop_front();
            Deliver(first, m_session->GetNowNs() - message.startNs); // with the time in the queue
        }
    }

    /// The receiver has a flow.
    void Deliver(uint64_t flow, int64_t fctNs)
    {
        const auto found = m_active.find(flow);
        const Active active = found->second;
        m_active.erase(found);
        Complete(flow, fctNs);
        if (HasAcknowledgementSink())
        {
            Simulator::Schedule(NanoSeconds(active.returnNs),
                                &DcnSessionNetwork::Acknowledge,
                                Ptr<DcnSessionNetwork>(this),
                                flow,
                                fctNs + active.returnNs);
        }
    }

    /// Adds a flow, or the message of a connection that is sent from now on.
    virtual typename Session::Handle AddToSession(Session& session,
                                                  const DcnFlow& flow,
                                                  DcnPath path,
                                                  DcnFlowKind /* kind */)
    {
        return session.AddFlow(flow.id, path, flow.sizeBytes);
    }

    /// Called after every update, for further reports of subclasses.
    virtual void OnUpdate()
    {
    }

    /// Brings the simulation to the present time and schedules its next event.
    void Update()
    {
        const int64_t next = GetSession()->GetNextEventNs();
        if (next != Session::NEVER)
        {
            m_event = Simulator::Schedule(NanoSeconds(next) - Simulator::Now(),
                                          &DcnSessionNetwork::Update,
                                          this);
        }
        OnUpdate();
    }

    std::unique_ptr<Session> m_session;            //!< the simulation
    std::unordered_map<uint64_t, Active> m_active; //!< flows in it
    std::unordered_map<uint64_t, Rest> m_rests;    //!< flows that are suspended
    std::vector<Connection> m_connections;         //!< by number
    EventId m_event;                               //!< its next event
};

} // namespace ns3

#endif /* DCN_SESSION_NETWORK_H */
