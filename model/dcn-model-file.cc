/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-model-file.h"

#include "dcn-csv.h"
#include "dcn-error.h"

#include "ns3/assert.h"
#include "ns3/hash.h"

#define BOOST_BIND_GLOBAL_PLACEHOLDERS // the parser of Boost 1.74 would else warn about itself
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <unordered_set>

namespace ns3
{

namespace
{

const char MAGIC[] = {'d', 'c', 'n', ' ', 'w', 't', 's', '\n'}; //!< begin of weights.bin

/**
 * Append a number, least significant byte first.
 * @param value the number
 * @param bytes what it is appended to
 */
void
Append(uint32_t value, std::string& bytes)
{
    for (int shift = 0; shift < 32; shift += 8)
    {
        bytes += static_cast<char>(value >> shift & 0xff);
    }
}

/// Takes bytes from the front of a text; what is not there makes it bad.
class ByteReader
{
  public:
    /**
     * @param bytes what is read
     */
    explicit ByteReader(const std::string& bytes)
        : m_bytes(bytes)
    {
    }

    /**
     * @param n a number of bytes
     * @return the next n bytes; empty if there are fewer
     */
    std::string Take(std::size_t n)
    {
        if (m_bytes.size() - m_next < n)
        {
            m_good = false;
            return "";
        }
        m_next += n;
        return m_bytes.substr(m_next - n, n);
    }

    /** @return the next number, 0 if there is none. */
    uint32_t TakeNumber()
    {
        const std::string bytes = Take(4);
        uint32_t value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            value |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
        }
        return value;
    }

    /** @return false if something was not there. */
    bool IsGood() const
    {
        return m_good;
    }

    /** @return the number of bytes left. */
    std::size_t GetLeft() const
    {
        return m_bytes.size() - m_next;
    }

  private:
    const std::string& m_bytes; //!< what is read
    std::size_t m_next{0};      //!< next byte
    bool m_good{true};          //!< see IsGood
};

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
 * @param bytes anything
 * @return 16 hexadecimal digits
 */
std::string
GetChecksum(const std::string& bytes)
{
    std::ostringstream out;
    out << std::hex << std::setw(16) << std::setfill('0') << Hash64(bytes);
    return out.str();
}

/**
 * @param path of a file
 * @return its bytes
 */
std::string
ReadFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        DcnFail("the model file ", path, " cannot be read");
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

DcnModelFile::DcnModelFile(const std::string& kind)
    : m_kind(kind)
{
}

const std::string&
DcnModelFile::Where() const
{
    return m_where;
}

const std::string&
DcnModelFile::GetKind() const
{
    return m_kind;
}

void
DcnModelFile::SetEntry(const Entry& entry)
{
    NS_ASSERT_MSG(entry.section != "model", "the section of the format itself");
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
DcnModelFile::Set(const std::string& section, const std::string& key, const std::string& text)
{
    SetEntry({section, key, text, false});
}

void
DcnModelFile::Set(const std::string& section, const std::string& key, double number)
{
    NS_ASSERT_MSG(std::isfinite(number), key << " is not a number");
    std::ostringstream text;
    text << std::setprecision(12) << number;
    SetEntry({section, key, text.str(), true});
}

void
DcnModelFile::Remove(const std::string& section)
{
    m_entries.erase(std::remove_if(m_entries.begin(),
                                   m_entries.end(),
                                   [&](const Entry& each) { return each.section == section; }),
                    m_entries.end());
}

const DcnModelFile::Entry&
DcnModelFile::Find(const std::string& section, const std::string& key) const
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
DcnModelFile::GetText(const std::string& section, const std::string& key) const
{
    return Find(section, key).value;
}

double
DcnModelFile::GetNumber(const std::string& section, const std::string& key) const
{
    const std::string& text = Find(section, key).value;
    double value = 0;
    if (!DcnParse(text, value) || !std::isfinite(value))
    {
        DcnFail(m_where, section, ".", key, " must be a number, but it is \"", text, "\"");
    }
    return value;
}

std::vector<std::pair<std::string, std::string>>
DcnModelFile::GetSection(const std::string& section) const
{
    std::vector<std::pair<std::string, std::string>> entries;
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
DcnModelFile::Add(Tensor tensor)
{
    NS_ASSERT_MSG(tensor.rows > 0 && tensor.columns > 0 &&
                      tensor.values.size() ==
                          static_cast<std::size_t>(tensor.rows) * tensor.columns,
                  "shape of " << tensor.name);
    for (const Tensor& each : m_tensors)
    {
        NS_ASSERT_MSG(each.name != tensor.name, tensor.name << " is there twice");
    }
    m_tensors.push_back(std::move(tensor));
}

const DcnModelFile::Tensor&
DcnModelFile::Get(const std::string& name, uint32_t rows, uint32_t columns) const
{
    for (const Tensor& each : m_tensors)
    {
        if (each.name != name)
        {
            continue;
        }
        if (each.rows != rows || each.columns != columns)
        {
            DcnFail(m_where, "the matrix ", name, " must be ", rows, " x ", columns, ", but it is ",
                    each.rows, " x ", each.columns);
        }
        return each;
    }
    DcnFail(m_where, "the model has no matrix ", name);
}

const std::vector<DcnModelFile::Tensor>&
DcnModelFile::GetTensors() const
{
    return m_tensors;
}

std::string
DcnModelFile::Pack() const
{
    std::string bytes(MAGIC, sizeof(MAGIC));
    Append(VERSION, bytes);
    Append(static_cast<uint32_t>(m_tensors.size()), bytes);
    for (const Tensor& tensor : m_tensors)
    {
        Append(static_cast<uint32_t>(tensor.name.size()), bytes);
        bytes += tensor.name;
        Append(tensor.rows, bytes);
        Append(tensor.columns, bytes);
        for (const float value : tensor.values)
        {
            uint32_t bits = 0;
            std::memcpy(&bits, &value, sizeof(bits));
            Append(bits, bytes);
        }
    }
    return bytes;
}

void
DcnModelFile::Unpack(const std::string& bytes)
{
    ByteReader reader(bytes);
    if (reader.Take(sizeof(MAGIC)) != std::string(MAGIC, sizeof(MAGIC)))
    {
        DcnFail(m_where, "the weights are no file of this kind");
    }
    const uint32_t version = reader.TakeNumber();
    if (version != VERSION)
    {
        DcnFail(m_where, "the weights have the format version ", version, ", but ", VERSION,
                " is needed");
    }
    const uint32_t n = reader.TakeNumber();
    std::unordered_set<std::string> names;
    for (uint32_t i = 0; i < n && reader.IsGood(); ++i)
    {
        Tensor tensor;
        tensor.name = reader.Take(reader.TakeNumber());
        tensor.rows = reader.TakeNumber();
        tensor.columns = reader.TakeNumber();
        const uint64_t size = static_cast<uint64_t>(tensor.rows) * tensor.columns;
        // before memory is asked for: a damaged number may be anything
        if (!reader.IsGood() || size == 0 || size > reader.GetLeft() / 4 ||
            !names.insert(tensor.name).second)
        {
            DcnFail(m_where, "the weights are damaged");
        }
        tensor.values.resize(size);
        for (float& value : tensor.values)
        {
            const uint32_t bits = reader.TakeNumber();
            std::memcpy(&value, &bits, sizeof(value));
        }
        m_tensors.push_back(std::move(tensor));
    }
    if (!reader.IsGood() || reader.GetLeft() != 0)
    {
        DcnFail(m_where, "the weights are damaged");
    }
}

void
DcnModelFile::Write(const std::string& folder) const
{
    DcnMakeFolder(folder);
    const std::string bytes = Pack();
    // both files are complete before either has its name
    DcnFileWriter weights(folder + "/weights.bin");
    weights.Stream() << bytes;
    DcnFileWriter card(folder + "/card.json");
    std::ostream& out = card.Stream();
    out << "{\n  \"model\": {\n    \"kind\": " << Quote(m_kind)
        << ",\n    \"format_version\": " << VERSION << ",\n    \"weights_checksum\": "
        << Quote(GetChecksum(bytes)) << "\n  }";
    std::vector<std::string> sections;
    for (const Entry& entry : m_entries)
    {
        if (std::find(sections.begin(), sections.end(), entry.section) == sections.end())
        {
            sections.push_back(entry.section);
        }
    }
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
    weights.Commit();
    card.Commit();
}

DcnModelFile
DcnModelFile::Read(const std::string& folder, const std::string& kind)
{
    const std::string path = folder + "/card.json";
    std::istringstream text(ReadFile(path));
    boost::property_tree::ptree card;
    try
    {
        boost::property_tree::read_json(text, card);
    }
    catch (const boost::property_tree::json_parser_error& error)
    {
        DcnFail(path, ":", error.line(), ": not JSON: ", error.message());
    }
    const std::string foundKind = card.get("model.kind", "");
    if (foundKind != kind)
    {
        DcnFail(path, ": a model of the kind \"", kind, "\" is needed, but this one is \"",
                foundKind, "\"");
    }
    const std::string version = card.get("model.format_version", "");
    if (version != std::to_string(VERSION))
    {
        DcnFail(path, ": the format version is \"", version, "\", but ", VERSION, " is needed");
    }
    DcnModelFile model(kind);
    model.m_where = path + ": ";
    for (const auto& [section, entries] : card)
    {
        for (const auto& [key, value] : entries)
        {
            if (section != "model")
            {
                // what was a number stays one when the card is written again
                double number = 0;
                model.SetEntry({section, key, value.data(), DcnParse(value.data(), number)});
            }
        }
    }
    const std::string bytes = ReadFile(folder + "/weights.bin");
    if (GetChecksum(bytes) != card.get("model.weights_checksum", ""))
    {
        DcnFail(path, ": weights.bin beside it is damaged, or that of another model");
    }
    model.Unpack(bytes);
    return model;
}

} // namespace ns3
