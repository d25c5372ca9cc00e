/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SHADOW_HELPER_H
#define DCN_SHADOW_HELPER_H

#include "dcn-scenario-helper.h"

#include "ns3/dcn-shadow.h"
#include "ns3/node-container.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Lets flow-level methods follow the applications of a simulation while it runs.
 *
 *     // ... nodes, links, Internet stack, addresses, routing tables, applications ...
 *     DcnShadowHelper helper({"flowsim", "m4"});
 *     Ptr<DcnShadow> shadow = helper.Install(nodes);
 *     shadow->TraceConnectWithoutContext("Completed", MakeCallback(&OnCompleted));
 *     Simulator::Run();
 *     shadow->Write("results"); // fct.csv, summary.csv, slowdown-cdf.png
 *
 * *Senders* are those that DcnScenarioHelper finds, by their attributes. A sender
 *
 * - over UDP is followed datagram by datagram: each is a flow from the instant at which it is sent
 *   to its arrival. A lost datagram does not complete;
 * - over TCP with a pace (OnOff) is followed message by message, by its trace source Tx;
 * - over TCP without a pace (BulkSend) is one flow of MaxBytes from its StartTime on.
 *
 * So senders with random on and off times and senders without an end are followed, too, unlike
 * BulkSend without MaxBytes. GetNotes has a sentence for each application that is not followed;
 * that application can announce its flows itself (DcnShadow::AddFlow).
 *
 * *Receivers* are applications with the trace source RxWithAddresses (PacketSink, UdpServer).
 */
class DcnShadowHelper
{
  public:
    /**
     * @param methods flowsim and m4, one or both, which may set attributes:
     * "flowsim:LinkEfficiency=0.95". The method packet can follow, too, but puts devices on the
     * nodes.
     * @throws DcnError for another name, or if the program is not linked with the module
     */
    explicit DcnShadowHelper(const std::vector<std::string>& methods);

    /**
     * @return finds the senders; its SetConfig gives the configuration of the methods, and its
     * SetSeed the paths where routing draws one for each packet
     */
    DcnScenarioHelper& GetReader();

    /**
     * @brief Follow the applications of nodes, which must be installed.
     * @param nodes all nodes of the network, those that forward included; those with one link are
     * hosts
     * @return the shadow
     * @throws DcnError as DcnTopology::FromNodes, DcnScenarioHelper::MakeConfig and
     * DcnFlowNetworkHelper::Install
     */
    Ptr<DcnShadow> Install(const NodeContainer& nodes);

    /**
     * @brief The same with the hosts given, for hosts with several links.
     * @param hosts nodes that start and end flows
     * @param switches nodes that forward
     * @return the shadow
     * @throws DcnError as above
     */
    Ptr<DcnShadow> Install(const NodeContainer& hosts, const NodeContainer& switches);

    /**
     * @return sentences on every sender that the latest shadow does not follow, on what the
     * configuration assumes, and on differences between the methods' followers and their estimates
     */
    const std::vector<std::string>& GetNotes() const;

  private:
    Ptr<DcnShadow> Install(Ptr<const DcnTopology> topology);
    /// Connects a shadow to a sender; returns the reason if it cannot be followed.
    static std::string Follow(DcnShadow& shadow, const DcnScenarioHelper::Source& source);

    std::vector<std::string> m_methods; //!< see the constructor
    DcnScenarioHelper m_reader;         //!< see GetReader
    std::vector<std::string> m_notes;   //!< see GetNotes
};

} // namespace ns3

#endif /* DCN_SHADOW_HELPER_H */
