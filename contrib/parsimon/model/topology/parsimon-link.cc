/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link.h"

#include <unordered_map>

namespace ns3
{

std::vector<uint32_t>
ParsimonLink::NumberNics() const
{
    std::unordered_map<uint32_t, uint32_t> byLink;
    std::vector<uint32_t> numbers;
    numbers.reserve(sources.size());
    for (const ParsimonEndpoint& source : sources)
    {
        const auto next = static_cast<uint32_t>(byLink.size());
        numbers.push_back(byLink.try_emplace(source.link, next).first->second);
    }
    return numbers;
}

std::vector<bool>
ParsimonLink::FindSplitSources() const
{
    const std::vector<uint32_t> nics = NumberNics();
    std::vector<uint32_t> uses(sources.size(), 0);
    for (uint32_t nic : nics)
    {
        ++uses[nic];
    }
    std::vector<bool> split;
    split.reserve(sources.size());
    for (uint32_t nic : nics)
    {
        split.push_back(uses[nic] > 1);
    }
    return split;
}

} // namespace ns3
