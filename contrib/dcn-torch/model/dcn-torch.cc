/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch.h"

#include "dcn-torch-backend.h"

#include "ns3/dcn-error.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

namespace ns3
{

namespace
{

#ifdef DCN_TORCH_BACKEND
/**
 * @return path of the library: beside the one of this module, where installing puts it, or where
 * it was built
 */
std::string
FindBackend()
{
    const std::string built = DCN_TORCH_BACKEND;
    Dl_info self{};
    if (dladdr(reinterpret_cast<void*>(&DcnTorch::IsAvailable), &self) && self.dli_fname)
    {
        const std::string place = self.dli_fname;
        const std::string beside =
            place.substr(0, place.rfind('/') + 1) + built.substr(built.rfind('/') + 1);
        if (std::ifstream(beside))
        {
            return beside;
        }
    }
    return built;
}
#endif

/**
 * @brief Load the library once.
 * @param reason why it cannot be
 * @return what it offers, null if it cannot be loaded
 */
DcnTorchBackend*
Load(std::string& reason)
{
#ifdef DCN_TORCH_BACKEND
    // Read by the libraries when they are loaded.
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    {
        setenv(name, "1", 1);
    }
    // Whoever else uses such libraries shall not see these.
    void* library = dlopen(FindBackend().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
    {
        const char* error = dlerror();
        reason = error ? error : "unknown";
        return nullptr;
    }
    auto get =
        reinterpret_cast<decltype(&DcnGetTorchBackend)>(dlsym(library, "DcnGetTorchBackend"));
    DcnTorchBackend* backend = get ? get(DcnTorchBackend::VERSION) : nullptr;
    if (!backend)
    {
        reason = "the library " + FindBackend() + " is of another version of this module";
        return nullptr;
    }
    backend->Prepare();
    return backend;
#else
    reason = "";
    return nullptr;
#endif
}

} // namespace

bool
DcnTorch::IsAvailable()
{
#ifdef DCN_TORCH_BACKEND
    return true;
#else
    return false;
#endif
}

std::string
DcnTorch::GetVersion()
{
    return IsAvailable() ? GetBackend("the version of LibTorch").GetVersion() : "";
}

void
DcnTorch::Require(const std::string& what)
{
    GetBackend(what);
}

void
DcnTorch::Prepare()
{
    GetBackend("the training of networks");
}

DcnTorchBackend&
DcnTorch::GetBackend(const std::string& what)
{
    if (!IsAvailable())
    {
        DcnFail(what,
                " needs LibTorch, which was not found when the module dcn-torch was built: install "
                "it (libtorch-dev and libopenblas0-pthread) and configure ns-3 again");
    }
    static std::string reason;
    static DcnTorchBackend* const backend = Load(reason); // in one thread, others wait
    if (!backend)
    {
        DcnFail(what, " needs LibTorch, which cannot be loaded: ", reason);
    }
    return *backend;
}

} // namespace ns3
