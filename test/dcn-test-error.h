/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TEST_ERROR_H
#define DCN_TEST_ERROR_H

#include "ns3/dcn-error.h"
#include "ns3/test.h"

#include <functional>
#include <string>

/**
 * @ingroup dcn-tests
 * @brief Run something that must be refused.
 * @param action what to run
 * @return the sentence of the DcnError that it throws, "no error" if it throws none
 */
inline std::string
DcnSentenceOf(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch (const ns3::DcnError& error)
    {
        return error.what();
    }
    return "no error";
}

/**
 * Check in a test case that an expression is refused with a sentence.
 * @param expression what must throw a DcnError
 * @param sentence the whole expected message
 */
#define DCN_TEST_EXPECT_ERROR(expression, sentence)                                                \
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { static_cast<void>(expression); }),                 \
                          std::string(sentence),                                                   \
                          "another sentence was expected of " #expression)

#endif /* DCN_TEST_ERROR_H */
