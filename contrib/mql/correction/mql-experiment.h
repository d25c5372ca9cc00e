/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_EXPERIMENT_H
#define MQL_EXPERIMENT_H

#include "mql-training.h"
#include "ns3/mql-truth-files.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief A folder of simulated configurations, some to train on and some to test with.
 *
 * Grouped hold-out: a configuration is tested with as a whole or trained on as a whole.
 */
class MqlExperiment
{
  public:
    /// A configuration with what became of it.
    struct Row
    {
        std::string path;             //!< its folder
        MqlTruthOrigin origin;        //!< where the simulation comes from
        MqlTruthConfig config;        //!< the configuration
        bool isHeldOut{false};        //!< not trained on
        std::unique_ptr<MqlCase> one; //!< simulation and model
        MqlScore alone;               //!< errors of the model
        MqlScore corrected;           //!< errors with the correction
        MqlScore repeated;            //!< differences of a simulation with another seed, if any
    };

    /// Called with the number of configurations done so far.
    using Step = std::function<void(uint64_t)>;

    /**
     * @brief Find the configurations.
     * @param folder that dcn-mql-truth has written
     * @param only keep those alone that have one of these values, as in "k=4,k=6"; empty: all
     * @param holdOut those that have one of these values are not trained on
     * @throws DcnError if there is none, or for a key that configurations do not have
     */
    MqlExperiment(const std::string& folder, const std::string& only, const std::string& holdOut);

    /**
     * @brief Read the simulations and solve the models.
     * @param options how the models are made
     * @param step progress
     */
    void Load(const MqlCaseOptions& options, const Step& step);

    /**
     * @brief Train on the configurations that are not held out.
     * @param options how to train
     * @return the correction
     * @throws DcnError if values are named to hold out, but no configuration has one, or if
     * simulations of the same kind of engine are of different programs (MqlTruthDigest) or do not
     * say of which
     */
    MqlCorrection Train(const MqlTrainingOptions& options);

    /**
     * @brief Compute the errors of all configurations.
     * @param correction the correction
     * @param threads number of threads
     */
    void Evaluate(const MqlCorrection& correction, uint32_t threads);

    /**
     * @brief Compare configurations with simulations of the same traffic with another seed, as far
     * as there are some: no model can be closer on average than about 1 / sqrt(2) of that.
     * @param folder that dcn-mql-truth has written
     * @throws DcnError if there is none of any of the configurations
     */
    void Repeat(const std::string& folder);

    /** @return the configurations, by name. */
    const std::vector<Row>& GetRows() const;

    /** @return rows of training before and after merging. */
    std::pair<uint64_t, uint64_t> GetNTrainingRows() const;

    /**
     * @brief Print mean errors by size, pattern and arrivals, and of all.
     * @param isHeldOut of the configurations held out, or of the others
     * @param withLoad a line for each load
     */
    void PrintTable(bool isHeldOut, bool withLoad) const;

    /**
     * @brief Print mean errors of 99th percentiles, by all definitions of MqlScore, and of repeated
     * simulations.
     * @param isHeldOut of the configurations held out, or of the others
     */
    void PrintPercentiles(bool isHeldOut) const;

    /**
     * @param isHeldOut of the configurations held out, or of the others
     * @param member which score
     * @param isCorrected with the correction, or of the model alone
     * @return its mean over configurations
     */
    double GetMean(bool isHeldOut, double MqlScore::*member, bool isCorrected) const;

    /**
     * @brief Write the errors of every configuration; columns in doc/schema.rst.
     * @param path the file
     */
    void WriteEvaluation(const std::string& path) const;

    /**
     * @brief Write what the correction was trained on, where that comes from, and its errors, also
     * by size, pattern and arrivals, and by load (DcnModelCard).
     * @param correction the correction
     * @param options how it was trained
     * @param command that trained it
     * @param path the file
     */
    void WriteCard(const MqlCorrection& correction,
                   const MqlTrainingOptions& options,
                   const std::string& command,
                   const std::string& path) const;

  private:
    /// Refuses simulations of different programs, and of none that is known.
    void RequireOneEngine() const;

    std::string m_folder;                         //!< see the constructor
    std::string m_holdOut;                        //!< see the constructor
    std::vector<Row> m_rows;                      //!< by name
    std::pair<uint64_t, uint64_t> m_nRows{0, 0};  //!< see GetNTrainingRows
};

/**
 * @ingroup mql
 * @brief Print depth, leaves and the most important features of the trees of a correction.
 * @param correction the correction
 */
void MqlPrintImportances(const MqlCorrection& correction);

} // namespace ns3

#endif /* MQL_EXPERIMENT_H */
