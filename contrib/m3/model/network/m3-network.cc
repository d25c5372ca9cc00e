/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-network.h"

#include "../features/m3-feature-set.h"
#include "../features/m3-range-features.h"
#include "m3-default-network.h"
#include "m3-published-network.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M3Network");

namespace
{

constexpr const char* SECTION = "architecture";            //!< section of the card
constexpr const char* FEATURES = "features";               //!< key: name of the feature set
constexpr const char* FEATURE_VERSION = "feature_version"; //!< key: version of the feature set
constexpr const char* CORRECTION = "correction";           //!< key: M3NetworkShape::correction
constexpr const char* LIMIT = "limit";                     //!< key: M3NetworkShape::limit
/// Largest size; a larger one means a damaged card.
constexpr uint32_t LARGEST = M3NetworkShape::MOST_WIDTH;

/**
 * @param model a model
 * @param featureSet of the model
 * @return the shape of the network
 */
M3NetworkShape
ReadShape(const DcnModelFile& model, const M3FeatureSet& featureSet)
{
    auto read = [&model](const char* key, uint32_t least) {
        const double value = model.GetNumber(SECTION, key);
        if (!(value >= least) || value > LARGEST || value != std::floor(value))
        {
            DcnFail("the ", key, " of the model of m3 is ", value);
        }
        return static_cast<uint32_t>(value);
    };
    M3NetworkShape shape = M3Network::MakeShape(featureSet);
    shape.width = read("width", 1);
    shape.heads = read("heads", 1);
    shape.layers = read("layers", 0);
    shape.feedForward = read("feed_forward", 1);
    shape.mlp = read("mlp", 1);
    shape.gain = model.GetNumber(SECTION, "gain");
    if (!(shape.gain > 0) || !std::isfinite(shape.gain))
    {
        DcnFail("the gain of the model of m3 is ", shape.gain);
    }
    for (const auto& [key, value] : model.GetSection(SECTION))
    {
        shape.correction = key == CORRECTION ? model.GetNumber(SECTION, key) : shape.correction;
        shape.limit = key == LIMIT ? model.GetNumber(SECTION, key) : shape.limit;
    }
    if (!(shape.correction > 0) || shape.correction > 1)
    {
        DcnFail("the correction of the model of m3 is above 0 and at most 1, not ",
                shape.correction);
    }
    if (shape.limit != 0 && !(shape.limit > 1 && std::isfinite(shape.limit)))
    {
        DcnFail("the limit of the model of m3 is 0 or above 1, not ", shape.limit);
    }
    if (featureSet.isPublished && (shape.correction < 1 || shape.limit > 0))
    {
        DcnFail("a model of m3 of the published architecture has no base, so that its card can "
                "have no correction and no limit");
    }
    if (read("context", 0) != 1)
    {
        DcnFail("the model of m3 was trained without the links of a path (context is not 1), which "
                "this release does not support: train it again with m3-train");
    }
    if (shape.width % shape.heads != 0)
    {
        DcnFail("the width ",
                shape.width,
                " of the model of m3 is no multiple of its ",
                shape.heads,
                " heads");
    }
    return shape;
}

/**
 * @brief Refuse weights that are damaged or belong to another feature set than the card's.
 * @param model the model
 * @param featureSet feature set on the card
 */
void
CheckWeights(const DcnModelFile& model, const M3FeatureSet& featureSet)
{
    for (const DcnModelFile::Tensor& tensor : model.GetTensors())
    {
        if (!std::all_of(tensor.values.begin(), tensor.values.end(), [](float value) {
                return std::isfinite(value);
            }))
        {
            DcnFail("the matrix ",
                    tensor.name,
                    " of the model of m3 has entries that are not finite");
        }
        auto check = [&](const char* name, uint32_t found, uint32_t needed, const char* unit) {
            if (tensor.name == name && found != needed)
            {
                DcnFail("the card of the model of m3 says ",
                        featureSet.name,
                        " features, which have ",
                        needed,
                        unit,
                        ", but its matrix ",
                        name,
                        " is for ",
                        found);
            }
        };
        check("token.w", tensor.columns, featureSet.nToken, " numbers of a link");
        check("mlp3.w", tensor.rows, featureSet.nOutputs, " answers");
    }
}

} // namespace

const M3FeatureSet&
M3Network::ReadFeatureSet(const DcnModelFile& model)
{
    const M3FeatureSet* featureSet = &M3FeatureSet::Default(); // for cards without a name
    for (const auto& [key, value] : model.GetSection(SECTION))
    {
        featureSet = key == FEATURES ? &M3FeatureSet::Get(value) : featureSet;
    }
    const double version = model.GetNumber(SECTION, FEATURE_VERSION);
    if (version != featureSet->version)
    {
        DcnFail("the model was made with version ",
                version,
                " of the ",
                featureSet->name,
                " features of m3, but ",
                featureSet->version,
                " is needed: train it again with m3-train");
    }
    return *featureSet;
}

M3Network::M3Network(const DcnModelFile& model)
    : m_featureSet(&ReadFeatureSet(model))
{
    const M3NetworkShape shape = ReadShape(model, *m_featureSet);
    m_correction = shape.correction;
    m_limit = shape.limit;
    CheckWeights(model, *m_featureSet);
    m_ranges = std::make_unique<const DcnTrainedRanges>(
        DcnTrainedRanges::Read(model, M3RangeFeatures::GetQuantities()));
    if (m_featureSet->isPublished)
    {
        const auto network = std::make_shared<const M3PublishedNetwork>(model, shape);
        m_predict = [network](const auto& inputs) { return network->Predict(inputs); };
    }
    else
    {
        const auto network = std::make_shared<const M3DefaultNetwork>(model, shape);
        m_predict = [network](const auto& inputs) { return network->Predict(inputs); };
    }
    NS_LOG_INFO("network of the " << m_featureSet->name << " architecture, width " << shape.width
                                  << ", " << shape.layers << " blocks");
}

M3Network::~M3Network() = default;

M3NetworkShape
M3Network::MakeShape(const M3FeatureSet& featureSet)
{
    M3NetworkShape shape;
    shape.tokenFeatures = featureSet.nToken;
    shape.foregroundFeatures = featureSet.nForeground;
    shape.slots = featureSet.nSlots;
    shape.knots = featureSet.nKnots;
    return shape;
}

DcnModelFile
M3Network::MakeCard(const M3FeatureSet& featureSet,
                    const M3NetworkShape& shape,
                    const DcnTrainedRanges& ranges)
{
    DcnModelFile model("m3");
    model.Set(SECTION, FEATURES, featureSet.name);
    model.Set(SECTION, FEATURE_VERSION, featureSet.version);
    model.Set(SECTION, "context", 1);
    model.Set(SECTION, "width", shape.width);
    model.Set(SECTION, "heads", shape.heads);
    model.Set(SECTION, "layers", shape.layers);
    model.Set(SECTION, "feed_forward", shape.feedForward);
    model.Set(SECTION, "mlp", shape.mlp);
    model.Set(SECTION, "gain", shape.gain);
    model.Set(SECTION, CORRECTION, shape.correction);
    if (shape.limit > 0)
    {
        model.Set(SECTION, LIMIT, shape.limit);
    }
    ranges.Write(model);
    return model;
}

std::vector<float>
M3Network::Predict(const std::vector<M3PathFeatures>& inputs) const
{
    for (const M3PathFeatures& input : inputs)
    {
        if (input.featureSet != m_featureSet)
        {
            DcnFail("the network has ",
                    m_featureSet->name,
                    " features, but a path has ",
                    input.featureSet->name,
                    " ones");
        }
    }
    std::vector<float> quantiles = inputs.empty() ? std::vector<float>() : m_predict(inputs);
    if (m_limit > 0)
    {
        const auto largest = static_cast<float>(std::log(m_limit));
        auto quantile = quantiles.begin();
        for (const M3PathFeatures& input : inputs)
        {
            for (const float base : input.base)
            {
                *quantile = std::min(*quantile, base + largest);
                ++quantile;
            }
        }
    }
    return quantiles;
}

const M3FeatureSet&
M3Network::GetFeatureSet() const
{
    return *m_featureSet;
}

double
M3Network::GetCorrection() const
{
    return m_correction;
}

double
M3Network::GetLimit() const
{
    return m_limit;
}

const DcnTrainedRanges&
M3Network::GetRanges() const
{
    return *m_ranges;
}

} // namespace ns3
