/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_SIMILARITY_H
#define MQL_SIMILARITY_H

#include <array>
#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Keys of similar queues: a logarithmic grid over their parameters.
 *
 * The dissertation (chapter 5, Algorithm 5) calls flow splits similar if all parameters differ by
 * at most S_T (relative). Its greedy search compares with every cluster found so far, and depends
 * on the order. Here each parameter v becomes floor(ln v / ln(1 + S_T)): equal keys mean a
 * difference below S_T, found in O(1). Neighbours across a border of the grid are not merged, which
 * costs calls but no accuracy. S_T = 0 means equality up to rounding (2^-40, since sums depend on
 * their order). Zero, and values within 1e-9 of it, have a key of their own.
 */
class MqlSimilarityGrid
{
  public:
    /**
     * @param threshold S_T, at least 0
     * @throws DcnError for a negative threshold
     */
    explicit MqlSimilarityGrid(double threshold);

    /**
     * @param value a parameter, any sign
     * @return its place on the grid
     */
    int64_t Bin(double value) const;

  private:
    double m_perLog{0}; //!< 1 / ln(1 + S_T); 0: exact
};

/**
 * @ingroup mql
 * @brief Results of a model by key, to call the model once per key.
 * @tparam N number of parts of a key
 * @tparam Result of the model
 */
template <std::size_t N, typename Result>
class MqlMemo
{
  public:
    using Key = std::array<int64_t, N>; //!< Bin of each parameter

    /**
     * @brief Get the result of a key; compute it if the key is new.
     * @param key the key
     * @param compute makes the result
     * @return the result of the first call with this key; valid until the next call
     */
    template <typename Compute>
    const Result& Get(const Key& key, Compute&& compute)
    {
        const auto [position, isNew] = m_results.try_emplace(key);
        if (isNew)
        {
            position->second = compute();
        }
        return position->second;
    }

    /** @return number of results computed. */
    uint64_t GetNCalls() const
    {
        return m_results.size();
    }

  private:
    struct Hash
    {
        std::size_t operator()(const Key& key) const
        {
            uint64_t hash = 0xcbf29ce484222325ULL;
            for (int64_t part : key)
            {
                hash = (hash ^ static_cast<uint64_t>(part)) * 0x9e3779b97f4a7c15ULL;
                hash ^= hash >> 29;
            }
            return hash;
        }
    };

    std::unordered_map<Key, Result, Hash> m_results; //!< by key
};

} // namespace ns3

#endif /* MQL_SIMILARITY_H */
