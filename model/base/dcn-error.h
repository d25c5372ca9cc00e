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
 * user as it is. DcnRunProgram discards every open output, prints the sentence and ends the program
 * with status 1. In programs without DcnRunProgram, a terminate handler of this module prints the
 * sentence and ends the program with status 1.
 * Programming errors are assertions, never a DcnError.
 */
class DcnError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @ingroup dcn
 * @brief Throw a DcnError whose message is the concatenation of the arguments.
 * @param parts values that can be written to a stream
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
 * @brief Run the body of a program; a DcnError becomes one sentence on stderr and exit status 1.
 * @param name program name, put before the sentence
 * @param body the program; its return value is the exit status
 * @return the exit status for main()
 */
int DcnRunProgram(const std::string& name, const std::function<int()>& body);

/**
 * @ingroup dcn
 * @brief Do something more when this program ends by a DcnError, after its sentence is printed.
 * @param action replaces an earlier one; must not throw
 */
void DcnSetFailureAction(const std::function<void()>& action);

} // namespace ns3

#endif /* DCN_ERROR_H */
