#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A closed loop with a learner: clients choose the size of their requests by what they have seen.

Each of four clients keeps one request to a server in flight. Its next request is a tenth larger if
the last one took less than 100 us, else half as large, and at least 1 kB.
    ./dcn python python/examples/closed_loop.py [packet|flowsim|m4]
"""

import sys

import dcn

ENGINE = sys.argv[1] if len(sys.argv) > 1 else "packet"
network = dcn.Network(topology="dumbbell", hostsPerRack=4, cc="dctcp")
client_of = {}  # by flow
sizes = dict.fromkeys(range(4), 20_000)
history = []

with dcn.FlowNetwork(ENGINE, network) as net:

    def request(client):
        """Sends the next request of a client to its server."""
        client_of[net.add_flow(client, 4 + client, sizes[client])] = client

    def learn(flow, fct_ns):
        """Chooses the size of the client's next request."""
        client = client_of.pop(flow)
        history.append((net.now_ns, client, sizes[client], fct_ns))
        sizes[client] = max(1_000, int(sizes[client] * (1.1 if fct_ns < 100_000 else 0.5)))
        request(client)

    net.on_completion = learn
    for each in range(4):
        request(each)
    done = net.run(until_ns=5_000_000)

largest = max(size for _, _, size, _ in history)
print(f"{ENGINE}: {done.n_rows()} requests in 5 ms, the largest of {largest} bytes")
