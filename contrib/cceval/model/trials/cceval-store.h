/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_STORE_H
#define CCEVAL_STORE_H

#include "cceval-metric.h"

#include "ns3/dcn-result-store.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief The answers to the trials of one configuration: in memory, and in a DcnResultStore.
 *
 * The key of a trial is its number, with seven digits; the value is one line with status, cost and
 * the completion time of every flow (doc/schema.rst), so that any metric can be computed from it
 * later. Answers added by other processes in the meantime are found, too.
 */
class CcevalStore
{
  public:
    /// An answer as text: number of the trial, and its line.
    using Line = std::pair<uint64_t, std::string>;

    /**
     * @brief Open or create a store.
     * @param path the file, which ends in .db; empty: answers are in memory only
     * @param configuration the configuration as keys and values
     * @throws DcnError if the file belongs to another configuration, is damaged, or if a file of
     * that name is a store of dcn 0.1
     */
    CcevalStore(const std::string& path, const std::map<std::string, std::string>& configuration);

    /**
     * @param run number of a trial
     * @return its answer, null if there is none
     * @throws DcnError if the stored answer cannot be read
     */
    const CcevalOutcome* Find(uint64_t run) const;

    /**
     * @brief Add answers atomically; on return they are in the file.
     * @param lines the answers; answers to trials that have one are skipped
     * @throws DcnError if they cannot be written
     */
    void Add(const std::vector<Line>& lines);

    /** @return the configuration, also where answers are in memory only. */
    const std::map<std::string, std::string>& GetConfiguration() const;

    /** @return number of answers known to this process, failures included. */
    std::size_t GetN() const;

    /**
     * @param outcome an answer
     * @return its line, without a line feed
     */
    static std::string Write(const CcevalOutcome& outcome);

  private:
    std::map<std::string, std::string> m_configuration;   //!< see the constructor
    std::unique_ptr<DcnResultStore> m_file;               //!< null: in memory only
    mutable std::map<uint64_t, CcevalOutcome> m_outcomes; //!< answers found so far, by trial
};

} // namespace ns3

#endif /* CCEVAL_STORE_H */
