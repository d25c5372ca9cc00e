/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_RESULT_STORE_H
#define PARSIMON_RESULT_STORE_H

#include "ns3/dcn-network-config.h"
#include "ns3/parsimon-link.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
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
 * @brief 128-bit hash of the whole input of a link simulation.
 *
 * Rates and delays of the link topology; size, start, source and destination of each flow; the
 * network configuration; name, version and seed of the simulator, and ns-3's own seed and run
 * (--RngRun); and whether ParsimonNicDelays are part of the result. Flow, host and link numbers of
 * the scenario do not count: they change when flows are added elsewhere.
 */
struct ParsimonKey
{
    uint64_t high; //!< one 64-bit hash
    uint64_t low;  //!< another one, of another kind

    /**
     * @param link input of the simulation
     * @param context what ParsimonDescribeContext returns
     * @return the key
     */
    static ParsimonKey Make(const ParsimonLink& link, const std::string& context);

    /** @return 32 hexadecimal digits. */
    std::string ToString() const;

    /**
     * @param other another key
     * @return some order
     */
    bool operator<(const ParsimonKey& other) const
    {
        return std::make_pair(high, low) < std::make_pair(other.high, other.low);
    }
};

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
 * @brief Results of link simulations, kept in memory and, if asked, in a folder.
 *
 * The folder holds a file `parsimon-cache` with the version of the format, and a file
 * `<key>.delays` per simulation: written under another name first, so that a file is complete if it
 * is there. Processes may share a folder. Functions may be called by several threads.
 */
class ParsimonResultStore
{
  public:
    static constexpr uint32_t FORMAT = 1; //!< version of the folder's files

    /**
     * @param folder where results are kept, made if it is not there; empty: in memory only
     * @throws DcnError if it cannot be used or was made by another version
     */
    explicit ParsimonResultStore(const std::string& folder = "");

    /**
     * @param key of a simulation
     * @return its result; null if there is none
     * @throws DcnError if a file is damaged
     */
    std::shared_ptr<const ParsimonLinkDelays> Find(const ParsimonKey& key) const;

    /**
     * @brief Keep a result.
     * @param key of the simulation
     * @param delays its result
     * @throws DcnError if the file cannot be written
     */
    void Add(const ParsimonKey& key, std::shared_ptr<const ParsimonLinkDelays> delays);

    /** @return the folder, or empty. */
    const std::string& GetFolder() const;

  private:
    std::string GetFile(const ParsimonKey& key) const;

    std::string m_folder;       //!< see GetFolder
    mutable std::mutex m_mutex; //!< of m_results
    /// In memory.
    mutable std::map<ParsimonKey, std::shared_ptr<const ParsimonLinkDelays>> m_results;
};

} // namespace ns3

#endif /* PARSIMON_RESULT_STORE_H */
