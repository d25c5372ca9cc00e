/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-error.h"

#include "dcn-interrupt.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>

namespace ns3
{

namespace
{

std::terminate_handler g_previousHandler = nullptr; //!< the handler before this module's
std::function<void()> g_failureAction;              //!< see DcnSetFailureAction

/// Does what DcnSetFailureAction has asked for.
void
ActOnFailure()
{
    if (g_failureAction)
    {
        g_failureAction();
    }
}

/// Prints an uncaught DcnError as one sentence, so that programs without DcnRunProgram end alike.
void
ReportUncaughtError()
{
    if (std::exception_ptr current = std::current_exception())
    {
        try
        {
            std::rethrow_exception(current);
        }
        catch (const DcnError& error)
        {
            std::cout.flush();
            std::cerr << "error: " << error.what() << std::endl;
            ActOnFailure();
            std::_Exit(1);
        }
        catch (...)
        {
        }
    }
    if (g_previousHandler)
    {
        g_previousHandler();
    }
    std::abort();
}

/// Installs the handler when the library is loaded.
struct HandlerInstaller
{
    HandlerInstaller()
    {
        g_previousHandler = std::set_terminate(ReportUncaughtError);
    }
} g_handlerInstaller; //!< the one installer

} // namespace

int
DcnRunProgram(const std::string& name, const std::function<int()>& body)
{
    const DcnInterruptMessage message("\n" + name +
                                      ": interrupted; no results were written, except files that "
                                      "it has named or that are stored for the next run\n");
    try
    {
        return body();
    }
    catch (const DcnError& error)
    {
        std::cout.flush();
        std::cerr << name << ": error: " << error.what() << std::endl;
    }
    catch (const std::bad_alloc&)
    {
        std::cerr << name << ": error: the memory does not suffice for this input" << std::endl;
    }
    catch (const std::length_error&) // more than a container can have
    {
        std::cerr << name << ": error: the memory does not suffice for this input" << std::endl;
    }
    catch (const std::exception& error) // of the standard library, such as a file system's
    {
        std::cout.flush();
        const std::string what = error.what();
        std::cerr << name << ": error: " << what.substr(0, what.find('\n')) << std::endl;
    }
    ActOnFailure();
    return 1;
}

void
DcnSetFailureAction(const std::function<void()>& action)
{
    g_failureAction = action;
}

} // namespace ns3
