/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-log-normal.h"

#include "ns3/double.h"
#include "ns3/rng-stream.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnLogNormalVariable);

TypeId
DcnLogNormalVariable::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnLogNormalVariable")
                            .SetParent<RandomVariableStream>()
                            .SetGroupName("Dcn")
                            .AddConstructor<DcnLogNormalVariable>()
                            .AddAttribute("Mu",
                                          "Mean of the logarithm.",
                                          DoubleValue(0.0),
                                          MakeDoubleAccessor(&DcnLogNormalVariable::m_mu),
                                          MakeDoubleChecker<double>())
                            .AddAttribute("Sigma",
                                          "Standard deviation of the logarithm.",
                                          DoubleValue(1.0),
                                          MakeDoubleAccessor(&DcnLogNormalVariable::m_sigma),
                                          MakeDoubleChecker<double>(0.0));
    return tid;
}

double
DcnLogNormalVariable::GetValue()
{
    return GetValue(m_mu, m_sigma);
}

uint32_t
DcnLogNormalVariable::GetInteger()
{
    return static_cast<uint32_t>(GetValue());
}

double
DcnLogNormalVariable::GetValue(double mu, double sigma)
{
    // a point that is uniform in the unit circle
    double x;
    double square;
    do
    {
        const double u = Peek()->RandU01();
        const double v = Peek()->RandU01();
        x = 2.0 * (IsAntithetic() ? 1.0 - u : u) - 1.0;
        const double y = 2.0 * (IsAntithetic() ? 1.0 - v : v) - 1.0;
        square = x * x + y * y;
    } while (square > 1.0 || square == 0.0);
    const double normal = x * std::sqrt(-2.0 * std::log(square) / square);
    return std::exp(mu + sigma * normal);
}

} // namespace ns3
