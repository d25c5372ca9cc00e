/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/dcn-torch-backend.h"

#include "dcn-torch-graph-backend.h"
#include "dcn-torch-set-backend.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/version.h>

namespace ns3
{

namespace
{

/// See DcnTorchBackend.
class Backend : public DcnTorchBackend
{
  public:
    std::string GetVersion() const override
    {
        return TORCH_VERSION;
    }

    void Prepare() override
    {
        at::set_num_threads(1); // OpenMP's, too
        at::set_num_interop_threads(1);
        at::globalContext().setDeterministicAlgorithms(true, false);
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
        // We write all of what we make before we read it.
        at::globalContext().setDeterministicFillUninitializedMemory(false);
#endif
        // OpenBLAS reads its environment variable only when it is loaded, which somebody else may
        // have done before us.
        if (void* blas = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD))
        {
            if (void* function = dlsym(blas, "openblas_set_num_threads"))
            {
                reinterpret_cast<void (*)(int)>(function)(1);
            }
            dlclose(blas);
        }
    }

    std::unique_ptr<DcnTorchGraphTrainer> MakeGraph(
        const std::vector<DcnTorchParameter>& parameters,
        const DcnTorchGraphNetwork::Sizes& sizes,
        const DcnTorchGraphNetwork::Options& options) override
    {
        return DcnMakeTorchGraphTrainer(parameters, sizes, options);
    }

    std::unique_ptr<DcnTorchSetTrainer> MakeSet(const std::vector<DcnTorchParameter>& parameters,
                                                const DcnTorchSetNetwork::Sizes& sizes,
                                                const DcnTorchSetNetwork::Options& options) override
    {
        return DcnMakeTorchSetTrainer(parameters, sizes, options);
    }
};

} // namespace

} // namespace ns3

ns3::DcnTorchBackend*
DcnGetTorchBackend(uint32_t version)
{
    static ns3::Backend backend;
    return version == ns3::DcnTorchBackend::VERSION ? &backend : nullptr;
}
