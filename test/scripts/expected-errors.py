#! /usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Measures how far methods are off on held-back scenarios: for the cards of models, and for forecasts.

    test/scripts/expected-errors.py --out=DIR                    measures, and prints the tables
    test/scripts/expected-errors.py --out=DIR --write            writes cards and data/methods/accuracy.csv, too
    test/scripts/expected-errors.py --out=DIR --model=m3-links   only one model: after it was trained anew
    test/scripts/expected-errors.py --tables=A.csv,B.csv ..      takes validate.csv files that are there
    test/scripts/expected-errors.py --card=FOLDER --method=m4:Model=FOLDER ..   a card elsewhere

No model is trained. The scenarios are those of the suites anywhere, small, fast and degenerate, seed 5
(dcn-validate), on which nothing else is chosen; --suites and --seed name others, such as --suites=small
to add a suite later. The regime of a row is its suite (DcnForecast::GetRegime finds that of a scenario).
A scenario is outside for a model if the method warned of a quantity. Stored results are not simulated
again.

Sections of a card. "expected p99 error": by congestion control, the mean |error of the p99 slowdown|
inside and outside, with the numbers of scenarios (DcnTrainedRanges::DescribeExpectedError). "p99
margins" and "p99 margins outside": factors of the estimate between which the packet engine's p99 of a
further scenario is with a probability of 90 % (split conformal prediction, DcnTrainedRanges::SetMargins),
by regime, congestion control ("any": where fewer than 19 scenarios of a control were measured, those of
all) and size class. The lines printed have how often margins of one half of the scenarios hold the truth
in the other half, on average over 40 ways to halve them.

data/methods/accuracy.csv has the mean |error| of every method by regime (method auto, --budget).
"""

import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONTROLS = ["dctcp", "dcqcn", "timely", "hpcc"]
ANY = "any"     # of all controls
METHODS = {"m3": "m3", "m3:Model=m3-links": "m3-links", "m4": "m4"}  # name of the method: folder of its model
OTHERS = ["parsimon", "parsimon:Clustering=true", "flowsim"]         # without a card
SUITES = ["anywhere", "small", "fast", "degenerate"]
OUTSIDE = "outside the training"  # in the provenance of an answer
FEWEST = 3      # scenarios of a mean
MISSED = 0.1    # share of the scenarios that a margin may miss
SPLITS = 40     # into halves, for the coverage
FEWEST_FLOWS = 100  # of a size class, so that its p99 is not its largest flow
ERRORS = "expected p99 error"
MARGINS = "p99 margins"
MARGINS_OUTSIDE = "p99 margins outside"
ACCURACY = os.path.join("data", "methods", "accuracy.csv")
ACCURACY_HEADER = ["regime", "method", "p99_error", "scenarios", "seed"]


def read(path):
    """Returns the answers of validate.csv with an error, as dictionaries."""
    rows = []
    with open(path) as file:
        for row in csv.DictReader(file):
            # another method's answer has no error of this one; a slowdown of 0 is no answer
            if row["p99_error"] in ("nan", "") or float(row["p99_slowdown"]) <= 0:
                continue
            rows.append({"regime": row["suite"], "seed": row["seed"], "scenario": int(row["scenario"]),
                         "method": row["method"], "class": row["size_class"], "control": row["cc"],
                         "flows": int(row["class_flows"]), "outside": OUTSIDE in row["provenance"],
                         "truth": float(row["truth_p99_slowdown"]), "estimate": float(row["p99_slowdown"])})
    return rows


def command_of(suites, seed, hops, method):
    """Returns the command that measures a method, for its card."""
    return f"test/scripts/expected-errors.py --suites={','.join(suites)} --seed={seed} --packetHops={hops}, {method}"


def measure(out, suites, seed, hops, methods):
    """Returns the rows of all scenarios."""
    rows = []
    for suite in suites:
        folder = os.path.join(out, suite)
        command = [os.path.join(ROOT, "dcn"), "run", "dcn-validate", f"--suite={suite}", f"--seed={seed}",
                   f"--packetHops={hops}", f"--out={folder}", "--methods=" + ",".join(methods)]
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
            sys.exit(f"dcn-validate --suite={suite} failed")
        rows += read(os.path.join(folder, "validate.csv"))
    return rows


def summarise(rows, method, command):
    """Returns the entries of errors; a mean of few scenarios is that of all controls, or is left out."""
    entries = {"what": "mean |error| of the p99 slowdown, and number of scenarios; a scenario is outside if the "
                       "method warned; where fewer than three of a control are, the mean is that of all controls, if these are three",
               "command": command}
    mine = [row for row in rows if row["method"] == method and row["class"] == "all" and row["flows"] >= FEWEST_FLOWS]
    for control in CONTROLS:
        for place, is_outside in (("inside", False), ("outside", True)):
            pooled = [row for row in mine if row["outside"] == is_outside]
            own = [row for row in pooled if row["control"] == control]
            used = own if len(own) >= FEWEST else pooled
            if len(used) >= FEWEST:
                entries[f"{control} {place}"] = round(
                    sum(abs(row["estimate"] / row["truth"] - 1) for row in used) / len(used), 3)
                entries[f"{control} {place}, scenarios"] = len(own)
    return entries


def get_margin(ratios):
    """Returns factors between which a further ratio is with a probability of 1 - MISSED; None for too few ratios."""
    k = math.floor((len(ratios) + 1) * MISSED / 2 + 1e-9)
    if k < 1:
        return None
    ordered = sorted(ratios)
    return ordered[k - 1], ordered[-k]


def find_margins(rows, method, outside):
    """Returns margins, (low, high, scenarios), by (regime, control or ANY, size class)."""
    mine = [row for row in rows
            if row["method"] == method and row["outside"] == outside and row["flows"] >= FEWEST_FLOWS]
    margins = {}
    for regime in sorted({row["regime"] for row in mine}):
        for name in sorted({row["class"] for row in mine}):
            for control in CONTROLS + [ANY]:
                ratios = [row["truth"] / row["estimate"] for row in mine
                          if (row["regime"], row["class"]) == (regime, name) and control in (row["control"], ANY)]
                margin = get_margin(ratios)
                if margin:
                    low, high = math.floor(1000 * margin[0]) / 1000, math.ceil(1000 * margin[1]) / 1000
                    if low > 0:
                        margins[regime, control, name] = (low, high, len(ratios))
    return margins


def find(margins, row):
    """Returns the margin for a row; None if there is none."""
    for control in (row["control"], ANY):
        if (row["regime"], control, row["class"]) in margins:
            return margins[row["regime"], control, row["class"]]
    return None


def measure_coverage(rows, method, outside):
    """Returns by regime the share of rows of all flows that margins of the other half of the scenarios hold, and their number."""
    counts = {}
    draw = random.Random(1)
    for _ in range(SPLITS):
        half = {scenario: draw.random() < 0.5 for scenario in sorted({(row["regime"], row["scenario"]) for row in rows})}
        margins = find_margins([row for row in rows if half[row["regime"], row["scenario"]]], method, outside)
        for row in rows:
            if row["method"] != method or row["outside"] != outside or row["class"] != "all" \
                    or half[row["regime"], row["scenario"]] or row["flows"] < FEWEST_FLOWS:
                continue
            margin = find(margins, row)
            if margin:
                low, high = (max(1, factor * row["estimate"]) for factor in margin[:2])
                held, n = counts.get(row["regime"], (0, 0))
                counts[row["regime"]] = (held + (low <= row["truth"] <= high), n + 1)
    return {regime: (held / n, sum(1 for row in rows if (row["method"], row["regime"], row["outside"], row["class"]) ==
                                   (method, regime, outside, "all"))) for regime, (held, n) in counts.items()}


def to_entries(margins, command):
    """Returns the section of a card."""
    entries = {"what": "factors of an estimated p99 slowdown between which that of packets is with a probability of 90 %, "
                       "and number of scenarios (split conformal prediction), by regime, control and size class",
               "command": command}
    for (regime, control, name), (low, high, n) in margins.items():
        entries[f"{regime} {control} {name}"] = f"{low:.3f}:{high:.3f}:{n}"
    return entries


def write_card(path, sections):
    """Puts sections at the end of a card, in place of earlier ones; entries of regimes that were not measured stay."""
    with open(path) as file:
        card = json.load(file)
    for name, entries in sections.items():
        before = card.pop(name, {})
        if name != ERRORS:
            measured = {key.split(" ")[0] for key in entries}
            kept = {key: value for key, value in before.items()
                    if len(key.split(" ")) == 3 and key.split(" ")[0] not in measured}
            entries = {**entries, **kept}
        if len(entries) > 2:
            card[name] = entries
    with open(path + ".part", "w") as file:
        json.dump(card, file, indent=2)
        file.write("\n")
    os.replace(path + ".part", path)


def find_accuracy(rows, seed):
    """Returns rows of accuracy.csv."""
    errors = {}
    for row in rows:
        if row["class"] == "all":
            errors.setdefault((row["regime"], row["method"]), []).append(abs(row["estimate"] / row["truth"] - 1))
    return {key: [f"{sum(each) / len(each):.4f}", str(len(each)), str(seed)] for key, each in errors.items()}


def write_accuracy(path, new):
    """Puts rows into accuracy.csv, in place of earlier ones of the same regime and method."""
    rows = {}
    if os.path.exists(path):
        with open(path) as file:
            rows = {(row["regime"], row["method"]): [row[key] for key in ACCURACY_HEADER[2:]]
                    for row in csv.DictReader(file)}
    rows.update(new)
    with open(path + ".part", "w") as file:
        file.write(",".join(ACCURACY_HEADER) + "\n")
        for (regime, method), cells in sorted(rows.items()):
            file.write(",".join([regime, method] + cells) + "\n")
    os.replace(path + ".part", path)


def show(rows, method, errors):
    """Prints errors and coverage of a model."""
    print(f"{method}: mean |error of p99|, scenarios")
    for control in CONTROLS:
        parts = []
        for place in ("inside", "outside"):
            value = errors.get(f"{control} {place}")
            n = errors.get(f"{control} {place}, scenarios", 0)
            parts.append(f"{place} {'-' if value is None else f'{100 * value:.1f} %'} ({n})")
        print(f"  {control:6s} " + ", ".join(parts))
    for outside in (False, True):
        for regime, (share, n) in sorted(measure_coverage(rows, method, outside).items()):
            print(f"  {regime}, {'outside' if outside else 'inside'}: of {n} scenarios, margins of one half hold "
                  f"{100 * share:.0f} % of the other")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="folder for the runs")
    parser.add_argument("--suites", default=",".join(SUITES), help="suites of dcn-validate, joined by commas")
    parser.add_argument("--seed", type=int, default=5, help="seed of the suites")
    parser.add_argument("--packetHops", type=int, default=3_000_000, help="size of the scenarios")
    parser.add_argument("--tables", help="validate.csv files, joined by commas, in place of runs")
    parser.add_argument("--write", action="store_true", help="write the cards and accuracy.csv")
    parser.add_argument("--accuracy", default=os.path.join(ROOT, ACCURACY), help="file of the errors by regime")
    parser.add_argument("--model", choices=METHODS.values(), help="only this model")
    parser.add_argument("--method", help="a method with another model, for --card")
    parser.add_argument("--card", help="folder of that model")
    options = parser.parse_args()
    if (options.method is None) != (options.card is None):
        sys.exit("expected-errors: --method and --card belong together: name both")
    if (options.out is None) == (options.tables is None):
        sys.exit("expected-errors: name a folder for the runs by --out, or tables that are there by --tables")
    cards = {options.method: options.card} if options.method else {
        method: os.path.join(ROOT, "data", "models", model) for method, model in METHODS.items()
        if options.model in (None, model)}
    suites = options.suites.split(",")
    if options.tables:
        rows = [row for path in options.tables.split(",") for row in read(path)]
        suites = sorted({row["regime"] for row in rows})
    else:
        others = [] if options.method or options.model else OTHERS
        rows = measure(options.out, suites, options.seed, options.packetHops, list(cards) + others)
    for method, folder in cards.items():
        if not any(row["method"] == method for row in rows):
            continue
        command = command_of(suites, options.seed, options.packetHops, method)
        errors = summarise(rows, method, command)
        show(rows, method, errors)
        if options.write:
            write_card(os.path.join(folder, "card.json"),
                       {ERRORS: errors,
                        MARGINS: to_entries(find_margins(rows, method, False), command),
                        MARGINS_OUTSIDE: to_entries(find_margins(rows, method, True), command)})
    accuracy = find_accuracy(rows, options.seed)
    for (regime, method), (error, n, _) in sorted(accuracy.items()):
        print(f"{regime}: {method}: {100 * float(error):.1f} % ({n})")
    if options.write and not options.method:
        write_accuracy(options.accuracy, accuracy)


if __name__ == "__main__":
    main()
