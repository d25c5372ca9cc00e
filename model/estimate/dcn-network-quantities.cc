/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-network-quantities.h"

#include "dcn-trained-ranges.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/// @return whether a parameter makes a difference with the others as they are
bool
HasEffect(const std::string& key, const DcnNetworkParameters& network)
{
    const std::string& control = network.congestionControl;
    return key == "ecn_pmax"          ? control == "dctcp" || control == "dcqcn"
           : key == "base_rtt_ns"     ? control == "hpcc"
           : key == "pfc_alpha_shift" ? network.pfc
                                      : true;
}

} // namespace

DcnNetworkRatios::DcnNetworkRatios(const DcnNetworkParameters& network,
                                   double rateBps,
                                   double rttNs)
    : bdpBytes(rateBps * rttNs / 8e9),
      packet(static_cast<double>(network.payloadBytes + DCN_HEADER_BYTES) / bdpBytes),
      timelyLow(static_cast<double>(network.timelyLow.GetNanoSeconds()) / rttNs),
      timelyHigh(static_cast<double>(network.timelyHigh.GetNanoSeconds()) / rttNs),
      additiveIncrease(static_cast<double>(network.hpccAdditiveIncrease.GetBitRate()) / rateBps),
      minRate(static_cast<double>(network.minRate.GetBitRate()) / rateBps)
{
    const double port = rateBps / static_cast<double>(network.ecnReferenceRate.GetBitRate());
    kMin = port * static_cast<double>(network.ecnKminBytes) / bdpBytes;
    kMax = port * static_cast<double>(network.ecnKmaxBytes) / bdpBytes;
}

DcnUntoldSettings::DcnUntoldSettings(const std::string& told)
{
    std::set<std::string> seen{told,
                               "cc",
                               "window_bytes",
                               "min_rate_bps",
                               "ecn_reference_rate_bps",
                               "ecn_kmin_bytes",
                               "ecn_kmax_bytes",
                               "buffer_bytes",
                               "pfc",
                               "timely_low_ns",
                               "timely_high_ns",
                               "hpcc_eta",
                               "hpcc_additive_increase_bps"};
    for (const std::string& control : DcnNetworkConfig::GetCongestionControls())
    {
        for (const auto& [key, text] : DcnNetworkConfig::Preset(control)->GetKeys())
        {
            if (seen.insert(key).second)
            {
                const bool isRate = key.size() > 4 && key.compare(key.size() - 4, 4, "_bps") == 0;
                m_settings.push_back({key, isRate});
            }
        }
    }
}

const std::vector<DcnUntoldSettings::Setting>&
DcnUntoldSettings::GetSettings() const
{
    return m_settings;
}

std::vector<double>
DcnUntoldSettings::GetValues(const DcnNetworkParameters& network) const
{
    Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    static_cast<DcnNetworkParameters&>(*config) = network;
    std::vector<double> values(m_settings.size(), DcnTrainedRanges::ABSENT);
    for (const auto& [key, text] : config->GetKeys())
    {
        const auto setting = std::find_if(m_settings.begin(),
                                          m_settings.end(),
                                          [&name = key](const auto& s) { return s.key == name; });
        if (setting == m_settings.end() || !HasEffect(key, network))
        {
            continue;
        }
        double& value = values[static_cast<std::size_t>(setting - m_settings.begin())];
        [[maybe_unused]] const bool isNumber = DcnParse(text, value);
        NS_ASSERT_MSG(isNumber, key << " is " << text);
        if (key == "ecn_pmax" && network.ecnKminBytes == network.ecnKmaxBytes)
        {
            value = 1;
        }
    }
    return values;
}

} // namespace ns3
