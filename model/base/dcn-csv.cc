/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-csv.h"

#include "dcn-error.h"
#include "dcn-interrupt.h"

#include "ns3/log.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <mutex>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>

#if !defined(DCN_DATA_DIR) || !defined(DCN_INSTALLED_DATA)
#error "the build must define DCN_DATA_DIR, the data folder of the repository, and DCN_INSTALLED_DATA"
#endif

#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnCsv");

namespace
{

/**
 * @tparam T integer type
 * @param text the text
 * @param value set on success
 * @return true if the whole text is a number of that type
 */
template <typename T>
bool
ParseInteger(const std::string& text, T& value)
{
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
}

/**
 * Say once per file that its last row has no line end: a file that was cut has a shorter number
 * there. It is no error, since editors write such files, too.
 * @param where file and line, as Where()
 */
void
NoteOpenEnd(const std::string& where)
{
    static std::mutex mutex; // readers may be in several threads
    static std::set<std::string> noted;
    const std::lock_guard<std::mutex> lock(mutex);
    if (noted.insert(where).second)
    {
        std::cerr << "note: " << where
                  << "the last row has no line end: if the file was cut, its last value is wrong"
                  << std::endl;
    }
}

/**
 * @param line of a CSV file
 * @param first position of the cell's opening quote
 * @param cell gets the text between the quotes, with " for ""
 * @return position of the closing quote; the line's length if there is none
 */
std::size_t
TakeQuoted(const std::string& line, std::size_t first, std::string& cell)
{
    std::size_t at = first + 1;
    for (; at < line.size(); ++at)
    {
        if (line[at] == '"' && line.compare(at, 2, "\"\"") != 0)
        {
            return at;
        }
        at += line[at] == '"';
        cell += line[at];
    }
    return at;
}

} // namespace

bool
DcnParse(const std::string& text, uint64_t& value)
{
    return ParseInteger(text, value);
}

bool
DcnParse(const std::string& text, int64_t& value)
{
    return ParseInteger(text, value);
}

bool
DcnParse(const std::string& text, double& value)
{
    // strtod and not from_chars: g++ 8 to 10 have no from_chars for floating point
    // strtod alone would take blanks, inf, nan and hexadecimal numbers
    const bool isDecimal = text.find_first_not_of("0123456789+-.eE") == std::string::npos;
    char* stop = nullptr;
    value = std::strtod(text.c_str(), &stop);
    return isDecimal && !text.empty() && stop == text.c_str() + text.size() && std::isfinite(value);
}

std::vector<std::string>
DcnSplit(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
    {
        const std::size_t first = std::min(part.find_first_not_of(' '), part.size());
        parts.push_back(part.substr(first, part.find_last_not_of(' ') + 1 - first));
    }
    return parts;
}

std::vector<double>
DcnReadNumbers(const std::string& option, const std::string& text, char separator)
{
    std::vector<double> numbers;
    for (const std::string& part : DcnSplit(text, separator))
    {
        double number = 0;
        if (!DcnParse(part, number))
        {
            DcnFail("--", option, "=", text, ": \"", part, "\" is no number; join several by ", separator);
        }
        numbers.push_back(number);
    }
    if (numbers.empty())
    {
        DcnFail("--", option, " has no number");
    }
    return numbers;
}

void
DcnSkipByteOrderMark(std::istream& file, const std::string& path)
{
    const auto isNext = [&file](int byte) { return file && file.peek() == byte; };
    if (isNext(0xff) || isNext(0xfe))
    {
        DcnFail(path, ":1: the file is in UTF-16: save it as UTF-8");
    }
    if (isNext(0xef))
    {
        char mark[3] = {};
        file.read(mark, 3);
        if (std::string(mark, 3) != "\xef\xbb\xbf")
        {
            DcnFail(path, ":1: the file begins with bytes that are no UTF-8: save it as UTF-8");
        }
    }
    if (file.eof())
    {
        file.clear(); // an empty file: the next read says so
    }
}

std::string
DcnDescribeUnusedFiles(const std::string& folder, const std::set<std::string>& used)
{
    constexpr std::size_t MOST = 5; // names in the line
    std::set<std::string> unused;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    {
        const std::string name = entry.path().filename().string();
        if (name[0] != '.' && used.count(name) == 0)
        {
            unused.insert(name);
        }
    }
    std::string text;
    std::size_t n = 0;
    for (const std::string& name : unused)
    {
        text += n == 0 ? "ignored: " + folder + "/" + name : n < MOST ? ", " + name : "";
        ++n;
    }
    return n > MOST ? text + " and " + std::to_string(n - MOST) + " others" : text;
}

std::string
DcnToText(double value)
{
    char text[32];
    if (value == std::floor(value) && std::abs(value) < 1e15)
    {
        std::snprintf(text, sizeof(text), "%.0f", value);
        return text;
    }
    double again = 0;
    for (int digits = 1; digits <= 17; ++digits) // 17 are always enough
    {
        std::snprintf(text, sizeof(text), "%.*g", digits, value);
        if (DcnParse(text, again) && again == value)
        {
            break;
        }
    }
    return text;
}

DcnCsvReader::DcnCsvReader(const std::string& path, const std::vector<std::string>& columns)
    : m_path(path),
      m_columns(columns)
{
    errno = 0;
    m_file.open(path);
    if (!m_file || std::filesystem::is_directory(path))
    {
        DcnFail(path, ": the file cannot be read", DcnDescribeFileError(path, errno));
    }
    DcnSkipByteOrderMark(m_file, path);
    NS_LOG_INFO("reading " << path);
    if (columns.empty())
    {
        return;
    }
    m_columns.clear(); // the header itself may have any number of columns
    const bool hasHeader = FetchRow();
    m_columns = columns;
    if (!hasHeader || m_cells != columns)
    {
        std::string expected;
        std::string found;
        for (const auto& column : columns)
        {
            expected += (expected.empty() ? "" : ",") + column;
        }
        for (const auto& cell : m_cells)
        {
            found += (found.empty() ? "" : ",") + cell;
        }
        DcnFail(hasHeader ? Where() : path + ": ",
                "the header must be \"",
                expected,
                "\", but it is \"",
                found,
                "\"");
    }
}

bool
DcnCsvReader::FetchRow()
{
    static const char* const BLANKS = " \t\r";
    m_cells.clear();
    for (std::string line; std::getline(m_file, line);)
    {
        ++m_line;
        const std::size_t first = line.find_first_not_of(BLANKS);
        if (first == std::string::npos || line[first] == '#')
        {
            continue;
        }
        for (std::size_t begin = 0; begin <= line.size();)
        {
            const std::size_t quote = line.find_first_not_of(BLANKS, begin);
            if (quote != std::string::npos && line[quote] == '"')
            {
                m_cells.emplace_back();
                const std::size_t last = TakeQuoted(line, quote, m_cells.back());
                begin = std::min(line.find_first_not_of(BLANKS, last + 1), line.size());
                if (last >= line.size() || (begin < line.size() && line[begin] != ','))
                {
                    DcnFail(Where(),
                            "a quoted cell ends with \" before the next comma, and a \" in it is "
                            "written twice, but it is ",
                            line.substr(quote));
                }
                ++begin;
                continue;
            }
            const std::size_t end = std::min(line.find(',', begin), line.size());
            const std::size_t from = std::min(quote, end);
            std::size_t to = end;
            while (to > from && std::string(BLANKS).find(line[to - 1]) != std::string::npos)
            {
                --to;
            }
            m_cells.push_back(line.substr(from, to - from));
            begin = end + 1;
        }
        if (!m_columns.empty() && m_cells.size() != m_columns.size())
        {
            DcnFail(Where(),
                    "the row has ",
                    m_cells.size(),
                    " columns instead of ",
                    m_columns.size());
        }
        if (m_file.eof())
        {
            NoteOpenEnd(Where());
        }
        return true;
    }
    return false;
}

std::string
DcnCsvReader::Where() const
{
    return m_path + ":" + std::to_string(m_line) + ": ";
}

uint32_t
DcnCsvReader::GetLine() const
{
    return m_line;
}

std::size_t
DcnCsvReader::GetNColumns() const
{
    return m_cells.size();
}

const std::string&
DcnCsvReader::GetText(std::size_t column) const
{
    return m_cells.at(column);
}

uint64_t
DcnCsvReader::GetUint(std::size_t column) const
{
    uint64_t value;
    if (!DcnParse(m_cells.at(column), value))
    {
        FailCell(column, "a whole number from 0");
    }
    return value;
}

int64_t
DcnCsvReader::GetInt(std::size_t column) const
{
    int64_t value;
    if (!DcnParse(m_cells.at(column), value))
    {
        FailCell(column, "a whole number");
    }
    return value;
}

double
DcnCsvReader::GetDouble(std::size_t column) const
{
    double value;
    if (!DcnParse(m_cells.at(column), value))
    {
        FailCell(column, "a number");
    }
    return value;
}

void
DcnCsvReader::FailCell(std::size_t column, const char* kind) const
{
    const std::string name =
        column < m_columns.size() ? m_columns[column] : "column " + std::to_string(column + 1);
    DcnFail(Where(), name, " must be ", kind, ", but it is \"", m_cells[column], "\"");
}

std::string
DcnDescribeFileError(const std::string& path, int error)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path folder = fs::path(path).parent_path();
    struct statvfs disk = {};
    if (fs::is_directory(path, ignored))
    {
        return " (it is a folder)";
    }
    if (error == ENOENT || error == ENOTDIR)
    {
        return !folder.empty() && !fs::is_directory(folder, ignored) ? " (there is no such folder)"
                                                                     : " (there is no such file)";
    }
    // a stream may have met the end of the space before its last call
    if (error == ENOSPC || error == EDQUOT ||
        (error == 0 && statvfs(folder.empty() ? "." : folder.c_str(), &disk) == 0 &&
         disk.f_bavail == 0))
    {
        return " (the disk is full)";
    }
    return error == 0                          ? ""
           : error == EACCES || error == EPERM ? " (no permission)"
                                               : std::string(" (") + std::strerror(error) + ")";
}

std::string
DcnReadJson(const std::string& path)
{
    static constexpr std::size_t MOST_BYTES = 1'000'000'000;
    static constexpr int MOST_DEPTH = 100;
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
    {
        DcnFail(path, ": the file cannot be read", DcnDescribeFileError(path, errno));
    }
    DcnSkipByteOrderMark(file, path);
    std::string text;
    int depth = 0;
    std::size_t line = 1;
    bool isString = false;
    bool isEscaped = false;
    for (std::istreambuf_iterator<char> next(file), end; next != end; ++next)
    {
        const char c = *next;
        text += c;
        line += c == '\n';
        if (isString)
        {
            isString = isEscaped || c != '"';
            isEscaped = !isEscaped && c == '\\';
            continue;
        }
        isString = c == '"';
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (depth > MOST_DEPTH || text.size() > MOST_BYTES)
        {
            DcnFail(path,
                    ":",
                    line,
                    ": this is no file of dcn: ",
                    depth > MOST_DEPTH
                        ? "objects and arrays are nested more than " + std::to_string(MOST_DEPTH) +
                              " deep"
                        : "it has more than " + std::to_string(MOST_BYTES) + " bytes");
        }
    }
    return text;
}

namespace
{

/**
 * @param text any bytes
 * @param at position of the first byte of a character
 * @return the number of bytes of the character in UTF-8; 0 if it is none
 */
std::size_t
GetCharacterLength(const std::string& text, std::size_t at)
{
    const auto byte = [&text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    const unsigned first = byte(at);
    const std::size_t length = first < 0x80                     ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    for (std::size_t i = 1; i < length; ++i)
    {
        if ((byte(at + i) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    // longer than need be, halves of pairs of UTF-16, and beyond the last character
    const unsigned second = length > 2 ? byte(at + 1) : 0;
    const bool isBad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                       (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return isBad ? 0 : length;
}

} // namespace

std::string
DcnQuoteJson(const std::string& text)
{
    std::ostringstream out;
    out << '"';
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        const std::size_t length = GetCharacterLength(text, i);
        if (c == '"' || c == '\\')
        {
            out << '\\' << c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            out << "\\u" << std::hex << std::setw(4) << std::setfill('0') << static_cast<int>(c);
        }
        else if (length == 0) // a name of a file may have any bytes, JSON has UTF-8
        {
            out << "\\ufffd";
        }
        else
        {
            out << text.substr(i, length);
            i += length - 1;
        }
    }
    out << '"';
    return out.str();
}

std::string
DcnCsvText(std::string text)
{
    for (char& c : text)
    {
        c = c == ',' ? ';' : c == '\n' || c == '\r' ? ' ' : c;
    }
    const std::size_t first = text.find_first_not_of(" \t");
    // else it would be read as quoted, or the row as a comment
    if (first != std::string::npos && (text[first] == '"' || text[first] == '#'))
    {
        for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
        {
            text.insert(at, 1, '"');
        }
        text = '"' + text + '"';
    }
    return text;
}

DcnFileWriter::DcnFileWriter(const std::string& path)
    : m_path(path),
      m_temporary(path + ".part-" + std::to_string(getpid())),
      m_stream(m_temporary)
{
    const int reason = errno;
    if (!m_stream || std::filesystem::is_directory(path))
    {
        std::error_code ignored;
        std::filesystem::remove(m_temporary, ignored);
        DcnFail(path, ": the file cannot be written", DcnDescribeFileError(path, reason));
    }
    DcnRemoveAtSignal(m_temporary.c_str());
}

DcnFileWriter::~DcnFileWriter()
{
    if (!m_temporary.empty())
    {
        DcnKeepAtSignal(m_temporary.c_str());
        m_stream.close();
        std::error_code ignored;
        std::filesystem::remove(m_temporary, ignored);
    }
}

std::ostream&
DcnFileWriter::Stream()
{
    return m_stream;
}

void
DcnFileWriter::Commit()
{
    errno = 0;
    m_stream.close();
    int reason = errno;
    if (m_stream && std::rename(m_temporary.c_str(), m_path.c_str()) == 0)
    {
        NS_LOG_INFO("written: " << m_path);
        DcnKeepAtSignal(m_temporary.c_str());
        m_temporary.clear();
        return;
    }
    reason = m_stream ? errno : reason;
    DcnFail(m_path, ": the file cannot be written", DcnDescribeFileError(m_path, reason));
}

void
DcnMakeFolder(const std::string& path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    std::error_code ignored;
    if (error || !std::filesystem::is_directory(path, ignored))
    {
        const bool isFile = std::filesystem::exists(path, ignored) || error.value() == ENOTDIR;
        DcnFail(path,
                ": the output folder cannot be made or written",
                isFile                    ? " (a file has this name)"
                : error.value() == ENOENT ? " (no folder can be made there)"
                                          : DcnDescribeFileError(path, error.value()));
    }
    if (access(path.c_str(), W_OK | X_OK) != 0)
    {
        DcnFail(path,
                ": the output folder cannot be made or written (",
                errno == EACCES ? "no permission" : std::strerror(errno),
                ")");
    }
}

DcnFolderLock::DcnFolderLock(const std::string& folder, const std::string& sentence)
    : m_descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (m_descriptor < 0)
    {
        DcnFail(folder, ": it cannot be opened (", std::strerror(errno), ")");
    }
    if (flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
        close(m_descriptor);
        DcnFail(folder, ": ", sentence);
    }
}

DcnFolderLock::~DcnFolderLock()
{
    close(m_descriptor);
}

std::string
DcnDataPath(const std::string& relative)
{
    static const std::string ours = []() {
        Dl_info library{};
        if (dladdr(reinterpret_cast<const void*>(&DcnDataPath), &library) && library.dli_fname)
        {
            const auto installed =
                std::filesystem::path(library.dli_fname).parent_path() / DCN_INSTALLED_DATA;
            std::error_code ignored;
            if (std::filesystem::is_directory(installed / "sizes", ignored))
            {
                return installed.lexically_normal().string();
            }
        }
        return std::string(DCN_DATA_DIR);
    }();
    const char* folder = std::getenv("DCN_DATA");
    return (folder && *folder ? folder : ours) + "/" + relative;
}

} // namespace ns3
