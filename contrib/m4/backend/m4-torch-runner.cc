/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-torch-runner.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param tensor numbers
 * @return the numbers
 */
std::vector<float>
ToVector(const torch::Tensor& tensor)
{
    const torch::Tensor local = tensor.detach().cpu().contiguous();
    const auto* data = local.data_ptr<float>();
    return {data, data + local.numel()};
}

/**
 * @param weights of labels
 * @return their sum
 */
double
Sum(const std::vector<float>& weights)
{
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

} // namespace

M4TorchRunner::M4TorchRunner(std::shared_ptr<M4TorchModule> module,
                             const M4NetworkSizes& sizes,
                             torch::Device device,
                             const Options& options)
    : m_module(std::move(module)),
      m_sizes(sizes),
      m_device(device),
      m_options(options),
      m_trainer(m_module, options)
{
    Begin();
}

DcnTorchTrainer&
M4TorchRunner::GetTrainer()
{
    return m_trainer;
}

void
M4TorchRunner::Begin()
{
    m_flowStates = torch::zeros({0, m_sizes.hidden}, m_device);
    m_linkStates = torch::zeros({0, m_sizes.hidden}, m_device);
}

torch::Tensor
M4TorchRunner::Copy(const std::vector<float>& numbers, int64_t columns) const
{
    const auto count = static_cast<int64_t>(numbers.size());
    const auto view = torch::from_blob(const_cast<float*>(numbers.data()), {count});
    const Tensor copy = view.to(m_device, torch::kFloat, false, true);
    return columns > 0 ? copy.view({count / columns, columns}) : copy;
}

torch::Tensor
M4TorchRunner::Copy(const std::vector<int64_t>& numbers) const
{
    return torch::from_blob(const_cast<int64_t*>(numbers.data()),
                            {static_cast<int64_t>(numbers.size())},
                            torch::kLong)
        .to(m_device, torch::kLong, false, true);
}

torch::Tensor
M4TorchRunner::Side::Read(std::size_t step) const
{
    const Tensor states = table.index_select(0, index[step]) * keep[step];
    return start.empty() ? states : states + start[step];
}

void
M4TorchRunner::Side::Write(std::size_t step, const Tensor& states)
{
    after.push_back(states);
    table.index_copy_(0, index[step], states);
}

M4TorchRunner::Side
M4TorchRunner::MakeSide(const std::vector<int64_t>& states,
                        const std::vector<float>& isNew,
                        const std::vector<int64_t>& lengths,
                        const Tensor& inputs,
                        const Tensor& start,
                        Tensor& all) const
{
    std::unordered_map<int64_t, int64_t> places; // row of the table by row of all states
    std::vector<int64_t> rows;
    std::vector<int64_t> index;
    for (const int64_t state : states)
    {
        const auto [place, isFirst] = places.emplace(state, static_cast<int64_t>(rows.size()));
        if (isFirst)
        {
            rows.push_back(state);
        }
        index.push_back(place->second);
    }
    const int64_t needed = rows.empty() ? 0 : 1 + *std::max_element(rows.begin(), rows.end());
    if (needed > all.size(0))
    {
        const int64_t more = std::max(needed, 2 * all.size(0)) - all.size(0);
        all = torch::cat({all, torch::zeros({more, m_sizes.hidden}, m_device)});
    }
    Side side;
    side.rows = Copy(rows);
    side.table = all.index_select(0, side.rows);
    side.index = Copy(index).split_with_sizes(lengths);
    const Tensor fresh = Copy(isNew, 1);
    side.keep = (1 - fresh).split_with_sizes(lengths);
    if (start.defined())
    {
        side.start = (start * fresh).split_with_sizes(lengths);
    }
    side.inputs = inputs;
    side.input = inputs.split_with_sizes(lengths);
    return side;
}

M4TorchRunner::Outputs
M4TorchRunner::Run(const M4TorchChunk& chunk, bool keepStates)
{
    std::vector<int64_t> nFlows;
    std::vector<int64_t> nLinks;
    std::vector<int64_t> nEdges;
    M4TorchChunk::End last{0, 0, 0};
    for (const auto& end : chunk.ends)
    {
        nFlows.push_back(static_cast<int64_t>(end.flow - last.flow));
        nLinks.push_back(static_cast<int64_t>(end.link - last.link));
        nEdges.push_back(static_cast<int64_t>(end.edge - last.edge));
        last = end;
    }
    const Tensor flowInputs =
        m_module->EncodeFlows(Copy(chunk.flowFeatures, m_sizes.nFlowFeatures));
    const Tensor linkInputs =
        m_module->EncodeLinks(Copy(chunk.linkFeatures, m_sizes.nLinkFeatures));
    Side flows = MakeSide(chunk.flowState,
                          chunk.flowIsNew,
                          nFlows,
                          flowInputs,
                          m_module->StartFlows(flowInputs),
                          m_flowStates);
    Side links = MakeSide(chunk.linkState,
                          chunk.linkIsNew,
                          nLinks,
                          linkInputs,
                          m_module->StartLinks(linkInputs),
                          m_linkStates);
    const auto edgeFlow = Copy(chunk.edgeFlow).split_with_sizes(nEdges);
    const auto edgeLink = Copy(chunk.edgeLink).split_with_sizes(nEdges);
    for (std::size_t step = 0; step < chunk.ends.size(); ++step)
    {
        Tensor flow = m_module->PassFlows(flows.input[step], flows.Read(step));
        Tensor link = m_module->PassLinks(links.input[step], links.Read(step));
        flows.before.push_back(flow);
        links.before.push_back(link);
        m_module->Exchange(flows.input[step],
                           links.input[step],
                           {edgeFlow[step], edgeLink[step]},
                           flow,
                           link);
        flows.Write(step, flow);
        links.Write(step, link);
    }
    if (keepStates)
    {
        const torch::NoGradGuard guard;
        m_flowStates.index_copy_(0, flows.rows, flows.table.detach());
        m_linkStates.index_copy_(0, links.rows, links.table.detach());
    }
    const Tensor after = torch::cat(flows.after);
    const Tensor slowdown =
        m_module->GetSlowdown(flows.inputs, after, Copy(chunk.fluidLogSlowdown));
    return {
        slowdown,
        m_module->GetRemaining(flows.inputs, torch::cat(flows.before), Copy(chunk.fluidRemaining)),
        m_module->GetQueue(links.inputs, torch::cat(links.before)),
        m_module->GetSpread(flows.inputs, after, m_module->ToLogSlowdown(slowdown))};
}

M4TorchLosses
M4TorchRunner::Train(const M4TorchChunk& chunk, double learningRate)
{
    const Outputs outputs = Run(chunk, true);
    M4TorchLosses losses;
    // adds a weighted sum of errors to the loss
    Tensor total = torch::zeros({}, m_device);
    auto add = [&](const Tensor& errors,
                   const std::vector<float>& weights,
                   double lambda,
                   double& sum,
                   double& weightSum) {
        const Tensor loss = (errors * Copy(weights)).sum();
        sum = loss.item<double>();
        weightSum = Sum(weights);
        if (lambda > 0) // avoids 0 times NaN
        {
            total = total + lambda * loss;
        }
    };
    add(m_module->GetSlowdownError(outputs.slowdown, Copy(chunk.logSlowdownTarget)),
        chunk.logSlowdownWeight,
        1,
        losses.slowdown,
        losses.slowdownWeight);
    add((outputs.remaining - Copy(chunk.remainingTarget)).abs(),
        chunk.remainingWeight,
        m_options.lambdaRemaining,
        losses.remaining,
        losses.remainingWeight);
    add(m_module->GetQueueError(outputs.queue, Copy(chunk.queueTarget)),
        chunk.queueWeight,
        m_options.lambdaQueue,
        losses.queue,
        losses.queueWeight);
    const double others = m_options.lambdaRemaining * losses.remainingWeight +
                          m_options.lambdaQueue * losses.queueWeight;
    const double divisor = losses.slowdownWeight > 0 ? losses.slowdownWeight
                           : others > 0              ? others
                                                     : 1;
    total = m_options.onlySpread ? torch::zeros({}, m_device) : total / divisor;
    if (outputs.spread.defined() && !chunk.spreadWeight.empty())
    {
        const Tensor residual =
            Copy(chunk.logSlowdownTarget) - m_module->ToLogSlowdown(outputs.slowdown).detach();
        const Tensor levels =
            Copy(std::vector<float>(std::begin(M4Spread::LEVELS), std::end(M4Spread::LEVELS)));
        const Tensor error = residual.unsqueeze(1) - outputs.spread;
        const Tensor pinball = torch::max(levels * error, (levels - 1) * error).mean(1);
        const Tensor loss = (pinball * Copy(chunk.spreadWeight)).sum();
        losses.spread = loss.item<double>();
        losses.spreadWeight = Sum(chunk.spreadWeight);
        total = total + loss / std::max(losses.spreadWeight, 1.0);
    }
    losses.total = total.item<double>();
    losses.gradientNorm = m_trainer.Step(total, learningRate);
    return losses;
}

M4TorchPredictions
M4TorchRunner::Convert(const Outputs& outputs)
{
    return {ToVector(m_module->ToLogSlowdown(outputs.slowdown)),
            ToVector(outputs.remaining.clamp(0, 1)),
            ToVector(m_module->ToLogQueue(outputs.queue)),
            outputs.spread.defined() ? ToVector(outputs.spread) : std::vector<float>()};
}

M4TorchPredictions
M4TorchRunner::Predict(const M4TorchChunk& chunk)
{
    const torch::NoGradGuard guard;
    return Convert(Run(chunk, true));
}

M4TorchPredictions
M4TorchRunner::Query(const M4TorchChunk& chunk)
{
    const torch::NoGradGuard guard;
    return Convert(Run(chunk, false));
}

} // namespace ns3
