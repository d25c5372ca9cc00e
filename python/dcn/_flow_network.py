# SPDX-License-Identifier: GPL-2.0-only
"""Flows that are added while the simulation runs."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

import numpy as np

from dcn import _core
from dcn._columns import Table, join_attributes, to_whole
from dcn._core import Error
from dcn._scenario import Network, Scenario

FIRST = 1 - 2**63  # the least time, so that one in the past is refused as such


class FlowNetwork:
    """A network on which functions of yours add flows, and hear of their ends.

        net = dcn.FlowNetwork("m4", dcn.Network(topology="dumbbell"))
        net.on_completion = lambda flow, fct_ns: net.add_flow(0, 10, 100_000)
        net.add_flow(0, 10, 100_000)
        done = net.run(until_ns=1_000_000)

    on_completion       called with the number of a flow and its completion time [ns] when the
                        receiver has all of its bytes; may add flows; None: nothing
    on_acknowledgement  likewise, when the sender knows that

    An exception of such a function ends `run`; the next `run` goes on. A process has one flow
    network at a time: a new one closes the one before. Estimates of scenarios may be made
    meanwhile, also by these functions.
    """

    def __init__(self, engine: str, network: Union[Network, Scenario], **attributes: Any):
        """Opens a network without flows at time 0.

        engine      packet, flowsim or m4, with attributes as in "flowsim:WindowCap=true"
        network     nodes, links and configuration; of a scenario, its flows are not taken
        attributes  of the engine: Seed=2

        Raises dcn.Error for a bad engine or attribute, and if a flow network is running.
        """
        if isinstance(network, Scenario):
            network = network.network
        if not isinstance(network, Network):
            raise Error(f"network must be a dcn.Network or a dcn.Scenario, but it is {network!r}")
        self.network = network
        self.on_completion: Optional[Callable[[int, int], Any]] = None
        self.on_acknowledgement: Optional[Callable[[int, int], Any]] = None
        self._timers: dict[int, Callable[[], Any]] = {}
        self._next_timer = 0
        self._done: list[tuple[int, int, int]] = []
        self._core = _core.FlowNetwork(join_attributes(engine, attributes), network._core,
                                       network.cc, network.preset, network._keys)

    def add_flow(self, src: int, dst: int, size_bytes: int,
                 start_ns: Optional[int] = None) -> int:
        """Adds a flow from host to host, now or at a later time [ns]; returns its number.

        Flows and messages are numbered from 0. Raises dcn.Error for a node that is no host, equal
        ends, a size that is out of range and a start in the past.
        """
        start = None if start_ns is None else to_whole("start_ns", start_ns, FIRST)
        return self._core.add_flow(to_whole("src", src), to_whole("dst", dst),
                                   to_whole("size_bytes", size_bytes, 1), start)

    def connect(self, src: int, dst: int) -> int:
        """Connects two hosts, as a queue pair does; returns the number of the connection."""
        return self._core.connect(to_whole("src", src), to_whole("dst", dst))

    def add_message(self, connection: int, size_bytes: int) -> int:
        """Adds a message, which is sent after those before it; returns its number."""
        return self._core.add_message(to_whole("connection", connection),
                                      to_whole("size_bytes", size_bytes, 1))

    def call_at(self, time_ns: int, function: Callable[[], Any]) -> None:
        """Has a function called at a time of the simulation [ns], during `run`."""
        number = self._next_timer
        self._core.call_at(to_whole("time_ns", time_ns, FIRST), number)
        self._next_timer += 1
        self._timers[number] = function

    def run(self, until_ns: Optional[int] = None) -> Table:
        """Simulates until a time [ns], or until no event is left.

        What happens at the very end may be left to the next call. Returns the flows that were
        completed since the last return: flow, fct_ns, end_ns. Raises what a function of yours
        raises, and dcn.Error.
        """
        if self.on_acknowledgement is not None:
            self._core.watch_acknowledgements()
        end = None if until_ns is None else to_whole("until_ns", until_ns, FIRST)
        self._core.run(end, self._on_done, self._on_timer)
        done, self._done = self._done, []  # those of a run that has ended by an exception, too
        columns = np.array(done, np.int64).reshape(len(done), 3)
        return Table({name: columns[:, i] for i, name in enumerate(("flow", "fct_ns", "end_ns"))})

    def _on_done(self, flow: int, time_ns: int, is_acknowledged: bool) -> None:
        """Passes a completion or an acknowledgement on."""
        if not is_acknowledged:
            self._done.append((flow, time_ns, self.now_ns))
        function = self.on_acknowledgement if is_acknowledged else self.on_completion
        if function is not None:
            function(flow, time_ns)

    def _on_timer(self, number: int) -> None:
        """Calls a function of call_at."""
        self._timers.pop(number)()

    @property
    def now_ns(self) -> int:
        """Time of the simulation [ns]."""
        return self._core.now_ns()

    @property
    def n_active(self) -> int:
        """Number of flows and messages that have started, or were added, and are not complete."""
        return self._core.n_active()

    @property
    def note(self) -> str:
        """How its answers differ from those of the method of its name; empty: not at all."""
        return self._core.note()

    def fail_link(self, a: int, b: int) -> None:
        """Lets the cable between two nodes fail now; flows take detours, or wait for its repair."""
        self._core.fail_link(to_whole("a", a), to_whole("b", b))

    def repair_link(self, a: int, b: int) -> None:
        """Lets a failed cable work again."""
        self._core.repair_link(to_whole("a", a), to_whole("b", b))

    def set_link_rate(self, a: int, b: int, rate_bps: int) -> None:
        """Changes the rate of a cable from now on [bit/s], to at most that of the network."""
        self._core.set_link_rate(to_whole("a", a), to_whole("b", b),
                                 to_whole("rate_bps", rate_bps, 1))

    def close(self) -> None:
        """Ends the simulation; nothing but `close` works afterwards."""
        self._core.close()
        self._timers.clear()

    def __enter__(self) -> FlowNetwork:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
