/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-to-text.h"

#include "dcn-csv.h"

#include <cmath>
#include <cstdio>

namespace ns3
{

std::string
DcnToText(double value)
{
    char text[32];
    if (value == std::floor(value) && std::abs(value) < 1e15)
    {
        std::snprintf(text, sizeof(text), "%.0f", value);
        return text;
    }
    double again = 0;
    for (int digits = 1; digits <= 17; ++digits) // 17 are always enough
    {
        std::snprintf(text, sizeof(text), "%.*g", digits, value);
        if (DcnParse(text, again) && again == value)
        {
            break;
        }
    }
    return text;
}

} // namespace ns3
