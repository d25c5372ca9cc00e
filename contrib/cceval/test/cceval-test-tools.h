/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_TEST_TOOLS_H
#define CCEVAL_TEST_TOOLS_H

#include "ns3/test.h"

#include <cmath>
#include <cstdint>

/// The type of the duration of a test case, whose name depends on the version of ns-3.
template <typename Member>
struct CcevalDurationOf;

/// The type of the second argument of TestCase::AddTestCase.
template <typename Class, typename Duration>
struct CcevalDurationOf<void (Class::*)(ns3::TestCase*, Duration)>
{
    using Type = Duration; //!< the type
};

/// TestCase::EXTENSIVE in every version; Suite is the class of the suite that asks.
#define CCEVAL_EXTENSIVE(Suite)                                                                    \
    static_cast<CcevalDurationOf<decltype(&Suite::AddTestCase)>::Type>(2)

/**
 * @ingroup cceval-tests
 * @brief Half-width of what a share of n independent tries may differ from its probability p.
 * @param p probability
 * @param n number of tries
 * @param sigmas how many standard deviations are allowed
 * @return sigmas sqrt(p (1 - p) / n)
 */
inline double
CcevalBinomialMargin(double p, uint64_t n, double sigmas)
{
    return sigmas * std::sqrt(p * (1 - p) / static_cast<double>(n));
}

#endif /* CCEVAL_TEST_TOOLS_H */
