/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-lines.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace ns3
{

DcnTrainLines::DcnTrainLines(const std::string& path, const Syntax& syntax)
    : m_path(path),
      m_syntax(syntax),
      m_file(path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
    {
        DcnFail(path, ": is a folder, but a file is expected");
    }
    if (!m_file)
    {
        DcnFail(path, ": cannot be read: ", std::strerror(errno));
    }
    DcnSkipByteOrderMark(m_file, path);
}

const DcnTrainLines::Syntax DcnTrainLines::CONFIG{"#", "{", "}", ""};

bool
DcnTrainLines::Next()
{
    std::string text;
    while (std::getline(m_file, text))
    {
        ++m_line;
        if (text.find('\0') != std::string::npos)
        {
            Fail("the line has a byte 0: the file is no text");
        }
        Split(text);
        if (!words.empty())
        {
            return true;
        }
    }
    if (m_isInComment)
    {
        DcnFail(m_path, ": the file ends within a comment");
    }
    return false;
}

void
DcnTrainLines::Split(const std::string& text)
{
    words.clear();
    bool isWordOpen = false;
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        if (m_isInComment)
        {
            if (text.compare(at, m_syntax.close.size(), m_syntax.close) == 0)
            {
                m_isInComment = false;
                at += m_syntax.close.size() - 1;
            }
            continue;
        }
        const bool isInWord = isWordOpen && m_syntax.separators.empty();
        const auto begins = [&](const std::string& mark) {
            return !mark.empty() && !isInWord && text.compare(at, mark.size(), mark) == 0;
        };
        if (begins(m_syntax.comment))
        {
            return;
        }
        const char letter = text[at];
        const bool isSeparator = m_syntax.separators.find(letter) != std::string::npos;
        if (begins(m_syntax.open))
        {
            m_isInComment = true;
            isWordOpen = false;
            at += m_syntax.open.size() - 1;
        }
        else if (std::strchr(" \t\r\v\f", letter))
        {
            isWordOpen = false;
        }
        else if (isSeparator || !isWordOpen)
        {
            words.emplace_back(1, letter);
            isWordOpen = !isSeparator;
        }
        else
        {
            words.back() += letter;
        }
    }
}

void
DcnTrainLines::Need(std::size_t least, std::size_t most, const std::string& what)
{
    if (!Next())
    {
        DcnFail(m_path, ": the file ends where ", what, " is expected: it is truncated");
    }
    if (words.size() < least || words.size() > most)
    {
        Fail("expected " + what + ", but there are " + std::to_string(words.size()) + " words");
    }
}

const std::string&
DcnTrainLines::GetWord(std::size_t word, const std::string& what) const
{
    if (word >= words.size())
    {
        Fail("the line ends where " + what + " is expected");
    }
    return words[word];
}

uint64_t
DcnTrainLines::GetNumber(std::size_t word,
                         const std::string& what,
                         uint64_t least,
                         uint64_t most) const
{
    uint64_t value = 0;
    const std::string& text = GetWord(word, what);
    if (!DcnParse(text, value) || value < least || value > most)
    {
        std::string range = least > 0 ? " from " + std::to_string(least) : "";
        range += most < UINT64_MAX ? (least > 0 ? " to " : " up to ") + std::to_string(most) : "";
        Fail(what + " must be a whole number" + range + ", but it is " + Quote(text));
    }
    return value;
}

double
DcnTrainLines::GetReal(std::size_t word, const std::string& what, double least, double most) const
{
    double value = 0;
    const std::string& text = GetWord(word, what);
    if (!ParseReal(text, value) || value < least || value > most)
    {
        Fail(what + " must be a number from " + DcnToText(least) + " to " + DcnToText(most) +
             ", but it is " + Quote(text));
    }
    return value;
}

bool
DcnTrainLines::ParseReal(const std::string& word, double& value)
{
    const std::size_t digits = word.find_first_of("0123456789");
    return digits <= 1 && (digits == 0 || word[0] == '.') &&
           word.find_first_not_of("0123456789.eE+-") == std::string::npos && DcnParse(word, value);
}

void
DcnTrainLines::Ignore(const std::string& what)
{
    m_ignored.insert(what);
}

std::vector<std::string>
DcnTrainLines::GetIgnored() const
{
    return {m_ignored.begin(), m_ignored.end()};
}

void
DcnTrainLines::Note(const std::string& sentence)
{
    m_notes.insert(sentence);
}

std::vector<std::string>
DcnTrainLines::GetNotes() const
{
    return {m_notes.begin(), m_notes.end()};
}

std::string
DcnTrainLines::Where() const
{
    return m_path + ":" + std::to_string(m_line) + ": ";
}

void
DcnTrainLines::Fail(const std::string& reason) const
{
    DcnFail(Where(), reason);
}

std::string
DcnTrainLines::Quote(const std::string& word)
{
    constexpr std::size_t MOST = 60; // bytes of a word in a sentence
    std::string quoted = "\"";
    for (std::size_t i = 0; i < word.size() && i < MOST; ++i)
    {
        const auto letter = static_cast<unsigned char>(word[i]);
        if (letter >= 0x20 && letter < 0x7f)
        {
            quoted += word[i];
        }
        else
        {
            char code[5];
            std::snprintf(code, sizeof(code), "\\x%02X", letter);
            quoted += code;
        }
    }
    return quoted + (word.size() > MOST ? "...\"" : "\"");
}

} // namespace ns3
