/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-queue.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

MqlAggregate
MqlMerge(const std::vector<MqlClass>& classes)
{
    double rate = 0;
    double rho = 0;
    double secondMoment = 0;
    double c2a = 0;
    for (const MqlClass& one : classes)
    {
        if (!(one.rate > 0) || !(one.service > 0) || !(one.c2a >= 0) || !(one.c2s >= 0))
        {
            DcnFail("a class of a queue needs a rate and a service time above 0 and squared "
                    "coefficients of variation of at least 0, not rate ",
                    one.rate,
                    ", service time ",
                    one.service,
                    ", C2a ",
                    one.c2a,
                    " and C2s ",
                    one.c2s);
        }
        rate += one.rate;
        rho += one.rate * one.service;
        secondMoment += one.rate * one.service * one.service * (1 + one.c2s);
        c2a += one.rate * one.c2a;
    }
    const double service = rho / rate;
    return {rate, rho, service, c2a / rate, secondMoment / (rate * service * service) - 1};
}

double
MqlWorkload(const std::vector<MqlClass>& classes)
{
    double rho = 0;
    double sum = 0;
    for (const MqlClass& one : classes)
    {
        rho += one.rate * one.service;
        sum += one.rate * one.service * one.service * (one.c2a + one.c2s);
    }
    return rho < 1 ? sum / (2 * (1 - rho)) : std::numeric_limits<double>::infinity();
}

double
MqlWait(const MqlClass& one, double workload)
{
    return std::max(0.0, one.service * (one.c2a - 1) / 2 + workload);
}

double
MqlNumber(const MqlClass& one, double workload)
{
    return one.rate * (MqlWait(one, workload) + one.service);
}

double
MqlPrintedNumber(const std::vector<MqlClass>& classes, std::size_t i)
{
    double rho = 0;
    double sum = 0;
    for (const MqlClass& one : classes)
    {
        const double load = one.rate * one.service;
        rho += load;
        sum += classes[i].rate / one.rate * load * load * (one.c2a + one.c2s);
    }
    return classes[i].rate * classes[i].service / 2 * (classes[i].c2a - 1) + sum / (1 - rho);
}

double
MqlKlbWait(const MqlClass& one)
{
    const double rho = one.rate * one.service;
    const double c2 = one.c2a + one.c2s;
    if (c2 == 0)
    {
        return 0;
    }
    double wait = one.service * rho * c2 / (2 * (1 - rho));
    if (one.c2a < 1)
    {
        wait *= std::exp(-2 * (1 - rho) * (1 - one.c2a) * (1 - one.c2a) / (3 * rho * c2));
    }
    return wait;
}

double
MqlOccupancyRatio(double rho, double c2a, double c2s)
{
    return std::max(0.0, c2a - 1 + rho * (1 + c2s)) / (c2a + 1 + rho * (c2s - 1));
}

MqlFiniteQueue
MqlSolveFiniteQueue(double rho, double c2a, double c2s, uint32_t room)
{
    if (!(rho > 0) || !(c2a >= 0) || !(c2s >= 0) || room == 0)
    {
        DcnFail("a finite queue needs a load above 0, squared coefficients of variation of at "
                "least 0 and room for a customer, not load ",
                rho,
                ", C2a ",
                c2a,
                ", C2s ",
                c2s,
                " and room ",
                room);
    }
    c2a = std::max(1.0, c2a);
    const double x = MqlOccupancyRatio(rho, c2a, c2s);
    const double denominator = c2a + 1 + rho * (c2s - 1);
    const double sigma = 2 / (1 + c2a);
    const double r = 2 / (1 + c2s);
    if (denominator < 1e-9)
    {
        // x goes to infinity as rho comes here from below: N - 1 or N customers, always busy.
        MqlFiniteQueue queue;
        queue.number = room - 1 / rho;
        queue.empty = 0;
        queue.full = 1 - 1 / rho;
        queue.loss = queue.full;
        queue.wait = std::max(0.0, queue.number - 1);
        return queue;
    }

    // Weights are scaled down as they grow (x > 1 under overload) so that nothing overflows.
    double weight = 2 * rho / denominator;
    double sum = 1;          // A
    double first = 0;        // sum n u_n
    // B by Horner's rule: each step adds a factor 1 - sigma.
    double firstWeight = 1;  // u_0 after scaling
    double blocked = r / (r * (1 - sigma) + sigma) * (1 - sigma);
    for (uint32_t n = 1; n < room; n++)
    {
        sum += weight;
        first += n * weight;
        blocked = (blocked + weight) * (1 - sigma);
        weight *= x;
        if (sum > 1e200)
        {
            for (double* scaled : {&sum, &first, &blocked, &weight, &firstWeight})
            {
                *scaled *= 1e-200;
            }
        }
    }
    const double last = std::max(0.0, rho * (sum - blocked) + firstWeight - sum);
    const double total = sum + last;
    MqlFiniteQueue queue;
    queue.number = (first + room * last) / total;
    queue.empty = firstWeight / total;
    queue.full = last / total;
    queue.loss = std::min(1.0, std::max(0.0, 1 - (1 - queue.empty) / rho));
    queue.wait = std::max(0.0, queue.number / (rho * (1 - queue.loss)) - 1);
    return queue;
}

double
MqlPrintedFiniteNumber(double rho, double number, uint32_t room)
{
    const double x = (number - rho) / number;
    const double power = std::pow(x, room - 1.0);
    return rho / (1 - rho * rho * power) * ((1 - power * x) / (1 - x) - room * rho * power);
}

} // namespace ns3
