#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the pages: markup, width of lines, and the commands of doc/tutorial.rst and doc/how-to.rst.

usage: tutorial.py check    ends with status 1 if a page is wrong or a command fails

A line of a page has at most 100 columns (the notebook may have longer ones). The markup of all pages
is checked by docutils, if Python has it (Debian package python3-docutils). The commands run one
after the other in one folder.

A command is an indented line that begins with ./dcn run or python3. At the end, examples/read-results.py
reads every folder of results that the commands have left. DIR stands for a scenario directory, and
my-sizes.csv is a size distribution. A command whose library is missing ends with status 2 or with a
sentence that says so: it is named.
The programs are taken from the folder DCN_PROGRAMS, with the profile DCN_PROFILE, if these are set.
"""

import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("tutorial.rst", "how-to.rst")
WIDTH = 100
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


def make_command(line):
    """Returns the words of a line of a page, with the programs and files of this repository."""
    words = shlex.split(line.replace("=DIR", f"={SCENARIO}"))
    if words[0] == "python3":
        return [sys.executable] + [str(ROOT / word) if word.endswith(".py") else word
                                   for word in words[1:]]
    return find(words[2]) + words[3:]


def list_results(folder):
    """Returns the folders of results below a folder."""
    return sorted(path.parent for path in pathlib.Path(folder).rglob("summary.csv")
                  if (path.parent / "fct.csv").exists())


def check_widths():
    """Returns a sentence for each page with a line that is too long."""
    problems = []
    for page in sorted([*ROOT.glob("doc/*.rst"), *ROOT.glob("contrib/*/doc/*.rst")]):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > WIDTH:
                problems.append(f"{page.relative_to(ROOT)}:{number}: {len(line)} columns, but {WIDTH} at most")
    return problems


def check_markup():
    """Returns the complaints of docutils about the pages; None where docutils is not there."""
    try:
        from docutils import core, nodes
        from docutils.parsers.rst import Directive, directives, roles
    except ImportError:
        return None

    class Sphinx(Directive):
        """A directive of Sphinx: its content is parsed if it is text."""
        has_content = True
        optional_arguments = 10
        final_argument_whitespace = True
        option_spec = {"maxdepth": str, "caption": str, "sorted": directives.flag}

        def run(self):
            node = nodes.container()
            if self.name == "glossary":
                self.state.nested_parse(self.content, self.content_offset, node)
            return [node]

    for name in ("toctree", "glossary", "sourcecode"):
        directives.register_directive(name, Sphinx)
    roles.register_generic_role("doc", nodes.literal)
    roles.register_generic_role("ref", nodes.literal)
    complaints = io.StringIO()
    for page in sorted([*ROOT.glob("doc/**/*.rst"), *ROOT.glob("contrib/*/doc/*.rst")]):
        core.publish_doctree(
            page.read_text(encoding="utf-8"), source_path=str(page.relative_to(ROOT)),
            settings_overrides={"report_level": 2, "halt_level": 5, "warning_stream": complaints},
        )
    return [line for line in complaints.getvalue().splitlines() if re.match(r"\S+\.rst:\d+: ", line)]


def main():
    """Checks the pages and runs the commands."""
    if sys.argv[1:] != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    lines = []
    markup = check_markup()
    problems = check_widths() + (markup or [])
    for problem in problems:
        print(problem)
    failed = len(problems)
    for name in PAGES:
        page = (ROOT / "doc" / name).read_text(encoding="utf-8").replace("\\\n", " ")
        commands = [line.strip() for line in page.splitlines()
                    if line.startswith(("    ./dcn run ", "    python3 "))]
        if not commands:
            failed += 1
            print(f"doc/{name} has no command")
        lines += [(name, command) for command in commands]
    lacking = [] if markup is not None else ["markup of the pages (no docutils)"]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "data" / "sizes" / "web-server.csv", pathlib.Path(folder) / "my-sizes.csv")
        for name, line in lines:
            result = subprocess.run(
                make_command(line), cwd=folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            )
            output = result.stdout.decode(errors="replace")
            if result.returncode != 0:
                library = next((name for name in LIBRARIES if f"needs {name}" in output), None)
                if library:
                    lacking.append(f"{line.split()[2]} (no {library})")
                    continue
                failed += 1
                print(f"doc/{name}: {line}\nends with status {result.returncode}:\n{output[-2000:]}")
        results = list_results(folder)
        if not results:
            failed += 1
            print("no command has left fct.csv and summary.csv")
        for path in results:
            result = subprocess.run(
                [sys.executable, str(ROOT / "examples" / "read-results.py"), str(path)],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            )
            if result.returncode != 0:
                failed += 1
                print(f"read-results.py {path.name} ends with status {result.returncode}:\n"
                      + result.stdout.decode(errors="replace"))
    print(f"tutorial: {len(lines)} commands, {len(results)} folders read, {failed} failed"
          + (f", not run: {', '.join(lacking)}" if lacking else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
