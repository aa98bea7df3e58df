# SPDX-License-Identifier: Apache-2.0
"""Programs, kernels and launches."""
from __future__ import annotations

import ctypes
import threading
import time
import warnings
from typing import (TYPE_CHECKING, Any, Callable, Iterator, List, Optional,
                    Sequence, Tuple, Union)

from . import _abi
from ._library import Error, fail, library
from .arguments import KINDS, Param, arguments
from .result import LaunchError, Result, Step, make_result

if TYPE_CHECKING:
    from .device import Device

Size = Union[int, Sequence[int]]
IssueHook = Callable[[int, int, int, int, int], None]


class Program:
    """A loaded program; its kernels by name: `program['scale']`,
    `program.scale`, `for kernel in program`.

    log: what the compiler or the assembler said.
    """

    def __init__(self, device: 'Device', data: bytes, name: str, log: str):
        lib = library()
        self.device, self.log = device, log
        self._handle = lib.dev_load(device.handle, data, len(data),
                                    name.encode())
        if not self._handle:
            raise fail()
        n = ctypes.c_size_t()
        all_ = lib.dev_kernels(self._handle, ctypes.byref(n))
        self.kernels = {all_[i].name.decode(): Kernel(self, all_[i])
                        for i in range(n.value)}

    @property
    def handle(self) -> int:
        """For calls of the C interface; Error: it is unloaded."""
        if not self._handle or not self.device.is_open:
            raise Error('the program is unloaded')
        return self._handle

    def unload(self) -> None:
        """Waits for its launches and removes it from the device."""
        if self._handle and self.device.is_open:
            library().dev_unload(self._handle)
        self._handle = None

    def describe(self, pc: int) -> str:
        """'scale+0x1c (scale.cl:12)': a place in the code."""
        out = ctypes.create_string_buffer(512)
        library().dev_describe(self.handle, pc, out, len(out))
        return out.value.decode(errors='replace')

    def __getitem__(self, name: str) -> 'Kernel':
        try:
            return self.kernels[name]
        except KeyError:
            raise Error(f"no kernel '{name}' "
                        f"({', '.join(self.kernels)})") from None

    def __getattr__(self, name: str) -> 'Kernel':
        kernels = self.__dict__.get('kernels', {})
        if name not in kernels:
            raise AttributeError(f"no kernel or attribute '{name}'")
        return kernels[name]

    def __iter__(self) -> Iterator['Kernel']:
        return iter(self.kernels.values())

    def __len__(self) -> int:
        return len(self.kernels)


class Kernel:
    """A kernel of a program; calling it launches it.

    params: its parameters; empty if the file does not record them.
    sgprs, vgprs: registers in use.  local_B: static local memory of a workgroup.
    private_B: private memory of a work-item.  spills: instructions that save or
    restore registers.  required_group: or None.
    """

    def __init__(self, program: Program, raw: _abi.DevKernel):
        self.program, self._raw = program, raw
        self.name = raw.name.decode()
        self.entry, self.isa = raw.entry, raw.isa
        self.sgprs, self.vgprs, self.spills = raw.sgprs, raw.vgprs, raw.spills
        self.local_B, self.private_B = raw.local_B, raw.private_B
        self.recorded = raw.recorded
        self.required_group: Optional[Tuple[int, ...]] = (
            tuple(raw.required_wg) if any(raw.required_wg) else None)
        self.params: List[Param] = [
            Param(p.name.decode(), p.type_name.decode(), KINDS[p.kind],
                  p.size_B, p.align_B)
            for p in (raw.params[i] for i in range(raw.n_params))]

    def __repr__(self) -> str:
        inside = ', '.join(f'{p.type_name} {p.name}' for p in self.params)
        return f'<Kernel {self.name}({inside})>'

    def submit(self, *args: Any, global_size: Size,
               local_size: Optional[Size] = None,
               offset: Optional[Size] = None, stats: Optional[bool] = None,
               local_B: int = 0, private_B: int = 0,
               on_step: Optional[Callable[[Step], None]] = None,
               on_issue: Optional[IssueHook] = None) -> 'Launch':
        """Checks and queues a launch, and returns at once.

        args: a Buffer or None for a pointer; Local(bytes); numbers, which become
        what the kernel records (else int or float of 4 bytes); numpy values and
        bytes as they are.
        global_size: work-items, one to three numbers.  local_size: of a
        workgroup; None: chosen.  offset: of global ids.
        stats: fill `Result.stats` and counters, which costs speed; None: if the
        device counts cycles.
        local_B: local memory in addition; private_B: of a work-item, if the
        kernel needs more than it records.
        on_step(step): after each instruction, slow; on_issue(cycle, sm, warp,
        pc, word): on engines that count cycles.  Both are called on a thread of
        the device; what they raise ends the launch.

        Error: it cannot run.
        """
        launch = Launch(self, args, on_step, on_issue)
        launch.start(_sizes('global_size', global_size),
                     _sizes('local_size', local_size),
                     _sizes('offset', offset, 0), stats, local_B, private_B)
        return launch

    def __call__(self, *args: Any, **how: Any) -> Result:
        """`submit` and `wait`: runs it to its end.  LaunchError: a fault."""
        return self.submit(*args, **how).wait()

    def steps(self, *args: Any, **how: Any) -> Iterator[Step]:
        """Runs it one instruction at a time; arguments as of `submit`.

            for step in kernel.steps(x, global_size=32):
                print(step.text, step.x[5])

        The launch waits while the loop's body runs.  Leaving the loop ends the
        launch.
        """
        turn, stepped = threading.Semaphore(0), threading.Semaphore(0)
        box: List[Step] = []
        leaving = threading.Event()

        def on_step(step: Step) -> None:
            if leaving.is_set():
                return
            box.append(step)
            stepped.release()
            turn.acquire()

        launch = self.submit(*args, on_step=on_step, **how)
        try:
            while True:
                if stepped.acquire(timeout=0.02):
                    yield box.pop()
                    turn.release()
                elif launch.done:
                    break
            launch.wait()
        finally:
            leaving.set()
            if not launch.done:
                launch.stop()
                turn.release()
            launch.discard()


def _sizes(name: str, size: Optional[Size], least: int = 1) -> Tuple[int, ...]:
    """One to three numbers; () for None."""
    if size is None and name != 'global_size':
        return ()
    found = tuple(size) if isinstance(size, Sequence) else (size,)
    try:
        numbers = tuple(int(n) for n in found)
    except (TypeError, ValueError):
        numbers = ()
    if not 1 <= len(numbers) <= 3 or numbers != found or min(numbers) < least:
        raise Error(f'{name}: expected one to three numbers of at least '
                    f'{least}, found {size!r}')
    return numbers


class _Text:
    """A FILE of the C library whose text can be read."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None)
        self._libc.open_memstream.restype = ctypes.c_void_p
        self._at, self._size = ctypes.c_void_p(), ctypes.c_size_t()
        self.file = self._libc.open_memstream(ctypes.byref(self._at),
                                              ctypes.byref(self._size))
        if not self.file:
            raise Error('out of host memory')

    def close(self) -> bytes:
        """What was written; once."""
        self._libc.fclose(ctypes.c_void_p(self.file))
        data = ctypes.string_at(self._at, self._size.value)
        self._libc.free(self._at)
        return data


class Launch:
    """A launch that was submitted."""

    def __init__(self, kernel: Kernel, args: tuple,
                 on_step: Optional[Callable[[Step], None]],
                 on_issue: Optional[IssueHook]):
        self.kernel, self.device = kernel, kernel.program.device
        self._keep: List[Any] = []
        self._args = arguments(kernel, args, self._keep)
        self._raised: Optional[BaseException] = None
        self._ticket: Optional[int] = None
        self._hooks = self._make_hooks(on_step, on_issue)
        self._outcome: Union[Result, Error, None] = None

    def _make_hooks(self, on_step: Any, on_issue: Any) -> Any:
        if not on_step and not on_issue:
            return None

        def guarded(function: Callable[..., None], *values: Any) -> None:
            if self._raised is not None:
                return
            try:
                function(*values)
            except BaseException as raised:  # wait() raises it
                self._raised = raised
                self.stop()

        def step(_: Any, raw: Any) -> None:
            now = Step(raw.contents)
            guarded(on_step, now)
            now._end()

        def issue(_: Any, *values: int) -> None:
            guarded(on_issue, *values)

        hooks = _abi.DevHooks()
        if on_step:
            hooks.step = _abi.STEP_FN(step)
        if on_issue:
            hooks.issue = _abi.ISSUE_FN(issue)
        return hooks

    def start(self, global_size: Tuple[int, ...], local: Tuple[int, ...],
              offset: Tuple[int, ...], stats: Optional[bool], local_B: int,
              private_B: int) -> None:
        """Queues it; `Kernel.submit` calls this."""
        lib, kernel = library(), self.kernel
        kernel.program.handle  # it must be there
        if local and len(local) != len(global_size):
            raise Error(f'local_size: expected {len(global_size)} numbers, as '
                        f'global_size has, found {len(local)}')
        self._stats = self.device.counts_cycles if stats is None else stats
        self._sm = (_abi.DevCounters * self.device.setting('num_sm'))()
        self._text = _Text()
        raw = _abi.DevLaunch(
            kernel=ctypes.pointer(kernel._raw), work_dim=len(global_size),
            global_=global_size, local=local or (0, 0, 0),
            offset=offset or (0, 0, 0), args=self._args,
            n_args=len(self._args), local_B=local_B, private_B=private_B,
            printed=self._text.file, stats=self._stats)
        if self._stats and self.device.counts_cycles:
            raw.sm = self._sm
        if self._hooks is not None:
            raw.hooks = ctypes.pointer(self._hooks)
        self._ticket = lib.dev_submit(self.device.handle, ctypes.byref(raw))
        if not self._ticket:
            reason = fail()
            self._text.close()
            raise reason
        self.device.add_launch(self)
        if self._raised is not None:  # by a hook, which had no ticket to stop
            self.stop()

    @property
    def done(self) -> bool:
        """Has it ended?"""
        return self._ticket is None or (
            library().dev_query(self._ticket) >= _abi.DONE)

    @property
    def progress(self) -> Tuple[int, int]:
        """Workgroups that have ended, and all of them."""
        if self._ticket is None:
            raise Error('the launch has been waited for')
        all_ = ctypes.c_uint64()
        done = library().dev_progress(self._ticket, ctypes.byref(all_))
        return done, all_.value

    def stop(self) -> None:
        """Ends it as soon as it can: `wait` raises a LaunchError whose fault is
        'stopped' and whose message says where each warp was."""
        if self._ticket is not None:
            library().dev_stop(self._ticket)

    def wait(self) -> Result:
        """Its result, when it has ended.  Ctrl-C ends it, too.

        LaunchError: the kernel had a fault, or was stopped.
        """
        pause = 0.0
        try:
            while not self.done:
                time.sleep(pause)
                pause = min(pause + 20e-6, 5e-3)
        except BaseException:  # KeyboardInterrupt
            self.stop()
            self._finish()
            raise
        self._finish()
        if self._raised is not None:
            raise self._raised
        if isinstance(self._outcome, Error):
            raise self._outcome
        assert self._outcome is not None
        return self._outcome

    def discard(self) -> None:
        """Waits for its end, without a result."""
        self._finish()

    def _finish(self) -> None:
        """Waits, takes the result and frees the ticket; once."""
        lib = library()
        if self._ticket is None:
            return
        raw = _abi.DevResult()
        ok = lib.dev_wait(self._ticket, ctypes.byref(raw))
        printed = self._text.close().decode(errors='replace')
        ns = (lib.dev_cycles_ns(self.device.handle, raw.cycles)
              if self.device.counts_cycles else 0)
        result = make_result(raw, printed, self._stats, ns)
        message = raw.message.decode(errors='replace')
        self._outcome = result if ok else LaunchError(message, result)
        lib.dev_ticket_free(self._ticket)
        self._ticket = None
        self._keep.clear()
        self.device.remove_launch(self)
        for line in message.splitlines() if ok else ():
            warnings.warn(line, RuntimeWarning, stacklevel=3)
