/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PROGRESS_H
#define DCN_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Progress of long work on stderr: share done, rate and remaining time.
 *
 * Shown only if stderr is a terminal, after the first second, at most five times per second; the
 * line is erased at the end.
 */
class DcnProgress
{
  public:
    /**
     * @param label name of the work, e.g. "packet"
     * @param total steps of the whole work
     * @param unit name of a step, e.g. "flows"
     */
    DcnProgress(const std::string& label, uint64_t total, const std::string& unit);
    /** Erases the line. */
    ~DcnProgress();

    /**
     * @brief Show nothing from now on: for processes whose parent reports.
     */
    static void Silence();

    DcnProgress(const DcnProgress&) = delete;
    DcnProgress& operator=(const DcnProgress&) = delete;

    /**
     * @brief Report progress; cheap enough to be called for every step.
     * @param done steps done so far
     */
    void Update(uint64_t done)
    {
        if (m_shown && done >= m_nextLook)
        {
            Show(done);
        }
    }

  private:
    using Clock = std::chrono::steady_clock;

    static bool g_silent; //!< see Silence

    void Show(uint64_t done);

    std::string m_label;       //!< name of the work
    std::string m_unit;        //!< name of a step
    uint64_t m_total;          //!< steps of the whole work
    bool m_shown;              //!< stderr is a terminal
    bool m_drawn{false};       //!< a line has been written
    uint64_t m_nextLook{0};    //!< steps before the clock is read again
    Clock::time_point m_start; //!< when the work began
    Clock::time_point m_last;  //!< when the line was written
};

/**
 * @ingroup dcn
 * @brief The cost of some work.
 */
struct DcnCost
{
    double cpuSeconds{0};  //!< processor time, of all threads and of processes that ended [s]
    double wallSeconds{0}; //!< elapsed time [s]

    /**
     * @param other the cost to add
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
 * Processor time covers all threads of this process, and the child processes that have ended and
 * been waited for, with their own children (RUSAGE_CHILDREN). The processes of a DcnTaskFarm
 * count after Run has returned, except those of other ranks.
 */
class DcnStopwatch
{
  public:
    DcnStopwatch();

    /** @return the cost since creation. */
    DcnCost Get() const;

  private:
    std::chrono::steady_clock::time_point m_start; //!< when it began
    double m_cpuStart;                             //!< processor time spent before [s]
};

} // namespace ns3

#endif /* DCN_PROGRESS_H */
