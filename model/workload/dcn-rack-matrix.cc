/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-rack-matrix.h"

#include "dcn-log-normal.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnRackMatrix");

namespace
{

// Database-like: share of silent racks, weights of the other racks and share of their pairs without
// flows, as measured on matrix A; the shape of the pairs' factor gives the measured coefficient of
// variation of the cells.
constexpr double DATABASE_SILENT = 0.2;
constexpr double DATABASE_LIGHTEST = 0.5;
constexpr double DATABASE_HEAVIEST = 1.8;
constexpr double DATABASE_ABSENT_PAIRS = 0.15;
constexpr double DATABASE_PAIR_SHAPE = 0.83;

// Web-like: share of hubs, and shares of the flows by the roles of source and destination, from
// matrix B.
constexpr double WEB_HUBS = 0.12;
constexpr double WEB_HUB_TO_LEAF = 0.36;
constexpr double WEB_LEAF_TO_HUB = 0.48;
constexpr double WEB_LEAF_TO_LEAF = 0.14;
constexpr double WEB_HUB_TO_HUB = 0.02;
constexpr double WEB_LEAF_SHAPE = 0.43;

// Hadoop-like: weight of a diagonal cell over the mean weight of other cells, from matrix C.
constexpr double HADOOP_DIAGONAL = 32.0;
constexpr double HADOOP_DIAGONAL_SHAPE = 0.7;
constexpr double HADOOP_CELL_SHAPE = 0.25;

/// Weights that multiply to a mean of 1: log-normal of a given shape.
class UnitLogNormal
{
  public:
    /**
     * @param random the seed
     */
    explicit UnitLogNormal(const DcnRandom& random)
        : m_variable(CreateObject<DcnLogNormalVariable>())
    {
        random.Assign(m_variable, DcnPurpose::MATRIX_SHAPE, 1);
    }

    /**
     * @param sigma shape
     * @return the next weight
     */
    double Draw(double sigma)
    {
        return m_variable->GetValue(-0.5 * sigma * sigma, sigma);
    }

  private:
    Ptr<DcnLogNormalVariable> m_variable; //!< source of the draws
};

/**
 * @param nRacks number of racks
 * @param random the seed
 * @return all rack numbers in random order
 */
std::vector<uint32_t>
ShuffledRacks(uint32_t nRacks, const DcnRandom& random)
{
    std::vector<uint32_t> racks(nRacks);
    std::iota(racks.begin(), racks.end(), 0);
    auto uniform = CreateObject<UniformRandomVariable>();
    random.Assign(uniform, DcnPurpose::MATRIX_SHAPE, 0);
    DcnShuffle(racks, *uniform);
    return racks;
}

} // namespace

DcnRackMatrix::DcnRackMatrix(uint32_t nRacks)
    : m_nRacks(nRacks),
      m_weights(std::size_t{nRacks} * nRacks, 0.0)
{
    NS_ASSERT_MSG(nRacks > 0, "a rack matrix needs a rack");
}

DcnRackMatrix
DcnRackMatrix::Read(const std::string& path)
{
    DcnCsvReader csv(path, {});
    DcnLargeVector<double> weights;
    std::size_t columns = 0;
    std::size_t rows = 0;
    std::string where = path + ": ";
    bool hasFlow = false;
    while (csv.FetchRow())
    {
        where = csv.Where();
        columns = rows == 0 ? csv.GetNColumns() : columns;
        if (csv.GetNColumns() != columns)
        {
            DcnFail(where, "the row has ", csv.GetNColumns(), " columns instead of ", columns);
        }
        for (std::size_t column = 0; column < columns; ++column)
        {
            weights.push_back(csv.GetDouble(column));
            if (weights.back() < 0)
            {
                DcnFail(where,
                        "column ",
                        column + 1,
                        " must not be below 0, but it is ",
                        csv.GetText(column));
            }
            hasFlow = hasFlow || weights.back() > 0;
        }
        ++rows;
    }
    if (rows == 0 || rows != columns)
    {
        DcnFail(where,
                "a rack matrix must be square, but it has ",
                rows,
                " rows and ",
                columns,
                " columns");
    }
    if (!hasFlow)
    {
        DcnFail(where, "all ", rows * columns, " cells of the rack matrix are 0");
    }
    DcnRackMatrix matrix(static_cast<uint32_t>(rows));
    matrix.m_weights = std::move(weights);
    NS_LOG_INFO("rack matrix of " << rows << " racks from " << path);
    return matrix;
}

DcnRackMatrix
DcnRackMatrix::Database(uint32_t nRacks, const DcnRandom& random)
{
    if (nRacks < 2)
    {
        DcnFail("the matrix \"database\" needs at least 2 racks, but the topology has ", nRacks);
    }
    // exact numbers of silent racks and absent pairs, not random ones: even a few racks have the
    // structure, and at least two racks have flows
    std::vector<uint32_t> racks = ShuffledRacks(nRacks, random);
    racks.resize(nRacks - static_cast<std::size_t>(DATABASE_SILENT * nRacks));
    auto uniform = CreateObject<UniformRandomVariable>();
    random.Assign(uniform, DcnPurpose::MATRIX_SHAPE, 2);
    std::vector<double> activity(nRacks, 0.0);
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (std::size_t i = 0; i < racks.size(); ++i)
    {
        activity[racks[i]] = uniform->GetValue(DATABASE_LIGHTEST, DATABASE_HEAVIEST);
        for (std::size_t j = 0; j < i; ++j)
        {
            pairs.emplace_back(racks[i], racks[j]);
        }
    }
    DcnShuffle(pairs, *uniform);
    pairs.resize(pairs.size() - static_cast<std::size_t>(DATABASE_ABSENT_PAIRS * pairs.size()));
    UnitLogNormal factor(random);
    DcnRackMatrix matrix(nRacks);
    for (const auto& [a, b] : pairs)
    {
        const double weight = activity[a] * activity[b] * factor.Draw(DATABASE_PAIR_SHAPE);
        matrix.Set(a, b, weight);
        matrix.Set(b, a, weight);
    }
    matrix.Normalise();
    return matrix;
}

DcnRackMatrix
DcnRackMatrix::Web(uint32_t nRacks, const DcnRandom& random)
{
    if (nRacks < 3)
    {
        DcnFail("the matrix \"web\" needs at least 3 racks, but the topology has ", nRacks);
    }
    const std::vector<uint32_t> racks = ShuffledRacks(nRacks, random);
    const uint32_t nHubs = std::max(1U, static_cast<uint32_t>(std::lround(WEB_HUBS * nRacks)));
    const uint32_t nLeaves = nRacks - nHubs;
    UnitLogNormal factor(random);
    std::vector<double> activity(nRacks, 1.0);
    double total = 0;
    for (uint32_t i = nHubs; i < nRacks; ++i)
    {
        activity[i] = factor.Draw(WEB_LEAF_SHAPE);
        total += activity[i];
    }
    for (uint32_t i = nHubs; i < nRacks; ++i)
    {
        activity[i] *= nLeaves / total;
    }
    // share of the flows over the number of cells; no flow stays in a hub
    const double hubToLeaf = WEB_HUB_TO_LEAF / (1.0 * nHubs * nLeaves);
    const double leafToHub = WEB_LEAF_TO_HUB / (1.0 * nHubs * nLeaves);
    const double leafToLeaf = WEB_LEAF_TO_LEAF / (1.0 * nLeaves * nLeaves);
    const double hubToHub = nHubs > 1 ? WEB_HUB_TO_HUB / (1.0 * nHubs * (nHubs - 1)) : 0.0;
    DcnRackMatrix matrix(nRacks);
    for (uint32_t i = 0; i < nRacks; ++i)
    {
        for (uint32_t j = 0; j < nRacks; ++j)
        {
            double weight = activity[i] * activity[j];
            if (i < nHubs && j < nHubs)
            {
                weight = i == j ? 0.0 : hubToHub;
            }
            else
            {
                weight *= i < nHubs ? hubToLeaf : (j < nHubs ? leafToHub : leafToLeaf);
            }
            matrix.Set(racks[i], racks[j], weight);
        }
    }
    matrix.Normalise();
    return matrix;
}

DcnRackMatrix
DcnRackMatrix::Hadoop(uint32_t nRacks, const DcnRandom& random)
{
    UnitLogNormal factor(random);
    DcnRackMatrix matrix(nRacks);
    double others = 0;
    double diagonal = 0;
    for (uint32_t i = 0; i < nRacks; ++i)
    {
        matrix.Set(i, i, factor.Draw(HADOOP_DIAGONAL_SHAPE));
        diagonal += matrix.Get(i, i);
        for (uint32_t j = 0; j < i; ++j)
        {
            const double weight = factor.Draw(HADOOP_CELL_SHAPE);
            matrix.Set(i, j, weight);
            matrix.Set(j, i, weight);
            others += 2.0 * weight;
        }
    }
    if (nRacks > 1)
    {
        // exact means, since the diagonal determines the traffic in the core
        const double ratio = std::min(HADOOP_DIAGONAL, nRacks - 1.0) / (nRacks - 1.0);
        for (uint32_t i = 0; i < nRacks; ++i)
        {
            matrix.Set(i, i, matrix.Get(i, i) * ratio * others / diagonal);
        }
    }
    matrix.Normalise();
    return matrix;
}

uint32_t
DcnRackMatrix::GetNRacks() const
{
    return m_nRacks;
}

double
DcnRackMatrix::Get(uint32_t source, uint32_t destination) const
{
    return m_weights[std::size_t{source} * m_nRacks + destination];
}

void
DcnRackMatrix::Set(uint32_t source, uint32_t destination, double weight)
{
    m_weights[std::size_t{source} * m_nRacks + destination] = weight;
}

DcnLargeVector<double>
DcnRackMatrix::Release()
{
    return std::move(m_weights);
}

void
DcnRackMatrix::Normalise()
{
    const double total = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    for (double& weight : m_weights)
    {
        weight /= total;
    }
}

} // namespace ns3
