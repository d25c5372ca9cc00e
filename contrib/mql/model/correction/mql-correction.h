/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_CORRECTION_H
#define MQL_CORRECTION_H

#include "mql-features.h"
#include "mql-tree.h"

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
 * where T_type was fitted to (W_sim - W) / S_ref (MqlTraining). A further tree
 * corrects the 99th percentile of round trips: its waiting is multiplied by 1 + T(features). Queue
 * types without a tree keep the model's waits.
 *
 * A tree cannot extrapolate. Where a hop's 1 / (1 - utilisation), C2 of gaps or sizes, or bursts
 * are above all that was trained on, or its flows are more in number, by a factor of 2^x, the
 * correction counts 1 - x, down to nothing for x >= 1: GetTrust.
 *
 * File: JSON with format, version, features and, by queue type, nodes as columns; doc/schema.rst.
 */
class MqlCorrection
{
  public:
    static constexpr uint64_t VERSION = 2;             //!< of the file; others are refused
    static constexpr const char* P99 = "roundTripP99"; //!< name of the tree of the percentile

    /**
     * @param nFeatures how many of the features trees use: all, or the N_BASIC of Table 4.2
     */
    explicit MqlCorrection(std::size_t nFeatures = MqlFeatures::GetNames().size());

    /**
     * @brief Read a file.
     * @param path the file
     * @return the correction
     * @throws DcnError if it cannot be read, is of another format or version, was made for other
     * features, has nodes that are no tree, or is not the correction of the card.json beside it
     */
    static MqlCorrection Read(const std::string& path);

    /**
     * @brief Write a file, from which it reads back bit by bit.
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
     * @brief Set between which values features were trained on.
     * @param lowest by feature; empty: hops are not checked
     * @param highest by feature; as many
     * @param where prefix of the error sentence
     * @throws DcnError for other numbers of values
     */
    void SetRange(std::vector<double> lowest,
                  std::vector<double> highest,
                  const std::string& where = "");

    /**
     * @param features of a hop, as MqlFeatures::Get sets them
     * @param worst if not null: set to the feature that is farthest outside, as long as one is
     * @return fraction of the correction that counts: 1 if the hop is inside of the training range
     */
    double GetTrust(const double* features, std::size_t* worst = nullptr) const;

    /**
     * @param feature of a hop
     * @return the values between which it was trained on
     */
    std::pair<double, double> GetRange(std::size_t feature) const;

    /** @return trees by name. */
    const std::map<std::string, MqlTree>& GetTrees() const
    {
        return m_trees;
    }

    /** @return how many of the features trees of queues use. */
    std::size_t GetNFeatures() const
    {
        return m_nFeatures;
    }

    /** @return path of the correction that ships with the project. */
    static std::string GetDefaultPath();

    /**
     * @brief The correction that an option names.
     * @param name none; auto: the one that ships, if it is there; else a file
     * @param formula that waiting times are computed by. Trees are fitted to the errors of
     * AUTOMATIC: with any other formula, auto is none
     * @return the correction; null: none
     * @throws DcnError as Read; for a file with another formula than AUTOMATIC
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
 * @brief A correction at work on a solution.
 */
class MqlCorrectedSolution
{
  public:
    /**
     * @param network the network; must outlive this object
     * @param solution its solution; must outlive this object
     * @param correction must outlive this object; null: the model alone
     */
    MqlCorrectedSolution(const MqlNetwork& network,
                         const MqlSolution& solution,
                         const MqlCorrection* correction);

    /**
     * @param hop a flow at a queue
     * @param trust if not null: set to how much of the correction counts there, 0 to 1
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
     * @return the waiting in its percentile that the tree multiplies [s]; at least 5 % of the time
     * on the wire, so that it is useful for flows that hardly wait
     */
    static double GetP99Wait(const MqlRoundTrip& trip);

    /** @return features of the hops. */
    const MqlFeatures& GetFeatures() const
    {
        return m_features;
    }

    /**
     * @brief Look for hops outside of the training range.
     * @return a sentence that names the feature that is farthest outside, and its range; empty if
     * there is no such hop
     */
    std::string DescribeUnknown() const;

  private:
    const MqlNetwork& m_network;         //!< the network
    const MqlSolution& m_solution;       //!< its solution
    const MqlCorrection* m_correction;   //!< null: none
    MqlFeatures m_features;              //!< of its hops
    std::vector<const MqlTree*> m_trees; //!< by queue type; null: none
    const MqlTree* m_p99{nullptr};       //!< of the percentile
};

} // namespace ns3

#endif /* MQL_CORRECTION_H */
