/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-frame.h"

namespace ns3
{

DcnFramePool::~DcnFramePool()
{
    CancelAll();
    for (DcnFrame* frame : m_all)
    {
        frame->Unref();
    }
}

void
DcnFramePool::CancelAll()
{
    for (DcnFrame* frame : m_all)
    {
        frame->Cancel();
    }
}

DcnFrame*
DcnFramePool::Grow()
{
    m_all.push_back(new DcnFrame); // its one reference is the pool's
    return m_all.back();
}

} // namespace ns3
