/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-suite.h"

#include "ns3/dcn-csv.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ns3
{

PaperSuiteRows::PaperSuiteRows(std::vector<DcnValidationRow> rows)
    : m_rows(std::move(rows))
{
    std::set<std::pair<double, double>> loads; // load, scenario
    for (const DcnValidationRow& row : m_rows)
    {
        loads.emplace(row.maxLoad, row.scenario);
    }
    std::size_t rank = 0;
    for (const auto& [load, scenario] : loads)
    {
        m_ranks[scenario] = rank++;
    }
}

const std::vector<DcnValidationRow>&
PaperSuiteRows::GetAll() const
{
    return m_rows;
}

std::vector<const DcnValidationRow*>
PaperSuiteRows::Select(const std::string& method,
                       const Filter& filter,
                       const std::string& sizeClass) const
{
    std::vector<const DcnValidationRow*> selected;
    for (const DcnValidationRow& row : m_rows)
    {
        if (row.method == method && row.sizeClass == sizeClass && !std::isnan(row.p99Error) &&
            (!filter || filter(row)))
        {
            selected.push_back(&row);
        }
    }
    return selected;
}

std::vector<double>
PaperSuiteRows::GetErrors(const std::string& method,
                          const Filter& filter,
                          const std::string& sizeClass) const
{
    std::vector<double> errors;
    for (const DcnValidationRow* row : Select(method, filter, sizeClass))
    {
        errors.push_back(100 * row->p99Error);
    }
    return errors;
}

std::vector<double>
PaperSuiteRows::GetNumbers(const std::string& method,
                           double DcnValidationRow::*member,
                           double factor,
                           const Filter& filter) const
{
    std::vector<double> numbers;
    for (const DcnValidationRow* row : Select(method, filter))
    {
        numbers.push_back(factor * row->*member);
    }
    return numbers;
}

std::vector<double>
PaperSuiteRows::GetNoise() const
{
    return GetErrors("packet (seed 2)");
}

PaperSuiteRows::Filter
PaperSuiteRows::IsInLoadPart(std::size_t part, std::size_t parts) const
{
    return [this, part, parts](const DcnValidationRow& row) {
        return m_ranks.at(row.scenario) * parts / m_ranks.size() == part;
    };
}

double
PaperSuiteRows::GetSpeedUp(const std::string& method) const
{
    double packets = 0;
    double own = 0;
    for (const DcnValidationRow* row : Select(method))
    {
        packets += row->truthCpuSeconds;
        own += row->cpuSeconds;
    }
    return packets / own;
}

double
PaperSuiteRows::GetCost(const std::string& method) const
{
    double seconds = 0;
    double flows = 0;
    std::set<double> seen; // scenarios; each has rows of several methods
    for (const DcnValidationRow& row : m_rows)
    {
        if (row.sizeClass == "all" && (method.empty() || row.method == method) &&
            seen.insert(row.scenario).second)
        {
            seconds += method.empty() ? row.truthCpuSeconds : row.cpuSeconds;
            flows += row.nFlows;
        }
    }
    return 1e6 * seconds / flows;
}

std::vector<std::string>
PaperSuiteRows::GetLevels(const Factor& factor) const
{
    std::set<std::string> levels;
    for (const DcnValidationRow& row : m_rows)
    {
        levels.insert(factor.level(row));
    }
    return {levels.begin(), levels.end()};
}

const std::vector<PaperSuiteRows::Factor>&
PaperSuiteRows::GetFactors()
{
    static const std::map<std::string, std::string> letters{{"database", "A"},
                                                            {"web", "B"},
                                                            {"hadoop", "C"}};
    static const std::vector<Factor> factors{
        {"matrix",
         [](const DcnValidationRow& row) {
             const auto found = letters.find(row.matrix);
             return found == letters.end() ? row.matrix : found->second;
         }},
        {"sizes", [](const DcnValidationRow& row) { return row.sizes; }},
        {"oversubscription", [](const DcnValidationRow& row) { return row.oversubscription; }},
        {"sigma", [](const DcnValidationRow& row) { return "sigma " + DcnToText(row.sigma); }}};
    return factors;
}

std::vector<double>
PaperAbsolute(std::vector<double> values)
{
    for (double& value : values)
    {
        value = std::abs(value);
    }
    return values;
}

uint64_t
PaperCountBelow(const std::vector<double>& values, double limit)
{
    return static_cast<uint64_t>(
        std::count_if(values.begin(), values.end(), [limit](double value) {
            return value <= limit;
        }));
}

} // namespace ns3
