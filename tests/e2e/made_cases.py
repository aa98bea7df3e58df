#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases of the upstream simulators, made from an example by our assembler.

    made_cases.py VENTUS SOURCE_DIR OBJ_VECTORS

The recorded cases of the upstream tool chain are not part of the repository; these
have the same form and run everywhere.  The results are computed here.  OBJ_VECTORS
reads the files on its own (tests/obj/vectors.c).
"""
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from vectors import Case, add

CODE, KNL, ARGS = 0x80000000, 0x90024000, 0x90003000
A, B, C = 0x90000000, 0x90001000, 0x90002000
STACK, STACK_B = 0x90004000, 0x20000
# workgroups, warps of each, threads of a warp
SHAPES = ((1, 4, 8), (1, 8, 4), (1, 4, 32), (32, 4, 8), (3, 1, 8))


def program(ventus, source, folder):
    """The words of the example behind the start code, and where it begins."""
    objects = []
    for path in source / 'lib/start.S', source / 'examples/vecadd.s':
        objects.append(folder / f'{path.stem}.o')
        subprocess.run([ventus, 'as', '-o', objects[-1], path], check=True)
    elf = folder / 'vecadd.elf'
    subprocess.run([ventus, 'link', '-o', elf, *objects], check=True)
    image = elf.read_bytes()
    # The first program header that is loaded (ELF32) has the code.
    phoff, = struct.unpack_from('<I', image, 28)
    entry_size, count = struct.unpack_from('<HH', image, 42)
    for i in range(count):
        kind, offset, address, _, size = struct.unpack_from(
            '<5I', image, phoff + i * entry_size)
        if kind == 1 and address == CODE:
            text = image[offset:offset + size]
    symbols = subprocess.run(['llvm-nm-19', elf], check=True, text=True,
                             capture_output=True).stdout
    entry = next(int(line.split()[0], 16) for line in symbols.splitlines()
                 if line.split()[-1] == 'vecadd')
    return struct.unpack(f'<{len(text) // 4}I', text), entry


def floats(values):
    return struct.unpack(f'<{len(values)}I', struct.pack(f'<{len(values)}f',
                                                         *values))


def write_case(folder, shape, code, entry):
    groups, warps, threads = shape
    local = warps * threads
    n = groups * local
    knl = [entry, ARGS, 1, n, 1, 1, local, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    buffers = [(A, floats([i * .5 for i in range(n)]), 4 * n),
               (B, floats([100 - i / 3 for i in range(n)]), 4 * n),
               (C, (0,) * n, 4 * n), (ARGS, (A, B, C), 12),
               (CODE, code, 0x10000000), (STACK, (), STACK_B), (KNL, knl, 64)]
    numbers = [CODE, 0, groups, 1, 1, threads, warps, KNL, 0x1000 * warps, 0x1000,
               64, 64, STACK, len(buffers)]
    numbers += [base for base, _, _ in buffers]
    numbers += [4 * len(words) for _, words, _ in buffers]
    numbers += [size for _, _, size in buffers]
    folder.mkdir()
    (folder / 'vecadd_0.metadata').write_text(
        ''.join(f'{x & 0xffffffff:08x}\n{x >> 32:08x}\n' for x in numbers))
    (folder / 'vecadd_0.data').write_text(
        ''.join(f'{word:08x}\n' for _, words, _ in buffers for word in words))


def main():
    ventus, source, reader = sys.argv[1:]
    errors = []
    with tempfile.TemporaryDirectory() as name:
        vectors = Path(name) / 'vectors'
        vectors.mkdir()
        code, entry = program(ventus, Path(source), Path(name))
        for shape in SHAPES:
            folder = vectors / 'vecadd_{}b{}w{}t'.format(*shape)
            write_case(folder, shape, code, entry)
            case = Case(folder / 'vecadd_0.metadata')
            assert case.items() == shape[0] * shape[1] * shape[2]
            errors += add(ventus, folder, 'vecadd_0', logged=False)
        p = subprocess.run([reader, 'every_case'], capture_output=True, text=True,
                           check=False, env={'VENTUS_VECTORS': str(vectors),
                                             'VENTUS_CASES': str(len(SHAPES))})
        if p.returncode:
            errors.append(p.stdout + p.stderr)
    print('\n'.join(errors + [f'{len(SHAPES)} cases, {len(errors)} errors']))
    return errors != []


if __name__ == '__main__':
    sys.exit(main())
