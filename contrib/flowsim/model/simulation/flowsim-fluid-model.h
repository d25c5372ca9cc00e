/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_FLUID_MODEL_H
#define FLOWSIM_FLUID_MODEL_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"
#include "ns3/flowsim-max-min-solver.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup flowsim
/// What the fluid simulation takes into account beyond the rates of the links.
struct FlowsimOptions
{
    static constexpr double SMALLEST_EFFICIENCY = 1e-6; //!< For attributes, whose ranges are closed

    bool windowCap{false};    //!< The window limits the rate of a flow
    double linkEfficiency{1}; //!< Part of every link's rate that flows can have, in (0, 1]

    /// @return what differs from the plain model, such as ", window cap, link efficiency 0.9"
    std::string Describe() const;
};

/// @ingroup flowsim
/// A flow of a scenario as a fluid.
struct FlowsimFluid
{
    double bits{0};                            //!< Fluid to be served [bit]
    double cap{FlowsimMaxMinSolver::INFINITE}; //!< Largest rate [bit/s]
    double aloneNs{0};                         //!< Time of service when it is alone [ns]
    int64_t unloadedNs{0};                     //!< Completion time when it is alone [ns]
    int64_t idealNs{0};                        //!< The same without window cap [ns]: DcnIdealFct

    /**
     * @brief Returns the completion time: the unloaded one plus the delay by sharing.
     * @param durationNs time of service in the fluid simulation [ns]
     * @return the completion time [ns], not below the unloaded one
     */
    int64_t GetFctNs(double durationNs) const;
};

/**
 * @ingroup flowsim
 * @brief Refuses a weight that is not between FlowsimMaxMinSolver::MIN_WEIGHT and MAX_WEIGHT.
 * @param flow id of the flow, for the sentence of the DcnError
 * @param weight the weight
 */
void FlowsimCheckWeight(uint64_t flow, double weight);

/**
 * @ingroup flowsim
 * @brief How a flow of a scenario becomes a fluid, and its time of service a completion time.
 *
 * A flow of size s with n packets is a fluid of B = 8 (s + n H) bits, H the 48 header bytes of a
 * packet, that crosses the links of its path at wire rates, e times those of the links with link
 * efficiency e (the rest goes to acknowledgements, say). Its rate is capped by the sender's largest
 * rate and, if asked for, by the window: of K = ceil(W / M) packets of payload M in flight, K are
 * delivered per base round-trip time T (DcnBaseRttNs), so
 *
 *     cap = 8 K (M + H) / T      for flows of more than K packets,
 *
 * shorter ones being sent at once. If D is the time that the fluid takes and A that which it would
 * take alone, the completion time is
 *
 *     FCT = unloaded FCT + (D - A),
 *     unloaded FCT = ideal FCT + floor((n - 1) / K) max(0, T - K t),
 *
 * where t is the time of a packet at the bottleneck: a sender alone sends K packets back to back,
 * then waits for the acknowledgement of the first. The second term is there only with the window
 * cap. So without it a flow alone has slowdown exactly 1, and with it that of the packet engine.
 *
 * The window counts payload, the cap wire bits. Acknowledgements have 60 bytes; the few bytes more
 * that TIMELY and HPCC put on data packets and acknowledgements are not counted.
 */
class FlowsimFluidModel
{
  public:
    /**
     * @brief Makes a model.
     * @param topology the network, which must outlive the model
     * @param network the configuration, which must outlive the model
     * @param options what is taken into account; DcnError if the efficiency is not in (0, 1]
     */
    FlowsimFluidModel(const DcnTopology& topology,
                      const DcnNetworkParameters& network,
                      const FlowsimOptions& options);

    /// @return what flows can have of each link [bit/s]
    std::vector<double> GetCapacities() const;

    /**
     * @brief Has the links of a flow brought into the cache, where GetFluid() will need them soon.
     * @param path its links
     */
    void Prefetch(DcnPath path) const;

    /**
     * @brief Returns a flow as a fluid.
     * @param path its links
     * @param sizeBytes its payload, > 0
     * @return the fluid
     */
    FlowsimFluid GetFluid(DcnPath path, uint64_t sizeBytes) const;

  private:
    const DcnTopology& m_topology;         //!< The network
    const DcnNetworkParameters& m_network; //!< The configuration
    FlowsimOptions m_options;              //!< What is taken into account
};

} // namespace ns3

#endif // FLOWSIM_FLUID_MODEL_H
