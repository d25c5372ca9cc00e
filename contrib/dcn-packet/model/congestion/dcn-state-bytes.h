/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_STATE_BYTES_H
#define DCN_STATE_BYTES_H

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Writes the state of a simulation into bytes, or reads it back, by the same calls.
 *
 * For states that one process compares and resumes from: no byte order, no version.
 */
class DcnStateBytes
{
  public:
    /// Begin to write.
    DcnStateBytes() = default;

    /**
     * @brief Begin to read.
     * @param bytes what was written; outlives this object
     */
    explicit DcnStateBytes(const std::string& bytes)
        : m_from(bytes.data())
    {
    }

    /** @return whether values are written. */
    bool IsWriting() const
    {
        return m_from == nullptr;
    }

    /**
     * @brief Write or read a value.
     * @param value a number, or anything else without padding
     */
    template <typename T>
    void Exchange(T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        static_assert(std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>,
                      "padding would be compared, too");
        if (IsWriting())
        {
            m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
        }
        else
        {
            std::memcpy(&value, m_from, sizeof(T));
            m_from += sizeof(T);
        }
    }

    /** @return what has been written. */
    std::string& GetBytes()
    {
        return m_bytes;
    }

  private:
    std::string m_bytes;         //!< written
    const char* m_from{nullptr}; //!< to be read; null: write
};

/**
 * @ingroup dcn-packet
 * @brief What a skip of a steady state adds to the state of a flow (DcnSteadySkip).
 */
struct DcnTranslation
{
    int64_t timeNs;          //!< to its times [ns]
    uint64_t bytes;          //!< to its sequence numbers [bytes]
    const uint64_t* txBytes; //!< to what the port of each hop of its path has sent [bytes]
    bool isUnmarked;         //!< no packet of the network would be marked meanwhile
};

} // namespace ns3

#endif /* DCN_STATE_BYTES_H */
