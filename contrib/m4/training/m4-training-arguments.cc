/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-training-arguments.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"

#include <utility>

namespace ns3
{

void
M4TrainingArguments::AddTo(CommandLine& cmd)
{
    DcnAddText(cmd,
               "architecture",
               "Network: default, or published (m4, section 4)",
               m_architecture);
    DcnAddText(cmd,
               "messages",
               "Between flows and links: gated or graphsage; else as the architecture",
               m_messages);
    DcnAddText(cmd,
               "inputs",
               "What the network sees: fluid or published; else as the architecture",
               m_inputs);
    DcnAddText(cmd,
               "output",
               "What it predicts: residual (of the fluid) or slowdown; else as the architecture",
               m_output);
    DcnAddText(cmd,
               "heads",
               "Slowdowns are predicted apart from, or joint with, shares left and queues; else as "
               "the architecture",
               m_heads);
    DcnAddText(cmd,
               "memory",
               "Who remembers what flows were served: fluid, states, or none (states that are "
               "told nothing of it); else as the architecture",
               m_memory);
    cmd.AddValue("hidden", "Width of states; 0: as the architecture, 32 by default", m_hidden);
    cmd.AddValue("rounds",
                 "Rounds of messages at an event, or layers of GraphSAGE; -1: as the architecture, "
                 "1 by default",
                 m_rounds);
    cmd.AddValue("messageWidth",
                 "Width of messages, or between layers of GraphSAGE; 0: as the architecture, "
                 "that of states by default",
                 m_messageWidth);
    cmd.AddValue("headWidth",
                 "Width of the hidden layers of heads; 0: as the architecture, that of states by "
                 "default",
                 m_headWidth);
    cmd.AddValue("batch", "Simulations in lock-step", m_options.batch);
    cmd.AddValue("chunk", "Events between two steps of the optimiser", m_options.chunk);
    cmd.AddValue("epochs", "Times that simulations are played", m_options.epochs);
    cmd.AddValue("perEpoch",
                 "Simulations in an epoch, drawn anew for each; 0: all",
                 m_options.perEpoch);
    cmd.AddValue("curriculum",
                 "Epochs in the beginning that play the first part of each simulation: half of it "
                 "in the last of them, a quarter in the one before, and so on",
                 m_options.curriculum);
    cmd.AddValue("firstRate", "Learning rate in the beginning", m_options.firstRate);
    cmd.AddValue("lastRate", "Learning rate in the end", m_options.lastRate);
    cmd.AddValue("lambdaLeft",
                 "Weight of the shares left; 0: not supervised",
                 m_options.lambdaLeft);
    cmd.AddValue("lambdaQueue", "Weight of the queues; 0: not supervised", m_options.lambdaQueue);
    cmd.AddValue("rollouts",
                 "Share of simulations that are played as the model predicts, in all epochs unless "
                 "--firstRollouts is given; 0: teacher forcing",
                 m_options.rollouts);
    cmd.AddValue("firstRollouts",
                 "That share in the first epoch, from which it goes to --rollouts in equal steps; "
                 "-1: as --rollouts",
                 m_options.firstRollouts);
    cmd.AddValue("dense",
                 "Weight of slowdowns at all events of a flow, the rest is at its last one",
                 m_options.dense);
    cmd.AddValue("averaging",
                 "Decay per step of the average of the weights; 0: the latest weights",
                 m_options.averaging);
    cmd.AddValue("seed", "Seed of the training", m_options.seed);
}

M4TrainingOptions
M4TrainingArguments::Get() const
{
    M4TrainingOptions options = m_options;
    M4Architecture& architecture = options.architecture;
    architecture = M4Architecture::Make(m_architecture);
    for (const auto& [key, name] : {std::make_pair("messages", m_messages),
                                    std::make_pair("inputs", m_inputs),
                                    std::make_pair("output", m_output),
                                    std::make_pair("heads", m_heads),
                                    std::make_pair("memory", m_memory)})
    {
        if (!name.empty())
        {
            architecture.Choose(key, name);
        }
    }
    if (m_rounds < -1)
    {
        DcnFail("--rounds=", m_rounds, " is negative");
    }
    architecture.rounds = m_rounds < 0 ? architecture.rounds : static_cast<uint32_t>(m_rounds);
    architecture.hidden = m_hidden > 0 ? m_hidden : architecture.hidden;
    architecture.messageWidth = m_messageWidth > 0 ? m_messageWidth : architecture.messageWidth;
    architecture.headWidth = m_headWidth > 0 ? m_headWidth : architecture.headWidth;
    architecture.Check();
    return options;
}

} // namespace ns3
