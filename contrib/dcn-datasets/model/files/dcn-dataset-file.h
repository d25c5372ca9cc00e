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
 * @ingroup dcn-dataset
 * @brief An HDF5 file of texts and of columns that grow.
 *
 * DcnDatasetWriter and DcnDatasetShard define the columns. The bytes of a file depend only on the
 * values written and on the releases of HDF5 and zlib: no times are stored, and the format
 * version is fixed (HDF5 1.8). Columns are compressed (shuffle, gzip level 1).
 *
 * In builds without HDF5, Create and Open throw a DcnError.
 */
class DcnDatasetFile
{
  public:
    /** @return true if the module was built with HDF5. */
    static bool IsAvailable();

    /** @throws DcnError unless IsAvailable */
    static void CheckAvailable();

    /**
     * @brief Make a file; replaces a file of the same name.
     * @param path the file
     * @param columns its columns, empty at first
     * @throws DcnError if the file cannot be written
     */
    static std::unique_ptr<DcnDatasetFile> Create(const std::string& path,
                                                  const std::vector<DcnDatasetColumn>& columns);

    /**
     * @brief Open a file for reading.
     * @param path the file
     * @throws DcnError if the file does not exist or is not in the HDF5 format
     */
    static std::unique_ptr<DcnDatasetFile> Open(const std::string& path);

    virtual ~DcnDatasetFile() = default;

    /**
     * @brief Add rows to a column.
     * @param column a column that was given to Create
     * @param values the values of whole rows
     */
    virtual void Append(const DcnDatasetColumn& column, const DcnDatasetArray& values) = 0;

    /**
     * @param column a column
     * @return its number of rows; none if the file has no such column, or its type or width differs
     */
    virtual std::optional<uint64_t> GetRows(const DcnDatasetColumn& column) = 0;

    /**
     * @param column a column
     * @return true if the file has a column of that name
     */
    virtual bool HasColumn(const DcnDatasetColumn& column) = 0;

    /**
     * @param column a column of the file
     * @param first first row
     * @param n number of rows
     * @return their values
     * @throws DcnError if they cannot be read
     */
    virtual DcnDatasetArray Read(const DcnDatasetColumn& column, uint64_t first, uint64_t n) = 0;

    /**
     * @brief Write a text of the whole file (attribute of the root group).
     * @param name its name
     * @param text the text, at most 60,000 bytes
     */
    virtual void SetText(const std::string& name, const std::string& text) = 0;

    /**
     * @param name of a text
     * @return the text; none if the file has no text of that name
     */
    virtual std::optional<std::string> GetText(const std::string& name) const = 0;

    /**
     * @brief Write everything to the disk and close the file.
     * @throws DcnError if the file cannot be written, e.g. the disk is full
     */
    virtual void Close() = 0;
};

} // namespace ns3

#endif /* DCN_DATASET_FILE_H */
