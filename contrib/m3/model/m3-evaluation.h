/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_EVALUATION_H
#define M3_EVALUATION_H

#include "m3-example.h"
#include "m3-network.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief How far predictions for paths are from what packets did on them.
 *
 * The error of a path and class is |estimate / truth - 1| of the 99th percentile of slowdowns, the
 * estimate's being that of the points of M3Expand (DcnWeightedQuantile). Only classes with at least
 * LEAST_FLOWS foreground flows that finished count: of fewer, the 99th percentile is the largest
 * value, and says more about chance than about the path.
 */
class M3Evaluation
{
  public:
    static constexpr std::size_t LEAST_FLOWS = 50; //!< see above

    /// Errors of a size class.
    struct Row
    {
        std::string name; //!< of DcnSizeClasses
        uint64_t nPaths;  //!< that count
        double fluid;     //!< mean error of the fluid
        double model;     //!< mean error of the network
    };

    /**
     * @param examples with truth
     * @param network what predicts
     */
    M3Evaluation(const std::vector<M3Example>& examples, const M3Network& network);

    /** @return pinball loss of the network. */
    double GetLoss() const;
    /** @return pinball loss of the fluid. */
    double GetFluidLoss() const;
    /** @return a row for each of DcnSizeClasses that has paths. */
    const std::vector<Row>& GetRows() const;

  private:
    double m_loss{0};        //!< see GetLoss
    double m_fluidLoss{0};   //!< see GetFluidLoss
    std::vector<Row> m_rows; //!< see GetRows
};

} // namespace ns3

#endif /* M3_EVALUATION_H */
