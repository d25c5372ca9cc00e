/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKLOAD_MIX_H
#define WORKLOAD_MIX_H

#include "ns3/dcn-workload.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Flows of several workloads on one network.
 */
struct WorkloadMix
{
    std::vector<DcnFlow> flows;    //!< ordered by start; ids are 0, 1, 2, ... in this order
    std::vector<uint32_t> origins; //!< by flow: position of its workload
};

/**
 * @ingroup dcn
 * @brief Generate several workloads and merge their flows.
 *
 * Each workload has its own load, as if it were alone: the loads of the links add up.
 *
 * @param topology the network
 * @param specs the workloads, each with a seed of its own
 * @return the flows; of equal starts, those of an earlier workload come first
 * @throws DcnError as DcnWorkload::Generate
 */
WorkloadMix MixWorkloads(Ptr<const DcnTopology> topology,
                         const std::vector<DcnWorkloadSpec>& specs);

} // namespace ns3

#endif /* WORKLOAD_MIX_H */
