/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-replayable-control.h"

namespace ns3
{

void
DcnReplayableControl::ExchangeState(DcnStateBytes& state)
{
    state.Exchange(m_rate);
}

bool
DcnReplayableControl::Translate(const DcnTranslation& /* by */)
{
    return false;
}

} // namespace ns3
