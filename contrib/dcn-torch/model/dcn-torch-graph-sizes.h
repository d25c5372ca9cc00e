/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_GRAPH_SIZES_H
#define DCN_TORCH_GRAPH_SIZES_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief Columns of the features that go straight to a place of a DcnTorchGraphNetwork, without x
 * and y; see there.
 */
struct DcnTorchGraphInputs
{
    std::vector<uint32_t> flowTime;   //!< to GRU_gru_tf
    std::vector<uint32_t> flowUpdate; //!< to GRU_gru_uf
    std::vector<uint32_t> flowHead;   //!< to mlp_fct
    std::vector<uint32_t> flowStart;  //!< first numbers of the state of a new flow
    std::vector<uint32_t> linkTime;   //!< to GRU_gru_tl
};

/**
 * @ingroup dcn-torch
 * @brief What a DcnTorchGraphNetwork looks like.
 */
struct DcnTorchGraphSizes
{
    uint32_t hidden{32};          //!< H
    uint32_t flowFeatures{0};     //!< DF
    uint32_t linkFeatures{0};     //!< DL
    uint32_t rounds{1};           //!< R, may be 0 unless layers of GraphSAGE
    uint32_t messageWidth{0};     //!< G; 0: H
    uint32_t headWidth{0};        //!< D; 0: H
    bool graphSage{false};        //!< layers of GraphSAGE in place of messages
    bool rawSlowdown{false};      //!< predicts slowdown and part left without the fluid ones
    DcnTorchGraphInputs inputs{}; //!< columns of features; flowTime empty: x and y
    bool jointHeads{false};       //!< slowdowns start from what the other heads say

    /** @return G. */
    uint32_t GetMessageWidth() const
    {
        return messageWidth > 0 ? messageWidth : hidden;
    }

    /** @return D. */
    uint32_t GetHeadWidth() const
    {
        return headWidth > 0 ? headWidth : hidden;
    }

    /**
     * @param layer of GraphSAGE, from 0
     * @return numbers per row before it; with R, after the last
     */
    uint32_t GetLayerWidth(uint32_t layer) const
    {
        return layer == 0 || layer == rounds ? hidden : GetMessageWidth();
    }
};

} // namespace ns3

#endif /* DCN_TORCH_GRAPH_SIZES_H */
