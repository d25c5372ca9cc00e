/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PLOT_H
#define DCN_PLOT_H

#include "ns3/gnuplot.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Write a plot script and, if gnuplot can be run, its picture.
 * @param plot an ns-3 plot whose output file name is base + ".png"
 * @param base path without suffix: <base>.plt and <base>.png are written
 * @return true if there is a picture; otherwise one line on stderr names the script
 */
bool DcnWritePlot(Gnuplot& plot, const std::string& base);

/**
 * @ingroup dcn
 * @brief Shares of values above the abscissa (complementary distribution functions) on a
 * logarithmic axis, with the tail enlarged.
 *
 * The ordinate is the share of values above x on a logarithmic scale (left: the share, right: its
 * percentile), so that the 99th percentile, by which the methods are judged, is as visible as the
 * median.
 */
class DcnCdfPlot
{
  public:
    /**
     * @param title of the plot
     * @param quantity name and unit of the abscissa
     */
    DcnCdfPlot(const std::string& title, const std::string& quantity);

    /**
     * @brief Add a curve.
     * @param name in the legend
     * @param values any order; without values nothing is drawn
     */
    void Add(const std::string& name, std::vector<double> values);

    /**
     * @brief Add a curve of weighted values.
     * @param name in the legend
     * @param values with their weights > 0, any order; without values nothing is drawn
     * @param isTruth drawn above all other curves, thick and black
     */
    void AddWeighted(const std::string& name,
                     std::vector<std::pair<double, double>> values,
                     bool isTruth = false);

    /**
     * @brief Write <base>.plt and <base>.png.
     * @param base path without suffix
     * @return true if there is a picture
     */
    bool Write(const std::string& base) const;

  private:
    std::string m_title;                                      //!< of the plot
    std::string m_quantity;                                   //!< abscissa
    std::vector<Gnuplot2dDataset> m_curves;                   //!< one per Add that had values
    std::vector<Gnuplot2dDataset> m_truths;                   //!< these are drawn last
    double m_lowest{std::numeric_limits<double>::infinity()}; //!< smallest value
    double m_highest{0};                                      //!< largest value
};

} // namespace ns3

#endif /* DCN_PLOT_H */
