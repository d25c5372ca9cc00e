/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_RANGE_H
#define M4_RANGE_H

#include "m4-features.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief What a model has seen in training: smallest and largest value of what describes flows and
 * networks, by congestion control.
 *
 * Two kinds of values. Quantities are what the network is told (the static M4Features, without
 * units, and with them the rates and round-trip times that they are relative to): between the ends
 * of a range a model is trusted. Parameters that it is not told of (payload_bytes, dctcp_g, ...)
 * are part of what it has learned: for another value it gives the answer for that of the training.
 *
 * In a model's card, a section "range_dctcp" etc. for each congestion control that was trained on,
 * with a number where all values were the same, else a text "smallest:largest".
 */
class M4Range
{
  public:
    /// A range.
    struct Bounds
    {
        double low;  //!< smallest value
        double high; //!< largest value
    };

    /// Ranges of a congestion control by the name of the quantity or the key of the parameter.
    using Ranges = std::map<std::string, Bounds>;

    /// Nothing was seen.
    M4Range() = default;

    /**
     * @brief Read the ranges of a model.
     * @param model a model; if its card has no ranges (it was not trained), nothing was seen
     * @throws DcnError if they are malformed
     */
    explicit M4Range(const DcnModelFile& model);

    /**
     * @brief Widen the ranges to a scenario.
     * @param scenario what is trained on
     */
    void Add(const DcnScenario& scenario);

    /**
     * @brief Put the ranges into a model's card.
     * @param model the model
     */
    void Write(DcnModelFile& model) const;

    /** @return ranges by congestion control. */
    const std::map<std::string, Ranges>& GetRanges() const;

  private:
    std::map<std::string, Ranges> m_ranges; //!< see GetRanges
};

/**
 * @ingroup m4
 * @brief Compares what is simulated with what the model has seen, and warns on standard error, once
 * for each quantity and parameter.
 *
 * The ends of a range are seldom drawn in training: a twentieth of the width beyond them, of the
 * logarithm where it is the feature, is no warning.
 */
class M4RangeMonitor
{
  public:
    /**
     * @brief Warn of parameters that the model is not told of.
     * @param model the model; without ranges in its card nothing is ever said
     * @param network what is simulated
     * @throws DcnError if the model was not trained on its congestion control
     */
    M4RangeMonitor(const DcnModelFile& model, const DcnNetworkParameters& network);

    /**
     * @brief Warn of what is new about a flow.
     * @param flow a flow that starts
     */
    void Look(const M4FlowConstants& flow);

    /** @return what was said, without "m4: ". */
    const std::vector<std::string>& GetWarnings() const;

  private:
    /// A quantity, as it is compared.
    struct Guard
    {
        std::size_t quantity; //!< which
        double low;           //!< smallest feature that is no warning
        double high;          //!< largest
        M4Range::Bounds seen; //!< for the sentence
    };

    /// Says something.
    void Warn(const std::string& sentence);

    std::vector<Guard> m_guards;         //!< of quantities that were not warned of
    std::vector<std::string> m_warnings; //!< see GetWarnings
};

} // namespace ns3

#endif /* M4_RANGE_H */
