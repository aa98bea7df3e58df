#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The structs of python/ventus/_abi.py are those of the headers.

    layout.py CC LIBRARY INCLUDE...

A C program prints size and offsets of each; ctypes must have the same.  The
calls that are declared must be in the library (Library looks each up)."""
import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'python'))
from ventus import _abi  # noqa: E402  (loads no library)


def program():
    lines = ['#include <stddef.h>', '#include <stdio.h>',
             '#include <ventus/asm.h>', '#include <ventus/dev.h>',
             '#include <ventus/dev_check.h>',
             '#include <ventus/isa.h>', '#include <ventus/sim.h>',
             'int main(void)', '{',
             'printf("%d\\n", (int)VENTUS_ISA_TEXT_MAX);']
    for class_, struct in _abi.STRUCTS.items():
        lines.append(f'printf("%zu", sizeof(struct {struct}));')
        for field in class_._fields_:
            name = _abi.RENAMED.get(field[0], field[0])
            lines.append(f'printf(" %zu", offsetof(struct {struct}, {name}));')
            lines.append('printf(" %zu", '
                         f'sizeof(((struct {struct} *)0)->{name}));')
        lines.append('putchar(10);')
    return '\n'.join([*lines, 'return 0;', '}', ''])


def main():
    cc, library, *includes = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder) / 'layout.c', Path(folder) / 'layout'
        source.write_text(program())
        subprocess.run([cc, '-o', binary, source,
                        *(f'-I{i}' for i in includes)], check=True)
        said = subprocess.run([binary], capture_output=True, text=True,
                              check=True).stdout.splitlines()
    failed = int(said[0]) != _abi.ISA_TEXT_MAX
    for (class_, struct), line in zip(_abi.STRUCTS.items(), said[1:]):
        ours = [ctypes.sizeof(class_)]
        for field in class_._fields_:
            member = getattr(class_, field[0])
            ours += [member.offset, member.size]
        if list(map(int, line.split())) != ours:
            failed = True
            print(f'{struct}: C has {line}, ctypes {ours}')
    assert len(said) == len(_abi.STRUCTS) + 1
    _abi.Library(library)
    print(f'{len(_abi.STRUCTS)} structs, {len(_abi.FUNCTIONS)} calls')
    return failed


if __name__ == '__main__':
    sys.exit(main())
