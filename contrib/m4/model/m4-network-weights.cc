/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Weights of M4Network: how they are read from a model, and those of one that has learned nothing.

#include "m4-network.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/random-variable-stream.h"

#include <cmath>

namespace ns3
{

M4Network::Layer
M4Network::ReadLayer(const DcnModelFile& model,
                     const std::string& weights,
                     const std::string& bias,
                     uint32_t in,
                     uint32_t out)
{
    using Stored = Eigen::Map<const Matrix>;
    Layer layer;
    layer.w = Stored(model.Get(weights, out, in).values.data(), out, in).transpose();
    if (!bias.empty())
    {
        layer.b = Stored(model.Get(bias, 1, out).values.data(), 1, out);
    }
    return layer;
}

M4Network::Gru
M4Network::ReadGru(const DcnModelFile& model, const std::string& name, uint32_t in, uint32_t h)
{
    Gru gru;
    gru.input = ReadLayer(model, name + ".w_ih", name + ".b_ih", in, 3 * h);
    gru.hidden = ReadLayer(model, name + ".w_hh", name + ".b_hh", h, 3 * h);
    return gru;
}

M4Network::Head
M4Network::ReadHead(const DcnModelFile& model, const std::string& name, uint32_t in, uint32_t width)
{
    return {ReadLayer(model, name + ".a.w", name + ".a.b", in, width),
            ReadLayer(model, name + ".b.w", name + ".b.b", width, 1)};
}

void
M4Network::ReadSage(const DcnModelFile& model)
{
    for (uint32_t i = 0; i < m_architecture.rounds; ++i)
    {
        const std::string name = "sage" + std::to_string(i + 1);
        const uint32_t in = m_architecture.GetLayerWidth(i);
        const uint32_t out = m_architecture.GetLayerWidth(i + 1);
        auto row = [&](const std::string& which) {
            return Row(Eigen::Map<const Row>(model.Get(name + which, 1, out).values.data(), out));
        };
        m_sage.push_back({ReadLayer(model, name + ".project.w", name + ".project.b", in, in),
                          ReadLayer(model, name + ".sum.w", name + ".sum.b", in, out),
                          ReadLayer(model, name + ".own.w", "", in, out),
                          row(".gain"),
                          row(".shift")});
    }
}

M4Network::M4Network(const DcnModelFile& model)
{
    const double features = model.GetNumber("architecture", "feature_version");
    if (features != M4Features::VERSION)
    {
        DcnFail("the model was made with version ",
                features,
                " of the features, but ",
                M4Features::VERSION,
                " is needed");
    }
    m_architecture = M4Architecture::Read(model);
    for (const auto& tensor : model.GetTensors())
    {
        for (const float value : tensor.values)
        {
            if (!std::isfinite(value))
            {
                DcnFail("the matrix ",
                        tensor.name,
                        " of the model has the value ",
                        value,
                        ", which is no finite number");
            }
        }
    }
    const uint32_t h = m_architecture.hidden;
    const uint32_t g = m_architecture.GetMessageWidth();
    const uint32_t d = m_architecture.GetHeadWidth();
    auto layer = [&](const std::string& name, uint32_t in, uint32_t out) {
        return ReadLayer(model, name + ".w", name + ".b", in, out);
    };
    const uint32_t joint = m_architecture.jointHeads ? 1 : 0;
    if (m_architecture.publishedInputs)
    {
        const auto& inputs = M4Architecture::GetPublishedInputs();
        const auto nUpdate = static_cast<uint32_t>(inputs.flowUpdate.size());
        const auto nHead = static_cast<uint32_t>(inputs.flowHead.size());
        m_flowTime = ReadGru(model, "gru_tf", 1, h);
        m_linkTime = ReadGru(model, "gru_tl", 1, h);
        m_flowUpdate = ReadGru(model, "gru_uf", h + nUpdate, h);
        m_linkUpdate = ReadGru(model, "gru_ul", h, h);
        m_fct = ReadHead(model, "fct", h + nHead + joint, d);
        m_left = ReadHead(model, "left", h, d);
        m_queue = ReadHead(model, "queue", h, d);
    }
    else
    {
        const uint32_t v = m_architecture.graphSage ? h : g;
        m_flowInput = layer("x", M4Features::N_FLOW, h);
        m_linkInput = layer("y", M4Features::N_LINK, h);
        m_flowTime = ReadGru(model, "gru_tf", h, h);
        m_linkTime = ReadGru(model, "gru_tl", h, h);
        m_flowUpdate = ReadGru(model, "gru_uf", v + h, h);
        m_linkUpdate = ReadGru(model, "gru_ul", v + h, h);
        m_fct = ReadHead(model, "fct", 2 * h + joint, d);
        m_left = ReadHead(model, "left", 2 * h, d);
        m_queue = ReadHead(model, "queue", 2 * h, d);
    }
    if (m_architecture.graphSage)
    {
        ReadSage(model);
    }
    else
    {
        m_flowMessage = layer("w1", 2 * h, g);
        m_linkOwn = layer("w2", 2 * h, g);
        m_linkSum = ReadLayer(model, "w3.w", "", g, g);
        m_linkMean = ReadLayer(model, "w4.w", "", g, g);
        m_linkMessage = layer("w5", g, g);
    }
}

DcnModelFile
M4Network::MakeUntrained(const M4Architecture& architecture)
{
    architecture.Check();
    const uint32_t h = architecture.hidden;
    const uint32_t g = architecture.GetMessageWidth();
    const uint32_t d = architecture.GetHeadWidth();
    const bool published = architecture.publishedInputs;
    const auto& inputs = M4Architecture::GetPublishedInputs();
    // widths of what joins states
    const auto nTime = published ? 1 : h;
    const auto nUpdate = published ? static_cast<uint32_t>(inputs.flowUpdate.size()) : h;
    const auto nHead = published ? static_cast<uint32_t>(inputs.flowHead.size()) : h;
    const uint32_t nOther = published ? 0 : h;
    DcnModelFile model("m4");
    model.Set("architecture", "feature_version", M4Features::VERSION);
    architecture.Write(model);
    DcnTrainedRanges().Write(model);
    auto random = CreateObject<UniformRandomVariable>();
    uint32_t nMatrices = 0;
    auto add = [&](const std::string& name, uint32_t rows, uint32_t columns, double scale) {
        DcnRandom(1).Assign(random, DcnPurpose::MODEL_WEIGHTS, nMatrices++);
        std::vector<float> values(static_cast<std::size_t>(rows) * columns);
        for (float& value : values)
        {
            value = static_cast<float>(scale * (2 * random->GetValue() - 1));
        }
        model.Add({name, rows, columns, std::move(values)});
    };
    auto addLayer = [&](const std::string& weights,
                        const std::string& bias,
                        uint32_t in,
                        uint32_t out,
                        double scale) {
        add(weights, out, in, scale / std::sqrt(in));
        add(bias, 1, out, scale / std::sqrt(in));
    };
    auto addGru = [&](const std::string& name, uint32_t in) {
        addLayer(name + ".w_ih", name + ".b_ih", in, 3 * h, 1);
        addLayer(name + ".w_hh", name + ".b_hh", h, 3 * h, 1);
    };
    if (!published)
    {
        addLayer("x.w", "x.b", M4Features::N_FLOW, h, 1);
        addLayer("y.w", "y.b", M4Features::N_LINK, h, 1);
    }
    addGru("gru_tf", nTime);
    addGru("gru_tl", nTime);
    if (architecture.graphSage)
    {
        for (uint32_t i = 0; i < architecture.rounds; ++i)
        {
            const std::string name = "sage" + std::to_string(i + 1);
            const uint32_t in = architecture.GetLayerWidth(i);
            const uint32_t out = architecture.GetLayerWidth(i + 1);
            addLayer(name + ".project.w", name + ".project.b", in, in, 1);
            addLayer(name + ".sum.w", name + ".sum.b", in, out, 1);
            add(name + ".own.w", out, in, 1 / std::sqrt(in));
            model.Add({name + ".gain", 1, out, std::vector<float>(out, 1)});
            model.Add({name + ".shift", 1, out, std::vector<float>(out, 0)});
        }
    }
    else
    {
        addLayer("w1.w", "w1.b", 2 * h, g, 1);
        addLayer("w2.w", "w2.b", 2 * h, g, 1);
        add("w3.w", g, g, 1 / std::sqrt(g));
        add("w4.w", g, g, 1 / std::sqrt(g));
        addLayer("w5.w", "w5.b", g, g, 1);
    }
    const uint32_t v = architecture.graphSage ? h : g;
    addGru("gru_uf", v + nUpdate);
    addGru("gru_ul", v + nOther);
    auto addHead = [&](const std::string& name, uint32_t in) {
        addLayer(name + ".a.w", name + ".a.b", in, d, 1);
        addLayer(name + ".b.w", name + ".b.b", d, 1, 0);
    };
    addHead("fct", h + nHead + (architecture.jointHeads ? 1 : 0));
    addHead("left", h + nOther);
    addHead("queue", h + nOther);
    return model;
}

} // namespace ns3
