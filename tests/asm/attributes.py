#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Other tools know the standard instructions of our objects.

    attributes.py VENTUS

llvm-objdump-19 without options must show what llvm-mc-19 assembles from the same
text; the linkers must take the objects."""
import subprocess
import sys
import tempfile
from pathlib import Path

TEXT = '''    lw      t0, 0(a0)
    mul     t0, t0, t1
    fadd.s  t0, t1, t2
    fcvt.s.w t0, t1
    amoadd.w t0, t1, (t2)
    vadd.vv v1, v2, v3
    vid.v   v0
    vlse32.v v1, (t0), t1
    beqz    t0, .
    ret
'''


def run(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True,
                          check=False)
    if done.returncode or done.stderr:
        sys.exit(f'{words}: {done.stderr}')
    return done.stdout


def shown(text):
    """Words and text of each instruction, without the addresses."""
    return [line.split(':', 1)[1].split() for line in text.splitlines()
            if line.startswith(' ') and ':' in line]


def main():
    ventus = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / 'k.s'
        source.write_text(f'.globl _start\n_start:\n{TEXT}')
        ours, theirs, linked = (folder / f for f in ('a.o', 'b.o', 'p.elf'))
        run('llvm-mc-19', '-triple=riscv32', '-filetype=obj',
            '-mattr=+m,+a,+zfinx,+zve32x', '-o', theirs, source)
        expected = shown(run('llvm-objdump-19', '-d', '-M', 'no-aliases',
                             '--mattr=+m,+a,+zfinx,+zve32x', theirs))
        empty = folder / 'empty.o'
        (folder / 'empty.s').write_text('')
        run(ventus, 'as', '-o', empty, folder / 'empty.s')
        for version in (1, 2):
            run(ventus, 'as', f'-march=ventus{version}', '-o', ours, source)
            found = shown(run('llvm-objdump-19', '-d', '-M', 'no-aliases', ours))
            assert found == expected, f'{found}\n{expected}'
            said = run('llvm-readobj-19', '-A', ours)
            assert 'TagName: arch' in said and 'xventus1p0' in said, said
            run('ld.lld-19', '-r', '-o', folder / 'r.o', ours, empty)
            run(ventus, 'link', '-o', linked, ours)
    print(f'{len(expected)} instructions')


if __name__ == '__main__':
    main()
