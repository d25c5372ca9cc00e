/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_INTERRUPT_H
#define DCN_INTERRUPT_H

#include <cstddef>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A sentence on stderr when a signal (SIGINT, SIGTERM) ends the process.
 *
 * The sentence holds while the object exists; afterwards, that of the object made before holds
 * again. Children of the process print nothing. A signal that the process ignores (nohup) stays
 * ignored. The process ends by the signal, as without the object.
 */
class DcnInterruptMessage
{
  public:
    /** @param text the sentence, at most 1 kB of which is printed */
    explicit DcnInterruptMessage(const std::string& text);
    /** Restores the sentence and the handlers from before. */
    ~DcnInterruptMessage();

    DcnInterruptMessage(const DcnInterruptMessage&) = delete;
    DcnInterruptMessage& operator=(const DcnInterruptMessage&) = delete;

    /** @param text a new sentence */
    void Set(const std::string& text);

    /**
     * @brief Replace a file, too, when a signal ends the process; until the object is destroyed.
     * Each of up to four objects at a time has a file of its own.
     * @param path of the file; empty: none
     * @param text that it has from then on
     */
    void SetFile(const std::string& path, const std::string& text);

  private:
    std::string m_before; //!< sentence of the object made before; empty: none
    bool m_isFirst;       //!< it has installed the handlers
    std::size_t m_slot;   //!< number of objects made before
};

/**
 * @ingroup dcn
 * @brief Remove a file that is half written when a signal ends the process, while there is a
 * DcnInterruptMessage. Of more than 64 files at a time some stay.
 * @param path of the file; the text must not change until DcnKeepAtSignal
 */
void DcnRemoveAtSignal(const char* path);

/**
 * @ingroup dcn
 * @brief Take DcnRemoveAtSignal back.
 * @param path as there
 */
void DcnKeepAtSignal(const char* path);

} // namespace ns3

#endif /* DCN_INTERRUPT_H */
