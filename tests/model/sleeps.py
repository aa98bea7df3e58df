#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A machine that sleeps while nothing changes has the cycles of one that does not.

    sleeps.py VENTUS EXAMPLES

With --events no SM sleeps, and on several host threads the uncore is asked in
other cycles.  So programs have the same cycles in all three ways, at latencies
where requests of both caches meet before a full queue of the L2, and with more
cycles between the bus and the L2 than SMs ask in turn."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, EXAMPLES = sys.argv[1], Path(sys.argv[2])
WAYS = (['--threads', '1'], ['--threads', '2'],
        ['--threads', '1', '--events', os.devnull])


def cycles(preset, settings, grid, way):
    words = [w for s in settings for w in ('--set', s)]
    args = [w for a in (f'fiota:{grid}', f'fiota:{grid}', f'zeros:{grid}')
            for w in ('--arg', a)]
    done = subprocess.run(
        [VENTUS, 'exec', '--model', preset, '--json', *words, *way,
         EXAMPLES / 'vecadd.s', '--grid', str(grid), '--local', '8', *args],
        capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'{preset} {settings} {way}: {done.stderr}')
    return json.loads(done.stdout)['cycles']


def main():
    cases = [(preset, [f'memory_cycles={latency}'], grid)
             for preset in ('rtl-verilog', 'lanes8', 'chisel')
             for latency in (4, 19, 20, 21, 22) for grid in (8, 64)]
    cases += [('chisel', [f'bus_request_cycles={n}'], 128) for n in (5, 16, 31)]
    failed = 0
    for preset, settings, grid in cases:
        found = [cycles(preset, settings, grid, way) for way in WAYS]
        if len(set(found)) > 1:
            print(f'{preset} {settings} grid {grid}: {found} cycles on one '
                  'thread, on two, and with events')
            failed += 1
    return failed


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        os.environ['VENTUS_CACHE_DIR'] = folder
        sys.exit(main() != 0)
