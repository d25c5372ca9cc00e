/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_STORE_H
#define CCEVAL_STORE_H

#include "ns3/cceval-metric.h"

#include "ns3/dcn-file-lock.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief The answers to the trials of one configuration, kept in a file (doc/schema.rst).
 *
 * A record is one line: number of the trial, seed, status, cost and the completion time of every
 * flow, so that any metric can be asked of it later. The first lines name the configuration; a
 * store of another one is refused. Several processes (ranks) write files of their own, <path>.rank1
 * and so on, which are read together.
 *
 * One process at a time adds to a file, and holds it from Claim on (DcnFileLock); stores of one
 * process share it, and any process may read. A line is complete if it ends in a line feed; a last
 * one that does not is being written, or was when a run was interrupted: readers leave it out, and
 * the process that claims the file drops it.
 */
class CcevalStore
{
  public:
    /**
     * @brief Open a store, or begin one.
     * @param path the file; empty: kept in memory alone
     * @param configuration keys and values that tell the configuration
     * @param rank number of the process that will add records; 0 writes to the file itself
     * @throws DcnError if the file belongs to another configuration or is damaged
     */
    CcevalStore(const std::string& path,
                const std::map<std::string, std::string>& configuration,
                uint64_t rank = 0);

    /**
     * @param run number of a trial
     * @return its answer, null if there is none
     */
    const CcevalOutcome* Find(uint64_t run) const;

    /**
     * @brief Hold the file to which this process adds, and read what is new in it.
     * @throws DcnError if another process holds it, or it cannot be written
     */
    void Claim();

    /**
     * @brief Add an answer; it is in the file when this returns. Claims the file.
     * @param run number of the trial, of which there is no answer yet
     * @param seed of the trial
     * @param outcome the answer
     */
    void Add(uint64_t run, uint64_t seed, const CcevalOutcome& outcome);

    /** @return number of answers, failures included. */
    std::size_t GetN() const;

    /**
     * @param run number of a trial
     * @param seed of the trial
     * @param outcome its answer
     * @return the line, with its line feed
     */
    static std::string Write(uint64_t run, uint64_t seed, const CcevalOutcome& outcome);

    /**
     * @param line a line without its line feed
     * @param run set to the number of the trial
     * @param seed set to its seed
     * @param outcome set to its answer
     * @return false if it is no record
     */
    static bool Read(const std::string& line,
                     uint64_t& run,
                     uint64_t& seed,
                     CcevalOutcome& outcome);

  private:
    void Load(const std::string& file, bool repair);
    std::string GetHeader() const;
    /// Returns false if there is nothing in the file but a part of the header.
    bool HasBegun(const std::string& file) const;

    std::string m_path;                                 //!< see the constructor
    std::string m_file;                                 //!< the file that this process adds to
    std::map<std::string, std::string> m_configuration; //!< see the constructor
    std::map<uint64_t, CcevalOutcome> m_outcomes;       //!< by trial
    std::shared_ptr<DcnFileLock> m_lock;                //!< of m_file; null until it is claimed
};

} // namespace ns3

#endif /* CCEVAL_STORE_H */
