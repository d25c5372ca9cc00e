/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_CONFIG_H
#define MQL_TRUTH_CONFIG_H

#include "ns3/dcn-recipe.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief One simulation that MQL is trained on or compared with: topology, traffic, measurement.
 *
 * It is a recipe (DcnRecipe) with keys of its own (GetKeys), whose ranges and choices have been
 * drawn by its key `seed`. The defaults are the set-up of Narayana's dissertation (Tables 4.3 and
 * 5.2): links of 100 Mb/s, FIFO queues of 128 packets, packets of 500 bytes, Poisson or generalised
 * exponential arrivals. What it leaves open is fixed here: 500 bytes are those on the wire (a TCP
 * segment of 446 bytes, 12 of time stamps, 20 + 20 of TCP and IP, 2 of PPP), an acknowledgement has
 * 54 (no payload), links have no propagation delay (with which errors of the round-trip time are
 * largest), and the utilisation is that of the most loaded link with the acknowledgements that it
 * carries.
 */
class MqlTruthConfig : public DcnRecipe
{
  public:
    /// The defaults.
    MqlTruthConfig();

    /** @return the table of keys. */
    static const Keys& GetKeys();

    /**
     * @brief Read a recipe and draw it.
     * @param text e.g. "k=8,arrivals=ge,scv=4,load=0.25:0.75"; may be empty
     * @param where prefix of the error sentence
     * @param isRecorded keys without effect are left out and not refused (release 0.1 recorded
     * all), and so is transport=udp, which later releases recorded
     * @throws DcnError for an unknown key, a bad value or one without effect
     */
    static MqlTruthConfig Parse(const std::string& text,
                                const std::string& where = "",
                                bool isRecorded = false);

    /**
     * @brief Read a list of configurations, one per line; blank lines and lines that start with #
     * are skipped.
     * @param path the file
     * @throws DcnError as Parse; for two configurations of the same name
     */
    static std::vector<MqlTruthConfig> ReadList(const std::string& path);

    /** @return a name for files, e.g. "ft16_all-to-all_ge4_u0.75_s0_ecmp1_exact_1". */
    std::string GetName() const;

    /** @return number of hosts of the topology. */
    uint32_t GetNHosts() const;

    /** @return squared coefficient of variation of gaps between packets of a flow. */
    double GetScv() const;

  private:
    /// Refuses values that do not go together.
    void Check() const;
};

} // namespace ns3

#endif /* MQL_TRUTH_CONFIG_H */
