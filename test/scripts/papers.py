#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The results of dcn-paper that the documentation shows: data/papers/results.csv and the pages made of it.

Usage, in the root of the repository:

    test/scripts/papers.py check                          (./dcn test papers runs it)
    test/scripts/papers.py renew WHAT... [--scale=SCALE]  measure figures anew, then `page`
    test/scripts/papers.py page                           write the pages of what data/papers has

`renew` runs dcn-paper --renew for each figure and puts its pictures into doc/figures/papers. WHAT is the name of a
figure (m3-fig10), a paper (m3, parsimon), `late` (all results whose packet engine or model is another one now), `missing`
(all figures without a result) or `all`. Without --scale each figure keeps the scale of its result, and a new one has
medium. Results of single runs stay in --out (results/papers), so that a stopped run goes on there.

`page` writes doc/papers.rst, doc/papers/*.rst and the list between the marks <!-- papers --> of README.md.

`check` fails

- where `dcn-paper --list` has a figure without a source, a published value, a judged value, a cost or a scenario with a
  seed, or one that is not computable without a reason, or a bar that is not the published value with its tolerance; or
  where `--list NAME` has another figure;
- where the pages or README are not those of data/papers, or a picture is missing or shown nowhere;
- where a verdict on the pages is not that of its rows by the rules of examples/programs/papers/paper-verdict.h, or the
  count of verdicts is not that of the list;
- where a row of data/papers that names no paper, figure, value, key or relation, or twice the same value, or a limit, draws
  or hardware that contradict the relation, is taken, or refused without its place;
- where a cheap figure, run from nothing, has a slowdown below 1, an order that algebra excludes, or a verdict that its
  values do not give by the rules of the list; and where a second run, which finds all results stored, gives another file.

With DCN_FULLNESS=EXTENSIVE (./dcn test --extensive papers), all figures run at the small scale, and none may end with an
error. The programs are those of the folder DCN_PROGRAMS, or run by ./dcn run.
"""

import argparse
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
DOC = ROOT / "doc"
RESULTS = ROOT / "data" / "papers" / "results.csv"
PICTURES = DOC / "figures" / "papers"
MARKS = re.compile(r"(<!-- papers -->\n).*?(<!-- /papers -->)", re.S)
CHEAP = "m3-fig3"  # a second of processor time
MACHINES = 4  # times of two machines compare no better
HEAD = re.compile(r"^([a-z0-9]+-(?:fig|table)[0-9.]+): (.+)$")
JUDGED = re.compile(r"^    judged: (.+): (-?[0-9.e+]+)( [^,]+)?, (stated in words, )?(.+) \(tolerance ([0-9.e-]+) %\)"
                    r"(; a cost, on [^;]+)?(; largest of \d+)?$")
SHOWN = re.compile(r"^    shown: (.+): (-?[0-9.e+]+)( [^,]+)?$")
VERDICTS = ("reproduced", "better", "not computable", "not run", "undecided", "worse")  # of several, the last one counts


class Figure:
    """A figure of --list."""

    def __init__(self, name):
        self.name = name
        self.lines = {}  # source, small, medium, full, departures, not computable
        self.values = {}  # by name: Rule


class Rule:
    """A published value, and what a verdict depends on."""

    def __init__(self, published, rule="shown", tolerance=0, is_words=False, is_cost=False, draws=0):
        self.published, self.rule, self.tolerance = published, rule, tolerance
        self.is_words, self.is_cost, self.draws = is_words, is_cost, draws

    def __eq__(self, other):
        return vars(self) == vars(other)


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
            draws = int(judged[8].split()[-1]) if judged[8] else 0
            figure.values[judged[1]] = Rule(float(judged[2]), judged[5], float(judged[6]) / 100, bool(judged[4]),
                                            bool(judged[7]), draws)
        elif shown:
            figure.values[shown[1]] = Rule(float(shown[2]))
        elif figure and line.startswith("    "):
            key, _, value = line.strip().partition(": ")
            figure.lines[key] = value
    return figures


def judge(rule, value, low, high, draws):
    """Returns the verdict of a value of ours: the interval against the good numbers (paper-verdict.h)."""
    if math.isnan(value):
        return "not computable"
    low, high = (value, value) if math.isnan(low) or math.isnan(high) else (low, high)
    if rule.is_cost:
        low, high = low / MACHINES, high * MACHINES
    if draws < rule.draws:
        low, high = value, math.inf
    room = rule.tolerance * abs(rule.published)
    words = rule.rule.split()
    ends = {"within": (rule.published - room, rule.published + room), "<=": (-math.inf, rule.published + room),
            ">=": (rule.published - room, math.inf)}
    good = ends[words[0]] if words[0] in ends else (float(words[0]), float(words[2]))
    gain = {"<=": rule.published - room - high, ">=": low - rule.published - room}.get(words[0], 0)
    if gain > 0 and not rule.is_words and low < high:
        return "better"
    if good[0] <= low and high <= good[1]:
        return "reproduced"
    return "worse" if high < good[0] or good[1] < low else "undecided"


def get_worst(verdicts):
    """Returns the verdict of several values."""
    return max(verdicts, key=VERDICTS.index, default="not run")


def check_list(figures, wrong):
    """Checks that every figure says all that it must."""
    for figure in figures.values():
        if not figure.lines.get("source"):
            wrong.append(f"{figure.name} has no source")
        if not figure.values:
            wrong.append(f"{figure.name} has no published value")
        elif all(value.rule == "shown" for value in figure.values.values()):
            wrong.append(f"{figure.name} has no judged value")
        for name, value in figure.values.items():
            room = value.tolerance * abs(value.published)
            bars = (f"<= {value.published + room:.6g}", f">= {value.published - room:.6g}", f"within {100 * value.tolerance:.6g} %")
            ends = value.rule.split(" to ")
            inside = len(ends) == 2 and float(ends[0]) <= value.published <= float(ends[1])
            if value.rule not in bars + ("shown",) and not (value.is_words and inside):
                wrong.append(f"{figure.name}: {name} has the rule {value.rule}, none of {', '.join(bars)}")
            if value.rule == ">= 0" and value.published == 0:
                wrong.append(f"{figure.name}: {name} has no upper side: any large value passes")
        if "not computable" in figure.lines:
            if not figure.lines["not computable"]:
                wrong.append(f"{figure.name} is not computable and has no reason")
            continue
        if not re.search(r"; [1-9][0-9]* s of processor time$", figure.lines.get("small", "")):
            wrong.append(f"{figure.name} does not say what the small scale costs")
        for scale in ("small", "full"):
            if "seed" not in figure.lines.get(scale, ""):
                wrong.append(f"{figure.name} names no seed at the scale {scale}")


def check_pages(figures, wrong):
    """Compares doc/papers.rst, doc/papers and README with what data/papers gives, and the verdicts with their rows."""
    with tempfile.TemporaryDirectory() as folder:
        made = write_pages(pathlib.Path(folder))
        for path, text in made.items():
            there = path.read_text(encoding="utf-8") if path.exists() else ""
            if there != text:
                wrong.append(f"{path.relative_to(ROOT)} is not that of data/papers: run test/scripts/papers.py page")
    for path in sorted((DOC / "papers").glob("*.rst")):
        if path not in made:
            wrong.append(f"{path.relative_to(ROOT)} is of no paper of data/papers")
    tables = {}
    shown = set()
    for path, text in made.items():
        tables.update(read_tables(text))
        shown.update(re.findall(r"^\.\. figure:: \.\./figures/papers/(\S+)$", text, re.M))
    there = {path.name for path in PICTURES.glob("*")} if PICTURES.exists() else set()
    for name in sorted(shown ^ there):
        wrong.append(f"doc/figures/papers {'lacks ' if name in shown else 'has '}{name}, which "
                     f"{'a page' if name in shown else 'no page'} shows: renew its figure")
    for name in sorted(set(figures) ^ set(tables)):
        wrong.append(f"the pages and the list do not have the same figures: {name}")
    stored = read_results()
    for figure in figures.values():
        verdict, rows = tables.get(figure.name, ("", {}))
        for name, rule in figure.values.items():
            if rule.rule == "shown":
                continue
            is_run = name in stored.get(figure.name, {}) or "not computable" in figure.lines
            ours = stored.get(figure.name, {}).get(name, (math.nan, math.nan, math.nan, 0))
            expected = judge(rule, *ours) if is_run else "not run"
            found = rows.get(name, "")
            # a scale that does not tell a method from its baseline reproduces nothing
            is_alike = found == "undecided" and expected in ("reproduced", "better") and "does not tell" in verdict
            if found != expected and not is_alike:
                wrong.append(f"{figure.name}: {name} is {found or 'missing'}, by its rule {expected}")
        worst = get_worst([each for name, each in rows.items() if each != "shown"])
        if get_kind(verdict) != worst:
            wrong.append(f"{figure.name} is {get_kind(verdict)}, but its rows say {worst}")
    count = re.search(r"^\d+ figures and tables: [^.]+", made[DOC / "papers.rst"], re.M)[0]
    verdicts = [get_kind(verdict) for verdict, _ in tables.values()]
    if any(f"{verdicts.count(each)} {each}" not in count.replace(": ", ", ").split(", ") for each in VERDICTS):
        wrong.append(f'doc/papers.rst says "{count}", but its figures are others')
    for name in sorted(set(stored) - set(figures)):
        wrong.append(f"data/papers/results.csv has {name}, which is no figure")


def get_kind(verdict):
    """Returns the kind of a verdict with its reason."""
    return verdict.split(":")[0].rstrip(".")


def read_tables(text):
    """Returns verdict and rows, by name, of the figures of a page, by name."""
    tables = {}
    for part in re.split(r"^\.\. _paper-", text, flags=re.M)[1:]:
        plain = part.replace("\\", "")
        verdict = re.search(r"^\*([a-z ]+)\*(.*?)\n\n", plain, re.M | re.S)
        rows = {}
        for row in re.split(r"^   \* - ", plain, flags=re.M)[2:]:
            cells = [" ".join(cell.split()) for cell in re.split(r"^     - ", row.split("\n\n")[0], flags=re.M)]
            rows[re.sub(r" \[[^][]*\]$", "", cells[0])] = cells[4]
        tables[part.split(":")[0]] = (" ".join((verdict[1] + verdict[2]).split()), rows)
    return tables


def read_results():
    """Returns the stored results: by figure and value, value, ends of the interval and draws."""
    results = {}
    if RESULTS.exists():
        with open(RESULTS, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                numbers = [float(row[key]) if row[key] else math.nan for key in ("ours", "low", "high")]
                results.setdefault(row["figure"], {})[row["value"]] = (*numbers, int(row["draws"] or 0))
    return results


def write_pages(folder):
    """Returns the pages that data/papers gives, and README, by their paths."""
    claims.run("dcn-paper --all --stored --out={out}", folder)
    made = {DOC / path.relative_to(folder): path.read_text(encoding="utf-8") for path in folder.glob("**/*.rst")}
    sentences = "\n\n".join(made[DOC / "papers.rst"].split("======================\n\n")[1].split("\n\n")[:2])
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    if not MARKS.search(text):
        claims.fail("README.md lacks the marks <!-- papers --> and <!-- /papers -->")
    made[readme] = MARKS.sub(lambda match: f"{match[1]}{sentences}\n{match[2]}", text)
    return made


def page():
    """Writes the pages."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in write_pages(pathlib.Path(folder)).items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(ROOT)}")


def select(figures, what):
    """Returns names of figures: those of a name, of a paper, without a result, or whose result is late."""
    stored = read_results()
    late = set()
    for path in (DOC / "papers").glob("*.rst"):
        for part in re.split(r"^\.\. _paper-", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
            if "**Out of date**" in part:
                late.add(part.split(":")[0])
    names = []
    for each in what:
        found = [name for name, figure in figures.items() if "not computable" not in figure.lines and (
            each in ("all", name, name.split("-")[0]) or (each == "late" and name in late)
            or (each == "missing" and name not in stored))]
        if not found and each not in ("late", "missing"):
            claims.fail(f"{each} is no figure or paper: dcn-paper --list names them")
        names += [name for name in found if name not in names]
    return names


def renew(figures, options):
    """Measures figures anew."""
    page()  # tells which results are late
    scales = {}
    if RESULTS.exists():
        with open(RESULTS, newline="", encoding="utf-8") as file:
            scales = {row["figure"]: row["scale"] for row in csv.DictReader(file)}
    revision = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in select(figures, options.what):
        scale = options.scale or scales.get(name, "medium")
        print(f"papers: {name}, scale {scale}", flush=True)
        print(claims.run(f"dcn-paper {name} --renew --scale={scale} --revision={revision} --jobs={options.jobs} --out={{out}}",
                         options.out), flush=True)
        with open(RESULTS, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["figure"] == name and row["unit"] == "picture":
                    picture = row["value"].split(": ")[0] + ".png"
                    shutil.copyfile(pathlib.Path(options.out) / picture, PICTURES / picture)
    page()


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
    for name, rule in figures[CHEAP].values.items():
        row = rows[name]
        if row["rule"] != rule.rule:
            wrong.append(f"{CHEAP}: {name} has the rule {row['rule']}, in the list {rule.rule}")
        if float(row["published"]) != rule.published:
            wrong.append(f"{CHEAP}: {name} has another published value than the list")
        if rule.rule != "shown":
            verdict = judge(rule, float(row["ours"]), float(row["low"]), float(row["high"]), int(row["draws"]))
            if verdict != row["verdict"]:
                wrong.append(f"{CHEAP}: {name} is {row['verdict']}, by the rule {verdict}")


#: rows of data/papers that are wrong, with the sentence that refuses them
ROWS = {
    ("figures.csv", "m3-fig3,colour,red"): 'there is no key "seconds" or "colour"; there are: compare, cost, departures, full, medium, place, reason, small, title',
    ("figures.csv", "m3-fig3,seconds,fast"): 'text must be a number, but it is "fast"',
    ("figures.csv", "m3-fig99,title,none"): 'the figure "m3-fig99" has no computation; its key "reason" must say why',
    ("figures.csv", "m9-fig1,reason,none"): 'the figure "m9-fig1" must start with a prefix of papers.csv and -: cceval, m3, m4, mql, noc, parsimon',
    ("figures.csv", 'm3-fig3,title,"open'): 'a quoted cell ends with " before the next comma',
    ("values.csv", "m3-fig99,a,%,1,near,,,,"): 'there is no figure "m3-fig99"; there are: cceval-fig10',
    ("values.csv", "m3-fig3,a,%,1,equal,,,,"): 'there is no relation "equal"; there are: above, at-least, at-most, below, near, shown',
    ("values.csv", "m3-fig5,500 paths: errors within 10 %,%,1,near,,,,"): 'm3-fig5 has the value "500 paths: errors within 10 %" twice',
    ("values.csv", "m3-fig3,a,%,0,above,,,,"): "above 0 needs a limit: any large value would be above 0",
    ("values.csv", "m3-fig3,a,%,1,near,,2,,"): "limit has no effect with the relation near",
    ("values.csv", "m3-fig3,a,s,1,near,,,,1 core"): "a cost, a value with hardware, has the relation at-most",
    ("claims.csv", "m9,a,m3-fig3,here,"): 'there is no paper "m9"',
    ("claims.csv", "m3,a,m3-fig3: no value,here,"): 'a row of a claim is "FIGURE" or "FIGURE: VALUE" with a judged value of the figure, but it is "m3-fig3: no value"',
    ("claims.csv", "m3,a,m3-fig3,{m3-fig3},"): 'claims.csv: {FIGURE: VALUE} names a value, but there is "m3-fig3"',
}


def check_data(wrong):
    """Adds wrong rows to a copy of data/papers."""
    for (name, row), sentence in ROWS.items():
        with tempfile.TemporaryDirectory() as folder:
            for each in (ROOT / "data").iterdir():
                if each.name != "papers":
                    (pathlib.Path(folder) / each.name).symlink_to(each)
            shutil.copytree(ROOT / "data" / "papers", pathlib.Path(folder) / "papers")
            path = pathlib.Path(folder) / "papers" / name
            text = path.read_text(encoding="utf-8")
            path.write_text(f"{text}{row}\n", encoding="utf-8")
            command = "dcn-paper --all --stored --out={out}" if name == "claims.csv" else "dcn-paper --list"
            done = subprocess.run(claims.get_words(command, folder), stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, env={**os.environ, "DCN_DATA": folder})
            place = f"{path}: " if sentence.startswith("the figure") else f"{path}:{len(text.splitlines()) + 1}: "
            place = "" if sentence.startswith("claims.csv") else place
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
    parser = argparse.ArgumentParser(usage="papers.py check | page | renew WHAT... [--scale=SCALE] [--out=DIR] [--jobs=N]")
    parser.add_argument("action", choices=["check", "page", "renew"])
    parser.add_argument("what", nargs="*")
    parser.add_argument("--scale", choices=["small", "medium", "full"])
    parser.add_argument("--out", default=str(ROOT / "results" / "papers"))
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if (options.action == "renew") != bool(options.what):
        parser.error("renew, and nothing else, names figures, papers, late, missing or all")
    if options.action == "page":
        page()
        return 0
    wrong = []
    figures = read_list(claims.run("dcn-paper --list", "."))
    if options.action == "renew":
        renew(figures, options)
        return 0
    if len(figures) < 63:
        wrong.append(f"dcn-paper --list has {len(figures)} figures, but the papers have 63")
    check_list(figures, wrong)
    one = read_list(claims.run(f"dcn-paper --list {CHEAP}", "."))
    if list(one) != [CHEAP] or one[CHEAP].values != figures[CHEAP].values:
        wrong.append(f"dcn-paper --list {CHEAP} does not show this figure alone, as --list does")
    check_pages(figures, wrong)
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
