#! /usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Measures how far m3 and m4 are off inside and outside of their training, for their cards.

    test/scripts/expected-errors.py --out=DIR           measures and prints the table
    test/scripts/expected-errors.py --out=DIR --write   writes it into data/models/*/card.json, too

Each of 64 scenarios (congestion control x topology x rate of hosts x two seeds, with drawn load and
sizes; seeds 601 to 664) runs by dcn-compare with packets, m3 and m4. A scenario is outside for a
method if the method warned of a quantity. The section "expected p99 error" of a card has, by
congestion control, the mean |error of the p99 slowdown| inside and outside with the numbers of
scenarios; methods print it with their warnings (DcnTrainedRanges::DescribeExpectedError). Scenarios
that are in DIR already are not simulated again. It takes some ten minutes.
"""

import argparse
import csv
import itertools
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONTROLS = ["dctcp", "dcqcn", "timely", "hpcc"]
TOPOLOGIES = [
    ["--topology=fabric"],
    ["--topology=leaf-spine"],
    ["--topology=fat-tree"],
    ["--topology=dumbbell"],
]
RATES = [["--hostRate=10Gbps"], ["--hostRate=100Gbps"]]
COMMON = ["--methods=packet,m3,m4", "--flows=2000", "--load=0.2:0.7", "--matrix=uniform",
          "--sizes=google-rpc+web-server+cache-follower"]
METHODS = ["m3", "m4"]
FEWEST = 3  # scenarios of a mean
SECTION = "expected p99 error"


def list_scenarios():
    """Yields name, congestion control and options of every scenario."""
    grid = itertools.product(CONTROLS, TOPOLOGIES, RATES, range(2))
    for seed, (control, topology, rate, _) in enumerate(grid, 601):
        options = topology + rate + COMMON + [f"--cc={control}", f"--seed={seed}"]
        if rate == RATES[1] and topology != TOPOLOGIES[2]:
            options.append("--fabricRate=400Gbps" if topology in TOPOLOGIES[:2] else "--fabricRate=100Gbps")
        yield f"{seed}-{control}", control, options


def measure(out):
    """Returns [(control, method, is outside, error of the p99)] of all scenarios."""
    rows = []
    scenarios = list(list_scenarios())
    for i, (name, control, options) in enumerate(scenarios):
        folder = os.path.join(out, name)
        record = os.path.join(folder, "run.json")
        done = os.path.exists(record) and json.load(open(record))["status"] == "complete"
        if not done:
            run = subprocess.run([os.path.join(ROOT, "dcn"), "run", "dcn-compare", f"--out={folder}"] + options,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if run.returncode != 0:
                sys.exit(f"{name}: dcn-compare {' '.join(options)} ended with {run.returncode}: {run.stderr}")
        warned = {answer["method"]: len(answer["warnings"]) > 0 for answer in json.load(open(record))["methods"]}
        with open(os.path.join(folder, "summary.csv")) as file:
            for row in csv.DictReader(file):
                if row["metric"] == "p99_slowdown" and row["size_class"] == "all" and row["method"] in METHODS:
                    rows.append((control, row["method"], warned[row["method"]], abs(float(row["relative_error"]))))
        print(f"{i + 1} of {len(scenarios)} scenarios", end="\r", file=sys.stderr, flush=True)
    return rows


def summarise(rows, method):
    """Returns the entries of the card's section; a mean of few scenarios is that of all controls, or is left out."""
    entries = {"what": "mean |error| of the p99 slowdown, and number of scenarios; a scenario is outside if the "
                       "method warned; where fewer than three of a control are, the mean is that of all controls, if these are three",
               "command": "test/scripts/expected-errors.py, seeds 601 to 664"}
    for control in CONTROLS:
        for place, is_outside in (("inside", False), ("outside", True)):
            errors = [e for c, m, o, e in rows if m == method and o == is_outside and c == control]
            pooled = [e for c, m, o, e in rows if m == method and o == is_outside]
            used = errors if len(errors) >= FEWEST else pooled
            if len(used) >= FEWEST:
                entries[f"{control} {place}"] = round(sum(used) / len(used), 3)
                entries[f"{control} {place}, scenarios"] = len(errors)
    return entries


def write(method, entries):
    """Puts the section at the end of the shipped model's card, in place of an earlier one."""
    path = os.path.join(ROOT, "data", "models", method, "card.json")
    card = json.load(open(path))
    card.pop(SECTION, None)
    card[SECTION] = entries
    with open(path + ".part", "w") as file:
        json.dump(card, file, indent=2)
        file.write("\n")
    os.replace(path + ".part", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="folder for the runs")
    parser.add_argument("--write", action="store_true", help="write the cards")
    options = parser.parse_args()
    rows = measure(options.out)
    for method in METHODS:
        entries = summarise(rows, method)
        print(f"{method:8s} inside (n)      outside (n)")
        for control in CONTROLS:
            print(f"  {control:6s}", end="")
            for place in ("inside", "outside"):
                value = entries.get(f"{control} {place}")
                n = entries.get(f"{control} {place}, scenarios", 0)
                print(f"  {'-' if value is None else f'{100 * value:.1f} %':>8s} ({n})", end="")
            print()
        if options.write:
            write(method, entries)


if __name__ == "__main__":
    main()
