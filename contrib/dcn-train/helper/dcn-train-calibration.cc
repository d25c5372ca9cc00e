/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-calibration.h"

#include "dcn-train-helper.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainCalibration");

namespace
{

/// Columns of a table of probes.
const std::vector<std::string> COLUMNS = {"probe", "from", "to", "bytes", "time_us", "use"};

/// A column of the table of protocols as a parameter.
struct Column
{
    const char* name;                                 //!< as in the file
    double (*get)(const DcnTrainProtocol& row);       //!< its value
    void (*set)(DcnTrainProtocol& row, double value); //!< sets it
    double least;                                     //!< smallest value
    double most;                                      //!< largest value
};

/// @return ns of a time in us
int64_t
ToNs(double us)
{
    return std::llround(us * 1000);
}

/// Columns that can be fitted.
const Column PROTOCOL_COLUMNS[] = {
    {"launch_us",
     [](const DcnTrainProtocol& row) { return static_cast<double>(row.launchNs) / 1000; },
     [](DcnTrainProtocol& row, double value) { row.launchNs = ToNs(value); },
     0,
     1e6},
    {"scale_up_us",
     [](const DcnTrainProtocol& row) { return static_cast<double>(row.scaleUpNs) / 1000; },
     [](DcnTrainProtocol& row, double value) { row.scaleUpNs = ToNs(value); },
     0,
     1e6},
    {"scale_out_us",
     [](const DcnTrainProtocol& row) { return static_cast<double>(row.scaleOutNs) / 1000; },
     [](DcnTrainProtocol& row, double value) { row.scaleOutNs = ToNs(value); },
     0,
     1e6},
    {"efficiency",
     [](const DcnTrainProtocol& row) { return row.efficiency; },
     [](DcnTrainProtocol& row, double value) { row.efficiency = value; },
     0.01,
     1},
    {"bus_gbps",
     [](const DcnTrainProtocol& row) { return row.busGbps; },
     [](DcnTrainProtocol& row, double value) { row.busGbps = value; },
     0.01,
     1e6},
};

/// Parameters of the network.
const std::vector<std::string> NETWORK_PARAMETERS = {"hostLatency", "linkDelay", "nicEfficiency"};

/// @return the column of a parameter "ALGORITHM/PROTOCOL:COLUMN"; null if it is of the network
const Column*
FindColumn(const std::string& parameter)
{
    if (std::find(NETWORK_PARAMETERS.begin(), NETWORK_PARAMETERS.end(), parameter) !=
        NETWORK_PARAMETERS.end())
    {
        return nullptr;
    }
    const std::size_t colon = parameter.find(':');
    for (const Column& column : PROTOCOL_COLUMNS)
    {
        if (colon != std::string::npos && parameter.substr(colon + 1) == column.name)
        {
            return &column;
        }
    }
    DcnFail("a parameter is hostLatency, linkDelay, nicEfficiency or PROTOCOL:COLUMN with one of "
            "the columns launch_us, scale_up_us, scale_out_us, efficiency and bus_gbps, but it is "
            "\"",
            parameter,
            "\"");
}

/// @return whether a row of the table of protocols belongs to a parameter
bool
IsOf(const DcnTrainProtocol& row, const std::string& parameter)
{
    const std::string rows = parameter.substr(0, parameter.find(':'));
    return rows == row.name || rows == row.algorithm + "/" + row.name;
}

/// Refuses a probe that is none.
void
Check(const std::string& where, const DcnTrainProbe& probe)
{
    const auto& collectives = DcnTrainCollective::GetOperations();
    if (probe.kind != "ping" && probe.kind != "flow" &&
        std::find(collectives.begin(), collectives.end(), probe.kind) == collectives.end())
    {
        DcnFail(where, "a probe is ping, flow or a collective, but it is \"", probe.kind, "\"");
    }
    constexpr double MOST_US = 1e9; // times of simulations are in whole ns
    constexpr uint64_t MOST_BYTES = 1'000'000'000'000'000;
    if (probe.bytes == 0 || probe.bytes > MOST_BYTES || !(probe.timeUs > 0) ||
        probe.timeUs > MOST_US)
    {
        DcnFail(where,
                "a probe has 1 to ",
                MOST_BYTES,
                " bytes and a time above 0 and up to ",
                DcnToText(MOST_US),
                " us, but they are ",
                probe.bytes,
                " and ",
                DcnToText(probe.timeUs));
    }
}

/// Refuses a second time of one measurement, of which the fit would not know the better one.
void
CheckNew(const std::string& where,
         const DcnTrainProbe& probe,
         const std::vector<DcnTrainProbe>& probes)
{
    if (std::any_of(probes.begin(), probes.end(), [&probe](const DcnTrainProbe& other) {
            return other.kind == probe.kind && other.from == probe.from && other.to == probe.to &&
                   other.bytes == probe.bytes;
        }))
    {
        DcnFail(where,
                "the probe ",
                probe.kind,
                " of ",
                probe.bytes,
                " bytes comes twice: give it one time, such as the median");
    }
}

/**
 * @brief Refuse a line of nccl-tests that another collective has made, or whose results are wrong.
 * @param where beginning of sentences on the line
 * @param cells words of the line
 * @param at position of the time
 * @param collective that the line is taken for
 */
void
CheckNcclLine(const std::string& where,
              const std::vector<std::string>& cells,
              std::size_t at,
              const std::string& collective)
{
    const std::string& last = cells[at - 1]; // in old outputs redop or root, of which one is there
    int64_t root = -1;
    const bool hasRoot = DcnParse(last, root);
    const std::string redop = !hasRoot || at == 5 ? cells[3] : "none";
    const bool isReduction = collective == "all-reduce" || collective == "reduce-scatter";
    const int64_t expected = collective == "broadcast" ? 0 : -1;
    if (isReduction != (redop != "none") || root != expected || (at == 5 && !hasRoot))
    {
        DcnFail(where,
                "a line of the collective ",
                collective,
                " has ",
                isReduction ? "a reduction such as sum" : "none",
                " as redop and the root ",
                expected,
                ", but they are ",
                redop,
                " and ",
                hasRoot || at == 4 ? std::to_string(root) : last,
                ": name the collective of the output by --collective");
    }
    double nWrong = 0;
    if (DcnParse(cells[at + 3], nWrong) && nWrong != 0)
    {
        DcnFail(where,
                "#wrong is ",
                cells[at + 3],
                ": the collective has computed wrong results, so that its time says nothing");
    }
}

/// @return probes of the output of a program of nccl-tests: of lines that begin with a size, the
/// first time
std::vector<DcnTrainProbe>
ReadNcclTests(const std::string& path,
              const std::string& collective,
              const std::vector<uint64_t>& fitted)
{
    std::ifstream file(path);
    DcnSkipByteOrderMark(file, path);
    std::vector<DcnTrainProbe> probes;
    std::string line;
    for (uint32_t number = 1; std::getline(file, line); ++number)
    {
        std::istringstream words(line);
        std::vector<std::string> cells;
        for (std::string word; words >> word;)
        {
            cells.push_back(word);
        }
        const std::string where = path + ":" + std::to_string(number) + ": ";
        const auto has = [&cells](const char* word) {
            return std::find(cells.begin(), cells.end(), word) != cells.end();
        };
        if (has("(elements)") && !has("(us)"))
        {
            DcnFail(where, "the head of nccl-tests must have times in (us), but it has none");
        }
        DcnTrainProbe probe;
        if (cells.empty() || !DcnParse(cells[0], probe.bytes))
        {
            continue; // comments, and what a launcher prints
        }
        // size, count, type, redop, root if there are 13 columns, time, ...
        const std::size_t at = cells.size() >= 13 ? 5 : 4;
        if (cells.size() < 12 || !DcnParse(cells[at], probe.timeUs))
        {
            DcnFail(where,
                    "a line of nccl-tests has a size, count, type, redop, root and time, and at "
                    "least 12 columns, but this one has ",
                    cells.size());
        }
        probe.kind = collective.empty() ? "all-reduce" : collective;
        probe.isFitted = std::find(fitted.begin(), fitted.end(), probe.bytes) != fitted.end();
        Check(where, probe);
        CheckNcclLine(where, cells, at, probe.kind);
        CheckNew(where, probe, probes);
        probes.push_back(probe);
    }
    for (const uint64_t size : fitted)
    {
        if (std::none_of(probes.begin(), probes.end(), [=](const DcnTrainProbe& probe) {
                return probe.bytes == size;
            }))
        {
            DcnFail(path, ": there is no line of ", size, " bytes, which is to be fitted");
        }
    }
    return probes;
}

/**
 * @brief Solve a system of linear equations by elimination with pivots.
 * @param a rows, each with its right side at the end
 * @return the unknowns; empty if there is no single solution
 */
std::vector<double>
Solve(std::vector<std::vector<double>> a)
{
    const std::size_t n = a.size();
    for (std::size_t i = 0; i < n; ++i)
    {
        const auto pivot = std::max_element(a.begin() + i, a.end(), [=](auto& x, auto& y) {
            return std::abs(x[i]) < std::abs(y[i]);
        });
        std::swap(a[i], *pivot);
        if (std::abs(a[i][i]) < 1e-15)
        {
            return {};
        }
        for (std::size_t row = 0; row < n; ++row)
        {
            const double factor = a[row][i] / a[i][i];
            for (std::size_t column = i; row != i && column <= n; ++column)
            {
                a[row][column] -= factor * a[i][column];
            }
        }
    }
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        x[i] = a[i][n] / a[i][i];
    }
    return x;
}

/// @return sum of squares
double
SumSquares(const std::vector<double>& values)
{
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

} // namespace

DcnTrainCalibration::DcnTrainCalibration(const Setup& setup, const std::vector<std::string>& names)
    : m_setup(setup),
      m_names(names)
{
    for (const std::string& name : names)
    {
        FindStart(name);
    }
}

std::vector<DcnTrainProbe>
DcnTrainCalibration::Read(const std::string& path,
                          const std::string& collective,
                          const std::vector<uint64_t>& fitted)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
    {
        DcnFail("--probes=", path, " is a folder, but a file of probes is expected");
    }
    std::ifstream file(path);
    const bool isThere = file.is_open();
    DcnSkipByteOrderMark(file, path);
    std::string line;
    while (std::getline(file, line) && (line.empty() || line[0] == '#'))
    {
    }
    if (isThere && line.rfind(COLUMNS[0] + ",", 0) != 0)
    {
        return ReadNcclTests(path, collective, fitted);
    }
    if (!fitted.empty())
    {
        DcnFail("--fit has no effect with ", path, ", whose column use says what is fitted");
    }
    if (!collective.empty() && isThere)
    {
        DcnFail("--collective=",
                collective,
                " has no effect with ",
                path,
                ", whose column probe names the collectives");
    }
    std::vector<DcnTrainProbe> probes;
    DcnCsvReader csv(path, COLUMNS);
    while (csv.FetchRow())
    {
        DcnTrainProbe probe;
        probe.kind = csv.GetText(0);
        const bool isMessage = probe.kind == "ping" || probe.kind == "flow";
        if (isMessage)
        {
            probe.from = static_cast<uint32_t>(csv.GetUint(1));
            probe.to = static_cast<uint32_t>(csv.GetUint(2));
        }
        else if (!csv.GetText(1).empty() || !csv.GetText(2).empty())
        {
            DcnFail(csv.Where(), "a collective is of all hosts: leave from and to empty");
        }
        probe.bytes = csv.GetUint(3);
        probe.timeUs = csv.GetDouble(4);
        const std::string& use = csv.GetText(5);
        if (use != "fit" && use != "predict")
        {
            DcnFail(csv.Where(), "use must be fit or predict, but it is \"", use, "\"");
        }
        probe.isFitted = use == "fit";
        Check(csv.Where(), probe);
        CheckNew(csv.Where(), probe, probes);
        probes.push_back(probe);
    }
    return probes;
}

void
DcnTrainCalibration::RefuseUnused(const std::vector<DcnTrainProbe>& probes,
                                  const std::vector<std::string>& options)
{
    const bool hasCollective =
        std::any_of(probes.begin(), probes.end(), [](const DcnTrainProbe& probe) {
            return probe.kind != "ping" && probe.kind != "flow";
        });
    if (!hasCollective && !options.empty())
    {
        DcnFail("--",
                options.front(),
                " has no effect: none of the probes is a collective, and the network has neither "
                "channels nor protocols");
    }
}

double
DcnTrainCalibration::FindStart(const std::string& name) const
{
    const Column* column = FindColumn(name);
    if (!column)
    {
        return name == "nicEfficiency" ? 1 : m_setup.network.GetTimeUs(name);
    }
    for (const DcnTrainProtocol& row : m_setup.table)
    {
        if (IsOf(row, name) && column->get(row) < column->least)
        {
            DcnFail("the parameter ",
                    name,
                    " begins with ",
                    column->get(row),
                    " in the table of protocols, which has another meaning: set it there");
        }
        if (IsOf(row, name))
        {
            return column->get(row);
        }
    }
    DcnFail("the table of protocols has no row of the parameter ", name);
}

std::pair<double, double>
DcnTrainCalibration::GetRange(const std::string& name)
{
    const Column* column = FindColumn(name);
    if (column)
    {
        return {column->least, column->most};
    }
    return name == "nicEfficiency" ? std::pair(0.01, 1.0) : std::pair(0.0, 1e5);
}

DcnTrainCalibration::Setup
DcnTrainCalibration::Apply(const Values& values) const
{
    Setup setup = m_setup;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const Column* column = FindColumn(m_names[i]);
        if (!column)
        {
            setup.network.SetParameter(m_names[i], values[i]);
            continue;
        }
        for (DcnTrainProtocol& row : setup.table)
        {
            if (IsOf(row, m_names[i]))
            {
                column->set(row, values[i]);
            }
        }
    }
    return setup;
}

double
DcnTrainCalibration::Simulate(const Setup& setup, const DcnTrainProbe& probe)
{
    ++m_nRuns;
    const DcnTrainNetworkOptions::Network network = setup.network.Create();
    const auto nHosts = static_cast<uint32_t>(network.servers.serverOf.size());
    auto graph = std::make_shared<DcnTrainGraph>(nHosts, probe.kind);
    if (probe.kind == "ping" || probe.kind == "flow")
    {
        if (probe.from >= nHosts || probe.to >= nHosts || probe.from == probe.to)
        {
            DcnFail("a ",
                    probe.kind,
                    " from host ",
                    probe.from,
                    " to host ",
                    probe.to,
                    " cannot be");
        }
        graph->Send(probe.from, probe.to, probe.bytes, 0);
        const uint32_t there = graph->Receive(probe.to, probe.from, probe.bytes, 0);
        if (probe.kind == "ping")
        {
            graph->Send(probe.to, probe.from, probe.bytes, 0, {there});
            graph->Receive(probe.from, probe.to, probe.bytes, 0);
        }
    }
    else
    {
        DcnTrainCollective collective;
        collective.operation = probe.kind;
        collective.algorithm = setup.algorithm;
        collective.bytes = probe.bytes;
        collective.channels = setup.channels;
        collective.protocols = std::make_shared<DcnTrainProtocols>(setup.table, network.servers);
        std::vector<uint32_t> members(nHosts);
        std::iota(members.begin(), members.end(), 0);
        collective.AddTo(*graph, members);
    }
    DcnTrainHelper helper(setup.engine);
    helper.GetNetworkHelper().SetConfig(network.config);
    helper.SetAttribute("HostLatency", TimeValue(network.hostLatency));
    Ptr<DcnFlowNetwork> flows = helper.GetNetworkHelper().Install(network.topology);
    Ptr<DcnTrainExecutor> executor = helper.InstallOn(flows, graph);
    int64_t lastNs = 0; // the last receive
    executor->TraceConnectWithoutContext(
        "NodeFinished",
        Callback<void, uint32_t, uint32_t, const DcnTrainNode&, Time>(
            [&lastNs](uint32_t, uint32_t, const DcnTrainNode& node, Time) {
                lastNs =
                    node.kind == DcnTrainKind::RECEIVE ? Simulator::Now().GetNanoSeconds() : lastNs;
            }));
    executor->SetFinishCallback([]() { Simulator::Stop(); });
    executor->Start();
    Simulator::Run();
    executor->CheckFinished();
    executor->Dispose();
    flows->Dispose();
    Simulator::Destroy();
    return static_cast<double>(lastNs) / 1000;
}

DcnTrainCalibration::Values
DcnTrainCalibration::GetErrors(const Values& values, const std::vector<DcnTrainProbe>& probes)
{
    const Setup setup = Apply(values);
    Values errors;
    for (const DcnTrainProbe& probe : probes)
    {
        errors.push_back(Simulate(setup, probe) / probe.timeUs - 1);
    }
    return errors;
}

DcnTrainCalibration::Values
DcnTrainCalibration::FindMove(const Values& values,
                              const Values& errors,
                              const std::vector<DcnTrainProbe>& fitted,
                              bool isFirst)
{
    const std::size_t n = values.size();
    const auto product = [](const Values& x, const Values& y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    std::vector<Values> slopes; // by parameter and probe
    for (std::size_t j = 0; j < n; ++j)
    {
        const auto [least, most] = GetRange(m_names[j]);
        Values other = values;
        // wide, as times of pipelines are uneven: chunks meet in another order
        other[j] += most == 1 ? 0.05 : std::max(0.25 * values[j], 1.0);
        other[j] = other[j] > most ? 0.95 * values[j] : other[j];
        Values slope = GetErrors(other, fitted);
        for (std::size_t i = 0; i < slope.size(); ++i)
        {
            slope[i] = (slope[i] - errors[i]) / (other[j] - values[j]);
        }
        if (SumSquares(slope) == 0 && isFirst)
        {
            DcnFail("the parameter ",
                    m_names[j],
                    " changes none of the fitted probes: leave it out");
        }
        slopes.push_back(slope);
    }
    std::vector<Values> equations(n, Values(n + 1, 0));
    for (std::size_t j = 0; j < n; ++j)
    {
        for (std::size_t k = 0; k < n; ++k)
        {
            equations[j][k] = product(slopes[j], slopes[k]);
        }
        equations[j][n] = -product(slopes[j], errors);
        if (SumSquares(slopes[j]) == 0)
        {
            equations[j][j] = 1; // another row of the table is chosen now: it stays
        }
    }
    const Values move = Solve(equations);
    if (move.empty())
    {
        DcnFail("the fitted probes do not tell the parameters apart: fit fewer, or other probes");
    }
    return move;
}

bool
DcnTrainCalibration::Move(const Values& move,
                          const std::vector<DcnTrainProbe>& fitted,
                          Values& values,
                          Values& errors)
{
    constexpr uint32_t MOST_HALVINGS = 8;
    constexpr double LEAST_GAIN = 1e-8; // of the sum of squares: errors of 0.01 %
    for (uint32_t halving = 0; halving < MOST_HALVINGS; ++halving)
    {
        Values next = values;
        for (std::size_t j = 0; j < values.size(); ++j)
        {
            const auto [least, most] = GetRange(m_names[j]);
            next[j] = std::clamp(values[j] + move[j] / (1U << halving), least, most);
        }
        const Values nextErrors = GetErrors(next, fitted);
        if (SumSquares(nextErrors) < SumSquares(errors) - LEAST_GAIN)
        {
            values = next;
            errors = nextErrors;
            return true;
        }
    }
    return false;
}

DcnTrainCalibration::Result
DcnTrainCalibration::Fit(const std::vector<DcnTrainProbe>& probes)
{
    std::vector<DcnTrainProbe> fitted;
    std::copy_if(probes.begin(), probes.end(), std::back_inserter(fitted), [](const auto& probe) {
        return probe.isFitted;
    });
    const std::size_t n = m_names.size();
    if (fitted.size() < n)
    {
        DcnFail("there are ",
                n,
                " parameters and ",
                fitted.size(),
                " probes to fit them to: take at least as many probes");
    }
    Values values;
    for (const std::string& name : m_names)
    {
        values.push_back(FindStart(name));
    }
    Values errors = GetErrors(values, fitted);
    constexpr uint32_t MOST_STEPS = 20;
    for (uint32_t step = 0; step < MOST_STEPS && n > 0; ++step)
    {
        const Values move = FindMove(values, errors, fitted, step == 0);
        if (!Move(move, fitted, values, errors))
        {
            break;
        }
        NS_LOG_INFO("step " << step << ": sum of squares " << SumSquares(errors));
    }
    Result result;
    const Setup setup = Apply(values);
    for (std::size_t j = 0; j < n; ++j)
    {
        const auto [least, most] = GetRange(m_names[j]);
        result.parameters.push_back(
            {m_names[j], values[j], values[j] <= least || values[j] >= most});
    }
    for (const DcnTrainProbe& probe : probes)
    {
        result.rows.push_back({probe, Simulate(setup, probe)});
    }
    result.table = setup.table;
    result.nRuns = m_nRuns;
    return result;
}

std::string
DcnTrainCalibration::DescribeOptions(const std::vector<Parameter>& parameters) const
{
    std::string text;
    for (const Parameter& parameter : parameters)
    {
        if (!FindColumn(parameter.name))
        {
            text += (text.empty() ? "" : " ") +
                    m_setup.network.DescribeParameter(parameter.name, parameter.value);
        }
    }
    return text;
}

} // namespace ns3
