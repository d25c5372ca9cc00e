/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TOPOLOGY_HELPER_H
#define DCN_TOPOLOGY_HELPER_H

#include "ns3/dcn-topology-builders.h"

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Makes the topologies that evaluations use; DcnBuildTopology for programs.
 */
class DcnTopologyHelper
{
  public:
    /**
     * @tparam Parameters DcnFabricParameters, DcnLeafSpineParameters, DcnFatTreeParameters,
     * DcnDumbbellParameters or DcnParkingLotParameters
     * @param parameters sizes, rates and delay
     * @return the topology
     * @throws DcnError that names the parameter if one is out of range
     */
    template <class Parameters>
    static Ptr<DcnTopology> Create(const Parameters& parameters)
    {
        return DcnBuildTopology(parameters);
    }
};

} // namespace ns3

#endif /* DCN_TOPOLOGY_HELPER_H */
