/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_IMPORTANCE_H
#define CCEVAL_IMPORTANCE_H

#include "../statistics/cceval-pooled-quantile.h"
#include "cceval-proposal.h"
#include "cceval-traffic.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class CcevalMoments;

/**
 * @ingroup cceval
 * @brief A trial drawn from a proposal: its traffic and its completion times.
 */
struct CcevalTiltedTrial
{
    CcevalTrace trace;          //!< the traffic
    std::vector<int64_t> fctNs; //!< completion times [ns]
    std::vector<double> values; //!< R_n of each flow; NaN for flows outside the size class
    double flows{0};            //!< alpha: flows of the class, as if not tilted
    std::string answeredBy{};   //!< see DcnEstimate
};

/**
 * @ingroup cceval
 * @brief Likelihood ratio of each flow at the time of its completion.
 *
 * log L(F_n) = sum of the log factors of the flows j that have arrived by the completion F_n of
 * flow n, flows after n included (they share the network with it); flows that arrive later have the
 * factor 1 (CCEval, section 4.3.4, Equation 10, with the errata of doc/cceval.rst).
 *
 * @param trial a trial
 * @return (R_n, L_n) of the flows of the class
 */
CcevalCycle CcevalWeigh(const CcevalTiltedTrial& trial);

/**
 * @ingroup cceval
 * @brief One step of the adaptive cross-entropy method.
 *
 * With w_n = 1{R_n > g} L(F_n), J_n the tilted flows that have arrived by F_n and pi_j the
 * posterior probability that score j came from the proposal:
 *
 *     m' = sum_n w_n sum_J pi_j z_j / sum_n w_n sum_J pi_j
 *     s'^2 = sum_n w_n sum_J pi_j (z_j - m')^2 / sum_n w_n sum_J pi_j
 *     q' = sum_n w_n sum_J pi_j / sum_n w_n |J_n|
 *
 * For q = 1 these are CCEval's Equations 16 and 17 in normal scores, with the likelihood weights
 * that Algorithm 1 omits although it draws from the proposal. For q < 1 it is the EM step of a
 * mixture. g is the pooled p-quantile of these trials.
 *
 * @param proposal proposal of the trials
 * @param trials the trials
 * @param p probability of the quantile
 * @return the next proposal, not smoothed; unchanged if no flow is above g
 */
CcevalProposal CcevalTune(const CcevalProposal& proposal,
                          const std::vector<CcevalTiltedTrial>& trials,
                          double p);

/**
 * @ingroup cceval
 * @brief Tail quantiles by importance sampling on flow sizes.
 *
 * The steps of CCEval's section 4.3 (Algorithms 1 and 2): a pilot of plain trials, the search for a
 * proposal, cycles drawn from it, the quantile with its interval. The estimate must pass gates,
 * since a proposal that has drifted away gives a wrong value with a small variance. If it does not
 * pass, the answer is that of plain sampling, with the reason.
 */
class CcevalImportance
{
  public:
    /// Draws, simulates and evaluates trials: stage, first run, number, proposal.
    using Sampler = std::function<
        std::vector<CcevalTiltedTrial>(CcevalStage, uint64_t, uint64_t, const CcevalProposal&)>;

    /// Options of the search, the estimate and the gates.
    struct Options
    {
        double p{0.99};      //!< probability of the quantile
        double level{0.95};  //!< confidence level of the interval
        bool mixture{true};  //!< defensive mixture; false: the paper's proposal for all flows
        uint64_t epochs{10}; //!< steps of the search E
        uint64_t cyclesPerEpoch{10}; //!< trials of a step m_ce
        uint64_t exceedances{50};    //!< a step draws trials until that many flows are above g ...
        uint64_t mostCycles{400};    //!< ... or there are that many trials
        uint64_t batch{0};        //!< trials in a batch K of the published interval; 0: inversion
        double smoothing{0.7};    //!< weight of the new parameters of a step
        double minEffective{100}; //!< least effective sample size of the tail [trials]
        double maxShare{0.05};    //!< largest share of one trial in the tail
    };

    /// Estimate and diagnosis.
    struct Result
    {
        CcevalProposal proposal;  //!< proposal of the tilted trials
        CcevalInterval interval;  //!< of the quantile
        bool tilted{false};       //!< true: from tilted trials; false: from plain trials
        std::string reason;       //!< reason for plain sampling; empty with tilted trials
        bool drifted{false};      //!< the proposal is the reason, so that more trials do not help
        double effective{0};      //!< effective sample size of the tail [trials]
        double largestShare{0};   //!< largest share of one trial in the tail
        double meanLikelihood{1}; //!< mean of L of whole trials; its expectation is 1
        double pilotDistance{
            0};              //!< P(R > pilot's 90th percentile): difference to the pilot in sigmas
        CcevalSpread spread; //!< of the quantile from tilted trials
        uint64_t tuningTrials{0}; //!< trials of the search
        double gain{1};           //!< variance of Y(Q) of a plain trial over that of a tilted one
    };

    /**
     * @param options see Options
     * @param tuner runs the trials of the search: the method itself or a cheap one; any
     * proposal gives exact weights
     */
    CcevalImportance(const Options& options, const Sampler& tuner);

    /**
     * @brief Search a proposal.
     * @param expectedFlows flows of a trial
     * @return the proposal
     */
    CcevalProposal Search(double expectedFlows);

    /**
     * @brief Evaluate tilted trials, with plain trials for the gates and as the fallback.
     * @param proposal proposal of the tilted trials
     * @param tilted the tilted trials
     * @param plain trials of the original distribution, at least two
     * @return the estimate
     */
    Result Evaluate(const CcevalProposal& proposal,
                    const std::vector<CcevalTiltedTrial>& tilted,
                    const std::vector<CcevalTiltedTrial>& plain) const;

    /** @return trials of the search so far. */
    uint64_t GetTuningTrials() const;

  private:
    CcevalProposal Clamp(CcevalProposal proposal, double expectedFlows) const;
    /// Applies the gates to a result; returns why tilting is not trusted, empty if it is.
    std::string FindReason(Result& result,
                           std::size_t nTilted,
                           const CcevalMoments& likelihoods,
                           const CcevalInterval& plainInterval) const;

    Options m_options;          //!< see the constructor
    Sampler m_tuner;            //!< see the constructor
    uint64_t m_tuningTrials{0}; //!< see GetTuningTrials
};

/**
 * @ingroup cceval
 * @brief Switching change of measure (CCEval, section 5): flows that start after the completion of
 * the first flow with R > g are drawn from the original distribution.
 *
 * A trial is simulated as drawn; then flows that start after that time are drawn again and the
 * trial is simulated once more. Its earlier part does not change, since it does not depend on later
 * arrivals, so that both simulations give the same time.
 *
 * @param trial a trial, simulated
 * @param threshold g
 * @return time of completion of the first flow above g [ns], INT64_MAX if there is none; flows that
 * start later must be drawn again (CcevalTraffic::Draw with this time plus 1)
 */
int64_t CcevalSwitchNs(const CcevalTiltedTrial& trial, double threshold);

} // namespace ns3

#endif /* CCEVAL_IMPORTANCE_H */
