/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-run-record.h"

#include "../base/dcn-interrupt.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/type-id.h"

#define BOOST_BIND_GLOBAL_PLACEHOLDERS // the parser of Boost 1.74 would else warn about itself
#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <link.h>
#include <set>
#include <sstream>
#include <system_error>
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

/// @return a JSON list of texts
std::string
MakeList(const std::vector<std::string>& texts)
{
    std::string list;
    for (const std::string& text : texts)
    {
        list += (list.empty() ? "" : ", ") + DcnQuoteJson(text);
    }
    return "[" + list + "]";
}

/// @return the process that a name of a half-written file has (DcnFileWriter); 0 for other names
pid_t
GetPartProcess(const std::string& name)
{
    const std::string mark = ".part-";
    const std::size_t at = name.rfind(mark);
    uint64_t process = 0;
    const bool isPart = at != std::string::npos && DcnParse(name.substr(at + mark.size()), process);
    return isPart && process <= INT32_MAX ? static_cast<pid_t>(process) : 0;
}

/// @return the first names, joined by ", ", and the number of the others
std::string
ListNames(const std::vector<std::string>& names)
{
    constexpr std::size_t MOST = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(MOST, names.size()); ++i)
    {
        text += (i > 0 ? ", " : "") + names[i];
    }
    return text +
           (names.size() > MOST ? " and " + std::to_string(names.size() - MOST) + " others" : "");
}

/// @return the present time in UTC, as in 2026-11-23T10:20:30Z
std::string
GetUtcTime()
{
    const std::time_t now = std::time(nullptr);
    std::tm time{};
    gmtime_r(&now, &time);
    char text[32];
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &time);
    return text;
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
      m_process(getpid()),
      m_interrupt(std::make_unique<DcnInterruptMessage>(""))
{
    DcnMakeFolder(folder);
    m_lock = std::make_unique<DcnFolderLock>(folder, IN_USE);
    m_earlier = FindEarlier(owned);
    if (!m_earlier.empty())
    {
        std::cout << "note: " << folder
                  << " has results of an earlier run, which stay: " << ListNames(m_earlier)
                  << std::endl;
    }
    const std::vector<std::string> parts = FindParts(folder);
    m_earlier.insert(m_earlier.end(), parts.begin(), parts.end());
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
              {"revision", DcnQuoteJson(DcnGetRevision())},
              {"code", DcnQuoteJson(GetCodeDigest())},
              {"packet_engine", DcnQuoteJson(DCN_RELEASE_ENGINE_DIGEST)},
              {"date", DcnQuoteJson(GetUtcTime())},
              {"host", DcnQuoteJson(host)},
              {"cores", std::to_string(std::thread::hardware_concurrency())},
              {"attributes", MakeList(ListAttributes())}};
    Write("running");
}

std::vector<std::string>
DcnRunRecord::FindEarlier(const std::vector<std::string>& owned) const
{
    std::set<std::string> names;
    const std::string path = m_folder + "/" + NAME;
    std::error_code ignored;
    try
    {
        std::istringstream file(std::filesystem::exists(path, ignored) ? DcnReadJson(path) : "{}");
        boost::property_tree::ptree record;
        boost::property_tree::read_json(file, record);
        for (const char* list : {"files", "earlier_files"})
        {
            const auto found = record.get_child_optional(list);
            for (const auto& entry : found ? *found : boost::property_tree::ptree())
            {
                const auto name = entry.second.get_value<std::string>();
                if (name != NAME && GetPartProcess(name) == 0 &&
                    std::filesystem::exists(m_folder + "/" + name, ignored))
                {
                    names.insert(name);
                }
            }
        }
    }
    catch (const boost::property_tree::ptree_error&)
    {
        // a file that was cut off or is of something else
    }
    catch (const DcnError&)
    {
        // as before
    }
    for (const std::string& name : owned)
    {
        names.erase(name);
    }
    return {names.begin(), names.end()};
}

std::vector<std::string>
DcnRunRecord::FindParts(const std::string& folder)
{
    std::set<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    {
        const std::string name = entry.path().filename().string();
        const pid_t process = GetPartProcess(name);
        // a process that lives may still write it, as by an option that names a file in the folder
        if (process > 0 && kill(process, 0) != 0 && errno == ESRCH)
        {
            names.insert(name);
        }
    }
    const std::vector<std::string> parts(names.begin(), names.end());
    if (!parts.empty())
    {
        std::cout << "note: " << folder
                  << " has half-written files of a run that was killed, which may be removed: "
                  << ListNames(parts) << std::endl;
    }
    return parts;
}

DcnRunRecord::~DcnRunRecord()
{
    if (m_isFinished || getpid() != m_process)
    {
        return;
    }
    try
    {
        Write("failed");
    }
    catch (const DcnError&)
    {
        // the disk may be full; the reason of the failure is about to be said
    }
}

std::vector<std::string>
DcnRunRecord::ListAttributes()
{
    std::vector<std::string> changed;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            const auto attribute = type.GetAttribute(j);
            const std::string now = attribute.initialValue->SerializeToString(attribute.checker);
            if (now != attribute.originalInitialValue->SerializeToString(attribute.checker))
            {
                changed.push_back(type.GetName() + "::" + attribute.name + "=" + now);
            }
        }
    }
    if (RngSeedManager::GetRun() != 1)
    {
        changed.push_back("RngRun=" + std::to_string(RngSeedManager::GetRun()));
    }
    if (RngSeedManager::GetSeed() != 1)
    {
        changed.push_back("RngSeed=" + std::to_string(RngSeedManager::GetSeed()));
    }
    const char* environment = std::getenv("NS_ATTRIBUTE_DEFAULT");
    if (environment && *environment)
    {
        changed.push_back(std::string("NS_ATTRIBUTE_DEFAULT=") + environment);
    }
    std::sort(changed.begin(), changed.end());
    return changed;
}

std::string
DcnRunRecord::GetCodeDigest()
{
    static const std::string digest = []() {
        std::set<std::string> paths{"/proc/self/exe"};
        dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void* found) {
                if (std::strstr(info->dlpi_name, "libns3"))
                {
                    static_cast<std::set<std::string>*>(found)->insert(info->dlpi_name);
                }
                return 0;
            },
            &paths);
        std::string digests;
        for (const std::string& path : paths)
        {
            std::ifstream file(path, std::ios::binary);
            digests += DcnHashText({std::istreambuf_iterator<char>(file), {}});
        }
        return DcnHashText(digests);
    }();
    return digest;
}

void
DcnRunRecord::SetScenario(const std::string& recipe, uint64_t seed)
{
    m_head.emplace_back("scenario", DcnQuoteJson(recipe));
    m_head.emplace_back("seed", std::to_string(seed));
    Write("running");
}

void
DcnRunRecord::SetLines(const std::string& key, const std::vector<std::string>& lines)
{
    if (!lines.empty())
    {
        m_lists.emplace_back(key, MakeList(lines));
        Write("running");
    }
}

void
DcnRunRecord::SetDigest(const std::string& digest)
{
    m_head.emplace_back("digest", DcnQuoteJson(digest));
    Write("running");
}

bool
DcnRunRecord::IsComplete(const std::string& folder, const std::string& digest)
{
    const std::string path = folder + "/" + NAME;
    if (!std::filesystem::exists(path))
    {
        return false;
    }
    try
    {
        std::istringstream file(DcnReadJson(path));
        boost::property_tree::ptree record;
        boost::property_tree::read_json(file, record);
        return record.get("status", "") == "complete" && record.get("digest", "") == digest;
    }
    catch (const boost::property_tree::ptree_error&)
    {
        return false; // a file that was cut off or is of something else
    }
    catch (const DcnError&)
    {
        return false;
    }
}

void
DcnRunRecord::AddScenario(const std::string& folder,
                          const std::string& keys,
                          const std::string& status)
{
    m_scenarios.push_back(MakeObject({{"folder", DcnQuoteJson(folder)},
                                      {"keys", DcnQuoteJson(keys)},
                                      {"status", DcnQuoteJson(status)}},
                                     "    "));
    Write("running");
}

void
DcnRunRecord::SetIgnored(const std::vector<std::string>& lines)
{
    m_ignored = lines;
    Write("running");
}

void
DcnRunRecord::SetForecast(const std::string& json)
{
    m_head.emplace_back("forecast", json);
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
    std::vector<std::string> warnings = estimate.warnings;
    warnings.insert(warnings.end(), estimate.notModelled.begin(), estimate.notModelled.end());
    entries.emplace_back("notes", MakeList(estimate.notes));
    entries.emplace_back("warnings", MakeList(warnings));
    entries.emplace_back("expected_error", DcnQuoteJson(estimate.expectedError));
    std::string margins;
    for (const DcnEstimate::Margin& margin : estimate.margins)
    {
        margins += (margins.empty() ? "" : ", ") + DcnQuoteJson(margin.sizeClass) + ": [" +
                   ToJson(margin.low) + ", " + ToJson(margin.high) + "]";
    }
    entries.emplace_back("p99_margins", "{" + margins + "}");
    entries.emplace_back("p99_margins_note", DcnQuoteJson(estimate.marginsNote));
    m_answers.push_back(MakeObject(entries, "    "));
    NS_LOG_INFO(estimate.method << " is recorded");
    Write("running");
}

void
DcnRunRecord::LeaveOut(const std::string& method, const std::string& reason)
{
    m_leftOut.push_back(
        MakeObject({{"method", DcnQuoteJson(method)}, {"reason", DcnQuoteJson(reason)}}, "    "));
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
    m_isFinished = true;
    m_interrupt->SetFile("", "");
}

std::string
DcnRunRecord::MakeText(const std::string& status) const
{
    auto join = [](const std::vector<std::string>& objects) {
        std::string text;
        for (const std::string& object : objects)
        {
            text += (text.empty() ? "\n    " : ",\n    ") + object;
        }
        return "[" + text + "]";
    };
    auto entries = m_head;
    entries.emplace_back("ignored", MakeList(m_ignored));
    entries.insert(entries.end(), m_lists.begin(), m_lists.end());
    entries.emplace_back("status", DcnQuoteJson(status));
    entries.emplace_back("methods", join(m_answers));
    entries.emplace_back("left_out", join(m_leftOut));
    if (!m_scenarios.empty())
    {
        entries.emplace_back("scenarios", join(m_scenarios));
    }
    entries.emplace_back("files", MakeList(m_files));
    if (!m_earlier.empty())
    {
        entries.emplace_back("earlier_files", MakeList(m_earlier));
    }
    return MakeObject(entries, "") + "\n";
}

void
DcnRunRecord::Write(const std::string& status)
{
    const std::string path = m_folder + "/" + NAME;
    DcnFileWriter file(path);
    file.Stream() << MakeText(status);
    file.Commit();
    m_interrupt->SetFile(path, MakeText("interrupted"));
    const std::string written = GetFiles();
    m_interrupt->Set("\ninterrupted; " +
                     (written.empty()
                          ? "no results were written"
                          : "written, with the methods that are complete: " + written) +
                     "\n");
}

} // namespace ns3
