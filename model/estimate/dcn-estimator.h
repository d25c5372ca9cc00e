/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ESTIMATOR_H
#define DCN_ESTIMATOR_H

#include "ns3/dcn-merged-links.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-statistics.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

struct DcnWork;

/**
 * @ingroup dcn
 * @brief Asks a method for a quantile of the slowdown of the flows that meet all conditions.
 */
struct DcnSlowdownQuery
{
    double p{0.99};                     //!< level of the quantile, in (0, 1)
    uint64_t smallestBytes{1};          //!< smallest size, inclusive [bytes]
    uint64_t largestBytes{~0ULL};       //!< largest size, inclusive [bytes]
    std::vector<uint32_t> sources;      //!< hosts that send (DcnTopology::GetRackHosts); empty: all
    std::vector<uint32_t> destinations; //!< hosts that receive; empty: all
    std::optional<uint32_t> link;       //!< directed link that the flows cross

    /**
     * @param sizeClass a class of sizes
     * @return a query for its flows
     */
    static DcnSlowdownQuery OfClass(const DcnSizeClass& sizeClass);
};

/**
 * @ingroup dcn
 * @brief A quantile of slowdowns with its confidence limits.
 */
struct DcnSlowdownQuantile
{
    double p{0};         //!< its level
    double value{0};     //!< the quantile
    double lower{0};     //!< lower confidence limit
    double upper{0};     //!< upper confidence limit
    uint64_t n{0};       //!< number of values, or of drawn paths, that it rests on
    bool isWhole{false}; //!< nothing was drawn: all flows or paths in question are in it

    /** @return false if the limits have no width. */
    bool HasLimits() const
    {
        return lower < upper;
    }

    /**
     * @return the limits as text, " (3.1 to 3.9)"; where they have no width, the reason: " (all
     * paths drawn)" or " (no other draw differs)"
     */
    std::string DescribeLimits() const;
};

/**
 * @ingroup dcn
 * @brief The answer of a method for the flows of a scenario, with its cost and provenance.
 */
struct DcnEstimate
{
    /// Completion time of a flow that did not finish.
    static constexpr int64_t UNFINISHED = -1;

    /// A slowdown that stands for some of the scenario's flows.
    struct Sample
    {
        double slowdown;    //!< FCT / ideal FCT, at least 1
        uint64_t sizeBytes; //!< payload of a flow that it stands for; gives the size class
        double weight;      //!< number of flows that it stands for, up to a common factor; > 0
        uint32_t src;       //!< node index of their source host
        uint32_t dst;       //!< node index of their destination host
    };

    /// Limits of the p99 slowdown of a size class, as factors of the estimate.
    struct Margin
    {
        static constexpr uint64_t FEWEST_FLOWS = 100; //!< of a class, where it was measured

        std::string sizeClass; //!< its name
        double low{1};         //!< the estimate times it is the lower limit
        double high{1};        //!< the estimate times it is the upper limit
        uint64_t n{0};         //!< measured scenarios that it rests on
    };

    std::string method;     //!< name of the method as selected, see DcnEstimator::GetLabel
    std::string provenance; //!< how the numbers were made: variant, options, model file
    /// Whose answer this is where the method's own rules did not give it, as a name for
    /// DcnEstimator::CreateByName; else empty. Where that is another method ("packet", where
    /// ns3-path simulated the whole network), its error says nothing of this one, so that none is
    /// shown (IsOther). Where it is the same with other attributes ("mql:Correction=none"), errors
    /// are shown under that name.
    std::string answeredBy;
    bool isGroundTruth{false};  //!< a simulation that errors may refer to, see DcnEstimator
    uint32_t jobs{1};           //!< threads or processes at a time that the method could use
    double wallSeconds{0};      //!< elapsed time of the estimation [s]
    double cpuSeconds{0};       //!< processor time for it, with the processes that it starts [s]
    std::vector<int64_t> fctNs; //!< by flow index [ns]; UNFINISHED where there is none
    /// Of closed loops: when each flow was released, from which its completion time counts [ns];
    /// empty: at its start time.
    std::vector<int64_t> releaseNs;
    /// Of methods that answer with distributions or estimate only some of the flows: the source of
    /// summaries and plots of slowdowns, instead of fctNs, unless it is empty. Errors of single
    /// flows are those of fctNs, where these are there, too.
    std::vector<Sample> samples;
    std::map<std::string, uint64_t> unfinished; //!< flows that did not finish, by reason
    /// Of simulations: events in the network by name of the metric, such as dropped_packets; rows
    /// of summary.csv (doc/schema.rst).
    std::vector<std::pair<std::string, double>> events;
    std::string busiestLinks; //!< of simulations: "3->7 97 %, ...", in use from start to end
    /// Of simulations: sentences on how they ended, such as the switches of a PFC deadlock.
    std::vector<std::string> notes;
    /// Of learned methods: a sentence for each quantity of the scenario that lies outside of the
    /// training, in the order in which they were met.
    std::vector<std::string> warnings;
    /// Of learned methods: the errors measured on scenarios inside and outside of the training
    /// (DcnTrainedRanges::DescribeExpectedError); empty where the model's card has none.
    std::string expectedError;
    /// Of methods that leave something out: sentences on what happens in this network that they do
    /// not know, such as buffers that overflow (DcnBufferRoom).
    std::vector<std::string> notModelled;
    /// Of learned methods: how far the p99 slowdown may be off (DcnTrainedRanges::SetMargins).
    std::vector<Margin> margins;
    /// Of learned methods: what the margins hold, after "limits that", or without margins, why
    /// there are none.
    std::string marginsNote;
    /// Of methods that draw paths: quantiles by name of the size class, with the limits within
    /// which other draws would lie.
    std::vector<std::pair<std::string, DcnSlowdownQuantile>> limits;

    /**
     * @param sizeClass name of a size class
     * @param p99 this method's p99 slowdown of the class
     * @param nFlows number of flows of the class
     * @return limits of the p99 of packets (margins, marginsNote), of a slowdown, so at least 1;
     * none without margins, and for fewer flows than Margin::FEWEST_FLOWS
     */
    std::optional<std::pair<double, double>> GetP99Limits(const std::string& sizeClass,
                                                          double p99,
                                                          uint64_t nFlows) const;

    /** @return true if every flow finished, or has a sample that stands for it. */
    bool IsComplete() const;

    /** @return the number of flows that finished. */
    uint64_t GetNFinished() const;

    /** @return e.g. "packet: 2000 flows started, 1998 finished, 2 unfinished (lost packets: 2)". */
    std::string DescribeCompletion() const;

    /**
     * @return fctNs, releaseNs, unfinished, busiestLinks, events and notes as text, which another
     * process reads
     */
    std::string WriteTimes() const;

    /**
     * @brief Take what WriteTimes has written.
     * @param text the text
     */
    void ReadTimes(const std::string& text);

    /**
     * @return the busiest links, the events that happened and the note on them, e.g. "busiest links
     * 3->7 97 %; dropped packets: 12"; empty where the method has none
     */
    std::string DescribeEvents() const;

    /**
     * @return the warnings in one line: their number, the first, and the expected error; then what
     * is not modelled; empty without any
     */
    std::string DescribeWarnings() const;

    /**
     * @param method name of a method
     * @param answeredBy see the member of this name
     * @return true if that is another method, so that the answer has no error of this one
     */
    static bool IsOther(const std::string& method, const std::string& answeredBy);

    /**
     * @param method name of a method
     * @param answeredBy see the member of this name
     * @return its name in tables and plots: "ns3-path", or "ns3-path = packet"
     */
    static std::string MakeTitle(const std::string& method, const std::string& answeredBy);
};

/**
 * @ingroup dcn
 * @brief A method: turns a scenario into completion times.
 *
 * Subclasses are registered ns-3 types with attributes for their options, and are found by the name
 * that GetName returns, so that a program selects methods by text. The subclass fills in the
 * estimate; this class measures the cost, checks the answer, and prints its warnings on standard
 * error, as one line.
 */
class DcnEstimator : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @return the method's name on the command line and in result files. */
    virtual std::string GetName() const = 0;

    /** @return the name by which CreateByName made it, attributes included; else GetName. */
    std::string GetLabel() const;

    /**
     * @return files and folders that its answers depend on, such as a model: a result that is kept
     * for later use is valid as long as they are as they were
     */
    virtual std::vector<std::string> GetInputFiles() const;

    /**
     * @return true if the method simulates what it is asked about and approximates nothing, so that
     * the errors of other methods may refer to it; false unless a subclass says otherwise
     */
    virtual bool IsGroundTruth() const;

    /**
     * @return true if packets of a flow may take different paths (DcnLoadBalancing)
     */
    virtual bool HasManyPaths() const;

    /**
     * @return true, unless a subclass says otherwise, if a method with one path for each flow may
     * answer for the network whose parallel links are merged (DcnMergedLinks) where packets have
     * many paths; where both are false, Estimate refuses such scenarios
     */
    virtual bool TakesMergedLinks() const;

    /**
     * @brief Digest of all that its answers depend on besides scenario and attributes: the bytes of
     * its input files and, where it simulates packets, the behaviour of the packet engine. Part of
     * the keys of stored results.
     *
     * May simulate reference scenarios in another process (a tenth of a second, once per process).
     *
     * @return hexadecimal digits; empty if there is nothing of that kind
     */
    virtual std::string GetDigest() const;

    /**
     * @return whether programs run the method by default (GetNames); false for a second ground
     * truth, which runs where it is named
     */
    virtual bool IsListed() const;

    /**
     * @brief Refuse a scenario that the method cannot answer, before anything is simulated.
     *
     * Programs that run several methods leave out those that refuse. Reading a model is the most
     * that it costs.
     *
     * @param scenario the scenario
     * @throws DcnError with the reason
     */
    void Check(Ptr<const DcnScenario> scenario) const;

    /**
     * @brief Forecast the processor time of Estimate, by the method's own rule.
     * @param work what the scenario makes to do
     * @return processor time on the machine of the rule's constants (DcnForecast) [s]; negative: the
     * method has no rule, which is the default
     */
    virtual double ForecastSeconds(const DcnWork& work) const;

    /**
     * @brief Run the method.
     * @param scenario the scenario
     * @return the estimate: completion times by flow index, or samples
     * @throws DcnError if the method cannot estimate the scenario
     */
    DcnEstimate Estimate(Ptr<const DcnScenario> scenario);

    /**
     * @brief Make a method by its name, which may set attributes.
     * @param name e.g. "flowsim", "packet:Seed=2" or "flowsim:WindowCap=true:LinkEfficiency=0.95";
     * a value may have double colons, as in "tcp:Transport=ns3::TcpCubic"
     * @return a new object; attributes that are not named have their default values
     * @throws DcnError if no loaded module has the method, the method has no such attribute or the
     * attribute cannot have the value; the sentence lists the possible ones
     */
    static Ptr<DcnEstimator> CreateByName(const std::string& name);

    /** @return names of the listed methods (IsListed) of all loaded modules, packet first, then
     * alphabetical. */
    static std::vector<std::string> GetNames();

  private:
    /**
     * @brief Fill in provenance and fctNs (sized and set to UNFINISHED by the caller) or samples;
     * and, where they are not as by default, unfinished, releaseNs, limits, answeredBy and jobs.
     * @param scenario the scenario
     * @param estimate the result
     */
    virtual void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) = 0;

    /**
     * @brief Refuse a scenario; nothing by default.
     * @param scenario the scenario
     * @throws DcnError with the reason
     */
    virtual void DoCheck(Ptr<const DcnScenario> scenario) const;

    /**
     * @param scenario the scenario
     * @return its merged links, if the method answers on them
     * @throws DcnError if its packets have many paths, and the method can do nothing with them
     */
    std::optional<DcnMergedLinks> Merge(Ptr<const DcnScenario> scenario) const;

    std::string m_label; //!< see GetLabel; empty: the name
};

/**
 * @ingroup dcn
 * @brief Sets an attribute that is given as a text, such as "WindowCap=true".
 * @param object the object
 * @param name the object in messages, e.g. `the method "flowsim"`
 * @param assignment attribute=value
 * @throws DcnError if the object has no such attribute, or it cannot have the value; the sentence
 * lists the possible ones
 */
void DcnSetAttribute(Ptr<Object> object, const std::string& name, const std::string& assignment);

} // namespace ns3

#endif /* DCN_ESTIMATOR_H */
