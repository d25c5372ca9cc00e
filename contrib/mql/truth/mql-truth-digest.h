/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_DIGEST_H
#define MQL_TRUTH_DIGEST_H

#include <string>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Identifies a simulator by its results: simulators with equal digests give equal results
 * for some small built-in configurations.
 *
 * These are simulated once per process, in a process of its own (some hundredths of a second with
 * the engine exact); the digest is a hash of the measurements. Ground truth
 * records it, so that a correction is not trained with simulations of different programs.
 *
 * @param engine exact or ns3, as in MqlTruthConfig
 * @return 16 hexadecimal digits
 */
const std::string& MqlTruthDigest(const std::string& engine);

} // namespace ns3

#endif /* MQL_TRUTH_DIGEST_H */
