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
 * A learned module has a plug-in, a library of its own that is linked with LibTorch. The first call
 * that needs the plug-in loads it, not the start of a program: LibTorch consists of some 280 shared
 * libraries. Plug-ins exist only if LibTorch was found when ns-3 was configured.
 *
 * Results depend only on input and seed. Loading a plug-in therefore limits LibTorch, OpenMP and
 * OpenBLAS to one thread and to deterministic algorithms; processes forked later inherit this. More
 * threads are also slower, by a factor of 20 to 60 when other programs run, because OpenMP threads
 * wait for each other at the end of many small operations. Use several processes instead. Loading
 * sets OMP_NUM_THREADS and OPENBLAS_NUM_THREADS in the environment, so load plug-ins before you
 * start threads.
 */
class DcnTorch
{
  public:
    /** @return true if ns-3 was configured with LibTorch. */
    static bool IsAvailable();

    /** @return release of LibTorch, e.g. "1.13.1"; empty unless IsAvailable. */
    static std::string GetVersion();

    /**
     * @brief Throw an error with installation instructions, unless IsAvailable.
     * @param user subject of the sentence, e.g. "m4-train"
     * @throws DcnError
     */
    static void Require(const std::string& user);

    /**
     * @brief Load the plug-in of a module.
     * @tparam Plugin the module's interface, derived from DcnTorchPlugin, with a number VERSION
     * @param user see Require
     * @param name of the plug-in, e.g. "m4" for the library ns3-m4-torch
     * @return the factory, which lives as long as the process
     * @throws DcnError if LibTorch is missing, or the plug-in cannot be loaded
     */
    template <typename Plugin>
    static Plugin& Load(const std::string& user, const std::string& name)
    {
        return static_cast<Plugin&>(LoadPlugin(user, name, Plugin::VERSION));
    }

    /**
     * @brief Call a plug-in, and convert its errors to DcnError.
     * @param user subject of the sentence
     * @param call a function
     * @return result of the function
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
