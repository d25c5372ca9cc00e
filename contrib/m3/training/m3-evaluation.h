/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_EVALUATION_H
#define M3_EVALUATION_H

#include "../model/estimate/m3-distribution.h"
#include "../model/network/m3-network.h"
#include "m3-example.h"

#include "ns3/dcn-statistics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Errors of predictions against packet simulations, on paths and on networks.
 *
 * *Paths.* The error of a path and size class is |estimate / truth - 1| of the 99th percentile of
 * slowdowns. The truth is the sample quantile (DcnQuantile) of the n finished flows, whose rank
 * scatters around (n - 1) p: with 50 flows it is near the 97.7th percentile of their distribution.
 * The model therefore answers with its quantile function (the points of M3Expand,
 * DcnWeightedQuantile) at the median of that rank,
 *
 *     p' = ((n - 1) p + 2/3) / (n + 1/3);
 *
 * for the base, which has a slowdown for each flow, the sample quantile is compared. Only classes
 * with at least LEAST_FLOWS foreground flows are included: with fewer, the percentile is mostly
 * random, and even the true distribution has errors of 20 % to 60 %.
 *
 * *Networks.* Estimates and ground truth of all examples of a network are pooled, flow by flow. A
 * class is included with at least LEAST_FLOWS flows.
 *
 * *Noise.* The flows in the order of their starts, assigned alternately to two halves, are two
 * samples of one distribution. With n flows, |ln(p99 of one / p99 of the other)| / 2 has the size
 * of the error of a p99 of n flows, the least possible error even of the true distribution.
 */
class M3Evaluation
{
  public:
    static constexpr std::size_t LEAST_FLOWS = 200; //!< see above

    /// Mean errors of a size class.
    struct Row
    {
        std::string name;  //!< name of the class (DcnSizeClasses)
        uint64_t n{0};     //!< paths or networks included
        double flowsim{0}; //!< error of a fluid without windows; 0 if not available
        double base{0};    //!< error of M3Base
        double model{0};   //!< error of the model
        double bias{0};    //!< mean of estimate / truth - 1 of the model
        double noise{0};   //!< noise floor, see above
    };

    /// Relative errors of the p99 of a network.
    struct NetworkError
    {
        uint64_t network{0};   //!< M3Example::network
        std::string sizeClass; //!< name
        uint64_t nFlows{0};    //!< finished, on the paths drawn
        double base{0};        //!< signed, of M3Base
        double model{0};       //!< signed, of the model
        double noise{0};       //!< noise floor, see above
    };

    /**
     * @param examples with truth, in the feature set of the network
     * @param network the model
     */
    M3Evaluation(const std::vector<M3Example>& examples, const M3Network& network);

    /** @return loss of the network. */
    double GetLoss() const;
    /** @return loss of M3Base. */
    double GetBaseLoss() const;
    /**
     * @return half the mean error of the path rows plus half that of the network rows; the loss
     * without rows. The epochs of a training are compared by the loss instead: a row with few
     * networks, each with its own noise, changes the score more than an epoch does.
     */
    double GetScore() const;
    /** @return a row for each of DcnSizeClasses that has paths. */
    const std::vector<Row>& GetPaths() const;
    /** @return a row for each of DcnSizeClasses that has networks. */
    const std::vector<Row>& GetNetworks() const;
    /** @return the errors that GetNetworks has the means of, by network and size class. */
    const std::vector<NetworkError>& GetNetworkErrors() const;

  private:
    /// Ground truth and estimates of some flows.
    struct Flows
    {
        std::vector<double> truth;                    //!< log slowdowns by start
        std::vector<double> flowsim;                  //!< log slowdowns in a fluid without windows
        std::vector<double> base;                     //!< log slowdowns by M3Base
        std::vector<std::pair<double, double>> model; //!< slowdown and flows of points
    };

    /// Adds ground truth and predictions of the flows of a class of an example.
    static void Add(const M3Example& example,
                    const std::vector<M3Point>& points,
                    const DcnSizeClass& sizeClass,
                    Flows& flows);
    /// Adds errors to a row; sorts the flows. Returns them; of no flows if these are too few.
    static NetworkError Count(Flows& flows, Row& row);
    /// Computes means from sums, and removes empty rows.
    static void Finish(std::vector<Row>& rows);

    double m_loss{0};                   //!< see GetLoss
    double m_baseLoss{0};               //!< see GetBaseLoss
    std::vector<Row> m_paths;           //!< see GetPaths
    std::vector<Row> m_networks;        //!< see GetNetworks
    std::vector<NetworkError> m_errors; //!< see GetNetworkErrors
};

} // namespace ns3

#endif /* M3_EVALUATION_H */
