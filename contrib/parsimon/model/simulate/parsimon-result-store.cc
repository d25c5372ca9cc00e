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
#include <optional>
#include <sstream>
#include <unordered_map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonResultStore");

namespace
{

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
    : queueBytes(result.queueBytes)
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
    ParsimonWriteValue(stream, queueBytes);
    return stream.str();
}

ParsimonLinkDelays
ParsimonLinkDelays::Deserialize(const std::string& bytes, const std::string& where)
{
    std::istringstream stream(bytes);
    ParsimonLinkDelays delays;
    ParsimonReadVector(stream, where, delays.delayNs);
    ParsimonReadVector(stream, where, delays.nicNs);
    ParsimonReadValue(stream, where, delays.queueBytes);
    return delays;
}

std::string
ParsimonMakeKey(const ParsimonLink& link, const std::string& context)
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
        bytes.Add(flow.limitBps);
        bytes.Add(flow.idleNs);
        bytes.Add(flow.paceBps);
        bytes.Add(flow.id);
    }
    Hasher other(Create<Hash::Function::Fnv1a>());
    char text[33];
    std::snprintf(text,
                  sizeof(text),
                  "%016" PRIx64 "%016" PRIx64,
                  Hasher().GetHash64(bytes.m_bytes), // ns-3's Hash64 is not for threads
                  other.GetHash64(bytes.m_bytes));
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
{
    if (folder.empty())
    {
        return;
    }
    DcnMakeFolder(folder);
    const std::string old = folder + "/parsimon-cache";
    if (std::filesystem::exists(old))
    {
        DcnFail(old,
                ": the results in this folder have a format of dcn 0.1, which is no longer read; "
                "remove the folder or name another one");
    }
    // what a result depends on is in its key
    m_file = std::make_unique<DcnResultStore>(
        folder + "/results.db",
        DcnResultStore::Experiment{{"results", "delays of Parsimon's link simulations"}});
}

ParsimonResultStore::~ParsimonResultStore()
{
    try
    {
        Flush();
    }
    catch (const DcnError& error)
    {
        NS_LOG_WARN("results of links are lost: " << error.what());
    }
}

bool
ParsimonResultStore::HasFile() const
{
    return m_file != nullptr;
}

std::shared_ptr<const ParsimonLinkDelays>
ParsimonResultStore::Find(const std::string& key) const
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found = m_results.find(key);
        if (found != m_results.end())
        {
            return found->second;
        }
    }
    const auto bytes = m_file ? m_file->Find(key) : std::nullopt;
    if (!bytes)
    {
        return nullptr;
    }
    auto delays = std::make_shared<const ParsimonLinkDelays>(
        ParsimonLinkDelays::Deserialize(*bytes, m_file->GetPath() + ": result " + key + ": "));
    NS_LOG_INFO("result " << key << " read from " << m_file->GetPath());
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_results.emplace(key, delays).first->second;
}

void
ParsimonResultStore::Add(const std::string& key, std::shared_ptr<const ParsimonLinkDelays> delays)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_file)
    {
        m_unwritten.emplace_back(key, delays->Serialize());
        if (Clock::now() - m_written > 20 * m_writingTime)
        {
            Write();
        }
    }
    m_results[key] = std::move(delays);
}

void
ParsimonResultStore::Flush()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_file)
    {
        Write();
    }
}

void
ParsimonResultStore::Write()
{
    const Clock::time_point begin = Clock::now();
    m_file->Add(m_unwritten);
    m_unwritten.clear();
    m_written = Clock::now();
    m_writingTime = m_written - begin;
}

} // namespace ns3
