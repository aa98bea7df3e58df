# SPDX-License-Identifier: Apache-2.0
"""Programs from source: OpenCL C and assembly."""
from __future__ import annotations

import ctypes
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple, Sequence, Union

from . import _abi
from ._library import Error, find_command, find_file, library


class BuildError(Error):
    """A source with errors; str() is what the compiler or assembler says."""


class Message(NamedTuple):
    """What the assembler says about a line."""
    severity: str  # 'error', 'warning' or 'note'
    file: str
    line: int  # from 1; 0: about no place
    column: int  # from 1
    text: str

    def __str__(self) -> str:
        place = f'{self.file}:{self.line}:{self.column}: ' if self.line else (
            f'{self.file}: ' if self.file else '')
        return f'{place}{self.severity}: {self.text}'


class Binary(NamedTuple):
    """A program or an object, and what was said while it was made."""
    data: bytes  # ELF
    log: str


def _run(arguments: Sequence[str], source: bytes = b'') -> Binary:
    environment = dict(os.environ, NO_COLOR='1')
    try:
        done = subprocess.run([find_command(), *arguments], input=source,
                              capture_output=True, env=environment,
                              check=False)
    except OSError as reason:
        raise Error(f'cannot start {find_command()}: {reason}') from None
    log = done.stderr.decode(errors='replace')
    if done.returncode:
        raise BuildError(log.strip() or
                         f'ventus {arguments[0]}: exit status {done.returncode}')
    return Binary(done.stdout, log)


def compile(source: str, options: Union[str, Sequence[str]] = (), *, isa: int = 1,
            name: str = 'input.cl', folder: str = '.') -> Binary:
    """OpenCL C to a linked program, by `ventus cc`.

    source: the text.  options: as for clBuildProgram, a text or a list of words:
    '-D N=16 -g' or ['-D', 'N=16', '-g'].  isa: 1 or 2, the version of the
    instruction set.  name: the source's, for messages and line numbers.
    folder: where #include "file" is looked for.

    Raises BuildError with the compiler's messages.
    """
    if isinstance(options, str):
        options = shlex.split(options)
    words = ['cc', f'-march=ventus{isa}', '--name', name, '-I', folder,
             *options, '-o', '-', '-']
    return _run(words, source.encode())


def assemble_object(source: str, *, isa: int = 1, name: str = 'input.s',
                    debug: bool = True, include: Sequence[str] = (),
                    define: Sequence[str] = ()) -> Binary:
    """Assembly to a relocatable object (ELF bytes), by the library itself.

    debug: with line numbers.  include: folders of .include and .incbin.
    define: 'NAME=VALUE', as .set does.  Raises BuildError with all messages.
    """
    lib = library()
    text = source.encode()
    folders = (ctypes.c_char_p * len(include))(*map(os.fsencode, include))
    defines = (ctypes.c_char_p * len(define))(*(d.encode() for d in define))
    options = _abi.AsmOptions(
        file=name.encode(), version=isa, debug=debug, include_dirs=folders,
        include_dir_count=len(include), defines=defines,
        define_count=len(define))
    result = _abi.AsmResult()
    try:
        ok = lib.asm_assemble(ctypes.byref(options), text, len(text),
                              ctypes.byref(result))
        messages = [_message(result.messages[i])
                    for i in range(result.message_count)]
        log = '\n'.join(map(str, messages))
        if not ok:
            raise BuildError(log)
        return Binary(ctypes.string_at(result.object, result.object_size),
                      log)
    finally:
        lib.asm_free(ctypes.byref(result))


def _message(m: _abi.AsmMessage) -> Message:
    return Message(('error', 'warning', 'note')[m.severity],
                   (m.file or b'').decode(), m.line, m.col, m.text.decode())


def link(objects: Sequence[bytes]) -> bytes:
    """Objects (ELF bytes, of `assemble_object`) to a program.

    The first one that defines _start is where warps begin; without one the
    start code of share/ventus/start.S is added.
    """
    with tempfile.TemporaryDirectory(prefix='ventus-') as folder:
        paths = []
        for i, data in enumerate(objects):
            paths.append(Path(folder) / f'{i}.o')
            paths[-1].write_bytes(data)
        return _run(['cc', '-o', '-', *map(str, paths)]).data


def assemble(source: str, *, isa: int = 1, name: str = 'input.s',
             debug: bool = True, include: Sequence[str] = (),
             define: Sequence[str] = ()) -> Binary:
    """Assembly to a linked program; arguments as of `assemble_object`."""
    own = assemble_object(source, isa=isa, name=name, debug=debug,
                          include=include, define=define)
    objects = [own.data]
    if b'\0_start\0' not in own.data:  # no symbol of that name
        start = find_file('start.S')
        objects.append(assemble_object(start.read_text(), isa=isa,
                                       name=str(start), debug=False).data)
    return Binary(link(objects), own.log)
