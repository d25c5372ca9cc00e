/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_SCHEMA_H
#define DCN_DATASET_SCHEMA_H

#include "dcn-dataset-sample.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{

/// @ingroup dcn-dataset
/// @brief Values of a column. The order of the types is that of DcnDatasetColumn::Type.
using DcnDatasetArray = std::variant<std::vector<uint8_t>,
                                     std::vector<uint32_t>,
                                     std::vector<uint64_t>,
                                     std::vector<int64_t>,
                                     std::vector<double>>;

/**
 * @ingroup dcn-dataset
 * @brief One array of a file.
 *
 * All columns of a table have one row per entry of the table. A column of offsets belongs to one
 * table and points into another: entry i owns the rows [offset i, offset i + 1) of the other
 * table. Such a column has one row more than its table.
 */
struct DcnDatasetColumn
{
    /// Type of its values; the order is that of DcnDatasetArray.
    enum Type
    {
        UINT8,
        UINT32,
        UINT64,
        INT64,
        FLOAT64
    };

    std::string table; //!< samples, nodes, links, flows, hops, path, events or active
    std::string name;  //!< of the column in its table
    Type type;         //!< of its values
    std::size_t width; //!< values in a row
    std::string owned; //!< columns of offsets: the table that they point into; else empty

    /** @return table/name, its place in a file. */
    std::string GetPath() const;

    /** @return e.g. "uint32" or "float64 x 37". */
    std::string GetTypeName() const;
};

/**
 * @ingroup dcn-dataset
 * @brief The columns of a data set's files, and the conversion of a sample to rows and back.
 *
 * doc/schema.rst explains each column.
 */
class DcnDatasetSchema
{
  public:
    static constexpr uint64_t VERSION = 1; //!< incompatible changes increase it

    /// Rows of every column by path. Columns of offsets hold numbers of rows, one for each entry.
    using Rows = std::map<std::string, DcnDatasetArray>;

    /**
     * @param kind path or fabric
     * @param networkNames names of the values in samples/network; empty: cc and the keys that
     * every configuration writes
     */
    explicit DcnDatasetSchema(const std::string& kind, std::vector<std::string> networkNames = {});

    /** @return path or fabric. */
    const std::string& GetKind() const
    {
        return m_kind;
    }

    /** @return the columns; a table that owns rows of another precedes it. */
    const std::vector<DcnDatasetColumn>& GetColumns() const
    {
        return m_columns;
    }

    /** @return names of the values in samples/network: cc, and keys of network.csv. */
    const std::vector<std::string>& GetNetworkNames() const
    {
        return m_networkNames;
    }

    /**
     * @param network a configuration
     * @return true if samples/network has a name for each of its keys
     */
    bool Covers(const DcnNetworkConfig& network) const;

    /** @return names of the values in samples/network with all keys, rare ones last. */
    static std::vector<std::string> ListAllNetworkNames();

    /** @return names of the values in samples/draw. */
    const std::vector<std::string>& GetDrawNames() const
    {
        return m_drawNames;
    }

    /**
     * @param sample with results
     * @return its rows
     */
    Rows Pack(const DcnDatasetSample& sample) const;

    /**
     * @param rows of one sample
     * @return the sample
     * @throws DcnError if the values do not make a scenario
     */
    DcnDatasetSample Unpack(const Rows& rows) const;

  private:
    std::vector<double> PackNetwork(const DcnNetworkConfig& network) const;
    /// Returns arrays of the right types without values.
    Rows MakeEmptyRows() const;
    Ptr<const DcnScenario> UnpackScenario(const Rows& rows) const;
    /// Reads flows and their paths, which must be paths of the topology.
    void UnpackFlows(const Rows& rows,
                     const DcnTopology& topology,
                     std::vector<DcnFlow>& flows,
                     DcnPathTable& paths) const;

    std::string m_kind;                      //!< path or fabric
    std::vector<std::string> m_networkNames; //!< see GetNetworkNames
    std::vector<std::string> m_drawNames;    //!< see GetDrawNames
    std::vector<DcnDatasetColumn> m_columns; //!< see GetColumns
};

} // namespace ns3

#endif /* DCN_DATASET_SCHEMA_H */
