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
 * Made by name:
 *
 * - `web-server cache-follower hadoop web-search ali-storage fb-hdp google-rpc`: cumulative
 *   distributions in data/sizes, linear in bytes between the points (Parsimon, section 5; origin
 *   in data/README.md);
 * - a path (it contains '/' or ends in .csv): the user's points, columns
 *   `size_bytes,cdf_percent`, both strictly increasing; the last cdf is 100 (percent) or 1
 *   (fractions). Below the first point's probability the size is the first point's;
 * - `exp:THETA gaussian:THETA lognorm:THETA pareto:THETA`: the synthetic forms that m3 is trained
 *   on (section 4). With nominal mean M = 1000 bytes * (THETA / 5000)^2 and floor B = 50 bytes,
 *   - exp: B + exponential of mean M - B;
 *   - gaussian: B + normal of mean M - B and standard deviation M, drawn again while negative;
 *   - lognorm: B + log-normal of shape 1 + THETA / 50000 and mean M - B;
 *   - pareto: B + generalised Pareto of scale M / 2 and the shape for which a fifth of all flows
 *     exceeds M;
 * - `random:SEED`: an empirical distribution whose points are themselves drawn, the same for the
 *   same SEED, RngSeed and RngRun, for training sets that know no application's sizes but cover
 *   their like (mostly many tiny flows and most bytes in few large ones). The largest size L is
 *   log-uniform from 30 KB to 30 MB; 2 to 8 further sizes, each number as likely, are log-uniform
 *   from 100 bytes to L (those that are equal are one) and the smallest is 50 bytes. Between two
 *   sizes in order lies the share w_i / sum w of the flows, evenly, with w_i = e_i (s_i / L)^-b,
 *   e_i exponential with mean 1 (at least 1e-6), s_i the upper size and b uniform from 0 to 0.8:
 *   the larger b, the rarer large flows;
 * - `constant:BYTES`.
 *
 * A continuous draw is rounded to whole bytes and is at least 1. Means are those of the draws,
 * which is not M for gaussian and pareto. Rounding is part of the mean of the empirical forms; it
 * moves that of the parametric ones by less than a hundredth of a byte, which is left out.
 */
class DcnSizeDistribution : public DcnSharedCount<DcnSizeDistribution>
{
  public:
    /**
     * @brief Make a distribution.
     * @param name see the class
     * @return the distribution, with a stream that ns-3 numbers until AssignStreams is called
     * @throws DcnError for an unknown name, a bad parameter or a malformed file
     */
    static Ptr<DcnSizeDistribution> Create(const std::string& name);

    /// Makes a distribution from its whole name ("exp:5000") and its argument ("5000").
    using Maker = std::function<Ptr<DcnSizeDistribution>(const std::string& name,
                                                         const std::string& argument)>;

    /**
     * @brief Registers the forms of a source file: a static object beside the classes.
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

    /** @return the names of the empirical distributions that come with the module. */
    static const std::vector<std::string>& GetEmpiricalNames();

    virtual ~DcnSizeDistribution() = default;
    DcnSizeDistribution(const DcnSizeDistribution&) = delete;
    DcnSizeDistribution& operator=(const DcnSizeDistribution&) = delete;

    /** @return the name it was made by. */
    const std::string& GetName() const;

    /** @return the size of the next flow, at least 1 [bytes]. */
    uint64_t Sample();

    /**
     * @brief Quantile function: with p uniform in [0, 1) it is distributed as Sample().
     * @param p probability in [0, 1]; 1 stands for the largest number below it
     * @return the size below which a part p of all flows is, at least 1 [bytes]
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
     * @param name the name it was made by
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
    Ptr<RandomVariableStream> m_variable; //!< the only source of chance
};

} // namespace ns3

#endif /* DCN_SIZE_DISTRIBUTION_H */
