/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-module-trainer.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <sstream>
#include <stdexcept>
#include <torch/cuda.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/utils.h>
#include <type_traits>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param name of a parameter in torch
 * @return its name in the model file
 */
std::string
GetFileName(std::string name)
{
    static const std::pair<std::string, std::string> parts[] = {{"weight", "w"}, {"bias", "b"}};
    const std::size_t last = name.rfind('.') + 1; // 0 without a dot
    for (const auto& [torch, file] : parts)
    {
        if (name.compare(last, torch.size(), torch) == 0)
        {
            return name.replace(last, torch.size(), file);
        }
    }
    return name;
}

/**
 * @brief Find the state of a parameter; the key is a text up to LibTorch 2.2, then a pointer.
 * @param states of an optimiser
 * @param parameter a parameter
 * @return the state, which may be null
 */
template <typename States>
auto&
FindState(States& states, const torch::Tensor& parameter)
{
    if constexpr (std::is_same_v<typename States::key_type, std::string>)
    {
        std::ostringstream key;
        key << parameter.unsafeGetTensorImpl();
        return states[key.str()];
    }
    else
    {
        return states[parameter.unsafeGetTensorImpl()];
    }
}

} // namespace

void
DcnTorchPrepare()
{
    at::set_num_threads(1); // OpenMP's, too
    if (at::get_num_interop_threads() != 1)
    {
        at::set_num_interop_threads(1); // may be called once in a process
    }
    at::globalContext().setDeterministicAlgorithms(true, false);
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
    // all memory is written before it is read
    at::globalContext().setDeterministicFillUninitializedMemory(false);
#endif
    // OpenBLAS reads its environment variable only when it is loaded, which may already have
    // happened
    if (void* blas = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD))
    {
        if (void* function = dlsym(blas, "openblas_set_num_threads"))
        {
            reinterpret_cast<void (*)(int)>(function)(1);
        }
        dlclose(blas);
    }
}

torch::Device
DcnTorchModuleTrainer::Begin(const DcnTorchOptimizerOptions& options)
{
    if (options.device == "cuda" && !torch::cuda::is_available())
    {
        throw std::runtime_error("LibTorch " TORCH_VERSION
                                 " has no CUDA or finds no GPU: use --device=cpu");
    }
    if (options.device == "cuda")
    {
        setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 1); // required by determinism
        // warnings only, since some sums have no deterministic kernel
        at::globalContext().setDeterministicAlgorithms(true, true);
    }
    torch::manual_seed(options.seed);
    return torch::Device(options.device);
}

DcnTorchModuleTrainer::DcnTorchModuleTrainer(std::shared_ptr<torch::nn::Module> module,
                                             const DcnTorchOptimizerOptions& options,
                                             const Decays& decays)
    : m_module(std::move(module)),
      m_options(options)
{
    Tensors decayed;
    Tensors others;
    for (const auto& item : m_module->named_parameters())
    {
        const torch::Tensor& parameter = item.value();
        m_names.push_back(GetFileName(item.key()));
        m_parameters.push_back(parameter);
        const bool decay = decays ? decays(item.key(), parameter) : parameter.dim() > 1;
        (decay ? decayed : others).push_back(parameter);
        if (options.averaging > 0)
        {
            m_average.push_back(parameter.detach().clone());
        }
    }
    std::vector<torch::optim::OptimizerParamGroup> groups;
    for (auto& [members, decay] : {std::make_pair(decayed, options.weightDecay), {others, 0.0}})
    {
        if (!members.empty())
        {
            groups.emplace_back(members,
                                std::make_unique<torch::optim::AdamWOptions>(
                                    torch::optim::AdamWOptions()
                                        .betas(std::make_tuple(0.9, options.beta2))
                                        .weight_decay(decay)));
        }
    }
    m_optimizer = std::make_unique<torch::optim::AdamW>(groups, torch::optim::AdamWOptions());
}

void
DcnTorchModuleTrainer::SeedStep() const
{
    torch::manual_seed(m_options.seed * 0x9e3779b97f4a7c15ULL + m_nSteps + 1);
}

double
DcnTorchModuleTrainer::Step(const torch::Tensor& loss, double learningRate)
{
    m_optimizer->zero_grad();
    loss.backward();
    for (torch::Tensor& parameter : m_parameters)
    {
        if (!parameter.grad().defined()) // e.g. a parameter that no sample of the batch used
        {
            parameter.mutable_grad() = torch::zeros_like(parameter);
        }
    }
    const double norm = torch::nn::utils::clip_grad_norm_(m_parameters, m_options.clipNorm);
    if (!std::isfinite(norm) || !std::isfinite(loss.item<double>()))
    {
        return norm;
    }
    for (auto& group : m_optimizer->param_groups())
    {
        static_cast<torch::optim::AdamWOptions&>(group.options()).lr(learningRate);
    }
    m_optimizer->step();
    ++m_nSteps;
    const torch::NoGradGuard guard;
    for (std::size_t i = 0; i < m_average.size(); ++i)
    {
        m_average[i].lerp_(m_parameters[i], 1 - m_options.averaging);
    }
    return norm;
}

torch::Device
DcnTorchModuleTrainer::GetDevice() const
{
    return m_parameters.front().device();
}

std::vector<DcnTorchTrainer::Tensor>
DcnTorchModuleTrainer::GetTensors() const
{
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < m_names.size(); ++i)
    {
        const auto& parameter = m_parameters[i];
        const auto columns = static_cast<uint32_t>(parameter.size(-1));
        tensors.push_back(
            {m_names[i], static_cast<uint32_t>(parameter.numel()) / columns, columns});
    }
    return tensors;
}

std::vector<float>
DcnTorchModuleTrainer::Pack(const Tensors& tensors)
{
    std::vector<float> numbers;
    for (const torch::Tensor& tensor : tensors)
    {
        const torch::Tensor local = tensor.detach().cpu().contiguous();
        const auto* data = local.data_ptr<float>();
        numbers.insert(numbers.end(), data, data + local.numel());
    }
    return numbers;
}

void
DcnTorchModuleTrainer::Unpack(const std::vector<float>& numbers, const Tensors& tensors)
{
    const torch::NoGradGuard guard;
    std::size_t first = 0;
    for (torch::Tensor tensor : tensors)
    {
        const auto count = static_cast<std::size_t>(tensor.numel());
        if (first + count > numbers.size())
        {
            throw std::runtime_error("there are fewer numbers than weights");
        }
        tensor.copy_(torch::from_blob(const_cast<float*>(numbers.data() + first), tensor.sizes()));
        first += count;
    }
    if (first != numbers.size())
    {
        throw std::runtime_error("there are more numbers than weights");
    }
}

std::vector<float>
DcnTorchModuleTrainer::GetWeights() const
{
    return Pack(m_parameters);
}

std::vector<float>
DcnTorchModuleTrainer::GetGradient() const
{
    Tensors gradients;
    for (const torch::Tensor& parameter : m_parameters)
    {
        gradients.push_back(parameter.grad().defined() ? parameter.grad()
                                                       : torch::zeros_like(parameter));
    }
    return Pack(gradients);
}

std::vector<float>
DcnTorchModuleTrainer::GetAverage() const
{
    return Pack(m_average.empty() ? m_parameters : m_average);
}

void
DcnTorchModuleTrainer::SetWeights(const std::vector<float>& weights)
{
    Unpack(weights, m_parameters);
    if (!m_average.empty())
    {
        Unpack(weights, m_average);
    }
}

torch::optim::AdamWParamState&
DcnTorchModuleTrainer::GetParameterState(const torch::Tensor& parameter) const
{
    auto& state = FindState(m_optimizer->state(), parameter);
    if (!state)
    {
        auto made = std::make_unique<torch::optim::AdamWParamState>();
        made->step(0);
        made->exp_avg(torch::zeros_like(parameter));
        made->exp_avg_sq(torch::zeros_like(parameter));
        state = std::move(made);
    }
    return static_cast<torch::optim::AdamWParamState&>(*state);
}

DcnTorchTrainer::State
DcnTorchModuleTrainer::GetState() const
{
    Tensors first;
    Tensors second;
    for (const torch::Tensor& parameter : m_parameters)
    {
        const auto& state = GetParameterState(parameter);
        first.push_back(state.exp_avg());
        second.push_back(state.exp_avg_sq());
    }
    return {m_nSteps, Pack(first), Pack(second), GetAverage()};
}

void
DcnTorchModuleTrainer::SetState(const State& state)
{
    Tensors first;
    Tensors second;
    for (const torch::Tensor& parameter : m_parameters)
    {
        auto& own = GetParameterState(parameter);
        own.step(static_cast<int64_t>(state.nSteps));
        first.push_back(own.exp_avg());
        second.push_back(own.exp_avg_sq());
    }
    Unpack(state.first, first);
    Unpack(state.second, second);
    if (!m_average.empty())
    {
        Unpack(state.average, m_average);
    }
    m_nSteps = state.nSteps;
}

} // namespace ns3
