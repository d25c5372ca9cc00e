#! /usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Measures how far models of m3 and m4 are off inside and outside of their training, for their cards.

    test/scripts/expected-errors.py --out=DIR           measures and prints the tables
    test/scripts/expected-errors.py --out=DIR --write   writes them into data/models/*/card.json, too
    test/scripts/expected-errors.py --model=m3-links .. only one model: after it was trained anew

dcn-validate prints how many scenarios of a suite have their p99 slowdowns within the margins.

The scenarios are those of the suite "anywhere", seed 5 (dcn-validate), on which nothing is chosen. A scenario is outside for a
method if the method warned of a quantity. Two sections of a card are written. "expected p99 error":
by congestion control, the mean |error of the p99 slowdown| inside and outside, with the numbers of
scenarios (DcnTrainedRanges::DescribeExpectedError). "p99 margins": by congestion control and size
class, factors of the estimate between which the packet engine's p99 of a further scenario is with a
probability of 90 % (split conformal prediction, DcnTrainedRanges::GetMargins). Stored results are
not simulated again.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONTROLS = ["dctcp", "dcqcn", "timely", "hpcc"]
METHODS = {"m3": "m3", "m3:Model=m3-links": "m3-links", "m4": "m4"}  # name of the method: folder of its model
VALIDATE = ["--suite=anywhere", "--seed=5", "--packetHops=3000000"]
OUTSIDE = "outside the training"  # in the provenance of an answer
FEWEST = 3      # scenarios of a mean
MISSED = 0.1    # share of the scenarios that a margin may miss
FEWEST_FLOWS = 100  # of a size class, so that its p99 is not its largest flow
ERRORS = "expected p99 error"
MARGINS = "p99 margins"


def read(path):
    """Returns the rows of validate.csv of METHODS with an error: method, class, control, outside, truth, estimate."""
    rows = []
    with open(path) as file:
        for row in csv.DictReader(file):
            if row["method"] in METHODS and row["p99_error"] != "nan" and int(row["class_flows"]) >= FEWEST_FLOWS:
                rows.append((row["method"], row["size_class"], row["cc"], OUTSIDE in row["provenance"],
                             float(row["truth_p99_slowdown"]), float(row["p99_slowdown"])))
    return rows


def describe(method):
    """Returns the command that measures a method, for its card."""
    return "test/scripts/expected-errors.py, " + " ".join(VALIDATE + [f"--methods={method}"])


def measure(out, methods):
    """Returns the rows of all scenarios."""
    command = [os.path.join(ROOT, "dcn"), "run", "dcn-validate", f"--out={out}", "--methods=" + ",".join(methods)] + VALIDATE
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit("dcn-validate failed")
    return read(os.path.join(out, "validate.csv"))


def summarise(rows, method):
    """Returns the entries of errors; a mean of few scenarios is that of all controls, or is left out."""
    entries = {"what": "mean |error| of the p99 slowdown, and number of scenarios; a scenario is outside if the "
                       "method warned; where fewer than three of a control are, the mean is that of all controls, if these are three",
               "command": describe(method)}
    mine = [(control, outside, abs(estimate / truth - 1))
            for m, name, control, outside, truth, estimate in rows if m == method and name == "all"]
    for control in CONTROLS:
        for place, is_outside in (("inside", False), ("outside", True)):
            pooled = [e for _, o, e in mine if o == is_outside]
            errors = [e for c, o, e in mine if o == is_outside and c == control]
            used = errors if len(errors) >= FEWEST else pooled
            if len(used) >= FEWEST:
                entries[f"{control} {place}"] = round(sum(used) / len(used), 3)
                entries[f"{control} {place}, scenarios"] = len(errors)
    return entries


def get_margin(ratios):
    """Returns factors between which a further ratio is with a probability of 1 - MISSED; None for too few ratios."""
    k = math.floor((len(ratios) + 1) * MISSED / 2)
    if k < 1:
        return None
    ordered = sorted(ratios)
    return ordered[k - 1], ordered[-k]


def find_margins(rows, method):
    """Returns the entries of margins: low:high:scenarios."""
    entries = {"what": "factors of an estimated p99 slowdown between which that of packets is with a probability of 90 %, "
                       "and number of scenarios (split conformal prediction)",
               "command": describe(method)}
    for control in CONTROLS:
        for name in sorted({row[1] for row in rows}):
            ratios = [truth / estimate for m, n, c, _, truth, estimate in rows if (m, n, c) == (method, name, control)]
            margin = get_margin(ratios)
            if margin:
                low, high = math.floor(1000 * margin[0]) / 1000, math.ceil(1000 * margin[1]) / 1000
                entries[f"{control} {name}"] = f"{low:.3f}:{high:.3f}:{len(ratios)}"
    return entries


def card_path(method):
    return os.path.join(ROOT, "data", "models", METHODS[method], "card.json")


def write(method, sections):
    """Puts sections at the end of the shipped model's card, in place of earlier ones."""
    card = json.load(open(card_path(method)))
    for name, entries in sections.items():
        card.pop(name, None)
        card[name] = entries
    with open(card_path(method) + ".part", "w") as file:
        json.dump(card, file, indent=2)
        file.write("\n")
    os.replace(card_path(method) + ".part", card_path(method))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="folder for the runs")
    parser.add_argument("--write", action="store_true", help="write the cards")
    parser.add_argument("--model", choices=METHODS.values(), help="only this model")
    options = parser.parse_args()
    methods = [method for method, model in METHODS.items() if options.model in (None, model)]
    rows = measure(options.out, methods)
    for method in methods:
        errors = summarise(rows, method)
        margins = find_margins(rows, method)
        print(f"{METHODS[method]:8s} inside (n)      outside (n)      p99 of packets / estimate")
        for control in CONTROLS:
            print(f"  {control:6s}", end="")
            for place in ("inside", "outside"):
                value = errors.get(f"{control} {place}")
                n = errors.get(f"{control} {place}, scenarios", 0)
                print(f"  {'-' if value is None else f'{100 * value:.1f} %':>8s} ({n})", end="")
            print(f"      {margins.get(f'{control} all', '-')}")
        if options.write:
            write(method, {ERRORS: errors, MARGINS: margins})


if __name__ == "__main__":
    main()
