/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-origin.h"

#include "ns3/hash.h"

#include <cstdio>
#include <ctime>

namespace ns3
{

std::string
DcnGetUtcDate()
{
    const std::time_t now = std::time(nullptr);
    std::tm day{};
    gmtime_r(&now, &day);
    char text[16];
    std::strftime(text, sizeof(text), "%Y-%m-%d", &day);
    return text;
}

std::string
DcnHashText(const std::string& text)
{
    char digits[17];
    std::snprintf(digits,
                  sizeof(digits),
                  "%016llx",
                  static_cast<unsigned long long>(Hash64(text)));
    return digits;
}

} // namespace ns3
