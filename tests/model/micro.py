#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small programs, a mechanism each, against what the RTL did.

usage: micro.py VENTUS

micro/NAME.s is run under the preset rtl-verilog; micro/NAME.issue says what
was measured on the Verilog port (8 lanes, lines of 8 bytes, memory of one
cycle, one request at a time): the cycles, and of each issue its cycle from the
launch, the warp and the pc.  All must be the same.  Lines in a program:
`# warps N`, `# set KEY=VALUE`.
"""
import glob
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CODE, DATA, PRIVATE, META = 0x80000000, 0x90000000, 0x90010000, 0x90020000


def text_of(elf):
    """The words of section .text of a 32-bit ELF object."""
    start, = struct.unpack_from('<I', elf, 32)
    size, n, names = struct.unpack_from('<HHH', elf, 46)
    sections = [struct.unpack_from('<10I', elf, start + i * size)
                for i in range(n)]
    strings = sections[names][4]
    for s in sections:
        name = elf[strings + s[0]:elf.index(b'\0', strings + s[0])]
        if name == b'.text':
            return list(struct.unpack_from(f'<{s[5] // 4}I', elf, s[4]))
    raise ValueError('no .text')


def write_case(path, words, warps):
    """A case as upstream's tools write it (src/obj/upstream.h)."""
    buffers = [(CODE, words), (DATA, [0] * 1024), (PRIVATE, [0] * 1024),
               (META, [CODE, META + 0x100] + [0] * 30)]
    sizes = [4 * len(w) for _, w in buffers]
    head = [CODE, 0, 1, 1, 1, 8, warps, META, 0x1000, 0x1000, 64, 64, PRIVATE,
            len(buffers)] + [b for b, _ in buffers] + sizes + sizes
    with open(path + '.metadata', 'w', encoding='ascii') as f:
        f.writelines(f'{x:08x}\n00000000\n' for x in head)
    with open(path + '.data', 'w', encoding='ascii') as f:
        f.writelines(f'{x:08x}\n' for _, w in buffers for x in w)


def run(ventus, source, folder):
    """[cycles], [(cycle, warp, pc)] of the model."""
    with open(source, encoding='ascii') as f:
        text = f.read()
    warps = re.search(r'^# warps (\d+)', text, re.M)
    path = os.path.join(folder, os.path.basename(source)[:-2])
    subprocess.run([ventus, 'as', source, '-o', path + '.o'], check=True)
    with open(path + '.o', 'rb') as f:
        words = text_of(f.read())
    write_case(path, words, int(warps.group(1)) if warps else 1)
    command = [ventus, 'exec', '--model', 'rtl-verilog', '--json', '--stats',
               '--issues', path + '.out']
    for s in re.findall(r'^# set (\S+)', text, re.M):
        command += ['--set', s]
    done = subprocess.run(command + [path + '.metadata'], text=True,
                          capture_output=True, check=False)
    if done.returncode:
        return [done.stderr.strip()], []
    cycles = int(re.search(r'"cycles":(\d+)', done.stdout).group(1))
    with open(path + '.out', encoding='ascii') as f:
        issues = [line.split() for line in f if line.startswith('I')]
    return [cycles], sorted((int(p[1]), int(p[3]), int(p[4], 16))
                            for p in issues)


def read_measured(path):
    with open(path, encoding='ascii') as f:
        lines = [line.split() for line in f]
    return [int(lines[0][1])], sorted((int(c), int(w), int(pc, 16))
                                      for c, w, pc in lines[1:])


def main():
    ventus, bad = sys.argv[1], 0
    sources = sorted(glob.glob(os.path.join(HERE, 'micro', '*.s')))
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            name = os.path.basename(source)[:-2]
            rtl = read_measured(source[:-2] + '.issue')
            model = run(ventus, source, folder)
            same = rtl == model
            bad += not same
            print(f'{name:10} cycles {rtl[0][0]}, model {model[0][0]}; '
                  f'{len(rtl[1])} issues: {"the same" if same else "OTHER"}')
            for a, b in zip(rtl[1], model[1]):
                if a != b:
                    print(f'    first: RTL cycle {a[0]} warp {a[1]} pc '
                          f'{a[2]:x}, model {b[0]} warp {b[1]} pc {b[2]:x}')
                    break
    return 1 if bad or not sources else 0


if __name__ == '__main__':
    sys.exit(main())
