/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_WRITER_H
#define DCN_DATASET_WRITER_H

#include "dcn-dataset-file.h"
#include "dcn-dataset-sample.h"
#include "dcn-dataset-schema.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Writes samples into one file, a shard of a data set.
 *
 * The file gets its name in Commit; without Commit, no file remains. The same samples give the
 * same bytes. samples/network has values of the keys of transports with connections only if a
 * sample sets one of them.
 */
class DcnDatasetWriter
{
  public:
    /**
     * @param path the shard; its folder must exist
     * @param kind path or fabric
     * @param options options of the samples, stored in the file
     * @throws DcnError if the file cannot be written, or the module was built without HDF5
     */
    DcnDatasetWriter(const std::string& path, const std::string& kind, const std::string& options);
    ~DcnDatasetWriter();
    DcnDatasetWriter(const DcnDatasetWriter&) = delete;
    DcnDatasetWriter& operator=(const DcnDatasetWriter&) = delete;

    /**
     * @brief Add a sample.
     * @param sample with results
     * @throws DcnError if the file cannot be written, or a key has no place in it
     */
    void Add(const DcnDatasetSample& sample);

    /**
     * @brief Close the file and give it its name.
     * @throws DcnError if the file cannot be written
     */
    void Commit();

  private:
    /// Makes the file, without samples.
    void Create();
    /// Replaces the file by one with a value for every key, and copies the samples into it.
    void Widen();
    /// Removes the files that have no final name.
    void Remove() const;

    std::string m_path;                         //!< final name
    std::string m_temporary;                    //!< name while it is being written
    std::string m_narrow;                       //!< name of the file that is being copied
    std::string m_options;                      //!< see the constructor
    DcnDatasetSchema m_schema;                  //!< columns of the file
    std::unique_ptr<DcnDatasetFile> m_file;     //!< the open file
    std::map<std::string, uint64_t> m_nextRows; //!< by path of a column of offsets: the latest
};

} // namespace ns3

#endif /* DCN_DATASET_WRITER_H */
