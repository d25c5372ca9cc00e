/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-frame.h"

namespace ns3
{

DcnFrame*
DcnFramePool::Grow()
{
    static constexpr std::size_t BLOCK = 64;
    if (m_nUnused == 0)
    {
        m_blocks.push_back(std::make_unique<DcnFrame[]>(BLOCK));
        m_nUnused = BLOCK;
    }
    return &m_blocks.back()[BLOCK - m_nUnused--];
}

} // namespace ns3
