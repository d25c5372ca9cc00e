/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_VALIDATION_RUNNER_H
#define DCN_VALIDATION_RUNNER_H

#include "ns3/dcn-scenario-suite.h"
#include "dcn-validation-table.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-process-pool.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Runs methods on the scenarios of a suite, in processes, and keeps every result in a
 * folder.
 *
 * A scenario is a task: its truth first, then the methods one after the other. Every answer is
 * written to a file of its own as soon as it is there, so that a run that was stopped goes on where
 * it was, and a method that is added later is the only one that is computed: the completion times
 * of the truth are kept, too. Files in the folder (doc/schema.rst):
 *
 * - options.csv: all that the results depend on, and the truth;
 * - results/NNNNN-<method>.csv: the rows of validate.csv of a scenario and a method, the truth's,
 *   too;
 * - results/NNNNN-truth-fct.csv: the truth's completion times.
 *
 * Results do not depend on the number of processes, the order, or on what was there before, but for
 * the times that they took.
 */
class DcnValidationRunner
{
  public:
    /// What to run.
    struct Options
    {
        std::string folder;               //!< for the results
        std::string truth{"packet"};      //!< method with which the others are compared
        uint32_t truthSeeds{1};           //!< runs of the truth; more than 1: see GetMethods
        std::vector<std::string> methods; //!< for DcnEstimator::CreateByName; none twice
        uint64_t first{0};                //!< first scenario
        uint64_t last{0};                 //!< one past the last scenario
        uint32_t jobs{1};                 //!< processes at a time
        DcnRank rank;                     //!< scenario i is for the rank i modulo size
    };

    /// What was done.
    struct Report
    {
        uint64_t computed{0};               //!< answers, the truth's included
        uint64_t kept{0};                   //!< answers that were there
        uint64_t missing{0};                //!< answers that other ranks have not written yet
        std::vector<DcnValidationRow> rows; //!< of all answers but the truth's
    };

    /**
     * @param suite the scenarios
     * @param options what to run
     * @throws DcnError for a bad option, or if the folder is that of other options
     */
    DcnValidationRunner(const DcnScenarioSuite& suite, const Options& options);

    /**
     * @return the methods; with more than one truth seed, after the others "<truth> (seed 2)" ...:
     * the truth on a repetition of the scenario (DcnScenarioSuite::Repeat)
     */
    const std::vector<std::string>& GetMethods() const;

    /**
     * @brief Compute what is missing.
     * @return what was done
     * @throws DcnError if a method cannot do a scenario; what was finished before stays
     */
    Report Run();

  private:
    /// Whether there is a file.
    bool HasResult(uint64_t index, const std::string& method) const;
    /// Its name.
    std::string GetFile(uint64_t index, const std::string& method) const;
    /// Its name without folder.
    std::string GetTruthFile(uint64_t index) const;
    /// Refuses the folder of other options, or makes one.
    void CheckFolder() const;
    /// Computes what is missing of a scenario.
    void RunScenario(uint64_t index, const DcnTaskStep& step) const;
    /// Runs the truth or reads its answer.
    DcnEstimate GetTruth(const DcnSuiteScenario& drawn,
                         Ptr<const DcnScenario> scenario,
                         const DcnSuiteLoad& load,
                         const DcnTaskStep& step) const;
    /// Runs the truth on a repetition.
    DcnEstimate EstimateRepetition(Ptr<const DcnScenario> scenario, uint32_t repetition) const;
    /// Writes the rows of an answer.
    void Write(const DcnSuiteScenario& drawn,
               Ptr<const DcnScenario> scenario,
               const DcnSuiteLoad& load,
               const DcnEstimate& truth,
               const DcnEstimate& estimate) const;
    /// Returns all rows, in order of scenario and method.
    std::vector<DcnValidationRow> ReadRows() const;

    DcnScenarioSuite m_suite;           //!< the scenarios
    Options m_options;                  //!< what to run
    std::vector<std::string> m_methods; //!< see GetMethods
    uint64_t m_nMethods;                //!< how many of them are no repetitions
};

} // namespace ns3

#endif /* DCN_VALIDATION_RUNNER_H */
