/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_MPI_H
#define DCN_MPI_H

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Messages of bytes among the ranks of mpirun: all that dcn uses of MPI.
 *
 * MPI is there if it was found at build time (dcn-mpi-found.cc, else dcn-mpi-absent.cc). Nothing
 * here waits: an MPI library waits at full speed, and the cores are for the tasks. A process begins
 * with MPI once, and leaves it when it exits; a program that ends by a DcnError ends all ranks
 * (MPI_Abort). Only the process that has called Begin may use the rest, not its children, and only
 * from the thread that has called it.
 */
struct DcnMpi
{
    /// A message that has come.
    struct Message
    {
        uint32_t rank;     //!< sender
        std::string bytes; //!< content
    };

    /** @return true if MPI was found at build time. */
    static bool IsBuilt();

    /**
     * @brief Begin, unless that is done.
     * @throws DcnError if MPI was not found at build time
     */
    static void Begin();

    /** @return number of this process; 0 before Begin. */
    static uint32_t GetRank();

    /** @return number of processes; 1 before Begin. */
    static uint32_t GetSize();

    /**
     * @brief Send a message; messages from one rank to another keep their order.
     * @param rank receiver
     * @param bytes content
     * @throws DcnError if it is longer than MPI can send, 2 GiB
     */
    static void Send(uint32_t rank, std::string bytes);

    /** @return the next message to this rank; none if none has come. */
    static std::optional<Message> Receive();
};

} // namespace ns3

#endif /* DCN_MPI_H */
