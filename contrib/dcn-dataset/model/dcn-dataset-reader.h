/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_READER_H
#define DCN_DATASET_READER_H

#include "dcn-dataset-manifest.h"
#include "dcn-dataset-shard.h"

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Random access to the samples of a complete data set.
 *
 * A few shards are kept open; reading sample after sample is fastest.
 */
class DcnDatasetReader
{
  public:
    /**
     * @param folder of the data set
     * @throws DcnError if it is not complete, or its files do not fit each other
     */
    explicit DcnDatasetReader(const std::string& folder);

    /** @return the folder, as given. */
    const std::string& GetFolder() const;

    /** @return path or fabric. */
    const std::string& GetKind() const;

    /** @return what the data set was made with. */
    const DcnDatasetOptions& GetOptions() const;

    /** @return its shards. */
    const std::vector<DcnDatasetManifestRow>& GetManifest() const;

    /** @return number of samples. */
    uint64_t GetN() const;

    /**
     * @param index number of a sample, below GetN
     * @return the sample
     * @throws DcnError that names the file and what is wrong with it
     */
    DcnDatasetSample Read(uint64_t index);

    /**
     * @brief Read every byte and every sample.
     * @throws DcnError at the first file that is not what the manifest says, or bad sample
     */
    void Verify();

  private:
    static constexpr std::size_t MAX_OPEN = 16; //!< shards open at a time

    DcnDatasetShard& GetShard(const DcnDatasetManifestRow& row);

    std::string m_folder;                          //!< of the data set
    DcnDatasetOptions m_options;                   //!< see GetOptions
    std::string m_kind;                            //!< see GetKind
    std::vector<DcnDatasetManifestRow> m_manifest; //!< see GetManifest
    /// Open shards with their numbers, the latest used first.
    std::list<std::pair<uint64_t, std::unique_ptr<DcnDatasetShard>>> m_open;
};

} // namespace ns3

#endif /* DCN_DATASET_READER_H */
