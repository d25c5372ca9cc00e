/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-store.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

const std::string DONE_BY = "done: answered by "; //!< status of what another method answered

const std::string FIRST_LINE = "# dcn-cceval trials, format 2"; //!< of every store
const std::string OLD_LINE = "# dcn-cceval trials, format 1"; //!< of release 0.1: not who answered
const std::string COLUMNS = "run,seed,status,wall_s,cpu_s,kind,answer"; //!< of every store

constexpr uint64_t MAX_RANKS = 4096; //!< processes that mpirun starts together, at most

/**
 * @param text cells
 * @param separator between the cells
 * @param most number of cells at most; the last one has all the rest
 * @return the cells
 */
std::vector<std::string>
Split(const std::string& text, char separator, std::size_t most)
{
    std::vector<std::string> cells;
    std::size_t from = 0;
    while (cells.size() + 1 < most)
    {
        const std::size_t to = text.find(separator, from);
        if (to == std::string::npos)
        {
            break;
        }
        cells.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    cells.push_back(text.substr(from));
    return cells;
}

/**
 * @param file one that exists
 * @return what holds it against other processes; stores of this process have it together
 */
std::shared_ptr<DcnFileLock>
Hold(const std::string& file)
{
    // a forked process is another one, although it has the map
    static std::map<std::pair<pid_t, std::string>, std::weak_ptr<DcnFileLock>> held;
    auto& mine = held[{getpid(), std::filesystem::canonical(file).string()}];
    auto lock = mine.lock();
    if (!lock)
    {
        lock = std::make_shared<DcnFileLock>(file,
                                             DcnFileLock::Mode::EXCLUSIVE,
                                             "adds to this store");
        mine = lock;
    }
    return lock;
}

} // namespace

CcevalStore::CcevalStore(const std::string& path,
                         const std::map<std::string, std::string>& configuration,
                         uint64_t rank)
    : m_path(path),
      m_file(rank == 0 ? path : path + ".rank" + std::to_string(rank)),
      m_configuration(configuration)
{
    if (path.empty())
    {
        return;
    }
    if (std::filesystem::exists(path))
    {
        Load(path, false);
    }
    for (uint64_t other = 1; other < MAX_RANKS; ++other)
    {
        const std::string file = path + ".rank" + std::to_string(other);
        if (std::filesystem::exists(file))
        {
            Load(file, false);
        }
    }
}

void
CcevalStore::Claim()
{
    if (m_file.empty() || m_lock)
    {
        return;
    }
    std::ofstream file(m_file, std::ios::binary | std::ios::app);
    if (!file)
    {
        DcnFail(m_file, ": the file cannot be written");
    }
    m_lock = Hold(m_file);
    if (!HasBegun(m_file))
    {
        std::filesystem::resize_file(m_file, 0); // a part of the header may be there
        file << GetHeader() << std::flush;
        if (!file)
        {
            file.close();
            std::filesystem::resize_file(m_file, 0);
            m_lock.reset();
            DcnFail(m_file, ": the file cannot be written");
        }
        return;
    }
    file.close();
    Load(m_file, true); // another process may have added to it since
}

std::string
CcevalStore::GetHeader() const
{
    std::string header = FIRST_LINE + "\n";
    for (const auto& [key, value] : m_configuration)
    {
        header += "# " + key + ": " + value + "\n";
    }
    return header + COLUMNS + "\n";
}

bool
CcevalStore::HasBegun(const std::string& file) const
{
    const std::string header = GetHeader();
    std::ifstream stream(file, std::ios::binary);
    std::string begin(header.size(), ' ');
    stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    const auto size = static_cast<std::size_t>(stream.gcount());
    return size == header.size() || header.compare(0, size, begin, 0, size) != 0;
}

void
CcevalStore::Load(const std::string& file, bool repair)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
    {
        DcnFail(file, ": the file cannot be read");
    }
    if (!HasBegun(file))
    {
        return; // another process is about to begin it, or that was interrupted
    }
    std::string line;
    const bool hasLine = static_cast<bool>(std::getline(stream, line));
    if (hasLine && line == OLD_LINE)
    {
        DcnFail(file,
                ": this store of trials has format 1, of release 0.1, which does not tell the "
                "trials that another method answered; remove the file or name another folder "
                "with --store");
    }
    if (!hasLine || line != FIRST_LINE)
    {
        DcnFail(file, ": this is no store of trials");
    }
    std::map<std::string, std::string> found;
    uint64_t number = 1;
    while (++number, std::getline(stream, line) && line.compare(0, 2, "# ") == 0)
    {
        const std::size_t colon = line.find(": ");
        found[line.substr(2, colon - 2)] = colon == std::string::npos ? "" : line.substr(colon + 2);
    }
    if (line != COLUMNS)
    {
        DcnFail(file, ":", number, ": the columns must be ", COLUMNS);
    }
    auto keys = m_configuration;
    keys.insert(found.begin(), found.end());
    for (const auto& [key, ignored] : keys)
    {
        auto here = m_configuration.find(key);
        auto there = found.find(key);
        const std::string mine = here == m_configuration.end() ? "none" : here->second;
        const std::string its = there == found.end() ? "none" : there->second;
        if (mine != its)
        {
            DcnFail(file,
                    ": the trials are those of another configuration: ",
                    key,
                    " is \"",
                    its,
                    "\" there and \"",
                    mine,
                    "\" here; remove the file or name another one");
        }
    }
    auto complete = static_cast<uint64_t>(stream.tellg());
    while (std::getline(stream, line))
    {
        ++number;
        if (stream.eof()) // no line feed: it is being written, or that was interrupted
        {
            if (repair)
            {
                stream.close();
                std::filesystem::resize_file(file, complete);
            }
            break;
        }
        complete += line.size() + 1;
        uint64_t run = 0;
        uint64_t seed = 0;
        CcevalOutcome outcome;
        if (!Read(line, run, seed, outcome))
        {
            DcnFail(file,
                    ":",
                    number,
                    ": this is no record of a trial: \"",
                    line.substr(0, 40),
                    "\"");
        }
        m_outcomes[run] = std::move(outcome);
    }
}

const CcevalOutcome*
CcevalStore::Find(uint64_t run) const
{
    auto found = m_outcomes.find(run);
    return found == m_outcomes.end() ? nullptr : &found->second;
}

void
CcevalStore::Add(uint64_t run, uint64_t seed, const CcevalOutcome& outcome)
{
    Claim();
    if (!m_file.empty())
    {
        std::ofstream file(m_file, std::ios::binary | std::ios::app);
        file << Write(run, seed, outcome) << std::flush;
        if (!file)
        {
            DcnFail(m_file, ": the file cannot be written");
        }
    }
    m_outcomes[run] = outcome;
}

std::size_t
CcevalStore::GetN() const
{
    return m_outcomes.size();
}

std::string
CcevalStore::Write(uint64_t run, uint64_t seed, const CcevalOutcome& outcome)
{
    std::ostringstream line;
    line.precision(6);
    line << run << ',' << seed << ',';
    std::string failure = outcome.failure;
    std::replace_if(
        failure.begin(),
        failure.end(),
        [](char c) { return c == ',' || c == '\n' || c == '\r'; },
        ';');
    const std::string done = outcome.answeredBy.empty() ? "done" : DONE_BY + outcome.answeredBy;
    line << (failure.empty() ? done : "failed: " + failure) << ',' << outcome.wallSeconds << ','
         << outcome.cpuSeconds << ',';
    line.precision(std::numeric_limits<double>::max_digits10);
    const char* separator = "";
    if (!outcome.samples.empty())
    {
        line << "slowdown:size_bytes:weight,";
        for (const auto& sample : outcome.samples)
        {
            line << separator << sample.slowdown << ':' << sample.sizeBytes << ':' << sample.weight;
            separator = " ";
        }
    }
    else
    {
        line << "fct_ns,";
        for (const int64_t fct : outcome.fctNs)
        {
            line << separator << fct;
            separator = " ";
        }
    }
    line << '\n';
    return line.str();
}

bool
CcevalStore::Read(const std::string& line, uint64_t& run, uint64_t& seed, CcevalOutcome& outcome)
{
    const auto cells = Split(line, ',', 7);
    const std::string failed = "failed: ";
    if (cells.size() != 7 || !DcnParse(cells[0], run) || !DcnParse(cells[1], seed) ||
        !DcnParse(cells[3], outcome.wallSeconds) || !DcnParse(cells[4], outcome.cpuSeconds))
    {
        return false;
    }
    if (cells[2].compare(0, failed.size(), failed) == 0)
    {
        outcome.failure = cells[2].substr(failed.size());
    }
    else if (cells[2].compare(0, DONE_BY.size(), DONE_BY) == 0)
    {
        outcome.answeredBy = cells[2].substr(DONE_BY.size());
    }
    else if (cells[2] != "done")
    {
        return false;
    }
    const bool times = cells[5] == "fct_ns";
    std::istringstream answer(cells[6]);
    if (times)
    {
        for (int64_t fct = 0; answer >> fct;)
        {
            outcome.fctNs.push_back(fct);
        }
        return answer.eof();
    }
    for (std::string text; answer >> text;)
    {
        const auto parts = Split(text, ':', 3);
        CcevalOutcome::Sample sample{};
        if (parts.size() != 3 || !DcnParse(parts[0], sample.slowdown) ||
            !DcnParse(parts[1], sample.sizeBytes) || !DcnParse(parts[2], sample.weight))
        {
            return false;
        }
        outcome.samples.push_back(sample);
    }
    return cells[5] == "slowdown:size_bytes:weight";
}

} // namespace ns3
