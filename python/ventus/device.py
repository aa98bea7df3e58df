# SPDX-License-Identifier: Apache-2.0
"""Devices and their memory."""
from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi, build
from ._library import Error, fail, library
from .arguments import convert, little_endian
from .kernel import Launch, Program, _Text


class Key(NamedTuple):
    """A setting of devices: `ventus info --config`."""
    section: str
    name: str
    type: str  # 'number', 'size', 'bool' or 'choice'
    unit: str  # '' if it is a plain number
    min: int
    max: int
    power_of_two: bool
    default: int
    choices: Tuple[str, ...]  # the values min, min + 1, ...
    meaning: str


class Engine(NamedTuple):
    """What executes kernels; docs/engines.md."""
    name: str
    meaning: str
    capabilities: Tuple[str, ...]  # 'counts cycles' and the like


class NativeShare(NamedTuple):
    """What ran as code of the host; docs/performance.md, Native code."""
    native: int  # instructions of warps
    interpreted: int
    why: str  # some of it was interpreted; '': no obstacle


CYCLES = 4  # VENTUS_DEV_CYCLES


def keys() -> List[Key]:
    """All settings there are."""
    n = ctypes.c_size_t()
    found = library().dev_keys(ctypes.byref(n))
    types = ('number', 'size', 'bool', 'choice')
    return [Key(k.section.decode(), k.name.decode(), types[k.type],
                k.unit.decode(), k.min, k.max, k.power_of_two, k.fallback,
                tuple((k.choices or b'').decode().split()), k.meaning.decode())
            for k in (found[i] for i in range(n.value))]


def engines() -> List[Engine]:
    """All engines there are."""
    lib, n = library(), ctypes.c_size_t()
    found = lib.dev_engines(ctypes.byref(n))
    names = {}
    while (name := lib.dev_capability_name(len(names))):
        names[1 << len(names)] = name.decode()
    return [Engine(found[i].name.decode(), found[i].meaning.decode(),
                   tuple(name for bit, name in names.items()
                         if found[i].capabilities & bit))
            for i in range(n.value)]


def presets() -> List[str]:
    """Names for `Device(preset)`."""
    found = library().dev_presets(None)
    if not found:
        raise Error('out of host memory')
    names, i = [], 0
    while found[i]:
        names.append(ctypes.string_at(found[i]).decode())
        i += 1
    ctypes.CDLL(None).free(found)  # the names are in it
    return names


class Buffer:
    """Device memory with the shape and type of a numpy array.

    address: on the device.  Made by `Device.buffer` and `Device.empty`.
    """

    def __init__(self, device: 'Device', shape: Tuple[int, ...], dtype: np.dtype,
                 flags: int):
        self.device, self.shape, self.dtype = device, shape, dtype
        self.size = int(np.prod(shape, dtype=np.int64))
        self.nbytes = self.size * dtype.itemsize
        self._address = library().dev_alloc(device.handle, self.nbytes, flags)
        if not self._address:
            raise fail()

    @property
    def address(self) -> int:
        """On the device; Error: it is freed."""
        if not self._address or not self.device.is_open:
            raise Error('the buffer is freed')
        return self._address

    def read(self) -> np.ndarray:
        """A copy of it, in its shape and type, when no launch runs."""
        out = np.empty(self.shape, self.dtype)
        self._check(library().dev_read(self.device.handle, self.address,
                                       out.ctypes.data, self.nbytes))
        return out

    def write(self, array: Any) -> None:
        """Copies an array of its size into it; values are converted to its
        type if it is of the same kind (numpy's 'same_kind') and can hold them."""
        given = np.asarray(array)
        if given.size != self.size:
            raise Error(f'expected {self.size} elements {self.shape}, found '
                        f'{given.size} {given.shape}')
        try:
            data = np.ascontiguousarray(convert(given, self.dtype))
        except TypeError:
            raise Error(f'expected {self.dtype}, found {given.dtype}') from None
        self._check(library().dev_write(self.device.handle, self.address,
                                        data.ctypes.data, self.nbytes))

    def fill(self, value: Any) -> None:
        """Every element becomes the value."""
        pattern = np.asarray(value, self.dtype).tobytes()
        if self.size:
            self._check(library().dev_fill(self.device.handle, self.address,
                                           pattern, len(pattern), self.nbytes))

    def copy_from(self, other: 'Buffer') -> None:
        """The bytes of another buffer of the same device and size."""
        if other.nbytes != self.nbytes or other.device is not self.device:
            raise Error(f'expected a buffer of {self.nbytes} bytes on the same '
                        f'device, found {other.nbytes}')
        self._check(library().dev_copy(self.device.handle, self.address,
                                       other.address, self.nbytes))

    def free(self) -> None:
        """Gives the memory back.  Also done by `Device.close`."""
        if self._address and self.device.is_open:
            self._check(library().dev_free(self.device.handle, self._address))
        self._address = 0

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        found = self.read()
        return found if dtype is None else found.astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f'<Buffer {self.shape} {self.dtype} at {self._address:#010x}>'

    @staticmethod
    def _check(ok: bool) -> None:
        if not ok:
            raise fail()


class Device:
    """A simulated device.

        with ventus.Device('chisel', num_sm=2) as d:
            x = d.buffer(np.arange(64, dtype=np.float32))
            scale = d.compile(source)['scale']
            r = scale(x, 2.0, global_size=64)
            print(r.cycles, x.read())

    preset: a name of `presets()` or the path of an ini file.  host_threads: 0:
    as configured.  Further names are settings of `keys()`, stronger than the
    preset: numbers, True and False, or text as in an ini file ('64K').

    Error: there is no such preset, or a setting is wrong.
    """

    def __init__(self, preset: str = 'default', *, host_threads: int = 0,
                 settings: Optional[Mapping[str, Any]] = None, **more: Any):
        words = [f'{k}={_word(v)}'.encode()
                 for k, v in {**(settings or {}), **more}.items()]
        options = _abi.DevOptions(
            config=preset.encode(), set=(ctypes.c_char_p * len(words))(*words),
            n_set=len(words), host_threads=host_threads)
        self._launches: List[Launch] = []
        self._recording = False
        self._handle = library().dev_open(ctypes.byref(options))
        if not self._handle:
            raise fail()
        self.counts_cycles = library().dev_can(self._handle, CYCLES)

    # ---- its life ----

    @property
    def is_open(self) -> bool:
        """Not yet closed?"""
        return bool(self._handle)

    @property
    def handle(self) -> int:
        """For calls of the C interface; Error: it is closed."""
        if not self._handle:
            raise Error('the device is closed')
        return self._handle

    def close(self) -> None:
        """Waits for the launches, writes records and frees everything.

        Error: a record is not complete.  Closing twice does nothing."""
        if not self._handle:
            return
        for launch in list(self._launches):
            launch.discard()
        complete = not self._recording or library().dev_record_end(self._handle)
        reason = None if complete else fail()
        library().dev_close(self._handle)
        self._handle = None
        if reason:
            raise reason

    def __enter__(self) -> 'Device':
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, '_handle', None):
            self.close()

    def add_launch(self, launch: Launch) -> None:
        """A launch that must be waited for."""
        self._launches.append(launch)

    def remove_launch(self, launch: Launch) -> None:
        """It has ended."""
        self._launches.remove(launch)

    def setting(self, name: str) -> int:
        """The value in force; Error: there is no setting of that name."""
        if name not in {k.name for k in keys()}:
            raise Error(f"no setting '{name}'; ventus.keys() has all")
        return library().dev_setting(self.handle, name.encode())

    def native_share(self) -> NativeShare:
        """What ran as code of the host so far, none with
        `execution='interpreter'`; waits for the launches."""
        s = library().dev_native_share(self.handle)
        return NativeShare(s.native, s.interpreted, (s.why or b'').decode())

    # ---- memory ----

    def buffer(self, array: Any, *, read_only: bool = False,
               write_only: bool = False) -> Buffer:
        """A buffer with a copy of the array, of its shape and type; big-endian
        numbers become little-endian ones.

        read_only, write_only: for kernels."""
        data = np.ascontiguousarray(array)
        buffer = self.empty(data.shape, data.dtype, read_only=read_only,
                            write_only=write_only)
        if data.size:
            buffer.write(data)
        return buffer

    def empty(self, shape: Any, dtype: Any = np.float32, *,
              read_only: bool = False, write_only: bool = False) -> Buffer:
        """A buffer of zeros, of one or several dimensions."""
        dims = tuple(shape) if isinstance(shape, Sequence) else (int(shape),)
        kind = little_endian(np.dtype(dtype))
        if kind.hasobject:
            raise Error(f'expected a type of plain bytes, found {kind}')
        return Buffer(self, dims, kind, read_only * 1 | write_only * 2)

    # ---- programs ----

    def load(self, data: bytes, name: str = 'program.elf', log: str = ''
             ) -> Program:
        """A linked program (ELF bytes); `name` is for messages."""
        return Program(self, bytes(data), name, log)

    def compile(self, source: str, options: Union[str, Sequence[str]] = (),
                name: str = 'input.cl', folder: str = '.') -> Program:
        """OpenCL C, compiled for this device's instruction set and loaded;
        arguments as of `ventus.compile`.  BuildError: the source is wrong."""
        made = build.compile(source, options, isa=self.setting('isa'),
                             name=name, folder=folder)
        return self.load(made.data, name, made.log)

    def assemble(self, source: str, name: str = 'input.s', **how: Any
                 ) -> Program:
        """Assembly, linked and loaded; arguments as of `ventus.assemble`."""
        made = build.assemble(source, isa=self.setting('isa'), name=name, **how)
        return self.load(made.data, name, made.log)

    # ---- records and checks ----

    def record(self, *, trace: Optional[str] = None, konata: Optional[str] = None,
               events: Optional[str] = None, json: Optional[str] = None,
               report: Optional[str] = None, cycles: Tuple[int, int] = (0, 0),
               kernel: Optional[str] = None, sm: Optional[int] = None) -> None:
        """Writes files of all launches from now on, until `record_end`.

        trace: for Perfetto ('.pftrace': its own format, else JSON).  konata:
        pipelines.  events: docs/events.md.  json: a line for each launch.
        report: a page of HTML.  cycles: (from, to) of each launch in the traces;
        to 0: its end.  kernel, sm: this one only.

        Before the first launch, once.  Error: the engine does not profile, or a
        file cannot be written.
        """
        def path(p: Optional[str]) -> Optional[bytes]:
            return None if p is None else os.fsencode(p)
        what = _abi.DevRecord(
            trace=path(trace), konata=path(konata), events=path(events),
            json=path(json), report=path(report), from_cycle=cycles[0],
            to_cycle=cycles[1], kernel=kernel.encode() if kernel else None,
            sm=sm or 0, one_sm=sm is not None)
        if not library().dev_record(self.handle, ctypes.byref(what)):
            raise fail()
        self._recording = True

    def record_end(self) -> None:
        """Writes the files out.  Error: one is not complete."""
        self._recording = False
        if not library().dev_record_end(self.handle):
            raise fail()

    def check(self, kinds: str = '', *, suppress: Optional[str] = None,
              uniform_writes: bool = False) -> None:
        """Looks for mistakes in launches: `findings`; docs/debugging.md.

        kinds: 'memory,init,race,sync,scalar' or some; '': all.  suppress: a file of
        findings that are not wanted.  Before the first allocation, once."""
        what = _abi.DevCheck(kinds=kinds.encode() or None,
                             suppress=suppress.encode() if suppress else None,
                             uniform_writes=uniform_writes)
        if not library().dev_check(self.handle, ctypes.byref(what)):
            raise fail()

    def findings(self) -> Dict[str, Any]:
        """All findings so far, as `ventus exec --check-json` writes them."""
        text = _Text()
        one = (ctypes.c_void_p * 1)(self.handle)
        ok = library().dev_check_json(one, 1, text.file)
        reason = fail()
        data = text.close()
        if not ok:
            raise reason
        return json.loads(data)


def _word(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return 'yes' if value else 'no'
    return str(value)
