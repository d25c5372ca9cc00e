/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TO_TEXT_H
#define DCN_TO_TEXT_H

#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Write a number so that DcnParse reads the same.
 * @param value a finite number
 * @return it with as few digits as that takes; whole numbers below 1e15 in full
 */
std::string DcnToText(double value);

} // namespace ns3

#endif /* DCN_TO_TEXT_H */
