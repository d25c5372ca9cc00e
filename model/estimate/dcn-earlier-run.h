/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_EARLIER_RUN_H
#define DCN_EARLIER_RUN_H

#include "dcn-fct-table.h"

#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief The p99 slowdowns of an earlier run on the same scenario with the same attributes, to see
 * the effect of a change of the code.
 */
class DcnEarlierRun
{
  public:
    /**
     * @brief Read summary.csv and run.json.
     * @param folder of the earlier run (DcnFctTable::Write, DcnRunRecord)
     * @param recipe of the present scenario (DcnScenarioRecipe::ToFullText)
     * @throws DcnError if a file cannot be read, or the earlier run had another scenario or other
     * attributes (DcnRunRecord::ListAttributes); the sentence has what differs
     */
    DcnEarlierRun(const std::string& folder, const std::string& recipe);

    /**
     * @param table the present answers
     * @return a line on the code of both runs, and a line per method: p99 slowdown before and now,
     * and its change in percent; "-" where one of the runs has no p99 of the method
     */
    std::string Compare(const DcnFctTable& table) const;

  private:
    std::string m_folder;                //!< of the earlier run
    std::string m_revision;              //!< its commit; empty: not known
    std::string m_code;                  //!< see DcnRunRecord::GetCodeDigest; empty: not known
    std::map<std::string, double> m_p99; //!< by method
};

} // namespace ns3

#endif /* DCN_EARLIER_RUN_H */
