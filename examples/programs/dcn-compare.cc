/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Run several methods on one scenario and compare their flow completion times.
 *
 * Without options: 20,000 hadoop flows on a 32-host fabric with DCTCP at 50 % load, with every
 * method but ns3-path, mql and tcp. Errors refer to the ground truth
 * among the methods, if there is one, or to --truthFile. With --confidence, comparisons are
 * repeated with other seeds until the errors are known. Options of the scenario with several
 * values, and --seeds, make several scenarios, which have a table and plots in common.
 */

#ifdef DCN_CCEVAL
#include "ns3/cceval-error-evaluation.h"
#endif
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-comparison-report.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-earlier-run.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-flow-query.h"
#include "ns3/dcn-forecast.h"
#include "ns3/dcn-input-check.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-recipe.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-sweep.h"
#include "ns3/dcn-truth-file.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/// Files of an earlier run in the folder that would be taken for those of this one.
const std::vector<std::string> OWN_FILES{"fct.csv",
                                         "samples.csv",
                                         "summary.csv",
                                         "errors.csv",
                                         "queries.csv",
                                         "slowdown-cdf.png",
                                         "slowdown-cdf.svg",
                                         "slowdown-cdf.plt",
                                         "slowdown-by-size.png",
                                         "slowdown-by-size.svg",
                                         "slowdown-by-size.plt",
                                         "run.json",
                                         "report.html",
                                         "queues.csv",
                                         "queues.png",
                                         "queues.svg",
                                         "queues.plt",
                                         "flow-records.csv"};
/// Files of several scenarios.
const std::string SCENARIOS_CSV = "scenarios.csv";
const std::string SCENARIOS_TXT = "scenarios.txt";
/// Slowdowns of one of several scenarios, for the plots of all.
const std::string DISTRIBUTIONS_CSV = "distributions.csv";
/// Files of --queues.
const std::vector<std::string> QUEUE_FILES{"queues.csv",
                                           "queues.png",
                                           "queues.svg",
                                           "flow-records.csv"};
/// Methods that run only if they are named: ns3-path takes longer than packets where flows meet
/// often, and mql answers for packets of many equal flows.
const std::vector<std::string> NOT_BY_DEFAULT{"ns3-path", "mql"};
/// Enough flows for a p99 that rests on 200 of them; packets take some ten seconds.
const std::map<std::string, std::string> DEFAULT_SCENARIO{{"sizes", "hadoop"},
                                                          {"matrix", "hadoop"},
                                                          {"flows", "20000"},
                                                          {"loadRule", "exact"}};

/// What is asked for.
struct Request
{
    DcnScenarioOptions scenario; //!< options of the scenario
    std::string methods;         //!< --methods
    std::string truth;           //!< --truth
    std::string truthFile;       //!< --truthFile
    bool verbose{false};         //!< --verbose
    bool isReport{false};        //!< --report
    bool queues{false};          //!< --queues
    std::string stopTime;        //!< --stopTime
    std::string confidence;      //!< --confidence
    std::string margin;          //!< --margin
    std::string against;         //!< --against
    std::string query;           //!< --query
    std::string out{"results"};  //!< --out
    std::string writeScenario;   //!< --writeScenario
    std::string budget;          //!< --budget
    double machineSpeed{0};      //!< --machineSpeed
    uint64_t seeds{1};           //!< --seeds
    std::string command;         //!< the command line, for the record
    bool isAlone{true};          //!< it is not one of several scenarios
    std::string digest;          //!< see DcnRunRecord::SetDigest; empty: none
};

/// Returns the methods that run by default, joined by commas.
std::string
GetDefaultMethods()
{
    std::string text;
    for (const std::string& name : DcnEstimator::GetNames())
    {
        if (std::find(NOT_BY_DEFAULT.begin(), NOT_BY_DEFAULT.end(), name) == NOT_BY_DEFAULT.end())
        {
            text += (text.empty() ? "" : ",") + name;
        }
    }
    return text;
}

/// Returns the methods named in a text, joined by commas.
std::vector<Ptr<DcnEstimator>>
CreateMethods(const std::string& text)
{
    const std::vector<std::string> names = DcnSplitValues("methods", text);
    if (names.empty())
    {
        DcnFail("--methods names no method; without the option, ", GetDefaultMethods(), " run");
    }
    std::vector<Ptr<DcnEstimator>> methods;
    for (const auto& name : names)
    {
        methods.push_back(DcnEstimator::CreateByName(name));
    }
    DcnCheckInputFiles(names);
    return methods;
}

/**
 * Move the ground truth to the front.
 * @param methods the methods
 * @param name --truth; empty: the first of the methods that is a ground truth by itself
 * @return false if none is the truth
 */
bool
PutTruthFirst(std::vector<Ptr<DcnEstimator>>& methods, const std::string& name)
{
    if (name == "none")
    {
        return false;
    }
    const auto truth = std::find_if(methods.begin(), methods.end(), [&name](const auto& method) {
        return name.empty() ? method->IsGroundTruth() : method->GetLabel() == name;
    });
    if (truth == methods.end() && !name.empty())
    {
        DcnFail("--truth=", name, " is none of the methods that run: name it in --methods, too");
    }
    if (truth == methods.end())
    {
        return false;
    }
    std::rotate(methods.begin(), truth, truth + 1);
    return true;
}

/**
 * Leave out methods that cannot answer, before the others take their time.
 * @param methods those that refuse the scenario are removed
 * @param scenario the flows
 * @param truth --truth, which must answer
 * @param reasons gets their names and the reasons
 * @throws DcnError if none is left
 */
void
LeaveOut(std::vector<Ptr<DcnEstimator>>& methods,
         Ptr<const DcnScenario> scenario,
         const std::string& truth,
         std::vector<std::pair<std::string, std::string>>& reasons)
{
    for (auto method = methods.begin(); method != methods.end();)
    {
        try
        {
            (*method)->Check(scenario);
            ++method;
        }
        catch (const DcnError& error)
        {
            if ((*method)->GetLabel() == truth)
            {
                DcnFail("--truth=", truth, " cannot answer: ", error.what());
            }
            reasons.emplace_back((*method)->GetLabel(), error.what());
            method = methods.erase(method);
        }
    }
    if (methods.empty())
    {
        std::string text;
        for (const auto& [method, reason] : reasons)
        {
            text += (text.empty() ? "" : "; ") + method + ": " + reason;
        }
        DcnFail("no method can answer: ", text);
    }
}

/// Prints commands to try after the first run, which had no options.
void
PrintNext()
{
    std::printf("next: another load or congestion control, --load=0.7 --cc=hpcc; your own network "
                "and flows, doc/tutorial.rst;\n"
                "    two controls by m4: ./dcn run dcn-compare --methods=m4 --cc=hpcc,dcqcn "
                "--seeds=5;\n"
                "    1024 hosts in seconds: ./dcn run dcn-compare --methods=m4,m3,flowsim --pods=8 "
                "--racksPerPod=16 --hostsPerRack=8 --flows=200000\n");
}

/**
 * Let packet record its queues.
 * @param methods the methods
 * @param isRepeated --confidence is given
 * @param out --out
 */
void
RecordQueues(const std::vector<Ptr<DcnEstimator>>& methods, bool isRepeated, const std::string& out)
{
    const auto packet = std::find_if(methods.begin(), methods.end(), [](const auto& method) {
        return method->GetName() == "packet";
    });
    if (packet == methods.end() || isRepeated)
    {
        DcnFail("--queues has no effect ",
                isRepeated ? "with --confidence" : "without packet among the methods");
    }
    (*packet)->SetAttribute("Queues", StringValue(out));
}

/**
 * End simulations at a simulated time.
 * @param methods those that cannot be stopped are named
 * @param text --stopTime
 * @param isRepeated --confidence is given
 * @param scenario the flows
 * @return lines of methods on which it has no effect
 */
std::vector<std::string>
StopSimulations(const std::vector<Ptr<DcnEstimator>>& methods,
                const std::string& text,
                bool isRepeated,
                const DcnScenario& scenario)
{
    Time stopTime;
    if (!DcnParseTime(text, stopTime))
    {
        DcnFail("--stopTime must be a time such as 10ms, but it is \"", text, "\"");
    }
    if (isRepeated)
    {
        DcnFail("--stopTime=", text, " leaves flows unfinished, so that --confidence has no error");
    }
    const auto& flows = scenario.GetFlows();
    if (!flows.empty() && stopTime.GetNanoSeconds() <= flows.front().startNs)
    {
        DcnFail("--stopTime=",
                text,
                " is not after the start of the first flow, at ",
                flows.front().startNs,
                " ns, so that nothing would be simulated: take a later one");
    }
    std::string others;
    bool isUsed = false;
    for (const auto& method : methods)
    {
        TypeId::AttributeInformation information;
        if (method->GetInstanceTypeId().LookupAttributeByName("StopTime", &information))
        {
            method->SetAttribute("StopTime", TimeValue(stopTime));
            isUsed = true;
            continue;
        }
        others += (others.empty() ? "" : ", ") + method->GetLabel();
    }
    if (!isUsed)
    {
        DcnFail("--stopTime=",
                text,
                " has no effect on ",
                others,
                ": only simulations that can be stopped, such as packet, have it");
    }
    if (others.empty())
    {
        return {};
    }
    return {"ignored: --stopTime=" + text + " by " + others + ", whose answers are for all flows"};
}

/**
 * Find attributes that were set, as by --ns3::TcpSocket::SegmentSize=500, and that nothing reads
 * here. Types of which another method might make objects are passed over.
 * @param methods the methods
 * @return lines about them
 */
std::vector<std::string>
FindUnusedAttributes(const std::vector<Ptr<DcnEstimator>>& methods)
{
    // none of these runs another method, unlike ns3-path, parsimon, m3 and auto
    static const std::set<std::string> ALONE{"packet", "flowsim", "m4", "mql", "tcp"};
    std::string names;
    bool hasPackets = false;
    bool hasTcp = false;
    for (const auto& method : methods)
    {
        if (ALONE.count(method->GetName()) == 0)
        {
            return {};
        }
        names += (names.empty() ? "" : ", ") + method->GetLabel();
        hasPackets = hasPackets || method->GetName() == "packet";
        hasTcp = hasTcp || method->GetName() == "tcp";
    }
    std::vector<std::string> lines;
    for (const std::string& each : DcnRunRecord::ListAttributes())
    {
        TypeId type;
        const std::size_t colons = each.substr(0, each.find('=')).rfind("::");
        if (colons == std::string::npos ||
            !TypeId::LookupByNameFailSafe(each.substr(0, colons), &type))
        {
            continue; // a seed or a variable of the environment
        }
        const bool isMade = std::any_of(methods.begin(), methods.end(), [type](const auto& method) {
            return method->GetInstanceTypeId() == type ||
                   method->GetInstanceTypeId().IsChildOf(type);
        });
        const std::string group = type.GetGroupName();
        const bool isStack = group == "Internet" || group == "TrafficControl";
        if ((type.IsChildOf(DcnEstimator::GetTypeId()) && !isMade) || (isStack && !hasTcp) ||
            (type.GetName() == "ns3::DcnPacketNetwork" && !hasPackets))
        {
            lines.push_back("ignored: --" + each + " by " + names);
        }
    }
    return lines;
}

/**
 * Describe a scenario in one line for the picture's title.
 * @param options of the scenario
 * @param varied names of keys that the title has not
 * @return the line; empty for a scenario directory
 */
std::string
MakeTitle(const DcnScenarioOptions& options, const std::set<std::string>& varied = {})
{
    const DcnScenarioRecipe recipe = options.MakeDrawnRecipe();
    if (recipe.IsSet("scenario"))
    {
        return "";
    }
    std::string title;
    for (const auto& [key, before, after] : {std::tuple("topology", "", ""),
                                             std::tuple("sizes", "", " sizes"),
                                             std::tuple("matrix", "matrix ", ""),
                                             std::tuple("load", "load ", ""),
                                             std::tuple("cc", "", ""),
                                             std::tuple("seed", "seed ", "")})
    {
        if (varied.count(key) == 0)
        {
            title += (title.empty() ? "Slowdowns: " : ", ") + std::string(before) +
                     recipe.Get(key) + after;
        }
    }
    return title;
}

#ifdef DCN_CCEVAL
/// Returns the value of an option that is a number.
double
ParseNumber(const std::string& option, const std::string& text)
{
    double number = 0;
    if (!DcnParse(text, number))
    {
        DcnFail("--", option, " must be a number, but it is \"", text, "\"");
    }
    return number;
}
#endif

/// Refuses options without effect.
void
CheckOptions(const Request& request)
{
    if (request.confidence.empty() && !request.margin.empty())
    {
        DcnFail("--margin=", request.margin, " has no effect without --confidence");
    }
    if (!request.truthFile.empty() && !request.truth.empty())
    {
        DcnFail("--truthFile=",
                request.truthFile,
                " and --truth=",
                request.truth,
                " exclude each other");
    }
    const std::pair<const char*, std::string> others[] = {{"--report", request.isReport ? " " : ""},
                                                          {"--against=", request.against},
                                                          {"--query=", request.query},
                                                          {"--truthFile=", request.truthFile}};
    for (const auto& [option, value] : others)
    {
        if (!request.confidence.empty() && !value.empty())
        {
            DcnFail(option, value == " " ? "" : value, " has no effect with --confidence");
        }
    }
}

/// Runs the methods on one scenario.
class Comparison
{
  public:
    /** @param request see Request */
    explicit Comparison(const Request& request)
        : m_request(request),
          m_methods(CreateMethods(request.methods))
    {
        if (request.truthFile.empty())
        {
            PutTruthFirst(m_methods, request.truth); // refuses a name before the scenario is made
        }
    }

    /**
     * @brief Run all methods and write the results.
     * @return status of the program: 2 if a flow has no end, or a method no answer
     */
    int Run();

  private:
    /// Makes the scenario; leaves out methods that cannot answer.
    void Prepare();
    /// Begins the record, and prints what has no effect.
    void Record();
    /// Forecasts the methods' costs; with --budget leaves out those that do not fit.
    void Forecast();
    /// Repeats the comparison with other seeds (--confidence).
    int Repeat();
    /// Takes the completion times of --truthFile.
    void AddTruth(DcnFctTable& table);
    /// Runs the methods.
    void Estimate(DcnFctTable& table);
    /// Adds an answer.
    void Add(DcnFctTable& table, const DcnEstimate& estimate);
    /// Prints the table and what belongs to it.
    void Print(const DcnFctTable& table);
    /// Writes the pictures, and the page.
    void Draw(const DcnFctTable& table);

    Request m_request;                                          //!< see Request
    std::vector<Ptr<DcnEstimator>> m_methods;                   //!< those that answer
    std::vector<std::pair<std::string, std::string>> m_leftOut; //!< methods and reasons
    bool m_hasTruth{false};                                     //!< the first answer is the truth
    Ptr<const DcnScenario> m_scenario;                          //!< the flows
    std::string m_recipe;                                       //!< of the scenario, in full
    DcnCost m_cost;                                             //!< of making it
    std::vector<DcnFlowQuery> m_queries;                        //!< --query
    std::optional<DcnForecast> m_forecast;                      //!< of the methods' costs
    std::optional<DcnEarlierRun> m_earlier;                     //!< --against
    std::vector<std::string> m_unused;                          //!< lines on options
    std::optional<DcnEstimate> m_truth;                         //!< of --truthFile
    std::optional<DcnRunRecord> m_record;                       //!< run.json
    bool m_isComplete{true}; //!< all methods have answered, and all flows have an end
};

void
Comparison::Prepare()
{
    const DcnStopwatch stopwatch;
    m_scenario = m_request.scenario.Create();
    m_cost = stopwatch.Get();
    LeaveOut(m_methods, m_scenario, m_request.truth, m_leftOut);
    Forecast();
    m_hasTruth = m_request.truthFile.empty() && PutTruthFirst(m_methods, m_request.truth);
    if (!m_request.confidence.empty() && !m_hasTruth)
    {
        DcnFail("--confidence needs a ground truth: add packet to --methods, or name one of "
                "them by --truth");
    }
    m_recipe = m_request.scenario.MakeRecipe().ToFullText();
    // malformed ones are refused before the methods run
    for (const std::string& text : DcnSplitValues("query", m_request.query))
    {
        m_queries.emplace_back(text, *m_scenario);
    }
    if (!m_request.truthFile.empty())
    {
        m_truth = DcnReadTruth(m_request.truthFile, *m_scenario);
        m_hasTruth = true;
    }
    if (!m_request.against.empty())
    {
        m_earlier.emplace(m_request.against, m_recipe); // before its files may be replaced
    }
    const bool isRepeated = !m_request.confidence.empty();
    const std::string folder = m_request.scenario.MakeRecipe().Get("scenario");
    // what dcn-convert writes beside a scenario may be the truth of this comparison
    const std::string unused = DcnDescribeUnusedFiles(folder,
                                                      {"nodes.csv",
                                                       "links.csv",
                                                       "flows.csv",
                                                       "paths.csv",
                                                       "network.csv",
                                                       "truth.csv",
                                                       "fct.txt"});
    if (!folder.empty() && !unused.empty())
    {
        m_unused.push_back(unused);
    }
    if (!m_request.stopTime.empty())
    {
        const auto lines = StopSimulations(m_methods, m_request.stopTime, isRepeated, *m_scenario);
        m_unused.insert(m_unused.end(), lines.begin(), lines.end());
    }
    const auto attributes = FindUnusedAttributes(m_methods);
    m_unused.insert(m_unused.end(), attributes.begin(), attributes.end());
    if (m_request.queues)
    {
        RecordQueues(m_methods, isRepeated, m_request.out);
    }
    if (!m_request.writeScenario.empty())
    {
        DcnWriteScenario(*m_scenario, m_request.writeScenario);
    }
}

void
Comparison::Forecast()
{
    if (!(m_request.machineSpeed >= 0))
    {
        DcnFail("--machineSpeed must be at least 0, but it is ", m_request.machineSpeed);
    }
    m_forecast.emplace(*m_scenario,
                       m_request.machineSpeed > 0 ? m_request.machineSpeed
                                                  : DcnForecast::MeasureSpeed());
    if (m_request.budget.empty())
    {
        return;
    }
    Time budget;
    if (!DcnParseTime(m_request.budget, budget) || !budget.IsStrictlyPositive())
    {
        DcnFail("--budget must be a time such as 60s, but it is \"", m_request.budget, "\"");
    }
    const std::vector<bool> isTaken = m_forecast->Fit(m_methods, budget.GetSeconds());
    std::vector<Ptr<DcnEstimator>> taken;
    for (std::size_t i = 0; i < m_methods.size(); ++i)
    {
        if (isTaken[i])
        {
            taken.push_back(m_methods[i]);
            continue;
        }
        const std::string label = m_methods[i]->GetLabel();
        if (label == m_request.truth)
        {
            DcnFail("--truth=", label, " does not fit in --budget=", m_request.budget);
        }
        m_leftOut.emplace_back(label, "does not fit in --budget=" + m_request.budget);
    }
    m_methods = taken;
}

void
Comparison::Record()
{
    auto owned = OWN_FILES;
    owned.insert(owned.end(), {SCENARIOS_CSV, SCENARIOS_TXT, DISTRIBUTIONS_CSV});
    m_record.emplace(m_request.out, m_request.command, owned);
    m_record->SetScenario(m_recipe, m_scenario->GetSeed());
    if (!m_request.digest.empty())
    {
        m_record->SetDigest(m_request.digest);
    }
    m_record->SetIgnored(m_unused);
    m_record->SetForecast(m_forecast->MakeJson(m_methods));
    for (const std::string& each : m_unused)
    {
        std::cout << each << '\n';
    }
    for (const auto& [method, reason] : m_leftOut)
    {
        std::cout << "left out: " << method << ": " << reason << '\n';
        m_record->LeaveOut(method, reason);
    }
}

int
Comparison::Repeat()
{
#ifdef DCN_CCEVAL
    CcevalErrorEvaluation errors(m_request.margin.empty() ? 0.02
                                                          : ParseNumber("margin", m_request.margin),
                                 ParseNumber("confidence", m_request.confidence));
    errors.Run(
        [this](uint64_t seed) {
            m_request.scenario.Set("seed", std::to_string(seed));
            return m_request.scenario.Create();
        },
        m_methods,
        m_scenario->GetSeed());
    errors.Report(m_request.out);
    m_record->AddFile("errors.csv");
    m_record->Finish();
    return errors.GetNFailed() > 0 || !errors.IsKnown() ? 2 : 0;
#else
    DcnFail("--confidence needs the module cceval, which is not built here: run ./dcn setup once");
#endif
}

void
Comparison::Add(DcnFctTable& table, const DcnEstimate& estimate)
{
    table.Add(estimate);
    m_isComplete = m_isComplete && estimate.IsComplete();
    if (m_request.isAlone)
    {
        DcnComparisonReport::PrintAnswer(*m_scenario, estimate, m_request.verbose);
    }
    table.Write(m_request.out); // an hour of packets is kept, whatever the next method does
    m_record->Add(estimate);
    m_record->AddFile("fct.csv");
    m_record->AddFile("summary.csv");
    if (std::filesystem::exists(m_request.out + "/samples.csv"))
    {
        m_record->AddFile("samples.csv");
    }
}

void
Comparison::Estimate(DcnFctTable& table)
{
    if (m_truth)
    {
        Add(table, *m_truth);
    }
    for (const auto& method : m_methods)
    {
        DcnEstimate estimate;
        try
        {
            estimate = method->Estimate(m_scenario);
        }
        catch (const DcnError& error)
        {
            if (table.GetEstimates().empty())
            {
                throw; // errors and speed-ups refer to it
            }
            std::cout << std::flush;
            std::cerr << "left out: " << method->GetLabel() << ": " << error.what() << '\n';
            m_record->LeaveOut(method->GetLabel(), error.what());
            m_isComplete = false;
            continue;
        }
        estimate.isGroundTruth = m_hasTruth && !m_truth && method == m_methods.front();
        Add(table, estimate);
    }
    for (const std::string& file : QUEUE_FILES)
    {
        if (m_request.queues && std::filesystem::exists(m_request.out + "/" + file))
        {
            m_record->AddFile(file);
        }
    }
}

void
Comparison::Print(const DcnFctTable& table)
{
    const DcnComparisonReport report(table);
    report.PrintTable();
    report.PrintLimits();
    if (!m_queries.empty())
    {
        report.AnswerQueries(m_queries, m_request.out);
        m_record->AddFile("queries.csv");
    }
    report.PrintMethods();
    if (m_earlier)
    {
        std::cout << '\n' << m_earlier->Compare(table);
    }
}

void
Comparison::Draw(const DcnFctTable& table)
{
    const std::string title = MakeTitle(m_request.scenario);
    const std::string& out = m_request.out;
    if (table.PlotSlowdowns(out + "/slowdown-cdf", title))
    {
        m_record->AddFile("slowdown-cdf.png");
        m_record->AddFile("slowdown-cdf.svg");
    }
    if (table.PlotSlowdownsBySize(out + "/slowdown-by-size", title))
    {
        m_record->AddFile("slowdown-by-size.png");
        m_record->AddFile("slowdown-by-size.svg");
    }
    if (m_request.isReport)
    {
        DcnComparisonReport(table).WriteHtml(out, title, m_recipe, m_request.command);
        m_record->AddFile("report.html");
    }
}

int
Comparison::Run()
{
    Prepare();
    Record();
    if (!m_request.confidence.empty())
    {
        return Repeat();
    }
    if (m_request.isAlone)
    {
        DcnComparisonReport::PrintScenario(*m_scenario,
                                           m_request.scenario.MakeDrawnRecipe().ToFullText(),
                                           m_request.scenario.GetLoadReport(),
                                           m_cost);
        for (const std::string& line : m_forecast->Describe(m_methods))
        {
            std::cout << line << '\n';
        }
        std::cout << std::flush;
    }
    DcnFctTable table(m_scenario);
    table.SetScenarioCost(m_cost);
    Estimate(table);
    if (m_request.isAlone)
    {
        Print(table);
    }
    else
    {
        table.WriteDistributions(m_request.out + "/" + DISTRIBUTIONS_CSV);
        m_record->AddFile(DISTRIBUTIONS_CSV);
    }
    Draw(table);
    m_record->Finish();
    if (m_request.isAlone)
    {
        std::cout << "written: " << m_record->GetFiles() << std::endl;
    }
    return m_isComplete ? 0 : 2;
}

/// Returns names and bytes of the files in a folder.
std::string
ReadFolder(const std::string& path)
{
    std::set<std::filesystem::path> names;
    for (const auto& each : std::filesystem::directory_iterator(path))
    {
        names.insert(each.path());
    }
    std::string text;
    for (const auto& name : names)
    {
        std::ifstream file(name, std::ios::binary);
        text += name.filename().string() + '\n';
        text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
}

/// Runs the methods on several scenarios.
class Sweep
{
  public:
    /**
     * @param request see Request
     * @param variants its scenarios
     */
    Sweep(const Request& request, const std::vector<DcnScenarioOptions::Variant>& variants)
        : m_request(request),
          m_variants(variants)
    {
    }

    /**
     * @brief Run what is not there yet, and write the table and the plots.
     * @return status of the program: 2 if a scenario has none of 0
     */
    int Run();

  private:
    /// Refuses options for one scenario, bad values, and scenarios of the same folder.
    void Check() const;
    /// Returns the request of a scenario.
    Request MakeRequest(const DcnScenarioOptions::Variant& variant) const;
    /// Returns the digest of all that the answers of a scenario depend on.
    std::string MakeDigest(const DcnScenarioOptions::Variant& variant) const;
    /// Runs a scenario unless it is there; returns its status for the record.
    std::string RunOne(const DcnScenarioOptions::Variant& variant);

    Request m_request;                                   //!< of all scenarios
    std::vector<DcnScenarioOptions::Variant> m_variants; //!< the scenarios
    DcnSweep m_table;                                    //!< their answers
    bool m_isComplete{true};                             //!< all scenarios have status 0
};

void
Sweep::Check() const
{
    const std::pair<const char*, bool> options[] = {
        {"confidence", !m_request.confidence.empty()},
        {"against", !m_request.against.empty()},
        {"query", !m_request.query.empty()},
        {"truthFile", !m_request.truthFile.empty()},
        {"report", m_request.isReport},
        {"writeScenario", !m_request.writeScenario.empty()},
        {"verbose", m_request.verbose}};
    for (const auto& [option, isGiven] : options)
    {
        if (isGiven)
        {
            DcnFail("--", option, " is for one scenario, but there are ", m_variants.size());
        }
    }
    std::set<std::string> folders;
    for (const auto& variant : m_variants)
    {
        if (!folders.insert(variant.GetFolder()).second)
        {
            DcnFail("two scenarios would have the folder ",
                    variant.GetFolder(),
                    ": give values that differ in letters or digits");
        }
        variant.options.MakeDrawnRecipe(); // bad values are refused before the first one runs
    }
}

Request
Sweep::MakeRequest(const DcnScenarioOptions::Variant& variant) const
{
    Request request = m_request;
    request.scenario = variant.options;
    request.out = m_request.out + "/" + variant.GetFolder();
    request.isAlone = false;
    request.digest = MakeDigest(variant);
    return request;
}

std::string
Sweep::MakeDigest(const DcnScenarioOptions::Variant& variant) const
{
    const DcnScenarioRecipe recipe = variant.options.MakeDrawnRecipe();
    std::string text = recipe.ToFullText() + '\n' + m_request.methods + '\n' + m_request.truth +
                       '\n' + m_request.budget + '\n' + DcnToText(m_request.machineSpeed) + '\n' +
                       m_request.stopTime + '\n' + (m_request.queues ? "queues" : "") + '\n' +
                       DcnRunRecord::GetCodeDigest();
    for (const std::string& attribute : DcnRunRecord::ListAttributes())
    {
        text += '\n' + attribute;
    }
    for (const auto& method : CreateMethods(m_request.methods))
    {
        text += '\n' + method->GetDigest();
    }
    if (std::filesystem::is_directory(recipe.Get("scenario")))
    {
        text += '\n' + ReadFolder(recipe.Get("scenario"));
    }
    return DcnHashText(text);
}

std::string
Sweep::RunOne(const DcnScenarioOptions::Variant& variant)
{
    const Request request = MakeRequest(variant);
    std::string status = "kept";
    if (!DcnRunRecord::IsComplete(request.out, request.digest))
    {
        try
        {
            m_isComplete = Comparison(request).Run() == 0 && m_isComplete;
            status = "complete";
        }
        catch (const DcnError& error)
        {
            m_isComplete = false;
            return std::string("failed: ") + error.what();
        }
    }
    m_table.Add(variant.keys,
                variant.GetFolder(),
                DcnFctTable::ReadSummary(request.out + "/summary.csv"),
                DcnFctTable::ReadDistributions(request.out + "/" + DISTRIBUTIONS_CSV));
    return status;
}

int
Sweep::Run()
{
    Check();
    auto owned = OWN_FILES;
    owned.insert(owned.end(), {SCENARIOS_CSV, SCENARIOS_TXT});
    DcnRunRecord record(m_request.out, m_request.command, owned);
    std::printf("%zu scenarios, each with its folder in %s\n",
                m_variants.size(),
                m_request.out.c_str());
    for (const auto& variant : m_variants)
    {
        const DcnStopwatch stopwatch;
        const std::string status = RunOne(variant);
        std::printf("%s: %s, %.1f s\n",
                    variant.Describe().c_str(),
                    status.c_str(),
                    stopwatch.Get().wallSeconds);
        std::fflush(stdout);
        record.AddScenario(variant.GetFolder(), variant.Describe(), status);
        if (m_table.GetN() > 0)
        {
            m_table.Write(m_request.out); // an interrupted run has the table so far
            record.AddFile(SCENARIOS_CSV);
            record.AddFile(SCENARIOS_TXT);
        }
    }
    if (m_table.GetN() == 0)
    {
        DcnFail("no scenario has an answer");
    }
    std::printf("\n%s", m_table.MakeText().c_str());
    std::printf("p99 slowdown: of all flows, median over the seeds; p99 error: median\n");
    for (const std::string& line : m_table.DescribeLeftOut())
    {
        std::printf("%s\n", line.c_str());
    }
    std::set<std::string> varied;
    for (const auto& key : m_variants.front().keys)
    {
        varied.insert(key.name);
    }
    std::string title = MakeTitle(m_variants.front().options, varied);
    if (varied.count("seed") > 0)
    {
        title += (title.empty() ? "" : "; ") + std::string("medians and ranges over seeds");
    }
    for (const std::string& picture : m_table.Plot(m_request.out, title))
    {
        record.AddFile(picture);
    }
    record.Finish();
    std::cout << "written: " << record.GetFiles() << std::endl;
    return m_isComplete ? 0 : 2;
}

/// Declares the options.
void
AddOptions(CommandLine& cmd, Request& request)
{
    request.scenario.AddTo(cmd, DEFAULT_SCENARIO);
    DcnAddText(cmd,
               "methods",
               "Methods joined by commas (all but ns3-path, mql and tcp); attributes of a method "
               "follow it as in flowsim:WindowCap=true:LinkEfficiency=0.95",
               request.methods);
    DcnAddText(cmd,
               "truth",
               "The method that errors refer to, as it is named in --methods, or none (the first "
               "ground truth among the methods, such as packet)",
               request.truth);
    DcnAddText(cmd,
               "truthFile",
               "File of completion times that errors refer to: fct.txt of HPCC's simulator, or CSV "
               "with flow_id,fct_ns",
               request.truthFile);
    DcnAddText(cmd,
               "writeScenario",
               "Folder for the scenario as nodes.csv, links.csv, flows.csv, paths.csv, network.csv",
               request.writeScenario);
    cmd.AddValue(
        "seeds",
        "Number of seeds, from --seed on: a scenario for each, and for each combination of "
        "options with several values, as in --cc=hpcc,dcqcn --load=0.3,0.5",
        request.seeds);
    DcnAddText(cmd,
               "budget",
               "Processor time, such as 60s, for which the most accurate methods that fit are taken",
               request.budget);
    cmd.AddValue("machineSpeed",
                 "Speed of this machine relative to the one of the forecasts; 0: a short run "
                 "measures it",
                 request.machineSpeed);
    cmd.AddValue("verbose",
                 "Print how each method came to its answer (run.json has it)",
                 request.verbose);
    cmd.AddValue("report",
                 "Write report.html, too: all of this on a page with pictures",
                 request.isReport);
    cmd.AddValue("queues",
                 "Record the queues of switches and plot the longest (packet)",
                 request.queues);
    DcnAddText(cmd,
               "stopTime",
               "Simulated time, such as 10ms, at which packet ends with the flows that are "
               "delivered before",
               request.stopTime);
    DcnAddText(cmd,
               "confidence",
               "Level of intervals of errors; repeats with seeds",
               request.confidence);
    DcnAddText(cmd,
               "margin",
               "Half-width of these intervals: 0.01 is one percent (0.02)",
               request.margin);
    DcnAddText(cmd,
               "against",
               "Folder of an earlier run on this scenario, whose p99 slowdowns are compared",
               request.against);
    DcnAddText(cmd,
               "query",
               "Quantiles or means joined by commas, such as p99_slowdown, mean_fct@>50KB, "
               "p99.9_fct@<10KB:from=rack0:to=host17; also written to queries.csv",
               request.query);
    DcnAddText(cmd, "out", "Folder for fct.csv, summary.csv and slowdown-cdf.png", request.out);
}

} // namespace

int
main(int argc, char* argv[])
{
    Request request;
    request.methods = GetDefaultMethods();
    CommandLine cmd(__FILE__);
    cmd.Usage("Run several methods on one scenario and compare their flow completion times.");
    AddOptions(cmd, request);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-compare", [&]() {
        request.command = DcnDescribeCommand("dcn-compare", argc, argv);
        CheckOptions(request);
        if (request.seeds == 0)
        {
            DcnFail("--seeds must be at least 1, but it is 0");
        }
        const auto variants = request.scenario.Split(request.seeds);
        // status 2: a flow without an end must not be overlooked
        const int status =
            variants.size() > 1 ? Sweep(request, variants).Run() : Comparison(request).Run();
        if (argc == 1)
        {
            PrintNext();
        }
        Simulator::Destroy();
        return status;
    });
}
