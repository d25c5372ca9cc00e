/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_RESULT_STORE_H
#define DCN_RESULT_STORE_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Results of one experiment in one file, kept so that interrupted work can go on.
 *
 * Problem. A long computation has many parts (trials, links, scenarios). A part has a key, and its
 * result depends on nothing but the key and the experiment. Several processes compute parts, and
 * any of them may be killed at any instant. A part that is done must not be computed again, and a
 * result of another experiment must never be taken for one of this.
 *
 * A store is an SQLite database of rows (key, value), both any bytes; it suits 10^5 rows and values
 * of some megabytes. Each call of Add waits for the disk, some milliseconds: many small rows are
 * added in calls of a thousand.
 *
 * - The experiment is a set of key = value pairs: everything that the results depend on. Names of
 *   files do not tell their content, so DigestFiles puts the content into a pair. A store of
 *   another experiment is refused, and so is a file that is no store.
 * - Add is atomic: the rows of one call are in the file together or not at all, also after a kill
 *   or a power failure. A key that is in the store keeps its value, so that two processes that
 *   compute the same part agree on one result.
 * - Any number of processes may read and add at the same time; one that waits for another longer
 *   than BUSY_SECONDS ends in a DcnError. A process forked from one that has a store open may use
 *   the store, too. Threads of a process may share a store.
 * - The order of rows is that of their keys, bytes compared, whoever added them and when.
 * - Each row has a digest: a value that the disk has changed is reported, never returned.
 *
 * The file has two tables, experiment (key, value) and result (key, value, digest), the application
 * ID "dcnR" and the format as user version (doc/schema.rst). SQLite's rollback journal is used and
 * not its write-ahead log: the log needs memory shared by all processes, which neither network file
 * systems nor forked processes have. A file <path>-journal beside the store belongs to it: it is
 * what a killed process left, and the next one that opens the store needs it.
 */
class DcnResultStore
{
  public:
    using Experiment = std::map<std::string, std::string>; //!< what the results depend on
    using Row = std::pair<std::string, std::string>;       //!< key and value

    static constexpr int BUSY_SECONDS = 60; //!< longest wait for other processes [s]

    /**
     * @brief Open a store, or make one.
     * @param path the file; its folder must exist
     * @param experiment what the results depend on
     * @throws DcnError if the file is no store, of another experiment or damaged, or if it cannot
     * be read or made
     */
    DcnResultStore(const std::string& path, const Experiment& experiment);
    ~DcnResultStore();
    DcnResultStore(const DcnResultStore&) = delete;
    DcnResultStore& operator=(const DcnResultStore&) = delete;

    /**
     * @param paths files and folders, such as those of a model
     * @return DcnHashText of the names and bytes of the files, and of those in the folders; empty
     * if there are none
     */
    static std::string DigestFiles(const std::vector<std::string>& paths);

    /** @return path of the file. */
    const std::string& GetPath() const;

    /** @return number of rows. */
    uint64_t GetN() const;

    /**
     * @param key of a row
     * @return true if there is such a row
     */
    bool Has(const std::string& key) const;

    /**
     * @param key of a row
     * @return its value; none if there is no such row
     * @throws DcnError if the row is damaged
     */
    std::optional<std::string> Find(const std::string& key) const;

    /**
     * @brief Read rows in the order of their keys.
     * @param prefix bytes with which the keys begin; empty: all rows
     * @param visit called with key and value of each; must not add to the store
     * @throws DcnError if a row is damaged
     */
    void Visit(const std::string& prefix,
               const std::function<void(const std::string&, const std::string&)>& visit) const;

    /**
     * @brief Add rows; they are in the file when this returns.
     * @param rows to add; those whose keys are in the store are skipped
     * @return number of rows that were added
     * @throws DcnError if they cannot be written; then none of them is in the store
     */
    uint64_t Add(const std::vector<Row>& rows);

  private:
    class Connection;

    /// Returns this process's connection: one that was opened before a fork is of no use after it.
    Connection& Get() const;
    /// Makes the tables of an empty file; refuses a file of another experiment.
    void Prepare(const Experiment& experiment);

    std::string m_path;                               //!< see the constructor
    mutable std::unique_ptr<Connection> m_connection; //!< see Get
};

} // namespace ns3

#endif /* DCN_RESULT_STORE_H */
