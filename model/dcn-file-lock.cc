/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-file-lock.h"

#include "dcn-error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace ns3
{

DcnFileLock::DcnFileLock(const std::string& path, Mode mode, const std::string& reason)
    : m_descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC))
{
    if (m_descriptor < 0)
    {
        DcnFail(path, ": it cannot be opened: ", std::strerror(errno));
    }
    if (flock(m_descriptor, (mode == Mode::SHARED ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0)
    {
        const int error = errno;
        close(m_descriptor);
        if (error == EWOULDBLOCK)
        {
            DcnFail(path, ": another process ", reason);
        }
        DcnFail(path, ": it cannot be locked: ", std::strerror(error));
    }
}

DcnFileLock::~DcnFileLock()
{
    close(m_descriptor);
}

} // namespace ns3
