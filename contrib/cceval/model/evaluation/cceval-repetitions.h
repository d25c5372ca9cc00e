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
 * @brief How often intervals contain references, which are known from an interval only, too.
 *
 * An interval of half-width h1 and an independent reference of half-width h2, both right at the
 * level with the normal quantile z, differ by a normal variable of the standard error
 * sqrt(h1^2 + h2^2) / z. The interval is
 *
 * - inside, if it contains the reference: 2 Phi(z h1 / sqrt(h1^2 + h2^2)) - 1 of all are;
 * - consistent, if the two differ by at most sqrt(h1^2 + h2^2): a share that is the level.
 *
 * Pairs of which one has no finite interval (a pooled quantile beyond the trials), or both no
 * width, say nothing: they are left out, and counted.
 */
class CcevalAgreement
{
  public:
    /**
     * @param level of intervals and references, between 0 and 1
     * @throws DcnError if it is not
     */
    explicit CcevalAgreement(double level);
    ~CcevalAgreement();
    CcevalAgreement(CcevalAgreement&& other) noexcept;

    /// Agreement of one interval with its reference.
    struct Verdict
    {
        bool inside;      //!< the interval contains the reference
        bool consistent;  //!< they differ by no more than both errors together
        double expected;  //!< chance of the former
        double deviation; //!< difference over its standard error
    };

    /**
     * @param interval one
     * @param reference what it should contain, with its interval
     * @return their agreement; neither inside nor consistent if they are left out
     */
    Verdict Add(const CcevalInterval& interval, const CcevalInterval& reference);

    /// Numbers of intervals.
    struct Counts
    {
        uint64_t n{0};          //!< all but those that are left out
        uint64_t leftOut{0};    //!< left out
        uint64_t inside{0};     //!< that contain their reference
        uint64_t consistent{0}; //!< that are consistent with their reference
        double expected{0};     //!< expected number of those inside
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
 * @brief Repeated evaluations of N trials each, and the plain trials that they are held against.
 *
 * Of P N plain trials, repetition r is an evaluation of N: with control variates of the trials r N
 * to r N + N - 1, with importance sampling of as many tilted ones; with controls and tuning of its
 * own. Its reference is a model-free value that is independent of it:
 *
 * - that of the (P - 1) N trials that are not among r N to r N + N - 1, which other repetitions of
 *   control variates have in part, or
 * - that of the R trials from P N on, which no repetition has: the same for all.
 */
struct CcevalRepetitions
{
    CcevalRequest request;            //!< of an evaluation; trials is N
    std::vector<std::string> methods; //!< each is repeated
    uint64_t parts{11};               //!< P
    uint64_t repetitions{11};         //!< from 2 to P
    uint64_t reference{0};            //!< R, P is then the repetitions; 0: references of their own

    /**
     * @throws DcnError if there are no such repetitions, or if something that is asked for has no
     * effect
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
     * @param trials what came of the plain trials
     * @param metric name of one of the metrics
     * @param repetition r
     * @return the model-free interval of the trials that are its reference
     * @throws DcnError if there is no such metric, or if fewer than two of them did not fail
     */
    CcevalInterval GetReference(const std::vector<CcevalTrial>& trials,
                                const std::string& metric,
                                uint64_t repetition) const;
};

} // namespace ns3

#endif /* CCEVAL_REPETITIONS_H */
