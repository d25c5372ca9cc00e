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
 * @brief A text for gnuplot, whose quoted strings run what stands between backticks by a shell.
 *
 * Titles, names and labels come from command lines and files. Texts enter plots by this function
 * only: DcnMakePlot and DcnMakeCurve call it, and commands of one's own (Gnuplot::AppendExtra) have
 * to.
 *
 * @param text any text
 * @return what shows the text between double quotes of a gnuplot script: quotes, backslashes and
 * backticks by their numbers, blanks for line ends and other characters without a picture
 */
std::string DcnPlotText(const std::string& text);

/**
 * @ingroup dcn
 * @brief Begin a plot.
 * @param title any text; empty: none
 * @param abscissa name and unit, any text; empty: none
 * @param ordinate name and unit, any text
 * @return the plot without curves, to be written by DcnWritePlot
 */
Gnuplot DcnMakePlot(const std::string& title,
                    const std::string& abscissa,
                    const std::string& ordinate);

/**
 * @ingroup dcn
 * @brief Begin a curve.
 * @param name in the legend, any text; empty: ns-3 writes no name
 * @param style lines, points, ...
 * @return the curve without points
 */
Gnuplot2dDataset DcnMakeCurve(const std::string& name,
                              Gnuplot2dDataset::Style style = Gnuplot2dDataset::LINES);

/**
 * @ingroup dcn
 * @brief Choose range and labels of a logarithmic axis: labels are at 1, 2 and 5 times powers of
 * ten, or at equal steps for values that are near to each other.
 * @param lowest value to be shown, > 0
 * @param highest value to be shown
 * @param axis x or y
 * @return gnuplot's commands (Gnuplot::AppendExtra)
 */
std::string DcnLogAxis(double lowest, double highest, char axis = 'x');

/**
 * @ingroup dcn
 * @param curve position of a curve in a plot, 0-based
 * @return its colour as gnuplot takes it after "rgb"
 */
std::string DcnGetPlotColour(std::size_t curve);

/**
 * @ingroup dcn
 * @brief Draw an area behind the curves, such as the range of a curve over seeds.
 * @param plot gets it
 * @param number of the area in the plot, from 1
 * @param border its corners, in the units of the axes; at least three
 * @param curve position of the curve that has its colour
 */
void DcnAddArea(Gnuplot& plot,
                std::size_t number,
                const std::vector<std::pair<double, double>>& border,
                std::size_t curve);

/**
 * @ingroup dcn
 * @brief Write a plot script and, if gnuplot can be run, its pictures, all in one style: size,
 * colours that colour-blind readers can tell, lines of width 2, plain text in names.
 *
 * The script names no folder: it can be run again where it lies.
 *
 * @param plot an ns-3 plot; its terminal and the name of its output are set here
 * @param base path without suffix: <base>.plt, <base>.png and <base>.svg are written
 * @return true if there are pictures; otherwise one line on stderr names the script
 */
bool DcnWritePlot(const Gnuplot& plot, const std::string& base);

/**
 * @ingroup dcn
 * @brief Write several plots as panels of one picture, two in a row; else as DcnWritePlot.
 * @param title of the picture
 * @param panels the plots, from left to right and from top to bottom
 * @param base path without suffix
 * @return as DcnWritePlot
 */
bool DcnWritePanels(const std::string& title,
                    const std::vector<Gnuplot>& panels,
                    const std::string& base);

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
     * @param isTruth drawn above all other curves, thick and black; they are thin lines on it
     */
    void AddWeighted(const std::string& name,
                     std::vector<std::pair<double, double>> values,
                     bool isTruth = false);

    /// Values of several distribution functions at a share.
    struct Range
    {
        double share;  //!< of flows above the values, in (0, 1]
        double low;    //!< smallest of the values, > 0
        double middle; //!< their median
        double high;   //!< largest of the values
    };

    /**
     * @brief Add a curve of medians, and the area between the smallest and the largest values.
     * @param name in the legend
     * @param ranges by falling share; without ranges nothing is drawn
     */
    void AddRange(const std::string& name, const std::vector<Range>& ranges);

    /** @return whether no curve has values */
    bool IsEmpty() const;

    /** @return the plot, to be written by DcnWritePlot or as a panel by DcnWritePanels */
    Gnuplot Make() const;

    /**
     * @brief Write the plot (DcnWritePlot).
     * @param base path without suffix
     * @return true if there is a picture
     */
    bool Write(const std::string& base) const;

  private:
    std::string m_title;                                      //!< of the plot
    std::string m_quantity;                                   //!< abscissa
    std::vector<Gnuplot2dDataset> m_curves;                   //!< one per Add that had values
    std::vector<Gnuplot2dDataset> m_thin;                     //!< the same, thin, above the truth
    std::vector<Gnuplot2dDataset> m_truths;                   //!< these are drawn last
    /// Areas of AddRange: position of the curve, and corners.
    std::vector<std::pair<std::size_t, std::vector<std::pair<double, double>>>> m_areas;
    double m_lowest{std::numeric_limits<double>::infinity()}; //!< smallest value
    double m_highest{0};                                      //!< largest value
};

/**
 * @ingroup dcn
 * @brief Bars of values by category, such as a percentile by failed link, side by side for several
 * series, such as methods, or stacked, such as the parts of a time.
 */
class DcnBarPlot
{
  public:
    /**
     * @param title of the plot
     * @param quantity name and unit of the values
     */
    DcnBarPlot(const std::string& title, const std::string& quantity);

    /// @brief Stack the series of a category upon each other, the first one at the bottom.
    void SetStacked();

    /**
     * @brief Add a bar; categories and series are drawn in the order in which they first come.
     * @param category below the bar
     * @param series in the legend; "packet", the ground truth, is black
     * @param value at least 0
     */
    void Add(const std::string& category, const std::string& series, double value);

    /**
     * @brief Write <base>.plt and the pictures (DcnWritePlot).
     * @param base path without suffix
     * @return true if there are pictures; false without bars
     */
    bool Write(const std::string& base) const;

  private:
    /// A bar.
    struct Bar
    {
        std::size_t category; //!< position
        std::size_t series;   //!< position
        double value;         //!< height
    };

    std::string m_title;                   //!< of the plot
    std::string m_quantity;                //!< ordinate
    std::vector<std::string> m_categories; //!< in their order
    std::vector<std::string> m_series;     //!< in their order
    std::vector<Bar> m_bars;               //!< all
    bool m_isStacked{false};               //!< see SetStacked
};

} // namespace ns3

#endif /* DCN_PLOT_H */
