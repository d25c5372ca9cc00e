/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-model-file.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"

#include "ns3/assert.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace ns3
{

namespace
{

const char MAGIC[] = {'d', 'c', 'n', ' ', 'w', 't', 's', '\n'}; //!< begin of weights.bin
const char* const CHECKSUM = "weights_checksum"; //!< entry of the card, section "model"

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
            DcnFail(Where(), "the matrix ", name, " must be ", rows, " x ", columns, ", but it is ",
                    each.rows, " x ", each.columns);
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
        DcnFail(Where(), "the weights have the format version ", version, ", but ",
                WEIGHTS_VERSION, " is needed");
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
            DcnFail(Where(), "the weights are damaged");
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
        DcnFail(Where(), "the weights are damaged");
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
    return model;
}

} // namespace ns3
