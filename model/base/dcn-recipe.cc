/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-recipe.h"

#include "dcn-csv.h"
#include "dcn-error.h"

#include "ns3/assert.h"
#include "ns3/hash.h"
#include "ns3/log.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iomanip>
#include <set>
#include <sstream>
#include <system_error>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnRecipe");

namespace
{

/**
 * @param a a word
 * @param b another one
 * @return the number of letters to insert, delete, change or swap with the next to get from a to b
 */
std::size_t
GetDistance(const std::string& a, const std::string& b)
{
    std::vector<std::vector<std::size_t>> rows(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
    {
        for (std::size_t j = 0; j <= b.size(); ++j)
        {
            if (i == 0 || j == 0)
            {
                rows[i][j] = i + j;
                continue;
            }
            rows[i][j] = std::min({rows[i - 1][j] + 1,
                                   rows[i][j - 1] + 1,
                                   rows[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            {
                rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
            }
        }
    }
    return rows[a.size()][b.size()];
}

/// A value, taken apart.
struct Value
{
    std::vector<std::string> parts; //!< low and high of a range; else the choices
    bool isRange{false};            //!< LOW:HIGH
    bool isLog{false};              //!< LOW:HIGH:log
};

/// @return the parts of a text between separators, one if there is no separator
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts(1);
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        // in 1e+9 the sign belongs to the number
        const bool isExponent = separator == '+' && i > 1 && (text[i - 1] | 32) == 'e' &&
                                std::isdigit(static_cast<unsigned char>(text[i - 2]));
        if (text[i] == separator && !isExponent)
        {
            parts.emplace_back();
        }
        else
        {
            parts.back() += text[i];
        }
    }
    return parts;
}

/// One of the alternatives of a condition (DcnRecipeKey::only).
struct Condition
{
    std::string key;                 //!< the other key
    bool isNot{false};               //!< it has another value than these
    std::vector<std::string> values; //!< of the other key; "*": any
};

/// @return the alternatives of a condition, at least one
std::vector<Condition>
ReadConditions(const std::string& only)
{
    std::vector<Condition> conditions;
    for (const std::string& each : Split(only, '|'))
    {
        const std::size_t equals = each.find('=');
        const bool isNot = equals > 0 && each[equals - 1] == '!';
        conditions.push_back(
            {each.substr(0, equals - isNot), isNot, Split(each.substr(equals + 1), '+')});
    }
    return conditions;
}

/// @return whether values of a type are numbers
bool
IsNumeric(DcnRecipeKey::Type type)
{
    return type < DcnRecipeKey::WORD;
}

/// @return a value, taken apart by the grammar of its type
Value
TakeApart(DcnRecipeKey::Type type, const std::string& text)
{
    Value value;
    value.isRange = IsNumeric(type) && text.find(':') != std::string::npos;
    if (type == DcnRecipeKey::TEXT && text.find('+') != std::string::npos)
    {
        // a file may have a + in its name
        std::error_code ignored;
        if (std::filesystem::exists(text, ignored))
        {
            value.parts = {text};
            return value;
        }
    }
    value.parts = Split(text, value.isRange ? ':' : '+');
    value.isLog = value.isRange && value.parts.size() == 3 && value.parts.back() == "log";
    if (value.isLog)
    {
        value.parts.pop_back();
    }
    return value;
}

/// @return whether a text is a single number that the row allows, in the unit of its type
bool
ParseNumber(const DcnRecipeKey& row, const std::string& text, double& number)
{
    uint64_t whole = 0;
    DataRate rate;
    Time time;
    bool isNumber = false;
    switch (row.type)
    {
    case DcnRecipeKey::RATE:
        isNumber = DcnParseRate(text, rate);
        number = static_cast<double>(rate.GetBitRate());
        break;
    case DcnRecipeKey::TIME:
        isNumber = DcnParseTime(text, time);
        number = static_cast<double>(time.GetNanoSeconds());
        break;
    case DcnRecipeKey::NUMBER:
        isNumber = DcnParse(text, number);
        break;
    default:
        isNumber = DcnParse(text, whole);
        number = static_cast<double>(whole);
    }
    return isNumber && number >= row.least && number <= row.most;
}

/// @return a number as text that ParseNumber reads
std::string
ToText(DcnRecipeKey::Type type, double number)
{
    const char* unit = type == DcnRecipeKey::RATE ? "bps" : type == DcnRecipeKey::TIME ? "ns" : "";
    return DcnToText(type == DcnRecipeKey::NUMBER ? number : std::floor(number)) + unit;
}

/**
 * @param name what a user gives as congestion control, such as cubic or TcpCubic
 * @return where ns-3's TCP has it, to end a sentence; empty if it has none of this name
 */
std::string
DescribeTransport(const std::string& name)
{
    const auto fold = [](std::string text) {
        std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
            return static_cast<char>(std::tolower(letter));
        });
        return text;
    };
    const std::string asked = fold(name);
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const std::string type = TypeId::GetRegistered(i).GetName();
        const std::string known = fold(type);
        TypeId parent = TypeId::GetRegistered(i);
        bool isControl = false; // some releases give TcpCubic a socket as its parent
        while (parent.HasParent() && !isControl)
        {
            parent = parent.GetParent();
            isControl = parent.GetName() == "ns3::TcpCongestionOps" ||
                        parent.GetName() == "ns3::TcpSocketBase";
        }
        if (isControl && !asked.empty() &&
            (known == asked || known == "ns3::" + asked || known == "ns3::tcp" + asked))
        {
            return "; the method tcp has it: tcp:Transport=" + type;
        }
    }
    return "";
}

/// @return the values that a row allows, for messages
std::string
DescribeValues(const DcnRecipeKey& row)
{
    switch (row.type)
    {
    case DcnRecipeKey::TEXT:
        return "a text without commas";
    case DcnRecipeKey::WORD:
    case DcnRecipeKey::CHOICE: {
        std::string list;
        for (const std::string& word : Split(row.words, '+'))
        {
            list += (list.empty() ? "one of " : ", ") + word;
        }
        return list + (row.type == DcnRecipeKey::WORD ? ", or several joined by +" : "");
    }
    default:
        break;
    }
    const std::string bounds = "from " + DcnToText(row.least) + " to " + DcnToText(row.most);
    const std::string several = ", a range LOW:HIGH or a choice A+B";
    return row.type == DcnRecipeKey::RATE   ? "a rate such as 10Gbps, " + bounds + " bps" + several
           : row.type == DcnRecipeKey::TIME ? "a time such as 1us, " + bounds + " ns" + several
           : row.type == DcnRecipeKey::NUMBER ? "a number " + bounds + several
           : row.type == DcnRecipeKey::SINGLE ? "one whole number " + bounds
                                              : "a whole number " + bounds + several;
}

} // namespace

std::string
DcnFindNearest(const std::string& name, const std::vector<std::string>& known)
{
    auto fold = [](std::string text) {
        std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
            return c == '_' ? '-' : static_cast<char>(std::tolower(c));
        });
        text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
        return text;
    };
    const std::string asked = fold(name);
    std::string nearest;
    // as many letters may differ as leave two thirds of the word
    std::size_t least = asked.size() / 3 + 1;
    for (const std::string& each : known)
    {
        const std::string one = fold(each);
        std::size_t distance = GetDistance(asked, one);
        // a word of which the other is the beginning: topo, methodNames
        const std::size_t common = std::min(asked.size(), one.size());
        if (common >= 3 && asked.compare(0, common, one, 0, common) == 0)
        {
            distance = std::min<std::size_t>(distance, 1);
        }
        if (distance < least)
        {
            least = distance;
            nearest = each;
        }
    }
    return nearest;
}

bool
DcnParseRate(const std::string& text, DataRate& rate)
{
    DataRateValue value;
    const bool hasUnit = text.find_first_not_of("0123456789.") != std::string::npos;
    // ns-3 ends the program at a blank
    const bool isWord = std::none_of(text.begin(), text.end(), [](unsigned char letter) {
        return std::isspace(letter);
    });
    const bool isRate = hasUnit && isWord && value.DeserializeFromString(text, MakeDataRateChecker());
    rate = value.Get();
    return isRate;
}

bool
DcnParseTime(const std::string& text, Time& time)
{
    // ns-3 ends the program at a unit that it does not know
    static const std::set<std::string> UNITS{"ns", "us", "ms", "s"};
    const std::size_t unit = std::min(text.find_first_not_of("0123456789."), text.size());
    double number = 0;
    if (!DcnParse(text.substr(0, unit), number) || UNITS.count(text.substr(unit)) == 0)
    {
        return false;
    }
    time = Time(text);
    return !time.IsZero() || number == 0; // else it is less than a nanosecond
}

DcnRecipe::DcnRecipe(const Keys& keys, const std::string& title, const std::string& prefix)
    : m_keys(&keys),
      m_title(title),
      m_prefix(prefix)
{
}

std::string
DcnRecipe::GetLabel(const std::string& name) const
{
    const DcnRecipeKey* row = FindFirst(name);
    return (row && row->isOption ? m_prefix : "") + name;
}

const DcnRecipeKey*
DcnRecipe::FindFirst(const std::string& name) const
{
    const auto row = std::find_if(m_keys->begin(), m_keys->end(), [&](const DcnRecipeKey& each) {
        return each.name == name;
    });
    return row == m_keys->end() ? nullptr : &*row;
}

bool
DcnRecipe::CanBeMet(const DcnRecipeKey& row) const
{
    if (row.only.empty())
    {
        return true;
    }
    const auto conditions = ReadConditions(row.only);
    return std::any_of(conditions.begin(), conditions.end(), [this](const Condition& each) {
        if (!FindInForce(each.key))
        {
            return false;
        }
        const auto possible = GetChoices(each.key);
        return std::any_of(possible.begin(), possible.end(), [&each](const std::string& value) {
            const bool isListed =
                each.values.front() == "*"
                    ? !value.empty()
                    : std::find(each.values.begin(), each.values.end(), value) != each.values.end();
            return isListed != each.isNot;
        });
    });
}

const DcnRecipeKey*
DcnRecipe::FindInForce(const std::string& name) const
{
    const auto row = std::find_if(m_keys->begin(), m_keys->end(), [&](const DcnRecipeKey& each) {
        return each.name == name && CanBeMet(each);
    });
    return row == m_keys->end() ? nullptr : &*row;
}

void
DcnRecipe::CheckValue(const DcnRecipeKey& row, const std::string& text) const
{
    const Value value = TakeApart(row.type, text);
    const bool isOne = row.type == DcnRecipeKey::SINGLE || row.type == DcnRecipeKey::CHOICE;
    const std::size_t n = value.parts.size();
    bool isGood = n == 1 || (!isOne && (n == 2 || !value.isRange));
    const auto words = Split(row.words, '+');
    double before = value.isLog ? std::nextafter(0.0, 1.0) : -INFINITY;
    for (const std::string& part : value.parts)
    {
        double number = 0;
        isGood = isGood && !part.empty() && part.find(',') == std::string::npos;
        if (!row.words.empty())
        {
            isGood = isGood && std::find(words.begin(), words.end(), part) != words.end();
        }
        else if (IsNumeric(row.type))
        {
            isGood = isGood && ParseNumber(row, part, number);
            isGood = isGood && (!value.isRange || number >= before);
            before = number;
        }
    }
    if (!isGood)
    {
        DcnFail(GetLabel(row.name),
                " must be ",
                DescribeValues(row),
                ", but it is \"",
                text,
                "\"",
                row.name == "cc" ? DescribeTransport(text) : "");
    }
}

void
DcnRecipe::Set(const std::string& name, const std::string& value)
{
    const DcnRecipeKey* row = FindFirst(name);
    if (!row)
    {
        std::string known;
        std::set<std::string> seen;
        std::vector<std::string> names;
        for (const DcnRecipeKey& each : *m_keys)
        {
            names.push_back(each.name);
            if (each.isOption && seen.insert(each.name).second)
            {
                known += (known.empty() ? "" : ", ") + each.name;
            }
        }
        const std::string nearest = DcnFindNearest(name, names);
        std::string more; // of network.csv
        for (const DcnRecipeKey& each : *m_keys)
        {
            if (!each.isOption && seen.insert(each.name).second)
            {
                more += (more.empty() ? "" : ", ") + each.name;
            }
        }
        DcnFail("\"",
                name,
                "\" is no key of ",
                m_title,
                nearest.empty() ? "" : ", did you mean " + nearest + "?",
                nearest.empty() ? "; keys are " : " Keys are ",
                known,
                more.empty() ? "" : "; keys of network.csv: " + more);
    }
    if (value.empty())
    {
        m_values.erase(name);
        return;
    }
    CheckValue(*row, value);
    m_values[name] = value;
}

std::vector<std::pair<std::string, std::string>>
DcnRecipe::Parse(const std::string& assignments)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    std::set<std::string> seen;
    for (const std::string& part :
         assignments.empty() ? std::vector<std::string>() : Split(assignments, ','))
    {
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos)
        {
            DcnFail("\"", part, "\" is not of the form key=value");
        }
        const std::string name = part.substr(0, equals);
        if (!seen.insert(name).second)
        {
            DcnFail("the key \"", name, "\" is given twice");
        }
        if (equals + 1 == part.size())
        {
            DcnFail("the key \"", name, "\" has no value: give one, or leave out the key");
        }
        pairs.emplace_back(name, part.substr(equals + 1));
    }
    return pairs;
}

void
DcnRecipe::SetAll(const std::string& assignments)
{
    for (const auto& [name, value] : Parse(assignments))
    {
        Set(name, value);
    }
}

std::string
DcnRecipe::ToText() const
{
    std::string text;
    std::set<std::string> seen;
    for (const DcnRecipeKey& row : *m_keys)
    {
        const auto value = m_values.find(row.name);
        if (value != m_values.end() && seen.insert(row.name).second)
        {
            text += (text.empty() ? "" : ",") + row.name + "=" + value->second;
        }
    }
    return text;
}

std::string
DcnRecipe::ToFullText() const
{
    std::string text;
    for (const DcnRecipeKey& row : *m_keys)
    {
        std::string value = Get(row.name);
        if (FindInForce(row.name) == &row && !value.empty())
        {
            double number = 0;
            if (IsNumeric(row.type) && ParseNumber(row, value, number))
            {
                value = ns3::ToText(row.type, number);
            }
            text += (text.empty() ? "" : ",") + row.name + "=" + value;
        }
    }
    return text;
}

bool
DcnRecipe::IsSet(const std::string& name) const
{
    return m_values.count(name) > 0;
}

bool
DcnRecipe::CanBe(const std::string& name, const std::string& value) const
{
    const auto set = m_values.find(name);
    if (set == m_values.end())
    {
        return false;
    }
    const DcnRecipeKey& row = *FindFirst(name);
    const Value mine = TakeApart(row.type, set->second);
    if (!IsNumeric(row.type))
    {
        return std::find(mine.parts.begin(), mine.parts.end(), value) != mine.parts.end();
    }
    double asked = 0;
    std::vector<double> numbers(mine.parts.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        ParseNumber(row, mine.parts[i], numbers[i]);
    }
    return ParseNumber(row, value, asked) &&
           (mine.isRange ? numbers[0] <= asked && asked <= numbers[1]
                         : std::find(numbers.begin(), numbers.end(), asked) != numbers.end());
}

const std::string&
DcnRecipe::Get(const std::string& name) const
{
    static const std::string none;
    NS_ASSERT_MSG(FindFirst(name), name << " is no key");
    const DcnRecipeKey* row = FindInForce(name);
    const auto value = m_values.find(name);
    return !row ? none : value == m_values.end() ? row->value : value->second;
}

double
DcnRecipe::GetNumber(const std::string& name) const
{
    double number = 0;
    [[maybe_unused]] const bool isSingle = ParseNumber(*FindFirst(name), Get(name), number);
    NS_ASSERT_MSG(isSingle, name << " is " << Get(name) << ", which is no single number");
    return number;
}

uint64_t
DcnRecipe::GetWhole(const std::string& name) const
{
    const double number = GetNumber(name);
    if (number != std::floor(number))
    {
        DcnFail(GetLabel(name), " must be a whole number, but it is ", Get(name));
    }
    return static_cast<uint64_t>(number); // all limits are below 2^53 but for network.csv
}

DataRate
DcnRecipe::GetRate(const std::string& name) const
{
    return DataRate(GetWhole(name));
}

Time
DcnRecipe::GetTime(const std::string& name) const
{
    return NanoSeconds(GetWhole(name));
}

std::vector<std::string>
DcnRecipe::GetChoices(const std::string& name) const
{
    const std::string& text = Get(name);
    const Value value = TakeApart(FindFirst(name)->type, text);
    return value.isRange ? std::vector<std::string>{text} : value.parts;
}

std::pair<double, double>
DcnRecipe::GetRange(const std::string& name) const
{
    const DcnRecipeKey& row = *FindFirst(name);
    std::pair<double, double> range(INFINITY, -INFINITY);
    for (const std::string& part : TakeApart(row.type, Get(name)).parts)
    {
        double number = 0;
        ParseNumber(row, part, number);
        range = {std::min(range.first, number), std::max(range.second, number)};
    }
    return range;
}

Ptr<UniformRandomVariable>
DcnRecipe::GetVariable(const std::string& name, const DcnRandom& random, DcnPurpose purpose)
{
    auto variable = CreateObject<UniformRandomVariable>();
    random.Assign(variable, purpose, Hash32(name) & DcnRandom::MAX_INDEX);
    return variable;
}

std::size_t
DcnRecipe::DrawChoice(const std::string& name, const DcnRandom& random, DcnPurpose purpose) const
{
    const auto last = static_cast<uint32_t>(GetChoices(name).size() - 1);
    return GetVariable(name, random, purpose)->GetInteger(0, last);
}

double
DcnRecipe::DrawNumber(const std::string& name, const DcnRandom& random, DcnPurpose purpose) const
{
    const DcnRecipeKey& row = *FindFirst(name);
    const Value value = TakeApart(row.type, Get(name));
    double low = 0;
    double high = 0;
    if (!value.isRange)
    {
        ParseNumber(row, value.parts[DrawChoice(name, random, purpose)], low);
        return low;
    }
    ParseNumber(row, value.parts[0], low);
    ParseNumber(row, value.parts[1], high);
    const bool isWhole = row.type != DcnRecipeKey::NUMBER;
    const double share = GetVariable(name, random, purpose)->GetValue(0.0, 1.0);
    if (value.isLog)
    {
        const double number = low * std::pow((high + isWhole) / low, share);
        return isWhole ? std::min(high, std::floor(number)) : number;
    }
    return isWhole ? low + std::floor(share * (high - low + 1)) : low + share * (high - low);
}

void
DcnRecipe::DrawAll(const DcnRandom& random, DcnPurpose purpose)
{
    std::set<std::string> seen;
    for (const DcnRecipeKey& row : *m_keys)
    {
        if (!seen.insert(row.name).second)
        {
            continue;
        }
        const std::string text = Get(row.name);
        const Value value = TakeApart(row.type, text);
        if (text.empty())
        {
            m_values.erase(row.name); // no effect with the values that were drawn
        }
        else if (value.isRange)
        {
            m_values[row.name] = ns3::ToText(row.type, DrawNumber(row.name, random, purpose));
        }
        else if (value.parts.size() > 1)
        {
            m_values[row.name] = value.parts[DrawChoice(row.name, random, purpose)];
        }
    }
    NS_LOG_INFO("drawn with seed " << random.GetSeed() << ": " << this->ToText());
}

void
DcnRecipe::CheckEffects() const
{
    for (const auto& [name, value] : m_values)
    {
        const DcnRecipeKey* row = FindFirst(name);
        if (FindInForce(name))
        {
            continue;
        }
        std::string other;
        do // a condition that is not met, of a key with a value if there is one
        {
            const auto conditions = ReadConditions(row->only);
            const auto known =
                std::find_if(conditions.begin(), conditions.end(), [this](const Condition& each) {
                    return !Get(each.key).empty();
                });
            other = (known == conditions.end() ? conditions.front() : *known).key;
            row = FindFirst(other);
        } while (!FindInForce(other));
        const std::string& met = Get(other);
        DcnFail(GetLabel(name),
                "=",
                value,
                met.empty() ? " has no effect without " : " has no effect with ",
                GetLabel(other),
                met.empty() ? "" : "=",
                met);
    }
}

std::string
DcnRecipe::Describe(const Keys& keys)
{
    std::ostringstream text;
    for (const DcnRecipeKey& row : keys)
    {
        text << "    " << std::left << std::setw(27) << row.name << row.value << "\n"
             << std::setw(31) << "" << row.meaning
             << (row.only.empty() ? "" : " (" + row.only + ")") << "\n";
    }
    return text.str();
}

} // namespace ns3
