/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_BINARY_H
#define PARSIMON_BINARY_H

#include "ns3/dcn-error.h"

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Write a value as its bytes; files are readable on machines of the same type.
 * @tparam T type without pointers
 * @param stream output
 * @param value the value
 */
template <typename T>
void
ParsimonWriteValue(std::ostream& stream, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    stream.write(reinterpret_cast<const char*>(&value), sizeof(T));
}

/**
 * @ingroup parsimon
 * @brief Write the number of elements and their bytes.
 * @tparam T type without pointers
 * @param stream output
 * @param values the elements
 */
template <typename T>
void
ParsimonWriteVector(std::ostream& stream, const std::vector<T>& values)
{
    static_assert(std::is_trivially_copyable_v<T>);
    ParsimonWriteValue<uint64_t>(stream, values.size());
    stream.write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(values.size() * sizeof(T)));
}

/**
 * @ingroup parsimon
 * @brief Read a value written by ParsimonWriteValue.
 * @tparam T type without pointers
 * @param stream input
 * @param where prefix of the error sentence
 * @param value set to the value read
 * @throws DcnError if the stream ends too early
 */
template <typename T>
void
ParsimonReadValue(std::istream& stream, const std::string& where, T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (!stream.read(reinterpret_cast<char*>(&value), sizeof(T)))
    {
        DcnFail(where, "the file ends too early");
    }
}

/**
 * @ingroup parsimon
 * @brief Read a vector written by ParsimonWriteVector.
 * @tparam T type without pointers
 * @param stream input
 * @param where prefix of the error sentence
 * @param values set to the elements read
 * @throws DcnError if the stream ends too early
 */
template <typename T>
void
ParsimonReadVector(std::istream& stream, const std::string& where, std::vector<T>& values)
{
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr uint64_t BLOCK = 1 << 20; // a damaged length must not exhaust the memory
    uint64_t n = 0;
    ParsimonReadValue(stream, where, n);
    values.clear();
    for (uint64_t done = 0; done < n; done = values.size())
    {
        const uint64_t more = n - done < BLOCK ? n - done : BLOCK;
        values.resize(done + more);
        if (!stream.read(reinterpret_cast<char*>(values.data() + done),
                         static_cast<std::streamsize>(more * sizeof(T))))
        {
            DcnFail(where, "the file ends too early");
        }
    }
}

} // namespace ns3

#endif /* PARSIMON_BINARY_H */
