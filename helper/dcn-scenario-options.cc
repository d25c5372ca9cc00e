/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-options.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cctype>

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
    std::vector<std::string> names;
    const auto value = m_values.find(option);
    for (const std::string& name : DcnSplit(value == m_values.end() ? "" : value->second, ','))
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
    return recipe.CreateParts();
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
    for (const DcnRecipeKey& row : DcnScenarioRecipe::GetKeys())
    {
        if (!m_isDrawn && recipe.IsSet(row.name) && !recipe.Get(row.name).empty() &&
            recipe.Get(row.name) != drawn.Get(row.name))
        {
            DcnFail(row.isOption ? "--" : "--network=",
                    row.name,
                    "=",
                    recipe.Get(row.name),
                    " has several values, but one scenario is asked for: run the program with each "
                    "of them, let --seed draw one by --draw, or compare congestion controls by "
                    "dcn-cceval --cc=hpcc,dcqcn");
        }
    }
}

Ptr<const DcnScenario>
DcnScenarioOptions::Create() const
{
    const DcnScenarioRecipe recipe = MakeRecipe();
    RefuseDraws(recipe);
    return recipe.Create(&m_loadReport);
}

} // namespace ns3
