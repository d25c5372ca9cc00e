/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_READER_H
#define DCN_DATASET_READER_H

#include "dcn-dataset-sample.h"

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DcnDatasetShard;
struct DcnDatasetManifestRow;
struct DcnDatasetOptions;

/**
 * @ingroup dcn-dataset
 * @brief Random access to the samples of a complete data set.
 *
 * The reader keeps up to 16 shards open; reading samples in order is fastest.
 */
class DcnDatasetReader
{
  public:
    /** @return true if the module was built with HDF5. */
    static bool IsAvailable();

    /**
     * @param folder of the data set
     * @throws DcnError if it is not complete, its files contradict each other, or the module was
     * built without HDF5
     */
    explicit DcnDatasetReader(const std::string& folder);
    ~DcnDatasetReader();
    DcnDatasetReader(const DcnDatasetReader&) = delete;
    DcnDatasetReader& operator=(const DcnDatasetReader&) = delete;

    /** @return the folder, as given. */
    const std::string& GetFolder() const
    {
        return m_folder;
    }

    /** @return path or fabric. */
    const std::string& GetKind() const
    {
        return m_kind;
    }

    /** @return the options that the data set was made with (dataset.csv). */
    const DcnDatasetOptions& GetOptions() const;

    /** @return its shards (manifest.csv). */
    const std::vector<DcnDatasetManifestRow>& GetManifest() const;

    /** @return the files of the folder that the manifest does not name, to be printed; or empty. */
    std::string DescribeUnused() const;

    /** @return number of samples. */
    uint64_t GetN() const;

    /** @return number of shards. */
    uint64_t GetNShards() const;

    /**
     * @param index number of a sample, below GetN
     * @return the sample
     * @throws DcnError that names the file and the defect
     */
    DcnDatasetSample Read(uint64_t index);

    /**
     * @brief Read every sample. Read has the same checks: who trains on a data set takes nothing
     * that is refused here.
     * @throws DcnError at the first bad sample or file that differs from the manifest
     */
    void Verify();

  private:
    static constexpr std::size_t MAX_OPEN = 16; //!< shards open at a time

    /**
     * @brief Open a shard; when it is first opened, its bytes are compared with the manifest.
     * @param row of the manifest
     * @return the shard
     * @throws DcnError if it is not what the manifest says
     */
    DcnDatasetShard& GetShard(const DcnDatasetManifestRow& row);

    /**
     * @param row of the manifest
     * @throws DcnError if the file has another length or hash
     */
    void CheckBytes(const DcnDatasetManifestRow& row) const;

    std::string m_folder;                          //!< of the data set
    std::unique_ptr<DcnDatasetOptions> m_options;  //!< see GetOptions
    std::string m_kind;                            //!< see GetKind
    std::vector<DcnDatasetManifestRow> m_manifest; //!< see GetManifest
    std::vector<bool> m_isChecked;                 //!< by row: see CheckBytes
    /// Open shards with their numbers, the latest used first.
    std::list<std::pair<uint64_t, std::unique_ptr<DcnDatasetShard>>> m_open;
};

} // namespace ns3

#endif /* DCN_DATASET_READER_H */
