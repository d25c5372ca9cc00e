/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_FILE_H
#define DCN_DATASET_FILE_H

#include "dcn-dataset-schema.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief An HDF5 file of columns that grow, and texts.
 *
 * Knows nothing of samples: DcnDatasetWriter and DcnDatasetShard give the columns their meaning.
 * The bytes of a file depend on what is written and the HDF5 and zlib releases alone: no times are
 * kept, and the format version is fixed (HDF5 1.8). Columns are compressed (shuffle, gzip level 1).
 *
 * Built without HDF5, both functions that make a file throw a DcnError that says so.
 */
class DcnDatasetFile
{
  public:
    /** @return true if the module was built with HDF5. */
    static bool IsAvailable();

    /** @throws DcnError unless IsAvailable */
    static void CheckAvailable();

    /**
     * @brief Make a file, in place of one of the same name.
     * @param path the file
     * @param columns what it will hold; all are empty
     * @throws DcnError if it cannot be written
     */
    static std::unique_ptr<DcnDatasetFile> Create(const std::string& path,
                                                  const std::vector<DcnDatasetColumn>& columns);

    /**
     * @brief Open a file to read.
     * @param path the file
     * @throws DcnError if it is not there or no HDF5 file
     */
    static std::unique_ptr<DcnDatasetFile> Open(const std::string& path);

    ~DcnDatasetFile();
    DcnDatasetFile(const DcnDatasetFile&) = delete;
    DcnDatasetFile& operator=(const DcnDatasetFile&) = delete;

    /**
     * @brief Add rows to a column.
     * @param column one of those that the file was made with
     * @param values as many as fill whole rows
     */
    void Append(const DcnDatasetColumn& column, const DcnDatasetArray& values);

    /**
     * @param column a column
     * @return its rows, none if the file has no such column, or one of another type or width
     */
    std::optional<uint64_t> GetRows(const DcnDatasetColumn& column);

    /**
     * @param column a column
     * @return false if there is nothing at its place in the file
     */
    bool HasColumn(const DcnDatasetColumn& column);

    /**
     * @param column a column that is there
     * @param first first row
     * @param n number of rows
     * @return their values
     * @throws DcnError if they cannot be read
     */
    DcnDatasetArray Read(const DcnDatasetColumn& column, uint64_t first, uint64_t n);

    /**
     * @brief Write a text of the whole file (attribute of the root group).
     * @param name its name
     * @param text the text, at most 60,000 bytes
     */
    void SetText(const std::string& name, const std::string& text);

    /**
     * @param name of a text
     * @return the text, none if it is not there
     */
    std::optional<std::string> GetText(const std::string& name) const;

    /**
     * @brief Write everything to the disk and close the file.
     * @throws DcnError if that is not possible (disk full)
     */
    void Close();

  private:
    struct Impl; //!< what HDF5 needs
    explicit DcnDatasetFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl; //!< null when closed
};

} // namespace ns3

#endif /* DCN_DATASET_FILE_H */
