# SPDX-License-Identifier: Apache-2.0
"""Finds libventus.so and the command `ventus`, and loads the library once."""
from __future__ import annotations

import os
import shutil
from functools import lru_cache
from pathlib import Path
from typing import Iterator

from ._abi import Library

VERSION = '0.1.0'
SONAME = 'libventus.so.0.1'


class Error(Exception):
    """What the simulator refused, in its words."""


def _folders_above(path: Path) -> Iterator[Path]:
    """Folders that may hold a library beside path: lib, lib/TRIPLET, lib64."""
    for lib in (path / 'lib', path / 'lib64'):
        if lib.is_dir():
            yield lib
            yield from sorted(lib.glob('*-linux-gnu*'))


def _candidates() -> Iterator[Path]:
    here = Path(__file__).resolve()
    yield here.parents[2] / 'build' / 'release' / 'lib'  # the source tree
    yield here.parent / 'prefix' / 'lib'  # of a wheel with the library
    command = shutil.which('ventus')
    prefixes = [*here.parents[2:6]]
    if command:
        prefixes.append(Path(command).resolve().parents[1])
    for prefix in prefixes:
        yield from _folders_above(prefix)


def find_library() -> str:
    """The path of libventus.so, or a name for the system's loader.

    $VENTUS_LIBRARY if it is set; else the one of a build in this source tree,
    in this package, of the prefix that it is in, or of the `ventus` in PATH.
    """
    given = os.environ.get('VENTUS_LIBRARY')
    if given:
        return given
    for folder in _candidates():
        if (folder / SONAME).is_file():
            return str(folder / SONAME)
    return SONAME


@lru_cache(maxsize=None)
def library() -> Library:
    """The library, loaded; ImportError: there is none, or of another version."""
    path = find_library()
    try:
        lib = Library(path)
    except (OSError, AttributeError) as reason:
        raise ImportError(
            f'cannot load {path}: {reason}; set VENTUS_LIBRARY to the path of '
            f'{SONAME}, or install Ventus in C') from None
    found = lib.version_number()
    wanted = [int(n) for n in VERSION.split('.')]
    if found // 100 != wanted[0] * 100 + wanted[1]:
        raise ImportError(f'{path}: expected version {VERSION}, found '
                          f'{lib.version().decode()}')
    return lib


def find_command() -> str:
    """The path of the command `ventus`: $VENTUS_COMMAND, the one beside the
    library, or the one in PATH.  Error if there is none."""
    given = os.environ.get('VENTUS_COMMAND')
    if given:
        return given
    folder = Path(library().path).resolve().parent
    for prefix in folder.parents[:2]:
        if (prefix / 'bin' / 'ventus').is_file():
            return str(prefix / 'bin' / 'ventus')
    found = shutil.which('ventus')
    if not found:
        raise Error('no command ventus: not beside the library, nor in PATH; '
                    'set VENTUS_COMMAND to its path')
    return found


def find_file(name: str) -> Path:
    """A file of share/ventus, or of lib/ in a build tree."""
    prefix = Path(find_command()).resolve().parents[1]
    for folder in (prefix / 'share' / 'ventus', prefix / 'lib'):
        if (folder / name).is_file():
            return folder / name
    raise Error(f'no {name} in {prefix}/share/ventus')


def fail() -> Error:
    """The reason of this thread's last call that failed."""
    return Error(library().dev_message().decode(errors='replace'))
