/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-arrival-process.h"

#include "dcn-log-normal.h"

#include "ns3/dcn-error.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"

#include <cmath>

namespace ns3
{

DcnArrivalProcess::DcnArrivalProcess(double sigma, const DcnRandom& random)
    : m_sigma(sigma),
      m_phases(CreateObject<UniformRandomVariable>())
{
    if (!(sigma >= 0 && sigma <= MAX_SIGMA))
    {
        DcnFail("sigma must be a number from 0 (Poisson) to ", MAX_SIGMA, ", but it is ", sigma);
    }
    if (sigma == 0)
    {
        m_gaps = CreateObjectWithAttributes<ExponentialRandomVariable>("Mean", DoubleValue(1.0));
    }
    else
    {
        m_gaps = CreateObjectWithAttributes<DcnLogNormalVariable>("Mu",
                                                                  DoubleValue(-0.5 * sigma * sigma),
                                                                  "Sigma",
                                                                  DoubleValue(sigma));
    }
    random.Assign(m_gaps, DcnPurpose::ARRIVAL_GAPS, 0);
    random.Assign(m_phases, DcnPurpose::ARRIVAL_GAPS, 1);
}

DcnArrivalProcess::DcnArrivalProcess(double sigma,
                                     const DcnRandom& random,
                                     const DcnTopology& topology,
                                     const DcnTrafficMatrix& matrix)
    : DcnArrivalProcess(sigma, random)
{
    for (uint32_t host : topology.GetHosts())
    {
        const double share = matrix.GetSourceShare(host);
        if (share > 0)
        {
            m_pending.emplace(DrawResidualGap() / share, static_cast<uint32_t>(m_sources.size()));
            m_sources.push_back(host);
            m_meanGaps.push_back(1.0 / share);
        }
    }
}

DcnArrivalProcess::Arrival
DcnArrivalProcess::Next()
{
    if (m_sources.empty())
    {
        const Arrival arrival{m_time, ANY_SOURCE};
        m_time += DrawGap();
        return arrival;
    }
    const auto [time, source] = m_pending.top();
    m_pending.pop();
    m_pending.emplace(time + m_meanGaps[source] * DrawGap(), source);
    return {time, m_sources[source]};
}

double
DcnArrivalProcess::DrawGap()
{
    return m_gaps->GetValue();
}

double
DcnArrivalProcess::DrawResidualGap()
{
    // a random time falls into a gap with probability proportional to its length, uniformly
    // within the gap; the length-biased log-normal is the log-normal with mu + sigma^2, and the
    // residual of an exponential gap is exponential
    return m_sigma == 0 ? DrawGap()
                        : DrawGap() * std::exp(m_sigma * m_sigma) * m_phases->GetValue(0.0, 1.0);
}

} // namespace ns3
