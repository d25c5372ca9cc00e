/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-interrupt.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
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

/// A file to write at a signal.
struct SignalFile
{
    std::string path; //!< of the file
    std::string part; //!< its name while it is written
    std::string text; //!< what it has
};

/// The file of an object.
struct SignalSlot
{
    SignalFile files[2];                          //!< one is ready while the other one is changed
    std::atomic<const SignalFile*> file{nullptr}; //!< the one that is ready; null: none
};

SignalSlot g_slots[4];    //!< of objects, in the order in which they were made
std::size_t g_nSlots = 0; //!< number of objects

std::atomic<const char*> g_halves[64]; //!< paths of DcnRemoveAtSignal; null: a free place

/// Writes the file of an object, by calls that a handler may make.
void
WriteSignalFile(const SignalFile* file)
{
    const int descriptor =
        file ? open(file->part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (descriptor < 0)
    {
        return;
    }
    std::size_t done = 0;
    for (ssize_t n = 1; n > 0 && done<file->text.size(); done += n> 0 ? n : 0)
    {
        n = write(descriptor, file->text.data() + done, file->text.size() - done);
    }
    close(descriptor);
    if (done == file->text.size())
    {
        std::rename(file->part.c_str(), file->path.c_str());
    }
    else
    {
        unlink(file->part.c_str());
    }
}

/// Prints the message and ends the process by the signal.
void
OnSignal(int signal)
{
    if (getpid() == g_process)
    {
        [[maybe_unused]] const auto written = write(STDERR_FILENO, g_message, g_length);
        for (const SignalSlot& slot : g_slots)
        {
            WriteSignalFile(slot.file);
        }
        for (const auto& half : g_halves)
        {
            if (const char* path = half)
            {
                unlink(path);
            }
        }
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

} // namespace

DcnInterruptMessage::DcnInterruptMessage(const std::string& text)
    : m_before(g_message, g_length),
      m_isFirst(g_process != getpid()),
      m_slot(g_nSlots++)
{
    Set(text);
    if (!m_isFirst)
    {
        return;
    }
    g_process = getpid();
    for (std::size_t i = 0; i < std::min(m_slot, std::size(g_slots)); ++i)
    {
        g_slots[i].file = nullptr; // of the process that forked this one
    }
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
    SetFile("", "");
    --g_nSlots;
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

void
DcnInterruptMessage::SetFile(const std::string& path, const std::string& text)
{
    if (m_slot >= std::size(g_slots))
    {
        return; // so many objects at a time are none of a program
    }
    SignalSlot& slot = g_slots[m_slot];
    SignalFile& next = slot.files[slot.file == &slot.files[0] ? 1 : 0];
    next = {path, path + ".part-" + std::to_string(getpid()), text};
    slot.file = path.empty() ? nullptr : &next;
}

void
DcnRemoveAtSignal(const char* path)
{
    for (auto& half : g_halves)
    {
        const char* none = nullptr;
        if (half.compare_exchange_strong(none, path))
        {
            return;
        }
    }
}

void
DcnKeepAtSignal(const char* path)
{
    for (auto& half : g_halves)
    {
        const char* same = path;
        half.compare_exchange_strong(same, nullptr);
    }
}

} // namespace ns3
