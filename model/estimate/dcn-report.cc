/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-report.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnReport");

namespace
{

const char* const STYLE = R"(
body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: 1em 0; font-size: 0.92em; }
th, td { padding: 0.2em 0.8em; text-align: left; border-bottom: 1px solid #ddd; }
th { cursor: pointer; border-bottom: 2px solid #888; } th:hover { background: #eef; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1em 0; } figure svg { max-width: 100%; height: auto; } figcaption { color: #555; }
p { white-space: pre-line; overflow-wrap: anywhere; } summary { cursor: pointer; font-weight: bold; }
)";

// numbers before texts, ascending at the first click, descending at the next
const char* const SCRIPT = R"(
document.querySelectorAll('th').forEach(function (head) {
  head.addEventListener('click', function () {
    const column = Array.prototype.indexOf.call(head.parentNode.children, head);
    const body = head.closest('table').tBodies[0];
    const sign = head.dataset.sign === '1' ? -1 : 1;
    head.dataset.sign = sign;
    const key = function (row) { return row.children[column].textContent.trim(); };
    Array.from(body.rows).sort(function (a, b) {
      const x = parseFloat(key(a)), y = parseFloat(key(b));
      if (isNaN(x) || isNaN(y)) {
        return isNaN(x) && isNaN(y) ? sign * key(a).localeCompare(key(b)) : isNaN(x) - isNaN(y);
      }
      return sign * (x - y);
    }).forEach(function (row) { body.appendChild(row); });
  });
});
)";

/// @return whether a cell is a number, perhaps with a sign, and a percent sign or an x at its end
bool
IsNumber(std::string text)
{
    if (!text.empty() && (text.back() == '%' || text.back() == 'x'))
    {
        text.pop_back();
    }
    if (!text.empty() && text.front() == '+')
    {
        text.erase(0, 1);
    }
    while (!text.empty() && text.back() == ' ')
    {
        text.pop_back();
    }
    double number = 0;
    return DcnParse(text, number);
}

/// @return a line of a CSV file, cell by cell; quotes around a cell are removed
std::vector<std::string>
SplitLine(const std::string& line)
{
    std::vector<std::string> cells(1);
    bool isQuoted = false;
    for (const char c : line)
    {
        if (c == '"')
        {
            isQuoted = !isQuoted;
        }
        else if (c == ',' && !isQuoted)
        {
            cells.emplace_back();
        }
        else if (c != '\r')
        {
            cells.back() += c;
        }
    }
    return cells;
}

} // namespace

DcnReport::DcnReport(const std::string& title)
    : m_title(title)
{
}

void
DcnReport::AddHeading(const std::string& text)
{
    m_body += "<h2>" + Escape(text) + "</h2>\n";
}

void
DcnReport::AddText(const std::string& text)
{
    m_body += "<p>" + Escape(text) + "</p>\n";
}

void
DcnReport::AddOrigin(const std::string& command)
{
    char host[256] = "";
    gethostname(host, sizeof(host) - 1);
    AddText("Command: " + command + "\ndcn " + DCN_RELEASE + ", packet engine " +
            DCN_RELEASE_ENGINE_DIGEST + ", " + DcnGetUtcDate() + ", " + host);
}

void
DcnReport::AddTable(const std::vector<std::string>& head,
                    const std::vector<std::vector<std::string>>& rows)
{
    // a column with a number is one of numbers, whatever stands for those that are not known
    auto open = [&rows](const std::string& tag, std::size_t column) {
        const bool isNumber = std::any_of(rows.begin(), rows.end(), [column](const auto& row) {
            return IsNumber(row[column]);
        });
        return '<' + tag + (isNumber ? " class=\"number\">" : ">");
    };
    std::vector<std::string> openCells;
    m_body += "<table><thead><tr>";
    for (std::size_t column = 0; column < head.size(); ++column)
    {
        openCells.push_back(open("td", column));
        m_body += open("th", column) + Escape(head[column]) + "</th>";
    }
    m_body += "</tr></thead>\n<tbody>\n";
    for (const auto& row : rows)
    {
        m_body += "<tr>";
        for (std::size_t column = 0; column < head.size(); ++column)
        {
            m_body += openCells[column] + Escape(row[column]) + "</td>";
        }
        m_body += "</tr>\n";
    }
    m_body += "</tbody></table>\n";
}

void
DcnReport::AddCsv(const std::string& path, const std::string& title, bool isFolded)
{
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
    {
        DcnFail(path, ": the table for the report cannot be read");
    }
    const auto head = SplitLine(line);
    std::vector<std::vector<std::string>> rows;
    while (std::getline(file, line))
    {
        rows.push_back(SplitLine(line));
        rows.back().resize(head.size());
    }
    m_body += isFolded ? "<details>" : "<details open>";
    m_body += "<summary>" + Escape(title) + "</summary>\n";
    AddTable(head, rows);
    m_body += "</details>\n";
}

bool
DcnReport::AddFigure(const std::string& path, const std::string& caption)
{
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t begin = text.find("<svg"); // after declarations, which HTML does not have
    if (begin == std::string::npos)
    {
        NS_LOG_INFO("no picture at " << path);
        return false;
    }
    m_body += "<figure>" + text.substr(begin) + "<figcaption>" + Escape(caption) +
              "</figcaption></figure>\n";
    return true;
}

void
DcnReport::AddAnswer(const DcnEstimate& estimate)
{
    std::string text = estimate.DescribeCompletion();
    const std::string events = estimate.DescribeEvents();
    text += events.empty() ? "" : "\n" + events;
    for (const std::string& sentence : estimate.notes)
    {
        text += "\nNote: " + sentence;
    }
    const std::string warnings = estimate.DescribeWarnings();
    text += warnings.empty() ? "" : "\nWarning: " + warnings;
    text += "\nProvenance: " + estimate.provenance;
    if (!estimate.answeredBy.empty())
    {
        text += "\nAnswered by: " + estimate.answeredBy;
    }
    AddText(text);
}

void
DcnReport::Write(const std::string& path) const
{
    DcnFileWriter file(path);
    file.Stream() << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"
                  << Escape(m_title) << "</title><style>" << STYLE << "</style></head>\n<body><h1>"
                  << Escape(m_title) << "</h1>\n"
                  << m_body << "<script>" << SCRIPT << "</script></body></html>\n";
    file.Commit();
}

std::string
DcnReport::Escape(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
    {
        switch (c)
        {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

} // namespace ns3
