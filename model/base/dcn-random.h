/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_RANDOM_H
#define DCN_RANDOM_H

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Purposes of random numbers; each has streams of its own.
 *
 * Add new purposes at the end and never change a number: results of earlier runs depend on it.
 */
enum class DcnPurpose : uint8_t
{
    FLOW_SIZES = 1,         //!< bytes of each flow
    FLOW_PAIRS = 2,         //!< source (index 0) and destination (index 1) of each flow
    TEST_PAIRS = 3,         //!< likewise, for pairs that only calibrate the load
    ARRIVAL_GAPS = 4,       //!< gaps between flows (index 0), phase of each source (index 1)
    MATRIX_SHAPE = 5,       //!< generated rack matrices: roles (index 0), weights (1), pairs (2)
    MATRIX_HOSTS = 6,       //!< hosts that take part in incast, permutation and all-to-all
    ECN_MARKING = 7,        //!< random marking by switches
    DATASET_WORKLOAD = 8,   //!< data sets: draws of a workload (index: hash of the key)
    DATASET_NETWORK = 9,    //!< data sets: draws of a configuration (index likewise)
    PATH_SAMPLING = 10,     //!< sample of the paths to simulate
    RECIPE = 12,            //!< recipes of scenarios (index: hash of the key)
    MQL_TRAFFIC = 14,       //!< synthetic traffic of mql: active pairs, their rates
    MQL_TRUTH_PACKETS = 20, //!< ground truth of mql: gaps, sizes, paths (index: flow)
    MQL_TRUTH_TRAFFIC = 21, //!< ground truth of mql: pairs (index 0), rates (1), node sets (2)
    SUITE = 24,             //!< scenario suites: draws (index: purpose and scenarios)
    SUITE_REPETITION = 25,  //!< scenario suites: delays of the starts (index: repetition)
    LINK_DELAYS = 28,       //!< Parsimon: key of the draws from delay distributions
    TRIAL_VALUES = 32,      //!< trials of a known distribution, to check stopping rules
    SIZE_PROPOSAL = 33,     //!< importance sampling: flows whose size is from the proposal
    MODEL_WEIGHTS = 40,     //!< initial weights of a network (index: matrix)
    M4_TRAINING = 41,       //!< order of the simulations on which m4 is trained (index: epoch)
    M3_TRAINING = 42,       //!< order of the paths on which m3 is trained (index: epoch)
    NOC_ARRIVALS = 44,      //!< networks on chip: gaps between requests (index: node)
    NOC_DESTINATIONS = 45,  //!< networks on chip: destinations of requests (index: node)
    NOC_HITS = 46,          //!< networks on chip: hit or miss (index: node)
    NOC_CONTROLLER = 47,    //!< networks on chip: memory controller of a miss (index: node)
    NOC_SERVICE = 48,       //!< networks on chip: service of sinks (index: node)
    NOC_WORKLOADS = 49,     //!< networks on chip: rates of the phases of workloads (index: none)
};

/**
 * @ingroup dcn
 * @brief Turns a seed and a purpose into an ns-3 random stream.
 *
 *     stream = seed * 2^31 + purpose * 2^23 + index
 *
 * Fixed stream numbers have 63 bits in ns-3: 32-bit seeds, 8-bit purposes and 23-bit indices (a
 * host, a switch) never share a stream, neither with one another nor with the streams that ns-3
 * numbers itself. Draws depend only on seed, purpose, index and ns-3's global RngSeed and RngRun,
 * which change all streams alike: another --RngRun gives an independent repetition.
 */
class DcnRandom
{
  public:
    static constexpr uint64_t MAX_SEED = 0xffffffffULL; //!< largest seed
    static constexpr uint32_t MAX_INDEX = 0x7fffff;     //!< largest index

    /**
     * @param seed from 0 to MAX_SEED
     * @throws DcnError if the seed is larger
     */
    explicit DcnRandom(uint64_t seed);

    /** @return the seed. */
    uint64_t GetSeed() const;

    /**
     * @param purpose of the draws
     * @param index which of several variables of this purpose, at most MAX_INDEX
     * @return the stream number for RandomVariableStream::SetStream
     */
    int64_t GetStream(DcnPurpose purpose, uint32_t index = 0) const;

    /**
     * @brief Give a random variable its stream; it starts from the stream's beginning.
     * @param variable the variable
     * @param purpose of its draws
     * @param index which of several variables of this purpose, at most MAX_INDEX
     */
    void Assign(Ptr<RandomVariableStream> variable, DcnPurpose purpose, uint32_t index = 0) const;

  private:
    uint64_t m_seed; //!< at most MAX_SEED
};

/**
 * @ingroup dcn
 * @brief Put elements in random order, each order equally likely (std::shuffle takes no ns-3
 * variable, and its result depends on the standard library).
 * @tparam T type of the elements
 * @param elements the elements
 * @param uniform source of the draws
 */
template <typename T>
void
DcnShuffle(std::vector<T>& elements, UniformRandomVariable& uniform)
{
    for (std::size_t i = elements.size(); i > 1; --i)
    {
        using std::swap;
        swap(elements[i - 1], elements[uniform.GetInteger(0, static_cast<uint32_t>(i - 1))]);
    }
}

} // namespace ns3

#endif /* DCN_RANDOM_H */
