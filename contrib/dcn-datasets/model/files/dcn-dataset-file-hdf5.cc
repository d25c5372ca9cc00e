/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-file.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <cerrno>
#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

constexpr hsize_t CHUNK_BYTES = 65536;   //!< unit of compression and reading
constexpr hsize_t SMALL_CHUNK_ROWS = 64; //!< of columns with a row per sample
constexpr unsigned GZIP_LEVEL = 1;       //!< higher levels gain little and cost much

/// Closes an HDF5 object at the end of a block.
class Handle
{
  public:
    /**
     * @param id the object, below 0 if it could not be made
     * @param close what closes it
     */
    Handle(hid_t id, herr_t (*close)(hid_t))
        : m_id(id),
          m_close(close)
    {
    }

    Handle(Handle&& other) noexcept
        : m_id(std::exchange(other.m_id, -1)),
          m_close(other.m_close)
    {
    }

    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    ~Handle()
    {
        Close();
    }

    /** @return true if it is closed now and nothing went wrong. */
    bool Close()
    {
        const hid_t id = std::exchange(m_id, -1);
        return id >= 0 && m_close(id) >= 0;
    }

    /** @return its number for HDF5. */
    hid_t Get() const
    {
        return m_id;
    }

    /** @return true if it is there. */
    explicit operator bool() const
    {
        return m_id >= 0;
    }

  private:
    hid_t m_id;               //!< below 0: none
    herr_t (*m_close)(hid_t); //!< what closes it
};

/**
 * @param type of a column
 * @param inFile as stored (little-endian everywhere), or as in memory
 * @return HDF5's type
 */
hid_t
TypeOf(DcnDatasetColumn::Type type, bool inFile)
{
    switch (type)
    {
    case DcnDatasetColumn::UINT8:
        return inFile ? H5T_STD_U8LE : H5T_NATIVE_UINT8;
    case DcnDatasetColumn::UINT32:
        return inFile ? H5T_STD_U32LE : H5T_NATIVE_UINT32;
    case DcnDatasetColumn::UINT64:
        return inFile ? H5T_STD_U64LE : H5T_NATIVE_UINT64;
    case DcnDatasetColumn::INT64:
        return inFile ? H5T_STD_I64LE : H5T_NATIVE_INT64;
    case DcnDatasetColumn::FLOAT64:
        break;
    }
    return inFile ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE;
}

/**
 * @param column a column
 * @return rows that are compressed together
 */
hsize_t
ChunkRows(const DcnDatasetColumn& column)
{
    static const hsize_t BYTES[] = {1, 4, 8, 8, 8};
    return column.table == "samples" ? SMALL_CHUNK_ROWS
                                     : CHUNK_BYTES / (BYTES[column.type] * column.width);
}

/// @return an array of a type
template <std::size_t I = 0>
DcnDatasetArray
MakeArray(std::size_t type, std::size_t n)
{
    if constexpr (I + 1 < std::variant_size_v<DcnDatasetArray>)
    {
        if (type != I)
        {
            return MakeArray<I + 1>(type, n);
        }
    }
    return std::variant_alternative_t<I, DcnDatasetArray>(n);
}

/// An open HDF5 file and its columns.
class Hdf5File final : public DcnDatasetFile
{
  public:
    /**
     * @param path of the file
     * @param isWriting it is being made
     * @param file the open file
     */
    Hdf5File(const std::string& path, bool isWriting, Handle file)
        : m_path(path),
          m_isWriting(isWriting),
          m_file(std::move(file))
    {
    }

    void Append(const DcnDatasetColumn& column, const DcnDatasetArray& values) override;
    std::optional<uint64_t> GetRows(const DcnDatasetColumn& column) override;
    bool HasColumn(const DcnDatasetColumn& column) override;
    DcnDatasetArray Read(const DcnDatasetColumn& column, uint64_t first, uint64_t n) override;
    void SetText(const std::string& name, const std::string& text) override;
    std::optional<std::string> GetText(const std::string& name) const override;
    void Close() override;

    /// Throws a DcnError if an operation has failed.
    void Check(bool good) const
    {
        if (!good)
        {
            DcnFail(m_path,
                    m_isWriting ? ": the file cannot be written" : ": the file cannot be read",
                    DcnDescribeFileError(m_path, m_isWriting ? errno : 0));
        }
    }

    /**
     * @param column a column
     * @return HDF5's data set, not there if the file has none
     */
    const Handle& Find(const DcnDatasetColumn& column)
    {
        const std::string name = column.GetPath();
        auto found = m_sets.find(name);
        if (found == m_sets.end())
        {
            const bool there = H5Lexists(m_file.Get(), column.table.c_str(), H5P_DEFAULT) > 0 &&
                               H5Lexists(m_file.Get(), name.c_str(), H5P_DEFAULT) > 0;
            Handle set(there ? H5Dopen2(m_file.Get(), name.c_str(), H5P_DEFAULT) : -1, H5Dclose);
            found = m_sets.emplace(name, std::move(set)).first;
        }
        return found->second;
    }

    /**
     * @param set a data set
     * @return its extent in rows and values per row, none if it has other dimensions
     */
    static std::optional<std::pair<hsize_t, hsize_t>> Extent(const Handle& set)
    {
        Handle space(H5Dget_space(set.Get()), H5Sclose);
        hsize_t extent[2] = {0, 1};
        const int rank = H5Sget_simple_extent_ndims(space.Get());
        if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space.Get(), extent, nullptr) < 0)
        {
            return std::nullopt;
        }
        return std::make_pair(extent[0], extent[1]);
    }

    /// Makes an empty column.
    void Make(const DcnDatasetColumn& column)
    {
        if (m_groups.find(column.table) == m_groups.end())
        {
            Handle plist(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
            H5Pset_obj_track_times(plist.Get(), false);
            Handle group(H5Gcreate2(m_file.Get(),
                                    column.table.c_str(),
                                    H5P_DEFAULT,
                                    plist.Get(),
                                    H5P_DEFAULT),
                         H5Gclose);
            Check(static_cast<bool>(group));
            m_groups.emplace(column.table, std::move(group));
        }
        const int rank = column.width == 1 ? 1 : 2;
        const hsize_t extent[2] = {0, column.width};
        const hsize_t most[2] = {H5S_UNLIMITED, column.width};
        const hsize_t chunk[2] = {ChunkRows(column), column.width};
        Handle space(H5Screate_simple(rank, extent, most), H5Sclose);
        Handle plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_obj_track_times(plist.Get(), false);
        H5Pset_chunk(plist.Get(), rank, chunk);
        H5Pset_shuffle(plist.Get());
        H5Pset_deflate(plist.Get(), GZIP_LEVEL);
        Handle set(H5Dcreate2(m_groups.at(column.table).Get(),
                              column.name.c_str(),
                              TypeOf(column.type, true),
                              space.Get(),
                              H5P_DEFAULT,
                              plist.Get(),
                              H5P_DEFAULT),
                   H5Dclose);
        Check(static_cast<bool>(set));
        m_sets.emplace(column.GetPath(), std::move(set));
    }

    /// Transfers rows between a data set and memory.
    void Transfer(const DcnDatasetColumn& column,
                  hsize_t first,
                  hsize_t n,
                  void* values,
                  bool write)
    {
        const hsize_t start[2] = {first, 0};
        const hsize_t count[2] = {n, column.width};
        const int rank = column.width == 1 ? 1 : 2;
        const hid_t set = Find(column).Get();
        Handle space(H5Dget_space(set), H5Sclose);
        Handle memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
        Check(H5Sselect_hyperslab(space.Get(), H5S_SELECT_SET, start, nullptr, count, nullptr) >=
              0);
        const hid_t type = TypeOf(column.type, false);
        Check((write ? H5Dwrite(set, type, memory.Get(), space.Get(), H5P_DEFAULT, values)
                     : H5Dread(set, type, memory.Get(), space.Get(), H5P_DEFAULT, values)) >= 0);
    }

  private:
    std::string m_path;                     //!< the file
    bool m_isWriting;                       //!< it is being made
    Handle m_file;                          //!< the open file
    std::map<std::string, Handle> m_groups; //!< made so far
    std::map<std::string, Handle> m_sets;   //!< columns that were made or looked up, by path
};

void
Hdf5File::Append(const DcnDatasetColumn& column, const DcnDatasetArray& values)
{
    NS_ASSERT_MSG(values.index() == column.type, "values of another type");
    std::visit(
        [&](const auto& array) {
            NS_ASSERT_MSG(array.size() % column.width == 0, "no whole rows");
            const hsize_t n = array.size() / column.width;
            if (n == 0)
            {
                return;
            }
            const Handle& set = Find(column);
            const hsize_t first = Extent(set)->first;
            const hsize_t extent[2] = {first + n, column.width};
            Check(H5Dset_extent(set.Get(), extent) >= 0);
            Transfer(column,
                     first,
                     n,
                     const_cast<void*>(static_cast<const void*>(array.data())),
                     true);
        },
        values);
}

bool
Hdf5File::HasColumn(const DcnDatasetColumn& column)
{
    return static_cast<bool>(Find(column));
}

std::optional<uint64_t>
Hdf5File::GetRows(const DcnDatasetColumn& column)
{
    const Handle& set = Find(column);
    if (!set)
    {
        return std::nullopt;
    }
    Handle type(H5Dget_type(set.Get()), H5Tclose);
    const auto extent = Extent(set);
    if (!extent || extent->second != column.width ||
        H5Tequal(type.Get(), TypeOf(column.type, true)) <= 0)
    {
        return std::nullopt;
    }
    // before memory is taken: no compression makes a value smaller than one in 1,032 of its bytes
    static constexpr hsize_t MOST_RATIO = 1100;
    hsize_t bytes = 0;
    if (H5Fget_filesize(m_file.Get(), &bytes) < 0 || extent->first > MOST_RATIO * bytes)
    {
        DcnFail(m_path,
                ": ",
                column.GetPath(),
                " says that it has ",
                extent->first,
                " rows, which a file of ",
                bytes,
                " bytes cannot hold");
    }
    return extent->first;
}

DcnDatasetArray
Hdf5File::Read(const DcnDatasetColumn& column, uint64_t first, uint64_t n)
{
    DcnDatasetArray values = MakeArray(column.type, n * column.width);
    if (n > 0)
    {
        std::visit([&](auto& array) { Transfer(column, first, n, array.data(), false); }, values);
    }
    return values;
}

void
Hdf5File::SetText(const std::string& name, const std::string& text)
{
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.Get(), text.size() + 1);
    Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    Handle attribute(
        H5Acreate2(m_file.Get(), name.c_str(), type.Get(), space.Get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    Check(attribute && H5Awrite(attribute.Get(), type.Get(), text.c_str()) >= 0);
}

std::optional<std::string>
Hdf5File::GetText(const std::string& name) const
{
    if (H5Aexists(m_file.Get(), name.c_str()) <= 0)
    {
        return std::nullopt;
    }
    Handle attribute(H5Aopen(m_file.Get(), name.c_str(), H5P_DEFAULT), H5Aclose);
    Handle type(H5Aget_type(attribute.Get()), H5Tclose);
    if (H5Tget_class(type.Get()) != H5T_STRING || H5Tis_variable_str(type.Get()) > 0)
    {
        return std::nullopt;
    }
    // HDF5 1.8 keeps an attribute in 64 KB; a damaged number may be any
    static constexpr std::size_t MOST_BYTES = 65536;
    if (H5Tget_size(type.Get()) > MOST_BYTES)
    {
        return std::nullopt;
    }
    std::string text(H5Tget_size(type.Get()), '\0');
    Check(H5Aread(attribute.Get(), type.Get(), text.data()) >= 0);
    text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
    return text;
}

void
Hdf5File::Close()
{
    bool good = true;
    for (auto& [name, set] : m_sets)
    {
        good = set.Close() && good;
    }
    for (auto& [name, group] : m_groups)
    {
        good = group.Close() && good;
    }
    good = m_file.Close() && good;
    if (m_isWriting)
    {
        // on the disk before it gets its name
        const int descriptor = open(m_path.c_str(), O_RDONLY);
        good = descriptor >= 0 && fsync(descriptor) == 0 && good;
        close(descriptor);
    }
    Check(good);
}

} // namespace

bool
DcnDatasetFile::IsAvailable()
{
    return true;
}

void
DcnDatasetFile::CheckAvailable()
{
}

std::unique_ptr<DcnDatasetFile>
DcnDatasetFile::Create(const std::string& path, const std::vector<DcnDatasetColumn>& columns)
{
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // errors become sentences
    Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.Get(), false);
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.Get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
    Handle handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.Get(), access.Get()), H5Fclose);
    const bool isOpen = static_cast<bool>(handle);
    auto file = std::make_unique<Hdf5File>(path, true, std::move(handle));
    file->Check(isOpen);
    for (const DcnDatasetColumn& column : columns)
    {
        file->Make(column);
    }
    return file;
}

std::unique_ptr<DcnDatasetFile>
DcnDatasetFile::Open(const std::string& path)
{
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    if (access(path.c_str(), R_OK) != 0)
    {
        DcnFail(path, ": the file cannot be read", DcnDescribeFileError(path, errno));
    }
    Handle handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!handle)
    {
        DcnFail(path, ": the file is not in the format HDF5, or not complete: remove it, and make the "
                      "missing shards by the command of dataset.csv");
    }
    return std::make_unique<Hdf5File>(path, false, std::move(handle));
}

} // namespace ns3
