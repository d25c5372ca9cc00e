/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch.h"

#include "ns3/log.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTorch");

namespace
{

#ifdef DCN_TORCH_VERSION
constexpr const char* VERSION = DCN_TORCH_VERSION; // set by CMake, as are the two below
#else
constexpr const char* VERSION = "";
#define DCN_TORCH_FOLDER ""
#define DCN_TORCH_SUFFIX ""
#endif

/**
 * @param name of a plug-in
 * @return path of its library: beside the library of this module, where it is installed, or where
 * it was built
 */
std::string
FindPlugin(const std::string& name)
{
    const std::string file = "/libns3-" + name + "-torch" DCN_TORCH_SUFFIX;
    Dl_info self{};
    if (dladdr(reinterpret_cast<void*>(&DcnTorch::IsAvailable), &self) && self.dli_fname)
    {
        const std::string own = self.dli_fname;
        const std::string beside = own.substr(0, own.rfind('/')) + file;
        if (std::ifstream(beside))
        {
            return beside;
        }
    }
    return DCN_TORCH_FOLDER + file;
}

} // namespace

bool
DcnTorch::IsAvailable()
{
    return VERSION[0] != '\0';
}

std::string
DcnTorch::GetVersion()
{
    return VERSION;
}

void
DcnTorch::Require(const std::string& user)
{
    if (!IsAvailable())
    {
        DcnFail(user,
                " needs LibTorch, which was not found when the module dcn-torch was built: install "
                "it (libtorch-dev and libopenblas0-pthread) and configure ns-3 again");
    }
}

DcnTorchPlugin&
DcnTorch::LoadPlugin(const std::string& user, const std::string& name, uint32_t version)
{
    Require(user);
    // the libraries read these when they are loaded
    for (const char* variable : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    {
        setenv(variable, "1", 1);
    }
    const std::string path = FindPlugin(name);
    // local: LibTorch's symbols stay invisible to other libraries
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library && !std::ifstream(path))
    {
        DcnFail(user,
                " needs LibTorch, and ",
                path,
                " has not been built: \"./dcn setup\" or \"ninja dcn-torch-plugins\" builds it");
    }
    if (!library)
    {
        const char* error = dlerror();
        DcnFail(user, " needs LibTorch, which cannot be loaded: ", error ? error : "unknown");
    }
    auto get = reinterpret_cast<decltype(&DcnGetTorchPlugin)>(dlsym(library, "DcnGetTorchPlugin"));
    DcnTorchPlugin* plugin = get ? get(DcnTorchPlugin::BASE_VERSION, version) : nullptr;
    if (!plugin)
    {
        DcnFail("the library ", path, " is of another version than its module: build ns-3 again");
    }
    NS_LOG_INFO("loaded " << path << ", LibTorch " << plugin->GetTorchVersion());
    return *plugin;
}

} // namespace ns3
