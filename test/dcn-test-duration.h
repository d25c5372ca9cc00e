/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TEST_DURATION_H
#define DCN_TEST_DURATION_H

#include "ns3/test.h"

/// The type of the duration of a test case, whose name depends on the version of ns-3.
template <typename Member>
struct DcnTestDurationOf;

/// The type of the second argument of TestCase::AddTestCase.
template <typename Class, typename Duration>
struct DcnTestDurationOf<void (Class::*)(ns3::TestCase*, Duration)>
{
    using Type = Duration; //!< the type
};

/// TestCase::EXTENSIVE in every version; Suite is the class of the suite that asks.
#define DCN_TEST_EXTENSIVE(Suite)                                                                  \
    static_cast<DcnTestDurationOf<decltype(&Suite::AddTestCase)>::Type>(2)

#endif /* DCN_TEST_DURATION_H */
