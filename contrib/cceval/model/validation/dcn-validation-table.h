/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_VALIDATION_TABLE_H
#define DCN_VALIDATION_TABLE_H

#include "ns3/dcn-statistics.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A row of validate.csv: a method on a scenario of a suite, for a size class.
 *
 * Errors are relative to the truth: value / truth - 1. Numbers that there are not are NaN; so are
 * all errors of an answer that another method gave (DcnFctTable::HasError).
 */
struct DcnValidationRow
{
    std::string suite;             //!< name of the suite
    double scenario{0};            //!< number of the scenario
    double seed{0};                //!< of the scenario
    std::string topology;          //!< kind of the network
    std::string hostGbps;          //!< rate of hosts' links [Gb/s]
    std::string oversubscription;  //!< 1:1, 2:1 or 4:1
    std::string matrix;            //!< see DcnSuiteScenario
    std::string sizes;             //!< flow sizes
    double sigma{0};               //!< shape of the gaps
    double load{0};                //!< load asked for
    std::string congestionControl; //!< of the configuration
    double windowBytes{0};         //!< of the configuration
    double bufferBytes{0};         //!< of the configuration
    double pfc{0};                 //!< of the configuration
    double ecnKminBytes{0};        //!< of the configuration; NaN for TIMELY and HPCC
    double ecnKmaxBytes{0};        //!< of the configuration; NaN for TIMELY and HPCC
    double timelyLowNs{0};         //!< of the configuration; NaN except with TIMELY
    double timelyHighNs{0};        //!< of the configuration; NaN except with TIMELY
    double hpccEta{0};             //!< of the configuration; NaN except with HPCC
    double hpccIncreaseBps{0};     //!< of the configuration; NaN except with HPCC
    double nFlows{0};              //!< of the scenario
    double maxLoad{0};             //!< DcnSuiteLoad
    double maxWireLoad{0};         //!< DcnSuiteLoad
    double topLoad{0};             //!< DcnSuiteLoad
    std::string method;            //!< as on the command line
    std::string sizeClass;         //!< name of the size class
    double nClass{0};              //!< flows of the class
    double nUnfinished{0};         //!< flows, of all classes, that the method did not finish
    double p50{0};                 //!< slowdown
    double p90{0};                 //!< slowdown
    double p99{0};                 //!< slowdown
    double truthP50{0};            //!< of the truth
    double truthP90{0};            //!< of the truth
    double truthP99{0};            //!< of the truth
    double p99Error{0};            //!< of p99
    double meanError{0};           //!< of the mean slowdown
    double meanFlowError{0};       //!< mean over flows of |slowdown / true slowdown - 1|
    double p90FlowError{0};        //!< 90th percentile of the same
    double wallSeconds{0};         //!< elapsed time of the method
    double cpuSeconds{0};          //!< its processor time
    double truthWallSeconds{0};    //!< elapsed time of the truth
    double truthCpuSeconds{0};     //!< its processor time
    double jobs{1};                //!< threads or processes that the method could use
    std::string answeredBy;        //!< see DcnEstimate
    std::string provenance;        //!< see DcnEstimate
    /// Lower limit for the truth's p99 (DcnEstimate::GetP99Limits); NaN without limits.
    double p99Lower{std::numeric_limits<double>::quiet_NaN()};
    /// Upper limit for the truth's p99; NaN without limits.
    double p99Upper{std::numeric_limits<double>::quiet_NaN()};

    /// @return whether it has a value and no error, as another method answered
    bool IsLeftOut() const;

    /// @return whether it has limits for the truth's p99
    bool HasLimits() const;

    /// @return the header of validate.csv
    static std::vector<std::string> GetColumns();

    /**
     * @brief Read rows.
     * @param text header and rows of validate.csv
     * @param where begins the sentence of an error, such as the name of a file
     * @return the rows; those without the columns of limits, of earlier stores, have none
     * @throws DcnError for another header and for a cell that is no number
     */
    static std::vector<DcnValidationRow> Read(const std::string& text, const std::string& where);

    /**
     * @brief Write header and rows.
     * @param csv where to
     * @param rows the rows
     */
    static void Write(std::ostream& csv, const std::vector<DcnValidationRow>& rows);

    /**
     * @return the size classes: all, those of m3 (DcnSizeClasses) and those of Parsimon (table 5):
     * <10KB, 10KB-1MB, >1MB (lower bounds belong to the class)
     */
    static const std::vector<DcnSizeClass>& GetSizeClasses();
};

/**
 * @ingroup dcn
 * @brief What the errors of the methods come to, over scenarios (validate-summary.csv).
 *
 * Groups: all scenarios; lower and higher half and thirds by load (in order of the realised load;
 * the k-th of n scenarios in that order, from 0, is in part floor(parts * k / n); n counts all
 * scenarios of the method, also those that others answered, so that parts are the same for all
 * methods and variants); and the values of each drawn factor. The errors are those of the 99th
 * percentile of the slowdown.
 *
 * Scenarios that another method answered (DcnValidationRow::IsLeftOut) are counted, but not in the
 * errors. Those that a variant of the method answered (DcnEstimate::answeredBy with the method's
 * own name) have rows of their own, so that no mean is over both.
 */
class DcnValidationSummary
{
  public:
    /// A row of validate-summary.csv.
    struct Row
    {
        std::string method;     //!< the method
        std::string answeredBy; //!< the variant that answered; empty: the method's own rules
        std::string sizeClass;  //!< the size class
        std::string group;      //!< all, load_half, load_third, matrix, sizes, ...
        std::string level;      //!< which of the group, e.g. 2:1
        uint64_t n;             //!< scenarios with an error
        uint64_t leftOut;       //!< scenarios that another method answered
        double meanAbs;         //!< mean of |error|
        double medianAbs;       //!< median of |error|
        double p90Abs;          //!< 90th percentile of |error|
        double maxAbs;          //!< largest |error|
        double within10;        //!< share of scenarios with |error| <= 10 %
        double mean;            //!< mean of the signed error: the bias
        double cpuSpeedUp;      //!< sum over scenarios, those left out included, of the processor
                                //!< time of the truth / the same sum of the method
        double wallSpeedUp;     //!< the same of elapsed times
        /// Lower 95 % limit of meanAbs (bootstrap over scenarios); NaN for fewer than FEWEST.
        double meanAbsLow;
        double meanAbsHigh; //!< upper 95 % limit of meanAbs; NaN for fewer than FEWEST
        uint64_t limited;   //!< scenarios whose answer has limits for the truth's p99
        double covered;     //!< share of them whose limits hold it
    };

    static constexpr std::size_t FEWEST = 3; //!< scenarios that have limits of a mean
    static constexpr uint32_t DRAWS = 2000;  //!< of the bootstrap

    /**
     * @param rows of validate.csv
     */
    explicit DcnValidationSummary(std::vector<DcnValidationRow> rows);

    /// @return the rows, by method and variant, size class (in order of appearance), group and
    /// level; errors are NaN where n is 0
    std::vector<Row> GetRows() const;

    /**
     * @brief Write validate-summary.csv.
     * @param csv where to
     */
    void Write(std::ostream& csv) const;

    /**
     * @brief Print the lines of all scenarios, for people.
     * @param out where to
     */
    void Print(std::ostream& out) const;

    /**
     * @brief Plot the errors of the 99th percentile of all flows: a box per method for all
     * scenarios, one for the lower and one for the higher half of the loads.
     *
     * Box: quartiles and median. Whiskers: the furthest errors within 1.5 times the box's height of
     * it; errors beyond them are points.
     *
     * @param base path without suffix
     * @return true if there is a picture
     */
    bool Plot(const std::string& base) const;

  private:
    /// Whether a scenario is in a group and level.
    struct Level
    {
        std::string group;                       //!< as in Row
        std::string level;                       //!< as in Row
        std::vector<const DcnValidationRow*> of; //!< the rows
    };

    /// A method, and the variant of it that answered; empty: none.
    using Method = std::pair<std::string, std::string>;

    /// Sorts the rows of a method and a size class into groups.
    std::vector<Level> GetLevels(const Method& method, const std::string& sizeClass) const;

    std::vector<DcnValidationRow> m_rows;   //!< rows that have an error or are left out
    std::vector<Method> m_methods;          //!< in order of appearance
    std::vector<std::string> m_sizeClasses; //!< in order of appearance
};

} // namespace ns3

#endif /* DCN_VALIDATION_TABLE_H */
