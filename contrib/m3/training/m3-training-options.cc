/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-training-options.h"

#include "../model/features/m3-feature-set.h"
#include "../model/network/m3-torch-network.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"

#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{

M3TrainingOptions::M3TrainingOptions(const std::string& architecture)
    : architecture(architecture)
{
    weightDecay = 0.02;
    if (M3FeatureSet::Get(architecture).isPublished)
    {
        width = 576;
        heads = 4;
        layers = 4;
        feedForward = 1536;
        mlp = 512;
        batch = 320;
        epochs = 400;
        patience = epochs;
        firstRate = 1e-4;
        lastRate = firstRate;
        warmUp = 0;
        beta2 = 0.95;
        clipNorm = std::numeric_limits<double>::infinity();
        averaging = 0;
        pathsPerPath = 0;
        pathsPerFabric = 0;
    }
    else
    {
        width = 64;
        heads = 4;
        layers = 2;
        feedForward = 128;
        mlp = 192;
        batch = 64;
        epochs = 25;
        patience = 6;
        averaging = 0.999;
        pathsPerPath = 3;
        pathsPerFabric = 100;
    }
}

void
M3TrainingOptions::AddTo(CommandLine& cmd)
{
    DcnAddText(cmd,
               "architecture",
               "Network with its features and loss: default, or published (m3, section 4)",
               architecture);
    cmd.AddValue("width", "Width of the tokens", width);
    cmd.AddValue("heads", "Heads of the attention", heads);
    cmd.AddValue("layers", "Blocks of the attention", layers);
    cmd.AddValue("feedForward", "Width inside a block", feedForward);
    cmd.AddValue("mlp", "Width of the hidden layers", mlp);
    cmd.AddValue("correction",
                 "Share of the network in the model's answers, above 0 and at most 1; 0: that of "
                 "--from, or 1",
                 correction);
    cmd.AddValue("limit",
                 "Largest ratio of the network's slowdowns to those of its base, above 1; 0: none; "
                 "-1: that of --from, or none",
                 limit);
    cmd.AddValue("patience", "Epochs without a better model before the training ends", patience);
    cmd.AddValue("pathsPerPath",
                 "Paths drawn from a sample of the kind path, besides its own",
                 pathsPerPath);
    cmd.AddValue("pathsPerFabric", "Paths drawn from a sample of the kind fabric", pathsPerFabric);
    cmd.AddValue("share",
                 "Share of the workloads for training, above 0 and at most 1: a learning curve",
                 share);
    DcnAddText(cmd,
               "leaveOut",
               "Samples that are in the test only, such as sizes:web-server or "
               "host_gbps:100+200,topology:fat-tree; conditions: sizes, matrix, topology, "
               "host_gbps, cc",
               leaveOut);
    DcnTorchTrainingOptions::AddTo(cmd, "Paths");
}

void
M3TrainingOptions::Check() const
{
    DcnTorchTrainingOptions::Check();
    for (const auto& [name, size] : {std::make_pair("width", width),
                                     std::make_pair("number of heads", heads),
                                     std::make_pair("feed-forward width", feedForward),
                                     std::make_pair("width of the hidden layers", mlp)})
    {
        if (size == 0)
        {
            DcnFail("the ", name, " of a network of m3 is 0");
        }
        if (size > M3NetworkShape::MOST_WIDTH) // before memory is taken
        {
            DcnFail("the ",
                    name,
                    " of a network of m3 is at most ",
                    M3NetworkShape::MOST_WIDTH,
                    ", not ",
                    size);
        }
    }
    if (layers > M3NetworkShape::MOST_LAYERS)
    {
        DcnFail("the number of layers of a network of m3 is at most ",
                M3NetworkShape::MOST_LAYERS,
                ", not ",
                layers);
    }
    if (!(share > 0) || share > 1)
    {
        DcnFail("the option share is above 0 and at most 1, not ", share);
    }
    if (!(correction >= 0) || correction > 1)
    {
        DcnFail("the option correction is at least 0 and at most 1, not ", correction);
    }
    if (limit != -1 && limit != 0 && !(limit > 1 && std::isfinite(limit)))
    {
        DcnFail("the option limit is -1, 0 or above 1, not ", limit);
    }
    const bool isPartial = correction > 0 && correction < 1;
    if ((isPartial || limit > 0) && M3FeatureSet::Get(architecture).isPublished)
    {
        DcnFail("the option ",
                isPartial ? "correction" : "limit",
                " has no effect with the published architecture, which has no base");
    }
    if (width % heads != 0)
    {
        DcnFail("the width ",
                width,
                " of a network of m3 is not a multiple of its ",
                heads,
                " heads");
    }
}

} // namespace ns3
