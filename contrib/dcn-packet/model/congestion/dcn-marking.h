/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_MARKING_H
#define DCN_MARKING_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief When a queue marks a packet (ECN), for the ports of switches and for link simulations.
 *
 * Problem: a packet leaves a queue in which q bytes still wait. It is marked
 *
 *     q > Kmax: always;   Kmin < q <= Kmax: if u < Pmax (q - Kmin) / (Kmax - Kmin)
 *
 * with u in [0, 1), a hash of the seed, the id of the flow, the first payload byte and the number
 * of switches that the packet has come to. So a draw belongs to a packet at a place. It depends
 * neither on other draws, nor on numbers of nodes, ports and links, nor on the unit of time, nor on
 * who simulates the queue. A packet that is sent again has its draws again.
 */
struct DcnMarking
{
    uint64_t kminBytes{0}; //!< Kmin
    uint64_t kmaxBytes{0}; //!< Kmax
    double pmax{1};        //!< Pmax
    uint64_t seed{0};      //!< see MakeSeed

    /**
     * @param queueBytes q
     * @param flow id of the flow
     * @param sequence first payload byte of the packet
     * @param hop switches that it has come to
     * @return whether it is marked
     */
    bool IsMarked(uint64_t queueBytes, uint64_t flow, uint64_t sequence, uint32_t hop) const
    {
        if (queueBytes <= kminBytes || queueBytes > kmaxBytes)
        {
            return queueBytes > kmaxBytes;
        }
        return Draw(flow, sequence, hop) < pmax * static_cast<double>(queueBytes - kminBytes) /
                                               static_cast<double>(kmaxBytes - kminBytes);
    }

    /**
     * @param flow id of the flow
     * @param sequence first payload byte of the packet
     * @param hop switches that it has come to
     * @return u
     */
    double Draw(uint64_t flow, uint64_t sequence, uint32_t hop) const
    {
        const uint64_t hash = Mix(Mix(Mix(seed, flow), sequence), hop);
        return static_cast<double>(hash >> 11) * 0x1p-53;
    }

    /**
     * @param hash a hash
     * @param value a number
     * @return a hash of both (the finaliser of D. Stafford's "Mix13" on their sum)
     */
    static uint64_t Mix(uint64_t hash, uint64_t value)
    {
        uint64_t z = hash + 0x9e3779b97f4a7c15ULL + value;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    /**
     * @param rngSeed seed of ns-3's random numbers
     * @param rngRun their run
     * @param stream their stream
     * @return a seed; other ones for others of these numbers
     */
    static uint64_t MakeSeed(uint64_t rngSeed, uint64_t rngRun, uint64_t stream)
    {
        return Mix(Mix(Mix(0, rngSeed), rngRun), stream);
    }
};

} // namespace ns3

#endif /* DCN_MARKING_H */
