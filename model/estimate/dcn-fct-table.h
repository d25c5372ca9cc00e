/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FCT_TABLE_H
#define DCN_FCT_TABLE_H

#include "dcn-estimator.h"

#include "ns3/dcn-plot.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-statistics.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Completion times of the flows of one scenario, one column per method (fct.csv), and the
 * samples of methods that answer with these (samples.csv).
 */
class DcnFctTable
{
  public:
    /**
     * @param scenario the flows and their ideal completion times
     */
    explicit DcnFctTable(Ptr<const DcnScenario> scenario);

    /**
     * @brief Add the answer of a method.
     *
     * Errors refer to the first answer, if it is a ground truth (DcnEstimate::isGroundTruth). A
     * program may set that member for any method whose answer it takes for the truth.
     *
     * @param estimate the answer: completion times by flow index, or samples
     */
    void Add(const DcnEstimate& estimate);

    /** @return true if the first answer is a ground truth: without it there are no errors. */
    bool HasTruth() const;

    /**
     * @brief Set the cost of making the scenario; no method's times include it.
     * @param cost of topology, flows and routes
     */
    void SetScenarioCost(const DcnCost& cost);

    /**
     * @param method position of an answer
     * @return whether the errors of the answer are defined: false without a truth, for the truth
     * itself, for an answer that another method gave instead (DcnEstimate::IsOther), and for the method that answered
     * in place of the truth, whatever its attributes
     */
    bool HasError(std::size_t method) const;

    /** @return the answers added so far. */
    const std::vector<DcnEstimate>& GetEstimates() const;

    /** @return the flows. */
    Ptr<const DcnScenario> GetScenario() const;

    /** @return ideal completion time of each flow [ns], by flow index. */
    const std::vector<int64_t>& GetIdealNs() const;

    /**
     * @brief Slowdowns FCT / ideal of a size class: of the finished flows, each with weight 1, or
     * the samples of a method that answers with samples.
     * @param method position of the answer
     * @param sizeClass the flows to take
     * @return slowdowns with their weights, in flow order
     */
    std::vector<std::pair<double, double>> GetSlowdowns(std::size_t method,
                                                        const DcnSizeClass& sizeClass) const;

    /**
     * @brief Write two files, or three if a method answers with samples; all or none:
     *
     * - fct.csv: flow_id,src,dst,size_bytes,start_ns,path_hops,ideal_ns and <method>_fct_ns per
     *   method (nan where a flow did not finish). A method that answers with samples and has times
     *   of single flows, too, has them in <method>_expected_fct_ns: these are the best ones for
     * each flow, but their quantiles are not those of the method;
     * - samples.csv: method,src,dst,size_bytes,slowdown,weight, from which summary.csv has the
     *   quantiles of these methods (DcnWeightedQuantile);
     * - summary.csv: method,metric,size_class,value,truth,relative_error,answered_by,provenance
     *   (GetSummary; nan where the number is not defined).
     *
     * @param folder an existing folder
     */
    void Write(const std::string& folder) const;

    /// One row of summary.csv.
    struct SummaryRow
    {
        std::string method;       //!< name of the method
        std::string metric;       //!< see GetSummary
        std::string sizeClass;    //!< name of the size class
        double value;             //!< of the method
        double truth;             //!< of the ground truth; NaN if not defined
        double relativeError;     //!< see GetSummary; NaN if not defined, see HasError
        std::string answeredBy{}; //!< see DcnEstimate
        std::string provenance{}; //!< see DcnEstimate
    };

    /**
     * @param path a summary.csv
     * @return its rows, without provenance
     * @throws DcnError if it cannot be read
     */
    static std::vector<SummaryRow> ReadSummary(const std::string& path);

    /// Slowdowns of a method and a size class by the share of flows above them.
    struct Distribution
    {
        std::string method;    //!< name of the method
        std::string sizeClass; //!< name of the size class
        /// Shares (GetShares, as far as a flow is above) and slowdowns, by falling share.
        std::vector<std::pair<double, double>> points;
    };

    /** @return 1 and falling shares of flows, 20 to a power of ten, down to 0.0005. */
    static const std::vector<double>& GetShares();

    /** @return the distributions of all methods and size classes that have flows. */
    std::vector<Distribution> GetDistributions() const;

    /**
     * @brief Write distributions: method,size_class,share_above,slowdown.
     * @param path the file
     */
    void WriteDistributions(const std::string& path) const;

    /**
     * @param path a file of WriteDistributions
     * @return its distributions
     * @throws DcnError if it cannot be read
     */
    static std::vector<Distribution> ReadDistributions(const std::string& path);

    /**
     * @brief Summarise every answer, and compare it with the truth if there is one.
     *
     * The metrics p50_slowdown, p90_slowdown, p99_slowdown and mean_slowdown have two values, of
     * the method and of the truth. Each is over all flows that this method finished, or over its
     * samples with their weights (GetSlowdowns), whatever other methods finished. The relative
     * error is that of the same quantile over the flows that both finished; where one of the two
     * answers with samples, it is value / truth - 1.
     *
     * mean_abs_flow_error and p90_abs_flow_error are the mean and the 90th percentile of |slowdown /
     * true slowdown - 1| over the flows that both finished. Without a truth they have no rows. All
     * errors are NaN where HasError is false.
     *
     * wall_s and cpu_s are the elapsed and the processor time, jobs is DcnEstimate::jobs;
     * scenario_s and scenario_cpu_s are the times of SetScenarioCost, if it was called. Classes
     * without flows have no rows.
     *
     * @param classes the size classes to report
     * @return the rows, by method, size class and metric
     */
    std::vector<SummaryRow> GetSummary(
        const std::vector<DcnSizeClass>& classes = DcnSizeClasses()) const;

    /**
     * @param method position of an answer
     * @param classes the size classes to report
     * @return the rows of GetSummary of this method
     */
    std::vector<SummaryRow> GetSummaryOf(std::size_t method,
                                         const std::vector<DcnSizeClass>& classes) const;

    /**
     * @brief Plot the share of flows above a slowdown (the complementary distribution function)
     * for every method: a script <base>.plt and, if gnuplot can be run, the picture <base>.png.
     * @param base path without suffix
     * @param title of the picture; empty: number of flows, hosts and the congestion control
     * @return true if there is a picture
     */
    bool PlotSlowdowns(const std::string& base, const std::string& title = "") const;

    /**
     * @brief As PlotSlowdowns, with a panel for each class of sizes that has flows.
     * @param base path without suffix
     * @param title as for PlotSlowdowns
     * @return true if there is a picture; false, and nothing is written, with less than two classes
     */
    bool PlotSlowdownsBySize(const std::string& base, const std::string& title = "") const;

  private:
    /** @return numbers of flows and hosts, and the congestion control */
    std::string DescribeScenario() const;

    /**
     * @param title of the plot
     * @param sizeClass the flows to take
     * @return slowdowns of all methods
     */
    DcnCdfPlot MakePlot(const std::string& title, const DcnSizeClass& sizeClass) const;

    /// Adds the rows of a method and a class.
    void Summarise(std::size_t method,
                   const DcnSizeClass& sizeClass,
                   std::vector<SummaryRow>& rows) const;
    void WriteFcts(std::ostream& csv) const;    //!< fct.csv
    void WriteSamples(std::ostream& csv) const; //!< samples.csv
    void WriteSummary(std::ostream& csv) const; //!< summary.csv

    Ptr<const DcnScenario> m_scenario;     //!< the flows
    std::vector<int64_t> m_idealNs;        //!< by flow index
    std::vector<DcnEstimate> m_estimates;  //!< in the order of Add
    std::optional<DcnCost> m_scenarioCost; //!< see SetScenarioCost
};

} // namespace ns3

#endif /* DCN_FCT_TABLE_H */
