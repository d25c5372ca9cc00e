/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-validation-table.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-plot.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iterator>
#include <limits>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

using Row = DcnValidationRow;

const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< missing number

/// A column of validate.csv; one of the members is set.
struct Column
{
    const char* name;                 //!< in the header
    std::string Row::*text = nullptr; //!< member of a column of names
    double Row::*number = nullptr;    //!< member of a column of numbers
};

const Column COLUMNS[] = {
    {"suite", &Row::suite},
    {"scenario", nullptr, &Row::scenario},
    {"seed", nullptr, &Row::seed},
    {"topology", &Row::topology},
    {"host_gbps", &Row::hostGbps},
    {"oversubscription", &Row::oversubscription},
    {"matrix", &Row::matrix},
    {"sizes", &Row::sizes},
    {"sigma", nullptr, &Row::sigma},
    {"load", nullptr, &Row::load},
    {"cc", &Row::congestionControl},
    {"window_bytes", nullptr, &Row::windowBytes},
    {"buffer_bytes", nullptr, &Row::bufferBytes},
    {"pfc", nullptr, &Row::pfc},
    {"ecn_kmin_bytes", nullptr, &Row::ecnKminBytes},
    {"ecn_kmax_bytes", nullptr, &Row::ecnKmaxBytes},
    {"timely_low_ns", nullptr, &Row::timelyLowNs},
    {"timely_high_ns", nullptr, &Row::timelyHighNs},
    {"hpcc_eta", nullptr, &Row::hpccEta},
    {"hpcc_additive_increase_bps", nullptr, &Row::hpccIncreaseBps},
    {"flows", nullptr, &Row::nFlows},
    {"max_load", nullptr, &Row::maxLoad},
    {"max_wire_load", nullptr, &Row::maxWireLoad},
    {"top_load", nullptr, &Row::topLoad},
    {"method", &Row::method},
    {"size_class", &Row::sizeClass},
    {"class_flows", nullptr, &Row::nClass},
    {"unfinished", nullptr, &Row::nUnfinished},
    {"p50_slowdown", nullptr, &Row::p50},
    {"p90_slowdown", nullptr, &Row::p90},
    {"p99_slowdown", nullptr, &Row::p99},
    {"truth_p50_slowdown", nullptr, &Row::truthP50},
    {"truth_p90_slowdown", nullptr, &Row::truthP90},
    {"truth_p99_slowdown", nullptr, &Row::truthP99},
    {"p99_error", nullptr, &Row::p99Error},
    {"mean_error", nullptr, &Row::meanError},
    {"mean_abs_flow_error", nullptr, &Row::meanFlowError},
    {"p90_abs_flow_error", nullptr, &Row::p90FlowError},
    {"wall_s", nullptr, &Row::wallSeconds},
    {"cpu_s", nullptr, &Row::cpuSeconds},
    {"truth_wall_s", nullptr, &Row::truthWallSeconds},
    {"truth_cpu_s", nullptr, &Row::truthCpuSeconds},
    {"jobs", nullptr, &Row::jobs},
    {"answered_by", &Row::answeredBy},
    {"provenance", &Row::provenance},
    {"p99_lower", nullptr, &Row::p99Lower},
    {"p99_upper", nullptr, &Row::p99Upper},
};

/// The last columns, of limits, which rows of earlier stores lack.
constexpr std::size_t N_LIMITS = 2;

/// A factor by whose values scenarios are grouped.
const char* const FACTORS[] =
    {"topology", "host_gbps", "matrix", "sizes", "oversubscription", "sigma", "cc", "pfc"};

/**
 * @param row a row
 * @param column a column
 * @return the text of the cell
 */
std::string
GetCell(const Row& row, const Column& column)
{
    if (column.text)
    {
        return DcnCsvText(row.*column.text);
    }
    std::ostringstream text;
    text << std::setprecision(10) << row.*column.number;
    return text.str();
}

/**
 * @param row a row
 * @return the variant of its method that answered; empty: none
 */
std::string
GetVariant(const Row& row)
{
    return DcnEstimate::IsOther(row.method, row.answeredBy) ? std::string() : row.answeredBy;
}

/**
 * @tparam T type of the values
 * @param values list of distinct values
 * @param value added if not in the list
 */
template <typename T>
void
AddOnce(std::vector<T>& values, const T& value)
{
    if (std::find(values.begin(), values.end(), value) == values.end())
    {
        values.push_back(value);
    }
}

/**
 * @param rows scenarios
 * @return their errors, ascending; without answers of other methods
 */
std::vector<double>
GetErrors(const std::vector<const Row*>& rows)
{
    std::vector<double> errors;
    for (const Row* row : rows)
    {
        if (!row->IsLeftOut())
        {
            errors.push_back(row->p99Error);
        }
    }
    std::sort(errors.begin(), errors.end());
    return errors;
}

/**
 * @param values independent values, at least DcnValidationSummary::FEWEST
 * @return 95 % limits of their mean: percentiles of the means of draws with replacement, with a
 * fixed seed
 */
std::pair<double, double>
GetMeanLimits(const std::vector<double>& values)
{
    std::mt19937_64 random(1);
    std::vector<double> means(DcnValidationSummary::DRAWS);
    for (double& mean : means)
    {
        mean = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            mean += values[random() % values.size()] / static_cast<double>(values.size());
        }
    }
    std::sort(means.begin(), means.end());
    return {DcnQuantile(means, 0.025), DcnQuantile(means, 0.975)};
}

/**
 * Draw a box with whiskers.
 * @param errors ascending, at least one
 * @param x its place
 * @param width its width
 * @param lines data set of the lines
 * @param points data set of the errors beyond the whiskers
 */
void
AddBox(const std::vector<double>& errors,
       double x,
       double width,
       Gnuplot2dDataset& lines,
       Gnuplot2dDataset& points)
{
    const double low = DcnQuantile(errors, 0.25);
    const double high = DcnQuantile(errors, 0.75);
    const double median = DcnQuantile(errors, 0.5);
    const double reach = 1.5 * (high - low);
    double least = low;
    double most = high;
    for (double error : errors)
    {
        if (error < low - reach || error > high + reach)
        {
            points.Add(x, 100 * error);
            continue;
        }
        least = std::min(least, error);
        most = std::max(most, error);
    }
    auto draw = [&lines](const std::vector<std::pair<double, double>>& line) {
        for (const auto& [at, value] : line)
        {
            lines.Add(at, 100 * value);
        }
        lines.AddEmptyLine();
    };
    const double left = x - width / 2;
    const double right = x + width / 2;
    draw({{left, low}, {right, low}, {right, high}, {left, high}, {left, low}});
    draw({{left, median}, {right, median}});
    draw({{x, low}, {x, least}});
    draw({{x, high}, {x, most}});
    draw({{x - width / 4, least}, {x + width / 4, least}});
    draw({{x - width / 4, most}, {x + width / 4, most}});
}

} // namespace

bool
DcnValidationRow::IsLeftOut() const
{
    return std::isnan(p99Error) && !std::isnan(p99);
}

bool
DcnValidationRow::HasLimits() const
{
    return !std::isnan(p99Lower) && !std::isnan(p99Upper) && !std::isnan(truthP99);
}

std::vector<std::string>
DcnValidationRow::GetColumns()
{
    std::vector<std::string> names;
    for (const Column& column : COLUMNS)
    {
        names.emplace_back(column.name);
    }
    return names;
}

std::vector<DcnValidationRow>
DcnValidationRow::Read(const std::string& text, const std::string& where)
{
    std::istringstream lines(text);
    std::string line;
    std::ostringstream header;
    Write(header, {});
    std::string earlier = header.str();
    for (std::size_t i = 0; i < N_LIMITS; ++i)
    {
        earlier.erase(earlier.rfind(','));
    }
    if (!std::getline(lines, line) || (line + '\n' != header.str() && line != earlier))
    {
        DcnFail(where, ": the rows have other columns than those of this version: ", line);
    }
    const std::string missing = line == earlier ? ",nan,nan" : ""; // N_LIMITS cells
    std::vector<DcnValidationRow> rows;
    while (std::getline(lines, line))
    {
        std::istringstream cells(line + missing);
        DcnValidationRow row;
        for (const Column& column : COLUMNS)
        {
            std::string cell;
            std::getline(cells, cell, ',');
            if (column.text)
            {
                row.*column.text = cell;
            }
            else if (cell == "nan")
            {
                row.*column.number = NONE;
            }
            else if (!DcnParse(cell, row.*column.number))
            {
                DcnFail(where, ": ", column.name, " must be a number, but it is \"", cell, '"');
            }
        }
        rows.push_back(row);
    }
    return rows;
}

void
DcnValidationRow::Write(std::ostream& csv, const std::vector<DcnValidationRow>& rows)
{
    for (std::size_t i = 0; i < std::size(COLUMNS); ++i)
    {
        csv << (i ? "," : "") << COLUMNS[i].name;
    }
    csv << '\n';
    for (const DcnValidationRow& row : rows)
    {
        for (std::size_t i = 0; i < std::size(COLUMNS); ++i)
        {
            csv << (i ? "," : "") << GetCell(row, COLUMNS[i]);
        }
        csv << '\n';
    }
}

const std::vector<DcnSizeClass>&
DcnValidationRow::GetSizeClasses()
{
    static const std::vector<DcnSizeClass> classes = []() {
        std::vector<DcnSizeClass> all = DcnSizeClasses();
        all.push_back({"<10KB", 0, 1e4});
        all.push_back({"10KB-1MB", 1e4, 1e6});
        all.push_back({">1MB", 1e6, std::numeric_limits<double>::infinity()});
        return all;
    }();
    return classes;
}

DcnValidationSummary::DcnValidationSummary(std::vector<DcnValidationRow> rows)
{
    for (DcnValidationRow& row : rows)
    {
        if (!std::isnan(row.p99Error) || row.IsLeftOut())
        {
            AddOnce(m_methods, {row.method, GetVariant(row)});
            AddOnce(m_sizeClasses, row.sizeClass);
            m_rows.push_back(std::move(row));
        }
    }
}

std::vector<DcnValidationSummary::Level>
DcnValidationSummary::GetLevels(const Method& method, const std::string& sizeClass) const
{
    std::vector<const DcnValidationRow*> all;
    for (const DcnValidationRow& row : m_rows)
    {
        if (row.method == method.first && row.sizeClass == sizeClass)
        {
            all.push_back(&row);
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
        return a->maxLoad < b->maxLoad;
    });
    // variants share the ranks, so that low loads are equal for every method
    auto isOwn = [&method](const auto* row) { return GetVariant(*row) == method.second; };
    std::vector<const DcnValidationRow*> own;
    std::copy_if(all.begin(), all.end(), std::back_inserter(own), isOwn);
    std::vector<Level> levels{{"all", "all", own}};
    auto split = [&](const std::string& group, const std::vector<std::string>& names) {
        for (std::size_t part = 0; part < names.size(); ++part)
        {
            levels.push_back({group, names[part], {}});
            for (std::size_t k = 0; k < all.size(); ++k)
            {
                if (isOwn(all[k]) && names.size() * k / all.size() == part)
                {
                    levels.back().of.push_back(all[k]);
                }
            }
        }
    };
    split("load_half", {"low", "high"});
    split("load_third", {"low", "middle", "high"});
    for (const char* factor : FACTORS)
    {
        const Column& column =
            *std::find_if(std::begin(COLUMNS), std::end(COLUMNS), [&](const Column& c) {
                return c.name == std::string(factor);
            });
        std::set<std::string> values;
        for (const auto* row : own)
        {
            values.insert(GetCell(*row, column));
        }
        for (const auto& value : values)
        {
            levels.push_back({factor, value, {}});
            for (const auto* row : own)
            {
                if (GetCell(*row, column) == value)
                {
                    levels.back().of.push_back(row);
                }
            }
        }
    }
    levels.erase(std::remove_if(levels.begin(),
                                levels.end(),
                                [](const Level& level) { return level.of.empty(); }),
                 levels.end());
    return levels;
}

std::vector<DcnValidationSummary::Row>
DcnValidationSummary::GetRows() const
{
    std::vector<Row> rows;
    for (const auto& method : m_methods)
    {
        for (const auto& sizeClass : m_sizeClasses)
        {
            for (const Level& level : GetLevels(method, sizeClass))
            {
                const std::vector<double> errors = GetErrors(level.of);
                std::vector<double> absolute;
                for (const double error : errors)
                {
                    absolute.push_back(std::abs(error));
                }
                std::sort(absolute.begin(), absolute.end());
                const auto within =
                    std::upper_bound(absolute.begin(), absolute.end(), 0.1) - absolute.begin();
                const auto n = static_cast<double>(absolute.size());
                double wall = 0;
                double cpu = 0;
                double truthCpu = 0;
                double truthWall = 0;
                for (const auto* row : level.of)
                {
                    wall += row->wallSeconds;
                    truthWall += row->truthWallSeconds;
                    cpu += row->cpuSeconds;
                    truthCpu += row->truthCpuSeconds;
                }
                Row row{method.first,
                        method.second,
                        sizeClass,
                        level.group,
                        level.level,
                        absolute.size(),
                        level.of.size() - absolute.size(),
                        NONE,
                        NONE,
                        NONE,
                        NONE,
                        NONE,
                        NONE,
                        cpu > 0 ? truthCpu / cpu : NONE,
                        wall > 0 ? truthWall / wall : NONE,
                        NONE,
                        NONE,
                        0,
                        NONE};
                uint64_t held = 0;
                for (const auto* each : level.of)
                {
                    const bool isLimited = each->HasLimits() && !each->IsLeftOut();
                    row.limited += isLimited ? 1 : 0;
                    held += isLimited && each->p99Lower <= each->truthP99 &&
                                    each->truthP99 <= each->p99Upper
                                ? 1
                                : 0;
                }
                if (row.limited > 0)
                {
                    row.covered = static_cast<double>(held) / static_cast<double>(row.limited);
                }
                if (absolute.size() >= FEWEST)
                {
                    std::tie(row.meanAbsLow, row.meanAbsHigh) = GetMeanLimits(absolute);
                }
                if (!absolute.empty())
                {
                    row.meanAbs = DcnMean(absolute);
                    row.medianAbs = DcnQuantile(absolute, 0.5);
                    row.p90Abs = DcnQuantile(absolute, 0.9);
                    row.maxAbs = absolute.back();
                    row.within10 = static_cast<double>(within) / n;
                    row.mean = DcnMean(errors);
                }
                rows.push_back(row);
            }
        }
    }
    return rows;
}

void
DcnValidationSummary::Write(std::ostream& csv) const
{
    csv << "method,answered_by,size_class,group,level,scenarios,left_out,mean_abs_error,"
           "median_abs_error,p90_abs_error,max_abs_error,within_10_percent,mean_error,"
           "cpu_speed_up,wall_speed_up,mean_abs_error_low,mean_abs_error_high,limited,covered\n";
    csv << std::setprecision(9);
    for (const Row& row : GetRows())
    {
        csv << row.method << ',' << row.answeredBy << ',' << row.sizeClass << ',' << row.group
            << ',' << row.level << ',' << row.n << ',' << row.leftOut << ',' << row.meanAbs << ','
            << row.medianAbs << ',' << row.p90Abs << ',' << row.maxAbs << ',' << row.within10 << ','
            << row.mean << ',' << row.cpuSpeedUp << ',' << row.wallSpeedUp << ',' << row.meanAbsLow
            << ',' << row.meanAbsHigh << ',' << row.limited << ',' << row.covered << '\n';
    }
}

void
DcnValidationSummary::Print(std::ostream& out) const
{
    std::size_t width = 10;
    for (const auto& [method, variant] : m_methods)
    {
        width = std::max(width, DcnEstimate::MakeTitle(method, variant).size());
    }
    const std::ios_base::fmtflags flags = out.flags();
    const auto precision = out.precision();
    uint64_t leftOut = 0;
    uint64_t limited = 0;
    out << "error of the p99 slowdown, in percent\n"
        << std::left << std::setw(static_cast<int>(width)) << "method" << std::right
        << "  class      n left out  mean|e|     95 % limits  median    p90    max   <=10%     bias"
           "  cpu ratio  wall ratio  covered\n"
        << std::fixed;
    for (const Row& row : GetRows())
    {
        if (row.group != "all")
        {
            continue;
        }
        leftOut += row.leftOut;
        limited += row.limited;
        auto print = [&out](double value, int columns, int digits, const char* unit = "") {
            if (std::isnan(value))
            {
                out << std::setw(columns) << '-' << (*unit ? " " : "");
                return;
            }
            out << std::setw(columns) << std::setprecision(digits) << value << unit;
        };
        out << std::left << std::setw(static_cast<int>(width))
            << DcnEstimate::MakeTitle(row.method, row.answeredBy) << "  " << std::setw(9)
            << row.sizeClass << std::right << std::setw(3) << row.n << std::setw(9) << row.leftOut;
        print(100 * row.meanAbs, 9, 2);
        print(100 * row.meanAbsLow, 8, 1);
        out << " to";
        print(100 * row.meanAbsHigh, 5, 1);
        print(100 * row.medianAbs, 8, 2);
        print(100 * row.p90Abs, 7, 1);
        print(100 * row.maxAbs, 7, 1);
        print(100 * row.within10, 8, 1);
        out << std::showpos;
        print(100 * row.mean, 9, 2);
        out << std::noshowpos;
        print(row.cpuSpeedUp, 10, 1, "x");
        print(row.wallSpeedUp, 11, 1, "x");
        print(100 * row.covered, 9, 1);
        out << '\n';
    }
    out << "cpu ratio, wall ratio: processor and elapsed time of the truth over that of the "
           "method, each summed over the scenarios\n";
    if (limited > 0)
    {
        out << "covered: share of the answers with limits of the p99 (dcn-compare prints them: 90 "
               "%) that hold the truth\n";
    }
    if (leftOut > 0)
    {
        out << "left out: answered by another method, so without an error (answered_by in "
               "validate.csv); only their times count\n";
    }
    out.flags(flags);
    out.precision(precision);
}

bool
DcnValidationSummary::Plot(const std::string& base) const
{
    struct Part
    {
        const char* name;  //!< name in the legend
        const char* group; //!< group of the levels
        const char* level; //!< level of the group
        double offset;     //!< horizontal offset from the method's place
        const char* color; //!< color of box and points
    };

    const Part parts[] = {{"all scenarios", "all", "all", -0.25, "#000000"},
                          {"lower half of loads", "load_half", "low", 0, "#0072b2"},
                          {"higher half of loads", "load_half", "high", 0.25, "#d55e00"}};
    Gnuplot plot =
        DcnMakePlot("Error of the 99th percentile of the slowdown", "", "relative error [%]");
    std::ostringstream ticks;
    for (std::size_t m = 0; m < m_methods.size(); ++m)
    {
        const auto levels = GetLevels(m_methods[m], "all");
        const std::size_t own = levels.empty() ? 0 : GetErrors(levels.front().of).size();
        ticks << (m ? ", \"" : "set xtics (\"")
              << DcnPlotText(DcnEstimate::MakeTitle(m_methods[m].first, m_methods[m].second));
        if (!levels.empty() && own < levels.front().of.size())
        {
            ticks << "\\n" << levels.front().of.size() - own << " left out";
            plot.AppendExtra("set bmargin 4"); // for the second line of the names
        }
        ticks << "\" " << m;
    }
    plot.AppendExtra(ticks.str() + (m_methods.empty() ? "" : ") noenhanced"));
    plot.AppendExtra("set xrange [-0.5:" + std::to_string(m_methods.size()) + "-0.5]");
    plot.AppendExtra("set xzeroaxis lt 0");
    plot.AppendExtra("set grid y");
    plot.AppendExtra("set key outside top center horizontal");
    bool drawn = false;
    for (const Part& part : parts)
    {
        const std::string color = std::string("lc rgb '") + part.color + "'";
        Gnuplot2dDataset lines = DcnMakeCurve(part.name);
        lines.SetExtra(color);
        Gnuplot2dDataset points = DcnMakeCurve("", Gnuplot2dDataset::POINTS);
        points.SetExtra("notitle pt 6 " + color);
        bool beyond = false;
        bool any = false;
        for (std::size_t m = 0; m < m_methods.size(); ++m)
        {
            for (const Level& level : GetLevels(m_methods[m], "all"))
            {
                const auto errors = GetErrors(level.of);
                if (level.group == part.group && level.level == part.level && !errors.empty())
                {
                    const double iqr = DcnQuantile(errors, 0.75) - DcnQuantile(errors, 0.25);
                    beyond = beyond || errors.front() < DcnQuantile(errors, 0.25) - 1.5 * iqr ||
                             errors.back() > DcnQuantile(errors, 0.75) + 1.5 * iqr;
                    AddBox(errors, static_cast<double>(m) + part.offset, 0.2, lines, points);
                    any = true;
                }
            }
        }
        drawn = drawn || any;
        if (any)
        {
            plot.AddDataset(lines); // gnuplot refuses an empty data set
        }
        if (beyond)
        {
            plot.AddDataset(points);
        }
    }
    return drawn && DcnWritePlot(plot, base);
}

} // namespace ns3
