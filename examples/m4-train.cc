/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Train m4 on a data set of small fabrics (dcn-dataset --kind=fabric).
 *
 * The last --validation samples are not trained on. After every epoch they are simulated with the
 * model, on its own events, and errors of completion times are printed; the model with the lowest
 * mean error is the one that is written. A training that was stopped is continued.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-statistics.h"
#include "ns3/m4-session.h"
#include "ns3/m4-trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

using namespace ns3;

namespace
{

/// Errors over the flows of several simulations, and over simulations.
struct Errors
{
    std::vector<double> flows; //!< |slowdown / true slowdown - 1| of each flow
    std::vector<double> p99;   //!< |p99 slowdown / true p99 slowdown - 1| of each simulation

    /// Adds a simulation.
    void Add(const DcnDatasetSample& sample, const std::vector<int64_t>& fctNs)
    {
        std::vector<double> slowdowns;
        std::vector<double> truths;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            if (sample.fctNs[i] >= 0)
            {
                const auto ideal = static_cast<double>(sample.idealNs[i]);
                slowdowns.push_back(std::max(1.0, static_cast<double>(fctNs[i]) / ideal));
                truths.push_back(std::max(1.0, static_cast<double>(sample.fctNs[i]) / ideal));
                flows.push_back(std::abs(slowdowns.back() / truths.back() - 1));
            }
        }
        std::sort(slowdowns.begin(), slowdowns.end());
        std::sort(truths.begin(), truths.end());
        p99.push_back(std::abs(DcnQuantile(slowdowns, 0.99) / DcnQuantile(truths, 0.99) - 1));
    }

    /// Returns mean and 90th percentile over flows and mean over p99s, in percent.
    std::string Describe()
    {
        std::sort(flows.begin(), flows.end());
        char text[100];
        std::snprintf(text,
                      sizeof(text),
                      "%6.2f %6.2f %6.2f",
                      100 * DcnMean(flows),
                      100 * DcnQuantile(flows, 0.9),
                      100 * DcnMean(p99));
        return text;
    }
};

/**
 * @param sample of a data set
 * @return what m4 is taught of it
 */
std::shared_ptr<M4Truth>
MakeTruth(const DcnDatasetSample& sample)
{
    auto truth = std::make_shared<M4Truth>();
    truth->scenario = sample.scenario;
    truth->fctNs = sample.fctNs;
    truth->queueBytes = sample.queueBytes;
    truth->actives.resize(sample.fctNs.size());
    const auto& flows = sample.scenario->GetFlows();
    for (std::size_t e = 0; e < sample.events.size(); ++e)
    {
        if (!sample.events[e].arrival)
        {
            continue;
        }
        auto& actives = truth->actives[sample.events[e].flow];
        for (const auto& active : sample.actives[e])
        {
            actives.push_back({active.flow,
                               static_cast<float>(active.remainingBytes) /
                                   static_cast<float>(flows[active.flow].sizeBytes)});
        }
    }
    return truth;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string data = "results/dataset";
    std::string out = "results/m4";
    uint32_t validation = 40;
    M4TrainingOptions options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Train m4 on a data set of small fabrics.");
    DcnAddText(cmd, "data", "Folder of the data set (dcn-dataset --kind=fabric)", data);
    DcnAddText(cmd, "out", "Folder of the model, of learning-curve.csv and of what is needed to go on", out);
    cmd.AddValue("validation", "Samples at the end of the data set to validate with", validation);
    cmd.AddValue("hidden", "Width of the network", options.sizes.hidden);
    cmd.AddValue("rounds", "Rounds of messages at an event", options.sizes.rounds);
    cmd.AddValue("batch", "Simulations in lock-step", options.batch);
    cmd.AddValue("chunk", "Events between two steps of the optimiser", options.chunk);
    cmd.AddValue("epochs", "Times that every simulation is played", options.epochs);
    cmd.AddValue("firstRate", "Learning rate in the beginning", options.firstRate);
    cmd.AddValue("lastRate", "Learning rate in the end", options.lastRate);
    cmd.AddValue("lambdaLeft", "Weight of the shares left; 0: not supervised", options.lambdaLeft);
    cmd.AddValue("lambdaQueue", "Weight of the queues; 0: not supervised", options.lambdaQueue);
    cmd.AddValue("seed", "Seed of the training", options.seed);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m4-train", [&]() {
        DcnDatasetReader reader(data);
        if (reader.GetKind() != "fabric" || reader.GetN() <= validation || validation == 0)
        {
            DcnFail("m4 is trained on a data set of the kind fabric with more than ", validation,
                    " samples and at least one to validate with, but ", data, " has ",
                    reader.GetN(), " of the kind ", reader.GetKind());
        }
        const uint64_t nTraining = reader.GetN() - validation;
        std::vector<DcnDatasetSample> samples;
        std::vector<Errors> baseline(2);
        for (uint64_t i = nTraining; i < reader.GetN(); ++i)
        {
            samples.push_back(reader.Read(i));
            int which = 0;
            for (const char* name : {"flowsim", "flowsim:WindowCap=true"})
            {
                auto method = DcnEstimator::CreateByName(name);
                baseline[which++].Add(samples.back(),
                                      method->Estimate(samples.back().scenario).fctNs);
            }
        }
        std::printf("error of each flow's slowdown, mean and p90, and of p99 slowdowns, in percent\n"
                    "flowsim                     %s\nflowsim with window cap     %s\n",
                    baseline[0].Describe().c_str(),
                    baseline[1].Describe().c_str());

        M4Trainer trainer(
            options,
            [&reader](uint64_t i) { return MakeTruth(reader.Read(i)); },
            nTraining);
        DcnMakeFolder(out);
        double best = INFINITY;
        if (std::ifstream(out + "/state/card.json"))
        {
            trainer.Load(out + "/state");
            best = DcnModelFile::Read(out, "m4").GetNumber("errors", "mean_abs_flow_error");
            std::printf("continued after epoch %u\n", trainer.GetNEpochs());
        }
        std::printf("epoch  ln slowdown  left   queue   free run            events/s\n");
        while (trainer.GetNEpochs() < options.epochs)
        {
            const auto start = std::chrono::steady_clock::now();
            DcnProgress progress("epoch " + std::to_string(trainer.GetNEpochs() + 1),
                                 nTraining,
                                 "simulations");
            uint64_t done = 0;
            const auto report = trainer.RunEpoch([&]() { progress.Update(++done); });
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            DcnModelFile model = trainer.GetModel();
            Errors errors;
            for (const auto& sample : samples)
            {
                errors.Add(sample, M4Run(*sample.scenario, model));
            }
            std::printf("%5u  %.4f       %.4f %.4f  %s  %.0f\n",
                        trainer.GetNEpochs(),
                        report.logSlowdown,
                        report.left,
                        report.queue,
                        errors.Describe().c_str(),
                        static_cast<double>(report.events) / elapsed.count());
            std::fflush(stdout);
            const double mean = DcnMean(errors.flows);
            if (mean < best)
            {
                best = mean;
                model.Set("training", "samples", static_cast<double>(nTraining));
                model.Set("training", "epochs", trainer.GetNEpochs());
                model.Set("training", "seed", static_cast<double>(options.seed));
                model.Set("errors", "mean_abs_flow_error", mean);
                model.Set("errors", "p90_abs_flow_error", DcnQuantile(errors.flows, 0.9));
                model.Set("errors", "mean_abs_p99_error", DcnMean(errors.p99));
                model.Write(out);
            }
            trainer.Save(out + "/state");
        }
        return 0;
    });
}
