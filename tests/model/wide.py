#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What accesses of 64 to 128 bits a lane ask the L1D of chisel2 for: each line that
the lanes' words are in, once.

usage: wide.py VENTUS

A warp of 32 lanes has a line of 128 bytes for each word that is private, as each is
interleaved on its own.  In global memory the words of a lane are next to each other."""
import json
import os
import subprocess
import sys
import tempfile

LANES = 32
LOADS = 4
WIDTHS = (32, 64, 96, 128)
# What is loaded, and by hand the lines of a warp's load, by width.
CASES = {
    'private': ('pre_m_private_{width} 0\n vlw12.v v4, 16(v3)', 0, (1, 2, 3, 4)),
    'rows': ('pre_m_{width} 0\n vlw12.v v4, 0(v1)', 4, (4, 4, 4, 4)),
    # From byte 120 of a line on: the last lane's end in a line more.
    'crossing': ('pre_m_{width} 0\n vlw12.v v4, 120(v1)', 7, (32, 32, 33, 33)),
    # The end of each lane's is in a line of its own.
    'apart': ('pre_m_{width} 0\n vlw12.v v4, 120(v1)', 8, (32, 32, 64, 64)),
}
SOURCE = '''
    .ventus_kernel wide, sgpr=32, vgpr=16, private=64
    .text
    .globl wide
wide:
    lw t0, 0(a0)
    csrr t1, tid
    vid.v v1
    vadd.vx v1, v1, t1
    vsll.vi v1, v1, {shift}
    vadd.vx v1, v1, t0
    vmv.v.i v3, 0
    .rept {loads}
    {load}
    vadd.vv v8, v4, v4
    .endr
    ret
'''


def requests(ventus, source, warps):
    command = [ventus, 'exec', '-march=ventus2', source, '--model', 'chisel2',
               '--set', 'memory_size=1G', '--json', '--stats', '--grid',
               str(LANES * warps), '--local', str(LANES * warps), '--arg',
               'zeros:65536']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return json.loads(done.stdout)['counters']['lsu_requests']


def of_case(ventus, folder, case, warps):
    """Without loads, and with those of each width."""
    load, shift, _ = CASES[case]
    path = os.path.join(folder, 'wide.s')
    found = []
    for width, loads in ((32, 0), *((w, LOADS) for w in WIDTHS)):
        with open(path, 'w', encoding='ascii') as f:
            f.write(SOURCE.format(load=load.format(width=width), shift=shift,
                                  loads=loads))
        found.append(requests(ventus, path, warps))
    return [n - found[0] for n in found[1:]]


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for case, (_, _, lines) in CASES.items():
            for warps in (1, 2):
                expected = [n * LOADS * warps for n in lines]
                found = of_case(sys.argv[1], folder, case, warps)
                if found != expected:
                    print(f'{case}, {warps} warps: {found} requests of '
                          f'{WIDTHS} bits, expected {expected}')
                    wrong += 1
    print(f'{len(CASES)} cases, {wrong} wrong')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
