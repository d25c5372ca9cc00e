#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the code is built as doc/dcn.rst says: modules, rooms, doors.

usage: architecture.py check    prints each violation in a line; status 1 if there is one
       architecture.py show     prints modules, rooms, and public headers with their users

Words of the messages:
- A unit is a header with its source (dcn-csv: dcn-csv.h and dcn-csv.cc).
- A room is a folder of a module (model/engine). ROOMS below orders the rooms of each module from
  the bottom up; a room may include only itself and rooms to its left.
- A public header is in HEADER_FILES of its module's CMakeLists.txt: other modules and programs may
  include it. A private header is in PRIVATE_HEADER_FILES. The public headers are the module's door.

Rules: no two units include each other, over however many others; no include of a room further up;
every source has a header (NO_HEADER lists the exceptions); every file is in its CMakeLists.txt; a
room has at most 26 files, a dozen units and a margin of one; only public headers cross modules,
and a public header that is no helper has a user outside; a module links what it includes; the names of log
components differ; an example (examples/*.cc) has at most 120 lines; only the rooms called backend
and the plug-in of a test (TORCH_TEST) include headers of LibTorch; texts enter scripts of gnuplot,
which runs a shell on backticks, only by DcnMakePlot, DcnMakeCurve and DcnPlotText (PLOT_UNIT); the
substrate (model/network) has no key of a congestion control and names none but the default one; a
row of examples-to-run.py holds neither "]" nor "#", at which ns-3's reader ends the list or line;
names of test cases have none of / \\ | ? and no quote, which ns-3 calls invalid (CASE);
one training loop: only dcn-torch resumes trainings, draws learning curves and saves states
(TRAINING_LOOP), and no program has a trainer (TRAINER), but for the benchmark of its speed;
no further loop farms keyed work (KEYED_LOOPS);
the class and the member of each Class::Member of a page are words of a source (NAMED).
No file of the core needs a satellite (dcn_satellites in CMakeLists.txt).

Includes are resolved by the name of the file, as ns-3 copies all headers into one folder.
"""

import collections
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Rooms of each module from the bottom up: a room may include itself and rooms to its left.
ROOMS = {
    "dcn": "model/base < model/farm < model/events < model/network < model/stack < model/workload < model/scenario < model/flows < model/estimate < model/compare < helper",
    "dcn-packet": "model/congestion < model/transport < model/paths < model/frames < model/windows < model/engine < model/skip < model/network < model/measure < model/estimate < helper",
    "dcn-datasets": "model/files < model/generate",
    "dcn-tcp": "model < record",
    "flowsim": "model/solver < model/simulation < helper",
    "dcn-path": "model",
    "parsimon": "model/topology < model/simulate < model/combine < helper",
    "mql": "model/queue < model/network < model/correction < model/estimate < truth < training",
    "cceval": "model/statistics < model/trials < model/evaluation < model/validation",
    "noc": "model/simulator < model/queue < model/model < model/throttling < model/network < helper",
    "dcn-torch": "model < backend",
    "m3": "model/features < model/network < model/estimate < training < backend",
    "dcn-train": "model/graph < model/collective < model/workload < model/format < model/fabric < model/run < helper",
    "m4": "model/state < model/network < model/session < training < backend",
}

# A function or member of a class, as pages name it.
NAMED = re.compile(r"\b((?:Dcn|Flowsim|Parsimon|M3|M4|Mql|Noc)\w+)::([A-Za-z]\w+)")

# Rows that ns-3's test.py runs.
EXAMPLES = "test/examples-to-run.py"

# Sources without a header of their own: twins, of which one is compiled, and entries of plug-ins.
NO_HEADER = {
    "dcn-dataset-file-hdf5.cc",
    "dcn-dataset-file-no-hdf5.cc",
    "dcn-mpi-absent.cc",
    "dcn-mpi-found.cc",
    "m4-torch-plugin.cc",
    "m3-torch-factory.cc",
}

TORCH = ("torch/", "ATen/", "c10/")  # folders of LibTorch's headers
TORCH_TEST = "contrib/dcn-torch/test/dcn-torch-test-plugin.cc"  # a plug-in for a test

PLOT_UNIT = "dcn-plot"  # the only unit that gives texts to ns-3's Gnuplot
PLOT_TEXT = re.compile(r"\b(?:Gnuplot\w* +\w+[({]|(?:SetTitle|SetLegend|SetTitleDefault)\()")

# What a loop over epochs needs: it is in dcn-torch once, for all learned methods.
TRAINING_LOOP = re.compile(r"\bDcnTorchLearningCurve\s*[({]|\bDcnTorchLearningCurve \w+[({]"
                           r"|\bDcnTorchCheckpoint::(?:Save|Load)\b|(?:\.|->)GetNEpochs\(\) *<")
TRAINER = re.compile(r"\bM\dTrainer\b")
TRAINER_BENCHMARK = "examples/benchmarks/dcn-bench-torch.cc"

CONTROL = re.compile(r'DcnNetworkConfig::Control control\{\s*"(\w+)"')  # in a control's source
DEFAULT_CONTROL = 'DEFAULT_CONTROL = "dctcp";'  # the one that the substrate names

# One of each: a second loop over keyed work hands replies of tasks to a store. The list has those
# that are there, and only becomes shorter.
KEYED = re.compile(r"DcnTaskFarm::Reply\b")
KEYED_LOOPS = {
    "model/farm/dcn-task-farm.cc": "the farm",
    "contrib/cceval/model/evaluation/cceval-controls.cc": "means of controls",
    "contrib/cceval/model/trials/cceval-runner.cc": "trials",
    "contrib/cceval/model/validation/dcn-validation-runner.cc": "rows of a validation",
    "contrib/dcn-datasets/model/generate/dcn-dataset-generator.cc": "shards",
    "contrib/parsimon/model/simulate/parsimon-link-runner.cc": "results of links",
    "examples/benchmarks/dcn-farm.cc": "times of the farm",
    "examples/programs/papers/paper-run.cc": "figures",
}

MAX_ROOM_FILES = 26  # a dozen units, and one more
MAX_EXAMPLE_LINES = 120

CASE = re.compile(r"\bDCN_TEST_CASE\w*\(|(?<=[:,\s])(?:\w*TestCase|TestSuite)\(")  # has its name
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
BAD_IN_CASES = re.compile(r"[/\\|?]")

LOG_COMPONENT = re.compile(r'^\s*NS_LOG_COMPONENT_DEFINE\("([^"]+)"\)', re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def read_call(text, start):
    """Returns the call that begins at a position, to the parenthesis that ends it."""
    depth = 0
    for match in re.compile(TEXT.pattern + r"|[()]").finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth == 0 and match.group() == ")":
            return text[start:match.end()]
    return text[start:]


class File:
    """A source or header of the repository."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.stem = self.name.rsplit(".", 1)[0]
        parts = path.split("/")
        inside = parts[2:] if parts[0] == "contrib" else parts
        if parts[0] in ("examples", "scratch", "python"):
            self.module = "programs"
        else:
            self.module = parts[1] if parts[0] == "contrib" else "dcn"
        self.is_test = inside[0] == "test"
        self.is_header = path.endswith(".h")
        self.is_library = self.module != "programs" and not self.is_test
        self.room = "/".join(inside[:-1])
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            self.text = file.read()


def list_files():
    """Returns the paths of all files that belong to the repository: git's, or all without git."""
    try:
        return subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, stdout=subprocess.PIPE, check=True,
        ).stdout.decode().split("\n")
    except (FileNotFoundError, subprocess.CalledProcessError):  # an unpacked archive
        return [
            os.path.relpath(os.path.join(folder, name), ROOT)
            for folder, _, names in os.walk(ROOT) for name in names
        ]


class House:
    """All files with their includes."""

    def __init__(self):
        listing = list_files()
        self.files = [
            File(path) for path in sorted(set(listing))
            if path.endswith((".cc", ".h")) and os.path.exists(os.path.join(ROOT, path))
            and not path.startswith("doc/")
        ]
        self.headers = {}
        self.troubles = []
        self.drop_unknown_modules()
        for file in self.files:
            if file.is_header:
                if file.name in self.headers:
                    other = self.headers[file.name].path
                    self.troubles.append(
                        f"{file.path} and {other} have the same name: ns-3 copies all headers into "
                        "one folder, so rename one")
                self.headers[file.name] = file
        self.includes = {  # file: headers of ours
            file: [
                self.headers[os.path.basename(name)]
                for name in INCLUDE.findall(file.text)
                if os.path.basename(name) in self.headers
            ]
            for file in self.files
        }
        self.users = collections.defaultdict(list)
        for file, headers in self.includes.items():
            for header in headers:
                self.users[header].append(file)
        self.read_lists()

    def drop_unknown_modules(self):
        """Leaves out the files of modules without rooms, and names these modules."""
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            own = re.search(r"set\(dcn_own_modules\n(.*?)\)", file.read(), re.S)[1].split()
        for module in sorted({file.module for file in self.files} - {"programs", "dcn"}):
            if module not in ROOMS:
                self.troubles.append(
                    f"contrib/{module} is a module without rooms: list its folders from the bottom "
                    "up in ROOMS of test/scripts/architecture.py")
            if module not in own:
                self.troubles.append(
                    f"contrib/{module} is not in dcn_own_modules of CMakeLists.txt, so it is not "
                    "built")
        self.files = [
            file for file in self.files if file.module in ROOMS or file.module == "programs"]

    def read_lists(self):
        """Reads the CMakeLists.txt of all modules: public headers and libraries."""
        self.public = set()
        self.libraries = {}
        for module in ROOMS:
            folder = "" if module == "dcn" else f"contrib/{module}/"
            with open(os.path.join(ROOT, folder, "CMakeLists.txt"), encoding="utf-8") as file:
                text = file.read()
            lists = {
                name: entries.split()
                for name, entries in re.findall(
                    r"^  ([A-Z_]+)\n((?:    .*\n)*)", text[text.index("build_lib("):], re.M)
            }
            known = {file.path for file in self.files if file.module == module and file.is_library}
            for path in lists.get("HEADER_FILES", []):
                self.public.add(os.path.basename(path))
            for path in lists.get("HEADER_FILES", []) + lists.get("PRIVATE_HEADER_FILES", []):
                if folder + path not in known:
                    self.troubles.append(f"{folder}CMakeLists.txt lists {path}, but there is no such file")
                known.discard(folder + path)
            for path in known:
                if path.endswith(".h") and "/backend/" not in path:
                    self.troubles.append(
                        f"{path} is not in {folder}CMakeLists.txt: add it to HEADER_FILES or "
                        "PRIVATE_HEADER_FILES")
            words = set(re.findall(r"[\w./+-]+", text))
            for file in self.files:
                inside = file.path[len(folder):]
                if file.module == module and not file.is_header and inside not in words:
                    self.troubles.append(f"{file.path} is not in {folder}CMakeLists.txt, so it is "
                                         "not compiled")
            self.libraries[module] = {
                name for name in re.findall(r"\$\{lib([\w-]+)\}", " ".join(lists["LIBRARIES_TO_LINK"]))
                if name in ROOMS
            }

    def rings(self):
        """Returns the strongly connected components of more than one unit (Tarjan)."""
        graph = collections.defaultdict(set)
        for file, headers in self.includes.items():
            if file.is_library:
                graph[file.stem] |= {h.stem for h in headers if h.is_library and h.stem != file.stem}
        index, low, stack, found = {}, {}, [], []

        def visit(unit):
            index[unit] = low[unit] = len(index)
            stack.append(unit)
            for other in sorted(graph[unit]):
                if other not in index:
                    visit(other)
                    low[unit] = min(low[unit], low[other])
                elif other in stack:
                    low[unit] = min(low[unit], index[other])
            if low[unit] == index[unit]:
                ring = stack[stack.index(unit):]
                del stack[stack.index(unit):]
                if len(ring) > 1:
                    found.append(sorted(ring))

        sys.setrecursionlimit(10000)
        for unit in sorted(graph):
            if unit not in index:
                visit(unit)
        return found

    def check(self):
        """Returns the violations, a sentence each."""
        wrong = list(self.troubles)
        for ring in self.rings():
            wrong.append("these units include each other in a ring: " + ", ".join(ring)
                         + "; let one of them know only an interface, or join them")
        units = {file.stem for file in self.files if file.is_header}
        for file in self.files:
            if not file.is_library:
                continue
            if not file.is_header and file.stem not in units and file.name not in NO_HEADER:
                wrong.append(f"{file.path} has no header of its own ({file.stem}.h): join it with the "
                             "unit whose functions it defines")
            rooms = ROOMS[file.module].split(" < ")
            if file.room not in rooms:
                wrong.append(f"{file.path} is in {file.room}, which is no room of {file.module} "
                             f"({ROOMS[file.module]})")
        for file, headers in self.includes.items():
            for header in headers:
                wrong += self.check_arrow(file, header)
        for header in sorted(self.headers.values(), key=lambda h: h.path):
            # helpers are there for programs of users
            if header.is_library and header.name in self.public and header.room != "helper" and not any(
                user.module != header.module or (
                    user.name in self.public and user.module == header.module)
                for user in self.users[header]
            ):
                wrong.append(f"{header.path} is public, but nothing outside of {header.module} includes "
                             "it: move it to PRIVATE_HEADER_FILES")
        wrong += self.check_rooms()
        wrong += self.check_log_components()
        wrong += self.check_torch()
        wrong += self.check_plots()
        wrong += self.check_one_of_each()
        wrong += self.check_controls()
        wrong += self.check_training()
        wrong += self.check_examples()
        wrong += self.check_core()
        wrong += self.check_cases()
        wrong += self.check_names()
        for file in self.files:
            lines = file.text.count("\n")
            if os.path.dirname(file.path) == "examples" and lines > MAX_EXAMPLE_LINES:
                wrong.append(f"{file.path} has {lines} lines, but an example has at most "
                             f"{MAX_EXAMPLE_LINES}: shorten it, or move it to examples/programs")
        return sorted(set(wrong))

    def check_rooms(self):
        """Yields rooms with too many files."""
        rooms = collections.Counter(
            (file.module, file.room) for file in self.files if file.is_library)
        for (module, room), count in rooms.items():
            if count > MAX_ROOM_FILES:
                yield (f"the room {room} of {module} has {count} files, but a room has at most "
                       f"{MAX_ROOM_FILES}: split it by ideas")

    def check_core(self):
        """Yields files of the core, tests included, that need a satellite."""
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            satellites = re.search(r"^set\(dcn_satellites (.*)\)$", file.read(), re.M)[1].split()
        for module, libraries in self.libraries.items():
            for satellite in sorted(libraries & set(satellites)):
                if module not in satellites:
                    yield (f"{module} links {satellite}, but the core is built without it: move what "
                           "it needs into the core, or the module into dcn_satellites of "
                           "CMakeLists.txt")
        for file, headers in self.includes.items():
            for header in headers:
                if header.module in satellites and file.module not in satellites + ["programs"]:
                    yield (f"{file.path} includes {header.name} of {header.module}, but the core is "
                           "built without it")

    def check_log_components(self):
        """Yields log components that are defined twice."""
        places = collections.defaultdict(list)
        for file in self.files:
            for name in LOG_COMPONENT.findall(file.text):
                places[name].append(file.path)
        for name, paths in places.items():
            if len(paths) > 1:
                yield (f"the log component {name} is defined in {', '.join(paths)}: ns-3 needs "
                       "different names")

    def check_torch(self):
        """Yields files that include LibTorch outside of the plug-ins."""
        for file in self.files:
            if file.room != "backend" and file.path != TORCH_TEST:
                for name in INCLUDE.findall(file.text):
                    if name.startswith(TORCH):
                        yield (f"{file.path} includes {name} of LibTorch: only the plug-ins in "
                               f"contrib/*/backend and {TORCH_TEST} may")

    def check_examples(self):
        """Yields rows of examples that ns-3's reader would cut short."""
        with open(os.path.join(ROOT, EXAMPLES), encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                if line.startswith("    (") and re.search(r"[]#]", line):
                    yield (f'{EXAMPLES}:{number} has a "]" or "#", at which ns-3 stops to read: write '
                           "the row without it")

    def check_cases(self):
        """Yields names of test cases that ns-3 calls invalid, as they could not be folders."""
        for file in self.files:
            for match in CASE.finditer(file.text) if file.is_test else ():
                for name in TEXT.findall(read_call(file.text, match.start())):
                    bad = BAD_IN_CASES.search(name)
                    if bad:
                        yield (f'{file.path} has a test case whose name has "{bad.group()}" '
                               f'("{name}"): write it without / \\ | ? and quotes')

    def check_plots(self):
        """Yields plots whose texts gnuplot could take for commands."""
        for file in self.files:
            # a declaration of a function is no construction
            if file.stem != PLOT_UNIT and not file.is_header:
                for match in PLOT_TEXT.finditer(file.text):
                    yield (f"{file.path} writes {match.group()!r}, by which a text reaches gnuplot, "
                           "which runs backticks: call DcnMakePlot or DcnMakeCurve")

    def check_one_of_each(self):
        """Yields a second loop over keyed work."""
        found = {
            file.path for file in self.files
            if not file.is_header and not file.is_test and KEYED.search(file.text)
        }
        for path in found - set(KEYED_LOOPS):
            yield (f"{path} farms keyed work ({KEYED.pattern}): there is one of each, so widen a loop "
                   f"that is there ({', '.join(sorted(KEYED_LOOPS))})")
        for path in set(KEYED_LOOPS) - found:
            yield f"architecture.py lists {path}, which no longer farms keyed work: take it off the list"

    def check_names(self):
        """Yields names of functions on pages that the code does not have."""
        pages = [os.path.join(ROOT, "README.md"), os.path.join(ROOT, "CONTRIBUTING.md")]
        for folder, _, names in sorted(os.walk(ROOT)):
            if os.path.basename(folder) == "doc":
                pages += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".rst")]
        # attributes and trace sources of a class may be registered elsewhere: a word of any source counts
        words = {word for file in self.files for word in re.findall(r"\w+", file.text)}
        for page in pages:
            with open(page, encoding="utf-8") as stream:
                text = stream.read()
            for name, member in NAMED.findall(text):
                if name not in words or member not in words:
                    yield (f"{os.path.relpath(page, ROOT)} names {name}::{member}, which is in no source: "
                           "write the present name")

    def check_controls(self):
        """Yields names and keys of congestion controls in the substrate."""
        controls = {name for file in self.files for name in CONTROL.findall(file.text)}
        if len(controls) < 6:
            yield f"only {sorted(controls)} are registered as CONTROL of architecture.py says"
        for file in self.files:
            if file.module == "dcn" and file.room == "model/network":
                text = file.text.replace(DEFAULT_CONTROL, "")
                for name in re.findall(r'"([a-z0-9]+)(?:_\w+)?"', text):
                    if name in controls:
                        yield (f'{file.path} has "{name}", a congestion control: what is its own '
                               "belongs beside its class")

    def check_training(self):
        """Yields loops over epochs outside of dcn-torch."""
        for file in self.files:
            if file.module != "dcn-torch" and not file.is_test:
                for match in TRAINING_LOOP.finditer(file.text):
                    yield (f"{file.path} has {match.group()!r} of a training loop: hand a DcnTorchPlan "
                           "to DcnTorchLoop, which resumes, draws and chooses the epoch")
            if file.module == "programs" and file.path != TRAINER_BENCHMARK:
                if TRAINER.search(file.text):
                    yield (f"{file.path} trains: move this to the room training of the method, and "
                           "call it")

    def check_arrow(self, file, header):
        """Yields the violations of one include."""
        if header.module == file.module and header.is_library and file.is_library:
            rooms = ROOMS[file.module].split(" < ")
            if file.room in rooms and header.room in rooms:
                if rooms.index(header.room) > rooms.index(file.room):
                    yield (f"{file.path} includes {header.name} of {header.room}, a room above "
                           f"{file.room} ({ROOMS[file.module]})")
            if file.is_header and file.name in self.public and header.name not in self.public:
                yield (f"{file.path} is public and includes {header.name}, which is private: declare "
                       "its classes instead, or hide them behind a pointer")
        if header.module != file.module and header.is_library:
            if header.name not in self.public and not (header.room == file.room == "backend"):
                yield f"{file.path} includes {header.name}, which is private to {header.module}"
            if file.module in self.libraries and not file.is_test:
                if header.module not in self.libraries[file.module]:
                    yield (f"{file.path} includes {header.name} of {header.module}, which is not in "
                           f"LIBRARIES_TO_LINK of {file.module}")
        if not header.is_library and file.is_library:
            yield f"{file.path} includes {header.path}, which is in no module's library"

    def show(self):
        """Prints modules, rooms and doors."""
        for module in ROOMS:
            mine = [file for file in self.files if file.module == module and file.is_library]
            print(f"{module}: {', '.join(sorted(self.libraries[module]))}")
            for room, count in sorted(collections.Counter(file.room for file in mine).items()):
                print(f"    {room}: {count} files")
            for header in mine:
                if header.name in self.public:
                    outside = sorted({u.module for u in self.users[header]} - {module})
                    print(f"    {header.name}: {', '.join(outside) or '-'}")


def main():
    """Runs the command."""
    if sys.argv[1:] == ["show"]:
        House().show()
        return 0
    if sys.argv[1:] != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    house = House()
    wrong = house.check()
    for line in wrong:
        print(line)
    print(
        f"{len(house.files)} files, {len(house.public)} public headers: "
        + (f"{len(wrong)} violations" if wrong else "no violation")
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
