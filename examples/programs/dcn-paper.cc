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
#include "papers/paper-page.h"
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
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const char* const RESULTS = "papers/results.csv"; //!< in the data folder
const char* const TROUBLE = "it ended with: ";    //!< begins the reason after an error

/// @return the rule of a judged value for people
std::string
DescribeRule(const PaperValue& value)
{
    std::string text = std::string(value.IsWords() ? "stated in words, " : "") + value.GetRule() +
                       " (tolerance " + DcnToText(100 * value.tolerance) + " %)";
    text += value.hardware.empty() ? "" : "; a cost, on " + value.hardware;
    return text + (value.draws ? "; largest of " + std::to_string(value.draws) : "");
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
            std::printf("    small: %s; %s s of processor time\n",
                        figure.small.c_str(),
                        DcnToText(figure.smallSeconds).c_str());
            if (!figure.medium.empty())
            {
                std::printf("    medium: %s\n", figure.medium.c_str());
            }
            std::printf("    full: %s; %s\n", figure.full.c_str(), figure.cost.c_str());
            std::printf("    departures: %s\n", figure.departures.c_str());
        }
        else
        {
            std::printf("    not computable: %s\n", figure.reason.c_str());
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
    for (const std::string& name : DcnSplitValues("figure", names))
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
 * @param origin of the result; `of` is filled in
 * @return the outcome; a DcnError of one figure does not end the others, unless there are several
 * ranks: these would not know where the others go on
 */
PaperOutcome
Compute(const PaperFigure& figure, PaperRun& run, const DcnTaskFarm& farm, PaperOrigin origin)
{
    PaperOutcome outcome{figure, {}, {}, std::move(origin)};
    run.TakeStored(); // of a figure that ended before
    run.TakeOrigin();
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
            figure.CheckCompare(outcome.result);
            if (farm.IsRoot())
            {
                PrintStored(figure, run.TakeStored());
            }
        }
        outcome.verdict = figure.Judge(outcome.result);
    }
    catch (const DcnError& error)
    {
        if (farm.GetNRanks() > 1)
        {
            throw;
        }
        outcome.verdict = {PaperVerdict::NOT_RUN, std::string(TROUBLE) + error.what()};
    }
    outcome.origin.of = run.TakeOrigin();
    outcome.cpuSeconds = watch.Get().cpuSeconds;
    outcome.wallSeconds = watch.Get().wallSeconds;
    return outcome;
}

/// @return all figures with the results of data/papers
std::vector<PaperOutcome>
TakeResults(const std::vector<PaperFigure>& figures)
{
    const PaperStore store(DcnDataPath(RESULTS));
    std::vector<PaperOutcome> outcomes;
    for (const PaperFigure& figure : figures)
    {
        PaperOutcome outcome{figure, {}, {PaperVerdict::NOT_RUN, ""}, {}};
        const PaperStored* stored = store.Find(figure.name);
        if (stored && figure.IsComputed())
        {
            outcome.result = stored->result;
            outcome.origin = stored->origin;
        }
        if (stored || !figure.IsComputed())
        {
            outcome.verdict = figure.Judge(outcome.result);
        }
        outcomes.push_back(outcome);
    }
    return outcomes;
}

/// What is asked for.
struct Request
{
    std::string names;                 //!< of figures, joined by commas
    std::string scale{"small"};        //!< --scale
    std::string revision{DCN_RELEASE}; //!< --revision
    bool list{false};                  //!< --list
    bool all{false};                   //!< --all
    bool stored{false};                //!< --stored
    bool renew{false};                 //!< --renew
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
        DcnAddText(
            cmd,
            "scale",
            "small (minutes), medium (tells methods apart) or full (as published, see --list)",
            scale);
        DcnAddText(cmd,
                   "matrices",
                   "Folder of rack-matrix-{a,b,c}-32.csv; empty: generated matrices",
                   options.matrices);
        work.AddTo(cmd);
        cmd.AddValue("stored",
                     "With --all: report the results of data/papers, and compute nothing",
                     stored);
        cmd.AddValue("renew", "Put the results into data/papers/results.csv, too", renew);
        DcnAddText(cmd, "revision", "Of the sources, for the report", revision);
        DcnAddText(cmd,
                   "out",
                   "Folder for results; those in it are not computed again",
                   options.folder);
    }

    /// Refuses options without effect.
    void CheckEffects(const DcnGivenOptions& given) const
    {
        given.CheckEffects(
            {{{"all", "scale", "matrices", "jobs", "mpi", "stored", "renew", "revision", "out"},
              !list,
              "with --list"},
             {{"stored"}, all, "without --all"},
             {{"scale", "matrices", "jobs", "mpi", "renew", "revision"},
              !stored,
              "with --stored"}});
    }

    /// Refuses options that contradict each other, and makes those of the computation.
    void Check()
    {
        options.scale = PaperParseScale(scale);
        if (all == !names.empty())
        {
            DcnFail("name a figure or give --all; --list shows the names");
        }
        for (const char letter : std::string(options.matrices.empty() ? "" : "abc"))
        {
            const std::string path = options.matrices + "/rack-matrix-" + letter + "-32.csv";
            if (!std::ifstream(path))
            {
                DcnFail("--matrices=", options.matrices, ": ", path, " cannot be read");
            }
        }
        options.farm = work.Make();
    }
};

/// Prints which files have the results.
void
PrintWritten(const std::vector<PaperOutcome>& outcomes, bool all, const std::string& folder)
{
    if (all)
    {
        std::cout << PaperCount(outcomes) << "\nwritten: " << folder
                  << "/report.html, papers.rst, papers/" << std::endl;
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
std::vector<PaperOutcome>
ComputeAll(const std::vector<PaperFigure>& figures,
           const Request& request,
           const std::string& command)
{
    const PaperRun::Options& options = request.options;
    const PaperOrigin origin{request.scale, DcnGetUtcDate(), request.revision, ""};
    PaperRun run(options);
    PaperStore store(DcnDataPath(RESULTS));
    std::vector<PaperOutcome> outcomes;
    for (const PaperFigure& figure : figures)
    {
        outcomes.push_back(Compute(figure, run, options.farm, origin));
        const PaperOutcome& outcome = outcomes.back();
        if (options.farm.IsRoot())
        {
            PaperPrint(outcome);
            PaperWriteFigure(outcome, command, options.folder);
        }
        if (options.farm.IsRoot() && request.renew && figure.IsComputed() &&
            outcome.verdict.kind != PaperVerdict::NOT_RUN)
        {
            store.Put(figure, outcome.result, outcome.origin);
        }
    }
    return outcomes;
}

/// Does what is asked for.
/// @return whether no figure ended with an error
bool
Run(const std::vector<PaperFigure>& figures, const Request& request, const std::string& command)
{
    const std::string& folder = request.options.folder;
    const auto outcomes =
        request.stored ? TakeResults(figures) : ComputeAll(figures, request, command);
    if (request.options.farm.IsRoot())
    {
        if (request.all)
        {
            DcnMakeFolder(folder);
            PaperWriteReport(outcomes, command, folder);
            PaperWritePages(outcomes, folder);
        }
        PrintWritten(outcomes, request.all, folder);
    }
    return std::none_of(outcomes.begin(), outcomes.end(), [](const PaperOutcome& outcome) {
        return outcome.verdict.reason.rfind(TROUBLE, 0) == 0;
    });
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
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-paper", [&]() {
        request.CheckEffects(given);
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
                DcnFail(figure.name, " is not computable here: ", figure.reason);
            }
        }
        return Run(selected, request, DcnDescribeCommand("dcn-paper", argc, argv)) ? 0 : 1;
    });
}
