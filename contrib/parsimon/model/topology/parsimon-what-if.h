/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_WHAT_IF_H
#define PARSIMON_WHAT_IF_H

#include "ns3/dcn-scenario-change.h"
#include "ns3/parsimon-result-store.h"
#include "ns3/parsimon-run.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Answers what a change would do, and simulates again only links whose input it changes.
 *
 * All results of link simulations are kept under the hash of their input (ParsimonKey): a link
 * whose flows, neighbourhood and reverse traffic stay as they are is found there. What comes out
 * is, byte for byte, what a run from nothing would give. (With clustering, too, but representatives
 * may change with any feature; without it, reuse is best. An added flow changes the number of
 * flows, and with it the run length and the correction for acknowledgements of every link: nearly
 * all are simulated again, but with ParsimonAckCorrection::NONE.)
 */
class ParsimonWhatIf
{
  public:
    /**
     * @param scenario the network as it is
     * @param settings of all runs; results are kept whatever they say
     * @param folder where results are kept beyond this object; empty: nowhere
     * @throws DcnError as ParsimonRun and ParsimonResultStore
     */
    ParsimonWhatIf(Ptr<const DcnScenario> scenario,
                   const ParsimonSettings& settings,
                   const std::string& folder = "");

    /** @return the run without a change. */
    const ParsimonRun& GetBase() const;

    /**
     * @brief Run a change of the network as it is.
     * @param change what is different
     * @return the run; its accounting says how many links were simulated
     * @throws DcnError as DcnScenarioChange::Apply and ParsimonRun, and for a failure where paths
     * are drawn anew (published rules): they would cross the failed links
     */
    std::unique_ptr<ParsimonRun> Ask(const DcnScenarioChange& change);

  private:
    ParsimonSettings m_settings;         //!< of all runs
    ParsimonResultStore m_store;         //!< results
    std::unique_ptr<ParsimonRun> m_base; //!< see GetBase
};

} // namespace ns3

#endif /* PARSIMON_WHAT_IF_H */
