/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/workload/dcn-rack-matrix.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-statistics.h"

#include "ns3/dcn-topology.h"
#include "ns3/dcn-traffic-matrix.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Chi-square tests reject right draws once in 100,000 seeds; the seeds are fixed.
constexpr double LEVEL = 1e-5;

/**
 * @param racks number of racks
 * @param hosts hosts of each
 * @return a two-tier network
 */
Ptr<DcnTopology>
MakeRacks(uint32_t racks, uint32_t hosts)
{
    DcnLeafSpineParameters parameters;
    parameters.racks = racks;
    parameters.hostsPerRack = hosts;
    return DcnBuildTopology(parameters);
}

/**
 * Shares are probabilities: those of the pairs with one source add up to the source's, and those of
 * the sources to 1; a host never sends to itself. Draws follow them: over n draws the counts of the
 * pairs are multinomial. Where draws are dealt out in rounds, counts are more even than that.
 */
class SharesTestCase : public TestCase
{
  public:
    /**
     * @param name name of the matrix
     * @param racks racks of the network
     * @param hosts hosts per rack
     */
    SharesTestCase(const std::string& name, uint32_t racks, uint32_t hosts)
        : TestCase("matrix " + name + " draws what its shares say, " + std::to_string(racks) +
                   " racks of " + std::to_string(hosts)),
          m_name(name),
          m_racks(racks),
          m_hosts(hosts)
    {
    }

  private:
    void DoRun() override
    {
        auto topology = MakeRacks(m_racks, m_hosts);
        auto matrix = DcnTrafficMatrix::Create(m_name, topology, DcnRandom(5));
        NS_TEST_EXPECT_MSG_EQ(matrix->GetName(), m_name, "wrong name");
        const uint32_t nNodes = topology->GetNNodes();
        const std::size_t n = 200'000;
        std::vector<double> expected(nNodes * nNodes);
        double total = 0;
        for (uint32_t src = 0; src < nNodes; ++src)
        {
            double sum = 0;
            for (uint32_t dst = 0; dst < nNodes; ++dst)
            {
                const double share = matrix->GetPairShare(src, dst);
                NS_TEST_ASSERT_MSG_GT_OR_EQ(share, 0, "a negative probability");
                expected[src * nNodes + dst] = n * share;
                sum += share;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(matrix->GetSourceShare(src),
                                      sum,
                                      1e-12,
                                      "shares of source " << src << " do not add up");
            NS_TEST_EXPECT_MSG_EQ(matrix->GetPairShare(src, src), 0, "a host sends to itself");
            total += sum;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(total, 1, 1e-12, "shares do not add up to 1");

        std::vector<uint64_t> counts(expected.size(), 0);
        std::vector<DcnTrafficMatrix::Pair> pairs;
        for (std::size_t i = 0; i < n; ++i)
        {
            pairs.push_back(matrix->Draw());
            ++counts[pairs.back().first * nNodes + pairs.back().second];
        }
        DcnChiSquare test;
        test.Add(counts, expected);
        NS_TEST_EXPECT_MSG_EQ(test.possible, true, "a pair with share 0 was drawn");
        NS_TEST_EXPECT_MSG_EQ(test.IsAccepted(LEVEL),
                              true,
                              "chi-square " << test.statistic << " with " << test.freedom
                                            << " degrees of freedom");

        auto again = DcnTrafficMatrix::Create(m_name, topology, DcnRandom(5));
        std::size_t same = 0;
        for (const auto& pair : pairs)
        {
            same += again->Draw() == pair;
        }
        NS_TEST_EXPECT_MSG_EQ(same, n, "the same seed draws other pairs");
        again->Restart(DcnRandom(5), DcnPurpose::FLOW_PAIRS);
        same = 0;
        for (const auto& pair : pairs)
        {
            same += again->Draw() == pair;
        }
        NS_TEST_EXPECT_MSG_EQ(same, n, "a restart draws other pairs");

        // given the source, the destination follows the conditional shares
        const uint32_t source = pairs.front().first;
        std::vector<uint64_t> row(nNodes, 0);
        std::vector<double> rowExpected(nNodes);
        for (std::size_t i = 0; i < n; ++i)
        {
            ++row[matrix->DrawDestination(source)];
        }
        for (uint32_t dst = 0; dst < nNodes; ++dst)
        {
            rowExpected[dst] =
                n * matrix->GetPairShare(source, dst) / matrix->GetSourceShare(source);
        }
        DcnChiSquare conditional;
        conditional.Add(row, rowExpected);
        NS_TEST_EXPECT_MSG_EQ(conditional.IsAccepted(LEVEL),
                              true,
                              "wrong destinations of source " << source);
    }

    std::string m_name; //!< name of the matrix
    uint32_t m_racks;   //!< racks
    uint32_t m_hosts;   //!< hosts per rack
};

/**
 * A rack matrix from a file: drawing a cell and hosts again and again until they differ gives the
 * pair (s, d) the probability w(rack s, rack d) / (h_s h_d), divided by the sum over all pairs.
 */
DCN_TEST_CASE(RackMatrixFileTestCase, "rack matrices from files")
{
    int nFiles = 0;
    auto write = [&](const std::string& rows) {
        const std::string path =
            CreateTempDirFilename("matrix-" + std::to_string(nFiles++) + ".csv");
        std::ofstream(path) << rows;
        return path;
    };
    DcnParkingLotParameters row; // racks of 3, 1 and 3 hosts
    row.switches = 3;
    row.hostsPerSwitch = 1;
    row.endHosts = 2;
    auto topology = DcnBuildTopology(row);
    const double weights[3][3] = {{4, 1, 0}, {0.5, 7, 2}, {3, 0, 1.5}};
    const std::string path = write("4,1,0\n0.5,7,2\n3,0,1.5\n");
    auto matrix = DcnTrafficMatrix::Create(path, topology, DcnRandom(1));
    std::vector<double> shares;
    double sum = 0;
    auto weight = [&](uint32_t src, uint32_t dst) {
        const uint32_t from = topology->GetRack(src);
        const uint32_t to = topology->GetRack(dst);
        return src == dst ? 0.0
                          : weights[from][to] / (topology->GetRackHosts(from).size() *
                                                 topology->GetRackHosts(to).size());
    };
    for (uint32_t src : topology->GetHosts())
    {
        for (uint32_t dst : topology->GetHosts())
        {
            sum += weight(src, dst);
        }
    }
    const std::size_t n = 100'000;
    std::vector<double> expected;
    for (uint32_t src : topology->GetHosts())
    {
        for (uint32_t dst : topology->GetHosts())
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(matrix->GetPairShare(src, dst),
                                      weight(src, dst) / sum,
                                      1e-12,
                                      "wrong share of " << src << "->" << dst);
            expected.push_back(n * weight(src, dst) / sum);
        }
    }
    std::vector<uint64_t> counts(expected.size(), 0);
    for (std::size_t i = 0; i < n; ++i)
    {
        const auto [src, dst] = matrix->Draw();
        ++counts[src * topology->GetHosts().size() + dst]; // hosts are the first nodes
    }
    DcnChiSquare test;
    test.Add(counts, expected);
    NS_TEST_EXPECT_MSG_EQ(test.IsAccepted(LEVEL), true, "chi-square " << test.statistic);

    auto single = MakeRacks(2, 1);
    auto cross = DcnTrafficMatrix::Create(write("5,1\n0,5\n"), single, DcnRandom(1));
    NS_TEST_EXPECT_MSG_EQ(cross->GetPairShare(0, 1),
                          1,
                          "a single host cannot send within its rack");
    const std::string diagonal = write("5,0\n0,5\n");
    DCN_TEST_EXPECT_ERROR(DcnTrafficMatrix::Create(diagonal, single, DcnRandom(1)),
                          "matrix " + diagonal +
                              ": all flows stay in racks with a single host, "
                              "so that none has two different ends");
}

/// Incast, permutation and all-to-all are what their names say.
DCN_TEST_CASE(PatternTestCase, "incast, permutation and all-to-all")
{
    auto topology = MakeRacks(3, 4);
    const std::size_t nHosts = topology->GetHosts().size();
    std::set<uint32_t> receivers;
    for (uint64_t seed = 0; seed < 30; ++seed)
    {
        auto incast = DcnTrafficMatrix::Create("incast:5", topology, DcnRandom(seed));
        std::set<uint32_t> senders;
        std::set<uint32_t> targets;
        for (int i = 0; i < 200; ++i)
        {
            const auto [src, dst] = incast->Draw();
            senders.insert(src);
            targets.insert(dst);
        }
        NS_TEST_EXPECT_MSG_EQ(senders.size(), 5, "an incast of 5 has 5 senders");
        NS_TEST_EXPECT_MSG_EQ(targets.size(), 1, "an incast has one receiver");
        receivers.insert(*targets.begin());
    }
    NS_TEST_EXPECT_MSG_GT(receivers.size(), 6, "the seed does not choose the receiver");

    auto permutation = DcnTrafficMatrix::Create("permutation", topology, DcnRandom(3));
    std::vector<double> received(topology->GetNNodes(), 0.0);
    for (uint32_t src : topology->GetHosts())
    {
        std::size_t partners = 0;
        for (uint32_t dst : topology->GetHosts())
        {
            partners += permutation->GetPairShare(src, dst) > 0;
            received[dst] += permutation->GetPairShare(src, dst) > 0;
        }
        NS_TEST_EXPECT_MSG_EQ(partners, 1, "a host of a permutation sends to one host");
    }
    for (uint32_t dst : topology->GetHosts())
    {
        NS_TEST_EXPECT_MSG_EQ(received[dst], 1, "a host of a permutation receives from one");
    }

    auto all = DcnTrafficMatrix::Create("all-to-all", topology, DcnRandom(4));
    for (int turn = 0; turn < 2; ++turn)
    {
        std::set<DcnTrafficMatrix::Pair> pairs;
        for (std::size_t round = 0; round + 1 < nHosts; ++round)
        {
            std::set<uint32_t> sources;
            std::set<uint32_t> targets;
            for (std::size_t i = 0; i < nHosts; ++i)
            {
                const auto pair = all->Draw();
                pairs.insert(pair);
                sources.insert(pair.first);
                targets.insert(pair.second);
            }
            NS_TEST_EXPECT_MSG_EQ(sources.size(), nHosts, "each host sends once in a round");
            NS_TEST_EXPECT_MSG_EQ(targets.size(), nHosts, "each host receives once in a round");
        }
        NS_TEST_EXPECT_MSG_EQ(pairs.size(), nHosts * (nHosts - 1), "each pair comes once");
    }
}

/// Statistics of a rack matrix.
struct Statistics
{
    double nonZero;   //!< share of the cells above 0
    double diagonal;  //!< share of the flows on the diagonal
    double variation; //!< coefficient of variation of off-diagonal cells
    double transpose; //!< correlation of off-diagonal cells with their mirror images
    double topFifth;  //!< share of the flows in the largest 20 % of the cells
    double topRow;    //!< largest row sum, in units of the mean one
    double silent;    //!< share of rows below a tenth of the mean
};

/**
 * @param matrix a matrix of sum 1
 * @return its statistics
 */
Statistics
Measure(const DcnRackMatrix& matrix)
{
    const uint32_t n = matrix.GetNRacks();
    Statistics s{};
    std::vector<double> cells;
    double sum = 0;
    double squares = 0;
    double mirrored = 0;
    for (uint32_t i = 0; i < n; ++i)
    {
        double row = 0;
        for (uint32_t j = 0; j < n; ++j)
        {
            const double cell = matrix.Get(i, j);
            row += cell;
            cells.push_back(cell);
            s.nonZero += cell > 0 ? 1.0 / n / n : 0.0;
            if (i == j)
            {
                s.diagonal += cell;
                continue;
            }
            sum += cell;
            squares += cell * cell;
            mirrored += cell * matrix.Get(j, i);
        }
        s.topRow = std::max(s.topRow, row * n);
        s.silent += row * n < 0.1 ? 1.0 / n : 0.0;
    }
    const double pairs = n * (n - 1.0);
    const double mean = sum / pairs;
    const double variance = squares / pairs - mean * mean;
    s.variation = std::sqrt(variance) / mean;
    s.transpose = (mirrored / pairs - mean * mean) / variance;
    std::sort(cells.rbegin(), cells.rend());
    s.topFifth = std::accumulate(cells.begin(), cells.begin() + cells.size() / 5, 0.0);
    return s;
}

/**
 * @param make a generator
 * @param nRacks number of racks
 * @return the median of each statistic over the seeds
 */
Statistics
Typical(DcnRackMatrix (*make)(uint32_t, const DcnRandom&), uint32_t nRacks)
{
    std::vector<Statistics> all;
    for (uint64_t seed = 1; seed <= 21; ++seed)
    {
        all.push_back(Measure(make(nRacks, DcnRandom(seed))));
    }
    Statistics typical{};
    for (double Statistics::*member : {&Statistics::nonZero,
                                       &Statistics::diagonal,
                                       &Statistics::variation,
                                       &Statistics::transpose,
                                       &Statistics::topFifth,
                                       &Statistics::topRow,
                                       &Statistics::silent})
    {
        std::nth_element(
            all.begin(),
            all.begin() + all.size() / 2,
            all.end(),
            [member](const Statistics& a, const Statistics& b) { return a.*member < b.*member; });
        typical.*member = all[all.size() / 2].*member;
    }
    return typical;
}

/// The generated rack matrices have the statistics that were measured on the ones they stand in for
/// (DcnRackMatrix gives them), in the median of 21 seeds, with 32 racks and with the full number: a
/// single matrix may have an exceptional cell.
DCN_TEST_CASE(GeneratorTestCase, "generated rack matrices have the measured structure")
{
    // value: a statistic
    // low: smallest value allowed
    // high: largest value allowed
    // what: name of the statistic
    const auto expect = [&](double value, double low, double high, const std::string& what) {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(value, low, what);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(value, high, what);
    };
    for (uint32_t racks : {32U, 155U})
    {
        const auto a = Typical(DcnRackMatrix::Database, racks);
        expect(a.nonZero, 0.50, 0.62, "database: cells with flows, measured .50 .. .62");
        expect(a.diagonal, 0, 0, "database: flows within a rack, measured .000 .. .001");
        expect(a.variation, 1.6, 2.1, "database: off-diagonal CoV, measured 1.84 .. 1.88");
        expect(a.transpose, 0.99, 1.01, "database: transpose correlation, measured .998");
        expect(a.topFifth, 0.65, 0.8, "database: largest fifth, measured .69 .. .74");
        expect(a.topRow, 1.5, 4.0, "database: largest row, measured 2.2 .. 3.2");
        expect(a.silent, 0.15, 0.25, "database: silent racks, measured .19");
    }
    for (uint32_t racks : {32U, 324U})
    {
        const auto b = Typical(DcnRackMatrix::Web, racks);
        expect(b.nonZero, 0.98, 1.0, "web: cells with flows, measured .98 .. 1");
        expect(b.diagonal, 0.0, 0.01, "web: flows within a rack, measured .001 .. .01");
        expect(b.variation, 1.5, 2.1, "web: off-diagonal CoV, measured 1.70 .. 2.10");
        expect(b.transpose, 0.90, 0.97, "web: transpose correlation, measured .94 .. .95");
        expect(b.topFifth, 0.78, 0.97, "web: largest fifth, measured .82 .. .97");
        expect(b.topRow, 2.2, 4.4, "web: largest row, measured 2.5 .. 4.4");
    }
    const auto small = Typical(DcnRackMatrix::Hadoop, 32);
    const auto large = Typical(DcnRackMatrix::Hadoop, 365);
    expect(small.diagonal, 0.495, 0.505, "hadoop: flows within a rack, measured .505");
    expect(large.diagonal, 0.075, 0.085, "hadoop: flows within a rack, measured .087");
    for (const auto& c : {small, large})
    {
        expect(c.nonZero, 1 - 1e-9, 1 + 1e-9, "hadoop: cells with flows, measured .99 .. 1");
        expect(c.variation, 0.2, 0.35, "hadoop: off-diagonal CoV, measured .26 .. .61");
        expect(c.transpose, 0.999, 1.001, "hadoop: transpose correlation, measured 1");
        expect(c.topRow, 1.1, 4.8, "hadoop: largest row, measured 1.7 .. 4.8");
    }
    const auto one = DcnRackMatrix::Hadoop(1, DcnRandom(1));
    NS_TEST_EXPECT_MSG_EQ(one.Get(0, 0), 1, "a single rack has all the flows");
    const auto two = DcnRackMatrix::Database(2, DcnRandom(1));
    NS_TEST_EXPECT_MSG_EQ(two.Get(0, 1), 0.5, "two racks talk to each other");
    const auto other = DcnRackMatrix::Web(8, DcnRandom(2));
    NS_TEST_EXPECT_MSG_NE(DcnRackMatrix::Web(8, DcnRandom(1)).Get(0, 1),
                          other.Get(0, 1),
                          "seeds give the same matrix");
}

/**
 * Draws are inversions. With w the cells of the matrix, and u, v uniform from the streams of
 * sources and destinations, the source's rack r and the destination's rack q are the first ones
 * with
 *
 *     sum_(i <= r) sum_j w_ij > u W,    sum_(j <= q) w_rj > v sum_j w_rj,    W = sum_ij w_ij
 *
 * where sums are added up in this order, and the hosts in them are the next draws. (Racks of these
 * matrices send nothing to themselves, so that no cell is reduced.)
 */
DCN_TEST_CASE(InversionTestCase, "draws from rack matrices are inversions, digit by digit")
{
    constexpr uint32_t HOSTS = 3; // of a rack
    for (uint32_t racks : {3U, 8U, 61U})
    {
        const DcnRandom random(racks);
        auto topology = MakeRacks(racks, HOSTS);
        DcnRackMatrix cells(racks);
        auto weights = CreateObject<UniformRandomVariable>();
        random.Assign(weights, DcnPurpose::TRIAL_VALUES);
        const std::string file = CreateTempDirFilename("cells.csv");
        std::ofstream csv(file);
        csv.precision(17);
        for (uint32_t i = 0; i < racks; ++i)
        {
            for (uint32_t j = 0; j < racks; ++j)
            {
                // from 1 to 10^6, and some without flows
                const double weight = std::pow(10.0, weights->GetInteger(0, 6));
                cells.Set(i, j, i == j || (i + j) % 5 == 4 ? 0.0 : weight);
                csv << (j == 0 ? "" : ",") << cells.Get(i, j);
            }
            csv << '\n';
        }
        csv.close();
        auto matrix = DcnTrafficMatrix::Create(file, topology, random);
        auto sources = CreateObject<UniformRandomVariable>();
        auto destinations = CreateObject<UniformRandomVariable>();
        random.Assign(sources, DcnPurpose::FLOW_PAIRS, 0);
        random.Assign(destinations, DcnPurpose::FLOW_PAIRS, 1);
        std::vector<std::vector<double>> rows(racks);
        std::vector<double> upTo;
        double total = 0;
        for (uint32_t i = 0; i < racks; ++i)
        {
            double row = 0;
            for (uint32_t j = 0; j < racks; ++j)
            {
                rows[i].push_back(row += cells.Get(i, j));
            }
            upTo.push_back(total += row);
        }
        const auto invert = [](UniformRandomVariable& variable, const std::vector<double>& sums) {
            const double draw = variable.GetValue(0.0, 1.0) * sums.back();
            return static_cast<uint32_t>(std::upper_bound(sums.begin(), sums.end(), draw) -
                                         sums.begin());
        };
        for (int i = 0; i < 20'000; ++i)
        {
            const uint32_t from = invert(*sources, upTo);
            const uint32_t source = topology->GetRackHosts(from)[sources->GetInteger(0, HOSTS - 1)];
            const uint32_t to = invert(*destinations, rows[from]);
            const uint32_t destination =
                topology->GetRackHosts(to)[destinations->GetInteger(0, HOSTS - 1)];
            const auto pair = matrix->Draw();
            NS_TEST_ASSERT_MSG_EQ(pair.first, source, "source of pair " << i);
            NS_TEST_ASSERT_MSG_EQ(pair.second, destination, "destination of pair " << i);
        }
    }
}

/// Every kind of bad input is refused with one sentence.
DCN_TEST_CASE(BadMatrixTestCase, "bad traffic matrices are refused")
{
    auto topology = MakeRacks(2, 2);
    auto create = [&](const std::string& name) {
        return DcnTrafficMatrix::Create(name, topology, DcnRandom(1));
    };
    DCN_TEST_EXPECT_ERROR(create("wheel"),
                          "matrix \"wheel\" is unknown; there are uniform, database, web, "
                          "hadoop, incast:N, permutation, all-to-all and a path of a CSV file");
    for (const char* n : {"0", "4", "few", ""})
    {
        DCN_TEST_EXPECT_ERROR(create(std::string("incast:") + n),
                              std::string("matrix incast:") + n +
                                  ": N must be a whole number from 1 to 3 (hosts less one), but "
                                  "it is \"" +
                                  n + "\"");
    }
    DCN_TEST_EXPECT_ERROR(create("web"),
                          "the matrix \"web\" needs at least 3 racks, but the topology has 2");
    topology = MakeRacks(1, 2);
    DCN_TEST_EXPECT_ERROR(create("database"),
                          "the matrix \"database\" needs at least 2 racks, but the topology has 1");
    topology = MakeRacks(1, 1);
    DCN_TEST_EXPECT_ERROR(create("uniform"),
                          "matrix uniform: traffic needs at least 2 hosts, but the topology has 1");
    topology = MakeRacks(2, 2);
    DCN_TEST_EXPECT_ERROR(create("none/there.csv"),
                          "none/there.csv: the file cannot be read (there is no such folder)");
    const std::string path = CreateTempDirFilename("bad-matrix.csv");
    auto check = [&](const std::string& rows, const std::string& sentence) {
        std::ofstream(path) << rows;
        DCN_TEST_EXPECT_ERROR(create(path), path + sentence);
    };
    check("1,2\n3\n", ":2: the row has 1 columns instead of 2");
    check("1,2\n", ":1: a rack matrix must be square, but it has 1 rows and 2 columns");
    check("1,2\n3,-4\n", ":2: column 2 must not be below 0, but it is -4");
    check("1,2\n3,x\n", ":2: column 2 must be a number, but it is \"x\"");
    check("0,0\n0,0\n", ":2: all 4 cells of the rack matrix are 0");
    check("", ": a rack matrix must be square, but it has 0 rows and 0 columns");
    check("1,2,3\n4,5,6\n7,8,9\n", ": the matrix is for 3 racks, but the topology has 2");
}

/// @ingroup dcn-tests
/// @brief Traffic matrices.
class DcnTrafficMatrixTestSuite : public TestSuite
{
  public:
    DcnTrafficMatrixTestSuite()
        : TestSuite("dcn-traffic-matrix", Type::UNIT)
    {
        for (const char* name :
             {"uniform", "database", "web", "hadoop", "incast:7", "permutation", "all-to-all"})
        {
            AddTestCase(new SharesTestCase(name, 8, 4));
        }
        AddTestCase(new SharesTestCase("hadoop", 5, 1));
        AddTestCase(new SharesTestCase("uniform", 1, 2));
        AddTestCase(new RackMatrixFileTestCase);
        AddTestCase(new PatternTestCase);
        AddTestCase(new GeneratorTestCase);
        AddTestCase(new InversionTestCase);
        AddTestCase(new BadMatrixTestCase);
    }
} g_dcnTrafficMatrixTestSuite; //!< the suite

} // namespace
