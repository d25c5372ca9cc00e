/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-origin.h"

#include "dcn-csv.h"

#include "ns3/hash.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ns3
{

std::string
DcnGetUtcDate()
{
    const std::time_t now = std::time(nullptr);
    std::tm day{};
    gmtime_r(&now, &day);
    char text[16];
    std::strftime(text, sizeof(text), "%Y-%m-%d", &day);
    return text;
}

std::string
DcnGetRevision()
{
    namespace fs = std::filesystem;
    auto readLine = [](const fs::path& path) {
        std::ifstream file(path);
        std::string line;
        std::getline(file, line);
        return line;
    };
    std::error_code ignored;
    const std::string installed = readLine(fs::path(DcnDataPath("REVISION")));
    if (!installed.empty())
    {
        return installed;
    }
    fs::path git = fs::path(DcnDataPath("")) / ".." / ".git";
    if (fs::is_regular_file(git, ignored)) // of a worktree
    {
        const std::string line = readLine(git);
        const fs::path named = line.substr(std::min(line.size(), line.find(' ') + 1));
        git = named.is_absolute() ? named : git.parent_path() / named;
    }
    const std::string head = readLine(git / "HEAD");
    static const std::string REFERENCE = "ref: ";
    if (head.rfind(REFERENCE, 0) != 0)
    {
        return head;
    }
    const std::string name = head.substr(REFERENCE.size());
    const std::string common = readLine(git / "commondir"); // of a worktree
    const fs::path references = common.empty() ? git : git / common;
    const std::string commit = readLine(references / name);
    if (!commit.empty())
    {
        return commit;
    }
    std::ifstream packed(references / "packed-refs");
    for (std::string line; std::getline(packed, line);)
    {
        if (line.size() > name.size() && line.substr(line.find(' ') + 1) == name)
        {
            return line.substr(0, line.find(' '));
        }
    }
    return "";
}

std::string
DcnHashText(const std::string& text)
{
    char digits[17];
    std::snprintf(digits,
                  sizeof(digits),
                  "%016llx",
                  static_cast<unsigned long long>(Hash64(text)));
    return digits;
}

} // namespace ns3
