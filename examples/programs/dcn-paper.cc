/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Computes figures and tables of the papers beside the published values (doc/papers.rst).
 *
 * A figure is registered beside its computation in papers/<paper>-figures.cc (PaperFigure). A
 * stopped run continues when it is repeated with the same folder; with --mpi, ranks share the
 * tasks.
 */

#include "papers/paper-figure.h"
#include "papers/paper-report.h"
#include "papers/paper-run.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-progress.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return the rule of a judged value for people
std::string
DescribeRule(const PaperValue& value)
{
    const bool isStated =
        value.relation == PaperRelation::BELOW || value.relation == PaperRelation::ABOVE;
    return std::string(isStated ? "stated in words, " : "") + value.GetRule() + " (tolerance " +
           DcnToText(100 * value.tolerance) + " %)";
}

/// Prints figures.
void
List(const std::vector<PaperFigure>& figures)
{
    for (const PaperFigure& figure : figures)
    {
        std::printf("%s: %s\n    source: %s: %s\n",
                    figure.name.c_str(),
                    figure.title.c_str(),
                    figure.citation.c_str(),
                    figure.place.c_str());
        if (figure.IsComputed())
        {
            std::printf("    command: ./dcn run dcn-paper %s --scale=small --out=DIR\n",
                        figure.name.c_str());
            std::printf("    small: %s; %s s of processor time\n    full: %s; %s\n",
                        figure.small.c_str(),
                        DcnToText(figure.smallSeconds).c_str(),
                        figure.full.c_str(),
                        figure.cost.c_str());
            std::printf("    departures: %s\n", figure.departures.c_str());
        }
        else
        {
            std::printf("    not computed: %s\n", figure.reason.c_str());
        }
        for (const PaperValue& value : figure.published)
        {
            std::printf("    %s: %s: %s%s%s%s\n",
                        value.IsJudged() ? "judged" : "shown",
                        value.name.c_str(),
                        DcnToText(value.published).c_str(),
                        value.unit.empty() ? "" : " ",
                        value.unit.c_str(),
                        value.IsJudged() ? (", " + DescribeRule(value)).c_str() : "");
        }
    }
}

/**
 * @param all all figures
 * @param names names joined by commas
 * @return the figures of these names
 * @throws DcnError if a name is unknown
 */
std::vector<PaperFigure>
Select(const std::vector<PaperFigure>& all, const std::string& names)
{
    std::vector<PaperFigure> selected;
    for (const std::string& name : DcnSplit(names, ','))
    {
        const auto found = std::find_if(all.begin(), all.end(), [&name](const auto& figure) {
            return figure.name == name;
        });
        if (found == all.end())
        {
            std::string near;
            for (const PaperFigure& figure : all)
            {
                if (!name.empty() && figure.name.find(name) != std::string::npos)
                {
                    near += (near.empty() ? ", but " : ", ") + figure.name;
                }
            }
            DcnFail("there is no figure \"", name, "\"", near, "; --list shows all names");
        }
        selected.push_back(*found);
    }
    return selected;
}

/// Says which results were there before, on stderr.
void
PrintStored(const PaperFigure& figure, const PaperRun::Stored& stored)
{
    std::string files;
    for (const auto& [file, share] : stored)
    {
        if (share.first > 0)
        {
            files += (files.empty() ? "" : ", ") + std::to_string(share.first) + " of " +
                     std::to_string(share.second) + " results from " + file;
        }
    }
    if (!files.empty())
    {
        std::cerr << "dcn-paper: " << figure.name << ": takes " << files
                  << "; with another --out it computes them anew" << std::endl;
    }
}

/**
 * @param figure the figure
 * @param run scale, folder and store
 * @param farm does the tasks
 * @param isStored nothing is computed
 * @return the outcome; a DcnError of one figure does not end the others, unless there are several
 * ranks: these would not know where the others go on
 */
PaperOutcome
Compute(const PaperFigure& figure, PaperRun& run, const DcnTaskFarm& farm, bool isStored)
{
    PaperOutcome outcome{figure, {}, {PaperVerdict::NOT_RUN, ""}};
    run.TakeStored(); // of a figure that ended before
    const DcnStopwatch watch;
    std::string trouble;
    try
    {
        if (figure.IsComputed())
        {
            if (farm.IsRoot())
            {
                std::cerr << "dcn-paper: " << figure.name << std::endl;
            }
            outcome.result = figure.compute(run);
            if (farm.IsRoot() && !isStored)
            {
                PrintStored(figure, run.TakeStored());
            }
        }
    }
    catch (const DcnError& error)
    {
        if (farm.GetNRanks() > 1)
        {
            throw;
        }
        trouble = error.what();
    }
    catch (const PaperNotRun& reason)
    {
        outcome.verdict = {PaperVerdict::NOT_RUN, reason.what()};
        return outcome;
    }
    outcome.verdict = trouble.empty()
                          ? figure.Judge(outcome.result)
                          : PaperVerdict{PaperVerdict::NOT_COMPUTED, "it ended with: " + trouble};
    outcome.cpuSeconds = watch.Get().cpuSeconds;
    outcome.wallSeconds = watch.Get().wallSeconds;
    return outcome;
}

/// What is asked for.
struct Request
{
    std::string names;                 //!< of figures, joined by commas
    std::string scale{"small"};        //!< --scale
    std::string revision{DCN_RELEASE}; //!< --revision
    bool list{false};                  //!< --list
    bool all{false};                   //!< --all
    PaperRun::Options options;         //!< of the computation
    DcnTaskFarmOptions work{true};     //!< --jobs, --mpi

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        options.folder = "results/papers";
        cmd.AddNonOption("figure", "Names of figures joined by commas, such as m3-fig10", names);
        cmd.AddValue("list",
                     "Print all figures, or those that are named, with source, command, cost and "
                     "rules",
                     list);
        cmd.AddValue("all", "Compute all figures; write report.html and papers.rst", all);
        DcnAddText(cmd, "scale", "small (minutes) or full (as published, see --list)", scale);
        DcnAddText(cmd,
                   "matrices",
                   "Folder of rack-matrix-{a,b,c}-32.csv; empty: generated matrices",
                   options.matrices);
        work.AddTo(cmd);
        cmd.AddValue("stored",
                     "With --all: report only results in --out, and compute nothing",
                     options.isStoredOnly);
        DcnAddText(cmd, "revision", "Of the sources, for the report", revision);
        DcnAddText(cmd,
                   "out",
                   "Folder for results; those in it are not computed again",
                   options.folder);
    }

    /// Refuses options that contradict each other, and makes those of the computation.
    void Check()
    {
        if (scale != "small" && scale != "full")
        {
            DcnFail("--scale must be small or full, but it is \"", scale, "\"");
        }
        if (all == !names.empty())
        {
            DcnFail("name a figure or give --all; --list shows the names");
        }
        if (options.isStoredOnly && !all)
        {
            DcnFail("--stored has no effect without --all");
        }
        if (options.isStoredOnly && work.IsMpi())
        {
            DcnFail("--mpi has no effect with --stored");
        }
        options.isFull = scale == "full";
        options.farm = work.Make();
    }
};

/// Prints which files have the results.
void
PrintWritten(const std::vector<PaperOutcome>& outcomes, bool all, const std::string& folder)
{
    if (all)
    {
        std::cout << PaperCount(outcomes) << "\nwritten: " << folder << "/report.html, papers.rst"
                  << std::endl;
        return;
    }
    std::cout << "written: ";
    for (const PaperOutcome& outcome : outcomes)
    {
        const std::string base = folder + "/" + outcome.figure.name;
        std::cout << base << ".csv, " << base << ".html, ";
    }
    std::cout << "and pictures" << std::endl;
}

/// Computes figures, prints and writes them.
/// @return whether none ended with an error
bool
ComputeAll(const std::vector<PaperFigure>& figures,
           const Request& request,
           const PaperOrigin& origin)
{
    const PaperRun::Options& options = request.options;
    PaperRun run(options);
    std::vector<PaperOutcome> outcomes;
    bool hasTrouble = false;
    for (const PaperFigure& figure : figures)
    {
        outcomes.push_back(Compute(figure, run, options.farm, options.isStoredOnly));
        if (options.farm.IsRoot())
        {
            const PaperOutcome& outcome = outcomes.back();
            hasTrouble = hasTrouble || outcome.verdict.reason.rfind("it ended with: ", 0) == 0;
            PaperPrint(outcome);
            PaperWriteFigure(outcome, origin, options.folder);
        }
    }
    if (options.farm.IsRoot())
    {
        if (request.all)
        {
            PaperWriteAll(outcomes, origin, options.folder);
        }
        PrintWritten(outcomes, request.all, options.folder);
    }
    return !hasTrouble;
}

} // namespace

int
main(int argc, char* argv[])
{
    Request request;
    CommandLine cmd(__FILE__);
    cmd.Usage("Figures and tables of the papers, published values beside ours: dcn-paper FIGURE, "
              "or --all.");
    request.AddTo(cmd);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-paper", [&]() {
        const auto figures = PaperRegistration::GetAll();
        if (request.list)
        {
            List(request.names.empty() ? figures : Select(figures, request.names));
            return 0;
        }
        request.Check();
        const auto selected = request.all ? figures : Select(figures, request.names);
        for (const PaperFigure& figure : selected)
        {
            if (!request.all && !figure.IsComputed())
            {
                DcnFail(figure.name, " is not computed: ", figure.reason);
            }
        }
        const PaperOrigin origin{DcnDescribeCommand("dcn-paper", argc, argv),
                                 request.scale,
                                 request.revision,
                                 DcnGetUtcDate()};
        return ComputeAll(selected, request, origin) ? 0 : 1;
    });
}
