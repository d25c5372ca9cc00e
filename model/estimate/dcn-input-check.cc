/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-input-check.h"

#include "dcn-estimator.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnInputCheck");

namespace
{

/**
 * @param method name of a method
 * @param input a file or folder that it needs
 */
void
CheckInput(const std::string& method, const std::string& input)
{
    std::error_code error;
    if (!std::filesystem::exists(input, error))
    {
        DcnFail("the method \"", method, "\" needs ", input, ", which does not exist");
    }
    std::vector<std::string> files{input};
    if (std::filesystem::is_directory(input, error))
    {
        files.clear();
        for (const auto& entry : std::filesystem::directory_iterator(input, error))
        {
            if (entry.is_regular_file(error))
            {
                files.push_back(entry.path().string());
            }
        }
        if (files.empty())
        {
            DcnFail("the method \"",
                    method,
                    "\" needs the folder ",
                    input,
                    ", which has no files or cannot be read");
        }
    }
    for (const std::string& file : files)
    {
        if (!std::ifstream(file, std::ios::binary).is_open())
        {
            DcnFail("the method \"", method, "\" needs ", file, ", which cannot be read");
        }
    }
    NS_LOG_INFO(method << ": " << files.size() << " files of " << input << " can be read");
}

} // namespace

void
DcnCheckInputFiles(const std::vector<std::string>& methods)
{
    for (const std::string& method : methods)
    {
        for (const std::string& input : DcnEstimator::CreateByName(method)->GetInputFiles())
        {
            CheckInput(method, input);
        }
    }
}

} // namespace ns3
