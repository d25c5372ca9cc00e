/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_LINES_H
#define DCN_TRAIN_LINES_H

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Reads a text file of another tool line by line, as words between blanks.
 *
 * All text formats are read by these rules, so that no word goes unseen: a word is taken as a whole
 * (GetNumber, GetReal), and a word that is no number, or out of range, is refused by a sentence
 * with file, line and word; a line has the words that its format gives it and no more (Need); what
 * is read and has no effect is listed (Ignore). Lines without words are skipped. A byte order mark
 * of UTF-8 and carriage returns are no words; a file in UTF-16 or with bytes 0 is no text.
 */
class DcnTrainLines
{
  public:
    /// How comments and words look.
    struct Syntax
    {
        std::string comment;    //!< begins a comment, to the end of the line; empty: none
        std::string open;       //!< begins a comment that may have several lines; empty: none
        std::string close;      //!< ends it
        std::string separators; //!< each of these characters is a word of its own; if there are
                                //!< some, comments may begin within a word
    };

    static const Syntax CONFIG; //!< of config.txt of HPCC's family

    /**
     * @param path the file
     * @param syntax of comments and words
     * @throws DcnError if it cannot be read
     */
    DcnTrainLines(const std::string& path, const Syntax& syntax);

    /**
     * @brief Go to the next line that has words.
     * @return false at the end of the file
     */
    bool Next();

    /**
     * @brief Go to the next line, which must be there.
     * @param least number of words at least
     * @param most number of words at most
     * @param what is expected, for sentences
     */
    void Need(std::size_t least, std::size_t most, const std::string& what);

    /**
     * @param word position of a word, 0-based
     * @param what its meaning, for sentences
     * @return the word
     * @throws DcnError if the line has fewer words
     */
    const std::string& GetWord(std::size_t word, const std::string& what) const;

    /**
     * @param word position of a word, 0-based
     * @param what its meaning, for sentences
     * @param least smallest value
     * @param most largest value
     * @return the word as a whole number
     * @throws DcnError unless the whole word is such a number
     */
    uint64_t GetNumber(std::size_t word,
                       const std::string& what,
                       uint64_t least = 0,
                       uint64_t most = UINT64_MAX) const;

    /**
     * @param word position of a word, 0-based
     * @param what its meaning, with its unit, for sentences
     * @param least smallest value
     * @param most largest value
     * @return the word as a number
     * @throws DcnError unless the whole word is such a number
     */
    double GetReal(std::size_t word, const std::string& what, double least, double most) const;

    /**
     * @brief List something that is read and has no effect.
     * @param what in words; it is listed once
     */
    void Ignore(const std::string& what);

    /** @return what Ignore listed, in order of the alphabet. */
    std::vector<std::string> GetIgnored() const;

    /**
     * @brief Note how a word that could mean something else is read.
     * @param sentence on it; it is noted once
     */
    void Note(const std::string& sentence);

    /** @return the sentences of Note, in order of the alphabet. */
    std::vector<std::string> GetNotes() const;

    /** @return "flow.txt:7: ", the beginning of sentences on the line. */
    std::string Where() const;

    /**
     * @brief Refuse the line.
     * @param reason the rest of the sentence
     */
    [[noreturn]] void Fail(const std::string& reason) const;

    /**
     * @param word any bytes
     * @return the word in quotation marks, with what is no printable ASCII as hexadecimal digits
     */
    static std::string Quote(const std::string& word);

    /**
     * @brief Read a decimal number: DcnParse without hexadecimal numbers, signs and words.
     * @param word the text
     * @param value set on success
     * @return whether the whole text is a number from 0
     */
    static bool ParseReal(const std::string& word, double& value);

    std::vector<std::string> words; //!< of the line

  protected:
    std::string m_path; //!< the file

  private:
    /// Takes a line without its comments apart.
    void Split(const std::string& text);

    Syntax m_syntax;                 //!< see the constructor
    std::ifstream m_file;            //!< open
    uint64_t m_line{0};              //!< number of the line, from 1
    bool m_isInComment{false};       //!< whether the next line begins in a block comment
    std::set<std::string> m_ignored; //!< see Ignore
    std::set<std::string> m_notes;   //!< see Note
};

} // namespace ns3

#endif /* DCN_TRAIN_LINES_H */
