/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FILE_LOCK_H
#define DCN_FILE_LOCK_H

#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Holds a file or folder against other processes of this project, as long as it lives and as
 * long as the processes forked meanwhile do.
 *
 * An advisory lock (flock): it stops only programs that ask for it, and the kernel releases it when
 * the process exits, so that nothing is left to be cleaned up. Two objects exclude each other in
 * one process, too.
 *
 * Where the file system has no locks (some network file systems), "it cannot be locked" ends what
 * needs one, in place of going on without. NFS locks files, but no folders against all others: they
 * cannot be opened for writing, which it asks for.
 */
class DcnFileLock
{
  public:
    /// Sharing of the lock.
    enum class Mode
    {
        EXCLUSIVE, //!< nobody
        SHARED     //!< with other shared locks
    };

    /**
     * @param path a file or folder that exists
     * @param mode sharing
     * @param reason what the other does if it is held, for the sentence
     * @throws DcnError "<path>: another process <reason>" if it is held, or if it cannot be locked
     */
    DcnFileLock(const std::string& path, Mode mode, const std::string& reason);

    DcnFileLock(const DcnFileLock&) = delete;
    DcnFileLock& operator=(const DcnFileLock&) = delete;

    ~DcnFileLock();

  private:
    int m_descriptor; //!< of what is held
};

} // namespace ns3

#endif /* DCN_FILE_LOCK_H */
