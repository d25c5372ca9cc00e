/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_SCALER_H
#define M3_SCALER_H

#include "ns3/dcn-model-file.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Standardises features to mean 0 and variance 1, and limits them.
 *
 * A feature f becomes clamp((f - mean) / deviation, -LIMIT, LIMIT), with the mean and standard
 * deviation of the training data in which it is present; ABSENT becomes 0, the mean. If ABSENT were
 * a number, the deviation would be dominated by the difference between present and absent. A
 * feature without variance in training becomes 0, since the network cannot have learned its
 * influence.
 */
class M3Scaler
{
  public:
    static constexpr float LIMIT = 6; //!< largest feature after scaling
    /// An absent feature: not a number.
    static constexpr float ABSENT = std::numeric_limits<float>::quiet_NaN();

    /**
     * @param n number of features, which are not scaled, but limited to LIMIT
     */
    explicit M3Scaler(std::size_t n = 0);

    /**
     * @brief Compute means and deviations.
     * @param rows rows of n features of each path; at least one row in total
     * @param n number of features in a row
     * @return the scaler
     */
    static M3Scaler Fit(const std::vector<const std::vector<float>*>& rows, std::size_t n);

    /**
     * @param model a model with the scaler (Add)
     * @param name name of the features
     * @param n number of features
     * @return the scaler
     * @throws DcnError if it is missing
     */
    static M3Scaler Read(const DcnModelFile& model, const std::string& name, std::size_t n);

    /**
     * @param model the matrices name.mean and name.scale are added to it
     * @param name of the features
     */
    void Add(DcnModelFile& model, const std::string& name) const;

    /**
     * @param features whole rows
     * @param scaled the scaled features are appended to it
     */
    void Apply(const std::vector<float>& features, std::vector<float>& scaled) const;

  private:
    std::vector<float> m_mean;  //!< by feature
    std::vector<float> m_scale; //!< by feature: 1 / deviation, or 0
};

} // namespace ns3

#endif /* M3_SCALER_H */
