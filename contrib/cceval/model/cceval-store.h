/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_STORE_H
#define CCEVAL_STORE_H

#include "cceval-metric.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief The answers to the trials of one configuration, kept in a file (doc/schema.rst).
 *
 * A record is one line: number of the trial, seed, status, cost and the completion time of every
 * flow, so that any metric can be asked of it later. A line is complete if it ends in a line feed;
 * a last one that does not, because the run was interrupted, is dropped when the store is opened,
 * and that trial is run again. The first lines name the configuration; a store of another one is
 * refused. Several processes (ranks) write files of their own, <path>.rank1 and so on, which are
 * read together.
 */
class CcevalStore
{
  public:
    /**
     * @brief Open a store, or begin one.
     * @param path the file; empty: kept in memory alone
     * @param configuration keys and values that tell the configuration
     * @param rank number of the process that will add records; 0 writes to the file itself
     * @throws DcnError if the file belongs to another configuration, is damaged or cannot be
     * written
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
     * @brief Add an answer; it is in the file when this returns.
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

    std::string m_path;                                 //!< see the constructor
    std::string m_file;                                 //!< the file that this process adds to
    std::map<std::string, std::string> m_configuration; //!< see the constructor
    std::map<uint64_t, CcevalOutcome> m_outcomes;       //!< by trial
};

} // namespace ns3

#endif /* CCEVAL_STORE_H */
