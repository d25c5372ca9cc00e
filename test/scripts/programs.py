#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks what all programs do with odd values and with a folder that is in use.

usage: programs.py check [FOLDER]   FOLDER has the programs (else DCN_PROGRAMS)

- A value that is no number, for each option that has a number or a flag as default in --PrintHelp,
  ends no program by a signal, nor by its whole help: it is refused by a sentence. (A text may have
  such a default, too. It may be used, as by a run that is stopped here after some seconds.)
- Each option is refused if it is given twice, or without a value (flags may have none).
- A value that no option has ends a small run of each program by a sentence, unless the option takes
  any text (FREE).
- A program that writes results refuses a folder that another process has locked (DcnFolderLock).
- Each program and example prints the release and the revision with --version.
- Runs of some seconds show their progress on a terminal.
"""

import concurrent.futures
import fcntl
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

LIMIT_S = 20
GARBAGE = "no-such-\u00e9 value?"  # for no option
# options that take any text: names of folders and files to write, parts of names
FREE = {"out", "store", "only", "revision", "export", "writeScenario", "errors"}
EMPTY = {("noc-throttle", "policies")}  # options whose empty value has a meaning
REPEATED = {("dcn-dataset", "rules")}   # options that may be given several times
MOST_LINES = 3  # of a refusal: a sentence, and lines on progress
ANY_OPTION = re.compile(r"^\s*--([\w-]+):.*?(?:\[([^][]*)\])?$", re.M)
OPTION = re.compile(r"^\s*--(\w+):.*\[(true|false|\d+|\d*\.\d+)\]$", re.M)
# programs that write results, with options that make them small
WRITERS = {
    "dcn-cceval": "--topology=dumbbell --flows=20 --estimator=flowsim --trials=2",
    "dcn-compare": "--methods=flowsim --flows=20",
    "dcn-link": "--flows=200",
    "dcn-convert": "--topology=star.txt --flows=flows.txt",
    "dcn-mql": "--k=4",
    "dcn-mql-truth": "--config=k=4",
    "dcn-paper": "cceval-fig3",
    "dcn-parsimon-failures": "--trials=1 --flows=100",
    "dcn-paths": "--flows=100",
    "dcn-queues": "--flows=1 --duration=40us",
    "dcn-calibrate": "--pods=4 --probes=probes.csv",
    "dcn-train-sim": "--bytes=1e5",
    "dcn-validate": "--suite=smoke --scenarios=1 --packetHops=10000 --methods=flowsim",
    "m3-sweep": "--flows=100 --paths=10 --truth=1",
    "m4-closed-loop": "--configurations=1 --flows=20 --largest=1",
    "noc-compare": "",
    "noc-throttle": "",
}

# runs of some seconds on a terminal, and the unit of their progress
LONG = {
    "dcn-compare": ("--methods=packet --flows=10000", "B/s"),
    "dcn-train-sim": ("--engine=packet --ranks=16 --bytes=64e6 --timeline=false", "nodes/s"),
}


def run(program, options, folder):
    """Returns the status and the lines of a program."""
    try:
        done = subprocess.run([program, *options], cwd=folder, capture_output=True, text=True,
                              timeout=LIMIT_S, errors="replace")
    except subprocess.TimeoutExpired:
        return "no end", []
    return done.returncode, (done.stdout + done.stderr).splitlines()


def check_values(program, folder, faults):
    """Gives each number and flag a value that is none; returns the number of values."""
    _, help_lines = run(program, ["--PrintHelp"], folder)
    options = OPTION.findall("\n".join(help_lines))
    for name, _ in options:
        status, lines = run(program, [f"--{name}=1x"], folder)
        is_signal = status != "no end" and (status < 0 or status > 128)
        if is_signal or (status not in (0, "no end") and len(lines) > MOST_LINES):
            faults.append(f"{program.name} --{name}=1x: status {status}, {len(lines)} lines, "
                          f"{lines[:1]}")
    return len(options)


def check_options(name, program, folder, faults):
    """Gives each option twice, without a value, and with one that it cannot have."""
    _, help_lines = run(program, ["--PrintHelp"], folder)
    own = "\n".join(help_lines).split("General Arguments:")[0]
    options = ANY_OPTION.findall(own)
    for option, usual in options:
        value = usual or "1"
        cases = {}
        if (name, option) not in REPEATED:
            cases["is given twice"] = [f"--{option}={value}", f"--{option}={value}"]
        if (name, option) not in EMPTY:
            cases["has no value"] = [f"--{option}="]
        for sentence, arguments in cases.items():
            status, lines = run(program, arguments, folder)
            if status != 1 or len(lines) > MOST_LINES or sentence not in "\n".join(lines):
                faults.append(f"{name} {' '.join(arguments)}: status {status}, {lines[:1]}")
        status, lines = run(program, [f"--{option}"], folder)
        may_be_empty = usual in ("true", "false") or (name, option) in EMPTY
        if not may_be_empty and (status != 1 or "has no value" not in "\n".join(lines)):
            faults.append(f"{name} --{option}: status {status}, {lines[:1]}")
        small = [each for each in WRITERS.get(name, "").split() if not each.startswith(f"--{option}=")]
        if name in WRITERS and option not in FREE:
            out = pathlib.Path(folder) / f"odd-{name}-{option}"
            status, lines = run(program, [*small, f"--{option}={GARBAGE}", f"--out={out}"], folder)
            if status != 1 or len(lines) > MOST_LINES:
                faults.append(f"{name} --{option}={GARBAGE}: status {status}, {lines[-1:]}")
    return 4 * len(options)


def check_lock(program, options, folder, faults):
    """Runs a program while its folder is locked."""
    out = pathlib.Path(folder) / f"locked-{program.name}"
    out.mkdir()
    descriptor = os.open(out, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    status, lines = run(program, [*options.split(), f"--out={out}"], folder)
    os.close(descriptor)
    if status != 1 or "another run writes into this folder" not in "\n".join(lines):
        faults.append(f"{program.name}: status {status} in a folder that is in use: {lines[-1:]}")


def check_version(program, folder, faults):
    """Asks for the version."""
    status, lines = run(program, ["--version"], folder)
    if status != 0 or len(lines) != 1 or not re.fullmatch(r"dcn \S+, revision .+", lines[0]):
        faults.append(f"{program.name} --version: status {status}, {lines[:1]}")


def check_progress(program, options, unit, folder, faults):
    """Reads the progress that a program shows on a terminal."""
    terminal, end = pty.openpty()
    with subprocess.Popen([program, *options.split()], cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=end) as process:
        os.close(end)
        text = b""
        try:
            while part := os.read(terminal, 4096):
                text += part
        except OSError:  # the program has closed the terminal
            pass
    os.close(terminal)
    if not re.search(r"\d %  .*" + re.escape(unit) + ", .* s left", text.decode(errors="replace")):
        faults.append(f"{program.name} {options}: no progress, status {process.returncode}")


def main():
    """Checks all programs that are built."""
    if len(sys.argv) < 2 or sys.argv[1] != "check":
        sys.exit(__doc__)
    place = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("DCN_PROGRAMS", "build")
    programs = {}
    pattern = "**/examples/*" if len(sys.argv) < 3 else "*"
    for path in sorted(pathlib.Path(place).resolve().glob(pattern)):
        name = re.sub(r"^ns3[\d.]*-|-(optimized|release|default|debug)$", "", path.name)
        if path.is_file() and os.access(path, os.X_OK) and "." not in name:
            programs[name] = path
    faults = []
    ours = {name: program for name, program in programs.items()
            if name.startswith(("dcn-", "m3-", "m4-", "mql-", "noc-"))}

    with tempfile.TemporaryDirectory() as folder:
        # inputs of dcn-convert
        pathlib.Path(folder, "star.txt").write_text("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n")
        pathlib.Path(folder, "flows.txt").write_text("1\n0 1 3 100 5000 2\n")
        pathlib.Path(folder, "probes.csv").write_text("probe,from,to,bytes,time_us,use\nping,0,1,64,9,predict\n")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            n = sum(pool.map(lambda program: check_values(program, folder, faults), ours.values()))
            n += sum(pool.map(lambda name: check_options(name, ours[name], folder, faults), ours))
            list(pool.map(lambda program: check_version(program, folder, faults),
                          [path for name, path in programs.items()
                           if name in ours or "/contrib/dcn/" in str(path)]))
            list(pool.map(lambda name: check_lock(ours[name], WRITERS[name], folder, faults),
                          sorted(set(ours) & set(WRITERS))))
        for name in sorted(set(ours) & set(LONG)):
            check_progress(ours[name], *LONG[name], folder, faults)
    for fault in faults:
        print(fault)
    print(f"{len(ours)} programs, {n} values: {len(faults)} faults")
    sys.exit(1 if faults or not ours else 0)


if __name__ == "__main__":
    main()
