/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_COLLECTION_H
#define DCN_DATASET_COLLECTION_H

#include "dcn-dataset-reader.h"

#include "ns3/dcn-model-file.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief The data sets that a model is trained or evaluated with, and their entries in its card.
 */
class DcnDatasetCollection
{
  public:
    /**
     * @brief Open the data sets, and print which files of their folders are not read.
     * @param folders of complete data sets, joined by commas
     * @throws DcnError if one is not complete or is named twice
     */
    explicit DcnDatasetCollection(const std::string& folders);

    /** @return number of data sets. */
    std::size_t GetN() const
    {
        return m_readers.size();
    }

    /**
     * @param number of a data set, in the order of the folders
     * @return its reader
     */
    DcnDatasetReader& Get(std::size_t number);
    /** @copydoc Get */
    const DcnDatasetReader& Get(std::size_t number) const;

    /**
     * @param number of a data set
     * @return the last part of its folder's path
     */
    std::string GetName(std::size_t number) const;

    /** @return the names of all, joined by commas. */
    std::string GetNames() const;

    /**
     * @brief Refuse to train with data sets of unknown or different packet engines
     * (DcnPacketEngineDigest). The engine of this program may differ from that of the data sets.
     * @throws DcnError that names the data sets and the remedy
     */
    void RequireOneEngine() const;

    /** @return the engine of the first data set; after RequireOneEngine, that of all data sets. */
    const std::string& GetEngineDigest() const;

    /**
     * @param number of a data set
     * @return 16 hexadecimal digits: hash of its options and files
     */
    std::string GetHash(std::size_t number) const;

    /**
     * @brief Add to a model's card, for each data set, its name, hash and samples, engine, release,
     * date, recipe, command, seeds and rules.
     * @param card the card
     */
    void Describe(DcnModelCard& card) const;

  private:
    std::vector<std::unique_ptr<DcnDatasetReader>> m_readers; //!< in the order of the folders
};

} // namespace ns3

#endif /* DCN_DATASET_COLLECTION_H */
