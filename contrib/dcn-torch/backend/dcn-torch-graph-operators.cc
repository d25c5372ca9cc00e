/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-graph-operators.h"

#include <Eigen/Core>
#include <algorithm>

namespace ns3
{

namespace
{

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

using Row = Eigen::Map<Eigen::ArrayXf>;            //!< numbers that change
using ConstRow = Eigen::Map<const Eigen::ArrayXf>; //!< numbers that do not

/**
 * @param number a pointer, as autograd keeps it
 * @return the step
 */
const DcnTorchGraphStep&
ToStep(const c10::IValue& number)
{
    return *reinterpret_cast<const DcnTorchGraphStep*>(number.toInt());
}

/**
 * @param step a step
 * @return it as autograd keeps it
 */
int64_t
FromStep(const DcnTorchGraphStep& step)
{
    return reinterpret_cast<int64_t>(&step);
}

/**
 * @brief Zero ranges of rows.
 * @param ranges pairs first, last + 1
 * @param count numbers of ranges
 * @param width numbers per row
 * @param rows where
 */
void
ClearRows(const uint32_t* ranges, int64_t count, int64_t width, std::vector<float>& rows)
{
    for (int64_t i = 0; i < count; i += 2)
    {
        std::fill(rows.begin() + ranges[i] * width, rows.begin() + ranges[i + 1] * width, 0.0F);
    }
}

/**
 * @param rows of states
 * @param numbers of the rows
 * @param count how many
 * @param width numbers per row
 * @return the rows [count x width]
 */
at::Tensor
GatherRows(const std::vector<float>& rows, const uint32_t* numbers, int64_t count, int64_t width)
{
    at::Tensor result = at::empty({count, width});
    auto* to = result.data_ptr<float>();
    for (int64_t i = 0; i < count; ++i, to += width)
    {
        std::copy_n(rows.begin() + numbers[i] * width, width, to);
    }
    return result;
}

/// See DcnTorchGraphOperators::Read.
struct ReadFunction : public Function<ReadFunction>
{
    static variable_list forward(AutogradContext* context, const at::Tensor&, int64_t number)
    {
        context->saved_data["step"] = number;
        const auto& step = ToStep(number);
        auto& states = *step.states;
        const int64_t h = states.hidden;
        ClearRows(step.clearFlows, step.nClears, h, states.flows);
        ClearRows(step.clearLinks, step.nClears, h, states.links);
        for (int64_t i = 0; i < step.nFlows; ++i)
        {
            if (step.isNew[i])
            {
                std::fill_n(states.flows.begin() + step.flowState[i] * h, h, 0.0F);
            }
        }
        return {GatherRows(states.flows, step.flowState, step.nFlows, h),
                GatherRows(states.links, step.linkState, step.nLinks, h),
                at::zeros({1})};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const auto& step = ToStep(context->saved_data["step"]);
        auto& states = *step.states;
        const int64_t h = states.hidden;
        const at::Tensor flows = gradients[0].contiguous();
        const at::Tensor links = gradients[1].contiguous();
        // Write has taken what was there.
        for (int64_t i = 0; i < step.nFlows; ++i)
        {
            auto to = states.flowGradients.begin() + step.flowState[i] * h;
            if (step.isNew[i])
            {
                std::fill_n(to, h, 0.0F);
            }
            else
            {
                std::copy_n(flows.data_ptr<float>() + i * h, h, to);
            }
        }
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            std::copy_n(links.data_ptr<float>() + i * h,
                        h,
                        states.linkGradients.begin() + step.linkState[i] * h);
        }
        ClearRows(step.clearFlows, step.nClears, h, states.flowGradients);
        ClearRows(step.clearLinks, step.nClears, h, states.linkGradients);
        return {at::zeros({1}), at::Tensor()};
    }
};

/// See DcnTorchGraphOperators::Write.
struct WriteFunction : public Function<WriteFunction>
{
    static at::Tensor forward(AutogradContext* context,
                                 const at::Tensor& flows,
                                 const at::Tensor& links,
                                 const at::Tensor&,
                                 int64_t number)
    {
        context->saved_data["step"] = number;
        const auto& step = ToStep(number);
        auto& states = *step.states;
        const int64_t h = states.hidden;
        for (int64_t i = 0; i < step.nFlows; ++i)
        {
            std::copy_n(flows.data_ptr<float>() + i * h,
                        h,
                        states.flows.begin() + step.flowState[i] * h);
        }
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            std::copy_n(links.data_ptr<float>() + i * h,
                        h,
                        states.links.begin() + step.linkState[i] * h);
        }
        return at::zeros({1});
    }

    static variable_list backward(AutogradContext* context, const variable_list&)
    {
        const auto& step = ToStep(context->saved_data["step"]);
        auto& states = *step.states;
        const int64_t h = states.hidden;
        return {GatherRows(states.flowGradients, step.flowState, step.nFlows, h),
                GatherRows(states.linkGradients, step.linkState, step.nLinks, h),
                at::zeros({1}),
                at::Tensor()};
    }
};

/// See DcnTorchGraphOperators::Cell.
struct CellFunction : public Function<CellFunction>
{
    static at::Tensor forward(AutogradContext* context,
                                 const at::Tensor& input,
                                 const at::Tensor& hidden,
                                 const at::Tensor& state)
    {
        const int64_t n = state.size(0);
        const int64_t h = state.size(1);
        at::Tensor gates = at::empty({n, 3 * h});
        at::Tensor result = at::empty({n, h});
        for (int64_t i = 0; i < n; ++i)
        {
            ConstRow in(input.data_ptr<float>() + i * 3 * h, 3 * h);
            ConstRow hid(hidden.data_ptr<float>() + i * 3 * h, 3 * h);
            ConstRow old(state.data_ptr<float>() + i * h, h);
            Row gate(gates.data_ptr<float>() + i * 3 * h, 3 * h);
            gate.head(2 * h) = (in.head(2 * h) + hid.head(2 * h)).logistic();
            gate.tail(h) = (in.tail(h) + gate.head(h) * hid.tail(h)).tanh();
            Row(result.data_ptr<float>() + i * h, h) =
                gate.tail(h) + gate.segment(h, h) * (old - gate.tail(h));
        }
        context->save_for_backward({gates, hidden, state});
        return result;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const auto saved = context->get_saved_variables();
        const at::Tensor gradient = gradients[0].contiguous();
        const int64_t n = saved[2].size(0);
        const int64_t h = saved[2].size(1);
        at::Tensor input = at::empty({n, 3 * h});
        at::Tensor hidden = at::empty({n, 3 * h});
        at::Tensor state = at::empty({n, h});
        for (int64_t i = 0; i < n; ++i)
        {
            ConstRow out(gradient.data_ptr<float>() + i * h, h);
            ConstRow gate(saved[0].data_ptr<float>() + i * 3 * h, 3 * h);
            ConstRow hid(saved[1].data_ptr<float>() + i * 3 * h, 3 * h);
            ConstRow old(saved[2].data_ptr<float>() + i * h, h);
            Row toInput(input.data_ptr<float>() + i * 3 * h, 3 * h);
            Row toHidden(hidden.data_ptr<float>() + i * 3 * h, 3 * h);
            const auto reset = gate.head(h);
            const auto update = gate.segment(h, h);
            const auto candidate = gate.tail(h);
            toInput.tail(h) = out * (1 - update) * (1 - candidate.square());
            toInput.segment(h, h) = out * (old - candidate) * update * (1 - update);
            toInput.head(h) = toInput.tail(h) * hid.tail(h) * reset * (1 - reset);
            toHidden.head(2 * h) = toInput.head(2 * h);
            toHidden.tail(h) = toInput.tail(h) * reset;
            Row(state.data_ptr<float>() + i * h, h) = out * update;
        }
        return {input, hidden, state};
    }
};

/// See DcnTorchGraphOperators::ToLinks.
struct ToLinksFunction : public Function<ToLinksFunction>
{
    static at::Tensor forward(AutogradContext* context,
                                 const at::Tensor& flows,
                                 const at::Tensor& links,
                                 int64_t number)
    {
        const auto& step = ToStep(number);
        const int64_t h = links.size(1);
        at::Tensor result = at::zeros({step.nLinks, 3 * h});
        at::Tensor shares = at::zeros({step.nLinks});
        auto* to = result.data_ptr<float>();
        auto* share = shares.data_ptr<float>();
        for (int64_t i = 0; i < step.nEdges; ++i)
        {
            const int64_t link = step.edgeLink[i];
            ConstRow flow(flows.data_ptr<float>() + step.edgeFlow[i] * h, h);
            Row(to + link * 3 * h + h, h) += flow.max(0.0F);
            ++share[link];
        }
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            share[i] = 1 / std::max(share[i], 1.0F);
            Row row(to + i * 3 * h, 3 * h);
            row.head(h) = ConstRow(links.data_ptr<float>() + i * h, h);
            row.tail(h) = row.segment(h, h) * share[i];
        }
        context->saved_data["step"] = number;
        context->save_for_backward({flows, shares});
        return result;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const auto& step = ToStep(context->saved_data["step"]);
        const auto saved = context->get_saved_variables();
        const at::Tensor gradient = gradients[0].contiguous();
        const int64_t h = gradient.size(1) / 3;
        at::Tensor sums = at::empty({step.nLinks, h});
        at::Tensor links = at::empty({step.nLinks, h});
        at::Tensor flows = at::zeros({step.nFlows, h});
        auto* sum = sums.data_ptr<float>();
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            ConstRow from(gradient.data_ptr<float>() + i * 3 * h, 3 * h);
            Row(links.data_ptr<float>() + i * h, h) = from.head(h);
            Row(sum + i * h, h) =
                from.segment(h, h) + from.tail(h) * saved[1].data_ptr<float>()[i];
        }
        auto* to = flows.data_ptr<float>();
        for (int64_t i = 0; i < step.nEdges; ++i)
        {
            Row(to + step.edgeFlow[i] * h, h) += ConstRow(sum + step.edgeLink[i] * h, h);
        }
        const int64_t count = step.nFlows * h;
        Row all(to, count);
        all = (ConstRow(saved[0].data_ptr<float>(), count) > 0).select(all, 0.0F);
        return {flows, links, at::Tensor()};
    }
};

/// See DcnTorchGraphOperators::ToFlows.
struct ToFlowsFunction : public Function<ToFlowsFunction>
{
    static at::Tensor forward(AutogradContext* context,
                                 const at::Tensor& links,
                                 int64_t number)
    {
        const auto& step = ToStep(number);
        const int64_t h = links.size(1);
        at::Tensor flows = at::zeros({step.nFlows, h});
        auto* to = flows.data_ptr<float>();
        for (int64_t i = 0; i < step.nEdges; ++i)
        {
            ConstRow link(links.data_ptr<float>() + step.edgeLink[i] * h, h);
            Row(to + step.edgeFlow[i] * h, h) += link.max(0.0F);
        }
        context->saved_data["step"] = number;
        context->save_for_backward({links});
        return flows;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const auto& step = ToStep(context->saved_data["step"]);
        const auto saved = context->get_saved_variables();
        const at::Tensor gradient = gradients[0].contiguous();
        const int64_t h = gradient.size(1);
        at::Tensor links = at::zeros({step.nLinks, h});
        auto* to = links.data_ptr<float>();
        for (int64_t i = 0; i < step.nEdges; ++i)
        {
            Row(to + step.edgeLink[i] * h, h) +=
                ConstRow(gradient.data_ptr<float>() + step.edgeFlow[i] * h, h);
        }
        const int64_t count = step.nLinks * h;
        Row all(to, count);
        all = (ConstRow(saved[0].data_ptr<float>(), count) > 0).select(all, 0.0F);
        return {links, at::Tensor()};
    }
};

} // namespace

std::vector<at::Tensor>
DcnTorchGraphOperators::Read(const at::Tensor& order, const DcnTorchGraphStep& step)
{
    return ReadFunction::apply(order, FromStep(step));
}

at::Tensor
DcnTorchGraphOperators::Write(const at::Tensor& flows,
                              const at::Tensor& links,
                              const at::Tensor& order,
                              const DcnTorchGraphStep& step)
{
    return WriteFunction::apply(flows, links, order, FromStep(step));
}

at::Tensor
DcnTorchGraphOperators::Cell(const at::Tensor& input,
                             const at::Tensor& hidden,
                             const at::Tensor& state)
{
    return CellFunction::apply(input, hidden, state);
}

at::Tensor
DcnTorchGraphOperators::ToLinks(const at::Tensor& flows,
                                const at::Tensor& links,
                                const DcnTorchGraphStep& step)
{
    return ToLinksFunction::apply(flows, links, FromStep(step));
}

at::Tensor
DcnTorchGraphOperators::ToFlows(const at::Tensor& links, const DcnTorchGraphStep& step)
{
    return ToFlowsFunction::apply(links, FromStep(step));
}

} // namespace ns3
