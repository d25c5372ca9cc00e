/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_SHORT_LIST_H
#define FLOWSIM_SHORT_LIST_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief The part of std::vector that the solver and the event loop need, for lists that are short
 * nearly always: the first elements are inside the object.
 *
 * Most paths in a large network carry one flow, most bottlenecks one path, most links a path or
 * two. With std::vector each of these lists is a block of its own somewhere in memory, and to find
 * it is one more cache miss. The object is as large as a std::vector when the elements inside take
 * 16 bytes.
 *
 * @tparam T type of the elements, trivially copyable
 * @tparam N number of elements inside the object
 */
template <typename T, uint32_t N>
class FlowsimShortList
{
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    static_assert(N * sizeof(T) >= sizeof(T*) && alignof(T) <= alignof(double));

  public:
    FlowsimShortList() = default;
    FlowsimShortList(const FlowsimShortList&) = delete;
    FlowsimShortList& operator=(const FlowsimShortList&) = delete;

    /**
     * @brief Takes the elements of another list.
     * @param other the list, empty afterwards
     */
    FlowsimShortList(FlowsimShortList&& other) noexcept
        : m_size(other.m_size),
          m_capacity(other.m_capacity)
    {
        std::memcpy(m_inside, other.m_inside, sizeof(m_inside));
        other.m_size = 0;
        other.m_capacity = N;
    }

    /**
     * @brief Takes the elements of another list.
     * @param other the list, which gets the elements of this one
     * @return this list
     */
    FlowsimShortList& operator=(FlowsimShortList&& other) noexcept
    {
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
        std::swap(m_inside, other.m_inside);
        return *this;
    }

    ~FlowsimShortList()
    {
        if (m_capacity > N)
        {
            std::free(GetBlock());
        }
    }

    /// @name As in std::vector
    /// @{
    T* data()
    {
        return m_capacity > N ? GetBlock() : reinterpret_cast<T*>(m_inside);
    }

    const T* data() const
    {
        return m_capacity > N ? GetBlock() : reinterpret_cast<const T*>(m_inside);
    }

    std::size_t size() const
    {
        return m_size;
    }

    bool empty() const
    {
        return m_size == 0;
    }

    T* begin()
    {
        return data();
    }

    const T* begin() const
    {
        return data();
    }

    T* end()
    {
        return data() + m_size;
    }

    const T* end() const
    {
        return data() + m_size;
    }

    T& operator[](std::size_t i)
    {
        return data()[i];
    }

    const T& operator[](std::size_t i) const
    {
        return data()[i];
    }

    T& front()
    {
        return data()[0];
    }

    const T& front() const
    {
        return data()[0];
    }

    T& back()
    {
        return data()[m_size - 1];
    }

    const T& back() const
    {
        return data()[m_size - 1];
    }

    void pop_back()
    {
        m_size--;
    }

    void push_back(T element)
    {
        if (m_size == m_capacity)
        {
            Grow();
        }
        new (data() + m_size) T(element);
        m_size++;
    }

    /// @}

  private:
    /// @return the block that holds the elements when they are too many to be inside
    T* GetBlock() const
    {
        T* block;
        std::memcpy(&block, m_inside, sizeof(block));
        return block;
    }

    /// Doubles the capacity.
    void Grow()
    {
        T* block = static_cast<T*>(std::malloc(2 * std::size_t{m_capacity} * sizeof(T)));
        if (!block)
        {
            throw std::bad_alloc();
        }
        std::memcpy(static_cast<void*>(block), data(), m_size * sizeof(T));
        if (m_capacity > N)
        {
            std::free(GetBlock());
        }
        std::memcpy(m_inside, &block, sizeof(block));
        m_capacity *= 2;
    }

    uint32_t m_size{0};                                     //!< Number of elements
    uint32_t m_capacity{N};                                 //!< Number for which there is room
    alignas(double) unsigned char m_inside[N * sizeof(T)]{}; //!< Elements, or where they are
};

} // namespace ns3

#endif // FLOWSIM_SHORT_LIST_H
