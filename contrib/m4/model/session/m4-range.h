/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_RANGE_H
#define M4_RANGE_H

#include "../state/m4-features.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-trained-ranges.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Quantities by which a flow and its network can differ from those of the training
 * (DcnTrainedRanges): the static M4Features, as ratios; the rates and round-trip times by which
 * these are divided; and the parameters of the configuration that are no features
 * (DcnUntoldSettings), rates as ratios to the sender's rate. The tolerance is 5 %.
 */
struct M4Conditions : DcnTrainedRanges::Conditions
{
    /** @return names and tolerances of the quantities. */
    static const DcnTrainedRanges::Quantities& GetQuantities();

    /**
     * @brief Widen ranges to the flows of a scenario.
     * @param scenario of the training
     * @param ranges of GetQuantities
     */
    static void Add(const DcnScenario& scenario, DcnTrainedRanges& ranges);
};

/**
 * @ingroup m4
 * @brief Computes the M4Conditions of flows in a network.
 */
class M4Settings
{
  public:
    /**
     * @param network the configuration, which must outlive this
     */
    explicit M4Settings(const DcnNetworkParameters& network);

    /** @return parameters that are no features and no rates; all others are absent. */
    M4Conditions Describe() const;

    /**
     * @param nLinks links of a flow's path
     * @param flow constants of the flow
     * @return quantities of the flow, and rates that are no features; all others are absent
     */
    M4Conditions Describe(std::size_t nLinks, const M4FlowConstants& flow) const;

  private:
    const DcnNetworkParameters& m_network; //!< the configuration
    std::vector<double> m_unmodelled;      //!< DcnUntoldSettings::GetValues
};

/**
 * @ingroup m4
 * @brief Compares simulated flows with the trained ranges of a model, and warns on standard error,
 * once for each quantity that is outside.
 */
class M4RangeMonitor
{
  public:
    /**
     * @brief Warn of parameters of the configuration, but for rates.
     * @param model the model; an untrained model has no ranges and never causes a warning
     * @param network the configuration, which must outlive this
     * @throws DcnError if the model was not trained on its congestion control
     */
    M4RangeMonitor(const DcnModelFile& model, const DcnNetworkParameters& network);

    /**
     * @brief Warn of quantities of a flow.
     * @param nLinks links of its path
     * @param flow its constants
     */
    void Check(std::size_t nLinks, const M4FlowConstants& flow);

    /** @return the warnings, without "m4: " and without the consequence. */
    const std::vector<std::string>& GetWarnings() const;

  private:
    /// Warns of quantities that are outside, unless it has done so before.
    void Warn(M4Conditions conditions);

    const M4Settings m_settings;         //!< of the configuration
    DcnTrainedRanges m_ranges;           //!< of the model
    std::vector<std::size_t> m_warned;   //!< quantities with a warning so far
    std::vector<std::string> m_warnings; //!< see GetWarnings
};

} // namespace ns3

#endif /* M4_RANGE_H */
