#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many critical sections in one kernel, all of one lock.

    many_locks.py VENTUS
"""
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, N, ITEMS = sys.argv[1], 200, 64
SECTION = '''
    while (atomic_cmpxchg(lock, 0, 1))
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *(volatile global int *)x += %d;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
'''


def kernel():
    return 'kernel void sections(global int *x, global int *lock)\n{\n' + ''.join(
        SECTION % k for k in range(N)) + '}\n'


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / 'sections.cl'
        source.write_text(kernel(), encoding='utf-8')
        for how in [(d, o) for d in ('default', 'ventus2') for o in ('-O0', '-O2')]:
            done = subprocess.run(
                [VENTUS, 'exec', '--device', *how, source, '--grid', str(ITEMS), '--local', '32',
                 '--arg', 'zeros:1', '--arg', 'zeros:1', '--show', '0'],
                text=True, check=False, capture_output=True)
            if done.stdout.split() != ['0:', str(ITEMS * sum(range(N)))]:
                failed += 1
                print(how, done.returncode, done.stdout, done.stderr[-300:])
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
