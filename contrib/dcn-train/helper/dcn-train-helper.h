/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_HELPER_H
#define DCN_TRAIN_HELPER_H

#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-train-executor.h"
#include "ns3/object-factory.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Puts a dependency graph onto a network, with an engine chosen by name.
 *
 *     auto graph = std::make_shared<DcnTrainGraph>(8);
 *     DcnTrainCollective collective;
 *     collective.bytes = 1'000'000;
 *     collective.AddTo(*graph, {0, 1, 2, 3, 4, 5, 6, 7});
 *     Ptr<DcnTrainExecutor> run = DcnTrainHelper("packet").Install(topology, graph);
 *     run->Start();
 *     Simulator::Run();
 *     std::cout << run->GetDuration() << std::endl;
 */
class DcnTrainHelper
{
  public:
    /**
     * @param engine packet, flowsim or m4, with attributes as in DcnFlowNetworkHelper
     * @throws DcnError as DcnFlowNetworkHelper
     */
    explicit DcnTrainHelper(const std::string& engine);

    /** @return the helper of the networks, for their configuration and attributes. */
    DcnFlowNetworkHelper& GetNetworkHelper();

    /**
     * @brief Set an attribute of the executors made from now on.
     * @param name of the attribute, such as Window
     * @param value of the attribute
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Make a network, and the run of a graph on its hosts: rank r is its r-th host.
     * @param topology the network
     * @param source the graph
     * @return the run, to be started
     * @throws DcnError if there are more ranks than hosts
     */
    Ptr<DcnTrainExecutor> Install(Ptr<const DcnTopology> topology,
                                  std::shared_ptr<DcnTrainSource> source) const;

    /**
     * @brief Make the run of a graph on a network that is there, beside its other traffic.
     * @param network the network
     * @param source the graph
     * @return the run, to be started
     * @throws DcnError if there are more ranks than hosts
     */
    Ptr<DcnTrainExecutor> InstallOn(Ptr<DcnFlowNetwork> network,
                                    std::shared_ptr<DcnTrainSource> source) const;

    /**
     * @brief Make the run of a graph on some hosts of a network that is there.
     * @param network the network
     * @param source the graph
     * @param hosts by rank: position of its host among those of the topology
     * @return the run, to be started
     * @throws DcnError if there are more ranks than hosts
     */
    Ptr<DcnTrainExecutor> InstallOn(Ptr<DcnFlowNetwork> network,
                                    std::shared_ptr<DcnTrainSource> source,
                                    const std::vector<uint32_t>& hosts) const;

  private:
    DcnFlowNetworkHelper m_networks; //!< makes networks
    ObjectFactory m_factory;         //!< makes executors
};

} // namespace ns3

#endif /* DCN_TRAIN_HELPER_H */
