/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_FIGURE_H
#define PAPER_FIGURE_H

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class PaperRun;

/// How a measured value has to lie to the published one for the verdict "reproduced".
enum class PaperRelation : uint8_t
{
    NEAR,     //!< within the tolerance, or the published value is inside the interval
    AT_MOST,  //!< a cost or an error: not above; better if the whole interval is below
    AT_LEAST, //!< a gain: not below; better if the whole interval is above
    BELOW,    //!< the paper says in words that it is below this; never better
    ABOVE,    //!< the paper says in words that it is above this; never better
    SHOWN     //!< shown beside the published one and not judged: it depends on machine or scale
};

/// A published value.
struct PaperValue
{
    std::string name;        //!< of the row, unique in its figure
    std::string unit;        //!< such as "%", "x" or "s"; empty: a number without unit
    double published;        //!< as printed
    PaperRelation relation;  //!< of ours to it
    double tolerance{0.1};   //!< relative

    /** @return whether a verdict depends on it: it is not only shown. */
    bool IsJudged() const;

    /**
     * @return the bar of a judged value with its tolerance, such as "<= 10.89", ">= 0.9" or
     * "within 50 %" (of the published one); "shown" of one that is not judged
     */
    std::string GetRule() const;
};

/// A value that was measured here.
struct PaperMeasured
{
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< not known

    double value{NONE}; //!< NaN: it could not be measured
    double low{NONE};   //!< lower end of its 95 % interval; NaN: there is no interval
    double high{NONE};  //!< upper end
};

/// A picture of a result.
struct PaperPicture
{
    std::string name;    //!< of its files, without suffix
    std::string caption; //!< below it
    std::function<bool(const std::string&)> write; //!< writes <base>.png and .svg; false: no gnuplot
};

/// What the computation of a figure gives.
struct PaperResult
{
    /// By name of a published value.
    std::map<std::string, PaperMeasured> values;
    /// Values that the paper does not have, such as the noise floor: name, unit, value.
    std::vector<std::pair<std::pair<std::string, std::string>, PaperMeasured>> others;
    std::vector<PaperPicture> pictures; //!< in the layout of the figure
    std::string note;                   //!< a sentence on this run; may be empty

    /**
     * @brief Add a value that the paper does not have.
     * @param name of the row
     * @param unit of the value
     * @param measured the value
     */
    void AddOther(const std::string& name, const std::string& unit, const PaperMeasured& measured);
};

/// Whether a figure is reproduced.
struct PaperVerdict
{
    /// Kinds of verdicts.
    enum Kind : uint8_t
    {
        REPRODUCED,
        BETTER,        //!< every value is reproduced, and at least one is better
        NOT_REPRODUCED, //!< a value of ours misses its bar
        NOT_RUN,       //!< there is a computation, but no result of it
        NOT_COMPUTED   //!< no value misses its bar, but a judged one could not be computed
    };

    Kind kind;           //!< see Kind
    std::string reason;  //!< the values that missed or are lacking, and why; empty if there is none

    /** @return "reproduced", "better", "not reproduced", "not run" or "not computed". */
    std::string GetName() const;
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
    std::string full;                  //!< scenarios and seeds of the full scale
    /// Processor time of the small scale from nothing, with runs that it shares, measured [s].
    double smallSeconds{0};
    std::string cost;       //!< time and memory of the full scale on two cores
    std::string departures; //!< from the paper's set-up, at any scale
    /// Why values that are not reproduced or not computed are not; the verdict cites it.
    std::string reason;
    Compute compute; //!< null: the figure is listed with the reason

    /** @return whether there is a computation. */
    bool IsComputed() const;

    /**
     * @brief Judge one value by the rule of PaperRelation.
     * @param value the published one
     * @param measured ours
     * @return the kind; REPRODUCED for values that are only shown, and NOT_COMPUTED for judged ones
     * that could not be measured
     */
    static PaperVerdict::Kind Judge(const PaperValue& value, const PaperMeasured& measured);

    /**
     * @param result of compute
     * @return the verdict over all published values
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
