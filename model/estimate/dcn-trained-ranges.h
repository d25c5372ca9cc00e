/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAINED_RANGES_H
#define DCN_TRAINED_RANGES_H

#include "dcn-estimator.h"
#include "dcn-model-file.h"

#include "ns3/dcn-network-config.h"

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
 * @brief The limits of a learned model: the smallest and the largest value that its training data
 * had of each feature, by congestion control.
 *
 * A model interpolates between the ends of its training data; its answers beyond them are
 * not checked. Its card keeps the ends (doc/schema.rst), and a method compares each input with
 * them and warns. Three kinds of quantities are compared: features of the model, in physical units;
 * extremes of the traffic; and parameters of the configuration that are no features (unmodelled
 * keys), of which the model has learned the training's value: for another value it still answers
 * for that of the training.
 *
 * With a and b the smallest and the largest value in training, x is outside if its distance from
 * [a, b] is more than t (b - a); for a quantity that spans decades, logarithms are compared. The
 * tolerance t is needed because draws seldom hit the ends: the extremes of n uniform draws are on
 * average 1 / (n + 1) of the width away from the ends of the range that was meant. A quantity that
 * was always the same in training (a = b) must have that value, but for rounding.
 *
 * A quantity can be absent from a sample: a parameter without effect is. An absent quantity is
 * neither learned nor compared; one that no sample of the training had is outside.
 */
class DcnTrainedRanges
{
  public:
    static constexpr double ABSENT = std::numeric_limits<double>::quiet_NaN(); //!< no value

    /// A quantity that is compared.
    struct Quantity
    {
        std::string name;         //!< for sentences and cards; unique
        double tolerance{0};      //!< t
        double logFrom{0};        //!< above 0: logarithms are compared, values below it are alike
        bool isPooled{false};     //!< the range is that of all congestion controls together
        bool isUnmodelled{false}; //!< no feature of the model
    };

    using Quantities = std::vector<Quantity>; //!< all of a method

    /// The quantities of a sample: a flow, a path or a network, in training or in use.
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

    using Findings = std::map<std::size_t, Finding>; //!< quantities outside, by index

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
     * @return the quantities that are outside
     * @throws DcnError as Require
     */
    Findings Check(const Conditions& conditions) const;

    /**
     * @brief Join the findings of several samples; their order does not matter.
     * @param all gets, of each quantity, the value that is furthest outside
     * @param more of other samples
     */
    static void Merge(Findings& all, const Findings& more);

    /**
     * @param findings of n samples
     * @param n number of samples
     * @param unit of the samples, e.g. "paths"
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

    /**
     * @brief Read the errors on a model's card (section "expected p99 error"), which
     * test/scripts/expected-errors.py measures and writes.
     * @param model the model
     * @param congestionControl of the scenario
     * @return "with dctcp, p99 errors were 9 % on average inside, 24 % on average outside of it",
     * the training; empty if the card has none of the control
     */
    static std::string DescribeExpectedError(const DcnModelFile& model,
                                             const std::string& congestionControl);

    /**
     * @brief Read from a model's card how far p99 slowdowns may be off: from the section "p99
     * margins" inside of the training, "p99 margins outside" outside of it. The command
     * test/scripts/expected-errors.py measures them on held-back scenarios, and writes them.
     *
     * With r_1 <= ... <= r_n the ratios of the packet engine's p99 to the estimate in n measured
     * scenarios, the factors are r_k and r_(n+1-k), k = floor((n + 1) / 20). A further scenario of
     * the same distribution has its ratio between them with a probability of at least 90 % (split
     * conformal prediction: Lei et al., "Distribution-Free Predictive Inference for Regression",
     * 2018, section 2.2). That asks for scenarios of one distribution: so there are margins for each
     * regime, and in it for each congestion control of which enough scenarios were measured, else
     * for all of them. Outside of the training no two scenarios are alike: their limits are wider,
     * and the note says how often they held where they were measured, not more. Where nothing of
     * the kind was measured, there are no limits, and the note says this.
     *
     * Entries are low:high:scenarios under "REGIME CONTROL CLASS", CONTROL "any" for all of them. Of
     * former cards they are under "CONTROL CLASS", and count for the regime anywhere.
     *
     * @param model the model
     * @param congestionControl of the scenario
     * @param regime of the scenario (DcnForecast::GetRegime)
     * @param estimate whose warnings say whether the scenario is outside; its margins by size class
     * and their note are set
     * @throws DcnError if an entry of the card is malformed
     */
    static void SetMargins(const DcnModelFile& model,
                           const std::string& congestionControl,
                           const std::string& regime,
                           DcnEstimate& estimate);

  private:
    /// @return index of a quantity; their number if there is none
    std::size_t Find(const std::string& name) const;
    /// @return the congestion controls that were seen, joined
    std::string Join(const std::string& separator) const;

    Quantities m_quantities;                            //!< quantities that are compared
    std::map<std::string, std::vector<Range>> m_ranges; //!< by congestion control and quantity
};

/**
 * @ingroup dcn
 * @brief The unmodelled keys of network.csv: parameters that are no features of a model, as
 * quantities of DcnTrainedRanges.
 *
 * A parameter counts where it has an effect: thresholds where switches mark, the base round-trip
 * time under HPCC, the buffer's shares with PFC, and Pmax between two thresholds; with Kmin = Kmax
 * it is 1, as every packet above them is marked. Rates are divided by a rate of the sample, so that
 * networks of another rate are alike; times are compared as they are.
 */
class DcnUnmodelledKeys
{
  public:
    /**
     * @param modelled the one extra key that is a feature of the model, beside those that are
     * features of every model: windows, buffers, PFC, HPCC's eta, thresholds and the rest of
     * DcnNetworkRatios
     */
    explicit DcnUnmodelledKeys(const std::string& modelled);

    /**
     * @param rate name of the rate that rates are divided by, for messages and cards
     * @param tolerance of the comparison
     * @return all unmodelled keys, of every congestion control
     */
    DcnTrainedRanges::Quantities GetQuantities(const std::string& rate, double tolerance) const;

    /**
     * @brief Read the values of a configuration; it makes an ns-3 object, of which several threads
     * may make none.
     * @param network a configuration
     * @return values in the order of GetQuantities and the units of network.csv,
     * DcnTrainedRanges::ABSENT if without effect
     */
    std::vector<double> GetValues(const DcnNetworkParameters& network) const;

    /**
     * @brief Append the values to those of a sample, in the order of GetQuantities.
     * @param values of GetValues
     * @param rateBps the rate that rates are divided by [bit/s]; 0: rates are absent
     * @param sample appended to
     */
    void Append(const std::vector<double>& values,
                double rateBps,
                std::vector<double>& sample) const;

  private:
    std::vector<DcnNetworkConfig::Key> m_keys; //!< the unmodelled ones
};

/**
 * @ingroup dcn
 * @brief Compares samples one by one with the ranges of a model, and keeps a sentence for each
 * quantity that is outside.
 */
class DcnRangeMonitor
{
  public:
    /**
     * @param ranges of the model; a model that was not trained has none, and nothing is warned of
     * @param method one line on standard error under this name summarises the sentences that a
     * check adds; empty: none does
     */
    explicit DcnRangeMonitor(DcnTrainedRanges ranges, const std::string& method = "");

    /**
     * @brief Add sentences for the quantities that are outside and were not before.
     * @param conditions a sample
     * @throws DcnError if the model was not trained on its congestion control
     */
    void Check(DcnTrainedRanges::Conditions conditions);

    /** @return whether no sample can be outside, so that none need be made. */
    bool IsEmpty() const;

    /** @return the sentences, in the order in which the quantities were met. */
    const std::vector<std::string>& GetWarnings() const;

  private:
    DcnTrainedRanges m_ranges;           //!< of the model
    std::string m_method;                //!< name for standard error
    std::vector<std::size_t> m_warnedOf; //!< quantities that were warned of
    std::vector<std::string> m_warnings; //!< see GetWarnings
};

/**
 * @ingroup dcn
 * @brief Features of a configuration: ratios without units, so that a model holds for other rates
 * and path lengths.
 *
 * With a rate R and a base round-trip time T, bytes are divided by the bandwidth-delay product R T,
 * times by T, rates by R. Thresholds are those of a port of rate R.
 */
struct DcnNetworkRatios
{
    /**
     * @param network the configuration
     * @param rateBps R [bit/s]
     * @param rttNs T [ns]
     */
    DcnNetworkRatios(const DcnNetworkParameters& network, double rateBps, double rttNs);

    double bdpBytes;         //!< R T [bytes]
    double kMin;             //!< threshold / R T, also where nobody marks
    double kMax;             //!< likewise
    double packet;           //!< bytes of a full packet on the wire / R T
    double timelyLow;        //!< Tlow / T
    double timelyHigh;       //!< Thigh / T
    double hpccEta;          //!< HPCC's utilisation, as it is
    double additiveIncrease; //!< HPCC's / R
    double minRate;          //!< smallest rate of flows / R
};

} // namespace ns3

#endif /* DCN_TRAINED_RANGES_H */
