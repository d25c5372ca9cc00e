/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-queue.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

double
MqlOccupancyRatio(double rho, double c2a, double c2s)
{
    return std::max(0.0, c2a - 1 + rho * (1 + c2s)) / (c2a + 1 + rho * (c2s - 1));
}

double
MqlWorkload(const std::vector<MqlClass>& classes)
{
    double rho = 0;
    double sum = 0;
    for (const MqlClass& each : classes)
    {
        rho += each.rate * each.service;
        sum += each.rate * each.service * each.service * (each.c2a + each.c2s);
    }
    return sum / (2 * (1 - rho));
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
        // x grows to infinity as rho approaches this value: N - 1 or N customers, always busy.
        MqlFiniteQueue queue;
        queue.number = room - 1 / rho;
        queue.empty = 0;
        queue.full = 1 - 1 / rho;
        queue.loss = queue.full;
        queue.wait = std::max(0.0, queue.number - 1);
        return queue;
    }

    // Weights are scaled down as they grow (x > 1 under overload) to avoid overflow.
    double weight = 2 * rho / denominator;
    double sum = 1;   // A
    double first = 0; // sum n u_n
    // B by Horner's rule: each step adds a factor 1 - sigma.
    double firstWeight = 1; // u_0 after scaling
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

} // namespace ns3
