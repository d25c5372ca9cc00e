/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_STATISTICS_H
#define DCN_STATISTICS_H

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Quantile with linear interpolation between order statistics, used throughout dcn.
 *
 * With the n values sorted as x_0 <= ... <= x_(n-1) and h = p (n - 1), the quantile is
 * x_floor(h) + (h - floor(h)) (x_(floor(h)+1) - x_floor(h)): type 7 of Hyndman and Fan, the default
 * of pandas and NumPy, and of the Parsimon, m3 and m4 evaluations.
 *
 * @param sorted ascending values, at least one
 * @param p probability in [0, 1]
 * @return the quantile
 */
double DcnQuantile(const std::vector<double>& sorted, double p);

/**
 * @ingroup dcn
 * @param values at least one
 * @return their arithmetic mean
 */
double DcnMean(const std::vector<double>& values);

/**
 * @ingroup dcn
 * @brief Quantile of weighted values; with equal weights it equals DcnQuantile.
 *
 * With the n values sorted, w_i their weights and W_i = w_0 + ... + w_i, value i is at
 * s_i = (W_i - w_i / 2 - w_0 / 2) / (W_(n-1) - w_0 / 2 - w_(n-1) / 2), which goes from 0 to 1, and
 * the quantile at p is linear in between.
 *
 * @param sorted values, ascending, with their weights > 0; at least one
 * @param p probability in [0, 1]
 * @return the quantile
 */
double DcnWeightedQuantile(const std::vector<std::pair<double, double>>& sorted, double p);

/**
 * @ingroup dcn
 * @brief A range of flow sizes for which slowdowns are reported.
 */
struct DcnSizeClass
{
    std::string name;  //!< as written in summary.csv
    double lowerBytes; //!< inclusive
    double upperBytes; //!< exclusive

    /**
     * @param bytes payload bytes of a flow
     * @return true if the flow is in the class
     */
    bool Contains(double bytes) const
    {
        return bytes >= lowerBytes && bytes < upperBytes;
    }
};

/**
 * @ingroup dcn
 * @return the size classes of reports: all, <1KB, 1-10KB, 10-50KB, >50KB (m3, section 5). 1 KB is
 * 1000 bytes; lower bounds belong to the class.
 */
const std::vector<DcnSizeClass>& DcnSizeClasses();

} // namespace ns3

#endif /* DCN_STATISTICS_H */
