/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-random.h"

#include "dcn-error.h"

#include "ns3/assert.h"

namespace ns3
{

DcnRandom::DcnRandom(uint64_t seed)
    : m_seed(seed)
{
    if (seed > MAX_SEED)
    {
        DcnFail("the seed ", seed, " is above the largest seed ", MAX_SEED);
    }
}

uint64_t
DcnRandom::GetSeed() const
{
    return m_seed;
}

int64_t
DcnRandom::GetStream(DcnPurpose purpose, uint32_t index) const
{
    NS_ASSERT_MSG(index <= MAX_INDEX, "stream index " << index << " is above MAX_INDEX");
    return static_cast<int64_t>((m_seed << 31) | (uint64_t{static_cast<uint8_t>(purpose)} << 23) |
                                index);
}

void
DcnRandom::Assign(Ptr<RandomVariableStream> variable, DcnPurpose purpose, uint32_t index) const
{
    variable->SetStream(GetStream(purpose, index));
}

} // namespace ns3
