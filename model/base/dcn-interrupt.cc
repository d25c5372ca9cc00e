/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-interrupt.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace ns3
{

namespace
{

// A handler may only read memory that is ready: the message is composed beforehand.
char g_message[1024];                    //!< printed at a signal
std::size_t g_length = 0;                //!< its length; 0: there is no message
pid_t g_process = 0;                     //!< the process whose message it is
struct sigaction g_before[2];            //!< the actions replaced
const int SIGNALS[] = {SIGINT, SIGTERM}; //!< see DcnInterruptMessage

/// Prints the message and ends the process by the signal.
void
OnSignal(int signal)
{
    if (getpid() == g_process)
    {
        [[maybe_unused]] const auto written = write(STDERR_FILENO, g_message, g_length);
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

} // namespace

DcnInterruptMessage::DcnInterruptMessage(const std::string& text)
    : m_before(g_message, g_length),
      m_isFirst(g_process != getpid())
{
    Set(text);
    if (!m_isFirst)
    {
        return;
    }
    g_process = getpid();
    struct sigaction action = {};
    action.sa_handler = OnSignal;
    for (std::size_t i = 0; i < std::size(SIGNALS); ++i)
    {
        sigaction(SIGNALS[i], nullptr, &g_before[i]);
        if (g_before[i].sa_handler != SIG_IGN)
        {
            sigaction(SIGNALS[i], &action, nullptr);
        }
    }
}

DcnInterruptMessage::~DcnInterruptMessage()
{
    Set(m_before);
    if (m_isFirst && g_process == getpid())
    {
        g_process = 0;
        for (std::size_t i = 0; i < std::size(SIGNALS); ++i)
        {
            sigaction(SIGNALS[i], &g_before[i], nullptr);
        }
    }
}

void
DcnInterruptMessage::Set(const std::string& text)
{
    g_length = 0; // a signal in between prints nothing rather than half of it
    const std::size_t length = std::min(text.size(), sizeof(g_message));
    std::memcpy(g_message, text.data(), length);
    g_length = length;
}

} // namespace ns3
