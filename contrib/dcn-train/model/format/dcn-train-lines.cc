/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-lines.h"

#include "ns3/dcn-error.h"

#include <sstream>

namespace ns3
{

DcnTrainLines::DcnTrainLines(const std::string& path, const std::string& comment)
    : m_path(path),
      m_comment(comment),
      m_file(path)
{
    if (!m_file)
    {
        DcnFail(path, ": cannot be read");
    }
}

bool
DcnTrainLines::Next()
{
    std::string text;
    while (std::getline(m_file, text))
    {
        ++m_line;
        if (!m_comment.empty())
        {
            text = text.substr(0, text.find(m_comment));
        }
        std::istringstream stream(text);
        words.clear();
        for (std::string word; stream >> word;)
        {
            words.push_back(word);
        }
        if (!words.empty())
        {
            return true;
        }
    }
    return false;
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

} // namespace ns3
