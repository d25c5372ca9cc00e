/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_FEATURES_H
#define MQL_FEATURES_H

#include "../network/mql-network.h"

#include "ns3/mql-solution.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Features of a flow at a queue for the correction, computed from the model's solution.
 *
 * The eleven features of the dissertation's Table 4.2, and 17 more, such as the waiting times of
 * all formulas. All are dimensionless, so that a tree applies to any link rate and packet size:
 * rates are multiplied by S_ref and waiting times divided by it. S_ref = 8 b_ref / R, where b_ref
 * is the mean size of the packet of a random byte of the network's traffic (sum lambda b^2 / sum
 * lambda b).
 */
class MqlFeatures
{
  public:
    static constexpr std::size_t N_BASIC = 11; //!< features of Table 4.2, which come first

    /**
     * @param network the network; must outlive this object
     * @param solution its solution; must outlive this object
     */
    MqlFeatures(const MqlNetwork& network, const MqlSolution& solution);

    /** @return names of all features, in order. */
    static const std::vector<std::string>& GetNames();

    /**
     * @param wanted names of features, in their order
     * @return their positions in GetNames
     */
    static std::vector<std::size_t> Find(const std::vector<std::string>& wanted);

    /**
     * @param hop a flow at a queue
     * @param values set to the features, as many as GetNames
     */
    void Get(const MqlHop& hop, double* values) const;

    /**
     * @param link directed link index
     * @return S_ref of the link [s]
     */
    double GetScale(uint32_t link) const;

  private:
    /// Features of a pair (upstream link, link).
    struct PairFeatures
    {
        double share; //!< share of the queue's packets on this pair
        double burst; //!< excess of the sources' C2, thinned: sum a f (C2 - 1) / sum a
        double flows; //!< 1 / effective number of flows
    };

    /// Features of a queue.
    struct LinkFeatures
    {
        double scale{0}; //!< S_ref [s]
        double burst{0}; //!< as for pairs
        double pairs{0}; //!< 1 / effective number of pairs
        double flows{0}; //!< 1 / effective number of flows
    };

    const MqlNetwork& m_network;       //!< the network
    const MqlSolution& m_solution;     //!< its solution
    double m_bytes;                    //!< b_ref [bytes]
    std::vector<PairFeatures> m_pairs; //!< by pair
    std::vector<LinkFeatures> m_links; //!< by link
};

/**
 * @ingroup mql
 * @brief Properties of a round trip that determine its 99th percentile.
 */
struct MqlRoundTrip
{
    MqlFlowLatency there; //!< of the data, with corrected waiting times
    MqlFlowLatency both;  //!< of data and acknowledgements; equal to there without acknowledgements
    double quantile;      //!< of both, by MqlFlowLatency::GetQuantile [s]
    std::vector<MqlHop> hops;  //!< of the data
    std::vector<double> waits; //!< their corrected waiting times [s]

    /** @return position of the hop at which data wait longest. */
    std::size_t GetLongest() const;
};

/**
 * @ingroup mql
 * @brief Features of a round trip for the correction of its 99th percentile.
 *
 * Features of the round trip as a whole, and MqlFeatures of the hop at which data wait longest,
 * except rates, numbers of flows and derived quantities (C2 of a flow's share of a queue): these
 * change with the size of the network, while the distribution hardly does.
 */
class MqlRoundTripFeatures
{
  public:
    /** @return names of the features, in order. */
    static const std::vector<std::string>& GetNames();

    /**
     * @param trip the round trip
     * @param features of its hops
     * @param values set to the features, as many as GetNames
     */
    static void Get(const MqlRoundTrip& trip, const MqlFeatures& features, double* values);
};

} // namespace ns3

#endif /* MQL_FEATURES_H */
