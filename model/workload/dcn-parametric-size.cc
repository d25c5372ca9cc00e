/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-parametric-size.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include "ns3/double.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

constexpr double PARAMETRIC_FLOOR = 50.0;   //!< B of the parametric forms [bytes]
constexpr double SMALLEST_THETA = 2600.0;   //!< below, the pareto form has no positive shape
constexpr double LARGEST_THETA = 100'000.0; //!< above, the mean of lognorm is never realised
constexpr double TOP_FIFTH = 5.0;           //!< pareto: one flow in five exceeds the nominal mean

/**
 * @param x argument
 * @return density of the standard normal distribution
 */
double
NormalDensity(double x)
{
    return std::exp(-0.5 * x * x) * boost::math::constants::one_div_root_two_pi<double>();
}

/**
 * @param x argument
 * @return probability that a standard normal variable is larger
 */
double
NormalTail(double x)
{
    return 0.5 * std::erfc(x * boost::math::constants::one_div_root_two<double>());
}

/**
 * @param probability in (0, 1]
 * @return the x with NormalTail(x) = probability; very small if it is 1
 */
double
NormalTailInverse(double probability)
{
    constexpr double SMALLEST = -40.0;
    return probability < 1
               ? boost::math::constants::root_two<double>() * boost::math::erfc_inv(2 * probability)
               : SMALLEST;
}

/// Every flow has the same size.
class ConstantSize : public DcnSizeDistribution
{
  public:
    /**
     * @param name name it was made by
     * @param bytes the size
     */
    ConstantSize(const std::string& name, double bytes)
        : DcnSizeDistribution(name, CreateObject<DeterministicRandomVariable>()),
          m_bytes(bytes)
    {
    }

    double GetLimitedMean(double capBytes) const override
    {
        return std::min(m_bytes, capBytes);
    }

  private:
    double Invert(double) const override
    {
        return m_bytes;
    }

    double Draw(RandomVariableStream&) override
    {
        return m_bytes;
    }

    double m_bytes; //!< the size
};

/// Floor plus an exponential variable.
class ExponentialSize : public DcnSizeDistribution
{
  public:
    /**
     * @param name name it was made by
     * @param nominal nominal mean M [bytes]
     */
    ExponentialSize(const std::string& name, double nominal)
        : DcnSizeDistribution(name,
                              CreateObjectWithAttributes<ExponentialRandomVariable>(
                                  "Mean",
                                  DoubleValue(nominal - PARAMETRIC_FLOOR))),
          m_mean(nominal - PARAMETRIC_FLOOR)
    {
    }

    double GetLimitedMean(double capBytes) const override
    {
        const double cap = std::max(0.0, capBytes - PARAMETRIC_FLOOR);
        return std::min(capBytes, PARAMETRIC_FLOOR) - m_mean * std::expm1(-cap / m_mean);
    }

  private:
    double Invert(double p) const override
    {
        return PARAMETRIC_FLOOR - m_mean * std::log1p(-p);
    }

    double Draw(RandomVariableStream& variable) override
    {
        return PARAMETRIC_FLOOR + variable.GetValue();
    }

    double m_mean; //!< of the exponential part [bytes]
};

/// Floor plus a normal variable that is drawn again while it is negative.
class GaussianSize : public DcnSizeDistribution
{
  public:
    /**
     * @param name name it was made by
     * @param nominal nominal mean M [bytes]
     */
    GaussianSize(const std::string& name, double nominal)
        : DcnSizeDistribution(name,
                              CreateObjectWithAttributes<NormalRandomVariable>(
                                  "Mean",
                                  DoubleValue(nominal - PARAMETRIC_FLOOR),
                                  "Variance",
                                  DoubleValue(nominal * nominal))),
          m_mu(nominal - PARAMETRIC_FLOOR),
          m_deviation(nominal)
    {
    }

    double GetLimitedMean(double capBytes) const override
    {
        // with Y normal, a = -mu / s, b = (cap - mu) / s:
        // E[min(Y, cap); Y > 0] = mu (P(Y > 0) - P(Y > cap)) + s (phi(a) - phi(b)) + cap P(Y > cap)
        const double cap = std::max(0.0, capBytes - PARAMETRIC_FLOOR);
        const double a = -m_mu / m_deviation;
        const double b = (cap - m_mu) / m_deviation;
        double mean = m_mu * (NormalTail(a) - NormalTail(b)) +
                      m_deviation * (NormalDensity(a) - NormalDensity(b));
        if (NormalTail(b) > 0)
        {
            mean += cap * NormalTail(b);
        }
        return std::min(capBytes, PARAMETRIC_FLOOR) + mean / NormalTail(a);
    }

  private:
    double Invert(double p) const override
    {
        // of the values above 0, a part 1 - p is larger
        const double tail = (1 - p) * NormalTail(-m_mu / m_deviation);
        return PARAMETRIC_FLOOR + m_mu + m_deviation * NormalTailInverse(tail);
    }

    double Draw(RandomVariableStream& variable) override
    {
        double value;
        do
        {
            value = variable.GetValue();
        } while (value < 0);
        return PARAMETRIC_FLOOR + value;
    }

    double m_mu;        //!< mean before negative values are drawn again [bytes]
    double m_deviation; //!< standard deviation before that [bytes]
};

/// Floor plus a log-normal variable.
class LogNormalSize : public DcnSizeDistribution
{
  public:
    /**
     * @param name name it was made by
     * @param nominal nominal mean M [bytes]
     * @param sigma shape
     */
    LogNormalSize(const std::string& name, double nominal, double sigma)
        : LogNormalSize(name,
                        nominal - PARAMETRIC_FLOOR,
                        sigma,
                        std::log(nominal - PARAMETRIC_FLOOR) - 0.5 * sigma * sigma)
    {
    }

    double GetLimitedMean(double capBytes) const override
    {
        const double cap = std::max(0.0, capBytes - PARAMETRIC_FLOOR);
        const double floor = std::min(capBytes, PARAMETRIC_FLOOR);
        if (cap == 0 || std::isinf(cap))
        {
            return floor + (cap == 0 ? 0.0 : m_mean);
        }
        const double z = (std::log(cap) - m_mu) / m_sigma;
        return floor + m_mean * NormalTail(m_sigma - z) + cap * NormalTail(z);
    }

  private:
    double Invert(double p) const override
    {
        return PARAMETRIC_FLOOR + std::exp(m_mu + m_sigma * NormalTailInverse(1 - p));
    }

    LogNormalSize(const std::string& name, double mean, double sigma, double mu)
        : DcnSizeDistribution(
              name,
              CreateObjectWithAttributes<LogNormalRandomVariable>("Mu",
                                                                  DoubleValue(mu),
                                                                  "Sigma",
                                                                  DoubleValue(sigma))),
          m_mean(mean),
          m_sigma(sigma),
          m_mu(mu)
    {
    }

    double Draw(RandomVariableStream& variable) override
    {
        return PARAMETRIC_FLOOR + variable.GetValue();
    }

    double m_mean;  //!< of the log-normal part [bytes]
    double m_sigma; //!< its shape
    double m_mu;    //!< mean of its logarithm
};

/// Floor plus a generalised Pareto variable Y: P(Y > y) = (1 + shape y / scale)^(-1 / shape).
class GeneralisedParetoSize : public DcnSizeDistribution
{
  public:
    /**
     * @param name name it was made by
     * @param nominal nominal mean M [bytes]
     */
    GeneralisedParetoSize(const std::string& name, double nominal)
        : GeneralisedParetoSize(name, 0.5 * nominal, SolveShape(nominal))
    {
    }

    double GetLimitedMean(double capBytes) const override
    {
        const double cap = std::max(0.0, capBytes - PARAMETRIC_FLOOR);
        const double beyond = std::pow(1.0 + m_shape * cap / m_scale, 1.0 - 1.0 / m_shape);
        return std::min(capBytes, PARAMETRIC_FLOOR) + m_scale / (1.0 - m_shape) * (1.0 - beyond);
    }

  private:
    double Invert(double p) const override
    {
        return PARAMETRIC_FLOOR + m_scale / m_shape * std::expm1(-m_shape * std::log1p(-p));
    }

    GeneralisedParetoSize(const std::string& name, double scale, double shape)
        : DcnSizeDistribution(
              name,
              CreateObjectWithAttributes<ParetoRandomVariable>("Scale",
                                                               DoubleValue(scale / shape),
                                                               "Shape",
                                                               DoubleValue(1.0 / shape))),
          m_scale(scale),
          m_shape(shape)
    {
    }

    /**
     * The shape psi for which P(Y > M - B) = 1 / TOP_FIFTH.
     * @param nominal nominal mean M [bytes]
     * @return psi in (0, 1)
     */
    static double SolveShape(double nominal)
    {
        const double ratio = (nominal - PARAMETRIC_FLOOR) / (0.5 * nominal);
        auto excess = [ratio](double psi) {
            return std::log1p(psi * ratio) / psi - std::log(TOP_FIFTH);
        };
        std::uintmax_t iterations = 200; // toms748 needs about ten
        auto [low, high] =
            boost::math::tools::toms748_solve(excess,
                                              1e-6,
                                              1.0,
                                              boost::math::tools::eps_tolerance<double>(50),
                                              iterations);
        return 0.5 * (low + high);
    }

    double Draw(RandomVariableStream& variable) override
    {
        // a Pareto variable starts at scale / shape, the generalised one at 0
        return PARAMETRIC_FLOOR + variable.GetValue() - m_scale / m_shape;
    }

    double m_scale; //!< scale [bytes]
    double m_shape; //!< shape psi
};

} // namespace

Ptr<DcnSizeDistribution>
DcnMakeParametricSize(const std::string& name, const std::string& form, const std::string& number)
{
    if (form == "constant")
    {
        uint64_t bytes;
        if (!DcnParse(number, bytes) || bytes == 0 || bytes > DCN_LARGEST_FLOW_BYTES)
        {
            DcnFail("sizes ",
                    name,
                    ": BYTES must be a whole number from 1 to 10^15, but it is \"",
                    number,
                    "\"");
        }
        return Ptr<DcnSizeDistribution>(new ConstantSize(name, static_cast<double>(bytes)), false);
    }
    const std::array<std::string, 4> forms{"exp", "gaussian", "lognorm", "pareto"};
    if (std::find(forms.begin(), forms.end(), form) == forms.end())
    {
        return nullptr;
    }
    double theta;
    if (!DcnParse(number, theta) || theta < SMALLEST_THETA || theta > LARGEST_THETA)
    {
        DcnFail("sizes ",
                name,
                ": THETA must be a number from ",
                SMALLEST_THETA,
                " to ",
                static_cast<uint64_t>(LARGEST_THETA),
                ", but it is \"",
                number,
                "\"");
    }
    const double nominal = 1000.0 * (theta / 5000.0) * (theta / 5000.0);
    DcnSizeDistribution* distribution = nullptr;
    if (form == "exp")
    {
        distribution = new ExponentialSize(name, nominal);
    }
    else if (form == "gaussian")
    {
        distribution = new GaussianSize(name, nominal);
    }
    else if (form == "lognorm")
    {
        distribution = new LogNormalSize(name, nominal, 1.0 + theta / 50'000.0);
    }
    else
    {
        distribution = new GeneralisedParetoSize(name, nominal);
    }
    return Ptr<DcnSizeDistribution>(distribution, false);
}

} // namespace ns3
