/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_SINK_FEATURES_H
#define NOC_SINK_FEATURES_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup noc
 * @brief State of a sink as a vector of 14 features, sampled at every attempt to enter it
 * (dissertation, table 3.1).
 *
 * Each is a moving average f_i = alpha x + (1 - alpha) f_(i-1):
 *
 *     0 to 2   rates of accepted, of all and of deflected packets: 1 / average of the gaps [1/cycle]
 *     3 to 5   squared coefficients of variation of these gaps
 *     6, 7     mean time between departures [cycles], and its squared coefficient of variation
 *     8        packets in the sink
 *     9        share of attempts that find it full
 *     10 to 13 gradients of 0, 1, 8 and 9 per sample
 *
 * A gradient is the backward difference of five samples, (25 f0 - 48 f1 + 36 f2 - 16 f3 + 3 f4) /
 * 12: the usual central one would need two samples of the future. Without a deflection for FORGET
 * cycles the rate of deflected packets is 0.
 */
class NocSinkFeatures
{
  public:
    static constexpr uint32_t N = 14;       //!< number of features
    static constexpr uint32_t FORGET = 200; //!< cycles after which deflections count no more
    static constexpr uint32_t OCCUPANCY = 8; //!< packets in the sink

    /**
     * @param alpha weight of a new value, in (0, 1]
     */
    explicit NocSinkFeatures(double alpha = 1.0 / 16);

    /**
     * @brief A packet came.
     * @param cycle when
     * @param isAccepted whether there was room
     * @param occupancy packets in the sink before
     */
    void Attempt(uint32_t cycle, bool isAccepted, uint32_t occupancy);

    /**
     * @brief A packet left.
     * @param cycle when
     * @param occupancy packets in the sink after
     */
    void Depart(uint32_t cycle, uint32_t occupancy);

    /** @return the features after the latest event. */
    const std::array<double, N>& Get() const
    {
        return m_values;
    }

    /** @return their names. */
    static const std::vector<std::string>& GetNames();

  private:
    /// Moving averages of a gap and of its square.
    struct Gap
    {
        bool isKnown{false}; //!< there was an event
        uint32_t last{0};    //!< cycle of the latest event
        double mean{0};      //!< average gap
        double square{0};    //!< average of its square
        bool hasMean{false}; //!< there were two events

        void Add(uint32_t cycle, double alpha);
        double GetRate() const;
        double GetC2() const;
    };

    double m_alpha;                                   //!< weight of a new value
    Gap m_accepted;                                   //!< between accepted packets
    Gap m_all;                                        //!< between attempts
    Gap m_deflected;                                  //!< between refused attempts
    Gap m_departures;                                 //!< between departures
    double m_full{0};                                 //!< share of refused attempts
    double m_occupancy{0};                            //!< average
    std::array<std::array<double, 5>, 4> m_history{}; //!< of features with a gradient, newest first
    uint32_t m_samples{0};                            //!< so far, at most 5
    std::array<double, N> m_values{};                 //!< features
};

} // namespace ns3

#endif /* NOC_SINK_FEATURES_H */
