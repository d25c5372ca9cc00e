/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_CORRECTION_H
#define MQL_CORRECTION_H

#include "mql-features.h"
#include "mql-tree.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Learned corrections of the model's waiting times: one regression tree per queue type.
 *
 *     W_MQL = max(0, W + S_ref T_type(features))                    (dissertation, section 4.3)
 *
 * where T_type was fitted to (W_sim - W) / S_ref (MqlTraining). A further tree corrects the 99th
 * percentile of round trips: its waiting is multiplied by 1 + T(features). Queue types without a
 * tree keep the model's waits.
 *
 * A tree cannot extrapolate. If a hop's 1 / (1 - utilisation), C2 of gaps or sizes, or bursts
 * exceed the trained range, or its number of flows does, by a factor of 2^x, the correction has the
 * weight 1 - x, and 0 for x >= 1: GetTrust.
 *
 * File: JSON with format, version, features and, by queue type, nodes as columns; doc/schema.rst.
 */
class MqlCorrection
{
  public:
    static constexpr uint64_t VERSION = 2; //!< version of the file; other versions are refused
    static constexpr const char* P99 = "roundTripP99"; //!< name of the tree of the percentile

    /**
     * @param nFeatures number of features that trees use: all, or the N_BASIC of Table 4.2
     */
    explicit MqlCorrection(std::size_t nFeatures = MqlFeatures::GetNames().size());

    /**
     * @brief Read a file.
     * @param path the file
     * @return the correction
     * @throws DcnError if it cannot be read, has another format or version, was made for other
     * features, its nodes form no tree, or it does not match the card.json beside it
     */
    static MqlCorrection Read(const std::string& path);

    /**
     * @brief Write a file; Read restores the correction exactly.
     * @param path the file, replaced when complete
     */
    void Write(const std::string& path) const;

    /**
     * @brief Set a tree.
     * @param name queue type (MqlQueueTypes::GetName) or P99
     * @param tree fitted to the features
     */
    void SetTree(const std::string& name, MqlTree tree);

    /**
     * @brief Set the trained ranges of the features.
     * @param lowest by feature; empty: hops are not checked
     * @param highest by feature; equally many
     * @param where prefix of the error sentence
     * @throws DcnError for a wrong number of values
     */
    void SetRange(std::vector<double> lowest,
                  std::vector<double> highest,
                  const std::string& where = "");

    /**
     * @param features features of a hop, as from MqlFeatures::Get
     * @param worst if not null: set to the feature farthest outside its range, if any
     * @return weight of the correction: 1 if the hop is inside the trained range
     */
    double GetTrust(const double* features, std::size_t* worst = nullptr) const;

    /**
     * @param feature of a hop
     * @return its trained range
     */
    std::pair<double, double> GetRange(std::size_t feature) const;

    /** @return trees by name. */
    const std::map<std::string, MqlTree>& GetTrees() const
    {
        return m_trees;
    }

    /** @return number of features that trees of queues use. */
    std::size_t GetNFeatures() const
    {
        return m_nFeatures;
    }

    /** @return path of the shipped correction. */
    static std::string GetDefaultPath();

    /**
     * @brief Get the correction that an option names.
     * @param name none; auto: the shipped correction, if it exists; otherwise a file
     * @param formula of the waiting times. Trees are fitted to the errors of AUTOMATIC: with any
     * other formula, auto means none
     * @return the correction; null: none
     * @throws DcnError as Read; for a file and another formula than AUTOMATIC
     */
    static std::shared_ptr<const MqlCorrection> Load(const std::string& name,
                                                     MqlFormula formula = MqlFormula::AUTOMATIC);

  private:
    std::size_t m_nFeatures;                //!< see GetNFeatures
    std::map<std::string, MqlTree> m_trees; //!< by name
    std::vector<double> m_lowest;           //!< by feature; empty: unknown
    std::vector<double> m_highest;          //!< by feature; empty: unknown
};

/**
 * @ingroup mql
 * @brief A solution with corrected waiting times.
 */
class MqlCorrectedSolution
{
  public:
    /**
     * @param network the network; must outlive this object
     * @param solution its solution; must outlive this object
     * @param correction must outlive this object; null: no correction
     */
    MqlCorrectedSolution(const MqlNetwork& network,
                         const MqlSolution& solution,
                         const MqlCorrection* correction);

    /**
     * @param hop a flow at a queue
     * @param trust if not null: set to the weight of the correction, 0 to 1
     * (MqlCorrection::GetTrust; 0 without a correction or a tree for the queue)
     * @return its waiting time [s]
     */
    double GetWait(const MqlHop& hop, double* trust = nullptr) const;

    /**
     * @param flow flow index
     * @return its one-way latency
     */
    MqlFlowLatency GetLatency(std::size_t flow) const;

    /**
     * @param flow index of a flow that has a partner
     * @return the latency there and back
     */
    MqlFlowLatency GetRoundTrip(std::size_t flow) const;

    /**
     * @param flow index of a flow
     * @param roundTrip its round trip (or latency, without a partner)
     * @return 99th percentile of it [s]
     */
    double GetP99(std::size_t flow, const MqlFlowLatency& roundTrip) const;

    /**
     * @param flow index of a flow
     * @param roundTrip its round trip (or latency, without a partner)
     * @return its description for the percentile's features
     */
    MqlRoundTrip Describe(std::size_t flow, const MqlFlowLatency& roundTrip) const;

    /**
     * @param trip a round trip
     * @return the waiting part of its percentile, which the tree multiplies [s]; at least 5 % of
     * the time on the wire, so that it is not 0 for flows that hardly wait
     */
    static double GetP99Wait(const MqlRoundTrip& trip);

    /** @return features of the hops. */
    const MqlFeatures& GetFeatures() const
    {
        return m_features;
    }

    /**
     * @brief Describe hops outside of the trained range.
     * @return a sentence with the feature farthest outside, and its range; empty if there is no
     * such hop
     */
    std::string DescribeUnknown() const;

  private:
    const MqlNetwork& m_network;         //!< the network
    const MqlSolution& m_solution;       //!< its solution
    const MqlCorrection* m_correction;   //!< null: none
    MqlFeatures m_features;              //!< of its hops
    std::vector<const MqlTree*> m_trees; //!< by queue type; null: none
    const MqlTree* m_p99{nullptr};       //!< tree of the percentile
};

} // namespace ns3

#endif /* MQL_CORRECTION_H */
