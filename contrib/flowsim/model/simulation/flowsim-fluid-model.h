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
/// Options of the fluid model beside the rates of the links.
struct FlowsimOptions
{
    static constexpr double SMALLEST_EFFICIENCY = 1e-6; //!< For attributes, whose ranges are closed

    bool windowCap{false};    //!< The window limits the rate of a flow
    double linkEfficiency{1}; //!< Fraction of every link's rate available to flows, in (0, 1]

    /// @return options other than the default, such as ", window cap, link efficiency 0.9"
    std::string Describe() const;
};

/// @ingroup flowsim
/// A flow of a scenario as a fluid.
struct FlowsimFluid
{
    double bits{0};                            //!< Fluid to be served [bit]
    double cap{FlowsimMaxMinSolver::INFINITE}; //!< Largest rate [bit/s]
    double aloneNs{0};                         //!< Time of service when the flow is alone [ns]
    int64_t unloadedNs{0};                     //!< Completion time when the flow is alone [ns]
    int64_t idealNs{0};                        //!< unloadedNs without window cap [ns]: DcnIdealFct

    /**
     * @brief Returns the completion time: the unloaded one plus the delay by sharing.
     * @param durationNs time of service in the fluid simulation [ns]
     * @param startFraction its start after the whole nanosecond from which the completion time
     * counts, 0 to 1 [ns]
     * @return the completion time [ns], not below the unloaded one
     */
    int64_t GetFctNs(double durationNs, double startFraction = 0) const;
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
 * @brief Converts a flow to a fluid, and its time of service to a completion time.
 *
 * A flow of s bytes in n packets is a fluid of B = 8 (s + n H) bits, with H (48 by default)
 * header bytes per packet. It crosses the links of its path at e times their wire rates, with e
 * the link efficiency (the rest may stand for acknowledgements). Its rate is limited by the
 * sender's largest rate and, with the window cap, by its window W
 * (DcnNetworkParameters::GetWindowBytes): of K = ceil(W / M) packets of payload M in flight, K are
 * delivered per base round-trip time T (DcnBaseRttNs), so
 *
 *     cap = 8 K (M + H) / T      for flows of more than K packets,
 *
 * while shorter flows are sent at once. If D is the time of service of the fluid and A its time of
 * service alone, the completion time is
 *
 *     FCT = unloaded FCT + (D - A),
 *     unloaded FCT = ideal FCT + floor((n - 1) / K) max(0, T - K t),
 *
 * where t is the time of a packet at the bottleneck: a sender alone sends K packets back to back,
 * then waits for the acknowledgement of the first. The second term exists only with the window cap.
 * So a flow alone has slowdown 1 without the cap, and with it that of the packet engine.
 *
 * The ideal FCT of a transport with connections includes its opening (DcnIdealFct); windows that
 * grow and queues, as the method "flowsim" has them then, are in FlowsimWindowSimulation.
 *
 * The window counts payload, the cap counts wire bits. Acknowledgements have 60 bytes; the few
 * additional bytes of TIMELY and HPCC on data packets and acknowledgements are not counted.
 */
class FlowsimFluidModel
{
  public:
    /**
     * @brief Makes a model.
     * @param topology the network, which must outlive the model
     * @param network the configuration, which must outlive the model
     * @param options options of the model; DcnError if the efficiency is not in (0, 1]
     */
    FlowsimFluidModel(const DcnTopology& topology,
                      const DcnNetworkParameters& network,
                      const FlowsimOptions& options);

    /// @return capacity for flows of a link of some rate [bit/s]
    double GetCapacity(uint64_t rateBps) const;

    /// @return capacity of each link for flows [bit/s]
    std::vector<double> GetCapacities() const;

    /**
     * @brief Prefetches the links of a flow for GetFluid().
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

    /**
     * @param path links of a connection
     * @return 8 K (M + H) / T [bit/s], which bytes behind the first window do not exceed; infinity
     * without the window cap
     */
    double GetWindowCap(DcnPath path) const;

  private:
    bool HasWindowCap() const;             //!< Returns whether windows limit rates
    uint64_t GetWindowPackets(DcnPath path) const; //!< Returns K
    const DcnTopology& m_topology;         //!< The network
    const DcnNetworkParameters& m_network; //!< The configuration
    FlowsimOptions m_options;              //!< Options of the model
};

} // namespace ns3

#endif // FLOWSIM_FLUID_MODEL_H
