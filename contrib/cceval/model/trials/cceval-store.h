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
 * The key of a trial is its number, with seven digits; the value is one line with status,
 * cost and the completion time of every flow (doc/schema.rst), so that any metric can be asked of
 * it later. Answers that other processes add while this one works are found, too.
 */
class CcevalStore
{
  public:
    /// An answer as text: number of the trial, and its line.
    using Line = std::pair<uint64_t, std::string>;

    /**
     * @brief Open a store, or begin one.
     * @param path the file, which ends in .db; empty: answers are kept in memory alone
     * @param configuration the configuration as keys and values
     * @throws DcnError if the file belongs to another configuration, is damaged, or if there is one
     * of dcn 0.1 of the same name
     */
    CcevalStore(const std::string& path, const std::map<std::string, std::string>& configuration);

    /**
     * @param run number of a trial
     * @return its answer, null if there is none
     * @throws DcnError if the file has one that cannot be read
     */
    const CcevalOutcome* Find(uint64_t run) const;

    /**
     * @brief Add answers, all or none; they are in the file when this returns.
     * @param lines the answers; those to trials that have one are skipped
     * @throws DcnError if they cannot be written
     */
    void Add(const std::vector<Line>& lines);

    /** @return number of answers that this process knows of, failures included. */
    std::size_t GetN() const;

    /**
     * @param outcome an answer
     * @return its line, without a line feed
     */
    static std::string Write(const CcevalOutcome& outcome);

  private:
    std::unique_ptr<DcnResultStore> m_file;               //!< null: in memory alone
    mutable std::map<uint64_t, CcevalOutcome> m_outcomes; //!< those that were asked for, by trial
};

} // namespace ns3

#endif /* CCEVAL_STORE_H */
