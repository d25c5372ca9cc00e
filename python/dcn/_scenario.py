# SPDX-License-Identifier: GPL-2.0-only
"""Networks, scenarios, and the answers of methods."""

from __future__ import annotations

import math
import os
import warnings
from typing import Any, Iterable, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from dcn import _core
from dcn._columns import (Table, join_attributes, join_keys, read_columns, read_kinds, to_whole)
from dcn._core import Error

#: Classes of flow sizes: name, smallest size (inclusive) and largest size (exclusive) in bytes.
SIZE_CLASSES = {name: (lower, upper) for name, lower, upper in _core.size_classes()}

#: A class of SIZE_CLASSES by name, or smallest (inclusive) and largest size (exclusive) in bytes.
SizeClass = Union[str, Tuple[float, float]]

#: Methods that run only if they are named, as in dcn-compare.
NOT_BY_DEFAULT = ("ns3-path", "mql")

FLOW_COLUMNS = ("src", "dst", "size_bytes", "start_ns")


def methods() -> list[str]:
    """Returns the names of the methods that are built, the ground truth first."""
    return _core.method_names()


def describe_keys() -> str:
    """Returns a line for each key of a scenario: default, meaning and condition."""
    return _core.describe_keys()


class Network:
    """Hosts, switches and links, with the configuration of congestion control and switches."""

    def __init__(self, **keys: Any):
        """Makes one of the topologies that evaluations use.

        `keys` are those of the programs that describe the topology, such as topology, pods and
        hostRate, then cc, preset and the keys of network.csv (`dcn.describe_keys()`), but not
        those of flows. Rates and times are texts with a unit ("100Gbps", "1us"). Raises
        dcn.Error for an unknown key, a bad value, or a key without effect.
        """
        self._core, self.cc, self._keys = _core.Network.from_recipe(join_keys(keys))
        self.preset = "evaluation"  # its values are among the keys

    @classmethod
    def from_arrays(cls, nodes: Any, links: Any, cc: str = "dctcp", preset: str = "evaluation",
                    network: Optional[Mapping[str, Any]] = None) -> Network:
        """Makes a network of your own.

        nodes    kinds of the nodes, "host" or "switch", numbered from 0; or columns node_id, kind
        links    rows or columns a, b, rate_bps, delay_ns: the two ends of a full-duplex link, its
                 rate in each direction [bit/s] and its propagation delay [ns]
        cc       congestion control
        preset   parameters of congestion control: evaluation or paper
        network  keys of network.csv that differ from the preset, as in {"pfc": 0}

        Columns are a dictionary, a pandas.DataFrame or a structured array. Raises dcn.Error with
        the row for a bad value.
        """
        made = cls.__new__(cls)
        rows = read_columns("links", links, ("a", "b", "rate_bps", "delay_ns"), {})
        made._core = _core.Network.from_arrays(read_kinds(nodes), rows)
        made.cc = cc
        made.preset = preset
        made._keys = join_keys(network or {})
        return made

    def scenario(self, flows: Any, paths: Optional[Mapping[int, Sequence[int]]] = None,
                 seed: int = 1) -> Scenario:
        """Makes a scenario of flows on this network; see Scenario.from_arrays."""
        rows = read_columns("flows", flows, FLOW_COLUMNS, {"flow_id": np.arange})
        pinned = {to_whole("a flow of paths", flow): [to_whole(f"paths: flow {flow}: a node", node)
                                                      for node in path]
                  for flow, path in (paths or {}).items()}
        return Scenario._wrap(_core.Scenario.from_arrays(
            self._core, rows, pinned, self.cc, self.preset, self._keys, to_whole("seed", seed)))

    @property
    def nodes(self) -> Table:
        """The nodes: node_id, kind."""
        return Table(self._core.nodes())

    @property
    def links(self) -> Table:
        """The links, each once: a, b, rate_bps, delay_ns."""
        return Table(self._core.links())

    @property
    def hosts(self) -> np.ndarray:
        """Numbers of the hosts."""
        return self._core.hosts()

    def __repr__(self) -> str:
        return (f"<dcn.Network: {len(self.hosts)} hosts, "
                f"{self.nodes.n_rows() - len(self.hosts)} switches, {self.links.n_rows()} links, "
                f"{self.cc}>")


class Scenario:
    """A network with flows: what methods answer. It does not change."""

    def __init__(self, recipe: str = "", **keys: Any):
        """Makes a scenario by the keys of the programs.

        recipe   keys as a text, as programs print them: "load=0.3,cc=hpcc"
        keys     the same as arguments: load=0.3, cc="hpcc"; those of network.csv, too: pfc=0

        Without keys: 2,000 web-server flows on a fabric of 32 hosts, DCTCP, 50 % load. Rates and
        times are texts with a unit. Raises dcn.Error for an unknown key, a bad value, or a key
        without effect.
        """
        text = join_keys(keys)
        self._core = _core.Scenario.from_recipe(recipe + ("," if recipe and text else "") + text)

    @classmethod
    def _wrap(cls, core: _core.Scenario) -> Scenario:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def from_arrays(cls, nodes: Any, links: Any, flows: Any, cc: str = "dctcp",
                    preset: str = "evaluation", network: Optional[Mapping[str, Any]] = None,
                    paths: Optional[Mapping[int, Sequence[int]]] = None,
                    seed: int = 1) -> Scenario:
        """Makes a scenario of a network and flows of your own.

        nodes, links, cc, preset, network   see Network.from_arrays
        flows    rows src, dst, size_bytes, start_ns: numbers of the two hosts, payload [bytes] and
                 start [ns]; or columns of these names and, if you like, flow_id
        paths    nodes from source to destination by flow_id; other flows take ECMP's path
        seed     of ECMP and of the random draws of methods

        The scenario equals the one of a scenario directory with these numbers. Raises dcn.Error
        with the row for a bad value.
        """
        return Network.from_arrays(nodes, links, cc, preset, network).scenario(flows, paths, seed)

    @classmethod
    def from_directory(cls, folder: Union[str, os.PathLike], seed: int = 1,
                       network: Optional[Mapping[str, Any]] = None) -> Scenario:
        """Reads a scenario directory: nodes.csv, links.csv, flows.csv, network.csv, paths.csv.

        seed     of the paths that are not pinned, and of the random draws of methods
        network  keys that replace those of network.csv

        Raises dcn.Error with file, line and value.
        """
        return cls._wrap(_core.Scenario.from_directory(
            os.fspath(folder), to_whole("seed", seed), join_keys(network or {})))

    def write(self, folder: Union[str, os.PathLike]) -> None:
        """Writes a scenario directory, which programs read by --scenario=FOLDER."""
        self._core.write(os.fspath(folder))

    @property
    def flows(self) -> Table:
        """The flows by start: flow_id, src, dst, size_bytes, start_ns, path_hops, ideal_ns.

        ideal_ns is the completion time of the flow alone in the network.
        """
        return Table(self._core.flows())

    @property
    def n_flows(self) -> int:
        """Number of flows."""
        return self._core.n_flows()

    @property
    def network(self) -> Network:
        """The network, with the congestion control and the keys of network.csv."""
        made = Network.__new__(Network)
        made._core = self._core.network()
        keys = self.config
        made.cc = keys.pop("cc")
        made.preset = "evaluation"  # its values are among the keys
        made._keys = join_keys(keys)
        return made

    @property
    def config(self) -> dict[str, str]:
        """Keys and values of network.csv that apply."""
        return dict(self._core.config())

    @property
    def recipe(self) -> str:
        """All keys with their values; empty if the scenario was not made by keys."""
        return self._core.recipe()

    @property
    def load(self) -> Optional[dict[str, float]]:
        """Of generated flows: load of the most loaded link, asked and realised; else None."""
        return self._core.load()

    @property
    def notes(self) -> list[str]:
        """Sentences on limits of the network, such as a buffer that is too small for PFC."""
        return self._core.notes()

    def path(self, flow: int) -> list[int]:
        """Returns the nodes on the path of a flow, by its position in `flows`."""
        return self._core.path(to_whole("flow", flow))

    def check(self, method: str, **attributes: Any) -> None:
        """Raises dcn.Error if a method cannot answer, without running it."""
        self._core.check(join_attributes(method, attributes))

    def estimate(self, method: str, **attributes: Any) -> Result:
        """Asks a method for completion times.

        method      one of methods(), or ns3-path, tcp; with attributes as in
                    "flowsim:WindowCap=true"
        attributes  the same as arguments: WindowCap=True

        Issues a UserWarning if a learned method is used outside of its training, or a method
        leaves out what happens in this network. Raises dcn.Error if the method cannot answer.
        """
        answers = _core.Answers(self._core)
        answers.ask(join_attributes(method, attributes), None)
        return Result._make(self, answers, 0)

    def compare(self, methods: Iterable[str] = (), truth: Optional[str] = None) -> Comparison:
        """Asks several methods; errors refer to the truth.

        methods  names, each with attributes if you like: "m4:Model=my-model"; none: those of
                 methods() but ns3-path and mql
        truth    one of them, or "none"; default: the first of them that simulates packets

        Methods that refuse the scenario are left out with the reason (Comparison.left_out). Raises
        dcn.Error if none is left, or the truth cannot answer.
        """
        return Comparison(self, [methods] if isinstance(methods, str) else list(methods), truth)

    def __repr__(self) -> str:
        return f"<dcn.Scenario: {self.n_flows} flows on {self.network!r}>"


def _bounds(size_class: SizeClass) -> Tuple[float, float]:
    """Returns the smallest and the largest size of a class."""
    if isinstance(size_class, str):
        if size_class not in SIZE_CLASSES:
            raise Error(f'the size class "{size_class}" is not one of {", ".join(SIZE_CLASSES)}; '
                        "or give smallest and largest size in bytes: (0, 1000)")
        return SIZE_CLASSES[size_class]
    lower, upper = size_class
    if not lower < upper:
        raise Error(f"the smallest size {lower} must be below the largest size {upper}")
    return float(lower), float(upper)


class Result:
    """The answer of one method.

    method          name with attributes
    wall_s, cpu_s   elapsed and processor time [s]
    is_complete     every flow has an end, or a sample that stands for it
    unfinished      number of flows without an end, by reason
    events          of simulations: numbers of dropped packets, marks and so on
    busiest_links   of simulations: the links in use for most of the time
    notes           of simulations: sentences on how they ended
    warnings        of learned methods: a sentence for each quantity outside of the training
    expected_error  of learned methods: errors measured inside and outside of the training
    not_modelled    sentences on what happens in this network that the method leaves out
    limits_note     of learned methods: what the limits of kind "model" hold, or why there are none
    provenance      how the numbers were made
    answered_by     the method that answered in place of this one; else empty
    """

    method: str
    wall_s: float
    cpu_s: float
    is_complete: bool
    unfinished: dict[str, int]
    events: dict[str, float]
    busiest_links: str
    notes: list[str]
    warnings: list[str]
    expected_error: str
    not_modelled: list[str]
    limits_note: str
    provenance: str
    answered_by: str
    is_ground_truth: bool
    jobs: int
    completion: str

    @classmethod
    def _make(cls, scenario: Scenario, answers: _core.Answers, position: int) -> Result:
        made = cls.__new__(cls)
        made.scenario = scenario
        made._answers = answers
        made._position = position
        facts = answers.facts(position)
        warning = facts.pop("warning")
        made.__dict__.update(facts)
        if warning:
            warnings.warn(f"{made.method}: {warning}", stacklevel=3)
        return made

    @property
    def fct_ns(self) -> np.ndarray:
        """Completion times in the order of scenario.flows [ns]; nan where there is none.

        A method that answers with samples may have none, or the best time for each flow: quantiles
        are those of the samples then.
        """
        return self._answers.fct_ns(self._position)

    @property
    def slowdowns(self) -> np.ndarray:
        """fct_ns over the time of the flow alone in the network; nan where there is none."""
        return self.fct_ns / self._answers.ideal_ns()

    @property
    def samples(self) -> Table:
        """Of methods that answer with distributions: src, dst, size_bytes, slowdown, weight.

        The weight is the number of flows for which a sample stands, up to a common factor. Methods
        that answer flow by flow have no rows.
        """
        return Table(self._answers.samples(self._position))

    def distribution(self, size_class: SizeClass = "all") -> Tuple[np.ndarray, np.ndarray]:
        """Returns the slowdowns of a size class, ascending, and their weights."""
        return self._answers.slowdowns(self._position, *_bounds(size_class))

    def quantile(self, p: float, size_class: SizeClass = "all") -> float:
        """Returns the quantile p of the slowdowns of a size class; nan without flows.

        Linear between order statistics, as in summary.csv.
        """
        if not 0 <= p <= 1:
            raise Error(f"the level of a quantile must be between 0 and 1, but it is {p}")
        return self._answers.quantile(self._position, p, *_bounds(size_class))

    @property
    def limits(self) -> Table:
        """Limits of the p99 slowdown: size_class, p99, low, high, kind.

        kind "model": limits by the errors in the model's card, see limits_note; "draw": they hold
        those of 95 % of the draws of paths. Other methods have no rows.
        """
        return Table.from_rows(("size_class", "p99", "low", "high", "kind"),
                               self._answers.limits(self._position))

    def __repr__(self) -> str:
        return (f"<dcn.Result: {self.completion}, p99 slowdown {self.quantile(0.99):.3f}, "
                f"{self.wall_s:.3g} s>")


class Comparison(Table):
    """The answers of several methods: a table with a row for each method.

    Columns: method, wall_s, cpu_s [s], p50_slowdown, p90_slowdown, p99_slowdown, mean_slowdown,
    p99_error, mean_abs_flow_error (relative to the truth; nan without one), p99_low, p99_high
    (limits of the p99, nan without them), warnings (number), answered_by.

    results   the Result of each method by name
    left_out  reason by name of the methods that gave no answer
    truth     name of the method that errors refer to; None: there is none
    """

    def __init__(self, scenario: Scenario, names: list[str], truth: Optional[str]):
        """Asks the methods; see Scenario.compare."""
        super().__init__()
        self.scenario = scenario
        self.left_out: dict[str, str] = {}
        self.results: dict[str, Result] = {}
        names = names or [each for each in methods() if each not in NOT_BY_DEFAULT]
        names = self._order(names, truth)
        self._answers = _core.Answers(scenario._core)
        self.truth = self._choose(names, truth)
        if self.truth:
            names.insert(0, names.pop(names.index(self.truth)))
        for name in names:
            try:
                self._answers.ask(name, name == self.truth)
            except Error as error:
                if not self.results:
                    raise  # errors refer to it
                self.left_out[name] = str(error)
                continue
            self.results[name] = Result._make(scenario, self._answers, len(self.results))
        self._fill()

    def _order(self, names: list[str], truth: Optional[str]) -> list[str]:
        """Leaves out methods that refuse the scenario, before the others take their time."""
        for name in names:
            if names.count(name) > 1:
                raise Error(f'methods name "{name}" twice')
        if truth not in (None, "none", *names):
            raise Error(f"the truth {truth} is none of the methods: name it among them, too")
        kept = []
        for name in names:
            _core.method_label(name)  # refuses unknown names and attributes
        for name in names:
            try:
                self.scenario.check(name)
                kept.append(name)
            except Error as error:
                if name == truth:
                    raise Error(f"the truth {truth} cannot answer: {error}") from error
                self.left_out[name] = str(error)
        if not kept:
            raise Error("no method can answer: " + "; ".join(
                f"{name}: {reason}" for name, reason in self.left_out.items()))
        return kept

    @staticmethod
    def _choose(names: list[str], truth: Optional[str]) -> Optional[str]:
        """Returns the method that errors refer to."""
        if truth is not None:
            return None if truth == "none" else truth
        return next((name for name in names if _core.method_label(name)[1]), None)

    def _fill(self) -> None:
        """Makes the columns."""
        metrics = {}
        for method, metric, size_class, value, _, error, _ in self._answers.summary():
            if size_class == "all":
                metrics[method, metric] = (value, error)
        nothing = (math.nan, math.nan)
        self["method"] = list(self.results)
        for column in ("wall_s", "cpu_s"):
            self[column] = [getattr(result, column) for result in self.results.values()]
        for metric in ("p50_slowdown", "p90_slowdown", "p99_slowdown", "mean_slowdown"):
            self[metric] = [metrics.get((name, metric), nothing)[0] for name in self.results]
        self["p99_error"] = [metrics.get((name, "p99_slowdown"), nothing)[1]
                             for name in self.results]
        self["mean_abs_flow_error"] = [metrics.get((name, "mean_abs_flow_error"), nothing)[0]
                                       for name in self.results]
        limits = [result.limits.select(size_class="all") for result in self.results.values()]
        for column, name in (("p99_low", "low"), ("p99_high", "high")):
            self[column] = [rows[name][0] if rows[name] else math.nan for rows in limits]
        self["warnings"] = [len(result.warnings) for result in self.results.values()]
        self["answered_by"] = [result.answered_by for result in self.results.values()]

    def fcts(self) -> Table:
        """Returns a row for each flow: the columns of scenario.flows, then <method> [ns]."""
        table = self.scenario.flows
        table.update((name, result.fct_ns) for name, result in self.results.items())
        return table

    def slowdowns(self) -> Table:
        """Returns a row for each flow: the columns of scenario.flows, then slowdowns by method."""
        table = self.scenario.flows
        table.update((name, result.slowdowns) for name, result in self.results.items())
        return table

    def summary(self) -> Table:
        """Returns the rows of summary.csv, by method, size class and metric."""
        return Table.from_rows(("method", "metric", "size_class", "value", "truth",
                                "relative_error", "answered_by"), self._answers.summary())

    def write(self, folder: Union[str, os.PathLike]) -> None:
        """Writes fct.csv, summary.csv and samples.csv, as dcn-compare does (doc/schema.rst)."""
        self._answers.write(os.fspath(folder))
