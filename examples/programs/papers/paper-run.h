/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_RUN_H
#define PAPER_RUN_H

#include "paper-figure.h"

#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/dcn-validation-table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DcnFolderLock;

/// Results of a task, numbers by name.
using PaperNumbers = std::map<std::string, std::vector<double>>;

/**
 * @param numbers results of a task
 * @param name of some of them
 * @param index which of them
 * @return the number; NaN if there is none
 */
double PaperGet(const PaperNumbers& numbers, const std::string& name, std::size_t index = 0);

/**
 * @param numbers results of a task
 * @param name of a value, its lower and its upper limit
 * @param factor on all three, such as 100 for percent
 * @return the value with its interval
 */
PaperMeasured PaperGetMeasured(const PaperNumbers& numbers,
                               const std::string& name,
                               double factor = 1);

/// Some work with results of its own, done in a process of its own.
struct PaperTask
{
    std::string key;                     //!< all that the results depend on, besides the methods
    std::vector<std::string> methods;    //!< names for DcnEstimator::CreateByName; their digests
                                         //!< are part of the stored key
    std::function<PaperNumbers()> body;  //!< the work
};

/// How large the scenarios of a figure are.
enum class PaperScale : uint8_t
{
    SMALL,  //!< minutes for all figures, for tests
    MEDIUM, //!< the smallest that tells a method from its baseline (PaperFigure::compare)
    FULL    //!< as published, as far as that is possible
};

/**
 * @param name "small", "medium" or "full"
 * @return the scale
 * @throws DcnError for another name
 */
PaperScale PaperParseScale(const std::string& name);

/**
 * @brief Scale, folder and stored results of the computation of figures.
 *
 * Figures share runs: two figures that ask for the task of one key in one experiment compute it
 * once. A stopped run continues. Results depend neither on the number of processes nor on their
 * order, except for measured times.
 */
class PaperRun
{
  public:
    /// Options of the program.
    struct Options
    {
        PaperScale scale{PaperScale::SMALL}; //!< of the scenarios
        std::string folder;  //!< of all results
        std::string matrices; //!< folder of rack-matrix-{a,b,c}-32.csv; empty: generated ones
        DcnTaskFarm farm;     //!< does the tasks; its root alone has the stored results
    };

    /// By file or folder: results that were there before, and results asked for.
    using Stored = std::map<std::string, std::pair<uint64_t, uint64_t>>;

    /**
     * @brief Make and lock the folder.
     * @param options see Options
     * @throws DcnError if another run writes into the folder
     */
    explicit PaperRun(const Options& options);
    ~PaperRun();

    /** @return results that were asked for since the last call. */
    Stored TakeStored();

    /**
     * @return methods that were asked for since the last call, with their digests
     * (DcnEstimator::GetDigest): "digest@method" joined by blanks, one method for each digest
     */
    std::string TakeOrigin();

    /** @return whether the scale is full. */
    bool IsFull() const;

    /** @return the folder of all results. */
    const std::string& GetFolder() const;

    /**
     * @tparam T a type of numbers
     * @param small for the scale small
     * @param full for the scales medium and full
     * @return the one for this run
     */
    template <typename T>
    T Choose(T small, T full) const
    {
        return Choose(small, full, full);
    }

    /**
     * @tparam T a type of numbers
     * @param small for the scale small
     * @param medium for the scale medium
     * @param full for the scale full
     * @return the one for this run
     */
    template <typename T>
    T Choose(T small, T medium, T full) const
    {
        return m_options.scale == PaperScale::SMALL    ? small
               : m_options.scale == PaperScale::MEDIUM ? medium
                                                       : full;
    }

    /**
     * @param letter A, B or C: the matrix of a database, a web or a Hadoop cluster
     * @return the value of a recipe's key matrix on 2 x 16 racks: the published file, or a generator
     */
    std::string GetMatrix(char letter) const;

    /**
     * @param folder name of a folder inside that of all results; made if it is missing
     * @return its path
     */
    std::string MakeFolder(const std::string& folder) const;

    /**
     * @brief Do tasks that are not stored yet.
     * @param experiment name of the store; keys are unique in it
     * @param tasks the tasks
     * @return their results, by task, on all ranks
     */
    std::vector<PaperNumbers> Compute(const std::string& experiment,
                                      const std::vector<PaperTask>& tasks);

    /**
     * @brief Run methods on a suite (DcnValidationRunner), with the noise floor.
     * @param suite name of the suite
     * @param methods besides packet
     * @param n number of scenarios, from the first
     * @param packetHops size of a scenario; 0: the default of the suite
     * @param seed of the suite
     * @return the rows, on all ranks
     */
    std::vector<DcnValidationRow> Validate(const std::string& suite,
                                           const std::vector<std::string>& methods,
                                           uint64_t n,
                                           uint64_t packetHops,
                                           uint64_t seed = 1);

    /**
     * @param suite name of a suite
     * @param packetHops size of a scenario
     * @param seed of the suite
     * @return the suite that Validate runs
     */
    DcnScenarioSuite GetSuite(const std::string& suite,
                              uint64_t packetHops,
                              uint64_t seed = 1) const;

  private:
    /// @return the digest of a method, which TakeOrigin will have
    std::string GetDigest(const std::string& method);

    Options m_options;                     //!< see the constructor
    std::unique_ptr<DcnFolderLock> m_lock; //!< of the root, on the folder
    Stored m_stored;                       //!< see TakeStored
    std::map<std::string, std::string> m_digests; //!< by method, since the start
    std::map<std::string, std::string> m_origin; //!< by digest: the shortest method, see TakeOrigin
};

} // namespace ns3

#endif /* PAPER_RUN_H */
