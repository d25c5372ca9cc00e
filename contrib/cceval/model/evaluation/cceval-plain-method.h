/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_PLAIN_METHOD_H
#define CCEVAL_PLAIN_METHOD_H

#include "cceval-method.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Plain sampling (CCEval, section 4.2): runs trials until the stopping rule is met.
 */
class CcevalPlainMethod : public CcevalMethod
{
  public:
    static const char* const NAME; //!< "model-free"

    /** @param setting algorithm, traffic and options */
    explicit CcevalPlainMethod(const Setting& setting);

    std::vector<CcevalResult> Run(const CcevalObserver& observer) override;

  protected:
    /** @return number of trials of the first interim analysis. */
    virtual uint64_t GetFirstAnalysis() const;
    /** @param n total number of trials */
    virtual void Extend(uint64_t n);
    /** @return true if more trials would not make a metric known. */
    virtual bool IsHopeless(const CcevalResult& result) const;
};

} // namespace ns3

#endif /* CCEVAL_PLAIN_METHOD_H */
