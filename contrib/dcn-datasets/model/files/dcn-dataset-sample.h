/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_SAMPLE_H
#define DCN_DATASET_SAMPLE_H

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief One sample of a data set: a scenario, the values drawn for it, and its results.
 *
 * DcnDatasetSampler makes the scenario, DcnDatasetRecorder adds the results, DcnDatasetWriter
 * stores and DcnDatasetReader reads the sample. Flows are identified by their index in the
 * scenario.
 */
struct DcnDatasetSample
{
    /// Bits of flags.
    enum Flag : uint8_t
    {
        FOREGROUND = 1, //!< path: the flow crosses the whole path
        RESENT = 2,     //!< the flow is complete; some of its bytes were sent more than once
        UNFINISHED = 4  //!< the flow is not complete: fctNs is -1
    };

    /// Start or completion of a flow.
    struct Event
    {
        int64_t timeNs; //!< when [ns]
        uint32_t flow;  //!< flow index
        bool arrival;   //!< true: start; false: completion
    };

    /// Remaining bytes of a flow at an event.
    struct Active
    {
        uint32_t flow;           //!< flow index
        uint64_t remainingBytes; //!< payload that the receiver does not have in order [bytes]
    };

    static constexpr int64_t NEVER_THERE = -1; //!< see queueBytes

    uint64_t index{0};               //!< number of the sample in its data set
    uint64_t seed{0};                //!< seed of its draws (DcnRandom)
    std::vector<double> draw;        //!< values drawn, named by the shard's draw_names
    Ptr<const DcnScenario> scenario; //!< topology, flows, paths and configuration

    std::vector<int64_t> fctNs;   //!< completion time by flow [ns], -1: unfinished
    std::vector<int64_t> idealNs; //!< completion time alone in the network by flow [ns]
    std::vector<uint8_t> flags;   //!< bits of Flag, by flow

    // kind path

    std::vector<uint32_t> pathLinks; //!< directed links of the foreground's path
    std::vector<uint8_t> pathFirst; //!< by flow: position in pathLinks of the first link it crosses
    std::vector<uint8_t> pathLast;  //!< one past the last; equal to pathFirst: none

    // kind fabric

    /// By flow and link of its path, one flow after the other: wire bytes that wait at the link
    /// when the flow's first packet arrives; 0 at the source, NEVER_THERE if it never arrived.
    std::vector<int64_t> queueBytes;
    std::vector<Event> events;                //!< in order of time
    std::vector<std::vector<Active>> actives; //!< by event: flows active after it, ascending
};

} // namespace ns3

#endif /* DCN_DATASET_SAMPLE_H */
