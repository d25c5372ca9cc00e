/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-control-variate.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr double COLLINEAR =
    1e-9; //!< conditional variance of a control, given the others, below which it is collinear

/**
 * @param rows by trial
 * @return the rows as a matrix
 */
Eigen::MatrixXd
ToMatrix(const std::vector<std::vector<double>>& rows)
{
    Eigen::MatrixXd matrix(rows.size(), rows.front().size());
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    {
        for (Eigen::Index j = 0; j < matrix.cols(); ++j)
        {
            matrix(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        }
    }
    return matrix;
}

/**
 * @param columns as many rows as trials; few columns
 * @return their inner products, column by column: Eigen's product of large matrices is no faster
 * for so few, and with it gcc 12 warns of uninitialised registers
 */
Eigen::MatrixXd
CrossProducts(const Eigen::MatrixXd& columns)
{
    return columns.transpose().lazyProduct(columns);
}

/**
 * @param products centred cross products of the controls
 * @return controls that are no linear combination of earlier ones
 */
std::vector<Eigen::Index>
ChooseIndependent(const Eigen::MatrixXd& products)
{
    std::vector<Eigen::Index> chosen;
    for (Eigen::Index j = 0; j < products.cols(); ++j)
    {
        if (!(products(j, j) > 0))
        {
            continue;
        }
        double rest = 1;
        if (!chosen.empty())
        {
            const Eigen::VectorXd with = products(chosen, j);
            const Eigen::MatrixXd among = products(chosen, chosen);
            rest = 1 - with.dot(among.ldlt().solve(with)) / products(j, j);
        }
        if (rest > COLLINEAR)
        {
            chosen.push_back(j);
        }
    }
    return chosen;
}

} // namespace

CcevalControlMeans
CcevalControlMeans::Make(const std::vector<std::vector<double>>& controls)
{
    NS_ASSERT_MSG(controls.size() >= 2, "means of controls need two traces");
    const Eigen::MatrixXd x = ToMatrix(controls);
    const Eigen::RowVectorXd mean = x.colwise().mean();
    const Eigen::MatrixXd centred = x.rowwise() - mean;
    const Eigen::MatrixXd covariance = CrossProducts(centred) / static_cast<double>(x.rows() - 1);
    CcevalControlMeans made;
    made.traces = controls.size();
    made.means.assign(mean.data(), mean.data() + mean.size());
    for (Eigen::Index i = 0; i < covariance.rows(); ++i)
    {
        made.covariance.emplace_back();
        for (Eigen::Index j = 0; j < covariance.cols(); ++j)
        {
            made.covariance.back().push_back(covariance(i, j));
        }
    }
    return made;
}

CcevalControlled
CcevalControlled::Make(const std::vector<double>& y,
                       const std::vector<std::vector<double>>& x,
                       const CcevalControlMeans& means,
                       double level)
{
    NS_ASSERT_MSG(!y.empty() && x.size() == y.size(), "a row of controls per trial");
    CcevalCheckLevel(level);
    const Eigen::MatrixXd all = ToMatrix(x);
    const Eigen::RowVectorXd allMeans = all.colwise().mean();
    // scaled to unit variance: controls are bytes, microseconds and counts
    Eigen::MatrixXd centred = all.rowwise() - allMeans;
    Eigen::VectorXd scales = centred.colwise().norm();
    for (Eigen::Index j = 0; j < scales.size(); ++j)
    {
        scales(j) = scales(j) > 0 ? scales(j) : 1.0;
        centred.col(j) /= scales(j);
    }
    const Eigen::MatrixXd allProducts = CrossProducts(centred);
    const std::vector<Eigen::Index> chosen = ChooseIndependent(allProducts);
    const auto n = static_cast<double>(y.size());
    const auto d = static_cast<double>(chosen.size());
    if (n < d + 3)
    {
        DcnFail("control variates need more trials: there are ",
                y.size(),
                " for ",
                chosen.size(),
                " controls");
    }
    const Eigen::MatrixXd products = allProducts(chosen, chosen);
    const Eigen::MatrixXd columns = centred(Eigen::all, chosen);
    const Eigen::Map<const Eigen::VectorXd> values(y.data(), static_cast<Eigen::Index>(y.size()));
    const double mean = values.mean();
    const Eigen::VectorXd deviations = values.array() - mean;
    const auto solver = products.ldlt();
    Eigen::VectorXd slope = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(chosen.size()));
    Eigen::VectorXd offset = slope;
    Eigen::MatrixXd covariance(products.rows(), products.cols());
    if (!chosen.empty())
    {
        slope = solver.solve(columns.transpose() * deviations);
        for (std::size_t i = 0; i < chosen.size(); ++i)
        {
            const auto from = static_cast<std::size_t>(chosen[i]);
            const auto at = static_cast<Eigen::Index>(i);
            offset(at) = (allMeans(chosen[i]) - means.means[from]) / scales(chosen[i]);
            for (std::size_t j = 0; j < chosen.size(); ++j)
            {
                const auto to = static_cast<std::size_t>(chosen[j]);
                covariance(at, static_cast<Eigen::Index>(j)) =
                    means.covariance[from][to] / (scales(chosen[i]) * scales(chosen[j]));
            }
        }
    }
    const Eigen::VectorXd rests = deviations - columns * slope;
    const double residuals = rests.squaredNorm();
    const double total = deviations.squaredNorm();
    const double variance = residuals / (n - d - 1);
    double leverage = 1 / n;
    double fromMeans = 0;
    if (!chosen.empty())
    {
        leverage += offset.dot(solver.solve(offset));
        fromMeans = slope.dot(covariance * slope) / static_cast<double>(means.traces);
    }
    CcevalControlled made;
    made.controls = static_cast<uint32_t>(chosen.size());
    made.rSquared = total > 0 ? 1 - residuals / total : 0.0;
    made.error = std::sqrt(variance * leverage + fromMeans);
    // the part of it that the trials contribute to the error
    const double skewness =
        residuals > 0 ? std::sqrt(n) * rests.array().cube().sum() / std::pow(residuals, 1.5) : 0.0;
    made.lambda = made.error > 0
                      ? skewness / std::sqrt(n) * variance * leverage / (made.error * made.error)
                      : 0.0;
    // residuals with a large kurtosis give their variance less precisely than normal ones:
    // Var(s^2) / s^4 = 2 / f with f degrees of freedom
    const double kurtosis =
        residuals > 0 ? n * rests.array().square().square().sum() / (residuals * residuals) - 3
                      : 0.0;
    made.freedom = 2 / (2 / (n - d - 1) + std::max(0.0, kurtosis) / n);
    made.controlShare = made.error > 0 ? fromMeans / (made.error * made.error) : 0.0;
    const double estimate = mean - slope.dot(offset);
    made.interval = CcevalSkewedInterval(estimate,
                                         made.error,
                                         made.lambda,
                                         CcevalStudentQuantile((1 + level) / 2, made.freedom));
    return made;
}

} // namespace ns3
