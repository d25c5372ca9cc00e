/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_FIGURE_H
#define PAPER_FIGURE_H

#include <cstdint>
#include <functional>
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
 * @param paper a name of PaperFigure::From
 * @return authors, title and place of the paper
 */
std::string PaperCite(const std::string& paper);

/**
 * @brief A figure or table of a paper: what was published, and the computation of ours.
 *
 * Built in one expression and registered beside its computation, in the file of its paper:
 *
 *     const PaperRegistration g_table1(PaperFigure("m3-table1", "p99 slowdown by three methods")
 *                                          .From("m3", "section 2.1, Table 1")
 *                                          .Publish("ns3-path, mean error", "%", 2, AT_MOST)
 *                                          .On("seed 1: three scenarios", ...)
 *                                          .By(ComputeTable1));
 */
class PaperFigure
{
  public:
    using Compute = std::function<PaperResult(PaperRun&)>; //!< a computation

    /**
     * @param name on the command line, such as "m3-fig10"
     * @param title what it shows
     */
    PaperFigure(const std::string& name, const std::string& title);

    /// Sets the paper ("m3", "m4", "Parsimon", "CCEval", "dissertation") and the place in it.
    PaperFigure& From(const std::string& paper, const std::string& place);
    /// Adds a published value; see PaperValue.
    PaperFigure& Publish(const std::string& name,
                         const std::string& unit,
                         double published,
                         PaperRelation relation,
                         double tolerance = 0.1);
    /// Sets scenarios and seeds of the small and of the full scale.
    PaperFigure& On(const std::string& small, const std::string& full);
    /**
     * @brief Set what the figure costs from nothing, with runs that it shares with others.
     * @param smallSeconds processor time of the small scale, measured [s]
     * @param full time and memory of the full scale on two cores, measured or estimated
     * @return this figure
     */
    PaperFigure& Costs(double smallSeconds, const std::string& full);
    /// Sets one sentence on the departures from the paper's set-up, at any scale.
    PaperFigure& Departs(const std::string& sentence);
    /// Sets why values that are not reproduced or not computed are not; the verdict cites it after
    /// their names.
    PaperFigure& Because(const std::string& reason);
    /// Sets the computation; without one the figure is listed with the reason of Because.
    PaperFigure& By(Compute compute);

    /// The parts, as set above.
    const std::string& GetName() const;
    const std::string& GetTitle() const;
    const std::string& GetPaper() const;
    const std::string& GetPlace() const;
    const std::vector<PaperValue>& GetPublished() const;
    const std::string& GetSmall() const;
    const std::string& GetFull() const;
    double GetSmallSeconds() const;
    const std::string& GetCosts() const;
    const std::string& GetDepartures() const;
    const std::string& GetReason() const;

    /** @return whether there is a computation. */
    bool IsComputed() const;

    /**
     * @brief Compute the figure.
     * @param run scale, folder and store
     * @return the result
     */
    PaperResult Run(PaperRun& run) const;

    /**
     * @brief Judge one value by the rule of PaperRelation.
     * @param value the published one
     * @param measured ours
     * @return the kind; REPRODUCED for values that are only shown, and NOT_COMPUTED for judged ones
     * that could not be measured
     */
    static PaperVerdict::Kind Judge(const PaperValue& value, const PaperMeasured& measured);

    /**
     * @param result of Run
     * @return the verdict over all published values
     */
    PaperVerdict Judge(const PaperResult& result) const;

  private:
    std::string m_name;                  //!< see the constructor
    std::string m_title;                 //!< see the constructor
    std::string m_paper;                 //!< see From
    std::string m_place;                 //!< see From
    std::vector<PaperValue> m_published; //!< see Publish
    std::string m_small;                 //!< see On
    std::string m_full;                  //!< see On
    double m_smallSeconds{0};            //!< see Costs
    std::string m_costs;                 //!< see Costs
    std::string m_departures;            //!< see Departs
    std::string m_reason;                //!< see Because
    Compute m_compute;                   //!< see By
};

/// Puts a figure into the registry.
class PaperRegistration
{
  public:
    /**
     * @param figure the figure; its name must be new
     */
    explicit PaperRegistration(const PaperFigure& figure);

    /** @return all figures, by paper (alphabetically) and name, numbers in their order. */
    static std::vector<PaperFigure> GetAll();
};

} // namespace ns3

#endif /* PAPER_FIGURE_H */
