/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_WINDOW_LOOP_H
#define DCN_WINDOW_LOOP_H

#include "dcn-window-events.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Threads that simulate the partitions of a network in windows.
 *
 * **Problem.** P partitions with pending events, T threads, lookahead L [ns]: an event of a
 * partition at time t has no effect in another one before t + L (DcnNetworkCut). Run all events
 * before a time U, each partition in its order (DcnWindowEvents).
 *
 * **Windows.** Let n_p be the time of the next event of partition p, messages that wait for it
 * included, and n = min n_p. All events of the window [n, min(n + L, U)) can be run in all
 * partitions at the same time, as no message of the window arrives within it (conservative,
 * synchronous windows: R. M. Fujimoto, "Parallel Discrete Event Simulation", CACM 33(10), 1990,
 * section "synchronous operation"; D. M. Nicol, "The Cost of Conservative Synchronization in
 * Parallel Discrete Event Simulations", JACM 40(2), 1993). A barrier ends the window; the last
 * thread to arrive finds the next one. So a window costs one barrier.
 *
 * Thread k begins with the partitions from floor(k P / T) on, which are in its cache from the
 * window before, and then takes those that no other thread has begun. Which thread runs a partition
 * does not matter to results.
 *
 * **Speed.** With c_pw the events of partition p in window w, e the time of an event and b that of
 * a barrier, T = P threads of a machine with as many cores take
 *
 *     e sum over w of max over p of c_pw + W b
 *
 * for W windows, and one thread e times the sum of all c_pw. GetCost has both sums and W; they
 * depend on the cut only.
 *
 * A barrier takes as long as some dozen events. If a window has fewer than E events, the thread
 * that has ended it runs the next one alone, and so on, until a window has E.
 *
 * Threads that wait spin for some microseconds if there are as many cores as threads, and then
 * sleep. The simulator of ns-3 must not be called by events.
 */
class DcnWindowLoop
{
  public:
    /// What the windows cost so far.
    struct Cost
    {
        uint64_t nWindows;    //!< W
        uint64_t nEvents;     //!< sum over w and p of c_pw
        uint64_t nPathEvents; //!< sum over w of max over p of c_pw
    };

    /// Runs the events of a partition before a time [ns].
    using Work = std::function<void(uint32_t partition, int64_t endNs)>;

    /**
     * @param partitions all partitions, by number; they live as long as the loop
     * @param lookaheadNs L, > 0 [ns]; DcnWindowEvents::NEVER: there are no messages
     * @param nThreads T, from 1 to P
     * @param sharedEvents E
     * @param work runs the events of a partition; of different ones at the same time
     * @param look called now and then while no thread works
     */
    DcnWindowLoop(std::vector<DcnWindowEvents*> partitions,
                  int64_t lookaheadNs,
                  uint32_t nThreads,
                  uint64_t sharedEvents,
                  Work work,
                  std::function<void()> look);
    ~DcnWindowLoop();
    DcnWindowLoop(const DcnWindowLoop&) = delete;
    DcnWindowLoop& operator=(const DcnWindowLoop&) = delete;

    /**
     * @brief Run all events before a time.
     * @param untilNs U [ns]
     * @return time of the next event, not before U [ns]; DcnWindowEvents::NEVER if there is none
     * @throws the exception of the first partition, by number, whose work failed
     */
    int64_t Run(int64_t untilNs);

    /** @return what the windows cost so far. */
    Cost GetCost() const
    {
        return m_cost;
    }

  private:
    /// What one thread at a time writes of a partition.
    struct alignas(64) Seat
    {
        std::atomic<uint64_t> window{0}; //!< the latest one that a thread has begun
        int64_t nextNs{0};               //!< n_p [ns]
        uint64_t nEvents{0};             //!< c_pw of that window
        std::exception_ptr failure;      //!< of its work
    };

    void Serve(uint32_t thread);
    void Visit(uint32_t partition);
    void FindWindow();
    void CloseWindow();
    void EndWindow();
    void Wait();

    std::vector<DcnWindowEvents*> m_partitions; //!< all
    int64_t m_lookaheadNs;                      //!< L [ns]
    uint32_t m_nThreads;                        //!< T
    uint64_t m_sharedEvents;                    //!< E
    bool m_maySpin;                             //!< there are as many cores as threads
    Work m_work;                                //!< see the constructor
    std::function<void()> m_look;               //!< see the constructor
    std::unique_ptr<Seat[]> m_seats;            //!< by partition

    // written by the last thread at a barrier
    int64_t m_untilNs{0};  //!< U of the present Run [ns]
    int64_t m_startNs{0};  //!< begin of the window: n [ns]
    int64_t m_endNs{0};    //!< its end [ns]
    bool m_isOver{false};  //!< the present Run is
    uint32_t m_reading{0}; //!< set of boxes with messages of the window before
    uint64_t m_window{0};  //!< number of the window, from 1
    uint64_t m_nEvents{0}; //!< of the latest window
    uint64_t m_nSinceLook{0}; //!< events since m_look was called
    Cost m_cost{0, 0, 0};  //!< see GetCost

    alignas(64) std::atomic<uint32_t> m_nArrived{0};  //!< threads at the barrier
    alignas(64) std::atomic<uint64_t> m_nBarriers{0}; //!< barriers passed
    std::mutex m_mutex;                               //!< of those who sleep
    std::condition_variable m_passed;                 //!< a barrier has been passed
    uint32_t m_nSleeping{0};                          //!< threads that sleep
};

} // namespace ns3

#endif /* DCN_WINDOW_LOOP_H */
