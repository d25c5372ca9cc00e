/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Run the packet engine on every scenario directory of a folder.
 *
 * Writes <case>.csv (flow_id,fct_ns) for each into another folder, for comparison with another
 * simulator.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string cases;
    std::string out;
    std::string only;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run the packet engine on every scenario directory of a folder.");
    DcnAddText(cmd, "cases", "Folder whose sub-folders are scenario directories", cases);
    DcnAddText(cmd, "out", "Folder for <case>.csv with the columns flow_id,fct_ns", out);
    DcnAddText(cmd, "only", "Run only cases whose name contains this text", only);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-reference", [&]() {
        if (cases.empty() || out.empty())
        {
            DcnFail("--cases and --out must be given");
        }
        if (!std::filesystem::is_directory(cases))
        {
            DcnFail(cases, ": there is no such folder");
        }
        std::vector<std::filesystem::path> folders;
        for (const auto& entry : std::filesystem::directory_iterator(cases))
        {
            if (entry.is_directory() &&
                entry.path().filename().string().find(only) != std::string::npos)
            {
                folders.push_back(entry.path());
            }
        }
        if (folders.empty())
        {
            DcnFail(cases,
                    ": no scenario directory in this folder",
                    only.empty() ? "" : " has a name that contains \"" + only + "\"");
        }
        std::sort(folders.begin(), folders.end());
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        bool complete = true;
        for (const auto& folder : folders)
        {
            const std::string name = folder.filename().string();
            Ptr<const DcnScenario> scenario = DcnReadScenario(folder.string(), 1, "time_grain_ns=1");
            DcnEstimate estimate = DcnEstimator::CreateByName("packet")->Estimate(scenario);
            Simulator::Destroy();
            DcnFileWriter file(out + "/" + name + ".csv");
            file.Stream() << "flow_id,fct_ns\n";
            for (std::size_t i = 0; i < estimate.fctNs.size(); ++i)
            {
                if (estimate.fctNs[i] != DcnEstimate::UNFINISHED)
                {
                    file.Stream() << scenario->GetFlows()[i].id << ',' << estimate.fctNs[i] << '\n';
                }
            }
            file.Commit();
            complete = complete && estimate.GetNFinished() == estimate.fctNs.size();
            std::cout << name << ": " << estimate.DescribeCompletion() << ", "
                      << estimate.wallSeconds << " s" << std::endl;
        }
        return complete ? 0 : 2; // status 2: a flow without an end must not be overlooked
    });
}
