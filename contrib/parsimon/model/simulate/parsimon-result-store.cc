/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-result-store.h"

#include "parsimon-binary.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/hash.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonResultStore");

namespace
{

constexpr uint64_t MAGIC = 0x4e4f4d4953524150; //!< "PARSIMON"

/**
 * @param bytes any
 * @return their hash; ns-3's Hash64 shares one object and is not for threads
 */
uint64_t
Checksum(const std::string& bytes)
{
    return Hasher().GetHash64(bytes);
}

/// Collects the bytes of values, without padding.
class Bytes
{
  public:
    /**
     * @brief Append a number.
     * @param value the number
     */
    template <typename T>
    void Add(T value)
    {
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }

    /**
     * @brief Append endpoints.
     * @param endpoints of which rate, delay and shared NICs count
     */
    void AddEndpoints(const std::vector<ParsimonEndpoint>& endpoints)
    {
        Add<uint64_t>(endpoints.size());
        std::unordered_map<uint32_t, uint64_t> nics;
        for (const auto& endpoint : endpoints)
        {
            // a NIC has the number of its first endpoint: its number in the scenario does not count
            Add(nics.emplace(endpoint.link, nics.size()).first->second);
            Add(endpoint.rateBps);
            Add(endpoint.delayNs);
        }
    }

    std::string m_bytes; //!< so far
};

} // namespace

ParsimonLinkDelays::ParsimonLinkDelays(const ParsimonLinkResult& result)
{
    delayNs.reserve(result.fctNs.size());
    for (std::size_t i = 0; i < result.fctNs.size(); ++i)
    {
        delayNs.push_back(
            static_cast<float>(std::max<int64_t>(0, result.fctNs[i] - result.idealNs[i])));
    }
}

std::string
ParsimonLinkDelays::Serialize() const
{
    std::ostringstream stream;
    ParsimonWriteVector(stream, delayNs);
    ParsimonWriteVector(stream, nicNs);
    return stream.str();
}

ParsimonLinkDelays
ParsimonLinkDelays::Deserialize(const std::string& bytes, const std::string& where)
{
    std::istringstream stream(bytes);
    ParsimonLinkDelays delays;
    ParsimonReadVector(stream, where, delays.delayNs);
    ParsimonReadVector(stream, where, delays.nicNs);
    return delays;
}

ParsimonKey
ParsimonKey::Make(const ParsimonLink& link, const std::string& context)
{
    Bytes bytes;
    const std::size_t nParts = link.sources.size() + link.destinations.size() + link.flows.size();
    bytes.m_bytes.reserve(context.size() + 100 + 24 * nParts);
    bytes.m_bytes = context;
    bytes.Add(link.position);
    bytes.Add(link.capacityBps);
    bytes.Add(link.availableBps);
    bytes.Add(link.delayNs);
    bytes.AddEndpoints(link.sources);
    bytes.AddEndpoints(link.destinations);
    for (const auto& flow : link.flows)
    {
        bytes.Add(flow.source);
        bytes.Add(flow.destination);
        bytes.Add(flow.sizeBytes);
        bytes.Add(flow.startNs);
    }
    Hasher other(Create<Hash::Function::Fnv1a>());
    return {Checksum(bytes.m_bytes), other.GetHash64(bytes.m_bytes)};
}

std::string
ParsimonKey::ToString() const
{
    char text[33];
    std::snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64, high, low);
    return text;
}

std::string
ParsimonDescribeContext(const DcnNetworkConfig& network,
                        const std::string& simulator,
                        uint64_t seed,
                        bool withNic)
{
    // random marks depend on ns-3's seed and run, too
    std::string text = simulator + ';' + std::to_string(seed) + '/' +
                       std::to_string(RngSeedManager::GetSeed()) + '/' +
                       std::to_string(RngSeedManager::GetRun()) + (withNic ? ";nic;" : ";;");
    for (const auto& [key, value] : network.GetKeys())
    {
        text += key + '=' + value + ';';
    }
    return text;
}

ParsimonResultStore::ParsimonResultStore(const std::string& folder)
    : m_folder(folder)
{
    if (m_folder.empty())
    {
        return;
    }
    DcnMakeFolder(m_folder);
    const std::string path = m_folder + "/parsimon-cache";
    const std::string expected = "parsimon cache, format " + std::to_string(FORMAT);
    if (!std::filesystem::exists(path))
    {
        DcnFileWriter writer(path);
        writer.Stream() << expected << "\n";
        writer.Commit();
        return;
    }
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    if (line != expected)
    {
        DcnFail(path,
                ": the cache was made by another version: it says \"",
                line,
                "\" instead of \"",
                expected,
                "\"; remove the folder or name another one");
    }
}

std::shared_ptr<const ParsimonLinkDelays>
ParsimonResultStore::Find(const ParsimonKey& key) const
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        auto found = m_results.find(key);
        if (found != m_results.end())
        {
            return found->second;
        }
    }
    if (m_folder.empty())
    {
        return nullptr;
    }
    const std::string path = GetFile(key);
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        return nullptr;
    }
    const std::string where = path + ": ";
    uint64_t magic = 0;
    uint64_t sum = 0;
    ParsimonReadValue(file, where, magic);
    ParsimonReadValue(file, where, sum);
    std::ostringstream rest;
    rest << file.rdbuf();
    const std::string bytes = rest.str();
    if (magic != MAGIC || sum != Checksum(bytes))
    {
        DcnFail(where, "the file is damaged; remove it");
    }
    auto delays =
        std::make_shared<const ParsimonLinkDelays>(ParsimonLinkDelays::Deserialize(bytes, where));
    NS_LOG_INFO("result read from " << path);
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_results[key] = delays;
    return delays;
}

void
ParsimonResultStore::Add(const ParsimonKey& key, std::shared_ptr<const ParsimonLinkDelays> delays)
{
    const std::lock_guard<std::mutex> lock(m_mutex); // also of the temporary file's name
    if (!m_folder.empty())
    {
        const std::string bytes = delays->Serialize();
        DcnFileWriter writer(GetFile(key));
        ParsimonWriteValue(writer.Stream(), MAGIC);
        ParsimonWriteValue(writer.Stream(), Checksum(bytes));
        writer.Stream() << bytes;
        writer.Commit();
    }
    m_results[key] = std::move(delays);
}

const std::string&
ParsimonResultStore::GetFolder() const
{
    return m_folder;
}

std::string
ParsimonResultStore::GetFile(const ParsimonKey& key) const
{
    return m_folder + "/" + key.ToString() + ".delays";
}

} // namespace ns3
