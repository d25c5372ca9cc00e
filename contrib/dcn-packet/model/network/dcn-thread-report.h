/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_THREAD_REPORT_H
#define DCN_THREAD_REPORT_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief What a DcnPacketNetwork::Run with threads did, and why it did not do more.
 */
struct DcnThreadReport
{
    uint32_t nAsked{0};      //!< attribute Threads
    uint32_t nThreads{0};    //!< that simulated; 0: Run has not, or Threads is 0
    std::string whyOne{};    //!< why there was one thread; empty: for no special reason
    uint32_t nPartitions{0}; //!< of the network
    int64_t lookaheadNs{0};  //!< length of a window [ns]; the largest number: without end
    uint64_t nWindows{0};    //!< simulated
    uint64_t nEvents{0};     //!< of all partitions
    uint64_t nPathEvents{0}; //!< sum over windows of the most events of a partition

    /** @return threads, partitions and lookahead in words, for provenance; nThreads > 0. */
    std::string Describe() const;
};

} // namespace ns3

#endif /* DCN_THREAD_REPORT_H */
