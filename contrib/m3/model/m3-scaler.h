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
 * @brief Brings features to mean 0 and variance 1, and limits them to the range of the training.
 *
 * A feature f becomes clamp((f - mean) / deviation, -LIMIT, LIMIT), with mean and standard
 * deviation of those of the training data that have it; ABSENT becomes 0, the mean. Were it a
 * number, the deviation would be that between having a feature and not, beside which its values
 * look alike. A feature that never varied in training becomes 0: the network
 * cannot have learned its influence.
 */
class M3Scaler
{
  public:
    static constexpr float LIMIT = 6; //!< largest feature after scaling
    /// A feature of something that is not there: not a number.
    static constexpr float ABSENT = std::numeric_limits<float>::quiet_NaN();

    /**
     * @param n number of features, which stay as they are up to LIMIT
     */
    explicit M3Scaler(std::size_t n = 0);

    /**
     * @brief Learn means and deviations.
     * @param rows features of a path each, whole rows of n numbers; at least one row in all
     * @param n number of features in a row
     * @return the scaler
     */
    static M3Scaler Fit(const std::vector<const std::vector<float>*>& rows, std::size_t n);

    /**
     * @param model that it was added to
     * @param name as there
     * @param n number of features
     * @return the scaler
     * @throws DcnError if it is not there
     */
    static M3Scaler Read(const DcnModelFile& model, const std::string& name, std::size_t n);

    /**
     * @param model gets name.mean and name.scale
     * @param name of the features
     */
    void Add(DcnModelFile& model, const std::string& name) const;

    /**
     * @param features whole rows
     * @param scaled appended to
     */
    void Apply(const std::vector<float>& features, std::vector<float>& scaled) const;

  private:
    std::vector<float> m_mean;  //!< by feature
    std::vector<float> m_scale; //!< by feature: 1 / deviation, or 0
};

} // namespace ns3

#endif /* M3_SCALER_H */
