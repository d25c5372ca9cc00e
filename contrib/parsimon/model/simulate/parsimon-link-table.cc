/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-table.h"

#include <numeric>
#include <utility>

namespace ns3
{

ParsimonLinkTable::ParsimonLinkTable(std::shared_ptr<const ParsimonLinkIndex> index)
    : m_index(std::move(index)),
      m_representatives(m_index->GetNLinks()),
      m_delays(m_index->GetNLinks()),
      m_histories(m_index->GetNLinks())
{
    std::iota(m_representatives.begin(), m_representatives.end(), 0U);
}

const ParsimonLinkIndex&
ParsimonLinkTable::GetIndex() const
{
    return *m_index;
}

uint32_t
ParsimonLinkTable::GetRepresentative(uint32_t link) const
{
    return m_representatives[link];
}

const std::shared_ptr<const ParsimonLinkDelays>&
ParsimonLinkTable::GetDelays(uint32_t link) const
{
    return m_delays[link];
}

const ParsimonLinkTable::Accounting&
ParsimonLinkTable::GetAccounting() const
{
    return m_accounting;
}

} // namespace ns3
