/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_LOG_NORMAL_H
#define DCN_LOG_NORMAL_H

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Log-normal variable exp(Mu + Sigma N), N standard normal, with the same numbers in every
 * release of ns-3.
 *
 * ns3::LogNormalRandomVariable draws other numbers from ns-3.39 on, so that a seed would stand for
 * other traffic there. This class draws those of ns-3.37: N by the polar method of Marsaglia, of
 * whose two values the second one is not used.
 */
class DcnLogNormalVariable : public RandomVariableStream
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    double GetValue() override;
    uint32_t GetInteger() override;

    /**
     * @param mu mean of the logarithm
     * @param sigma standard deviation of the logarithm
     * @return the next value
     */
    double GetValue(double mu, double sigma);

  private:
    double m_mu;    //!< attribute
    double m_sigma; //!< attribute
};

} // namespace ns3

#endif /* DCN_LOG_NORMAL_H */
