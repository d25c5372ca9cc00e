/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_TEST_H
#define DCN_TRAIN_TEST_H

#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @param bytes of a message
 * @return its ideal completion time between two hosts of the star of 10 Gb/s and 1 us (DcnMakeStar)
 * [ns]
 */
inline int64_t
DcnTrainStarIdealNs(uint64_t bytes)
{
    const Ptr<DcnTopology> star = DcnMakeStar(2);
    const uint32_t links[] = {star->GetOutLinks(0)[0],
                              DcnTopology::Reverse(star->GetOutLinks(1)[0])};
    return DcnComputeIdealFct(*star, {links, links + 2}, bytes, *DcnNetworkConfig::Preset("dctcp"))
        .GetTotalNs();
}

constexpr int64_t DCN_TRAIN_STAR_RETURN_NS = 2 * (1000 + 48); //!< an acknowledgement there [ns]

/**
 * @param sentence of an error
 * @param part that it must have
 * @return the part if the sentence has it, else the sentence
 */
inline std::string
DcnTrainFindPart(const std::string& sentence, const std::string& part)
{
    return sentence.find(part) == std::string::npos ? sentence : part;
}

} // namespace ns3

/**
 * @ingroup dcn-tests
 * Expects a DcnError whose sentence has a part, in a test case.
 * @param expression that throws
 * @param part of the sentence
 */
#define DCN_TRAIN_EXPECT_ERROR_WITH(expression, part)                                              \
    NS_TEST_EXPECT_MSG_EQ(                                                                         \
        ns3::DcnTrainFindPart(DcnSentenceOf([&]() { static_cast<void>(expression); }), part),      \
        part,                                                                                      \
        "another sentence was expected of " #expression)

#endif /* DCN_TRAIN_TEST_H */
