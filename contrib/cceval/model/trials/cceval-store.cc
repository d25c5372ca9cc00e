/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-store.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

const std::string DONE = "done";                          //!< status of an answer
const std::string DONE_BY = "done: answered by ";         //!< status, if another method answered
const std::string FAILED = "failed: ";                    //!< status, followed by the reason
const std::string TIMES = "fct_ns";                       //!< kind of an answer
const std::string SAMPLES = "slowdown:size_bytes:weight:ideal_ns"; //!< kind of an answer
const std::string FLOWS = "size_bytes:start_ns:ideal_ns:fct_ns"; //!< kind of an answer

/**
 * @param run number of a trial, less than CCEVAL_MAX_RUNS
 * @return its key; keys are in the order of the numbers
 */
std::string
GetKey(uint64_t run)
{
    char key[24];
    std::snprintf(key, sizeof(key), "%07llu", static_cast<unsigned long long>(run));
    return key;
}

/**
 * @param text cells
 * @param separator between the cells
 * @param most largest number of cells; the last one has the rest of the text
 * @return the cells
 */
std::vector<std::string>
Split(const std::string& text, char separator, std::size_t most)
{
    std::vector<std::string> cells;
    std::size_t from = 0;
    std::size_t to = 0;
    while (cells.size() + 1 < most && (to = text.find(separator, from)) != std::string::npos)
    {
        cells.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    cells.push_back(text.substr(from));
    return cells;
}

/**
 * @param text a status
 * @param outcome set from the status
 * @return false if it is no status
 */
bool
ReadStatus(const std::string& text, CcevalOutcome& outcome)
{
    if (text.compare(0, FAILED.size(), FAILED) == 0)
    {
        outcome.failure = text.substr(FAILED.size());
        return true;
    }
    if (text.compare(0, DONE_BY.size(), DONE_BY) == 0)
    {
        outcome.answeredBy = text.substr(DONE_BY.size());
        return true;
    }
    return text == DONE;
}

/**
 * @param line see CcevalStore::Write
 * @param outcome set to the answer
 * @return false if it is no answer
 */
bool
Read(const std::string& line, CcevalOutcome& outcome)
{
    const auto cells = Split(line, ',', 5); // status, elapsed time, processor time, kind, answer
    if (cells.size() != 5 || !ReadStatus(cells[0], outcome) ||
        !DcnParse(cells[1], outcome.wallSeconds) || !DcnParse(cells[2], outcome.cpuSeconds))
    {
        return false;
    }
    std::istringstream answer(cells[4]);
    if (cells[3] == TIMES)
    {
        for (int64_t fct = 0; answer >> fct;)
        {
            outcome.fctNs.push_back(fct);
        }
        return answer.eof();
    }
    for (std::string text; cells[3] == FLOWS && answer >> text;)
    {
        const auto parts = Split(text, ':', 4);
        DcnFlow flow{outcome.flows.size(), 0, 0, 0, 0};
        int64_t idealNs = 0;
        int64_t fctNs = 0;
        if (parts.size() != 4 || !DcnParse(parts[0], flow.sizeBytes) ||
            !DcnParse(parts[1], flow.startNs) || !DcnParse(parts[2], idealNs) ||
            !DcnParse(parts[3], fctNs))
        {
            return false;
        }
        outcome.flows.push_back(flow);
        outcome.idealNs.push_back(idealNs);
        outcome.fctNs.push_back(fctNs);
    }
    if (cells[3] == FLOWS)
    {
        return true;
    }
    for (std::string text; answer >> text;)
    {
        const auto parts = Split(text, ':', 4);
        CcevalOutcome::Sample sample{};
        if (parts.size() != 4 || !DcnParse(parts[0], sample.slowdown) ||
            !DcnParse(parts[1], sample.sizeBytes) || !DcnParse(parts[2], sample.weight) ||
            !DcnParse(parts[3], sample.idealNs))
        {
            return false;
        }
        outcome.samples.push_back(sample);
    }
    return cells[3] == SAMPLES;
}

} // namespace

CcevalStore::CcevalStore(const std::string& path,
                         const std::map<std::string, std::string>& configuration)
    : m_configuration(configuration)
{
    if (path.empty())
    {
        return;
    }
    const auto old = std::filesystem::path(path).replace_extension(".csv");
    if (std::filesystem::exists(old))
    {
        DcnFail(old.string(),
                ": this store of trials has a format of dcn 0.1, which is no longer read; remove "
                "the file or name another folder with --store");
    }
    m_file = std::make_unique<DcnResultStore>(path, configuration);
}

const CcevalOutcome*
CcevalStore::Find(uint64_t run) const
{
    auto found = m_outcomes.find(run);
    if (found == m_outcomes.end() && m_file)
    {
        const auto line = m_file->Find(GetKey(run));
        if (!line)
        {
            return nullptr;
        }
        found = m_outcomes.emplace(run, CcevalOutcome()).first;
        if (!Read(*line, found->second))
        {
            m_outcomes.erase(found);
            DcnFail(m_file->GetPath(),
                    ": trial ",
                    run,
                    " is no record of a trial: \"",
                    line->substr(0, 40),
                    "\"; remove the file");
        }
    }
    return found == m_outcomes.end() ? nullptr : &found->second;
}

void
CcevalStore::Add(const std::vector<Line>& lines)
{
    if (!m_file)
    {
        for (const auto& [run, line] : lines)
        {
            [[maybe_unused]] const bool isAnswer = Read(line, m_outcomes[run]);
            NS_ASSERT_MSG(isAnswer, "no record of a trial: " << line);
        }
        return;
    }
    std::vector<DcnResultStore::Row> rows;
    for (const auto& [run, line] : lines)
    {
        rows.emplace_back(GetKey(run), line);
    }
    m_file->Add(rows);
    for (const auto& line : lines)
    {
        Find(line.first); // read the file's answer: another process may have been first
    }
}

const std::map<std::string, std::string>&
CcevalStore::GetConfiguration() const
{
    return m_configuration;
}

std::size_t
CcevalStore::GetN() const
{
    return m_outcomes.size();
}

std::string
CcevalStore::Write(const CcevalOutcome& outcome)
{
    std::ostringstream line;
    line.precision(std::numeric_limits<double>::max_digits10);
    std::string status = !outcome.failure.empty()      ? FAILED + outcome.failure
                         : !outcome.answeredBy.empty() ? DONE_BY + outcome.answeredBy
                                                       : DONE;
    std::replace_if(
        status.begin(),
        status.end(),
        [](char c) { return c == ',' || c == '\n' || c == '\r'; },
        ';');
    const bool isTimes = outcome.samples.empty();
    line << status << ',' << outcome.wallSeconds << ',' << outcome.cpuSeconds << ','
         << (!outcome.flows.empty() ? FLOWS
             : isTimes              ? TIMES
                                    : SAMPLES)
         << ',';
    const char* separator = "";
    for (const auto& sample : outcome.samples)
    {
        line << separator << sample.slowdown << ':' << sample.sizeBytes << ':' << sample.weight
             << ':' << sample.idealNs;
        separator = " ";
    }
    for (std::size_t i = 0; i < outcome.fctNs.size() && isTimes; ++i)
    {
        line << separator;
        if (!outcome.flows.empty())
        {
            line << outcome.flows[i].sizeBytes << ':' << outcome.flows[i].startNs << ':'
                 << outcome.idealNs[i] << ':';
        }
        line << outcome.fctNs[i];
        separator = " ";
    }
    return line.str();
}

} // namespace ns3
