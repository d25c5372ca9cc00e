/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-npy.h"

#include "dcn-train-lines.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_HEADER = 4096;     //!< bytes of a header; NumPy's have some hundred
constexpr uint64_t MOST_NUMBERS = 1ULL << 32; //!< of an array

/// @return a number of a type from its bytes
template <typename T>
T
Load(const char* bytes)
{
    T number;
    std::memcpy(&number, bytes, sizeof(T));
    return number;
}

} // namespace

void
DcnNpy::Fail(const std::string& reason) const
{
    DcnFail(m_path, ": ", reason);
}

DcnNpy::DcnNpy(const std::string& path)
    : m_path(path)
{
    std::error_code error;
    std::ifstream file(path, std::ios::binary);
    const uint64_t size = std::filesystem::file_size(path, error);
    if (!file || error)
    {
        DcnFail(path,
                ": cannot be read",
                DcnDescribeFileError(path, error ? error.value() : errno));
    }
    char head[12] = {};
    file.read(head, 10);
    if (file.gcount() != 10 || std::memcmp(head, "\x93NUMPY", 6) != 0)
    {
        Fail("is no .npy file of NumPy: it does not begin with \\x93NUMPY");
    }
    const int version = head[6];
    if (version < 1 || version > 3)
    {
        Fail("has version " + std::to_string(version) + " of .npy, but 1 to 3 are read");
    }
    if (version > 1)
    {
        file.read(head + 10, 2);
    }
    const std::size_t nHead = version == 1 ? 10 : 12;
    const std::size_t nHeader = version == 1 ? Load<uint16_t>(head + 8) : Load<uint32_t>(head + 8);
    if (nHeader > MOST_HEADER || !file)
    {
        Fail("has a header of " + std::to_string(nHeader) + " bytes, but at most " +
             std::to_string(MOST_HEADER) + " are read");
    }
    std::string header(nHeader, ' ');
    file.read(header.data(), static_cast<std::streamsize>(nHeader));
    if (!file)
    {
        Fail("ends within its header");
    }
    ReadHeader(header);
    const uint64_t nBytes = static_cast<uint64_t>(m_nRows) * m_nColumns * m_bytes;
    const uint64_t expected = nHead + nHeader + nBytes;
    if (size != expected)
    {
        Fail("has " + std::to_string(size) + " bytes, but its header asks for " +
             std::to_string(expected) + ": copy it again");
    }
    m_data.resize(nBytes);
    file.read(m_data.data(), static_cast<std::streamsize>(nBytes));
    if (!file)
    {
        Fail("cannot be read to its end");
    }
}

void
DcnNpy::ReadHeader(const std::string& header)
{
    // {'descr': '<i8', 'fortran_order': False, 'shape': (300, 2), } and blanks
    static const std::regex grammar(
        R"(\{\s*'descr':\s*('[^']*'|\[[^\]]*\]),\s*'fortran_order':\s*(True|False),\s*)"
        R"('shape':\s*\(\s*(\d{0,10})\s*,?\s*(\d{0,10})\s*(,[\s\d,]*)?\),?\s*\}\s*)");
    std::smatch parts;
    if (!std::regex_match(header, parts, grammar))
    {
        Fail("has a header that is not NumPy's: " + DcnTrainLines::Quote(header.substr(0, 100)));
    }
    const std::string type = parts[1];
    static const std::regex number("'[<|=]([iuf])([1248])'");
    std::smatch kind;
    if (!std::regex_match(type, kind, number) || (kind[1] == "f" && type[3] < '4'))
    {
        Fail("has numbers of the type " + DcnTrainLines::Quote(type) +
             (type.find('O') != std::string::npos ? ", which are Python objects," : "") +
             " but integers (i1 to u8) and f4 and f8 are read, little-endian");
    }
    m_kind = kind[1].str()[0];
    m_bytes = static_cast<std::size_t>(kind[2].str()[0] - '0');
    m_isFortran = parts[2] == "True";
    if (parts[3].length() == 0 || parts[5].str().find_first_of("0123456789") != std::string::npos)
    {
        Fail("must have one or two dimensions");
    }
    m_nRows = std::stoull(parts[3]);
    m_nColumns = parts[4].length() == 0 ? 1 : std::stoull(parts[4]);
    // both have at most ten digits, so that the product fits
    if (static_cast<double>(m_nRows) * static_cast<double>(m_nColumns) > MOST_NUMBERS)
    {
        Fail("has " + parts[3].str() + " times " + std::to_string(m_nColumns) +
             " numbers, but at most " + std::to_string(MOST_NUMBERS) + " are read");
    }
}

std::size_t
DcnNpy::GetNRows() const
{
    return m_nRows;
}

std::size_t
DcnNpy::GetNColumns() const
{
    return m_nColumns;
}

int64_t
DcnNpy::GetWhole(std::size_t row,
                 std::size_t column,
                 const std::string& what,
                 int64_t least,
                 int64_t most) const
{
    const std::size_t position = m_isFortran ? column * m_nRows + row : row * m_nColumns + column;
    const char* bytes = &m_data[position * m_bytes];
    auto fail = [&](const std::string& value) {
        Fail("the " + what + " at position " + std::to_string(row) +
             " must be a whole number from " + std::to_string(least) + " to " +
             std::to_string(most) + ", but it is " + value);
    };
    if (m_kind == 'f')
    {
        const double value = m_bytes == 8 ? Load<double>(bytes) : Load<float>(bytes);
        // not a number, too
        if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) ||
            value != std::floor(value))
        {
            fail(DcnToText(value));
        }
        return static_cast<int64_t>(value);
    }
    uint64_t raw = 0;
    std::memcpy(&raw, bytes, m_bytes); // the bytes of a little-endian number
    const bool isNegative = m_kind == 'i' && (raw >> (8 * m_bytes - 1)) != 0;
    if (isNegative && m_bytes < 8)
    {
        raw |= ~0ULL << (8 * m_bytes);
    }
    const auto value = static_cast<int64_t>(raw);
    if (m_kind == 'u' && value < 0)
    {
        fail(std::to_string(raw));
    }
    if (value < least || value > most)
    {
        fail(std::to_string(value));
    }
    return value;
}

} // namespace ns3
