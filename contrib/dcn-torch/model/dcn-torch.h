/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_H
#define DCN_TORCH_H

#include <cstdint>
#include <string>

namespace ns3
{

class DcnTorchBackend;

/**
 * @ingroup dcn-torch
 * @brief LibTorch, as far as all networks have to do with it.
 *
 * Networks are trained with LibTorch, if it was there when ns-3 was configured. It is loaded by the
 * first call that needs it, not when a program starts. Trained networks are used without it.
 */
class DcnTorch
{
  public:
    /** @return true if the module was built with LibTorch. */
    static bool IsAvailable();

    /** @return release of LibTorch, e.g. "1.13.1"; empty unless IsAvailable. */
    static std::string GetVersion();

    /**
     * @brief Stop with a sentence that says what to install, unless LibTorch can be used.
     * @param what needs it, the subject of the sentence, e.g. "m4-train"
     * @throws DcnError
     */
    static void Require(const std::string& what);

    /**
     * @brief Make results depend on nothing but input and seed: one thread for LibTorch, OpenMP and
     * OpenBLAS, deterministic algorithms only.
     *
     * More threads are also slower, by a factor of 20 to 60 when other programs run: OpenMP
     * threads wait for each other at the end of each of the many small operations. Use several
     * processes instead. Done once per process, by the constructors of networks, too; processes
     * that are forked later inherit it. It sets OMP_NUM_THREADS and OPENBLAS_NUM_THREADS in the
     * environment, so call it before threads are started.
     * @throws DcnError if there is no LibTorch
     */
    static void Prepare();

    /**
     * @brief Load what uses LibTorch; for the networks of this module.
     * @param what see Require
     * @return it, for ever
     */
    static DcnTorchBackend& GetBackend(const std::string& what);
};

} // namespace ns3

#endif /* DCN_TORCH_H */
