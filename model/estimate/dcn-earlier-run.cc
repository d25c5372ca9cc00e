/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-earlier-run.h"

#include "dcn-run-record.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"

#define BOOST_BIND_GLOBAL_PLACEHOLDERS // the parser of Boost 1.74 would else warn about itself
#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnEarlierRun");

namespace
{

/**
 * @param some texts
 * @param others texts
 * @return those of some that are not among the others, each after a blank
 */
std::string
DescribeSurplus(const std::vector<std::string>& some, const std::vector<std::string>& others)
{
    std::string text;
    for (const std::string& each : some)
    {
        if (std::find(others.begin(), others.end(), each) == others.end())
        {
            text += " " + each;
        }
    }
    return text;
}

/// @return commit and digest of a code, in short
std::string
DescribeCode(const std::string& revision, const std::string& code)
{
    return (revision.empty() ? "no commit" : revision.substr(0, 12)) + " (build " + code + ")";
}

} // namespace

DcnEarlierRun::DcnEarlierRun(const std::string& folder, const std::string& recipe)
    : m_folder(folder)
{
    const std::string path = folder + "/run.json";
    boost::property_tree::ptree record;
    try
    {
        std::istringstream file(DcnReadJson(path));
        boost::property_tree::read_json(file, record);
    }
    catch (const boost::property_tree::json_parser_error& error)
    {
        DcnFail(path, ":", error.line(), ": not JSON: ", error.message());
    }
    const std::string scenario = record.get("scenario", "");
    if (scenario.empty())
    {
        DcnFail(path, " has no scenario: name the folder of an earlier run of dcn-compare");
    }
    m_revision = record.get("revision", "");
    m_code = record.get("code", "");
    std::vector<std::string> attributes;
    const boost::property_tree::ptree none;
    for (const auto& [key, value] : record.get_child("attributes", none))
    {
        attributes.push_back(value.data());
    }
    const std::string before = DescribeSurplus(DcnSplit(scenario, ','), DcnSplit(recipe, ',')) +
                               DescribeSurplus(attributes, DcnRunRecord::ListAttributes());
    const std::string now = DescribeSurplus(DcnSplit(recipe, ','), DcnSplit(scenario, ',')) +
                            DescribeSurplus(DcnRunRecord::ListAttributes(), attributes);
    if (!before.empty() || !now.empty())
    {
        DcnFail("the earlier run in ",
                folder,
                before.empty() ? " did not have" : " had" + before + ", but this one has",
                now.empty() ? " not" : now,
                ": give both runs the same options");
    }
    for (const auto& row : DcnFctTable::ReadSummary(folder + "/summary.csv"))
    {
        if (row.metric == "p99_slowdown" && row.sizeClass == "all")
        {
            m_p99[row.method] = row.value;
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
    const std::string revision = DcnGetRevision();
    std::string text = m_code.empty() ? "the earlier run has not recorded its code\n"
                       : m_code == DcnRunRecord::GetCodeDigest()
                           ? "the code is the same\n"
                           : "the code differs: " + DescribeCode(m_revision, m_code) + " before, " +
                                 DescribeCode(revision, DcnRunRecord::GetCodeDigest()) + " now\n";
    text += "p99 slowdown before (" + m_folder + ") and now:\n";
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
