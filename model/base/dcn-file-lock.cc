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

namespace
{

/**
 * @param path what to open
 * @return a descriptor that can be locked; negative if there is none
 */
int
Open(const std::string& path)
{
    // NFS makes a record lock of it, and an exclusive one needs the right to write
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0 && (errno == EISDIR || errno == EACCES || errno == EROFS))
    {
        return open(path.c_str(), O_RDONLY | O_CLOEXEC);
    }
    return descriptor;
}

} // namespace

DcnFileLock::DcnFileLock(const std::string& path, Mode mode, const std::string& reason)
    : m_descriptor(Open(path))
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
