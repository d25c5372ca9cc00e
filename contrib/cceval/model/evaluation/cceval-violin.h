/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_VIOLIN_H
#define CCEVAL_VIOLIN_H

#include "ns3/cceval-interval.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Density of values by Gaussian kernels.
 *
 * Bandwidth 0.9 min(s, IQR / 1.34) N^-0.2 (Silverman); equal values give a narrow peak.
 *
 * @param values at least one
 * @param points number of points, at least 2
 * @return (x, density) from three bandwidths below the smallest value to three above the largest
 */
std::vector<std::pair<double, double>> CcevalDensity(std::vector<double> values,
                                                     std::size_t points = 64);

/**
 * @ingroup cceval
 * @brief Violin plots of trials: mirrored densities with the intervals of the means.
 */
class CcevalViolinPlot
{
  public:
    /**
     * @param title of the plot
     * @param quantity name and unit of the ordinate
     * @param least smallest possible value, where densities end: 1 for slowdowns, 0 for times
     */
    CcevalViolinPlot(const std::string& title, const std::string& quantity, double least);

    /**
     * @brief Add a violin.
     * @param name label below the violin
     * @param values of the trials, at least one
     * @param interval marked inside
     */
    void Add(const std::string& name,
             const std::vector<double>& values,
             const CcevalInterval& interval);

    /**
     * @brief Write <base>.plt and <base>.png.
     * @param base path without suffix
     * @return true if gnuplot has made the picture
     */
    bool Write(const std::string& base) const;

  private:
    /// One violin.
    struct Violin
    {
        std::string name;                               //!< label below the violin
        std::vector<std::pair<double, double>> density; //!< its shape
        CcevalInterval interval;                        //!< marked inside
    };

    std::string m_title;           //!< of the plot
    std::string m_quantity;        //!< ordinate
    double m_least;                //!< where densities end
    std::vector<Violin> m_violins; //!< from left to right
};

} // namespace ns3

#endif /* CCEVAL_VIOLIN_H */
