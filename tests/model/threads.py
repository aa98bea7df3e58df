#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Any number of host threads gives the same cycles, counters and memory, and so do events.

usage: threads.py VENTUS FILE.s...

Each program (directives as in tests/sim/run.py) is run on one thread, on two
to four, and on one with --events, where no SM sleeps; what it prints as JSON
and what it leaves in its buffers is compared byte by byte.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '../sim'))
from run import Test  # pylint: disable=wrong-import-position

ONE = ['one_group=no', 'common_pds=no', 'all_lanes=no', 'num_sgpr=0',
       'num_vgpr=0']
MACHINES = [
    ('chisel', ['coherence=none']),
    ('chisel', ['coherence=none', 'num_sm=5', 'memory_cycles=60',
                'memory_requests=16', 'dcache_sets=4', 'scheduler=gto']),
    ('chisel', ['coherence=none', 'num_sm=3', 'memory=dram', 'tlb_entries=2',
                'fetch_tlb_entries=1', 'icache_sets=2',
                'scheduler=two_level', 'inner_warps=2']),
    ('chisel', ['num_sm=4', 'scheduler=random', 'memory_jitter=40', 'seed=7',
                'memory_requests=8']),
    ('chisel', ['num_sm=2']),
    ('chisel', ['num_sm=3', 'dcache_sets=4', 'memory_cycles=40',
                'memory_requests=16', 'scheduler=gto']),
    ('rtl-verilog-32B', ONE + ['num_sm=4', 'scheduler=lrr']),
    # An SM that is ahead asks for a line before the uncore has its next event.
    ('lanes8', ONE + ['memory_cycles=20']),
    # Hits of the L2 that take longer than memory.
    ('rtl-verilog-32B', ONE + ['icache_line=8', 'dcache_line=8', 'l2_line=8',
                               'l2_hits=yes', 'l2_hit_cycles=32']),
    # What a warp waits for changes while it sleeps.
    ('chisel-2sm', ['unit_lanes=1', 'num_sgpr=0', 'num_vgpr=0']),
]
WAYS = [['--threads', '1'], ['--threads', '2'], ['--threads', '3'],
        ['--threads', '4'], ['--threads', '1', '--events', os.devnull]]


def run(test, ventus, model, settings, way):
    with tempfile.TemporaryDirectory() as folder:
        command = test.command(ventus, folder)
        command += ['--model', model, '--json', '--stats', *way]
        for s in settings:
            command += ['--set', s]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            sys.exit(f'{command}: {done.stderr.decode()}')
        found = [done.stdout]
        for name in sorted(test.buffers):
            with open(os.path.join(folder, name), 'rb') as f:
                found.append(f.read())
        return found


def main():
    ventus, files, wrong = sys.argv[1], sys.argv[2:], 0
    for path in files:
        test = Test(path, 8)
        for model, settings in MACHINES:
            one = run(test, ventus, model, settings, WAYS[0])
            if b'"cycles"' not in one[0]:
                sys.exit(f'{path}: no cycles in {one[0].decode()}')
            for way in WAYS[1:]:
                if run(test, ventus, model, settings, way) != one:
                    print(f'{path}: {model} {settings}: {" ".join(way)} '
                          'gives something else than one thread')
                    wrong += 1
    print(f'{len(files)} programs, {len(MACHINES)} machines, {wrong} differ')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
