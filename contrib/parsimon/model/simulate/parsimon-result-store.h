/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_RESULT_STORE_H
#define PARSIMON_RESULT_STORE_H

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-result-store.h"
#include "ns3/parsimon-link.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Result of a link simulation as it is kept, by position in ParsimonLink::flows.
 */
struct ParsimonLinkDelays
{
    std::vector<float> delayNs; //!< max(0, FCT - ideal) [ns]
    std::vector<float> nicNs;   //!< ParsimonNicDelays [ns], or empty
    uint64_t queueBytes{0};     //!< ParsimonLinkResult::queueBytes

    ParsimonLinkDelays() = default;

    /**
     * @param result of a link simulation
     */
    explicit ParsimonLinkDelays(const ParsimonLinkResult& result);

    /** @return the object as bytes. */
    std::string Serialize() const;

    /**
     * @param bytes what Serialize returned
     * @param where prefix of the error sentence
     * @return the object
     * @throws DcnError if they end too early
     */
    static ParsimonLinkDelays Deserialize(const std::string& bytes, const std::string& where);
};

/**
 * @ingroup parsimon
 * @brief Key of a link simulation: a 128-bit hash of its whole input.
 *
 * Rates and delays of the link topology; size, start, source and destination of each flow; the
 * network configuration; name, version and seed of the simulator, and ns-3's own seed and run
 * (--RngRun); and whether ParsimonNicDelays are part of the result. The id of a flow counts, since
 * random marks belong to it. Flow, host and link numbers of the scenario do not count: they change
 * when flows are added elsewhere.
 *
 * @param link input of the simulation
 * @param context what ParsimonDescribeContext returns
 * @return 32 hexadecimal digits
 */
std::string ParsimonMakeKey(const ParsimonLink& link, const std::string& context);

/**
 * @ingroup parsimon
 * @param network the configuration
 * @param simulator name and version of the link simulator
 * @param seed of its random numbers
 * @param withNic whether ParsimonNicDelays are part of the result
 * @return text that is equal only if all of these are
 */
std::string ParsimonDescribeContext(const DcnNetworkConfig& network,
                                    const std::string& simulator,
                                    uint64_t seed,
                                    bool withNic);

/**
 * @ingroup parsimon
 * @brief Results of link simulations, kept in memory and, if asked, in a DcnResultStore.
 *
 * The folder of results has one file, `results.db`. Processes may share it. Functions may be called
 * by several threads.
 */
class ParsimonResultStore
{
  public:
    /**
     * @param folder where results are kept, made if it is not there; empty: in memory only
     * @throws DcnError if it cannot be used or has results of dcn 0.1
     */
    explicit ParsimonResultStore(const std::string& folder = "");
    /// Writes the results that are not in the file, also where an exception ends a run.
    ~ParsimonResultStore();
    ParsimonResultStore(const ParsimonResultStore&) = delete;
    ParsimonResultStore& operator=(const ParsimonResultStore&) = delete;

    /** @return true if results are kept in a file, which other processes may read. */
    bool HasFile() const;

    /**
     * @param key of a simulation: ParsimonMakeKey
     * @return its result; null if there is none
     * @throws DcnError if the file is damaged
     */
    std::shared_ptr<const ParsimonLinkDelays> Find(const std::string& key) const;

    /**
     * @brief Keep a result. It is written at once, unless writing would then take more than a
     * twentieth of the time; else by a later Add, Flush or the destructor.
     * @param key of the simulation
     * @param delays its result
     * @throws DcnError if the file cannot be written
     */
    void Add(const std::string& key, std::shared_ptr<const ParsimonLinkDelays> delays);

    /**
     * @brief Write all results to the file.
     * @throws DcnError if it cannot be written
     */
    void Flush();

  private:
    using Clock = std::chrono::steady_clock;

    /// Does what Flush says; m_mutex is held.
    void Write();

    std::unique_ptr<DcnResultStore> m_file; //!< null: in memory only
    mutable std::mutex m_mutex;             //!< of all below
    /// In memory, by key.
    mutable std::map<std::string, std::shared_ptr<const ParsimonLinkDelays>> m_results;
    /// To be written together: a commit to a disk may take longer than the simulation of a link.
    std::vector<DcnResultStore::Row> m_unwritten;
    Clock::time_point m_written{};   //!< when rows were written
    Clock::duration m_writingTime{}; //!< how long that took
};

} // namespace ns3

#endif /* PARSIMON_RESULT_STORE_H */
