/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-learning-curve.h"

#include "ns3/dcn-csv.h"

#include <fstream>
#include <sstream>

namespace ns3
{

M4LearningCurve::M4LearningCurve(const std::string& path, uint32_t nEpochs)
    : m_path(path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    while (m_lines.size() < nEpochs && std::getline(file, line))
    {
        m_lines.push_back(line);
    }
    m_nLost = nEpochs - GetN();
}

void
M4LearningCurve::Add(const M4Trainer::Report& training,
                     const M4Errors& alone,
                     const M4Errors& taught,
                     double seconds)
{
    std::ostringstream line;
    line << m_nLost + m_lines.size() + 1 << ',' << training.logSlowdown << ',' << training.left
         << ',' << training.queue << ',' << alone.GetMean() << ',' << alone.GetP90() << ','
         << alone.GetP99Error() << ',' << taught.GetMean() << ',' << taught.GetP90() << ','
         << static_cast<double>(training.events) / seconds;
    m_lines.push_back(line.str());
    DcnFileWriter file(m_path);
    file.Stream() << "epoch,training_log_slowdown,training_left,training_queue,"
                     "mean_abs_flow_error,p90_abs_flow_error,mean_abs_p99_error,"
                     "taught_mean_abs_flow_error,taught_p90_abs_flow_error,events_per_s\n";
    for (const std::string& each : m_lines)
    {
        file.Stream() << each << '\n';
    }
    file.Commit();
}

uint32_t
M4LearningCurve::GetN() const
{
    return static_cast<uint32_t>(m_lines.size());
}

} // namespace ns3
