/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-detector.h"

#include "noc-sink-features.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocDetector");

namespace
{

const std::vector<std::string> COLUMNS{"node",
                                       "feature",
                                       "threshold",
                                       "right",
                                       "value",
                                       "rows",
                                       "gain"}; // of the table of a tree
constexpr double CALLED = 0.5;                  // prediction above which a tree says 1

/// @return whether a tree says 1 of a sample
bool
Call(const MqlTree& tree, const NocLabelledRun::Row& row)
{
    std::array<double, NocSinkFeatures::N> features;
    std::copy(row.features.begin(), row.features.end(), features.begin());
    return tree.Predict(features.data()) > CALLED;
}

/// Writes a node of a tree and those below it as C++.
void
WriteNode(const MqlTree& tree, uint32_t number, uint32_t depth, std::ostream& out)
{
    const MqlTree::Node& node = tree.GetNodes()[number];
    const std::string indent(4 * depth, ' ');
    if (node.feature == MqlTree::LEAF)
    {
        out << indent << "return " << (node.value > CALLED ? "true" : "false") << "; // "
            << node.rows << " samples\n";
        return;
    }
    out << indent << "if (f[" << node.feature << "] <= " << DcnToText(node.threshold) << ") // "
        << NocSinkFeatures::GetNames()[node.feature] << "\n"
        << indent << "{\n";
    WriteNode(tree, number + 1, depth + 1, out);
    out << indent << "}\n";
    WriteNode(tree, node.right, depth, out);
}

} // namespace

/// Features by node.
struct NocLabelledRun::Sinks
{
    std::vector<NocSinkFeatures> features; //!< by node
};

NocLabelledRun::NocLabelledRun(const NocSystem& system, double alpha)
    : m_sinks(std::make_unique<Sinks>())
{
    const uint32_t n = system.topology->GetNNodes();
    m_sent.resize(n);
    m_sinks->features.assign(n, NocSinkFeatures(alpha));
    for (uint32_t node = 0; node < n; ++node)
    {
        m_isMemory.push_back(system.IsMemory(node));
    }
}

NocLabelledRun::~NocLabelledRun() = default;

void
NocLabelledRun::Begin(uint32_t /* cycle */)
{
}

bool
NocLabelledRun::MayIssue(uint32_t /* core */, uint32_t /* destination */) const
{
    return true;
}

uint32_t
NocLabelledRun::GetLookAhead() const
{
    return std::numeric_limits<uint32_t>::max();
}

uint32_t
NocLabelledRun::GetHitWindow() const
{
    return std::numeric_limits<uint32_t>::max();
}

void
NocLabelledRun::Attempt(uint32_t cycle,
                        uint32_t node,
                        bool isAccepted,
                        uint32_t occupancy,
                        uint32_t issued)
{
    if (m_isMemory[node])
    {
        return;
    }
    NocSinkFeatures& features = m_sinks->features[node];
    features.Attempt(cycle, isAccepted, occupancy);
    Row row{{}, cycle, node, !isAccepted, false};
    std::copy(features.Get().begin(), features.Get().end(), row.features.begin());
    m_rows.push_back(row);
    if (!isAccepted)
    {
        m_sent[node].push_back(issued);
    }
}

void
NocLabelledRun::Depart(uint32_t cycle, uint32_t node, uint32_t occupancy)
{
    m_sinks->features[node].Depart(cycle, occupancy);
}

void
NocLabelledRun::Label(uint32_t delta, uint32_t from)
{
    for (auto& list : m_sent)
    {
        std::sort(list.begin(), list.end());
    }
    m_rows.erase(std::remove_if(m_rows.begin(),
                                m_rows.end(),
                                [from](const Row& row) { return row.cycle < from; }),
                 m_rows.end());
    uint64_t positives = 0;
    for (Row& row : m_rows)
    {
        const auto& list = m_sent[row.node];
        const uint32_t least = row.cycle > delta ? row.cycle - delta : 0;
        const auto found = std::lower_bound(list.begin(), list.end(), least);
        row.label = found != list.end() && *found <= row.cycle + delta;
        positives += row.label;
    }
    NS_LOG_INFO(m_rows.size() << " samples, " << positives << " of label 1");
}

MqlTree
NocDetector::Fit(const NocLabelledRuns& runs, uint32_t depth, int feature)
{
    double counts[2] = {0, 0};
    for (const auto& run : runs)
    {
        for (const auto& row : run->GetRows())
        {
            ++counts[row.label];
        }
    }
    if (counts[0] == 0 || counts[1] == 0)
    {
        DcnFail("no sample has the label ",
                counts[0] == 0 ? 0 : 1,
                ": simulate ",
                counts[0] == 0 ? "a lower" : "a higher",
                " load, too");
    }
    MqlTrainingSet set;
    set.columns.resize(NocSinkFeatures::N);
    for (const auto& run : runs)
    {
        for (const auto& row : run->GetRows())
        {
            for (uint32_t f = 0; f < NocSinkFeatures::N; ++f)
            {
                const bool isUsed = feature < 0 || static_cast<uint32_t>(feature) == f;
                set.columns[f].push_back(isUsed ? row.features[f] : 0);
            }
            set.targets.push_back(row.label);
            set.weights.push_back(0.5 / counts[row.label]);
        }
    }
    MqlTreeOptions options;
    options.maxDepth = depth;
    options.minLeafRows = 50;
    return MqlTree::Fit(set, options);
}

NocDetectorScore
NocDetector::Score(const MqlTree& tree, const NocLabelledRuns& runs)
{
    NocDetectorScore score;
    uint64_t right[2] = {0, 0};
    uint64_t called = 0;
    uint64_t leads = 0;
    uint64_t leadSum = 0;
    for (const auto& run : runs)
    {
        // by sink: cycle since which it is signalled, if it is
        std::vector<uint32_t> since;
        for (const auto& row : run->GetRows())
        {
            if (since.size() <= row.node)
            {
                since.resize(row.node + 1, UINT32_MAX);
            }
            const bool says = Call(tree, row);
            ++score.rows;
            score.positives += row.label;
            right[row.label] += says == row.label;
            called += says;
            uint32_t& start = since[row.node];
            if (!says)
            {
                start = UINT32_MAX;
            }
            else if (start == UINT32_MAX)
            {
                start = row.cycle;
            }
            if (row.bounced && start != UINT32_MAX && start > 0)
            {
                leadSum += row.cycle - start;
                ++leads;
                start = 0; // counted; until the signal ends there is no other first refusal
            }
        }
    }
    const auto positives = static_cast<double>(score.positives);
    const auto rows = static_cast<double>(score.rows);
    score.accuracy0 = rows > positives ? static_cast<double>(right[0]) / (rows - positives) : 0;
    score.accuracy1 = positives > 0 ? static_cast<double>(right[1]) / positives : 0;
    score.precision = called ? static_cast<double>(right[1]) / static_cast<double>(called) : 0;
    score.lead = leads ? static_cast<double>(leadSum) / static_cast<double>(leads) : 0;
    return score;
}

void
NocDetector::Write(const MqlTree& tree, std::ostream& out)
{
    for (std::size_t i = 0; i < COLUMNS.size(); ++i)
    {
        out << (i ? "," : "") << COLUMNS[i];
    }
    out << '\n';
    for (std::size_t i = 0; i < tree.GetNodes().size(); ++i)
    {
        const MqlTree::Node& node = tree.GetNodes()[i];
        out << i << ',' << node.feature << ',' << DcnToText(node.threshold) << ',' << node.right
            << ',' << DcnToText(node.value) << ',' << node.rows << ',' << DcnToText(node.gain)
            << '\n';
    }
}

MqlTree
NocDetector::Read(const std::string& path)
{
    std::vector<MqlTree::Node> nodes;
    DcnCsvReader csv(path, COLUMNS);
    while (csv.FetchRow())
    {
        if (csv.GetUint(0) != nodes.size())
        {
            DcnFail(csv.Where(), "node ", nodes.size(), " was expected, not ", csv.GetUint(0));
        }
        MqlTree::Node node;
        node.feature = static_cast<uint32_t>(csv.GetUint(1));
        node.threshold = csv.GetDouble(2);
        node.right = static_cast<uint32_t>(csv.GetUint(3));
        node.value = csv.GetDouble(4);
        node.rows = csv.GetUint(5);
        node.gain = csv.GetDouble(6);
        nodes.push_back(node);
    }
    return MqlTree(nodes, NocSinkFeatures::N, path + ": ");
}

void
NocDetector::WriteCpp(const MqlTree& tree, std::ostream& out)
{
    out << "/// Whether a packet that is sent now will bounce; features as NocSinkFeatures.\n"
           "bool\nWillBounce(const double* f)\n{\n";
    WriteNode(tree, 0, 1, out);
    out << "}\n";
}

} // namespace ns3
