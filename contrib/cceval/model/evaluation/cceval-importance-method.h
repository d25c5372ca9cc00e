/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_IMPORTANCE_METHOD_H
#define CCEVAL_IMPORTANCE_METHOD_H

#include "../trials/cceval-importance.h"
#include "../trials/cceval-tilted-trials.h"
#include "cceval-method.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Importance sampling of pooled quantiles: a pilot of plain trials, the search for a
 * proposal, trials drawn from it, and plain sampling if these fail a gate (CcevalImportance).
 */
class CcevalImportanceMethod : public CcevalMethod
{
  public:
    static const char* const NAME; //!< "importance"

    static constexpr uint64_t PILOT_TRIALS = 100; //!< plain trials beside tilted ones (paper: m_or)
    static constexpr uint64_t BATCH = 40; //!< trials in a batch of the published interval (K)

    /** @param setting algorithm, traffic and options */
    explicit CcevalImportanceMethod(const Setting& setting);

    std::vector<CcevalResult> Run(const CcevalObserver& observer) override;

  protected:
    double GetOtherSeconds() const override;

  private:
    /// Processor time of one metric [s].
    struct Cost
    {
        double plain{0};  //!< of the pilot
        double tuning{0}; //!< of the search
        double tilted{0}; //!< of tilted trials

        /// @return total
        double GetTotal() const
        {
            return plain + tuning + tilted;
        }
    };

    /// Returns the setting with the fit in place of the sizes, for the published proposal.
    static Setting UseSizes(Setting setting);
    /// Refuses requests that importance sampling does not support.
    void Check() const;
    /// Returns the options of the search and of the gates.
    CcevalImportance::Options GetOptions(const CcevalMetric& metric) const;
    /// Evaluates a metric from the pilot to the answer.
    /// Makes the search for a proposal, whose trials add to the costs.
    CcevalImportance MakeImportance(const CcevalMetric& asked, Cost& cost);
    CcevalResult EvaluateTilted(std::size_t metric, const CcevalObserver& observer);
    /// Runs tilted trials until they suffice or cannot help; sets cost, result and answers.
    CcevalImportance::Result RunTilted(const CcevalImportance& importance,
                                       const CcevalProposal& proposal,
                                       const std::vector<CcevalTiltedTrial>& plain,
                                       CcevalTiltedTrials& trials,
                                       const CcevalObserver& observer,
                                       Cost& cost,
                                       CcevalResult& result);
    /// Evaluates a metric by plain sampling.
    CcevalResult EvaluatePlain(std::size_t metric, uint64_t tilted, const CcevalObserver& observer);
    /// Returns tilted trials with a store; in memory only if its name is empty.
    std::unique_ptr<CcevalTiltedTrials> MakeTilted(const CcevalTiltedTrials::Options& options,
                                                   const std::string& store = "") const;

    std::vector<std::string> m_controls; //!< the estimator that tunes
    double m_spentSeconds{0}; //!< processor time of tuning and tilted trials, all metrics [s]
};

} // namespace ns3

#endif /* CCEVAL_IMPORTANCE_METHOD_H */
