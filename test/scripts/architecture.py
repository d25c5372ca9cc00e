#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the code is built as doc/dcn.rst says: modules, rooms, doors.

usage: architecture.py check    prints what is wrong, a line each; ends with status 1 if anything is
       architecture.py show     prints modules, rooms, and public headers with who uses them

A unit is a header with its source. A room is a folder of a module (model/engine). Includes are
found by the name of the file, as ns-3 copies all headers into one folder.
"""

import collections
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Rooms of a module from the bottom up: a room may use itself and those to its left. Rooms between
# the same bars do not know each other.
ROOMS = {
    "dcn": "model/base < model/network < model/workload < model/scenario < model/estimate < helper",
    "dcn-packet": "model/congestion < model/engine < model/measure < helper",
    "dcn-dataset": "model",
    "flowsim": "model/solver < model/simulation < helper",
    "dcn-path": "model < helper",
    "parsimon": "model/topology < model/simulate < model/combine < helper",
    "mql": "model/queue < model/network < correction < truth < helper",
    "cceval": "model/statistics < model/trials < model/evaluation < model/validation",
    "dcn-torch": "model < backend",
    "m3": "model < training < backend",
    "m4": "model/state < model/network < model/session < training < backend",
}

# Sources without a header of their own: twins, of which one is compiled, and entries of plug-ins.
NO_HEADER = {
    "dcn-dataset-file-hdf5.cc",
    "dcn-dataset-file-no-hdf5.cc",
    "m4-torch-plugin.cc",
    "m3-torch-factory.cc",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


class File:
    """A source or header of the repository."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.stem = self.name.rsplit(".", 1)[0]
        parts = path.split("/")
        inside = parts[2:] if parts[0] == "contrib" else parts
        if parts[0] in ("examples", "scratch"):
            self.module = "programs"
        else:
            self.module = parts[1] if parts[0] == "contrib" else "dcn"
        self.is_test = inside[0] == "test"
        self.is_header = path.endswith(".h")
        self.is_library = self.module != "programs" and not self.is_test
        self.room = "/".join(inside[:-1])
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            self.text = file.read()


class House:
    """All files, and what they include."""

    def __init__(self):
        listing = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, stdout=subprocess.PIPE, check=True,
        ).stdout.decode().split("\n")
        self.files = [
            File(path) for path in sorted(set(listing))
            if path.endswith((".cc", ".h")) and os.path.exists(os.path.join(ROOT, path))
            and not path.startswith("doc/")
        ]
        self.headers = {}
        self.troubles = []
        for file in self.files:
            if file.is_header:
                if file.name in self.headers:
                    self.troubles.append(f"two headers are called {file.name}")
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

    def read_lists(self):
        """Reads the CMakeLists.txt of all modules: public headers and libraries."""
        self.public = set()
        self.libraries = {}
        for module in ROOMS:
            folder = "" if module == "dcn" else f"contrib/{module}/"
            with open(os.path.join(ROOT, folder, "CMakeLists.txt"), encoding="utf-8") as file:
                text = file.read()
            text = text[text.index("build_lib("):]
            lists = {
                name: entries.split()
                for name, entries in re.findall(r"^  ([A-Z_]+)\n((?:    .*\n)*)", text, re.M)
            }
            known = {file.path for file in self.files if file.module == module and file.is_library}
            for path in lists.get("HEADER_FILES", []):
                self.public.add(os.path.basename(path))
            for path in lists.get("HEADER_FILES", []) + lists.get("PRIVATE_HEADER_FILES", []):
                if folder + path not in known:
                    self.troubles.append(f"{folder}CMakeLists.txt lists {path}, which is not there")
                known.discard(folder + path)
            for path in known:
                if path.endswith(".h") and "/backend/" not in path:
                    self.troubles.append(f"{path} is not in {folder}CMakeLists.txt")
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
        """Returns what is wrong, a sentence each."""
        wrong = list(self.troubles)
        for ring in self.rings():
            wrong.append("these units include each other in a ring: " + ", ".join(ring))
        units = {file.stem for file in self.files if file.is_header}
        for file in self.files:
            if not file.is_library:
                continue
            if not file.is_header and file.stem not in units and file.name not in NO_HEADER:
                wrong.append(f"{file.path} has no header of its own")
            rooms = ROOMS[file.module].split(" < ")
            if file.room not in rooms:
                wrong.append(f"{file.path}: {file.module} has no room {file.room}")
        for file, headers in self.includes.items():
            for header in headers:
                wrong += self.check_arrow(file, header)
        for header in sorted(self.headers.values(), key=lambda h: h.path):
            if header.is_library and header.name in self.public and not any(
                user.module != header.module or (
                    user.name in self.public and user.module == header.module)
                for user in self.users[header]
            ):
                wrong.append(f"{header.path} is public, but nothing outside of {header.module} uses it")
        return sorted(set(wrong))

    def check_arrow(self, file, header):
        """Returns what is wrong with an include."""
        if header.module == file.module and header.is_library and file.is_library:
            rooms = ROOMS[file.module].split(" < ")
            if file.room in rooms and header.room in rooms:
                if rooms.index(header.room) > rooms.index(file.room):
                    yield f"{file.path} includes {header.name} of a room above it ({header.room})"
            if file.is_header and file.name in self.public and header.name not in self.public:
                yield f"{file.path} is public and includes {header.name}, which is not"
        if header.module != file.module and header.is_library:
            if header.name not in self.public and not (header.room == file.room == "backend"):
                yield f"{file.path} includes {header.name}, which is private to {header.module}"
            if file.module in self.libraries and not file.is_test:
                if header.module not in self.libraries[file.module]:
                    yield f"{file.path} uses {header.module}, with which {file.module} is not linked"
        if not header.is_library and file.is_library:
            yield f"{file.path} includes {header.path}, which is no part of a module"

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
        + (f"{len(wrong)} things are wrong" if wrong else "no ring, no arrow up, no open door")
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
