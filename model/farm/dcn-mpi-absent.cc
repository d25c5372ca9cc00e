/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-mpi.h"

#include "ns3/dcn-error.h"

namespace ns3
{

bool
DcnMpi::IsBuilt()
{
    return false;
}

void
DcnMpi::Begin()
{
    DcnFail("this build has no MPI: install libopenmpi-dev and build again");
}

uint32_t
DcnMpi::GetRank()
{
    return 0;
}

uint32_t
DcnMpi::GetSize()
{
    return 1;
}

void
DcnMpi::Send(uint32_t, std::string)
{
    Begin();
}

std::optional<DcnMpi::Message>
DcnMpi::Receive()
{
    return std::nullopt;
}

} // namespace ns3
