/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/dcn-error.h"
#include "dcn-network-config.h"
#include "dcn-units.h"

#include <algorithm>

namespace ns3
{

Ptr<DcnNetworkConfig>
DcnNetworkConfig::Preset(const std::string& congestionControl,
                         uint64_t hostRateBps,
                         const std::string& preset)
{
    if (preset != "evaluation" && preset != "paper")
    {
        DcnFail("the preset \"", preset, "\" is not one of evaluation, paper");
    }
    Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    config->SetKey("cc", congestionControl);
    if (congestionControl == "dcqcn")
    {
        config->ecnKminBytes = 12000;
        config->ecnKmaxBytes = 30000;
        config->ecnPmax = 0.2;
    }
    if (preset == "paper")
    {
        config->SetPaperValues();
    }
    config->ackHighPriority = congestionControl == "dctcp" || congestionControl == "timely";

    const double scale = static_cast<double>(hostRateBps) / 10e9;
    for (DataRate* rate : {&config->minRate,
                           &config->dctcpAdditiveIncrease,
                           &config->dcqcnAdditiveIncrease,
                           &config->dcqcnHyperIncrease,
                           &config->timelyAdditiveIncrease,
                           &config->timelyHyperIncrease,
                           &config->hpccAdditiveIncrease})
    {
        *rate = DataRate(std::max<uint64_t>(
            1,
            static_cast<uint64_t>(static_cast<double>(rate->GetBitRate()) * scale)));
    }
    // a window of less than a packet cannot send, and small buffers cannot hold the reserves
    if (config->windowBytes > 0)
    {
        config->windowBytes = std::max<uint64_t>(
            config->payloadBytes,
            static_cast<uint64_t>(static_cast<double>(config->windowBytes) * scale));
    }
    config->bufferBytes = std::max<uint64_t>(
        config->bufferBytes,
        static_cast<uint64_t>(static_cast<double>(config->bufferBytes) * scale));
    return config;
}

void
DcnNetworkConfig::SetPaperValues()
{
    minRate = DataRate(10'000'000);
    if (congestionControl == "dctcp")
    {
        const uint64_t packetBytes = payloadBytes + DCN_HEADER_BYTES;
        ecnKminBytes = ecnKmaxBytes = 65 * packetBytes;
    }
    else
    {
        windowBytes = 0; // these papers pace; the window and its size are the evaluations'
    }
    if (congestionControl == "dcqcn")
    {
        ecnReferenceRate = DataRate(40'000'000'000);
        ecnKminBytes = 5000;
        ecnKmaxBytes = 200000;
        ecnPmax = 0.01;
        dcqcnByteCounter = 10'000'000;
        dcqcnFastRecoveryStages = 5;
        dcqcnAdditiveIncrease = DataRate(10'000'000);
        dcqcnHyperIncrease = DataRate(100'000'000);
        dcqcnAlphaTimer = MicroSeconds(55);
    }
    else if (congestionControl == "timely")
    {
        timelyHigh = MicroSeconds(500);
        timelyMinRtt = Time(0);
    }
    else if (congestionControl == "hpcc")
    {
        baseRtt = Time(0);
        hpccEta = 0.95;
        hpccMiThreshold = 5;
        // W_AI = W0 (1 - eta) / N per round trip, with N = 100 flows, is a rate of R (1 - eta) / N
        hpccAdditiveIncrease = DataRate(5'000'000);
    }
}

} // namespace ns3
