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
 * @brief One transfer of a number of payload bytes from a host to another.
 */
struct DcnFlow
{
    uint64_t id;        //!< unique in a scenario; also the key of the ECMP hash
    uint32_t src;       //!< node index of the sending host
    uint32_t dst;       //!< node index of the receiving host
    uint64_t sizeBytes; //!< payload bytes, at least 1
    int64_t startNs;    //!< instant at which the application hands over the flow [ns], >= 0
};

/**
 * @ingroup dcn
 * @brief A flow's path: directed link indices from the source host to the destination host.
 *
 * A view into memory that the owner of the path keeps (DcnPathTable).
 */
struct DcnPath
{
    const uint32_t* first; //!< first link
    const uint32_t* last;  //!< one past the last link

    /** @return iterator to the first link. */
    const uint32_t* begin() const
    {
        return first;
    }

    /** @return iterator past the last link. */
    const uint32_t* end() const
    {
        return last;
    }

    /** @return the number of links (hops). */
    std::size_t size() const
    {
        return static_cast<std::size_t>(last - first);
    }

    /**
     * @param hop position from the source, 0-based
     * @return the directed link index at that position
     */
    uint32_t operator[](std::size_t hop) const
    {
        return first[hop];
    }
};

} // namespace ns3

#endif /* DCN_FLOW_H */
