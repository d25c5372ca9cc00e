/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_NETWORK_QUANTITIES_H
#define DCN_NETWORK_QUANTITIES_H

#include "ns3/dcn-network-config.h"

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Features of a configuration: ratios without units, so that a model holds for other rates
 * and path lengths.
 *
 * With a rate R and a base round-trip time T, bytes are divided by the bandwidth-delay product R T,
 * times by T, rates by R. Thresholds are those of a port of rate R.
 */
struct DcnNetworkRatios
{
    /**
     * @param network the configuration
     * @param rateBps R [bit/s]
     * @param rttNs T [ns]
     */
    DcnNetworkRatios(const DcnNetworkParameters& network, double rateBps, double rttNs);

    double bdpBytes;         //!< R T [bytes]
    double kMin;             //!< threshold / R T, also where nobody marks
    double kMax;             //!< likewise
    double packet;           //!< bytes of a full packet on the wire / R T
    double timelyLow;        //!< Tlow / T
    double timelyHigh;       //!< Thigh / T
    double additiveIncrease; //!< HPCC's / R
    double minRate;          //!< smallest rate of flows / R
};

} // namespace ns3

#endif /* DCN_NETWORK_QUANTITIES_H */
