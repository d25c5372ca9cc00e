/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_CONFIG_H
#define MQL_TRUTH_CONFIG_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief One simulation that MQL is trained on or compared with: topology, traffic, measurement.
 *
 * The text form is "key=value,key=value"; keys that are not named have the values below. It is the
 * set-up of Narayana's dissertation (Tables 4.3 and 5.2): links of 100 Mb/s, FIFO queues of 128
 * packets, packets of 500 bytes, Poisson or generalised exponential arrivals. What it leaves open
 * is fixed here: 500 bytes are those on the wire (a TCP segment of 446 bytes, 12 of time stamps, 20
 * + 20 of TCP and IP, 2 of PPP), an acknowledgement has 54 (no payload), links have no propagation
 * delay (with which errors of the round-trip time are largest), and the utilisation is that of the
 * most loaded link with the acknowledgements that it carries.
 */
struct MqlTruthConfig
{
    std::string topology{"fat-tree"};  //!< fat-tree (three tiers, k) or two-tier (hosts, radix)
    uint32_t k{4};                     //!< ports of a switch of the fat tree; k^3 / 4 hosts
    uint32_t hosts{16};                //!< two-tier: number of hosts
    uint32_t radix{8};                 //!< two-tier: ports of a switch
    double rateMbps{100};              //!< rate of every link [Mbit/s]
    int64_t delayNs{0};                //!< propagation delay of every link [ns]
    uint32_t buffer{128};              //!< packets that wait in a queue (not the one being sent)
    std::string pattern{"all-to-all"}; //!< all-to-all, incast, broadcast or asymmetric
    double density{1};                 //!< share of the pattern's pairs that communicate
    std::string rates{"equal"};        //!< of the flows: equal, or uniform (from 0 to a largest)
    std::string arrivals{"poisson"};   //!< poisson or ge (generalised exponential)
    double scv{1};                     //!< squared coefficient of variation of gaps; ge: > 1
    uint32_t bytes{500};               //!< mean size of a data packet on the wire
    double spread{0};                  //!< sizes are uniform in bytes * (1 +- spread)
    uint32_t ackBytes{54};             //!< acknowledgement of a data packet on the wire; 0: none
    double load{0.5};                  //!< utilisation of the most loaded link
    std::string routing{"ecmp"};       //!< ecmp (one path per flow) or split (drawn per packet)
    uint64_t hashSeed{1};              //!< seed of the ECMP hash
    uint64_t seed{1};                  //!< seed of the traffic
    double warmupS{0.2};               //!< time before anything is recorded [s]
    double durationS{5};               //!< recorded time [s]
    std::string transport{"udp"};      //!< udp (open loop) or tcp (ns-3's, engine ns3)
    std::string engine{"exact"};       //!< ns3 (its devices and queues) or exact (MqlTruthExact)
    std::string trace;                 //!< packets from this file instead of the pattern

    /**
     * @brief Read the text form.
     * @param text e.g. "k=8,arrivals=ge,scv=4,load=0.75"; may be empty
     * @param where prefix of the error sentence
     * @throws DcnError for an unknown key, a bad value or one without effect
     */
    static MqlTruthConfig Parse(const std::string& text, const std::string& where = "");

    /**
     * @brief Read a list of configurations, one per line; blank lines and lines that start with #
     * are skipped.
     * @param path the file
     * @throws DcnError as Parse; for two configurations of the same name
     */
    static std::vector<MqlTruthConfig> ReadList(const std::string& path);

    /** @return the text form with every key, in a fixed order. */
    std::string ToText() const;

    /** @return a name for files, e.g. "ft16_all-to-all_ge4_u0.75_s0_ecmp1_exact_1". */
    std::string GetName() const;

    /** @return number of hosts of the topology. */
    uint32_t GetNHosts() const;

  private:
    void Check(const std::string& where) const;
};

} // namespace ns3

#endif /* MQL_TRUTH_CONFIG_H */
