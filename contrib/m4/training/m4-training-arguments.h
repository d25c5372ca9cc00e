/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TRAINING_ARGUMENTS_H
#define M4_TRAINING_ARGUMENTS_H

#include "m4-trainer.h"

#include <cstdint>
#include <string>

namespace ns3
{

class CommandLine;

/**
 * @ingroup m4
 * @brief Command-line arguments of a training.
 *
 * What is said of the network's parts replaces what --architecture has, whatever the order.
 */
class M4TrainingArguments
{
  public:
    M4TrainingArguments() = default;
    M4TrainingArguments(const M4TrainingArguments&) = delete; // a command line refers to it
    M4TrainingArguments& operator=(const M4TrainingArguments&) = delete;

    /**
     * @param cmd gets the arguments; this object must outlive its parsing
     */
    void AddTo(CommandLine& cmd);

    /**
     * @return what was asked for
     * @throws DcnError if an architecture or its part has another name, or makes no sense
     */
    M4TrainingOptions Get() const;

  private:
    M4TrainingOptions m_options;           //!< all but the architecture
    std::string m_architecture{"default"}; //!< see M4Architecture::Make
    std::string m_messages;                //!< see M4Architecture::Choose; empty: not said
    std::string m_inputs;                  //!< likewise
    std::string m_output;                  //!< likewise
    std::string m_heads;                   //!< likewise
    std::string m_memory;                  //!< likewise
    uint32_t m_hidden{0};                  //!< H; 0: not said
    int32_t m_rounds{-1};                  //!< R; -1: not said
    uint32_t m_messageWidth{0};            //!< G; 0: not said
    uint32_t m_headWidth{0};               //!< D; 0: not said
};

} // namespace ns3

#endif /* M4_TRAINING_ARGUMENTS_H */
