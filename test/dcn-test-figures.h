/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TEST_FIGURES_H
#define DCN_TEST_FIGURES_H

#include "dcn-test-duration.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

/**
 * @ingroup dcn-tests
 * @brief Figures of a method that a test expects, such as its errors.
 */
struct DcnTestFigures
{
    /// A figure that the method does not answer. (Not NAN: GCC 12 makes constants of NAN and other
    /// numbers side by side all NAN with some vector instructions.)
    static constexpr double NONE = 1e9;

    /// What a figure was found to be, and what it may differ by while nothing of it is changed.
    struct Figure
    {
        double found;   //!< as measured, or NONE
        double scatter; //!< see DcnFiguresTestCase
    };

    std::string what;            //!< whose they are
    std::vector<Figure> figures; //!< in the order of the measurement
};

/**
 * @ingroup dcn-tests
 * @brief Figures of methods are what they were found to be.
 *
 * A figure f is accepted in
 *
 *     f_found +- (|f_found| / 2 + s),
 *
 * with its sign: an error may grow to 1.5 times what it was found to be, and a bias that vanishes
 * or turns round does not go unnoticed either. s is the scatter of the figure where nothing that
 * matters is another: its standard deviation over N_REPETITIONS repetitions of what is measured.
 *
 * A case for the scatter prints the figures as they are now in the form of the source, and checks
 * that the scatter stated is not more than twice that measured: five values tell a standard
 * deviation to within a factor of 2.
 */
class DcnFiguresTestCase : public ns3::TestCase
{
  public:
    static constexpr uint32_t N_REPETITIONS = 5; //!< of which the scatter is computed

    /// Values by what they are of, in the order of the expectations.
    using Values = std::vector<std::pair<std::string, std::vector<double>>>;
    /// Computes the values: 1, those expected; from 2 on, those of a repetition.
    using Measure = std::function<Values(uint32_t repetition)>;

    /**
     * @param scenario flows with the ids 0, 1, ... in their order
     * @param repetition 1: the scenario; from 2 on, starts are moved by up to a microsecond, and
     * the marking has another seed (DcnScenarioSuite::Repeat). Other flows of the same workload
     * scatter more, but a test always has the same ones.
     * @return what is measured
     */
    static ns3::Ptr<const ns3::DcnScenario> Repeat(ns3::Ptr<const ns3::DcnScenario> scenario,
                                                   uint32_t repetition)
    {
        return repetition == 1 ? scenario : ns3::DcnScenarioSuite::Repeat(scenario, repetition);
    }

    /**
     * @brief The errors of a method, in percent: of the p99 and of the mean of the slowdown, the
     * mean over flows of the absolute error, and the share of the flows that did not finish.
     * @param scenario flows
     * @param truth their completion times
     * @param method for DcnEstimator::CreateByName
     * @return the four; NONE for what the method does not answer
     * @throws DcnError if there is no such method
     */
    static std::vector<double> GetErrors(ns3::Ptr<const ns3::DcnScenario> scenario,
                                         const ns3::DcnEstimate& truth,
                                         const std::string& method)
    {
        ns3::DcnFctTable table(scenario);
        table.Add(truth);
        table.Add(ns3::DcnEstimator::CreateByName(method)->Estimate(scenario));
        ns3::Simulator::Destroy();
        std::vector<double> errors(3, DcnTestFigures::NONE);
        double unfinished = 0;
        for (const auto& [reason, n] : table.GetEstimates().back().unfinished)
        {
            unfinished +=
                100 * static_cast<double>(n) / static_cast<double>(scenario->GetFlows().size());
        }
        for (const auto& row : table.GetSummary())
        {
            if (row.method != method || row.sizeClass != "all")
            {
                continue;
            }
            if (row.metric == "p99_slowdown")
            {
                errors[0] = 100 * (row.value / row.truth - 1);
            }
            if (row.metric == "mean_slowdown")
            {
                errors[1] = 100 * (row.value / row.truth - 1);
            }
            if (row.metric == "mean_abs_flow_error")
            {
                errors[2] = 100 * row.value;
            }
        }
        errors.push_back(unfinished);
        return errors;
    }

    /**
     * @param scenario flows
     * @return their completion times by packets
     */
    static ns3::DcnEstimate GetTruth(ns3::Ptr<const ns3::DcnScenario> scenario)
    {
        const auto truth = ns3::DcnEstimator::CreateByName("packet")->Estimate(scenario);
        ns3::Simulator::Destroy();
        return truth;
    }

    /**
     * @param name of the case
     * @param measure computes figures
     * @param expected what they are
     * @param isScatter whether the case is for the scatter, not for the figures
     */
    DcnFiguresTestCase(const std::string& name,
                       Measure measure,
                       std::vector<DcnTestFigures> expected,
                       bool isScatter)
        : TestCase((isScatter ? "scatter of the figures, " : "figures, ") + name),
          m_measure(std::move(measure)),
          m_expected(std::move(expected)),
          m_isScatter(isScatter)
    {
    }

  private:
    /// @return what is expected of someone; NONE if nothing is
    DcnTestFigures Find(const std::string& what, std::size_t n) const
    {
        for (const DcnTestFigures& each : m_expected)
        {
            if (each.what == what && each.figures.size() == n)
            {
                return each;
            }
        }
        return {"nobody", std::vector<DcnTestFigures::Figure>(n, {DcnTestFigures::NONE, 0})};
    }

    /// @return standard deviation of a figure over repetitions
    static double GetScatter(const std::vector<Values>& all, std::size_t who, std::size_t i)
    {
        double sum = 0;
        double squares = 0;
        for (const Values& values : all)
        {
            sum += values[who].second[i];
        }
        for (const Values& values : all)
        {
            const double difference = values[who].second[i] - sum / static_cast<double>(all.size());
            squares += difference * difference;
        }
        return std::sqrt(squares / static_cast<double>(all.size() - 1));
    }

    /// @return a figure as in the source
    static std::string ToText(double value)
    {
        char text[32];
        std::snprintf(text, sizeof(text), "%.2f", value);
        return value == DcnTestFigures::NONE ? "NONE" : text;
    }

    void DoRun() override
    {
        const Values values = m_measure(1);
        if (!m_isScatter)
        {
            NS_TEST_EXPECT_MSG_EQ(m_expected.size(), values.size(), "expectations");
        }
        std::vector<Values> repeated;
        for (uint32_t i = 0; m_isScatter && i < N_REPETITIONS; ++i)
        {
            repeated.push_back(m_measure(2 + i));
        }
        for (std::size_t who = 0; who < values.size(); ++who)
        {
            const auto& [what, now] = values[who];
            const DcnTestFigures expected = Find(what, now.size());
            if (!m_isScatter)
            {
                NS_TEST_EXPECT_MSG_EQ(expected.what, what, "no expectation");
            }
            std::string row = "{\"" + what + "\", {";
            for (std::size_t i = 0; i < now.size(); ++i)
            {
                const auto& [found, scatter] = expected.figures[i];
                const std::string message = what + ", figure " + std::to_string(i);
                if (m_isScatter)
                {
                    const double measured = GetScatter(repeated, who, i);
                    row += "{" + ToText(now[i]) + ", " + ToText(measured) + "}, ";
                    NS_TEST_EXPECT_MSG_LT_OR_EQ(scatter, 2 * measured + 0.005, message);
                    continue;
                }
                const double most = 0.5 * std::abs(found) + scatter;
                // what is not a number is not within any limits
                const bool isAccepted = found == DcnTestFigures::NONE
                                            ? now[i] == found
                                            : std::abs(now[i] - found) <= most;
                NS_TEST_EXPECT_MSG_EQ(isAccepted,
                                      true,
                                      message << " is " << ToText(now[i]) << ", expected "
                                              << ToText(found) << " +- " << ToText(most));
            }
            if (m_isScatter)
            {
                std::cout << GetName() << ": " << row.substr(0, row.size() - 2) << "}},"
                          << std::endl;
            }
        }
    }

    Measure m_measure;                      //!< computes figures
    std::vector<DcnTestFigures> m_expected; //!< what they are
    bool m_isScatter;                       //!< for the scatter, not for the figures
};

/**
 * @ingroup dcn-tests
 * @brief A suite that expects figures.
 */
class DcnFiguresTestSuite : public ns3::TestSuite
{
  public:
    using TestSuite::TestSuite;

  protected:
    /**
     * @brief Say what is measured and what is expected.
     * @param name of the case
     * @param measure computes figures
     * @param expected what they are
     */
    void Expect(const std::string& name,
                const DcnFiguresTestCase::Measure& measure,
                const std::vector<DcnTestFigures>& expected)
    {
        AddTestCase(new DcnFiguresTestCase(name, measure, expected, true),
                    DCN_TEST_EXTENSIVE(DcnFiguresTestSuite));
        m_last.push_back(new DcnFiguresTestCase(name, measure, expected, false));
    }

    /// Add the cases that compare: after those that print, since a suite ends with a failure.
    void AddComparisons()
    {
        for (DcnFiguresTestCase* each : m_last)
        {
            AddTestCase(each);
        }
        m_last.clear();
    }

  private:
    std::vector<DcnFiguresTestCase*> m_last; //!< cases for AddComparisons
};

#endif /* DCN_TEST_FIGURES_H */
