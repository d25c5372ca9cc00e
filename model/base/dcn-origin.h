/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ORIGIN_H
#define DCN_ORIGIN_H

#include <string>

/**
 * @file
 * @ingroup dcn
 * The origin that data sets and cards of models record. This file alone has the release number.
 */

namespace ns3
{

/// @ingroup dcn
/// @brief This release, or with -dev the next one. CHANGES.md describes it.
inline constexpr const char* DCN_RELEASE = "0.2-dev";

/**
 * @ingroup dcn
 * @brief Result of DcnPacketEngineDigest in this release with default attributes of the engine.
 * The suite dcn-packet-engine-digest checks it.
 *
 * A change of the packet engine's behaviour needs a new digest here and an entry in CHANGES.md:
 * data sets of the previous engine are neither continued nor mixed with those of the new engine.
 */
inline constexpr const char* DCN_RELEASE_ENGINE_DIGEST = "e11475f982fa3f26";

/// @ingroup dcn
/// @brief Stands for an origin that release 0.1 did not record.
inline constexpr const char* DCN_UNKNOWN_ORIGIN = "unknown (made before data sets recorded it)";

/**
 * @ingroup dcn
 * @return the day in UTC, as in 2026-11-23
 */
std::string DcnGetUtcDate();

/**
 * @ingroup dcn
 * @return commit of the repository that the data folder is in, or of the installation; empty if
 * there is none
 */
std::string DcnGetRevision();

/**
 * @ingroup dcn
 * @param text anything
 * @return 16 hexadecimal digits: ns-3's 64-bit hash (Murmur3) of the text
 */
std::string DcnHashText(const std::string& text);

} // namespace ns3

#endif /* DCN_ORIGIN_H */
