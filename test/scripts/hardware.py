#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Simulations of dcn against times that others measured on hardware (data/hardware).

usage: hardware.py show|check [OUT]   OUT gets all results (else a folder that is removed)

show   prints the tables of the page on training traffic, section "Against hardware"
check  exits with status 1 if a bound below is not kept

- nccl-tests, all-reduce on two servers of eight H100: dcn-calibrate fits as many parameters as the table of probes
  has rows with "fit" (at most three), and predicts the other rows.
- The bus bandwidth of a ring over the rails of these servers against its closed form, the rate of all NICs of a server
  with headers.
- RDMA READs of eleven clients from one server, in closed loop: a client begins a READ as long after its last one as
  measured. READs that were under way at the begin have the bytes that were left; each client has a READ more at the
  end, which is not compared, so that the last ones are not alone.

The programs are run by `./dcn run`, or taken from the folder DCN_PROGRAMS.
"""

import csv
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data" / "hardware"
SERVERS = ["--servers=2", "--accelerators=8", "--spines=0", "--nicRate=200Gbps", "--scaleUpRate=3600Gbps",
           "--network=payload_bytes=4096,header_bytes=82"]
PARAMETERS = ["LL:scale_out_us", "Simple:scale_out_us"]
ENGINES = ["packet", "flowsim", "m4"]
READ_BYTES = 1024008
REQUEST_BYTES = 16
# READs under way when the first one of reads-10g.csv begins: client to about its whole duration [ns]
BEFORE = {5: 9500000, 3: 9300000, 4: 9270000, 6: 9240000, 10: 9220000, 0: 9250000, 1: 9190000, 9: 9370000,
          7: 9390000, 8: 9370000}
SERVER = 11
# hosts 0 to 10: clients; 11: the server, in the rack of client 3; six racks, two aggregation switches, a core
RACKS = [(3, 11), (0, 1), (2, 4), (5, 6), (7, 8), (9, 10)]
MOST_FITTED = 3
MEAN_BOUND, WORST_BOUND, RING_BOUND = 0.15, 0.30, 0.15
READ_BOUNDS = {"packet": 0.03, "flowsim": 0.03, "m4": 0.12}  # m4 serves a link of many messages some 9 % too slowly


def run(program, *options):
    """Runs a program; returns what it prints."""
    folder = os.environ.get("DCN_PROGRAMS")
    if folder:
        found = sorted(pathlib.Path(folder).rglob(f"ns3*-{program}-*")) or [pathlib.Path(folder) / program]
        command = [str(found[0])]
    else:
        command = [str(ROOT / "dcn"), "run", program]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"hardware: {program} {' '.join(options)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def calibrate(out, faults):
    """Fits two parameters to nccl-tests, and prints all rows."""
    text = run("dcn-calibrate", f"--probes={DATA / 'nccl-16h100.csv'}", "--use=LL,Simple", "--channels=8",
               f"--parameters={','.join(PARAMETERS)}", f"--out={out / 'calibrate'}", *SERVERS)
    print(text)
    rows = list(csv.DictReader(open(out / "calibrate" / "calibration.csv")))
    errors = [abs(float(row["error"])) for row in rows if row["use"] == "predict"]
    n_fitted = len(rows) - len(errors)
    if n_fitted > MOST_FITTED or statistics.mean(errors) > MEAN_BOUND or max(errors) > WORST_BOUND:
        faults.append(f"nccl-tests: {n_fitted} rows fitted, the others {statistics.mean(errors):.3f} (mean) and "
                      f"{max(errors):.3f} (largest) off")


def ring(out, faults):
    """Bus bandwidth of a ring over rails against the rate of the NICs of a server."""
    closed = 8 * 200 * 4096 / (4096 + 82)
    text = run("dcn-train-sim", "--bytes=1e9", "--algorithm=ring", "--groupSize=8", "--channels=8",
               "--engine=flowsim,packet", f"--out={out / 'ring'}", *SERVERS)
    for engine, gbps in re.findall(r"^(\w+): .*bus bandwidth ([\d.]+) Gb/s", text, re.M):
        error = float(gbps) / closed - 1
        print(f"ring over rails, {engine}: {float(gbps):.0f} Gb/s, closed form {closed:.0f}, {100 * error:+.1f} %")
        if abs(error) > RING_BOUND:
            faults.append(f"ring on {engine}: {error:+.3f}")


def write_graph(path):
    """Writes the READs as a graph; returns the measured durations by client, in order."""
    reads = {}
    with open(DATA / "reads-10g.csv") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            reads.setdefault(int(row["client"]), []).append((int(row["start_ns"]), int(row["measured_ns"])))
    nodes = {rank: [] for rank in range(12)}

    def add(rank, kind, peer="", size="", tag="", duration="", after=()):
        nodes[rank].append(f"{rank},{len(nodes[rank])},{kind},{peer},{size},{tag},,{duration},,"
                           + " ".join(str(other) for other in after))
        return len(nodes[rank]) - 1

    for client, times in sorted(reads.items()):
        gaps = [times[i + 1][0] - sum(times[i]) for i in range(len(times) - 1)]
        last = []
        if client in BEFORE:
            usual = int(statistics.median(gaps))
            left = max(1, READ_BYTES * (times[0][0] - usual) // BEFORE[client])
            add(SERVER, "send", client, left, 0)
            last = [add(client, "receive", SERVER, left, 0)]
            gaps.insert(0, usual)
        else:
            gaps.insert(0, times[0][0])
        gaps.append(int(statistics.median(gaps[1:])))
        for tag, gap in enumerate(gaps, 1):
            ready = [add(client, "compute", duration=gap, after=last)]
            add(client, "send", SERVER, REQUEST_BYTES, tag, after=ready)
            last = [add(client, "receive", SERVER, READ_BYTES, tag, after=ready)]
            asked = add(SERVER, "receive", client, REQUEST_BYTES, tag)
            add(SERVER, "send", client, READ_BYTES, tag, after=[asked])
    with open(path, "w") as file:
        file.write("rank,node,kind,peer,bytes,tag,stream,duration_ns,operation,after\n")
        for rank in range(12):
            file.write("\n".join(nodes[rank]) + "\n")
    return {client: [measured for _, measured in times] for client, times in reads.items()}


def write_topology(path):
    """Writes the network of the READs."""
    links = []
    for rack, hosts in enumerate(RACKS):
        links += [(host, 12 + rack) for host in hosts]
        links.append((12 + rack, 18 + rack // 3))
    links += [(18, 20), (19, 20)]
    with open(path, "w") as file:
        file.write(f"21 9 {len(links)}\n{' '.join(str(switch) for switch in range(12, 21))}\n")
        for ends in links:
            file.write(f"{ends[0]} {ends[1]} 10Gbps 1us 0\n")


def read_durations(path):
    """Returns the durations of whole READs of a timeline by client, in order [ns]."""
    begins, durations = {}, {}
    for event in json.load(open(path))["traceEvents"]:
        if event.get("cat") != "receive":
            continue
        if event["ph"] == "b" and event["args"]["bytes"] == READ_BYTES:
            begins[event["id"]] = event["ts"]
        elif event["ph"] == "e" and event["id"] in begins:
            durations.setdefault(event["pid"], []).append(1000 * (event["ts"] - begins[event["id"]]))
    return durations


def reads(out, faults):
    """Closed loop of READs on all engines against the measured times."""
    measured = write_graph(out / "graph.csv")
    write_topology(out / "topology.txt")
    run("dcn-train-sim", f"--topologyFile={out / 'topology.txt'}", f"--graph={out / 'graph.csv'}", "--cc=dcqcn",
        "--network=payload_bytes=1024,header_bytes=82", f"--engine={','.join(ENGINES)}", "--timeline=true",
        f"--out={out / 'reads'}")
    print("engine     READs  median |error|  error of the mean  error of p99")
    for engine in ENGINES:
        durations = read_durations(out / "reads" / f"timeline-{engine}.json")
        pairs = [(simulated, real) for client, times in measured.items()
                 for simulated, real in zip(durations[client][:-1], times, strict=True)]
        median = statistics.median(abs(simulated / real - 1) for simulated, real in pairs)
        mean, p99 = (function(simulated for simulated, _ in pairs) / function(real for _, real in pairs) - 1
                     for function in (lambda x: statistics.mean(list(x)), lambda x: sorted(x)[-2]))
        print(f"{engine:<9} {len(pairs):6} {100 * median:14.1f}% {100 * mean:+17.1f}% {100 * p99:+12.1f}%")
        if median > READ_BOUNDS[engine]:
            faults.append(f"READs on {engine}: median {median:.3f}")


def main():
    """Runs all comparisons."""
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ("show", "check"):
        sys.exit(__doc__)
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else folder).resolve()
        out.mkdir(parents=True, exist_ok=True)
        for compare in (calibrate, ring, reads):
            compare(out, faults)
    for fault in faults:
        print(f"hardware: {fault}", file=sys.stderr)
    sys.exit(1 if faults and sys.argv[1] == "check" else 0)


if __name__ == "__main__":
    main()
