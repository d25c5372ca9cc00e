# SPDX-License-Identifier: GPL-2.0-only
"""Several scenarios in several processes."""

from __future__ import annotations

import concurrent.futures
import itertools
import multiprocessing
import os
import warnings
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Iterable, Optional, Union

from dcn import _core
from dcn._columns import Table, join_keys, to_whole
from dcn._core import Error
from dcn._scenario import Scenario

METRICS = ("p50_slowdown", "p90_slowdown", "p99_slowdown", "mean_slowdown")


def sweep(methods: Iterable[str], seeds: Union[int, Iterable[int]] = 1,
          processes: Optional[int] = None, truth: Optional[str] = None, **keys: Any) -> Table:
    """Asks methods about all combinations of keys and seeds.

        dcn.sweep(["packet", "m4"], seeds=5, cc=["hpcc", "dcqcn"], load=[0.3, 0.5, 0.7])

    methods    names, as of Scenario.compare
    seeds      their number, from 1 on, or a list of them
    processes  at a time; default: the number of processors
    truth      as of Scenario.compare
    keys       as of Scenario; a list makes a scenario of each of its values

    Returns a row for each scenario, method and size class: a column for each key that has a list,
    then seed, method, size_class, p50_slowdown, p90_slowdown, p99_slowdown, mean_slowdown,
    p99_error (relative to the truth; nan without one), n_warnings, wall_s. All but wall_s do not
    depend on the number of processes. A scenario that fails has no rows and issues a UserWarning;
    raises dcn.Error if all of them fail, or if the keys of one are bad.
    """
    methods = [methods] if isinstance(methods, str) else list(methods)
    if "seed" in keys:
        raise Error("seeds are given by the argument seeds, not by the key seed")
    numbers = list(seeds) if _is_list(seeds) else list(range(1, to_whole("seeds", seeds) + 1))
    varied = {name: list(value) for name, value in keys.items() if _is_list(value)}
    for name, values in [*varied.items(), ("seeds", numbers)]:
        if not values:
            raise Error(f"{name} has no value")
    fixed = {name: value for name, value in keys.items() if name not in varied}
    tasks = []
    for *values, seed in itertools.product(*varied.values(), numbers):
        chosen = dict(zip(varied, values))
        recipe = join_keys({**fixed, **chosen, "seed": seed})
        _core.check_recipe(recipe)  # bad keys are refused before the first one runs
        tasks.append(([*values, seed], recipe))
    rows: list[list] = []
    failures = []
    answers = _run([recipe for _, recipe in tasks], methods, truth, processes)
    for (values, recipe), (found, sentences, failure) in zip(tasks, answers):
        rows.extend([*values, *row] for row in found)
        for sentence in sentences:
            warnings.warn(f"{recipe}: {sentence}", stacklevel=2)
        if failure is not None:
            failures.append(f"{recipe}: {failure}")
            warnings.warn(failures[-1], stacklevel=2)
    if not rows:
        raise Error("no scenario has an answer: " + "; ".join(failures))
    return Table.from_rows([*varied, "seed", "method", "size_class", *METRICS, "p99_error",
                            "n_warnings", "wall_s"], rows)


def _is_list(value: Any) -> bool:
    """Returns whether a key has several values."""
    return not isinstance(value, (str, bytes)) and hasattr(value, "__iter__")


def _run(recipes: list[str], methods: list[str], truth: Optional[str],
         processes: Optional[int]) -> list[tuple]:
    """Returns the answers for recipes, in their order."""
    if processes is not None:
        to_whole("processes", processes, 1)
    n = min(processes or os.cpu_count() or 1, len(recipes))
    # a process for each group: nothing that Python has done here is in the way of its simulator
    context = multiprocessing.get_context("fork")
    pool = concurrent.futures.ProcessPoolExecutor(n, mp_context=context, initializer=_core.silence)
    try:
        futures = [pool.submit(_ask, recipe, methods, truth) for recipe in recipes]
        return [future.result() for future in futures]
    except BrokenProcessPool as error:
        raise Error("a process of the sweep has ended without an answer, by a signal such as that "
                    "of too little memory: take fewer processes") from error
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()  # Ctrl-C does not wait for answers
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _ask(recipe: str, methods: list[str], truth: Optional[str]) -> tuple:
    """Returns the rows of a scenario, sentences on methods, and why it has failed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # their number is in the rows
            comparison = Scenario(recipe).compare(methods, truth)
    except Error as error:
        return [], [], str(error)
    values = {}
    for method, metric, size_class, value, _, error, _ in comparison._answers.summary():
        values[method, size_class, metric] = (value, error)
    rows = []
    for name, result in comparison.results.items():
        for size_class in {key[1]: None for key in values
                           if key[0] == name and key[2] == "p99_slowdown"}:
            row = [values[name, size_class, metric][0] for metric in METRICS]
            rows.append([name, size_class, *row, values[name, size_class, "p99_slowdown"][1],
                         len(result.warnings), result.wall_s])
    return rows, [f"{name} is left out: {why}" for name, why in comparison.left_out.items()], None
