#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tables of the page of m3: what its training needs, and whether it answers what-if questions.

    test/scripts/m3-tables.py trainings --data=A,B,.. --test=C --out=DIR
        Small trainings of the architecture "links" on the data sets A, B, ..: three seeds, a quarter and a half of
        the workloads, and each family of LEFT_OUT left out. Their errors on the networks of the data set C, on
        which none was trained: three tables. What is in DIR is not trained again.
    test/scripts/m3-tables.py what-if --out=DIR
        Sweeps of window, eta, K and PFC on the scenarios of SWEPT: packets with two seeds, and the models m3 and
        m3-links (m3-sweep). Signs and sizes of the changes of the p99 slowdown.

Errors are relative errors of the p99 slowdown of all flows on the paths drawn. Limits are 95 %: percentiles of means of
10,000 draws of scenarios, fixed seed (what-if: changes of a scenario are drawn together). The programs are run by `./dcn run`, or taken from the folder DCN_PROGRAMS.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRAIN = ["--architecture=links", "--correction=0.5", "--pathsPerFabric=40", "--epochs=8", "--averaging=0.998", "--weightDecay=0.05"]
EVALUATE = ["--allTest=true", "--pathsPerFabric=100"]
LEFT_OUT = {  # name of the training: condition and its values (m3-train --leaveOut)
    "no-web-server": ("sizes", ["web-server"]),
    "no-hadoop": ("sizes", ["hadoop", "fb-hdp"]),
    "no-100G": ("host_gbps", ["100", "200"]),
    "no-fat-tree": ("topology", ["fat-tree"]),
}
SEEDS = ["all-1", "all-2", "all-3"]
CURVE = {"quarter": 0.25, "half": 0.5, "all-1": 1}

SWEPT = [  # congestion control, sizes, flows (at most 3.5 million packet-hops), matrix, load; fabrics of 32 hosts, 10 Gb/s
    ("hpcc", "web-server", 7500, "web", 0.5),
    ("hpcc", "hadoop", 1200, "hadoop", 0.4),
    ("hpcc", "google-rpc", 40000, "uniform", 0.6),
    ("hpcc", "web-server", 7500, "incast:16", 0.5),
    ("dctcp", "web-server", 7500, "hadoop", 0.6),
    ("dctcp", "hadoop", 1200, "web", 0.5),
    ("dctcp", "google-rpc", 40000, "incast:16", 0.5),
    ("dctcp", "cache-follower", 1100, "uniform", 0.4),
]
FIXED = "window_bytes=18000,buffer_bytes=200000"
SWEEPS = {  # name: keys of network.csv, values, congestion control that has them, configuration
    "window": ("window_bytes", "9000,18000,36000", None, "buffer_bytes=200000,pfc=1"),
    "eta": ("hpcc_eta", "0.8,0.9,0.95", "hpcc", FIXED + ",pfc=1"),
    "K": ("ecn_kmin_bytes+ecn_kmax_bytes", "10000,20000,40000", "dctcp", FIXED + ",pfc=1"),
    "PFC": ("pfc", "1,0", None, "window_bytes=36000,buffer_bytes=150000"),  # small buffers: with larger ones it has no effect
}
MODELS = ["m3", "m3-links"]
LEAST_CHANGE = 0.05  # of the packets' p99, so that its sign counts
CLOSE = 0.3          # part of the packets' elasticity by which a model's may differ


def fail(text):
    sys.exit(f"m3-tables: {text}")


def run(program, arguments):
    """Runs a program; its output goes to standard error."""
    folder = os.environ.get("DCN_PROGRAMS")
    if folder:
        found = [p for p in pathlib.Path(folder).rglob("*") if p.is_file() and p.name.replace("-optimized", "").endswith(program)]
        if not found:
            fail(f"the folder {folder} has no program {program}")
        words = [str(found[0])]
    else:
        words = [str(ROOT / "dcn"), "run", program]
    if subprocess.run(words + arguments, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode != 0:
        fail(f"{program} {' '.join(arguments)} failed")


def limits(values, groups=None):
    """95 % limits of the mean of values; those of a group depend on each other and are drawn together."""
    parts = {}
    for i, value in enumerate(values):
        parts.setdefault(groups[i] if groups else i, []).append(value)
    parts = [(sum(part), len(part)) for part in parts.values()]
    if len(parts) < 3:
        return math.nan, math.nan
    draw = random.Random(1)
    found = []
    for _ in range(10000):
        drawn = draw.choices(parts, k=len(parts))
        found.append(sum(part[0] for part in drawn) / sum(part[1] for part in drawn))
    found.sort()
    return found[250], found[9749]


def show(values, groups=None):
    """The mean of values in percent, with limits."""
    low, high = limits(values, groups)
    return f"{100 * statistics.fmean(values):5.1f} ({100 * low:.1f} to {100 * high:.1f})"


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


# ---- trainings --------------------------------------------------------------------------------------------------------


def train(out, name, data, options):
    """Trains a model, unless it is there: a card gets its errors when the training ends."""
    card = out / name / "card.json"
    if not card.exists() or "errors" not in json.load(open(card)):
        run("m3-train", TRAIN + [f"--data={data}", f"--out={out / name}"] + options)


def trainings(data, test, out):
    plan = {name: [f"--seed={i + 1}"] for i, name in enumerate(SEEDS)}
    plan.update({name: [f"--share={share}"] for name, share in CURVE.items() if share < 1})
    plan.update({name: [f"--leaveOut={key}:{'+'.join(values)}"] for name, (key, values) in LEFT_OUT.items()})
    for name, options in plan.items():
        train(out, name, data, options)
    errors = out / "errors.csv"
    if not errors.exists():
        folders = ",".join(str(out / name) for name in plan)
        run("m3-train", EVALUATE + [f"--data={test}", f"--evaluate={folders}", f"--errors={errors}"])
    rows = read(errors)

    def of(name, size_class="all", chosen=lambda row: True):
        """Errors of a model by network."""
        return {row["network"]: row for row in rows
                if row["model"].split("/")[-1] == name and row["size_class"] == size_class and chosen(row)}

    def absolute(found, column="model_error"):
        return [abs(float(row[column])) for row in found.values()]

    print("\nfamily left out             n  base                 in training          left out             difference           noise")
    for name, (key, values) in LEFT_OUT.items():
        for inside in (True, False):
            def chosen(row):
                return (row[key] in values) == inside
            there, missing = of("all-1", chosen=chosen), of(name, chosen=chosen)
            worse = [abs(float(missing[i]["model_error"])) - abs(float(there[i]["model_error"])) for i in there]
            print(f"{(key + ' ' + '+'.join(values)) if inside else '  all others':26s} {len(there):3d}  {show(absolute(there, 'base_error')):20s} "
                  f"{show(absolute(there)):20s} {show(absolute(missing)):20s} {show(worse):20s} {100 * statistics.fmean(absolute(there, 'noise')):5.1f}")
    for title, names in (("seed of the training", SEEDS), ("workloads for training", list(CURVE))):
        print(f"\n{title:22s}  sizes      n  mean |error|         with sign   base                 noise")
        for size_class in ("all", "<1KB"):
            means = []
            for name in names:
                found = of(name, size_class)
                signed = statistics.fmean(float(row["model_error"]) for row in found.values())
                means.append(100 * statistics.fmean(absolute(found)))
                print(f"{name:22s}  {size_class:6s}  {len(found):4d}  {show(absolute(found)):20s} {100 * signed:+8.1f}    "
                      f"{show(absolute(found, 'base_error')):20s} {100 * statistics.fmean(absolute(found, 'noise')):5.1f}")
            if names == SEEDS:
                print(f"{'scatter by seed':22s}  {size_class:6s}        {statistics.fmean(means):5.1f} +- {statistics.stdev(means):.1f}")


# ---- what if ----------------------------------------------------------------------------------------------------------


def sweep(out, number, name, model):
    """Percentiles of a sweep: by method, size class and value."""
    control, sizes, flows, matrix, load = SWEPT[number]
    key, values, _, fixed = SWEEPS[name]
    folder = out / f"{number}-{name}-{model}"
    if not (folder / "sweep.csv").exists():
        truth = ["--truth=1", "--truthSeeds=2"] if model == MODELS[0] else []
        run("m3-sweep", [f"--cc={control}", f"--sizes={sizes}", f"--flows={flows}", f"--matrix={matrix}", f"--load={load}",
                         f"--seed={801 + number}", f"--network={fixed}", f"--key={key}", f"--values={values}",
                         f"--model={model}", f"--out={folder}"] + truth)
    found = {}
    for row in read(folder / "sweep.csv"):
        found.setdefault((row["method"], row["size_class"]), {})[row["value"]] = float(row["slowdown"])
    return found


def what_if(out):
    print("\nmodel     sweep     changes  sign right          elasticity within 30 %  too small  too large")
    for model in MODELS:
        total = []
        for name, (_, values, control, _) in SWEEPS.items():
            kept = []
            for number, scenario in enumerate(SWEPT):
                if control and scenario[0] != control:
                    continue
                truth, answer = sweep(out, number, name, MODELS[0]), sweep(out, number, name, model)
                for size_class in sorted({c for _, c in truth}):
                    first, second = truth.get(("packet", size_class)), truth.get(("packet (seed 2)", size_class))
                    mine = answer.get(("m3", size_class))
                    pairs = values.split(",")
                    for a, b in zip(pairs, pairs[1:]):
                        if not (first and second and mine and all(v in t for v in (a, b) for t in (first, second, mine))):
                            continue
                        changes = [math.log(t[b] / t[a]) for t in (first, second)]
                        change = statistics.fmean(changes)
                        # the change has to be larger than what another seed makes of it
                        if abs(math.expm1(change)) > LEAST_CHANGE and abs(change) > abs(changes[0] - changes[1]):
                            kept.append((math.log(mine[b] / mine[a]) / change, number))
            total += kept
            report(model, name, kept)
        report(model, "all", total)


def report(model, name, kept):
    """Prints a row: ratios of a model's to the packets' change of logarithms, which are those of elasticities."""
    if not kept:
        print(f"{model:9s} {name:8s} {0:8d}")
        return

    def share(is_so):
        return [1.0 if is_so(ratio) else 0.0 for ratio, _ in kept]
    scenarios = [number for _, number in kept]
    print(f"{model:9s} {name:8s} {len(kept):8d}  {show(share(lambda r: r > 0), scenarios):20s} "
          f"{show(share(lambda r: abs(r - 1) <= CLOSE), scenarios):25s} "
          f"{100 * statistics.fmean(share(lambda r: r < 1 - CLOSE)):8.0f} % {100 * statistics.fmean(share(lambda r: r > 1 + CLOSE)):8.0f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=["trainings", "what-if"])
    parser.add_argument("--data", help="data sets to train on, joined by commas")
    parser.add_argument("--test", help="data set for the errors")
    parser.add_argument("--out", required=True, help="folder of models and sweeps")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    if options.table == "what-if":
        what_if(out)
    elif not options.data or not options.test:
        parser.error("trainings needs --data and --test")
    else:
        trainings(options.data, options.test, out)


if __name__ == "__main__":
    main()
