# SPDX-License-Identifier: GPL-2.0-only
"""Build backend of pip (PEP 517) for the Python module dcn: pip install ./python

The wheel has the Python sources, dcn._core compiled for the Python that pip belongs to, the
libraries of ns-3 and dcn that it is linked with, and data/. So it works without the checkout and
the cache of ./dcn, on processors like this one. `./dcn flags` says what to compile with, as for any
program outside of the repository; where nothing is built yet, `./dcn setup` comes first.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
DCN = HERE.parent / "dcn"


def get_version():
    """Returns the version in pyproject.toml."""
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(r'^version = "(.*)"$', text, re.M).group(1)


def get_tag():
    """Returns the tag of wheels for this Python on this machine."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def call(*command):
    """Returns the output of a command; SystemExit with a sentence if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"dcn: {shlex.join(command)[:200]} ended with status {done.returncode}")
    return done.stdout


def get_flags():
    """Returns the flags for programs outside of the repository; builds what is missing."""
    done = subprocess.run([DCN, "flags"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        call(str(DCN), "setup")
        done = subprocess.run([DCN, "flags"], stdout=subprocess.PIPE, text=True, check=True)
    return shlex.split(done.stdout)


def find_pybind11():
    """Returns the folder of the headers of pybind11."""
    for folder in ("/usr/include", "/usr/local/include"):
        if os.path.exists(f"{folder}/pybind11/pybind11.h"):
            return folder
    sys.exit("dcn: pybind11 was not found: install pybind11-dev")


def compile_core(folder):
    """Compiles dcn._core into a folder; returns the file, and the libraries that it needs."""
    flags = get_flags()
    headers = sysconfig.get_path("include")
    if not os.path.exists(f"{headers}/Python.h"):
        sys.exit(f"dcn: {headers} has no Python.h: install python3-dev")
    core = folder / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    sources = sorted(map(str, (HERE / "src").glob("*.cc")))
    # libraries are beside the module; those of the tree would be found by their own paths
    own = [flag for flag in flags if not flag.startswith("-Wl,-rpath")]
    call(os.environ.get("CXX", "g++"), "-O2", "-fPIC", "-shared", *sources, "-isystem", headers,
         "-isystem", find_pybind11(), *own, "-Wl,-rpath,$ORIGIN/lib", "-o", str(core))
    where = pathlib.Path(next(flag[2:] for flag in flags if flag.startswith("-L")))
    needed = re.findall(r"NEEDED.*\[(libns3.*)\]", call("readelf", "-d", str(core)))
    return core, [where / name for name in needed]


def write_wheel(folder, files):
    """Writes a wheel of files: pairs of the name in it and the bytes; returns its name."""
    version = get_version()
    info = f"dcn-{version}.dist-info"
    files = [*files,
             (f"{info}/METADATA", get_metadata(version).encode()),
             (f"{info}/WHEEL", ("Wheel-Version: 1.0\nGenerator: dcn_build\n"
                                f"Root-Is-Purelib: false\nTag: {get_tag()}\n").encode())]
    record = ""
    name = f"dcn-{version}-{get_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
            wheel.writestr(path, data)
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name


def get_metadata(version):
    """Returns what pip asks of a wheel."""
    return (f"Metadata-Version: 2.1\nName: dcn\nVersion: {version}\n"
            "Summary: Performance of data-center networks, in ns-3\nLicense: GPL-2.0-only\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Hook of PEP 517: builds the wheel; returns its name."""
    del config_settings, metadata_directory
    with tempfile.TemporaryDirectory() as name:
        core, libraries = compile_core(pathlib.Path(name))
        files = [(f"dcn/{path.name}", path.read_bytes())
                 for path in sorted((HERE / "dcn").iterdir()) if path.is_file()]
        files.append((f"dcn/{core.name}", core.read_bytes()))
        files.extend((f"dcn/lib/{path.name}", path.read_bytes()) for path in libraries)
        data = HERE.parent / "data"
        files.extend((f"dcn/data/{path.relative_to(data)}", path.read_bytes())
                     for path in sorted(data.rglob("*")) if path.is_file())
    return write_wheel(wheel_directory, files)


def build_sdist(sdist_directory, config_settings=None):
    """Hook of PEP 517: there are no source packages, as the modules are not in this folder."""
    del sdist_directory, config_settings
    sys.exit("dcn: install from a checkout of the repository: pip install ./python")
