/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRACE_H
#define DCN_TRACE_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief A TracedCallback in 8 bytes, of which most have no listener: devices are read in every
 * event, and should take few cache lines.
 * @tparam Arguments types of the arguments
 */
template <typename... Arguments>
class DcnTrace
{
  public:
    /** @return true if nobody listens. */
    bool IsEmpty() const
    {
        return !m_callback || m_callback->IsEmpty();
    }

    /** @return listeners. */
    uint32_t GetN() const
    {
        return m_callback ? m_callback->n : 0;
    }

    /**
     * @brief Call the listeners.
     * @param arguments given to them
     */
    void operator()(Arguments... arguments) const
    {
        if (m_callback)
        {
            (*m_callback)(arguments...);
        }
    }

    /**
     * @brief Add a listener.
     * @param callback called for every event
     */
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        ++Make().n;
        m_callback->ConnectWithoutContext(callback);
    }

    /**
     * @brief Add a listener.
     * @param callback called for every event, with the path
     * @param path its first argument
     */
    void Connect(const CallbackBase& callback, std::string path)
    {
        ++Make().n;
        m_callback->Connect(callback, path);
    }

    /**
     * @brief Remove a listener.
     * @param callback as in ConnectWithoutContext
     */
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Make().DisconnectWithoutContext(callback);
        FollowEnd();
    }

    /**
     * @brief Remove a listener.
     * @param callback as in Connect
     * @param path as in Connect
     */
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        Make().Disconnect(callback, path);
        FollowEnd();
    }

  private:
    /// Those who listen.
    struct Listeners : TracedCallback<Arguments...>
    {
        uint32_t n{0}; //!< see GetN
    };

    Listeners& Make()
    {
        if (!m_callback)
        {
            m_callback = std::make_unique<Listeners>();
        }
        return *m_callback;
    }

    /// ns-3 does not tell how many listeners a call has removed; only the last one is known.
    void FollowEnd()
    {
        m_callback->n = m_callback->IsEmpty() ? 0 : m_callback->n;
    }

    std::unique_ptr<Listeners> m_callback; //!< null: nobody has ever listened
};

} // namespace ns3

#endif /* DCN_TRACE_H */
