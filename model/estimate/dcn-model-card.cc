/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-model-card.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"

#include "ns3/assert.h"

#define BOOST_BIND_GLOBAL_PLACEHOLDERS // the parser of Boost 1.74 would else warn about itself
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <sstream>

namespace ns3
{

const char* const DcnModelCard::FORMAT_SECTION = "model";

namespace
{

const char* const ORIGIN = "origin";               //!< section that says where a model comes from
const char* const ENGINE_DIGEST = "engine_digest"; //!< its entry, also of every data set

/// What the origin must say.
const std::vector<std::string> ORIGIN_KEYS{"dcn_release", "date", "command", ENGINE_DIGEST};

/// What every data set must say.
const std::vector<std::string> DATA_KEYS{"name",
                                         "hash",
                                         "samples",
                                         ENGINE_DIGEST,
                                         "dcn_release",
                                         "recipe",
                                         "seed",
                                         "date",
                                         "command"};

/**
 * @param number of a data set, from 1
 * @return the name of its section
 */
std::string
GetDataSection(uint32_t number)
{
    return "data_" + std::to_string(number);
}

/**
 * @param text any text
 * @return it as a JSON string
 */
std::string
Quote(const std::string& text)
{
    std::ostringstream out;
    out << '"';
    for (const char c : text)
    {
        if (c == '"' || c == '\\')
        {
            out << '\\' << c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            out << "\\u" << std::hex << std::setw(4) << std::setfill('0') << static_cast<int>(c);
        }
        else
        {
            out << c;
        }
    }
    out << '"';
    return out.str();
}

/**
 * @param number a finite number
 * @return it as on cards
 */
std::string
ToText(double number)
{
    std::ostringstream text;
    text << std::setprecision(12) << number;
    return text.str();
}

} // namespace

DcnModelCard::DcnModelCard(const std::string& kind)
    : m_kind(kind)
{
}

const std::string&
DcnModelCard::Where() const
{
    return m_where;
}

const std::string&
DcnModelCard::GetKind() const
{
    return m_kind;
}

void
DcnModelCard::SetEntry(const Entry& entry)
{
    for (Entry& each : m_entries)
    {
        if (each.section == entry.section && each.key == entry.key)
        {
            each = entry;
            return;
        }
    }
    m_entries.push_back(entry);
}

void
DcnModelCard::Set(const std::string& section, const std::string& key, const std::string& text)
{
    NS_ASSERT_MSG(section != FORMAT_SECTION, "the section of the format itself");
    SetEntry({section, key, text, false});
}

void
DcnModelCard::Set(const std::string& section, const std::string& key, double number)
{
    NS_ASSERT_MSG(section != FORMAT_SECTION, "the section of the format itself");
    NS_ASSERT_MSG(std::isfinite(number), key << " is not a number");
    SetEntry({section, key, ToText(number), true});
}

void
DcnModelCard::Remove(const std::string& section)
{
    m_entries.erase(std::remove_if(m_entries.begin(),
                                   m_entries.end(),
                                   [&](const Entry& each) { return each.section == section; }),
                    m_entries.end());
}

const DcnModelCard::Entry&
DcnModelCard::Find(const std::string& section, const std::string& key) const
{
    for (const Entry& each : m_entries)
    {
        if (each.section == section && each.key == key)
        {
            return each;
        }
    }
    DcnFail(m_where, "the card has no ", section, ".", key);
}

const std::string&
DcnModelCard::GetText(const std::string& section, const std::string& key) const
{
    return Find(section, key).value;
}

double
DcnModelCard::GetNumber(const std::string& section, const std::string& key) const
{
    const std::string& text = Find(section, key).value;
    double value = 0;
    if (!DcnParse(text, value) || !std::isfinite(value))
    {
        DcnFail(m_where, section, ".", key, " must be a number, but it is \"", text, "\"");
    }
    return value;
}

DcnModelCard::Entries
DcnModelCard::GetSection(const std::string& section) const
{
    Entries entries;
    for (const Entry& each : m_entries)
    {
        if (each.section == section)
        {
            entries.emplace_back(each.key, each.value);
        }
    }
    return entries;
}

void
DcnModelCard::SetOrigin(const std::string& command, const std::string& engineDigest)
{
    Set(ORIGIN, "dcn_release", std::string(DCN_RELEASE));
    Set(ORIGIN, "date", DcnGetUtcDate());
    Set(ORIGIN, "command", command);
    Set(ORIGIN, ENGINE_DIGEST, engineDigest);
}

void
DcnModelCard::AddData(const Entries& entries, uint64_t samples)
{
    uint32_t number = 1;
    while (!GetSection(GetDataSection(number)).empty())
    {
        ++number;
    }
    for (const auto& [key, value] : entries)
    {
        Set(GetDataSection(number), key, value);
    }
    Set(GetDataSection(number), "samples", static_cast<double>(samples));
}

void
DcnModelCard::CheckOrigin() const
{
    for (const std::string& key : ORIGIN_KEYS)
    {
        Find(ORIGIN, key);
    }
    const std::string& engine = GetText(ORIGIN, ENGINE_DIGEST);
    for (uint32_t number = 1; number == 1 || !GetSection(GetDataSection(number)).empty(); ++number)
    {
        for (const std::string& key : DATA_KEYS)
        {
            Find(GetDataSection(number), key);
        }
        const std::string& found = GetText(GetDataSection(number), ENGINE_DIGEST);
        if (found != engine)
        {
            DcnFail(m_where, "the data of a model must be of one engine, but ", ORIGIN, ".",
                    ENGINE_DIGEST, " is \"", engine, "\" and ", GetDataSection(number), ".",
                    ENGINE_DIGEST, " is \"", found, "\"");
        }
    }
}

void
DcnModelCard::Write(std::ostream& out, const Entries& format) const
{
    const bool hasOrigin = !GetSection(ORIGIN).empty();
    if (hasOrigin)
    {
        CheckOrigin();
    }
    out << "{\n  " << Quote(FORMAT_SECTION) << ": {\n    \"kind\": " << Quote(m_kind)
        << ",\n    \"format_version\": " << (hasOrigin ? VERSION : VERSION_WITHOUT_ORIGIN);
    for (const auto& [key, value] : format)
    {
        out << ",\n    " << Quote(key) << ": " << Quote(value);
    }
    std::vector<std::string> sections;
    for (const Entry& entry : m_entries)
    {
        // of the files that were read, not of those that are written
        if (entry.section != FORMAT_SECTION &&
            std::find(sections.begin(), sections.end(), entry.section) == sections.end())
        {
            sections.push_back(entry.section);
        }
    }
    out << "\n  }";
    for (const std::string& section : sections)
    {
        out << ",\n  " << Quote(section) << ": {";
        const char* separator = "\n    ";
        for (const Entry& entry : m_entries)
        {
            if (entry.section == section)
            {
                out << separator << Quote(entry.key) << ": "
                    << (entry.number ? entry.value : Quote(entry.value));
                separator = ",\n    ";
            }
        }
        out << "\n  }";
    }
    out << "\n}\n";
}

DcnModelCard
DcnModelCard::Read(const std::string& path, const std::string& kind)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        DcnFail("the model file ", path, " cannot be read");
    }
    boost::property_tree::ptree tree;
    try
    {
        boost::property_tree::read_json(file, tree);
    }
    catch (const boost::property_tree::json_parser_error& error)
    {
        DcnFail(path, ":", error.line(), ": not JSON: ", error.message());
    }
    DcnModelCard card(kind);
    card.m_where = path + ": ";
    for (const auto& [section, entries] : tree)
    {
        for (const auto& [key, value] : entries)
        {
            // what was a number stays one when the card is written again; digits that Set would
            // not have written so are a text, such as a hash
            double number = 0;
            card.SetEntry({section,
                           key,
                           value.data(),
                           DcnParse(value.data(), number) && ToText(number) == value.data()});
        }
    }
    const std::string foundKind = tree.get("model.kind", "");
    if (foundKind != kind)
    {
        DcnFail(path, ": a model of the kind \"", kind, "\" is needed, but this one is \"",
                foundKind, "\"");
    }
    const std::string version = tree.get("model.format_version", "");
    if (version == std::to_string(VERSION))
    {
        card.CheckOrigin();
    }
    else if (version != std::to_string(VERSION_WITHOUT_ORIGIN))
    {
        DcnFail(path, ": the format version is \"", version, "\", but ", VERSION_WITHOUT_ORIGIN,
                " or ", VERSION, " is needed");
    }
    return card;
}

} // namespace ns3
