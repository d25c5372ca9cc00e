/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"

#include "ns3/dcn-torch-graph-network.h"
#include "ns3/dcn-torch-set-network.h"
#include "ns3/dcn-torch.h"
#include "ns3/test.h"

#include <cstdlib>

using namespace ns3;

namespace
{

/// Where LibTorch is there, it is loaded and kept to one thread; where not, a sentence says so.
class AvailabilityTestCase : public TestCase
{
  public:
    AvailabilityTestCase()
        : TestCase("LibTorch is used if it is there")
    {
    }

  private:
    void DoRun() override
    {
        if (DcnTorch::IsAvailable())
        {
            DCN_TEST_EXPECT_ERROR(DcnTorch::Require("a test"), "no error");
            NS_TEST_EXPECT_MSG_EQ((DcnTorch::GetVersion() >= "1"), true, DcnTorch::GetVersion());
            NS_TEST_EXPECT_MSG_EQ(std::string(std::getenv("OMP_NUM_THREADS")), "1", "threads");
            return;
        }
        const std::string rest = " needs LibTorch, which was not found when the module dcn-torch "
                                 "was built: install it (libtorch-dev and libopenblas0-pthread) "
                                 "and configure ns-3 again";
        NS_TEST_EXPECT_MSG_EQ(DcnTorch::GetVersion(), "", "a version of nothing");
        DCN_TEST_EXPECT_ERROR(DcnTorch::Require("a test"), "a test" + rest);
        DCN_TEST_EXPECT_ERROR(DcnTorch::Prepare(), "the training of networks" + rest);
        DCN_TEST_EXPECT_ERROR(DcnTorchGraphNetwork({8, 2, 2, 1}, {}, 1), "a graph network" + rest);
        DcnTorchSetNetwork::Sizes sizes;
        sizes.tokenFeatures = 2;
        sizes.foregroundFeatures = 2;
        DCN_TEST_EXPECT_ERROR(DcnTorchSetNetwork(sizes, {}, 1), "a set network" + rest);
    }
};

/// The suite.
class DcnTorchTestSuite : public TestSuite
{
  public:
    DcnTorchTestSuite()
        : TestSuite("dcn-torch", Type::UNIT)
    {
        AddTestCase(new AvailabilityTestCase);
    }
};

DcnTorchTestSuite g_dcnTorchTestSuite; //!< the suite

} // namespace
