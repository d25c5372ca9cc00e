/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAINED_RANGES_H
#define DCN_TRAINED_RANGES_H

#include "dcn-model-file.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief What a learned model has seen in training: the smallest and the largest value of named
 * quantities, by congestion control.
 *
 * Between the ends of its data a model interpolates; beyond them nobody has checked what it says.
 * So its card keeps them (doc/schema.rst), and a method compares with them what it is asked. Three
 * kinds of quantities: what the model is told (features, in the units of the physics); extremes of
 * the traffic; and parameters of the configuration that it is not told of, which are part of what
 * it has learned: for another value it gives the answer for that of the training.
 *
 * With a and b the smallest and the largest value in training, x is outside if it is further than
 * t (b - a) from [a, b]; of a quantity that spans decades, the logarithms are compared. The
 * tolerance t is there because draws seldom hit the ends: of n uniform draws, the extremes are on
 * average 1 / (n + 1) of the width away from the ends of what was to be trained on, and a value
 * between them is nothing new. What was always the same (a = b) has to be the same, but for
 * rounding.
 *
 * Not every sample has every quantity: parameters without effect are absent. What is absent is
 * neither learned nor compared; what no sample of the training had is outside.
 */
class DcnTrainedRanges
{
  public:
    static constexpr double ABSENT = std::numeric_limits<double>::quiet_NaN(); //!< no value

    /// A quantity.
    struct Quantity
    {
        std::string name;     //!< for sentences and cards; unique
        double tolerance{0};  //!< t
        double logFrom{0};    //!< above 0: logarithms are compared, values below it are alike
        bool isPooled{false}; //!< the range is that of all congestion controls together
        bool isUntold{false}; //!< the model is not told of it
    };

    using Quantities = std::vector<Quantity>; //!< all of a method

    /// A sample of the training, or of what a method is asked.
    struct Conditions
    {
        std::string congestionControl; //!< in force
        std::vector<double> values;    //!< by quantity, or ABSENT
    };

    /// A range.
    struct Range
    {
        double low{INFINITY};   //!< smallest value
        double high{-INFINITY}; //!< largest value

        /// @return whether there was no value
        bool IsEmpty() const;
        /// @param other range that it is widened to
        void Add(const Range& other);
    };

    /// A quantity that is outside in some of many samples.
    struct Finding
    {
        uint64_t n;       //!< number of samples in which it is outside
        double distance;  //!< of the furthest from the range, as compared; infinite without a range
        double value;     //!< of that sample
        std::string text; //!< e.g. "window / BDP is 9, but was from 0.3 to 2 in training with hpcc"
    };

    using Findings = std::map<std::size_t, Finding>; //!< what is outside, by index of the quantity

    /**
     * @brief Nothing was seen.
     * @param quantities of the method
     */
    explicit DcnTrainedRanges(Quantities quantities = {});

    /**
     * @brief Learn: widen the ranges to a sample.
     * @param conditions the sample
     */
    void Add(const Conditions& conditions);

    /**
     * @brief Merge: widen the ranges to those of other samples.
     * @param other ranges of the same quantities
     */
    void Add(const DcnTrainedRanges& other);

    /** @return whether nothing was seen: the model was not trained, and nothing is outside. */
    bool IsEmpty() const;

    /**
     * @param congestionControl a name
     * @param name of a quantity
     * @return its range, empty if it was not seen
     */
    Range Get(const std::string& congestionControl, const std::string& name) const;

    /**
     * @param congestionControl to be asked for
     * @throws DcnError if something was seen, but not this
     */
    void Require(const std::string& congestionControl) const;

    /**
     * @param conditions a sample
     * @return what is outside
     * @throws DcnError as Require
     */
    Findings Check(const Conditions& conditions) const;

    /**
     * @brief Put what is outside in several samples together; their order does not matter.
     * @param all gets, of each quantity, the value that is furthest outside
     * @param more of other samples
     */
    static void Merge(Findings& all, const Findings& more);

    /**
     * @param findings of n samples
     * @param n number of samples
     * @param unit what they are, e.g. "paths"
     * @return a sentence for each quantity that is outside
     */
    static std::vector<std::string> Describe(const Findings& findings,
                                             std::size_t n,
                                             const std::string& unit);

    /**
     * @brief Put the ranges on a model's card, instead of any that are there.
     * @param model the model
     */
    void Write(DcnModelFile& model) const;

    /**
     * @brief Read the ranges of a model.
     * @param model the model
     * @param quantities of the method
     * @return the ranges
     * @throws DcnError if they are not there, of another format, malformed, or of a quantity or a
     * congestion control that is not known
     */
    static DcnTrainedRanges Read(const DcnModelFile& model, Quantities quantities);

  private:
    /// @return index of a quantity; their number if there is none
    std::size_t Find(const std::string& name) const;
    /// @return the congestion controls that were seen, joined
    std::string Join(const std::string& separator) const;

    Quantities m_quantities;                            //!< what is compared
    std::map<std::string, std::vector<Range>> m_ranges; //!< by congestion control and quantity
};

} // namespace ns3

#endif /* DCN_TRAINED_RANGES_H */
