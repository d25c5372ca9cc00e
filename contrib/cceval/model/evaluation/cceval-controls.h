/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_CONTROLS_H
#define CCEVAL_CONTROLS_H

#include "../statistics/cceval-control-variate.h"
#include "../statistics/cceval-pooled-quantile.h"
#include "../trials/cceval-metric.h"
#include "../trials/cceval-traffic.h"

#include "ns3/dcn-task-farm.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Control variates of trials: answers of cheap estimators for the same traffic, and
 * properties of the traffic.
 *
 * For a metric of trials: number of flows of its size class, their bytes, the two largest sizes
 * (which usually cause the tail) and the metric by each cheap estimator. For a pooled metric: the
 * completion times by each cheap estimator, see CcevalPooledQuantile::AddPreEstimate.
 */
class CcevalControls
{
  public:
    /// The controls of one trial.
    struct Row
    {
        std::vector<std::vector<double>> values; //!< by metric; for metrics of trials
        std::vector<std::vector<CcevalCycle>>
            preEstimates; //!< by metric and estimator; for pooled metrics
    };

    /**
     * @param traffic of the trials; must outlive this
     * @param network configuration of the network
     * @param metrics the metrics
     * @param estimators names of cheap estimators that answer for every flow, at least one
     * @param trim flows included
     * @throws DcnError for an unknown estimator
     */
    CcevalControls(const CcevalTraffic& traffic,
                   Ptr<const DcnNetworkConfig> network,
                   const std::vector<CcevalMetric>& metrics,
                   const std::vector<std::string>& estimators,
                   CcevalTrim trim);

    /**
     * @brief Estimate the means of the controls from additional traces, by cheap methods only.
     * @param traces their number, at least 2
     * @param farm computes them; all its ranks get the means
     * @param first number of the first trace
     */
    void Prepare(uint64_t traces, const DcnTaskFarm& farm, uint64_t first = 0);

    /**
     * @param trace traffic of a trial
     * @param run its number, for sentences
     * @param kind word for the trial in sentences, such as "trial"
     * @return its controls
     */
    Row Get(const CcevalTrace& trace, uint64_t run, const std::string& kind = "trial") const;

    /**
     * @param metric position of a metric of trials
     * @return the means of its controls
     */
    const CcevalControlMeans& GetMeans(std::size_t metric) const;

    /**
     * @brief Add the control variates to a pooled quantile.
     * @param metric position of a pooled metric
     * @param rows the controls of its trials
     * @param pooled the quantile
     */
    void AddTo(std::size_t metric,
               const std::vector<Row>& rows,
               CcevalPooledQuantile& pooled) const;

    /** @return processor time of Prepare, in all processes [s]. */
    double GetCpuSeconds() const;

  private:
    void ChooseLeast();
    std::string ComputeChunk(uint64_t first, uint64_t end) const;
    void TakeChunk(const std::string& bytes, std::vector<std::vector<std::vector<double>>>& rows);

    const CcevalTraffic& m_traffic;           //!< see the constructor
    Ptr<const DcnNetworkConfig> m_network;    //!< see the constructor
    std::vector<CcevalMetric> m_metrics;      //!< see the constructor
    std::vector<std::string> m_estimators;    //!< see the constructor
    CcevalTrim m_trim;                        //!< see the constructor
    std::vector<CcevalControlMeans> m_means;  //!< by metric
    std::vector<std::vector<double>> m_least; //!< by metric and estimator: smallest stored value
    std::vector<std::vector<std::vector<CcevalCycle>>> m_traces; //!< by metric, estimator, trace
    double m_cpuSeconds{0};                                      //!< see GetCpuSeconds
};

} // namespace ns3

#endif /* CCEVAL_CONTROLS_H */
