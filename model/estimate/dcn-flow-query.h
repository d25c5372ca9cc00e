/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_QUERY_H
#define DCN_FLOW_QUERY_H

#include "dcn-estimator.h"

#include "ns3/dcn-scenario.h"
#include "ns3/dcn-statistics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Ideal completion times of the samples of an estimate.
 *
 * A sample stands for flows of its size between its ends. Its completion time is its slowdown times
 * the ideal completion time of such a flow; where paths of one pair differ in their ideal times, the
 * mean over the scenario's flows of this size and pair.
 */
class DcnSampleIdeals
{
  public:
    /**
     * @param scenario the flows
     */
    explicit DcnSampleIdeals(const DcnScenario& scenario);

    /**
     * @param sample of an estimate of the scenario
     * @return ideal completion time [ns]
     * @throws DcnError if the scenario has no flow of this size and pair
     */
    double Get(const DcnEstimate::Sample& sample) const;

  private:
    using Key = std::tuple<uint32_t, uint32_t, uint64_t>; //!< source, destination, size

    std::vector<std::pair<Key, double>> m_ideals; //!< ascending; [ns]
};

/**
 * @ingroup dcn
 * @brief Asks any method for a quantile or the mean of some flows.
 *
 * Written as STATISTIC_QUANTITY[@CLASS][:from=PLACE][:to=PLACE], such as p99_slowdown,
 * mean_fct@>50KB and p99.9_fct@<10KB:from=rack0:to=host17:
 *
 * - STATISTIC: p50, p99, p99.9, ..., or mean;
 * - QUANTITY: fct, the completion time [us], or slowdown, that time over the ideal one;
 * - CLASS: all (default), <10KB, >10MB, 10-50KB, with the units B, KB, MB of 1, 1000 and 10^6
 *   bytes; the lower end belongs to the class;
 * - PLACE: hostN, N the number of a node, or rackN, N the number of a rack, from 0 on.
 *
 * Methods that answer with samples (DcnEstimate::samples) are asked for these, all others for the
 * times of the flows that finished.
 */
class DcnFlowQuery
{
  public:
    /// What is asked for, without ends.
    struct Statistic
    {
        bool isMean;            //!< mean in place of a quantile
        double probability;     //!< of the quantile
        bool isSlowdown;        //!< slowdown in place of the completion time
        DcnSizeClass sizeClass; //!< flows included
    };

    /**
     * @param text STATISTIC_QUANTITY[@CLASS]
     * @return the statistic; none for another text
     */
    static std::optional<Statistic> ParseStatistic(const std::string& text);

    /**
     * @param text the query
     * @param scenario it will be asked of
     * @throws DcnError for a malformed query, and if no flow of the scenario meets it
     */
    DcnFlowQuery(const std::string& text, const DcnScenario& scenario);

    /// An answer. The limits are the scatter of independent flows; the method's error is not in it.
    struct Answer
    {
        double value; //!< the quantile or the mean; NaN: no such flow finished, or has a sample
        double low;   //!< lower limit, 95 %; NaN for samples, which are no independent values
        double high;  //!< upper limit, 95 %
        uint64_t n;   //!< flows or samples that it rests on
    };

    /**
     * @brief Answer the query.
     *
     * Limits of a quantile are those at the levels p -+ 1.96 sqrt(p (1 - p) / n); those of a mean
     * are -+ 1.96 standard errors.
     *
     * @param scenario the flows
     * @param estimate answer of a method
     * @return the answer
     */
    Answer Ask(const DcnScenario& scenario, const DcnEstimate& estimate) const;

    /** @return the query as written. */
    const std::string& GetText() const;

    /** @return "us", or "" for slowdowns. */
    std::string GetUnit() const;

  private:
    /** @return whether flows between two hosts of this size are asked for. */
    bool Selects(uint32_t src, uint32_t dst, uint64_t sizeBytes) const;

    std::string m_text;              //!< as written
    Statistic m_statistic;           //!< what is asked for
    std::vector<bool> m_isSource;      //!< by node
    std::vector<bool> m_isDestination; //!< by node
};

} // namespace ns3

#endif /* DCN_FLOW_QUERY_H */
