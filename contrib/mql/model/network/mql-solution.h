/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_SOLUTION_H
#define MQL_SOLUTION_H

#include "ns3/mql-traffic.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class MqlNetwork;

/**
 * @ingroup mql
 * @brief Formula of the waiting time of a flow at a queue.
 */
enum class MqlFormula : uint8_t
{
    AUTOMATIC,   //!< SUBTRACTIVE_DAMPED; GE_LINK for Poisson sources with random sizes or splitting
    GE_FLOW,     //!< maximum entropy, SCVs propagated per flow: the dissertation, corrected
    GE_LINK,     //!< maximum entropy, SCVs propagated per link, pooled over flows
    SUBTRACTIVE, //!< wait of all traffic at one queue less the wait at upstream links
    SUBTRACTIVE_DAMPED //!< SUBTRACTIVE, reduced where traffic of an upstream link splits
};

/**
 * @ingroup mql
 * @param name auto, ge-flow, ge-link, subtractive or damped
 * @return the formula
 * @throws DcnError for another name
 */
MqlFormula MqlParseFormula(const std::string& name);

/**
 * @ingroup mql
 * @param formula a formula
 * @return its name, as for MqlParseFormula
 */
const std::string& MqlGetFormulaName(MqlFormula formula);

/**
 * @ingroup mql
 * @brief Options of MqlSolve.
 */
struct MqlOptions
{
    MqlFormula formula{MqlFormula::AUTOMATIC}; //!< of MqlHop::wait
    uint32_t bufferPackets{128};               //!< waiting room of a queue; 0: infinite
    double tolerance{1e-9};   //!< cyclic routes: largest change of an SCV at the fixed point
    uint32_t maxSweeps{1000}; //!< cyclic routes: sweeps until giving up
    std::optional<double> similarity; //!< S_T: relative difference of similar queues; none: all
                                      //!< queues are evaluated
};

/**
 * @ingroup mql
 * @brief Results of the model for a flow at a queue, from which the correction's features are
 * computed.
 */
struct MqlHop
{
    MqlVisit visit;         //!< the queue
    double wait;            //!< W by the formula selected, finite buffer considered [s]
    double waitGeFlow;      //!< W by GE_FLOW [s]
    double waitGeLink;      //!< W by GE_LINK [s]
    double waitSubtractive; //!< W by SUBTRACTIVE [s]
    double waitDamped;      //!< W by SUBTRACTIVE_DAMPED [s]
    double service;         //!< S_i [s]
    double propagation;     //!< of the link [s]
    double rate;            //!< lambda_i f [packets/s]
    double rho;             //!< rho_i = lambda_i f S_i
    double rhoTotal;        //!< utilisation of the queue
    double rhoUpstream;     //!< utilisation of the upstream link; 0 at the first queue
    double upstreamShare; //!< p_l: share of the upstream link's packets that enter this queue; 1 at
                          //!< the first
    uint32_t nUpstream;   //!< upstream links that feed the queue; 0 at the first queue
    double c2a;           //!< C2a_i at this queue, propagated per flow
    double c2s;           //!< C2s_i
    double wireBytes;     //!< P_i [bytes]
    double meanBytes;     //!< rate-weighted mean packet size of the queue [bytes]
};

/**
 * @ingroup mql
 * @brief Results of the model for a queue, over all its traffic.
 */
struct MqlQueue
{
    double rate{0};            //!< lambda [packets/s]; 0: unused
    double rho{0};             //!< utilisation lambda S
    double service{0};         //!< S: mean service time [s]
    double c2a{1};             //!< SCV of gaps, merged per link
    double c2s{0};             //!< SCV of service times
    double c2d{1};             //!< SCV of departures
    double wait{0};            //!< mean waiting time by the formula selected [s]
    double waitGeFlow{0};      //!< by GE_FLOW [s]
    double waitGeLink{0};      //!< by GE_LINK [s]
    double waitSubtractive{0}; //!< by SUBTRACTIVE [s]
    double waitDamped{0};      //!< by SUBTRACTIVE_DAMPED [s]
    double occupancy{0};       //!< <n>: mean number of packets, the one in service included
    double loss{0};            //!< probability that a packet is lost; 0 for infinite buffers
    double variance{0};        //!< variance of the waiting time [s^2]
};

/**
 * @ingroup mql
 * @brief One-way latency of a flow: sums over its queues, weighted by fractions.
 */
struct MqlFlowLatency
{
    double wait{0};        //!< waiting [s]
    double service{0};     //!< store-and-forward [s]
    double propagation{0}; //!< of the links [s]
    double variance{0};    //!< of the waiting time, hops taken as independent [s^2]
    double idle{1};        //!< probability that a packet does not wait at all
    double delivered{1};   //!< probability that a packet is not lost

    /** @return mean one-way latency [s]. */
    double GetMean() const;

    /**
     * @param p probability in (0, 1)
     * @return quantile of the one-way latency [s]; approximation in doc/mql.rst
     */
    double GetQuantile(double p) const;

    /**
     * @param other another flow, taken as independent
     * @return the latency through both, e.g. data and its ACKs: the round trip
     */
    MqlFlowLatency Then(const MqlFlowLatency& other) const;
};

/**
 * @ingroup mql
 * @brief Averages over the queues of a tier.
 */
struct MqlTier
{
    std::string name;    //!< queue type, e.g. "edgeUp"
    uint32_t nQueues{0}; //!< queues with traffic
    double meanRho{0};   //!< mean utilisation over queues
    double maxRho{0};    //!< largest utilisation
    double wait{0};      //!< mean waiting time over packets [s]
    double maxWait{0};   //!< largest mean waiting time of a queue [s]
    double occupancy{0}; //!< mean <n> over queues
};

/**
 * @ingroup mql
 * @brief Answer of MqlSolve.
 *
 * Values per flow are computed on demand from values per pair and queue. The solution refers to its
 * network, which must outlive it.
 */
class MqlSolution
{
  public:
    /// Replaces the waiting time of a flow at a queue, e.g. by a learned correction.
    using WaitOf = std::function<double(const MqlHop&)>;

    /** @return the queues, by directed link index. */
    const std::vector<MqlQueue>& GetQueues() const&
    {
        return m_queues;
    }

    const std::vector<MqlQueue>& GetQueues() const&& =
        delete; //!< the vector would not outlive the solution

    /**
     * @param flow flow index
     * @return its one-way latency
     */
    MqlFlowLatency GetLatency(std::size_t flow) const;

    /**
     * @param flow flow index
     * @param waitOf returns the waiting time [s] at a hop, instead of MqlHop::wait
     * @return its one-way latency
     */
    MqlFlowLatency GetLatency(std::size_t flow, const WaitOf& waitOf) const;

    /**
     * @param flow index of a flow that has a partner
     * @return the latency there and back
     */
    MqlFlowLatency GetRoundTrip(std::size_t flow) const;

    /**
     * @param flow flow index
     * @param hops cleared and filled, in the order of MqlNetwork::GetVisits
     */
    void GetHops(std::size_t flow, std::vector<MqlHop>& hops) const;

    /** @return the tiers with traffic: up, across, down. */
    std::vector<MqlTier> GetTiers() const;

    /** @return the network. */
    const MqlNetwork& GetNetwork() const
    {
        return *m_network;
    }

    /** @return the formula of the waiting times, never AUTOMATIC. */
    MqlFormula GetFormula() const
    {
        return m_formula;
    }

    /**
     * @return evaluations of the waiting-time model: one per queue and per pair or, with
     * similarity, one per cluster of these. Algorithm 4 of the dissertation needs
     * MqlNetwork::GetNSplitVisits
     */
    uint64_t GetNModelCalls() const
    {
        return m_nModelCalls;
    }

    /** @return queues and pairs to evaluate, in all sweeps. */
    uint64_t GetNEvaluations() const
    {
        return m_nEvaluations;
    }

    /** @return sweeps over the links: 1 unless routes are cyclic. */
    uint32_t GetNSweeps() const
    {
        return m_nSweeps;
    }

  private:
    friend class MqlSolver;

    /// Results of a pair (upstream link, link).
    struct PairState
    {
        double waitSubtractive; //!< [s]
        double waitDamped;      //!< [s]
        double variance;        //!< of the waiting time [s^2]
        double idle;            //!< probability of no wait
        double share;           //!< p_l
    };

    /// Wait of a small packet behind a larger one of its upstream link.
    struct Gate
    {
        double wait;        //!< mean [s]
        double longest;     //!< difference of the service times [s]
        double probability; //!< probability of such a wait
    };

    MqlHop MakeHop(const MqlVisit& visit, std::size_t flow) const;
    double WaitAt(uint32_t pair, double fraction, const MqlFlow& flow) const;
    double VarianceAt(uint32_t pair, double fraction, const MqlFlow& flow, double wait) const;
    Gate GateAt(uint32_t pair, const MqlFlow& flow) const;
    double IdleAt(uint32_t pair, double fraction, const MqlFlow& flow) const;
    void AddSegment(uint32_t segment,
                    const MqlFlow& flow,
                    bool firstQueues,
                    bool otherQueues,
                    MqlFlowLatency& latency) const;
    void SumSegments();

    const MqlNetwork* m_network{nullptr}; //!< the network
    MqlFormula m_formula{};               //!< see GetFormula
    std::vector<MqlQueue> m_queues;       //!< by link
    std::vector<PairState> m_pairs;       //!< by pair
    std::vector<double> m_workload;       //!< per link: V of GE_FLOW [s]
    std::vector<double> m_burstPerRate;   //!< per link: (C2D - 1) / lambda of GE_FLOW
    /// Per shared segment: sums for a flow of 1 byte, without first queues.
    std::vector<MqlFlowLatency> m_segmentSums;
    std::vector<double> m_finite; //!< per link: wait of the finite queue / infinite one
    std::vector<double> m_shape;  //!< per link: variance / V^2 of its wait
    uint64_t m_nModelCalls{0};    //!< see GetNModelCalls
    uint64_t m_nEvaluations{0};   //!< see GetNEvaluations
    uint32_t m_nSweeps{1};        //!< see GetNSweeps
};

/**
 * @ingroup mql
 * @brief Counts and errors of the published similarity search.
 */
struct MqlGreedyReport
{
    uint64_t nVisits{0};      //!< (flow split, queue) visits: calls without similarity
    uint64_t nModelCalls{0};  //!< calls of the waiting-time model
    uint64_t nComparisons{0}; //!< comparisons with entries of the cache
    double meanError{0};      //!< mean over visits of |W / W without similarity - 1|
    double latencyError{0};   //!< mean over flows of |latency / latency without similarity - 1|
};

/**
 * @ingroup mql
 * @brief The dissertation's Algorithm 5: at each queue, each flow split is compared with the cached
 * ones in order, and takes the waiting time of the first whose lambda, rho, C2a and C2s differ by
 * at most S_T (relative); otherwise the model is called and the split is cached.
 *
 * Corrected where the printed algorithm cannot work: it compares n and W, which are results of the
 * call to be avoided; rates are never copied; queues downstream are fed on hits, too. SCVs and
 * waiting times are those of GE_FLOW. MqlOptions::similarity is the search that the model uses.
 *
 * @param solution any solution of the network
 * @param threshold S_T, at least 0
 * @return counts and errors
 */
MqlGreedyReport MqlGreedySimilarity(const MqlSolution& solution, double threshold);

} // namespace ns3

#endif /* MQL_SOLUTION_H */
