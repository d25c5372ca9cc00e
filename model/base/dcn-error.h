/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ERROR_H
#define DCN_ERROR_H

#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Bad input: a file, an option or a configuration that cannot be used.
 *
 * The message is one sentence that names the file, the line and the value, fit to be shown to the
 * user as it is. Programs run their body inside DcnRunProgram, which prints the
 * sentence and ends with status 1 after every open output has been discarded; a program that does
 * not still prints the sentence and ends with status 1 (a terminate handler of this module).
 * Programming errors are asserts, never a DcnError.
 */
class DcnError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @ingroup dcn
 * @brief Throw a DcnError whose sentence is made of the arguments, written one after the other.
 * @param parts anything that can be written to a stream
 */
template <typename... Parts>
[[noreturn]] void
DcnFail(const Parts&... parts)
{
    std::ostringstream sentence;
    (sentence << ... << parts);
    throw DcnError(sentence.str());
}

/**
 * @ingroup dcn
 * @brief Run the body of a program; bad input becomes one sentence on stderr and exit status 1.
 * @param name program name, put before the sentence
 * @param body the program; its return value is the exit status
 * @return the exit status for main()
 */
int DcnRunProgram(const std::string& name, const std::function<int()>& body);

} // namespace ns3

#endif /* DCN_ERROR_H */
