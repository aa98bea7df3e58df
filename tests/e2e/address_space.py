#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Launches under a limit of address space, as schedulers of clusters set it.

    address_space.py VENTUS EXAMPLES

A workgroup reserves the local memory that its kernel declares: workgroups by the
hundred, of which several run at a time, need no more than a gigabyte."""
import resource
import subprocess
import sys
from pathlib import Path

VENTUS, EXAMPLES = sys.argv[1], Path(sys.argv[2])
LIMIT_B = 1 << 30
ITEMS = 64 * 256


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_B, LIMIT_B))


def main():
    for device in 'default', 'chisel':
        done = subprocess.run(
            [VENTUS, 'exec', '--device', device, EXAMPLES / 'reduce.s',
             '--grid', str(ITEMS), '--local', '64', '--arg', f'iota:{ITEMS}',
             '--arg', 'zeros:256', '--arg', 'local:256', '--show', '1'],
            capture_output=True, text=True, check=False,
            preexec_fn=limit)
        sums = [int(x) for line in done.stdout.splitlines()
                for x in line.split(':')[1].split()]
        wanted = [sum(range(64 * i, 64 * i + 64)) for i in range(256)]
        if done.returncode or sums != wanted:
            sys.exit(f'{device}: status {done.returncode}\n{done.stdout}'
                     f'{done.stderr}')
    print(f'2 devices with {LIMIT_B >> 20} MiB of address space')


if __name__ == '__main__':
    main()
