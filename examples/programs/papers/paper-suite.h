/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_SUITE_H
#define PAPER_SUITE_H

#include "ns3/dcn-validation-table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @brief Rows of a suite of scenarios, selected by method, factor and load.
 */
class PaperSuiteRows
{
  public:
    using Filter = std::function<bool(const DcnValidationRow&)>; //!< selects rows

    /// A drawn factor.
    struct Factor
    {
        std::string name;                                           //!< such as "matrix"
        std::function<std::string(const DcnValidationRow&)> level;  //!< of a scenario
    };

    /**
     * @param rows of DcnValidationRunner
     */
    explicit PaperSuiteRows(std::vector<DcnValidationRow> rows);

    /** @return all rows. */
    const std::vector<DcnValidationRow>& GetAll() const;

    /**
     * @param method name of a method
     * @param filter rows to take; null: all
     * @param sizeClass name of a size class
     * @return its rows with an error, by scenario
     */
    std::vector<const DcnValidationRow*> Select(const std::string& method,
                                                const Filter& filter = nullptr,
                                                const std::string& sizeClass = "all") const;

    /**
     * @param method name of a method
     * @param filter rows to take; null: all
     * @param sizeClass name of a size class
     * @return errors of the p99 slowdown, by scenario [%]
     */
    std::vector<double> GetErrors(const std::string& method,
                                  const Filter& filter = nullptr,
                                  const std::string& sizeClass = "all") const;

    /**
     * @param method name of a method
     * @param member a number of a row
     * @param factor on it
     * @param filter rows to take; null: all
     * @return it by scenario, of all flows
     */
    std::vector<double> GetNumbers(const std::string& method,
                                   double DcnValidationRow::*member,
                                   double factor = 1,
                                   const Filter& filter = nullptr) const;

    /** @return errors of the p99 slowdown of packets with another seed [%]. */
    std::vector<double> GetNoise() const;

    /**
     * @param part 0, 1, ...
     * @param parts number of parts with equal numbers of scenarios, in the order of their loads
     * @return the rows of a part
     */
    Filter IsInLoadPart(std::size_t part, std::size_t parts) const;

    /**
     * @param method name of a method
     * @return processor time of packets over that of the method, summed over the scenarios
     */
    double GetSpeedUp(const std::string& method) const;

    /**
     * @param method name of a method; empty: packets
     * @return its processor time of a million flows, over all scenarios [s]
     */
    double GetCost(const std::string& method) const;

    /**
     * @param factor a drawn factor
     * @return its levels that occur, in alphabetical order
     */
    std::vector<std::string> GetLevels(const Factor& factor) const;

    /**
     * @return factors of Parsimon's and m3's figures: matrix (A, B or C also where a generator
     * stands in for it), sizes, oversubscription, sigma
     */
    static const std::vector<Factor>& GetFactors();

  private:
    std::vector<DcnValidationRow> m_rows;   //!< all
    std::map<double, std::size_t> m_ranks;  //!< by scenario: rank of its load
};

/**
 * @param values numbers
 * @return their absolute values
 */
std::vector<double> PaperAbsolute(std::vector<double> values);

/**
 * @param values numbers
 * @param limit a limit
 * @return how many are at most the limit
 */
uint64_t PaperCountBelow(const std::vector<double>& values, double limit);

} // namespace ns3

#endif /* PAPER_SUITE_H */
