/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ORIGIN_H
#define DCN_ORIGIN_H

#include <string>

/**
 * @file
 * @ingroup dcn
 * What data sets and cards of models say of where they come from. The release number is here and
 * nowhere else in the code.
 */

namespace ns3
{

/// @ingroup dcn
/// @brief The release that this is, or with -dev: that it will be. CHANGES.md says what is in it.
inline constexpr const char* DCN_RELEASE = "0.2-dev";

/**
 * @ingroup dcn
 * @brief What DcnPacketEngineDigest gives in this release, if no attribute of the engine was
 * changed. The suite dcn-packet-engine-digest compares.
 *
 * Whoever changes what the packet engine does puts the new digest here, and says in CHANGES.md what
 * changed: data sets of the engine before are not continued and not mixed with those of the new
 * one.
 */
inline constexpr const char* DCN_RELEASE_ENGINE_DIGEST = "9f8ddb91d311262c";

/// @ingroup dcn
/// @brief Stands in place of what release 0.1 did not record.
inline constexpr const char* DCN_UNKNOWN_ORIGIN = "unknown (made before data sets recorded it)";

/**
 * @ingroup dcn
 * @return the day in UTC, as in 2026-11-23
 */
std::string DcnGetUtcDate();

/**
 * @ingroup dcn
 * @param text anything
 * @return 16 hexadecimal digits: ns-3's 64-bit hash (Murmur3) of it
 */
std::string DcnHashText(const std::string& text);

} // namespace ns3

#endif /* DCN_ORIGIN_H */
