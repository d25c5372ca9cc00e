/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-network.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr float EPSILON = 1e-5F;         //!< in RMS
constexpr uint32_t MOST_SIZE = 1U << 16; //!< of anything in a network: more is a damaged card

/**
 * @param ratio a number > 0
 * @return ln(exp(ratio) - 1), without overflow
 */
double
InverseSoftplus(double ratio)
{
    return ratio + std::log(-std::expm1(-ratio));
}

/**
 * @param x any number
 * @return ln(1 + exp(x)), without overflow, as LibTorch has it
 */
float
Softplus(float x)
{
    return x > 20 ? x : std::log1p(std::exp(x));
}

/**
 * @param sizes of a network
 * @return shapes of its matrices in order: name, outputs, inputs (0: a vector)
 */
std::vector<DcnModelFile::Tensor>
ListShapes(const DcnTorchSetNetwork::Sizes& sizes)
{
    std::vector<DcnModelFile::Tensor> shapes;
    auto add = [&](const std::string& name, uint32_t rows, uint32_t columns) {
        shapes.push_back({name, rows, columns, {}});
    };
    auto addLayer = [&](const std::string& name, uint32_t outputs, uint32_t inputs) {
        add(name + ".w", outputs, inputs);
        add(name + ".b", 1, outputs);
    };
    const uint32_t d = sizes.width;
    if (sizes.absent > 0)
    {
        add("absent", 1, sizes.absent);
    }
    if (sizes.context)
    {
        addLayer("token", d, sizes.tokenFeatures);
        for (uint32_t i = 0; i < sizes.layers; ++i)
        {
            const std::string block = "block" + std::to_string(i);
            add(block + ".norm1.g", 1, d);
            add(block + ".qkv.w", 3 * d, d);
            add(block + ".o.w", d, d);
            add(block + ".norm2.g", 1, d);
            add(block + ".gate.w", sizes.feedForward, d);
            add(block + ".up.w", sizes.feedForward, d);
            add(block + ".down.w", d, sizes.feedForward);
        }
        add("norm.g", 1, d);
    }
    addLayer("mlp1", sizes.mlp, sizes.foregroundFeatures + (sizes.context ? d : 0));
    addLayer("mlp2", sizes.mlp, sizes.mlp);
    addLayer("mlp3", sizes.classes * sizes.knots, sizes.mlp);
    return shapes;
}

} // namespace

M3Network::Layer
M3Network::ReadLayer(const DcnModelFile& model,
                     const std::string& name,
                     uint32_t inputs,
                     uint32_t outputs,
                     bool bias)
{
    using Stored = Eigen::Map<const Matrix>;
    Layer layer;
    layer.w = Stored(model.Get(name + ".w", outputs, inputs).values.data(), outputs, inputs)
                  .transpose();
    if (bias)
    {
        layer.b = ReadRow(model, name + ".b", outputs);
    }
    return layer;
}

M3Network::Row
M3Network::ReadRow(const DcnModelFile& model, const std::string& name, uint32_t n)
{
    return Eigen::Map<const Row>(model.Get(name, 1, n).values.data(), n);
}

const M3Layout&
M3Network::ReadLayout(const DcnModelFile& model)
{
    const M3Layout* layout = &M3Layout::Ours(); // models without a name are of this one
    for (const auto& [key, value] : model.GetSection("architecture"))
    {
        layout = key == FEATURES ? &M3Layout::Get(value) : layout;
    }
    const double version = model.GetNumber("architecture", FEATURE_VERSION);
    if (version != layout->version)
    {
        DcnFail("the model was made with version ",
                version,
                " of the ",
                layout->name,
                " features of m3, but ",
                layout->version,
                " is needed: train it again with m3-train");
    }
    return *layout;
}

void
M3Network::CheckLayout(const DcnModelFile& model) const
{
    for (const DcnModelFile::Tensor& tensor : model.GetTensors())
    {
        auto check = [&](const char* name, uint32_t found, uint32_t needed, const char* what) {
            if (tensor.name == name && found != needed)
            {
                DcnFail("the card of the model of m3 says ",
                        m_layout->name,
                        " features, which have ",
                        needed,
                        what,
                        ", but its matrix ",
                        name,
                        " is for ",
                        found);
            }
        };
        check("token.w", tensor.columns, m_sizes.tokenFeatures, " numbers of a link");
        check("mlp3.w", tensor.rows, m_layout->nOutputs, " answers");
    }
}

DcnTorchSetNetwork::Sizes
M3Network::MakeSizes(const M3Layout& layout)
{
    DcnTorchSetNetwork::Sizes sizes;
    sizes.tokenFeatures = layout.nToken;
    sizes.foregroundFeatures = layout.nForeground;
    sizes.classes = layout.nSlots;
    sizes.knots = layout.nKnots;
    sizes.absent = layout.nAbsent;
    return sizes;
}

M3Network::M3Network(const DcnModelFile& model)
    : m_layout(&ReadLayout(model)),
      m_sizes(MakeSizes(*m_layout))
{
    auto size = [&model](const char* key, uint32_t least, uint32_t most = MOST_SIZE) {
        const double value = model.GetNumber("architecture", key);
        if (!(value >= least) || value > most || value != std::floor(value))
        {
            DcnFail("the ", key, " of the model of m3 is ", value);
        }
        return static_cast<uint32_t>(value);
    };
    m_sizes.context = size("context", 0, 1) != 0;
    m_sizes.width = size("width", 1);
    m_sizes.heads = size("heads", 1);
    m_sizes.layers = size("layers", 0);
    m_sizes.feedForward = size("feed_forward", 1);
    m_sizes.mlp = size("mlp", 1);
    m_sizes.gain = static_cast<float>(model.GetNumber("architecture", "gain"));
    if (!(m_sizes.gain > 0) || !std::isfinite(m_sizes.gain))
    {
        DcnFail("the gain of the model of m3 is ", m_sizes.gain);
    }
    for (const auto& tensor : model.GetTensors())
    {
        if (!std::all_of(tensor.values.begin(), tensor.values.end(), [](float value) {
                return std::isfinite(value);
            }))
        {
            DcnFail("the matrix ", tensor.name,
                    " of the model of m3 has entries that are no numbers");
        }
    }
    if (m_sizes.width % m_sizes.heads != 0)
    {
        DcnFail("the width ",
                m_sizes.width,
                " of the model of m3 is no multiple of its ",
                m_sizes.heads,
                " heads");
    }
    CheckLayout(model);
    if (m_sizes.absent > 0)
    {
        m_absent = model.Get("absent", 1, m_sizes.absent).values;
    }
    const uint32_t d = m_sizes.width;
    const uint32_t f = m_sizes.feedForward;
    if (m_sizes.context)
    {
        m_token = ReadLayer(model, "token", m_sizes.tokenFeatures, d, true);
        for (uint32_t i = 0; i < m_sizes.layers; ++i)
        {
            const std::string block = "block" + std::to_string(i);
            m_blocks.push_back({ReadRow(model, block + ".norm1.g", d),
                                ReadLayer(model, block + ".qkv", d, 3 * d, false),
                                ReadLayer(model, block + ".o", d, d, false),
                                ReadRow(model, block + ".norm2.g", d),
                                ReadLayer(model, block + ".gate", d, f, false),
                                ReadLayer(model, block + ".up", d, f, false),
                                ReadLayer(model, block + ".down", f, d, false)});
        }
        m_norm = ReadRow(model, "norm.g", d);
    }
    m_mlp[0] = ReadLayer(model,
                         "mlp1",
                         m_sizes.foregroundFeatures + (m_sizes.context ? d : 0),
                         m_sizes.mlp,
                         true);
    m_mlp[1] = ReadLayer(model, "mlp2", m_sizes.mlp, m_sizes.mlp, true);
    m_mlp[2] = ReadLayer(model, "mlp3", m_sizes.mlp, m_sizes.classes * m_sizes.knots, true);
    auto readScaler = [&](const std::string& name, uint32_t n) {
        return m_layout->isScaled ? M3Scaler::Read(model, name, n) : M3Scaler::Raw(n);
    };
    m_tokenScaler = readScaler("token", m_sizes.tokenFeatures);
    m_foregroundScaler = readScaler("foreground", m_sizes.foregroundFeatures);
    m_ranges = DcnTrainedRanges::Read(model, M3Conditions::GetQuantities());
}

DcnModelFile
M3Network::MakeModel(const M3Layout& layout,
                     const DcnTorchSetNetwork::Sizes& sizes,
                     const M3Scaler& token,
                     const M3Scaler& foreground,
                     const DcnTrainedRanges& ranges)
{
    DcnModelFile model("m3");
    model.Set("architecture", FEATURES, layout.name);
    model.Set("architecture", FEATURE_VERSION, layout.version);
    model.Set("architecture", "context", sizes.context ? 1 : 0);
    model.Set("architecture", "width", sizes.width);
    model.Set("architecture", "heads", sizes.heads);
    model.Set("architecture", "layers", sizes.layers);
    model.Set("architecture", "feed_forward", sizes.feedForward);
    model.Set("architecture", "mlp", sizes.mlp);
    model.Set("architecture", "gain", sizes.gain);
    if (layout.isScaled)
    {
        token.Add(model, "token");
        foreground.Add(model, "foreground");
    }
    ranges.Write(model);
    return model;
}

DcnModelFile
M3Network::MakeRandom(const DcnTorchSetNetwork::Sizes& sizes,
                      double last,
                      const M3Layout& layout)
{
    DcnModelFile model = MakeModel(layout,
                                   sizes,
                                   M3Scaler(layout.nToken),
                                   M3Scaler(layout.nForeground),
                                   DcnTrainedRanges());
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    for (DcnModelFile::Tensor& tensor : ListShapes(sizes))
    {
        const bool isGain = tensor.name.substr(tensor.name.size() - 2) == ".g";
        const bool isLast = tensor.name.substr(0, 4) == "mlp3";
        const double bound = isLast ? last : 1 / std::sqrt(tensor.columns);
        tensor.values.resize(static_cast<std::size_t>(tensor.rows) * tensor.columns);
        for (float& value : tensor.values)
        {
            value = static_cast<float>(random->GetValue(-bound, bound) + (isGain ? 1 : 0));
        }
        model.Add(std::move(tensor));
    }
    return model;
}

const M3Layout&
M3Network::GetLayout() const
{
    return *m_layout;
}

const DcnTorchSetNetwork::Sizes&
M3Network::GetSizes() const
{
    return m_sizes;
}

const DcnTrainedRanges&
M3Network::GetRanges() const
{
    return m_ranges;
}

M3Network::Matrix
M3Network::Apply(const Layer& layer, const Matrix& in)
{
    Matrix out = in * layer.w;
    if (layer.b.size() > 0)
    {
        out.rowwise() += layer.b;
    }
    return out;
}

M3Network::Matrix
M3Network::Normalise(const Matrix& rows, const Row& gain)
{
    const Eigen::VectorXf scale =
        (rows.rowwise().squaredNorm().array() / static_cast<float>(rows.cols()) + EPSILON).rsqrt();
    return (rows.array().colwise() * scale.array()).rowwise() * gain.array();
}

void
M3Network::Attend(const Block& block, const std::vector<M3Input>& inputs, Matrix& tokens) const
{
    const Eigen::Index d = m_sizes.width;
    const Eigen::Index perHead = d / m_sizes.heads;
    const float scale = 1 / std::sqrt(static_cast<float>(perHead));
    const Matrix qkv = Apply(block.qkv, Normalise(tokens, block.norm1));
    Matrix heard(tokens.rows(), d);
    Eigen::Index first = 0;
    for (const M3Input& input : inputs)
    {
        const Eigen::Index n = input.nTokens;
        for (Eigen::Index head = 0; head < d; head += perHead)
        {
            Matrix scores = qkv.block(first, head, n, perHead) *
                            qkv.block(first, d + head, n, perHead).transpose() * scale;
            for (Eigen::Index i = 0; i < n; ++i)
            {
                scores.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
                scores.row(i) /= scores.row(i).sum();
            }
            heard.block(first, head, n, perHead) =
                scores * qkv.block(first, 2 * d + head, n, perHead);
        }
        first += n;
    }
    tokens += Apply(block.o, heard);
    const Matrix norm = Normalise(tokens, block.norm2);
    Matrix gate = Apply(block.gate, norm);
    gate = gate.array() / (1 + (-gate.array()).exp());
    tokens += Apply(block.down, gate.cwiseProduct(Apply(block.up, norm)));
}

void
M3Network::Fill(std::vector<float>& features, uint32_t n) const
{
    for (std::size_t i = 0; i < features.size() && !m_absent.empty(); ++i)
    {
        features[i] =
            std::isnan(features[i]) ? m_absent[i % n % m_absent.size()] : features[i];
    }
}

M3Network::Matrix
M3Network::Encode(const std::vector<M3Input>& inputs) const
{
    std::vector<float> scaled;
    for (const M3Input& input : inputs)
    {
        NS_ASSERT_MSG(input.nTokens > 0, "a path without links");
        m_tokenScaler.Apply(input.token, scaled);
    }
    Fill(scaled, m_sizes.tokenFeatures);
    const auto columns = static_cast<Eigen::Index>(m_sizes.tokenFeatures);
    const auto rows = static_cast<Eigen::Index>(scaled.size()) / columns;
    Matrix tokens = Apply(m_token, Eigen::Map<const Matrix>(scaled.data(), rows, columns));
    for (const Block& block : m_blocks)
    {
        Attend(block, inputs, tokens);
    }
    tokens = Normalise(tokens, m_norm);
    Matrix context(inputs.size(), m_sizes.width);
    Eigen::Index first = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        context.row(static_cast<Eigen::Index>(i)) =
            tokens.middleRows(first, inputs[i].nTokens).colwise().mean();
        first += inputs[i].nTokens;
    }
    return context;
}

std::vector<float>
M3Network::Predict(const std::vector<M3Input>& inputs) const
{
    const auto n = static_cast<Eigen::Index>(inputs.size());
    const auto nForeground = static_cast<Eigen::Index>(m_sizes.foregroundFeatures);
    if (inputs.empty())
    {
        return {};
    }
    std::vector<float> scaled;
    for (const M3Input& input : inputs)
    {
        if (input.layout != m_layout)
        {
            DcnFail("the network has ",
                    m_layout->name,
                    " features, but a path has ",
                    input.layout->name,
                    " ones");
        }
        m_foregroundScaler.Apply(input.foreground, scaled);
    }
    Fill(scaled, m_sizes.foregroundFeatures);
    Matrix in(n, nForeground + (m_sizes.context ? m_sizes.width : 0));
    in.leftCols(nForeground) = Eigen::Map<const Matrix>(scaled.data(), n, nForeground);
    if (m_sizes.context)
    {
        in.rightCols(m_sizes.width) = Encode(inputs);
    }
    const Matrix hidden = Apply(m_mlp[0], in).cwiseMax(0.0F);
    const Matrix correction = Apply(m_mlp[2], Apply(m_mlp[1], hidden).cwiseMax(0.0F));

    static constexpr float TAU = DcnTorchSetNetwork::TAU;
    const uint32_t nOutputs = m_layout->nOutputs;
    const std::vector<float> none(m_layout->isResidual ? 0 : nOutputs, 0.0F);
    std::vector<float> quantiles;
    quantiles.reserve(inputs.size() * nOutputs);
    for (Eigen::Index i = 0; i < n; ++i)
    {
        const std::vector<float>& base =
            m_layout->isResidual ? inputs[static_cast<std::size_t>(i)].base : none;
        for (uint32_t k = 0; k < nOutputs; ++k)
        {
            const bool isFirst = k % m_sizes.knots == 0;
            const double increment = base[k] - (isFirst ? 0.0F : base[k - 1]);
            const double ratio =
                std::max(increment, static_cast<double>(DcnTorchSetNetwork::FLOOR)) / TAU;
            const auto start = static_cast<float>(TAU * InverseSoftplus(ratio));
            const float step = TAU * Softplus((start + m_sizes.gain * correction(i, k)) / TAU);
            quantiles.push_back((isFirst ? 0.0F : quantiles.back()) + step);
        }
    }
    return quantiles;
}

} // namespace ns3
