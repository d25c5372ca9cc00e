/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_CSV_H
#define DCN_CSV_H

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Strict reading of a CSV file.
 *
 * Cells are separated by commas; a cell between quotes may have commas and "" for a quote, but no
 * line end. Blanks around a cell, carriage returns and a byte order mark are ignored. (ns-3's
 * CsvReader drops an empty last cell without a word.) A wrong header, a missing or surplus column,
 * text that is not entirely a number, and open quotes end in a DcnError that names the file, line,
 * column and value. Blank lines and lines that start with '#' are skipped.
 */
class DcnCsvReader
{
  public:
    /**
     * @param path the file
     * @param columns names that the header must have, in this order; empty: the file has no header
     * @throws DcnError if the file cannot be read or has another header
     */
    DcnCsvReader(const std::string& path, const std::vector<std::string>& columns);

    /**
     * @brief Go to the next row.
     * @return false at the end of the file
     */
    bool FetchRow();

    /** @return "flows.csv:7: ", the prefix of every sentence about this row. */
    std::string Where() const;

    /** @return the number of this row's line, from 1. */
    uint32_t GetLine() const;

    /** @return the number of columns of this row. */
    std::size_t GetNColumns() const;

    /**
     * @param column position, 0-based
     * @return the text of the cell
     */
    const std::string& GetText(std::size_t column) const;

    /**
     * @param column position, 0-based
     * @return the cell as a whole number from 0
     */
    uint64_t GetUint(std::size_t column) const;

    /**
     * @param column position, 0-based
     * @return the cell as a whole number
     */
    int64_t GetInt(std::size_t column) const;

    /**
     * @param column position, 0-based
     * @return the cell as a finite number
     */
    double GetDouble(std::size_t column) const;

  private:
    [[noreturn]] void FailCell(std::size_t column, const char* kind) const;

    std::string m_path;                 //!< as given
    std::vector<std::string> m_columns; //!< expected header
    std::vector<std::string> m_cells;   //!< of the current row
    std::ifstream m_file;               //!< the file
    uint32_t m_line{0};                 //!< number of the latest line
};

/**
 * @ingroup dcn
 * @brief Why a file could not be opened, read or written, for the end of a sentence.
 * @param path of the file
 * @param error errno after the failure; 0: not known
 * @return such as " (there is no such file)", " (no permission)" or " (the disk is full)"; empty if
 * the reason is not known
 */
std::string DcnDescribeFileError(const std::string& path, int error);

/**
 * @ingroup dcn
 * @brief Read a JSON file that a parser may take apart by recursion.
 * @param path of the file
 * @return its text
 * @throws DcnError if it cannot be read, has more than 1 GB, or nests objects and arrays more than
 * 100 deep: none of this project's files has more than 4, and deeper ones end a parser's stack
 */
std::string DcnReadJson(const std::string& path);

/**
 * @ingroup dcn
 * @param text any text
 * @return it as a JSON string, in quotation marks
 */
std::string DcnQuoteJson(const std::string& text);

/**
 * @ingroup dcn
 * @brief Make a sentence a cell that a reader without quotes takes, too.
 * @param text any text
 * @return the text with ; for commas, blanks for line ends, and quotes if it starts with a quote
 */
std::string DcnCsvText(std::string text);

/**
 * @ingroup dcn
 * @brief Writes a text file under a temporary name and gives it its own name when it is complete.
 *
 * A run that stops half-way leaves no file behind: the destructor removes a file that was not
 * committed.
 */
class DcnFileWriter
{
  public:
    /**
     * @param path final name; its folder must exist
     * @throws DcnError if it cannot be written
     */
    explicit DcnFileWriter(const std::string& path);
    /** Removes the temporary file unless Commit was called. */
    ~DcnFileWriter();
    DcnFileWriter(const DcnFileWriter&) = delete;
    DcnFileWriter& operator=(const DcnFileWriter&) = delete;

    /** @return where to write. */
    std::ostream& Stream();

    /**
     * @brief Close the file and give it its name.
     * @throws DcnError if something could not be written (disk full)
     */
    void Commit();

  private:
    std::string m_path;      //!< final name
    std::string m_temporary; //!< name while it is being written
    std::ofstream m_stream;  //!< the open file
};

/**
 * @ingroup dcn
 * @brief Make a folder with its parents and check that files can be written in it.
 * @param path the folder
 * @throws DcnError if it cannot be made or written
 */
void DcnMakeFolder(const std::string& path);

/**
 * @ingroup dcn
 * @brief A lock on a folder, as long as the object lives: no other process may hold it.
 *
 * It is advisory: runs of this class respect it. The kernel releases it when the process and those
 * that it has forked end. Folders of file systems without locks are not locked.
 */
class DcnFolderLock
{
  public:
    /**
     * @param folder exists
     * @param sentence what to say after the folder's name if another process holds it
     * @throws DcnError with the sentence
     */
    DcnFolderLock(const std::string& folder, const std::string& sentence);
    ~DcnFolderLock();
    DcnFolderLock(const DcnFolderLock&) = delete;
    DcnFolderLock& operator=(const DcnFolderLock&) = delete;

  private:
    int m_descriptor; //!< of the folder
};

/**
 * @ingroup dcn
 * @brief Read a whole text as a number.
 * @param text e.g. "12", "-3", "2.5e9"
 * @param value set on success
 * @return false unless the whole text is one number that fits
 */
bool DcnParse(const std::string& text, uint64_t& value);
/** @copydoc DcnParse(const std::string&,uint64_t&) */
bool DcnParse(const std::string& text, int64_t& value);
/** @copydoc DcnParse(const std::string&,uint64_t&) */
bool DcnParse(const std::string& text, double& value);

/**
 * @ingroup dcn
 * @param text parts that are joined by a character; empty: no part
 * @param separator the character
 * @return the parts, in order, without blanks around them
 */
std::vector<std::string> DcnSplit(const std::string& text, char separator);

/**
 * @ingroup dcn
 * @brief Read an option that takes several numbers.
 * @param option its name, without dashes
 * @param text numbers joined by the separator, at least one
 * @param separator between two numbers
 * @return the numbers, in order
 * @throws DcnError naming option and part for anything else
 */
std::vector<double> DcnReadNumbers(const std::string& option,
                                   const std::string& text,
                                   char separator = ',');

/**
 * @ingroup dcn
 * @brief Begin to read a text: skip the byte order mark that editors of Windows write.
 * @param file just opened; what cannot be read is left to the caller
 * @param path its name, for the message
 * @throws DcnError for a text in UTF-16
 */
void DcnSkipByteOrderMark(std::istream& file, const std::string& path);

/**
 * @ingroup dcn
 * @brief Name the files and folders in a folder that a reader does not use.
 * @param folder its path
 * @param used names of the others; names that begin with '.' are passed over
 * @return "ignored: FOLDER/a, b and 3 others", in alphabetical order; empty: all are used
 */
std::string DcnDescribeUnusedFiles(const std::string& folder, const std::set<std::string>& used);

/**
 * @ingroup dcn
 * @brief Write a number so that DcnParse reads the same.
 * @param value a finite number
 * @return it with as few digits as that takes; whole numbers below 1e15 in full
 */
std::string DcnToText(double value);

/**
 * @ingroup dcn
 * @brief Where a file of the repository's data folder lies.
 *
 * The folder is the environment variable DCN_DATA if it is set, else share/dcn beside the library
 * if that was installed, else the one of the sources that the module was built from.
 *
 * @param relative path inside the data folder, e.g. "sizes/web-server.csv"
 * @return the path to open; whether it exists is not checked
 */
std::string DcnDataPath(const std::string& relative);

} // namespace ns3

#endif /* DCN_CSV_H */
