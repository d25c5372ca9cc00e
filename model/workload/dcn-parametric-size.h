/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PARAMETRIC_SIZE_H
#define DCN_PARAMETRIC_SIZE_H

#include "dcn-size-distribution.h"

#include "ns3/ptr.h"

#include <string>

namespace ns3
{

/// No size that is asked for is larger [bytes].
constexpr double DCN_LARGEST_FLOW_BYTES = 1e15;

/**
 * @ingroup dcn
 * @brief Make a distribution of flow sizes that is given by a formula, as "form:number".
 *
 * The forms and what their number means are in the description of DcnSizeDistribution, through
 * which programs make them.
 *
 * @param name the whole name
 * @param form text before the colon
 * @param number text after the colon
 * @return the distribution, null if the form is unknown
 * @throws DcnError if the number is none or out of the range of its form
 */
Ptr<DcnSizeDistribution> DcnMakeParametricSize(const std::string& name,
                                               const std::string& form,
                                               const std::string& number);

} // namespace ns3

#endif /* DCN_PARAMETRIC_SIZE_H */
