/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-size-distribution.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "dcn-parametric-size.h"

#include "ns3/dcn-data-path.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

/// A cumulative distribution, linear in bytes between its points.
class EmpiricalSize : public DcnSizeDistribution
{
  public:
    /// One point of the cumulative distribution.
    struct Point
    {
        double bytes; //!< size
        double cdf;   //!< share of the flows that are not larger
    };

    /**
     * @param name name it was made by
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
            const double below = (cap - from) / (to - from); // share of the segment under the cap
            mean += (m_points[i].cdf - m_points[i - 1].cdf) *
                    (below * 0.5 * (from + cap) + (1.0 - below) * std::min(capBytes, to));
        }
        if (first.bytes == 0 && m_points.size() > 1)
        {
            // rounding is symmetric in a segment between whole numbers, except that what would
            // be rounded to 0 becomes 1
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
        if (point.bytes > DCN_LARGEST_FLOW_BYTES)
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
        DcnFail("sizes ", name, ": SEED must be a whole number from 0 to ", DcnRandom::MAX_SEED,
                ", but it is \"", text, "\"");
    }
    constexpr double SMALLEST = 50.0;         // bytes
    constexpr double SMALLEST_INNER = 100.0;  // bytes
    constexpr double SMALLEST_LARGEST = 3e4;  // bytes
    constexpr double LARGEST_LARGEST = 3e7;   // bytes
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
    std::vector<double> upTo; // sum of the weights of the sizes up to this one
    double sum = 0;
    for (const double size : sizes)
    {
        // one minus a number in [0, 1) is never 0; a share of nothing would be no point of a cdf
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

} // namespace

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
    const std::size_t colon = name.find(':');
    if (name.compare(0, 7, "random:") == 0)
    {
        return DrawEmpirical(name, name.substr(7));
    }
    if (colon != std::string::npos)
    {
        if (auto made = DcnMakeParametricSize(name, name.substr(0, colon), name.substr(colon + 1)))
        {
            return made;
        }
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
    DcnFail("sizes \"",
            name,
            "\" is unknown; there are ",
            known,
            "exp:THETA, gaussian:THETA, lognorm:THETA, pareto:THETA, random:SEED, constant:BYTES "
            "and a path of a CSV file");
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
    random.Assign(m_variable, DcnPurpose::FLOW_SIZES);
}

double
DcnSizeDistribution::Draw(RandomVariableStream& variable)
{
    return variable.GetValue();
}

} // namespace ns3
