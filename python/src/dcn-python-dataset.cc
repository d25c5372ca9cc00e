/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-python.h"

#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-error.h"

namespace dcnpython
{

using namespace ns3;

namespace
{

/**
 * @brief Convert a sample to arrays. Lists of several lengths are one array, and the positions at
 * which each begins, with the end of the last one.
 * @param sample of a data set
 * @return its values by name
 */
py::dict
Convert(const DcnDatasetSample& sample)
{
    py::dict values;
    values["index"] = sample.index;
    values["seed"] = sample.seed;
    values["draw"] = ToArray<double>(sample.draw);
    Scenario scenario;
    scenario.scenario = sample.scenario;
    values["scenario"] = scenario;
    values["fct_ns"] = ToArray<int64_t>(sample.fctNs);
    values["ideal_ns"] = ToArray<int64_t>(sample.idealNs);
    values["flags"] = ToArray<uint8_t>(sample.flags);

    std::vector<uint32_t> links;
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 0; i < sample.scenario->GetFlows().size(); ++i)
    {
        const DcnPath path = sample.scenario->GetPath(i);
        links.insert(links.end(), path.begin(), path.end());
        begins.push_back(links.size());
    }
    values["flow_links"] = ToArray<int64_t>(links);
    values["flow_links_begin"] = ToArray<int64_t>(begins);
    values["path_links"] = ToArray<int64_t>(sample.pathLinks);
    values["path_first"] = ToArray<int64_t>(sample.pathFirst);
    values["path_last"] = ToArray<int64_t>(sample.pathLast);
    values["queue_bytes"] = ToArray<int64_t>(sample.queueBytes);

    const auto& events = sample.events;
    values["event_ns"] =
        MakeArray<int64_t>(events.size(), [&](std::size_t i) { return events[i].timeNs; });
    values["event_flow"] =
        MakeArray<int64_t>(events.size(), [&](std::size_t i) { return events[i].flow; });
    values["event_is_arrival"] =
        MakeArray<bool>(events.size(), [&](std::size_t i) { return events[i].arrival; });
    std::vector<DcnDatasetSample::Active> actives;
    begins.assign(1, 0);
    for (const auto& each : sample.actives)
    {
        actives.insert(actives.end(), each.begin(), each.end());
        begins.push_back(actives.size());
    }
    values["active_flow"] =
        MakeArray<int64_t>(actives.size(), [&](std::size_t i) { return actives[i].flow; });
    values["active_bytes"] = MakeArray<int64_t>(actives.size(), [&](std::size_t i) {
        return actives[i].remainingBytes;
    });
    values["active_begin"] = ToArray<int64_t>(begins);
    return values;
}

} // namespace

void
DefineDataset(py::module_& module)
{
    py::class_<DcnDatasetReader>(module, "Dataset")
        .def(py::init<const std::string&>())
        .def("kind", &DcnDatasetReader::GetKind)
        .def("verify", &DcnDatasetReader::Verify)
        .def("__len__", &DcnDatasetReader::GetN)
        .def("read", [](DcnDatasetReader& self, uint64_t index) {
            if (index >= self.GetN())
            {
                DcnFail(self.GetFolder(), ": there is no sample ", index, " of ", self.GetN());
            }
            return Convert(self.Read(index));
        });
}

} // namespace dcnpython
