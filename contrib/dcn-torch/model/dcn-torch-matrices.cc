/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-matrices.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint32_t STEPS_BASE = 1U << 24; //!< a float holds whole numbers below it exactly

/**
 * @param tensors where to look
 * @param name of the matrix
 * @param rows it must have
 * @param columns it must have
 * @return the matrix
 */
const DcnModelFile::Tensor&
Find(const std::vector<DcnModelFile::Tensor>& tensors,
     const std::string& name,
     uint32_t rows,
     uint32_t columns)
{
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& tensor) {
        return tensor.name == name;
    });
    if (found == tensors.end())
    {
        DcnFail("there is no matrix ", name, " among the weights");
    }
    if (found->rows != rows || found->columns != columns ||
        found->values.size() != static_cast<std::size_t>(rows) * columns)
    {
        DcnFail("the matrix ",
                name,
                " has ",
                found->rows,
                " x ",
                found->columns,
                " numbers, not ",
                rows,
                " x ",
                columns);
    }
    return *found;
}

} // namespace

void
DcnTorchMatrices::AddMatrix(const std::string& name, uint32_t outputs, uint32_t inputs)
{
    m_parameters.push_back(
        {name, outputs, inputs, 1 / std::sqrt(static_cast<float>(inputs)), true, 0});
}

void
DcnTorchMatrices::AddVector(const std::string& name, uint32_t outputs, uint32_t inputs, float value)
{
    const float bound = inputs ? 1 / std::sqrt(static_cast<float>(inputs)) : 0;
    m_parameters.push_back({name, 1, outputs, bound, false, value});
}

void
DcnTorchMatrices::AddLayer(const std::string& name, uint32_t outputs, uint32_t inputs)
{
    AddMatrix(name + ".w", outputs, inputs);
    AddVector(name + ".b", outputs, inputs);
}

void
DcnTorchMatrices::StartAtZero(uint32_t nMatrices)
{
    for (auto last = m_parameters.end() - nMatrices; last != m_parameters.end(); ++last)
    {
        last->bound = 0;
        last->value = 0;
    }
}

const std::vector<DcnTorchParameter>&
DcnTorchMatrices::Get() const
{
    return m_parameters;
}

std::size_t
DcnTorchMatrices::Count() const
{
    std::size_t count = 0;
    for (const auto& parameter : m_parameters)
    {
        count += static_cast<std::size_t>(parameter.rows) * parameter.columns;
    }
    return count;
}

std::vector<float>
DcnTorchMatrices::Draw(uint64_t seed) const
{
    const DcnRandom random(seed);
    std::vector<float> values;
    values.reserve(Count());
    for (uint32_t i = 0; i < m_parameters.size(); ++i)
    {
        const auto& parameter = m_parameters[i];
        auto uniform = CreateObject<UniformRandomVariable>();
        random.Assign(uniform, DcnPurpose::MODEL_WEIGHTS, i);
        const double bound = parameter.bound;
        for (std::size_t j = 0; j < static_cast<std::size_t>(parameter.rows) * parameter.columns;
             ++j)
        {
            const double drawn = bound > 0 ? uniform->GetValue(-bound, bound) : 0;
            values.push_back(static_cast<float>(drawn) + parameter.value);
        }
    }
    return values;
}

std::vector<DcnModelFile::Tensor>
DcnTorchMatrices::Export(const std::vector<float>& values) const
{
    std::vector<DcnModelFile::Tensor> tensors;
    auto next = values.begin();
    for (const auto& parameter : m_parameters)
    {
        const auto end = next + static_cast<std::ptrdiff_t>(parameter.rows) * parameter.columns;
        tensors.push_back({parameter.name, parameter.rows, parameter.columns, {next, end}});
        next = end;
    }
    return tensors;
}

std::vector<float>
DcnTorchMatrices::Import(const std::vector<DcnModelFile::Tensor>& tensors) const
{
    std::vector<float> values;
    values.reserve(Count());
    for (const auto& parameter : m_parameters)
    {
        const auto& tensor = Find(tensors, parameter.name, parameter.rows, parameter.columns);
        values.insert(values.end(), tensor.values.begin(), tensor.values.end());
    }
    return values;
}

std::vector<DcnModelFile::Tensor>
DcnTorchMatrices::ExportOptimizer(const DcnTorchOldTrainer& trainer)
{
    uint64_t steps = 0;
    std::vector<float> state = trainer.GetState(steps);
    const auto count = static_cast<uint32_t>(state.size() / 3);
    // In two parts, each of which a float holds exactly.
    std::vector<float> number{static_cast<float>(steps / STEPS_BASE),
                              static_cast<float>(steps % STEPS_BASE)};
    return {{"adamw.state", 3, count, std::move(state)}, {"adamw.steps", 1, 2, std::move(number)}};
}

void
DcnTorchMatrices::ImportOptimizer(const std::vector<DcnModelFile::Tensor>& tensors,
                                  DcnTorchOldTrainer& trainer) const
{
    const auto& state = Find(tensors, "adamw.state", 3, static_cast<uint32_t>(Count()));
    const auto& steps = Find(tensors, "adamw.steps", 1, 2);
    trainer.SetState(state.values,
                     static_cast<uint64_t>(steps.values[0]) * STEPS_BASE +
                         static_cast<uint64_t>(steps.values[1]));
}

} // namespace ns3
