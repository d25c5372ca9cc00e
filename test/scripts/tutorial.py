#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands of doc/tutorial.rst and doc/how-to.rst, one after the other in one folder.

usage: tutorial.py check    ends with status 1 if a command fails

A command is an indented line that begins with ./dcn run. DIR stands for a scenario directory, and
my-sizes.csv is a size distribution. A command whose library is not there ends with status 2 or with a sentence that says so: it is named.
The programs are taken from the folder DCN_PROGRAMS, with the profile DCN_PROFILE, if these are set.
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("tutorial.rst", "how-to.rst")
SCENARIO = ROOT / "contrib" / "dcn-packet" / "test" / "cases" / "d_dctcp_m3_poisson"
LIBRARIES = ("LibTorch", "HDF5")  # without which a command may fail


def find(program):
    """Returns the command that runs a program."""
    folder = os.environ.get("DCN_PROGRAMS")
    if not folder:
        return [str(ROOT / "dcn"), "run", program]
    profile = os.environ.get("DCN_PROFILE", "optimized")
    examples = pathlib.Path(folder) / "contrib" / "dcn" / "examples"
    found = list(examples.glob(f"ns3*-{program}-{profile}"))
    if len(found) != 1:
        sys.exit(f"tutorial: there are {len(found)} programs {program} in {folder}")
    return [str(found[0])]


def main():
    """Runs the commands."""
    if sys.argv[1:] != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    lines = []
    failed = 0
    for name in PAGES:
        page = (ROOT / "doc" / name).read_text(encoding="utf-8").replace("\\\n", " ")
        commands = [line.strip() for line in page.splitlines() if line.startswith("    ./dcn run ")]
        if not commands:
            failed += 1
            print(f"doc/{name} has no command")
        lines += [(name, command) for command in commands]
    lacking = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "data" / "sizes" / "web-server.csv", pathlib.Path(folder) / "my-sizes.csv")
        for name, line in lines:
            words = shlex.split(line.replace("=DIR", f"={SCENARIO}"))[2:]
            result = subprocess.run(
                find(words[0]) + words[1:], cwd=folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            )
            output = result.stdout.decode(errors="replace")
            if result.returncode != 0:
                library = next((name for name in LIBRARIES if f"needs {name}" in output), None)
                if library:
                    lacking.append(f"{words[0]} (no {library})")
                    continue
                failed += 1
                print(f"doc/{name}: {line}\nends with status {result.returncode}:\n{output[-2000:]}")
    print(f"tutorial: {len(lines)} commands, {failed} failed"
          + (f", not run: {', '.join(lacking)}" if lacking else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
