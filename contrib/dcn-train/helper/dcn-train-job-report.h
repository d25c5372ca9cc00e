/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_JOB_REPORT_H
#define DCN_TRAIN_JOB_REPORT_H

#include "dcn-train-cluster.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-train-report.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief What an operator asks of jobs: iteration times, how ranks spend them, tokens and FLOP per
 * second, bus bandwidths, and what failures and other jobs cost; as text, a table, a picture and a
 * page.
 */
class DcnTrainJobReport
{
  public:
    /// A run of a job on an engine.
    struct Row
    {
        DcnTrainJob job;                           //!< the job
        DcnTrainRunResult run;                     //!< its results
        std::optional<DcnTrainRunResult> alone;    //!< those of the job by itself
        std::optional<DcnTrainRunResult> noEvents; //!< those without link events

        /// @return tokens per second; 0: not known; NaN: no iteration is complete
        double GetTokensPerSecond() const;
        /// @return FLOP/s by the peak of its ranks, recomputation included; 0: not known
        double GetFlopUtilisation() const;
        /// @return exposed communication as a part of the duration
        double GetExposedPart() const;
        /// @return name for tables: "job", unless it has another one
        std::string GetName() const;
    };

    /**
     * @param topology the network
     * @param network its configuration
     * @param hostLatency of messages
     * @param isFluid no engine reads more of the configuration than the sizes of packets
     * @return lines of what the results rest on: rates and oversubscription, packets, and unless
     * isFluid control, windows and buffers
     */
    static std::vector<std::string> DescribeNetwork(const DcnTopology& topology,
                                                    const DcnNetworkParameters& network,
                                                    Time hostLatency,
                                                    bool isFluid);

    /**
     * @brief Add a run; rows of an engine follow each other.
     * @param row the run
     */
    void Add(Row row);

    /** @return rows so far. */
    const std::vector<Row>& GetRows() const;

    /** @return sentences of jobs that failures have stopped, with engine and job. */
    std::vector<std::string> GetStops() const;

    /**
     * @brief Print a line for each row from a position on: iteration times, alone, without events.
     * @param first the first row
     */
    void PrintJobs(std::size_t first) const;

    /**
     * @brief Print tokens and FLOP per second, exposed communication and time stalled by failures,
     * and the bus bandwidth of each kind of collective, as far as they are known.
     * @param row a row
     */
    static void PrintRow(const Row& row);

    /**
     * @brief Write jobs.csv and the picture times.png (doc/schema.rst).
     * @param folder of the files
     * @return names of the files
     */
    std::vector<std::string> Write(const std::string& folder) const;

    /**
     * @brief Write report.html: the rows, the picture, assumptions, and tables of the jobs.
     * @param folder of the file, and of the files of Write
     * @param tables CSV files of jobs that are in the folder
     * @param assumptions lines
     * @param command that made the results
     */
    void WriteHtml(const std::string& folder,
                   const std::vector<std::string>& tables,
                   const std::vector<std::string>& assumptions,
                   const std::string& command) const;

  private:
    /// Returns the head of jobs.csv.
    static std::vector<std::string> GetHead();
    /// Returns the cells of a row of jobs.csv.
    static std::vector<std::string> GetCells(const Row& row);

    std::vector<Row> m_rows; //!< in the order of Add
};

} // namespace ns3

#endif /* DCN_TRAIN_JOB_REPORT_H */
