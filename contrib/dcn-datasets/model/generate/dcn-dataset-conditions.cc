/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-conditions.h"

#include "../files/dcn-dataset-manifest.h"
#include "../files/dcn-dataset-reader.h"
#include "../files/dcn-dataset-schema.h"
#include "dcn-suite-sampler.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * @param sizes name of a size distribution, such as exp:20000
 * @return its family
 */
std::string
GetFamily(const std::string& sizes)
{
    return sizes.substr(0, sizes.find(':'));
}

} // namespace

DcnDatasetConditions::DcnDatasetConditions(const DcnDatasetReader& set)
{
    const DcnDatasetOptions& options = set.GetOptions();
    auto has = [&options](const char* key) { return options.Get(key) != DCN_UNKNOWN_ORIGIN; };
    auto number = [&options](const char* key) {
        uint64_t value = 0;
        if (!DcnParse(options.Get(key), value))
        {
            DcnFail("the entry \"",
                    key,
                    "\" of a data set must be a number, but it is \"",
                    options.Get(key),
                    '"');
        }
        return value;
    };
    if (has("suite"))
    {
        m_suite.emplace(options.Get("suite"), DcnSuiteSampler::FIRST_SEED + number("seed"));
        return;
    }
    if (!has("sizes"))
    {
        return;
    }
    m_topology = set.GetKind();
    const auto names = DcnDatasetSchema(set.GetKind()).GetDrawNames();
    for (const auto& [condition, draw, rule] :
         {std::array{"sizes", "sizes", "sizes"}, std::array{"matrix", "matrix", "matrices"}})
    {
        const auto found = std::find(names.begin(), names.end(), draw);
        if (found != names.end() && has(rule))
        {
            m_choices.push_back({condition,
                                 static_cast<std::size_t>(found - names.begin()),
                                 DcnSplit(options.Get(rule), '+')});
        }
    }
}

DcnDatasetConditions::Values
DcnDatasetConditions::Get(const DcnDatasetSample& sample) const
{
    const DcnTopology& topology = sample.scenario->GetTopology();
    std::ostringstream rate;
    rate << static_cast<double>(topology.GetHostRate(topology.GetHosts().front())) / 1e9;
    Values values{{"host_gbps", rate.str()},
                  {"cc", sample.scenario->GetNetwork().congestionControl}};
    if (m_suite)
    {
        const DcnSuiteScenario drawn = m_suite->Draw(sample.index);
        values["sizes"] = GetFamily(drawn.sizes);
        values["matrix"] = drawn.matrix;
        values["topology"] = drawn.topology;
    }
    if (!m_topology.empty())
    {
        values["topology"] = m_topology;
    }
    for (const Choice& choice : m_choices)
    {
        const double drawn = sample.draw.at(choice.draw);
        if (drawn >= 0 && drawn < static_cast<double>(choice.choices.size()))
        {
            values[choice.condition] = GetFamily(choice.choices[static_cast<std::size_t>(drawn)]);
        }
    }
    return values;
}

DcnDatasetSelection::DcnDatasetSelection(const std::string& text)
{
    for (const std::string& part : DcnSplit(text, ','))
    {
        const std::size_t colon = part.find(':');
        if (colon == 0 || colon == std::string::npos || colon + 1 == part.size())
        {
            DcnFail("a selection of samples is CONDITION:VALUE or CONDITION:VALUE+VALUE, such as "
                    "sizes:web-server, but it is \"",
                    part,
                    '"');
        }
        for (const std::string& value : DcnSplit(part.substr(colon + 1), '+'))
        {
            m_wanted.emplace_back(part.substr(0, colon), value);
        }
    }
}

bool
DcnDatasetSelection::Has(const DcnDatasetConditions::Values& values)
{
    for (const auto& [condition, value] : values)
    {
        m_seen[condition].insert(value);
    }
    return std::any_of(m_wanted.begin(), m_wanted.end(), [&values](const auto& wanted) {
        const auto found = values.find(wanted.first);
        return found != values.end() && found->second == wanted.second;
    });
}

void
DcnDatasetSelection::RequireUse(const std::string& option) const
{
    auto join = [](const auto& all, auto&& getName) {
        std::string text;
        for (const auto& each : all)
        {
            text += (text.empty() ? "" : ", ") + getName(each);
        }
        return text;
    };
    for (const auto& [condition, value] : m_wanted)
    {
        const auto seen = m_seen.find(condition);
        if (seen == m_seen.end())
        {
            DcnFail("the option ",
                    option,
                    " names the condition \"",
                    condition,
                    "\", but the data sets have ",
                    join(m_seen, [](const auto& entry) { return entry.first; }));
        }
        if (seen->second.count(value) == 0)
        {
            DcnFail("no sample has what the option ",
                    option,
                    " names, ",
                    condition,
                    " \"",
                    value,
                    "\"; the samples have ",
                    join(seen->second, [](const std::string& name) { return name; }));
        }
    }
}

} // namespace ns3
