/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_STOPWATCH_H
#define DCN_STOPWATCH_H

#include <chrono>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief What some work took.
 */
struct DcnCost
{
    double cpuSeconds{0};  //!< processor time, of all threads and of processes that ended [s]
    double wallSeconds{0}; //!< elapsed time [s]

    /**
     * @param other what is added
     * @return the sum
     */
    DcnCost operator+(const DcnCost& other) const
    {
        return {cpuSeconds + other.cpuSeconds, wallSeconds + other.wallSeconds};
    }
};

/**
 * @ingroup dcn
 * @brief Measures elapsed and processor time from its creation on.
 *
 * Processor time is that of this process, all of its threads included, and of the processes that it
 * has started and waited for, and theirs (RUSAGE_CHILDREN): those of DcnRunInProcesses count once
 * that has returned. A process that nobody has waited for does not count.
 */
class DcnStopwatch
{
  public:
    DcnStopwatch();

    /** @return what was spent since the creation. */
    DcnCost Get() const;

  private:
    std::chrono::steady_clock::time_point m_start; //!< when it began
    double m_cpuStart;                             //!< processor time spent before [s]
};

} // namespace ns3

#endif /* DCN_STOPWATCH_H */
