/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_DATA_H
#define M3_DATA_H

#include "m3-example.h"

#include "ns3/dcn-dataset-conditions.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class DcnDatasetCollection;

/**
 * @ingroup m3
 * @brief Paths of data sets, split by workload into training, validation and test.
 */
struct M3Data
{
    /// Selection of paths.
    struct Options
    {
        uint64_t pathsPerPath{3}; //!< paths drawn from a sample of the kind path, besides its own
        uint64_t pathsPerFabric{100}; //!< paths drawn from a sample of the kind fabric
        bool onlyTest{false};         //!< omit training and validation; add flowSim as published
        bool allTest{false};          //!< with onlyTest: all samples are for the test
        const M3FeatureSet* featureSet{&M3FeatureSet::Default()}; //!< the feature set
        double share{1};      //!< of the workloads for training, spread evenly over a data set
        std::string leaveOut; //!< DcnDatasetSelection: samples that are in the test only
    };

    /// Of FOLD workloads, one is for validation and one for the test.
    static constexpr uint64_t FOLD = 8;
    /// Factor on the number of paths drawn from a fabric for validation or test.
    static constexpr uint64_t MORE = 2;

    std::vector<M3Example> training;   //!< paths for training
    std::vector<M3Example> validation; //!< paths that choose the model
    std::vector<M3Example> test;       //!< paths that influence no choice
    /// Conditions of the fabrics in validation and test; M3Example::network counts them from 1.
    std::vector<DcnDatasetConditions::Values> networks;

    /**
     * @brief Read data sets of dcn-dataset.
     *
     * Of path samples, validation and test contain only the path of the sample itself. Each fabric
     * sample is a network (M3Evaluation).
     *
     * @param sets the data sets
     * @param options see Options
     * @return the examples
     * @throws DcnError if no sample has a value that leaveOut names, without paths
     * for training or validation, or, unless onlyTest, if the data sets are not of one known packet
     * engine
     */
    static M3Data Read(DcnDatasetCollection& sets, const Options& options);
};

} // namespace ns3

#endif /* M3_DATA_H */
