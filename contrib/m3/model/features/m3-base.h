/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_BASE_H
#define M3_BASE_H

#include "m3-feature-set.h"
#include "m3-fluid.h"

#include "ns3/dcn-scenario.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief The answers of methods without learning that the network of m3 corrects, flow by flow.
 *
 * Problem. A correction has less to learn if it starts from a good answer. Let C_i be the
 * completion time of flow i by the base, and T_i its ideal completion time (DcnIdealFct). The base
 * of the feature sets default and published is the fluid (M3Fluid), with
 *
 *     log slowdown   x_i = ln max(1, C_i / T_i).
 *
 * The base of the feature set links is clustered Parsimon (ParsimonRun): each link is simulated by
 * itself, with packets, queues and congestion control, and the delays of flow i at the links of its
 * path are added,
 *
 *     z_i = ln max(1, (T_i + sum over links h of the delay D_ih) / T_i).
 *
 * A fluid has no queues; link simulations have them, but not the correlation of a flow's delays at
 * several links, nor the feedback of one link on the traffic of another. With link simulations,
 * the network learns only these. They take the time of clustered Parsimon; a fluid takes a small
 * part of it. Features of the set links contain x as well as z.
 *
 * Several threads may create objects at a time.
 */
class M3Base
{
  public:
    /**
     * @param scenario the flows
     * @param featureSet says which base
     * @param nThreads threads of the link simulations; 0: as many as the machine has cores. Results
     * do not depend on it
     * @throws DcnError with link simulations as ParsimonRun, for instance if packets of a flow take
     * several paths
     */
    explicit M3Base(Ptr<const DcnScenario> scenario,
                    const M3FeatureSet& featureSet = M3FeatureSet::Default(),
                    uint32_t nThreads = 1);

    /**
     * @param featureSet says which base
     * @return digest of Parsimon if its link simulations are the base (DcnEstimator::GetDigest),
     * else empty
     */
    static std::string GetDigest(const M3FeatureSet& featureSet);

    /** @return the fluid simulation, which every feature set needs. */
    const M3Fluid& GetFluid() const
    {
        return m_fluid;
    }

    /** @return the feature set. */
    const M3FeatureSet& GetFeatureSet() const
    {
        return m_featureSet;
    }

    /**
     * @param flow flow index
     * @return x or z above
     */
    float GetLogSlowdown(std::size_t flow) const
    {
        return m_links.empty() ? m_fluid.GetLogSlowdown(flow) : m_links[flow];
    }

    /** @return what link simulations do not know of the network (ParsimonRun::DescribeBuffers). */
    const std::vector<std::string>& GetNotModelled() const
    {
        return m_notModelled;
    }

  private:
    const M3FeatureSet& m_featureSet; //!< says which base
    M3Fluid m_fluid;                  //!< the fluid
    std::vector<float> m_links;       //!< z by flow; empty without link simulations
    std::vector<std::string> m_notModelled; //!< see GetNotModelled
};

} // namespace ns3

#endif /* M3_BASE_H */
