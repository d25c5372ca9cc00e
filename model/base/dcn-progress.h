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
 * On a terminal a line that is written anew after the first second, at most five times per second,
 * and erased at the end. Elsewhere a line of its own every half minute, so that work of minutes is
 * not silent in a log. Numbers of bytes (the unit "B") have prefixes: 3.40 GB/s.
 *
 * Where steps are cheap to count, call Update for each of them. Where they are not, ask IsDue now
 * and then, which looks at the clock, and count for Write only.
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
     * @brief Show how long the latest work of this thread has lasted, if it is time: for who waits
     * for one step and has nothing to report.
     */
    static void Wait();

    /**
     * @brief Report progress; cheap enough to be called for every step.
     * @param done steps done so far
     */
    void Update(uint64_t done)
    {
        m_done = done;
        if (m_shown && done >= m_nextLook)
        {
            Show();
        }
    }

    /** @return whether a line is to be written now; looks at the clock. */
    bool IsDue() const;

    /**
     * @brief Write the line; IsDue holds.
     * @param done steps done so far
     * @param remark ends the line, such as "at 12.5 ms"; empty: none
     */
    void Write(uint64_t done, const std::string& remark);

  private:
    using Clock = std::chrono::steady_clock;

    static bool g_silent;                      //!< see Silence
    static thread_local DcnProgress* g_latest; //!< the latest of the thread; null: none

    void Show();
    std::string Describe(double steps, int digits) const;

    std::string m_label;       //!< name of the work
    std::string m_unit;        //!< name of a step
    uint64_t m_total;          //!< steps of the whole work
    bool m_shown;              //!< it is not silent
    bool m_isTerminal;         //!< stderr is one
    bool m_drawn{false};       //!< a line has been written that is to be erased
    DcnProgress* m_before;     //!< the latest one before; null: none
    uint64_t m_done{0};        //!< steps done
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
