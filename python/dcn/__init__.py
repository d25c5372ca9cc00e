# SPDX-License-Identifier: GPL-2.0-only
"""Performance of data-center networks: flow completion times by packets, fluids and models.

    import dcn
    import pandas as pd

    scenario = dcn.Scenario(topology="leaf-spine", load=0.5, cc="hpcc", flows=5000)
    table = scenario.compare(["packet", "parsimon", "m4"])
    print(pd.DataFrame(table))                 # a row for each method
    print(pd.DataFrame(table.slowdowns()))     # a row for each flow

Keys of scenarios are the options of the programs (`./dcn run dcn-compare --help`) and the keys of
network.csv (doc/schema.rst); `dcn.describe_keys()` prints the former. Times are in nanoseconds and
sizes are payload in bytes, unless a name says otherwise. Bad input raises `dcn.Error` with the
sentence that the programs print.

One process works on one estimate at a time, and an estimate holds Python's lock: `sweep` uses
several processes, and Ctrl-C ends it at once. Ctrl-C during `estimate` acts when the method has
answered.
"""

import os as _os

# the installed package has its own data/; in a checkout, the libraries know the folder
if _os.path.isdir(_os.path.join(_os.path.dirname(__file__), "data")):
    _os.environ.setdefault("DCN_DATA", _os.path.join(_os.path.dirname(__file__), "data"))

# pylint: disable=wrong-import-position
from dcn._core import Error
from dcn._columns import Table
from dcn._dataset import Dataset
from dcn._flow_network import FlowNetwork
from dcn._scenario import (Comparison, Network, Result, Scenario, SIZE_CLASSES, describe_keys,
                           methods)
from dcn._sweep import sweep

__all__ = ["Comparison", "Dataset", "Error", "FlowNetwork", "Network", "Result", "SIZE_CLASSES",
           "Scenario", "Table", "describe_keys", "methods", "sweep"]
