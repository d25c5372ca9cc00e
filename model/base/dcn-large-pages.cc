/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-large-pages.h"

#include <algorithm>
#include <sys/mman.h>

namespace ns3
{

namespace
{

/**
 * @param bytes size of a block
 * @return whether it is in large pages
 */
bool
IsLarge(std::size_t bytes)
{
    return bytes >= DCN_LARGE_PAGE / 2;
}

/**
 * @param alignment that a block must have
 * @return the alignment that operator new gets for a large block
 */
std::align_val_t
AlignLarge(std::size_t alignment)
{
    return std::align_val_t{std::max(alignment, DCN_LARGE_PAGE)};
}

} // namespace

void*
DcnTakeBlock(std::size_t bytes, std::size_t alignment)
{
    if (!IsLarge(bytes))
    {
        return ::operator new(bytes, std::align_val_t{alignment});
    }
    // whole pages: those in which only a part is used would be small ones
    const std::size_t whole = (bytes + DCN_LARGE_PAGE - 1) / DCN_LARGE_PAGE * DCN_LARGE_PAGE;
    void* block = ::operator new(whole, AlignLarge(alignment));
#ifdef MADV_HUGEPAGE
    madvise(block, whole, MADV_HUGEPAGE); // advice: a refusal changes nothing
#endif
    return block;
}

void
DcnGiveBlock(void* block, std::size_t bytes, std::size_t alignment) noexcept
{
    ::operator delete(block,
                      IsLarge(bytes) ? AlignLarge(alignment) : std::align_val_t{alignment});
}

} // namespace ns3
