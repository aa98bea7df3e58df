# SPDX-License-Identifier: Apache-2.0
"""What a launch did: cycles, counters, statistics, faults, steps."""
from __future__ import annotations

import ctypes
import html
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _abi
from ._library import Error, library


NO_ITEM = 2**64 - 1  # VENTUS_DEV_NO_ITEM


class Fault(NamedTuple):
    """A fault of the simulated program."""
    kind: str  # 'misaligned access' and the like
    pc: int
    address: int
    group: Tuple[int, int, int]  # of the workgroup
    warp: int  # in its workgroup
    lane: int  # -1: no lane in particular
    item: Optional[Tuple[int, int, int]]  # global id, if there is a lane; None:
    # it has none and runs because of all_lanes
    place: str  # 'k+0x1c (k.cl:12)'
    insn: str  # 'vlw12.v v1, 2(v0)'


class Stats(NamedTuple):
    """Executed instructions; loads and stores by how the addresses lie.

    `classes` has (instructions of warps, of threads) for each execution unit.
    """
    warp_instructions: int
    thread_instructions: int
    vector_instructions: int
    vector_lanes: int
    branches: int
    branches_divergent: int
    joins: int
    barriers: int
    workgroups: int
    max_stack: int
    loads_uniform: int
    loads_unit: int
    loads_gather: int
    stores_uniform: int
    stores_unit: int
    stores_scatter: int
    classes: Dict[str, Tuple[int, int]]


def _table(rows: Sequence[Tuple[str, object]]) -> str:
    return '<table>' + ''.join(
        f'<tr><th style="text-align: left">{html.escape(name)}</th>'
        f'<td style="text-align: right">{html.escape(str(value))}</td></tr>'
        for name, value in rows) + '</table>'


class Result(NamedTuple):
    """A launch that has ended.

    cycles: of the whole launch; 0 on engines that count none.
    counters: by name, of the whole machine; sm: the same for each SM.  Both are
    empty without `stats` or on engines that count none (docs/model.md).
    printed: what the kernel's printf wrote.
    device_ns: nanoseconds of the device at its clock; host_ns: of the host.
    """
    cycles: int
    counters: Dict[str, int]
    sm: List[Dict[str, int]]
    stats: Optional[Stats]
    printed: str
    device_ns: int
    host_ns: int
    fault: Optional[Fault]

    def _repr_html_(self) -> str:
        """What a notebook shows: a table, the counters folded."""
        rows: List[Tuple[str, object]] = []
        if self.fault:
            rows += [('fault', f'{self.fault.kind} at {self.fault.place}'),
                     ('instruction', self.fault.insn)]
        if self.cycles:
            rows += [('cycles', f'{self.cycles:,}'),
                     ('device', f'{self.device_ns / 1000:,.1f} µs')]
        rows.append(('host', f'{self.host_ns / 1e6:,.1f} ms'))
        if self.stats:
            rows += [(name.replace('_', ' '), f'{getattr(self.stats, name):,}')
                     for name in ('warp_instructions', 'thread_instructions',
                                  'branches_divergent', 'workgroups')]
        text = _table(rows)
        if self.counters:
            counters = [(k, f'{v:,}') for k, v in self.counters.items() if v]
            text += (f'<details><summary>{len(counters)} counters that are not '
                     f'0</summary>{_table(counters)}</details>')
        if self.printed:
            text += f'<pre>{html.escape(self.printed)}</pre>'
        return text


class LaunchError(Error):
    """A launch that failed: `fault`, and `result`, what was done until then."""

    def __init__(self, message: str, result: Optional[Result] = None):
        super().__init__(message)
        self.result = result
        self.fault = result.fault if result else None


class Step:
    """An executed instruction: `kernel.steps` and `on_step`.

    group, warp: of the workgroup, in linear order, and in it.
    pc, next_pc: addresses of this and the next instruction word.
    words: one word, or a prefix and a word.
    text: the instruction as `ventus dis` writes it.
    mask, next_mask: active lanes before and after it, a bit each.
    exec: lanes that took part; lanes: the same as a bool array (num_thread,).
    stack: entries of the SIMT stack after it.

    x, v and addresses are read when they are asked for, which is possible only
    until the next step.
    """

    def __init__(self, raw: _abi.SimStep):
        self._raw: Optional[_abi.SimStep] = raw
        self.group, self.warp = raw.group, raw.warp
        self.pc, self.next_pc = raw.pc, raw.next_pc
        prefixed = raw.words[1] and raw.in_.contents.prefix
        self.words = tuple(raw.words[:2 if prefixed else 1])
        self.mask, self.next_mask, self.exec = raw.mask, raw.next_mask, raw.exec
        self.stack, self.num_thread = raw.stack, raw.num_thread
        self.vl, self.vtype, self.rpc = raw.vl, raw.vtype, raw.rpc
        self.fflags = raw.fflags

    def _now(self) -> _abi.SimStep:
        if self._raw is None:
            raise Error('registers of a step are there until the next step: '
                        'copy them before')
        return self._raw

    @property
    def text(self) -> str:
        raw = self._now()
        out = ctypes.create_string_buffer(_abi.ISA_TEXT_MAX)
        how = _abi.IsaPrint(has_pc=True, pc=raw.pc)
        library().isa_print(raw.in_, ctypes.byref(how), out, len(out))
        return out.value.decode()

    @property
    def lanes(self) -> np.ndarray:
        """Which lanes took part: bool (num_thread,)."""
        return np.array([self.exec >> i & 1 for i in range(self.num_thread)],
                        dtype=bool)

    @property
    def x(self) -> np.ndarray:
        """A copy of the scalar registers after it: uint32 (64,)."""
        return np.ctypeslib.as_array(self._now().x, shape=(64,)).copy()

    @property
    def v(self) -> np.ndarray:
        """A copy of the vector registers after it: uint32 (256, num_thread).
        `step.v[3].view(np.float32)` has the floats of v3."""
        raw = self._now()
        rows = np.ctypeslib.as_array(raw.v, shape=(256 * raw.stride,))
        return rows.reshape(256, raw.stride)[:, :raw.num_thread].copy()

    @property
    def addresses(self) -> Optional[np.ndarray]:
        """Of a load, store or atomic: uint64 (num_thread,), or (1,) of a scalar
        one; those of lanes that took part mean something.  Else None."""
        raw = self._now()
        if not raw.access_B:
            return None
        n = 1 if raw.scalar_access else raw.num_thread
        return np.ctypeslib.as_array(raw.addresses, shape=(n,)).copy()

    @property
    def access_B(self) -> int:
        """Bytes of a lane's access; 0: none."""
        return self._now().access_B

    def _end(self) -> None:
        self._raw = None

    def __repr__(self) -> str:
        text = self.text if self._raw is not None else ''
        return (f'<Step group {self.group} warp {self.warp} '
                f'pc {self.pc:#010x} {text}>')


def _fault(f: _abi.DevFault) -> Optional[Fault]:
    if not f.kind:
        return None
    item = tuple(f.item) if f.item[0] != NO_ITEM else None
    return Fault(f.kind.decode(), f.pc, f.address, tuple(f.group), f.warp,
                 f.lane, item, f.place.decode(errors='replace'),
                 f.insn.decode(errors='replace'))


def _stats(s: _abi.DevStats) -> Stats:
    classes = {s.classes[i].name.decode(): (s.classes[i].warp,
                                            s.classes[i].thread)
               for i in range(s.n_classes)}
    numbers = [getattr(s, name) for name in Stats._fields[:-1]]
    return Stats(*numbers, classes)


def _counters(c: _abi.DevCounters) -> Dict[str, int]:
    return {c.at[i].name.decode(): c.at[i].value for i in range(c.n)}


def make_result(r: _abi.DevResult, printed: str, stats: bool,
                device_ns: int) -> Result:
    """Of the C struct; `stats`: they were asked for."""
    has_sm = bool(r.sm) and stats
    return Result(
        cycles=r.cycles, counters=_counters(r.counters),
        sm=[_counters(r.sm[i]) for i in range(r.num_sm)] if has_sm else [],
        stats=_stats(r.stats) if stats else None, printed=printed,
        device_ns=device_ns, host_ns=r.end_ns - r.start_ns,
        fault=_fault(r.fault))
