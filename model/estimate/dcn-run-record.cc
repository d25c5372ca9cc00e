/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-run-record.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "../base/dcn-interrupt.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnRunRecord");

namespace
{

const std::string NAME = "run.json"; //!< of the file

/// @return a JSON object of keys and JSON values
std::string
MakeObject(const std::vector<std::pair<std::string, std::string>>& entries,
           const std::string& indent)
{
    std::string text = "{";
    for (const auto& [key, value] : entries)
    {
        text +=
            (text.size() == 1 ? "\n" : ",\n") + indent + "  " + DcnQuoteJson(key) + ": " + value;
    }
    return text + "\n" + indent + "}";
}

/// @return a number as JSON has it
std::string
ToJson(double number)
{
    std::ostringstream text;
    text.precision(9);
    text << number;
    return text.str();
}

} // namespace

DcnRunRecord::DcnRunRecord(const std::string& folder,
                           const std::string& command,
                           const std::vector<std::string>& owned)
    : m_folder(folder),
      m_interrupt(std::make_unique<DcnInterruptMessage>(""))
{
    DcnMakeFolder(folder);
    for (const std::string& name : owned)
    {
        const std::string path = folder + "/" + name;
        if (std::remove(path.c_str()) != 0 && errno != ENOENT)
        {
            DcnFail(path,
                    ": the file of an earlier run cannot be removed (",
                    std::strerror(errno),
                    ")");
        }
    }
    char host[256] = "";
    gethostname(host, sizeof(host) - 1);
    m_head = {{"command", DcnQuoteJson(command)},
              {"release", DcnQuoteJson(DCN_RELEASE)},
              {"packet_engine", DcnQuoteJson(DCN_RELEASE_ENGINE_DIGEST)},
              {"date", DcnQuoteJson(DcnGetUtcDate())},
              {"host", DcnQuoteJson(host)},
              {"cores", std::to_string(std::thread::hardware_concurrency())}};
    Write("running");
}

DcnRunRecord::~DcnRunRecord() = default;

void
DcnRunRecord::SetScenario(const std::string& recipe, uint64_t seed)
{
    m_head.emplace_back("scenario", DcnQuoteJson(recipe));
    m_head.emplace_back("seed", std::to_string(seed));
    Write("running");
}

void
DcnRunRecord::Add(const DcnEstimate& estimate)
{
    std::vector<std::pair<std::string, std::string>> entries{
        {"method", DcnQuoteJson(estimate.method)},
        {"ground_truth", estimate.isGroundTruth ? "true" : "false"},
        {"wall_s", ToJson(estimate.wallSeconds)},
        {"cpu_s", ToJson(estimate.cpuSeconds)},
        {"jobs", std::to_string(estimate.jobs)},
        {"completion", DcnQuoteJson(estimate.DescribeCompletion())},
        {"answered_by", DcnQuoteJson(estimate.answeredBy)},
        {"provenance", DcnQuoteJson(estimate.provenance)},
        {"events", DcnQuoteJson(estimate.DescribeEvents())}};
    for (const auto& [key, sentences] :
         {std::pair("notes", &estimate.notes), std::pair("warnings", &estimate.warnings)})
    {
        std::string list;
        for (const std::string& sentence : *sentences)
        {
            list += (list.empty() ? "" : ", ") + DcnQuoteJson(sentence);
        }
        entries.emplace_back(key, "[" + list + "]");
    }
    entries.emplace_back("expected_error", DcnQuoteJson(estimate.expectedError));
    std::string margins;
    for (const DcnEstimate::Margin& margin : estimate.margins)
    {
        margins += (margins.empty() ? "" : ", ") + DcnQuoteJson(margin.sizeClass) + ": [" +
                   ToJson(margin.low) + ", " + ToJson(margin.high) + "]";
    }
    entries.emplace_back("p99_margins", "{" + margins + "}");
    m_answers.push_back(MakeObject(entries, "    "));
    NS_LOG_INFO(estimate.method << " is recorded");
    Write("running");
}

void
DcnRunRecord::AddFile(const std::string& name)
{
    if (std::find(m_files.begin(), m_files.end(), name) == m_files.end())
    {
        m_files.push_back(name);
        Write("running");
    }
}

std::string
DcnRunRecord::GetFiles() const
{
    std::string text;
    for (const std::string& name : m_files)
    {
        text += (text.empty() ? "" : ", ") + m_folder + "/" + name;
    }
    return text;
}

void
DcnRunRecord::Finish()
{
    Write("complete");
}

void
DcnRunRecord::Write(const std::string& status)
{
    std::string answers;
    for (const std::string& answer : m_answers)
    {
        answers += (answers.empty() ? "\n    " : ",\n    ") + answer;
    }
    std::string files;
    for (const std::string& name : m_files)
    {
        files += (files.empty() ? "" : ", ") + DcnQuoteJson(name);
    }
    auto entries = m_head;
    entries.emplace_back("status", DcnQuoteJson(status));
    entries.emplace_back("methods", "[" + answers + "]");
    entries.emplace_back("files", "[" + files + "]");
    DcnFileWriter file(m_folder + "/" + NAME);
    file.Stream() << MakeObject(entries, "") << '\n';
    file.Commit();
    const std::string written = GetFiles();
    m_interrupt->Set("\ninterrupted; " +
                     (written.empty()
                          ? "no results were written"
                          : "written, with the methods that are complete: " + written) +
                     "\n");
}

} // namespace ns3
