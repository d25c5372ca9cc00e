/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_CALIBRATION_H
#define DCN_TRAIN_CALIBRATION_H

#include "ns3/dcn-train-network-options.h"
#include "ns3/dcn-train-protocols.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief A measurement on a cluster: a row of a table of probes (doc/schema.rst).
 */
struct DcnTrainProbe
{
    std::string kind;    //!< ping: there and back; flow: until it has arrived; or a collective of
                         //!< all hosts
    uint32_t from{0};    //!< of ping and flow: host that sends, by position
    uint32_t to{1};      //!< of ping and flow: host that receives
    uint64_t bytes{0};   //!< payload; of a collective as in nccl-tests
    double timeUs{0};    //!< measured [us]
    bool isFitted{true}; //!< parameters are fitted to it; false: it is predicted
};

/**
 * @ingroup dcn-train
 * @brief Fits a few parameters of a simulated cluster to measurements of a real one.
 *
 * **Problem.** Rates and delays of links are known from data sheets; what hosts, NICs and the
 * library of collectives add is not. Given are some probes with measured times t_i, and parameters
 * p_j, fewer than probes. The fit minimises the sum over the probes that are fitted of
 *
 *     ((simulated time of probe i with p) / t_i - 1)^2
 *
 * by Gauss-Newton steps on the simulator itself, with derivatives by differences; so parameters
 * mean what they mean in a run, pipelines of chunks and headers included. A step that does not
 * reduce the sum is halved. Latencies stay at least 0, efficiencies at most 1. The other probes are
 * predicted with the parameters that were found.
 *
 * **Parameters** are named as the user writes them:
 *
 *     hostLatency               time of hosts and NICs for each message [us]
 *     linkDelay                 delay of a link, with the switch behind it [us]
 *     nicEfficiency             rate of NICs by that of the options, (0, 1]
 *     PROTOCOL:COLUMN           column launch_us, scale_up_us, scale_out_us, efficiency or bus_gbps
 *                               of all rows of the table of protocols with this protocol
 *     ALGORITHM/PROTOCOL:COLUMN of the rows with this algorithm
 *
 * A parameter that no fitted probe depends on is refused. Steps of differences are a quarter of a
 * value: pipelines make times uneven at smaller ones.
 */
class DcnTrainCalibration
{
  public:
    /// What is simulated.
    struct Setup
    {
        DcnTrainNetworkOptions network;      //!< options of the network, as given
        std::string engine{"flowsim"};       //!< its engine
        std::vector<DcnTrainProtocol> table; //!< of collectives, to begin with
        std::string algorithm{"auto"};       //!< of collectives
        uint32_t channels{1};                //!< of collectives
    };

    /// A parameter.
    struct Parameter
    {
        std::string name; //!< see above
        double value;     //!< in its unit
        /// The fit has ended at the smallest or largest value that it may have.
        bool isAtLimit{false};
    };

    /// A probe with its simulated time.
    struct Row
    {
        DcnTrainProbe probe; //!< as measured
        double timeUs;       //!< simulated [us]

        /// @return relative error
        double GetError() const
        {
            return timeUs / probe.timeUs - 1;
        }
    };

    /// What was found.
    struct Result
    {
        std::vector<Parameter> parameters;   //!< with the values that were found
        std::vector<Row> rows;               //!< all probes
        std::vector<DcnTrainProtocol> table; //!< of collectives
        uint32_t nRuns{0};                   //!< simulations
    };

    /**
     * @param setup what is simulated
     * @param names of the parameters to fit, at most as many as fitted probes
     * @throws DcnError for an unknown parameter
     */
    DcnTrainCalibration(const Setup& setup, const std::vector<std::string>& names);

    /**
     * @brief Read probes.
     * @param path a table of probes, or the output of a program of nccl-tests
     * @param collective of nccl-tests' output, such as all-reduce; empty: all-reduce, or a table
     * @param fitted sizes of nccl-tests' output that are fitted
     * @return the probes
     * @throws DcnError naming file, line and value for anything that is not of the form
     */
    static std::vector<DcnTrainProbe> Read(const std::string& path,
                                           const std::string& collective,
                                           const std::vector<uint64_t>& fitted);

    /**
     * @brief Refuse options of collectives where no probe is one.
     * @param probes all probes
     * @param options names of options of collectives that the user set
     * @throws DcnError naming the first of them if all probes are pings and flows
     */
    static void RefuseUnused(const std::vector<DcnTrainProbe>& probes,
                             const std::vector<std::string>& options);

    /**
     * @brief Fit the parameters.
     * @param probes at least as many fitted ones as there are parameters
     * @return parameters, and simulated times of all probes
     * @throws DcnError for too few probes, and a parameter that changes none of their times
     */
    Result Fit(const std::vector<DcnTrainProbe>& probes);

    /**
     * @param parameters with values
     * @return options of dcn-train-sim that set the parameters of the network, joined by blanks;
     * empty if there are none
     */
    std::string DescribeOptions(const std::vector<Parameter>& parameters) const;

  private:
    using Values = std::vector<double>; //!< of the parameters

    /// @return the value of a parameter in the set-up
    double FindStart(const std::string& name) const;
    /// @return the smallest and the largest value of a parameter
    static std::pair<double, double> GetRange(const std::string& name);
    /// @return the set-up with values of the parameters
    Setup Apply(const Values& values) const;
    /// @return the simulated time of a probe [us]
    double Simulate(const Setup& setup, const DcnTrainProbe& probe);
    /// @return the step of Gauss and Newton from values with errors; in the first one each parameter
    /// must have an effect
    Values FindMove(const Values& values,
                    const Values& errors,
                    const std::vector<DcnTrainProbe>& fitted,
                    bool isFirst);
    /// Takes the step, or a part; returns false if the errors do not get smaller.
    bool Move(const Values& move,
              const std::vector<DcnTrainProbe>& fitted,
              Values& values,
              Values& errors);
    /// @return relative errors of the probes
    Values GetErrors(const Values& values, const std::vector<DcnTrainProbe>& probes);

    Setup m_setup;                    //!< see the constructor
    std::vector<std::string> m_names; //!< of parameters
    uint32_t m_nRuns{0};              //!< see Result
};

} // namespace ns3

#endif /* DCN_TRAIN_CALIBRATION_H */
