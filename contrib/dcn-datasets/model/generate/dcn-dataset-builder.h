/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_BUILDER_H
#define DCN_DATASET_BUILDER_H

#include "ns3/dcn-collector.h"
#include "ns3/dcn-dataset-sample.h"
#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class DcnDatasetWriter;
struct DcnDatasetManifestRow;
struct DcnDatasetOptions;

/**
 * @ingroup dcn-dataset
 * @brief Makes a data set of a program's own simulations, such as ns-3's TCP on the user's nodes.
 *
 *     DcnDatasetBuilder data("own-data", "ns-3 TcpDctcp, leaf-spine");
 *     for (int i = 0; i < 20; ++i)
 *     {
 *         RngSeedManager::SetRun(data.GetNextSeed());
 *         // ... nodes, applications, DcnScenarioHelper, DcnCollector ...
 *         Simulator::Run();
 *         collector->Finish();
 *         data.Add(scenario, *collector);
 *         Simulator::Destroy();
 *     }
 *     data.Commit();
 *
 * The data set is of the kind fabric, which m4 and m3 are trained on (DcnDatasetReader reads it).
 * The values of samples/draw are NaN but the number of the workload, which is that of the sample,
 * and the buffer, for they were not drawn by a rule. Events are in samples whose collector has the
 * attribute RemainingBytes; m4 needs them. Queues of first packets that the collector does not know
 * are DcnDatasetSample::NEVER_THERE.
 */
class DcnDatasetBuilder
{
  public:
    /**
     * @param folder of the data set; made if it does not exist
     * @param engine names the simulation; models are not trained with data sets of different ones
     * together. Without commas and line ends
     * @param firstSeed seed of the first sample; the next ones follow
     * @param shardSize samples in a file, at least 1
     * @throws DcnError if the folder has a data set, the name is empty or has commas, or the module
     * was built without HDF5
     */
    DcnDatasetBuilder(const std::string& folder,
                      const std::string& engine,
                      uint64_t firstSeed = 1,
                      uint64_t shardSize = 20);

    /// Without Commit, no file remains.
    ~DcnDatasetBuilder();
    DcnDatasetBuilder(const DcnDatasetBuilder&) = delete;
    DcnDatasetBuilder& operator=(const DcnDatasetBuilder&) = delete;

    /** @return seed of the next sample, such as the run number of the next simulation. */
    uint64_t GetNextSeed() const;

    /**
     * @param scenario the flows
     * @param collector has watched all of them, and is at the end of the simulation (Finish)
     * @return a sample of the kind fabric; index and seed are 0
     * @throws DcnError if the collector has watched other flows, a flow did not start or was not
     * watched, or events were omitted
     */
    static DcnDatasetSample MakeSample(Ptr<const DcnScenario> scenario,
                                       const DcnCollector& collector);

    /**
     * @brief Add a simulation.
     * @param scenario see MakeSample
     * @param collector see MakeSample
     * @throws DcnError as MakeSample, or if a file cannot be written
     */
    void Add(Ptr<const DcnScenario> scenario, const DcnCollector& collector);

    /**
     * @brief Complete the data set.
     * @throws DcnError without samples, or if a file cannot be written
     */
    void Commit();

  private:
    void CloseShard();

    std::string m_folder;                          //!< of the data set
    uint64_t m_firstSeed;                          //!< see the constructor
    std::unique_ptr<DcnDatasetOptions> m_options;  //!< with the number of samples so far
    std::unique_ptr<DcnDatasetWriter> m_writer;    //!< of the latest shard; null: it is full
    uint64_t m_nFlows{0};                          //!< flows of the latest shard
    std::vector<DcnDatasetManifestRow> m_manifest; //!< complete shards
    bool m_isCommitted{false};                     //!< see Commit
};

} // namespace ns3

#endif /* DCN_DATASET_BUILDER_H */
