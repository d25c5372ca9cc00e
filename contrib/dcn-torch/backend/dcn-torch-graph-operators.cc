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
        const auto* flow = flows.data_ptr<float>();
        const auto* link = links.data_ptr<float>();
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
                std::copy_n(flow + i * h, h, to);
            }
        }
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            std::copy_n(link + i * h, h, states.linkGradients.begin() + step.linkState[i] * h);
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
        const auto* flow = flows.data_ptr<float>();
        const auto* link = links.data_ptr<float>();
        for (int64_t i = 0; i < step.nFlows; ++i)
        {
            std::copy_n(flow + i * h, h, states.flows.begin() + step.flowState[i] * h);
        }
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            std::copy_n(link + i * h, h, states.links.begin() + step.linkState[i] * h);
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
                              const at::Tensor& more,
                              const at::Tensor& hidden,
                              const at::Tensor& bias,
                              const at::Tensor& state)
    {
        const int64_t n = state.size(0);
        const int64_t h = state.size(1);
        at::Tensor gates = at::empty({n, 3 * h}); // r, z, n
        at::Tensor inside = at::empty({n, h});    // what r is multiplied with
        at::Tensor result = at::empty({n, h});
        const auto* in = input.data_ptr<float>();
        const bool both = more.numel() > 0;
        const auto* rest = both ? more.data_ptr<float>() : nullptr;
        const auto* hid = hidden.data_ptr<float>();
        const auto* old = state.data_ptr<float>();
        auto* gate = gates.data_ptr<float>();
        auto* within = inside.data_ptr<float>();
        auto* to = result.data_ptr<float>();
        const ConstRow shift(bias.data_ptr<float>(), 3 * h);
        for (int64_t i = 0; i < n; ++i)
        {
            const ConstRow hiddenRow(hid + i * 3 * h, 3 * h);
            const ConstRow oldRow(old + i * h, h);
            Row gateRow(gate + i * 3 * h, 3 * h);
            Row withinRow(within + i * h, h);
            gateRow = ConstRow(in + i * 3 * h, 3 * h);
            if (both)
            {
                gateRow += ConstRow(rest + i * 3 * h, 3 * h);
            }
            gateRow.head(2 * h) =
                (gateRow.head(2 * h) + hiddenRow.head(2 * h) + shift.head(2 * h)).logistic();
            withinRow = hiddenRow.tail(h) + shift.tail(h);
            gateRow.tail(h) = (gateRow.tail(h) + gateRow.head(h) * withinRow).tanh();
            Row(to + i * h, h) =
                gateRow.tail(h) + gateRow.segment(h, h) * (oldRow - gateRow.tail(h));
        }
        context->saved_data["both"] = both;
        context->save_for_backward({gates, inside, state});
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
        at::Tensor bias = at::zeros({3 * h});
        at::Tensor state = at::empty({n, h});
        const auto* out = gradient.data_ptr<float>();
        const auto* gate = saved[0].data_ptr<float>();
        const auto* within = saved[1].data_ptr<float>();
        const auto* old = saved[2].data_ptr<float>();
        auto* toInput = input.data_ptr<float>();
        auto* toHidden = hidden.data_ptr<float>();
        auto* toState = state.data_ptr<float>();
        Row toBias(bias.data_ptr<float>(), 3 * h);
        for (int64_t i = 0; i < n; ++i)
        {
            const ConstRow outRow(out + i * h, h);
            const ConstRow oldRow(old + i * h, h);
            const ConstRow reset(gate + i * 3 * h, h);
            const ConstRow update(gate + i * 3 * h + h, h);
            const ConstRow candidate(gate + i * 3 * h + 2 * h, h);
            Row inputRow(toInput + i * 3 * h, 3 * h);
            Row hiddenRow(toHidden + i * 3 * h, 3 * h);
            inputRow.tail(h) = outRow * (1 - update) * (1 - candidate.square());
            inputRow.segment(h, h) = outRow * (oldRow - candidate) * update * (1 - update);
            inputRow.head(h) = inputRow.tail(h) * ConstRow(within + i * h, h) * reset * (1 - reset);
            hiddenRow.head(2 * h) = inputRow.head(2 * h);
            hiddenRow.tail(h) = inputRow.tail(h) * reset;
            toBias += hiddenRow;
            Row(toState + i * h, h) = outRow * update;
        }
        const bool both = context->saved_data["both"].toBool();
        return {input, both ? input : at::Tensor(), hidden, bias, state};
    }
};

/// See DcnTorchGraphOperators::AddRelu.
struct AddReluFunction : public Function<AddReluFunction>
{
    static at::Tensor forward(AutogradContext* context, const at::Tensor& a, const at::Tensor& b)
    {
        at::Tensor result = at::empty_like(b);
        const int64_t count = b.numel();
        Row(result.data_ptr<float>(), count) =
            (ConstRow(a.data_ptr<float>(), count) + ConstRow(b.data_ptr<float>(), count)).max(0.0F);
        context->save_for_backward({result});
        return result;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const at::Tensor result = context->get_saved_variables()[0];
        const at::Tensor gradient = gradients[0].contiguous();
        const int64_t count = result.numel();
        at::Tensor both = at::empty_like(gradient);
        Row(both.data_ptr<float>(), count) =
            (ConstRow(result.data_ptr<float>(), count) > 0)
                .select(ConstRow(gradient.data_ptr<float>(), count), 0.0F);
        return {both, both};
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
        const int64_t g = flows.size(1);
        const int64_t h = links.size(1);
        const int64_t width = h + 2 * g;
        at::Tensor result = at::zeros({step.nLinks, width});
        at::Tensor shares = at::zeros({step.nLinks});
        const auto* flow = flows.data_ptr<float>();
        const auto* link = links.data_ptr<float>();
        auto* to = result.data_ptr<float>();
        auto* share = shares.data_ptr<float>();
        for (int64_t i = 0; i < step.nEdges; ++i)
        {
            const int64_t end = step.edgeLink[i];
            Row(to + end * width + h, g) += ConstRow(flow + step.edgeFlow[i] * g, g);
            ++share[end];
        }
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            share[i] = 1 / std::max(share[i], 1.0F);
            Row row(to + i * width, width);
            row.head(h) = ConstRow(link + i * h, h);
            row.tail(g) = row.segment(h, g) * share[i];
        }
        context->saved_data["step"] = number;
        context->saved_data["h"] = h;
        context->save_for_backward({shares});
        return result;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const auto& step = ToStep(context->saved_data["step"]);
        const at::Tensor shares = context->get_saved_variables()[0];
        const at::Tensor gradient = gradients[0].contiguous();
        const int64_t h = context->saved_data["h"].toInt();
        const int64_t width = gradient.size(1);
        const int64_t g = (width - h) / 2;
        at::Tensor sums = at::empty({step.nLinks, g});
        at::Tensor links = at::empty({step.nLinks, h});
        at::Tensor flows = at::zeros({step.nFlows, g});
        const auto* out = gradient.data_ptr<float>();
        const auto* share = shares.data_ptr<float>();
        auto* sum = sums.data_ptr<float>();
        auto* toLinks = links.data_ptr<float>();
        auto* toFlows = flows.data_ptr<float>();
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            const ConstRow from(out + i * width, width);
            Row(toLinks + i * h, h) = from.head(h);
            Row(sum + i * g, g) = from.segment(h, g) + from.tail(g) * share[i];
        }
        for (int64_t i = 0; i < step.nEdges; ++i)
        {
            Row(toFlows + step.edgeFlow[i] * g, g) += ConstRow(sum + step.edgeLink[i] * g, g);
        }
        return {flows, links, at::Tensor()};
    }
};

/// See DcnTorchGraphOperators::ToFlows.
struct ToFlowsFunction : public Function<ToFlowsFunction>
{
    static at::Tensor forward(AutogradContext* context,
                              const at::Tensor& links,
                              const at::Tensor& bias,
                              int64_t number)
    {
        const auto& step = ToStep(number);
        const int64_t h = links.size(1);
        at::Tensor flows = at::zeros({step.nFlows, h});
        at::Tensor replies = at::empty({step.nLinks, h});
        const auto* link = links.data_ptr<float>();
        auto* reply = replies.data_ptr<float>();
        auto* to = flows.data_ptr<float>();
        const ConstRow shift(bias.data_ptr<float>(), h);
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            Row(reply + i * h, h) = (ConstRow(link + i * h, h) + shift).max(0.0F);
        }
        for (int64_t i = 0; i < step.nEdges; ++i)
        {
            Row(to + step.edgeFlow[i] * h, h) += ConstRow(reply + step.edgeLink[i] * h, h);
        }
        context->saved_data["step"] = number;
        context->save_for_backward({replies});
        return flows;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const auto& step = ToStep(context->saved_data["step"]);
        const at::Tensor replies = context->get_saved_variables()[0];
        const at::Tensor gradient = gradients[0].contiguous();
        const int64_t h = gradient.size(1);
        at::Tensor links = at::zeros({step.nLinks, h});
        at::Tensor bias = at::zeros({h});
        const auto* out = gradient.data_ptr<float>();
        const auto* reply = replies.data_ptr<float>();
        auto* to = links.data_ptr<float>();
        Row toBias(bias.data_ptr<float>(), h);
        for (int64_t i = 0; i < step.nEdges; ++i)
        {
            Row(to + step.edgeLink[i] * h, h) += ConstRow(out + step.edgeFlow[i] * h, h);
        }
        for (int64_t i = 0; i < step.nLinks; ++i)
        {
            Row row(to + i * h, h);
            row = (ConstRow(reply + i * h, h) > 0).select(row, 0.0F);
            toBias += row;
        }
        return {links, bias, at::Tensor()};
    }
};

/**
 * @brief Add rows up over edges, in both directions.
 * @param rows flows, then links
 * @param step the step
 * @return for each row the sum of its neighbours
 */
at::Tensor
SumNeighbours(const at::Tensor& rows, const DcnTorchGraphStep& step)
{
    const int64_t width = rows.size(1);
    at::Tensor sums = at::zeros_like(rows, at::MemoryFormat::Contiguous);
    const auto* from = rows.data_ptr<float>();
    auto* to = sums.data_ptr<float>();
    for (int64_t i = 0; i < step.nEdges; ++i)
    {
        const int64_t flow = step.edgeFlow[i] * width;
        const int64_t link = (step.nFlows + step.edgeLink[i]) * width;
        Row(to + flow, width) += ConstRow(from + link, width);
        Row(to + link, width) += ConstRow(from + flow, width);
    }
    return sums;
}

/// See DcnTorchGraphOperators::AddNeighbours. Edges go both ways, so the way back is the same sum.
struct AddNeighboursFunction : public Function<AddNeighboursFunction>
{
    static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, int64_t number)
    {
        context->saved_data["step"] = number;
        return SumNeighbours(rows.contiguous(), ToStep(number));
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        return {SumNeighbours(gradients[0].contiguous(), ToStep(context->saved_data["step"])),
                at::Tensor()};
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
                             const at::Tensor& more,
                             const at::Tensor& hidden,
                             const at::Tensor& bias,
                             const at::Tensor& state)
{
    return CellFunction::apply(input, more, hidden, bias, state);
}

at::Tensor
DcnTorchGraphOperators::AddRelu(const at::Tensor& a, const at::Tensor& b)
{
    return AddReluFunction::apply(a, b);
}

at::Tensor
DcnTorchGraphOperators::ToLinks(const at::Tensor& flows,
                                const at::Tensor& links,
                                const DcnTorchGraphStep& step)
{
    return ToLinksFunction::apply(flows, links, FromStep(step));
}

at::Tensor
DcnTorchGraphOperators::ToFlows(const at::Tensor& links,
                                const at::Tensor& bias,
                                const DcnTorchGraphStep& step)
{
    return ToFlowsFunction::apply(links, bias, FromStep(step));
}

at::Tensor
DcnTorchGraphOperators::AddNeighbours(const at::Tensor& rows, const DcnTorchGraphStep& step)
{
    return AddNeighboursFunction::apply(rows, FromStep(step));
}

} // namespace ns3
