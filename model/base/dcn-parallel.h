/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PARALLEL_H
#define DCN_PARALLEL_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup dcn
 * @param asked number of threads or processes that are asked for; 0: as many as there are cores
 * @return how many that is, at least 1
 */
uint32_t DcnCountThreads(uint32_t asked);

/**
 * @ingroup dcn
 * @brief Do independent pieces of work on several threads.
 *
 * Pieces are begun in order, by whichever thread is free. A piece writes to places of its own, so
 * that the result does not depend on the number of threads. It must not touch objects that are not
 * safe to share: the Simulator, reference counts of ns-3 objects that other pieces use, random
 * streams.
 *
 * @param n number of pieces
 * @param nThreads number of threads; 0: as many as the machine has cores
 * @param piece called once with each of 0 .. n - 1
 * @throws the exception of the first piece in order that failed; later pieces may not be done
 */
void DcnParallelFor(std::size_t n,
                    uint32_t nThreads,
                    const std::function<void(std::size_t)>& piece);

/**
 * @ingroup dcn
 * @brief The reference count of an immutable value that threads share through ns3::Ptr.
 *
 * Like ns3::SimpleRefCount, but the count is atomic: ns-3's own count may be changed by one thread
 * only. A copy of an object has a count of its own.
 *
 * @tparam T the class that derives from this one
 */
template <typename T>
class DcnSharedCount
{
  public:
    DcnSharedCount() = default;

    DcnSharedCount(const DcnSharedCount&)
    {
    }

    DcnSharedCount& operator=(const DcnSharedCount&)
    {
        return *this;
    }

    /// Adds a reference; for ns3::Ptr.
    void Ref() const
    {
        m_count.fetch_add(1, std::memory_order_relaxed);
    }

    /// Takes a reference away and deletes the object with the last one; for ns3::Ptr.
    void Unref() const
    {
        if (m_count.fetch_sub(1, std::memory_order_acq_rel) == 1)
        {
            delete static_cast<const T*>(this);
        }
    }

  protected:
    ~DcnSharedCount() = default;

  private:
    mutable std::atomic<uint32_t> m_count{1}; //!< references; the first is the maker's
};

} // namespace ns3

#endif /* DCN_PARALLEL_H */
