#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""My own flows on my own network by three methods: ./dcn python python/examples/first.py"""

import numpy as np

import dcn

nodes = ["host"] * 16 + ["switch"]  # numbered from 0: the switch is node 16
links = [(host, 16, 25_000_000_000, 1_000) for host in range(16)]  # ends, bit/s, ns
random = np.random.default_rng(1)
src = random.integers(0, 16, 4_000)
flows = {"src": src, "dst": (src + random.integers(1, 16, 4_000)) % 16,
         "size_bytes": random.integers(1_000, 200_000, 4_000),
         "start_ns": np.cumsum(random.integers(0, 5_000, 4_000))}
scenario = dcn.Scenario.from_arrays(nodes, links, flows, cc="dctcp")
table = scenario.compare(["packet", "flowsim", "m4"])
print(table)  # a row for each method; pandas.DataFrame(table) takes it
print(table.slowdowns())  # a row for each flow, with the slowdown by each method
