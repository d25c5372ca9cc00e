/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_CONTROL_METHOD_H
#define CCEVAL_CONTROL_METHOD_H

#include "cceval-controls.h"
#include "cceval-plain-method.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Control variates: cheap estimators also answer each trial, and a regression removes the
 * variance that they explain (CcevalControlled, CcevalPooledQuantile).
 */
class CcevalControlMethod : public CcevalPlainMethod
{
  public:
    static const char* const NAME; //!< "control-variate"

    /** @param setting algorithm, traffic and options */
    explicit CcevalControlMethod(const Setting& setting);

    std::vector<CcevalResult> Run(const CcevalObserver& observer) override;

  protected:
    uint64_t GetFirstAnalysis() const override;
    void Extend(uint64_t n) override;
    bool IsHopeless(const CcevalResult& result) const override;
    void EvaluateValues(std::size_t metric, CcevalResult& result) const override;
    void EvaluatePooled(std::size_t metric,
                        CcevalPlan& plan,
                        bool isLast,
                        CcevalResult& result) const override;

  private:
    /// Adds a warning if traces or trials are too few for the controls.
    static void CheckControls(uint64_t controls, CcevalResult& result);

    CcevalControls m_controls;               //!< of the request
    std::vector<CcevalControls::Row> m_rows; //!< by trial that did not fail
};

} // namespace ns3

#endif /* CCEVAL_CONTROL_METHOD_H */
