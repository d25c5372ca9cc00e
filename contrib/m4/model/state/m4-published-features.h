/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_PUBLISHED_FEATURES_H
#define M4_PUBLISHED_FEATURES_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Features of the published network, raw as in the paper and its code (m4, sections 3.2 and
 * 3.4). The plug-in includes this header, which therefore includes no header of ns-3.
 */
struct M4PublishedFeatures
{
    /// Inputs of a flow.
    enum Flow : uint32_t
    {
        ELAPSED,     //!< time since the last event that affected it [us], 0 for a new flow
        LOG_SIZE,    //!< log2(1 + payload / 1000 B)
        HOPS,        //!< links of the path
        BUFFER,      //!< buffer of a switch [10 KB]
        WINDOW,      //!< window [KB]
        CC_DCTCP,    //!< 1 for that congestion control
        CC_DCQCN,    //!< 1 for that congestion control
        CC_HPCC,     //!< 1 for that congestion control
        CC_TIMELY,   //!< 1 for that congestion control
        DCTCP_K,     //!< marking threshold at 10 Gb/s [KB], 0 except with DCTCP
        DCQCN_K_MIN, //!< Kmin at 25 Gb/s [KB], 0 except with DCQCN
        DCQCN_K_MAX, //!< Kmax at 25 Gb/s [KB], 0 except with DCQCN
        HPCC_ETA,    //!< target utilisation, 0 except with HPCC
        HPCC_AI,     //!< additive increase [10 Mb/s], 0 except with HPCC
        TIMELY_LOW,  //!< Tlow [us], 0 except with TIMELY
        TIMELY_HIGH, //!< Thigh [us], 0 except with TIMELY
        END_FLOW
    };

    static constexpr uint32_t N_FLOW = END_FLOW; //!< inputs of a flow
    static constexpr uint32_t N_LINK = 1;        //!< a link: time since its last event [us]
    static constexpr uint32_t CONFIG = BUFFER;   //!< first input of the configuration
    static constexpr uint32_t N_CONFIG = END_FLOW - BUFFER; //!< inputs of the configuration, 13
    static constexpr uint32_t VERSION = 2; //!< version of this list, on the card of a model
};

} // namespace ns3

#endif /* M4_PUBLISHED_FEATURES_H */
