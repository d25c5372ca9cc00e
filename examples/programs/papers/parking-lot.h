/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARKING_LOT_H
#define PARKING_LOT_H

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief A variant of the experiments on sources of error: appendix C of the Parsimon paper.
 *
 *     host 0 -- switch a -- switch b -- switch c -- host 6       all links 40 Gb/s, 1 us
 *               host 1      hosts 2, 3  hosts 4, 5
 *
 * Main traffic goes from 0 to 6, cross traffic from 1 to 2, from 3 to 4 and from 5 to 6, each at a
 * load of 25 %, so that three links carry 50 %. Main flows arrive as a Poisson process. Slowdowns
 * of the main traffic show three sources of error: waiting at the first link that is counted again
 * at each further one (no cross traffic), delays that are not independent (identical cross
 * traffic), and delays that a long flow has at several links at once (long main flows).
 */
struct ParkingLot
{
    static constexpr uint64_t CROSS_BYTES = 10'000; //!< size of a cross flow [bytes]

    std::string name;   //!< such as "short-cross"
    uint64_t mainBytes; //!< size of a main flow [bytes]
    bool hasCross;      //!< whether there is cross traffic
    bool isIdentical;   //!< whether the three sources of cross traffic send equal flows
    double sigma;       //!< shape of log-normal gaps of the cross traffic; 0: Poisson

    /** @return the variants of figures 14 to 16. */
    static const std::vector<ParkingLot>& GetAll();

    /**
     * @param nMain number of main flows, about
     * @param seed of the gaps
     * @return the flows
     */
    Ptr<const DcnScenario> Create(uint64_t nMain, uint64_t seed) const;

    /**
     * @param flow a flow of Create
     * @return whether it is a main flow
     */
    static bool IsMain(const DcnFlow& flow);
};

} // namespace ns3

#endif /* PARKING_LOT_H */
