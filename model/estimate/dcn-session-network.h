/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SESSION_NETWORK_H
#define DCN_SESSION_NETWORK_H

#include "dcn-flow-network.h"

#include "ns3/simulator.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Lets a flow-level simulation with a clock of its own follow that of ns-3.
 *
 * Whenever something is added or asked, the session is brought to the present time; the next event
 * of the session is an ns-3 event. Sessions are described at DcnDriveClosedLoop.
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
        // a network can be made in the midst of a simulation
        m_session->AdvanceTo(Simulator::Now().GetNanoSeconds());
        m_session->SetDeliveryListener([this](uint64_t flow, int64_t fctNs) {
            m_handles.erase(flow);
            Complete(flow, fctNs);
        });
    }

    /**
     * @brief Bring the simulation to the present time.
     * @return it; null unless installed
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
     * @return its handle; null unless it has started and not completed
     */
    const typename Session::Handle* FindHandle(uint64_t flow) const
    {
        const auto handle = m_handles.find(flow);
        return handle == m_handles.end() ? nullptr : &handle->second;
    }

    void DoStart(const DcnFlow& flow, DcnPath path) override
    {
        m_handles[flow.id] = AddToSession(*GetSession(), flow, path);
        // flows of one instant are admitted together: Update comes after the present event. An
        // event that is only cancelled stays with the simulator until its time, which may be far
        Simulator::Remove(m_event);
        m_event = Simulator::ScheduleNow(&DcnSessionNetwork::Update, this);
    }

    void DoStop() override
    {
        m_event.Cancel();
        m_session.reset();
        m_handles.clear();
    }

  private:
    /// Adds a flow that starts now.
    virtual typename Session::Handle AddToSession(Session& session,
                                                  const DcnFlow& flow,
                                                  DcnPath path)
    {
        return session.AddFlow(flow.id, path, flow.sizeBytes);
    }

    /// For what else is to be told.
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

    std::unique_ptr<Session> m_session;                               //!< the simulation
    std::unordered_map<uint64_t, typename Session::Handle> m_handles; //!< active flows
    EventId m_event;                                                  //!< its next event
};

} // namespace ns3

#endif /* DCN_SESSION_NETWORK_H */
