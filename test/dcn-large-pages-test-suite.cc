/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"

#include "ns3/dcn-large-pages.h"
#include "ns3/test.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

using namespace ns3;

namespace
{

/// @return the address as a number
std::uintptr_t
AddressOf(const void* pointer)
{
    return reinterpret_cast<std::uintptr_t>(pointer);
}

/// A vector keeps its elements when it grows into large pages and when it moves; large blocks begin
/// at a large page, small ones where their type may begin.
DCN_TEST_CASE(LargePagesTestCase, "vectors in large pages")
{
    constexpr uint32_t N = 3 * DCN_LARGE_PAGE / sizeof(uint32_t) / 2;
    DcnLargeVector<uint32_t> numbers;
    for (uint32_t i = 0; i < N; ++i)
    {
        numbers.push_back(i);
    }
    NS_TEST_EXPECT_MSG_EQ(AddressOf(numbers.data()) % DCN_LARGE_PAGE, 0, "begins at a large page");
    const DcnLargeVector<uint32_t> moved = std::move(numbers);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < N; ++i)
    {
        wrong += moved[i] == i ? 0 : 1;
    }
    NS_TEST_EXPECT_MSG_EQ(wrong, 0, "elements");
    NS_TEST_EXPECT_MSG_EQ((DcnLargeVector<uint32_t>(moved) == moved), true, "copy");

    /// A record that fills cache lines.
    struct alignas(64) Line
    {
        uint64_t value; //!< a number
    };

    for (const std::size_t n : {std::size_t{1}, std::size_t{3}, DCN_LARGE_PAGE / sizeof(Line)})
    {
        const DcnLargeVector<Line> lines(n, Line{7});
        NS_TEST_EXPECT_MSG_EQ(AddressOf(lines.data()) % alignof(Line), 0, "begins at a line");
        NS_TEST_EXPECT_MSG_EQ(lines.back().value, 7, "last element");
    }
}

/// What fits into no memory is refused.
DCN_TEST_CASE(TooLargeTestCase, "too large")
{
    bool isRefused = false;
    try
    {
        DcnLargePages<uint64_t>().allocate(std::numeric_limits<std::size_t>::max() / 4);
    }
    catch (const std::bad_alloc&)
    {
        isRefused = true;
    }
    NS_TEST_EXPECT_MSG_EQ(isRefused, true, "a size whose bytes have no number");
}

DcnTestSuite<LargePagesTestCase, TooLargeTestCase> g_dcnLargePagesTestSuite(
    "dcn-large-pages"); //!< the suite

} // namespace
