/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_INDEX_SPAN_H
#define DCN_INDEX_SPAN_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Indices of flows, links or nodes that lie one after the other: a view, like std::span of
 * C++20.
 *
 * The memory [first, last) belongs to somebody else, who says how long it stays and what the order
 * is.
 */
struct DcnIndexSpan
{
    const uint32_t* first; //!< first index
    const uint32_t* last;  //!< one past the last index

    /** @return iterator to the first index. */
    const uint32_t* begin() const
    {
        return first;
    }

    /** @return iterator past the last index. */
    const uint32_t* end() const
    {
        return last;
    }

    /** @return the number of indices. */
    std::size_t size() const
    {
        return static_cast<std::size_t>(last - first);
    }

    /**
     * @param i position, below size()
     * @return the index there
     */
    uint32_t operator[](std::size_t i) const
    {
        return first[i];
    }
};

} // namespace ns3

#endif /* DCN_INDEX_SPAN_H */
