/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-queue.h"

#include "../simulator/noc-traffic.h"

#include "ns3/assert.h"
#include "ns3/mql-queue.h"

#include <algorithm>
#include <array>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>

namespace ns3
{

namespace
{

using Pair = std::array<double, 2>;   // by phase
using Matrix = std::array<double, 4>; // 2 x 2, by rows
constexpr double TINY = 1e-12;        // of phases: correlation that counts as none

/// @return a b
Matrix
Multiply(const Matrix& a, const Matrix& b)
{
    return {a[0] * b[0] + a[1] * b[2],
            a[0] * b[1] + a[1] * b[3],
            a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3]};
}

/// @return (I - a)^-1 for a matrix of which each row's sum with "leaves" is 1, without subtraction
Matrix
InvertRest(const Matrix& a, const Pair& leaves)
{
    const double first = a[1] + leaves[0];  // 1 - a_00
    const double second = a[2] + leaves[1]; // 1 - a_11
    // the determinant (1 - a_00) (1 - a_11) - a_01 a_10
    const double determinant = first * leaves[1] + a[2] * leaves[0];
    return {second / determinant, a[1] / determinant, a[2] / determinant, first / determinant};
}

/// @return transition probabilities of the phases
Matrix
GetPhases(const NocThrough& through)
{
    return {1 - through.toBusy, through.toBusy, through.toIdle, 1 - through.toIdle};
}

/// @return transitions of NocChain by level and level, each a matrix of phases; arguments as there
std::vector<Matrix>
MakeTransitions(double rate,
                double burst,
                const NocThrough& through,
                uint32_t room,
                NocChain::Order order)
{
    const std::size_t n = room + std::size_t(1);
    const double sigma = rate * (1 - burst);
    const Matrix phases = GetPhases(through);
    const Pair t{through.inIdle, through.inBusy};
    // P(A = k) and P(A >= k)
    auto exactly = [&](std::size_t k) {
        return k == 0 ? 1 - sigma : sigma * (1 - burst) * std::pow(burst, double(k - 1));
    };
    auto least = [&](std::size_t k) {
        return k == 0 ? 1.0 : sigma * std::pow(burst, double(k - 1));
    };
    std::vector<double> exact(n + 1);
    std::vector<double> tail(n + 1);
    for (std::size_t k = 0; k <= n; ++k)
    {
        exact[k] = exactly(k);
        tail[k] = least(k);
    }
    // from level i in a phase to level j, before the phase moves
    auto step = [&](std::size_t i, std::size_t j, double served) {
        auto arrive = [&](std::size_t from, std::size_t to) {
            return to < from ? 0.0 : to == room ? tail[to - from] : exact[to - from];
        };
        if (order == NocChain::Order::SERVICE_FIRST)
        {
            return i == 0 ? arrive(0, j) : served * arrive(i - 1, j) + (1 - served) * arrive(i, j);
        }
        const double stay = j == 0 ? arrive(i, 0) : (1 - served) * arrive(i, j);
        return stay + (j < room ? served * arrive(i, j + 1) : 0);
    };
    std::vector<Matrix> to(n * n, Matrix{0, 0, 0, 0});
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t j = i > 0 ? i - 1 : 0; j < n; ++j)
        {
            const double idle = step(i, j, 1 - t[0]);
            const double busy = step(i, j, 1 - t[1]);
            to[i * n + j] = {idle * phases[0],
                             idle * phases[1],
                             busy * phases[2],
                             busy * phases[3]};
        }
    }
    return to;
}

} // namespace

NocThrough
NocThrough::Independent(double u)
{
    return {1, 0, u, u};
}

NocThrough
NocThrough::Thin(double share) const
{
    return {toIdle, toBusy, inIdle * share, inBusy * share};
}

NocBehind
NocSolveBehind(double rate, double burst, const NocThrough& through)
{
    const double ahead = NocGgeoSource::GetAhead(burst);
    const double u = through.GetRate();
    const double spare = 1 - u - rate;
    NS_ASSERT_MSG(rate > 0 && spare > 0, "rate " << rate << " behind " << u);
    const double r = 1 - through.toIdle - through.toBusy;
    const Pair t{through.inIdle, through.inBusy};
    const Pair s{1 - t[0], 1 - t[1]};
    const Pair busy{1 - through.GetBusy(), through.GetBusy()};
    const Matrix p = GetPhases(through);
    const double sigma = rate * (1 - burst);
    auto arrivals = [&](double z) { return 1 - sigma + sigma * (1 - burst) * z / (1 - burst * z); };
    auto makeMatrix = [&](double z) {
        const double a = arrivals(z);
        const Pair d{a * (t[0] * z + s[0]), a * (t[1] * z + s[1])};
        return Matrix{z - d[0] * p[0], -d[0] * p[1], -d[1] * p[2], z - d[1] * p[3]};
    };
    // flow of served packets that does not happen, by phase: z_j (1 - t_j), with the sum 1 - u -
    // rate
    Pair idle;
    if (s[1] < TINY || s[0] < TINY)
    {
        idle = s[1] < TINY ? Pair{spare, 0} : Pair{0, spare};
    }
    else if (std::abs(r) < TINY)
    {
        idle = {spare * busy[0] * s[0] / (1 - u), spare * busy[1] * s[1] / (1 - u)};
    }
    else
    {
        auto determinant = [&](double z) {
            const Matrix m = makeMatrix(z);
            return m[0] * m[3] - m[1] * m[2];
        };
        // a sign change lies between 0 and 1, or between -1 and 0 for alternating phases
        const double low = r > 0 ? 0 : -1;
        const double high = r > 0 ? 1 - 1e-7 : 0;
        double root = r > 0 ? high : low;
        if ((determinant(low) < 0) != (determinant(high) < 0))
        {
            std::uintmax_t most = 60;
            const auto bracket =
                boost::math::tools::toms748_solve(determinant,
                                                  low,
                                                  high,
                                                  boost::math::tools::eps_tolerance<double>(48),
                                                  most);
            root = (bracket.first + bracket.second) / 2;
        }
        const Matrix m = makeMatrix(root);
        // a null vector, from the larger row
        const bool isFirst = std::abs(m[0]) + std::abs(m[1]) > std::abs(m[2]) + std::abs(m[3]);
        const Pair null = isFirst ? Pair{-m[1], m[0]} : Pair{-m[3], m[2]};
        const double h0 = p[0] * null[0] + p[1] * null[1];
        const double h1 = p[2] * null[0] + p[3] * null[1];
        // idle_0 h_0 + idle_1 h_1 = 0
        idle = {spare * h1 / (h1 - h0), -spare * h0 / (h1 - h0)};
    }
    const Pair b{idle[0] * p[0] + idle[1] * p[2], idle[0] * p[1] + idle[1] * p[3]};
    // pi M'(1) with M'(1) = I - (lambda I + T) P
    const Pair load{busy[0] * (rate + t[0]), busy[1] * (rate + t[1])};
    const Pair slope{busy[0] - load[0] * p[0] - load[1] * p[2],
                     busy[1] - load[0] * p[1] - load[1] * p[3]};
    // x'(1) = y + L pi, where y (I - P) = b - pi M'(1): on vectors of sum 0, (I - P) is 1 - r
    const Pair y{(b[0] - slope[0]) / (1 - r), (b[1] - slope[1]) / (1 - r)};
    const double yLoad = y[0] * (1 - rate - t[0]) + y[1] * (1 - rate - t[1]);
    const double second = 2 * rate * ahead + 2 * rate * u; // -pi M''(1) e
    const double mean = (second / 2 - yLoad) / spare;
    return {mean / rate, idle};
}

NocThrough
NocFitOutput(double rate,
             double burst,
             const NocThrough& through,
             const std::array<double, 2>& idle,
             double correlations)
{
    const double rho = through.GetRate() + rate;
    const double none = 1 - rate * (1 - burst);
    const double free[2] = {1 - through.inIdle, 1 - through.inBusy};
    const double afterIdle = (1 - through.toBusy) * free[0] + through.toBusy * free[1];
    const double afterBusy = through.toIdle * free[0] + (1 - through.toIdle) * free[1];
    const double toBusy = idle[0] * (1 - none * afterIdle) + idle[1] * (1 - none * afterBusy);
    const double first = (rho - toBusy - rho * rho) / (rho * (1 - rho));
    double r = correlations > 0 ? 1 - first / correlations : 0;
    double c = r > 0 ? first / r : 2;
    if (c > 1 || c <= 0 || correlations <= first)
    {
        // one time constant with the sum S, from the first lag on
        c = 1;
        r = correlations > -0.5 ? correlations / (1 + correlations) : -0.9;
    }
    const double busy = c * rho / (1 - rho + c * rho);
    return {(1 - r) * (1 - busy), (1 - r) * busy, rho * (1 - c), 1};
}

NocChain::NocChain(double rate, double burst, const NocThrough& through, uint32_t room, Order order)
    : m_rate(rate),
      m_burst(burst),
      m_room(room),
      m_order(order),
      m_through(through),
      m_share(2 * (static_cast<std::size_t>(room) + 1))
{
    NS_ASSERT_MSG(rate > 0 && room >= 1 && room <= 4096, "rate " << rate << ", room " << room);
    const std::size_t n = room + std::size_t(1);
    std::vector<Matrix> to = MakeTransitions(rate, burst, through, room, order);
    // from the top: level k can be left downwards to k - 1 only
    std::vector<Matrix> inverse(n);
    for (std::size_t k = n - 1; k > 0; --k)
    {
        const Matrix& down = to[k * n + k - 1];
        const Pair leaves{down[0] + down[1], down[2] + down[3]};
        inverse[k] = InvertRest(to[k * n + k], leaves);
        const Matrix fall = Multiply(inverse[k], down);
        for (std::size_t i = 0; i < k; ++i)
        {
            const Matrix more = Multiply(to[i * n + k], fall);
            for (std::size_t e = 0; e < 4; ++e)
            {
                to[i * n + k - 1][e] += more[e];
            }
        }
    }
    // level 0 alone is a chain of two phases
    const Matrix& bottom = to[0];
    const double cross = bottom[1] + bottom[2];
    m_share[0] = cross > 0 ? bottom[2] / cross : 1;
    m_share[1] = 1 - m_share[0];
    double sum = 1;
    for (std::size_t k = 1; k < n; ++k)
    {
        Pair in{0, 0};
        for (std::size_t i = 0; i < k; ++i)
        {
            const Matrix& m = to[i * n + k];
            in[0] += m_share[2 * i] * m[0] + m_share[2 * i + 1] * m[2];
            in[1] += m_share[2 * i] * m[1] + m_share[2 * i + 1] * m[3];
        }
        m_share[2 * k] = in[0] * inverse[k][0] + in[1] * inverse[k][2];
        m_share[2 * k + 1] = in[0] * inverse[k][1] + in[1] * inverse[k][3];
        sum += m_share[2 * k] + m_share[2 * k + 1];
    }
    for (double& share : m_share)
    {
        share /= sum;
    }
}

double
NocChain::GetMean() const
{
    return GetOverflow(0);
}

double
NocChain::GetOverflow(uint32_t room) const
{
    double mean = 0;
    for (std::size_t n = room + std::size_t(1); n <= m_room; ++n)
    {
        mean += static_cast<double>(n - room) * (m_share[2 * n] + m_share[2 * n + 1]);
    }
    return mean;
}

double
NocChain::GetFull() const
{
    return m_share[2 * std::size_t(m_room)] + m_share[2 * std::size_t(m_room) + 1];
}

double
NocChain::GetLoss() const
{
    // E[(A - m)^+] = lambda p^m for the room m that a batch finds
    const Pair t{m_through.inIdle, m_through.inBusy};
    double loss = 0;
    for (std::size_t n = 0; n <= m_room; ++n)
    {
        for (std::size_t phase = 0; phase < 2; ++phase)
        {
            const double share = m_share[2 * n + phase];
            const auto free = static_cast<double>(m_room - n);
            if (m_order == Order::ARRIVALS_FIRST || n == 0)
            {
                loss += share * std::pow(m_burst, free);
            }
            else
            {
                loss += share * (t[phase] * std::pow(m_burst, free) +
                                 (1 - t[phase]) * std::pow(m_burst, free + 1));
            }
        }
    }
    return loss;
}

double
NocChain::GetWait() const
{
    NS_ASSERT_MSG(m_order == Order::ARRIVALS_FIRST, "the wait in a sink includes its service");
    return GetMean() / (m_rate * (1 - GetLoss()));
}

double
NocChain::GetIdle(uint32_t phase) const
{
    const double none = 1 - m_rate * (1 - m_burst); // no arrival in the slot
    if (m_order == Order::ARRIVALS_FIRST)
    {
        return m_share[phase] * none;
    }
    const double served = 1 - (phase ? m_through.inBusy : m_through.inIdle);
    return (m_share[phase] + served * m_share[2 + phase]) * none;
}

double
NocOverflow(double mean, double rho, double room)
{
    if (mean <= rho || rho <= 0)
    {
        return 0;
    }
    const double x = (mean - rho) / mean;
    return rho * std::pow(x, room) / (1 - x);
}

double
NocRefusal(double rate, double burst, double service, uint32_t room)
{
    const NocThrough slots = NocThrough::Independent(1 - 1 / std::max(1.0, service));
    double refused = 0;
    // attempts beyond one per slot do not exist: the burst probability bounds what a slot brings
    for (int i = 0; i < 60; ++i)
    {
        const double attempts = std::min(rate / (1 - refused), 0.999 / (1 - burst));
        const double next =
            NocChain(attempts, burst, slots, room, NocChain::Order::SERVICE_FIRST).GetLoss();
        const double step = next - refused;
        refused += step / 2;
        if (std::abs(step) < 1e-9)
        {
            break;
        }
    }
    return refused;
}

NocTandem
NocSolveTandem(double rate, uint32_t first, double q, uint32_t second)
{
    const std::size_t columns = second + std::size_t(1);
    const std::size_t n = (first + std::size_t(1)) * columns;
    std::vector<double> to(n * n, 0); // by state n1 * columns + n2
    for (std::size_t n1 = 0; n1 <= first; ++n1)
    {
        for (std::size_t n2 = 0; n2 <= second; ++n2)
        {
            const bool moves = n1 > 0 && n2 < second;
            const std::size_t left = n1 - moves;
            const std::size_t right = n2 + moves;
            for (int served = 0; served < 2; ++served)
            {
                const double pServed = right == 0 ? 1.0 - served : served ? q : 1 - q;
                for (int arrives = 0; arrives < 2; ++arrives)
                {
                    const double p = pServed * (arrives ? rate : 1 - rate);
                    const std::size_t next = std::min<std::size_t>(left + arrives, first);
                    to[(n1 * columns + n2) * n + next * columns + right - (right ? served : 0)] +=
                        p;
                }
            }
        }
    }
    // the stationary distribution by elimination from the last state (Grassmann, Taksar, Heyman)
    for (std::size_t k = n - 1; k > 0; --k)
    {
        double sum = 0;
        for (std::size_t j = 0; j < k; ++j)
        {
            sum += to[k * n + j];
        }
        for (std::size_t i = 0; i < k; ++i)
        {
            const double share = sum > 0 ? to[i * n + k] / sum : 0;
            to[i * n + k] = share;
            if (share > 0)
            {
                for (std::size_t j = 0; j < k; ++j)
                {
                    to[i * n + j] += share * to[k * n + j];
                }
            }
        }
    }
    std::vector<double> pi(n, 0);
    pi[0] = 1;
    double total = 1;
    for (std::size_t k = 1; k < n; ++k)
    {
        for (std::size_t i = 0; i < k; ++i)
        {
            pi[k] += pi[i] * to[i * n + k];
        }
        total += pi[k];
    }
    double full = 0;
    double busy = 0;
    double lost = 0;
    for (std::size_t n1 = 0; n1 <= first; ++n1)
    {
        for (std::size_t n2 = 0; n2 <= second; ++n2)
        {
            const double share = pi[n1 * columns + n2] / total;
            full += n2 == second ? share : 0;
            busy += n1 > 0 ? share : 0;
            lost += n1 == first && n2 == second ? share : 0;
        }
    }
    return {full, busy / (rate * (1 - lost)), lost};
}

double
NocTandemLoss(double rate, uint32_t first, double q, uint32_t second)
{
    return NocChain(rate,
                    0,
                    NocThrough::Independent(1 - q),
                    first + second,
                    NocChain::Order::SERVICE_FIRST)
        .GetLoss();
}

double
NocPrinted::Wait(double rate, double service, double c2s)
{
    const double rho = rate * service;
    return rho * (service - 1 + service * c2s) / (2 * (1 - rho));
}

double
NocPrinted::Full(double wait, double rate, double service, uint32_t room, bool isSecond)
{
    const double rho = rate * service;
    const double number = rate * wait + rho;
    double x = (number - rho) / number;
    double power = std::pow(x, double(room) - 1);
    if (isSecond)
    {
        const double finite = rho / (1 - rho * rho * power) *
                              ((1 - power * x) / (1 - x) - double(room) * rho * power);
        x = std::max(0.0, (finite - rho) / finite);
        power = std::pow(x, double(room) - 1);
    }
    return rho * power * (1 - rho) / (1 - rho * rho * power);
}

NocTandem
NocPrinted::Tandem(double rate, uint32_t first, double q, uint32_t second)
{
    const double blocked = Full(Wait(rate, 1 / q, 1 - q), rate, 1 / q, second, false);
    const double service = 1 / (1 - blocked);
    return {blocked, service, Full(Wait(rate, service, blocked), rate, service, first, false)};
}

} // namespace ns3
