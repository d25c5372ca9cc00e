/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_EXPERIMENT_H
#define MQL_EXPERIMENT_H

#include "mql-evaluation.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

struct MqlTruthRun;

/**
 * @ingroup mql
 * @brief Options of the training of a correction.
 */
struct MqlExperimentOptions
{
    uint32_t maxDepth{12};    //!< splits on the way from the root of a tree to a leaf, at most
    uint32_t minLeafRows{5};  //!< merged rows in a leaf, at least
    uint32_t p99LeafRows{20}; //!< merged rows in a leaf of the percentile's tree, at least
    bool extraFeatures{true}; //!< all features; false: the eleven of Table 4.2
    double rowShare{1};       //!< random fraction of the rows used, in (0, 1]
    uint64_t seed{1};         //!< seed of the fraction
    uint32_t threads{1};      //!< threads; the correction does not depend on it
};

/**
 * @ingroup mql
 * @brief A folder of simulated configurations, divided into training and test.
 *
 * Grouped hold-out: a configuration is either for training or for the test as a whole.
 */
class MqlExperiment
{
  public:
    /// A configuration with its errors.
    struct Row
    {
        std::string path;                       //!< its folder
        std::shared_ptr<const MqlTruthRun> run; //!< configuration and origin of the simulation
        bool isHeldOut{false};                  //!< for the test, not for training
        std::unique_ptr<MqlCase> one;           //!< simulation and model
        MqlScore alone;                         //!< errors of the model
        MqlScore corrected;                     //!< errors with the correction
    };

    /**
     * @brief Find the configurations.
     * @param folder of configurations, from dcn-mql-truth
     * @param only configurations with one of these values are selected, as in "k=4,k=6"; empty: all
     * @param holdOut configurations with one of these values are held out for the test
     * @throws DcnError without configurations, or for an unknown key
     */
    MqlExperiment(const std::string& folder, const std::string& only, const std::string& holdOut);
    ~MqlExperiment();

    /**
     * @brief Read the simulations and solve the models.
     * @param step called with the number of configurations done so far
     */
    void Load(const std::function<void(uint64_t)>& step);

    /**
     * @brief Train on the configurations that are not held out.
     * @param options options of the training
     * @throws DcnError if no configuration has a value to be held out, or if simulations by one
     * engine come from different or unknown programs (MqlTruthDigest)
     */
    void Train(const MqlExperimentOptions& options);

    /** @param path of a correction, instead of Train */
    void ReadCorrection(const std::string& path);

    /**
     * @brief Compute the errors of all configurations; Train or ReadCorrection comes first.
     * @param threads number of threads
     */
    void Evaluate(uint32_t threads);

    /** @return the configurations, by name. */
    const std::vector<Row>& GetRows() const;

    /** @return rows of training before and after merging. */
    std::pair<uint64_t, uint64_t> GetNTrainingRows() const
    {
        return m_nRows;
    }

    /** @brief Print depth, leaves and the most important features of the trees. */
    void PrintImportances() const;

    /**
     * @brief Print mean errors by size, pattern and arrivals, by load, and all scores over all.
     * @param isHeldOut of the configurations held out, or of the others
     */
    void PrintTable(bool isHeldOut) const;

    /**
     * @param isHeldOut of the configurations held out, or of the others
     * @param member the score
     * @param isCorrected true: with the correction; false: of the model alone
     * @return its mean over configurations
     */
    double GetMean(bool isHeldOut, double MqlScore::*member, bool isCorrected) const;

    /**
     * @brief Write evaluation.csv with the errors of every configuration and, after Train,
     * correction.json and card.json (DcnModelCard); contents in doc/schema.rst.
     * @param folder of the files
     * @param command command line of the training
     */
    void Write(const std::string& folder, const std::string& command) const;

  private:
    /// Mean errors of round trips of similar configurations.
    struct Group
    {
        double n{0};         //!< configurations
        double alone{0};     //!< mean absolute relative error of the model
        double corrected{0}; //!< of the model with correction
        double noise{0};     //!< due to the simulation's standard errors
    };

    /// By size, pattern and arrivals, and by load.
    std::map<std::string, Group> GetGroups(bool isHeldOut) const;
    void RequireOneEngine() const;
    void WriteEvaluation(const std::string& path) const;
    void WriteCard(const std::string& command, const std::string& path) const;

    std::string m_folder;                        //!< see the constructor
    std::string m_holdOut;                       //!< see the constructor
    std::vector<Row> m_rows;                     //!< by name
    std::unique_ptr<MqlCorrection> m_correction; //!< trained or read
    MqlExperimentOptions m_options;              //!< of Train
    std::pair<uint64_t, uint64_t> m_nRows{0, 0}; //!< see GetNTrainingRows; 0: not trained
};

} // namespace ns3

#endif /* MQL_EXPERIMENT_H */
