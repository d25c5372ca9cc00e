/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_H
#define DCN_FLOW_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Consecutive indices of flows, links or nodes: a view, like std::span of
 * C++20.
 *
 * The memory [first, last) belongs to the object that returned the span, which documents its
 * lifetime and order.
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
     * @return the index at that position
     */
    uint32_t operator[](std::size_t i) const
    {
        return first[i];
    }
};

/**
 * @ingroup dcn
 * @brief A transfer of payload bytes from one host to another.
 */
struct DcnFlow
{
    uint64_t id;        //!< unique in a scenario; also the key of the ECMP hash
    uint32_t src;       //!< node index of the sending host
    uint32_t dst;       //!< node index of the receiving host
    uint64_t sizeBytes; //!< payload bytes, at least 1
    int64_t startNs;    //!< time at which the application starts the flow [ns], >= 0
};

/**
 * @ingroup dcn
 * @brief A flow's path: directed link indices from the source host to the destination host, one per
 * hop.
 *
 * A view into memory of the path's owner (DcnPathTable).
 */
using DcnPath = DcnIndexSpan;

} // namespace ns3

#endif /* DCN_FLOW_H */
