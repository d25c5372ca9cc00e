/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_MANIFEST_H
#define DCN_DATASET_MANIFEST_H

#include "ns3/dcn-origin.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief The options of a data set: `dataset.csv`, written before the first shard.
 */
struct DcnDatasetOptions
{
    uint64_t samples{0};   //!< number of samples
    uint64_t shardSize{0}; //!< samples in a file; the last may have fewer
    /// All options that a sample depends on: kind, seeds, engine and rules.
    std::vector<std::pair<std::string, std::string>> content;

    /// The origin, on which no sample depends: dcn_release; date (UTC), the first day of the data
    /// set; recipe, the named recipe that the rules start from; command, without folder and
    /// processes. Data sets of release 0.1 have no origin.
    std::map<std::string, std::string> origin;

    /** @return content as lines key=value, as every shard has it. */
    std::string GetContentText() const;

    /// Entry of the content: behaviour of the engine that simulated the samples
    /// (DcnDatasetEngine::GetDigest).
    static const char* const ENGINE_DIGEST;

    /// Entry of the content: name of the engine with its attributes; absent for "packet".
    static const char* const ENGINE;

    /**
     * @param key of content or origin
     * @return its value, or DCN_UNKNOWN_ORIGIN
     */
    const std::string& Get(const std::string& key) const;

    /** @return name and digest of the engine, for messages. */
    std::string DescribeEngine() const;

    /** @return all entries of the origin, in a fixed order. */
    std::vector<std::pair<std::string, std::string>> GetOrigin() const;

    /** @return number of shards. */
    uint64_t GetNShards() const;

    /**
     * @param shard number of a shard
     * @return number of its first sample
     */
    uint64_t GetFirst(uint64_t shard) const;

    /**
     * @param shard number of a shard
     * @return number of its samples
     */
    uint64_t GetN(uint64_t shard) const;

    /**
     * @param shard number of a shard
     * @return its file's name, without folder
     */
    static std::string GetShardName(uint64_t shard);

    /**
     * @param folder of a data set
     * @return its options
     * @throws DcnError that names file, line and value
     */
    static DcnDatasetOptions Read(const std::string& folder);

    /**
     * @brief Write the options of a new data set, or compare them with those of a data set that has
     * shards already. That data set may have fewer samples; it keeps its release and date.
     * @param folder of the data set
     * @throws DcnError that names an option that differs
     */
    void WriteOrCompare(const std::string& folder) const;

    /**
     * @brief Refuse a shard of another data set.
     * @param path of the shard
     * @param text options recorded in the shard
     * @throws DcnError if the options differ; it names the engines if these do
     */
    void CheckShard(const std::string& path, const std::string& text) const;
};

/**
 * @ingroup dcn-dataset
 * @brief A shard of a complete data set: a row of `manifest.csv`, written after the last shard.
 */
struct DcnDatasetManifestRow
{
    uint64_t shard;       //!< its number
    std::string file;     //!< its file, without folder
    uint64_t firstSample; //!< number of its first sample
    uint64_t samples;     //!< number of its samples
    uint64_t firstSeed;   //!< seed of its first sample; the next ones follow
    uint64_t flows;       //!< flows of all its samples
    uint64_t bytes;       //!< size of the file
    std::string hash;     //!< of its bytes: DcnHashFile
};

/**
 * @ingroup dcn-dataset
 * @param folder of a data set
 * @return its manifest
 * @throws DcnError if there is none, or it is malformed
 */
std::vector<DcnDatasetManifestRow> DcnReadManifest(const std::string& folder);

/**
 * @ingroup dcn-dataset
 * @param folder of a data set
 * @param rows its manifest
 * @throws DcnError if it cannot be written
 */
void DcnWriteManifest(const std::string& folder, const std::vector<DcnDatasetManifestRow>& rows);

/**
 * @ingroup dcn-dataset
 * @param path a file
 * @return 16 hexadecimal digits: ns-3's 64-bit hash (Murmur3) of its bytes, in blocks of 1 MiB
 * @throws DcnError if it cannot be read
 */
std::string DcnHashFile(const std::string& path);

} // namespace ns3

#endif /* DCN_DATASET_MANIFEST_H */
