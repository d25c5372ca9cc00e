#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads results and data sets with pandas and h5py.

usage: read-results.py RESULTS [DATASET]

RESULTS is a folder of dcn-compare or DcnShadow::Write, DATASET one of dcn-dataset or
DcnDatasetBuilder. The cells (# %%) can be run one by one in an editor or notebook. Without pandas
(Debian: python3-pandas) or h5py (python3-h5py) a part is left out with a sentence. Status 1: a file
contradicts itself.
"""

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
    """Returns slowdowns by flow, a column per method, and the sizes in bytes."""
    fct = pandas.read_csv(folder / "fct.csv", index_col="flow_id")
    columns = [name for name in fct.columns if name.endswith("_fct_ns")]
    slowdowns = fct[columns].div(fct["ideal_ns"], axis="index")
    slowdowns.columns = [name[: -len("_fct_ns")] for name in columns]
    return slowdowns, fct["size_bytes"]


# %% Quantiles by class of sizes, and those of summary.csv
def show_slowdowns(folder):
    """Prints quantiles, which must be those of summary.csv."""
    slowdowns, sizes = read_slowdowns(folder)
    classes = pandas.cut(sizes, [0, 10_000, 100_000, 1_000_000, float("inf")], right=False,
                         labels=["<10KB", "10-100KB", "100KB-1MB", ">1MB"])
    tail = slowdowns.groupby(classes, observed=True).quantile(0.99)
    print(tail.to_string(float_format=lambda value: f"{value:.2f}"))
    # a method is summarised over the flows that both it and the first one have finished
    truth = slowdowns.iloc[:, 0]
    summary = pandas.read_csv(folder / "summary.csv")
    rows = summary[(summary["metric"] == "p99_slowdown") & (summary["size_class"] == "all")]
    for method, value in zip(rows["method"], rows["value"]):
        own = slowdowns[method]
        if own.isna().all():
            continue  # it answers with samples, not with flows
        p99 = own[own.notna() & truth.notna()].quantile(0.99)
        if abs(p99 / value - 1) > 1e-6:
            fail(f"p99 of {method} is {p99} by fct.csv, but {value} by summary.csv")
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
