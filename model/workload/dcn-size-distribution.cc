/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-size-distribution.h"

#include "dcn-log-normal.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <type_traits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnSizeDistribution");

namespace
{

constexpr double PARAMETRIC_FLOOR = 50.0;   //!< B of the parametric forms [bytes]
constexpr double SMALLEST_THETA = 2600.0;   //!< below, the pareto form would have no positive shape
constexpr double LARGEST_THETA = 100'000.0; //!< above, no sample of lognorm reaches its mean
constexpr double TOP_FIFTH = 5.0;           //!< pareto: one flow in five exceeds the nominal mean

/// A cumulative distribution, linear in bytes between its points.
class EmpiricalSize : public DcnSizeDistribution
{
  public:
    /// One point of the cumulative distribution.
    struct Point
    {
        double bytes; //!< size
        double cdf;   //!< share of the flows up to this size
    };

    /**
     * @param name name in Create
     * @param points strictly increasing, the last with cdf 1
     */
    EmpiricalSize(const std::string& name, std::vector<Point> points)
        : DcnSizeDistribution(name, MakeVariable(points)),
          m_points(std::move(points))
    {
    }

    double GetLimitedMean(double capBytes) const override
    {
        const Point& first = m_points.front();
        double mean = first.cdf * std::clamp(first.bytes, 1.0, capBytes);
        for (std::size_t i = 1; i < m_points.size(); ++i)
        {
            const double from = m_points[i - 1].bytes;
            const double to = m_points[i].bytes;
            const double cap = std::clamp(capBytes, from, to);
            const double below = (cap - from) / (to - from); // part of the segment below the cap
            mean += (m_points[i].cdf - m_points[i - 1].cdf) *
                    (below * 0.5 * (from + cap) + (1.0 - below) * std::min(capBytes, to));
        }
        if (first.bytes == 0 && m_points.size() > 1)
        {
            // rounding is symmetric in a segment between whole numbers, except that a size that
            // would be rounded to 0 becomes 1
            mean += (m_points[1].cdf - first.cdf) * 0.5 / m_points[1].bytes;
        }
        return mean;
    }

  private:
    double Invert(double p) const override
    {
        const auto above =
            std::lower_bound(m_points.begin(), m_points.end(), p, [](const Point& point, double x) {
                return point.cdf < x;
            });
        if (above == m_points.begin())
        {
            return m_points.front().bytes;
        }
        const Point& from = *(above - 1);
        return from.bytes + (above->bytes - from.bytes) * (p - from.cdf) / (above->cdf - from.cdf);
    }

    /**
     * @param points as in the constructor
     * @return ns-3's variable with these points
     */
    static Ptr<RandomVariableStream> MakeVariable(const std::vector<Point>& points)
    {
        auto variable = CreateObject<EmpiricalRandomVariable>();
        variable->SetInterpolate(true);
        for (const Point& point : points)
        {
            variable->CDF(point.bytes, point.cdf);
        }
        return variable;
    }

    std::vector<Point> m_points; //!< the distribution
};

/**
 * Read the points of an empirical distribution.
 * @param name name of the distribution
 * @param path CSV file with the columns size_bytes,cdf_percent
 * @return the distribution
 */
Ptr<DcnSizeDistribution>
ReadEmpirical(const std::string& name, const std::string& path)
{
    DcnCsvReader csv(path, {"size_bytes", "cdf_percent"});
    std::vector<EmpiricalSize::Point> points;
    std::string where = path + ": ";
    while (csv.FetchRow())
    {
        where = csv.Where();
        const EmpiricalSize::Point point{static_cast<double>(csv.GetUint(0)), csv.GetDouble(1)};
        if (point.bytes > DcnSizeDistribution::LARGEST_BYTES)
        {
            DcnFail(where, "size_bytes must be at most 10^15, but it is ", csv.GetText(0));
        }
        if (point.cdf < 0)
        {
            DcnFail(where, "cdf_percent must not be below 0, but it is ", csv.GetText(1));
        }
        if (!points.empty() && point.bytes <= points.back().bytes)
        {
            DcnFail(where,
                    "size_bytes must be larger than in the row before, but it is ",
                    csv.GetText(0));
        }
        if (!points.empty() && point.cdf <= points.back().cdf)
        {
            DcnFail(where,
                    "cdf_percent must be larger than in the row before, but it is ",
                    csv.GetText(1));
        }
        points.push_back(point);
    }
    if (points.empty())
    {
        DcnFail(where, "the file has no point of the distribution");
    }
    const double whole = points.back().cdf;
    if (whole != 1 && whole != 100)
    {
        DcnFail(where,
                "cdf_percent of the last row must be 100 (or 1 for fractions), but it is ",
                whole);
    }
    if (points.back().bytes == 0)
    {
        DcnFail(where, "the largest size_bytes must be above 0, but it is 0");
    }
    for (auto& point : points)
    {
        point.cdf /= whole;
    }
    NS_LOG_INFO(name << ": " << points.size() << " points from " << path);
    return Ptr<DcnSizeDistribution>(new EmpiricalSize(name, std::move(points)), false);
}

/**
 * Draw the points of a distribution.
 * @param name name of the distribution
 * @param text its seed
 * @return the distribution
 */
Ptr<DcnSizeDistribution>
DrawEmpirical(const std::string& name, const std::string& text)
{
    uint64_t seed;
    if (!DcnParse(text, seed) || seed > DcnRandom::MAX_SEED)
    {
        DcnFail("sizes ",
                name,
                ": SEED must be a whole number from 0 to ",
                DcnRandom::MAX_SEED,
                ", but it is \"",
                text,
                "\"");
    }
    constexpr double SMALLEST = 50.0;        // bytes
    constexpr double SMALLEST_INNER = 100.0; // bytes
    constexpr double SMALLEST_LARGEST = 3e4; // bytes
    constexpr double LARGEST_LARGEST = 3e7;  // bytes
    constexpr uint32_t LEAST_INNER = 2;
    constexpr uint32_t MOST_INNER = 8;
    constexpr double LARGEST_EXPONENT = 0.8;
    auto uniform = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(uniform, DcnPurpose::FLOW_SIZES, 1);
    auto logUniform = [&uniform](double from, double to) {
        return std::round(std::exp(uniform->GetValue(std::log(from), std::log(to))));
    };
    const double largest = logUniform(SMALLEST_LARGEST, LARGEST_LARGEST);
    const uint32_t nInner = uniform->GetInteger(LEAST_INNER, MOST_INNER);
    std::vector<double> sizes{largest};
    for (uint32_t i = 0; i < nInner; ++i)
    {
        sizes.push_back(logUniform(SMALLEST_INNER, largest));
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const double exponent = uniform->GetValue(0.0, LARGEST_EXPONENT);
    std::vector<double> upTo; // cumulative weight by size
    double sum = 0;
    for (const double size : sizes)
    {
        // 1 - u > 0 for u in [0, 1); a share of 0 would not be a point of a cdf
        const double exponential = std::max(1e-6, -std::log(1.0 - uniform->GetValue()));
        sum += exponential * std::pow(size / largest, -exponent);
        upTo.push_back(sum);
    }
    std::vector<EmpiricalSize::Point> points{{SMALLEST, 0.0}};
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        points.push_back({sizes[i], upTo[i] / sum});
    }
    return Ptr<DcnSizeDistribution>(new EmpiricalSize(name, std::move(points)), false);
}

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
 * @return probability that a standard normal variable exceeds x
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
     * @param name name in Create
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
     * @param name name in Create
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

/// Floor plus a normal variable redrawn while negative.
class GaussianSize : public DcnSizeDistribution
{
  public:
    /**
     * @param name name in Create
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
        // the fraction 1 - p of the positive values is larger
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

    double m_mu;        //!< mean including negative values [bytes]
    double m_deviation; //!< standard deviation including negative values [bytes]
};

/// Floor plus a log-normal variable.
class LogNormalSize : public DcnSizeDistribution
{
  public:
    /**
     * @param name name in Create
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
        : DcnSizeDistribution(name,
                              CreateObjectWithAttributes<DcnLogNormalVariable>("Mu",
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
     * @param name name in Create
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

/// Makes a ConstantSize; see DcnSizeDistribution::Maker.
Ptr<DcnSizeDistribution>
MakeConstant(const std::string& name, const std::string& bytes)
{
    uint64_t value;
    if (!DcnParse(bytes, value) || value == 0 || value > DcnSizeDistribution::LARGEST_BYTES)
    {
        DcnFail("sizes ",
                name,
                ": BYTES must be a whole number from 1 to 10^15, but it is \"",
                bytes,
                "\"");
    }
    return Ptr<DcnSizeDistribution>(new ConstantSize(name, static_cast<double>(value)), false);
}

/// Makes a distribution of the class Size; see DcnSizeDistribution::Maker.
template <class Size>
Ptr<DcnSizeDistribution>
MakeParametric(const std::string& name, const std::string& text)
{
    double theta;
    if (!DcnParse(text, theta) || theta < SMALLEST_THETA || theta > LARGEST_THETA)
    {
        DcnFail("sizes ",
                name,
                ": THETA must be a number from ",
                SMALLEST_THETA,
                " to ",
                static_cast<uint64_t>(LARGEST_THETA),
                ", but it is \"",
                text,
                "\"");
    }
    const double nominal = 1000.0 * (theta / 5000.0) * (theta / 5000.0);
    if constexpr (std::is_same_v<Size, LogNormalSize>)
    {
        return Ptr<DcnSizeDistribution>(new Size(name, nominal, 1.0 + theta / 50'000.0), false);
    }
    else
    {
        return Ptr<DcnSizeDistribution>(new Size(name, nominal), false);
    }
}

/// A form of names, FORM:ARGUMENT.
struct Form
{
    std::string argument;             //!< name of the argument
    DcnSizeDistribution::Maker maker; //!< makes a distribution of this form
};

/// @return the registered forms by the text before the colon
std::map<std::string, Form>&
GetForms()
{
    // local to the function, since other source files may register earlier
    static std::map<std::string, Form> forms;
    return forms;
}

const DcnSizeDistribution::Registration g_forms[] = {
    {"constant", "BYTES", MakeConstant},
    {"exp", "THETA", MakeParametric<ExponentialSize>},
    {"gaussian", "THETA", MakeParametric<GaussianSize>},
    {"lognorm", "THETA", MakeParametric<LogNormalSize>},
    {"pareto", "THETA", MakeParametric<GeneralisedParetoSize>},
    {"random", "SEED", DrawEmpirical},
}; //!< the forms of names that come with the module

} // namespace

namespace
{

/**
 * @param variable a random variable, perhaps drawn from
 * @return a variable of its type and parameters that has not been drawn from
 */
Ptr<RandomVariableStream>
MakeUnused(const RandomVariableStream& variable)
{
    ObjectFactory factory;
    factory.SetTypeId(variable.GetInstanceTypeId());
    for (TypeId type = variable.GetInstanceTypeId(); type != Object::GetTypeId();
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            const Ptr<AttributeValue> value = attribute.checker->Create();
            variable.GetAttribute(attribute.name, *value);
            factory.Set(attribute.name, *value);
        }
    }
    factory.Set("Stream", IntegerValue(0)); // not one of ns-3's automatic numbers
    return factory.Create<RandomVariableStream>();
}

} // namespace

DcnSizeDistribution::Registration::Registration(const std::string& form,
                                                const std::string& argument,
                                                const Maker& maker)
{
    if (!GetForms().insert({form, {argument, maker}}).second)
    {
        DcnFail("the size distribution \"", form, "\" is registered twice");
    }
}

DcnSizeDistribution::DcnSizeDistribution(const std::string& name,
                                         Ptr<RandomVariableStream> variable)
    : m_name(name),
      m_variable(variable)
{
}

const std::vector<std::string>&
DcnSizeDistribution::GetEmpiricalNames()
{
    static const std::vector<std::string> names{"web-server",
                                                "cache-follower",
                                                "hadoop",
                                                "web-search",
                                                "ali-storage",
                                                "fb-hdp",
                                                "google-rpc"};
    return names;
}

Ptr<DcnSizeDistribution>
DcnSizeDistribution::Create(const std::string& name)
{
    const auto& names = GetEmpiricalNames();
    if (std::find(names.begin(), names.end(), name) != names.end())
    {
        return ReadEmpirical(name, DcnDataPath("sizes/" + name + ".csv"));
    }
    const std::size_t colon = std::min(name.find(':'), name.size());
    const auto form = GetForms().find(name.substr(0, colon));
    if (colon < name.size() && form != GetForms().end())
    {
        return form->second.maker(name, name.substr(colon + 1));
    }
    const std::string suffix = ".csv";
    if (name.find('/') != std::string::npos ||
        (name.size() > suffix.size() &&
         name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0))
    {
        return ReadEmpirical(name, name);
    }
    std::string known;
    for (const auto& each : names)
    {
        known += each + ", ";
    }
    for (const auto& [each, made] : GetForms())
    {
        known += each + ":" + made.argument + ", ";
    }
    DcnFail("sizes \"", name, "\" is unknown; there are ", known, "and a path of a CSV file");
}

const std::string&
DcnSizeDistribution::GetName() const
{
    return m_name;
}

uint64_t
DcnSizeDistribution::Sample()
{
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(Draw(*m_variable))));
}

uint64_t
DcnSizeDistribution::GetQuantile(double p) const
{
    const double size = Invert(std::clamp(p, 0.0, std::nextafter(1.0, 0.0)));
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(size)));
}

double
DcnSizeDistribution::GetMean() const
{
    return GetLimitedMean(std::numeric_limits<double>::infinity());
}

void
DcnSizeDistribution::AssignStreams(const DcnRandom& random)
{
    // ns-3's normal and log-normal variables draw pairs, and keep the second value beyond SetStream
    if (DynamicCast<NormalRandomVariable>(m_variable) ||
        DynamicCast<LogNormalRandomVariable>(m_variable))
    {
        m_variable = MakeUnused(*m_variable);
    }
    random.Assign(m_variable, DcnPurpose::FLOW_SIZES);
}

double
DcnSizeDistribution::Draw(RandomVariableStream& variable)
{
    return variable.GetValue();
}

} // namespace ns3
