/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_FIGURE_H
#define PAPER_FIGURE_H

#include "paper-verdict.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class PaperRun;

/// A picture of a result.
struct PaperPicture
{
    std::string name;    //!< of its files, without suffix
    std::string caption; //!< below it
    std::function<bool(const std::string&)> write; //!< writes <base>.png and .svg; false: no gnuplot
};

/**
 * @param value a number
 * @return it with three significant digits and no exponent; "-" for NaN
 */
std::string PaperFormat(double value);

/// What the computation of a figure gives.
struct PaperResult
{
    /// By name of a published value.
    std::map<std::string, PaperMeasured> values;
    /// Further values, such as the noise floor: name, unit, value.
    std::vector<std::pair<std::pair<std::string, std::string>, PaperMeasured>> others;
    std::vector<PaperPicture> pictures; //!< in the layout of the figure
    std::string note;                   //!< a sentence on this run; may be empty
    /// Of an earlier run: a value that it does not have is not run, and not "not computable".
    bool isStored{false};

    /**
     * @brief Add a value; one that the paper has takes the rule of the published value.
     * @param name of the row
     * @param unit of the value
     * @param measured the value
     */
    void AddOther(const std::string& name, const std::string& unit, const PaperMeasured& measured);

    /**
     * @param name of a row
     * @return its value; null if there is no such row
     */
    const PaperMeasured* Get(const std::string& name) const;

    /**
     * @param name of a row
     * @return its value; NaN if there is none
     */
    PaperMeasured Find(const std::string& name) const;

    /**
     * @param text with names of rows in braces, such as "{noise floor} %"
     * @return the text with the values of these rows; an unknown one is "-"
     */
    std::string Fill(const std::string& text) const;
};

/**
 * @brief A figure or table of a paper: what was published (data/papers), and the computation of
 * ours.
 */
struct PaperFigure
{
    using Compute = std::function<PaperResult(PaperRun&)>; //!< a computation

    std::string name;                  //!< on the command line, such as "m3-fig10"
    std::string title;                 //!< what it shows
    std::string paper;                 //!< "m3", "m4", "Parsimon", "CCEval", "dissertation"
    std::string citation;              //!< authors, title and place of the paper
    std::string place;                 //!< in the paper
    std::vector<PaperValue> published; //!< in the order of the file
    std::string small;                 //!< scenarios and seeds of the small scale
    std::string medium;                //!< of the medium scale; empty: it is the full scale
    std::string full;                  //!< of the full scale
    /// Processor time of the small scale from nothing, with runs that it shares, measured [s].
    double smallSeconds{0};
    std::string cost;       //!< time and memory of the full scale on two cores
    std::string departures; //!< from the paper's set-up, at any scale
    /// Two rows joined by " | ". Where they do not surely differ (PaperDiffers), the scale does not
    /// tell a method from its baseline. Empty: there is no such pair.
    std::string compare;
    /// Why values are not reproduced, undecided or not computable; the verdict cites it.
    std::string reason;
    Compute compute; //!< null: the figure is listed with the reason

    /** @return whether there is a computation. */
    bool IsComputed() const;

    /**
     * @param result of compute
     * @return whether the rows of `compare` are there and surely differ; true without `compare`
     */
    bool Discriminates(const PaperResult& result) const;

    /**
     * @param result of compute
     * @throws DcnError if it lacks a row of `compare`, which data/papers misspells then
     */
    void CheckCompare(const PaperResult& result) const;

    /**
     * @brief Judge each published value by PaperValue::Judge.
     *
     * Where the result does not discriminate, a value that is no cost is undecided instead of
     * reproduced or better: the baseline would be so, too.
     * @param result of compute
     * @return the kinds, in the order of the published values
     */
    std::vector<PaperVerdict::Kind> JudgeRows(const PaperResult& result) const;

    /**
     * @param result of compute
     * @return the verdict over all published values: the largest kind of a row
     */
    PaperVerdict Judge(const PaperResult& result) const;
};

/// Puts computations of figures into the registry, in the file of their paper.
class PaperRegistration
{
  public:
    /**
     * @param computations by name of the figure in data/papers/figures.csv
     */
    PaperRegistration(
        std::initializer_list<std::pair<const char*, PaperFigure::Compute>> computations);

    /**
     * @brief Read all figures from data/papers: papers.csv, figures.csv and values.csv.
     * @return the figures with their computations, by paper (alphabetically) and name, numbers in
     * their order
     * @throws DcnError naming file, line and value for an unknown key, relation, paper or figure,
     * a value that a figure has twice, a figure with neither computation nor reason, and a
     * computation of no figure
     */
    static std::vector<PaperFigure> GetAll();
};

} // namespace ns3

#endif /* PAPER_FIGURE_H */
