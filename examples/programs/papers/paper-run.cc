/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paper-run.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-result-store.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-validation-runner.h"

#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// @return numbers as lines "name=number number ..."
std::string
Write(const PaperNumbers& numbers)
{
    std::ostringstream text;
    for (const auto& [name, values] : numbers)
    {
        text << name << '=';
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            text << (i ? " " : "") << (std::isfinite(values[i]) ? DcnToText(values[i]) : "nan");
        }
        text << '\n';
    }
    return text.str();
}

/// @return what Write has written
PaperNumbers
Read(const std::string& text)
{
    PaperNumbers numbers;
    for (const std::string& line : DcnSplit(text, '\n'))
    {
        const std::size_t end = line.rfind('=');
        if (end == std::string::npos)
        {
            continue;
        }
        std::vector<double>& values = numbers[line.substr(0, end)];
        for (const std::string& part : DcnSplit(line.substr(end + 1), ' '))
        {
            double value = PaperMeasured::NONE;
            DcnParse(part, value);
            values.push_back(part == "nan" ? PaperMeasured::NONE : value);
        }
    }
    return numbers;
}

} // namespace

double
PaperGet(const PaperNumbers& numbers, const std::string& name, std::size_t index)
{
    const auto found = numbers.find(name);
    return found == numbers.end() || found->second.size() <= index ? PaperMeasured::NONE
                                                                  : found->second[index];
}

PaperMeasured
PaperGetMeasured(const PaperNumbers& numbers, const std::string& name, double factor)
{
    return {factor * PaperGet(numbers, name, 0),
            factor * PaperGet(numbers, name, 1),
            factor * PaperGet(numbers, name, 2)};
}

PaperScale
PaperParseScale(const std::string& name)
{
    static const std::map<std::string, PaperScale> SCALES{{"small", PaperScale::SMALL},
                                                          {"medium", PaperScale::MEDIUM},
                                                          {"full", PaperScale::FULL}};
    const auto found = SCALES.find(name);
    if (found == SCALES.end())
    {
        DcnFail("--scale must be small, medium or full, but it is \"", name, "\"");
    }
    return found->second;
}

PaperRun::PaperRun(const Options& options)
    : m_options(options)
{
    DcnMakeFolder(m_options.folder);
    if (m_options.farm.IsRoot()) // the other ranks write nothing
    {
        m_lock = std::make_unique<DcnFolderLock>(m_options.folder, DcnRunRecord::IN_USE);
    }
}

PaperRun::~PaperRun() = default;

PaperRun::Stored
PaperRun::TakeStored()
{
    return std::exchange(m_stored, {});
}

std::string
PaperRun::TakeOrigin()
{
    std::string text;
    for (const auto& [digest, method] : std::exchange(m_origin, {}))
    {
        text += (text.empty() ? "" : " ") + digest + "@" + method;
    }
    return text;
}

std::string
PaperRun::GetDigest(const std::string& method)
{
    auto& digest = m_digests[method];
    if (digest.empty())
    {
        digest = DcnEstimator::CreateByName(method)->GetDigest();
    }
    auto& shortest = m_origin[digest];
    shortest = shortest.empty() || method.size() < shortest.size() ? method : shortest;
    return digest;
}

bool
PaperRun::IsFull() const
{
    return m_options.scale == PaperScale::FULL;
}

const std::string&
PaperRun::GetFolder() const
{
    return m_options.folder;
}

std::string
PaperRun::GetMatrix(char letter) const
{
    static const std::map<char, std::string> GENERATED{{'A', "database"},
                                                       {'B', "web"},
                                                       {'C', "hadoop"}};
    const char lower = static_cast<char>(letter - 'A' + 'a');
    return m_options.matrices.empty()
               ? GENERATED.at(letter)
               : m_options.matrices + "/rack-matrix-" + std::string(1, lower) + "-32.csv";
}

std::string
PaperRun::MakeFolder(const std::string& folder) const
{
    const std::string path = m_options.folder + "/" + folder;
    DcnMakeFolder(path);
    return path;
}

std::vector<PaperNumbers>
PaperRun::Compute(const std::string& experiment, const std::vector<PaperTask>& tasks)
{
    const std::string path = MakeFolder("runs") + "/" + experiment + ".db";
    std::unique_ptr<DcnResultStore> store;
    if (m_options.farm.IsRoot())
    {
        store = std::make_unique<DcnResultStore>(
            path,
            DcnResultStore::Experiment{{"experiment", experiment}});
    }
    DcnResultStore::Experiment asked; // the tasks, on which ranks have to agree
    std::vector<std::string> keys;
    std::vector<std::size_t> missing;
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < tasks.size(); ++i)
    {
        std::string key = tasks[i].key;
        for (const std::string& method : tasks[i].methods)
        {
            key += "|" + method + "=" + GetDigest(method);
        }
        keys.push_back(key);
        asked[experiment + ", task " + std::to_string(i)] = key;
        if (store && !store->Has(key))
        {
            missing.push_back(i);
            numbers.push_back(std::to_string(i));
        }
    }
    auto& [stored, all] = m_stored[path];
    stored += tasks.size() - missing.size();
    all += tasks.size();
    DcnProgress progress(experiment, missing.size(), "tasks");
    uint64_t done = 0;
    m_options.farm.Run(
        asked,
        numbers,
        [&](const std::string& number, const DcnTaskFarm::Reply& reply) {
            DcnProgress::Silence();
            reply(Write(tasks[std::stoull(number)].body()));
        },
        [&](uint64_t i, std::string&& text) {
            store->Add({{keys[missing[i]], text}});
            progress.Update(++done);
        });
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < keys.size() && store; ++i)
    {
        texts.push_back(store->Find(keys[i]).value());
    }
    std::vector<PaperNumbers> results;
    for (const std::string& text : DcnTaskFarm::Unpack(m_options.farm.Share(DcnTaskFarm::Pack(texts))))
    {
        results.push_back(Read(text));
    }
    return results;
}

DcnScenarioSuite
PaperRun::GetSuite(const std::string& suite, uint64_t packetHops, uint64_t seed) const
{
    return DcnScenarioSuite(suite,
                            seed,
                            packetHops,
                            DcnScenarioSuite::TakesMatrices(suite) ? m_options.matrices
                                                                          : "");
}

std::vector<DcnValidationRow>
PaperRun::Validate(const std::string& suite,
                   const std::vector<std::string>& methods,
                   uint64_t n,
                   uint64_t packetHops,
                   uint64_t seed)
{
    DcnValidationRunner::Options options;
    options.folder = MakeFolder("runs/" + suite + "-" + std::to_string(packetHops) + "-" +
                                std::to_string(seed));
    options.truthSeeds = 2;
    options.methods = methods;
    options.last = n;
    options.farm = m_options.farm;
    // tells a complete run from a part of one
    std::string all = std::to_string(n);
    for (const std::string& method : methods)
    {
        all += " " + method + "=" + GetDigest(method);
    }
    GetDigest("packet"); // of the truth
    const std::string mark = options.folder + "/complete-" + DcnHashText(all);
    const bool isStored = std::ifstream(mark).good();
    m_stored[options.folder] = {isStored ? n : 0, n};
    DcnValidationRunner runner(GetSuite(suite, packetHops, seed), options);
    runner.Run();
    if (m_options.farm.IsRoot())
    {
        DcnFileWriter file(mark);
        file.Stream() << all << '\n';
        file.Commit();
    }
    return runner.GetRows();
}

} // namespace ns3
