/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_NETWORK_QUANTITIES_H
#define DCN_NETWORK_QUANTITIES_H

#include "ns3/dcn-network-config.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A configuration without units, for models that are to serve other rates and lengths.
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

/**
 * @ingroup dcn
 * @brief The parameters of a configuration (keys of network.csv) that are not among a model's
 * features: quantities of DcnTrainedRanges.
 *
 * A parameter counts where it has an effect: thresholds where switches mark, the base round-trip
 * time under HPCC, the buffer's shares with PFC, and Pmax between two thresholds; with Kmin = Kmax
 * it is 1, as every packet above them is marked.
 */
class DcnUntoldSettings
{
  public:
    /// A parameter.
    struct Setting
    {
        std::string key; //!< in network.csv
        bool isRate;     //!< in bit/s
    };

    /**
     * @param told key that the model's features tell of, beside those that every model is told:
     * windows, buffers, PFC, HPCC's eta, thresholds and what else is in DcnNetworkRatios
     */
    explicit DcnUntoldSettings(const std::string& told);

    /** @return all other parameters, of every congestion control. */
    const std::vector<Setting>& GetSettings() const;

    /**
     * @param network a configuration
     * @return values in the units of network.csv, DcnTrainedRanges::ABSENT if without effect
     */
    std::vector<double> GetValues(const DcnNetworkParameters& network) const;

  private:
    std::vector<Setting> m_settings; //!< see GetSettings
};

} // namespace ns3

#endif /* DCN_NETWORK_QUANTITIES_H */
