/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-python.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario-recipe.h"

#include <new>
#include <stdexcept>

namespace dcnpython
{

void
DefineBase(py::module_& module)
{
    static py::exception<ns3::DcnError> error(module, "Error");
    error.attr("__doc__") = "Bad input, or a method that cannot answer: one sentence that names "
                            "the value and the remedy.";
    py::register_exception_translator([](std::exception_ptr thrown) {
        try
        {
            if (thrown)
            {
                std::rethrow_exception(thrown);
            }
        }
        catch (const ns3::DcnError& failure)
        {
            error(failure.what());
        }
        catch (const std::length_error&) // more than a container can have
        {
            PyErr_SetString(PyExc_MemoryError, "the memory does not suffice for this input");
        }
        catch (const std::bad_alloc&)
        {
            PyErr_SetString(PyExc_MemoryError, "the memory does not suffice for this input");
        }
    });

    module.def("method_names", []() { return ns3::DcnEstimator::GetNames(); });
    module.def("describe_keys",
               []() { return ns3::DcnRecipe::Describe(ns3::DcnScenarioRecipe::GetKeys()); });
    module.def("check_recipe", [](const std::string& assignments) {
        const ns3::DcnScenarioRecipe recipe(assignments);
        recipe.Draw(recipe.GetWhole("seed"));
    });
    module.def("silence", []() { ns3::DcnProgress::Silence(); });
    module.def("size_classes", []() {
        std::vector<std::tuple<std::string, double, double>> classes;
        for (const auto& each : ns3::DcnSizeClasses())
        {
            classes.emplace_back(each.name, each.lowerBytes, each.upperBytes);
        }
        return classes;
    });
}

} // namespace dcnpython

PYBIND11_MODULE(_core, module)
{
    module.doc() = "C++ part of dcn; use the package dcn.";
    dcnpython::DefineBase(module);
    dcnpython::DefineScenario(module);
    dcnpython::DefineFlowNetwork(module);
    dcnpython::DefineDataset(module);
}
