/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-store.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"

#include <cmath>
#include <filesystem>
#include <set>

namespace ns3
{

namespace
{

const std::vector<std::string> COLUMNS{"figure",
                                       "scale",
                                       "date",
                                       "revision",
                                       "of",
                                       "value",
                                       "unit",
                                       "ours",
                                       "low",
                                       "high",
                                       "draws"};
const std::string NOTE = "note";       //!< unit of a row that is a sentence
const std::string PICTURE = "picture"; //!< unit of a row that is NAME: CAPTION

/// @return the number of a cell; NaN of an empty one
double
ReadNumber(const DcnCsvReader& csv, std::size_t column)
{
    return csv.GetText(column).empty() ? PaperMeasured::NONE : csv.GetDouble(column);
}

/// @return a number with six significant digits; nothing for NaN
std::string
WriteNumber(double number)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", number);
    return std::isfinite(number) ? text : "";
}

/// @return text as a quoted cell
std::string
Quote(const std::string& text)
{
    std::string quoted = "\"";
    for (const char each : text)
    {
        quoted += each == '"' ? "\"\"" : std::string(1, each == '\n' ? ' ' : each);
    }
    return quoted + "\"";
}

} // namespace

PaperStore::PaperStore(const std::string& path)
    : m_path(path)
{
    if (!std::filesystem::exists(path))
    {
        return;
    }
    DcnCsvReader csv(path, COLUMNS);
    while (csv.FetchRow())
    {
        PaperStored& stored = m_results[csv.GetText(0)];
        stored.origin = {csv.GetText(1), csv.GetText(2), csv.GetText(3), csv.GetText(4)};
        stored.result.isStored = true;
        if (csv.GetText(6) == NOTE)
        {
            stored.result.note = csv.GetText(5);
            continue;
        }
        if (csv.GetText(6) == PICTURE)
        {
            const std::string& text = csv.GetText(5);
            const std::size_t at = text.find(": ");
            stored.result.pictures.push_back({text.substr(0, at), text.substr(at + 2), nullptr});
            continue;
        }
        if (stored.result.Get(csv.GetText(5)))
        {
            DcnFail(csv.Where(), csv.GetText(0), " has the value \"", csv.GetText(5), "\" twice");
        }
        stored.result.AddOther(csv.GetText(5),
                               csv.GetText(6),
                               {ReadNumber(csv, 7),
                                ReadNumber(csv, 8),
                                ReadNumber(csv, 9),
                                csv.GetText(10).empty() ? 0 : csv.GetUint(10)});
    }
}

const PaperStored*
PaperStore::Find(const std::string& figure) const
{
    const auto found = m_results.find(figure);
    return found == m_results.end() ? nullptr : &found->second;
}

void
PaperStore::Put(const PaperFigure& figure, const PaperResult& result, const PaperOrigin& origin)
{
    m_results = PaperStore(m_path).m_results; // another run may have put a figure there meanwhile
    PaperStored& stored = m_results[figure.name];
    stored.origin = origin;
    stored.result = {};
    stored.result.note = result.note;
    stored.result.pictures = result.pictures;
    std::set<std::string> published;
    for (const PaperValue& value : figure.published)
    {
        published.insert(value.name);
        stored.result.AddOther(value.name, value.unit, result.Find(value.name));
    }
    for (const auto& [name, measured] : result.others)
    {
        if (published.count(name.first) == 0)
        {
            stored.result.AddOther(name.first, name.second, measured);
        }
    }
    DcnFileWriter file(m_path);
    std::ostream& out = file.Stream();
    for (std::size_t i = 0; i < COLUMNS.size(); ++i)
    {
        out << (i ? "," : "") << COLUMNS[i];
    }
    out << '\n';
    for (const auto& [name, each] : m_results)
    {
        const std::string head = name + "," + each.origin.scale + "," + each.origin.date + "," +
                                 each.origin.revision + "," + each.origin.of + ",";
        if (!each.result.note.empty())
        {
            out << head << Quote(each.result.note) << ',' << NOTE << ",,,,\n";
        }
        for (const PaperPicture& picture : each.result.pictures)
        {
            out << head << Quote(picture.name + ": " + picture.caption) << ',' << PICTURE
                << ",,,,\n";
        }
        for (const auto& [row, measured] : each.result.others)
        {
            out << head << Quote(row.first) << ',' << row.second << ','
                << WriteNumber(measured.value) << ',' << WriteNumber(measured.low) << ','
                << WriteNumber(measured.high) << ','
                << (measured.draws ? std::to_string(measured.draws) : "") << '\n';
        }
    }
    file.Commit();
}

std::string
PaperStore::GetLate(const std::string& of)
{
    static std::map<std::string, std::string> digests; // by method
    std::string late;
    for (const std::string& each : DcnSplit(of, ' '))
    {
        const std::size_t at = each.find('@');
        if (at == std::string::npos)
        {
            continue;
        }
        const std::string method = each.substr(at + 1);
        auto& digest = digests[method];
        if (digest.empty())
        {
            digest = DcnEstimator::CreateByName(method)->GetDigest();
        }
        const std::string name = method.substr(0, method.find(':'));
        if (digest != each.substr(0, at))
        {
            late += (late.empty() ? "" : ", ") + name;
        }
    }
    return late;
}

} // namespace ns3
