#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only

"""Says what of a run of ns-3's test.py passed, failed and was skipped. For ./dcn test.

usage: test-report.py OUTPUT RESULTS.xml [EXAMPLES-TO-RUN.py]

OUTPUT is what test.py prints: a result for each suite and example. RESULTS.xml is what test.py --xml writes, for
the names of cases; it lacks suites that ended before they had written theirs. With the third file, also examples that
test.py left out are reported. Run in the folder of the ns-3 tree, whose configuration says what was not found.

Prints a line "FAIL ..." for each suite without a case and each example that was not run though it
could, a line "SKIP ..." for each suite or example of which something was skipped, and at last the
numbers "passed failed skipped". Suites and examples pass and fail; cases and examples are skipped.
A suite of which all cases are skipped has not passed.
"""

import html
import os
import re
import runpy
import sys

# as DcnTestsIf calls a case that cannot run
SKIPPED_CASE = re.compile(r"SKIPPED for lack of (.*?): (.*)")
# in what test.py prints; releases before 3.39 have no numbers
RESULT = re.compile(r"(?:\[\d+/\d+\] )?(PASS|FAIL|CRASH|VALGR): (TestSuite|Example) (.*?)\s*$")
# in the configuration of the tree, where conditions of examples ask for it
NEEDS = {"DCN_HDF5": "HDF5 (libhdf5-dev)", "DCN_TORCH": "LibTorch (libtorch-dev)"}


def read_results(path):
    """Returns {suite: result} and {example: result}."""
    suites, examples = {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = RESULT.match(line)
            if match and match[2] == "TestSuite":
                suites[match[3]] = match[1]
            elif match:
                examples[match[3].split("/examples/", 1)[-1]] = match[1]
    return suites, examples


def read_cases(path):
    """Returns {suite: names of cases}. By lines, as test.py writes names of examples that no parser of XML would take."""
    cases = {}
    depth = 0
    with open(path, encoding="utf-8") as file:
        for line in map(str.strip, file):
            if line == "<Test>":
                depth += 1
            elif line == "</Test>":
                depth -= 1
            elif line.startswith("<Name>"):
                name = html.unescape(line[len("<Name>") : -len("</Name>")])
                if depth == 1:
                    suite = cases.setdefault(name, [])
                elif depth == 2:
                    suite.append(name)
    return cases


def report_suite(name, result, cases):
    """Returns whether it passed, failed, and how many cases were skipped."""
    if result != "PASS":
        return False, True, 0 # test.py has said so
    if not cases:
        print(f"FAIL suite {name}: it has no case")
        return False, True, 0
    skipped = {}
    for match in filter(None, map(SKIPPED_CASE.fullmatch, cases)):
        skipped.setdefault(match[1], []).append(match[2])
    for need, names in skipped.items():
        share = f"{len(names)} of {len(cases)} cases"
        print(f"SKIP suite {name}: {share}, for lack of {need}: {'; '.join(names)}")
    number = sum(map(len, skipped.values()))
    return number < len(cases), False, number


def report_left_out(rows, done):
    """Returns how many examples that were not run should have been, and how many should not."""
    with open("cmake-cache/CMakeCache.txt", encoding="utf-8") as file:
        cache = file.read()
    failed = skipped = 0
    for example, condition, _ in rows:
        if example in done:
            continue
        if eval(condition, {"os": os}): # as test.py does
            print(f"FAIL example {example}: its program was not built")
            failed += 1
            continue
        needs = [
            what
            for name, what in NEEDS.items()
            if name in condition and f"{name}:INTERNAL=OFF" in cache
        ]
        print(f"SKIP example {example}, for lack of {' and '.join(needs) or condition}")
        skipped += 1
    return failed, skipped


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    suites, examples = read_results(sys.argv[1])
    cases = read_cases(sys.argv[2])
    passed = failed = skipped = 0
    for name, result in suites.items():
        has_passed, has_failed, number = report_suite(name, result, cases.get(name, []))
        passed, failed, skipped = passed + has_passed, failed + has_failed, skipped + number
    for result in examples.values():
        passed, failed = passed + (result == "PASS"), failed + (result != "PASS")
    if len(sys.argv) > 3:
        rows = runpy.run_path(sys.argv[3])["cpp_examples"]
        more_failed, more_skipped = report_left_out(rows, examples)
        failed, skipped = failed + more_failed, skipped + more_skipped
    print(passed, failed, skipped)


if __name__ == "__main__":
    main()
