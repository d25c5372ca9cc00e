/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_AUTO_ESTIMATOR_H
#define DCN_AUTO_ESTIMATOR_H

#include "dcn-forecast.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Method "auto": the truth where it is cheap, else the method that was closest to it on
 * networks of this kind.
 *
 * Without Budget, a truth that is built answers if its forecast (DcnForecast) is at most Cheap
 * seconds, or at most the cost of the best estimator; otherwise the estimator with the smallest mean
 * error in the scenario's regime (data/methods/accuracy.csv) answers. The forecast is that of the
 * reference machine, so that every machine takes the same method. With Budget, the most accurate
 * method answers whose forecast on this machine, as its load is now, is within it.
 *
 * Methods that are not built, or refuse the scenario, are passed over. The answer is that of the
 * method by itself; the provenance names it and its forecast.
 */
class DcnAutoEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;
    bool IsListed() const override;
    bool HasManyPaths() const override;
    std::vector<std::string> GetInputFiles() const override;
    /// @return digest of the table of errors and of every method that it names
    std::string GetDigest() const override;
    double ForecastSeconds(const DcnWork& work) const override;

    /**
     * @param scenario flows and paths
     * @return label of the method that answers
     * @throws DcnError if none can
     */
    std::string Choose(Ptr<const DcnScenario> scenario) const;

  private:
    /// A method that could answer.
    struct Candidate
    {
        Ptr<DcnEstimator> method; //!< the method
        DcnForecast::Row row;     //!< what is expected of it
    };

    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;
    void DoCheck(Ptr<const DcnScenario> scenario) const override;

    /// @return the methods of the table, and truths, that are built and accept the scenario
    std::vector<Candidate> FindCandidates(Ptr<const DcnScenario> scenario) const;
    /// @return the method that answers
    Candidate Pick(Ptr<const DcnScenario> scenario) const;

    double m_budget; //!< attribute [s]; 0: none
    double m_cheap;  //!< attribute [s]
};

} // namespace ns3

#endif /* DCN_AUTO_ESTIMATOR_H */
