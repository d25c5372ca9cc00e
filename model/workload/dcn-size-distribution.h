/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SIZE_DISTRIBUTION_H
#define DCN_SIZE_DISTRIBUTION_H

#include "ns3/dcn-parallel.h"
#include "ns3/dcn-random.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Distribution of flow sizes in payload bytes.
 *
 * Created by name:
 *
 * - `web-server cache-follower hadoop web-search ali-storage fb-hdp google-rpc`: cumulative
 *   distributions in data/sizes, linear in bytes between the points (Parsimon, section 5; origin
 *   in data/README.md);
 * - a path (it contains '/' or ends in .csv): a user's points, columns
 *   `size_bytes,cdf_percent`, both strictly increasing; the last cdf is 100 (percent) or 1
 *   (fractions). Below the first point's probability the size is that of the first point;
 * - `exp:THETA gaussian:THETA lognorm:THETA pareto:THETA`: the synthetic forms of m3's training
 *   (section 4). With nominal mean M = 1000 bytes * (THETA / 5000)^2 and floor B = 50 bytes,
 *   - exp: B + exponential of mean M - B;
 *   - gaussian: B + normal of mean M - B and standard deviation M, redrawn while negative;
 *   - lognorm: B + log-normal of shape 1 + THETA / 50000 and mean M - B;
 *   - pareto: B + generalised Pareto of scale M / 2 and the shape for which a fifth of all flows
 *     exceeds M;
 * - `random:SEED`: an empirical distribution with random points, equal for equal SEED, RngSeed and
 *   RngRun, for training sets that represent no particular application (mostly many tiny flows, and
 *   most bytes in few large ones). The largest size L is log-uniform from 30 KB to 30 MB; 2 to 8
 *   further sizes (uniform number) are log-uniform from 100 bytes to L (equal sizes are merged),
 * and the smallest is 50 bytes. The interval below size s_i contains the share w_i / sum w of the
 * flows, uniformly, with w_i = e_i (s_i / L)^-b, e_i exponential with mean 1 (at least 1e-6), and b
 * uniform from 0 to 0.8: the larger b, the rarer large flows;
 * - `constant:BYTES`.
 *
 * A continuous draw is rounded to whole bytes and is at least 1. Means are those of the draws,
 * which differ from M for gaussian and pareto. Means of the empirical forms include rounding; for
 * parametric forms its effect is below a hundredth of a byte and is neglected.
 */
class DcnSizeDistribution : public DcnSharedCount<DcnSizeDistribution>
{
  public:
    /**
     * @brief Create a distribution.
     * @param name see the class
     * @return the distribution; ns-3 chooses its random stream unless AssignStreams is called
     * @throws DcnError for an unknown name, a bad parameter or a malformed file
     */
    static Ptr<DcnSizeDistribution> Create(const std::string& name);

    /// Makes a distribution from its whole name ("exp:5000") and its argument ("5000").
    using Maker = std::function<Ptr<DcnSizeDistribution>(const std::string& name,
                                                         const std::string& argument)>;

    /**
     * @brief Registers the forms of a source file: by a static object in it.
     */
    struct Registration
    {
        /**
         * @param form text before the colon of a name
         * @param argument name of the text after the colon, for messages
         * @param maker makes a distribution, and throws DcnError for a bad argument
         */
        Registration(const std::string& form, const std::string& argument, const Maker& maker);
    };

    static constexpr double LARGEST_BYTES = 1e15; //!< largest size of a flow [bytes]

    /** @return the names of the empirical distributions that are shipped. */
    static const std::vector<std::string>& GetEmpiricalNames();

    virtual ~DcnSizeDistribution() = default;
    DcnSizeDistribution(const DcnSizeDistribution&) = delete;
    DcnSizeDistribution& operator=(const DcnSizeDistribution&) = delete;

    /** @return the name given to Create. */
    const std::string& GetName() const;

    /** @return the size of the next flow, at least 1 [bytes]. */
    uint64_t Sample();

    /**
     * @brief Quantile function: for p uniform in [0, 1) the result is distributed as Sample().
     * @param p probability in [0, 1]; 1 counts as the largest number below 1
     * @return the p-quantile of sizes, at least 1 [bytes]
     */
    uint64_t GetQuantile(double p) const;

    /** @return the exact mean of Sample() [bytes]. */
    double GetMean() const;

    /**
     * @param capBytes a cap, at least 1 [bytes]
     * @return the exact mean of min(Sample(), cap) [bytes]
     */
    virtual double GetLimitedMean(double capBytes) const = 0;

    /**
     * @brief Fix the random stream.
     * @param random the seed
     */
    void AssignStreams(const DcnRandom& random);

  protected:
    /**
     * @param name the name given to Create
     * @param variable source of the draws
     */
    DcnSizeDistribution(const std::string& name, Ptr<RandomVariableStream> variable);

  private:
    /**
     * @brief Draw a size before rounding.
     * @param variable source of the draws
     * @return the size [bytes]
     */
    virtual double Draw(RandomVariableStream& variable);

    /**
     * @brief Quantile before rounding.
     * @param p probability in [0, 1)
     * @return the size [bytes]
     */
    virtual double Invert(double p) const = 0;

    std::string m_name;                   //!< as given to Create
    Ptr<RandomVariableStream> m_variable; //!< the only source of random numbers
};

} // namespace ns3

#endif /* DCN_SIZE_DISTRIBUTION_H */
