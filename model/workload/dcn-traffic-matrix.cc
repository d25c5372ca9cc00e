/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-traffic-matrix.h"

#include "dcn-rack-matrix.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-large-pages.h"
#include "ns3/log.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrafficMatrix");

namespace
{

constexpr uint32_t NO_POSITION = 0xffffffffU; //!< position of a node that is not a host

/**
 * @param topology the network
 * @return per node: position among the hosts, NO_POSITION for switches
 */
std::vector<uint32_t>
HostPositions(const DcnTopology& topology)
{
    std::vector<uint32_t> positions(topology.GetNNodes(), NO_POSITION);
    uint32_t next = 0;
    for (uint32_t host : topology.GetHosts())
    {
        positions[host] = next++;
    }
    return positions;
}

/**
 * @param topology the network
 * @param random the seed
 * @return node indices of all hosts in random order
 */
std::vector<uint32_t>
ShuffledHosts(const DcnTopology& topology, const DcnRandom& random)
{
    std::vector<uint32_t> hosts = topology.GetHosts();
    auto uniform = CreateObject<UniformRandomVariable>();
    random.Assign(uniform, DcnPurpose::MATRIX_HOSTS);
    DcnShuffle(hosts, *uniform);
    return hosts;
}

/// Every ordered pair of different hosts is equally likely.
class UniformTraffic : public DcnTrafficMatrix
{
  public:
    /**
     * @param name name in Create
     * @param topology the network
     */
    UniformTraffic(const std::string& name, const DcnTopology& topology)
        : DcnTrafficMatrix(name),
          m_hosts(topology.GetHosts()),
          m_positions(HostPositions(topology))
    {
    }

    uint32_t DrawSource() override
    {
        return m_hosts[DrawIndex(*m_sourceDraws, m_hosts.size())];
    }

    uint32_t DrawDestination(uint32_t source) override
    {
        const uint32_t index = DrawIndex(*m_destinationDraws, m_hosts.size() - 1);
        return m_hosts[index + (index >= m_positions[source] ? 1 : 0)];
    }

    double GetSourceShare(uint32_t source) const override
    {
        return m_positions[source] == NO_POSITION ? 0.0 : 1.0 / m_hosts.size();
    }

    double GetPairShare(uint32_t source, uint32_t destination) const override
    {
        return source == destination || m_positions[destination] == NO_POSITION
                   ? 0.0
                   : GetSourceShare(source) / (m_hosts.size() - 1.0);
    }

  private:
    std::vector<uint32_t> m_hosts;     //!< node indices
    std::vector<uint32_t> m_positions; //!< per node: its place in m_hosts
};

/// A rack matrix with uniform hosts in each rack.
class RackTraffic : public DcnTrafficMatrix
{
  public:
    /**
     * @param name name in Create
     * @param topology the network
     * @param matrix flows by rack, whose memory is used on
     */
    RackTraffic(const std::string& name, Ptr<const DcnTopology> topology, DcnRackMatrix matrix)
        : DcnTrafficMatrix(name),
          m_topology(topology),
          m_nRacks(topology->GetNRacks()),
          m_cells(matrix.Release())
    {
        m_nHints = (m_nRacks + CELLS_PER_HINT - 1) / CELLS_PER_HINT;
        m_hints.reserve((m_nRacks + std::size_t{1}) * m_nHints);
        double flows = 0;
        for (uint32_t source = 0; source < m_nRacks; ++source)
        {
            double* cells = m_cells.data() + std::size_t{source} * m_nRacks;
            cells[source] *= 1.0 - 1.0 / topology->GetRackHosts(source).size();
            std::partial_sum(cells, cells + m_nRacks, cells);
            AddHints(cells);
            m_totals.push_back(cells[m_nRacks - 1]);
            flows += m_totals.back();
            m_rows.push_back(flows);
        }
        AddHints(m_rows.data());
        m_totals.push_back(flows);
        if (flows == 0)
        {
            DcnFail("matrix ",
                    name,
                    ": all flows stay in racks with a single host, so that none has "
                    "two different ends");
        }
    }

    uint32_t DrawSource() override
    {
        const auto& hosts =
            m_topology->GetRackHosts(DrawCumulative(*m_sourceDraws, m_rows.data(), m_nRacks));
        return hosts[DrawIndex(*m_sourceDraws, hosts.size())];
    }

    uint32_t DrawDestination(uint32_t source) override
    {
        NS_ASSERT_MSG(GetSourceShare(source) > 0, "host " << source << " sends no flow");
        const uint32_t rack = m_topology->GetRack(source);
        const double* row = m_cells.data() + std::size_t{rack} * m_nRacks;
        const uint32_t target = DrawCumulative(*m_destinationDraws, row, rack);
        const auto& hosts = m_topology->GetRackHosts(target);
        if (target != rack)
        {
            return hosts[DrawIndex(*m_destinationDraws, hosts.size())];
        }
        const std::size_t own =
            std::lower_bound(hosts.begin(), hosts.end(), source) - hosts.begin();
        const uint32_t index = DrawIndex(*m_destinationDraws, hosts.size() - 1);
        return hosts[index + (index >= own ? 1 : 0)];
    }

    double GetSourceShare(uint32_t source) const override
    {
        if (!m_topology->IsHost(source))
        {
            return 0.0;
        }
        const uint32_t rack = m_topology->GetRack(source);
        return Cell(m_rows.data(), rack) / m_rows.back() / m_topology->GetRackHosts(rack).size();
    }

    double GetPairShare(uint32_t source, uint32_t destination) const override
    {
        if (source == destination || !m_topology->IsHost(source) ||
            !m_topology->IsHost(destination))
        {
            return 0.0;
        }
        const uint32_t from = m_topology->GetRack(source);
        const uint32_t to = m_topology->GetRack(destination);
        const double hosts = m_topology->GetRackHosts(from).size();
        const double others = m_topology->GetRackHosts(to).size() - (from == to ? 1.0 : 0.0);
        return Cell(m_cells.data() + std::size_t{from} * m_nRacks, to) / m_rows.back() /
               (hosts * others);
    }

  private:
    /**
     * Add the hints of a row: hint i is the position that a draw of the part i / m_nHints finds.
     * @param cumulative its weights
     */
    void AddHints(const double* cumulative)
    {
        uint32_t position = 0;
        for (uint32_t i = 0; i < m_nHints; ++i)
        {
            const double draw = static_cast<double>(i) / m_nHints * cumulative[m_nRacks - 1];
            while (position + 1 < m_nRacks && cumulative[position] <= draw)
            {
                ++position;
            }
            m_hints.push_back(position);
        }
    }

    /**
     * Draw by inversion, from a hint on: in a large network nearly every step of a binary search
     * would have to wait for the memory.
     * @param variable source of the draws
     * @param cumulative weights of a row
     * @param hints number of its hints: rack, or m_nRacks for m_rows
     * @return a position, with probability proportional to its own weight
     */
    uint32_t DrawCumulative(UniformRandomVariable& variable,
                            const double* cumulative,
                            uint32_t hints) const
    {
        // the draw is below the sum, so that the position has a weight above 0
        const double part = variable.GetValue(0.0, 1.0);
        const double draw = part * m_totals[hints];
        const auto hint = static_cast<uint32_t>(part * m_nHints);
        uint32_t position = m_hints[std::size_t{hints} * m_nHints + hint];
        while (position > 0 && cumulative[position - 1] > draw) // the hint may be rounded
        {
            --position;
        }
        while (position + 1 < m_nRacks && cumulative[position] <= draw)
        {
            ++position;
        }
        return position;
    }

    /**
     * @param cumulative cumulative weights
     * @param position index of a weight
     * @return its own weight
     */
    static double Cell(const double* cumulative, uint32_t position)
    {
        return cumulative[position] - (position == 0 ? 0.0 : cumulative[position - 1]);
    }

    Ptr<const DcnTopology> m_topology; //!< the network
    uint32_t m_nRacks;                 //!< racks of the network

    static constexpr uint32_t CELLS_PER_HINT = 8; //!< a cache line of m_cells

    DcnLargeVector<double> m_cells;   //!< row-major, cumulative within each row
    std::vector<double> m_rows;       //!< sums of the rows, cumulative
    std::vector<double> m_totals;     //!< last elements of the rows of m_cells, and of m_rows
    uint32_t m_nHints;                //!< of a row
    DcnLargeVector<uint32_t> m_hints; //!< of the rows of m_cells, and of m_rows; see AddHints
};

/// Each sender has one destination and all senders are equally likely: incast, permutation.
class FixedPairsTraffic : public DcnTrafficMatrix
{
  public:
    /**
     * @param name name in Create
     * @param nNodes nodes of the network
     * @param pairs the pairs, each source once
     */
    FixedPairsTraffic(const std::string& name, uint32_t nNodes, std::vector<Pair> pairs)
        : DcnTrafficMatrix(name),
          m_pairs(std::move(pairs)),
          m_destinations(nNodes, NO_POSITION)
    {
        for (const auto& [source, destination] : m_pairs)
        {
            m_destinations[source] = destination;
        }
    }

    uint32_t DrawSource() override
    {
        return m_pairs[DrawIndex(*m_sourceDraws, m_pairs.size())].first;
    }

    uint32_t DrawDestination(uint32_t source) override
    {
        return m_destinations[source];
    }

    double GetSourceShare(uint32_t source) const override
    {
        return m_destinations[source] == NO_POSITION ? 0.0 : 1.0 / m_pairs.size();
    }

    double GetPairShare(uint32_t source, uint32_t destination) const override
    {
        return m_destinations[source] == destination ? GetSourceShare(source) : 0.0;
    }

  private:
    std::vector<Pair> m_pairs;            //!< source and destination
    std::vector<uint32_t> m_destinations; //!< per node, NO_POSITION if it does not send
};

/// Rounds; in a round every host sends to the host at a common random shift.
class AllToAllTraffic : public DcnTrafficMatrix
{
  public:
    /**
     * @param name name in Create
     * @param topology the network
     * @param random the seed
     */
    AllToAllTraffic(const std::string& name, const DcnTopology& topology, const DcnRandom& random)
        : DcnTrafficMatrix(name),
          m_hosts(ShuffledHosts(topology, random)),
          m_positions(topology.GetNNodes(), NO_POSITION),
          m_shifts(m_hosts.size() - 1),
          m_rounds(m_hosts.size(), 0)
    {
        for (uint32_t i = 0; i < m_hosts.size(); ++i)
        {
            m_positions[m_hosts[i]] = i;
        }
        std::iota(m_shifts.begin(), m_shifts.end(), 1);
        auto uniform = CreateObject<UniformRandomVariable>();
        random.Assign(uniform, DcnPurpose::MATRIX_HOSTS, 1);
        DcnShuffle(m_shifts, *uniform);
    }

    uint32_t DrawSource() override
    {
        const uint32_t source = m_hosts[m_next];
        m_next = (m_next + 1) % m_hosts.size();
        return source;
    }

    uint32_t DrawDestination(uint32_t source) override
    {
        const uint32_t position = m_positions[source];
        const uint32_t shift = m_shifts[m_rounds[position]];
        m_rounds[position] = (m_rounds[position] + 1) % m_shifts.size();
        return m_hosts[(std::size_t{position} + shift) % m_hosts.size()];
    }

    double GetSourceShare(uint32_t source) const override
    {
        return m_positions[source] == NO_POSITION ? 0.0 : 1.0 / m_hosts.size();
    }

    double GetPairShare(uint32_t source, uint32_t destination) const override
    {
        return source == destination || m_positions[destination] == NO_POSITION
                   ? 0.0
                   : GetSourceShare(source) / (m_hosts.size() - 1.0);
    }

  private:
    void DoRestart() override
    {
        m_next = 0;
        std::fill(m_rounds.begin(), m_rounds.end(), 0);
    }

    std::vector<uint32_t> m_hosts;     //!< in random order
    std::vector<uint32_t> m_positions; //!< per node: its place in m_hosts
    std::vector<uint32_t> m_shifts;    //!< 1 .. n - 1 in random order, one per round
    std::vector<uint32_t> m_rounds;    //!< per host: rounds in which it has sent
    std::size_t m_next{0};             //!< host that sends next
};

/**
 * @param name whole name "incast:N"
 * @param number the text N
 * @param topology the network
 * @param random the seed
 * @return the matrix
 */
Ptr<DcnTrafficMatrix>
MakeIncast(const std::string& name,
           const std::string& number,
           const DcnTopology& topology,
           const DcnRandom& random)
{
    const std::size_t most = topology.GetHosts().size() - 1;
    uint64_t senders;
    if (!DcnParse(number, senders) || senders == 0 || senders > most)
    {
        DcnFail("matrix ",
                name,
                ": N must be a whole number from 1 to ",
                most,
                " (hosts less one), but it is \"",
                number,
                "\"");
    }
    const std::vector<uint32_t> hosts = ShuffledHosts(topology, random);
    std::vector<DcnTrafficMatrix::Pair> pairs;
    for (uint64_t i = 1; i <= senders; ++i)
    {
        pairs.emplace_back(hosts[i], hosts[0]);
    }
    return Ptr<DcnTrafficMatrix>(
        new FixedPairsTraffic(name, topology.GetNNodes(), std::move(pairs)),
        false);
}

/**
 * @param name name in Create
 * @param topology the network
 * @param random the seed
 * @return the matrix "permutation"
 */
Ptr<DcnTrafficMatrix>
MakePermutation(const std::string& name, const DcnTopology& topology, const DcnRandom& random)
{
    const std::vector<uint32_t> hosts = ShuffledHosts(topology, random);
    std::vector<DcnTrafficMatrix::Pair> pairs;
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        pairs.emplace_back(hosts[i], hosts[(i + 1) % hosts.size()]);
    }
    return Ptr<DcnTrafficMatrix>(
        new FixedPairsTraffic(name, topology.GetNNodes(), std::move(pairs)),
        false);
}

/**
 * @param name path of the file
 * @param topology the network
 * @return the matrix
 */
Ptr<DcnTrafficMatrix>
ReadRackTraffic(const std::string& name, Ptr<const DcnTopology> topology)
{
    DcnRackMatrix matrix = DcnRackMatrix::Read(name);
    if (matrix.GetNRacks() != topology->GetNRacks())
    {
        DcnFail(name,
                ": the matrix is for ",
                matrix.GetNRacks(),
                " racks, but the topology has ",
                topology->GetNRacks());
    }
    return Ptr<DcnTrafficMatrix>(new RackTraffic(name, topology, std::move(matrix)), false);
}

} // namespace

DcnTrafficMatrix::DcnTrafficMatrix(const std::string& name)
    : m_sourceDraws(CreateObject<UniformRandomVariable>()),
      m_destinationDraws(CreateObject<UniformRandomVariable>()),
      m_name(name)
{
}

Ptr<DcnTrafficMatrix>
DcnTrafficMatrix::Create(const std::string& name,
                         Ptr<const DcnTopology> topology,
                         const DcnRandom& random)
{
    if (topology->GetHosts().size() < 2)
    {
        DcnFail("matrix ",
                name,
                ": traffic needs at least 2 hosts, but the topology has ",
                topology->GetHosts().size());
    }
    NS_LOG_INFO("matrix " << name << " for " << topology->GetHosts().size() << " hosts");
    const uint32_t nRacks = topology->GetNRacks();
    const std::string suffix = ".csv";
    const std::string incast = "incast:";
    Ptr<DcnTrafficMatrix> matrix;
    if (name == "uniform")
    {
        matrix = Ptr<DcnTrafficMatrix>(new UniformTraffic(name, *topology), false);
    }
    else if (name == "database" || name == "web" || name == "hadoop")
    {
        DcnRackMatrix racks = name == "database" ? DcnRackMatrix::Database(nRacks, random)
                              : name == "web"    ? DcnRackMatrix::Web(nRacks, random)
                                                 : DcnRackMatrix::Hadoop(nRacks, random);
        matrix = Ptr<DcnTrafficMatrix>(new RackTraffic(name, topology, std::move(racks)), false);
    }
    else if (name == "permutation")
    {
        matrix = MakePermutation(name, *topology, random);
    }
    else if (name == "all-to-all")
    {
        matrix = Ptr<DcnTrafficMatrix>(new AllToAllTraffic(name, *topology, random), false);
    }
    else if (name.compare(0, incast.size(), incast) == 0)
    {
        matrix = MakeIncast(name, name.substr(incast.size()), *topology, random);
    }
    else if (name.find('/') != std::string::npos ||
             (name.size() > suffix.size() &&
              name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0))
    {
        matrix = ReadRackTraffic(name, topology);
    }
    else
    {
        DcnFail("matrix \"",
                name,
                "\" is unknown; there are uniform, database, web, hadoop, "
                "incast:N, permutation, all-to-all and a path of a CSV file");
    }
    matrix->Restart(random, DcnPurpose::FLOW_PAIRS);
    return matrix;
}

const std::string&
DcnTrafficMatrix::GetName() const
{
    return m_name;
}

DcnTrafficMatrix::Pair
DcnTrafficMatrix::Draw()
{
    const uint32_t source = DrawSource();
    return {source, DrawDestination(source)};
}

void
DcnTrafficMatrix::Restart(const DcnRandom& random, DcnPurpose purpose)
{
    random.Assign(m_sourceDraws, purpose, 0);
    random.Assign(m_destinationDraws, purpose, 1);
    DoRestart();
}

uint32_t
DcnTrafficMatrix::DrawIndex(UniformRandomVariable& variable, std::size_t n)
{
    return n == 1 ? 0 : variable.GetInteger(0, static_cast<uint32_t>(n - 1));
}

void
DcnTrafficMatrix::DoRestart()
{
}

} // namespace ns3
