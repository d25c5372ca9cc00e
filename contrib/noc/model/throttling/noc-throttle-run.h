/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_THROTTLE_RUN_H
#define NOC_THROTTLE_RUN_H

#include "ns3/noc-detector.h"
#include "ns3/noc-engine.h"
#include "ns3/noc-system.h"
#include "ns3/noc-throttle.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup noc
 * @brief The network in which overload lowers the throughput, and the length of its runs.
 *
 * Caches whose hits pass misses, small egress and transgress queues, cores with windows of hits and
 * misses; memory controllers at the two ends of the middle row.
 */
struct NocThrottleSetup
{
    static constexpr double MOST = 0.999; //!< requests per cycle: draws of gaps need less than 1
    static constexpr uint64_t RECORDED = 4000; //!< cycles of a run of Record

    uint32_t rows{6};         //!< of the mesh
    uint32_t columns{6};      //!< of the mesh
    uint32_t queues{4};       //!< egress and transgress
    uint32_t ingress{16};     //!< sinks
    uint32_t cacheList{40};   //!< requests in a cache slice
    uint32_t memoryPeriod{1}; //!< cycles per request of a controller
    uint32_t hitWindow{64};   //!< per core
    uint32_t missWindow{8};   //!< per core
    double burst{0};          //!< burst probability
    uint64_t cycles{100000};  //!< measured
    uint64_t warmUp{20000};   //!< before

    /**
     * @param hit hit rate
     * @param rate requests per cycle and core; above MOST: MOST
     * @return the network
     */
    NocSystem MakeSystem(double hit, double rate) const;

    /**
     * @brief Record runs without throttling, to learn a detector from or to score it.
     * @param rates of the runs
     * @param hit hit rate
     * @param seed of the first run; the others follow
     * @param delta Delta of the labels [cycles]
     * @param alpha of the features
     * @param threads runs at a time; 0: as many as cores
     * @return a run of RECORDED cycles by rate, labelled
     */
    NocLabelledRuns Record(const std::vector<double>& rates,
                           double hit,
                           uint64_t seed,
                           uint32_t delta,
                           double alpha,
                           uint32_t threads = 0) const;
};

/**
 * @ingroup noc
 * @brief A simulation of a network on chip under a policy of source throttling.
 *
 * Make and release runs in one thread, as they have ns-3 objects; Simulate may run in any.
 */
class NocThrottleRun
{
  public:
    /**
     * @param setup network and length
     * @param hit hit rate
     * @param phases requests per cycle and core by phase; phases have equal lengths
     * @param policy name of the policy (NocThrottleOptions::Read)
     * @param defaults of all that the name does not say
     * @param seed of the simulation
     */
    NocThrottleRun(const NocThrottleSetup& setup,
                   double hit,
                   const std::vector<double>& phases,
                   const std::string& policy,
                   const NocThrottleOptions& defaults,
                   uint64_t seed);

    /// Simulates the warm-up at the rate of the first phase, then all phases.
    void Simulate();

    /**
     * @return name and value, in the order of their columns: transactions_per_cycle;
     * memory_reads_per_cycle; miss_share, of the transactions; transaction_latency [cycles];
     * bytes_per_core_cycle; fairness and miss_fairness, Jain's index of the cores' transactions
     * and misses; slowest_core, its transactions over the mean; deflections_per_cycle
     */
    std::vector<std::pair<std::string, double>> GetMeasures() const;

  private:
    NocThrottleSetup m_setup;                //!< network and length
    std::vector<double> m_phases;            //!< rates
    NocSystem m_system;                      //!< the network
    std::unique_ptr<NocEngine> m_engine;     //!< of the network
    std::unique_ptr<NocThrottle> m_throttle; //!< the policy
};

/**
 * @ingroup noc
 * @brief Draw workloads of four phases with rates of 0.2, 0.5, 0.8 and 1.
 * @param n number of workloads
 * @param seed of the draws
 * @return each workload's rates joined by slashes
 */
std::vector<std::string> NocDrawWorkloads(uint32_t n, uint64_t seed);

} // namespace ns3

#endif /* NOC_THROTTLE_RUN_H */
