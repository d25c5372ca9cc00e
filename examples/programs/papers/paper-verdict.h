/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_VERDICT_H
#define PAPER_VERDICT_H

#include <cstdint>
#include <limits>
#include <string>

namespace ns3
{

/**
 * @file
 * @brief The verdict of a value: is ours at least as good as the published one?
 *
 * Problem. A paper publishes the number p. We measure the same quantity: the number v, and an
 * interval I that holds the number of endless repetitions with a probability of 95 %. Ours does as
 * well as the paper if that number is in the set G of good numbers, and better if it is in the set
 * B. Both follow from p, from the tolerance r >= 0 with d = r |p|, and, if the paper states no
 * number but says that something is above or below p, from the limit q of the other side:
 *
 *     relation   G                  B
 *     near       [p - d, p + d]     empty
 *     at-most    (-inf, p + d]      (-inf, p - d)    errors, costs
 *     at-least   [p - d, inf)       (p + d, inf)     gains
 *     below      [q, p + d]         empty            words; q = -inf unless given
 *     above      [p - d, q]         empty            words; q = inf unless given
 *
 * I is
 *
 * 1. of a cost (PaperValue::hardware): [l / F, F u] with F = MACHINES, because times of two
 * machines compare no better; l = u = v without measured limits;
 * 2. of an extreme of n values where the paper's is one of N > n: [v, inf) if it is the largest,
 *    because further values can only raise it. A largest value of few scenarios is no evidence that
 *    a largest value of many is small;
 * 3. else the measured limits [l, u];
 * 4. else {v}.
 *
 * Verdict.
 *
 *     not computable   there is no v
 *     better           I lies in B, and I has more than one number
 *     reproduced       I lies in G
 *     worse            I and G have no number in common
 *     undecided        else: I has numbers inside and outside of G, so that more data decide
 *
 * An interval that is wide for want of data is therefore never evidence for the paper, and never
 * against it. A value without an interval is never better.
 */

/// How a measured value has to lie to the published one.
enum class PaperRelation : uint8_t
{
    NEAR,     //!< within the tolerance
    AT_MOST,  //!< a cost or an error: not above; better if it is surely below
    AT_LEAST, //!< a gain: not below; better if it is surely above
    BELOW,    //!< the paper says in words that it is below this; never better
    ABOVE,    //!< the paper says in words that it is above this; never better
    SHOWN     //!< shown beside the published one and not judged
};

/// A value that was measured here.
struct PaperMeasured
{
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< not known

    double value{NONE}; //!< NaN: it could not be measured
    double low{NONE};   //!< lower end of its 95 % interval; NaN: there is no interval
    double high{NONE};  //!< upper end
    uint64_t draws{0};  //!< of a largest value: how many values it is the largest of; 0: of another
};

/// Verdict of a value, of a figure, or of a claim.
struct PaperVerdict
{
    /// Kinds, see the file's description. Of several values the largest kind is the verdict.
    enum Kind : uint8_t
    {
        REPRODUCED,
        BETTER,
        NOT_COMPUTABLE,
        NOT_RUN, //!< there is a computation, but no result of it
        UNDECIDED,
        WORSE
    };

    Kind kind;          //!< see Kind
    std::string reason; //!< which values decide it, and why; empty if there is none

    /**
     * @param kind a kind
     * @return "reproduced", "better", "not computable", "not run", "undecided" or "worse"
     */
    static std::string GetName(Kind kind);

    /** @return the name of the kind. */
    std::string GetName() const;
};

/// A published value and the rule of its verdict.
struct PaperValue
{
    static constexpr double WORDS = 0;     //!< tolerance of what a paper states in words
    static constexpr double NUMBERS = 0.1; //!< tolerance of a published number
    static constexpr double MACHINES = 4;  //!< F: times of two machines compare no better

    std::string name;                  //!< of the row, unique in its figure
    std::string unit;                  //!< such as "%", "x" or "s"; empty: a number without unit
    double published;                  //!< p, as printed
    PaperRelation relation;            //!< of ours to it
    double tolerance{NUMBERS};         //!< r
    double limit{PaperMeasured::NONE}; //!< q of BELOW and ABOVE; NaN: none
    uint64_t draws{0};    //!< N, of a largest value: how many values it is the largest of
    std::string hardware; //!< of a cost: that of the paper, such as "128 cores"; empty: no cost

    /** @return whether a verdict depends on it: it is not only shown. */
    bool IsJudged() const;

    /** @return whether the paper states it in words. */
    bool IsWords() const;

    /**
     * @return G for people, such as "<= 10.89", ">= 0.9", "1 to 20" or "within 50 %" (of the
     * published one); "shown" of one that is not judged
     */
    std::string GetRule() const;

    /**
     * @param measured ours
     * @return its interval I
     */
    PaperMeasured GetInterval(const PaperMeasured& measured) const;

    /**
     * @param measured ours
     * @return the kind; REPRODUCED of values that are only shown
     */
    PaperVerdict::Kind Judge(const PaperMeasured& measured) const;
};

/**
 * @param a a measured value
 * @param b another one
 * @return whether they surely differ: both are there, and their intervals have no number in common
 */
bool PaperDiffers(const PaperMeasured& a, const PaperMeasured& b);

} // namespace ns3

#endif /* PAPER_VERDICT_H */
