/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_VALIDATION_RUNNER_H
#define DCN_VALIDATION_RUNNER_H

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-result-store.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-task-farm.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

struct DcnValidationRow;

/**
 * @ingroup dcn
 * @brief Runs methods on the scenarios of a suite, in processes, and stores every result.
 *
 * A scenario is a task: its ground truth first, then the methods one after the other. Every answer
 * is stored in a DcnResultStore (results.db in the folder, doc/schema.rst) at once. A stopped run
 * therefore continues where it stopped, and only a method that is added later is computed: the
 * completion times of the ground truth are stored, too.
 *
 * Results do not depend on the number of processes and ranks, their order, or earlier runs, except
 * for the measured times of the methods. Other ranks than the root of the farm have the rows, but
 * neither folder nor store.
 */
class DcnValidationRunner
{
  public:
    /// Options of a run.
    struct Options
    {
        std::string folder;          //!< for the results
        std::string truth{"packet"}; //!< method with which the others are compared
        uint32_t truthSeeds{1}; //!< runs of the truth; with more than one, rows "<truth> (seed 2)"
        std::vector<std::string> methods; //!< for DcnEstimator::CreateByName; none twice
        uint64_t first{0};                //!< first scenario
        uint64_t last{0};                 //!< one past the last scenario
        DcnTaskFarm farm;                 //!< runs the scenarios; its root alone has the folder
    };

    /// Numbers of answers; ranks other than the root have none.
    struct Report
    {
        uint64_t computed{0}; //!< computed answers, the truth's included
        uint64_t kept{0};     //!< stored answers
    };

    /**
     * @param suite the scenarios
     * @param options see Options
     * @throws DcnError for a bad option, or if the folder belongs to other options or to dcn 0.1
     */
    DcnValidationRunner(const DcnScenarioSuite& suite, const Options& options);
    ~DcnValidationRunner();

    /**
     * @brief Compute what is missing.
     * @return what was done
     * @throws DcnError if a method cannot do a scenario; what was finished before stays
     */
    Report Run();

    /** @return rows of all answers but the truth's after Run, by scenario and method. */
    const std::vector<DcnValidationRow>& GetRows() const;

    /**
     * @brief Write validate.csv, validate-summary.csv and p99-error.png into the folder.
     * @return true if gnuplot has made the picture
     */
    bool Write() const;

    /**
     * @brief Print the errors of each method over all scenarios.
     * @param out output
     */
    void Print(std::ostream& out) const;

    /**
     * @brief Print the errors of the 99th percentile as in Parsimon's table 5: a line per
     * scenario, by load, congestion control and size.
     * @param out output
     */
    void PrintScenarios(std::ostream& out) const;

  private:
    /// Returns the key of a result: its kind, scenario, method and a digest of the method's model.
    std::string GetKey(const std::string& kind, uint64_t index, const std::string& method) const;
    /// Opens the store; refuses a folder of other options.
    void OpenStore();
    /// The work on a scenario, and the rows that it hands back to the root for the store.
    struct Task;
    /// Returns what is missing of a scenario.
    Task FindMissing(uint64_t index) const;
    /// Computes missing answers of a scenario, and hands back each as soon as it is there.
    void RunScenario(const Task& task, const DcnTaskFarm::Reply& reply) const;
    /// Runs the truth or takes its stored answer.
    DcnEstimate GetTruth(const Task& task,
                         const DcnSuiteScenario& drawn,
                         Ptr<const DcnScenario> scenario,
                         const DcnSuiteLoad& load,
                         const DcnTaskFarm::Reply& reply) const;
    /// Runs the truth on a repetition.
    DcnEstimate EstimateRepetition(Ptr<const DcnScenario> scenario, uint32_t repetition) const;
    /// Returns the rows of an answer as text.
    std::string MakeRows(const DcnSuiteScenario& drawn,
                         Ptr<const DcnScenario> scenario,
                         const DcnSuiteLoad& load,
                         const DcnEstimate& truth,
                         const DcnEstimate& estimate) const;
    /// Returns the options and methods, for the store and the farm.
    DcnResultStore::Experiment Describe() const;

    DcnScenarioSuite m_suite; //!< the scenarios
    Options m_options;        //!< what to run
    /// The methods; with more than one truth seed, after the others "<truth> (seed 2)" ...: the
    /// truth on a repetition of the scenario (DcnScenarioSuite::Repeat).
    std::vector<std::string> m_methods;
    uint64_t m_nMethods; //!< how many of them are no repetitions
    std::map<std::string, std::string>
        m_digests;                           //!< by method: of its code and the truth's, in keys
    std::unique_ptr<DcnResultStore> m_store; //!< of the results; null except at the root
    std::vector<DcnValidationRow> m_rows;    //!< see GetRows
};

} // namespace ns3

#endif /* DCN_VALIDATION_RUNNER_H */
