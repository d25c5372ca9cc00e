/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-rehearsal.h"

#include "ns3/assert.h"

#include <algorithm>
#include <random>

namespace ns3
{

CcevalRehearsal
CcevalRehearsal::Make(const CcevalStoppingRule& rule,
                      const std::vector<double>& bank,
                      uint64_t trials,
                      uint64_t maxTrials)
{
    NS_ASSERT_MSG(!bank.empty() && trials != 1 && maxTrials >= 2, "no evaluation");
    CcevalMoments all;
    for (const double value : bank)
    {
        all.Add(value);
    }
    CcevalRehearsal rehearsal;
    rehearsal.level = rule.GetLevel();
    if (all.GetVariance() == 0)
    {
        rehearsal.covered = 1; // no value but the mean
        return rehearsal;
    }
    std::mt19937_64 random; // by the same seed each time
    const auto draw = [&random, &bank]() {
        // the upper half of the product: every value to one part in 2^64 / B
        return bank[static_cast<std::size_t>(
            (static_cast<unsigned __int128>(random()) * bank.size()) >> 64)];
    };
    uint64_t nCovered = 0;
    uint64_t nDraws = 0;
    while (rehearsal.evaluations < EVALUATIONS &&
           (rehearsal.evaluations < LEAST || nDraws < MAX_DRAWS))
    {
        CcevalMoments moments;
        const uint64_t last = trials > 0 ? trials : maxTrials;
        uint64_t nextCheck = trials > 0 ? trials : std::min(rule.GetFirstCheck(), maxTrials);
        for (bool isOver = false; !isOver;)
        {
            while (moments.GetN() < nextCheck)
            {
                moments.Add(draw());
            }
            isOver = moments.GetN() >= last || rule.IsMet(moments);
            nextCheck = std::min(rule.GetNextCheck(moments.GetN() + 1), last);
        }
        nDraws += moments.GetN();
        nCovered += rule.GetInterval(moments).Contains(all.GetMean()) ? 1 : 0;
        ++rehearsal.evaluations;
    }
    rehearsal.covered = static_cast<double>(nCovered) / static_cast<double>(rehearsal.evaluations);
    return rehearsal;
}

} // namespace ns3
