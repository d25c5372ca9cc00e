/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-mpi.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <chrono>
#include <climits>
#include <cstdlib>
#include <list>
#include <thread>
#include <unistd.h>

// dcn needs MPI's C functions only
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnMpi");

namespace
{

/// A message that may not have left yet.
struct Outgoing
{
    std::string bytes;   //!< content, which MPI reads until the request is done
    MPI_Request request; //!< of MPI
};

int g_rank = 0;                  //!< number of this process
int g_size = 1;                  //!< number of processes
pid_t g_owner = 0;               //!< the process that has begun; its children are no ranks
std::list<Outgoing> g_outgoings; //!< in the order of their sending

/// Forgets messages that have left.
void
Clean()
{
    for (auto outgoing = g_outgoings.begin(); outgoing != g_outgoings.end();)
    {
        int isDone = 0;
        MPI_Test(&outgoing->request, &isDone, MPI_STATUS_IGNORE);
        outgoing = isDone ? g_outgoings.erase(outgoing) : std::next(outgoing);
    }
}

/// Leaves MPI, for std::atexit.
void
End()
{
    if (getpid() != g_owner)
    {
        return;
    }
    for (Clean(); !g_outgoings.empty(); Clean())
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    MPI_Finalize();
}

/// Ends all ranks, for DcnSetFailureAction.
void
Abort()
{
    if (getpid() == g_owner)
    {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

} // namespace

bool
DcnMpi::IsBuilt()
{
    return true;
}

void
DcnMpi::Begin()
{
    if (g_owner != 0)
    {
        return;
    }
    // Open MPI would ask for a rebuild of itself
    if (std::getenv("SLURM_STEP_ID") && !std::getenv("PMIX_RANK") && !std::getenv("PMI_RANK") &&
        !std::getenv("PMI_FD") && !std::getenv("OMPI_COMM_WORLD_SIZE"))
    {
        DcnFail("srun has started this process without PMIx, so ranks cannot find each other: type "
                "srun --mpi=pmix, or start the program by mpirun inside of the job");
    }
    MPI_Init(nullptr, nullptr); // ends the program by itself if it cannot
    MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g_size);
    g_owner = getpid();
    std::atexit(End);
    DcnSetFailureAction(Abort);
    NS_LOG_INFO("rank " << g_rank << " of " << g_size);
}

uint32_t
DcnMpi::GetRank()
{
    return static_cast<uint32_t>(g_rank);
}

uint32_t
DcnMpi::GetSize()
{
    return static_cast<uint32_t>(g_size);
}

void
DcnMpi::Send(uint32_t rank, std::string bytes)
{
    if (bytes.size() > INT_MAX)
    {
        DcnFail("a message of ",
                bytes.size(),
                " bytes is longer than MPI can send (",
                INT_MAX,
                " bytes): use --jobs without --mpi, or smaller parts of work");
    }
    Clean();
    g_outgoings.push_back({std::move(bytes), MPI_REQUEST_NULL});
    Outgoing& outgoing = g_outgoings.back();
    MPI_Isend(outgoing.bytes.data(),
              static_cast<int>(outgoing.bytes.size()),
              MPI_BYTE,
              static_cast<int>(rank),
              0,
              MPI_COMM_WORLD,
              &outgoing.request);
}

std::optional<DcnMpi::Message>
DcnMpi::Receive()
{
    Clean();
    int isThere = 0;
    MPI_Message handle;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &isThere, &handle, &status);
    if (!isThere)
    {
        return std::nullopt;
    }
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{static_cast<uint32_t>(status.MPI_SOURCE),
                    std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Mrecv(message.bytes.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    return message;
}

} // namespace ns3
