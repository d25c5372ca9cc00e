/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_INPUT_CHECK_H
#define DCN_INPUT_CHECK_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Refuse methods whose input files, such as models, are missing or cannot be read.
 *
 * To be called before the first of several methods runs, so that the last one does not fail after
 * hours. Contents are checked by the methods.
 *
 * @param methods names for DcnEstimator::CreateByName
 * @throws DcnError that names the method and the file, and as CreateByName
 */
void DcnCheckInputFiles(const std::vector<std::string>& methods);

} // namespace ns3

#endif /* DCN_INPUT_CHECK_H */
