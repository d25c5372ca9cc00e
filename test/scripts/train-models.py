#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes the data sets of the shipped models, and trains the models on them.

    test/scripts/train-models.py list                            the data sets and trainings, with their commands
    test/scripts/train-models.py data [SET...] --out=DIR         makes data sets: DIR/SET; without a name, all
    test/scripts/train-models.py m4 --out=DIR                    trains m4 on from its present weights: DIR/m4-trained
    test/scripts/train-models.py m4 --out=DIR --from=nothing     .. from random weights; --from=FOLDER: from that model

Models are the rows of data/models/trainings.csv: m4, m3, m3-links. Data sets that a training lacks are made first
(data/models/data-sets.csv). Work that was stopped goes on where it was. A trained model replaces the shipped one
only if its errors on the scenarios for choosing are smaller (dcn-validate with --methods=m4:Model=DIR/m4-trained);
then test/scripts/expected-errors.py measures the errors and limits of its card.

--jobs=N is the number of processes that simulate (1). The programs are run by `./dcn run`, or taken from the folder
DCN_PROGRAMS, with the profile DCN_PROFILE.
"""

import argparse
import csv
import pathlib
import subprocess
import sys

from claims import ROOT, get_words

SETS = ROOT / "data" / "models" / "data-sets.csv"
TRAININGS = ROOT / "data" / "models" / "trainings.csv"
SHARD = 20  # samples of a file


def fail(text):
    sys.exit(f"train-models: {text}")


def read(path, key):
    """Returns the rows of a table as dictionaries by their first column."""
    with open(path, newline="") as file:
        return {row[key]: row for row in csv.DictReader(file)}


def get_data_command(row, folder, jobs):
    """Returns the command line that makes a data set."""
    rules = [f"--rules={rule}" for rule in row["rules"].split()]
    return " ".join(["dcn-dataset", row["options"], *rules, f"--shardSize={SHARD}", f"--jobs={jobs}",
                     f"--out={folder / row['data_set']}"])


def get_training_command(row, folder, start):
    """Returns the command line that trains a model. start: nothing, or a model's name or folder."""
    options = row["from_nothing"] if start == "nothing" else f"--from={start} {row['options']}"
    data = ",".join(str(folder / name) for name in row["data_sets"].split())
    return f"{row['program']} {options} --data={data} --out={folder / (row['model'] + '-trained')}"


def run(command):
    """Runs a command line; it shows its progress itself."""
    if subprocess.run(get_words(command, ROOT), stdin=subprocess.DEVNULL).returncode != 0:
        fail(f"this command failed: {command}")


def make_data(names, sets, folder, jobs):
    """Makes the data sets that are not complete: dcn-dataset itself leaves out the shards that are there."""
    for name in names:
        if name not in sets:
            fail(f"{SETS.relative_to(ROOT)} has no data set {name}; it has: {', '.join(sets)}")
    for name in names:
        done = folder / name / "complete"
        if not done.exists():
            run(get_data_command(sets[name], folder, jobs))
            done.touch()


def main():
    parser = argparse.ArgumentParser(usage="train-models.py list | data [SET...] | MODEL  [--out=DIR] [--from=START] [--jobs=N]")
    parser.add_argument("action")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", default=str(ROOT / "results" / "training"))
    parser.add_argument("--from", dest="start")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    folder = pathlib.Path(options.out)
    sets, trainings = read(SETS, "data_set"), read(TRAININGS, "model")
    if options.action == "list":
        for row in sets.values():
            print("./dcn run " + get_data_command(row, pathlib.Path("DIR"), options.jobs))
        for row in trainings.values():
            print("./dcn run " + get_training_command(row, pathlib.Path("DIR"), row["model"]))
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    if options.action == "data":
        make_data(options.names or list(sets), sets, folder, options.jobs)
        return 0
    if options.action not in trainings or options.names:
        fail(f"{' '.join([options.action, *options.names])} is no model; there are: {', '.join(trainings)}")
    row = trainings[options.action]
    make_data(row["data_sets"].split(), sets, folder, options.jobs)
    run(get_training_command(row, folder, options.start or row["model"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
