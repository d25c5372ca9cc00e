/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PYTHON_H
#define DCN_PYTHON_H

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * The module dcn._core: what the Python package dcn calls. Nodes have the numbers of files
 * (DcnTopology::GetExternalId) in Python; indices stay here. The interpreter's lock is held during
 * all calls, because ns-3 has one simulator per process.
 */
namespace dcnpython
{

namespace py = pybind11;

/// Whole numbers as Python hands them over.
using Integers = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;

/**
 * @param values any numbers
 * @return an array with a copy of them
 */
template <typename Out, typename In>
py::array_t<Out>
ToArray(const std::vector<In>& values)
{
    py::array_t<Out> array(static_cast<py::ssize_t>(values.size()));
    Out* const out = array.mutable_data();
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        out[i] = static_cast<Out>(values[i]);
    }
    return array;
}

/**
 * @param n number of values
 * @param get returns value i
 * @return an array of the values
 */
template <typename Out, typename Get>
py::array_t<Out>
MakeArray(std::size_t n, const Get& get)
{
    py::array_t<Out> array(static_cast<py::ssize_t>(n));
    Out* const out = array.mutable_data();
    for (std::size_t i = 0; i < n; ++i)
    {
        out[i] = static_cast<Out>(get(i));
    }
    return array;
}

/// A network: nodes and links.
struct Network
{
    ns3::Ptr<const ns3::DcnTopology> topology;      //!< nodes and links
    std::unordered_map<uint64_t, uint32_t> indexOf; //!< node index by number

    /** @param topology nodes and links */
    explicit Network(ns3::Ptr<const ns3::DcnTopology> topology);

    /**
     * @param node number of a node
     * @param where prefix of the sentence
     * @return its index
     * @throws DcnError without such a node
     */
    uint32_t Find(int64_t node, const std::string& where) const;

    /** @return a copy of the topology, whose ns-3 nodes no simulation has had. */
    ns3::Ptr<const ns3::DcnTopology> Copy() const;
};

/// A scenario.
struct Scenario
{
    ns3::Ptr<const ns3::DcnScenario> scenario; //!< flows, network, configuration
    std::string recipe;                        //!< in full; empty: not made by a recipe
    std::optional<ns3::DcnLoadReport> load;    //!< of generated flows
    double wallSeconds{0};                     //!< cost of making it [s]
    double cpuSeconds{0};                      //!< processor time of making it [s]
};

/// The answers of methods for a scenario.
struct Answers
{
    ns3::DcnFctTable table; //!< the answers
};

/**
 * @brief Take part in the simulator: estimates leave a simulation that is open as it is.
 * @return whether a flow network is open
 */
bool HasOpenNetwork();

/** @brief Define errors, keys and names of methods. */
void DefineBase(py::module_& module);
/** @brief Define networks, scenarios and answers. */
void DefineScenario(py::module_& module);
/** @brief Define flow networks. */
void DefineFlowNetwork(py::module_& module);
/** @brief Define data sets. */
void DefineDataset(py::module_& module);

} // namespace dcnpython

#endif /* DCN_PYTHON_H */
