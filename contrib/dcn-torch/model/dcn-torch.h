/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_H
#define DCN_TORCH_H

#include "dcn-torch-trainer.h"

#include "ns3/dcn-error.h"

#include <cstdint>
#include <exception>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief Loads the plug-ins that train networks with LibTorch.
 *
 * A learned module has a plug-in, a library of its own that is linked with LibTorch. The plug-in is
 * loaded by the first call that needs it, not when a program starts: LibTorch consists of some 280
 * shared libraries. Plug-ins exist only if LibTorch was there when ns-3 was configured.
 *
 * Results depend on nothing but input and seed. Loading a plug-in therefore limits LibTorch, OpenMP
 * and OpenBLAS to one thread and allows deterministic algorithms only; processes that are forked
 * later inherit this. More threads are also slower, by a factor of 20 to 60 when other programs
 * run, because OpenMP threads wait for each other at the end of each of many small operations. Use
 * several processes instead. Loading sets OMP_NUM_THREADS and OPENBLAS_NUM_THREADS in the
 * environment, so load plug-ins before you start threads.
 */
class DcnTorch
{
  public:
    /** @return true if ns-3 was configured with LibTorch. */
    static bool IsAvailable();

    /** @return release of LibTorch, e.g. "1.13.1"; empty unless IsAvailable. */
    static std::string GetVersion();

    /**
     * @brief Stop with a sentence that says what to install, unless IsAvailable.
     * @param user who needs LibTorch, the subject of the sentence, e.g. "m4-train"
     * @throws DcnError
     */
    static void Require(const std::string& user);

    /**
     * @brief Load the plug-in of a module.
     * @tparam Plugin the module's interface, derived from DcnTorchPlugin, with a number VERSION
     * @param user see Require
     * @param name of the plug-in, e.g. "m4" for the library ns3-m4-torch
     * @return the factory, which lives as long as the process
     * @throws DcnError if there is no LibTorch, or the plug-in cannot be loaded
     */
    template <typename Plugin>
    static Plugin& Load(const std::string& user, const std::string& name)
    {
        return static_cast<Plugin&>(LoadPlugin(user, name, Plugin::VERSION));
    }

    /**
     * @brief Call a plug-in, and turn its errors into DcnError.
     * @param user who calls, the subject of the sentence
     * @param call a function
     * @return what the function returns
     */
    template <typename Function>
    static auto Call(const std::string& user, const Function& call)
    {
        try
        {
            return call();
        }
        catch (const DcnError&)
        {
            throw;
        }
        catch (const std::exception& error)
        {
            DcnFail(user, ": ", error.what());
        }
    }

  private:
    /// Loads a plug-in of a version of its interface.
    static DcnTorchPlugin& LoadPlugin(const std::string& user,
                                      const std::string& name,
                                      uint32_t version);
};

} // namespace ns3

#endif /* DCN_TORCH_H */
