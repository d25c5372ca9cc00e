#! /usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

"""Breaks methods and models on purpose, and says whether the tests notice.

Run it before a release, in a clone; it takes hours, so that it is no part of `./dcn test`:

    test/scripts/mutations.py                     all mutations
    test/scripts/mutations.py --list              what there is
    test/scripts/mutations.py check               whether each text still occurs once; quick
    test/scripts/mutations.py --only m4,parsimon  those whose name has one of these texts in it

A mutation is a text of a source file that is replaced by another one, or a change of a model that
comes with the repository. Each names the suites that guard what it breaks; it is caught if one of
them fails. The first thing to run is these suites without any mutation: they must pass.

The clone is never changed. Sources are copied to a folder of their own, with changes that are not
committed, and built there by `./dcn` in the usual cache (DCN_CACHE), which then has to compile the
modules of the clone once more: with ccache, a minute. To keep that tree as it is, give another
cache: `DCN_CACHE=... test/scripts/mutations.py`. Models are copied, too, and found by DCN_DATA.
The folder goes away at the end, after a signal, too (--keep leaves it).

The end is a table: mutation, suites and which of them fail, "caught" or "SURVIVED". The exit
status is 1 if one survives, 2 if something does not work: a text that does not occur exactly once,
sources that do not compile, a suite that fails without a mutation.
"""

import argparse
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A mutation may make a suite endless: it has so much time, given what it takes without.
SUITE_TIMES = 20
SUITE_SECONDS = 120
SEED = 1  # of what is shuffled


class Trouble(Exception):
    """Something that does not work, said in one sentence."""


# ---- mutations of sources --------------------------------------------------------------------


def locate(folder, path):
    """Returns the file of a module's folder tree (MODULE/NAME), wherever it lies there."""
    module, name = os.path.split(path)
    found = [
        os.path.join(place, name)
        for place, _, files in os.walk(os.path.join(folder, module))
        if name in files
    ]
    if len(found) != 1:
        raise Trouble(f"there are {len(found)} files {name} in {module}")
    return found[0]


class Source:
    """Texts of source files that are replaced."""

    def __init__(self, name, suites, *replacements):
        self.name = name
        self.suites = suites.split()
        self.replacements = replacements  # (file, text, replacement)

    def check(self, folder):
        """Raises Trouble unless each text occurs once."""
        for path, text, _ in self.replacements:
            with open(locate(folder, path), encoding="utf-8") as file:
                count = file.read().count(text)
            if count != 1:
                raise Trouble(f"{self.name}: the text {text!r} occurs {count} times in {path}")

    def apply(self, folder):
        """Changes the files; returns what undoes it and the environment of the suites."""
        self.check(folder)
        originals = {}
        for path, text, replacement in self.replacements:
            path = locate(folder, path)
            with open(path, encoding="utf-8") as file:
                content = file.read()
            originals.setdefault(path, content)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content.replace(text, replacement))

        def undo():
            for path, content in originals.items():
                with open(path, "w", encoding="utf-8") as file:
                    file.write(content)

        return undo, {}


# ---- mutations of models ---------------------------------------------------------------------


def murmur3(data):
    """Returns ns-3's Hash64 of bytes: the first half of MurmurHash3_x86_128."""
    mask = 0xFFFFFFFF
    c = (0x239B961B, 0xAB0E9789, 0x38B34AE5, 0xA1E38B93)
    turns = (15, 16, 17, 18)

    def rotate(x, n):
        return (x << n | x >> (32 - n)) & mask

    def mix_key(k, i):
        return rotate(k * c[i] & mask, turns[i]) * c[(i + 1) % 4] & mask

    h = [0x8BADF00D] * 4
    steps = ((19, 0x561CCD1B), (17, 0x0BCAA747), (15, 0x96CD1C35), (13, 0x32AC3B17))
    whole = len(data) // 16 * 16
    for block in struct.iter_unpack("<4I", data[:whole]):
        for i, (turn, constant) in enumerate(steps):
            h[i] = rotate(h[i] ^ mix_key(block[i], i), turn)
            h[i] = ((h[i] + h[(i + 1) % 4]) * 5 + constant) & mask
    tail = data[whole:]
    keys = struct.unpack("<4I", tail + bytes(16 - len(tail)))
    h = [h[i] ^ mix_key(keys[i], i) ^ len(data) for i in range(4)]

    def spread():
        h[0] = sum(h) & mask
        for i in range(1, 4):
            h[i] = (h[i] + h[0]) & mask

    spread()
    for i in range(4):
        x = h[i]
        x = (x ^ x >> 16) * 0x85EBCA6B & mask
        x = (x ^ x >> 13) * 0xC2B2AE35 & mask
        h[i] = x ^ x >> 16
    spread()
    return h[1] << 32 | h[0]


class Weights:
    """Numbers of data/models/KIND/weights.bin (doc/schema.rst) that are changed."""

    def __init__(self, name, suites, kind, change):
        self.name = name
        self.suites = suites.split()
        self.kind = kind
        self.change = change  # of a dictionary: name of a tensor to its values

    def check(self, folder):
        """Raises Trouble if the model cannot be read or is not changed."""
        self.make(folder)

    def make(self, folder):
        """Returns the texts of the changed card and weights."""
        model = os.path.join(folder, "data", "models", self.kind)
        with open(os.path.join(model, "weights.bin"), "rb") as file:
            data = file.read()
        with open(os.path.join(model, "card.json"), encoding="utf-8") as file:
            card = file.read()
        checksum = f"{murmur3(data):016x}"
        if card.count(checksum) != 1:
            raise Trouble(f"{self.name}: card.json of {self.kind} has not the checksum {checksum}")
        head, place = 16, 16  # magic, version, number of tensors
        n = struct.unpack_from("<I", data, 12)[0]
        tensors, places = {}, {}
        for _ in range(n):
            length = struct.unpack_from("<I", data, place)[0]
            tensor = data[place + 4 : place + 4 + length].decode()
            place += 4 + length
            rows, columns = struct.unpack_from("<2I", data, place)
            place += 8
            places[tensor] = place
            tensors[tensor] = list(struct.unpack_from(f"<{rows * columns}f", data, place))
            place += 4 * rows * columns
        if place != len(data) or place == head:
            raise Trouble(f"{self.name}: weights.bin of {self.kind} is not as expected")
        self.change(tensors)
        changed = bytearray(data)
        for tensor, values in tensors.items():
            struct.pack_into(f"<{len(values)}f", changed, places[tensor], *values)
        if changed == data:
            raise Trouble(f"{self.name}: nothing is changed")
        return card.replace(checksum, f"{murmur3(bytes(changed)):016x}"), bytes(changed)

    def apply(self, folder):
        """Writes a copy of the data; returns what undoes it and the environment of the suites."""
        card, weights = self.make(folder)

        def put(data):
            model = os.path.join(data, "models", self.kind)
            with open(os.path.join(model, "card.json"), "w", encoding="utf-8") as file:
                file.write(card)
            with open(os.path.join(model, "weights.bin"), "wb") as file:
                file.write(weights)

        return with_data(folder, put)


class Leaves:
    """Trees of data/models/mql/correction.json whose leaves are multiplied."""

    def __init__(self, name, suites, factor, trees=None):
        self.name = name
        self.suites = suites.split()
        self.factor = factor
        self.trees = trees  # none: all

    def check(self, folder):
        """Raises Trouble if a tree is not there."""
        self.make(folder)

    def make(self, folder):
        """Returns the text of the changed file."""
        path = os.path.join(folder, "data", "models", "mql", "correction.json")
        with open(path, encoding="utf-8") as file:
            correction = json.load(file)
        for name in self.trees or correction["trees"]:
            if name not in correction["trees"]:
                raise Trouble(f"{self.name}: correction.json has no tree {name}")
            tree = correction["trees"][name]
            tree["value"] = [
                value * self.factor if feature < 0 else value
                for feature, value in zip(tree["feature"], tree["value"])
            ]
        return json.dumps(correction)

    def apply(self, folder):
        """Writes a copy of the data; returns what undoes it and the environment of the suites."""
        text = self.make(folder)

        def put(data):
            path = os.path.join(data, "models", "mql", "correction.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

        return with_data(folder, put)


def with_data(folder, put):
    """Copies the data, changes the copy, and returns what undoes it and the environment."""
    data = os.path.join(os.path.dirname(folder), "data")
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(os.path.join(folder, "data"), data)
    put(data)
    return lambda: shutil.rmtree(data, ignore_errors=True), {"DCN_DATA": data}


def shuffle(tensors):
    """Puts the weights of each tensor in another order."""
    generator = random.Random(SEED)
    for values in tensors.values():
        generator.shuffle(values)


def shift(tensor, by):
    """Returns a change that adds a number to all values of a tensor."""

    def change(tensors):
        if tensor not in tensors:
            raise Trouble(f"there is no tensor {tensor}, only {', '.join(tensors)}")
        tensors[tensor] = [value + by for value in tensors[tensor]]

    return change


def scale(tensors_of, factor):
    """Returns a change that multiplies all values of the tensors whose name begins so."""

    def change(tensors):
        names = [name for name in tensors if name.startswith(tensors_of)]
        if not names:
            raise Trouble(f"there is no tensor {tensors_of}..., only {', '.join(tensors)}")
        for name in names:
            tensors[name] = [value * factor for value in tensors[name]]

    return change


# ---- what there is ---------------------------------------------------------------------------

BASE = "model/base/"
ESTIMATE = "model/estimate/"
HELPER = "helper/"
EVENTS = "model/events/"
FARM = "model/farm/"
NETWORK = "model/network/"
PACKET = "contrib/dcn-packet/"
PATH = "contrib/dcn-path/"
FLOWSIM = "contrib/flowsim/"
PARSIMON = "contrib/parsimon/"
M3 = "contrib/m3/"
M4 = "contrib/m4/"
MQL = "contrib/mql/"
CCEVAL = "contrib/cceval/"
DATASETS = "contrib/dcn-datasets/"
TCP = "contrib/dcn-tcp/"
NOC = "contrib/noc/"
TRAIN = "contrib/dcn-train/"

MUTATIONS = [
    Source(
        "wheel: events beyond its reach wait until it is empty",
        "dcn-wheel-scheduler dcn-packet-recovery",
        (
            EVENTS + "dcn-timing-wheel.h",
            "return !m_later.empty() && !(event < m_later.front().event);",
            "return m_nInWheel == 0;",
        ),
    ),
    Source(
        "packets: events of one nanosecond run as they were added",
        "dcn-packet-threads dcn-packet-events",
        (
            PACKET + "model/windows/dcn-window-events.h",
            "(timeNs == other.timeNs && order < other.order)",
            "(timeNs == other.timeNs && false)",
        ),
    ),
    Source(
        "packets: an event before all others takes no earlier turn of ns-3",
        "dcn-packet-events dcn-packet-flow-network",
        (
            PACKET + "model/engine/dcn-packet-events.h",
            "        if (event.timeNs < m_turnNs)",
            "        if (event.timeNs < m_turnNs && m_turns.empty())",
        ),
    ),
    Source(
        "packets: a sender learns of a drop at once",
        "dcn-packet-threads dcn-packet-recovery",
        (
            PACKET + "model/engine/dcn-packet-device.cc",
            "nowNs + flow->GetPath().rttNs);",
            "nowNs);",
        ),
    ),
    Source(
        "marks: a packet has one draw for all switches",
        "dcn-packet-threads",
        (
            PACKET + "model/congestion/dcn-marking.h",
            "Mix(Mix(Mix(seed, flow), sequence), hop)",
            "Mix(Mix(Mix(seed, flow), sequence), 0 * hop)",
        ),
    ),
    Source(
        "packets: a timeout is twice as long after progress",
        "dcn-packet-recovery",
        (
            PACKET + "model/transport/dcn-retransmission-timer.cc",
            "    if (GetExpiryNs(firstNs) > nowNs)\n    {\n",
            "    if (GetExpiryNs(firstNs) > nowNs)\n    {\n        m_beginNs = nowNs;\n",
        ),
    ),
    Source(
        "packets: timeouts in a row are equally long",
        "dcn-packet-recovery",
        (
            PACKET + "model/transport/dcn-retransmission-timer.cc",
            "        timeoutNs *= 2;",
            "        timeoutNs *= 1;",
        ),
    ),
    Source(
        "packets: selective repeat waits for reordering on one path",
        "dcn-packet-recovery",
        (
            PACKET + "model/engine/dcn-packet-flow.cc",
            "reorderNs > 0 || !hasManyPaths ? reorderNs : REORDER_ROUND_TRIPS * m_path.rttNs,",
            "reorderNs > 0 ? reorderNs : REORDER_ROUND_TRIPS * m_path.rttNs,",
        ),
    ),
    Source(
        "packets: a change of the path opens no reorder window",
        "dcn-packet-load-balancing",
        (
            PACKET + "model/transport/dcn-selective-repeat.cc",
            "    m_changeNs = nowNs;\n",
            "",
        ),
    ),
    Source(
        "packets: PFC resumes as soon as the threshold is met",
        "dcn-packet-lossless",
        (
            PACKET + "model/engine/dcn-packet-switch.cc",
            "left + RESUME_OFFSET_BYTES <= Threshold(ingress)",
            "left <= Threshold(ingress)",
        ),
    ),
    Source(
        "packets: lossless headroom without the frame that leads to the pause",
        "dcn-packet-lossless",
        (
            PACKET + "model/engine/dcn-packet-switch.cc",
            "        return 3 * frame + PFC_FRAME_BYTES + 1 +",
            "        return 2 * frame + PFC_FRAME_BYTES + 1 +",
        ),
    ),
    Source(
        "packets: a lossless PAUSE waits behind acknowledgements",
        "dcn-packet-lossless",
        (
            PACKET + "model/engine/dcn-switch-device.cc",
            "        m_high.PushFront(frame); // the transmitter wakes up for those that wait",
            "        m_high.Push(frame);",
        ),
    ),
    Source(
        "packets: buffers of presets do not grow with the ports",
        "dcn-packet-lossless",
        (
            PACKET + "model/engine/dcn-packet-switch.cc",
            "    if (isOfPreset && bufferBytes < leastBytes)",
            "    if (isOfPreset && bufferBytes == 0)",
        ),
    ),
    Source(
        "wheel: a slot is not sorted",
        "dcn-wheel-scheduler",
        (
            EVENTS + "dcn-timing-wheel.h",
            "        if (IsUnsorted(index))\n        {\n            Sort(index);",
            "        if (IsUnsorted(index) && false)\n        {\n            Sort(index);",
        ),
    ),
    Source(
        "idle times: every congestion control has the headers of DCTCP",
        "known-answers",
        (
            PACKET + "model/estimate/dcn-idle-time.cc",
            "m_withHeaders.headerBytes = DcnCongestionControl::",
            "m_withHeaders.payloadBytes += 0 * DcnCongestionControl::",
        ),
    ),
    Source(
        "idle times: flows meet only while the method has both under way",
        "known-answers",
        (
            PACKET + "model/estimate/dcn-idle-time.cc",
            "busy *= busy < 0 ? 1 : GUARD;",
            "busy *= 1;",
        ),
    ),
    Source(
        "m4: a flow keeps its idle time when another one comes",
        "known-answers",
        (
            M4 + "model/state/m4-tracker.cc",
            "                m_flows[m_onLink[way].front()].isUndisturbed = false;\n",
            "",
        ),
    ),
    Source(
        "m3: flows that meet no other have the quantiles of the network",
        "known-answers",
        (
            M3 + "model/estimate/m3-distribution.cc",
            "const bool isIdle = hasIdle && input.idle[c][rank] > 0;",
            "const bool isIdle = hasIdle && rank > flows.size();",
        ),
    ),
    # the audit of release 0.1
    Weights("m4: weights shuffled", "m4-model dcn-accuracy", "m4", shuffle),
    Weights("m4: slowdown's bias + 1", "m4-model dcn-accuracy", "m4", shift("fct.b.b", 1)),
    Leaves("mql: all leaves * -10", "mql-shipped", -10),
    Source(
        "ns3-path: no off-path cross traffic, no initial queues, whole warm-up",
        "dcn-path-rules dcn-accuracy",
        (
            PATH + "dcn-path-estimator.cc",
            "window.ChooseBegin(pathIndex.GetLinks(path), traffic);",
            "",
        ),
        (
            PATH + "dcn-path-estimator.cc",
            "window.AddInitialQueues(pathIndex.GetLinks(path), traffic);",
            "",
        ),
        (
            PATH + "dcn-path-estimator.cc",
            "window.AddCrossTraffic(pathIndex, pathIndex.GetLinks(path), traffic);",
            "",
        ),
    ),
    Weights("m3: weights shuffled", "m3-model dcn-accuracy", "m3", shuffle),
    Source(
        "m3: fluid only",
        "m3-model dcn-accuracy",
        (M3 + "m3-default-network.cc", "gain * correction(k)", "0 * correction(k)"),
    ),
    Source(
        "m3: no limit of the correction",
        "m3-network",
        (M3 + "m3-network.cc", "std::min(*quantile, base + largest)", "*quantile + 0 * (base + largest)"),
    ),
    Source(
        "m3: half the correction",
        "m3-model dcn-accuracy",
        (
            M3 + "m3-default-network.cc",
            "gain * correction(k)",
            "0.5F * gain * correction(k)",
        ),
    ),
    Source(
        "farm: all tasks at once",
        "dcn-task-farm",
        (FARM + "dcn-task-farm.cc", "while (!isEmpty && places > 0)", "while (!isEmpty)"),
    ),
    Source(
        "farm: ranks of other experiments",
        "ranks",
        (
            FARM + "dcn-task-farm.cc",
            "Compare(rank, m_experiment, {parts.begin() + 2, parts.end()});",
            "static_cast<void>(Compare);",
        ),
    ),
    Source(
        "farm: ranks give each other's trials other numbers",
        "ranks",
        (
            CCEVAL + "cceval-runner.cc",
            "m_store.Add({{m_first + m_nShared + i, lines[i]}});",
            "m_store.Add({{m_first + m_nShared + i, lines[lines.size() - 1 - i]}});",
        ),
    ),
    Source(
        "parsimon: shares not applied",
        "parsimon-shares parsimon-link-runner parsimon-what-if dcn-accuracy",
        (PARSIMON + "parsimon-shares.cc", "if (rate == 0)", "if (rate != 1)"),
    ),
    Source(
        "parsimon: flows that meet at their NIC do not keep it",
        "parsimon-shares",
        (
            PARSIMON + "parsimon-shares.cc",
            "idealNs + commonNs[i];",
            "idealNs + 0 * commonNs[i];",
        ),
    ),
    Source(
        "parsimon: paced flows leave the NIC",
        "parsimon-shares",
        (PARSIMON + "parsimon-run.cc", "simulator->CanPace());", "false);"),
    ),
    Source(
        "parsimon: a pace is the largest rate of the congestion control",
        "parsimon-lean",
        (
            PARSIMON + "parsimon-lean-engine.cc",
            "sender.paceBps = limited(crossing.paceBps);",
            "sender.paceBps = sender.maxRateBps = limited(crossing.paceBps);",
        ),
    ),
    Source(
        "parsimon: the largest queue is the latest one",
        "parsimon-history dcn-forecast",
        (
            PARSIMON + "parsimon-lean-engine.cc",
            "std::max(m_longestWaitTicks, packet.leaveTicks - nowTicks);",
            "packet.leaveTicks - nowTicks;",
        ),
    ),
    Source(
        "limits: a buffer knows no ports",
        "dcn-forecast",
        (
            "model/scenario/dcn-network-limits.cc",
            "GetSharedBytes(node) * shares / (1 + shares)",
            "GetSharedBytes(node)",
        ),
    ),
    Source(
        "limits: margins of inside also hold outside",
        "dcn-trained-ranges",
        (
            "model/estimate/dcn-trained-ranges.cc",
            'isOutside ? "p99 margins outside" : "p99 margins"',
            '"p99 margins"',
        ),
    ),
    Source(
        "parsimon: longer headers at every link",
        "parsimon-shares",
        (
            PARSIMON + "parsimon-nic-delays.cc",
            "DcnWireBytes(flow.sizeBytes, payloadBytes)) /",
            "DcnWireBytes(flow.sizeBytes, payloadBytes, headerBytes)) /",
        ),
    ),
    Source(
        "parsimon: no first window",
        "parsimon-link-runner",
        (PARSIMON + "parsimon-nic-delays.cc", "window < wire(flow))", "false)"),
    ),
    Source(
        "parsimon: no fan-in discount",
        "parsimon-combination parsimon-what-if dcn-accuracy",
        (
            PARSIMON + "parsimon-combination.cc",
            "std::max(0.0, delayNs) * (1 - overlap)",
            "std::max(0.0, delayNs) * (1 - 0 * overlap)",
        ),
    ),
    Source(
        "parsimon: fan-in at any load as at none",
        "parsimon-combination",
        (
            PARSIMON + "parsimon-combination.cc",
            "share * (1 - load) / (1 - share * load)",
            "share * (1 - 0 * load) / (1 - 0 * load)",
        ),
    ),
    Source(
        "parsimon: bursts wait for later acknowledgements",
        "parsimon-combination",
        (
            PARSIMON + "parsimon-combination.cc",
            "std::max(0.0, delayNs) * (1 - ackShare)",
            "std::max(0.0, delayNs) * (1 - 0 * ackShare)",
        ),
    ),
    Source(
        "parsimon: links behind slow bursts",
        "parsimon-shares",
        (PARSIMON + "parsimon-shares.cc", "(i > here && !m_isBurst[i] &&", "(i > here &&"),
    ),
    Source(
        "parsimon: delays * 1.3",
        "parsimon-link-runner parsimon-what-if dcn-accuracy",
        (
            PARSIMON + "parsimon-predictor.cc",
            "sum += ParsimonCombination::GetNewDelay(delay, overlap);",
            "sum += 1.3 * ParsimonCombination::GetNewDelay(delay, overlap);",
        ),
    ),
    # the packet engine
    Source(
        "packet: DCTCP's alpha stays",
        "dcn-packet-congestion-control dcn-packet-reference dcn-accuracy",
        (
            PACKET + "dcn-dctcp.cc",
            "m_alpha = (1 - g) * m_alpha + g * fraction; // (1)",
            "static_cast<void>(fraction);",
        ),
    ),
    Source(
        "packet: marks from twice the threshold",
        "dcn-packet-reference dcn-accuracy",
        (
            PACKET + "dcn-switch-device.cc",
            "m_data.GetNBytes() > m_marking.kminBytes &&",
            "m_data.GetNBytes() > 2 * m_marking.kminBytes &&",
        ),
    ),
    Source(
        "packet: DCQCN cuts to a quarter less",
        "dcn-packet-congestion-control dcn-packet-reference dcn-accuracy",
        (
            PACKET + "dcn-dcqcn.cc",
            "m_rate = Clamp(Scale(m_rate, 1 - m_alpha / 2));",
            "m_rate = Clamp(Scale(m_rate, 1 - m_alpha / 4));",
        ),
    ),
    Source(
        "packet: DCQCN recovers slowly",
        "dcn-packet-congestion-control dcn-packet-reference dcn-accuracy",
        (
            PACKET + "dcn-dcqcn.cc",
            "m_rate = m_rate / 2 + m_targetRate / 2;",
            "m_rate = m_rate / 8 * 7 + m_targetRate / 8;",
        ),
    ),
    Source(
        "packet: TIMELY has no gradient",
        "dcn-packet-congestion-control dcn-packet-reference dcn-accuracy",
        (
            PACKET + "dcn-timely.cc",
            "const double gradient = m_rttDiffNs / m_minRttNs;",
            "const double gradient = 0 * m_rttDiffNs / m_minRttNs;",
        ),
    ),
    Source(
        "packet: HPCC does not see queues",
        "dcn-packet-congestion-control dcn-packet-reference dcn-accuracy",
        (
            PACKET + "dcn-hpcc.cc",
            "utilisation += static_cast<double>(queueBytes)",
            "utilisation += 0 * static_cast<double>(queueBytes)",
        ),
    ),
    Source(
        "packet: HPCC's utilisation is not averaged",
        "dcn-packet-congestion-control dcn-packet-reference dcn-accuracy",
        (
            PACKET + "dcn-hpcc.cc",
            "m_utilisation = (m_utilisation * (m_baseRttNs - tau) + largest * tau) / m_baseRttNs;",
            "m_utilisation = largest + 0 * tau;",
        ),
    ),
    # presets of the papers
    Source(
        "presets: HPCC has no window",
        "dcn-packet-published dcn-packet-congestion-control dcn-scenario",
        (PACKET + "dcn-hpcc.cc", "network.windowBdp = 1;", "network.windowBdp = 0;"),
    ),
    Source(
        "packet: HPCC does not know its increase in bytes",
        "dcn-packet-published dcn-packet-congestion-control",
        (
            PACKET + "dcn-hpcc.cc",
            "GetIncreaseBps(network, m_baseRttNs)",
            "network.Get(INCREASE)",
        ),
    ),
    Source(
        "keys of controls: rates do not follow the NIC",
        "dcn-packet-congestion-control",
        (
            NETWORK + "dcn-network-config.cc",
            "if (key->property == DcnControlKeyInfo::Property::PER_NIC)",
            "if (key->property == DcnControlKeyInfo::Property::RARE)",
        ),
    ),
    Source(
        "keys of controls: both units of a value count",
        "dcn-packet-congestion-control dcn-scenario",
        (
            NETWORK + "dcn-network-config.cc",
            "SetBits(key == one->name ? *other : *one, 0);",
            "SetBits(key == one->name ? *other : *one, 1);",
        ),
    ),
    Source(
        "presets: DCQCN keeps its target at cuts in a row",
        "dcn-packet-published dcn-packet-congestion-control",
        (
            PACKET + "dcn-dcqcn.cc",
            "network.Set(CLAMP_TARGET_RATE, true);",
            "network.Set(CLAMP_TARGET_RATE, false);",
        ),
    ),
    Source(
        "presets: DCQCN cuts late",
        "dcn-packet-published dcn-packet-congestion-control",
        (
            PACKET + "dcn-dcqcn.cc",
            "network.Set(AT_ONCE, true);",
            "network.Set(AT_ONCE, false);",
        ),
    ),
    Source(
        "presets: TIMELY normalises by the path's round trip",
        "dcn-packet-published dcn-packet-congestion-control",
        (
            PACKET + "dcn-timely.cc",
            "network.Set(MIN_RTT, 20'000);",
            "network.Set(MIN_RTT, 0);",
        ),
    ),
    Source(
        "packet: DCQCN counts every mark as a notification",
        "dcn-packet-published dcn-packet-congestion-control",
        (
            PACKET + "dcn-dcqcn.cc",
            "if (m_decreaseAtNs == NEVER || ack.nowNs >= m_decreaseAtNs)",
            "if (m_decreaseAtNs != 0)",
        ),
    ),
    Source(
        "packet: DCQCN's alpha does not rise at a notification",
        "dcn-packet-published dcn-packet-congestion-control",
        (
            PACKET + "dcn-dcqcn.cc",
            "m_alpha = (1 - g) * m_alpha + g; // (1)",
            "m_alpha = (1 - g) * m_alpha; // (1)",
        ),
    ),
    Source(
        "parsimon: links know no window in products",
        "parsimon-lean",
        (
            PARSIMON + "parsimon-lean-engine.cc",
            "GetParametersOf(nic.rateBps).GetWindowBytes(sender.maxRateBps, GetRttNs(sender));",
            "GetParametersOf(nic.rateBps).windowBytes;",
        ),
    ),
    Source(
        "flowsim: no window in products",
        "flowsim-network flowsim-estimator",
        (
            FLOWSIM + "flowsim-fluid-model.cc",
            "m_network.windowBytes > 0 || m_network.windowBdp > 0;",
            "m_network.windowBytes > 0;",
        ),
    ),
    Source(
        "packet: utilisation until the end of the last finished flow",
        "dcn-packet-end",
        (
            "model/estimate/dcn-simulation-report.cc",
            "std::max<int64_t>(1, endNs - flows.front().startNs);",
            "std::clamp<int64_t>(*std::max_element(estimate.fctNs.begin(), estimate.fctNs.end()), "
            "1, endNs);",
        ),
    ),
    Source(
        "packet: rates with a trend are frozen by skips",
        "dcn-packet-skip",
        (PACKET + "dcn-steady-skip.cc", "return !hasTrend ||", "return true ||"),
    ),
    Source(
        "packet: a window of a skip begins where the first one began",
        "dcn-packet-skip",
        (
            PACKET + "dcn-steady-skip.cc",
            "watched.marks[0] = watched.marks[QUARTERS / 2];",
            "watched.marks[0] = watched.marks[0];",
        ),
    ),
    Source(
        "packet: round-trip times are whole nanoseconds",
        "dcn-packet-engine-digest",
        (
            "contrib/dcn-packet/model/congestion/dcn-congestion-control.h",
            "return static_cast<double>(nowNs - sentNs) + restNs;",
            "return static_cast<double>(nowNs - sentNs) + 0 * restNs;",
        ),
    ),
    Source(
        "packet: marks over a skip are not counted",
        "dcn-packet-skip",
        (PACKET + "dcn-switch-device.cc", "m_nMarked += marks;", "m_nMarked += 0 * marks;"),
    ),
    Source(
        "packet: a port that is paused is in a deadlock",
        "dcn-packet-end",
        (
            PACKET + "dcn-pause-circle.cc",
            "    RemoveThoseThatMove();\n    RemoveThoseBehind();\n    FindCircle();",
            "    FindCircle();",
        ),
    ),
    Source(
        "packet: events of ports have no order within a nanosecond but that of links",
        "dcn-packet-events",
        (
            PACKET + "model/engine/dcn-packet-events.h",
            "(INSTANTS - 1 - (lead >> INSTANT_SHIFT)) * 2 * WAKE",
            "0 * lead",
        ),
    ),
    Source(
        "packet: a session does not run the events of the time that it comes to",
        "dcn-packet-events",
        (
            PACKET + "model/network/dcn-packet-session.cc",
            "whole.Run(timeNs + 1);",
            "whole.Run(timeNs);",
        ),
    ),
    Source(
        "packet: events of the stop time run",
        "dcn-packet-end",
        (
            PACKET + "model/network/dcn-packet-session.cc",
            "loop.Run(std::min(pauseNs, untilNs));",
            "loop.Run(untilNs == NEVER ? pauseNs : std::min(pauseNs, untilNs + 1));",
        ),
    ),
    # flowsim
    Source(
        "flowsim: flows do not leave a bottleneck that is none",
        "flowsim-max-min flowsim-network dcn-accuracy",
        (
            FLOWSIM + "flowsim-max-min-solver.cc",
            "if (!m_graph->Expel(id, level * (1 - TIE_TOLERANCE)))",
            "if (true)",
        ),
    ),
    Source(
        "flowsim: flows are not taken in by a tighter link",
        "flowsim-max-min flowsim-network dcn-accuracy",
        (
            FLOWSIM + "flowsim-max-min-solver.cc",
            "m_graph->Absorb(top.id, top.key * (1 + TIE_TOLERANCE));",
            "",
        ),
    ),
    Source(
        "flowsim: window cap of twice the window",
        "flowsim-estimator m4-session dcn-accuracy",
        (
            FLOWSIM + "flowsim-fluid-model.cc",
            "fluid.cap = std::min(fluid.cap, GetWindowCap(path));",
            "fluid.cap = std::min(fluid.cap, 2 * GetWindowCap(path));",
        ),
    ),
    # connections
    Source(
        "connections: packets have bytes of two messages",
        "dcn-connection dcn-train-collective",
        (
            PACKET + "model/transport/dcn-flow-messages.cc",
            "return next == m_ends.end() ? last : *next;",
            "return next == m_ends.end() ? last : m_ends.back();",
        ),
    ),
    Source(
        "connections: acknowledgements of fluids take propagation alone",
        "dcn-connection dcn-train-run",
        (
            "model/flows/dcn-session-network.h",
            "ticks += DcnSerializationTicks(DCN_ACK_BYTES, back.rateBps);",
            "returnNs += back.delayNs;",
        ),
    ),
    # links that change
    Source(
        "links: frames on a link that fails arrive",
        "dcn-packet-flow-network",
        (
            PACKET + "dcn-packet-device.cc",
            "m_peer->m_lostUntilNs = std::max(nowNs, m_lastEndNs) + m_delayNs;",
            "m_peer->m_lostUntilNs = -1;",
        ),
    ),
    Source(
        "links: a flow does not return to its path after a repair",
        "dcn-link-change",
        (
            "model/flows/dcn-flow-network.cc",
            "    std::vector<uint32_t> links = route.home;",
            "    std::vector<uint32_t> links = route.Get();",
        ),
    ),
    Source(
        "links: fluids of a degraded link keep their rate",
        "dcn-link-change",
        (
            FLOWSIM + "flowsim-session.cc",
            "m_engine.SetCapacity(link, m_model.GetCapacity(rateBps));",
            "m_engine.SetCapacity(link, m_model.GetCapacity(m_topology.GetLink(link).rateBps));",
        ),
    ),
    Source(
        "cut off: packets wait for a timeout after the repair",
        "dcn-train-failures",
        (
            PACKET + "dcn-packet-flow.cc",
            "m_sender.GetUnacknowledged());\n        GoBack(nowNs);\n    }\n}\n\nbool",
            "m_sender.GetUnacknowledged());\n    }\n}\n\nbool",
        ),
    ),
    Source(
        "cut off: a flow that waited counts its time from the repair on",
        "dcn-link-change",
        (
            "model/flows/dcn-flow-network.cc",
            "m_delays[move.number] = flow.startNs - route.key.startNs;",
            "m_delays[move.number] = 0;",
        ),
    ),
    Source(
        "cut off: fluids begin anew after the repair",
        "dcn-link-change",
        (
            FLOWSIM + "flowsim-session.cc",
            "std::ceil(left * static_cast<double>(flow.sizeBytes))",
            "std::ceil(static_cast<double>(flow.sizeBytes))",
        ),
    ),
    Source(
        "cut off: flows of m4 begin anew after the repair",
        "dcn-link-change",
        (
            "contrib/m4/model/session/m4-session.cc",
            "static_cast<double>(departureNs - m_nowNs) /",
            "static_cast<double>(departureNs - sinceNs) /",
        ),
    ),
    Source(
        "links: m4 does not know that the rate of a link has changed",
        "dcn-link-change",
        (
            "contrib/m4/model/session/m4-session.cc",
            "each / 2 == link / 2 ? rateBps : cable.rateBps,",
            "cable.rateBps,",
        ),
    ),
    Source(
        "link events: one cable of a switch fails",
        "dcn-link-change",
        (
            "helper/dcn-link-events.cc",
            "            return topology.GetOutLinks(index);",
            "            return {topology.GetOutLinks(index).front()};",
        ),
    ),
    Source(
        "connections: the path depends on the order of connections",
        "dcn-connection dcn-train-run",
        (
            "model/flows/dcn-flow-network.cc",
            "    key.id = channel;",
            "    key.id = m_connections.size();",
        ),
    ),
    # training traffic
    Source(
        "rings over rails: all channels enter servers by one accelerator",
        "dcn-train-collective dcn-train-protocols",
        (
            TRAIN + "model/collective/dcn-train-ring.cc",
            "return (channel + g * 2 -",
            "return (g * 2 -",
        ),
    ),
    Source(
        "hosts: receives are finished on arrival",
        "dcn-train-run dcn-train-protocols",
        (
            TRAIN + "model/run/dcn-train-executor.cc",
            "        FinishLater(receive);",
            "        Finish(receive);",
        ),
    ),
    Source(
        "hosts: sends of a stream are prepared side by side",
        "dcn-train-run",
        (
            TRAIN + "model/run/dcn-train-executor.cc",
            "    if (!stream.isBusy)\n    {\n        PrepareNext(",
            "    if (true)\n    {\n        PrepareNext(",
        ),
    ),
    Source(
        "protocols: hops within a server cost as much as those between servers",
        "dcn-train-protocols",
        (
            TRAIN + "model/collective/dcn-train-protocols.cc",
            "isInServer ? protocol.scaleUpNs : protocol.scaleOutNs};",
            "isInServer ? protocol.scaleOutNs : protocol.scaleOutNs};",
        ),
    ),
    Source(
        "protocols: the last row is chosen",
        "dcn-train-protocols",
        (
            TRAIN + "model/collective/dcn-train-protocols.cc",
            "if (!best.protocol || expectedNs < best.expectedNs)",
            "if (!best.protocol || expectedNs > 0)",
        ),
    ),
    Source(
        "calibration: steps go the other way",
        "dcn-train-calibration",
        (
            TRAIN + "helper/dcn-train-calibration.cc",
            "equations[j][n] = -product(slopes[j], errors);",
            "equations[j][n] = product(slopes[j], errors);",
        ),
    ),
    Source(
        "jobs: the hosts of a job stay free",
        "dcn-train-cluster",
        (
            TRAIN + "helper/dcn-train-cluster.cc",
            "        m_isTaken[host] = true;",
            "        m_isTaken[host] = false;",
        ),
    ),
    Source(
        "failures: a job that waits for a host never stops",
        "dcn-train-failures",
        (
            TRAIN + "model/run/dcn-train-executor.cc",
            "    if (connection.cutOffNs == NOT_CUT)\n    {\n        ++m_nGoing;",
            "    if (true)\n    {\n        ++m_nGoing;",
        ),
    ),
    Source(
        "failures: a job stops while messages are on their way",
        "dcn-train-failures",
        (
            TRAIN + "model/run/dcn-train-executor.cc",
            "    if (m_nGoing > 0)\n    {\n        return; // StopSoon",
            "    if (false)\n    {\n        return; // StopSoon",
        ),
        (
            TRAIN + "model/run/dcn-train-executor.cc",
            "    if (m_nGoing > 0 || m_nCutOff == 0",
            "    if (m_nCutOff == 0",
        ),
        (
            TRAIN + "model/run/dcn-train-executor.cc",
            "    if (waited < m_stopAfter)",
            "    if (waited.IsNegative())",
        ),
    ),
    Source(
        "failures: stalls count as exposed communication",
        "dcn-train-failures",
        (
            TRAIN + "model/run/dcn-train-executor.cc",
            "rank.nHeld > 0    ? rank.times.stalledNs",
            "rank.nHeld > 0    ? rank.times.exposedNs",
        ),
    ),
    Source(
        "failures: jobs do not know when links change for the last time",
        "dcn-train-failures",
        (
            TRAIN + "helper/dcn-train-cluster.cc",
            "        executor->SetLastLinkChange(time);",
            "        executor->SetLastLinkChange(Time::Max() - Seconds(1));",
        ),
    ),
    Source(
        "messages: the last receive of a tag comes first",
        "dcn-train-run dcn-train-messages",
        (
            TRAIN + "dcn-train-matching.h",
            "slot = waiting->second.front();\n            waiting->second.pop_front();",
            "slot = waiting->second.back();\n            waiting->second.pop_back();",
        ),
    ),
    Source(
        "messages: each is a flow of its own",
        "dcn-train-messages",
        (
            TRAIN + "dcn-train-messages.cc",
            "m_network->AddMessage(found->second, bytes)",
            "m_network->AddFlow(m_hosts.Get(source), m_hosts.Get(destination), bytes)",
        ),
    ),
    Source(
        "graphs: compute nodes of a stream overlap",
        "dcn-train-run dcn-train-transformer",
        (
            TRAIN + "dcn-train-executor.cc",
            "        if (!stream.isBusy)",
            "        if (!stream.ready.empty())",
        ),
    ),
    Source(
        "collectives: the ring begins with the wrong block",
        "dcn-train-collective",
        (
            TRAIN + "dcn-train-ring.cc",
            "AppendSteps(n, n - 1, true, member, place, transfers);",
            "AppendSteps(n, 0, true, member, place, transfers);",
        ),
    ),
    Source(
        "collectives: reductions do not wait for the member's own blocks",
        "dcn-train-collective",
        (
            TRAIN + "dcn-train-collective.cc",
            "                needed.push_back(source[block]);",
            "                needed.push_back(begin(transfer.from));",
        ),
    ),
    Source(
        "transformers: no warm-up of the pipeline",
        "dcn-train-transformer",
        (
            TRAIN + "dcn-train-transformer.cc",
            "std::min(m_plan.pipeline - 1 - stage, m_nMicroBatches);",
            "std::min(0U, m_nMicroBatches);",
        ),
    ),
    Source(
        "transformers: the backward pass takes as long as the forward pass",
        "dcn-train-transformer",
        (
            TRAIN + "dcn-train-transformer.cc",
            "const double times = m_plan.isRecomputed ? 3 : 2;",
            "const double times = m_plan.isRecomputed ? 2 : 1;",
        ),
    ),
    Source(
        "Chakra: control dependencies do not count",
        "dcn-train-format",
        (
            TRAIN + "dcn-train-chakra.cc",
            "else if ((field == 4 || field == 5) && type == 0)",
            "else if (field == 5 && type == 0)",
        ),
    ),
    Source(
        "GOAL: irequires is requires",
        "dcn-train-format",
        (
            TRAIN + "dcn-train-goal.cc",
            'if (second == "requires")',
            'if (second != "")',
        ),
    ),
    # ns3-path
    Source(
        "ns3-path: no off-path cross traffic",
        "dcn-path-rules dcn-accuracy",
        (
            PATH + "dcn-path-estimator.cc",
            "window.AddCrossTraffic(pathIndex, pathIndex.GetLinks(path), traffic);",
            "",
        ),
    ),
    Source(
        "ns3-path: no initial queues",
        "dcn-path-rules dcn-accuracy",
        (
            PATH + "dcn-path-estimator.cc",
            "window.AddInitialQueues(pathIndex.GetLinks(path), traffic);",
            "",
        ),
    ),
    Source(
        "ns3-path: windows begin with the warm-up",
        "dcn-path-rules dcn-accuracy",
        (
            PATH + "dcn-path-estimator.cc",
            "window.ChooseBegin(pathIndex.GetLinks(path), traffic);",
            "",
        ),
    ),
    Source(
        "ns3-path: flows under way have their whole size",
        "dcn-path-rules dcn-path-window",
        (
            PATH + "dcn-path-window.cc",
            "flow.sizeBytes = std::max<uint64_t>(1, static_cast<uint64_t>(std::min(left, most)));",
            "flow.sizeBytes += 0 * static_cast<uint64_t>(std::min(left, most));",
        ),
    ),
    Source(
        "ns3-path: no windows",
        "dcn-path-rules dcn-path-window",
        (
            PATH + "dcn-path-window.cc",
            "m_beginNs = std::max<int64_t>(0, startNs - warmUpNs);",
            "m_beginNs = 0 * warmUpNs;",
        ),
        (
            PATH + "dcn-path-window.cc",
            "m_beginNs = beginNs;",
            "m_beginNs = 0 * beginNs;",
        ),
    ),
    Source(
        "ns3-path: every flow drawn counts once",
        "dcn-path-index dcn-path-window dcn-accuracy",
        (
            PATH + "dcn-path-estimator.cc",
            "                                        drawn.weight,\n",
            "                                        1,\n",
        ),
    ),
    # parsimon
    Source(
        "parsimon: clusters of unlike links",
        "parsimon-clustering dcn-accuracy",
        (
            PARSIMON + "parsimon-clustering.cc",
            "Wmape(a.gaps, b.gaps, options.maxWmape) < options.maxWmape;",
            "Wmape(a.gaps, b.gaps, options.maxWmape) < 10 * options.maxWmape;",
        ),
    ),
    Source(
        "parsimon: clusters of unlike loads",
        "parsimon-clustering dcn-accuracy",
        (
            PARSIMON + "parsimon-clustering.cc",
            "return options.loadThreshold * idle * idle;",
            "return 10 * options.loadThreshold * (1 + 0 * idle);",
        ),
    ),
    Source(
        "parsimon: published clusters at ten times the distance",
        "parsimon-clustering dcn-accuracy",
        (PARSIMON + "parsimon-clustering.cc", "options.maxWmape = 0.1;", "options.maxWmape = 1;"),
    ),
    Source(
        "parsimon: published rules add the delay of a packet",
        "parsimon-combination parsimon-link-runner dcn-accuracy",
        (
            PARSIMON + "parsimon-combination.cc",
            "return std::floor(packets * normalized);",
            "return std::floor(normalized);",
        ),
    ),
    # m3
    Source(
        "m3: classes of sizes are shifted",
        "m3-model dcn-accuracy",
        (
            M3 + "m3-distribution.cc",
            "quantiles + c * nKnots, level)",
            "quantiles + (c > 0 ? c - 1 : 0) * nKnots, level)",
        ),
    ),
    Source(
        "m3: paths count the same",
        "m3-distribution m3-estimator dcn-accuracy",
        (
            M3 + "m3-distribution.cc",
            "{point.slowdown, m_drawn[i].flowWeight * point.nFlows, i, point.flow});",
            "{point.slowdown, 0 * m_drawn[i].flowWeight + point.nFlows, i, point.flow});",
        ),
    ),
    Source(
        "m3: no context of the path",
        "m3-model dcn-accuracy",
        (
            M3 + "m3-default-network.cc",
            "in.rightCols(m_shape.width) = Encode(inputs);",
            "in.rightCols(m_shape.width) = 0 * Encode(inputs);",
        ),
    ),
    Source(
        "m3: loads of links are not known",
        "m3-features m3-model",
        (
            M3 + "m3-feature-extractor.cc",
            "entry.load = 8e9 * bytes / (rate * m_spanNs);",
            "entry.load = 0 * bytes / (rate * m_spanNs);",
        ),
    ),
    # m4
    Weights("m4: remaining fraction's bias + 1", "m4-model", "m4", shift("left.b.b", 1)),
    Weights("m4: queue's bias + 1", "m4-model", "m4", shift("queue.b.b", 1)),
    Source(
        "m4: quantiles of a flow from the inputs of its first event",
        "m4-network",
        (
            M4 + "m4-default-network.cc",
            "m_flowInputs.row(slot) = m_x.row(i);",
            "if (row == snapshot.eventRow) { m_flowInputs.row(slot) = m_x.row(i); }",
        ),
    ),
    Source(
        "m4: states of flows are not kept",
        "m4-model dcn-accuracy",
        (
            M4 + "m4-default-network.cc",
            "m_flowStates.row(slot) = m_hf.row(i);",
            "",
        ),
    ),
    Source(
        "m4: states of links are not kept",
        "m4-model dcn-accuracy",
        (
            M4 + "m4-default-network.cc",
            "m_linkStates.row(snapshot.links[static_cast<std::size_t>(i)]) = m_hl.row(i);",
            "",
        ),
    ),
    Source(
        "m4: events touch no flows elsewhere",
        "m4-tracker m4-model dcn-accuracy",
        (
            M4 + "m4-default-tracker.cc",
            "KeepOldest(nNear, MAX_MOVED, flows);",
            "KeepOldest(nNear, 0, flows);",
        ),
    ),
    Source(
        "m4: bursts leave no backlog",
        "m4-tracker m4-model",
        (
            M4 + "m4-link-history.cc",
            "sums.backlogNs = backlogNs + workNs;",
            "sums.backlogNs = backlogNs;",
        ),
    ),
    Source(
        "m4: the distribution of a scenario has the whole spread of its flows",
        "m4-session m4-trainer",
        (
            M4 + "m4-session.cc",
            "median * std::pow(ratio, M4Spread::WITHIN)",
            "median * ratio",
        ),
    ),
    Source(
        "m4: an epoch goes on with the longest simulation alone",
        "m4-trainer",
        (
            M4 + "m4-trainer.cc",
            "isOver = epoch.nFilled < least;",
            "isOver = epoch.nFilled < 1;",
        ),
    ),
    Source(
        "m4: flows use their links until their last byte has arrived",
        "m4-session m4-model dcn-accuracy",
        (
            M4 + "m4-session.cc",
            "flow.startNs + m_tracker->GetConstants(handle).GetServiceNs(predictedNs),",
            "flow.startNs + predictedNs,",
        ),
    ),
    Source(
        "m4: messages behind others are predicted",
        "m4-session",
        (
            M4 + "m4-session.cc",
            "return m_tracker->HasFairRates() || m_tracker->IsAlone(handle);",
            "return m_tracker->IsAlone(handle);",
        ),
    ),
    Source(
        "m4: messages leave no room for acknowledgements",
        "m4-session dcn-connection",
        (
            M4 + "m4-message-rate.cc",
            "m_acknowledgements * std::min(",
            "0 * std::min(",
        ),
    ),
    Source(
        "m4: messages behind others have no window",
        "dcn-connection",
        (
            M4 + "m4-session.cc",
            "rateBps = std::min(rateBps, m_tracker->GetConstants(handle).windowBps);",
            "rateBps = std::max(0.0, rateBps);",
        ),
    ),
    Source(
        "m4: a message that meets another one loses its bits",
        "m4-session",
        (
            M4 + "m4-session.cc",
            "Schedule(handle, std::max(fctNs, GetLeastFctNs(handle)));",
            "Schedule(handle, fctNs);",
        ),
    ),
    Source(
        "m4: HPCC fills the links of messages",
        "m4-session",
        (M4 + "m4-message-rate.cc", "m_eta * rateBps", "rateBps"),
    ),
    # mql
    Leaves("mql: percentile's leaves * -10", "mql-shipped", -10, ["roundTripP99"]),
    Leaves("mql: one queue's leaves * -1", "mql-shipped", -1, ["edgeDown"]),
    Source(
        "mql: correction not applied",
        "mql-shipped",
        (MQL + "mql-correction.cc", "if (counts == 0)", "if (counts < 2)"),
    ),
    Source(
        "mql: workload of half the variability",
        "mql-queue mql-network mql-shipped dcn-accuracy",
        (
            MQL + "mql-solver.cc",
            "const double half = in.rho / (2 * idle);",
            "const double half = in.rho / (4 * idle);",
        ),
    ),
    Source(
        "mql: transfers do not share links",
        "mql-estimator dcn-accuracy",
        (
            MQL + "mql-estimator.cc",
            "return sharers > 0 ? 1 / (1 / sharers + 1 / most) : 0;",
            "return 0 * (sharers + most);",
        ),
    ),
    Source(
        "mql: no queue of windows that compete",
        "mql-estimator dcn-accuracy",
        (
            MQL + "mql-estimator.cc",
            "delay.wait += hopWait + standing + rest * more;",
            "delay.wait += hopWait + rest * more;",
        ),
    ),
    # cceval
    Source(
        "cceval: variance of n values",
        "cceval-statistics cceval-coverage",
        (
            CCEVAL + "cceval-moments.cc",
            "m_second / static_cast<double>(m_n - 1)",
            "m_second / static_cast<double>(m_n)",
        ),
    ),
    Source(
        "cceval: intervals of half the width",
        "cceval-statistics cceval-coverage",
        (
            CCEVAL + "cceval-stopping-rule.cc",
            "moments.GetDeviation() / std::sqrt(n),\n",
            "moments.GetDeviation() / std::sqrt(4 * n),\n",
        ),
    ),
    Source(
        "cceval: no correction of skewness",
        "cceval-statistics cceval-coverage",
        (CCEVAL + "cceval-interval.cc", "if (std::abs(lambda) < SMALL)", "if (SMALL > 0)"),
    ),
    Source(
        "cceval: a rehearsal is not held against the mean",
        "cceval-coverage",
        (CCEVAL + "cceval-rehearsal.cc", ".Contains(all.GetMean())", ".Contains(moments.GetMean())"),
    ),
    Source(
        "cceval: quantile of the value before",
        "cceval-statistics cceval-parts",
        (
            CCEVAL + "cceval-pooled-quantile.cc",
            "return printed ? above : value;",
            "return above;",
        ),
    ),
    Source(
        "cceval: likelihood ratios are 1",
        "cceval-importance",
        (
            CCEVAL + "cceval-importance.cc",
            "std::exp(logs.UpTo(trial.trace.flows[i].startNs + trial.fctNs[i])));",
            "std::exp(0 * logs.UpTo(trial.trace.flows[i].startNs + trial.fctNs[i])));",
        ),
    ),
    Source(
        "cceval: likelihood ratios of the starts before",
        "cceval-importance",
        (
            CCEVAL + "cceval-importance.cc",
            "std::exp(logs.UpTo(trial.trace.flows[i].startNs + trial.fctNs[i])));",
            "std::exp(logs.UpTo(trial.trace.flows[i].startNs)));",
        ),
    ),
    Source(
        "tcp: frames without the rest of their link header",
        "dcn-tcp-network",
        (
            TCP + "dcn-tcp-network.cc",
            "rate.CalculateBytesTxTime(LINK_BYTES - PPP_BYTES)",
            "Time(0)",
        ),
    ),
    Source(
        "tcp: marks do not follow the seed",
        "dcn-tcp-estimator",
        (TCP + "dcn-tcp-network.cc", "DcnRandom(m_seed)", "DcnRandom(1)"),
    ),
    Source(
        "tcp: no thresholds",
        "dcn-tcp-network dcn-tcp-estimator",
        (TCP + "dcn-tcp-options.cc", 'if (Has(type, "MinTh"))', "if (false)"),
    ),
    # networks on chip
    Source(
        "noc: memory controllers take a request in every cycle",
        "noc-engine",
        (NOC + "noc-engine.cc", "m_cycle % m_system.memoryPeriod == 0", "true"),
    ),
    Source(
        "noc: through traffic has no memory",
        "noc-model",
        (NOC + "noc-layer-solver.cc", "NocMethod::CLOSED ? THETA : 0", "NocMethod::CLOSED ? 0 : 0"),
    ),
    Source(
        "noc: refused packets are not waited for",
        "noc-model",
        (
            NOC + "noc-layer-solver.cc",
            "m_answer.extras[node] = overflow / way.rate +",
            "m_answer.extras[node] = 0 * overflow / way.rate +",
        ),
    ),
    Source(
        "noc: rates break no symmetry",
        "noc-model",
        (NOC + "noc-symmetry.cc", "system.rates[node] != system.rates[image[node]]", "false"),
    ),
    Source(
        "noc: signals have no delay",
        "noc-throttling",
        (NOC + "noc-throttle.cc", "m_heard = (cycle + 1) % m_past.size();", "m_heard = now;"),
    ),
    Source(
        "noc: labels look back only",
        "noc-throttling",
        (NOC + "noc-detector.cc", "*found <= row.cycle + delta", "*found <= row.cycle"),
    ),
    Source(
        "interpreters: backticks reach gnuplot",
        "dcn-plot",
        (
            BASE + "dcn-plot.cc",
            "if (each == '\"' || each == '\\\\' || each == '`')",
            "if (each == '\"' || each == '\\\\')",
        ),
    ),
    Source(
        "interpreters: a quotation mark ends a text of gnuplot",
        "dcn-plot",
        (
            BASE + "dcn-plot.cc",
            "if (each == '\"' || each == '\\\\' || each == '`')",
            "if (each == '\\\\' || each == '`')",
        ),
    ),
    Source(
        "interpreters: markup reaches pages",
        "dcn-report",
        (
            ESTIMATE + "dcn-report.cc",
            "escaped += \"&lt;\";",
            "escaped += c;",
        ),
    ),
    Source(
        "interpreters: commands are recorded as the shell has taken them apart",
        "dcn-model-file",
        (
            BASE + "dcn-command-line.cc",
            "command += \" \" + QuoteForShell(said);",
            "command += \" \" + said;",
        ),
    ),
    Source(
        "inputs: JSON may be nested without end",
        "dcn-model-file",
        (
            BASE + "dcn-csv.cc",
            "if (depth > MOST_DEPTH || text.size() > MOST_BYTES)",
            "if (text.size() > MOST_BYTES)",
        ),
    ),
    Source(
        "inputs: choices of a single scenario are drawn",
        "dcn-scenario-recipe",
        (
            HELPER + "dcn-scenario-options.cc",
            "if (!m_isDrawn && !isOne)",
            "if (m_isDrawn && !isOne)",
        ),
    ),
    Source(
        "inputs: the name of a file is taken apart at +",
        "dcn-scenario-recipe",
        (
            BASE + "dcn-recipe.cc",
            "if (std::filesystem::exists(text, ignored))",
            "if (text.empty())",
        ),
    ),
    Source(
        "inputs: the farthest option is suggested",
        "dcn-model-file",
        (
            BASE + "dcn-recipe.cc",
            "if (distance < least)",
            "if (distance > least)",
        ),
    ),
    Source(
        "inputs: an option may be given twice",
        "dcn-model-file",
        (
            BASE + "dcn-command-line.cc",
            "!m_values.emplace(name, value).second && repeatable.count(name) == 0",
            "!m_values.emplace(name, value).second && repeatable.count(name) == 7",
        ),
    ),
    Source(
        "inputs: an empty value is the default",
        "dcn-model-file",
        (
            BASE + "dcn-command-line.cc",
            "if (value && value->find_first_not_of(",
            "if (value && value->size() > 1 && value->find_first_not_of(",
        ),
    ),
    Source(
        "inputs: an option without effect is taken",
        "dcn-model-file",
        (
            BASE + "dcn-command-line.cc",
            "if (!effect.isRead && Has(name))",
            "if (!effect.isRead && Has(name) && name.empty())",
        ),
    ),
    Source(
        "inputs: a number comes twice in another notation",
        "dcn-model-file",
        (
            BASE + "dcn-command-line.cc",
            "DcnParse(values[i], number) && before == number",
            "DcnParse(values[i], number) && before == number + 1",
        ),
    ),
    Source(
        "inputs: a number beyond 32 bits prints the help",
        "dcn-model-file",
        (
            BASE + "dcn-command-line.cc",
            "if (isFlag || !isNumber || !CanTake(cmd, name, value))",
            "if (isFlag || !isNumber)",
        ),
    ),
    Source(
        "inputs: a fraction is a whole number",
        "dcn-scenario-recipe dcn-train-cluster",
        (
            BASE + "dcn-recipe.cc",
            "if (number != std::floor(number))",
            "if (number < 0)",
        ),
    ),
    Source(
        "inputs: a key has an effect with the values that it excludes",
        "dcn-scenario-recipe dcn-train-cluster",
        (
            BASE + "dcn-recipe.cc",
            "return isListed != each.isNot;",
            "return isListed || each.isNot;",
        ),
    ),
    Source(
        "inputs: a byte order mark is read as text",
        "dcn-fct-table dcn-train-cluster dcn-train-format",
        (
            BASE + "dcn-csv.cc",
            "    if (isNext(0xef))",
            "    if (isNext(0xee))",
        ),
    ),
    Source(
        "inputs: files that nobody reads are not named",
        "dcn-datasets-origin dcn-train-format",
        (
            BASE + "dcn-csv.cc",
            "name[0] != '.' && used.count(name) == 0",
            "name[0] == '.' && used.count(name) == 0",
        ),
    ),
    Source(
        "runs: results of earlier runs are not listed",
        "dcn-fct-table",
        (
            ESTIMATE + "dcn-run-record.cc",
            "for (const char* list : {\"files\", \"earlier_files\"})",
            "for (const char* list : {\"files\"})",
        ),
    ),
    Source(
        "training: a placement may have hosts to spare",
        "dcn-train-cluster",
        (
            TRAIN + "dcn-train-cluster-options.cc",
            "job.source->GetNRanks() < job.hosts.size())",
            "job.source->GetNRanks() < 0 * job.hosts.size())",
        ),
    ),
    Source(
        "training: a parameter at its limit is not told",
        "dcn-train-calibration",
        (
            TRAIN + "dcn-train-calibration.cc",
            "values[j] <= least || values[j] >= most",
            "values[j] < least || values[j] > most",
        ),
    ),
    Source(
        "inputs: parts of a scenario are not drawn",
        "dcn-scenario-recipe",
        (
            HELPER + "dcn-scenario-options.cc",
            "return recipe.Draw(recipe.GetWhole(\"seed\")).CreateParts();",
            "return recipe.CreateParts();",
        ),
    ),
    Source(
        "runs: a run that failed seems to go on",
        "dcn-fct-table",
        (
            ESTIMATE + "dcn-run-record.cc",
            "Write(\"failed\");",
            "Write(\"running\");",
        ),
    ),
    Source(
        "runs: a run that was interrupted seems to go on",
        "dcn-fct-table",
        (
            BASE + "dcn-interrupt.cc",
            "WriteSignalFile(slot.file);",
            ";",
        ),
    ),
    Source(
        "runs: half of a file stays behind after a signal",
        "dcn-fct-table",
        (
            BASE + "dcn-interrupt.cc",
            "if (const char* path = half)",
            "if (const char* path = nullptr)",
        ),
    ),
    Source(
        "runs: two runs may have a folder",
        "dcn-fct-table dcn-datasets-files",
        (
            BASE + "dcn-csv.cc",
            "if (flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)",
            "if (m_descriptor < 0)",
        ),
    ),
    Source(
        "runs: attributes that were changed are not recorded",
        "dcn-fct-table",
        (
            ESTIMATE + "dcn-run-record.cc",
            "if (now != attribute.originalInitialValue->SerializeToString(attribute.checker))",
            "if (now.empty() && attribute.name.empty())",
        ),
    ),
    Source(
        "runs: every earlier run had this code",
        "dcn-fct-table",
        (
            ESTIMATE + "dcn-earlier-run.cc",
            ": m_code == DcnRunRecord::GetCodeDigest()",
            ": !m_code.empty()",
        ),
    ),
    Source(
        "results: the times of a method with samples seem to have its quantiles",
        "dcn-fct-table",
        (
            ESTIMATE + "dcn-fct-table.cc",
            "(isExpected ? \"_expected_fct_ns\" : \"_fct_ns\")",
            "\"_fct_ns\"",
        ),
    ),
    Source(
        "data sets: damaged shards are read",
        "dcn-datasets-files",
        (
            DATASETS + "dcn-dataset-reader.cc",
            "if (!m_isChecked.at(row.shard))",
            "if (m_isChecked.at(row.shard))",
        ),
    ),
    Source(
        "data sets: a manifest may name any file",
        "dcn-datasets-files",
        (
            DATASETS + "dcn-dataset-manifest.cc",
            "|| rows.back().file != name)",
            ")",
        ),
    ),
    Source(
        "m4: what it cannot answer is known after the others have run",
        "m4-range",
        (
            M4 + "m4-estimator.cc",
            ".Require(scenario->GetNetwork().congestionControl);",
            ".IsEmpty();",
        ),
    ),
    Source(
        "m3: what it cannot answer is known after the others have run",
        "m3-model",
        (
            M3 + "m3-estimator.cc",
            "    network->GetRanges().Require(scenario.GetNetwork().congestionControl);\n",
            "",
        ),
    ),
]

# ---- running ---------------------------------------------------------------------------------


class Runner:
    """Builds and runs suites in a copy of the clone."""

    def __init__(self, folder, options):
        self.folder = folder
        self.options = options
        self.seconds = {}  # by suite: what it takes without a mutation

    def copy(self):
        """Copies what git knows, and what is new, but not what it ignores."""
        files = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout.decode()
        for path in filter(None, files.split("\0")):
            source = os.path.join(REPOSITORY, path)
            if os.path.exists(source):  # it may be deleted, but not in git yet
                target = os.path.join(self.folder, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                # new times: what was built of a mutation before must not pass for built of this
                shutil.copy(source, target, follow_symlinks=False)

    def dcn(self, arguments, environment, seconds=None):
        """Runs ./dcn; returns its exit status (None: no end) and its output."""
        process = subprocess.Popen(
            [os.path.join(self.folder, "dcn"), *self.options, *arguments],
            cwd=os.path.dirname(self.folder),
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that its children can be ended with it
        )
        try:
            output = process.communicate(timeout=seconds)[0]
            return process.returncode, output.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def build(self, what):
        """Builds the test runner and with it all modules and tests, but no program."""
        status, output = self.dcn(["run", "test-runner", "--print-test-name-list"], {})
        if status != 0:
            raise Trouble(f"{what}: the build failed\n" + output[-3000:])
        return set(output.split())

    def fails(self, suite, environment):
        """Runs a suite; returns how it fails, empty if it passes."""
        started = time.monotonic()
        most = SUITE_TIMES * self.seconds[suite] + SUITE_SECONDS if suite in self.seconds else None
        status, _ = self.dcn(["run", "test-runner", f"--suite={suite}"], environment, most)
        self.seconds.setdefault(suite, time.monotonic() - started)
        if status is None:
            return "no end"
        if status == 0:
            return ""
        # a signal, as bash or the kernel says it
        return "fails" if status == 1 else f"crashes ({status})"


def check_texts(mutations):
    """Returns 1 if a text of a mutation does not occur once in the sources."""
    troubles = []
    for mutation in mutations:
        try:
            mutation.check(REPOSITORY)
        except Trouble as trouble:
            troubles.append(str(trouble))
    print("\n".join(troubles + [f"{len(mutations)} mutations, {len(troubles)} out of date"]))
    return 1 if troubles else 0


def main():
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("command", nargs="?", choices=["check"],
                        help="check: only that each text still occurs once; ./dcn test does so")
    parser.add_argument("--list", action="store_true", help="print mutations and their suites")
    parser.add_argument("--only", help="texts joined by commas: those with one in their name")
    parser.add_argument("--first", action="store_true", help="no more suites after one that fails")
    parser.add_argument("--keep", action="store_true", help="leave the folder of the copy")
    parser.add_argument("--ns3-dir", help="as for ./dcn")
    arguments = parser.parse_args()
    texts = arguments.only.split(",") if arguments.only else [""]
    chosen = [each for each in MUTATIONS if any(text in each.name for text in texts)]
    if arguments.command == "check":
        return check_texts(chosen)
    if not chosen:
        raise Trouble(f"no mutation has one of {arguments.only} in its name")
    for mutation in chosen:
        mutation.check(REPOSITORY)
    if arguments.list:
        for mutation in chosen:
            print(f"{mutation.name:60} {' '.join(mutation.suites)}")
        return 0

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(2))
    # the same name each time: the compiler's cache goes by names
    place = os.path.join(tempfile.gettempdir(), f"dcn-mutations-{os.getuid()}")
    try:
        os.mkdir(place)
    except FileExistsError:
        raise Trouble(f"{place} is there: remove it, unless another run is using it") from None
    options = ["--ns3-dir", os.path.abspath(arguments.ns3_dir)] if arguments.ns3_dir else []
    runner = Runner(os.path.join(place, "dcn"), options)
    rows = []
    try:
        runner.copy()
        known = runner.build("without a mutation")
        suites = sorted({suite for mutation in chosen for suite in mutation.suites})
        for suite in suites:
            if suite not in known:
                raise Trouble(f"there is no suite {suite}")
            how = runner.fails(suite, {})
            if how:
                raise Trouble(f"without a mutation, the suite {suite} {how}")
        print(f"{len(suites)} suites pass without a mutation", flush=True)
        for mutation in chosen:
            started = time.monotonic()
            undo, environment = mutation.apply(runner.folder)
            results = []
            verdict = "SURVIVED"
            try:
                if isinstance(mutation, Source):
                    runner.build(mutation.name)
                for suite in mutation.suites:
                    results.append((suite, runner.fails(suite, environment)))
                    if results[-1][1]:
                        verdict = "caught"
                        if arguments.first:
                            break
            except Trouble as trouble:  # the others may still tell something
                print(f"mutations.py: {trouble}", file=sys.stderr)
                verdict = "DOES NOT COMPILE"
            finally:
                undo()
            texts = [f"{suite} {how or 'passes'}" for suite, how in results]
            rows.append((mutation.name, ", ".join(texts), verdict))
            print(f"{' | '.join(rows[-1])} | {time.monotonic() - started:.0f} s", flush=True)
    finally:
        if not arguments.keep:
            shutil.rmtree(place, ignore_errors=True)
    print()
    for row in rows:
        print(" | ".join(row))
    verdicts = [row[2] for row in rows]
    n_survived = verdicts.count("SURVIVED")
    n_broken = verdicts.count("DOES NOT COMPILE")
    print(f"{verdicts.count('caught')} caught, {n_survived} survived, {n_broken} do not compile")
    return 2 if n_broken else 1 if n_survived else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        print(f"mutations.py: {trouble}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(2)
