/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-size-fit.h"

#include "cceval-interval.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_randist.h>
#include <memory>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalSizeFit");

namespace
{

using Points = std::vector<std::pair<double, double>>; //!< (ln size, cumulative probability)

constexpr double SMALLEST_SIGMA = 1e-6; //!< keeps the solver's steps above 0
constexpr double LARGEST_SIZE = 1e15;   //!< largest size in a scenario [bytes]

/**
 * @param x parameters mu, ln sigma
 * @param data the points
 * @param residuals set to model - data
 * @return GSL_SUCCESS
 */
int
Residuals(const gsl_vector* x, void* data, gsl_vector* residuals)
{
    const auto& points = *static_cast<const Points*>(data);
    const double sigma = std::max(std::exp(gsl_vector_get(x, 1)), SMALLEST_SIGMA);
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const double z = (points[i].first - gsl_vector_get(x, 0)) / sigma;
        gsl_vector_set(residuals, i, CcevalNormalCdf(z) - points[i].second);
    }
    return GSL_SUCCESS;
}

/**
 * @param x parameters mu, ln sigma
 * @param data the points
 * @param jacobian set to the derivatives of the residuals
 * @return GSL_SUCCESS
 */
int
Jacobian(const gsl_vector* x, void* data, gsl_matrix* jacobian)
{
    const auto& points = *static_cast<const Points*>(data);
    const double sigma = std::max(std::exp(gsl_vector_get(x, 1)), SMALLEST_SIGMA);
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const double z = (points[i].first - gsl_vector_get(x, 0)) / sigma;
        const double density = gsl_ran_ugaussian_pdf(z);
        gsl_matrix_set(jacobian, i, 0, -density / sigma);
        gsl_matrix_set(jacobian, i, 1, -density * z);
    }
    return GSL_SUCCESS;
}

} // namespace

CcevalLogNormalFit
CcevalLogNormalFit::Make(const Points& given)
{
    if (given.size() < 3)
    {
        DcnFail("a log-normal fit needs three points of the distribution, but there are ",
                given.size());
    }
    Points points = given;
    for (auto& [size, probability] : points)
    {
        size = std::log(size);
    }
    gsl_multifit_nlinear_fdf problem{};
    problem.f = Residuals;
    problem.df = Jacobian;
    problem.n = points.size();
    problem.p = 2;
    problem.params = &points;
    const gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    std::unique_ptr<gsl_multifit_nlinear_workspace, decltype(&gsl_multifit_nlinear_free)> solver(
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, problem.n, problem.p),
        gsl_multifit_nlinear_free);
    // from the median of the points, and their range from 10 to 90 %
    double start[] = {points[points.size() / 2].first,
                      std::log(std::max(0.1, (points.back().first - points.front().first) / 4))};
    const gsl_vector_view view = gsl_vector_view_array(start, 2);
    gsl_multifit_nlinear_init(&view.vector, &problem, solver.get());
    int reason = 0;
    constexpr double TOLERANCE = 1e-12;
    const int status = gsl_multifit_nlinear_driver(500,
                                                   TOLERANCE,
                                                   TOLERANCE,
                                                   0,
                                                   nullptr,
                                                   nullptr,
                                                   &reason,
                                                   solver.get());
    if (status != GSL_SUCCESS)
    {
        DcnFail("the log-normal fit of the flow sizes does not converge: ", gsl_strerror(status));
    }
    const gsl_vector* found = gsl_multifit_nlinear_position(solver.get());
    CcevalLogNormalFit fit;
    fit.mu = gsl_vector_get(found, 0);
    fit.sigma = std::exp(gsl_vector_get(found, 1));
    for (const auto& [logSize, probability] : points)
    {
        const double error = CcevalNormalCdf((logSize - fit.mu) / fit.sigma) - probability;
        fit.squaredError += error * error;
        fit.largestError = std::max(fit.largestError, std::abs(error));
    }
    NS_LOG_INFO("log-normal fit of " << points.size() << " points: mu " << fit.mu << ", sigma "
                                     << fit.sigma << ", largest error " << fit.largestError);
    return fit;
}

CcevalLogNormalFit
CcevalLogNormalFit::Make(const std::string& sizes)
{
    const auto& names = DcnSizeDistribution::GetEmpiricalNames();
    const bool known = std::find(names.begin(), names.end(), sizes) != names.end();
    auto distribution =
        DcnSizeDistribution::Create(sizes); // throws DcnError for an unknown distribution
    Points points;
    if (known || sizes.find(':') == std::string::npos)
    {
        DcnCsvReader csv(known ? DcnDataPath("sizes/" + sizes + ".csv") : sizes,
                         {"size_bytes", "cdf_percent"});
        while (csv.FetchRow())
        {
            points.emplace_back(csv.GetDouble(0), csv.GetDouble(1));
        }
        for (auto& point : points)
        {
            point.second /= points.back().second == 1 ? 1.0 : 100.0;
        }
        points.erase(std::remove_if(points.begin(),
                                    points.end(),
                                    [](const auto& point) { return point.first <= 0; }),
                     points.end());
    }
    else
    {
        for (int i = 1; i < 200; ++i)
        {
            const double p = i / 200.0;
            points.emplace_back(static_cast<double>(distribution->GetQuantile(p)), p);
        }
    }
    return Make(points);
}

double
CcevalLogNormalFit::GetMean() const
{
    return std::exp(mu + sigma * sigma / 2);
}

uint64_t
CcevalLogNormalFit::GetSize(double score) const
{
    const double size = std::min(std::exp(mu + sigma * score), LARGEST_SIZE);
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(size)));
}

} // namespace ns3
