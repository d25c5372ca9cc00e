/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_ARCHITECTURE_H
#define M4_ARCHITECTURE_H

#include "m4-features.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-torch-graph-network.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup m4
 * @brief What the network of m4 looks like: ours by default, with other parts, or as published.
 *
 * The published network (m4, section 4) has states of H = 400 numbers, three layers of GraphSAGE of
 * width G = 300 with sums, each followed by LayerNorm, heads with a hidden layer of D = 200, sees
 * nothing of the fluid, and predicts slowdowns as they are. MakePublished is that. The released
 * weights, of 6 MB, are those of H = 200, which makes 1,501,003 numbers.
 *
 * The equations of both are at M4Network.
 */
struct M4Architecture
{
    static constexpr uint32_t MAX_WIDTH = 1024; //!< largest H, G and D
    static constexpr uint32_t MAX_ROUNDS = 16;  //!< largest R

    uint32_t hidden{32};         //!< H, width of states
    uint32_t rounds{1};          //!< R, rounds of messages, or layers of GraphSAGE
    uint32_t messageWidth{0};    //!< G, width of messages, or between layers of GraphSAGE; 0: H
    uint32_t headWidth{0};       //!< D, width of the hidden layer of a head; 0: H
    bool graphSage{false};       //!< layers of GraphSAGE and one update, in place of R rounds
    bool publishedInputs{false}; //!< only published ones; needs graphSage
    bool rawSlowdown{false};     //!< slowdown and share left as they are, not relative to the fluid
    bool jointHeads{false};      //!< slowdowns start from what the other heads say; not if raw
    M4Memory memory{M4Memory::FLUID}; //!< as by default if inputs are published and output raw

    /** @return the published one. */
    static M4Architecture MakePublished();

    /**
     * @param name default or published
     * @return that one
     * @throws DcnError for another name
     */
    static M4Architecture Make(const std::string& name);

    /**
     * @brief Choose a part that is not as by default.
     * @param key messages (gated or graphsage), inputs (fluid or published), output (residual or
     * slowdown), heads (apart or joint) or memory (fluid, states or none)
     * @param name of the choice
     * @throws DcnError for another key or name
     */
    void Choose(const std::string& key, const std::string& name);

    /**
     * @param model a model
     * @return what its card says; what it does not mention is as by default
     * @throws DcnError if that makes no sense or is not known
     */
    static M4Architecture Read(const DcnModelFile& model);

    /**
     * @brief Write into the card of a model: H, R, and whatever is not as by default.
     * @param model whose card
     */
    void Write(DcnModelFile& model) const;

    /**
     * @brief Refuse what makes no sense or has no effect.
     * @throws DcnError that says what
     */
    void Check() const;

    /** @return the same as Write, as text. */
    std::string Describe() const;

    /** @return G. */
    uint32_t GetMessageWidth() const;
    /** @return D. */
    uint32_t GetHeadWidth() const;
    /**
     * @param layer of GraphSAGE, from 0
     * @return how many numbers a flow or link has before it; with R, after the last
     */
    uint32_t GetLayerWidth(uint32_t layer) const;

    /** @return the same for training. */
    DcnTorchGraphNetwork::Sizes MakeTorchSizes() const;

    /** @return columns of M4Features that the published network has, by where it has them. */
    static const DcnTorchGraphNetwork::Inputs& GetPublishedInputs();
};

} // namespace ns3

#endif /* M4_ARCHITECTURE_H */
