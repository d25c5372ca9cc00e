#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The published figures of dcn, measured by the programs and kept in one file: doc/claims.csv.

Usage, in the root of the repository:

    test/scripts/claims.py list                  the experiments, their cost and their commands (doc/claims-commands.csv)
    test/scripts/claims.py measure EXPERIMENT... run experiments and write their rows of doc/claims.csv
    test/scripts/claims.py measure all           every experiment, the longest last: all figures of one revision
    test/scripts/claims.py check                 compare the pages with doc/claims.csv (./dcn test runs it)

An experiment on a suite of dcn-validate also writes its rows of the scoreboard: doc/scoreboard.csv (a row for each
suite and method), doc/scoreboard-methods.csv (a row for each method, a column for each suite), doc/scoreboard-kinds.csv
(errors by congestion control, topology and rate) and the picture doc/figures/scoreboard.png. The experiment scales
draws doc/figures/scales.png. The pages show these files as they are.

The column *of* says of which packet engine and model a row is: the engine's digest, then, for a learned method, the
checksum of its weights. A row that is not of the present ones is out of date.

A page cites a figure as `13.0 % [networks.m3.p99]`: the number, its unit, and the name of the claim.
`check` fails

- where a page cites a number that is not the value in doc/claims.csv, rounded as the page rounds it;
- where a cited claim has no row, or a row belongs to no claim of this script;
- where a page cites or shows figures that are out of date, and does not have the sentence OUT_OF_DATE;
- where an experiment that takes seconds gives another value than its row has;
- where README shows another answer of dcn-compare or of the program in scratch/ than they give;
- where the errors by kind of network in doc/methods.rst are not those of the suite dcn-accuracy.

Options: --out=DIR is where experiments write (default results/claims; a run that was stopped goes on there).
The programs are run by `./dcn run`, or taken from the folder DCN_PROGRAMS, with the profile DCN_PROFILE.
"""

import argparse
import csv
import datetime
import json
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "doc" / "claims.csv"
COMMANDS = ROOT / "doc" / "claims-commands.csv"
COLUMNS = ["claim", "figure", "published", "value", "unit", "low", "high", "noise", "n", "measured", "of"]
BOARD = ROOT / "doc" / "scoreboard.csv"
KINDS = ROOT / "doc" / "scoreboard-kinds.csv"
BY_METHOD = ROOT / "doc" / "scoreboard-methods.csv"
PICTURE = ROOT / "doc" / "figures" / "scoreboard"
SCALES_PICTURE = ROOT / "doc" / "figures" / "scales"
OUT_OF_DATE = "Figures of an earlier packet engine or model are on this page"
CITATION = re.compile(r"([-+]?\d[\d,]*(?:\.\d+)?)(?: (%|x|s))?\s+\[([a-z0-9-]+\.[a-z0-9.-]+)\]$")
NAME = re.compile(r"\[([a-z0-9-]+\.[a-z0-9.-]+)\]")

DENSE_RULES = (
    "pods=4,racks_per_pod=8,hosts_per_rack=8,flows=3000,spines_per_plane=2+4+8,load_rule=exact,buffer_kib=320:500,"
    "switch_rate_bps=10000000000,sizes=web-server+hadoop+cache-follower,record=fct"
)
SCENARIOS = 18  # of a suite: every pair of levels of its factors comes once
VALIDATED = {  # name in claims: method of dcn-validate
    "packet": "packet",
    "flowsim": "flowsim",
    "flowsim-capped": "flowsim:WindowCap=true",
    "ns3-path": "ns3-path:Jobs=1:NPaths=1000:PreEstimate=parsimon/Threads=1:WholeAbove=1000000",
    "parsimon": "parsimon:Threads=1",
    "parsimon-clustered": "parsimon:Threads=1:Clustering=true",
    "m3": "m3:Threads=1",
    "m3-links": "m3:Threads=1:Model=m3-links",
    "m4": "m4",
}


def fail(text):
    sys.exit(f"claims: {text}")


class Value:
    """A measured figure: value, 95 % limits and noise floor of the truth (None where there are none), and its n."""

    def __init__(self, value, low=None, high=None, noise=None, n=None):
        self.value, self.low, self.high, self.noise, self.n = value, low, high, noise, n


def bootstrap(values):
    """95 % limits of the mean of independent values (percentile bootstrap, 10,000 draws, fixed seed)."""
    if len(values) < 3:
        return None, None
    draw = random.Random(1)
    found = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(10000))
    return found[250], found[9749]


def get_engine():
    """Returns the digest of the packet engine's results, as model/base/dcn-origin.h has it."""
    return re.search(r'DCN_RELEASE_ENGINE_DIGEST = "([0-9a-f]+)"', (ROOT / "model/base/dcn-origin.h").read_text())[1]


def get_model(name):
    """Returns the checksum of the weights of a model in data/models."""
    return json.loads((ROOT / "data" / "models" / name / "card.json").read_text())["model"]["weights_checksum"]


def describe_origin(method=None):
    """The packet engine of a figure and, if its method has learned, the model: digest and checksum."""
    return " ".join([get_engine()] + ([get_model(method)] if method in ("m3", "m3-links", "m4") else []))


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


# ---- what is measured -------------------------------------------------------------------------------------------------


def summary_error(method, metric="p99_slowdown", column="relative_error"):
    """A figure of summary.csv of dcn-compare."""

    def find(folder, _):
        for row in read(folder / "summary.csv"):
            if row["method"] == method and row["metric"] == metric and row["size_class"] == "all":
                return Value(100 * float(row[column]) if column == "relative_error" or "error" in metric else float(row[column]))
        fail(f"{folder}/summary.csv has no row of {method}, {metric}")

    return find


def validated(method, column="p99_error", statistic=statistics.fmean, signed=False):
    """A statistic over scenarios of a column of validate.csv, all flows, in percent; noise: the same of a second seed."""

    def values(folder, name):
        found = []
        for row in read(folder / "validate.csv"):
            if row["method"] == name and row["size_class"] == "all" and row[column] != "nan":
                error = 100 * float(row[column])
                found.append(error if signed else abs(error))
        return found

    def find(folder, _):
        errors = values(folder, method)
        if not errors:
            fail(f"{folder}/validate.csv has no error of {method}")
        noise = values(folder, "packet (seed 2)")
        low, high = bootstrap(errors) if statistic is statistics.fmean else (None, None)  # draws know no larger maximum
        return Value(statistic(errors), low, high, statistic(noise) if noise else None, len(errors))

    return find


def dense(method, metric):
    """A row of evaluate.csv of m4-evaluate: all congestion controls and sizes, in percent."""

    def find(folder, _):
        found = {row["method"]: 100 * float(row[metric])
                 for row in read(folder / "evaluate" / "evaluate.csv") if row["group"] == "all"}
        names = [name for name in found if name == method or name.endswith("/" + method)]
        if not names:
            fail(f"{folder}/evaluate/evaluate.csv has no row of {method}: {', '.join(found)}")
        return Value(found[names[0]], noise=found["packet again"])

    return find


def printed(pattern, value=1, noise=None):
    """A number that the experiment's last command prints: groups of the pattern with the value and the noise floor."""

    def find(_, output):
        match = re.search(pattern, output, re.M)
        if not match:
            fail(f"the program did not print {pattern!r}")
        return Value(float(match[value]), noise=float(match[noise]) if noise else None)

    return find


def similarity(_, output):
    """Queues and pairs of links of the model over its calls with similarity, as dcn-mql prints them."""
    calls, pairs = re.search(r"(\d+) model calls for (\d+) queues", output).groups()
    return Value(int(pairs) / int(calls))


def noc_cells(queues, method, column="mape"):
    """An error of a model of networks on chip over the cells of noc-compare, in percent."""

    def find(folder, _):
        row = next(r for r in read(folder / queues / "summary.csv") if r["method"] == method)
        limits = [100 * float(row[f"mape_{end}"]) for end in ("low", "high")] if column == "mape" else [None, None]
        return Value(100 * float(row[column]), *limits, 100 * float(row["noise"]), int(row["cells"]))

    return find


def noc_gain(measure, rate):
    """What the adapted window gains over the published kind of baseline of source throttling, in percent."""

    def find(folder, _):
        values = {r["policy"]: float(r[measure]) for r in read(folder / "noc-throttle.csv") if r["rate"] == rate}
        return Value(100 * (values["threshold-window"] / values["threshold-global-any:0.25:0.125"] - 1))

    return find


def held_out(keep):
    """Mean round-trip error of mql over held-out configurations, in percent, from the table that mql-train wrote when
    the shipped correction was trained (data/models/mql/evaluation.csv); no program is run."""

    def kind(name):  # a configuration without the seeds of its hash and its traffic
        return re.sub(r"_\d+$", "", re.sub(r"ecmp\d+", "ecmp", name))

    def find(_, __):
        rows = read(ROOT / "data" / "models" / "mql" / "evaluation.csv")
        trained = {kind(row["configuration"]) for row in rows if row["held_out"] == "0"}
        chosen = [r for r in rows if r["held_out"] == "1" and keep(kind(r["configuration"]) in trained, r["configuration"])]
        errors = [100 * float(row["mape_mql"]) for row in chosen]
        low, high = bootstrap(errors)
        noise = statistics.fmean(100 * float(row["noise"]) for row in chosen)
        return Value(statistics.fmean(errors), low, high, noise, len(errors))

    return find


def scale_claims():
    """Processor time and error of the p99 slowdown of each method at each scale."""

    def of(hosts, method, metric, column):
        def find(folder, _):
            for row in read(folder / hosts / "summary.csv"):
                if row["method"] == VALIDATED[method].replace(":Threads=1", "") and row["metric"] == metric and row["size_class"] == "all":
                    return Value((100 if column == "relative_error" else 1) * float(row[column]))
            fail(f"{folder}/{hosts}/summary.csv has no row of {method}, {metric}")

        return find

    claims = {f"scales.packet.cpu-{hosts}": (f"packet: processor time, {hosts} hosts", "", "s", of(hosts, "packet", "cpu_s", "value"))
              for hosts in SCALES}
    for method in AT_SCALE:
        for hosts in SCALES:
            claims[f"scales.{method}.cpu-{hosts}"] = (f"{method}: processor time, {hosts} hosts", "", "s",
                                                      of(hosts, method, "cpu_s", "value"))
            claims[f"scales.{method}.p99-{hosts}"] = (f"{method}: error of the p99 slowdown, {hosts} hosts", "", "%",
                                                      of(hosts, method, "p99_slowdown", "relative_error"))
    return claims


def suite_claims(name, methods):
    """Claims of an experiment of dcn-validate: p99 and, where a method answers flow by flow, per-flow errors."""
    claims = {}
    for method in methods:
        full = VALIDATED[method]
        claims[f"{name}.{method}.p99"] = (f"{method}: mean absolute error of the p99 slowdown", "", "%", validated(full))
        claims[f"{name}.{method}.p99-bias"] = (f"{method}: mean error of the p99 slowdown, with sign", "", "%", validated(full, signed=True))
        claims[f"{name}.{method}.p99-worst"] = (f"{method}: largest absolute error of the p99 slowdown", "", "%", validated(full, statistic=max))
        if method in ("flowsim", "flowsim-capped", "parsimon", "parsimon-clustered", "m4"):
            for column, label in (("mean", "mean"), ("p90", "90th percentile of the")):
                claims[f"{name}.{method}.flow-{column}"] = (
                    f"{method}: {label} absolute error of slowdowns of single flows", "", "%", validated(full, f"{column}_abs_flow_error"))
    return claims


def suite_experiment(name, suite, seed, scenarios, packet_hops, cost, methods):
    """An experiment of dcn-validate, with its claims and its rows of the scoreboard."""
    hops = f"--packetHops={packet_hops} " if packet_hops else ""
    command = (f"dcn-validate --suite={suite} --seed={seed} --scenarios={scenarios} {hops}--truthSeeds=2 --jobs=1 "
               f"--methods={','.join(VALIDATED[m] for m in methods)} --out={{out}}")
    return Experiment(f"suite seed {seed}, named before it was run", cost, [command], suite_claims(name, methods),
                      board=methods)


ALL = [method for method in VALIDATED if method != "packet"]
AT_SCALE = ["flowsim", "m3", "m3-links", "m4", "parsimon", "parsimon-clustered"]
SCALES = {  # hosts: options of dcn-compare, all with the sizes of web servers at 50 % load
    "32": "--flows=20000",
    "1024": "--pods=8 --racksPerPod=16 --hostsPerRack=8 --flows=200000",
    "6144": "--pods=8 --racksPerPod=48 --hostsPerRack=16 --flows=1000000",
}
DEFAULT = ["flowsim", "m3", "m4", "parsimon"]
LEARNED_AND_FAST = ["flowsim", "m3", "m3-links", "m4", "parsimon", "parsimon-clustered"]

NOC_CELLS = "noc-compare --hits=1,0.5,0.25 --bursts=0,0.1,0.3 --warmUp=50000 --seed=101 --threads=1"
NOC_QUEUES = {"large": "queues of 16", "small": "egress queues of 8, others of 4"}
PATHS = r"^paths +n .*\nall +\d+ +(?P<flowsim>[\d.]+) +[\d.]+ +(?P<m3>[\d.]+) +(?P<noise>[\d.]+)"  # of m3-train --evaluate


class Experiment:
    """
    seeds: which seeds the figures are of, and whether anything was chosen on them
    cost: processor time, for people; quick: seconds, so that `check` runs it again
    commands: programs and arguments, {out} is the folder of the experiment
    claims: name -> (figure, published value, unit, function (folder, output of the last command) -> Value)
    board: methods of its rows of the scoreboard
    packets: whether its figures depend on the packet engine, so that they are out of date when the engine changes
    """

    def __init__(self, seeds, cost, commands, claims, quick=False, board=(), packets=True):
        self.seeds, self.cost, self.commands, self.claims, self.quick = seeds, cost, commands, claims, quick
        self.board, self.packets = board, packets

    def get_origin(self, claim):
        """Returns the present value of the column *of* of a claim, or of a method's row of the scoreboard."""
        return describe_origin(claim.split(".")[1] if "." in claim else claim) if self.packets else ""


EXPERIMENTS = {
    "default": Experiment(
        "seed 1, looked at", "12 s", [f"dcn-compare --methods=packet,{','.join(DEFAULT)} --out={{out}}"],
        {f"default.{m}.p99": (f"{m}: p99 slowdown error of the default run", "", "%", summary_error(m)) for m in DEFAULT}
        | {"default.packet.p99": ("packet: p99 slowdown of the default run", "", "",
                                  summary_error("packet", column="value"))},
        quick=True),
    "networks": suite_experiment("networks", "network-configurations", 201, SCENARIOS, None, "20 min", ALL),
    "sensitivity": suite_experiment("sensitivity", "sensitivity", 201, SCENARIOS, None, "10 min", LEARNED_AND_FAST),
    "anywhere": suite_experiment("anywhere", "anywhere", 201, 48, 4000000, "10 min", LEARNED_AND_FAST),
    "fast": suite_experiment("fast", "fast", 4, 32, 4000000, "8 min", LEARNED_AND_FAST),
    "small": suite_experiment("small", "small", 4, 32, 1000000, "3 min", LEARNED_AND_FAST),
    "degenerate": suite_experiment("degenerate", "degenerate", 4, 32, 1000000, "3 min", LEARNED_AND_FAST),
    "defaults": suite_experiment("defaults", "defaults", 201, 24, None, "5 min", LEARNED_AND_FAST),
    "scales": Experiment(
        "seed 1, looked at; for costs", "20 min",
        [f"dcn-compare --sizes=web-server {options} --methods=packet,"
         f"{','.join(VALIDATED[method] for method in AT_SCALE)} --out={{out}}/{hosts}".replace(":Threads=1", "")
         for hosts, options in SCALES.items()], scale_claims()),
    "dense": Experiment(
        "data seed 251, named before it was run", "4 min",
        [f"dcn-dataset --kind=fabric --samples=48 --seed=251 --out={{out}}/data --rules={DENSE_RULES}",
         "m4-evaluate --data={out}/data --samples=48 --models={root}/data/models/m4 --noise=true --out={out}/evaluate"],
        {f"dense.{name}.{metric}": (f"{name}: {label}, 256 hosts at 10 Gb/s", published if name == "m4" else "", "%",
                                    dense(method, column))
         for name, method in (("flowsim", "flowsim"), ("flowsim-capped", "flowsim:WindowCap=true"), ("m4", "m4"))
         for metric, column, label, published in (
             ("flow-mean", "mean_abs_flow_error", "mean absolute error of slowdowns of single flows", "7.5"),
             ("flow-p90", "p90_abs_flow_error", "90th percentile of the absolute error of slowdowns of single flows", "19.5"),
             ("p99", "mean_abs_p99_error", "mean absolute error of the p99 slowdown", "13.3"))}),
    "closed-loop": Experiment(
        "suite seed 201, named before it was run", "10 min", ["m4-closed-loop --seed=201 --out={out}"],
        {f"closed-loop.{name}.mean": (f"{name}: mean absolute error of the throughput of closed loops", published, "%",
                                      printed(re.escape(method) + r" +mean \|error\| +([\d.]+) %"))
         for name, method, published in (("flowsim", "flowsim", "28.1"), ("flowsim-capped", "flowsim:WindowCap=true", ""),
                                         ("m4", "m4", "11.5"))}),
    "paths": Experiment(
        "data seeds 281 to 283, named before they were run", "5 min",
        [f"dcn-dataset --kind=path --samples=520 --seed={seed} --out={{out}}/paths-{seed}" for seed in (281, 282, 283)]
        + ["m3-train --data={out}/paths-281,{out}/paths-282,{out}/paths-283 --allTest=true --evaluate={root}/data/models/m3"],
        {"paths.m3.p99": ("m3: mean absolute error of the p99 slowdown of single paths", "", "%", printed(PATHS, "m3", "noise")),
         "paths.flowsim.p99": ("flowsim: mean absolute error of the p99 slowdown of single paths", "", "%", printed(PATHS, "flowsim", "noise"))}),
    "similarity": Experiment(
        "seed 1", "20 s",
        ["dcn-mql --k=20 --split=even --density=0.06 --similarity=0.05"],
        {"similarity.equal-rates": ("mql: queues and pairs over model calls at S_T = 5 %, equal rates", "", "x", similarity)}, packets=False),
    "similarity-random": Experiment(
        "seed 1", "20 s",
        ["dcn-mql --k=20 --split=even --density=0.06 --unequalRates=true --similarity=0.05"],
        {"similarity.random-rates": ("mql: queues and pairs over model calls at S_T = 5 %, random rates", "", "x", similarity)}, packets=False),
    "noc-cells": Experiment(
        "seeds 101 to 103; constants of the models fixed before", "4 min",
        [f"{NOC_CELLS} --out={{out}}/large", f"{NOC_CELLS} --egress=8 --transgress=4 --ingress=4 --out={{out}}/small"],
        {f"noc-cells.{method}.{queues}{end}": (
            f"networks on chip, {method}: {label} absolute error of the request latency, 27 cells, {text}",
            published if queues == "large" and method == "published" else "", "%", noc_cells(queues, method, column))
         for method in ("published", "independent", "closed", "chain") for queues, text in NOC_QUEUES.items()
         for end, column, label, published in (("", "mape", "mean", "6.1"), ("-worst", "max_error", "largest", "13"))}, packets=False),
    "noc-throttling": Experiment(
        "seeds 401 to 405; thresholds tuned on seeds 1 and 2", "2 min",
        ["noc-throttle --policies=threshold-global-any:0.25:0.125,threshold-window --on=0.3 --off=0.15 --rates=0.8,1 --seeds=5 "
         "--seed=401 --threads=1 --out={out}"],
        {f"noc-throttling.{name}-{label}": (
            f"networks on chip: {text} of the window over the tuned global baseline, hit rate 0.7, rate {rate}", published, "%",
            noc_gain(measure, rate))
         for rate, label in (("0.8", "0.8"), ("1", "1"))
         for name, measure, text, published in (("reads", "memory_reads_per_cycle", "gain in memory reads", "64"),
                                                ("transactions", "transactions_per_cycle", "gain in transactions", ""),
                                                ("latency", "transaction_latency", "change in latency", "-30"))}, packets=False),
    "mql-held-out": Experiment(
        "hash seeds 11 and 12, sizes 432 and 1,024: held out of the training; ranges and features chosen with them in view",
        "none: the table of mql-train", [],
        {"mql-held-out.all": ("mql: round-trip error of all held-out configurations", "< 3", "%", held_out(lambda twin, name: True)),
         "mql-held-out.twins": ("mql: of held-out configurations with a twin in the training (other hash and traffic seed)", "", "%",
                                held_out(lambda twin, name: twin)),
         "mql-held-out.others": ("mql: of those without a twin in the training", "", "%", held_out(lambda twin, name: not twin))},
        quick=True, packets=False),
}

# ---- running ----------------------------------------------------------------------------------------------------------


def get_words(command, folder):
    """Returns the words of a program's command line."""
    words = [word.format(out=folder, root=ROOT) for word in command.split()]
    programs = os.environ.get("DCN_PROGRAMS")
    if programs:
        pattern = re.compile(r"(ns3[\d.]*-)?" + re.escape(words[0]) + "(-" + os.environ.get("DCN_PROFILE", "optimized") + ")?")
        found = [path for path in pathlib.Path(programs).rglob("*") if path.is_file() and pattern.fullmatch(path.name)]
        if not found:
            fail(f"the folder {programs} has no program {words[0]}")
        words[0] = str(found[0])
    else:
        words[:1] = [str(ROOT / "dcn"), "run", words[0]]
    return words


def run(command, folder):
    """Runs a program, shows what it says on standard error, and returns what it prints."""
    words = get_words(command, folder)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    sys.stderr.write(done.stdout)
    if done.returncode not in (0, 2):  # 2: some flows did not finish, which the program has said
        fail(f"{' '.join(words)} ended with status {done.returncode}")
    return done.stdout


def measure(name, folder):
    """Returns the rows of an experiment."""
    experiment = EXPERIMENTS[name]
    folder.mkdir(parents=True, exist_ok=True)
    output = ""
    for command in experiment.commands:
        output = run(command, folder)
    rows = []
    for claim, (figure, published, unit, find) in experiment.claims.items():
        found = find(folder, output)
        text = lambda number: "" if number is None or math.isnan(number) else f"{number:.4g}"
        rows.append(dict(zip(COLUMNS, [claim, figure, published, text(found.value), unit, text(found.low), text(found.high),
                                       text(found.noise), found.n or "", datetime.date.today().isoformat(),
                                       experiment.get_origin(claim)])))
    return rows


# ---- the scoreboard ---------------------------------------------------------------------------------------------------

BOARD_COLUMNS = ["experiment", "method", "n", "p99 error", "limits", "bias", "largest", "single flows", "in limits", "noise",
                 "gain", "of"]
KIND_COLUMNS = ["experiment", "method", "DCTCP", "DCQCN", "TIMELY", "HPCC", "kind of network", "rate [Gb/s]", "of"]


def get_board_rows(name, folder):
    """The rows of an experiment on a suite: of the scoreboard, and of its errors by kind. In percent; 'gain' is the packets'
    processor time over the method's."""
    experiment, methods = EXPERIMENTS[name], EXPERIMENTS[name].board
    rows = [row for row in read(folder / "validate.csv") if row["size_class"] == "all"]
    noise = [abs(100 * float(row["p99_error"])) for row in rows if row["method"] == "packet (seed 2)"]
    board, kinds = [], []
    for method in methods:
        of = [row for row in rows if row["method"] == VALIDATED[method]]
        errors = {row["scenario"]: 100 * float(row["p99_error"]) for row in of if row["p99_error"] != "nan"}
        low, high = bootstrap([abs(error) for error in errors.values()])
        flows = [[100 * statistics.fmean(values)] if values else [] for values in (
            [float(row[column]) for row in of if row[column] != "nan"] for column in ("mean_abs_flow_error", "p90_abs_flow_error"))]
        limited = [row for row in of if row["p99_lower"] != "nan"]
        held = [row for row in limited if float(row["p99_lower"]) <= float(row["truth_p99_slowdown"]) <= float(row["p99_upper"])]
        seconds = sum(float(row["cpu_s"]) for row in of)
        mean = lambda values: f"{statistics.fmean(abs(v) for v in values):.1f}" + (
            f" ({statistics.fmean(values):+.1f})" if len(values) > 2 else "")
        board.append(dict(zip(BOARD_COLUMNS, [
            name, method, len(errors), f"{statistics.fmean(map(abs, errors.values())):.1f}",
            f"{low:.1f} to {high:.1f}" if low is not None else "", f"{statistics.fmean(errors.values()):+.1f}",
            f"{max(map(abs, errors.values())):.0f}", " / ".join(f"{v[0]:.1f}" for v in flows if v) if all(flows) else "",
            f"{len(held)} of {len(limited)}" if limited else "", f"{statistics.fmean(noise):.1f}" if noise else "",
            f"{sum(float(row['truth_cpu_s']) for row in of) / seconds:.2g}" if seconds else "", experiment.get_origin(method)])))

        def by(column):  # mean errors of the scenarios with each value of a drawn factor
            groups = {}
            for row in of:
                if row["scenario"] in errors:
                    groups.setdefault(row[column], []).append(errors[row["scenario"]])
            return groups

        controls = by("cc")
        text = lambda groups, order: ", ".join(f"{key} {mean(groups[key])}" for key in sorted(groups, key=order))
        kinds.append(dict(zip(KIND_COLUMNS, [
            name, method, *(mean(controls[cc]) if cc in controls else "" for cc in ("dctcp", "dcqcn", "timely", "hpcc")),
            text(by("topology"), str), text(by("host_gbps"), float), experiment.get_origin(method)])))
    return board, kinds


def write_board(name, folder):
    """Writes an experiment's rows of the scoreboard in place of its earlier ones."""
    for path, columns, rows in zip((BOARD, KINDS), (BOARD_COLUMNS, KIND_COLUMNS), get_board_rows(name, folder)):
        kept = {row["experiment"]: [] for row in (read(path) if path.exists() else [])}
        for row in read(path) if path.exists() else []:
            kept[row["experiment"]].append(row)
        kept[name] = rows
        write(path, columns, [row for experiment in EXPERIMENTS for row in kept.get(experiment, [])])
    write_by_method()
    plot_board()


def write_by_method():
    """Writes the mean absolute error of the p99 (and its mean with sign) of every method on every suite, from the scoreboard."""
    rows = read(BOARD)
    names = list(dict.fromkeys(row["experiment"] for row in rows))
    errors = {(row["method"], row["experiment"]): f"{row['p99 error']} ({row['bias']})" for row in rows}
    noise = {row["experiment"]: row["noise"] for row in rows}
    methods = [method for method in VALIDATED if any((method, name) in errors for name in names)]
    table = [{"method": method} | {name: errors.get((method, name), "") for name in names} for method in methods]
    write(BY_METHOD, ["method", *names], table + [{"method": "packets again"} | {name: noise[name] for name in names}])


def plot(base, lines):
    """Makes BASE.png from lines of gnuplot, the first of which sets the terminal."""
    text = "\n".join([lines[0], f"set output '{base}.png.part'", *lines[1:], "unset output"])
    try:
        subprocess.run(["gnuplot"], input=text, text=True, check=True)
    except FileNotFoundError:
        print(f"claims: without gnuplot there is no {base}.png", file=sys.stderr)
        return
    pathlib.Path(f"{base}.png.part").replace(f"{base}.png")


def plot_board():
    """Plots the mean errors of the scoreboard with their limits: a panel for each experiment (gnuplot)."""
    rows = read(BOARD)
    names = list(dict.fromkeys(row["experiment"] for row in rows))
    methods = [m for m in VALIDATED if any(row["method"] == m for row in rows)]
    height = 40 + 26 * len(methods)
    columns = min(3, len(names))
    lines = [f"set terminal pngcairo size {330 * columns},{(height + 60) * -(-len(names) // columns)} font 'sans,10'",
             "unset key", f"set multiplot layout {-(-len(names) // columns)},{columns}", "set grid x", "set xrange [0:*]",
             "set lmargin 19", "set xtics 10 font ',8'", f"set yrange [{len(methods) - 0.4}:-0.6]",
             "set xlabel 'error of the p99 slowdown [%]'", "set bars small",
             "set ytics (" + ", ".join(f"'{m}' {i}" for i, m in enumerate(methods)) + ")"]
    for name in names:
        of = [row for row in rows if row["experiment"] == name]
        lines.append(f"set title '{name}, {of[0]['n']} scenarios'")
        lines.append("plot '-' using 1:4:2:3 with xerrorbars pt 7 ps 0.9 lc rgb '#1f4e79'")
        for row in of:
            low, high = row["limits"].split(" to ") if row["limits"] else (row["p99 error"], row["p99 error"])
            lines.append(f"{row['p99 error']} {low} {high} {methods.index(row['method'])}")
        lines.append("e")
    plot(PICTURE, lines + ["unset multiplot"])


def plot_scales(rows):
    """Plots seconds and errors of every method at each scale (gnuplot)."""
    lines = ["set terminal pngcairo size 1000,420 font 'sans,10'", "set multiplot layout 1,2", "set grid y",
             "set xtics (" + ", ".join(f"'{int(hosts):,} hosts' {i}" for i, hosts in enumerate(SCALES)) + ")",
             f"set xrange [-0.3:{len(SCALES) - 0.7}]", "set key top left", "set logscale y", "set format y '%g'",
             "set ylabel 'processor time [s]'"]
    colours = ["000000", "999999", "d95f02", "e6ab02", "1b9e77", "1f4e79", "66a6dc"]
    for metric, methods in (("cpu", ["packet", *AT_SCALE]), ("p99", AT_SCALE)):
        lines.append("plot " + ", ".join(
            f"'-' using 1:2 with linespoints pt {7 if method == 'packet' else 5} lw {3 if method == 'packet' else 1.5} "
            f"lc rgb '#{colours[(['packet'] + AT_SCALE).index(method)]}' title '{method}'" for method in methods))
        for method in methods:
            for i, hosts in enumerate(SCALES):
                lines.append(f"{i} {abs(float(rows[f'scales.{method}.{metric}-{hosts}']['value']))}")
            lines.append("e")
        lines += ["unset key", "unset logscale y", "set ylabel '|error of the p99 slowdown| [%]'", "set yrange [0:*]"]
    plot(SCALES_PICTURE, lines + ["unset multiplot"])


def read_table():
    return {row["claim"]: row for row in read(TABLE)} if TABLE.exists() else {}


def list_commands():
    """The rows of doc/claims-commands.csv: what the claims of an experiment (the first part of their names) come from."""
    rows = []
    for name, experiment in EXPERIMENTS.items():
        commands = experiment.commands or ["mql-train (data/models/mql/evaluation.csv)"]
        text = " ; ".join("./dcn run " + command.format(out="DIR", root=".") for command in commands)
        rows.append({"experiment": name, "seeds": experiment.seeds, "processor time": experiment.cost, "commands": text})
    return rows


def write(path, columns, rows):
    part = path.with_suffix(".part")
    with open(part, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    part.replace(path)


def write_tables(rows):
    order = [claim for experiment in EXPERIMENTS.values() for claim in experiment.claims]
    write(TABLE, COLUMNS, [rows[claim] for claim in order if claim in rows])
    commands = list_commands()
    write(COMMANDS, list(commands[0]), commands)


# ---- checking ---------------------------------------------------------------------------------------------------------


def cited_wrongly(text, value):
    """Whether a cited number is not the value, rounded to the digits that the citation has."""
    number = text.replace(",", "")
    digits = len(number.split(".")[1]) if "." in number else 0
    return abs(float(number) - float(value)) > 0.5 * 10**-digits * (1 + 1e-9)


def check_readme(rows):
    """What README shows of two programs: numbers of the default run's table, and all that the scratch program prints."""
    problems = []
    readme = (ROOT / "README.md").read_text()
    shown = re.findall(r"^    ([a-z0-9]+) +[\d.]+ +[\d.]+ +\d+ +[\d.]+x +([\d.]+) +(\(truth\)|[-+][\d.]+%)", readme, re.M)
    if {method for method, _, _ in shown} != {"packet", *DEFAULT}:
        problems.append("README.md: the table of the default run lacks a method")
    for method, p99, error in shown:
        number, row = (p99, rows.get("default.packet.p99")) if method == "packet" else (error[:-1], rows.get(f"default.{method}.p99"))
        if row and cited_wrongly(number, row["value"]):
            problems.append(f"README.md: the default run shows {number} for {method}, but {row['claim']} is {row['value']}")
    printed_now = run("dcn-my-topology", ROOT)
    block = readme.split("$ ./dcn run dcn-my-topology\n")[1].split("\n\n")[0]
    if [line.split() for line in block.splitlines()] != [line.split() for line in printed_now.splitlines()]:
        problems.append(f"README.md: dcn-my-topology now prints\n{printed_now}")
    return problems


def check_kinds():
    """The errors by kind of network in doc/methods.rst, which are those of the suite dcn-accuracy."""
    page = (ROOT / "doc" / "methods.rst").read_text()
    source = (ROOT / "test" / "dcn-accuracy-test-suite.cc").read_text()
    source = source[source.index("GetExpectations()"):]
    head = re.search(r"^scenario((?: +[a-z0-9-]+)+)$", page, re.M)[1].split()
    problems = []
    shown = re.findall(r"^((?:fabric-[a-z]+|dumbbell|incast|parking-lot|fat-tree))((?: +[-+]\d+)+)$", page, re.M)
    if len(shown) != len(re.findall(r"\{\"flowsim\",", source)):
        problems.append("doc/methods.rst: the table by kind of network lacks a scenario of dcn-accuracy")
    for scenario, numbers in shown:
        block = source[source.index(f'{{"{scenario}",'):]
        for method, number in zip(head, numbers.split()):
            name = "m3:Model=m3-links" if method == "m3-links" else method
            value = re.search(r'\{"' + name + r'",\s*\{\{([-\d.]+),', block)[1]
            if abs(int(number) - float(value)) > 0.5 + 1e-9:
                problems.append(f"doc/methods.rst: {method} has {number} on {scenario}, but dcn-accuracy has {value}")
    return problems


def check():
    rows = read_table()
    problems = check_readme(rows) + check_kinds()
    known = {claim for experiment in EXPERIMENTS.values() for claim in experiment.claims}
    problems += [f"doc/claims.csv: {claim} is no claim of test/scripts/claims.py" for claim in rows if claim not in known]
    problems += [f"doc/claims.csv has no row of {claim}: measure its experiment" for claim in sorted(known - set(rows))]
    if not COMMANDS.exists() or read(COMMANDS) != list_commands():
        problems.append("doc/claims-commands.csv is not that of this script: measure any experiment again")
    late = {row["claim"] for row in rows.values() if row["claim"] in known
            and row["of"] != EXPERIMENTS[row["claim"].split(".")[0]].get_origin(row["claim"])}
    shown = set() if not BOARD.exists() else {row["experiment"] for path in (BOARD, KINDS) for row in read(path)
                                              if row["of"] != EXPERIMENTS[row["experiment"]].get_origin(row["method"])}
    cited = 0
    for page in [ROOT / "README.md", ROOT / "CHANGES.md", *sorted(ROOT.glob("doc/**/*.rst")), *sorted(ROOT.glob("contrib/*/doc/*.rst"))]:
        text = page.read_text()
        old = sorted({name[1] for name in NAME.finditer(text)} & late) + (sorted(shown) if "scoreboard" in text else [])
        if old and OUT_OF_DATE not in " ".join(text.split()):
            problems.append(f"{page.relative_to(ROOT)}: {old[0]} is of an earlier packet engine or model (column 'of'): measure its "
                            f"experiment again, or write the sentence '{OUT_OF_DATE}'")
        for name in NAME.finditer(text):
            claim = name[1]
            if claim.split(".")[0] not in EXPERIMENTS and claim not in known:
                continue  # brackets of another kind
            cited += 1
            place = f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, name.start()) + 1}"
            citation = CITATION.search(text[max(0, name.start() - 40) : name.end()])
            if claim not in rows:
                problems.append(f"{place}: there is no claim {claim} in doc/claims.csv")
            elif not citation:
                problems.append(f"{place}: write a number and its unit before [{claim}], as in 13.0 % [{claim}]")
            elif citation[2] != (rows[claim]["unit"] or None) or cited_wrongly(citation[1], rows[claim]["value"]):
                problems.append(f"{place}: {citation[1]} {citation[2] or ''} is cited, but {claim} is "
                                f"{rows[claim]['value']} {rows[claim]['unit']}")
    if not cited:
        problems.append("no page cites a claim")
    for name, experiment in EXPERIMENTS.items():
        if experiment.quick:
            with tempfile.TemporaryDirectory() as folder:
                for row in measure(name, pathlib.Path(folder)):
                    kept = rows.get(row["claim"], {}).get("value", "nan")
                    # Percents within 0.05 points, else four digits: another processor rounds products and sums as one.
                    allowed = 0.05 if row["unit"] == "%" else 2e-3 * abs(float(row["value"]))
                    if not abs(float(kept) - float(row["value"])) <= allowed:
                        problems.append(f"doc/claims.csv: {row['claim']} is {kept}, but the program now gives {row['value']}: "
                                        f"measure the experiment {name} again, and correct the pages")
    for problem in problems:
        print(problem)
    print(f"claims: {cited} citations of {len(rows)} claims checked, {len(problems)} wrong")
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(usage="claims.py list | measure EXPERIMENT... [--out=DIR] | check")
    parser.add_argument("action", choices=["list", "measure", "check"])
    parser.add_argument("experiments", nargs="*")
    parser.add_argument("--out", default=str(ROOT / "results" / "claims"))
    options = parser.parse_args()
    if options.action == "list":
        for row in list_commands():
            print(f"{row['experiment']} ({row['processor time']}; {row['seeds']})")
            print("    " + row["commands"].replace(" ; ", "\n    "))
        return 0
    if options.action == "check":
        return check()
    if options.experiments == ["all"]:
        options.experiments = sorted(EXPERIMENTS, key=lambda name: (not EXPERIMENTS[name].quick, len(EXPERIMENTS[name].board)))
    unknown = [name for name in options.experiments if name not in EXPERIMENTS]
    if unknown or not options.experiments:
        fail(f"{unknown[0] if unknown else 'nothing'} is no experiment; there are: {', '.join(EXPERIMENTS)}")
    for name in options.experiments:
        measured = measure(name, pathlib.Path(options.out) / name)
        write_tables(read_table() | {row["claim"]: row for row in measured})
        if EXPERIMENTS[name].board:
            write_board(name, pathlib.Path(options.out) / name)
        if name == "scales":
            plot_scales(read_table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
