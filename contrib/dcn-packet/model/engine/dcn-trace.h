/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRACE_H
#define DCN_TRACE_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

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
        Make().ConnectWithoutContext(callback);
    }

    /**
     * @brief Add a listener.
     * @param callback called for every event, with the path
     * @param path its first argument
     */
    void Connect(const CallbackBase& callback, std::string path)
    {
        Make().Connect(callback, path);
    }

    /**
     * @brief Remove a listener.
     * @param callback as in ConnectWithoutContext
     */
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Make().DisconnectWithoutContext(callback);
    }

    /**
     * @brief Remove a listener.
     * @param callback as in Connect
     * @param path as in Connect
     */
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        Make().Disconnect(callback, path);
    }

  private:
    TracedCallback<Arguments...>& Make()
    {
        if (!m_callback)
        {
            m_callback = std::make_unique<TracedCallback<Arguments...>>();
        }
        return *m_callback;
    }

    std::unique_ptr<TracedCallback<Arguments...>> m_callback; //!< null: nobody has ever listened
};

} // namespace ns3

#endif /* DCN_TRACE_H */
