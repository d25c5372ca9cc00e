/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_LINES_H
#define DCN_TRAIN_LINES_H

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Reads a text file line by line, as words between blanks; lines without words are skipped.
 */
class DcnTrainLines
{
  public:
    /**
     * @param path the file
     * @param comment begins a comment, to the end of the line; empty: there are none
     * @throws DcnError if it cannot be read
     */
    explicit DcnTrainLines(const std::string& path, const std::string& comment = "");

    /**
     * @brief Go to the next line that has words.
     * @return false at the end of the file
     */
    bool Next();

    /** @return "flow.txt:7: ", the beginning of sentences on the line. */
    std::string Where() const;

    /**
     * @brief Refuse the line.
     * @param reason the rest of the sentence
     */
    [[noreturn]] void Fail(const std::string& reason) const;

    std::vector<std::string> words; //!< of the line

  protected:
    std::string m_path; //!< the file

  private:
    std::string m_comment; //!< see the constructor
    std::ifstream m_file;  //!< open
    uint64_t m_line{0};    //!< number of the line, from 1
};

} // namespace ns3

#endif /* DCN_TRAIN_LINES_H */
