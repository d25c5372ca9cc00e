/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-learning-curve.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-plot.h"
#include "ns3/gnuplot.h"

#include <algorithm>
#include <limits>

namespace ns3
{

M3LearningCurve::M3LearningCurve(const std::string& folder, uint32_t nEpochs)
    : m_base(folder + "/learning-curve")
{
    if (nEpochs == 0)
    {
        return;
    }
    DcnCsvReader reader(m_base + ".csv",
                        {"epoch", "training_loss", "validation_loss", "validation_error"});
    while (m_training.size() < nEpochs && reader.FetchRow())
    {
        m_training.push_back(reader.GetDouble(1));
        m_validation.push_back(reader.GetDouble(2));
        m_errors.push_back(reader.GetDouble(3));
    }
}

void
M3LearningCurve::Add(double training, double validation, double error)
{
    m_training.push_back(training);
    m_validation.push_back(validation);
    m_errors.push_back(error);
    DcnFileWriter file(m_base + ".csv");
    file.Stream().precision(std::numeric_limits<double>::max_digits10);
    file.Stream() << "epoch,training_loss,validation_loss,validation_error\n";
    Gnuplot plot(m_base + ".png");
    plot.SetTerminal("png");
    plot.SetLegend("epoch", "loss of log slowdowns");
    Gnuplot2dDataset learned("training");
    Gnuplot2dDataset held("validation");
    Gnuplot2dDataset errors("|p99 error| in validation");
    for (std::size_t i = 0; i < m_training.size(); ++i)
    {
        const auto epoch = static_cast<double>(i + 1);
        file.Stream() << epoch << ',' << m_training[i] << ',' << m_validation[i] << ','
                      << m_errors[i] << '\n';
        errors.Add(epoch, m_errors[i]);
        learned.Add(epoch, m_training[i]);
        held.Add(epoch, m_validation[i]);
    }
    file.Commit();
    plot.AddDataset(learned);
    plot.AddDataset(held);
    plot.AddDataset(errors);
    if (m_training.size() > 1) // gnuplot complains about a range of a single point
    {
        DcnWritePlot(plot, m_base);
    }
}

double
M3LearningCurve::GetBest() const
{
    return m_validation.empty() ? std::numeric_limits<double>::infinity()
                                : *std::min_element(m_validation.begin(), m_validation.end());
}

uint32_t
M3LearningCurve::GetBestEpoch() const
{
    const auto best = std::min_element(m_validation.begin(), m_validation.end());
    return m_validation.empty() ? 0 : static_cast<uint32_t>(best - m_validation.begin()) + 1;
}

} // namespace ns3
