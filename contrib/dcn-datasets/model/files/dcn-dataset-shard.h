/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_SHARD_H
#define DCN_DATASET_SHARD_H

#include "dcn-dataset-file.h"
#include "dcn-dataset-sample.h"
#include "dcn-dataset-schema.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Reads the samples of one file that DcnDatasetWriter wrote.
 *
 * The file is checked when it is opened: format and version, every column with its type and its
 * number of rows, offsets that rise from 0 to the number of rows they point into. The values of a
 * sample are checked when it is read: they must make a scenario.
 */
class DcnDatasetShard
{
  public:
    /**
     * @param path the file
     * @throws DcnError that names the file and the defect
     */
    explicit DcnDatasetShard(const std::string& path);

    /** @return path or fabric. */
    const std::string& GetKind() const;

    /** @return the options of the samples, as given to the writer. */
    const std::string& GetOptions() const;

    /** @return number of samples. */
    uint64_t GetN() const;

    /** @return number of the first sample in its data set, 0 if there is none. */
    uint64_t GetFirst();

    /** @return flows of all samples. */
    uint64_t GetNFlows() const;

    /**
     * @param position of the sample in the file, below GetN
     * @return the sample
     * @throws DcnError that names the file, the sample and the defect
     */
    DcnDatasetSample Read(uint64_t position);

  private:
    std::string ReadText(const std::string& name) const;
    std::vector<std::string> ReadNames(const std::string& name) const;
    void CheckColumns();
    void ReadOffsets(const DcnDatasetColumn& column);

    std::string m_path;                                     //!< the file
    std::unique_ptr<DcnDatasetFile> m_file;                 //!< open
    std::unique_ptr<DcnDatasetSchema> m_schema;             //!< expected columns
    std::string m_options;                                  //!< see GetOptions
    std::map<std::string, uint64_t> m_rows;                 //!< by table
    std::map<std::string, std::vector<uint64_t>> m_offsets; //!< by path of a column
};

} // namespace ns3

#endif /* DCN_DATASET_SHARD_H */
