/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-architecture.h"

#include "../state/m4-default-tracker.h"
#include "../state/m4-published-tracker.h"
#include "m4-default-network.h"
#include "m4-torch-network.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ns3
{

namespace
{

constexpr const char* SECTION = "architecture"; //!< of the card
constexpr const char* NAME = "name";            //!< key; cards of 0.1 lack it: then default

/**
 * @param model a model
 * @param key key of the width on its card
 * @return the width
 */
uint32_t
ReadWidth(const DcnModelFile& model, const std::string& key)
{
    const double value = model.GetNumber(SECTION, key);
    if (!(value >= 1 && value <= M4Architecture::MAX_WIDTH) || value != std::floor(value))
    {
        DcnFail("architecture.",
                key,
                " of the model must be a whole number from 1 to ",
                M4Architecture::MAX_WIDTH,
                ", but it is ",
                value);
    }
    return static_cast<uint32_t>(value);
}

/**
 * @brief Refuse a card of another release.
 * @param entry the offending entry, as "key=value"
 */
[[noreturn]] void
RefuseCard(const std::string& entry)
{
    DcnFail("the model has an architecture that this release does not have (",
            entry,
            "): train it anew with m4-train --architecture=default or --architecture=published");
}

/**
 * @brief Refuse weights that are not finite.
 * @param model weights
 */
void
CheckWeights(const DcnModelFile& model)
{
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
                        ", which is not finite");
            }
        }
    }
}

} // namespace

M4Architecture::M4Architecture(const std::string& name, uint32_t hidden)
{
    if (name == "default")
    {
        sizes.hidden = hidden > 0 ? hidden : 32;
        sizes.messageWidth = sizes.hidden;
        sizes.headWidth = sizes.hidden;
        sizes.nFlowFeatures = M4Features::N_FLOW;
        sizes.nLinkFeatures = M4Features::N_LINK;
    }
    else if (name == "published")
    {
        sizes.isPublished = true;
        sizes.hidden = hidden > 0 ? hidden : 400;
        sizes.messageWidth = 300;
        sizes.headWidth = 200;
        sizes.nFlowFeatures = M4PublishedFeatures::N_FLOW;
        sizes.nLinkFeatures = M4PublishedFeatures::N_LINK;
    }
    else
    {
        DcnFail("the architecture must be default or published, but it is ", name);
    }
    Check();
}

M4Architecture
M4Architecture::Read(const DcnModelFile& model)
{
    const auto entries = model.GetSection(SECTION);
    const auto name = std::find_if(entries.begin(), entries.end(), [](const auto& entry) {
        return entry.first == NAME;
    });
    M4Architecture architecture(name == entries.end() ? "default" : name->second);
    M4NetworkSizes& sizes = architecture.sizes;
    for (const auto& [key, value] : entries)
    {
        const bool isWidth = sizes.isPublished && (key == "message_width" || key == "head_width");
        const bool isOneRound = !sizes.isPublished && key == "rounds" && value == "1";
        if (key != NAME && key != "hidden" && key != "feature_version" && !isWidth && !isOneRound)
        {
            RefuseCard(key + "=" + value);
        }
    }
    const double features = model.GetNumber(SECTION, "feature_version");
    const uint32_t expected =
        sizes.isPublished ? M4PublishedFeatures::VERSION : M4Features::VERSION;
    if (features != expected)
    {
        DcnFail("the model was made with version ",
                features,
                " of the features, but ",
                expected,
                " is needed: train it anew with m4-train");
    }
    sizes.hidden = ReadWidth(model, "hidden");
    sizes.messageWidth = sizes.isPublished ? ReadWidth(model, "message_width") : sizes.hidden;
    sizes.headWidth = sizes.isPublished ? ReadWidth(model, "head_width") : sizes.hidden;
    architecture.Check();
    return architecture;
}

void
M4Architecture::Write(DcnModelFile& model) const
{
    model.Set(SECTION, NAME, GetName());
    model.Set(SECTION,
              "feature_version",
              sizes.isPublished ? M4PublishedFeatures::VERSION : M4Features::VERSION);
    model.Set(SECTION, "hidden", sizes.hidden);
    if (sizes.isPublished)
    {
        model.Set(SECTION, "message_width", sizes.messageWidth);
        model.Set(SECTION, "head_width", sizes.headWidth);
    }
}

void
M4Architecture::Check() const
{
    constexpr uint32_t INITIAL = 4; // width of the published initial state of a flow
    const uint32_t least = sizes.isPublished ? INITIAL : 1;
    for (const auto& [what, width, smallest] :
         {std::make_tuple("states", sizes.hidden, least),
          std::make_tuple("layers", sizes.messageWidth, uint32_t{1}),
          std::make_tuple("heads", sizes.headWidth, uint32_t{1})})
    {
        if (width < smallest || width > MAX_WIDTH)
        {
            DcnFail("the width of ",
                    what,
                    " must be from ",
                    smallest,
                    " to ",
                    MAX_WIDTH,
                    ", but it is ",
                    width);
        }
    }
}

std::string
M4Architecture::GetName() const
{
    return sizes.isPublished ? "published" : "default";
}

std::string
M4Architecture::Describe() const
{
    std::string text = "architecture=" + GetName() + " hidden=" + std::to_string(sizes.hidden);
    if (sizes.isPublished)
    {
        text += " message_width=" + std::to_string(sizes.messageWidth) +
                " head_width=" + std::to_string(sizes.headWidth);
    }
    return text;
}

std::unique_ptr<M4Tracker>
M4Architecture::MakeTracker(const DcnTopology& topology,
                            const DcnNetworkParameters& network,
                            bool describe) const
{
    if (sizes.isPublished)
    {
        return std::make_unique<M4PublishedTracker>(topology, network, describe);
    }
    return std::make_unique<M4DefaultTracker>(topology, describe);
}

std::unique_ptr<M4Network>
M4Architecture::MakeNetwork(const DcnModelFile& model) const
{
    CheckWeights(model);
    if (sizes.isPublished)
    {
        return std::make_unique<M4TorchNetwork>(sizes, model);
    }
    return std::make_unique<M4DefaultNetwork>(model, sizes.hidden);
}

} // namespace ns3
