/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_CLUSTER_H
#define DCN_TRAIN_CLUSTER_H

#include "dcn-train-helper.h"

#include "ns3/dcn-flow.h"
#include "ns3/dcn-progress.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Chooses hosts for jobs that share a cluster: each host has ranks of one job.
 *
 * Rules, by which rank 0, 1, 2, ... of a job gets its host:
 *
 *     packed   the first free hosts
 *     spread   the first free host of each server in turn, or of each rack where hosts are servers
 *     random   free hosts in a random order
 *     A+B-C    given hosts, by position: "8-15+0" is 8, 9, ..., 15, 0
 */
class DcnTrainPlacement
{
  public:
    /**
     * @param groups server or rack of each host, by its position
     * @param seed of random orders
     */
    DcnTrainPlacement(const std::vector<uint32_t>& groups, uint64_t seed);

    /**
     * @param rule see above
     * @return hosts that the next job may have, by rank
     * @throws DcnError for another rule, and a given host that there is not, is taken or comes
     * twice
     */
    std::vector<uint32_t> Offer(const std::string& rule) const;

    /**
     * @brief Take hosts for a job.
     * @param hosts of an offer
     */
    void Take(const std::vector<uint32_t>& hosts);

  private:
    std::vector<uint32_t> m_groups; //!< by host
    std::vector<bool> m_isTaken;    //!< by host
    uint64_t m_seed;                //!< of random orders
    uint64_t m_nJobs{0};            //!< calls of Take: each random order is another one
};

/**
 * @ingroup dcn-train
 * @brief A job on a cluster.
 */
struct DcnTrainJob
{
    std::string name;                       //!< for results: letters, digits, '-', '_' and '.'
    Time start;                             //!< its arrival
    std::shared_ptr<DcnTrainSource> source; //!< its graph
    std::vector<uint32_t> hosts;            //!< position of the host of each rank
    double tokens{0};                       //!< of an iteration, for results; 0: not known
    double efficiency{0};                   //!< see DcnTrainWork
};

/**
 * @ingroup dcn-train
 * @brief Several jobs and other flows on one network.
 *
 *     DcnTrainCluster cluster;
 *     cluster.AddJob({"a", Seconds(0), graph, {0, 1, 2, 3}});
 *     cluster.AddJob({"b", MilliSeconds(2), other, {4, 5, 6, 7}});
 *     cluster.SetBackground(DcnWorkload::Generate(topology, spec).flows);
 *     cluster.Install(helper, network);
 *     cluster.Start();
 *     Simulator::Run();
 *     cluster.CheckFinished();
 *     std::cout << cluster.GetExecutor(1)->GetDuration() << std::endl;
 *
 * A job runs as DcnTrainExecutor says; jobs meet on links only. The run is over when all jobs are
 * finished or stopped by failures (SetLastLinkChange); flows that are on their way then are not
 * waited for.
 */
class DcnTrainCluster
{
  public:
    /// What has become of the background.
    struct Background
    {
        uint64_t nFlows{0};        //!< flows
        uint64_t bytes{0};         //!< payload of all
        uint64_t nFinished{0};     //!< flows that were complete when the jobs ended
        uint64_t finishedBytes{0}; //!< payload of those
        int64_t lastStartNs{0};    //!< start of the last flow [ns]
        double sumFctNs{0};        //!< completion times of finished flows, added up [ns]
    };

    ~DcnTrainCluster();
    DcnTrainCluster() = default;
    DcnTrainCluster(const DcnTrainCluster&) = delete;
    DcnTrainCluster& operator=(const DcnTrainCluster&) = delete;

    /**
     * @brief Add a job, before Install.
     * @param job the job
     * @throws DcnError for more ranks than hosts, and a host of another job
     */
    void AddJob(const DcnTrainJob& job);

    /**
     * @brief Set the flows beside the jobs, before Install.
     * @param flows by start; source and destination are node indices
     */
    void SetBackground(const std::vector<DcnFlow>& flows);

    /**
     * @brief Make the runs of all jobs; once.
     * @param helper makes executors
     * @param network carries all
     */
    void Install(const DcnTrainHelper& helper, Ptr<DcnFlowNetwork> network);

    /**
     * @brief Say when links change for the last time, after Install: jobs that wait for a host
     * after that are stopped (DcnTrainExecutor::SetLastLinkChange).
     * @param time simulation time
     */
    void SetLastLinkChange(Time time);

    /**
     * @brief Show progress on stderr (DcnProgress) by nodes that are finished, after Install. The
     * graphs are read once to count their nodes.
     * @param label begins the line, such as the name of the engine
     */
    void ShowProgress(const std::string& label);

    /** @brief Begin: jobs and flows start at their times, from now on. */
    void Start();

    /**
     * @brief Set what is done when all jobs are finished or stopped, such as Simulator::Stop.
     * @param finish called once
     */
    void SetFinishCallback(std::function<void()> finish);

    /**
     * @param job its number, in the order of AddJob
     * @return its run; after Install
     */
    Ptr<DcnTrainExecutor> GetExecutor(std::size_t job) const;

    /**
     * @brief Refuse a job that is neither finished nor stopped by a failure, after Simulator::Run;
     * see DcnTrainExecutor.
     */
    void CheckFinished() const;

    /** @return the background so far. */
    const Background& GetBackground() const;

    /** @brief Leave the network. */
    void Dispose();

  private:
    /// A flow is complete.
    void OnCompleted(uint64_t flow, Time time);
    /// A job is finished.
    void OnFinished();
    /// A node of a job is finished.
    void OnNodeFinished(uint32_t rank, uint32_t number, const DcnTrainNode& node, Time start);

    std::vector<DcnTrainJob> m_jobs;                  //!< see AddJob
    std::vector<DcnFlow> m_flows;                     //!< see SetBackground
    std::vector<Ptr<DcnTrainExecutor>> m_executors;   //!< by job
    Ptr<DcnFlowNetwork> m_network;                    //!< carries all; null before Install
    std::unordered_map<uint64_t, uint64_t> m_bytesOf; //!< by number of a flow under way
    std::function<void()> m_finish;                   //!< see SetFinishCallback
    std::unique_ptr<DcnProgress> m_progress;          //!< see ShowProgress; null: none is shown
    uint64_t m_nNodesDone{0};                         //!< nodes finished, for the progress
    std::size_t m_nFinished{0};                       //!< jobs
    Background m_background;                          //!< see GetBackground
};

} // namespace ns3

#endif /* DCN_TRAIN_CLUSTER_H */
