/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TEST_OPTIONAL_H
#define DCN_TEST_OPTIONAL_H

#include "ns3/test.h"

#include <initializer_list>
#include <string>

/// @name What a test case may need and a machine may lack: the name, and Debian's package.
/// @{
constexpr const char* DCN_NEED_HDF5 = "HDF5 (libhdf5-dev)";          ///< data sets
constexpr const char* DCN_NEED_LIBTORCH = "LibTorch (libtorch-dev)"; ///< training
constexpr const char* DCN_NEED_SIMGRID = "SimGrid (libsimgrid-dev)"; ///< a comparison
constexpr const char* DCN_NEED_GNUPLOT = "gnuplot (gnuplot-nox)";    ///< pictures
/// @}

/**
 * @ingroup dcn-tests
 * @brief A suite some cases of which need what may be absent.
 *
 * A case that cannot run stays in the list of cases, empty and under another name, by which
 * test-report.py counts it as skipped and not as passed. ns-3 has no skipped cases of its own.
 */
class DcnOptionalTestSuite : public ns3::TestSuite
{
  protected:
    using ns3::TestSuite::TestSuite;

    /**
     * @brief Add cases.
     * @param available whether they can run here
     * @param need what they need, e.g. DCN_NEED_HDF5
     * @param cases the cases; they do nothing yet when they are made
     */
    void AddTestCasesIf(bool available,
                        const std::string& need,
                        std::initializer_list<ns3::TestCase*> cases)
    {
        for (ns3::TestCase* testCase : cases)
        {
            if (!available)
            {
                auto* skipped = new SkippedTestCase(need, testCase->GetName());
                delete testCase;
                testCase = skipped;
            }
            AddTestCase(testCase);
        }
    }

  private:
    /// Stands for a case that cannot run.
    class SkippedTestCase : public ns3::TestCase
    {
      public:
        /**
         * @param need what it needs
         * @param name its name
         */
        SkippedTestCase(const std::string& need, const std::string& name)
            : TestCase("SKIPPED for lack of " + need + ": " + name)
        {
        }

      private:
        void DoRun() override
        {
        }
    };
};

#endif /* DCN_TEST_OPTIONAL_H */
