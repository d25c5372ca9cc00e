/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-architecture.h"

#include "ns3/dcn-error.h"

#include <cmath>
#include <utility>

namespace ns3
{

namespace
{

/// A choice of two, by the names that it has in cards and options.
struct Choice
{
    const char* key;              //!< of the card
    const char* usual;            //!< by default, and if a card says nothing
    const char* other;            //!< the other
    bool M4Architecture::*member; //!< true: the other
};

constexpr Choice CHOICES[] = {
    {"messages", "gated", "graphsage", &M4Architecture::graphSage},
    {"inputs", "fluid", "published", &M4Architecture::publishedInputs},
    {"output", "residual", "slowdown", &M4Architecture::rawSlowdown},
    {"heads", "apart", "joint", &M4Architecture::jointHeads},
};

constexpr const char* MEMORY = "memory";                        //!< key of the M4Memory
constexpr const char* MEMORIES[] = {"fluid", "states", "none"}; //!< by M4Memory

/**
 * @param memory a choice
 * @return its name
 */
const char*
GetName(M4Memory memory)
{
    return MEMORIES[static_cast<std::size_t>(memory)];
}

/**
 * @param model a model
 * @param key of its architecture
 * @param least smallest value
 * @param most largest value
 * @return the value
 */
uint32_t
ReadWhole(const DcnModelFile& model, const std::string& key, double least, double most)
{
    const double value = model.GetNumber("architecture", key);
    if (!(value >= least && value <= most) || value != std::floor(value))
    {
        DcnFail("architecture.",
                key,
                " of the model must be a whole number from ",
                least,
                " to ",
                most,
                ", but it is ",
                value);
    }
    return static_cast<uint32_t>(value);
}

} // namespace

M4Architecture
M4Architecture::MakePublished()
{
    M4Architecture published;
    published.hidden = 400;
    published.rounds = 3;
    published.messageWidth = 300;
    published.headWidth = 200;
    published.graphSage = true;
    published.publishedInputs = true;
    published.rawSlowdown = true;
    return published;
}

M4Architecture
M4Architecture::Make(const std::string& name)
{
    if (name != "default" && name != "published")
    {
        DcnFail("the architecture must be default or published, but it is ", name);
    }
    return name == "default" ? M4Architecture() : MakePublished();
}

M4Architecture
M4Architecture::Read(const DcnModelFile& model)
{
    M4Architecture architecture;
    architecture.hidden = ReadWhole(model, "hidden", 1, MAX_WIDTH);
    architecture.rounds = ReadWhole(model, "rounds", 0, MAX_ROUNDS);
    for (const auto& [key, value] : model.GetSection("architecture"))
    {
        if (key == "message_width")
        {
            architecture.messageWidth = ReadWhole(model, key, 1, MAX_WIDTH);
        }
        else if (key == "head_width")
        {
            architecture.headWidth = ReadWhole(model, key, 1, MAX_WIDTH);
        }
        else if (key != "hidden" && key != "rounds" && key != "feature_version")
        {
            architecture.Choose(key, value);
        }
    }
    architecture.Check();
    return architecture;
}

void
M4Architecture::Choose(const std::string& key, const std::string& name)
{
    for (const Choice& choice : CHOICES)
    {
        if (choice.key == key)
        {
            if (name != choice.usual && name != choice.other)
            {
                DcnFail("the ",
                        key,
                        " of the network must be ",
                        choice.usual,
                        " or ",
                        choice.other,
                        ", but it is ",
                        name);
            }
            this->*choice.member = name == choice.other;
            return;
        }
    }
    if (key == MEMORY)
    {
        for (const M4Memory known : {M4Memory::FLUID, M4Memory::STATES, M4Memory::NONE})
        {
            if (name == GetName(known))
            {
                memory = known;
                return;
            }
        }
        DcnFail("the memory of the network must be fluid, states or none, but it is ", name);
    }
    DcnFail("of the network, messages, inputs, output, heads and memory can be chosen, but not ",
            key);
}

void
M4Architecture::Write(DcnModelFile& model) const
{
    const char* section = "architecture";
    model.Set(section, "hidden", hidden);
    model.Set(section, "rounds", rounds);
    if (GetMessageWidth() != hidden)
    {
        model.Set(section, "message_width", messageWidth);
    }
    if (GetHeadWidth() != hidden)
    {
        model.Set(section, "head_width", headWidth);
    }
    for (const Choice& choice : CHOICES)
    {
        if (this->*choice.member)
        {
            model.Set(section, choice.key, std::string(choice.other));
        }
    }
    if (memory != M4Memory::FLUID)
    {
        model.Set(section, MEMORY, std::string(GetName(memory)));
    }
}

std::string
M4Architecture::Describe() const
{
    std::string text = "hidden=" + std::to_string(hidden) + " rounds=" + std::to_string(rounds);
    if (GetMessageWidth() != hidden)
    {
        text += " message_width=" + std::to_string(messageWidth);
    }
    if (GetHeadWidth() != hidden)
    {
        text += " head_width=" + std::to_string(headWidth);
    }
    for (const Choice& choice : CHOICES)
    {
        if (this->*choice.member)
        {
            text += std::string(" ") + choice.key + "=" + choice.other;
        }
    }
    if (memory != M4Memory::FLUID)
    {
        text += std::string(" ") + MEMORY + "=" + GetName(memory);
    }
    return text;
}

void
M4Architecture::Check() const
{
    for (const auto& [what, width] : {std::make_pair("states", hidden),
                                      std::make_pair("messages", GetMessageWidth()),
                                      std::make_pair("heads", GetHeadWidth())})
    {
        if (width < 1 || width > MAX_WIDTH)
        {
            DcnFail("the width of ", what, " must be from 1 to ", MAX_WIDTH, ", but it is ", width);
        }
    }
    if (rounds > MAX_ROUNDS || (graphSage && rounds == 0))
    {
        DcnFail("the number of ",
                graphSage ? "layers of GraphSAGE" : "rounds of messages",
                " must be from ",
                graphSage ? 1 : 0,
                " to ",
                MAX_ROUNDS,
                ", but it is ",
                rounds);
    }
    if (GetMessageWidth() != hidden && rounds == (graphSage ? 1U : 0U))
    {
        DcnFail("a width of messages of ",
                messageWidth,
                " has no effect with ",
                graphSage ? "one layer of GraphSAGE, which is as wide as states"
                          : "no rounds of messages");
    }
    if (jointHeads && rawSlowdown)
    {
        DcnFail("joint heads start from the fluid, so that the output of the network must be "
                "residual");
    }
    if (memory != M4Memory::FLUID && publishedInputs && rawSlowdown)
    {
        DcnFail("memory=",
                GetName(memory),
                " has no effect with published inputs and slowdowns as they are, which have "
                "nothing of the fluid");
    }
    const auto& start = GetPublishedInputs().flowStart;
    if (publishedInputs && (!graphSage || hidden < start.size()))
    {
        DcnFail("published inputs need layers of GraphSAGE and states of at least ",
                start.size(),
                " numbers");
    }
}

uint32_t
M4Architecture::GetMessageWidth() const
{
    return messageWidth > 0 ? messageWidth : hidden;
}

uint32_t
M4Architecture::GetHeadWidth() const
{
    return headWidth > 0 ? headWidth : hidden;
}

uint32_t
M4Architecture::GetLayerWidth(uint32_t layer) const
{
    return layer == 0 || layer == rounds ? hidden : GetMessageWidth();
}

DcnTorchGraphNetwork::Sizes
M4Architecture::MakeTorchSizes() const
{
    DcnTorchGraphNetwork::Sizes sizes;
    sizes.hidden = hidden;
    sizes.flowFeatures = M4Features::N_FLOW;
    sizes.linkFeatures = M4Features::N_LINK;
    sizes.rounds = rounds;
    sizes.messageWidth = messageWidth;
    sizes.headWidth = headWidth;
    sizes.graphSage = graphSage;
    sizes.rawSlowdown = rawSlowdown;
    sizes.jointHeads = jointHeads;
    if (publishedInputs)
    {
        sizes.inputs = GetPublishedInputs();
    }
    return sizes;
}

const DcnTorchGraphNetwork::Inputs&
M4Architecture::GetPublishedInputs()
{
    static const DcnTorchGraphNetwork::Inputs INPUTS = [] {
        DcnTorchGraphNetwork::Inputs inputs;
        inputs.flowTime = {M4Features::N_STATIC + M4Features::IDLE};
        inputs.linkTime = {M4Features::LINK_IDLE};
        inputs.flowStart = {M4Features::SIZE, M4Features::HOPS};
        // 13 parameters of the configuration as published (section 4), in other units; PFC is in
        // the place of DCTCP's K, which is Kmin here
        for (uint32_t column = M4Features::CC_DCTCP; column <= M4Features::RTT_HIGH; ++column)
        {
            inputs.flowUpdate.push_back(column);
        }
        inputs.flowHead = {M4Features::HOPS};
        inputs.flowHead.insert(inputs.flowHead.end(),
                               inputs.flowUpdate.begin(),
                               inputs.flowUpdate.end());
        return inputs;
    }();
    return INPUTS;
}

} // namespace ns3
