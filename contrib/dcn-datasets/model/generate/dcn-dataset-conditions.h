/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_CONDITIONS_H
#define DCN_DATASET_CONDITIONS_H

#include "ns3/dcn-scenario-suite.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DcnDatasetReader;
struct DcnDatasetSample;

/**
 * @ingroup dcn-dataset
 * @brief Conditions of the samples of a data set, by name: `sizes` (family: the name of a
 * distribution without its parameter), `matrix`, `topology` (path: samples of single paths),
 * `host_gbps` (rate of the hosts' links [Gb/s]) and `cc` (congestion control).
 *
 * Those of the traffic are not in the samples of a suite; they are drawn again from the seed of the
 * data set. Data sets that nothing was drawn for (own simulations) have host_gbps and cc only.
 */
class DcnDatasetConditions
{
  public:
    using Values = std::map<std::string, std::string>; //!< value of each condition

    /** @param set the data set */
    explicit DcnDatasetConditions(const DcnDatasetReader& set);

    /**
     * @param sample of the data set
     * @return its conditions
     */
    Values Get(const DcnDatasetSample& sample) const;

  private:
    /// A rule with choices: its name, and where a sample has the number of its choice.
    struct Choice
    {
        std::string condition;            //!< name of the condition
        std::size_t draw;                 //!< position in DcnDatasetSample::draw
        std::vector<std::string> choices; //!< of the rule
    };

    std::optional<DcnScenarioSuite> m_suite; //!< where a suite drew the samples
    std::string m_topology;                  //!< where rules drew them: their kind; else empty
    std::vector<Choice> m_choices;           //!< of the rules
};

/**
 * @ingroup dcn-dataset
 * @brief Selects samples by their conditions, given as `sizes:web-server+hadoop,host_gbps:100`: a
 * sample is selected if one of its conditions has one of the values.
 */
class DcnDatasetSelection
{
  public:
    /**
     * @param text conditions joined by commas; empty: nothing is selected
     * @throws DcnError if it is not of this form
     */
    explicit DcnDatasetSelection(const std::string& text = "");

    /**
     * @param values of a sample
     * @return whether it is selected
     */
    bool Has(const DcnDatasetConditions::Values& values);

    /**
     * @brief Refuse values that no sample had.
     * @param option name of the option, for the sentence
     * @throws DcnError that names the condition, the value and the values that samples had
     */
    void RequireUse(const std::string& option) const;

  private:
    std::vector<std::pair<std::string, std::string>> m_wanted; //!< conditions and values
    std::map<std::string, std::set<std::string>> m_seen;       //!< values of all samples
};

} // namespace ns3

#endif /* DCN_DATASET_CONDITIONS_H */
