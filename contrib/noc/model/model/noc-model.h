/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_MODEL_H
#define NOC_MODEL_H

#include "ns3/noc-answer.h"
#include "ns3/noc-system.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class NocSymmetry;
struct NocBursts;
struct NocFlow;

/**
 * @ingroup noc
 * @param name published, independent, closed or chain
 * @return the method
 * @throws DcnError for another name
 */
NocMethod NocGetMethod(const std::string& name);

/**
 * @ingroup noc
 * @param method a method
 * @return its name
 */
const char* NocGetMethodName(NocMethod method);

/**
 * @ingroup noc
 * @brief Analytical performance model of a NocSystem.
 *
 * **Problem.** Given routes, rates and bursts of all flows of each layer, capacities and services:
 * mean latency of each flow from generation to acceptance.
 *
 * **Lanes.** Traffic that passes a lane has priority, then packets that turn, then those of the
 * cache slice or controller, then those of the core. For a class of rate x with g packets ahead in
 * its own batch behind traffic of rate u and asymptotic variance v (noc-queue.h),
 *
 *     W = (g + u (1 + theta S)) / (1 - u - x),    S = (v / (u (1 - u)) - 1) / 2
 *     v = sum_s X_s (1 - X_s) + sum_c 2 g_c Y_c^2 / lambda_c
 *
 * X_s is the rate of source s in that traffic and Y_c that of packets which core c causes: requests
 * of c, and the answers that come back to it. theta = 1 is exact if nothing leaves on the way;
 * THETA = 0.7 (NocLayerSolver) stands for ejection, which makes correlations longer than the queue's memory. The
 * method independent takes S = 0.
 *
 * **Sinks.** With service T and arrivals of C2A = v / lambda the infinite queue has n packets in
 * the mean; of these (n - N)^+ circle on the loop. The tail of n is geometric, so that
 *
 *     extra latency = E[(n - N)^+] / lambda + (M_ret / 2) p_r / (1 - p_r)
 *
 * with the mean time M_ret between two attempts and the refusal p_r of the finite queue with
 * retries (NocRefusal). Attempts refused per cycle are lambda_d = E[(n - N)^+] / M_ret, at most
 * CIRCLING of a loop's slots at a time; they load the lanes between two attempts. Packets to such a
 * sink see waits without this load, for it is in the extra latency, unless more than a quarter of
 * the sinks deflects. Transgress queues are sinks of this kind.
 *
 * **Egress queues** of cores hold N packets: the loss is that of a chain with independent slots
 * that has the same mean wait, and rates are reduced by it.
 *
 * The iteration of loads, refusals and losses is damped by 1/2. Sources: dissertation, chapter 2,
 * with the corrections listed on the module's page.
 */
class NocModel
{
  public:
    static constexpr double MOST_LOST = 0.1;  //!< share of lost requests above which is saturation

    /**
     * @param system the system, which is checked
     * @param usesSymmetry false: all streams are routed (NocLayerSolver), for comparison
     * @throws DcnError if the system is none, or its cores have windows
     */
    explicit NocModel(const NocSystem& system, bool usesSymmetry = true);
    ~NocModel();

    /**
     * @param method the model
     * @return its answer
     */
    NocAnswer Solve(NocMethod method) const;

  private:
    void MakeFlows();
    void MakeSnoopFlows();

    NocSystem m_system;                        //!< the system
    std::unique_ptr<NocSymmetry> m_symmetry;   //!< of the system
    std::unique_ptr<NocBursts> m_bursts;       //!< of its cores
    std::vector<std::vector<NocFlow>> m_flows; //!< by layer
};

} // namespace ns3

#endif /* NOC_MODEL_H */
