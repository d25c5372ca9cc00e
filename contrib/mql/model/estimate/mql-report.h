/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_REPORT_H
#define MQL_REPORT_H

#include "ns3/dcn-scenario.h"
#include "ns3/mql-solution.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class MqlCorrection;
class MqlNetwork;

/**
 * @ingroup mql
 * @brief Latency per flow and per queue of any topology and workload, in a few lines.
 *
 * @code
 * MqlReport mql(topology, MqlMakeTraffic(*topology, spec)); // or MqlReport mql(scenario)
 * mql.Solve();
 * mql.Print(std::cout, 10);                                 // tiers and the ten hottest queues
 * mql.WriteQueues("queues.csv");
 * mql.WriteFlows("flows.csv");
 * mql.PlotTiers("tiers");
 * @endcode
 */
class MqlReport
{
  public:
    /**
     * @brief Traffic with given moments, each flow on its ECMP path.
     * @param topology the network
     * @param flows the traffic
     * @param ecmpSeed of the hash
     */
    MqlReport(Ptr<const DcnTopology> topology, std::vector<MqlFlow> flows, uint64_t ecmpSeed = 1);

    /**
     * @brief Traffic with given moments on given paths.
     * @param topology the network
     * @param flows the traffic
     * @param paths path i is that of flow i
     */
    MqlReport(Ptr<const DcnTopology> topology,
              std::vector<MqlFlow> flows,
              const DcnPathTable& paths);

    /**
     * @brief Traffic with given moments, split evenly over all shortest paths.
     * @param flows the traffic
     * @param routing next links at each node, which share packets evenly
     */
    MqlReport(std::vector<MqlFlow> flows, const DcnRouting& routing);

    /**
     * @brief Moments measured from a list of transfers (MqlPathTraffic), on their paths.
     * @param scenario transfers, paths and configuration
     */
    explicit MqlReport(const DcnScenario& scenario);
    ~MqlReport();

    /** @return the topology. */
    const DcnTopology& GetTopology() const;

    /** @return number of flows, acknowledgements included. */
    std::size_t GetNFlows() const;

    /** @return number of queues with traffic. */
    std::size_t GetNQueues() const;

    /** @return (flow split, queue) visits: the model calls of the dissertation's Algorithm 4. */
    uint64_t GetNSplitVisits() const;

    /**
     * @brief Solve the model; the other functions write the latest answer.
     * @param options see MqlOptions
     * @return the answer
     */
    const MqlSolution& Solve(const MqlOptions& options = MqlOptions());

    /**
     * @brief Correct the latencies of flows in tables and files, but not the queues. Call Solve
     * first.
     * @param name none; auto: the shipped correction, with the formula auto only; or a file
     * @return true if a correction is in use
     * @throws DcnError for a file that cannot be read, or with another formula
     */
    bool SetCorrection(const std::string& name);

    /**
     * @return a sentence about hops outside the trained range of the correction; empty if there are
     * none
     */
    std::string DescribeUntrained() const;

    /** @return the latest answer; Solve comes first. */
    const MqlSolution& GetSolution() const
    {
        return m_solution;
    }

    /**
     * @return directed links with traffic by utilisation, the highest first (ties: by the longest
     * wait, then by the lowest index)
     */
    std::vector<uint32_t> GetHottest() const;

    /**
     * @brief Print a summary of latencies, the tiers and the hottest queues.
     * @param out output
     * @param nQueues number of queues
     */
    void Print(std::ostream& out, std::size_t nQueues) const;

    /**
     * @brief Write a row per queue with traffic, hottest first; columns in doc/schema.rst.
     * @param path the file
     */
    void WriteQueues(const std::string& path) const;

    /**
     * @brief Write a row per flow; columns in doc/schema.rst.
     * @param path the file
     */
    void WriteFlows(const std::string& path) const;

    /**
     * @brief Plot mean waiting times of the tiers: <base>.plt and, with gnuplot, <base>.png.
     * @param base path without suffix
     * @return true if gnuplot has made the picture
     */
    bool PlotTiers(const std::string& base) const;

  private:
    /// Latencies of all flows, corrected.
    std::vector<MqlFlowLatency> GetLatencies() const;

    std::shared_ptr<const MqlCorrection> m_correction; //!< null: none
    std::unique_ptr<MqlNetwork> m_network;             //!< the network; the answer refers to it
    MqlFormula m_formula{}; //!< of the latest answer, as given in the options
    MqlSolution m_solution; //!< latest answer
};

} // namespace ns3

#endif /* MQL_REPORT_H */
