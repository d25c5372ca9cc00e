/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_SLOT_TABLE_H
#define FLOWSIM_SLOT_TABLE_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Records of active flows in dense, reusable slots.
 *
 * With the slot as the id of a flow, a user of FlowsimEngine finds its record on completion, in
 * memory proportional to the largest number of active flows.
 *
 * @tparam Record record of a flow
 */
template <typename Record>
class FlowsimSlotTable
{
  public:
    /// Keeps a record. @return the slot of the record
    uint32_t Add(Record record)
    {
        if (m_free.empty())
        {
            m_records.push_back(std::move(record));
            return static_cast<uint32_t>(m_records.size() - 1);
        }
        const uint32_t slot = m_free.back();
        m_free.pop_back();
        m_records[slot] = std::move(record);
        return slot;
    }

    /// Frees a slot in use. @return the record
    Record Take(uint32_t slot)
    {
        m_free.push_back(slot);
        return std::move(m_records[slot]);
    }

    /// @return the record
    Record& Get(uint32_t slot)
    {
        return m_records[slot];
    }

  private:
    std::vector<Record> m_records; //!< By slot
    std::vector<uint32_t> m_free;  //!< Slots that are not in use
};

} // namespace ns3

#endif // FLOWSIM_SLOT_TABLE_H
