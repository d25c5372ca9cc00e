/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_TEST_TOOLS_H
#define CCEVAL_TEST_TOOLS_H

#include "../../../test/dcn-test-duration.h"

#include <cmath>
#include <cstdint>

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
