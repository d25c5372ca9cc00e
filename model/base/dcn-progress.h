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
 * @brief Progress of long work on stderr: share done, rate and time left.
 *
 * Shown only if stderr is a terminal, at most five times a second, from the second second on; the
 * line is wiped at the end.
 */
class DcnProgress
{
  public:
    /**
     * @param label what is being done, e.g. "packet"
     * @param total steps of the whole work
     * @param unit name of a step, e.g. "flows"
     */
    DcnProgress(const std::string& label, uint64_t total, const std::string& unit);
    /** Wipes the line. */
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

    std::string m_label;        //!< what is being done
    std::string m_unit;         //!< name of a step
    uint64_t m_total;           //!< steps of the whole work
    bool m_shown;               //!< stderr is a terminal
    bool m_drawn{false};        //!< a line has been written
    uint64_t m_nextLook{0};     //!< steps before the clock is read again
    Clock::time_point m_start;  //!< when the work began
    Clock::time_point m_last;   //!< when the line was written
};

} // namespace ns3

#endif /* DCN_PROGRESS_H */
