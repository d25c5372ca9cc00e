/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SHARED_COUNT_H
#define DCN_SHARED_COUNT_H

#include <atomic>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief The reference count of an immutable value that threads share through ns3::Ptr.
 *
 * It does for a class what ns3::SimpleRefCount does, with an atomic count: ns-3's own count may be
 * changed by one thread only. A copy of an object has a count of its own.
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

#endif /* DCN_SHARED_COUNT_H */
