/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_LAYER_SOLVER_H
#define NOC_LAYER_SOLVER_H

#include "../queue/noc-queue.h"
#include "noc-symmetry.h"

#include "ns3/noc-answer.h"
#include "ns3/noc-system.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup noc
/// @brief A stream of packets of a layer from node to node.
struct NocFlow
{
    static constexpr uint32_t MIXED = UINT32_MAX; //!< cause: bursts of all cores, mixed

    uint32_t source;      //!< node
    uint32_t destination; //!< node
    uint32_t cause;       //!< core whose bursts it has, or MIXED
    bool isCore;          //!< sent by the core of the source, else by its cache slice or controller
    double rate;          //!< offered packets per cycle
};

/// @ingroup noc
/// @brief Bursts of the cores of a system.
struct NocBursts
{
    std::vector<double> ahead; //!< g by core
    double mixedAhead{0};      //!< mean g over cores, by rate
    double rate{0};            //!< sum of the cores' rates
};

/**
 * @ingroup noc
 * @brief Solves one layer of a NocModel by one method: the fixed point of loads, waits, refusals
 * and losses. NocModel's page states the equations.
 *
 * Loads are sums over the streams on each lane; the variance v needs the streams of each source
 * and of each cause apart. By symmetry only streams of the first source (cause) of each class are
 * routed: with w members of its class, and |O| lanes of an orbit O,
 *
 *     rate on a lane of O            sum_s w_s / |O| sum_(l in O) X_s(l)
 *     sum over sources of X (1 - X)  sum_s w_s / |O| sum_(l in O) X_s(l) (1 - X_s(l))
 *
 * exactly, for each image of s puts on l the rate that s puts on an image of l. The chain of phases
 * is solved on one loop of each class.
 */
class NocLayerSolver
{
  public:
    static constexpr double THETA = 0.7;     //!< weight of the correlations of through traffic
    static constexpr double CIRCLING = 0.35; //!< largest share of a loop's slots that circle

    /**
     * @param system the system
     * @param symmetry of it
     * @param bursts of its cores
     * @param flows of the layer, at least one
     * @param layer the layer
     * @param method the model
     */
    NocLayerSolver(const NocSystem& system,
                   const NocSymmetry& symmetry,
                   const NocBursts& bursts,
                   const std::vector<NocFlow>& flows,
                   NocLayer layer,
                   NocMethod method);

    /**
     * @brief Iterate until nothing changes.
     * @param answer its iterations, convergence, binding resource and flags are updated
     * @return the answer of the layer
     */
    NocLayerAnswer Solve(NocAnswer& answer);

  private:
    /// Classes of packets at a lane, in the order of their priority.
    enum Class : uint8_t
    {
        TURNING,
        AGENT,
        CORE,
        N_CLASSES
    };

    /// Waits W at the lanes, by class.
    using Waits = std::array<std::vector<double>, N_CLASSES>;

    /// Arrivals at a sink.
    struct Way
    {
        double rate{0};     //!< packets per cycle
        double variance{0}; //!< v
    };

    /// Positions of a node on one loop.
    struct Stop
    {
        uint32_t loop;                   //!< the loop
        std::vector<uint32_t> positions; //!< lanes, in the order of the loop
    };

    /// Packets that are refused at a node: for its sink, or to turn into one lane.
    struct Refused
    {
        uint32_t node;                       //!< where
        const std::vector<double>& arrivals; //!< packets per cycle that leave there, by lane
        double share;                        //!< of these arrivals that are meant
        double rate;                         //!< of those packets per cycle
        double overflow;                     //!< packets that circle, in the mean
    };

    void ClearFlows();
    void RouteFlows();
    void RouteFlow(const NocFlow& flow, uint32_t source, uint32_t cause);
    void AddVariances();
    void AddSinkVariances();
    double GetBursts(double rate, uint32_t core) const;
    double GetMixedBursts(double rate) const;
    void Spread();
    Waits GetWaits(bool withCircling, int sweeps);
    void SolveLoop(uint32_t loop, bool withCircling, Waits& waits);
    double GetAhead(int c, uint32_t lane) const;
    double GetService(uint32_t node) const;
    bool IsMemorySink(uint32_t node) const;
    double GetRefusal(double rate, double burst, double service, uint32_t room);
    void SolveSink(uint32_t node, std::vector<double>& circling);
    void SolveTurn(uint32_t lane, const Waits& waits, std::vector<double>& circling);
    double SolveLoss(uint32_t lane, const Waits& waits);
    double Deflect(const Refused& refused,
                   double& bounce,
                   double& between,
                   std::vector<double>& circling);
    void AddCircling(const Stop& stop,
                     const std::vector<double>& arrivals,
                     double share,
                     double bounce,
                     std::vector<double>& circling) const;
    void GetLatencies();
    void Bind(NocAnswer& answer);

    const NocSystem& m_system;              //!< the system
    const NocTopology& m_topology;          //!< of the system
    const NocSymmetry& m_symmetry;          //!< of the system
    const NocBursts& m_bursts;              //!< of its cores
    const std::vector<NocFlow>& m_flows;    //!< of the layer
    const NocLayer m_layer;                 //!< which
    const NocMethod m_method;               //!< the model
    const uint32_t m_n;                     //!< nodes
    const uint32_t m_nLanes;                //!< lanes
    std::vector<std::vector<Stop>> m_stops; //!< by node

    // loads, without packets that circle
    std::vector<double> m_through;                         //!< u by lane
    std::array<std::vector<double>, N_CLASSES> m_injected; //!< rate by class and lane
    /// v of the traffic before a class, and of all, by lane
    std::array<std::vector<double>, N_CLASSES + 1> m_variance;
    std::vector<double> m_turnExtra; //!< e / (2 x): meeting of turning streams, by lane
    std::vector<double> m_ahead;     //!< g of the core's class, by lane
    std::vector<double> m_exits;     //!< packets that leave for the sink, by lane
    std::vector<double> m_turnExits; //!< packets that leave to turn, by lane
    std::vector<Way> m_sinks;        //!< arrivals by node

    // streams of the first source and cause of each class, by lane (node) and number of the class
    std::vector<uint32_t> m_firsts;                    //!< first node of each class
    std::vector<uint32_t> m_number;                    //!< by node: of its class if it is the first
    std::array<std::vector<float>, 2> m_sourceStreams; //!< X: through, turning
    std::array<std::vector<float>, 3> m_causeStreams;  //!< Y: through, turning, agent
    std::array<std::vector<double>, 3> m_mixed; //!< rate of mixed bursts likewise, of all flows
    std::array<std::vector<double>, 2> m_own;   //!< of agent and core of a first source, by lane
    std::vector<float> m_sinkSources;           //!< X at sinks
    std::vector<float> m_sinkCauses;            //!< Y at sinks
    std::vector<double> m_sinkMixed;            //!< rate of mixed bursts at sinks
    std::vector<double> m_turns;                //!< rate by turn

    // the fixed point
    std::vector<double> m_loss;         //!< of the core's egress queues, by lane
    std::vector<double> m_turnBounce;   //!< refusals at transgress queues, by lane
    std::vector<double> m_turnOverflow; //!< extra latency at transgress queues, by lane
    std::vector<double> m_circling;     //!< packets per cycle that circle, by lane
    std::vector<NocThrough> m_outputs;  //!< slots behind each lane, for CHAIN
    double m_change{0};                 //!< largest one of the iteration
    /// NocRefusal of its arguments: equal ones in every iteration, and at sinks that are alike
    std::map<std::array<double, 4>, double> m_refusals;
    Waits m_loaded;          //!< with packets that circle
    Waits m_unloaded;        //!< without
    NocLayerAnswer m_answer; //!< of the layer
};

} // namespace ns3

#endif /* NOC_LAYER_SOLVER_H */
