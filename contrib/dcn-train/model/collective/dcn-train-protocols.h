/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_PROTOCOLS_H
#define DCN_TRAIN_PROTOCOLS_H

#include "dcn-train-collective.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Costs of hosts for an algorithm of a collective with a protocol of the library, such as
 * NCCL's LL, LL128 and Simple: a row of the table of DcnTrainProtocols.
 */
struct DcnTrainProtocol
{
    std::string operation;         //!< all-reduce, ...; any: all that the algorithm has
    std::string algorithm;         //!< a registered name
    std::string name;              //!< of the protocol, for people
    uint64_t leastBytes{0};        //!< smallest size for which it may be chosen
    uint64_t mostBytes{0};         //!< largest size for which it may be chosen; 0: any
    int64_t launchNs{0};           //!< from the start of the collective to its first message [ns]
    int64_t scaleUpNs{0};          //!< of a hop within a server: kernels and copies [ns]
    int64_t scaleOutNs{0};         //!< of a hop between servers: proxies and NICs [ns]
    double efficiency{1};          //!< of links: bytes of data by bytes on the wire, (0, 1]
    double busGbps{0};             //!< what processors copy, as bus bandwidth [Gb/s]; 0: no limit
    uint64_t chunkBytes{0};        //!< of a channel; 0: one chunk
    uint64_t channelBytes{32'768}; //!< a channel is used for as many bytes, at least; > 0
};

/**
 * @ingroup dcn-train
 * @brief Where ranks are, and how fast their links are, for DcnTrainProtocols.
 */
struct DcnTrainServers
{
    std::vector<uint32_t> serverOf; //!< server by rank
    double scaleUpGbps{0};          //!< of an accelerator within its server [Gb/s]
    double nicGbps{0};              //!< of an accelerator to other servers [Gb/s]
};

/**
 * @ingroup dcn-train
 * @brief Costs of collectives on hosts, by algorithm, protocol and size, and the choice among them.
 *
 * **Problem.** A collective of 8 bytes takes 10 to 150 us on real clusters, which no network
 * explains: a kernel is launched, processors poll and copy, proxies post each chunk to a NIC. And a
 * library has several protocols, of which the fast one for small messages reaches a fraction of the
 * bandwidth. The terms are those of NCCL's tuner (file src/graph/tuning.cc of its sources): with an
 * algorithm and a protocol, a size S takes about
 *
 *     launch + hops within servers x scale_up + hops between servers x scale_out + S / bandwidth
 *
 * **What the graph gets.** Each member begins launchNs after it is ready. A message of s bytes of
 * data has s / efficiency bytes on the network. Its receive takes scaleUpNs or scaleOutNs after the
 * message has arrived. Its send occupies the channel of its rank for s by the channel's part of
 * busGbps. The rest, contention and the pipeline of chunks, follows from the network.
 *
 * **Channels and chunks.** Channels carry at least channelBytes each, and there are at most those
 * of the collective. A channel has a chunk for each chunkBytes of each block, at most MOST_CHUNKS
 * (so that large collectives do not have millions of messages), or the chunks of the collective if
 * these are more than one.
 *
 * **Choice.** Of all rows for the operation, the size, and the algorithm unless that is auto, the
 * one with the least expected time is chosen: the latency of the longest chain of messages that
 * wait for each other, and the time of the busiest server's NICs, scale-up links or processors.
 * The first row comes first if times are equal.
 *
 * **The table** is a file (protocols.csv in doc/schema.rst). The one that ships, "nccl", has the
 * constants of NCCL's tuner; clusters differ, so calibrate it (dcn-calibrate).
 */
class DcnTrainProtocols : public DcnTrainHostCosts
{
  public:
    static constexpr uint32_t MOST_CHUNKS = 64; //!< see above

    /// A collective as it is carried out.
    struct Choice
    {
        DcnTrainCollective collective;    //!< algorithm, channels, chunks and groups are fixed
        const DcnTrainProtocol* protocol; //!< its row
        double expectedNs;                //!< see above
    };

    /**
     * @param table rows
     * @param servers of the ranks of the graph
     * @throws DcnError for an empty table, or links without a rate
     */
    DcnTrainProtocols(const std::vector<DcnTrainProtocol>& table, const DcnTrainServers& servers);

    /**
     * @brief Read a table.
     * @param path the file, or nccl for the one that ships
     * @return the rows
     * @throws DcnError naming file, line and value for anything that is not of the form
     */
    static std::vector<DcnTrainProtocol> Read(const std::string& path);

    /**
     * @brief Write a table, as Read reads it.
     * @param table rows
     * @param path the file
     * @param comments lines at its begin
     * @throws DcnError if it cannot be written
     */
    static void Write(const std::vector<DcnTrainProtocol>& table,
                      const std::string& path,
                      const std::vector<std::string>& comments);

    /**
     * @param collective operation, size, root, most channels; its algorithm may be auto
     * @param members ranks
     * @return how it is carried out; valid as long as this object
     * @throws DcnError if no row fits
     */
    Choice Choose(const DcnTrainCollective& collective, const std::vector<uint32_t>& members) const;

    uint32_t Fix(DcnTrainCollective& collective,
                 const std::vector<uint32_t>& members) const override;
    int64_t GetLaunchNs(uint32_t choice) const override;
    Message MakeMessage(uint32_t choice,
                        uint32_t channels,
                        uint32_t from,
                        uint32_t to,
                        uint64_t bytes) const override;

    /** @return the rows. */
    const std::vector<DcnTrainProtocol>& GetTable() const;

  private:
    /// @return members of a server, if members are servers of equal size, one after the other; else
    /// 1
    uint32_t FindGroupSize(const std::vector<uint32_t>& members) const;
    /// Sets channels, chunks and groups for a row.
    void SetParts(const DcnTrainProtocol& protocol,
                  uint32_t groupSize,
                  DcnTrainCollective& collective,
                  uint64_t nBlocks) const;
    /// @return the time of a collective with a row [ns], see above
    double Estimate(const DcnTrainProtocol& protocol,
                    const DcnTrainCollective& collective,
                    const DcnTrainSchedule& schedule,
                    const std::vector<uint32_t>& members) const;

    /// What a choice depends on: operation, algorithm, size, root, channels, chunks, and servers of
    /// the members, numbered by their first member.
    using Key = std::tuple<std::string,
                           std::string,
                           uint64_t,
                           uint32_t,
                           uint32_t,
                           uint32_t,
                           std::vector<uint32_t>>;

    /// @return the key of a collective
    Key MakeKey(const DcnTrainCollective& collective, const std::vector<uint32_t>& members) const;
    /// Chooses as Choose does, without looking up earlier choices.
    Choice ChooseAnew(const DcnTrainCollective& collective,
                      const std::vector<uint32_t>& members) const;

    std::vector<DcnTrainProtocol> m_table;   //!< rows
    DcnTrainServers m_servers;               //!< of ranks
    mutable std::map<Key, Choice> m_choices; //!< earlier ones: an iteration repeats collectives
};

} // namespace ns3

#endif /* DCN_TRAIN_PROTOCOLS_H */
