/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-options.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace ns3
{

namespace
{

/**
 * @param name of an option
 * @param value one of its values
 * @return the key, with the number if the value is one of an axis
 */
DcnScenarioOptions::Key
MakeKey(const std::string& name, const std::string& value)
{
    DcnScenarioOptions::Key key{name, value, std::numeric_limits<double>::quiet_NaN(), ""};
    const auto& rows = DcnScenarioRecipe::GetKeys();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const DcnRecipeKey& each) {
        return each.name == name;
    });
    Time time;
    switch (row->type)
    {
    case DcnRecipeKey::WHOLE:
    case DcnRecipeKey::NUMBER:
        DcnParse(value, key.number);
        break;
    case DcnRecipeKey::RATE:
        try
        {
            DcnScenarioRecipe recipe("", "--");
            recipe.Set(name, value);
            key.number = static_cast<double>(recipe.GetRate(name).GetBitRate()) / 1e9;
            key.unit = "Gb/s";
        }
        catch (const DcnError&)
        {
            // a bad value, or one without effect here, is refused with the others of its scenario
        }
        break;
    case DcnRecipeKey::TIME:
        if (DcnParseTime(value, time))
        {
            key.number = static_cast<double>(time.GetNanoSeconds()) / 1e3;
            key.unit = "us";
        }
        break;
    default:
        break;
    }
    return key;
}

} // namespace

void
DcnScenarioOptions::AddTo(CommandLine& cmd, const std::map<std::string, std::string>& defaults)
{
    m_defaults = defaults;
    // a line per option: the meanings and defaults of all rows of a key
    std::map<std::string, std::string> helps;
    for (const DcnRecipeKey& row : DcnScenarioRecipe::GetKeys())
    {
        if (row.isOption)
        {
            std::string& help = helps[row.name];
            help += (help.empty() ? "" : "; ") + row.meaning;
            const auto own = defaults.find(row.name);
            const std::string& value = own == defaults.end() ? row.value : own->second;
            help += value.empty() ? "" : " (" + value + ")";
            help += row.words.empty() ? "" : ": " + row.words;
        }
    }
    helps["network"] = "network configuration as key=value,... with the keys of network.csv";
    for (auto& [name, help] : helps)
    {
        help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
        DcnAddText(cmd, name, help, m_values[name]);
    }
    cmd.AddValue("draw",
                 "Options of the scenario may be ranges, as in --load=0.3:0.8, and choices, as in "
                 "--cc=dctcp+hpcc; --seed draws one value of each",
                 m_isDrawn);
}

const std::optional<DcnLoadReport>&
DcnScenarioOptions::GetLoadReport() const
{
    return m_loadReport;
}

std::vector<std::string>
DcnScenarioOptions::GetList(const std::string& option) const
{
    const auto value = m_values.find(option);
    return DcnSplitValues(option, value == m_values.end() ? "" : value->second);
}

void
DcnScenarioOptions::Set(const std::string& name, const std::string& value)
{
    if (name == "draw")
    {
        m_isDrawn = value == "true";
        return;
    }
    m_values[name] = value;
}

DcnScenarioRecipe
DcnScenarioOptions::MakeRecipe(const std::string& congestionControl) const
{
    DcnScenarioRecipe recipe("", "--");
    for (const auto& [name, value] : m_values)
    {
        if (name != "network" && name != "draw" && (name != "cc" || congestionControl.empty()))
        {
            RefuseList(name, value);
            recipe.Set(name, value);
        }
    }
    if (!congestionControl.empty())
    {
        recipe.Set("cc", congestionControl);
    }
    for (const auto& [name, value] : m_defaults)
    {
        if (!recipe.IsSet(name) && !recipe.Get(name).empty())
        {
            recipe.Set(name, value);
        }
    }
    const auto network = m_values.find("network");
    recipe.SetNetwork(network == m_values.end() ? "" : network->second);
    return recipe;
}

DcnScenarioOptions::Parts
DcnScenarioOptions::CreateParts(const std::string& congestionControl) const
{
    const DcnScenarioRecipe recipe = MakeRecipe(congestionControl);
    RefuseDraws(recipe);
    return recipe.Draw(recipe.GetWhole("seed")).CreateParts();
}

DcnScenarioRecipe
DcnScenarioOptions::MakeDrawnRecipe() const
{
    const DcnScenarioRecipe recipe = MakeRecipe();
    RefuseDraws(recipe);
    return recipe.Draw(recipe.GetWhole("seed"));
}

void
DcnScenarioOptions::RefuseDraws(const DcnScenarioRecipe& recipe) const
{
    const DcnScenarioRecipe drawn = recipe.Draw(recipe.GetWhole("seed"));
    bool isVaried = false;
    for (const DcnRecipeKey& row : DcnScenarioRecipe::GetKeys())
    {
        const bool isOne = !recipe.IsSet(row.name) || recipe.Get(row.name).empty() ||
                           recipe.Get(row.name) == drawn.Get(row.name);
        isVaried = isVaried || !isOne;
        if (!m_isDrawn && !isOne)
        {
            DcnFail(row.isOption ? "--" : "--network=",
                    row.name,
                    "=",
                    recipe.Get(row.name),
                    " has several values, but one scenario is asked for: run all of them by ",
                    row.isOption
                        ? "dcn-compare, which takes values joined by commas as in --cc=hpcc,dcqcn"
                        : "the Python module, as in dcn.sweep(methods, " + row.name + "=[...])",
                    ", or let --seed draw one by --draw");
        }
    }
    if (m_isDrawn && !isVaried)
    {
        DcnFail("--draw has no effect: no option of the scenario is a range such as "
                "--load=0.3:0.8 or a choice such as --cc=dctcp+hpcc");
    }
}

bool
DcnScenarioOptions::IsDrawn() const
{
    return m_isDrawn;
}

void
DcnScenarioOptions::RefuseList(const std::string& name, const std::string& value) const
{
    if (value.find(',') != std::string::npos)
    {
        DcnFail("--",
                name,
                "=",
                value,
                " has several values, but one scenario is asked for: dcn-compare --",
                name,
                "=",
                value,
                " runs all of them");
    }
}

std::vector<DcnScenarioOptions::Variant>
DcnScenarioOptions::Split(uint64_t nSeeds) const
{
    DcnOptionValues lists; // of the options with several values, in the order of the table
    for (const DcnRecipeKey& row : DcnScenarioRecipe::GetKeys())
    {
        const auto value = m_values.find(row.name);
        const bool isSeen = std::any_of(lists.begin(), lists.end(), [&](const auto& list) {
            return list.first == row.name;
        });
        if (row.isOption && !isSeen && value != m_values.end() &&
            value->second.find(',') != std::string::npos)
        {
            lists.emplace_back(row.name, GetList(row.name));
        }
    }
    const auto isSeed = [](const auto& list) { return list.first == "seed"; };
    const auto seeds = std::find_if(lists.begin(), lists.end(), isSeed);
    if (seeds != lists.end() && nSeeds > 1)
    {
        DcnFail("--seed=", m_values.at("seed"), " has several values: leave out --seeds");
    }
    if (seeds != lists.end())
    {
        std::rotate(seeds, seeds + 1, lists.end()); // seeds one after the other
    }
    else if (nSeeds > 1)
    {
        DcnScenarioRecipe recipe("", "--");
        const auto given = m_values.find("seed");
        recipe.Set("seed", given == m_values.end() ? "" : given->second);
        lists.emplace_back("seed", std::vector<std::string>());
        // one more than can run is refused with the other values
        for (uint64_t i = 0; i < std::min<uint64_t>(nSeeds, DCN_MOST_COMBINATIONS + 1); ++i)
        {
            lists.back().second.push_back(std::to_string(recipe.GetWhole("seed") + i));
        }
    }
    std::vector<Variant> variants;
    for (const std::vector<std::string>& values : DcnCombineValues(lists))
    {
        variants.push_back({{}, *this});
        for (std::size_t i = 0; i < lists.size(); ++i)
        {
            variants.back().keys.push_back(MakeKey(lists[i].first, values[i]));
            variants.back().options.Set(lists[i].first, values[i]);
        }
    }
    return variants;
}

std::string
DcnScenarioOptions::Variant::Describe() const
{
    std::string text;
    for (const Key& key : keys)
    {
        text += (text.empty() ? "" : ",") + key.name + "=" + key.value;
    }
    return text;
}

std::string
DcnScenarioOptions::Variant::GetFolder() const
{
    std::string name;
    for (const Key& key : keys)
    {
        name += (name.empty() ? "" : "_") + key.name + "-";
        for (const char c : key.value)
        {
            const bool isPlain = std::isalnum(static_cast<unsigned char>(c)) || c == '.';
            name += isPlain ? c : '-';
        }
    }
    return name;
}

Ptr<const DcnScenario>
DcnScenarioOptions::Create() const
{
    const DcnScenarioRecipe recipe = MakeRecipe();
    RefuseDraws(recipe);
    return recipe.Create(&m_loadReport);
}

} // namespace ns3
