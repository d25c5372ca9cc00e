#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads results and data sets with pandas and h5py.

usage: read-results.py RESULTS [DATASET]

RESULTS is a folder of dcn-compare or DcnShadow::Write, DATASET one of dcn-dataset or
DcnDatasetBuilder. The cells (# %%) can be run one by one in an editor or notebook. Without pandas
(Debian: python3-pandas) or h5py (python3-h5py) a part is left out with a sentence. Status 1: a file
contradicts itself.
"""

import bisect
import csv
import pathlib
import sys

try:
    import pandas
except ImportError:
    pandas = None
try:
    import h5py
except ImportError:
    h5py = None


def fail(sentence):
    """Ends the program."""
    sys.exit(f"read-results: {sentence}")


# %% Completion times: a column per method, a row per flow; slowdown = FCT / ideal FCT
def read_slowdowns(folder):
    """Returns slowdowns by flow, a column per method, and the sizes in bytes.

    The column "m4_expected" has the best guess for each flow; quantiles of m4 are those of its
    samples (read_samples).
    """
    fct = pandas.read_csv(folder / "fct.csv", index_col="flow_id")
    columns = [name for name in fct.columns if name.endswith("_fct_ns")]
    slowdowns = fct[columns].div(fct["ideal_ns"], axis="index")
    slowdowns.columns = [name[: -len("_fct_ns")] for name in columns]
    return slowdowns, fct["size_bytes"]


# %% Quantiles by class of sizes
def show_slowdowns(folder):
    """Prints the 99th percentile by class."""
    slowdowns, sizes = read_slowdowns(folder)
    classes = pandas.cut(sizes, [0, 10_000, 100_000, 1_000_000, float("inf")], right=False,
                         labels=["<10KB", "10-100KB", "100KB-1MB", ">1MB"])
    tail = slowdowns.groupby(classes, observed=True).quantile(0.99)
    print(tail.to_string(float_format=lambda value: f"{value:.2f}"))


# %% The same without pandas, and samples of methods that answer with distributions
def read_values(folder):
    """Returns pairs of a slowdown and its weight by method, from the file that has them."""
    values = {}
    with open(folder / "fct.csv", newline="") as file:
        for row in csv.DictReader(file):
            for column, fct in row.items():
                if column.endswith("_fct_ns") and fct != "nan":
                    pair = (float(fct) / float(row["ideal_ns"]), 1.0)
                    values.setdefault(column[: -len("_fct_ns")], []).append(pair)
    if (folder / "samples.csv").exists():
        with open(folder / "samples.csv", newline="") as file:
            for row in csv.DictReader(file):
                pair = (float(row["slowdown"]), float(row["weight"]))
                values.setdefault(row["method"], []).append(pair)
    return values


def weighted_quantile(values, p):
    """Returns the quantile of pairs of a value and a weight; of equal weights that of pandas."""
    values = sorted(values)
    first, last = values[0][1], values[-1][1]
    below = 0
    places = []  # from 0 to 1
    span = sum(weight for _, weight in values) - first / 2 - last / 2
    for _, weight in values:
        places.append((below + weight / 2 - first / 2) / span if span > 0 else 0)
        below += weight
    after = bisect.bisect_left(places, p)
    if after == 0 or after == len(places):
        return values[min(after, len(places) - 1)][0]
    share = (p - places[after - 1]) / (places[after] - places[after - 1])
    return values[after - 1][0] + share * (values[after][0] - values[after - 1][0])


def check_summary(folder):
    """Prints the p99 of each method, which must be that of summary.csv."""
    values = read_values(folder)
    with open(folder / "summary.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file)
                if row["metric"] == "p99_slowdown" and row["size_class"] == "all"]
    if not rows:
        fail(f"{folder}/summary.csv has no p99 of any method")
    for row in rows:
        method, value = row["method"], float(row["value"])
        if method not in values:
            fail(f"{folder}/summary.csv has {method}, but neither fct.csv nor samples.csv has it")
        p99 = weighted_quantile(values[method], 0.99)
        if abs(p99 / value - 1) > 1e-6:
            fail(f"p99 of {method} is {p99} by its flows, but {value} by summary.csv")
        print(f"{method}: p99 slowdown {p99:.3f}, as in summary.csv")


# %% Samples of a data set: rows of all samples lie one after the other, offsets assign them
def show_samples(folder):
    """Prints a row per sample; the offsets must cover the rows."""
    if not h5py.is_hdf5(folder / "shard-00000.h5"):
        fail(f"{folder} has no shard-00000.h5: it is no data set")
    print("sample  flows  unfinished  mean slowdown  events")
    for shard in sorted(folder.glob("shard-*.h5")):
        with h5py.File(shard, "r") as data:
            offsets = data["samples/flow_offsets"][:]
            if offsets[0] != 0 or offsets[-1] != len(data["flows/fct_ns"]):
                fail(f"{shard}: the offsets do not cover the flows")
            events = data["samples/event_offsets"][:] if "events" in data else 0 * offsets
            for i, index in enumerate(data["samples/index"]):
                flows = slice(offsets[i], offsets[i + 1])
                fct = data["flows/fct_ns"][flows]
                flags = data["flows/flags"][flows]
                if ((fct < 0) != (flags & 4 > 0)).any():
                    fail(f"{shard}: flags and completion times of sample {index} differ")
                done = fct >= 0
                slowdown = fct[done] / data["flows/ideal_ns"][flows][done]
                mean = slowdown.mean() if len(slowdown) else float("nan")
                print(f"{index:6d}  {len(fct):5d}  {(~done).sum():10d}  {mean:13.3f}  "
                      f"{events[i + 1] - events[i]:6d}")


# %%
def main():
    """Reads the folders of the command line."""
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    check_summary(pathlib.Path(sys.argv[1]))
    if pandas:
        show_slowdowns(pathlib.Path(sys.argv[1]))
    else:
        print("read-results: skipped tables of results, for there is no pandas (python3-pandas)")
    if len(sys.argv) == 3 and h5py:
        show_samples(pathlib.Path(sys.argv[2]))
    elif len(sys.argv) == 3:
        print("read-results: skipped data sets, for there is no h5py (python3-h5py)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
