#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The figures of dcn-paper against doc/papers.rst and README, and a cheap one from end to end.

Usage, in the root of the repository:

    test/scripts/papers.py check    (./dcn test papers runs it)

`check` fails

- where `dcn-paper --list` has a figure without a source, a published value, a judged value, a
  cost or a scenario with a seed, or an uncomputed one without a reason, or a bar that is not the
  published value with its tolerance; or where `--list NAME` has another figure;
- where doc/papers.rst lacks a figure, or has one that is not in the list, or where its published
  values or rules are others;
- where a row of data/papers that names no paper, figure, key or relation, or twice the same value,
  is taken, or refused without its place;
- where a verdict of doc/papers.rst is not that of its rows, or the count of verdicts there is not
  that of the table, or README does not have it;
- where a cheap figure, run from nothing, has a slowdown below 1, an order that algebra excludes, or
  a verdict that its values do not give by the rules of the list; and where a second run, which
  finds all results stored, gives another file.

With DCN_FULLNESS=EXTENSIVE (./dcn test --extensive papers), all figures run at the small scale, and
none may end with an error. The programs are those of the folder DCN_PROGRAMS, or run by ./dcn run.
"""

import csv
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import claims  # runs the programs

ROOT = claims.ROOT
CHEAP = "m3-fig3"  # a second of processor time
HEAD = re.compile(r"^([a-z0-9]+-(?:fig|table)[0-9.]+): (.+)$")
JUDGED = re.compile(r"^    judged: (.+): (-?[0-9.e+]+)( [^,]+)?, (stated in words, )?(.+) \(tolerance ([0-9.e-]+) %\)$")
SHOWN = re.compile(r"^    shown: (.+): (-?[0-9.e+]+)( [^,]+)?$")
VERDICTS = ("reproduced", "better", "not reproduced", "not run", "not computed")


class Figure:
    """A figure of --list."""

    def __init__(self, name):
        self.name = name
        self.lines = {}  # source, small, full, departures, not computed
        self.values = {}  # by name: published value, rule, tolerance, whether the paper has words alone


def read_list(text):
    """Returns the figures that --list prints, by name."""
    figures = {}
    figure = None
    for line in text.splitlines():
        head = HEAD.match(line)
        if head:
            figure = figures[head[1]] = Figure(head[1])
            continue
        judged, shown = JUDGED.match(line), SHOWN.match(line)
        if judged:
            figure.values[judged[1]] = (float(judged[2]), judged[5], float(judged[6]) / 100, bool(judged[4]))
        elif shown:
            figure.values[shown[1]] = (float(shown[2]), "shown", 0, False)
        elif figure and line.startswith("    "):
            key, _, value = line.strip().partition(": ")
            figure.lines[key] = value
    return figures


def judge(value, low, high, published, rule, tolerance, is_stated):
    """Returns the verdict of a value by the rules of PaperRelation."""
    if math.isnan(value):
        return "not computed"
    low = value if math.isnan(low) else low
    high = value if math.isnan(high) else high
    room = tolerance * abs(published)
    if rule.startswith("within"):
        near = abs(value - published) <= room or low <= published <= high
        return "reproduced" if near else "not reproduced"
    if rule.startswith(">="):
        value, low, high, published = -value, -high, -low, -published
    if high < published - room and not is_stated:
        return "better"
    return "reproduced" if value <= published + room or low <= published else "not reproduced"


def check_list(figures, wrong):
    """Checks that every figure says all that it must."""
    for figure in figures.values():
        if not figure.lines.get("source"):
            wrong.append(f"{figure.name} has no source")
        if not figure.values:
            wrong.append(f"{figure.name} has no published value")
        elif all(rule == "shown" for _, rule, _, _ in figure.values.values()):
            wrong.append(f"{figure.name} has no judged value")
        for name, (published, rule, tolerance, _) in figure.values.items():
            room = tolerance * abs(published)
            bars = (f"<= {published + room:.6g}", f">= {published - room:.6g}", f"within {100 * tolerance:.6g} %")
            if rule not in bars + ("shown",):
                wrong.append(f"{figure.name}: {name} has the rule {rule}, none of {', '.join(bars)}")
        if "not computed" in figure.lines:
            if not figure.lines["not computed"]:
                wrong.append(f"{figure.name} is not computed and has no reason")
            continue
        if not re.search(r"; [1-9][0-9]* s of processor time$", figure.lines.get("small", "")):
            wrong.append(f"{figure.name} does not say what the small scale costs")
        for scale in ("small", "full"):
            if "seed" not in figure.lines.get(scale, ""):
                wrong.append(f"{figure.name} names no seed at the scale {scale}")


def check_table(figures, wrong):
    """Compares doc/papers.rst with the list, and README with doc/papers.rst."""
    text = (ROOT / "doc" / "papers.rst").read_text(encoding="utf-8")
    table = re.findall(r"^   \* - ``([a-z0-9.-]+)``$", text, re.M)
    for name in sorted(set(figures) - set(table)):
        wrong.append(f"doc/papers.rst lacks {name}: make it again with dcn-paper --all")
    for name in sorted(set(table) - set(figures)):
        wrong.append(f"doc/papers.rst has {name}, which dcn-paper --list does not")
    count = re.search(r"^\d+ figures and tables: [^.]+", text, re.M)
    if not count:
        wrong.append("doc/papers.rst has no count of verdicts")
    elif count[0] not in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split()):
        wrong.append(f'README.md does not say "{count[0]}" as doc/papers.rst does')
    elif int(count[0].split()[0]) != len(figures):
        wrong.append(f"doc/papers.rst counts {count[0].split()[0]} figures, the list {len(figures)}")
    tables = read_tables(text)
    for figure in figures.values():
        verdict, rows = tables.get(figure.name, ("", []))
        for name, (_, rule, _, _) in figure.values.items():
            found = [row for row in rows if row.startswith((f"{name}: ", f"{name} ["))]
            if len(found) != 1 or f"; {rule}" not in found[0]:
                wrong.append(f"doc/papers.rst has no value \"{name}\" of {figure.name} with the rule {rule}")
        judged = [row.rpartition(": ")[2] for row in rows if not row.endswith("; shown")]
        ours = next((each for each in ("not run", "not reproduced", "not computed", "better") if each in judged), "reproduced")
        if verdict != ours:
            wrong.append(f"doc/papers.rst: {figure.name} is {verdict}, but its rows say {ours}")
    verdicts = [verdict for verdict, _ in tables.values()]
    if count and any(f"{verdicts.count(each)} {each}" not in count[0].replace(": ", ", ").split(", ") for each in VERDICTS):
        wrong.append(f'doc/papers.rst says "{count[0]}", but its table is another')


def read_tables(text):
    """Returns verdict and rows of the figures of doc/papers.rst by name."""
    tables = {}
    for part in re.split(r"^   \* - ", text, flags=re.M)[1:]:
        if not part.startswith("``"):
            continue  # the head of a table
        name = part.split("``")[1]
        _, values, verdict = re.split(r"^     - ", part.replace("\\", ""), flags=re.M)
        rows = [" ".join(line.split()) for line in re.split(r"^ *\| ", values, flags=re.M) if line.strip()]
        verdict = " ".join(verdict.split())
        tables[name] = (next((each for each in VERDICTS if re.match(each + r"(:|$| )", verdict)), verdict), rows)
    return tables


def read_rows(path):
    """Returns the rows of a figure's CSV file by the name of the value."""
    with open(path, newline="", encoding="utf-8") as file:
        # commas of names are semicolons there (DcnCsvText)
        return {row["value"].replace(";", ","): row for row in csv.DictReader(file)}


def check_cheap(figures, wrong):
    """Runs a cheap figure twice."""
    with tempfile.TemporaryDirectory() as folder:
        command = f"dcn-paper {CHEAP} --jobs=1 --out={{out}}"
        claims.run(command, folder)
        path = pathlib.Path(folder) / f"{CHEAP}.csv"
        first = path.read_bytes()
        rows = read_rows(path)
        claims.run(command, folder)
        if path.read_bytes() != first:
            wrong.append(f"{CHEAP}: stored results give another file")
    for name, row in rows.items():
        if ", p99 " in name and float(row["ours"]) < 1:
            wrong.append(f"{CHEAP}: {name} is {row['ours']}, but no slowdown is below 1")
    # a fluid gives a flow less at a higher load: the shares of the link are smaller
    p99 = {load: float(rows[f"load {load} %, p99 above 50 KB"]["ours"]) for load in (20, 80)}
    if p99[20] >= p99[80]:
        wrong.append(f"{CHEAP}: the p99 at 20 % load is not below that at 80 %")
    ratio = float(rows["load: p99 above 50 KB, 80 over 20 %"]["ours"])
    if abs(ratio - p99[80] / p99[20]) > 1e-6 * ratio:
        wrong.append(f"{CHEAP}: the ratio of two of its values is not their ratio")
    for name, (published, rule, tolerance, is_stated) in figures[CHEAP].values.items():
        row = rows[name]
        if row["rule"] != rule:
            wrong.append(f"{CHEAP}: {name} has the rule {row['rule']}, in the list {rule}")
        if float(row["published"]) != published:
            wrong.append(f"{CHEAP}: {name} has another published value than the list")
        if rule != "shown":
            verdict = judge(float(row["ours"]), float(row["low"]), float(row["high"]), published,
                            rule, tolerance, is_stated)
            if verdict != row["verdict"]:
                wrong.append(f"{CHEAP}: {name} is {row['verdict']}, by the rule {verdict}")


#: rows of data/papers that are wrong, with the sentence that refuses them
ROWS = {
    ("figures.csv", "m3-fig3,colour,red"): 'there is no key "seconds" or "colour"; there are: cost, departures, full, place, reason, small, title',
    ("figures.csv", "m3-fig3,seconds,fast"): 'text must be a number, but it is "fast"',
    ("figures.csv", "m3-fig99,title,none"): 'the figure "m3-fig99" has no computation; its key "reason" must say why',
    ("figures.csv", "m9-fig1,reason,none"): 'the figure "m9-fig1" must start with a prefix of papers.csv and -: cceval, m3, m4, mql, noc, parsimon',
    ("figures.csv", 'm3-fig3,title,"open'): 'a quoted cell ends with " before the next comma',
    ("values.csv", "m3-fig99,a,%,1,near,"): 'there is no figure "m3-fig99"; there are: cceval-fig10',
    ("values.csv", "m3-fig3,a,%,1,equal,"): 'there is no relation "equal"; there are: above, at-least, at-most, below, near, shown',
    ("values.csv", "m3-fig5,500 paths: errors within 10 %,%,1,near,"): 'm3-fig5 has the value "500 paths: errors within 10 %" twice',
}


def check_data(wrong):
    """Adds wrong rows to a copy of data/papers."""
    for (name, row), sentence in ROWS.items():
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "data" / "papers", pathlib.Path(folder) / "papers")
            path = pathlib.Path(folder) / "papers" / name
            text = path.read_text(encoding="utf-8")
            path.write_text(f"{text}{row}\n", encoding="utf-8")
            done = subprocess.run(claims.get_words("dcn-paper --list", folder), stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, env={**os.environ, "DCN_DATA": folder})
            place = f"{path}: " if sentence.startswith("the figure") else f"{path}:{len(text.splitlines()) + 1}: "
            if done.returncode == 0 or place + sentence not in done.stderr:
                wrong.append(f"{name} with {row} is not refused with {place}{sentence}, but: {done.stderr}")


def check_all(wrong):
    """Runs all figures at the small scale."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            output = claims.run("dcn-paper --all --scale=small --out={out}", folder)
        except SystemExit as error:
            wrong.append(str(error))
            return
        for line in output.splitlines():
            if "it ended with: " in line:
                wrong.append(line.strip())


def main():
    """Runs the command."""
    if sys.argv[1:] != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    wrong = []
    figures = read_list(claims.run("dcn-paper --list", "."))
    if len(figures) < 63:
        wrong.append(f"dcn-paper --list has {len(figures)} figures, but the papers have 63")
    check_list(figures, wrong)
    one = read_list(claims.run(f"dcn-paper --list {CHEAP}", "."))
    if list(one) != [CHEAP] or one[CHEAP].values != figures[CHEAP].values:
        wrong.append(f"dcn-paper --list {CHEAP} does not show this figure alone, as --list does")
    check_table(figures, wrong)
    check_cheap(figures, wrong)
    check_data(wrong)
    if os.environ.get("DCN_FULLNESS") == "EXTENSIVE":
        check_all(wrong)
    for line in wrong:
        print(line)
    print(f"{len(figures)} figures, {len(wrong)} violations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
