/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_LARGE_PAGES_H
#define DCN_LARGE_PAGES_H

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

namespace ns3
{

/// @ingroup dcn
/// @brief Bytes of a large page of x86-64, and of arm64 with small pages of 4 KiB.
constexpr std::size_t DCN_LARGE_PAGE = std::size_t{2} << 20;

/**
 * @ingroup dcn
 * @brief Takes memory, from half a large page on in large pages; see DcnLargePages.
 * @param bytes size of the block
 * @param alignment of its address, a power of two
 * @return the block; std::bad_alloc if there is no memory
 */
void* DcnTakeBlock(std::size_t bytes, std::size_t alignment);

/**
 * @ingroup dcn
 * @brief Gives memory of DcnTakeBlock back.
 * @param block the block
 * @param bytes its size
 * @param alignment its alignment
 */
void DcnGiveBlock(void* block, std::size_t bytes, std::size_t alignment) noexcept;

/**
 * @ingroup dcn
 * @brief Allocator for arrays that are read in no order: large ones are in large pages.
 *
 * **Problem.** The processor finds the memory behind an address in page tables. It remembers the
 * last pages, about 2,000 (the TLB). With pages of 4 KiB, these hold 8 MB: an array beyond this
 * size, read here and there, costs a walk through the page tables for nearly every element, in a
 * virtual machine through those of both machines. With pages of 2 MiB, the TLB holds gigabytes.
 *
 * Blocks of at least DCN_LARGE_PAGE / 2 bytes begin and end at multiples of DCN_LARGE_PAGE, and the
 * kernel is asked for large pages (madvise, MADV_HUGEPAGE; in Linux, if
 * /sys/kernel/mm/transparent_hugepage/enabled says madvise or always). Where it has none, they are
 * ordinary memory. Smaller blocks are those of operator new. Results are the same everywhere.
 *
 * The kernel clears a large page at its first use. An array that is written and read once, from
 * beginning to end, gains nothing, and many small objects would waste most of their pages.
 *
 * @tparam T type of the elements
 */
template <typename T>
class DcnLargePages
{
  public:
    using value_type = T; //!< for containers

    DcnLargePages() = default;

    /// Converts the allocator of another type; for containers.
    template <typename U>
    DcnLargePages(const DcnLargePages<U>&)
    {
    }

    /**
     * @param n number of elements
     * @return memory for them
     */
    T* allocate(std::size_t n)
    {
        if (n > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T))
        {
            throw std::bad_alloc();
        }
        return static_cast<T*>(DcnTakeBlock(n * sizeof(T), alignof(T)));
    }

    /**
     * @param elements memory of allocate
     * @param n number of elements for which it was taken
     */
    void deallocate(T* elements, std::size_t n) noexcept
    {
        DcnGiveBlock(elements, n * sizeof(T), alignof(T));
    }

    /// All of these allocators are equal: one frees what another one has taken.
    template <typename U>
    bool operator==(const DcnLargePages<U>&) const
    {
        return true;
    }

    /// The opposite of operator==.
    template <typename U>
    bool operator!=(const DcnLargePages<U>&) const
    {
        return false;
    }
};

/// @ingroup dcn
/// @brief A vector in large pages, if it is large.
template <typename T>
using DcnLargeVector = std::vector<T, DcnLargePages<T>>;

} // namespace ns3

#endif /* DCN_LARGE_PAGES_H */
