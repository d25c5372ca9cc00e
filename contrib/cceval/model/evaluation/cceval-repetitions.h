/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_REPETITIONS_H
#define CCEVAL_REPETITIONS_H

#include "cceval-request.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class CcevalMoments;
struct CcevalTrial;

/**
 * @ingroup cceval
 * @brief Counts how often intervals contain references that are intervals themselves.
 *
 * An interval of half-width h1 and an independent reference of half-width h2, both valid at the
 * level with the normal quantile z, differ by a normal variable with standard error sqrt(h1^2 +
 * h2^2) / z. The interval is
 *
 * - inside, if it contains the reference: expected share 2 Phi(z h1 / sqrt(h1^2 + h2^2)) - 1;
 * - consistent, if the two differ by at most sqrt(h1^2 + h2^2): expected share, the level.
 *
 * Pairs with an infinite interval (a pooled quantile beyond the trials), or with two intervals of
 * zero width, give no information: they are omitted, and counted.
 */
class CcevalAgreement
{
  public:
    /**
     * @param level of intervals and references, between 0 and 1
     * @throws DcnError for a level outside (0, 1)
     */
    explicit CcevalAgreement(double level);
    ~CcevalAgreement();
    CcevalAgreement(CcevalAgreement&& other) noexcept;

    /// Agreement of one interval with its reference.
    struct Verdict
    {
        bool inside;      //!< true if the interval contains the reference
        bool consistent;  //!< true if the difference is within both errors together
        double expected;  //!< expected probability of inside
        double deviation; //!< difference over its standard error
    };

    /**
     * @param interval an interval
     * @param reference its reference, with its interval
     * @return their agreement; neither inside nor consistent for omitted pairs
     */
    Verdict Add(const CcevalInterval& interval, const CcevalInterval& reference);

    /// Numbers of intervals.
    struct Counts
    {
        uint64_t n{0};          //!< pairs counted
        uint64_t leftOut{0};    //!< pairs omitted
        uint64_t inside{0};     //!< intervals that contain their reference
        uint64_t consistent{0}; //!< intervals consistent with their reference
        double expected{0};     //!< expected number inside
    };

    /** @return numbers of the intervals so far. */
    const Counts& GetCounts() const;
    /** @return mean of the differences over their standard errors; a bias if it is not 0. */
    double GetMeanDeviation() const;
    /** @return standard deviation of the differences over their standard errors; 1 expected. */
    double GetSpreadOfDeviations() const;

  private:
    double m_quantile;                           //!< z
    Counts m_counts;                             //!< see GetCounts
    std::unique_ptr<CcevalMoments> m_deviations; //!< differences over their standard errors
};

/**
 * @ingroup cceval
 * @brief Repeated evaluations of N trials each, and the plain trials of their references.
 *
 * Of P N plain trials, repetition r evaluates N: with control variates the trials r N to
 * r N + N - 1, with importance sampling as many tilted trials. Each repetition has its own controls
 * and tuning. Its reference is a model-free value that is independent of it:
 *
 * - that of the other (P - 1) N plain trials, which other repetitions of control variates share in
 *   part, or
 * - that of the R trials from P N on, which no repetition uses: one reference for all.
 */
struct CcevalRepetitions
{
    CcevalRequest request;            //!< options of an evaluation; trials is N
    std::vector<std::string> methods; //!< methods to repeat
    uint64_t parts{11};               //!< P
    uint64_t repetitions{11};         //!< from 2 to P
    uint64_t reference{0};            //!< R, P is then the repetitions; 0: references of their own

    /**
     * @throws DcnError for numbers out of range, or options without effect
     */
    void Check() const;

    /**
     * @param method its name
     * @return true if it is one of the methods
     */
    bool HasMethod(const std::string& method) const;

    /** @return the evaluation that runs all plain trials. */
    CcevalRequest GetPlain() const;

    /**
     * @param method one of the methods
     * @param repetition r
     * @return the evaluation; with importance sampling of the pooled metrics, by the first control
     */
    CcevalRequest GetRepetition(const std::string& method, uint64_t repetition) const;

    /**
     * @param trials the plain trials
     * @param metric name of one of the metrics
     * @param repetition r
     * @return the model-free interval of the trials that are its reference
     * @throws DcnError if there is no such metric, or if fewer than two trials did not fail
     */
    CcevalInterval GetReference(const std::vector<CcevalTrial>& trials,
                                const std::string& metric,
                                uint64_t repetition) const;
};

} // namespace ns3

#endif /* CCEVAL_REPETITIONS_H */
