/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-options.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace ns3
{

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
}

const std::optional<DcnLoadReport>&
DcnScenarioOptions::GetLoadReport() const
{
    return m_loadReport;
}

std::vector<std::string>
DcnScenarioOptions::GetList(const std::string& option) const
{
    std::vector<std::string> names;
    const auto value = m_values.find(option);
    std::istringstream parts(value == m_values.end() ? "" : value->second);
    for (std::string name; std::getline(parts, name, ',');)
    {
        if (std::find(names.begin(), names.end(), name) != names.end())
        {
            DcnFail("--", option, " names \"", name, "\" twice");
        }
        names.push_back(name);
    }
    return names;
}

void
DcnScenarioOptions::Set(const std::string& name, const std::string& value)
{
    m_values[name] = value;
}

DcnScenarioRecipe
DcnScenarioOptions::MakeRecipe(const std::string& congestionControl) const
{
    DcnScenarioRecipe recipe("", "--");
    for (const auto& [name, value] : m_values)
    {
        if (name != "network" && (name != "cc" || congestionControl.empty()))
        {
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
    return MakeRecipe(congestionControl).CreateParts();
}

Ptr<const DcnScenario>
DcnScenarioOptions::Create() const
{
    return MakeRecipe().Create(&m_loadReport);
}

} // namespace ns3
