# SPDX-License-Identifier: GPL-2.0-only
"""Data sets of dcn-dataset as numpy arrays."""

from __future__ import annotations

import os
from typing import Any, Iterator, Union

from dcn import _core
from dcn._scenario import Scenario


class Dataset:
    """The samples of a complete data set, by number: `dataset[0]["fct_ns"]`.

    A sample is a dictionary. Flows are in the order of sample["scenario"].flows:

    index, seed, draw                number, seed, and the values drawn for the sample
    scenario                         the Scenario, of which any method can be asked
    fct_ns, ideal_ns                 completion time, -1: unfinished; and that of the flow alone
    flags                            1: crosses the whole path, 2: some bytes sent again,
                                     4: unfinished
    flow_links, flow_links_begin     directed links of paths; those of flow i are at
                                     begin[i]:begin[i + 1]
    path_links, path_first, path_last  of kind path: links of the foreground's path; first and
                                     one past the last position that a flow crosses
    queue_bytes                      of kind fabric, as flow_links: bytes that wait when the first
                                     packet of the flow arrives
    event_ns, event_flow, event_is_arrival  of kind fabric: starts and ends of flows by time
    active_flow, active_bytes, active_begin  of kind fabric: flows after an event, with their
                                     remaining bytes; those of event i are at begin[i]:begin[i + 1]

    Directed link 2k goes from a to b of link k of scenario.network.links, link 2k + 1 back.
    doc/schema.rst has the same values as HDF5.
    """

    def __init__(self, folder: Union[str, os.PathLike]):
        """Opens a data set; raises dcn.Error if it is not complete, or without HDF5."""
        self._core = _core.Dataset(os.fspath(folder))

    @property
    def kind(self) -> str:
        """path or fabric."""
        return self._core.kind()

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Reads a sample; raises dcn.Error that names the file and the defect."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"there is no sample {index} of {len(self)}")
        sample = self._core.read(index % len(self))
        sample["scenario"] = Scenario._wrap(sample["scenario"])
        return sample

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[i] for i in range(len(self)))

    def verify(self) -> None:
        """Reads everything; raises dcn.Error at the first defect."""
        self._core.verify()
