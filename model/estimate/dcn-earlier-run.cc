/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-earlier-run.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnEarlierRun");

DcnEarlierRun::DcnEarlierRun(const std::string& folder, const std::string& recipe)
    : m_folder(folder)
{
    std::ifstream record(folder + "/run.json");
    const std::string key = "  \"scenario\": ";
    std::string scenario;
    for (std::string line; std::getline(record, line);)
    {
        if (line.compare(0, key.size(), key) == 0)
        {
            scenario = line.substr(key.size(), line.rfind(',') - key.size());
        }
    }
    if (scenario.empty())
    {
        DcnFail(folder,
                "/run.json has no scenario or cannot be read: name the folder of an earlier run of "
                "dcn-compare");
    }
    if (scenario != DcnQuoteJson(recipe))
    {
        DcnFail("the earlier run in ",
                folder,
                " had the scenario ",
                scenario,
                ", but this one has ",
                DcnQuoteJson(recipe),
                ": give both runs the same options");
    }
    DcnCsvReader summary(folder + "/summary.csv",
                         {"method",
                          "metric",
                          "size_class",
                          "value",
                          "truth",
                          "relative_error",
                          "answered_by",
                          "provenance"});
    while (summary.FetchRow())
    {
        if (summary.GetText(1) == "p99_slowdown" && summary.GetText(2) == "all")
        {
            m_p99[summary.GetText(0)] = summary.GetDouble(3);
        }
    }
    NS_LOG_INFO(folder << " has the p99 of " << m_p99.size() << " methods");
}

std::string
DcnEarlierRun::Compare(const DcnFctTable& table) const
{
    std::map<std::string, double> now;
    for (const auto& row : table.GetSummary({DcnSizeClasses().front()}))
    {
        if (row.metric == "p99_slowdown")
        {
            now[row.method] = row.value;
        }
    }
    std::size_t width = 10;
    for (const auto& estimate : table.GetEstimates())
    {
        width = std::max(width, estimate.method.size());
    }
    std::string text = "p99 slowdown before (" + m_folder + ") and now:\n";
    for (const auto& estimate : table.GetEstimates())
    {
        const auto old = m_p99.find(estimate.method);
        const auto present = now.find(estimate.method);
        char numbers[64] = "        -         -         -";
        if (old != m_p99.end() && present != now.end())
        {
            const double change = std::round(1000 * (present->second / old->second - 1)) / 10;
            std::snprintf(numbers,
                          sizeof(numbers),
                          "%9.3f %9.3f %+8.1f%%",
                          old->second,
                          present->second,
                          change + 0.0); // no -0: the file has nine digits
        }
        text += estimate.method + std::string(width - estimate.method.size(), ' ') + numbers + '\n';
    }
    return text;
}

} // namespace ns3
