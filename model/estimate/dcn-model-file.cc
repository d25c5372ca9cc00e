/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-model-file.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"

#define BOOST_BIND_GLOBAL_PLACEHOLDERS // the parser of Boost 1.74 would else warn about itself
#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <unordered_set>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnModelFile");

const char* const DcnModelCard::FORMAT_SECTION = "model";

namespace
{

const char MAGIC[] = {'d', 'c', 'n', ' ', 'w', 't', 's', '\n'}; //!< begin of weights.bin
const char* const CHECKSUM = "weights_checksum"; //!< entry of the card, section "model"

/**
 * Append a number, least significant byte first.
 * @param value the number
 * @param bytes the number is appended to these
 */
void
Append(uint32_t value, std::string& bytes)
{
    for (int shift = 0; shift < 32; shift += 8)
    {
        bytes += static_cast<char>(value >> shift & 0xff);
    }
}

/// Takes bytes from the front of a text; a missing byte makes it bad.
class ByteReader
{
  public:
    /**
     * @param bytes the bytes to read
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
    const std::string& m_bytes; //!< the bytes to read
    std::size_t m_next{0};      //!< next byte
    bool m_good{true};          //!< see IsGood
};

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
        DcnFail(path, ": the file cannot be read", DcnDescribeFileError(path, errno));
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

const char* const ORIGIN = "origin";               //!< section about the origin of a model
const char* const ENGINE_DIGEST = "engine_digest"; //!< its entry, also of every data set
const char* const SAMPLES = "samples";             //!< entry of a data set: their number
const char* const TRAINING = "training";           //!< section about the training

/// Required entries of the origin.
const std::vector<std::string> ORIGIN_KEYS{"dcn_release", "date", "command", ENGINE_DIGEST};

/// Required entries of every data set.
const std::vector<std::string> DATA_KEYS{"name",
                                         "hash",
                                         SAMPLES,
                                         ENGINE_DIGEST,
                                         "dcn_release",
                                         "recipe",
                                         "seed",
                                         "date",
                                         "command"};

/**
 * @param entries of a section
 * @param key of an entry
 * @return its text; empty: there is none
 */
std::string
FindText(const DcnModelCard::Entries& entries, const std::string& key)
{
    const auto found = std::find_if(entries.begin(), entries.end(), [&key](const auto& entry) {
        return entry.first == key;
    });
    return found == entries.end() ? std::string() : found->second;
}

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
    const std::string hash = FindText(entries, "hash");
    uint32_t number = 1;
    while (!GetSection(GetDataSection(number)).empty())
    {
        if (!hash.empty() && FindText(GetSection(GetDataSection(number)), "hash") == hash)
        {
            return; // the card has it
        }
        ++number;
    }
    for (const auto& [key, value] : entries)
    {
        Set(GetDataSection(number), key, value);
    }
    Set(GetDataSection(number), SAMPLES, static_cast<double>(samples));
}

void
DcnModelCard::AddDataOf(const DcnModelCard& from)
{
    const std::string& engine = GetText(ORIGIN, ENGINE_DIGEST);
    std::string earlier = FindText(from.GetSection(TRAINING), "from_data");
    for (uint32_t number = 1; !from.GetSection(GetDataSection(number)).empty(); ++number)
    {
        const std::string section = GetDataSection(number);
        Entries entries = from.GetSection(section);
        const std::string found = from.GetText(section, ENGINE_DIGEST);
        if (found != engine)
        {
            earlier +=
                (earlier.empty() ? "" : ", ") + FindText(entries, "name") + " of engine " + found;
            continue;
        }
        const auto samples = static_cast<uint64_t>(from.GetNumber(section, SAMPLES));
        entries.erase(std::remove_if(entries.begin(),
                                     entries.end(),
                                     [](const auto& entry) { return entry.first == SAMPLES; }),
                      entries.end());
        AddData(entries, samples);
    }
    if (!earlier.empty())
    {
        Set(TRAINING, "from_data", earlier);
    }
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
            DcnFail(m_where,
                    "the data of a model must be of one engine, but ",
                    ORIGIN,
                    ".",
                    ENGINE_DIGEST,
                    " is \"",
                    engine,
                    "\" and ",
                    GetDataSection(number),
                    ".",
                    ENGINE_DIGEST,
                    " is \"",
                    found,
                    "\"");
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
    out << "{\n  " << DcnQuoteJson(FORMAT_SECTION) << ": {\n    \"kind\": " << DcnQuoteJson(m_kind)
        << ",\n    \"format_version\": " << (hasOrigin ? VERSION : VERSION_WITHOUT_ORIGIN);
    for (const auto& [key, value] : format)
    {
        out << ",\n    " << DcnQuoteJson(key) << ": " << DcnQuoteJson(value);
    }
    std::vector<std::string> sections;
    for (const Entry& entry : m_entries)
    {
        // of the card that was read, not of the one to write
        if (entry.section != FORMAT_SECTION &&
            std::find(sections.begin(), sections.end(), entry.section) == sections.end())
        {
            sections.push_back(entry.section);
        }
    }
    out << "\n  }";
    for (const std::string& section : sections)
    {
        out << ",\n  " << DcnQuoteJson(section) << ": {";
        const char* separator = "\n    ";
        for (const Entry& entry : m_entries)
        {
            if (entry.section == section)
            {
                out << separator << DcnQuoteJson(entry.key) << ": "
                    << (entry.number ? entry.value : DcnQuoteJson(entry.value));
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
    std::istringstream file(DcnReadJson(path));
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
            // a number stays a number when the card is written again; digits that Set would not
            // write in this form are a text, such as a hash
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
        DcnFail(path,
                ": a model of the kind \"",
                kind,
                "\" is needed, but this one is \"",
                foundKind,
                "\"");
    }
    const std::string version = tree.get("model.format_version", "");
    if (version == std::to_string(VERSION))
    {
        card.CheckOrigin();
    }
    else if (version != std::to_string(VERSION_WITHOUT_ORIGIN))
    {
        DcnFail(path,
                ": the format version is \"",
                version,
                "\", but ",
                VERSION_WITHOUT_ORIGIN,
                " or ",
                VERSION,
                " is needed");
    }
    return card;
}

DcnModelFile::DcnModelFile(const std::string& kind)
    : DcnModelCard(kind)
{
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
            DcnFail(Where(),
                    "the matrix ",
                    name,
                    " must be ",
                    rows,
                    " x ",
                    columns,
                    ", but it is ",
                    each.rows,
                    " x ",
                    each.columns);
        }
        return each;
    }
    DcnFail(Where(), "the model has no matrix ", name);
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
    Append(WEIGHTS_VERSION, bytes);
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
        DcnFail(Where(), "the weights are no file of this kind");
    }
    const uint32_t version = reader.TakeNumber();
    if (version != WEIGHTS_VERSION)
    {
        DcnFail(Where(),
                "the weights have the format version ",
                version,
                ", but ",
                WEIGHTS_VERSION,
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
        // before memory is allocated: a damaged number may have any value
        if (!reader.IsGood() || size == 0 || size > reader.GetLeft() / 4 ||
            !names.insert(tensor.name).second)
        {
            DcnFail(Where(), "the weights are damaged: copy the model again");
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
        DcnFail(Where(), "the weights are damaged: copy the model again");
    }
}

void
DcnModelFile::Write(const std::string& folder) const
{
    DcnMakeFolder(folder);
    const std::string bytes = Pack();
    // both files are complete before either has its name
    DcnFileWriter weightsFile(folder + "/weights.bin");
    weightsFile.Stream() << bytes;
    DcnFileWriter cardFile(folder + "/card.json");
    DcnModelCard::Write(cardFile.Stream(), {{CHECKSUM, DcnHashText(bytes)}});
    weightsFile.Commit();
    cardFile.Commit();
}

std::string
DcnModelFile::FindFolder(const std::string& model, const std::string& kind)
{
    const std::string shipped = DcnDataPath("models/" + (model.empty() ? kind : model));
    const bool isShipped = model.empty() || (!std::filesystem::is_directory(model) &&
                                             std::filesystem::is_directory(shipped));
    return isShipped ? shipped : model;
}

DcnModelFile
DcnModelFile::Read(const std::string& folder, const std::string& kind)
{
    const std::string path = folder + "/card.json";
    DcnModelFile model(kind);
    static_cast<DcnModelCard&>(model) = DcnModelCard::Read(path, kind);
    const std::string bytes = ReadFile(folder + "/weights.bin");
    if (DcnHashText(bytes) != model.GetText(FORMAT_SECTION, CHECKSUM))
    {
        DcnFail(path, ": weights.bin beside it is damaged, or that of another model");
    }
    model.Unpack(bytes);
    NS_LOG_INFO(kind << " model of " << folder << ": " << model.m_tensors.size() << " tensors");
    return model;
}

} // namespace ns3
