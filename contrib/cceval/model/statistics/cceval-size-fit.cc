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
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_multimin.h>
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

/// Returns the points of a distribution by its name: (size > 0, cumulative probability).
Points
ReadPoints(const std::string& sizes)
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
    return points;
}

/// Cumulative distribution of a form at a size, with positive parameters.
using Form = double (*)(double size, double a, double b);

/// A form and its points, for GSL.
struct FormProblem
{
    Form form;     //!< the form
    Points points; //!< (size, cumulative probability)
};

/// @return sum of squared errors; x has the logarithms of the parameters
double
GetSquaredError(const gsl_vector* x, void* data)
{
    const auto& problem = *static_cast<const FormProblem*>(data);
    double sum = 0;
    for (const auto& [size, probability] : problem.points)
    {
        const double error =
            problem.form(size, std::exp(gsl_vector_get(x, 0)), std::exp(gsl_vector_get(x, 1))) -
            probability;
        sum += error * error;
    }
    return sum;
}

/// @return the best parameters of a form, by Nelder and Mead's simplex
CcevalFormFit
FitForm(const std::string& name, Form form, const Points& points)
{
    FormProblem problem{form, points};
    gsl_multimin_function function{GetSquaredError, 2, &problem};
    std::unique_ptr<gsl_multimin_fminimizer, decltype(&gsl_multimin_fminimizer_free)> solver(
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, 2),
        gsl_multimin_fminimizer_free);
    const double middle = std::log(points[points.size() / 2].first);
    double start[] = {middle, middle};
    double steps[] = {1, 1};
    const gsl_vector_view from = gsl_vector_view_array(start, 2);
    const gsl_vector_view step = gsl_vector_view_array(steps, 2);
    gsl_multimin_fminimizer_set(solver.get(), &function, &from.vector, &step.vector);
    constexpr int MOST = 2000;     // iterations
    constexpr double SMALL = 1e-9; // size of the simplex
    for (int i = 0; i < MOST && gsl_multimin_fminimizer_iterate(solver.get()) == GSL_SUCCESS &&
                    gsl_multimin_fminimizer_size(solver.get()) > SMALL;
         ++i)
    {
    }
    const gsl_vector* best = gsl_multimin_fminimizer_x(solver.get());
    CcevalFormFit fit{name, gsl_multimin_fminimizer_minimum(solver.get()), 0};
    for (const auto& [size, probability] : points)
    {
        const double error =
            form(size, std::exp(gsl_vector_get(best, 0)), std::exp(gsl_vector_get(best, 1))) -
            probability;
        fit.largestError = std::max(fit.largestError, std::abs(error));
    }
    return fit;
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
    return Make(ReadPoints(sizes));
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

std::vector<CcevalFormFit>
CcevalFitForms(const std::string& sizes)
{
    const Points points = ReadPoints(sizes);
    const CcevalLogNormalFit logNormal = CcevalLogNormalFit::Make(points);
    return {{"log-normal", logNormal.squaredError, logNormal.largestError},
            FitForm(
                "normal",
                [](double size, double mean, double deviation) {
                    return CcevalNormalCdf((size - mean) / deviation);
                },
                points),
            FitForm(
                "exponential",
                [](double size, double mean, double) { return -std::expm1(-size / mean); },
                points),
            FitForm(
                "Poisson",
                // in units of the second parameter: a Poisson variable has none of its own
                [](double size, double mean, double unit) {
                    return gsl_cdf_gamma_Q(mean / unit, std::floor(size / unit) + 1, 1);
                },
                points)};
}

} // namespace ns3
