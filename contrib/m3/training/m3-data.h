/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_DATA_H
#define M3_DATA_H

#include "m3-example.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class DcnDatasetCollection;

/**
 * @ingroup m3
 * @brief Paths of data sets, split by workload into those for training, validation and test.
 */
struct M3Data
{
    /// Which paths are taken.
    struct Options
    {
        uint64_t pathsPerPath{3};     //!< drawn of a sample of the kind path, besides its own
        uint64_t pathsPerFabric{100}; //!< drawn of a sample of the kind fabric
        bool onlyTest{false};         //!< leave out all but the test, with flowSim as published
        bool allTest{false};          //!< with onlyTest: all is test, a data set of its own
        const M3FeatureSet* featureSet{&M3FeatureSet::Default()}; //!< of the features
    };

    /// One workload in so many is kept to validate with, another to test with.
    static constexpr uint64_t FOLD = 8;
    /// Of those, so many times as many paths are drawn of a fabric.
    static constexpr uint64_t MORE = 2;

    std::vector<M3Example> training;   //!< paths to learn from
    std::vector<M3Example> validation; //!< paths by which a model is chosen
    std::vector<M3Example> test;       //!< paths that decide nothing
    uint64_t nNetworks{0};             //!< networks among those

    /**
     * @brief Read data sets of dcn-dataset.
     *
     * Of validation and test, only the own paths of samples of the kind path are taken, and the
     * samples of the kind fabric are networks (M3Evaluation).
     *
     * @param sets the data sets
     * @param options which paths
     * @return them
     * @throws DcnError if there is nothing to learn from or to validate with, or, unless only
     * the test is wanted, the data sets are not of one known packet engine
     */
    static M3Data Read(DcnDatasetCollection& sets, const Options& options);
};

} // namespace ns3

#endif /* M3_DATA_H */
