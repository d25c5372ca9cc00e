/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_RANGES_H
#define M3_RANGES_H

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class M3Spec;

/**
 * @ingroup m3
 * @brief Everything by which a path can be unlike those of the training.
 *
 * Three kinds of quantities, which depend on the congestion control:
 * - what the network of the model sees of the configuration (M3Spec);
 * - traffic: the largest load of a link of the path, the largest number of flows on one, the number
 *   of foreground flows, and the largest number of windows under way in front of one;
 * - all other parameters of the configuration that have an effect (keys of network.csv). The model
 *   does not see them; it has learned what they were in training. Rates are divided by the path's
 *   bottleneck, times are not divided by anything, as in DcnNetworkConfig::Preset.
 */
struct M3Conditions
{
    /// A quantity.
    struct Quantity
    {
        std::string name;      //!< for sentences and for the card
        bool isLog{false};     //!< it is compared by its logarithm
        bool isTraffic{false}; //!< extremes of what was drawn, not limits that somebody set
    };

    /// The traffic of a path.
    struct Traffic
    {
        double load{0};       //!< largest of its links
        double flows{0};      //!< largest number on a link
        double foreground{0}; //!< number of foreground flows
        double windows{0};    //!< largest sum over the links of B (M3Fluid) of one of these
    };

    std::string congestionControl; //!< in force
    std::vector<double> values;    //!< of GetQuantities (congestionControl)

    /**
     * @param congestionControl dctcp, dcqcn, timely or hpcc
     * @return its quantities
     */
    static const std::vector<Quantity>& GetQuantities(const std::string& congestionControl);
};

/**
 * @ingroup m3
 * @brief The parameters of a configuration that M3Spec has not.
 */
class M3Settings
{
  public:
    /**
     * @param config a configuration
     */
    explicit M3Settings(const DcnNetworkConfig& config);

    /**
     * @param spec of a path with this configuration
     * @param traffic of the path
     * @return what the path is like
     */
    M3Conditions Describe(const M3Spec& spec, const M3Conditions::Traffic& traffic) const;

  private:
    friend struct M3Conditions;

    /// A parameter.
    struct Setting
    {
        std::string name; //!< its key in network.csv
        double value;     //!< in the unit of the key
        bool isRate;      //!< to be divided by the bottleneck
    };

    std::string m_congestionControl; //!< in force
    std::vector<Setting> m_settings; //!< those that have an effect
};

/**
 * @ingroup m3
 * @brief Smallest and largest values of M3Conditions in training, by congestion control.
 *
 * With a and b the smallest and the largest value in training, a value x (or their logarithms)
 * is outside if it is further than s (b - a) from [a, b], with s = 2 % for parameters, which are
 * drawn from a range of which samples do not quite reach the ends, and 10 % for traffic, of which
 * nobody sets the range, and which is that of all congestion controls together. What was always the
 * same has to be the same, but for rounding.
 */
class M3Ranges
{
  public:
    /// A quantity that is outside.
    struct Outside
    {
        std::string name;   //!< of the quantity
        std::string text;   //!< as in "dctcp_g is 0.9, but was always 0.0625 in training"
        double distance{0}; //!< from the range, comparable between paths
    };

    /**
     * @brief Widen the ranges.
     * @param conditions of a path of the training
     */
    void Add(const M3Conditions& conditions);

    /**
     * @param conditions of a path
     * @return what is outside; nothing if no path has been added
     */
    std::vector<Outside> FindOutside(const M3Conditions& conditions) const;

    /**
     * @param model gets the sections "ranges" and "range of <congestion control>" of the card
     */
    void Write(DcnModelFile& model) const;

    /**
     * @param model to which they were written
     * @return the ranges
     * @throws DcnError if they are not there, or one is no range
     */
    static M3Ranges Read(const DcnModelFile& model);

  private:
    using Range = std::pair<double, double>; //!< smallest and largest value

    std::map<std::string, std::vector<Range>> m_ranges; //!< by congestion control and quantity
};

/**
 * @ingroup m3
 * @brief What is outside of the training on some of many paths.
 */
class M3Warnings
{
  public:
    /**
     * @param outside of a path
     */
    void Add(const std::vector<M3Ranges::Outside>& outside);

    /**
     * @param other warnings of other paths
     */
    void Add(const M3Warnings& other);

    /** @return number of quantities that are outside on some path. */
    std::size_t GetN() const;

    /**
     * @param nPaths number of paths in all
     * @return a sentence for each quantity, with its value on the path that is furthest outside
     */
    std::vector<std::string> Describe(std::size_t nPaths) const;

  private:
    /// A quantity.
    struct Entry
    {
        M3Ranges::Outside furthest; //!< of all paths
        uint64_t n{0};              //!< number of paths on which it is outside
    };

    std::map<std::string, Entry> m_entries; //!< by quantity
};

} // namespace ns3

#endif /* M3_RANGES_H */
