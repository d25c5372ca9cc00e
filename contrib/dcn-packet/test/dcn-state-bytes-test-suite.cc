/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"

#include "ns3/dcn-replayable-control.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What is written comes back by the same calls, and takes as many bytes as it has.
DCN_TEST_CASE(BytesTestCase, "values written and read")
{
    double real = -1.0 / 3;
    uint64_t whole = UINT64_MAX - 1;
    int64_t negative = -5;
    uint8_t small = 7;
    bool flag = true;
    auto exchange = [&](DcnStateBytes& state) {
        state.Exchange(real);
        state.Exchange(small);
        state.Exchange(whole);
        state.Exchange(flag);
        state.Exchange(negative);
    };
    DcnStateBytes writer;
    exchange(writer);
    NS_TEST_EXPECT_MSG_EQ(writer.IsWriting(), true, "writes");
    const std::string bytes = writer.GetBytes();
    NS_TEST_EXPECT_MSG_EQ(bytes.size(), 8 + 1 + 8 + 1 + 8, "no padding");
    real = 0;
    whole = 0;
    negative = 0;
    small = 0;
    flag = false;
    DcnStateBytes reader(bytes);
    exchange(reader);
    NS_TEST_EXPECT_MSG_EQ(reader.IsWriting(), false, "reads");
    NS_TEST_EXPECT_MSG_EQ(
        (real == -1.0 / 3 && whole == UINT64_MAX - 1 && negative == -5 && small == 7 && flag),
        true,
        "the same values");
    NS_TEST_EXPECT_MSG_EQ(reader.GetBytes().size(), 0, "nothing is written");
}

/// Acknowledgements, timers and returns of a flow, drawn from a seed, that happen to its rate
/// control.
class World
{
  public:
    /**
     * @param seed of what happens
     */
    explicit World(int64_t seed)
        : m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(seed);
        m_telemetry.nHops = 3;
        for (auto& hop : m_telemetry.hops)
        {
            hop = {0, 0, 0, 10'000'000'000};
        }
    }

    /**
     * @brief Let an acknowledgement come, timers before it, and sometimes go back.
     * @param controls to which the same happens
     */
    void Step(const std::vector<DcnCongestionControl*>& controls)
    {
        m_nowNs += m_random->GetInteger(100, 20'000);
        m_acknowledged += 1000;
        for (std::size_t i = 0; i < m_telemetry.nHops; ++i)
        {
            auto& hop = m_telemetry.hops[i];
            hop.timeTicks = DcnTelemetryHop::MakeTicks(m_nowNs, 0);
            hop.txBytes += m_random->GetInteger(0, 20'000);
            hop.queueBytes = m_random->GetInteger(0, 30'000);
        }
        const bool isMarked = m_random->GetInteger(0, 4) == 0;
        const int64_t sentNs = m_nowNs - m_random->GetInteger(10'000, 200'000);
        const bool goesBack = m_random->GetInteger(0, 30) == 0;
        for (DcnCongestionControl* control : controls)
        {
            while (control->GetNextTimerNs() <= m_nowNs)
            {
                control->OnTimer(control->GetNextTimerNs());
            }
            control->OnAck(
                {m_nowNs, m_acknowledged, m_acknowledged + 5000, isMarked, sentNs, &m_telemetry});
            if (goesBack)
            {
                control->OnGoBack(m_acknowledged, m_nowNs);
            }
        }
    }

  private:
    Ptr<UniformRandomVariable> m_random; //!< what happens
    DcnTelemetry m_telemetry;            //!< latest report
    int64_t m_nowNs{200'000};            //!< present time
    uint64_t m_acknowledged{0};          //!< next byte that the receiver expects
};

/// @return the state of a rate control
std::string
Write(DcnCongestionControl& control)
{
    DcnStateBytes state;
    control.AsReplayable()->ExchangeState(state);
    return state.GetBytes();
}

/// The state of a rate control is all that decides what comes: another one, of another history,
/// that takes it over after k acknowledgements has the same state, and the same rates, timers and
/// states ever after. States that differ in a field compare different.
DCN_TEST_CASE_OF(ControlTestCase, std::string, congestionControl, "states of " + congestionControl)
{
    for (const std::string preset : {"evaluation", "paper"})
    {
        if (congestionControl == "dctcp" && preset == "paper")
        {
            continue; // there is none
        }
        const auto network = DcnNetworkConfig::Preset(congestionControl, 10'000'000'000, preset);
        auto create = [&network]() {
            return DcnCongestionControl::Create(*network, 10'000'000'000, 8000);
        };
        for (const int k : {0, 1, 2, 50, 500})
        {
            const auto one = create();
            const auto other = create();
            World world(1);
            World elsewhere(2);
            for (int i = 0; i < k; ++i)
            {
                world.Step({one.get()});
            }
            for (int i = 0; i < 20; ++i)
            {
                elsewhere.Step({other.get()});
            }
            const std::string state = Write(*one);
            NS_TEST_EXPECT_MSG_EQ((Write(*one) == state), true, "writing changes nothing");
            NS_TEST_EXPECT_MSG_EQ((Write(*other) == state), false, "another history");
            DcnStateBytes reader(state);
            other->AsReplayable()->ExchangeState(reader);
            NS_TEST_EXPECT_MSG_EQ((Write(*other) == state), true, "taken over after " << k);
            for (int i = 0; i < 300; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(other->GetRate(), one->GetRate(), "rate " << i);
                NS_TEST_ASSERT_MSG_EQ(other->GetNextTimerNs(),
                                      one->GetNextTimerNs(),
                                      "timer " << i);
                world.Step({one.get(), other.get()});
                NS_TEST_ASSERT_MSG_EQ((Write(*other) == Write(*one)), true, "state " << i);
            }
            NS_TEST_EXPECT_MSG_EQ((Write(*one) == state), false, "something has happened");
            // one bit of every byte, so that what was a flag still is
            for (std::size_t i = 0; i < state.size(); ++i)
            {
                std::string changed = state;
                changed[i] = static_cast<char>(changed[i] ^ 1);
                changed.resize(state.size() + sizeof(DcnTelemetry)); // if there are more hops
                DcnStateBytes bytes(changed);
                other->AsReplayable()->ExchangeState(bytes);
                NS_TEST_EXPECT_MSG_EQ((Write(*other) == state), false, "byte " << i);
            }
        }
    }
}

/// The suite.
class DcnStateBytesTestSuite : public TestSuite
{
  public:
    DcnStateBytesTestSuite()
        : TestSuite("dcn-packet-state", Type::UNIT)
    {
        AddTestCase(new BytesTestCase);
        auto controls = DcnScenarioSuite::GetLearnedControls();
        controls.insert(controls.end(), {"powertcp", "swift"});
        for (const std::string& name : controls)
        {
            AddTestCase(new ControlTestCase(name));
        }
    }
};

DcnStateBytesTestSuite g_dcnStateBytesTestSuite; //!< the suite

} // namespace
