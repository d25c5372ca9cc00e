/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_WHAT_IF_H
#define PARSIMON_WHAT_IF_H

#include "parsimon-run.h"

#include "ns3/dcn-scenario-change.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Estimates the effect of a change, and simulates only links with changed input.
 *
 * All results of link simulations are kept under the hash of their input (ParsimonMakeKey): a link
 * whose flows, neighbourhood and reverse traffic stay as they are is found there. The estimate is,
 * byte for byte, that of a run from nothing. (With clustering, too, but representatives may change
 * with any feature; without it, reuse is best. An added flow changes the number of flows, and with
 * it the run length and the correction for acknowledgements of every link: nearly all are simulated
 * again.)
 */
class ParsimonWhatIf
{
  public:
    /**
     * @param scenario the network before changes
     * @param options of all runs
     * @param folder stores results beyond the life of this object; empty: none
     * @throws DcnError as ParsimonRun and ParsimonResultStore
     */
    ParsimonWhatIf(Ptr<const DcnScenario> scenario,
                   const ParsimonOptions& options,
                   const std::string& folder = "");
    ~ParsimonWhatIf();

    /** @return the run without a change. */
    const ParsimonRun& GetBase() const;

    /**
     * @brief Estimate the network after a change.
     * @param change the difference
     * @return the run; its accounting says how many links were simulated
     * @throws DcnError as DcnScenarioChange::Apply and ParsimonRun, and for a failure with the
     * published rules, which draw paths anew: they would cross the failed links
     */
    std::unique_ptr<ParsimonRun> Ask(const DcnScenarioChange& change);

  private:
    ParsimonOptions m_options;                    //!< options of runs of a change
    std::unique_ptr<ParsimonResultStore> m_store; //!< results
    std::unique_ptr<ParsimonRun> m_base;          //!< see GetBase
};

} // namespace ns3

#endif /* PARSIMON_WHAT_IF_H */
