#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests the Python module dcn.

usage: python.py check [NAME]...   all tests, or some; ends with status 1 if one fails

DCN_PROGRAMS is the build folder of the ns-3 tree, which has the module in python/ and the programs
that its answers are compared with. Where the module was not built, it says so and passes.
"""

import contextlib
import csv
import importlib.util
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("DCN_PROGRAMS", "."))
SMALL = {"topology": "dumbbell", "hostsPerRack": 4, "sizes": "hadoop", "matrix": "uniform",
         "loadRule": "exact", "flows": 300, "load": 0.6}
METHODS = ["packet", "flowsim", "m3", "m4", "parsimon"]
TIMES = {"wall_s", "cpu_s", "scenario_s", "scenario_cpu_s"}

if "DCN_IN_PYTHON" in os.environ:
    import numpy as np

    import dcn


def find_program(name):
    """Returns the path of a program."""
    profile = os.environ.get("DCN_PROFILE", "optimized")
    found = [path for path in PROGRAMS.rglob(f"ns3*-{name}-{profile}") if path.is_file()]
    if not found:
        raise unittest.SkipTest(f"the program {name} was not built")
    return str(found[0])


def run(name, folder, **options):
    """Runs a program."""
    command = [find_program(name), *(f"--{key}={value}" for key, value in options.items())]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)} ends with {done.returncode}: {done.stderr}")


def read(path):
    """Returns the columns of a CSV file."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        """Makes the folder."""
        self.folder = self.enterContext_(tempfile.TemporaryDirectory())

    def enterContext_(self, context):  # pylint: disable=invalid-name
        """Enters a context for the time of the test; Python 3.11 has it."""
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        return stack.enter_context(context)

    def refuse(self, *words):
        """Expects a sentence with these words."""
        pattern = "".join(f"(?=.*{word})" for word in words)
        return self.assertRaisesRegex(dcn.Error, pattern)

    def assert_same(self, one, other):
        """Expects equal arrays; nan equals nan."""
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


class Programs(Case):
    """Answers equal those of the programs."""

    def test_bytes(self):
        """fct.csv, samples.csv and summary.csv of dcn-compare, and the arrays, are the same."""
        theirs = pathlib.Path(self.folder) / "theirs"
        ours = pathlib.Path(self.folder) / "ours"
        run("dcn-compare", self.folder, methods=",".join(METHODS), out=theirs, **SMALL)
        scenario = dcn.Scenario(**SMALL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            comparison = scenario.compare(METHODS)
        comparison.write(ours)
        self.assertEqual(comparison.truth, "packet")
        for name in ("fct.csv", "samples.csv"):
            self.assertEqual((ours / name).read_bytes(), (theirs / name).read_bytes(), name)
        rows = [[row for row in zip(*read(folder / "summary.csv").values()) if row[1] not in TIMES]
                for folder in (ours, theirs)]
        self.assertEqual(*rows)
        columns = read(theirs / "fct.csv")
        for name in ("flow_id", "src", "dst", "size_bytes", "start_ns", "path_hops", "ideal_ns"):
            self.assert_same(scenario.flows[name], np.array(columns[name], np.int64))
        self.assert_same(comparison.results["packet"].fct_ns,
                         np.array(columns["packet_fct_ns"], float))
        self.assert_same(comparison.fcts()["m4"],
                         np.array(columns.get("m4_fct_ns", columns.get("m4_expected_fct_ns")),
                                  float))
        values = {row[:3]: float(row[3]) for row in rows[0]}
        for method, size_class in itertools.product(METHODS, dcn.SIZE_CLASSES):
            if (method, "p99_slowdown", size_class) in values:
                quantile = comparison.results[method].quantile(0.99, size_class)
                self.assertEqual(f"{quantile:.9g}",
                                 f"{values[method, 'p99_slowdown', size_class]:.9g}")

    def test_ways(self):
        """A scenario of keys, of its directory and of arrays of its numbers has one answer."""
        made = dcn.Scenario(**SMALL, seed=3)
        made.write(self.folder)
        again = dcn.Scenario.from_directory(self.folder, seed=3)
        nodes, links, flows = (read(f"{self.folder}/{name}.csv")
                               for name in ("nodes", "links", "flows"))
        nodes["node_id"] = [int(node) for node in nodes["node_id"]]
        links, flows = ({name: np.array(values, np.int64) for name, values in columns.items()}
                        for columns in (links, flows))
        keys = {key: value for key, value in made.config.items() if key != "cc"}
        ways = {"directory": again,
                "columns": dcn.Scenario.from_arrays(nodes, links, flows, network=keys, seed=3),
                "rows": dcn.Scenario.from_arrays(
                    nodes["kind"], np.stack(list(links.values()), 1),
                    np.stack([flows[name] for name in ("src", "dst", "size_bytes", "start_ns")], 1),
                    seed=3),
                "network": made.network.scenario(flows, seed=3),
                "recipe": dcn.Scenario(made.recipe)}
        for method in ("packet", "flowsim"):
            expected = made.estimate(method).fct_ns
            for name, scenario in ways.items():
                with self.subTest(way=name, method=method):
                    self.assert_same(scenario.estimate(method).fct_ns, expected)
        pinned = {int(flow): made.path(i) for i, flow in enumerate(made.flows["flow_id"])}
        arrays = dcn.Scenario.from_arrays(nodes, links, flows, network=keys, paths=pinned, seed=3)
        self.assertEqual(arrays.path(5), made.path(5))

    def test_dataset(self):
        """The numbers of a data set are those of packets on its scenarios."""
        out = f"{self.folder}/set"
        try:
            run("dcn-dataset", self.folder, kind="fabric", samples=2, shardSize=1, out=out,
                recipe="reduced", rules="flows=40")
        except AssertionError as error:
            if "HDF5" in str(error):
                self.skipTest("there are no data sets without HDF5")
            raise
        dataset = dcn.Dataset(out)
        dataset.verify()
        self.assertEqual((len(dataset), dataset.kind), (2, "fabric"))
        for sample in dataset:
            scenario = sample["scenario"]
            self.assert_same(scenario.flows["ideal_ns"], sample["ideal_ns"])
            self.assert_same(scenario.estimate("packet").fct_ns, sample["fct_ns"])
            begins, hops = sample["flow_links_begin"], scenario.flows["path_hops"]
            self.assert_same(np.diff(begins), hops)
            self.assertEqual(len(sample["queue_bytes"]), begins[-1])
            n = scenario.n_flows
            self.assertEqual(len(sample["event_ns"]), 2 * n)
            self.assertTrue((np.diff(sample["event_ns"]) >= 0).all())
            self.assertEqual(sample["event_is_arrival"].sum(), n)
            self.assertEqual(len(sample["active_begin"]), 2 * n + 1)
            active = np.cumsum(np.where(sample["event_is_arrival"], 1, -1))
            self.assert_same(np.diff(sample["active_begin"]), active)
        with self.assertRaises(IndexError):
            dataset[2]  # pylint: disable=pointless-statement
        with self.refuse("complete|manifest|no such"):
            dcn.Dataset(self.folder)


class State(Case):
    """Nothing of an answer is left for the next one."""

    def test_order(self):
        """Scenarios and methods in any order have the answers of a process of their own."""
        recipes = ["topology=dumbbell,flows=60", "topology=leaf-spine,flows=80,cc=hpcc,seed=2",
                   "topology=fat-tree,flows=50,cc=timely"]
        methods = ["packet", "parsimon", "ns3-path", "flowsim", "tcp"]
        scenarios = [dcn.Scenario(recipe) for recipe in recipes]
        first = {}
        asked = list(itertools.product(range(3), methods))
        for scenario, method in asked + asked[::-1] + asked[::2]:
            times = scenarios[scenario].estimate(method).fct_ns
            if (scenario, method) in first:
                self.assert_same(times, first[scenario, method])
            first[scenario, method] = times
        code = "import dcn, sys; print(*dcn.Scenario(sys.argv[1]).estimate(sys.argv[2]).fct_ns)"
        for scenario, method in ((0, "packet"), (1, "packet"), (2, "parsimon")):
            done = subprocess.run([sys.executable, "-c", code, recipes[scenario], method],
                                  capture_output=True, text=True, check=True)
            self.assert_same(np.array(done.stdout.split(), float), first[scenario, method])

    def test_errors(self):
        """A refusal is an exception, and the next answer is as before."""
        scenario = dcn.Scenario(topology="dumbbell", flows=40)
        expected = scenario.estimate("packet").fct_ns
        nodes, links = ["host", "host", "switch"], [(0, 2, 10**10, 1000), (1, 2, 10**10, 1000)]
        flows = [(0, 1, 1000, 0)]
        refusals = [
            (("laod",), lambda: dcn.Scenario(laod=0.5)),
            (("load", "7"), lambda: dcn.Scenario(load=7)),
            (("sweep",), lambda: dcn.Scenario(cc="hpcc,dcqcn")),
            (("pods", "dumbbell"), lambda: dcn.Scenario(topology="dumbbell", pods=3)),
            (("there is no such scenario directory",),
             lambda: dcn.Scenario.from_directory("nowhere")),
            (("pocket", "packet"), lambda: scenario.estimate("pocket")),
            (("WindowCop", "WindowCap"), lambda: scenario.estimate("flowsim", WindowCop=True)),
            (("WindowCap", "perhaps"), lambda: scenario.estimate("flowsim", WindowCap="perhaps")),
            (("twice",), lambda: scenario.compare(["flowsim", "flowsim"])),
            (("truth",), lambda: scenario.compare(["flowsim"], truth="packet")),
            (("size class", "<1KB"), lambda: scenario.estimate("flowsim").quantile(0.5, "tiny")),
            (("between 0 and 1",), lambda: scenario.estimate("flowsim").quantile(99)),
            (("no flow at position 40",), lambda: scenario.path(40)),
            (("row 1", "router"),
             lambda: dcn.Scenario.from_arrays(["host", "router"], links, flows)),
            (("row 1", "node 7"),
             lambda: dcn.Scenario.from_arrays(nodes, [links[0], (7, 2, 10**10, 0)], flows)),
            (("row 0", "rate_bps", "0"),
             lambda: dcn.Scenario.from_arrays(nodes, [(0, 2, 0, 0), links[1]], flows)),
            (("row 0", "node 9"),
             lambda: dcn.Scenario.from_arrays(nodes, links, [(0, 9, 1000, 0)])),
            (("row 0", "2", "switch|host"),
             lambda: dcn.Scenario.from_arrays(nodes, links, [(0, 2, 1000, 0)])),
            (("row 1", "size_bytes", "-3"),
             lambda: dcn.Scenario.from_arrays(nodes, links, [flows[0], (0, 1, -3, 0)])),
            (("row 0", "start"),
             lambda: dcn.Scenario.from_arrays(nodes, links, [(0, 1, 1000, -5)])),
            (("row 0", "size_bytes", "1.5"),
             lambda: dcn.Scenario.from_arrays(nodes, links, [(0, 1, 1.5, 0)])),
            (("row 0", "start_ns", "nan"),
             lambda: dcn.Scenario.from_arrays(nodes, links, [(0, 1, 10, float("nan"))])),
            (("row 0", "size_bytes"),
             lambda: dcn.Scenario.from_arrays(nodes, links, [(0, 1, 2**63, 0)])),
            (("shape",), lambda: dcn.Scenario.from_arrays(nodes, links, [(0, 1, 1000)])),
            (("no column", "dst"), lambda: dcn.Scenario.from_arrays(nodes, links, {"src": [0]})),
            (("prio", "no effect"), lambda: dcn.Scenario.from_arrays(
                nodes, links, {"src": [0], "dst": [1], "size_bytes": [1], "start_ns": [0],
                               "prio": [1]})),
            (("different lengths",), lambda: dcn.Scenario.from_arrays(
                nodes, links, {"src": [0], "dst": [1, 1], "size_bytes": [1], "start_ns": [0]})),
            (("flow",), lambda: dcn.Scenario.from_arrays(nodes, links, [])),
            (("windw",), lambda: dcn.Scenario.from_arrays(nodes, links, flows,
                                                          network={"windw": 1})),
            (("cubic",), lambda: dcn.Scenario.from_arrays(nodes, links, flows, cc="cubic")),
            (("paths", "9"), lambda: dcn.Scenario.from_arrays(nodes, links, flows,
                                                              paths={0: [0, 9, 1]})),
            (("engine",), lambda: dcn.FlowNetwork("parsimon", dcn.Network(topology="dumbbell"))),
            (("dcn.Network",), lambda: dcn.FlowNetwork("packet", "dumbbell")),
            (("load", "no flows"), lambda: dcn.Network(load=0.5)),
            (("seed", "-1"), lambda: dcn.Scenario.from_arrays(nodes, links, flows, seed=-1)),
            (("flow", "'a'"), lambda: scenario.path("a")),
            (("seeds",), lambda: dcn.sweep(["flowsim"], seed=[1, 2])),
            (("seeds",), lambda: dcn.sweep(["flowsim"], seeds=0)),
            (("processes",), lambda: dcn.sweep(["flowsim"], processes=0)),
            (("load",), lambda: dcn.sweep(["flowsim"], load=[0.5, 9])),
        ]
        for words, refused in refusals:
            with self.subTest(words=words), self.refuse(*words):
                refused()
            self.assert_same(scenario.estimate("packet").fct_ns, expected)

    def test_numbers(self):
        """A text that is no number is refused for every key, and ends no process."""
        keys = {line.split()[0] for line in dcn.describe_keys().splitlines()
                if line.startswith("    ") and not line.startswith("     ")}
        self.assertIn("load", keys)
        for key in sorted(keys):
            with self.subTest(key=key), self.assertRaises((dcn.Error, MemoryError)):
                scenario = dcn.Scenario(**{key: "1x"})
                scenario.estimate("flowsim")

    def test_left_out(self):
        """A method that refuses is left out with its reason; the truth may not refuse."""
        scenario = dcn.Scenario(topology="leaf-spine", flows=50, load_balancing=1)
        comparison = scenario.compare(["packet", "mql"])
        self.assertEqual(list(comparison.results), ["packet"])
        self.assertIn("mql", comparison.left_out)
        with self.refuse("no method can answer"):
            scenario.compare(["mql"])
        with self.refuse("truth mql cannot answer"):
            scenario.compare(["packet", "mql"], truth="mql")


class Tables(Case):
    """Tables, sweeps and annotations."""

    def test_sweep(self):
        """Rows do not depend on processes, and are those of comparisons."""
        keys = {"topology": "dumbbell", "flows": 60, "cc": ["dctcp", "hpcc"], "load": [0.3, 0.6]}
        tables = [dcn.sweep(["packet", "flowsim"], seeds=2, processes=n, **keys) for n in (1, 3)]
        for table in tables:
            del table["wall_s"]
        self.assertEqual(repr(tables[0]), repr(tables[1]))  # nan is not equal to itself
        chosen = tables[0].select(cc="hpcc", load=0.6, seed=2, size_class="all")
        self.assertEqual(chosen["method"], ["packet", "flowsim"])
        alone = dcn.Scenario(topology="dumbbell", flows=60, cc="hpcc", load=0.6, seed=2)
        comparison = alone.compare(["packet", "flowsim"])
        for column in ("p50_slowdown", "p99_slowdown", "mean_slowdown"):
            self.assertEqual(chosen[column], comparison[column])
        self.assertEqual(chosen["p99_error"][1], comparison["p99_error"][1])

    def test_failures(self):
        """A scenario that fails does not stop the others, and its reason is told."""
        with self.assertWarnsRegex(UserWarning, "k=3|odd|even|pods"):
            table = dcn.sweep(["flowsim"], topology="fat-tree", flows=20, pods=[3, 4], processes=2)
        self.assertEqual(set(table["pods"]), {4})
        with warnings.catch_warnings(), self.refuse("no scenario has an answer"):
            warnings.simplefilter("ignore")
            dcn.sweep(["flowsim"], topology="fat-tree", flows=20, pods=[3, 5])

    def test_pandas(self):
        """pandas takes every table as it is."""
        comparison = dcn.Scenario(topology="dumbbell", flows=50).compare(["packet", "flowsim"])
        lengths = {"rows": comparison.n_rows(), "slowdowns": 50, "fcts": 50}
        tables = {"rows": comparison, "slowdowns": comparison.slowdowns(),
                  "fcts": comparison.fcts()}
        for name, table in tables.items():
            self.assertEqual({len(column) for column in table.values()}, {lengths[name]})
            self.assertEqual(len(str(table).splitlines()), 1 + min(lengths[name], 41))
        slowdowns = tables["slowdowns"]
        self.assertTrue((slowdowns["packet"] >= 1).all())
        self.assert_same(slowdowns["packet"],
                         tables["fcts"]["packet"] / slowdowns["ideal_ns"])
        comparison.to_csv(f"{self.folder}/table.csv")
        self.assertEqual(read(f"{self.folder}/table.csv")["method"], ["packet", "flowsim"])
        if importlib.util.find_spec("pandas") is None:
            self.skipTest("there is no pandas")
        import pandas  # pylint: disable=import-outside-toplevel
        for name, table in tables.items():
            frame = pandas.DataFrame(table)
            self.assertEqual((len(frame), list(frame)), (lengths[name], list(table)))
        frame = pandas.DataFrame(dcn.Scenario(topology="dumbbell", flows=50).flows)
        columns = frame[["src", "dst", "size_bytes", "start_ns"]]
        network = dcn.Network(topology="dumbbell")
        self.assert_same(network.scenario(columns).estimate("packet").fct_ns,
                         comparison.results["packet"].fct_ns)

    def test_warnings(self):
        """A model outside of its training issues its warning, and limits hold its p99."""
        scenario = dcn.Scenario(topology="dumbbell", flows=400, hostRate="1Mbps",
                                fabricRate="1Mbps")
        with self.assertWarnsRegex(UserWarning, "outside of the training"):
            result = scenario.estimate("m4")
        self.assertTrue(result.warnings)
        scenario = dcn.Scenario(flows=2000, seed=2)
        for result in (scenario.estimate("m3", NPaths=40), scenario.estimate("m4")):
            rows = result.limits.select(size_class="all").rows()
            self.assertIn("draw" if result.method.startswith("m3") else "model",
                          [row["kind"] for row in rows] or ["model"])  # a card may have none
            for row in rows:
                self.assertLess(row["low"], row["high"])
                if row["kind"] == "model":
                    self.assertEqual(row["p99"], result.quantile(0.99))

    def test_help(self):
        """Everything public has a text and hints of types that can be read."""
        import inspect  # pylint: disable=import-outside-toplevel
        import typing  # pylint: disable=import-outside-toplevel
        for name in dcn.__all__:
            thing = getattr(dcn, name)
            self.assertTrue(getattr(thing, "__doc__", None), name)
            members = [(name, thing)]
            if inspect.isclass(thing) and thing.__module__ != "dcn._core":
                members = [(f"{name}.{each}", value) for each, value in vars(thing).items()
                           if not each.startswith("_")]
            for member, value in members:
                value = getattr(value, "fget", None) or getattr(value, "__func__", value)
                if inspect.isfunction(value):
                    self.assertTrue(value.__doc__, member)
                    if sys.version_info >= (3, 9):
                        hints = typing.get_type_hints(value)
                        self.assertIn("return", hints, member)


class Networks(Case):
    """Flows that are added while the simulation runs."""

    def test_same_flows(self):
        """The flows of a scenario have the times of the method, where the note says nothing."""
        scenario = dcn.Scenario(topology="dumbbell", flows=80, hostsPerRack=4)
        flows = scenario.flows
        n_same = 0
        for engine in ("packet", "flowsim", "m4"):
            with dcn.FlowNetwork(engine, scenario) as net:
                for row in flows.rows():
                    net.add_flow(row["src"], row["dst"], row["size_bytes"], row["start_ns"])
                done = net.run()
                self.assertEqual((done.n_rows(), net.n_active), (80, 0))
                times = np.empty(80)
                times[done["flow"]] = done["fct_ns"]
                if not net.note:
                    self.assert_same(times, scenario.estimate(engine).fct_ns)
                    n_same += 1
        self.assertGreater(n_same, 0)

    def test_loop(self):
        """A closed loop, in one run or many, on all engines; time goes on."""
        network = dcn.Network(topology="dumbbell", hostsPerRack=2)
        for engine in ("packet", "flowsim", "m4"):
            ends = []
            for until in ([400_000], range(7_000, 400_001, 3_000)):
                with dcn.FlowNetwork(engine, network) as net:
                    net.on_completion = lambda flow, fct_ns, net=net: net.add_flow(0, 2, 20_000)
                    net.add_flow(0, 2, 20_000)
                    parts = [net.run(until_ns=time) for time in until]
                    ends.append([end for part in parts for end in part["end_ns"]])
                    self.assertEqual(net.now_ns, 400_000)
                    self.assertEqual(net.n_active, 1)
            self.assertEqual(*ends)
            self.assertGreater(len(ends[0]), 5)

    def test_exceptions(self):
        """An exception of a function ends run; the simulation goes on with nothing lost."""
        network = dcn.Network(topology="dumbbell", hostsPerRack=4)
        for engine in ("packet", "flowsim"):
            with dcn.FlowNetwork(engine, network) as net:
                seen = []

                def complain(flow, _, seen=seen):
                    seen.append(flow)
                    raise KeyError(flow)

                net.on_completion = complain
                for i in range(4):  # all of them end at one instant
                    net.add_flow(i, 4 + i, 5_000)
                for _ in range(4):
                    with self.assertRaises(KeyError):
                        net.run()
                self.assertEqual(sorted(net.run()["flow"]), [0, 1, 2, 3])
                self.assertEqual(sorted(seen), [0, 1, 2, 3])
                called = []
                net.call_at(net.now_ns + 10, lambda: called.append(1 / 0))
                net.call_at(net.now_ns + 10, lambda called=called: called.append(2))
                with self.assertRaises(ZeroDivisionError):
                    net.run()
                net.run()
                self.assertEqual(called, [2])

    def test_inside(self):
        """Estimates inside of a run leave it as it is; networks of its functions are refused."""
        scenario = dcn.Scenario(topology="dumbbell", flows=40)
        expected = scenario.estimate("packet").fct_ns

        def simulate(ask):
            with dcn.FlowNetwork("packet", scenario.network) as net:
                net.on_completion = lambda flow, fct_ns: ask(net, True)
                for i in range(10):
                    net.add_flow(i, 10 + (i * 3) % 10, 30_000 + i, 500 * i)
                first = net.run(until_ns=20_000)
                ask(net, False)
                return [first.rows(), net.run().rows()]

        def ask(net, is_running):
            self.assert_same(scenario.estimate("packet").fct_ns, expected)
            if is_running:
                for refused in (net.close, net.run,
                                lambda: dcn.FlowNetwork("packet", scenario.network)):
                    with self.refuse("running"):
                        refused()

        self.assertEqual(simulate(ask), simulate(lambda *_: None))
        self.assert_same(scenario.estimate("packet").fct_ns, expected)

    def test_end(self):
        """A closed network says so; a new one closes the one before; time begins at 0."""
        network = dcn.Network(topology="dumbbell")
        old = dcn.FlowNetwork("packet", network)
        old.add_flow(0, 10, 1_000)
        old.run()
        self.assertGreater(old.now_ns, 0)
        new = dcn.FlowNetwork("packet", network)
        self.assertEqual(new.now_ns, 0)
        for use in (old.run, lambda: old.add_flow(0, 10, 1), lambda: old.n_active):
            with self.refuse("closed"):
                use()
        new.close()
        new.close()
        net = dcn.FlowNetwork("packet", network)
        for words, refused in [(("node 99",), lambda: net.add_flow(0, 99, 10)),
                               (("switch",), lambda: net.add_flow(0, 20, 10)),
                               (("size_bytes",), lambda: net.add_flow(0, 10, 0)),
                               (("size_bytes",), lambda: net.add_flow(0, 10, 1.5)),
                               (("src", "None"), lambda: net.add_flow(None, 10, 10)),
                               (("size|large",), lambda: net.add_flow(0, 10, 2**62)),
                               (("cannot start at -5",), lambda: net.add_flow(0, 10, 1, -5)),
                               (("past",), lambda: net.call_at(-1, print)),
                               (("past",), lambda: net.run(-1)),
                               (("connection",), lambda: net.add_message(5, 10)),
                               (("no link",), lambda: net.fail_link(0, 1))]:
            with self.subTest(words=words), self.refuse(*words):
                refused()
        net.close()

    def test_messages(self):
        """Messages of a connection come one after the other; acknowledgements follow."""
        with dcn.FlowNetwork("packet", dcn.Network(topology="dumbbell")) as net:
            heard = []
            net.on_completion = lambda flow, fct_ns: heard.append(("done", flow))
            net.on_acknowledgement = lambda flow, time_ns: heard.append(("acknowledged", flow))
            connection = net.connect(0, 10)
            numbers = [net.add_message(connection, 10_000) for _ in range(3)]
            net.run()
            for kind in ("done", "acknowledged"):
                self.assertEqual([flow for each, flow in heard if each == kind], numbers)
            for flow in numbers:
                self.assertLess(heard.index(("done", flow)), heard.index(("acknowledged", flow)))

    def test_links(self):
        """A slower link takes longer; a flow waits for a failed one without a detour."""
        for engine in ("packet", "flowsim", "m4"):
            times = []
            for rate in (None, 1_000_000_000):
                with dcn.FlowNetwork(engine, dcn.Network(topology="dumbbell")) as net:
                    switch = net.network.links["b"][0]
                    if rate:
                        net.set_link_rate(0, switch, rate)
                    net.add_flow(0, 10, 1_000_000)
                    times.append(net.run()["fct_ns"][0])
                    net.add_flow(0, 10, 1_000_000)
                    net.fail_link(0, switch)
                    net.call_at(net.now_ns + 50_000_000, lambda: net.repair_link(0, switch))
                    self.assertEqual(len(net.run(net.now_ns + 49_000_000)["flow"]), 0)
                    self.assertEqual(net.n_active, 1)
                    late = net.run()["fct_ns"][0] - times[-1] - 50_000_000
                    self.assertLess(abs(late), 0.02 * times[-1])
            self.assertGreater(times[1], 5 * times[0])


class Examples(Case):
    """Examples and the installed package."""

    def test_examples(self):
        """Each example ends well, the closed loop on all engines."""
        folder = ROOT / "python" / "examples"
        for command, word in [(["first.py"], "p99_slowdown"),
                              (["closed_loop.py", "packet"], "packet: "),
                              (["closed_loop.py", "flowsim"], "flowsim: "),
                              (["closed_loop.py", "m4"], "m4: ")]:
            done = subprocess.run([sys.executable, str(folder / command[0]), *command[1:]],
                                  cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(word, done.stdout)

    def test_package(self):
        """The wheel works alone: its libraries and models are its own."""
        if os.environ.get("DCN_FULLNESS") != "EXTENSIVE":
            self.skipTest("the wheel is compiled by --extensive only")
        code = (f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r}); import dcn_build; "
                f"print(dcn_build.build_wheel({self.folder!r}))")
        done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run([sys.executable, "-m", "zipfile", "-e",
                        f"{self.folder}/{done.stdout.strip()}", f"{self.folder}/site"], check=True)
        code = ("import dcn; s = dcn.Scenario(topology='dumbbell', flows=30); "
                "print(dcn.__file__, *s.estimate('m4').fct_ns); "
                "maps = open('/proc/self/maps'); "
                "print(*(line.split()[-1] for line in maps if 'libns3' in line))")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              check=True, cwd=self.folder,
                              env={**os.environ, "PYTHONPATH": f"{self.folder}/site"})
        file, *times = done.stdout.splitlines()[0].split()
        self.assertTrue(file.startswith(self.folder), file)
        self.assert_same(np.array(times, float),
                         dcn.Scenario(topology="dumbbell", flows=30).estimate("m4").fct_ns)
        for library in done.stdout.splitlines()[1].split():
            self.assertTrue(library.startswith(self.folder), library)


def main():
    """Starts the Python of the module with this file, and there the tests."""
    if sys.argv[1:2] != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    if "DCN_IN_PYTHON" not in os.environ:
        interpreter = PROGRAMS / "python" / "interpreter"
        if not interpreter.exists():
            print("python: skipped, as the Python module was not built (pybind11-dev, python3-dev, "
                  "python3-numpy; not in the profile debug)")
            return 0
        path = os.pathsep.join([str(PROGRAMS / "python"), os.environ.get("PYTHONPATH", "")])
        return subprocess.run([interpreter.read_text().strip(), __file__, *sys.argv[1:]],
                              env={**os.environ, "DCN_IN_PYTHON": "1",
                                   "PYTHONPATH": path.rstrip(os.pathsep)}, check=False).returncode
    loader = unittest.defaultTestLoader
    module = sys.modules["__main__"]
    suite = (loader.loadTestsFromNames(sys.argv[2:], module) if sys.argv[2:]
             else loader.loadTestsFromModule(module))
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2).run(suite)
    for test, text in result.failures + result.errors:
        print(f"python: {test}\n{text}")
    for test, reason in result.skipped:
        print(f"python: {test}: skipped, {reason}")
    print(f"python: {result.testsRun} tests, {len(result.failures) + len(result.errors)} failed, "
          f"{len(result.skipped)} skipped")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
