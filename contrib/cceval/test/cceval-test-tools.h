/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_TEST_TOOLS_H
#define CCEVAL_TEST_TOOLS_H

#include "../model/statistics/cceval-moments.h"
#include "../model/statistics/cceval-pooled-quantile.h"
#include "../model/statistics/cceval-stopping-rule.h"
#include "dcn-test-duration.h"

#include "ns3/dcn-random.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/**
 * @ingroup cceval-tests
 * @brief Half-width of what a share of n independent tries may differ from its probability p.
 * @param p probability
 * @param n number of tries
 * @param sigmas how many standard deviations are allowed
 * @return sigmas sqrt(p (1 - p) / n)
 */
inline double
CcevalBinomialMargin(double p, uint64_t n, double sigmas)
{
    return sigmas * std::sqrt(p * (1 - p) / static_cast<double>(n));
}

/**
 * @ingroup cceval-tests
 * @brief Shares of n independent tries of probability p that chance leaves, by the exact binomial
 * law.
 */
struct CcevalBinomialBounds
{
    static constexpr double ERROR = 1e-4; //!< probability of being outside, half on each side

    /**
     * @param n number of tries
     * @param p probability of a success
     */
    CcevalBinomialBounds(uint64_t n, double p)
    {
        // outwards to whole numbers, so that no more than ERROR is outside
        const boost::math::binomial law(static_cast<double>(n), p);
        low = boost::math::quantile(law, ERROR / 2) / static_cast<double>(n);
        high =
            boost::math::quantile(boost::math::complement(law, ERROR / 2)) / static_cast<double>(n);
    }

    /**
     * @param share of the tries that succeeded
     * @return whether it is between the bounds
     */
    bool Contains(double share) const
    {
        return share >= low && share <= high;
    }

    double low;  //!< least share of the tries
    double high; //!< largest share of the tries
};

/**
 * @ingroup cceval-tests
 * @brief Things drawn once, from which evaluations draw again with equal probability: they are the
 * whole population, whose mean or quantile is known exactly, and cost next to nothing.
 */
template <typename Thing>
class CcevalBank
{
  public:
    /**
     * @param n how many things
     * @param draw makes one
     * @param seed of the draws from the bank
     */
    template <typename Draw>
    CcevalBank(std::size_t n, const Draw& draw, uint64_t seed)
        : m_uniform(ns3::CreateObject<ns3::UniformRandomVariable>())
    {
        ns3::DcnRandom(seed).Assign(m_uniform, ns3::DcnPurpose::TRIAL_VALUES, 2);
        for (std::size_t i = 0; i < n; ++i)
        {
            m_things.push_back(draw());
        }
    }

    /// @return one of them
    const Thing& Draw()
    {
        return m_things[m_uniform->GetInteger(0, static_cast<uint32_t>(m_things.size() - 1))];
    }

    /// @return all of them
    const std::vector<Thing>& Get() const
    {
        return m_things;
    }

  private:
    std::vector<Thing> m_things;                    //!< the population
    ns3::Ptr<ns3::UniformRandomVariable> m_uniform; //!< which one
};

#endif /* CCEVAL_TEST_TOOLS_H */
