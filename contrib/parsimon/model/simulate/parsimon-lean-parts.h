/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_PARTS_H
#define PARSIMON_LEAN_PARTS_H

#include "ns3/dcn-congestion-control.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief What the state of a ParsimonLeanEngine is made of. Numbers of packets, senders and flows
 * may be ParsimonLeanEngine::NONE, times ParsimonLeanEvents::NEVER.
 */
struct ParsimonLeanParts
{
    /// A transmitter that queues without events.
    struct Server
    {
        uint64_t rateBps{0}; //!< rate [bit/s]; 0: there is no such link
        int64_t delayNs{0};  //!< propagation delay [ns]
        int64_t fullNs{0};   //!< serialisation of the most frequent frame [ns]
        int64_t freeNs{0};   //!< end of the latest transmission [ns]
        int64_t lastNs{0};   //!< arrival of the latest frame [ns]
        uint64_t txBytes{0}; //!< bytes sent
    };

    /// A network interface and the flows that it serves.
    struct Interface
    {
        uint64_t rateBps;            //!< rate [bit/s]
        int64_t fullNs;              //!< serialisation of a full data packet [ns]
        int64_t freeNs;              //!< end of the present transmission [ns]
        int64_t wakeNs;              //!< pending event [ns], NEVER if none
        int64_t newsNs;              //!< acknowledgements that are not known now take longer [ns]
        uint32_t next;               //!< whose turn it is
        bool isShared;               //!< more than one flow uses it in the course of time
        std::vector<uint32_t> flows; //!< senders in the order of arrival
    };

    /// A source: its interface and the way to the target and back.
    struct Source
    {
        uint32_t interface; //!< its interface
        int64_t delayNs;    //!< propagation to the target [ns]
        uint64_t splitBps;  //!< rate of the link behind the interface, see ParsimonMakeLinkScenario
        Server back;        //!< last link of acknowledgements
        int64_t rttNs;      //!< its part of a full packet's round trip [ns]
    };

    /// A destination: the way from the target and back.
    struct Destination
    {
        Server forward; //!< link from the target
        Server back;    //!< first link of acknowledgements
        int64_t rttNs;  //!< its part of a full packet's round trip [ns]
        bool reports;   //!< its telemetry can matter to HPCC
    };

    /// State of a flow that has bytes to send.
    struct Sender
    {
        uint32_t flow;        //!< position in ParsimonLink::flows; NONE: not in use
        uint32_t interface;   //!< its interface
        uint32_t source;      //!< index in ParsimonLink::sources
        uint32_t destination; //!< index in ParsimonLink::destinations
        uint64_t sizeBytes;   //!< payload
        uint64_t sndNxt;      //!< next byte to send
        uint64_t sndUna;      //!< first byte not acknowledged
        uint64_t window;      //!< W(t) [bytes]
        uint64_t rateBps;     //!< rate of the congestion control [bit/s]
        uint64_t maxRateBps;  //!< largest rate [bit/s]
        int64_t nextSendNs;   //!< pacing [ns]
        int64_t newsNs;       //!< latest acknowledgement or timer that has been worked off [ns]
        int64_t timerNs;      //!< next timer of the congestion control [ns]
        uint32_t firstOut;    //!< oldest packet not acknowledged
        uint32_t lastOut;     //!< youngest packet not acknowledged
        uint32_t lastWire;    //!< size of the latest packet
        bool waiting;         //!< wants to know when its oldest packet will be acknowledged
        std::unique_ptr<DcnCongestionControl> cc; //!< made at the first acknowledgement
    };

    /// A data packet from its transmission until its acknowledgement has been looked at.
    struct Packet
    {
        int64_t sentNs;       //!< start of its transmission [ns]
        int64_t ackNs;        //!< arrival of its acknowledgement [ns], NEVER while unknown
        int64_t leaveNs;      //!< start of its transmission on the target, s_k [ns]
        uint64_t endByte;     //!< one past its last payload byte
        uint64_t sumBytes;    //!< bytes of the packets up to this one at the target
        uint64_t queueBytes;  //!< q_k, once decided
        uint32_t flow;        //!< position in ParsimonLink::flows
        uint32_t sender;      //!< its sender, NONE when that is over
        uint32_t wireBytes;   //!< size on the wire
        uint32_t destination; //!< index in ParsimonLink::destinations
        uint32_t nextOut;     //!< next packet of the sender
        uint32_t nextQueued;  //!< next packet at the target
        bool decided;         //!< queueBytes and marked hold
        bool marked;          //!< carries a mark
        bool isLast;          //!< ends its flow
    };

    /// What HPCC wants to know of the link behind the target.
    struct FarTelemetry
    {
        int64_t leaveNs;  //!< start of the transmission [ns]
        uint64_t txBytes; //!< bytes sent before
    };
};

} // namespace ns3

#endif /* PARSIMON_LEAN_PARTS_H */
