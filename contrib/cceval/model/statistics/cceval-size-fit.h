/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_SIZE_FIT_H
#define CCEVAL_SIZE_FIT_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief A log-normal distribution fitted to a distribution of flow sizes (CCEval, section 5).
 *
 * Nonlinear least squares of Phi((ln x - mu) / sigma) against points of the cumulative distribution
 * (GSL's multifit). It serves to run the paper's algorithm as published. It must not replace the
 * sizes in an evaluation: the fit of web-search has four times the mean of the original
 * distribution, and it depends on the choice of points.
 */
struct CcevalLogNormalFit
{
    double mu{0};           //!< mean of ln S
    double sigma{1};        //!< standard deviation of ln S
    double squaredError{0}; //!< sum of squared differences of the cumulative distribution
    double largestError{0}; //!< largest of these differences

    /**
     * @param points (size > 0 [bytes], cumulative probability), at least three
     * @return the fit
     * @throws DcnError if it does not converge
     */
    static CcevalLogNormalFit Make(const std::vector<std::pair<double, double>>& points);

    /**
     * @brief Fit a distribution by its name: the points of its file, or 199 quantiles.
     * @param sizes name of a DcnSizeDistribution
     * @return the fit
     */
    static CcevalLogNormalFit Make(const std::string& sizes);

    /** @return the mean of the fitted distribution [bytes]. */
    double GetMean() const;

    /**
     * @param score normal score
     * @return the size [bytes], at least 1 and at most 10^15
     */
    uint64_t GetSize(double score) const;
};

/**
 * @ingroup cceval
 * @brief How well a form fits a distribution of flow sizes.
 */
struct CcevalFormFit
{
    std::string form;       //!< log-normal, normal, exponential or Poisson
    double squaredError{0}; //!< sum of squared differences of the cumulative distribution
    double largestError{0}; //!< largest of these differences
};

/**
 * @ingroup cceval
 * @brief Fit four forms by least squares of the cumulative distribution (CCEval, Figure 14b).
 *
 * A Poisson variable counts; its unit [bytes] is fitted, too.
 *
 * @param sizes name of a DcnSizeDistribution
 * @return the fits, log-normal first
 */
std::vector<CcevalFormFit> CcevalFitForms(const std::string& sizes);

} // namespace ns3

#endif /* CCEVAL_SIZE_FIT_H */
