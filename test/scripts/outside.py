#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Builds a program outside of the repository, as doc/install.rst says, and runs it.

usage: outside.py check    ends with status 1 if it cannot be built, or prints something else

By g++ with the flags of `./dcn flags`, and by CMake with the first CMakeLists.txt in doc/install.rst.
The flags are in DCN_FLAGS if that is set. Where the folder of programs is known (DCN_PROGRAMS), its
build is installed, and the program is built with the second CMakeLists.txt of that page; it has to
find the installed data, which know the revision. A program with a header of a module that the tree
lacks is not compiled, and ./dcn says what to do. The sources of a module that the first run of a
clone compiles several at once (DCN_QUICK in CMakeLists.txt) compile at once, and ./dcn chooses that
build for such runs alone.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
#include "ns3/dcn-csv.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-scenario-recipe.h"

#include <cstdio>

int
main()
{
    const auto scenario = ns3::DcnScenarioRecipe("topology=dumbbell,flows=3").Create();
    for (const char* method : {"flowsim", "packet"})
    {
        const auto estimate = ns3::DcnEstimator::CreateByName(method)->Estimate(scenario);
        std::printf("%s: %zu\\n", method, static_cast<std::size_t>(estimate.GetNFinished()));
    }
    std::printf("%s\\n%s\\n", ns3::DcnDataPath("").c_str(), ns3::DcnGetRevision().c_str());
}
"""
EXPECTED = "flowsim: 3\npacket: 3\n"


def run(command, folder, **options):
    """Returns the output of a command, or ends with a sentence."""
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, check=False, **options)
    if result.returncode != 0:
        print(f"outside: {' '.join(command)[:300]} ends with {result.returncode}:\n{result.stdout[-3000:]}")
        sys.exit(1)
    return result.stdout


def install(programs, folder):
    """Installs the build of the programs into the folder; returns the prefix."""
    build = pathlib.Path(programs).parent / "cmake-cache"
    root = folder / "root"
    run(["cmake", "--install", str(build)], folder, env={**os.environ, "DESTDIR": str(root)})
    return next(root.rglob("share/dcn")).parent.parent


def check_modules(page, flags, folder):
    """Returns a sentence if modules of ns-3 that are there, or are not, are not named as such."""
    ours = {path.name for path in (ROOT / "contrib").iterdir()} | {"dcn"}
    linked = set(re.findall(r"-l:libns3[\d.]*-([\w-]+?)(?:-\w+)?\.so", flags)) - ours
    listed = re.search(r"has few modules of ns-3.*?: (.*?) \(``\./dcn flags``", page, re.S)[1]
    missing = linked - set(re.findall(r"[\w-]+", listed))
    if missing or not linked:
        return f"doc/install.rst does not list the modules {sorted(missing)} of ./dcn flags"
    (folder / "wireless.cc").write_text('#include "ns3/no-such-module.h"\n' + PROGRAM)
    command = ["g++", "-fdiagnostics-color=always", "-c", "wireless.cc", *shlex.split(flags)]
    log = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stderr
    (folder / "log").write_text(log)
    script = (ROOT / "dcn").read_text(encoding="utf-8")
    parts = re.findall(r"^say\(\)[^\n]*\n|^explain_missing_module\(\)\n\{.*?^\}\n", script, re.M | re.S)
    said = subprocess.run(["bash", "-euc", "".join(parts) + "explain_missing_module log"], cwd=folder,
                          capture_output=True, text=True, check=False).stderr
    if "ns-3's module no-such is not in the tree" not in said or "--enable-modules='dcn;no-such'" not in said:
        return f"of the missing module no-such in\n{log}\n./dcn says: {said}"
    return ""


def check_scopes(folder):
    """Returns a sentence if ./dcn would build another scope than it should for a command."""
    script = (ROOT / "dcn").read_text(encoding="utf-8")
    names = "get_scope|choose_needs|choose_scope|find_libraries"
    text = "".join(re.findall(rf"^(?:{names})\(\) \{{[^\n]*\n|^(?:{names})\(\)\n\{{.*?^\}}\n", script, re.M | re.S))
    release = re.search(r'^quick_ns3="(\S+)', script, re.M)[1]
    text += f"""repo='{ROOT}' satellites='mql noc' cache='{folder}/cache' tree='{folder}/tree' core_only=
ninja_file=$tree/ninja quick_ns3='{release}' ns3_version='{release}' profile=optimized ns3=$cache/source/ns3
rm -rf "$cache" "$tree"; mkdir -p "$tree" "$ns3"
libraries() {{ mkdir -p "$cache/source/libraries/usr/lib/any/pkgconfig"; cd "$cache/source/libraries/usr/lib/any"
    touch libns3-core.so; echo "Version: $1" >pkgconfig/ns3-core.pc; }}
has() {{ touch "$ninja_file"; echo "$1" >"$tree/scope"; }}
"""
    for before, arguments, expected in (
            ("command=run; libraries $ns3_version", "dcn-compare", "quick"),
            ("command=path; libraries $ns3_version", "dcn-queues", "quick"),
            ("command=run", "dcn-compare", "core"),
            ("command=run; libraries 3.36", "dcn-compare", "core"),
            ("command=run; libraries $ns3_version; profile=debug", "dcn-compare", "core"),
            ("command=run; libraries $ns3_version; ns3=$tree", "dcn-compare", "core"),
            ("command=run; libraries $ns3_version; has quick", "dcn-compare", "quick"),
            ("command=run; has quick", "dcn-compare", "core"),
            ("command=run; libraries $ns3_version; has quick", "dcn-compare --methods=mql", "all"),
            ("command=run; libraries $ns3_version", "m3-train", "all"),
            ("command=run; libraries $ns3_version; has core", "dcn-compare", "core"),
            ("command=run; libraries $ns3_version; has all", "dcn-compare", "all"),
            ("command=test; libraries $ns3_version; has quick", "", "all"),
            ("command=test; libraries $ns3_version; has quick; core_only=1", "", "core"),
            ("command=setup; libraries $ns3_version", "", "all")):
        chosen = run(["bash", "-euc", f"{text}{before}\nchoose_scope {arguments}"], folder).strip()
        if chosen != expected:
            return f"after {before!r}, choose_scope {arguments} of ./dcn says {chosen!r}, not {expected!r}"
    return ""


def check_joint_sources(flags, folder):
    """Returns a sentence if sources of a module cannot be compiled as one, because names collide."""
    lists = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    block = re.search(r"^if\(DCN_QUICK\)\n.*?^endif\(\)\n", lists, re.M | re.S)[0]
    modules = re.search(r"foreach\(module (.*?)\)", block)[1].split()
    names = re.search(r"foreach\(name (.*?)\)", block)[1].split()
    alone = set(re.findall(r"^ +([\w/-]+\.cc)$", block, re.M))
    alone |= {str(path.relative_to(ROOT)) for glob in re.findall(r"CURRENT_SOURCE_DIR}/(\S+\*\.cc)", block)
              for path in ROOT.glob(glob)}
    missing = [source for source in alone if not (ROOT / source).exists()]
    if missing or not alone:
        return f"CMakeLists.txt names {missing}, which are not there"
    for module in modules:
        place = ROOT if module == "dcn" else ROOT / "contrib" / module
        sources = re.search(r"SOURCE_FILES\n(.*?)HEADER_FILES", (place / "CMakeLists.txt").read_text(
            encoding="utf-8"), re.S)[1].split()
        text = ""
        for number, source in enumerate(sources):
            path = place / source
            # dcn-csv.cc is given a macro, and so is compiled alone; ${...} stands for one that needs a package
            if source.endswith(".cc") and path.name != "dcn-csv.cc" and str(path.relative_to(ROOT)) not in alone:
                text += "".join(f"#undef {name}\n#define {name} {name}_{number}\n" for name in names)
                text += f'#include "{path}"\n'
        (folder / f"{module}.cc").write_text(text)
        result = subprocess.run(["g++", "-fsyntax-only", "-w", *shlex.split(flags), f"{module}.cc"], cwd=folder,
                                capture_output=True, text=True, check=False)
        if result.returncode:
            errors = [line for line in result.stderr.splitlines() if "error: " in line][:5]
            return f"sources of {module} have names in common: rename them, or list one of the files at DCN_QUICK " \
                   "in CMakeLists.txt\n" + "\n".join(errors)
    return ""


def main():
    """Builds twice and runs twice."""
    if sys.argv[1:] != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    flags = os.environ.get("DCN_FLAGS") or run([str(ROOT / "dcn"), "flags"], ROOT)
    page = (ROOT / "doc" / "install.rst").read_text(encoding="utf-8")
    lists = re.findall(r"::\n\n((?:    .*\n|\n)*?    project\(.*\n(?:    .*\n|\n)*)", page)
    if len(lists) != 2:
        print(f"outside: doc/install.rst has {len(lists)} CMakeLists.txt in place of 2")
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        trouble = (check_modules(page, flags, folder) or check_scopes(folder) or
                   check_joint_sources(flags, folder))
        if trouble:
            print(f"outside: {trouble}")
            return 1
        (folder / "my.cc").write_text(PROGRAM)
        run(["g++", "-O1", "my.cc", *shlex.split(flags), "-o", "my"], folder)
        # the page asks ./dcn for the flags; here they are given, as another profile may be tested
        (folder / "dcn").write_text(f"#!/bin/sh\necho '{flags.strip()}'\n")
        (folder / "dcn").chmod(0o755)
        (folder / "CMakeLists.txt").write_text(
            textwrap.dedent(lists[0]).replace("/path/to/dcn/dcn", str(folder / "dcn")))
        run(["cmake", "-S", ".", "-B", "build"], folder)
        run(["cmake", "--build", "build"], folder)
        for program in ("./my", "build/my"):
            printed = run([program], folder)
            if not printed.startswith(EXPECTED):
                print(f"outside: {program} prints\n{printed}in place of\n{EXPECTED}")
                return 1
        if os.environ.get("DCN_PROGRAMS"):
            prefix = install(os.environ["DCN_PROGRAMS"], folder)
            (folder / "CMakeLists.txt").write_text(textwrap.dedent(lists[1]))
            run(["cmake", "-S", ".", "-B", "installed", f"-DCMAKE_PREFIX_PATH={prefix}"], folder)
            run(["cmake", "--build", "installed"], folder)
            library = next(prefix.rglob("libns3*-dcn-packet*.so"))
            data = prefix / "share" / "dcn"
            printed = run(["installed/my"], folder,
                          env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)})
            expected = f"{EXPECTED}{data}/\n{(data / 'REVISION').read_text()}"
            if printed != expected:
                print(f"outside: with the installation, the program prints\n{printed}in place of\n"
                      f"{expected}")
                return 1
    print("outside: a program built by g++, by CMake, and with an installation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
