/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_REPETITIONS_H
#define CCEVAL_REPETITIONS_H

#include "cceval-evaluation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Repeated evaluations of N trials each, and the plain trials that they are held against.
 *
 * Of P N plain trials, repetition r is an evaluation of N: with control variates of the trials r N
 * to r N + N - 1, with importance sampling of as many tilted ones; with controls and tuning of its
 * own. Its reference is a model-free value that is independent of it:
 *
 * - that of the (P - 1) N trials that are not among r N to r N + N - 1, which other repetitions of
 *   control variates have in part, or
 * - that of the R trials from P N on, which no repetition has: the same for all.
 */
struct CcevalRepetitions
{
    CcevalRequest request;            //!< of an evaluation; trials is N
    std::vector<std::string> methods; //!< each is repeated
    uint64_t parts{11};               //!< P
    uint64_t repetitions{11};         //!< from 2 to P
    uint64_t reference{0};            //!< R, P is then the repetitions; 0: references of their own

    /**
     * @throws DcnError if there are no such repetitions, or if something that is asked for has no
     * effect
     */
    void Check() const;

    /**
     * @param method its name
     * @return true if it is one of the methods
     */
    bool HasMethod(const std::string& method) const;

    /** @return the evaluation that runs all plain trials. */
    CcevalRequest GetPlain() const;

    /**
     * @param method one of the methods
     * @param repetition r
     * @return the evaluation; with importance sampling of the pooled metrics, by the first control
     */
    CcevalRequest GetRepetition(const std::string& method, uint64_t repetition) const;

    /**
     * @param trials what came of the plain trials
     * @param metric name of one of the metrics
     * @param repetition r
     * @return the model-free interval of the trials that are its reference
     * @throws DcnError if there is no such metric, or if fewer than two of them did not fail
     */
    CcevalInterval GetReference(const std::vector<CcevalEvaluation::Trial>& trials,
                                const std::string& metric,
                                uint64_t repetition) const;
};

} // namespace ns3

#endif /* CCEVAL_REPETITIONS_H */
