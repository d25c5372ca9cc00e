/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_AGREEMENT_H
#define CCEVAL_AGREEMENT_H

#include "cceval-interval.h"

#include <cstdint>

namespace ns3
{

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
 * width, tell nothing: they are left out, and counted.
 */
class CcevalAgreement
{
  public:
    /**
     * @param level of intervals and references, between 0 and 1
     * @throws DcnError if it is not
     */
    explicit CcevalAgreement(double level);

    /// What one interval and its reference tell.
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
     * @return what they tell; nothing is inside or consistent if they are left out
     */
    Verdict Add(const CcevalInterval& interval, const CcevalInterval& reference);

    /** @return number of intervals, but for those that are left out. */
    uint64_t GetN() const;
    /** @return number of intervals that are left out. */
    uint64_t GetLeftOut() const;
    /** @return number of intervals that contain their reference. */
    uint64_t GetInside() const;
    /** @return the number of them that is expected. */
    double GetExpected() const;
    /** @return number of intervals that are consistent with their reference. */
    uint64_t GetConsistent() const;
    /** @return differences over their standard errors; a mean that is not 0 tells a bias. */
    const CcevalMoments& GetDeviations() const;

  private:
    double m_quantile;          //!< z
    uint64_t m_leftOut{0};      //!< see GetLeftOut
    uint64_t m_inside{0};       //!< see GetInside
    double m_expected{0};       //!< see GetExpected
    uint64_t m_consistent{0};   //!< see GetConsistent
    CcevalMoments m_deviations; //!< see GetDeviations
};

} // namespace ns3

#endif /* CCEVAL_AGREEMENT_H */
