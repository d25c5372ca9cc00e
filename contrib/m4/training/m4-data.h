/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_DATA_H
#define M4_DATA_H

#include "ns3/dcn-dataset-collection.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-trained-ranges.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief A packet-level simulation: scenario and ground truth, the labels of m4.
 */
struct M4GroundTruth
{
    static constexpr float UNKNOWN = -1; //!< unknown remaining fraction

    /// Remaining size of a flow at a time.
    struct Remaining
    {
        int64_t timeNs; //!< when [ns]
        float fraction; //!< remaining fraction of its payload at the receiver, 0 to 1
    };

    Ptr<const DcnScenario> scenario; //!< topology, flows, paths and configuration
    std::vector<int64_t> fctNs;      //!< completion time by flow [ns], -1: unfinished
    /// By flow: from its start to its end, in order of time; the vector may be empty.
    std::vector<std::vector<Remaining>> remaining;
    /// By flow and link of its path, one flow after the other: waiting bytes at the arrival of the
    /// flow's first packet, negative if unknown; may be empty as a whole.
    std::vector<int64_t> queueBytes;

    /**
     * @param flow flow index
     * @param timeNs a time [ns], not before its start
     * @return remaining fraction, interpolated linearly in time; UNKNOWN if unknown
     */
    float GetRemaining(uint32_t flow, int64_t timeNs) const;
};

/**
 * @ingroup m4
 * @brief Simulations of one or more data sets, for training and for validation.
 *
 * The last simulations of every data set are for validation, the others for training.
 */
class M4Data
{
  public:
    /**
     * @param folders folders of data sets of the kind fabric, joined by commas
     * @param validation simulations of each data set for validation, fewer than its size
     * @throws DcnError if a data set cannot be read or is of another kind
     */
    M4Data(const std::string& folders, uint32_t validation);

    /** @return simulations for training. */
    uint64_t GetNTraining() const;

    /** @return simulations for validation. */
    uint64_t GetNValidation() const;

    /**
     * @param index number of a simulation for training
     * @return the simulation
     */
    std::shared_ptr<const M4GroundTruth> ReadTraining(uint64_t index);

    /**
     * @param index number of a simulation for validation
     * @return the simulation
     */
    std::shared_ptr<const M4GroundTruth> ReadValidation(uint64_t index);

    /**
     * @brief Read all simulations for training, once.
     * @param onSample called after each; may be null
     * @param from model that a training begins with, whose ranges are included; may be null
     * @return their ranges (M4RangeFeatures)
     */
    DcnTrainedRanges ReadRange(const std::function<void()>& onSample = nullptr,
                               const DcnModelFile* from = nullptr);

    /** @return the data sets. */
    const DcnDatasetCollection& GetSets() const;

    /** @return hash of all simulations and their division into training and validation, 16
     * hexadecimal digits. */
    std::string GetHash() const;

  private:
    /// Reads a simulation.
    std::shared_ptr<const M4GroundTruth> Read(std::pair<std::size_t, uint64_t> which);

    DcnDatasetCollection m_sets;                                //!< see GetSets
    std::vector<std::pair<std::size_t, uint64_t>> m_training;   //!< data set and sample
    std::vector<std::pair<std::size_t, uint64_t>> m_validation; //!< data set and sample
};

} // namespace ns3

#endif /* M4_DATA_H */
