/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_DATA_H
#define M4_DATA_H

#include "ns3/dcn-dataset-collection.h"
#include "ns3/m4-range.h"
#include "m4-tape.h"

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
 * @brief Simulations of one or more data sets, some of which are kept for validation.
 *
 * The last simulations of every data set are those for validation, so that a data set that grows
 * has others, and none is ever on both sides.
 */
class M4Data
{
  public:
    /**
     * @param folders of data sets of the kind fabric, joined by commas
     * @param validation simulations of each that are kept for validation, fewer than there are
     * @throws DcnError if a data set cannot be read or is of another kind
     */
    M4Data(const std::string& folders, uint32_t validation);

    /** @return simulations to train on. */
    uint64_t GetNTraining() const;

    /** @return simulations for validation. */
    uint64_t GetNValidation() const;

    /**
     * @param index number of a simulation to train on
     * @return it
     */
    std::shared_ptr<const M4Truth> ReadTraining(uint64_t index);

    /**
     * @param index number of a simulation for validation
     * @return it
     */
    std::shared_ptr<const M4Truth> ReadValidation(uint64_t index);

    /**
     * @brief Read all simulations to train on, once.
     * @param onSample called after each; may be null
     * @return their ranges (M4Conditions)
     */
    DcnTrainedRanges ReadRange(const std::function<void()>& onSample = nullptr);

    /** @return the data sets. */
    const DcnDatasetCollection& GetSets() const;

    /** @return 16 hexadecimal digits: a hash of all that is trained on and validated with. */
    std::string GetHash() const;

  private:
    /// Reads a simulation; the first numbers of a data set are those to train on.
    std::shared_ptr<const M4Truth> Read(std::pair<std::size_t, uint64_t> which);

    DcnDatasetCollection m_sets;                                //!< see GetSets
    std::vector<std::pair<std::size_t, uint64_t>> m_training;   //!< data set and sample
    std::vector<std::pair<std::size_t, uint64_t>> m_validation; //!< data set and sample
};

} // namespace ns3

#endif /* M4_DATA_H */
