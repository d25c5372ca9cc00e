/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ESTIMATOR_HELPER_H
#define DCN_ESTIMATOR_HELPER_H

#include "dcn-flow-network-helper.h"
#include "dcn-scenario-helper.h"

#include "ns3/attribute.h"
#include "ns3/dcn-estimator.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Base of the helpers of methods: a factory of estimators with attributes.
 *
 *     ParsimonHelper parsimon;
 *     parsimon.SetAttribute("Threads", UintegerValue(2));
 *     DcnEstimate answer = parsimon.Estimate(nodes); // flows of the installed applications
 *     int64_t fct = parsimon.GetReader().GetSourceFctNs(answer)[0];
 *
 * Each estimate is made by a new estimator, so that calls do not depend on each other.
 */
class DcnEstimatorHelper
{
  public:
    /**
     * @param method name of the method, as DcnEstimator::CreateByName has it
     * @throws DcnError if no loaded module has the method
     */
    explicit DcnEstimatorHelper(const std::string& method);

    /**
     * @brief Set an attribute of the estimators made from now on.
     * @param name of the attribute
     * @param value of the attribute
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** @return a new estimator with these attributes. */
    Ptr<DcnEstimator> Create() const;

    /**
     * @brief Estimate the flows of a scenario.
     * @param scenario the scenario
     * @return completion times by flow index
     * @throws DcnError as DcnEstimator::Estimate
     */
    DcnEstimate Estimate(Ptr<const DcnScenario> scenario) const;

    /**
     * @brief Estimate the flows of the applications that are installed on nodes.
     *
     * Reads them by GetReader. What it could not read is in its notes, which are written to the
     * standard error stream, too.
     *
     * @param nodes all nodes of the network
     * @return completion times by flow index of the scenario that was read
     * @throws DcnError as DcnScenarioHelper::FromApplications and DcnEstimator::Estimate
     */
    DcnEstimate Estimate(const NodeContainer& nodes);

    /**
     * @brief The same with the hosts given, for hosts with several links.
     * @param hosts nodes that start and end flows
     * @param switches nodes that forward
     * @return completion times by flow index of the scenario that was read
     * @throws DcnError as above
     */
    DcnEstimate Estimate(const NodeContainer& hosts, const NodeContainer& switches);

    /** @return reads nodes; set its options before Estimate, ask for sources after it. */
    DcnScenarioHelper& GetReader();

  private:
    /// Writes the notes of the reader, and estimates what it has read.
    DcnEstimate EstimateRead(Ptr<const DcnScenario> scenario) const;

    ObjectFactory m_factory;    //!< of estimators
    DcnScenarioHelper m_reader; //!< see GetReader
};

/**
 * @ingroup dcn
 * @brief Base of the helpers of methods that applications can run on, too (DcnFlowNetwork).
 */
class DcnNetworkMethodHelper : public DcnEstimatorHelper
{
  public:
    /**
     * @param method name of the method
     * @throws DcnError if it has no flow network
     */
    explicit DcnNetworkMethodHelper(const std::string& method);

    /** @return makes flow networks: attributes, configuration, Install on nodes. */
    DcnFlowNetworkHelper& GetNetworkHelper();

    /**
     * @brief Make a network of nodes as they are wired.
     * @param nodes the nodes; those with one link are hosts
     * @return the network, to which applications add flows
     * @throws DcnError as DcnTopology::FromNodes
     */
    Ptr<DcnFlowNetwork> Install(const NodeContainer& nodes) const;

  private:
    DcnFlowNetworkHelper m_network; //!< see GetNetworkHelper
};

} // namespace ns3

#endif /* DCN_ESTIMATOR_HELPER_H */
