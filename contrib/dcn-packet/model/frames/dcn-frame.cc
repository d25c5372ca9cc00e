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

void
DcnFramePool::Share(const std::vector<DcnFramePool*>& pools)
{
    DcnFrame* all = nullptr;
    for (DcnFramePool* pool : pools)
    {
        while (pool->m_free)
        {
            DcnFrame* frame = pool->m_free;
            pool->m_free = frame->next;
            frame->next = all;
            all = frame;
        }
    }
    for (std::size_t i = 0; all; i = i + 1 < pools.size() ? i + 1 : 0)
    {
        DcnFrame* frame = all;
        all = frame->next;
        pools[i]->Put(frame);
    }
}

} // namespace ns3
