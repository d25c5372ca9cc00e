/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_PATH_H
#define DCN_FLOW_PATH_H

#include <cstdint>
#include <vector>

namespace ns3
{

class DcnEventTarget;
class DcnHostDevice;
class DcnSwitchDevice;

/**
 * @ingroup dcn-packet
 * @brief The devices on the path of a flow.
 */
struct DcnFlowPath
{
    DcnHostDevice* source{nullptr};  //!< transmitter of the source host
    DcnEventTarget* origin{nullptr}; //!< the same as a target of events, for skips
    DcnHostDevice* sink{nullptr};    //!< that of the destination host, for acknowledgements
    /// Egress ports of data, in order, and null; only null: the switches choose.
    std::vector<DcnSwitchDevice*> forward;
    std::vector<DcnSwitchDevice*> reverse; //!< those of acknowledgements, in order, and null
    int64_t rttNs{0};                      //!< round-trip time when it is empty [ns]
};

} // namespace ns3

#endif /* DCN_FLOW_PATH_H */
