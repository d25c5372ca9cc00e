#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs programs on ranks of mpirun and compares their files with those of one process.

usage: ranks.py check    ends with status 1 if files or sentences are not as they should be

- dcn-dataset, dcn-validate and dcn-cceval write the same files with mpirun -n 3 as with one process,
  measured times apart; data sets are the same bytes.
- A run of which a rank is killed ends, keeps its finished parts, and gives the same bytes when it is
  repeated.
- Ranks with different options are refused by a sentence, as is a task that fails. Ranks without
  --mpi are noted, and srun without PMIx is refused.

Without mpirun (openmpi-bin), or with programs that were built without MPI, that is said. The
programs are taken from the folder DCN_PROGRAMS, with the profile DCN_PROFILE, if these are set.
"""

import csv
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 240  # for a command, as ranks that wait for each other would do so for ever
TIMES = re.compile(r"(^|_)(wall|cpu)(_|$)|seconds|_gain$")  # columns that are measured
PATHS = "--kind=path --seed=5 --shardSize=1 --rules=flows=300".split()
SUITE = "--suite=smoke --scenarios=3 --packetHops=30000 --methods=flowsim --truthSeeds=2".split()
TRIALS = ("--topology=dumbbell --flows=60 --estimator=flowsim --cc=dctcp,hpcc "
          "--control=flowsim:LinkEfficiency=0.9 --controlTraces=40").split()


# Open MPI leaves memory at its end, of which the debug profile would complain.
os.environ["ASAN_OPTIONS"] = "detect_leaks=0"


def find(program):
    """Returns the command that runs a program."""
    folder = os.environ.get("DCN_PROGRAMS")
    if not folder:
        return [str(ROOT / "dcn"), "run", program]
    profile = os.environ.get("DCN_PROFILE", "optimized")
    found = list((pathlib.Path(folder) / "contrib" / "dcn" / "examples").glob(
        f"ns3*-{program}-{profile}"))
    if len(found) != 1:
        sys.exit(f"ranks: there are {len(found)} programs {program} in {folder}")
    return [str(found[0])]


def mpirun(n):
    """Returns the beginning of a command on n ranks."""
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", *root, "--oversubscribe", "--bind-to", "none", "-n", str(n)]


class Check:
    """Counts what was checked and what is wrong."""

    def __init__(self, folder):
        self.folder = folder
        self.done = 0
        self.failed = 0

    def expect(self, is_right, sentence):
        """Notes the result of a check."""
        self.done += 1
        if not is_right:
            self.failed += 1
            print(f"ranks: {sentence}")

    def run(self, command, status=0):
        """Runs a command, which has to end with the status; returns its output."""
        try:
            result = subprocess.run(
                command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", check=False, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            self.expect(False, f"{' '.join(command)} does not end")
            return ""
        self.expect((result.returncode == 0) == (status == 0) or result.returncode == status,
                    f"{' '.join(command)}\nends with {result.returncode}:\n{result.stdout[-2000:]}")
        return result.stdout


def read_bytes(folder):
    """Returns the files of a folder by their names."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def read_table(path):
    """Returns the rows of a table without the measured times."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{key: value for key, value in row.items() if not TIMES.search(key)}
                for row in csv.DictReader(file)]


def check_dataset(check):
    """Data sets are the same bytes, also after a rank was killed."""
    dataset = find("dcn-dataset") + PATHS
    check.run(dataset + ["--samples=5", "--jobs=2", "--out=one"])
    check.run(mpirun(3) + dataset + ["--samples=5", "--mpi", "--out=three"])
    check.expect(read_bytes(check.folder / "one") == read_bytes(check.folder / "three"),
                 "the data set of three ranks is not that of one process")
    slow = [*dataset[:-1], "--rules=flows=4000", "--samples=6"]
    check.run(slow + ["--out=slow", "--jobs=2"])
    expected = read_bytes(check.folder / "slow")
    for victim in (1, 0):  # another rank, and the root
        out = check.folder / f"killed-{victim}"
        process = subprocess.Popen(
            mpirun(2) + slow + ["--mpi", f"--out={out.name}"], cwd=check.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        start = time.monotonic()
        while process.poll() is None and not list(out.glob("*.h5")) and (
                time.monotonic() - start < LIMIT_S):
            time.sleep(0.02)
        ranks = [rank for rank in find_children(process.pid) if find_rank(rank) == victim]
        check.expect(len(ranks) == 1, f"rank {victim} is not among the children of mpirun")
        for rank in ranks:
            os.kill(rank, signal.SIGKILL)
        output, _ = process.communicate(timeout=LIMIT_S)
        check.expect(process.returncode != 0, f"mpirun ends well without rank {victim}:\n{output}")
        kept = len(list(out.glob("*.h5")))
        check.expect(1 <= kept < 6, f"{kept} of 6 shards are there after rank {victim} was killed")
        output = check.run(mpirun(3) + slow + ["--mpi", f"--out={out.name}"])
        check.expect(f", {kept} were there" in output, f"shards are made again:\n{output}")
        check.expect(read_bytes(out) == expected, f"other bytes after rank {victim} was killed")


def find_children(pid):
    """Returns the processes that a process has begun."""
    children = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has ended
            continue
        if int(fields[1]) == pid:
            children.append(int(stat.parent.name))
    return children


def find_rank(pid):
    """Returns the number of a rank, which Open MPI gives it in its environment; None if it has none."""
    try:
        text = pathlib.Path(f"/proc/{pid}/environ").read_text(errors="replace")
    except OSError:
        return None
    found = re.search(r"(?:^|\0)(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", text)
    return int(found.group(1)) if found else None


def check_validate(check):
    """A suite gives the same tables."""
    validate = find("dcn-validate") + SUITE
    check.run(validate + ["--jobs=1", "--out=validate-1"])
    check.run(mpirun(3) + validate + ["--mpi", "--out=validate-3"])
    for name in ("validate.csv", "validate-summary.csv"):
        one, three = (read_table(check.folder / f"validate-{n}" / name) for n in (1, 3))
        check.expect(one == three and len(one) > 1, f"{name} of three ranks is another one")


def check_cceval(check):
    """Each method of evaluation gives the same intervals after the same number of trials."""
    for method, metric, more in (
            ("model-free", "p99_fct", ["--margin=0.1"]),
            ("control-variate", "p99_fct", ["--trials=20"]),
            ("importance", "pooled_p99_slowdown", ["--trials=30"])):
        options = [o for o in TRIALS if method == "control-variate" or "controlTraces" not in o]
        options = [o for o in options if method != "model-free" or "control=" not in o]
        command = find("dcn-cceval") + options + [
            f"--method={method}", f"--metrics={metric}", *more]
        for n, launch, flag in ((1, [], "--jobs=1"), (3, mpirun(3), "--mpi")):
            check.run(launch + command + [flag, f"--out={method}-{n}", f"--store=store-{method}-{n}"])
        one, three = (read_table(check.folder / f"{method}-{n}" / "cceval.csv") for n in (1, 3))
        check.expect(one == three and len(one) == 2, f"{method}: cceval.csv of three ranks differs")


def check_sentences(check):
    """Bad input ends all ranks with one sentence."""
    farm = find("dcn-farm")
    local = check.run(farm + ["--tasks=9", "--seconds=0.01", "--jobs=2"])
    ranks = check.run(mpirun(3) + farm + ["--tasks=9", "--seconds=0.01", "--mpi", "--jobs=2"])
    check.expect(" on 3 ranks with 2 jobs: " in ranks, ranks)
    check.expect(local.split("results ")[1] == ranks.split("results ")[1], "results differ")
    few = check.run(mpirun(3) + farm + ["--tasks=1", "--seconds=0", "--mpi"])
    check.expect("1 tasks of 0.000 s on 3 ranks" in few, few)
    failed = check.run(mpirun(3) + farm + ["--tasks=9", "--seconds=0.01", "--mpi", "--bad=4"], 1)
    check.expect(failed.count("dcn-farm: error: task 4 fails, as --bad says") == 1, failed)
    differing = check.run([*mpirun(1), *farm, "--tasks=9", "--mpi", ":", "-n", "1", *farm,
                           "--tasks=8", "--mpi"], 1)
    check.expect('dcn-farm: error: the ranks of mpirun differ: tasks is "8" at rank 1, but "9" at '
                 "rank 0; give all ranks the same program, options and files" in differing, differing)
    validate = find("dcn-validate") + SUITE + ["--mpi", "--out=seeds"]
    differing = check.run([*mpirun(1), *validate, ":", "-n", "1", *validate, "--seed=2"], 1)
    check.expect('the ranks of mpirun differ: seed is "2" at rank 1, but "1" at rank 0' in differing,
                 differing)
    alone = check.run(mpirun(3) + farm + ["--tasks=1", "--seconds=0"])
    check.expect(alone.count("note: 3 processes were started as ranks, and each does the whole work: give "
                             "--mpi to share it") == 1, alone)
    compare = find("dcn-compare") + ["--version"]
    alone = check.run(["env", "OMPI_COMM_WORLD_SIZE=2", *find("dcn-compare"), "--methods=nosuch"], 1)
    check.expect("this program cannot share it, so start one process" in alone, alone)
    check.expect(re.fullmatch(r"dcn \S+, revision .+\n", check.run(compare)), "--version")
    # as srun starts a process where PMIx is not asked for
    plain = check.run(["env", "SLURM_STEP_ID=0", *farm, "--mpi"], 1)
    check.expect("dcn-farm: error: srun has started this process without PMIx" in plain, plain)
    output = check.run(farm + ["--jobs=0"], 1)
    check.expect('--jobs must be a whole number from 1 on, but it is "0"' in output, output)


def main():
    """Checks programs on ranks."""
    if sys.argv[1:] != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        check = Check(pathlib.Path(name))
        output = check.run(find("dcn-farm") + ["--tasks=2", "--seconds=0", "--mpi"])
        check.expect("2 tasks of 0.000 s on 1 ranks with 1 jobs" in output, output)
        if "dcn was built without MPI" in output or not shutil.which("mpirun"):
            print("ranks: not run, as there is no MPI (libopenmpi-dev, openmpi-bin)")
            return 1 if check.failed else 0
        check_sentences(check)
        check_validate(check)
        check_cceval(check)
        check_dataset(check)
        print(f"ranks: {check.done} checks, {check.failed} failed")
        return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
